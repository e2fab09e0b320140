//! Whether a task has a recurrence rule. The area `editing` writes the rules.

use std::collections::HashMap;

use planwright_domain::ids::{RecurrenceRuleId, TaskId};
use planwright_store::value::list;
use planwright_store::{Read, Result, sql};

use super::Branch;

/// The templates among several tasks that a rule makes tasks from.
pub(super) const RULES: Branch = Branch {
    kind: "recurrence",
    of: "r.task_id",
    from: "recurrence_rules r WHERE r.task_id IN (:tasks) AND r.deletion_id IS NULL",
    ..Branch::BARE
};

/// The rules that make tasks from these templates, by template.
pub async fn rules_of(db: &dyn Read, tasks: &[TaskId]) -> Result<HashMap<TaskId, RecurrenceRuleId>> {
    let select = "SELECT task_id, id FROM recurrence_rules WHERE task_id IN (:tasks) AND deletion_id IS NULL";
    let rows: Vec<(TaskId, RecurrenceRuleId)> =
        db.all(sql!(select, tasks = list(tasks.iter().copied()))).await?;
    Ok(rows.into_iter().collect())
}
