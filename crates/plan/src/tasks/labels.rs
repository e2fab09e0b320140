//! Labels as they are stored, and the command that puts labels on a task by their names.
//! How people keep the labels of a project is in the area of editing.

use chrono::{DateTime, Utc};
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{LabelId, ProjectId, TaskId};
use planwright_domain::words::{ChangeKind, LabelColor};
use planwright_store::{Read, Record, Result, Tx, record, sql, tracked};
use planwright_web::{ApiError, ApiResult, Resource};
use serde_json::json;

use super::facets::labels::name_key;
use super::write::{self, TaskRecord};
use crate::edit::Edit;

/// How many labels a project may have.
pub const MOST_LABELS: usize = 50;

record! {
    /// A label as it is stored.
    pub struct LabelRow in labels {
        #[serde(skip)]
        pub id: LabelId,
        #[serde(skip)]
        pub project_id: ProjectId,
        pub name: String,
        /// The name without regard to case, unique in the project.
        #[serde(skip)]
        pub name_key: String,
        pub color: LabelColor,
        pub position: i64,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! {
    LabelRow as "label" {
        fn event(kind: ChangeKind) -> Option<SocketEvent> {
            Some(match kind {
                ChangeKind::Created | ChangeKind::Restored => SocketEvent::LabelCreated,
                ChangeKind::Updated => SocketEvent::LabelUpdated,
                ChangeKind::Deleted => SocketEvent::LabelDeleted,
            })
        }
    }
}

impl Resource for LabelRow {
    type Container = ProjectId;

    fn container(&self) -> ProjectId {
        self.project_id
    }
}

/// A new label behind the others, before anything is said of it.
///
/// # Errors
/// 400 when the project has as many labels as it may have.
pub fn fresh(
    id: LabelId,
    project: ProjectId,
    now: DateTime<Utc>,
    others: &[LabelRow],
) -> ApiResult<LabelRow> {
    if others.len() >= MOST_LABELS {
        return Err(ApiError::bad_request(format!("A project has at most {MOST_LABELS} labels.")));
    }
    let last = others.iter().map(|other| other.position).max();
    Ok(LabelRow {
        id,
        project_id: project,
        name: String::new(),
        name_key: String::new(),
        color: LabelColor::Slate,
        position: last.map_or(0, |last| (last + 1).min(32_767)),
        created_at: now,
        server_version: 1,
    })
}

/// All labels of a project.
pub async fn of_project(db: &dyn Read, project: ProjectId) -> Result<Vec<LabelRow>> {
    let columns = LabelRow::select_list("l");
    let select = format!(
        "SELECT {columns} FROM labels l WHERE l.project_id = :project AND l.deletion_id IS NULL ORDER BY l.id"
    );
    db.all(sql!(select, project = project)).await
}

/// Puts a label on a task.
pub async fn attach(tx: &mut Tx, task: TaskId, label: LabelId) -> Result<()> {
    let insert = "INSERT INTO task_labels (task_id, label_id) VALUES (:task, :label)";
    tx.run(sql!(insert, task = task, label = label)).await.map(drop)
}

/// Puts labels of these names on a task that has none; those that its project does not know are made.
///
/// # Errors
/// 400 when the project would have more labels than it may have.
pub async fn put_on_new(edit: &mut Edit, task: &TaskRecord, names: &[String]) -> ApiResult<()> {
    let mut known = of_project(edit, task.project_id).await?;
    let mut on_task: Vec<LabelId> = Vec::new();
    for name in names {
        let key = name_key(name);
        let label = match known.iter().find(|label| label.name_key == key) {
            Some(label) => label.id,
            None => {
                let fresh = fresh(edit.mint(), task.project_id, edit.now(), &known)?;
                let made = LabelRow { name: name.clone(), name_key: key, ..fresh };
                edit.create(&made).await?;
                known.push(made.clone());
                made.id
            }
        };
        if !on_task.contains(&label) {
            attach(edit, task.id, label).await?;
            on_task.push(label);
        }
    }
    if !on_task.is_empty() {
        write::update_facet(edit, task, task.clone(), "labels", [json!([]), json!(on_task)]).await?;
    }
    Ok(())
}
