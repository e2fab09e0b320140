//! Every statement about program backlogs; single rows are read and written through items and edits.

use planwright_domain::ids::{BacklogItemId, ProgramId, TaskId};
use planwright_domain::words::BacklogItemStatus;
use planwright_store::dialect::{contains, pattern};
use planwright_store::{Read, Record, Result, Sql, sql};
use planwright_web::{Actor, ApiError, ApiResult};

use super::model::{BacklogItem, BacklogItemFilter, BacklogItemRow, ShownItemRow};

/// The columns of an item with what is still there of its task.
pub fn columns() -> String {
    let item = BacklogItemRow::select_list("i");
    format!("SELECT t.id AS live_task_id, p.id AS project_id, p.name AS project_name, {item}")
}

/// Items with their live tasks, and with the projects of these that the caller sees: an agent only those with consent.
fn shown(actor: &Actor) -> String {
    let consent = actor.sees_projects();
    format!(
        "FROM backlog_items i
         LEFT JOIN tasks t ON t.id = i.pulled_task_id AND t.deletion_id IS NULL
         LEFT JOIN projects p ON p.id = t.project_id AND p.deletion_id IS NULL{consent} AND EXISTS (
             SELECT 1 FROM project_members m
             WHERE m.project_id = p.id AND m.user_id = :me AND m.deletion_id IS NULL)
         WHERE i.deletion_id IS NULL"
    )
}

/// An item whose task is gone is proposed again.
const STATUS: &str = "(CASE WHEN i.status = 'pulled' AND t.id IS NULL THEN 'proposed' ELSE i.status END)";

/// The items of a program that a filter and a text leave.
pub fn listed(
    db: &dyn Read,
    actor: &Actor,
    program: ProgramId,
    filter: &BacklogItemFilter,
    search: Option<&str>,
) -> ApiResult<Sql> {
    let text = |name: &str| {
        let (title, description) =
            (contains(db.engine(), "i.title", name), contains(db.engine(), "i.description", name));
        format!("AND ({title} OR {description})")
    };
    let status = filter.status.as_given().copied().unwrap_or(BacklogItemStatus::Proposed);
    let q = filter.q.as_given().map(|q| q.as_str()).filter(|q| !q.is_empty());
    let all = sql!(format!("{} AND i.program_id = :program", shown(actor)), me = actor.id, program = program)
        .push(&format!(" AND {STATUS} = :status"))
        .bind("status", status)
        .when("AND i.item_type = :item_type", "item_type", filter.item_type.as_given().copied())
        .when(&text("q"), "q", q.map(pattern))
        .when(&text("search"), "search", search.map(pattern));
    let tags = filter.tags.as_given().map(|tags| tags.as_str()).unwrap_or_default();
    tagged(db, all, tags.split(',').map(str::trim).filter(|tag| !tag.is_empty()))
}

const TAG_NAMES: [&str; 10] =
    ["tag1", "tag2", "tag3", "tag4", "tag5", "tag6", "tag7", "tag8", "tag9", "tag10"];

/// Narrows a list to items with any of some tags. Within the list that is stored, a tag stands between quotation marks.
fn tagged<'a>(db: &dyn Read, items: Sql, tags: impl Iterator<Item = &'a str>) -> ApiResult<Sql> {
    let tags: Vec<String> = tags.map(|tag| serde_json::Value::from(tag).to_string()).collect();
    if tags.len() > TAG_NAMES.len() {
        return Err(ApiError::invalid_field("tags", format!("Name at most {} tags.", TAG_NAMES.len())));
    }
    if tags.is_empty() {
        return Ok(items);
    }
    let named = || TAG_NAMES.into_iter().zip(&tags);
    let conditions: Vec<String> = named().map(|(name, _)| contains(db.engine(), "i.tags", name)).collect();
    let items = items.push(&format!(" AND ({})", conditions.join(" OR ")));
    Ok(named().fold(items, |sql, (name, tag)| sql.bind(name, pattern(tag))))
}

/// One item as the caller sees it.
pub async fn one(db: &dyn Read, actor: &Actor, id: BacklogItemId) -> Result<BacklogItem> {
    let select = format!("{} {} AND i.id = :id", columns(), shown(actor));
    let row: ShownItemRow = db.one(sql!(select, me = actor.id, id = id)).await?;
    Ok(row.into())
}

/// Whether a task is there.
pub async fn is_live(db: &dyn Read, task: Option<TaskId>) -> Result<bool> {
    let Some(task) = task else { return Ok(false) };
    let count = "SELECT COUNT(*) FROM tasks WHERE id = :id AND deletion_id IS NULL";
    Ok(db.count(sql!(count, id = task)).await? > 0)
}
