//! Who may do what with a relation: members of either project see it, who may edit its source changes it.

use std::marker::PhantomData;
use std::ops::Deref;

use futures_util::future::BoxFuture;
use planwright_domain::access::{self, Action, May};
use planwright_domain::ids::TaskId;
use planwright_plan::dependencies::model::LinkEnd;
use planwright_plan::dependencies::queries::{ends, own_projects};
use planwright_plan::tasks;
use planwright_store::Read;
use planwright_web::grant::{SpecialCheck, facets_of};
use planwright_web::scope::Container;
use planwright_web::{Actor, ApiError, ApiResult, Grant, Place, Resource, Scope};
use uuid::Uuid;

use super::model::RelationRow;

/// The two tasks of a relation, as what it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Related {
    source: TaskId,
    target: TaskId,
}

/// A relation whose caller may do `A` with it.
pub struct RelationScope<A> {
    grant: Grant,
    _may: PhantomData<A>,
}

impl<A> Deref for RelationScope<A> {
    type Target = Grant;

    fn deref(&self) -> &Grant {
        &self.grant
    }
}

impl<A: May> Scope for RelationScope<A> {
    fn grant(&self) -> Grant {
        self.grant.clone()
    }
}

/// What the caller may do with a relation between two tasks, which need not be there yet.
///
/// # Errors
/// 403 for what they may not do.
pub async fn between(
    db: &dyn Read,
    actor: &Actor,
    source: &LinkEnd,
    target: &LinkEnd,
    action: Action,
) -> ApiResult<Grant> {
    if actor.is_guest && !access::is_for_guests(action) {
        return Err(ApiError::forbidden("Guests of the workspace may not relate tasks."));
    }
    if action == Action::AuthorPlan {
        may_write(db, actor, source.id).await?;
    }
    let related = Related { source: source.id, target: target.id };
    let place = Place { project: Some(source.project_id), program: source.program_id };
    Ok(Grant::by(actor.clone(), RelationCheck { related, action }).at(place))
}

/// Refuses who may not edit the source.
async fn may_write(db: &dyn Read, actor: &Actor, source: TaskId) -> ApiResult<()> {
    let refused = || ApiError::forbidden("You do not have permission to perform this action.");
    let row = tasks::queries::find(db, actor, source).await?.ok_or_else(refused)?;
    let refines = facets_of(db, row.written.project_id, actor.id).await?.is_product_owner;
    match tasks::rules::rights(&row, row.written.assignee_id == Some(actor.id), refines).edit {
        true => Ok(()),
        false => Err(refused()),
    }
}

impl Related {
    /// The two tasks, for whoever sees one of their projects.
    ///
    /// # Errors
    /// 404 for everybody else.
    pub async fn ends(self, db: &dyn Read, actor: &Actor) -> ApiResult<(LinkEnd, LinkEnd)> {
        let mut known = ends(db, actor.id, [self.source, self.target]).await?;
        let source = known.remove(&self.source).ok_or_else(ApiError::not_found)?;
        let target = known.remove(&self.target).ok_or_else(ApiError::not_found)?;
        let own = own_projects(db, actor).await?;
        match own.contains(&source.project_id) || own.contains(&target.project_id) {
            true => Ok((source, target)),
            false => Err(ApiError::not_found()),
        }
    }

    async fn check(self, db: &dyn Read, actor: &Actor, action: Action) -> ApiResult<Grant> {
        let (source, target) = self.ends(db, actor).await?;
        between(db, actor, &source, &target, action).await
    }
}

/// The check of a relation for an action.
#[derive(Debug)]
struct RelationCheck {
    related: Related,
    action: Action,
}

impl SpecialCheck for RelationCheck {
    fn recheck<'a>(&'a self, db: &'a dyn Read, actor: &'a Actor) -> BoxFuture<'a, ApiResult<Grant>> {
        Box::pin(self.related.check(db, actor, self.action))
    }
}

impl Container for Related {
    type Scope<A: May> = RelationScope<A>;

    async fn scope<A: May>(self, db: &dyn Read, actor: &Actor) -> ApiResult<RelationScope<A>> {
        Ok(RelationScope { grant: self.check(db, actor, A::ACTION).await?, _may: PhantomData })
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
