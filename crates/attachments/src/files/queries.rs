//! Every statement about attachments; single rows are read and written through items and edits.

use std::collections::HashSet;

use planwright_domain::ids::{AttachmentId, ProjectId, TaskId};
use planwright_store::dialect::{contains, pattern};
use planwright_store::value::list;
use planwright_store::{Read, Result, Sql, Tx, sql};

use super::model::ShownRow;

/// The columns of [`ShownRow`].
pub const COLUMNS: &str = "SELECT a.id, a.project_id, a.task_id, a.storage_key, a.file_name, a.file_size, a.file_mime,
    a.external_url, a.external_title, a.is_pinned, a.created_at, a.uploaded_by, u.username, u.first_name, u.last_name";

/// The attachments of a task whose name, title or address contains the text.
pub fn of_task(db: &dyn Read, task: TaskId, search: Option<&str>) -> Sql {
    let [name, title, url] = ["a.file_name", "a.external_title", "a.external_url"]
        .map(|column| contains(db.engine(), column, "search"));
    let found = format!("AND ({name} OR {title} OR {url})");
    sql!(
        "FROM task_attachments a JOIN users u ON u.id = a.uploaded_by
         WHERE a.task_id = :task AND a.deletion_id IS NULL",
        task = task
    )
    .when(&found, "search", search.map(pattern))
}

/// One attachment as it is shown.
pub async fn shown(db: &dyn Read, id: AttachmentId) -> Result<Option<ShownRow>> {
    let select = format!(
        "{COLUMNS} FROM task_attachments a JOIN users u ON u.id = a.uploaded_by
         WHERE a.id = :id AND a.deletion_id IS NULL"
    );
    db.maybe(sql!(select, id = id)).await
}

/// How many attachments a task has.
pub async fn count(db: &dyn Read, task: TaskId) -> Result<i64> {
    let select = "SELECT COUNT(*) FROM task_attachments WHERE task_id = :task AND deletion_id IS NULL";
    db.count(sql!(select, task = task)).await
}

/// How many bytes the files of a project have, or those of all projects. Files in the trash count.
pub async fn bytes(db: &dyn Read, project: Option<ProjectId>) -> Result<i64> {
    let select = sql!(format!(
        "SELECT CAST(COALESCE(SUM(a.file_size), 0) AS BIGINT) FROM task_attachments a WHERE {KEPT}"
    ));
    db.count(select.when("AND a.project_id = :project", "project", project)).await
}

/// Lets one file at a time into the quota of the installation, until the end of the transaction.
pub async fn lock_room(tx: &Tx) -> Result<()> {
    let select = format!("SELECT id FROM workspace WHERE id = 1 {}", tx.engine().row_lock());
    tx.count(sql!(select)).await.map(drop)
}

/// The attachments `a` that are there or come back with their task. One that was deleted by itself does not come back.
const KEPT: &str = "NOT EXISTS (SELECT 1 FROM deletions d WHERE d.id = a.deletion_id AND d.root_id = a.id)";

/// Those of some keys that an attachment has, one that comes back with its task too, or the archive of an export.
pub async fn known_keys(db: &dyn Read, keys: &[String]) -> Result<HashSet<String>> {
    let select = format!(
        "SELECT a.storage_key FROM task_attachments a WHERE a.storage_key IN (:keys) AND {KEPT}
         UNION SELECT storage_key FROM export_jobs WHERE storage_key IN (:keys)"
    );
    Ok(db.scalars(sql!(select, keys = list(keys.iter().cloned()))).await?.into_iter().collect())
}
