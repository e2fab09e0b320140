//! The routes of scope changes: list them, accept or reject one, several or all.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::{ScopeChangeId, SprintId};
use planwright_domain::words::ScopeChangeStatus;
use planwright_plan::edit;
use planwright_plan::sprints::scope::{ScopeChangeRow, pending_in};
use planwright_plan::sprints::{SprintRow, VelocityGate};
use planwright_store::Read;
use planwright_web::version::Precondition;
use planwright_web::{ApiError, ApiResult, App, Item, Json, OpenBody, Routes, says};

use super::model::*;
use super::{commands, queries, rules};

const ALL: &str = "/api/v1/sprints/{id}/scope-changes/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("What came into a sprint while it ran, newest first."))
        .post(
            "/api/v1/sprints/{id}/scope-changes/accept/",
            accept,
            says("Accept work that came into a running sprint: some of it, or all that waits."),
        )
        .post(
            "/api/v1/sprints/{id}/scope-changes/reject/",
            reject,
            says("Reject work that came into a running sprint: some of it, or all that waits."),
        )
        .post(
            "/api/v1/scope-changes/{id}/accept/",
            accept_one,
            says("Accept one task that came into a running sprint."),
        )
        .post(
            "/api/v1/scope-changes/{id}/reject/",
            reject_one,
            says("Reject one task that came into a running sprint; it leaves the sprint."),
        )
}

type Decided = Item<SprintRow, may::DecideScope>;
type DecidedOne = Item<ScopeChangeRow, may::DecideScope>;

async fn list(
    State(app): State<App>,
    item: Item<SprintRow, may::ReadProject>,
) -> ApiResult<Json<SprintScopeChanges>> {
    let gate = VelocityGate::of(&app.db, item.row.project_id, item.scope.actor.id).await?;
    Ok(Json(rules::listed(queries::of_sprint(&app.db, item.row.id).await?, gate)))
}

async fn accept(
    State(app): State<App>,
    item: Decided,
    OpenBody(request): OpenBody<ScopeDecisionRequest>,
) -> ApiResult<Json<AcceptedScope>> {
    let (accepted, pending_count) = decide(&app, item, request, ScopeChangeStatus::Accepted).await?;
    Ok(Json(AcceptedScope { accepted, pending_count }))
}

async fn reject(
    State(app): State<App>,
    item: Decided,
    OpenBody(request): OpenBody<ScopeDecisionRequest>,
) -> ApiResult<Json<RejectedScope>> {
    let (rejected, pending_count) = decide(&app, item, request, ScopeChangeStatus::Rejected).await?;
    Ok(Json(RejectedScope { rejected, pending_count }))
}

/// Decides on some; those of them that have this verdict now, and how many are left.
async fn decide(
    app: &App,
    item: Decided,
    request: ScopeDecisionRequest,
    verdict: ScopeChangeStatus,
) -> ApiResult<(Vec<DecidedScopeChange>, i64)> {
    let (mut edit, sprint) = edit::open_plan(app, item, Precondition::default()).await?;
    let ids = request.ids.given().map(|list| list.0).unwrap_or_default();
    let rows = named(&edit, sprint.id, &ids).await?;
    let impact = request.goal_impact.given().map(String::from);
    let after = commands::decide(&mut edit, rows, verdict, impact.as_deref()).await?;
    let left = pending_in(&edit, sprint.id).await?.len() as i64;
    edit.commit().await?;
    let decided = after.iter().filter(|row| row.status == verdict).map(DecidedScopeChange::from);
    Ok((decided.collect(), left))
}

/// The scope changes that a request names; all that wait when it names none.
async fn named(db: &dyn Read, sprint: SprintId, ids: &[ScopeChangeId]) -> ApiResult<Vec<ScopeChangeRow>> {
    if ids.is_empty() {
        return Ok(pending_in(db, sprint).await?);
    }
    let rows = queries::named(db, sprint, ids).await?;
    match ids.iter().find(|id| !rows.iter().any(|row| row.id == **id)) {
        Some(unknown) => {
            Err(ApiError::invalid_field("ids", format!("The sprint has no scope change {unknown}.")))
        }
        None => Ok(rows),
    }
}

async fn accept_one(
    State(app): State<App>,
    item: DecidedOne,
    OpenBody(request): OpenBody<OneScopeDecisionRequest>,
) -> ApiResult<Json<ScopeDecision>> {
    decide_one(&app, item, request, ScopeChangeStatus::Accepted).await
}

async fn reject_one(
    State(app): State<App>,
    item: DecidedOne,
    OpenBody(request): OpenBody<OneScopeDecisionRequest>,
) -> ApiResult<Json<ScopeDecision>> {
    decide_one(&app, item, request, ScopeChangeStatus::Rejected).await
}

async fn decide_one(
    app: &App,
    item: DecidedOne,
    request: OneScopeDecisionRequest,
    verdict: ScopeChangeStatus,
) -> ApiResult<Json<ScopeDecision>> {
    let (mut edit, row) = edit::open_plan(app, item, Precondition::default()).await?;
    let sprint = row.sprint_id;
    let impact = request.goal_impact.given().map(String::from);
    let after = commands::decide(&mut edit, vec![row], verdict, impact.as_deref()).await?;
    let pending_count = pending_in(&edit, sprint).await?.len() as i64;
    edit.commit().await?;
    let change = after.first().map(DecidedScopeChange::from).ok_or_else(ApiError::not_found)?;
    Ok(Json(ScopeDecision { change, pending_count }))
}
