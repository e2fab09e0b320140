//! The routes of outcomes: read that of a sprint, prepare what is demonstrated, send a task back to the backlog.

use axum::extract::State;
use planwright_domain::access::{May, may};
use planwright_domain::events::SocketEvent;
use planwright_domain::words::TaskStatus;
use planwright_plan::Edit;
use planwright_plan::edit;
use planwright_plan::sprints::{SprintRow, VelocityGate};
use planwright_plan::tasks::write::{self, Board, PlannedWrite, TaskRecord, WriteContext};
use planwright_web::version::Precondition;
use planwright_web::{ApiError, ApiResult, App, Body, Item, Json, OpenBody, ProjectScope, Routes, says};
use serde_json::{Value, json};

use super::model::*;
use super::rows::OutcomeRow;
use super::{queries, summary};
use crate::order::Reordered;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(
            "/api/v1/sprints/{id}/outcome/",
            outcome,
            says("What became of a sprint, or what it looks like today."),
        )
        .get(
            "/api/v1/sprints/{id}/incoming_carryover/",
            incoming,
            says("The tasks that came over from sprints that are over."),
        )
        .post(
            "/api/v1/sprints/{id}/demo-list/reorder/",
            reorder,
            says("Put all that is demonstrated in another order."),
        )
        .post(
            "/api/v1/sprint-task-outcomes/{id}/toggle-demo/",
            toggle,
            says("Say whether a task of a closed sprint is demonstrated."),
        )
        .post(
            "/api/v1/sprint-task-outcomes/{id}/set-presenter/",
            set_presenter,
            says("Say who demonstrates a task."),
        )
        .post(
            "/api/v1/sprint-task-outcomes/{id}/set-note/",
            set_note,
            says("Note what the review said of a task."),
        )
        .post(
            "/api/v1/sprint-task-outcomes/{id}/flag-for-backlog/",
            flag,
            says("Add a task to the backlog in which this one goes on; once."),
        )
}

type Readable = Item<SprintRow, may::ReadProject>;
type Outcome = Item<OutcomeRow, may::RunSprints>;

async fn outcome(State(app): State<App>, item: Readable) -> ApiResult<Json<SprintOutcome>> {
    let today = app.clock.now().date_naive();
    summary::outcome(&app.db, item.scope.actor.id, item.row, today).await.map(Json)
}

async fn incoming(State(app): State<App>, item: Readable) -> ApiResult<Json<IncomingCarryover>> {
    let gate = VelocityGate::of(&app.db, item.row.project_id, item.scope.actor.id).await?;
    let rows = queries::carried_into(&app.db, item.row.id).await?;
    let points = rows.iter().filter_map(|row| row.story_points).sum();
    let items = rows.into_iter().map(|row| CarriedItem {
        task_id: row.task_id,
        task_short_id: row.short_id,
        task_title: row.name,
        story_points: gate.lets(row.story_points),
        status: row.status,
        from_sprint_id: row.from_sprint_id,
        from_sprint_name: row.from_sprint_name,
        was_pending: row.was_pending,
    });
    let items: Vec<CarriedItem> = items.collect();
    let count = items.len() as i64;
    Ok(Json(IncomingCarryover { sprint_id: item.row.id, count, points: gate.lets(Some(points)), items }))
}

async fn reorder(
    State(app): State<App>,
    item: Item<SprintRow, may::RunSprints>,
    Body(request): Body<DemoOrderRequest>,
) -> ApiResult<Json<Reordered>> {
    let (mut edit, sprint) = edit::open_within(&app, item, Precondition::default()).await?;
    let wanted = request.outcome_ids.0;
    let shown = queries::demonstrated(&edit, sprint.id).await?;
    let mut conflicts: Vec<_> = shown.iter().map(|row| row.id).filter(|id| !wanted.contains(id)).collect();
    let is_known = |id| shown.iter().any(|row| row.id == id);
    let is_twice = |at: usize| wanted[..at].contains(&wanted[at]);
    conflicts
        .extend((0..wanted.len()).filter(|at| is_twice(*at) || !is_known(wanted[*at])).map(|at| wanted[at]));
    if !conflicts.is_empty() {
        return Err(ApiError::conflict("Send all that is demonstrated as it is now, each once.")
            .with("conflicts", json!(conflicts)));
    }
    let moved = wanted.iter().zip(&shown).filter(|(wanted, row)| **wanted != row.id).count();
    if moved > 0 {
        let number = edit.change_number().await?;
        queries::place(&mut edit, &wanted, number).await?;
        edit.announce(SocketEvent::DemoReordered, json!({ "sprint_id": sprint.id })).await?;
        edit.commit().await?;
    }
    Ok(Json(Reordered { updated: moved as i64 }))
}

async fn toggle(
    State(app): State<App>,
    item: Outcome,
    OpenBody(request): OpenBody<DemoRequest>,
) -> ApiResult<Json<DemoAnswer>> {
    let (mut edit, before) = edit::open_within(&app, item, Precondition::default()).await?;
    let demo_ready = request.demo_ready.given().unwrap_or(!before.demo_ready);
    let shown = queries::demonstrated(&edit, before.sprint_id).await?;
    let last = shown.iter().filter_map(|row| row.demo_order).max().unwrap_or_default();
    let demo_order = match (demo_ready, before.demo_ready) {
        (true, true) => before.demo_order,
        (true, false) => Some(last + 1),
        (false, _) => None,
    };
    let after = OutcomeRow { demo_ready, demo_order, ..before.clone() };
    write(&mut edit, &before, after, SocketEvent::DemoToggled, ("demo_ready", json!(demo_ready))).await?;
    edit.commit().await?;
    Ok(Json(DemoAnswer { id: before.id, demo_ready }))
}

async fn set_presenter(
    State(app): State<App>,
    item: Outcome,
    OpenBody(request): OpenBody<PresenterRequest>,
) -> ApiResult<Json<PresenterAnswer>> {
    let (mut edit, before) = edit::open(&app, item, Precondition::default()).await?;
    let presenter = String::from(request.presenter);
    let after = OutcomeRow { presenter: presenter.clone(), ..before.clone() };
    let told = ("presenter", json!(presenter));
    write(&mut edit, &before, after, SocketEvent::DemoPresenterSet, told).await?;
    edit.commit().await?;
    Ok(Json(PresenterAnswer { id: before.id, presenter }))
}

async fn set_note(
    State(app): State<App>,
    item: Outcome,
    OpenBody(request): OpenBody<ReviewNoteRequest>,
) -> ApiResult<Json<ReviewNoteAnswer>> {
    let (mut edit, before) = edit::open(&app, item, Precondition::default()).await?;
    let review_note = String::from(request.note);
    let after = OutcomeRow { review_note: review_note.clone(), ..before.clone() };
    write(&mut edit, &before, after, SocketEvent::ReviewNoteSet, ("note", json!(review_note))).await?;
    edit.commit().await?;
    Ok(Json(ReviewNoteAnswer { id: before.id, review_note }))
}

/// Writes an outcome and tells those who look at the sprint, if anything is new.
async fn write<A: May>(
    edit: &mut Edit<ProjectScope<A>>,
    before: &OutcomeRow,
    after: OutcomeRow,
    event: SocketEvent,
    (key, value): (&str, Value),
) -> ApiResult<()> {
    if !edit.update(before, after).await?.is_changed {
        return Ok(());
    }
    let mut told = json!({ "id": before.id, "sprint_id": before.sprint_id });
    told[key] = value;
    Ok(edit.announce(event, told).await?)
}

async fn flag(
    State(app): State<App>,
    item: Item<OutcomeRow, may::AuthorPlan>,
) -> ApiResult<Json<FlagAnswer>> {
    let (mut edit, before) = edit::open_plan(&app, item, Precondition::default()).await?;
    if let Some(task_id) = before.flagged_to_backlog_task_id {
        return Ok(Json(FlagAnswer { id: before.id, flagged_to_backlog: true, task_id }));
    }
    let context = WriteContext::bare(&edit, &edit.scope).await?;
    let (tx, lock) = edit.plan();
    let fresh = TaskRecord::fresh(tx.mint(), before.project_id, tx.now());
    let backlog = TaskRecord { name: before.task_title.clone(), status: TaskStatus::Backlog, ..fresh };
    let task = write::by_hand(tx, &context, backlog).await?;
    let task_id = task.id;
    write::save(tx, lock, &context, vec![PlannedWrite::fresh(task)], Board::EachRow).await?;
    let after = OutcomeRow { flagged_to_backlog_task_id: Some(task_id), ..before.clone() };
    self::write(&mut edit, &before, after, SocketEvent::FlaggedForBacklog, ("task_id", json!(task_id)))
        .await?;
    edit.commit().await?;
    Ok(Json(FlagAnswer { id: before.id, flagged_to_backlog: true, task_id }))
}
