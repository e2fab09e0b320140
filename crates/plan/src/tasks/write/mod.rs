//! Writing tasks: the commands that every way in shares, from one PATCH to a batch of five hundred rows.
//! Each is gathered, judged without a database, then saved; reading tasks is the business of the room above.

pub mod deletion;
mod deletion_plan;
pub mod deletion_queries;
mod effects;
pub mod governance;
pub mod judge;
pub mod known;
mod locks;
pub mod queries;
pub mod record;
mod references;
pub mod request;
mod restoration_queries;
mod routes;
mod sprint;
pub mod tell;

use planwright_domain::access::{May, may};
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{ProjectId, TaskId};
use planwright_domain::words::ChangeKind;
use planwright_store::history::Change;
use planwright_store::outbox::Event;
use planwright_store::{Result, Tx};
use planwright_web::version::Precondition;
use planwright_web::{Actor, ApiError, ApiResult, Partly, ProjectScope, Routes};
use serde_json::{Map, Value as Json, json};

pub use judge::{Judged, judge};
pub use known::{Known, Proposed};
pub use record::TaskRecord;
pub use request::{PatchedTaskRequest, TaskRequest};
pub use tell::{Board, Telling};

use crate::guardrails::GuardrailWarning;
use crate::schedule::Turn;
use crate::shells::inheritance::in_force;

/// A project whose plan the caller may write.
pub type Author = ProjectScope<may::AuthorPlan>;

/// The routes of this room.
pub fn routes() -> Routes {
    routes::table()
}

/// A project held for writing its plan, when the caller may; 404 when they do not see it.
pub async fn take_turn(tx: &mut Tx, actor: &Actor, project: ProjectId) -> ApiResult<(Author, Turn)> {
    hold(tx, &Author::of(tx, actor, project).await?).await
}

/// Takes a turn at the project of a scope, and gives the scope as it is under the hold: a rank that was read before may be
/// another one by now.
pub async fn hold<A: May>(tx: &mut Tx, scope: &ProjectScope<A>) -> ApiResult<(ProjectScope<A>, Turn)> {
    let turn = Turn::take(tx, scope.project).await?;
    Ok((ProjectScope::of(tx, &scope.actor, scope.project).await?, turn))
}

/// The same for the project of a task, with the task as it stands under the hold.
pub async fn open(tx: &mut Tx, actor: &Actor, task: TaskId) -> ApiResult<(Author, Turn, TaskRecord)> {
    let found = queries::record(tx, task).await?.ok_or_else(ApiError::not_found)?;
    let (scope, turn) = take_turn(tx, actor, found.project_id).await?;
    let record = queries::record(tx, task).await?.ok_or_else(ApiError::not_found)?;
    Ok((scope, turn, record))
}

/// Creates one task.
pub async fn create(
    tx: &mut Tx,
    turn: &mut Turn,
    scope: &Author,
    wish: TaskRequest,
) -> ApiResult<(TaskId, Vec<GuardrailWarning>)> {
    let id = wish.id.as_given().copied().unwrap_or_else(|| tx.mint());
    if queries::whereabouts(tx, &[id]).await?.contains_key(&id) {
        return Err(ApiError::invalid_field("id", "It cannot be used."));
    }
    let mut fresh = TaskRecord::fresh(id, scope.project, tx.now());
    fresh.parent_id = wish.parent_id.as_given().copied().flatten();
    fresh.is_subtask = wish.is_subtask.as_given() == Some(&true);
    let wish = PatchedTaskRequest::from(wish);
    let proposed = Proposed { before: &fresh, is_new: true, wish: &wish };
    let known = Known::gather(tx, scope.project, &scope.actor, scope.role, &[proposed]).await?;
    let mut judged = judge(&known, proposed)?;
    judged.after.position = queries::last_position(tx, scope.project, judged.after.parent_id).await? + 1;
    let number = queries::reserve_short_ids(tx, scope.project, 1).await? + 1;
    judged.after.short_id = short_id(number);
    let warnings = std::mem::take(&mut judged.warnings);
    save(tx, turn, &known, vec![judged], Board::EachRow).await?;
    Ok((id, warnings))
}

/// A row of its own kind at the top, governed and delivered as its project does; for commands that need no judgement.
pub async fn by_hand(tx: &mut Tx, known: &Known, fresh: TaskRecord) -> Result<TaskRecord> {
    let settings = in_force(tx, known.project.id).await?;
    let (class, mode) = judge::governed(settings.methodology, known.project.board_cadence);
    at_the_end(tx, TaskRecord { governance_class: class, delivery_mode: mode, ..fresh }).await
}

/// Gives a new row its number and its place as the last of its siblings.
async fn at_the_end(tx: &mut Tx, mut row: TaskRecord) -> Result<TaskRecord> {
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
    tx: &mut Tx,
    turn: &mut Turn,
    scope: &Author,
    before: TaskRecord,
    expected: Precondition,
    Partly { read: wish, problems }: Partly<PatchedTaskRequest>,
) -> ApiResult<Written> {
    let proposed = Proposed { before: &before, is_new: false, wish: &wish };
    let known = Known::gather(tx, scope.project, &scope.actor, scope.role, &[proposed]).await?;
    if !known.may_edit(&before) {
        return Err(ApiError::forbidden("You may change the tasks that are assigned to you."));
    }
    let mut judged = match (judge(&known, proposed), problems.is_empty()) {
        (judged, true) => judged?,
        (Ok(_), false) => return Err(ApiError::invalid(problems)),
        (Err(error), false) => return Err(error.and_invalid(problems)),
    };
    let warnings = std::mem::take(&mut judged.warnings);
    let merged = merge(tx, &known, expected, &wish, &judged).await?;
    let rows = governance::follow(tx, vec![judged]).await?;
    save(tx, turn, &known, rows, Board::EachRow).await?;
    Ok(Written { merged, warnings })
}

/// Holds a judged write against what others changed since the version it was based on: the fields of theirs that stay.
///
/// The write stands for what was sent, whatever follows from the row by itself, and for all else that it changes.
///
/// # Errors
/// 409 when both changed the same field, 412 when `If-Match` names another version.
pub async fn merge(
    tx: &Tx,
    known: &Known,
    expected: Precondition,
    wish: &PatchedTaskRequest,
    judged: &Judged,
) -> ApiResult<Vec<String>> {
    let expected = expected.or_base(wish.base_version.as_given().copied());
    let sent = wish.sent();
    let current = told(&judged.before);
    let asked = told(&judged.asked).into_iter().filter(|(field, _)| sent.contains(&field.as_str()));
    let follows = told(&judged.after).into_iter().filter(|(field, value)| current.get(field) != Some(value));
    let mut wanted: Map<String, Json> = follows.collect();
    wanted.extend(asked);
    let (id, version) = (judged.before.id.0, judged.before.server_version);
    let hide = |error: ApiError| for_eyes(&judged.before, known, error);
    expected.merge(tx, "task", id, version, &wanted, &current).await.map_err(hide)
}

/// Refuses a deletion that was based on an older version of the row.
///
/// # Errors
/// 409 when others wrote it since, 412 when `If-Match` names another version.
pub async fn nothing_unseen(
    tx: &Tx,
    known: &Known,
    expected: &Precondition,
    row: &TaskRecord,
) -> ApiResult<()> {
    let hide = |error: ApiError| for_eyes(row, known, error);
    expected.nothing_unseen(tx, "task", row.id.0, row.server_version, &told(row)).await.map_err(hide)
}

/// A conflict as the caller may see it.
fn for_eyes(row: &TaskRecord, known: &Known, error: ApiError) -> ApiError {
    if row.assignee_id == Some(known.caller.id) { error } else { without_reason(error) }
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

/// Writes what was judged, in one go: rows, allocations, events of durations, history, events. Rows that stay as they
/// are cost nothing; the ids of the others are returned.
pub async fn save(
    tx: &mut Tx,
    turn: &mut Turn,
    known: &Known,
    judged: Vec<Judged>,
    board: Board,
) -> Result<Vec<TaskId>> {
    let project = known.project.id;
    let mut rows: Vec<Judged> = judged
        .into_iter()
        .filter(|row| row.is_new || row.before != row.after || !row.owners.is_empty())
        .collect();
    for row in rows.iter_mut().filter(|row| !row.is_new) {
        row.after.server_version = row.before.server_version + 1;
        row.after.edited_at = Some(known.now);
    }
    let (new, changed): (Vec<&Judged>, Vec<&Judged>) = rows.iter().partition(|row| row.is_new);
    queries::insert(tx, turn, &new.iter().map(|row| &row.after).collect::<Vec<_>>()).await?;
    queries::update(tx, turn, &changed.iter().map(|row| &row.after).collect::<Vec<_>>()).await?;
    let owners: Vec<_> =
        rows.iter().flat_map(|row| row.owners.iter().map(|owner| (row.after.id, *owner))).collect();
    queries::upsert_owners(tx, &owners).await?;
    known.telling(board).allocated(tx, &known.allocated, &owners).await?;
    let events: Vec<_> =
        rows.iter().filter_map(|row| Some((row.after.id, row.duration_event.clone()?))).collect();
    let by = (known.caller.id, known.caller.username.as_str());
    queries::insert_duration_events(tx, project, by, &events).await?;
    if let Some(start) = rows.iter().filter_map(|row| row.project_start).min() {
        begin_project_earlier(tx, known, start).await?;
    }
    let dated = |row: &Judged| row.is_new || row.after.schedules_otherwise(&row.before);
    if rows.iter().any(dated) {
        turn.moves_dates(project);
    } else if rows.iter().any(|row| row.after.rolls_up_otherwise(&row.before)) {
        turn.changes_rollups(project);
    }
    known.telling(board).written(tx, &rows).await?;
    Ok(rows.into_iter().map(|row| row.after.id).collect())
}

/// A task that is planned before its project begins takes the beginning with it.
async fn begin_project_earlier(tx: &mut Tx, known: &Known, start: chrono::NaiveDate) -> Result<()> {
    let (project, program) = (known.project.id, known.project.program_id);
    queries::start_project_earlier(tx, project, start).await?;
    let version = queries::project_version(tx, project).await?;
    let fields = Map::from_iter([("start_date".to_owned(), json!([known.project.start_date, start]))]);
    let updated = Change::of("project", project, ChangeKind::Updated, known.caller.id);
    tx.record(Change { project: Some(project), program, version, fields, ..updated }).await?;
    let event = Event::Socket(SocketEvent::ProjectUpdated);
    tx.emit(event, Some(project), program, json!({ "id": project })).await
}
