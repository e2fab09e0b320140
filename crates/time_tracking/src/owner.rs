//! Whose minutes they are: the person as what rows belong to, and the right to log time on a task.
//! Both keep what they write out of projects, so no page of a project, its history or its log shows it.

use planwright_domain::access::{May, may};
use planwright_domain::ids::UserId;
use planwright_store::Read;
use planwright_web::scope::Container;
use planwright_web::{Actor, ApiError, ApiResult, Place, ProjectScope, Scope};
use uuid::Uuid;

/// The person whom a row belongs to, and who alone finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner(pub UserId);

impl Container for Owner {
    type Scope<A: May> = Actor;

    async fn scope<A: May>(self, _: &impl Read, actor: &Actor) -> ApiResult<Actor> {
        match actor.id == self.0 {
            true => Ok(actor.clone()),
            false => Err(ApiError::not_found()),
        }
    }

    fn id(self) -> Option<Uuid> {
        Some(self.0.0)
    }
}

/// Somebody who may log time on the tasks of a project. What they log is their own and not the project's.
#[derive(Clone, Debug)]
pub struct Logging(pub ProjectScope<may::TakePart>);

impl Scope for Logging {
    async fn reload(&self, db: &impl Read) -> ApiResult<Self> {
        self.0.reload(db).await.map(Self)
    }

    fn actor(&self) -> &Actor {
        &self.0.actor
    }

    fn place(&self) -> Place {
        Place::default()
    }

    fn root(&self) -> Option<(&'static str, Uuid)> {
        self.0.actor.root()
    }
}
