//! The routes of milestones that sprints aim at.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_plan::edit;
use planwright_plan::schedule::network::date;
use planwright_plan::sprints::milestones::milestones;
use planwright_plan::sprints::{SprintRow, VelocityGate};
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    ApiError, ApiResult, App, Created, Either, IgnoredBody, Item, Json, OpenBody, ProjectScope, Query,
    Routes, says,
};

use super::model::*;
use super::{commands, queries};
use crate::sprints::model::Sprint;
use crate::sprints::show;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get("/api/v1/projects/{id}/milestones/", list, says("The milestones of a project, by date."))
        .post(
            "/api/v1/sprints/{id}/promote-to-milestone/",
            promote,
            says("Aim a sprint at a milestone, or at a new one that is made for it."),
        )
        .post("/api/v1/sprints/{id}/unbind-milestone/", unbind, says("Let a sprint aim at no milestone."))
        .get(
            "/api/v1/sprints/{id}/reforecast-preview/",
            preview,
            says("When a milestone would be reached at the pace of the team; nothing is written."),
        )
}

type Bound = Item<SprintRow, may::BindMilestones>;

async fn list(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    Query(filter): Query<MilestoneFilter>,
) -> ApiResult<Json<Vec<MilestoneListItem>>> {
    let only_unbound = filter.unbound.given() == Some(true);
    let rows = queries::of_project(&app.db, scope.project).await?;
    let rows = rows.into_iter().filter(|row| !(only_unbound && row.is_bound));
    let shown = rows.map(|row| MilestoneListItem {
        id: row.id,
        name: row.name,
        wbs_path: row.outline.unwrap_or_default(),
        early_finish: row.early_finish.and_then(date),
        is_bound: row.is_bound,
        confidence: row.confidence,
    });
    Ok(Json(shown.collect()))
}

async fn promote(
    State(app): State<App>,
    item: Bound,
    expected: Precondition,
    OpenBody(request): OpenBody<PromoteRequest>,
) -> ApiResult<Either<Created<Sprint>, Versioned<Sprint>>> {
    let (mut edit, row) = edit::open_plan(&app, item, expected).await?;
    let is_new = commands::promote(&mut edit, &row, request).await?;
    edit.recalculate_within_reach("target_date").await?;
    let sprint = show::one(&edit, edit.grant.actor.id, row.id).await?;
    edit.commit().await?;
    Ok(match is_new {
        true => Either::This(Created(sprint)),
        false => Either::That(Versioned::computed(sprint.server_version, sprint)),
    })
}

async fn unbind(
    State(app): State<App>,
    item: Bound,
    expected: Precondition,
    _: IgnoredBody,
) -> ApiResult<Versioned<Sprint>> {
    let (mut edit, row) = edit::open_plan(&app, item, expected).await?;
    commands::unbind(&mut edit, &row).await?;
    let sprint = show::one(&edit, edit.grant.actor.id, row.id).await?;
    edit.commit().await?;
    Ok(Versioned::computed(sprint.server_version, sprint))
}

async fn preview(
    State(app): State<App>,
    item: Item<SprintRow, may::ReadProject>,
    Query(query): Query<PreviewQuery>,
) -> ApiResult<Json<ReforecastPreview>> {
    let wanted =
        query.milestone_id.given().or(item.row.target_milestone_id).ok_or_else(ApiError::not_found)?;
    let found = milestones(&app.db, &[wanted]).await?.remove(&wanted);
    let milestone = found.filter(|found| found.project_id == item.row.project_id);
    let milestone = milestone.ok_or_else(ApiError::not_found)?;
    let foreseen = commands::foresee(&app.db, &item.row, &milestone).await?;
    let gate = VelocityGate::of(&app.db, item.row.project_id, item.scope.actor.id).await?;
    Ok(Json(commands::shown(foreseen, gate)))
}
