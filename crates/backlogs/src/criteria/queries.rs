//! Every statement about acceptance criteria; single rows are read and written through items and edits.

use planwright_domain::ids::{CriterionId, TaskId};
use planwright_plan::tasks::criteria::{COLUMNS, LIVE, ShownCriterion};
use planwright_plan::tasks::model::AcceptanceCriterion;
use planwright_store::dialect::{contains, pattern};
use planwright_store::{Read, Result, Sql, sql};
use planwright_web::Actor;

/// The criteria of the tasks that the caller sees, or those of one, whose text contains another.
pub fn listed(db: &impl Read, actor: &Actor, task: Option<TaskId>, search: Option<&str>) -> Sql {
    let named = format!("AND {}", contains(db.engine(), "c.text", "search"));
    let all = Sql::new(LIVE).when("AND c.task_id = :task", "task", task);
    actor.in_visible_projects(all.when(&named, "search", search.map(pattern)), "t.project_id")
}

/// One criterion as it is shown.
pub async fn one(db: &impl Read, id: CriterionId) -> Result<AcceptanceCriterion> {
    let row: ShownCriterion = db.one(sql!(format!("{COLUMNS} {LIVE} AND c.id = :id"), id = id)).await?;
    Ok(row.into())
}

/// How many criteria a task has, and the place of the last one.
pub async fn places(db: &impl Read, task: TaskId) -> Result<(i64, Option<i64>)> {
    let select = "SELECT COUNT(*), MAX(position) FROM acceptance_criteria
         WHERE task_id = :task AND deletion_id IS NULL";
    db.one(sql!(select, task = task)).await
}
