//! How strictly sprints are guarded, at `/api/v1/projects/{id}/guardrail-policy/`, and the check that writers of tasks ask for.
//! That a phase never belongs into a sprint is no guardrail but a rule of the plan, and checked there.

mod model;
mod queries;
mod routes;
pub mod rules;

use planwright_domain::ids::ProjectId;
use planwright_store::{Read, Result};
use planwright_web::Routes;

pub use rules::{GuardrailWarning, Judgement, Levels, SprintCase, validate};

/// The routes of guardrails.
pub fn routes() -> Routes {
    routes::table()
}

/// The levels in force in a project, for [`validate`].
pub async fn levels_of(db: &dyn Read, project: ProjectId) -> Result<Levels> {
    Ok(rules::effective(&queries::policy(db, project).await?))
}
