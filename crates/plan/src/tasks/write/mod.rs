//! Writing tasks: the commands that every way in shares, from one PATCH to a batch of five hundred rows.
//! Each is gathered, validated without a database, then saved; reading tasks is the business of the room above.

pub mod announce;
mod constraint;
pub mod context;
pub mod deletion;
mod deletion_plan;
pub mod deletion_queries;
mod effects;
pub mod governance;
mod locks;
pub mod many;
pub mod queries;
pub mod record;
mod references;
mod relations;
pub mod request;
mod restoration_queries;
mod routes;
mod sprint;
pub mod validate;

use futures_util::future::BoxFuture;
use planwright_domain::Role;
use planwright_domain::access::may;
use planwright_domain::events::{SocketEvent, WebhookEvent};
use planwright_domain::ids::TaskId;
use planwright_domain::words::ChangeKind;
use planwright_store::history::Change;
use planwright_store::outbox::Event;
use planwright_store::record::column;
use planwright_store::{Result, Tx};
use planwright_web::version::Precondition;
use planwright_web::{Actor, ApiError, ApiResult, Input, Partial, ProjectScope, Routes};
use serde_json::{Map, Value as Json, json};

pub use announce::{Announcer, Board};
pub use context::{RequestedWrite, WriteContext};
pub use record::TaskRecord;
pub use request::{PatchedTaskRequest, TaskRequest};
pub use validate::{PlannedWrite, validate};

use crate::containers::inheritance::in_force;
use crate::edit::Edit;
use crate::guardrails::GuardrailWarning;
use crate::outline;
use crate::schedule::PlanLock;
use crate::sprints::scope;
use crate::tasks::transitions;

/// A project whose plan the caller may write.
pub type Author = ProjectScope<may::AuthorPlan>;

/// The routes of this room.
pub fn routes() -> Routes {
    routes::table()
}

/// Creates one task.
pub async fn create(edit: &mut Edit, request: TaskRequest) -> ApiResult<(TaskId, Vec<GuardrailWarning>)> {
    let (grant, project) = (edit.grant.clone(), edit.project()?);
    let (tx, lock) = edit.plan();
    let id = request.id.as_given().copied().unwrap_or_else(|| tx.mint());
    if queries::whereabouts(tx, &[id]).await?.contains_key(&id) {
        return Err(ApiError::invalid_field("id", "It cannot be used."));
    }
    let mut fresh = TaskRecord::fresh(id, project, tx.now());
    fresh.parent_id = request.parent_id.as_given().copied().flatten();
    fresh.is_subtask = request.is_subtask.as_given() == Some(&true);
    let request = PatchedTaskRequest::from(request);
    let requested = RequestedWrite { before: &fresh, is_new: true, request: &request };
    let context = WriteContext::gather(tx, project, &grant.actor, grant.role, &[requested]).await?;
    let mut planned = validate(&context, requested)?;
    planned.after.position = queries::last_position(tx, project, planned.after.parent_id).await? + 1;
    let number = queries::reserve_short_ids(tx, project, 1).await? + 1;
    planned.after.short_id = short_id(number);
    let warnings = std::mem::take(&mut planned.warnings);
    save(tx, lock, &context, vec![planned], Board::EachRow).await?;
    Ok((id, warnings))
}

/// A row of its own kind at the top, governed and delivered as its project does; for commands that need no validation.
pub async fn by_hand(tx: &mut Tx, context: &WriteContext, fresh: TaskRecord) -> Result<TaskRecord> {
    let settings = in_force(tx, context.project.id).await?;
    let (class, mode) = validate::governed(settings.methodology, context.project.board_cadence);
    last_of(tx, TaskRecord { governance_class: class, delivery_mode: mode, ..fresh }).await
}

/// Gives a new row its number and its place as the last of its siblings.
pub async fn last_of(tx: &mut Tx, mut row: TaskRecord) -> Result<TaskRecord> {
    row.position = queries::last_position(tx, row.project_id, row.parent_id).await? + 1;
    row.short_id = short_id(queries::reserve_short_ids(tx, row.project_id, 1).await? + 1);
    Ok(row)
}

/// The number that tasks and sprints of a project share, as they show it.
pub fn short_id(number: i64) -> String {
    format!("{number:08X}")
}

/// What a change of a task brings with it.
#[derive(Debug, Default)]
pub struct Written {
    /// The fields that others changed since the caller's base and that were kept.
    pub merged: Vec<String>,
    /// What the guardrails of its sprint say.
    pub warnings: Vec<GuardrailWarning>,
}

/// Changes one task.
pub async fn update(
    edit: &mut Edit,
    before: TaskRecord,
    expected: Precondition,
    Partial { read: request, problems }: Partial<PatchedTaskRequest>,
) -> ApiResult<Written> {
    let grant = edit.grant.clone();
    let (tx, lock) = edit.plan();
    let requested = RequestedWrite { before: &before, is_new: false, request: &request };
    let context = WriteContext::gather(tx, grant.project()?, &grant.actor, grant.role, &[requested]).await?;
    if !context.may_edit(&before) {
        return Err(ApiError::forbidden("You may change the tasks that are assigned to you."));
    }
    let mut planned = match (validate(&context, requested), problems.is_empty()) {
        (planned, true) => planned?,
        (Ok(_), false) => return Err(ApiError::invalid(problems)),
        (Err(error), false) => return Err(error.and_invalid(problems)),
    };
    if let Some(parent) = request.parent_id.as_given().filter(|parent| **parent != before.parent_id) {
        outline::move_below(tx, lock, &context, &mut planned, *parent).await?;
    }
    let warnings = std::mem::take(&mut planned.warnings);
    let merged = merge(tx, &context, expected, &request, &planned).await?;
    let rows = governance::follow(tx, vec![planned]).await?;
    save(tx, lock, &context, rows, Board::EachRow).await?;
    Ok(Written { merged, warnings })
}

/// Changes fields of a task by a command that has decided by itself who may do that; all other rules of a write hold.
pub async fn change(edit: &mut Edit, before: TaskRecord, fields: Json) -> ApiResult<Vec<GuardrailWarning>> {
    let grant = edit.grant.clone();
    let (tx, lock) = edit.plan();
    change_as(tx, lock, (&grant.actor, grant.role), before, fields).await
}

/// The same for somebody who is no member, such as a machine; `role` is what it counts as.
pub async fn change_as(
    tx: &mut Tx,
    lock: &mut PlanLock,
    (actor, role): (&Actor, Role),
    before: TaskRecord,
    fields: Json,
) -> ApiResult<Vec<GuardrailWarning>> {
    let request =
        PatchedTaskRequest::read(fields.as_object().unwrap_or(&Map::new())).map_err(ApiError::invalid)?;
    let requested = RequestedWrite { before: &before, is_new: false, request: &request };
    let context = WriteContext::gather(tx, before.project_id, actor, role, &[requested]).await?;
    let mut planned = validate(&context, requested)?;
    let warnings = std::mem::take(&mut planned.warnings);
    save(tx, lock, &context, vec![planned], Board::EachRow).await?;
    Ok(warnings)
}

/// Holds a validated write against what others changed since the version it was based on: the fields of theirs that stay.
///
/// The write stands for what was sent, whatever follows from the row by itself, and for all else that it changes.
///
/// # Errors
/// 409 when both changed the same field, 412 when `If-Match` names another version.
pub async fn merge(
    tx: &Tx,
    context: &WriteContext,
    expected: Precondition,
    request: &PatchedTaskRequest,
    planned: &PlannedWrite,
) -> ApiResult<Vec<String>> {
    let expected = expected.or_base(request.base_version.as_given().copied());
    let sent = request.sent();
    let current = told(&planned.before);
    let asked = told(&planned.asked).into_iter().filter(|(field, _)| sent.contains(&field.as_str()));
    let follows = told(&planned.after).into_iter().filter(|(field, value)| current.get(field) != Some(value));
    let mut wanted: Map<String, Json> = follows.collect();
    wanted.extend(asked);
    let (id, version) = (planned.before.id.0, planned.before.server_version);
    let hide = |error: ApiError| for_eyes(&planned.before, context, error);
    expected.merge(tx, "task", id, version, &wanted, &current).await.map_err(hide)
}

/// Refuses a deletion that was based on an older version of the row.
///
/// # Errors
/// 409 when others wrote it since, 412 when `If-Match` names another version.
pub async fn nothing_unseen(
    tx: &Tx,
    context: &WriteContext,
    expected: &Precondition,
    row: &TaskRecord,
) -> ApiResult<()> {
    let hide = |error: ApiError| for_eyes(row, context, error);
    expected.nothing_unseen(tx, "task", row.id.0, row.server_version, &told(row)).await.map_err(hide)
}

/// A conflict as the caller may see it.
fn for_eyes(row: &TaskRecord, context: &WriteContext, error: ApiError) -> ApiError {
    if row.assignee_id == Some(context.caller.id) { error } else { without_reason(error) }
}

/// Why a task is blocked is for its assignee to read, in a conflict as well.
fn without_reason(error: ApiError) -> ApiError {
    let Some(Json::Object(mut shown)) = error.body().get("server_value").cloned() else { return error };
    match shown.get_mut("blocked_reason") {
        None => error,
        Some(reason) => {
            *reason = json!("");
            error.with("server_value", Json::Object(shown))
        }
    }
}

/// A row by the names of its fields on the wire.
fn told(row: &TaskRecord) -> Map<String, Json> {
    match serde_json::to_value(row) {
        Ok(Json::Object(fields)) => fields,
        _ => Map::new(),
    }
}

/// Writes what was validated, in one go: rows, allocations, events of durations, history, events. Rows that stay as they
/// are cost nothing; the ids of the others are returned.
pub fn save<'a>(
    tx: &'a mut Tx,
    lock: &'a mut PlanLock,
    context: &'a WriteContext,
    planned: Vec<PlannedWrite>,
    board: Board,
) -> BoxFuture<'a, Result<Vec<TaskId>>> {
    Box::pin(async move {
        let project = context.project.id;
        let mut rows: Vec<PlannedWrite> = planned
            .into_iter()
            .filter(|row| row.is_new || row.before != row.after || !row.owners.is_empty())
            .collect();
        for row in rows.iter_mut().filter(|row| !row.is_new) {
            row.after.server_version = row.before.server_version + 1;
            row.after.edited_at = Some(context.now);
        }
        let scope = scope::settle(tx, context, &mut rows).await?;
        let (new, changed): (Vec<&PlannedWrite>, Vec<&PlannedWrite>) =
            rows.iter().partition(|row| row.is_new);
        let number = column("change_number", lock.counter(project));
        tx.insert_each(new.into_iter().map(|row| (&row.after, number.clone())).collect()).await?;
        let moved = changed.iter().map(|row| (&row.before, &row.after));
        transitions::note(tx, project, context.caller.id, board == Board::OneForAll, moved).await?;
        tx.update_each(changed.into_iter().map(|row| (&row.after, number.clone())).collect()).await?;
        let owners: Vec<_> =
            rows.iter().flat_map(|row| row.owners.iter().map(|owner| (row.after.id, *owner))).collect();
        queries::upsert_owners(tx, project, &owners).await?;
        context.announcer(board).allocated(tx, &context.allocated, &owners).await?;
        let events: Vec<_> =
            rows.iter().filter_map(|row| Some((row.after.id, row.duration_event.clone()?))).collect();
        let by = (context.caller.id, context.caller.username.as_str());
        queries::insert_duration_events(tx, project, by, &events).await?;
        if let Some(start) = rows.iter().filter_map(|row| row.project_start).min() {
            begin_project_earlier(tx, context, start).await?;
        }
        let dated = |row: &PlannedWrite| row.is_new || row.after.schedules_otherwise(&row.before);
        if rows.iter().any(dated) {
            lock.moves_dates(project);
        } else if rows.iter().any(|row| row.after.rolls_up_otherwise(&row.before)) {
            lock.changes_rollups(project);
        }
        context.announcer(board).written(tx, &rows).await?;
        scope.write(tx, context, board).await?;
        Ok(rows.into_iter().map(|row| row.after.id).collect())
    })
}

/// Changes a task by something that a table of its own keeps, such as its labels: its version rises, and history and board
/// tell of the field.
pub async fn update_facet(
    edit: &mut Edit,
    before: &TaskRecord,
    mut after: TaskRecord,
    field: &'static str,
    [old, new]: [Json; 2],
) -> ApiResult<TaskRecord> {
    after.edited_at = Some(edit.now());
    let notes = Map::from_iter([(field.to_owned(), json!([old, new]))]);
    let row = edit.update_noting(before, after, notes).await?.row;
    tell_of_facet(edit, &row, field).await?;
    Ok(row)
}

/// Tells the board and subscriptions that something of a task has changed that a table of its own keeps.
pub async fn tell_of_facet(edit: &mut Edit, row: &TaskRecord, field: &'static str) -> Result<()> {
    let told = json!({
        "id": row.id, "changed_fields": [field], "version": row.server_version,
        "actor_id": edit.grant.actor.id, "ts": edit.now(),
    });
    edit.announce(SocketEvent::TaskUpdated, told).await?;
    let body = announce::naming(announce::webhook_body(row, &edit.grant.actor.source), &[field]);
    edit.hook(WebhookEvent::TaskUpdated, body).await
}

/// A task that is planned before its project begins takes the beginning with it.
async fn begin_project_earlier(tx: &mut Tx, context: &WriteContext, start: chrono::NaiveDate) -> Result<()> {
    let (project, program) = (context.project.id, context.project.program_id);
    queries::start_project_earlier(tx, project, start).await?;
    let version = queries::project_version(tx, project).await?;
    let fields = Map::from_iter([("start_date".to_owned(), json!([context.project.start_date, start]))]);
    let updated = Change::of("project", project, ChangeKind::Updated, context.caller.id);
    tx.record(Change { project: Some(project), program, version, fields, ..updated }).await?;
    let event = Event::Socket(SocketEvent::ProjectUpdated);
    tx.emit(event, Some(project), program, json!({ "id": project })).await
}
