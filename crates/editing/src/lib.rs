//! Ways to edit a plan beyond one task at a time, and pages about that: outline, board, trash, batches, classification,
//! relations, recurrence, slip conflicts, approval of estimates, history, the week of a person.
//! A single write of a task or link is a command of `plan`.

mod approval;
pub mod batch;
mod board;
pub mod classification;
mod duration_events;
pub mod history;
pub mod labels;
pub mod my_week;
mod my_work;
pub mod outline;
pub mod recurrence;
pub mod relations;
mod search;
pub mod slip_conflicts;
mod split;
mod trash;

use planwright_jobs::Registry;
use planwright_web::{App, Routes};

/// The routes of editing.
pub fn routes() -> Routes {
    Routes::new()
        .and(approval::table())
        .and(board::table())
        .and(trash::table())
        .and(batch::routes())
        .and(classification::routes())
        .and(outline::routes())
        .and(labels::routes())
        .and(relations::routes())
        .and(slip_conflicts::routes())
        .and(recurrence::routes())
        .and(history::routes())
        .and(duration_events::table())
        .and(my_week::routes())
        .and(my_work::table())
        .and(search::table())
        .and(split::routes::table())
}

/// The jobs of editing.
pub fn jobs() -> Registry<App> {
    recurrence::jobs()
}
