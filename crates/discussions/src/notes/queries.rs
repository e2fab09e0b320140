//! Every statement about notes; single notes are read and written through items and edits.

use planwright_domain::ids::{NoteId, TaskId};
use planwright_store::dialect::{contains, pattern};
use planwright_store::record::select_list;
use planwright_store::{Read, Result, Sql, sql};

use super::model::{NoteRow, ShownNoteRow};

const WITH_AUTHOR: &str = "FROM task_notes n JOIN users u ON u.id = n.author_id";

/// The columns of a note with the names of its author.
pub fn columns() -> String {
    format!("SELECT {}, u.username, u.first_name, u.last_name", select_list::<NoteRow>("n"))
}

/// The notes of a task whose text contains the words.
pub fn of_task(db: &dyn Read, task: TaskId, search: Option<&str>) -> Sql {
    let found = format!("AND {}", contains(db.engine(), "n.body", "search"));
    sql!(format!("{WITH_AUTHOR} WHERE n.task_id = :task AND n.deletion_id IS NULL"), task = task).when(
        &found,
        "search",
        search.map(pattern),
    )
}

/// How many notes a task has.
pub async fn count(db: &dyn Read, task: TaskId) -> Result<i64> {
    let select = "SELECT COUNT(*) FROM task_notes WHERE task_id = :task AND deletion_id IS NULL";
    db.count(sql!(select, task = task)).await
}

/// One note with the names of its author.
pub async fn one(db: &dyn Read, note: NoteId) -> Result<ShownNoteRow> {
    db.one(sql!(format!("{} {WITH_AUTHOR} WHERE n.id = :id", columns()), id = note)).await
}
