//! A sprint as what rows belong to: whoever may do something in its project may do it with them.
//! A row whose sprint is deleted is gone with it.

use planwright_domain::access::May;
use planwright_domain::ids::{ProjectId, SprintId};
use planwright_store::{Read, sql};
use planwright_web::scope::Container;
use planwright_web::{Actor, ApiError, ApiResult, ProjectScope};
use uuid::Uuid;

/// A live sprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfSprint(pub SprintId);

impl Container for OfSprint {
    type Scope<A: May> = ProjectScope<A>;

    async fn scope<A: May>(self, db: &dyn Read, actor: &Actor) -> ApiResult<ProjectScope<A>> {
        let select = "SELECT project_id FROM sprints WHERE id = :sprint AND deletion_id IS NULL";
        let project: Option<ProjectId> = db.scalar(sql!(select, sprint = self.0)).await?;
        ProjectScope::of(db, actor, project.ok_or_else(ApiError::not_found)?).await
    }

    fn id(self) -> Option<Uuid> {
        Some(self.0.0)
    }
}
