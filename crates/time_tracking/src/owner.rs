//! Whose minutes they are: the person as what rows belong to, and the right to log time on a task.
//! Both keep what they write out of projects, so no page of a project, its history or its log shows it.

use futures_util::future::BoxFuture;
use planwright_domain::access::{May, may};
use planwright_domain::ids::{ProjectId, UserId};
use planwright_store::Read;
use planwright_web::grant::SpecialCheck;
use planwright_web::scope::Container;
use planwright_web::{Actor, ApiError, ApiResult, Grant, ProjectScope};
use uuid::Uuid;

/// The person whom a row belongs to, and who alone finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner(pub UserId);

impl Container for Owner {
    type Scope<A: May> = Actor;

    async fn scope<A: May>(self, _: &dyn Read, actor: &Actor) -> ApiResult<Actor> {
        match actor.id == self.0 {
            true => Ok(actor.clone()),
            false => Err(ApiError::not_found()),
        }
    }

    fn id(self) -> Option<Uuid> {
        Some(self.0.0)
    }
}

/// What somebody may log who takes part in a project. What they log is their own and not the project's.
pub fn logging(scope: &ProjectScope<may::TakePart>) -> Grant {
    Grant::by(scope.actor.clone(), LoggingCheck { project: scope.project, person: scope.actor.id })
}

/// The check of a person who logs time in a project.
#[derive(Debug)]
struct LoggingCheck {
    project: ProjectId,
    person: UserId,
}

impl SpecialCheck for LoggingCheck {
    fn recheck<'a>(&'a self, db: &'a dyn Read, actor: &'a Actor) -> BoxFuture<'a, ApiResult<Grant>> {
        Box::pin(async move { Ok(logging(&ProjectScope::of(db, actor, self.project).await?)) })
    }

    fn root(&self) -> Option<(&'static str, Uuid)> {
        Some(("users", self.person.0))
    }
}
