//! The scope of rows that follow from a change elsewhere, such as the places in projects that a group gives.
//! It asks for no rank in their project: whoever makes the change had the right to make it.

use planwright_store::{Read, Result};
use planwright_web::{Actor, ApiResult, App, Place, Scope};
use uuid::Uuid;

use super::Edit;
use crate::schedule::PlanLock;

/// A place whose rows follow from a change elsewhere.
#[derive(Clone, Debug)]
pub struct Following {
    /// Who made that change.
    pub actor: Actor,
    /// Where the rows belong. It is set for each project in turn.
    pub place: Place,
}

impl<S: Scope> Edit<S> {
    /// The same change, for rows elsewhere that follow from it.
    pub fn following(self) -> Edit<Following> {
        let scope = Following { actor: self.scope.actor().clone(), place: Place::default() };
        let Self { tx, expected, plan, change_number, .. } = self;
        Edit { tx, scope, expected, plan, change_number }
    }
}

impl Edit<Following> {
    /// Begins a change of a plan that follows from something outside, such as what happened to a merge request: the plan of the
    /// project is locked, and nobody's rank is asked.
    pub async fn of_plan_following(app: &App, actor: Actor, place: Place) -> Result<Self> {
        let mut tx = app.db.begin().await?;
        let plan = match place.project {
            Some(project) => PlanLock::take(&mut tx, project).await?,
            None => PlanLock::default(),
        };
        Ok(Self { plan, ..Self::new(tx, Following { actor, place }) })
    }
}

impl Scope for Following {
    async fn reload(&self, db: &impl Read) -> ApiResult<Self> {
        Ok(Self { actor: self.actor.reload(db).await?, place: self.place })
    }

    fn actor(&self) -> &Actor {
        &self.actor
    }

    fn place(&self) -> Place {
        self.place
    }

    fn root(&self) -> Option<(&'static str, Uuid)> {
        None
    }
}
