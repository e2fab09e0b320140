//! The acceptance criteria of tasks, as tasks show them and as their readiness depends on them.
//! They are written in the area of backlogs.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use planwright_domain::ids::{CriterionId, TaskId};
use planwright_domain::person::display_name;
use planwright_store::value::list;
use planwright_store::{Read, Result, row, sql};

use super::model::AcceptanceCriterion;

/// The criteria of a task, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Criteria {
    /// How many there are.
    pub total: i64,
    /// How many of them are met.
    pub met: i64,
}

row! {
    /// A criterion with the name of who ticked it.
    pub struct ShownCriterion {
        pub id: CriterionId,
        pub task_id: TaskId,
        pub text: String,
        pub given_text: String,
        pub when_text: String,
        pub then_text: String,
        pub met: bool,
        pub position: i64,
        pub met_at: Option<DateTime<Utc>>,
        pub server_version: i64,
        pub first_name: Option<String>,
        pub last_name: Option<String>,
        pub username: Option<String>,
    }
}

impl From<ShownCriterion> for AcceptanceCriterion {
    fn from(row: ShownCriterion) -> Self {
        let name = |username: String| {
            let (first, last) = (row.first_name.as_deref(), row.last_name.as_deref());
            display_name(first.unwrap_or_default(), last.unwrap_or_default(), &username)
        };
        Self {
            id: row.id,
            task: row.task_id,
            text: row.text,
            given: row.given_text,
            when: row.when_text,
            then: row.then_text,
            met: row.met,
            position: row.position,
            met_by_name: row.username.map(name),
            met_at: row.met_at,
            server_version: row.server_version,
        }
    }
}

/// The columns of a criterion with the name of who ticked it.
pub const COLUMNS: &str =
    "SELECT c.id, c.task_id, c.text, c.given_text, c.when_text, c.then_text, c.met, c.position,
    c.met_at, c.server_version, u.first_name, u.last_name, u.username";

/// Live criteria of live tasks.
pub const LIVE: &str = "FROM acceptance_criteria c JOIN tasks t ON t.id = c.task_id AND t.deletion_id IS NULL
    LEFT JOIN users u ON u.id = c.met_by_id WHERE c.deletion_id IS NULL";

/// The criteria of a task, in their order.
pub async fn of_task(db: &dyn Read, task: TaskId) -> Result<Vec<AcceptanceCriterion>> {
    let select = format!("{COLUMNS} {LIVE} AND c.task_id = :task ORDER BY c.position, c.id");
    let rows: Vec<ShownCriterion> = db.all(sql!(select, task = task)).await?;
    Ok(rows.into_iter().map(AcceptanceCriterion::from).collect())
}

/// The criteria of some tasks, counted; a task that has none is left out.
pub async fn counts(db: &dyn Read, tasks: &[TaskId]) -> Result<HashMap<TaskId, Criteria>> {
    if tasks.is_empty() {
        return Ok(HashMap::new());
    }
    let select = "SELECT c.task_id, COUNT(*), CAST(SUM(CASE WHEN c.met THEN 1 ELSE 0 END) AS BIGINT)
         FROM acceptance_criteria c WHERE c.task_id IN (:tasks) AND c.deletion_id IS NULL GROUP BY c.task_id";
    let rows: Vec<(TaskId, i64, i64)> = db.all(sql!(select, tasks = list(tasks.iter().copied()))).await?;
    Ok(rows.into_iter().map(|(task, total, met)| (task, Criteria { total, met })).collect())
}
