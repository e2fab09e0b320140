//! What an item of a program backlog may become: pure decisions over rows and requests.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{BacklogItemId, ProgramId, ProjectId, TaskId, UserId};
use planwright_domain::words::{BacklogItemStatus, BacklogItemType, TaskStatus, TaskType};
use planwright_web::{ApiError, ApiResult};
use serde_json::{Value as Json, json};

use super::model::{BacklogItemRow, PatchedBacklogItemRequest};

/// A new item, before anything is said of it.
pub fn fresh(id: BacklogItemId, program: ProgramId, now: DateTime<Utc>, creator: UserId) -> BacklogItemRow {
    BacklogItemRow {
        id,
        program_id: program,
        title: String::new(),
        description: String::new(),
        item_type: BacklogItemType::Story,
        status: BacklogItemStatus::Proposed,
        tags: json!([]),
        priority_rank: None,
        story_points: None,
        pulled_task_id: None,
        pulled_at: None,
        pulled_by_id: None,
        created_by_id: Some(creator),
        created_at: now,
        updated_at: now,
        server_version: 1,
    }
}

/// The row with the wanted fields changed; `is_pulled` says whether its task is there.
///
/// # Errors
/// 400 when the status does not fit: only a pull makes an item pulled, and only the end of its task ends that.
pub fn changed(
    mut row: BacklogItemRow,
    request: PatchedBacklogItemRequest,
    is_pulled: bool,
    now: DateTime<Utc>,
) -> ApiResult<BacklogItemRow> {
    let before = row.clone();
    if let Some(status) = request.status.as_given().copied() {
        match (is_pulled, status) {
            (true, BacklogItemStatus::Pulled) => {}
            (true, _) => {
                return Err(ApiError::invalid_field(
                    "status",
                    "The item is pulled as long as its task is there.",
                ));
            }
            (false, BacklogItemStatus::Pulled) => {
                return Err(ApiError::invalid_field("status", "Pull the item into a project instead."));
            }
            (false, status) => row.status = status,
        }
    }
    request.title.write_to(&mut row.title);
    request.description.write_to(&mut row.description);
    request.item_type.write_to(&mut row.item_type);
    if let Some(tags) = request.tags.as_given() {
        row.tags = json!(without_doubles(tags.0.iter().map(|tag| tag.as_str())));
    }
    if let Some(rank) = request.priority_rank.as_given() {
        row.priority_rank = rank.map(i64::from);
    }
    if let Some(points) = request.story_points.as_given() {
        row.story_points = points.map(i64::from);
    }
    if row != before {
        row.updated_at = now;
    }
    Ok(row)
}

/// Texts, each once without regard to case.
fn without_doubles<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut kept: Vec<&str> = Vec::new();
    for text in texts {
        if !kept.iter().any(|other| other.to_lowercase() == text.to_lowercase()) {
            kept.push(text);
        }
    }
    kept
}

/// The item once it has become a task.
pub fn pulled(row: &BacklogItemRow, (task, who, now): (TaskId, UserId, DateTime<Utc>)) -> BacklogItemRow {
    BacklogItemRow {
        status: BacklogItemStatus::Pulled,
        pulled_task_id: Some(task),
        pulled_at: Some(now),
        pulled_by_id: Some(who),
        updated_at: now,
        ..row.clone()
    }
}

/// Refuses to pull what is pulled or archived.
///
/// # Errors
/// 409 with a code.
pub fn may_be_pulled(row: &BacklogItemRow, is_pulled: bool) -> ApiResult<()> {
    match row.status {
        _ if is_pulled => Err(ApiError::conflict("The item was pulled before.")
            .with_code("already_pulled")
            .with("task_id", json!(row.pulled_task_id))),
        BacklogItemStatus::Archived => {
            Err(ApiError::conflict("The item is archived; propose it again first.").with_code("archived"))
        }
        _ => Ok(()),
    }
}

/// What a task of this item is created with.
pub fn task_of(row: &BacklogItemRow, project: ProjectId) -> Json {
    json!({
        "project": project, "name": row.title, "notes": row.description, "type": task_type(row.item_type),
        "status": TaskStatus::Backlog, "duration": 1, "story_points": row.story_points,
    })
}

/// The kind of task that an item becomes.
fn task_type(item: BacklogItemType) -> TaskType {
    match item {
        BacklogItemType::Epic => TaskType::Epic,
        BacklogItemType::Story => TaskType::Story,
        BacklogItemType::Feature | BacklogItemType::Task => TaskType::Task,
        BacklogItemType::Bug => TaskType::Bug,
        BacklogItemType::Spike => TaskType::Spike,
        BacklogItemType::Chore => TaskType::TechDebt,
    }
}

#[cfg(test)]
mod tests {
    use planwright_web::Input;
    use uuid::Uuid;

    use super::*;

    fn item() -> BacklogItemRow {
        fresh(Uuid::nil().into(), Uuid::nil().into(), Default::default(), Uuid::nil().into())
    }

    fn change(row: BacklogItemRow, sent: Json, is_pulled: bool) -> ApiResult<BacklogItemRow> {
        let request =
            PatchedBacklogItemRequest::read(sent.as_object().unwrap()).map_err(ApiError::invalid)?;
        changed(row, request, is_pulled, DateTime::from_timestamp(9, 0).unwrap())
    }

    #[test]
    fn an_item_is_pulled_by_a_pull_alone() {
        assert!(change(item(), json!({"status": "pulled"}), false).is_err());
        assert!(change(item(), json!({"status": "proposed"}), true).is_err());
        assert!(
            change(item(), json!({"status": "pulled", "title": "Same"}), true).is_ok(),
            "a whole row sent back"
        );
        assert!(change(item(), json!({"status": "archived"}), false).is_ok());
    }

    #[test]
    fn a_tag_is_kept_once_and_nothing_changes_without_a_change() {
        let tagged = change(item(), json!({"tags": ["Web", "web", "api"]}), false).unwrap();
        assert_eq!(tagged.tags(), ["Web", "api"]);
        let same = change(tagged.clone(), json!({"tags": ["Web", "api"]}), false).unwrap();
        assert_eq!(same.updated_at, tagged.updated_at);
    }

    #[test]
    fn an_item_is_pulled_once_until_its_task_goes() {
        let row = pulled(&item(), (Uuid::nil().into(), Uuid::nil().into(), Default::default()));
        assert!(may_be_pulled(&row, true).is_err());
        assert!(may_be_pulled(&row, false).is_ok(), "the task is gone, so it is proposed again");
        assert!(
            may_be_pulled(&BacklogItemRow { status: BacklogItemStatus::Archived, ..item() }, false).is_err()
        );
    }
}
