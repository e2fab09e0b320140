//! Programs as documents: `/api/v1/programs/import/` and its jobs, exports of programs and projects, bundled samples.
//! The document itself is of `plan_files`; writing a plan is a command of the plan.

pub(crate) mod export;
mod exports;
mod imports;
pub(crate) mod intake;
mod jobs;
mod lags;
mod leftovers;
mod library;
pub mod model;
mod overrides;
mod queries;
mod replay;
pub mod routes;
mod rules;
mod samples;

use planwright_jobs::Registry;
use planwright_web::{App, Routes};

pub use library::{ImportOptions, Imported, export_program, import_document};
pub use samples::ShowProgram;

use crate::ExchangeSettings;

/// The routes of this folder.
pub fn routes<S: ShowProgram>(settings: &ExchangeSettings) -> Routes {
    routes::table(settings).and(exports::table()).and(samples::table::<S>())
}

/// The jobs of this folder.
pub fn jobs() -> Registry<App> {
    jobs::registry()
}
