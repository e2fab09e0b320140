//! Who may do what with a link: it belongs to the projects of both its ends.
//! Members of either see it; who manages links in either changes it.

use std::marker::PhantomData;
use std::ops::Deref;

use futures_util::future::BoxFuture;
use planwright_domain::access::{self, Action, May};
use planwright_domain::ids::{ProjectId, TaskId};
use planwright_store::Read;
use planwright_web::grant::SpecialCheck;
use planwright_web::scope::Container;
use planwright_web::{Actor, ApiError, ApiResult, Grant, Place, Resource, Scope};
use uuid::Uuid;

use super::model::{DependencyRow, LinkEnd};
use super::{queries, rules};

/// The two tasks of a link, as what it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends {
    predecessor: TaskId,
    successor: TaskId,
}

/// A link whose caller may do `A` with it.
pub struct LinkScope<A> {
    grant: Grant,
    _may: PhantomData<A>,
}

impl<A> Deref for LinkScope<A> {
    type Target = Grant;

    fn deref(&self) -> &Grant {
        &self.grant
    }
}

impl<A: May> Scope for LinkScope<A> {
    fn grant(&self) -> Grant {
        self.grant.clone()
    }
}

impl Ends {
    async fn find(self, db: &dyn Read, actor: &Actor) -> ApiResult<(LinkEnd, LinkEnd)> {
        let mut ends = queries::ends(db, actor.id, [self.predecessor, self.successor]).await?;
        let predecessor = ends.remove(&self.predecessor).ok_or_else(ApiError::not_found)?;
        let successor = ends.remove(&self.successor).ok_or_else(ApiError::not_found)?;
        let own = queries::own_projects(db, actor).await?;
        match own.contains(&predecessor.project_id) || own.contains(&successor.project_id) {
            true => Ok((predecessor, successor)),
            false => Err(ApiError::not_found()),
        }
    }

    /// What the caller may do with a link, and its ends.
    ///
    /// # Errors
    /// 404 for whoever is in neither of the two projects, 403 for what they may not do.
    pub async fn check(
        self,
        db: &dyn Read,
        actor: &Actor,
        action: Action,
    ) -> ApiResult<(Grant, LinkEnd, LinkEnd)> {
        let (predecessor, successor) = self.find(db, actor).await?;
        if actor.is_guest && !access::is_for_guests(action) {
            return Err(ApiError::forbidden("Guests of the workspace may not change links."));
        }
        if action == Action::ManageLinks {
            rules::may_write(&predecessor, &successor)?;
        }
        let place = Place { project: Some(successor.project_id), program: successor.program_id };
        let grant = Grant::by(actor.clone(), LinkCheck { ends: self, action }).at(place);
        Ok((grant, predecessor, successor))
    }
}

/// The check of a link for an action.
#[derive(Debug)]
struct LinkCheck {
    ends: Ends,
    action: Action,
}

impl SpecialCheck for LinkCheck {
    fn recheck<'a>(&'a self, db: &'a dyn Read, actor: &'a Actor) -> BoxFuture<'a, ApiResult<Grant>> {
        Box::pin(async move { Ok(self.ends.check(db, actor, self.action).await?.0) })
    }
}

impl Container for Ends {
    type Scope<A: May> = LinkScope<A>;

    async fn scope<A: May>(self, db: &dyn Read, actor: &Actor) -> ApiResult<LinkScope<A>> {
        let (grant, ..) = self.check(db, actor, A::ACTION).await?;
        Ok(LinkScope { grant, _may: PhantomData })
    }

    fn id(self) -> Option<Uuid> {
        None
    }
}

impl DependencyRow {
    /// The projects of its ends.
    pub fn projects(&self) -> [ProjectId; 2] {
        [self.predecessor_project_id, self.successor_project_id]
    }
}

impl Resource for DependencyRow {
    type Container = Ends;

    fn container(&self) -> Ends {
        Ends { predecessor: self.predecessor_id, successor: self.successor_id }
    }
}
