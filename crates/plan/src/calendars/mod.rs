//! Working-time calendars of the workspace library and their exceptions, at `/api/v1/calendars/`.
//! Anybody signed in reads them; who manages any project writes them.

pub mod exceptions;
pub mod layers;
pub mod model;
pub mod queries;
pub mod routes;
pub mod rules;

use planwright_domain::Role;
use planwright_store::{Read, sql};
use planwright_web::{Actor, ApiError, ApiResult, Routes};

/// The routes of calendars and their exceptions.
pub fn routes() -> Routes {
    routes::table().and(exceptions::table()).and(layers::table())
}

/// The proof that its holder may change the library: a Project Manager or above on at least one project, or a workspace Admin.
#[derive(Clone, Debug)]
pub struct LibraryEditor {
    /// Who changes it.
    pub actor: Actor,
}

impl LibraryEditor {
    /// Checks the caller.
    pub async fn of(db: &impl Read, actor: &Actor) -> ApiResult<Self> {
        let highest: Option<Option<i64>> = db
            .scalar(sql!(
                "SELECT MAX(m.role) FROM project_members m JOIN projects p ON p.id = m.project_id
                 WHERE m.user_id = :user AND m.deletion_id IS NULL AND p.deletion_id IS NULL",
                user = actor.id
            ))
            .await?;
        let manages = highest.flatten().is_some_and(|rank| rank >= Role::ProjectManager.rank());
        match manages || actor.workspace_role >= Role::ProjectManager {
            true => Ok(Self { actor: actor.clone() }),
            false => Err(ApiError::forbidden("Only somebody who manages a project may change calendars.")),
        }
    }
}
