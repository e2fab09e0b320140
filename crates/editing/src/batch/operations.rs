//! Writes of many rows that can be taken back: `/api/v1/paste-many-operations/` and `/api/v1/cascade-classification-operations/`.
//! What somebody changed since stays as it is.

use planwright_plan::Edit;
use planwright_plan::import::append::{TakenBack, take_back};
use std::collections::HashMap;

use axum::extract::State;
use chrono::{DateTime, Utc};
use planwright_domain::access::may;
use planwright_domain::ids::{OperationId, ProjectId, TaskId, UserId};
use planwright_domain::words::{BatchKind, BatchStatus, DeliveryMode, GovernanceClass};
use planwright_plan::tasks::write::announce::tell_all;
use planwright_plan::tasks::write::{self, Board, PlannedWrite, TaskRecord, WriteContext};
use planwright_store::Tx;
use planwright_store::page::Key;
use planwright_web::input::Patch;
use planwright_web::{
    Actor, ApiError, ApiResult, App, Json, Page, Paging, Path, ProjectScope, Query, Routes, input, says,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::queries::{self, OperationRow};

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(
            "/api/v1/paste-many-operations/",
            pastes,
            says("List the batches that created tasks, newest first.").orderings(ORDERINGS),
        )
        .get("/api/v1/paste-many-operations/{id}/", paste, says("Get one batch that created tasks."))
        .post(
            "/api/v1/paste-many-operations/{id}/undo/",
            undo_paste,
            says("Delete the tasks that a batch created. Tasks that were changed since then stay."),
        )
        .get(
            "/api/v1/cascade-classification-operations/",
            cascades,
            says("List the classifications of subtrees, newest first.").orderings(ORDERINGS),
        )
        .get(
            "/api/v1/cascade-classification-operations/{id}/",
            cascade,
            says("Get one classification of a subtree."),
        )
        .post(
            "/api/v1/cascade-classification-operations/{id}/undo/",
            undo_cascade,
            says("Undo a classification. Tasks that were changed since then stay as they are."),
        )
}

input! {
    /// Which writes a list shows.
    pub struct OperationFilter {
        /// Writes in this project.
        pub project: Patch<ProjectId>,
    }
}

/// A batch that created tasks.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PasteManyOperation {
    /// The batch.
    pub id: OperationId,
    /// The project.
    pub project: ProjectId,
    /// Who made it.
    pub applied_by: Option<UserId>,
    /// Whether it is still applied or was undone.
    pub status: BatchStatus,
    /// The version of each new task at that time, by its id.
    pub created_task_versions: Value,
    /// How many rows had which outcome.
    pub result_summary: Value,
    /// The time at which it was created.
    pub created_at: DateTime<Utc>,
    /// The time of the undo.
    pub undone_at: Option<DateTime<Utc>>,
}

/// A classification of a subtree.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CascadeClassificationOperation {
    /// The classification.
    pub id: OperationId,
    /// The project.
    pub project: ProjectId,
    /// Who made it.
    pub applied_by: Option<UserId>,
    /// The row at the top.
    pub subtree_id: Option<TaskId>,
    /// Whether it is still applied or was undone.
    pub status: BatchStatus,
    /// The classification of each task before, and its version after, by its id.
    pub task_snapshots: Value,
    /// How many rows were written on which axis.
    pub result_summary: Value,
    /// The time at which it was created.
    pub created_at: DateTime<Utc>,
    /// The time of the undo.
    pub undone_at: Option<DateTime<Utc>>,
}

/// A batch that was undone.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PasteManyUndone {
    /// The batch.
    #[serde(flatten)]
    pub operation: PasteManyOperation,
    /// The result of the undo.
    pub undo: PasteManyUndo,
}

/// The result of an undo of a batch.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PasteManyUndo {
    /// How many of its tasks were deleted.
    pub deleted: usize,
    /// The number of tasks that stay because they were changed.
    pub kept: usize,
}

/// A classification that was undone.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CascadeClassificationUndone {
    /// The classification.
    #[serde(flatten)]
    pub operation: CascadeClassificationOperation,
    /// The result of the undo.
    pub undo: CascadeClassificationUndo,
}

/// The result of an undo of a classification.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CascadeClassificationUndo {
    /// The number of tasks that have their earlier classification again.
    pub reverted: usize,
    /// The number of tasks that stay because they were changed.
    pub kept: usize,
}

/// What a task was before its classification, and its version right after it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Snapshot {
    server_version: i64,
    governance_class: GovernanceClass,
    parent_governance_inherited: bool,
    delivery_mode: DeliveryMode,
    is_milestone: bool,
    duration: i64,
}

impl Snapshot {
    /// What a row was before it was written once.
    pub(crate) fn of(before: &TaskRecord) -> Self {
        Self {
            server_version: before.server_version + 1,
            governance_class: before.governance_class,
            parent_governance_inherited: before.parent_governance_inherited,
            delivery_mode: before.delivery_mode,
            is_milestone: before.is_milestone,
            duration: before.duration,
        }
    }

    fn restored(&self, row: &TaskRecord) -> TaskRecord {
        TaskRecord {
            governance_class: self.governance_class,
            parent_governance_inherited: self.parent_governance_inherited,
            delivery_mode: self.delivery_mode,
            is_milestone: self.is_milestone,
            duration: self.duration,
            ..row.clone()
        }
    }
}

impl From<OperationRow> for PasteManyOperation {
    fn from(row: OperationRow) -> Self {
        Self {
            id: row.id,
            project: row.project_id,
            applied_by: row.applied_by,
            status: row.status,
            created_task_versions: row.snapshot,
            result_summary: row.result_summary,
            created_at: row.created_at,
            undone_at: row.undone_at,
        }
    }
}

impl From<OperationRow> for CascadeClassificationOperation {
    fn from(row: OperationRow) -> Self {
        Self {
            id: row.id,
            project: row.project_id,
            applied_by: row.applied_by,
            subtree_id: row.subtree_id,
            status: row.status,
            task_snapshots: row.snapshot,
            result_summary: row.result_summary,
            created_at: row.created_at,
            undone_at: row.undone_at,
        }
    }
}

const ORDERINGS: planwright_web::paging::Orderings = &[("created_at", "o.created_at")];

async fn list<T: From<OperationRow>>(
    app: App,
    actor: Actor,
    paging: Paging,
    kind: BatchKind,
    filter: OperationFilter,
) -> ApiResult<Page<T>> {
    let newest_first = [Key::descending("o.created_at"), Key::descending("o.id")];
    let keys = paging.keys(ORDERINGS, &newest_first, "o.id")?;
    let from = queries::visible(&actor, kind, filter.project.given());
    paging.fetch::<OperationRow, T>(&app.db, queries::COLUMNS, from, "o.id", &keys, T::from).await
}

async fn pastes(
    State(app): State<App>,
    actor: Actor,
    paging: Paging,
    Query(filter): Query<OperationFilter>,
) -> ApiResult<Page<PasteManyOperation>> {
    list(app, actor, paging, BatchKind::PasteMany, filter).await
}

async fn cascades(
    State(app): State<App>,
    actor: Actor,
    paging: Paging,
    Query(filter): Query<OperationFilter>,
) -> ApiResult<Page<CascadeClassificationOperation>> {
    list(app, actor, paging, BatchKind::CascadeClassification, filter).await
}

async fn paste(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<OperationId>,
) -> ApiResult<Json<PasteManyOperation>> {
    let row = queries::find(&app.db, &actor, BatchKind::PasteMany, id).await?;
    row.map(|row| Json(row.into())).ok_or_else(ApiError::not_found)
}

async fn cascade(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<OperationId>,
) -> ApiResult<Json<CascadeClassificationOperation>> {
    let row = queries::find(&app.db, &actor, BatchKind::CascadeClassification, id).await?;
    row.map(|row| Json(row.into())).ok_or_else(ApiError::not_found)
}

async fn undo_paste(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<OperationId>,
) -> ApiResult<Json<PasteManyUndone>> {
    let (mut edit, operation) = open(&app, &actor, BatchKind::PasteMany, id).await?;
    let undo = delete_created(&mut edit, &operation).await?;
    edit.recalculate().await?;
    let operation = close(&mut edit, operation).await?.into();
    edit.commit().await?;
    Ok(Json(PasteManyUndone { operation, undo }))
}

async fn undo_cascade(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<OperationId>,
) -> ApiResult<Json<CascadeClassificationUndone>> {
    let (mut edit, operation) = open(&app, &actor, BatchKind::CascadeClassification, id).await?;
    let undo = revert(&mut edit, &operation).await?;
    edit.recalculate().await?;
    let operation = close(&mut edit, operation).await?.into();
    edit.commit().await?;
    Ok(Json(CascadeClassificationUndone { operation, undo }))
}

type Manager = ProjectScope<may::ManagePlan>;

/// A write that still stands, with the plan locked for those who manage it.
async fn open(app: &App, actor: &Actor, kind: BatchKind, id: OperationId) -> ApiResult<(Edit, OperationRow)> {
    let found = queries::find(&app.db, actor, kind, id).await?.ok_or_else(ApiError::not_found)?;
    let scope = Manager::of(&app.db, actor, found.project_id).await?;
    let edit = Edit::of_plan(app, &scope).await?;
    let row = queries::find(&edit, actor, kind, id).await?.ok_or_else(ApiError::not_found)?;
    match row.status {
        BatchStatus::Active => Ok((edit, row)),
        BatchStatus::Undone => {
            Err(ApiError::bad_request("It was already undone.").with_code("already_undone"))
        }
    }
}

async fn close(tx: &mut Tx, row: OperationRow) -> ApiResult<OperationRow> {
    queries::close(tx, row.id).await?;
    Ok(OperationRow { status: BatchStatus::Undone, undone_at: Some(tx.now()), ..row })
}

/// The rows that a write kept something about and that are still there, each with what was kept.
async fn kept<T: for<'de> Deserialize<'de>>(
    tx: &Tx,
    operation: &OperationRow,
) -> ApiResult<Vec<(TaskRecord, T)>> {
    let snapshot: HashMap<TaskId, T> =
        serde_json::from_value(operation.snapshot.clone()).map_err(anyhow::Error::from)?;
    let mut snapshot = snapshot;
    let mut ids: Vec<TaskId> = snapshot.keys().copied().collect();
    ids.sort_unstable();
    let rows = write::queries::records(tx, &ids).await?;
    Ok(rows.into_iter().filter_map(|row| snapshot.remove(&row.id).map(|kept| (row, kept))).collect())
}

async fn delete_created(edit: &mut Edit, operation: &OperationRow) -> ApiResult<PasteManyUndo> {
    let versions = serde_json::from_value(operation.snapshot.clone()).map_err(anyhow::Error::from)?;
    let TakenBack { deleted, kept } = take_back(edit, &versions).await?;
    Ok(PasteManyUndo { deleted, kept })
}

async fn revert(edit: &mut Edit, operation: &OperationRow) -> ApiResult<CascadeClassificationUndo> {
    let rows = kept::<Snapshot>(edit, operation).await?;
    let there = rows.len();
    let planned: Vec<PlannedWrite> = rows
        .into_iter()
        .filter(|(row, was)| row.server_version == was.server_version)
        .map(|(row, was)| {
            let after = was.restored(&row);
            PlannedWrite::direct(row, after)
        })
        .collect();
    let reverted = planned.len();
    let context = WriteContext::bare(edit, &edit.grant).await?;
    let (tx, lock) = edit.plan();
    let changed = write::save(tx, lock, &context, planned, Board::OneForAll).await?;
    if !changed.is_empty() {
        lock.moves_dates(context.project.id);
    }
    tell_all(tx, context.project.id, context.project.program_id, &changed).await?;
    Ok(CascadeClassificationUndo { reverted, kept: there - reverted })
}
