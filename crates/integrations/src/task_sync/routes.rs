//! The route of pushed tasks.

use axum::extract::State;
use planwright_plan::tasks::write::Author;
use planwright_web::limits::Limit;
use planwright_web::{ApiError, ApiResult, App, Body, Created, Either, Json, Routes, says};

use super::commands;
use super::model::{InboundTaskSyncPayloadRequest, InboundTaskSyncResult};

const PUSH: &str = "/api/v1/projects/{id}/task-sync/";

/// The routes of this file.
pub fn table() -> Routes {
    let rules = says("Push a task of another system. Its key decides whether it is made or changed.");
    Routes::new().post(PUSH, push, rules.for_machines().limit(Limit::TaskSync))
}

type Pushed = Either<Created<InboundTaskSyncResult>, Json<InboundTaskSyncResult>>;

async fn push(
    State(app): State<App>,
    scope: Author,
    Body(request): Body<InboundTaskSyncPayloadRequest>,
) -> ApiResult<Pushed> {
    let token = scope.actor.credential.token().ok_or_else(ApiError::not_found)?;
    let result = commands::push(&app, scope, token, request).await?;
    Ok(match result.created {
        true => Either::This(Created(result)),
        false => Either::That(Json(result)),
    })
}
