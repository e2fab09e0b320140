//! Webhooks: what other services subscribed to, and what is sent to them.
//! People's own browsers are told over channels, in the room beside.

pub mod deliveries;
pub mod message;
pub mod model;
pub mod queries;
mod routes;
pub mod rules;
pub mod sending;

use std::sync::Arc;

use axum::extract::FromRequestParts;
use planwright_domain::access::{May, may};
use planwright_jobs::Registry;
use planwright_store::outbox::Waiting;
use planwright_store::{Result, Tx};
use planwright_web::document::Describe;
use planwright_web::{Actor, ApiError, App, ProgramScope, ProjectScope, Routes};

use model::Home;

/// A project or program that the caller may do something in, for handlers that serve both.
pub trait Place: FromRequestParts<App, Rejection = ApiError> + Describe + Send + Sync + 'static {
    /// Which one.
    fn home(&self) -> Home;
    /// Who asks.
    fn actor(&self) -> &Actor;
}

impl<A: May> Place for ProjectScope<A> {
    fn home(&self) -> Home {
        Home::Project { id: self.project, program: self.program }
    }

    fn actor(&self) -> &Actor {
        &self.actor
    }
}

impl<A: May> Place for ProgramScope<A> {
    fn home(&self) -> Home {
        Home::Program { id: self.program }
    }

    fn actor(&self) -> &Actor {
        &self.actor
    }
}

/// The proof that its holder may keep the webhooks of a place.
pub trait Manages: Place {}

impl Manages for ProjectScope<may::ManageWebhooks> {}
impl Manages for ProgramScope<may::ManageWebhooks> {}

/// The routes of webhooks.
pub fn routes() -> Routes {
    routes::table().and(deliveries::routes())
}

/// The jobs of webhooks.
pub fn jobs() -> Registry<App> {
    let sending = Arc::new(sending::Sending::default());
    deliveries::jobs().beside(move |app, how| {
        let sending = sending.clone();
        async move { sending.round(&app, how).await }
    })
}

/// Writes a delivery for every event and every subscription that it is for.
pub async fn take_on(tx: &mut Tx, events: &[Waiting]) -> Result<()> {
    deliveries::take_on(tx, events).await
}
