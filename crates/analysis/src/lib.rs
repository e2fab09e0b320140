//! What is computed about a plan beside its dates: simulation, forecasts, why a date is what it is, the schedule of
//! a program, how much work stands below a row.
//! Nothing here writes a task or moves a date.

mod attention;
mod computed;
mod critical_paths;
pub mod derivation;
pub mod forecasts;
pub mod program_schedule;
mod schedule_health;
mod scope_rollup;
pub mod simulation;
mod sprints;

use planwright_jobs::Registry;
use planwright_web::{App, Routes};

/// The routes of analysis.
pub fn routes() -> Routes {
    Routes::new()
        .and(derivation::routes())
        .and(simulation::routes())
        .and(forecasts::routes())
        .and(program_schedule::routes())
        .and(scope_rollup::table())
        .and(schedule_health::table())
        .and(critical_paths::table())
        .and(attention::table())
        .and(sprints::routes())
}

/// The jobs of analysis.
pub fn jobs() -> Registry<App> {
    forecasts::jobs().and(simulation::jobs())
}
