//! The statements of explanations: names. The plan itself is read by `schedule/network.rs`.

use std::collections::HashMap;

use planwright_domain::ids::{ProjectId, TaskId};
use planwright_store::value::list;
use planwright_store::{Read, Result, sql};
use planwright_web::Actor;

/// The name of a live task of a project.
pub(super) async fn name(db: &dyn Read, project: ProjectId, task: TaskId) -> Result<Option<String>> {
    let select = "SELECT name FROM tasks WHERE id = :task AND project_id = :project AND deletion_id IS NULL";
    db.scalar(sql!(select, task = task, project = project)).await
}

/// The names of tasks, as far as the caller may open their projects.
pub(super) async fn readable_names(
    db: &dyn Read,
    actor: &Actor,
    tasks: &[TaskId],
) -> Result<HashMap<TaskId, String>> {
    let select =
        sql!("SELECT t.id, t.name FROM tasks t WHERE t.id IN (:tasks)", tasks = list(tasks.iter().copied()));
    let rows: Vec<(TaskId, String)> = db.all(actor.in_visible_projects(select, "t.project_id")).await?;
    Ok(rows.into_iter().collect())
}
