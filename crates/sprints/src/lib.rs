//! Sprints as people plan, run and close them, and what belongs to them.
//! The rules that hold for every write of a task in a sprint are in `plan`; what is computed from sprints is in `analysis`.

mod outcomes;
mod scope_changes;
mod sprints;
mod transitions;

use planwright_web::Routes;

/// The routes of sprints.
pub fn routes() -> Routes {
    Routes::new().and(sprints::routes()).and(transitions::routes()).and(scope_changes::routes())
}
