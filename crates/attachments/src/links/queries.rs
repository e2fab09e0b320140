//! Every statement about task links; single links are read and written through items and edits.

use planwright_domain::ids::TaskId;
use planwright_store::dialect::{contains, pattern};
use planwright_store::record::select_list;
use planwright_store::{Read, Result, sql};

use super::model::LinkRow;

/// The links of a task whose titles or addresses contain the words, in the order of `keys`.
pub async fn of_task(db: &dyn Read, task: TaskId, search: Option<&str>, keys: &str) -> Result<Vec<LinkRow>> {
    let columns = select_list::<LinkRow>("l");
    let [url, title, custom] =
        ["l.url", "l.title", "l.custom_title"].map(|column| contains(db.engine(), column, "search"));
    let select =
        format!("SELECT {columns} FROM task_links l WHERE l.task_id = :task AND l.deletion_id IS NULL");
    let found = format!("AND ({url} OR {title} OR {custom})");
    let select = sql!(select, task = task).when(&found, "search", search.map(pattern));
    db.all(select.push(&format!(" ORDER BY {keys}"))).await
}

/// How many links a task has.
pub async fn count(db: &dyn Read, task: TaskId) -> Result<i64> {
    let select = "SELECT COUNT(*) FROM task_links WHERE task_id = :task AND deletion_id IS NULL";
    db.count(sql!(select, task = task)).await
}
