//! `/api/v1/integrations/projects/{id}/git-automation/` and `…/git-webhook/`: a forge tells of merge requests, and the tasks
//! that have them as links move on. Nothing ever moves back.

mod events;
mod model;
mod queries;
mod receiver;
mod routes;
mod rules;
mod signature;

use chrono::Duration;
use planwright_jobs::{JobError, Registry};
use planwright_web::App;

pub use routes::table as routes;

/// How long it is remembered what was told already, in days.
const REMEMBERED_DAYS: i64 = 30;

/// The jobs of this folder: what was told long ago is forgotten.
pub fn jobs() -> Registry<App> {
    Registry::default().every("forget_git_deliveries", Duration::hours(6), async |app: App| {
        let before = app.clock.now() - Duration::days(REMEMBERED_DAYS);
        queries::forget(&app.db, before).await.map_err(JobError::from)
    })
}
