//! Ways in and out: seed documents, the samples that ship with the product, and schedules told without a database.
//! What may be written of a plan is a command of the plan; this room reads, translates and keeps what has no table there.

pub mod programs;
pub mod samples;
pub mod schedule_report;
pub mod seed;
pub mod settings;

use planwright_jobs::Registry;
use planwright_web::{App, Routes};

pub use programs::{ImportOptions, Imported, export_program, import_document};
pub use settings::ExchangeSettings;

/// The routes of this room; how large an upload may be is a setting.
pub fn routes(settings: &ExchangeSettings) -> Routes {
    programs::routes(settings)
}

/// The jobs of this room.
pub fn jobs() -> Registry<App> {
    programs::jobs()
}
