//! Forgets sign-ins that nobody finished.

use chrono::Duration;
use planwright_jobs::{JobError, Registry};
use planwright_web::App;

use super::login::queries;

/// The jobs of this file.
pub fn jobs() -> Registry<App> {
    Registry::default().every("forget_sso_states", Duration::hours(1), async |app: App| {
        let mut tx = app.db.begin().await.map_err(JobError::from)?;
        queries::forget_expired(&mut tx).await.map_err(JobError::from)?;
        tx.commit().await.map_err(JobError::from)
    })
}
