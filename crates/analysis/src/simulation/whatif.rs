//! `/api/v1/projects/{id}/monte-carlo/whatif/`: what another duration of one task would do to the finish; nothing is written.
//! Both forecasts use the same random numbers, so the difference is the change and not chance.

use axum::extract::State;
use chrono::NaiveDate;
use planwright_domain::access::may;
use planwright_domain::ids::{ProjectId, TaskId};
use planwright_engine::{self as engine, Network, Schedule, Simulation, SimulationOptions};
use planwright_plan::schedule::network::{Plan, date};
use planwright_web::limits::Limit;
use planwright_web::{ApiError, ApiResult, App, Json, ProjectScope, Query, Routes, says};

use super::inputs::{self, Simulated, Wish};
use super::model::*;

/// The route of this file.
pub fn table() -> Routes {
    Routes::new().get(
        "/api/v1/projects/{id}/monte-carlo/whatif/",
        show,
        says("Compute what another duration of one task would do to the finish. Nothing is written.")
            .agent_compute()
            .also_answers(&[402])
            .limit(Limit::MonteCarloWhatif),
    )
}

async fn show(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    Query(query): Query<WhatIfQuery>,
) -> ApiResult<Json<MonteCarloWhatIf>> {
    let request = change_of(&query)?;
    let wish = Wish::of(&app, query.n_simulations, query.seed)?;
    let Simulated { plan, risks, .. } = inputs::material(&app, scope.project).await?;
    let (node, base) = variable_task(&plan, scope.project, query.task_id)?;
    let applied = applied(base, request)?;
    let options = wish.options_for(plan.network.tasks.len(), &risks);
    let work = move || answer(&plan, node, query.task_id, applied, &options);
    Ok(Json(planwright_web::off_thread(work).await?))
}

/// The wanted duration.
#[derive(Clone, Copy, Debug, PartialEq)]
enum WhatIfChange {
    /// So many working days more, or fewer.
    Delta(i64),
    /// So many in all.
    Days(i64),
}

fn change_of(query: &WhatIfQuery) -> ApiResult<WhatIfChange> {
    match (query.duration_delta.as_given(), query.new_duration.as_given()) {
        (Some(delta), None) => Ok(WhatIfChange::Delta(delta.0)),
        (None, Some(days)) => Ok(WhatIfChange::Days(days.0)),
        _ => {
            let problem = "Give exactly one of duration_delta and new_duration.";
            Err(ApiError::invalid_field("non_field_errors", problem))
        }
    }
}

/// The place of a task in the network, with its duration, if another one can be tried.
fn variable_task(plan: &Plan, project: ProjectId, task: TaskId) -> ApiResult<(usize, i64)> {
    let at = plan.tasks.iter().position(|row| row.id == task && row.project_id == project);
    let at = at.ok_or_else(ApiError::not_found)?;
    let refused = |why: &str| Err(ApiError::invalid_field("task_id", why));
    let Some(node) = plan.of_node.iter().position(|of| *of == at) else {
        return refused("The task is not part of the schedule.");
    };
    match &plan.tasks[at] {
        row if row.is_milestone || row.duration == 0 => refused("A milestone has no duration."),
        _ if plan.network.tasks.iter().any(|row| row.parent == Some(node)) => {
            refused("The duration of a summary comes from the rows below it.")
        }
        row => Ok((node, row.duration)),
    }
}

fn applied(base: i64, request: WhatIfChange) -> ApiResult<WhatIfApplied> {
    let (field, new) = match request {
        WhatIfChange::Delta(delta) => ("duration_delta", base + delta),
        WhatIfChange::Days(days) => ("new_duration", days),
    };
    if !(0..=LONGEST_DAYS).contains(&new) {
        let problem = format!("The duration must stay between 0 and {LONGEST_DAYS} working days.");
        return Err(ApiError::invalid_field(field, problem));
    }
    Ok(WhatIfApplied { base_duration_days: base, duration_delta_days: new - base, new_duration_days: new })
}

/// Moves the duration and every leg of the estimate by the same number of days.
fn shift(network: &mut Network, node: usize, days: i64) {
    let row = &mut network.tasks[node];
    let moved = i64::from(row.duration).saturating_add(days).max(0);
    row.duration = i32::try_from(moved).unwrap_or(i32::MAX);
    if let Some(estimate) = &mut row.estimate {
        for leg in [&mut estimate.optimistic, &mut estimate.most_likely, &mut estimate.pessimistic] {
            *leg = (*leg + days as f64).max(0.0);
        }
    }
}

fn answer(
    plan: &Plan,
    node: usize,
    task_id: TaskId,
    applied: WhatIfApplied,
    options: &SimulationOptions,
) -> MonteCarloWhatIf {
    let days = applied.duration_delta_days;
    let mut changed = plan.network.clone();
    shift(&mut changed, node, days);
    let (before, after) = engine::what_if(&plan.network, options, |network| shift(network, node, days));
    let runs = before.runs.into();
    let seed = i64::try_from(before.seed).unwrap_or_default();
    let current = forecast(plan, &engine::schedule(&plan.network), &before);
    let whatif = forecast(plan, &engine::schedule(&changed), &after);
    let delta = |after: Option<NaiveDate>, before: Option<NaiveDate>| {
        after.zip(before).map(|(after, before)| (after - before).num_days())
    };
    let data_date = plan.network.projects[0].data_date.and_then(|day| date(day.0));
    MonteCarloWhatIf {
        task_id,
        applied,
        critical_path_changed: current.critical_path != whatif.critical_path,
        delta_vs_current: WhatIfDelta {
            p50: delta(whatif.p50, current.p50),
            p80: delta(whatif.p80, current.p80),
            p95: delta(whatif.p95, current.p95),
            cpm_finish: delta(whatif.cpm_finish, current.cpm_finish),
        },
        current,
        whatif,
        runs,
        seed,
        cpm_status_date: data_date,
        mc_status_date: data_date,
    }
}

/// What the first project of the plan comes to.
fn forecast(plan: &Plan, schedule: &Schedule, simulation: &Simulation) -> WhatIfForecast {
    let finish = simulation.projects.first().and_then(Option::as_ref);
    let at = |percent: f64| finish.and_then(|finish| date(finish.percentile(percent).0));
    let own = |node: &&usize| plan.network.tasks[**node].project == 0;
    WhatIfForecast {
        p50: at(50.0),
        p80: at(80.0),
        p95: at(95.0),
        cpm_finish: schedule.projects[0].finish.and_then(|day| date(day.0)),
        critical_path: schedule
            .critical_path
            .iter()
            .filter(own)
            .map(|node| plan.tasks[plan.of_node[*node]].id)
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use planwright_engine::{Task, ThreePoint};

    use super::*;

    #[test]
    fn a_shorter_duration_never_falls_below_nothing() {
        let mut network = Network::default();
        let estimate = ThreePoint { optimistic: 1.0, most_likely: 4.0, pessimistic: 9.0 };
        network.tasks.push(Task { estimate: Some(estimate), ..Task::new(1, 5) });
        shift(&mut network, 0, -3);
        assert_eq!(network.tasks[0].duration, 2);
        let moved = network.tasks[0].estimate.unwrap();
        assert_eq!((moved.optimistic, moved.most_likely, moved.pessimistic), (0.0, 1.0, 6.0));
    }

    #[test]
    fn a_change_is_said_in_both_ways_and_stays_within_bounds() {
        let days = applied(5, WhatIfChange::Days(8)).unwrap();
        assert_eq!((days.duration_delta_days, days.new_duration_days), (3, 8));
        assert!(applied(5, WhatIfChange::Delta(-6)).is_err());
        assert!(applied(5, WhatIfChange::Delta(-5)).is_ok());
    }
}
