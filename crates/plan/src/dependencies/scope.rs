//! Who may do what with a link: it belongs to the projects of both its ends.
//! Members of either see it; who manages links in either changes it.

use std::marker::PhantomData;

use planwright_domain::access::{self, Action, May};
use planwright_domain::ids::{ProjectId, TaskId};
use planwright_store::Read;
use planwright_web::scope::Container;
use planwright_web::{Actor, ApiError, ApiResult, Place, Resource, Scope};
use uuid::Uuid;

use super::commands::LinkWithEnds;
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
    actor: Actor,
    predecessor: LinkEnd,
    successor: LinkEnd,
    _may: PhantomData<A>,
}

impl<A> LinkScope<A> {
    /// A link with its ends as this scope found them.
    pub fn link(&self, row: DependencyRow) -> LinkWithEnds {
        LinkWithEnds { row, predecessor: self.predecessor.clone(), successor: self.successor.clone() }
    }
}

impl<A> Clone for LinkScope<A> {
    fn clone(&self) -> Self {
        let Self { actor, predecessor, successor, .. } = self;
        Self {
            actor: actor.clone(),
            predecessor: predecessor.clone(),
            successor: successor.clone(),
            _may: PhantomData,
        }
    }
}

impl<A: May> Scope for LinkScope<A> {
    async fn reload(&self, db: &impl Read) -> ApiResult<Self> {
        let ends = Ends { predecessor: self.predecessor.id, successor: self.successor.id };
        ends.scope(db, &self.actor).await
    }

    fn actor(&self) -> &Actor {
        &self.actor
    }

    fn place(&self) -> Place {
        Place { project: Some(self.successor.project_id), program: self.successor.program_id }
    }

    fn root(&self) -> Option<(&'static str, Uuid)> {
        None
    }
}

impl Container for Ends {
    type Scope<A: May> = LinkScope<A>;

    async fn scope<A: May>(self, db: &impl Read, actor: &Actor) -> ApiResult<LinkScope<A>> {
        let mut ends = queries::ends(db, actor.id, [self.predecessor, self.successor]).await?;
        let predecessor = ends.remove(&self.predecessor).ok_or_else(ApiError::not_found)?;
        let successor = ends.remove(&self.successor).ok_or_else(ApiError::not_found)?;
        let own = queries::own_projects(db, actor).await?;
        if !own.contains(&predecessor.project_id) && !own.contains(&successor.project_id) {
            return Err(ApiError::not_found());
        }
        if actor.is_guest && !access::is_for_guests(A::ACTION) {
            return Err(ApiError::forbidden("Guests of the workspace may not change links."));
        }
        if A::ACTION == Action::ManageLinks {
            rules::may_write(&predecessor, &successor)?;
        }
        Ok(LinkScope { actor: actor.clone(), predecessor, successor, _may: PhantomData })
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
