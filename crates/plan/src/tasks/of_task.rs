//! A task as what rows belong to: whoever may do something in its project may do it with them.

use planwright_domain::access::May;
use planwright_domain::ids::{ProjectId, TaskId};
use planwright_store::{Read, sql};
use planwright_web::scope::Container;
use planwright_web::{Actor, ApiError, ApiResult, ProjectScope};
use uuid::Uuid;

/// A live task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfTask(pub TaskId);

impl Container for OfTask {
    type Scope<A: May> = ProjectScope<A>;

    async fn scope<A: May>(self, db: &dyn Read, actor: &Actor) -> ApiResult<ProjectScope<A>> {
        let select = "SELECT project_id FROM tasks WHERE id = :task AND deletion_id IS NULL";
        let project: Option<ProjectId> = db.scalar(sql!(select, task = self.0)).await?;
        ProjectScope::of(db, actor, project.ok_or_else(ApiError::not_found)?).await
    }

    fn id(self) -> Option<Uuid> {
        Some(self.0.0)
    }
}

/// The scope of something that a body or query names in a field.
///
/// # Errors
/// 400 on the field for what the caller does not see, 403 for what they may not do.
pub async fn named<C: Container, A: May>(
    db: &dyn Read,
    actor: &Actor,
    field: &str,
    container: C,
) -> ApiResult<C::Scope<A>> {
    match container.scope::<A>(db, actor).await {
        Err(error) if error.is_not_found() => Err(no_such(field)),
        scope => scope,
    }
}

/// 400 for a row that a field names and that is not there.
pub fn no_such(field: &str) -> ApiError {
    ApiError::invalid_field(field, format!("There is no such {field}."))
}

/// Refuses to change what a row belongs to, in a field that says so.
///
/// # Errors
/// 400 on the field.
pub fn stays<T: PartialEq>(field: &str, now: &T, wanted: Option<&T>) -> ApiResult<()> {
    match wanted.is_none_or(|wanted| wanted == now) {
        true => Ok(()),
        false => Err(ApiError::invalid_field(field, "It cannot be changed.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_row_belongs_to_stays() {
        assert!(stays("task", &1, None).is_ok());
        assert!(stays("task", &1, Some(&1)).is_ok());
        assert!(stays("task", &1, Some(&2)).is_err());
    }
}
