//! How it is judged where a project stands: pure decisions. The bands and their bounds are in docs/api/standing.md.

use planwright_domain::words::Health;
use schemars::JsonSchema;
use serde::Serialize;

use super::Standing;

/// How something stands, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "StandingBand")]
pub enum Band {
    OnTrack,
    AtRisk,
    Critical,
}

/// At least so much of what was planned is on track.
const ON_TRACK: f64 = 0.95;
/// At least so much of what was planned is at risk, and less is critical.
const AT_RISK: f64 = 0.85;

/// Done tasks for each task that was to be done by today; none before the first was to be.
pub fn schedule_performance(standing: &Standing) -> Option<f64> {
    (standing.planned_count > 0).then(|| standing.complete_count as f64 / standing.planned_count as f64)
}

/// How the schedule stands.
pub fn schedule_band(standing: &Standing) -> Option<Band> {
    schedule_performance(standing).map(|index| match index {
        _ if index >= ON_TRACK => Band::OnTrack,
        _ if index >= AT_RISK => Band::AtRisk,
        _ => Band::Critical,
    })
}

/// How the milestones stand: critical when one is overdue, at risk when one is near.
pub fn milestone_band(standing: &Standing) -> Band {
    match (standing.overdue_milestone_count, standing.near_milestone_count) {
        (1.., _) => Band::Critical,
        (_, 1..) => Band::AtRisk,
        _ => Band::OnTrack,
    }
}

/// How a project stands: what a person said, or else the worse of its schedule and its milestones. None for a project without
/// tasks.
pub fn health_band(said: Health, standing: &Standing) -> Option<Band> {
    match said {
        Health::OnTrack => Some(Band::OnTrack),
        Health::AtRisk => Some(Band::AtRisk),
        Health::Critical => Some(Band::Critical),
        Health::Auto if standing.task_count == 0 => None,
        Health::Auto => schedule_band(standing).max(Some(milestone_band(standing))),
    }
}

/// The word of a band; `unknown` where there is none.
pub fn word(band: Option<Band>) -> &'static str {
    match band {
        Some(Band::OnTrack) => "on_track",
        Some(Band::AtRisk) => "at_risk",
        Some(Band::Critical) => "critical",
        None => "unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(complete: i64, planned: i64, overdue: i64, near: i64) -> Standing {
        Standing {
            task_count: 100,
            complete_count: complete,
            planned_count: planned,
            overdue_milestone_count: overdue,
            near_milestone_count: near,
            ..Standing::default()
        }
    }

    #[test]
    fn the_bounds_of_the_bands_belong_to_the_better_band() {
        assert_eq!(schedule_band(&standing(95, 100, 0, 0)), Some(Band::OnTrack));
        assert_eq!(schedule_band(&standing(94, 100, 0, 0)), Some(Band::AtRisk));
        assert_eq!(schedule_band(&standing(85, 100, 0, 0)), Some(Band::AtRisk));
        assert_eq!(schedule_band(&standing(84, 100, 0, 0)), Some(Band::Critical));
        assert_eq!(schedule_band(&standing(0, 0, 0, 0)), None);
    }

    #[test]
    fn what_a_person_says_wins_and_otherwise_the_worse_band_does() {
        let late = standing(10, 10, 1, 0);
        assert_eq!(health_band(Health::Auto, &late), Some(Band::Critical));
        assert_eq!(health_band(Health::OnTrack, &late), Some(Band::OnTrack));
        assert_eq!(health_band(Health::Auto, &standing(10, 10, 0, 2)), Some(Band::AtRisk));
        assert_eq!(health_band(Health::Auto, &standing(0, 0, 0, 0)), Some(Band::OnTrack));
        assert_eq!(health_band(Health::Auto, &Standing::default()), None);
        assert_eq!(word(None), "unknown");
    }
}
