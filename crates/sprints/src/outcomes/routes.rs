//! The routes of outcomes: read that of a sprint, prepare what is demonstrated, send a task back to the backlog.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_plan::edit;
use planwright_plan::sprints::SprintRow;
use planwright_web::version::Precondition;
use planwright_web::{ApiResult, App, Body, IgnoredBody, Item, Json, OpenBody, Routes, says};
use serde_json::json;

use super::model::*;
use super::rows::OutcomeRow;
use super::{commands, summary};
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
    summary::incoming(&app.db, item.scope.actor.id, &item.row).await.map(Json)
}

async fn reorder(
    State(app): State<App>,
    item: Item<SprintRow, may::RunSprints>,
    Body(request): Body<DemoOrderRequest>,
) -> ApiResult<Json<Reordered>> {
    let (mut edit, sprint) = edit::open_within(&app, item, Precondition::default()).await?;
    let updated = commands::reorder(&mut edit, &sprint, request.outcome_ids.0).await?;
    edit.commit().await?;
    Ok(Json(Reordered { updated }))
}

async fn toggle(
    State(app): State<App>,
    item: Outcome,
    OpenBody(request): OpenBody<DemoRequest>,
) -> ApiResult<Json<DemoAnswer>> {
    let (mut edit, before) = edit::open_within(&app, item, Precondition::default()).await?;
    let demo_ready = request.demo_ready.given().unwrap_or(!before.demo_ready);
    let demo_order = commands::place(&edit, &before, demo_ready).await?;
    let after = OutcomeRow { demo_ready, demo_order, ..before.clone() };
    let told = ("demo_ready", json!(demo_ready));
    commands::write(&mut edit, &before, after, SocketEvent::DemoToggled, told).await?;
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
    commands::write(&mut edit, &before, after, SocketEvent::DemoPresenterSet, told).await?;
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
    commands::write(&mut edit, &before, after, SocketEvent::ReviewNoteSet, ("note", json!(review_note)))
        .await?;
    edit.commit().await?;
    Ok(Json(ReviewNoteAnswer { id: before.id, review_note }))
}

async fn flag(
    State(app): State<App>,
    item: Item<OutcomeRow, may::AuthorPlan>,
    _: IgnoredBody,
) -> ApiResult<Json<FlagAnswer>> {
    let (mut edit, row) = edit::open_plan(&app, item, Precondition::default()).await?;
    let task_id = commands::flag(&mut edit, &row).await?;
    edit.commit().await?;
    Ok(Json(FlagAnswer { id: row.id, flagged_to_backlog: true, task_id }))
}
