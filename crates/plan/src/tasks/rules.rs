//! Pure decisions about a task as it is read: readiness, variance, what the caller may do with it.
//! The numbers they decide on are gathered in `decorate.rs`.

use chrono::NaiveDate;
use planwright_domain::Role;
use planwright_domain::words::{
    EstimationMode, PrioritizationModel, ReadinessBlocker, StructureRole, TaskStatus, TaskType,
};

use super::criteria::Criteria;
use super::model::TaskRow;
use super::write::TaskRecord;

/// A task that stays longer than this in one status, unfinished, is stalled.
const STALLED_AFTER_DAYS: i64 = 3;

/// How ready a task is to be worked on (facts-scheduling §1.2).
pub fn readiness(
    in_baseline: bool,
    has_assignee: bool,
    status: TaskStatus,
    predecessors: i64,
) -> &'static str {
    match () {
        () if in_baseline => "baselined",
        () if !has_assignee && status == TaskStatus::Backlog => "idea",
        () if !has_assignee => "estimated",
        () if predecessors > 0 => "ready",
        () => "estimated",
    }
}

/// What keeps a backlog item from being ready: that it has no size, and that nobody can tell when it is done.
pub fn dor_blockers(story_points: Option<i64>, criteria: Criteria) -> Vec<ReadinessBlocker> {
    let unmet = match criteria {
        Criteria { total: 0, .. } => Some(ReadinessBlocker::NoAcceptanceCriteria),
        Criteria { total, met } if met < total => Some(ReadinessBlocker::AcceptanceCriteriaUnmet),
        _ => None,
    };
    let unestimated = story_points.is_none().then_some(ReadinessBlocker::Unestimated);
    unestimated.into_iter().chain(unmet).collect()
}

/// Whether a task has stood in its status for too long.
pub fn is_stalled(dwell_days: Option<i64>, percent_complete: f64, status: TaskStatus) -> bool {
    status != TaskStatus::Complete
        && percent_complete < 100.0
        && dwell_days.is_some_and(|days| days > STALLED_AFTER_DAYS)
}

/// Progress against the baseline, three decimals, and the band it falls into.
pub fn schedule_performance(
    percent_complete: f64,
    baseline: (Option<NaiveDate>, Option<NaiveDate>),
    today: NaiveDate,
) -> (Option<f64>, Option<String>) {
    let (Some(start), Some(finish)) = baseline else { return (None, None) };
    let span = (finish - start).num_days() + 1;
    let elapsed = (today - start).num_days() + 1;
    if span <= 0 || elapsed <= 0 {
        return (None, None);
    }
    let planned = (elapsed as f64 / span as f64 * 100.0).min(100.0);
    let index = (percent_complete / planned * 1000.0).round() / 1000.0;
    let band = match index {
        index if index >= 0.95 => "on_track",
        index if index >= 0.85 => "at_risk",
        _ => "behind",
    };
    (Some(index), Some(band.to_owned()))
}

/// The score of a backlog row under the project's formula; none when an input is missing or a divisor is zero.
pub fn prioritization_score(model: PrioritizationModel, row: &TaskRecord) -> Option<f64> {
    let number = |value: Option<i64>| value.map(|value| value as f64);
    let quotient = |above: f64, below: f64| (below > 0.0).then(|| (above / below * 100.0).round() / 100.0);
    match model {
        PrioritizationModel::None => None,
        PrioritizationModel::Wsjf => {
            let cost =
                number(row.business_value)? + number(row.time_criticality)? + number(row.risk_reduction)?;
            quotient(cost, number(row.job_size)?)
        }
        PrioritizationModel::Rice => {
            quotient(number(row.reach)? * row.impact? * row.confidence?, row.effort?)
        }
        PrioritizationModel::ValueEffort => quotient(number(row.value)?, row.effort_estimate?),
    }
}

/// What the caller may do with a task.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rights {
    /// Change it.
    pub edit: bool,
    /// Delete or restore it.
    pub delete: bool,
    /// Change its estimates.
    pub edit_estimates: bool,
    /// Log time on it.
    pub log_time: bool,
}

/// Project Managers and Owners edit everything; a Member edits what they are assigned, a Product Owner epics and stories.
pub fn rights(row: &TaskRow, is_assignee: bool, is_product_owner: bool) -> Rights {
    if row.archived {
        return Rights { edit: false, delete: false, edit_estimates: false, log_time: false };
    }
    let manages = row.my_role >= Role::ProjectManager.rank();
    let own = row.my_role == Role::Member.rank() && is_assignee;
    let refines = is_product_owner && refined_by_product_owners(&row.written);
    let edit = manages || own || refines;
    Rights {
        edit,
        delete: manages || own,
        edit_estimates: manages || (edit && row.estimation_mode != EstimationMode::PmOnly),
        log_time: row.my_role >= Role::Member.rank(),
    }
}

/// Whether the Product Owners of a project may change a row of it.
pub fn refined_by_product_owners(row: &TaskRecord) -> bool {
    matches!(row.r#type, TaskType::Epic | TaskType::Story)
}

/// What a row is to the outline: what stands below it decides, then whether it is a milestone, then what was written.
pub fn structure_role(row: &TaskRecord, is_phase: bool) -> StructureRole {
    match () {
        () if is_phase => StructureRole::Container,
        () if row.is_milestone => StructureRole::Milestone,
        () if row.structure_role == StructureRole::Milestone => StructureRole::Work,
        () => row.structure_role,
    }
}

/// Hundredths as a decimal with two places.
pub fn units_text(hundredths: i64) -> String {
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// The number in a short id, which counts in hexadecimal.
pub fn short_number(short_id: &str) -> i64 {
    i64::from_str_radix(short_id, 16).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn half_done_at_half_time_is_on_track_and_a_third_is_behind() {
        let baseline = (Some(day("2026-01-01")), Some(day("2026-01-10")));
        let at = |percent| schedule_performance(percent, baseline, day("2026-01-05"));
        assert_eq!(at(50.0), (Some(1.0), Some("on_track".into())));
        assert_eq!(at(33.0).1.as_deref(), Some("behind"));
        assert_eq!(schedule_performance(50.0, (None, None), day("2026-01-05")), (None, None));
    }

    #[test]
    fn an_item_is_ready_when_it_has_points_and_all_its_criteria_are_met() {
        use ReadinessBlocker::*;
        let blockers = |points, total, met| dor_blockers(points, Criteria { total, met });
        assert_eq!(blockers(None, 0, 0), [Unestimated, NoAcceptanceCriteria]);
        assert_eq!(blockers(Some(0), 2, 1), [AcceptanceCriteriaUnmet]);
        assert_eq!(blockers(Some(3), 2, 2), []);
    }

    #[test]
    fn units_are_shown_with_two_places() {
        assert_eq!(units_text(50), "0.50");
        assert_eq!(units_text(200), "2.00");
        assert_eq!(units_text(105), "1.05");
    }
}
