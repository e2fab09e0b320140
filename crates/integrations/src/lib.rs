//! What other systems bring in: tasks that machines push, what happens to merge requests, and what is open for a person in a
//! tracker. Sending things out is the business of `outbound`.

mod connections;
pub mod credentials;
mod git_automation;
mod settings;
mod summary;
pub mod task_sync;

use planwright_jobs::Registry;
use planwright_web::app::Extensions;
use planwright_web::{App, Routes};

use settings::IntegrationSettings;

/// The routes of this area.
pub fn routes() -> Routes {
    Routes::new()
        .and(task_sync::routes())
        .and(git_automation::routes())
        .and(credentials::routes())
        .and(connections::routes())
        .and(summary::table())
}

/// The jobs of this area.
pub fn jobs() -> Registry<App> {
    task_sync::jobs().and(git_automation::jobs()).and(connections::jobs())
}

/// Adds what this area needs at run time; `setting` gives the value of a setting, or its default.
pub fn equip(extensions: Extensions, setting: impl Fn(&str) -> String) -> anyhow::Result<Extensions> {
    Ok(extensions.with(IntegrationSettings::from_settings(&setting)?))
}
