//! What people put beside tasks so that others can open it: files, links to other places, and feeds of them.
//! What people say on tasks is in the crate `discussions`, and the order of tasks is in the plan.

mod address;
mod assets;
mod files;
mod links;

use planwright_jobs::Registry;
use planwright_web::app::Extensions;
use planwright_web::{App, Routes};

use files::FileSettings;
pub use links::{Looked, LooksWithCredentials};

/// The routes of this area.
pub fn routes() -> Routes {
    links::table().and(assets::table()).and(files::table())
}

/// The jobs of this area.
pub fn jobs() -> Registry<App> {
    files::jobs()
}

/// Adds what this area needs at run time; `setting` gives the value of a setting, or its default.
pub fn equip(extensions: Extensions, setting: impl Fn(&str) -> String) -> anyhow::Result<Extensions> {
    Ok(extensions.with(FileSettings::from_settings(&setting)?))
}
