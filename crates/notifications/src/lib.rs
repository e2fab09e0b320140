//! What people are told: who hears of what, their list of notifications, their preferences, and mail about it.
//! Mentions and tasks are written elsewhere; this area only hears of them.

mod digests;
mod inbox;
pub mod kinds;
mod letters;
mod preferences;
mod project_preferences;
mod settings;
mod stale;
mod telling;
mod times;
mod unsubscribe;
mod words;

use planwright_jobs::Registry;
use planwright_web::app::Extensions;
use planwright_web::{App, Routes};

pub use telling::take_on;
use unsubscribe::LetterSettings;

/// The routes of notifications.
pub fn routes() -> Routes {
    Routes::new()
        .and(inbox::routes())
        .and(preferences::table())
        .and(settings::table())
        .and(project_preferences::table())
        .and(unsubscribe::table())
}

/// Adds what this area needs at run time; `setting` gives the value of a setting, or its default.
pub fn equip(extensions: Extensions, setting: impl Fn(&str) -> String) -> Extensions {
    extensions.with(LetterSettings::from_settings(setting))
}

/// The jobs of notifications.
pub fn jobs() -> Registry<App> {
    Registry::default()
        .on(letters::MAIL_NOTIFICATION, letters::deliver)
        .and(digests::jobs())
        .and(stale::jobs())
}
