//! A task of the path that the caller sees; whoever does not gets 404 before anything they sent is looked at.
//! What they may do with it is asked by the command.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use planwright_domain::ids::TaskId;
use planwright_web::document::{Describe, Describer};
use planwright_web::{Actor, ApiError, ApiResult, App, Path};

use super::queries;

/// A task that is there for the caller's eyes.
#[derive(Clone, Copy, Debug)]
pub struct SeenTask(pub TaskId);

impl FromRequestParts<App> for SeenTask {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        let actor = Actor::from_request_parts(parts, app).await?;
        let Path(id) = Path::<TaskId>::from_request_parts(parts, app).await?;
        match queries::sees(&app.db, &actor, id).await? {
            true => Ok(Self(id)),
            false => Err(ApiError::not_found()),
        }
    }
}

impl Describe for SeenTask {
    fn describe(_: &mut Describer) {}
}
