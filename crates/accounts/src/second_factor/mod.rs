//! Second factors: codes of an app, passkeys and recovery codes, at `/api/v1/me/second-factor/`; the second step of a sign-in and
//! sign-in with a passkey below `/api/v1/auth/`; what the workspace asks for. Which routes ask for a proof is said by the routes
//! themselves, and enforced by the web crate.

pub mod ceremonies;
pub mod challenges;
pub mod commands;
mod confirm;
mod model;
mod policy;
pub mod queries;
mod reset;
mod routes;
mod rules;
mod second_step;

use chrono::Duration;
use planwright_jobs::{JobError, Registry};
use planwright_web::{App, Routes};

pub use rules::PATIENCE_SECONDS;
pub use second_step::cookie;

/// The routes of second factors.
pub fn routes() -> Routes {
    routes::table().and(second_step::table()).and(confirm::table()).and(policy::table()).and(reset::table())
}

/// The jobs of second factors.
pub fn jobs() -> Registry<App> {
    Registry::default().every("forget_sign_in_challenges", Duration::hours(1), async |app: App| {
        let mut tx = app.db.begin().await.map_err(JobError::from)?;
        queries::forget_challenges(&mut tx).await.map_err(JobError::from)?;
        tx.commit().await.map_err(JobError::from)
    })
}
