//! The key figures of a program from what was counted in its projects: pure decisions.

use std::collections::HashMap;

use chrono::NaiveDate;
use planwright_domain::ids::ProjectId;
use planwright_domain::kpis::NO_COST_DATA;
use planwright_domain::words::{AggregationPolicy, Health};
use serde_json::{Map, Value, json};

use super::queries::ProjectRow;
use crate::earned_value::rules::Totals;
use crate::standing::bands::{health_band, milestone_band, schedule_band, word};
use crate::standing::{Band, Standing};

/// A project that is counted, and where it stands.
#[derive(Clone, Debug)]
pub struct Counted {
    /// The project.
    pub id: ProjectId,
    health: Health,
    standing: Standing,
    /// What it was to cost; nothing where nobody knows.
    budget: f64,
}

/// What was read besides what is counted for any project. Nothing is read for figures that are not shown.
#[derive(Clone, Debug, Default)]
pub struct Around {
    /// The severities of live risks.
    pub risks: Vec<(ProjectId, i64)>,
    /// The days that are reached with a chance of 80 percent.
    pub forecasts: Vec<(ProjectId, NaiveDate)>,
    /// What the projects with costs were to cost, and what became of it.
    pub costs: HashMap<ProjectId, Totals>,
}

/// The projects with where they stand.
pub fn counted(
    rows: Vec<ProjectRow>,
    mut standings: HashMap<ProjectId, Standing>,
    costs: &HashMap<ProjectId, Totals>,
) -> Vec<Counted> {
    let counted = |row: ProjectRow| Counted {
        standing: standings.remove(&row.id).unwrap_or_default(),
        budget: costs.get(&row.id).map_or(0.0, |costs| costs.budget),
        id: row.id,
        health: row.health,
    };
    rows.into_iter().map(counted).collect()
}

/// How the program stands: what a person said, or else its projects taken together.
pub fn program_health(said: Health, projects: &[Counted], policy: AggregationPolicy) -> String {
    let of_projects = || bands(projects, policy, |project| health_band(project.health, &project.standing));
    let band = match said {
        Health::Auto => of_projects(),
        said => health_band(said, &Standing::default()),
    };
    word(band).to_owned()
}

/// Every figure that is shown.
pub fn kpis(
    enabled: &[String],
    projects: &[Counted],
    around: &Around,
    policy: AggregationPolicy,
) -> Map<String, Value> {
    enabled.iter().map(|name| (name.clone(), kpi(name, projects, around, policy))).collect()
}

fn kpi(name: &str, projects: &[Counted], around: &Around, policy: AggregationPolicy) -> Value {
    let sum = |count: fn(&Standing) -> i64| {
        let total: i64 = projects.iter().map(|project| count(&project.standing)).sum();
        known((!projects.is_empty()).then_some(json!(total)), "tasks", "no_projects")
    };
    match name {
        "schedule_health" => {
            let band = bands(projects, policy, |project| schedule_band(&project.standing));
            known(band.map(|band| json!(word(Some(band)))), "band", "nothing_planned_yet")
        }
        "milestone_health" => {
            let band = bands(projects, policy, |project| {
                (project.standing.milestone_count > 0).then(|| milestone_band(&project.standing))
            });
            known(band.map(|band| json!(word(Some(band)))), "band", "no_milestones")
        }
        "critical_tasks" => sum(|standing| standing.critical_count),
        "at_risk_tasks" => sum(|standing| standing.at_risk_count),
        "risk_score" => {
            let total: i64 = around.risks.iter().map(|(_, score)| score).sum();
            known((!projects.is_empty()).then_some(json!(total)), "points", "no_projects")
        }
        "baseline_variance" => {
            let days = |project: &Counted| {
                let (now, then) = (project.standing.finish?, project.standing.baseline_finish?);
                Some((now - then).num_days() as f64)
            };
            known(numbers(projects, policy, days).map(|days| json!(days)), "days", "no_baseline")
        }
        "schedule_variance" => {
            let days = |project: &Counted| project.standing.mean_days_late;
            let has_baseline = projects.iter().any(|project| project.standing.baseline_finish.is_some());
            let reason = if has_baseline { "nothing_finished_yet" } else { "no_baseline" };
            known(numbers(projects, policy, days).map(|days| json!(days)), "days", reason)
        }
        "p80_completion" => {
            let latest = around.forecasts.iter().map(|(_, day)| *day).max();
            known(latest.map(|day| json!(day)), "date", "no_simulation_yet")
        }
        "budget_utilization" => {
            let percent = |costs: &Totals| percent_of(costs.actual, costs.budget);
            let used = numbers(projects, policy, of_costs(around, percent));
            known(used.map(|used| json!(used)), "percent", NO_COST_DATA)
        }
        // Negative is more than was earned, so the worst project is the one with the lowest number.
        "cost_variance" => {
            let over = |costs: &Totals| percent_of(costs.actual - costs.earned, costs.earned);
            let worst_is_highest = numbers(projects, policy, of_costs(around, over));
            known(worst_is_highest.map(|over| json!(0.0 - over)), "percent", NO_COST_DATA)
        }
        _ => known(None, "", "unknown_figure"),
    }
}

fn known(value: Option<Value>, unit: &str, reason: &str) -> Value {
    match value {
        Some(value) => json!({ "available": true, "value": value, "unit": unit }),
        None => json!({ "available": false, "value": null, "reason": reason }),
    }
}

/// The bands of several projects as one. Projects without a band do not count.
fn bands(
    projects: &[Counted],
    policy: AggregationPolicy,
    band: impl Fn(&Counted) -> Option<Band>,
) -> Option<Band> {
    let number = |band: Band| match band {
        Band::OnTrack => 0.0,
        Band::AtRisk => 1.0,
        Band::Critical => 2.0,
    };
    let combined = combined(projects, policy, |project| band(project).map(number))?;
    Some(match combined.round() as i64 {
        0 => Band::OnTrack,
        1 => Band::AtRisk,
        _ => Band::Critical,
    })
}

/// The numbers of several projects as one, with one decimal.
fn numbers(
    projects: &[Counted],
    policy: AggregationPolicy,
    number: impl Fn(&Counted) -> Option<f64>,
) -> Option<f64> {
    combined(projects, policy, number).map(|number| (number * 10.0).round() / 10.0)
}

fn combined(
    projects: &[Counted],
    policy: AggregationPolicy,
    number: impl Fn(&Counted) -> Option<f64>,
) -> Option<f64> {
    let weight = |project: &Counted| match policy {
        AggregationPolicy::TaskWeighted => project.standing.task_count as f64,
        AggregationPolicy::WeightedByBudget => project.budget,
        AggregationPolicy::Average | AggregationPolicy::Worst => 1.0,
    };
    let known: Vec<(f64, f64)> =
        projects.iter().filter_map(|project| Some((number(project)?, weight(project)))).collect();
    let numbers = known.iter().map(|(number, _)| *number);
    let total: f64 = known.iter().map(|(_, weight)| weight).sum();
    match policy {
        AggregationPolicy::Worst => numbers.reduce(f64::max),
        _ if total > 0.0 => Some(known.iter().map(|(number, weight)| number * weight).sum::<f64>() / total),
        // Where none of them has a weight, none counts more than another. Without any budget `policy_available` says so.
        _ => (!known.is_empty()).then(|| numbers.sum::<f64>() / known.len() as f64),
    }
}

/// A number of the costs of each project that has any.
fn of_costs(around: &Around, number: impl Fn(&Totals) -> Option<f64>) -> impl Fn(&Counted) -> Option<f64> {
    move |project| around.costs.get(&project.id).and_then(&number)
}

fn percent_of(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole * 100.0)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn project(at: u128, tasks: i64, complete: i64, planned: i64) -> Counted {
        let standing = Standing {
            task_count: tasks,
            complete_count: complete,
            planned_count: planned,
            critical_count: 2,
            finish: NaiveDate::from_ymd_opt(2026, 3, 20),
            ..Standing::default()
        };
        Counted { id: ProjectId(Uuid::from_u128(at)), health: Health::Auto, standing, budget: 0.0 }
    }

    fn value(name: &str, projects: &[Counted], around: &Around, policy: AggregationPolicy) -> Value {
        kpi(name, projects, around, policy)["value"].clone()
    }

    #[test]
    fn the_worst_project_the_average_and_the_weighted_average_differ() {
        let projects = [project(1, 90, 10, 10), project(2, 10, 5, 10), project(3, 10, 5, 10)];
        let band = |policy| value("schedule_health", &projects, &Around::default(), policy);
        assert_eq!(band(AggregationPolicy::Worst), "critical");
        assert_eq!(band(AggregationPolicy::Average), "at_risk", "4 thirds are nearest to 1");
        assert_eq!(band(AggregationPolicy::TaskWeighted), "on_track");
        assert_eq!(band(AggregationPolicy::WeightedByBudget), band(AggregationPolicy::Average));
        assert_eq!(value("critical_tasks", &projects, &Around::default(), AggregationPolicy::Average), 6);
    }

    #[test]
    fn projects_without_a_budget_count_alike_if_no_other_has_a_value() {
        let mut projects = [project(1, 10, 5, 10), project(2, 10, 10, 10), project(3, 10, 0, 0)];
        projects[2].budget = 1_000.0;
        let band =
            value("schedule_health", &projects, &Around::default(), AggregationPolicy::WeightedByBudget);
        assert_eq!(band, "at_risk");
    }

    #[test]
    fn variances_are_days_against_the_baseline_of_each_project() {
        let day = |day| NaiveDate::from_ymd_opt(2026, 3, day).unwrap();
        let mut projects = [project(1, 10, 0, 0), project(2, 10, 0, 0)];
        let [one, two] = [projects[0].id, projects[1].id];
        for (project, then, late) in [(0, day(10), 2.5), (1, day(25), 0.0)] {
            projects[project].standing.baseline_finish = Some(then);
            projects[project].standing.mean_days_late = Some(late);
        }
        let around = Around {
            forecasts: vec![(one, day(9)), (two, day(11))],
            risks: vec![(one, 20), (two, 5)],
            ..Around::default()
        };
        let of = |name, policy| value(name, &projects, &around, policy);
        assert_eq!(of("baseline_variance", AggregationPolicy::Worst), 10.0);
        assert_eq!(of("baseline_variance", AggregationPolicy::Average), 2.5);
        assert_eq!(of("schedule_variance", AggregationPolicy::Worst), 2.5);
        assert_eq!(of("p80_completion", AggregationPolicy::Worst), "2026-03-11");
        assert_eq!(of("risk_score", AggregationPolicy::Worst), 25);
    }

    #[test]
    fn costs_are_percentages_and_weigh_projects_by_their_budgets() {
        let costs = |budget, earned, actual| Totals { budget, earned, actual };
        let mut projects = [project(1, 10, 0, 0), project(2, 10, 0, 0), project(3, 10, 0, 0)];
        (projects[0].budget, projects[1].budget) = (3_000.0, 1_000.0);
        let [one, two] = [projects[0].id, projects[1].id];
        let of = [(one, costs(3_000.0, 1_000.0, 900.0)), (two, costs(1_000.0, 500.0, 600.0))];
        let around = Around { costs: of.into_iter().collect(), ..Around::default() };
        let of = |name, policy| value(name, &projects, &around, policy);
        assert_eq!(of("cost_variance", AggregationPolicy::Worst), -20.0);
        assert_eq!(of("cost_variance", AggregationPolicy::Average), -5.0);
        assert_eq!(of("cost_variance", AggregationPolicy::WeightedByBudget), 2.5);
        assert_eq!(of("budget_utilization", AggregationPolicy::Worst), 60.0);
        assert_eq!(of("budget_utilization", AggregationPolicy::WeightedByBudget), 37.5);
    }

    #[test]
    fn a_figure_without_data_says_why() {
        for name in
            ["schedule_health", "baseline_variance", "p80_completion", "cost_variance", "critical_tasks"]
        {
            let none = kpi(name, &[], &Around::default(), AggregationPolicy::Worst);
            assert_eq!(none["available"], false, "{name}");
            assert!(none["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{name}");
        }
    }
}
