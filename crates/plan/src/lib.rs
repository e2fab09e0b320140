//! The heart: calendars, tasks, links and the recalculation of their dates, with the commands that every way in shares.
//! Whatever changes a plan goes through here, whether it comes by REST, import, template or sync.

pub mod batch;
pub mod calendars;
pub mod cards;
pub mod classification;
pub mod dependencies;
pub mod import;
pub mod monte_carlo;
pub mod outline;
pub mod program_schedule;
pub mod relations;
pub mod schedule;
pub mod settings;
pub mod shells;
pub mod slip_conflicts;
pub mod tasks;

use planwright_jobs::Registry;
use planwright_web::{App, Routes};

pub use settings::PlanSettings;

/// The routes of the plan.
pub fn routes() -> Routes {
    Routes::new()
        .and(calendars::routes())
        .and(tasks::routes())
        .and(batch::routes())
        .and(classification::routes())
        .and(outline::routes())
        .and(dependencies::routes())
        .and(relations::routes())
        .and(slip_conflicts::routes())
        .and(schedule::routes())
        .and(monte_carlo::routes())
        .and(program_schedule::routes())
}

/// The jobs of the plan.
pub fn jobs() -> Registry<App> {
    schedule::jobs()
}
