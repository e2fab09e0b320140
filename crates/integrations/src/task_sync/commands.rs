//! Pushing one task: found by its key under the lock of the plan, then made or changed as people would.

use planwright_domain::ids::{ProjectId, TaskId, TokenId, UserId};
use planwright_domain::words::TaskStatus;
use planwright_plan::edit::Edit;
use planwright_plan::tasks::write::{self, Author, PatchedTaskRequest, TaskRecord, TaskRequest};
use planwright_web::version::Precondition;
use planwright_web::{ApiError, ApiResult, App, Input, Partial, Problems, Scope};
use serde_json::{Map, Value as Json, json};

use super::model::{InboundTaskSyncPayloadRequest, InboundTaskSyncResult, Known, SyncedRow};
use super::queries;
use super::rules::{self, Push};

/// Makes or changes the task of a push. A task that was deleted here is made again: the other system still has it.
///
/// # Errors
/// 400 with everything that is wrong, in the words of the push.
pub(super) async fn push(
    app: &App,
    scope: Author,
    token: TokenId,
    request: InboundTaskSyncPayloadRequest,
) -> ApiResult<InboundTaskSyncResult> {
    let push = rules::checked(request)?;
    let mut grant = scope.grant();
    grant.actor.source = push.source.clone();
    let mut edit = Edit::of_plan(app, &grant).await?;
    let known = queries::known(&edit, scope.project, token, &push).await?;
    let before = match known.task_id {
        Some(task) => write::queries::record(&edit, task).await?,
        None => None,
    };
    let named = match push.email.as_deref().filter(|email| !email.is_empty()) {
        Some(email) => queries::member(&edit, scope.project, email).await?,
        None => None,
    };
    let written = written(&mut edit, &push, &known, before, named).await;
    let (task, short_id, created, assignee) = written.map_err(rules::in_its_words)?;
    let is_resolved = named.is_some() && named == assignee;
    let row = kept(&edit, scope.project, &push, &known, task, is_resolved);
    queries::keep(&mut edit, &row, known.id.is_none()).await?;
    if created && known.is_awaited {
        take_below(&mut edit, &push, task).await.map_err(rules::in_its_words)?;
    }
    edit.recalculate_within_reach("name").await?;
    edit.commit().await?;
    Ok(InboundTaskSyncResult { task_id: task, short_id, created, assignee_resolved: is_resolved })
}

type Outcome = (TaskId, String, bool, Option<UserId>);

/// Writes the task: its id, its number, whether it is new, and who does it.
async fn written(
    edit: &mut Edit,
    push: &Push,
    known: &Known,
    before: Option<TaskRecord>,
    named: Option<UserId>,
) -> ApiResult<Outcome> {
    let Some(before) = before else {
        let mut fields = rules::fields(push, &known.status_map, false, named, known.parent_task_id);
        fields.entry("name").or_insert_with(|| json!(push.external_id));
        fields.entry("status").or_insert_with(|| json!(TaskStatus::Backlog));
        fields.insert("project".to_owned(), json!(edit.project()?));
        let request = TaskRequest::read(&fields).map_err(ApiError::invalid)?;
        let (id, _) = write::create(edit, request).await?;
        let row = write::queries::record(edit, id).await?.ok_or_else(ApiError::not_found)?;
        return Ok((id, row.short_id, true, row.assignee_id));
    };
    let assignee = named.filter(|_| before.assignee_id.is_none());
    let parent = known.parent_task_id.filter(|parent| before.parent_id.is_none() && *parent != before.id);
    let fields = rules::fields(push, &known.status_map, known.is_phase, assignee, parent);
    let (id, short_id) = (before.id, before.short_id.clone());
    let assignee = before.assignee_id.or(assignee.filter(|_| !known.is_phase));
    change(edit, before, fields).await?;
    Ok((id, short_id, false, assignee))
}

async fn change(edit: &mut Edit, before: TaskRecord, fields: Map<String, Json>) -> ApiResult<()> {
    let read = PatchedTaskRequest::read(&fields).map_err(ApiError::invalid)?;
    let request = Partial { read, problems: Problems::default() };
    write::update(edit, before, Precondition::default(), request).await.map(drop)
}

/// The row of the key after a push. What the push does not say stays.
fn kept(
    edit: &Edit,
    project: ProjectId,
    push: &Push,
    known: &Known,
    task: TaskId,
    is_resolved: bool,
) -> SyncedRow {
    let now = edit.now();
    let stays =
        |told: &Option<String>, old: &Option<String>| told.clone().or(old.clone()).unwrap_or_default();
    SyncedRow {
        id: known.id.unwrap_or_else(|| edit.mint()),
        project_id: project,
        task_id: task,
        source: push.source.clone(),
        external_id: push.external_id.clone(),
        external_url: stays(&push.url, &known.external_url),
        parent_external_id: stays(&push.parent, &known.parent_external_id),
        pending_assignee: match is_resolved {
            true => String::new(),
            false => stays(&push.email, &known.pending_assignee),
        },
        pushed_by: edit.grant.actor.id,
        created_at: known.created_at.unwrap_or(now),
        synced_at: now,
    }
}

/// Takes the rows below a task that were pushed before it and waited for it.
async fn take_below(edit: &mut Edit, push: &Push, parent: TaskId) -> ApiResult<()> {
    for child in queries::waiting_for(edit, edit.project()?, push).await? {
        let Some(before) = write::queries::record(edit, child).await?.filter(|row| row.id != parent) else {
            continue;
        };
        change(edit, before, Map::from_iter([("parent_id".to_owned(), json!(parent))])).await?;
    }
    Ok(())
}
