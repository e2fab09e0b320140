//! What became of the tasks of a sprint that is over: `/api/v1/sprints/{id}/outcome/`, the list of what is demonstrated, and
//! `/api/v1/sprint-task-outcomes/{id}/`. The rows are made when a sprint closes.

pub mod model;
pub mod rows;
