//! What is read by a secret address: pictures of a project's board and schedule for people without an account, and feeds for
//! calendar programs. Whoever has the address reads; nobody can change anything through it.

mod calendar;
mod calendar_feeds;
mod links;
mod settings;
pub mod shared;

use planwright_web::Routes;
use planwright_web::app::Extensions;

use settings::SharingSettings;
use shared::drawings::Drawings;

/// The routes of this area.
pub fn routes() -> Routes {
    links::table().and(shared::table()).and(calendar_feeds::table()).and(calendar::table())
}

/// Adds what this area needs at run time; `setting` gives the value of a setting, or its default.
pub fn equip(extensions: Extensions, setting: impl Fn(&str) -> String) -> anyhow::Result<Extensions> {
    Ok(extensions.with(SharingSettings::from_settings(&setting)?).with(Drawings::default()))
}
