//! What a project promised and what threatens it: baselines with what became of them, earned value, risks; the figures of a
//! program over its projects, and its gates between phases. Simulation and the dates themselves are in other areas.

mod baselines;
mod earned_value;
mod health_summary;
mod money;
mod overview;
mod phase_gates;
mod risks;
mod rollup;
mod standing;
mod working_days;

use planwright_web::Routes;

/// The routes of governance.
pub fn routes() -> Routes {
    Routes::new()
        .and(risks::routes())
        .and(baselines::routes())
        .and(rollup::table())
        .and(earned_value::table())
        .and(health_summary::table())
        .and(phase_gates::table())
        .and(overview::table())
}
