//! The core: calendars, tasks, links and the recalculation of their dates, with the commands that several areas share.
//! Whatever changes a plan goes through here, whether it comes by REST, import, template or sync.

pub mod baseline_budgets;
pub mod baseline_events;
pub mod calendars;
pub mod cards;
pub mod containers;
pub mod deletion;
pub mod dependencies;
pub mod edit;
pub mod guardrails;
pub mod import;
pub mod mentions;
pub mod outline;
pub mod people;
pub mod precedence;
pub mod readable_history;
pub mod risks;
pub mod runs;
pub mod schedule;
pub mod settings;
pub mod span;
pub mod sprints;
pub mod standing;
pub mod tasks;

use planwright_jobs::Registry;
use planwright_web::{App, Routes};

pub use edit::Edit;
pub use runs::AfterRunByHand;
pub use settings::PlanSettings;

/// The routes of the plan.
pub fn routes() -> Routes {
    Routes::new()
        .and(calendars::routes())
        .and(tasks::routes())
        .and(dependencies::routes())
        .and(runs::routes())
        .and(guardrails::routes())
}

/// The jobs of the plan.
///
/// `after_run_by_hand` is what others do about a recalculation that a person asked for, within its transaction.
pub fn jobs(after_run_by_hand: AfterRunByHand) -> Registry<App> {
    runs::jobs(after_run_by_hand).and(standing::jobs())
}
