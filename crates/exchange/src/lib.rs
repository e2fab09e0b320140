//! Ways in and out: seed documents, the samples that ship with the product, and schedules told without a database.
//! Writing a plan is a command of `plan`, and files are read and written by `plan_files`. This area translates documents
//! into rows and back, and stores what has no table there.

pub mod bundles;
mod document_dates;
pub mod document_network;
mod failure;
pub mod interchange;
mod packed;
pub mod programs;
pub mod samples;
pub mod schedule_report;
pub mod settings;
mod stops;
pub mod templates;
mod under_way;

use planwright_jobs::Registry;
use planwright_web::{App, Routes};

pub use document_dates::computed;
pub use programs::{ImportOptions, Imported, ShowProgram, export_program, import_document};
pub use settings::ExchangeSettings;
pub use stops::Stops;
pub use under_way::JobProgress;

/// The routes of this area. The maximum size of an upload is a setting. Another area says how a program is shown.
pub fn routes<S: ShowProgram>(settings: &ExchangeSettings) -> Routes {
    programs::routes::<S>(settings)
        .and(interchange::routes(settings))
        .and(templates::routes())
        .and(bundles::routes())
}

/// The jobs of this area.
pub fn jobs() -> Registry<App> {
    programs::jobs().and(interchange::jobs()).and(templates::jobs()).and(bundles::jobs())
}
