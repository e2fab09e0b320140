//! Sprints as people plan, run and close them, and what belongs to them.
//! The rules that hold for every write of a task in a sprint are in `plan`; what is computed from sprints is in `analysis`.

mod cadence;
mod milestones;
mod order;
mod outcomes;
mod scope_changes;
mod signals;
mod sprints;
mod suggestions;
mod transitions;

use planwright_web::Routes;

/// The routes of sprints.
pub fn routes() -> Routes {
    Routes::new()
        .and(sprints::routes())
        .and(cadence::routes())
        .and(transitions::routes())
        .and(order::routes())
        .and(outcomes::routes())
        .and(milestones::routes())
        .and(signals::routes())
        .and(suggestions::routes())
        .and(scope_changes::routes())
}
