//! What happens when risks are written: their tasks, their numbers, and what others are told.

use planwright_domain::events::{SocketEvent, WebhookEvent};
use planwright_domain::ids::{ProjectId, RiskId, TaskId, UserId};
use planwright_domain::words::ChangeKind;
use planwright_plan::edit::{Edit, Written};
use planwright_plan::people::members_among;
use planwright_plan::tasks::rules::short_number;
use planwright_plan::tasks::write::short_id;
use planwright_store::Read;
use planwright_store::record::column;
use planwright_web::{ApiError, ApiResult, Patch, Problems};
use serde_json::{Map, Value as Json, json};

use super::model::{PatchedRiskRequest, Risk, RiskRow};
use super::{queries, rules};

/// Adds a risk.
pub async fn create(edit: &mut Edit, request: PatchedRiskRequest) -> ApiResult<RiskId> {
    let tasks = request.tasks.as_given().map(|list| list.0.clone()).unwrap_or_default();
    may_name(edit, edit.project()?, None, &request).await?;
    let number = last_number(edit, edit.project()?).await? + 1;
    let row = fresh(edit, number, request)?;
    rules::check_delays(&row)?;
    edit.create(&row).await?;
    queries::set_tasks(edit, row.id, &tasks).await?;
    tell(edit, &rules::told(None, &row), &row).await?;
    Ok(row.id)
}

/// Adds many risks that name only tasks and members of the project. Those who look at the project are told once.
pub async fn create_all(edit: &mut Edit, requests: Vec<PatchedRiskRequest>) -> ApiResult<Vec<RiskId>> {
    if requests.is_empty() {
        return Ok(Vec::new());
    }
    let last = last_number(edit, edit.project()?).await?;
    let tasks: Vec<Vec<TaskId>> = requests
        .iter()
        .map(|request| request.tasks.as_given().map(|list| list.0.clone()))
        .map(Option::unwrap_or_default)
        .collect();
    let rows = (last + 1..).zip(requests).map(|(number, request)| fresh(edit, number, request));
    let rows: Vec<RiskRow> = rows.collect::<ApiResult<_>>()?;
    let number = edit.change_number().await?;
    edit.insert_each(rows.iter().map(|row| (row, column("change_number", number))).collect()).await?;
    let threats =
        rows.iter().zip(tasks).flat_map(|(row, tasks)| tasks.into_iter().map(move |task| (row.id, task)));
    queries::add_tasks(edit, threats).await?;
    let created = |row| edit.change(row, ChangeKind::Created).whole(row);
    let changes = rows.iter().map(created).collect();
    edit.record_each(changes).await?;
    for row in &rows {
        tell(edit, &rules::told(None, row), row).await?;
    }
    let ids: Vec<RiskId> = rows.iter().map(|row| row.id).collect();
    edit.announce(SocketEvent::RisksImported, json!({ "count": ids.len(), "ids": ids })).await?;
    Ok(ids)
}

fn fresh(edit: &Edit, number: i64, request: PatchedRiskRequest) -> ApiResult<RiskRow> {
    let (id, by, now) = (edit.mint(), edit.grant.actor.id, edit.now());
    let fresh = RiskRow::fresh(id, edit.project()?, short_id(number), by, now);
    Ok(rules::changed(&fresh, request, now))
}

/// The highest number that a risk of the project has or had.
async fn last_number(db: &dyn Read, project: ProjectId) -> ApiResult<i64> {
    let last = queries::last_short_id(db, project).await?;
    Ok(last.map_or(0, |short_id| short_number(&short_id)))
}

/// Changes a risk.
pub async fn change(
    edit: &mut Edit,
    before: &RiskRow,
    request: PatchedRiskRequest,
) -> ApiResult<Written<RiskRow>> {
    may_name(edit, before.project_id, before.owner_id, &request).await?;
    rules::check_delays(&rules::changed(before, request.clone(), edit.now()))?;
    let mut notes = Map::new();
    if let Patch::Set(wanted) = &request.tasks {
        let known: Vec<TaskId> =
            queries::threatened(edit, [before.id]).await?.into_iter().map(|(_, task)| task).collect();
        if !is_same(&known, &wanted.0) {
            queries::set_tasks(edit, before.id, &wanted.0).await?;
            notes.insert("tasks".to_owned(), Json::Array(vec![json!(known), json!(wanted.0)]));
        }
    }
    let wanted = rules::changed(before, request, edit.now());
    let written = edit.update_noting(before, wanted, notes).await?;
    if written.is_changed {
        tell(edit, &rules::told(Some(before), &written.row), &written.row).await?;
    }
    Ok(written)
}

/// A risk as it is shown.
pub async fn shown(db: &dyn Read, id: RiskId) -> ApiResult<Risk> {
    let tasks = queries::threatened(db, [id]).await?.into_iter().map(|(_, task)| task).collect();
    Ok(Risk::of(queries::one(db, id).await?, tasks))
}

fn is_same(known: &[TaskId], wanted: &[TaskId]) -> bool {
    known.len() == wanted.len() && known.iter().all(|task| wanted.contains(task))
}

/// Refuses an owner who is not in the project, unless the risk has them already, and tasks that are not in it.
async fn may_name(
    db: &dyn Read,
    project: ProjectId,
    known_owner: Option<UserId>,
    request: &PatchedRiskRequest,
) -> ApiResult<()> {
    let mut problems = Problems::default();
    if let Patch::Set(Some(owner)) = request.owner
        && known_owner != Some(owner)
        && members_among(db, project, vec![owner]).await?.is_empty()
    {
        problems.say("owner", "The owner must be a member of the project.");
    }
    if let Patch::Set(tasks) = &request.tasks
        && !tasks.0.is_empty()
    {
        let known = queries::tasks_of(db, project, &tasks.0).await?;
        let repeats = tasks.0.iter().enumerate().any(|(at, task)| tasks.0[..at].contains(task));
        if repeats {
            problems.say("tasks", "A task may be named once.");
        } else if known.len() != tasks.0.len() {
            problems.say("tasks", "Every task must be a task of this project.");
        }
    }
    match problems.is_empty() {
        true => Ok(()),
        false => Err(ApiError::invalid(problems)),
    }
}

async fn tell(edit: &mut Edit, events: &[WebhookEvent], row: &RiskRow) -> ApiResult<()> {
    let body = rules::webhook_body(row, &edit.grant.actor.source);
    for event in events {
        edit.hook(*event, body.clone()).await?;
    }
    Ok(())
}
