//! Edits of rows that follow from a change elsewhere, such as the places in projects that a group gives.
//! They ask for no rank in their project: whoever makes the change has the right to make it.

use planwright_store::Result;
use planwright_web::{Actor, App, Grant, Place};

use super::Edit;
use crate::schedule::PlanLock;

impl Edit {
    /// The same change, for rows elsewhere that follow from it. Where they belong is set for each project in turn.
    pub fn following(mut self) -> Self {
        self.grant = Grant::of_person(self.grant.actor);
        self
    }

    /// Begins a change of a plan that follows from something outside, such as what happened to a merge request: the plan of the
    /// project is locked, and nobody's rank is asked.
    pub async fn of_plan_following(app: &App, actor: Actor, place: Place) -> Result<Self> {
        let mut tx = app.db.begin().await?;
        let plan = match place.project {
            Some(project) => PlanLock::take(&mut tx, project).await?,
            None => PlanLock::default(),
        };
        Ok(Self { plan, ..Self::new(tx, Grant::of_person(actor).at(place)) })
    }
}
