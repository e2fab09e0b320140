//! One recalculation: load, compute, compare with what is stored, write what differs, tell what happened.
//! A bad row or link is reported and left out; the rest is scheduled (decisions, Scheduling).

use std::collections::HashMap;

use planwright_domain::events::{SocketEvent, WebhookEvent};
use planwright_domain::ids::{ProjectId, TaskId};
use planwright_engine as engine;
use planwright_store::outbox::Event;
use planwright_store::{Result, Tx};
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::network::{self, Plan, date};
use super::outline::{Placed, outline};
use super::queries::{self, Computed, Outcome, ProjectInput};
use super::rollup;
use super::turn::{Need, Turn};
use crate::settings::PlanSettings;
use crate::slip_conflicts;

/// More moved rows than this are announced without naming them.
const MOST_NAMED: usize = 500;

/// Recalculates the projects of a turn that are computed together.
pub(super) async fn recalculate(
    tx: &mut Tx,
    turn: &Turn,
    projects: Vec<ProjectInput>,
    need: Need,
) -> Result<()> {
    let settings = PlanSettings::of(tx);
    let plan = network::load(tx, projects, &settings, tx.now().date_naive()).await?;
    let schedule = engine::schedule(&plan.network);
    let rows = computed_rows(&plan, &schedule);
    let ids: Vec<ProjectId> = plan.projects.iter().map(|project| project.id).collect();
    let before: HashMap<TaskId, Computed> =
        queries::computed(tx, &ids).await?.into_iter().map(|row| (row.task_id, row)).collect();
    let changed: Vec<(Computed, ProjectId)> =
        rows.into_iter().filter(|(row, _)| before.get(&row.task_id) != Some(row)).collect();
    queries::write_computed(tx, &changed, turn).await?;
    let marks: Vec<_> = plan
        .links
        .iter()
        .zip(&schedule.links)
        .filter(|(link, result)| link.is_driving != result.driving)
        .map(|(link, result)| (link.id, result.driving))
        .collect();
    queries::write_driving(tx, &marks).await?;
    for (frame, of) in plan.projects.iter().enumerate() {
        let outcome = outcome(&plan, &schedule, frame, turn.counter(of.id));
        queries::write_outcome(tx, &outcome).await?;
        let moved: Vec<&Computed> =
            changed.iter().filter(|(_, project)| *project == of.id).map(|(row, _)| row).collect();
        if need == Need::Dates {
            announce(tx, &plan, frame, &outcome, &moved).await?;
        }
    }
    slip_conflicts::settle(tx, &ids).await
}

fn computed_rows(plan: &Plan, schedule: &engine::Schedule) -> Vec<(Computed, ProjectId)> {
    let placed: Vec<Placed> = plan.tasks.iter().map(|task| task.placed()).collect();
    let mut dates: Vec<Option<engine::TaskDates>> = vec![None; plan.tasks.len()];
    for (node, at) in plan.of_node.iter().enumerate() {
        dates[*at] = schedule.tasks[node];
    }
    let issues = issues(plan, schedule);
    let mut rollups = rollup::roll_up(&plan.tasks);
    // Numbers run through one project at a time.
    let mut places = vec![super::outline::Place::default(); placed.len()];
    for project in &plan.projects {
        let own: Vec<usize> =
            (0..placed.len()).filter(|at| plan.tasks[*at].project_id == project.id).collect();
        let rows: Vec<Placed> = own.iter().map(|at| placed[*at]).collect();
        for (at, place) in own.into_iter().zip(outline(&rows)) {
            places[at] = place;
        }
    }
    plan.tasks
        .iter()
        .enumerate()
        .map(|(at, task)| {
            let place = std::mem::take(&mut places[at]);
            let roll = rollups.remove(&task.id).filter(|_| place.is_phase).unwrap_or_default();
            let dates = dates[at];
            let row = Computed {
                task_id: task.id,
                outline: place.number,
                outline_order: place.order,
                is_summary: place.is_summary,
                is_phase: place.is_phase,
                early_start: dates.map(|dates| dates.early_start.0),
                early_finish: dates.map(|dates| dates.early_finish.0),
                late_start: dates.map(|dates| dates.late_start.0),
                late_finish: dates.map(|dates| dates.late_finish.0),
                scheduled_start: dates.map(|dates| dates.scheduled_start.0),
                total_float: dates.map(|dates| dates.total_float),
                free_float: dates.map(|dates| dates.free_float),
                is_critical: dates.map(|dates| dates.critical),
                remaining_duration: dates.map(|dates| dates.remaining_duration.into()),
                rolled_duration: dates
                    .filter(|_| place.is_phase)
                    .map(|dates| dates.remaining_duration.into()),
                rolled_percent: roll.percent,
                rolled_status: roll.status,
                rolled_assignee_id: roll.assignee,
                rolled_optimistic: roll.estimate.map(|(optimistic, _, _)| optimistic),
                rolled_most_likely: roll.estimate.map(|(_, most_likely, _)| most_likely),
                rolled_pessimistic: roll.estimate.map(|(_, _, pessimistic)| pessimistic),
                issue: issues.get(&task.id).cloned(),
            };
            (row, task.project_id)
        })
        .collect()
}

/// What is wrong with single rows, in words.
fn issues(plan: &Plan, schedule: &engine::Schedule) -> HashMap<TaskId, String> {
    let mut issues = HashMap::new();
    for fault in &schedule.faults {
        match fault {
            engine::Fault::Cycle { path, .. } => {
                for id in path {
                    let text = "Its links lead back to it; the links of the circle are left out.";
                    issues.insert(TaskId(Uuid::from_u128(*id)), text.to_owned());
                }
            }
            engine::Fault::InvalidTask { id, .. } | engine::Fault::InvalidParent { id, .. } => {
                issues.insert(TaskId(Uuid::from_u128(*id)), fault.to_string());
            }
            engine::Fault::InvalidLink { link, .. } => {
                issues.insert(plan.links[*link].successor_id, fault.to_string());
            }
            engine::Fault::InvalidCalendar { .. } => {}
        }
    }
    issues
}

fn fault_json(plan: &Plan, fault: &engine::Fault) -> Json {
    let id = |id: &u128| Uuid::from_u128(*id);
    match fault {
        engine::Fault::Cycle { path, links } => json!({
            "kind": "cycle", "tasks": path.iter().map(id).collect::<Vec<_>>(),
            "links": links.iter().map(|link| network::link_id(plan, *link)).collect::<Vec<_>>(),
        }),
        engine::Fault::InvalidTask { id: task, .. } | engine::Fault::InvalidParent { id: task, .. } => {
            json!({ "kind": "task", "task": id(task), "detail": fault.to_string() })
        }
        engine::Fault::InvalidLink { link, .. } => {
            json!({ "kind": "link", "link": network::link_id(plan, *link), "detail": fault.to_string() })
        }
        engine::Fault::InvalidCalendar { .. } => json!({ "kind": "calendar", "detail": fault.to_string() }),
    }
}

fn outcome(plan: &Plan, schedule: &engine::Schedule, frame: usize, counter: i64) -> Outcome {
    let path: Vec<TaskId> = schedule
        .critical_path
        .iter()
        .filter(|node| plan.network.tasks[**node].project == frame)
        .map(|node| plan.tasks[plan.of_node[*node]].id)
        .collect();
    let faults: Vec<Json> = schedule.faults.iter().map(|fault| fault_json(plan, fault)).collect();
    Outcome {
        project: plan.projects[frame].id,
        start: schedule.projects[frame].start.map(|day| day.0),
        finish: schedule.projects[frame].finish.map(|day| day.0),
        critical_path: json!(path),
        faults: json!(faults),
        counter,
    }
}

async fn announce(
    tx: &mut Tx,
    plan: &Plan,
    frame: usize,
    outcome: &Outcome,
    moved: &[&Computed],
) -> Result<()> {
    let of = &plan.projects[frame];
    let (project, program) = (Some(of.id), of.program_id);
    let told = json!({
        "project_finish": outcome.finish.and_then(date),
        "critical_path": outcome.critical_path,
        "status_date": of.status_date,
    });
    let mut hook = told.clone();
    hook["project"] = json!(of.id);
    tx.emit(Event::Webhook(WebhookEvent::ScheduleRecalculated), project, program, hook).await?;
    tx.emit(Event::Socket(SocketEvent::CpmComplete), project, program, told).await?;
    if outcome.faults.as_array().is_some_and(|faults| !faults.is_empty()) {
        let payload =
            json!({ "error": "Some rows or links could not be scheduled.", "faults": outcome.faults });
        tx.emit(Event::Socket(SocketEvent::CpmError), project, program, payload).await?;
    }
    if !moved.is_empty() {
        tx.emit(Event::Socket(SocketEvent::TaskDatesUpdated), project, program, moved_json(plan, moved))
            .await?;
    }
    Ok(())
}

fn moved_json(plan: &Plan, moved: &[&Computed]) -> Json {
    if moved.len() > MOST_NAMED {
        return json!({ "count": moved.len(), "truncated": true });
    }
    let of: HashMap<TaskId, _> = plan.tasks.iter().map(|task| (task.id, task)).collect();
    let tasks: Vec<Json> = moved
        .iter()
        .map(|row| {
            let written = of.get(&row.task_id);
            json!({
                "id": row.task_id,
                "early_start": row.early_start.and_then(date),
                "early_finish": row.early_finish.and_then(date),
                "late_start": row.late_start.and_then(date),
                "late_finish": row.late_finish.and_then(date),
                "total_float": row.total_float,
                "free_float": row.free_float,
                "is_critical": row.is_critical,
                "planned_start": written.and_then(|task| task.planned_start),
                "duration": row.rolled_duration.or(written.map(|task| task.duration)),
                "scheduled_start": row.scheduled_start.and_then(date),
            })
        })
        .collect();
    json!({ "count": moved.len(), "tasks": tasks })
}
