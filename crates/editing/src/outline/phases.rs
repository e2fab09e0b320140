//! `/api/v1/projects/{id}/phases/`: the rows at the top of a project, as the people who run it arrange them.
//! They are ordinary rows of the plan; what they sum up is computed, and their order here is a rank of its own.

use planwright_plan::edit::{self, Edit};
use std::collections::HashMap;

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::TaskId;
use planwright_plan::schedule::PlanLock;
use planwright_plan::tasks::write::{self, Board, PlannedWrite, TaskRecord, WriteContext};
use planwright_store::{Read, Result, Tx};
use planwright_web::input::{Name, Patch};
use planwright_web::schema::JsonObject;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    ApiError, ApiResult, App, Body, Created, Grant, Item, Json, NoContent, Path, ProjectScope, Routes,
    WrittenBody, body, input, says,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::queries::{self, PhaseRow};

/// The routes of this file.
pub(super) fn table() -> Routes {
    Routes::new()
        .get("/api/v1/projects/{project_pk}/phases/", list, says("The phases of a project by their rank."))
        .post("/api/v1/projects/{project_pk}/phases/", create, says("Add a phase."))
        .patch(
            "/api/v1/projects/{id}/phases/reorder/",
            reorder,
            says("Change the order of the phases of a project."),
        )
        .get("/api/v1/projects/{project_pk}/phases/{id}/", show, says("One phase."))
        .write(
            "/api/v1/projects/{project_pk}/phases/{id}/",
            update,
            says("Replace a phase."),
            says("Change a phase."),
        )
        .delete("/api/v1/projects/{project_pk}/phases/{id}/", delete, says("Delete an empty phase."))
}

type Manager = ProjectScope<may::ManagePlan>;
type Reader = ProjectScope<may::ReadProject>;

/// A colour, such as `#00AAFF`.
type Color = Name<0, 7>;

body! {
    /// All fields of a phase.
    pub struct PhaseRequest;
    /// Some fields of a phase.
    pub struct PatchedPhaseRequest;
    required {
        /// Its name.
        name: Name<1, 512>,
    }
    optional {
        /// Its colour, such as `#00AAFF`.
        color: Option<Color>,
    }
}

input! {
    /// A phase with the version that the caller saw.
    pub struct PhaseReorderEntry {
        /// The phase.
        pub id: TaskId,
        /// The version that the caller saw.
        pub server_version: i64,
    }
}

input! {
    /// The order of phases.
    pub struct PatchedPhaseReorderRequest {
        /// The phases in their new order. Phases that are not named keep their rank.
        pub phases: Vec<PhaseReorderEntry>,
    }
}

/// The result of a reordering of phases.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PhaseReorderResponse {
    /// The number of phases with a new rank.
    pub updated: i64,
}

/// A row at the top of a project.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Phase {
    /// The row.
    pub id: TaskId,
    /// Its name.
    pub name: String,
    /// Its colour.
    pub color: Option<String>,
    /// Its rank among the phases.
    pub priority_rank: Option<i64>,
    /// Its number in the outline.
    pub wbs_path: Option<String>,
    /// The number of rows below it.
    pub task_count: i64,
    /// The version. It rises by 1 with every change.
    pub server_version: i64,
}

async fn phases(db: &dyn Read, scope_project: planwright_domain::ids::ProjectId) -> Result<Vec<Phase>> {
    let rows = queries::phases(db, scope_project).await?;
    let tree = planwright_plan::outline::queries::structure(db, scope_project).await?;
    let numbers: HashMap<TaskId, Option<String>> =
        tree.ids().zip(tree.numbers().into_iter().map(|place| place.number)).collect();
    let sizes = tree.sizes();
    let show = |row: PhaseRow| Phase {
        wbs_path: numbers.get(&row.id).cloned().flatten(),
        task_count: sizes.get(&row.id).copied().unwrap_or_default(),
        id: row.id,
        name: row.name,
        color: row.color,
        priority_rank: row.priority_rank,
        server_version: row.server_version,
    };
    let mut phases: Vec<Phase> = rows.into_iter().map(show).collect();
    // Stable, so that phases without a rank stay in the order of the outline.
    phases.sort_by_key(|phase| phase.priority_rank.unwrap_or(i64::MAX));
    Ok(phases)
}

async fn one(db: &dyn Read, grant: &Grant, id: TaskId) -> ApiResult<Phase> {
    let found = phases(db, grant.project()?).await?.into_iter().find(|phase| phase.id == id);
    found.ok_or_else(ApiError::not_found)
}

async fn list(State(app): State<App>, scope: Reader) -> ApiResult<Json<Vec<Phase>>> {
    Ok(Json(phases(&app.db, scope.project).await?))
}

async fn show(State(app): State<App>, scope: Reader, Path(id): Path<TaskId>) -> ApiResult<Versioned<Phase>> {
    let phase = one(&app.db, &scope, id).await?;
    Ok(Versioned::new(phase.server_version, phase))
}

fn color(request: &Patch<Option<Color>>, after: &mut TaskRecord) -> ApiResult<()> {
    let Patch::Set(color) = request else { return Ok(()) };
    let text = color.as_ref().map(|color| color.as_str().to_owned()).filter(|text| !text.is_empty());
    let is_hex = |text: &String| {
        text.len() == 7 && text.starts_with('#') && text[1..].bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    if text.as_ref().is_some_and(|text| !is_hex(text)) {
        return Err(ApiError::invalid_field("color", "Must be a colour such as #00AAFF."));
    }
    after.color = text;
    Ok(())
}

async fn create(
    State(app): State<App>,
    scope: Manager,
    Body(request): Body<PhaseRequest>,
) -> ApiResult<Created<Phase>> {
    let mut edit = Edit::of_plan(&app, &scope).await?;
    let context = WriteContext::bare(&edit, &edit.grant).await?;
    let ranks = phases(&edit, scope.project).await?.into_iter().filter_map(|phase| phase.priority_rank);
    let fresh = TaskRecord::fresh(edit.mint(), scope.project, edit.now());
    let mut row = write::by_hand(&mut edit, &context, fresh).await?;
    row.name = request.name.to_string();
    row.priority_rank = Some(ranks.max().unwrap_or_default() + 1);
    color(&request.color, &mut row)?;
    let id = row.id;
    let (tx, lock) = edit.plan();
    write::save(tx, lock, &context, vec![PlannedWrite::fresh(row)], Board::EachRow).await?;
    edit.recalculate().await?;
    let phase = one(&edit, &edit.grant, id).await?;
    edit.commit().await?;
    Ok(Created(phase))
}

async fn update(
    State(app): State<App>,
    item: Item<TaskRecord, may::ManagePlan>,
    expected: Precondition,
    WrittenBody(request): WrittenBody<PatchedPhaseRequest>,
) -> ApiResult<Versioned<Phase>> {
    let (mut edit, before) = edit::open_plan(&app, item, expected.clone()).await?;
    let (id, after) = (one(&edit, &edit.grant, before.id).await?.id, changed(&before, &request)?);
    let merged = merge(&edit, expected, &request, &before, &after).await?;
    let context = WriteContext::bare(&edit, &edit.grant).await?;
    let (tx, lock) = edit.plan();
    write::save(tx, lock, &context, vec![PlannedWrite::direct(before, after)], Board::EachRow).await?;
    edit.recalculate().await?;
    let phase = one(&edit, &edit.grant, id).await?;
    edit.commit().await?;
    Ok(Versioned::new(phase.server_version, phase).merged(merged))
}

/// The row with the wanted parts changed.
fn changed(before: &TaskRecord, request: &PatchedPhaseRequest) -> ApiResult<TaskRecord> {
    let mut after = before.clone();
    if let Patch::Set(name) = &request.name {
        after.name = name.to_string();
    }
    color(&request.color, &mut after)?;
    Ok(after)
}

/// The fields that others changed since the version the write was based on, and that stay.
async fn merge(
    tx: &Tx,
    expected: Precondition,
    request: &PatchedPhaseRequest,
    before: &TaskRecord,
    after: &TaskRecord,
) -> ApiResult<Vec<String>> {
    let told = |row: &TaskRecord| {
        let (name, color) = (("name".to_owned(), json!(row.name)), ("color".to_owned(), json!(row.color)));
        [(request.name.is_given(), name), (request.color.is_given(), color)]
    };
    let sent = |row: &TaskRecord| -> JsonObject {
        told(row).into_iter().filter(|(is_sent, _)| *is_sent).map(|(_, field)| field).collect()
    };
    let (wanted, current) = (sent(after), sent(before));
    expected.merge(tx, "task", before.id.0, before.server_version, &wanted, &current).await
}

async fn delete(
    State(app): State<App>,
    item: Item<TaskRecord, may::ManagePlan>,
    expected: Precondition,
) -> ApiResult<NoContent> {
    let (mut edit, row) = edit::open_plan(&app, item, expected.clone()).await?;
    if one(&edit, &edit.grant, row.id).await?.task_count > 0 {
        return Err(ApiError::bad_request("There are rows below the phase. Move or delete them first."));
    }
    let context = WriteContext::bare(&edit, &edit.grant).await?;
    write::nothing_unseen(&edit, &context, &expected, &row).await?;
    let (tx, lock) = edit.plan();
    write::deletion::delete(tx, lock, &context.announcer(Board::EachRow), &[row]).await?;
    edit.commit().await?;
    Ok(NoContent)
}

async fn reorder(
    State(app): State<App>,
    scope: Manager,
    Body(request): Body<PatchedPhaseReorderRequest>,
) -> ApiResult<Json<PhaseReorderResponse>> {
    let mut edit = Edit::of_plan(&app, &scope).await?;
    let context = WriteContext::bare(&edit, &edit.grant).await?;
    let there: HashMap<TaskId, Phase> =
        phases(&edit, scope.project).await?.into_iter().map(|phase| (phase.id, phase)).collect();
    for (at, entry) in request.phases.iter().enumerate() {
        let Some(phase) = there.get(&entry.id) else {
            let message = format!("{} is not a phase of the project.", entry.id);
            return Err(ApiError::invalid_field("phases", message));
        };
        if request.phases[..at].iter().any(|other| other.id == entry.id) {
            return Err(ApiError::invalid_field("phases", format!("{} is named twice.", entry.id)));
        }
        if phase.server_version != entry.server_version {
            let detail = format!("Somebody has changed the phase \"{}\" in the meantime.", phase.name);
            return Err(ApiError::conflict(detail).with_code("stale_phase").with("id", json!(entry.id)));
        }
    }
    let (tx, lock) = edit.plan();
    let updated = rank(tx, lock, &context, &request.phases).await?;
    edit.announce(SocketEvent::PhasesReordered, json!({})).await?;
    edit.commit().await?;
    Ok(Json(PhaseReorderResponse { updated }))
}

async fn rank(
    tx: &mut Tx,
    lock: &mut PlanLock,
    context: &WriteContext,
    order: &[PhaseReorderEntry],
) -> Result<i64> {
    let ids: Vec<TaskId> = order.iter().map(|entry| entry.id).collect();
    let records = write::queries::records(tx, &ids).await?;
    let planned = records.into_iter().map(|before| {
        let place = ids.iter().position(|id| *id == before.id).map_or(0, |at| at as i64);
        let after = TaskRecord { priority_rank: Some(place + 1), ..before.clone() };
        PlannedWrite::direct(before, after)
    });
    let changed = write::save(tx, lock, context, planned.collect(), Board::OneForAll).await?;
    Ok(i64::try_from(changed.len()).unwrap_or(i64::MAX))
}
