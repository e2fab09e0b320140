//! Every statement about acceptance criteria; single rows are read and written through items and edits.

use planwright_domain::ids::{CriterionId, ProjectId, TaskId};
use planwright_plan::tasks::criteria::{COLUMNS, LIVE, ShownCriterion};
use planwright_plan::tasks::model::AcceptanceCriterion;
use planwright_store::dialect::{contains, pattern};
use planwright_store::value::list;
use planwright_store::{Read, Record, Result, Sql, Tx, sql};
use planwright_web::Actor;

use super::model::CriterionRow;

/// The criteria of the tasks that the caller sees, or those of one, whose text contains another.
pub fn listed(db: &dyn Read, actor: &Actor, task: Option<TaskId>, search: Option<&str>) -> Sql {
    let named = format!("AND {}", contains(db.engine(), "c.text", "search"));
    let all = Sql::new(LIVE).when("AND c.task_id = :task", "task", task);
    actor.in_visible_projects(all.when(&named, "search", search.map(pattern)), "t.project_id")
}

/// One criterion as it is shown.
pub async fn one(db: &dyn Read, id: CriterionId) -> Result<AcceptanceCriterion> {
    let row: ShownCriterion = db.one(sql!(format!("{COLUMNS} {LIVE} AND c.id = :id"), id = id)).await?;
    Ok(row.into())
}

/// Those of some criteria that belong to live tasks of a project, locked in the order of their ids.
pub async fn locked(tx: &mut Tx, project: ProjectId, ids: Vec<CriterionId>) -> Result<Vec<CriterionRow>> {
    tx.lock_rows("acceptance_criteria", ids.iter().map(|id| id.0)).await?;
    let columns = CriterionRow::select_list("c");
    let select = format!(
        "SELECT {columns} FROM acceptance_criteria c
         JOIN tasks t ON t.id = c.task_id AND t.deletion_id IS NULL AND t.project_id = :project
         WHERE c.id IN (:ids) AND c.deletion_id IS NULL ORDER BY c.id"
    );
    tx.all(sql!(select, project = project, ids = list(ids))).await
}

/// How many criteria a task has, and the place of the last one.
pub async fn places(db: &dyn Read, task: TaskId) -> Result<(i64, Option<i64>)> {
    let select = "SELECT COUNT(*), MAX(position) FROM acceptance_criteria
         WHERE task_id = :task AND deletion_id IS NULL";
    db.one(sql!(select, task = task)).await
}
