//! `/api/v1/agent-actions/`: what agents did, for the people whose agents they are and for the members of the projects.

use axum::extract::State;
use planwright_store::page::Key;
use planwright_web::paging::Orderings;
use planwright_web::{Actor, ApiError, ApiResult, App, Json, Page, Paging, Path, Query, Routes, says};
use uuid::Uuid;

use crate::chain::ActionRecord;
use crate::model::{AgentAction, AgentActionFilter};
use crate::queries::{self, Narrowing};

const ORDERINGS: Orderings = &[("sequence", "a.sequence"), ("occurred_at", "a.occurred_at")];

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(
            "/api/v1/agent-actions/",
            list,
            says("What agents asked for, and whether they were allowed to. The newest first.")
                .orderings(ORDERINGS),
        )
        .get("/api/v1/agent-actions/{id}/", show, says("One request of an agent."))
}

async fn list(
    State(app): State<App>,
    actor: Actor,
    paging: Paging,
    Query(filter): Query<AgentActionFilter>,
) -> ApiResult<Page<AgentAction>> {
    let keys = paging.keys(ORDERINGS, &[Key::descending("a.sequence")], "a.id")?;
    let from = queries::visible(&actor, Narrowing::from(filter));
    paging
        .fetch::<ActionRecord, _>(&app.db, &queries::columns(), from, "a.id", &keys, AgentAction::from)
        .await
}

async fn show(State(app): State<App>, actor: Actor, Path(id): Path<Uuid>) -> ApiResult<Json<AgentAction>> {
    let row = queries::find(&app.db, &actor, id).await?;
    row.map(|row| Json(row.into())).ok_or_else(ApiError::not_found)
}

impl From<AgentActionFilter> for Narrowing {
    fn from(filter: AgentActionFilter) -> Self {
        Self {
            verdict: filter.verdict.given().map(String::from),
            constraint: filter.constraint.given().map(String::from),
            project: filter.project.given(),
            program: filter.program.given(),
            since: filter.since.given(),
        }
    }
}
