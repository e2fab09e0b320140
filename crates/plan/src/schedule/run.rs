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

use super::memory::{Picture, PlanMemory};
use super::network::{self, Plan, date};
use super::picture::{self, Changed};
use super::queries::{self, Computed, Outcome, ProjectInput};
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
    let memory = PlanMemory::of(tx);
    let mut picture = picture::current(tx, &memory, &settings, projects).await?;
    let schedule = engine::schedule(&picture.plan.network);
    let changed = picture.take_in(&schedule, issues(&picture.plan, &schedule));
    write(tx, turn, &picture, &changed).await?;
    let marks = picture.take_in_driving(&schedule);
    queries::write_driving(tx, &marks).await?;
    let mark = (picture.plan.projects.len() == 1).then(|| tx.mint::<Uuid>());
    for (frame, of) in picture.plan.projects.iter().enumerate() {
        let outcome = outcome(&picture.plan, &schedule, frame, turn.counter(of.id), mark);
        queries::write_outcome(tx, &outcome).await?;
        if need == Need::Dates {
            let of_project = |at: &&usize| picture.plan.tasks[**at].project_id == of.id;
            let moved: Vec<&Computed> =
                changed.rows.iter().filter(of_project).map(|at| &picture.computed[*at]).collect();
            announce(tx, &picture.plan, frame, &outcome, &moved).await?;
        }
    }
    let ids: Vec<ProjectId> = picture.plan.projects.iter().map(|project| project.id).collect();
    if let (Some(mark), [project]) = (mark, ids.as_slice()) {
        let project = *project;
        memory.keep(project, mark, Picture { counter: turn.counter(project), ..picture });
    }
    slip_conflicts::settle(tx, &ids).await
}

async fn write(tx: &mut Tx, turn: &Turn, picture: &Picture, changed: &Changed) -> Result<()> {
    let due = |at: &usize| (&picture.computed[*at], picture.plan.tasks[*at].project_id);
    let (placed, figures): (Vec<usize>, Vec<usize>) =
        changed.rows.iter().partition(|at| changed.placed.contains(at));
    queries::write_computed(tx, &placed.iter().map(due).collect::<Vec<_>>(), turn).await?;
    queries::write_figures(tx, &figures.iter().map(due).collect::<Vec<_>>(), turn).await
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

fn outcome(
    plan: &Plan,
    schedule: &engine::Schedule,
    frame: usize,
    counter: i64,
    mark: Option<Uuid>,
) -> Outcome {
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
        mark,
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
            let figures = &row.figures;
            json!({
                "id": row.task_id,
                "early_start": figures.early_start.and_then(date),
                "early_finish": figures.early_finish.and_then(date),
                "late_start": figures.late_start.and_then(date),
                "late_finish": figures.late_finish.and_then(date),
                "total_float": figures.total_float,
                "free_float": figures.free_float,
                "is_critical": figures.is_critical,
                "planned_start": written.and_then(|task| task.planned_start),
                "duration": figures.rolled_duration.or(written.map(|task| task.duration)),
                "scheduled_start": figures.scheduled_start.and_then(date),
            })
        })
        .collect();
    json!({ "count": moved.len(), "tasks": tasks })
}
