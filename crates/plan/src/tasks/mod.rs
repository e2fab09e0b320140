//! Tasks as people read them, at `/api/v1/tasks/`: what somebody wrote joined with what the engine computed.
//! Recalculation is in `schedule/`.

mod counts;
pub mod criteria;
pub mod decorate;
pub mod facets;
mod field_filter;
pub mod labels;
pub mod model;
pub mod of_task;
pub mod queries;
pub mod routes;
pub mod rules;
pub mod suggestions;
pub mod transitions;
pub mod write;

use planwright_web::Routes;

pub use counts::TaskCounts;

/// The condition on `tasks t`, with its `task_schedule s` where it has one, to stand on the board of `:project`: no phases and
/// no subtasks.
pub const ON_BOARD: &str = "t.project_id = :project AND t.deletion_id IS NULL AND NOT t.is_subtask AND NOT COALESCE(s.is_phase, FALSE)";

/// The routes of tasks.
pub fn routes() -> Routes {
    routes::table().and(write::routes())
}
