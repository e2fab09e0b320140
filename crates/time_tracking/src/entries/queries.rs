//! Every statement about time entries. Each names the person, so that nobody else's minutes are found.

use chrono::NaiveDate;
use planwright_domain::ids::{TaskId, UserId};
use planwright_store::{Read, Record, Result, sql};
use planwright_web::visible::project_is_open_to;

use super::model::{TimeEntryRow, WeekEntry};

/// A person's minutes on a task, newest first.
pub async fn on_task(db: &dyn Read, me: UserId, task: TaskId) -> Result<Vec<TimeEntryRow>> {
    let select = format!(
        "SELECT {} FROM time_entries e WHERE e.user_id = :me AND e.task_id = :task AND e.deletion_id IS NULL
         ORDER BY e.entry_date DESC, e.created_at DESC, e.id DESC",
        TimeEntryRow::select_list("e")
    );
    db.all(sql!(select, me = me, task = task)).await
}

/// What a task and its project are called, for `:me`: empty in a project that they see no more.
pub(crate) const NAMES: &str = "CASE WHEN m.id IS NULL THEN '' ELSE t.short_id END AS task_short_id,
    CASE WHEN m.id IS NULL THEN '' ELSE t.name END AS task_name, t.project_id AS project";

/// The task `:me` works on, its project, and whether they still see that.
pub(crate) fn task_seen() -> String {
    format!(
        "JOIN projects p ON p.id = t.project_id JOIN users me ON me.id = :me
         LEFT JOIN project_members m ON m.project_id = p.id AND m.user_id = me.id AND m.deletion_id IS NULL
            AND p.deletion_id IS NULL AND {}",
        project_is_open_to("me", "p")
    )
}

/// A person's minutes of some days, over all projects, newest day first.
pub async fn within(db: &dyn Read, me: UserId, from: NaiveDate, to: NaiveDate) -> Result<Vec<WeekEntry>> {
    let select = format!(
        "SELECT e.id, e.task_id AS task, {NAMES}, CASE WHEN m.id IS NULL THEN '' ELSE p.code END AS project_code,
            CASE WHEN m.id IS NULL THEN '' ELSE p.name END AS project_name, e.minutes, e.entry_date, e.note, e.source,
            e.server_version, e.created_at
         FROM time_entries e JOIN tasks t ON t.id = e.task_id {}
         WHERE e.user_id = :me AND e.deletion_id IS NULL AND e.entry_date >= :first AND e.entry_date <= :last
         ORDER BY e.entry_date DESC, e.created_at DESC, e.id DESC",
        task_seen()
    );
    db.all(sql!(select, me = me, first = from, last = to)).await
}

/// Whether a task has a child that makes it a phase.
pub async fn is_phase(db: &dyn Read, task: TaskId) -> Result<bool> {
    let children =
        "SELECT COUNT(*) FROM tasks WHERE parent_id = :task AND deletion_id IS NULL AND NOT is_subtask";
    Ok(db.count(sql!(children, task = task)).await? > 0)
}
