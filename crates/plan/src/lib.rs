//! The heart: calendars, tasks, links and the recalculation of their dates, with the commands that every way in shares.
//! Whatever changes a plan goes through here, whether it comes by REST, import, template or sync.

pub mod batch;
pub mod calendars;
pub mod cards;
pub mod classification;
pub mod containers;
pub mod dependencies;
pub mod derivation;
pub mod edit;
pub mod forecasts;
pub mod guardrails;
pub mod history;
pub mod import;
pub mod monte_carlo;
pub mod my_week;
pub mod outline;
pub mod program_schedule;
pub mod recurrence;
pub mod relations;
pub mod runs;
pub mod schedule;
pub mod settings;
pub mod slip_conflicts;
pub mod span;
pub mod tasks;

use planwright_jobs::Registry;
use planwright_web::{App, Routes};

pub use edit::Edit;
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
        .and(runs::routes())
        .and(derivation::routes())
        .and(monte_carlo::routes())
        .and(forecasts::routes())
        .and(guardrails::routes())
        .and(recurrence::routes())
        .and(history::routes())
        .and(my_week::routes())
        .and(program_schedule::routes())
}

/// The jobs of the plan.
pub fn jobs() -> Registry<App> {
    runs::jobs().and(forecasts::jobs()).and(recurrence::jobs())
}
