//! Ways in and out: seed documents, the samples that ship with the product, and schedules told without a database.
//! What may be written of a plan is a command of the plan; this room reads, translates and keeps what has no table there.

pub mod programs;
pub mod samples;
pub mod schedule_report;
pub mod seed;
pub mod settings;

use planwright_jobs::Registry;
use planwright_web::{App, Routes};

pub use programs::{ImportOptions, Imported, ShowProgram, export_program, import_document};
pub use settings::ExchangeSettings;

/// The routes of this room. How large an upload may be is a setting; how a program is shown is for another room to say.
pub fn routes<S: ShowProgram>(settings: &ExchangeSettings) -> Routes {
    programs::routes::<S>(settings)
}

/// The jobs of this room.
pub fn jobs() -> Registry<App> {
    programs::jobs()
}
