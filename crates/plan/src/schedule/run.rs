//! One recalculation: load, compute, compare with what is stored, write what differs, tell what happened.
//! A bad row or link is reported and left out; the rest is scheduled (decisions, Scheduling).

use chrono::NaiveDate;
use planwright_domain::events::{SocketEvent, WebhookEvent};
use planwright_domain::ids::ProjectId;
use planwright_domain::words::ScheduleConflictKind;
use planwright_engine as engine;
use planwright_store::outbox::{Event, Message, Payload};
use planwright_store::{Result, Tx};
use serde::Serialize;
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::cached_plan::{self, Changed, Extent};
use super::critical_path::{MOST_NAMED, PathChange, ToldPath};
use super::network::date;
use super::plan_cache::{CachedPlan, PlanCache};
use super::plan_lock::{Need, PlanLock};
use super::queries::{self, Due, Outcome, ProjectInput, StoredConflict};
use super::slip_conflicts;
use crate::settings::PlanSettings;
use crate::standing::Counts;

/// Recalculates the projects of a lock that are computed together.
pub(super) async fn recalculate(
    tx: &mut Tx,
    lock: &PlanLock,
    projects: Vec<ProjectInput>,
    need: Need,
) -> Result<()> {
    let settings = PlanSettings::of(tx);
    let cache = PlanCache::of(tx);
    let mut cached = cached_plan::current(tx, &cache, &settings, projects).await?;
    let changed = cached.take_in();
    write(tx, lock, &cached, &changed).await?;
    let marks = cached.take_in_driving();
    queries::write_driving(tx, &marks).await?;
    conclude(tx, lock, cached, &changed, need).await
}

/// Writes what a recalculation came to and tells of it, once its rows are written.
pub(super) async fn conclude(
    tx: &mut Tx,
    lock: &PlanLock,
    mut cached: CachedPlan,
    changed: &Changed,
    need: Need,
) -> Result<()> {
    let path_changes = cached.take_in_paths(changed.path);
    let mark = (cached.projects.len() == 1).then(|| tx.mint::<Uuid>());
    let standings = cached.counts();
    for (frame, (of, path_change)) in cached.projects.iter().zip(&path_changes).enumerate() {
        let outcome = outcome(&cached, frame, (lock.counter(of.id), mark), &standings[frame]);
        let path = changed.path.then_some(cached.paths[frame].as_slice());
        queries::write_outcome(tx, &outcome, path).await?;
        if need == Need::Dates {
            let of_project = |at: &usize| cached.tasks[*at].project_id == of.id;
            let moved: Vec<usize> = changed.rows.iter().map(|(at, _)| *at).filter(of_project).collect();
            announce(tx, &cached, (frame, path_change), &outcome, &moved).await?;
        }
    }
    let ids: Vec<ProjectId> = cached.projects.iter().map(|project| project.id).collect();
    if let (Some(mark), [project]) = (mark, ids.as_slice()) {
        let (project, cache) = (*project, PlanCache::of(tx));
        cache.keep(project, mark, CachedPlan { counter: lock.counter(project), ..cached });
    }
    slip_conflicts::settle(tx, &ids).await
}

async fn write(tx: &mut Tx, lock: &PlanLock, cached: &CachedPlan, changed: &Changed) -> Result<()> {
    let of = |wanted: Extent| -> Vec<Due<'_>> {
        let rows = changed.rows.iter().filter(|(_, extent)| *extent == wanted);
        rows.map(|(at, _)| (&cached.computed[*at], cached.tasks[*at].project_id)).collect()
    };
    queries::write_computed(tx, &of(Extent::Place), lock).await?;
    queries::write_figures(tx, &of(Extent::Figures), false, lock).await?;
    queries::write_figures(tx, &of(Extent::Dates), true, lock).await
}

fn fault_json(cached: &CachedPlan, fault: &engine::Fault) -> Json {
    let id = |id: &u128| Uuid::from_u128(*id);
    match fault {
        engine::Fault::Cycle { path, links } => json!({
            "kind": "cycle", "tasks": path.iter().map(id).collect::<Vec<_>>(),
            "links": links.iter().map(|link| cached.held[*link].id).collect::<Vec<_>>(),
        }),
        engine::Fault::InvalidTask { id: task, .. }
        | engine::Fault::InvalidParent { id: task, .. }
        | engine::Fault::BeyondCalendar { id: task, .. } => {
            json!({ "kind": "task", "task": id(task), "detail": fault.to_string() })
        }
        engine::Fault::InvalidLink { link, .. } => {
            json!({ "kind": "link", "link": cached.held[*link].id, "detail": fault.to_string() })
        }
        _ => json!({ "kind": "calendar", "detail": fault.to_string() }),
    }
}

fn outcome(
    cached: &CachedPlan,
    frame: usize,
    (counter, mark): (i64, Option<Uuid>),
    standing: &Counts,
) -> Outcome {
    let schedule = &cached.schedule;
    let faults: Vec<Json> = schedule.faults.iter().map(|fault| fault_json(cached, fault)).collect();
    Outcome {
        project: cached.projects[frame].id,
        start: schedule.projects[frame].start.map(|day| day.0),
        finish: schedule.projects[frame].finish.map(|day| day.0),
        faults: json!(faults),
        conflicts: json!(conflicts(cached, frame)),
        counter,
        mark,
        standing: json!(standing),
        baseline: cached.promises[frame].baseline,
    }
}

/// The promised dates of a project that its rows do not keep.
fn conflicts(cached: &CachedPlan, frame: usize) -> Vec<StoredConflict> {
    let rows = &cached.compiled.network().tasks;
    let own = cached.schedule.conflicts.iter().filter(|conflict| rows[conflict.task].project == frame);
    own.filter_map(|conflict| {
        Some(StoredConflict {
            task_id: cached.tasks[cached.of_node[conflict.task]].id,
            kind: match conflict.kind {
                engine::ConflictKind::Start => ScheduleConflictKind::Start,
                engine::ConflictKind::Finish => ScheduleConflictKind::Finish,
                engine::ConflictKind::Deadline => ScheduleConflictKind::Deadline,
                engine::ConflictKind::Logic => ScheduleConflictKind::Logic,
            },
            wanted: date(conflict.wanted.0)?,
            expected: date(conflict.expected.0)?,
        })
    })
    .collect()
}

/// What a recalculation came to, for the webhook and the channel.
#[derive(Serialize)]
struct Told<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    project: Option<ProjectId>,
    project_finish: Option<NaiveDate>,
    #[serde(flatten)]
    path: ToldPath<'a>,
    status_date: Option<NaiveDate>,
}

async fn announce(
    tx: &mut Tx,
    cached: &CachedPlan,
    (frame, path_change): (usize, &PathChange),
    outcome: &Outcome,
    moved: &[usize],
) -> Result<()> {
    let of = &cached.projects[frame];
    let told = |project| Told {
        project,
        project_finish: outcome.finish.and_then(date),
        path: ToldPath::of(&cached.paths[frame], path_change),
        status_date: of.status_date,
    };
    let message = |event, payload| Message { event, project: Some(of.id), program: of.program_id, payload };
    let mut messages = vec![
        message(Event::Webhook(WebhookEvent::ScheduleRecalculated), Payload::of(&told(Some(of.id)))?),
        message(Event::Socket(SocketEvent::CpmComplete), Payload::of(&told(None))?),
    ];
    if outcome.faults.as_array().is_some_and(|faults| !faults.is_empty()) {
        let payload =
            json!({ "error": "Some rows or links could not be scheduled.", "faults": outcome.faults });
        messages.push(message(Event::Socket(SocketEvent::CpmError), payload.into()));
    }
    if !moved.is_empty() {
        messages
            .push(message(Event::Socket(SocketEvent::TaskDatesUpdated), moved_json(cached, moved).into()));
    }
    tx.emit_each(messages).await
}

fn moved_json(cached: &CachedPlan, moved: &[usize]) -> Json {
    if moved.len() > MOST_NAMED {
        return json!({ "count": moved.len(), "truncated": true });
    }
    let tasks: Vec<Json> = moved
        .iter()
        .map(|at| {
            let (written, figures) = (&cached.tasks[*at], &cached.computed[*at].figures);
            let dates = &figures.dates;
            json!({
                "id": written.id,
                "early_start": dates.early_start.and_then(date),
                "early_finish": dates.early_finish.and_then(date),
                "late_start": dates.late_start.and_then(date),
                "late_finish": dates.late_finish.and_then(date),
                "total_float": dates.total_float,
                "free_float": dates.free_float,
                "is_critical": dates.is_critical,
                "planned_start": written.planned_start,
                "duration": figures.rolled_duration.unwrap_or(written.duration),
                "scheduled_start": dates.scheduled_start.and_then(date),
            })
        })
        .collect();
    json!({ "count": moved.len(), "tasks": tasks })
}
