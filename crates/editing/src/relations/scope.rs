//! Who may do what with a relation: members of either project see it, who may edit its source changes it.

use std::marker::PhantomData;

use planwright_domain::access::{self, Action, May};
use planwright_domain::ids::TaskId;
use planwright_plan::dependencies::model::LinkEnd;
use planwright_plan::dependencies::queries::{ends, own_projects};
use planwright_plan::tasks;
use planwright_store::Read;
use planwright_web::scope::{Container, facets_of};
use planwright_web::{Actor, ApiError, ApiResult, Place, Resource, Scope};
use uuid::Uuid;

use super::model::RelationRow;

/// The two tasks of a relation, as what it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Related {
    source: TaskId,
    target: TaskId,
}

/// A relation whose caller may do `A` with it, with its ends.
pub struct RelationScope<A> {
    /// Who asks.
    pub actor: Actor,
    /// The source task.
    pub source: LinkEnd,
    /// The other task.
    pub target: LinkEnd,
    _may: PhantomData<A>,
}

impl<A: May> RelationScope<A> {
    /// The scope of a relation between two tasks, which need not be there yet.
    pub async fn between(db: &impl Read, actor: &Actor, source: LinkEnd, target: LinkEnd) -> ApiResult<Self> {
        if actor.is_guest && !access::is_for_guests(A::ACTION) {
            return Err(ApiError::forbidden("Guests of the workspace may not relate tasks."));
        }
        if A::ACTION == Action::AuthorPlan {
            may_write(db, actor, source.id).await?;
        }
        Ok(Self { actor: actor.clone(), source, target, _may: PhantomData })
    }
}

/// Refuses who may not edit the source.
async fn may_write(db: &impl Read, actor: &Actor, source: TaskId) -> ApiResult<()> {
    let refused = || ApiError::forbidden("You do not have permission to perform this action.");
    let row = tasks::queries::find(db, actor, source).await?.ok_or_else(refused)?;
    let refines = facets_of(db, row.written.project_id, actor.id).await?.is_product_owner;
    match tasks::rules::rights(&row, row.written.assignee_id == Some(actor.id), refines).edit {
        true => Ok(()),
        false => Err(refused()),
    }
}

impl<A> Clone for RelationScope<A> {
    fn clone(&self) -> Self {
        let Self { actor, source, target, .. } = self;
        Self { actor: actor.clone(), source: source.clone(), target: target.clone(), _may: PhantomData }
    }
}

impl<A: May> Scope for RelationScope<A> {
    async fn reload(&self, db: &impl Read) -> ApiResult<Self> {
        Related { source: self.source.id, target: self.target.id }.scope(db, &self.actor).await
    }

    fn actor(&self) -> &Actor {
        &self.actor
    }

    fn place(&self) -> Place {
        Place { project: Some(self.source.project_id), program: self.source.program_id }
    }

    fn root(&self) -> Option<(&'static str, Uuid)> {
        None
    }
}

impl Container for Related {
    type Scope<A: May> = RelationScope<A>;

    async fn scope<A: May>(self, db: &impl Read, actor: &Actor) -> ApiResult<RelationScope<A>> {
        let mut known = ends(db, actor.id, [self.source, self.target]).await?;
        let source = known.remove(&self.source).ok_or_else(ApiError::not_found)?;
        let target = known.remove(&self.target).ok_or_else(ApiError::not_found)?;
        let own = own_projects(db, actor).await?;
        match own.contains(&source.project_id) || own.contains(&target.project_id) {
            true => RelationScope::between(db, actor, source, target).await,
            false => Err(ApiError::not_found()),
        }
    }

    fn id(self) -> Option<Uuid> {
        None
    }
}

impl Resource for RelationRow {
    type Container = Related;

    fn container(&self) -> Related {
        Related { source: self.source_id, target: self.target_id }
    }
}
