//! `/api/v1/task-relations/`: list, create, show, replace, update, delete.
//! Nothing is computed afterwards; both projects are told.

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::TaskId;
use planwright_domain::words::{ChangeKind, RelationKind};
use planwright_plan::cards::Cards;
use planwright_plan::containers::hold::lock_projects;
use planwright_plan::dependencies::model::LinkEnd;
use planwright_plan::dependencies::queries::ends;
use planwright_plan::tasks;
use planwright_store::history::Change;
use planwright_store::outbox::{Event, Message};
use planwright_store::{Read, Tx};
use planwright_web::document::{Describe, Describer};
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Created, Json, NoContent, Path, Query, Routes, says,
};
use serde_json::json;
use uuid::Uuid;

use super::model::*;
use super::{queries, rules};

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(
            "/api/v1/task-relations/",
            list,
            says("Cross-references between tasks of your projects, oldest first."),
        )
        .post("/api/v1/task-relations/", create, says("Relate two tasks; no date moves."))
        .get("/api/v1/task-relations/{id}/", show, says("One cross-reference."))
        .put(
            "/api/v1/task-relations/{id}/",
            replace,
            says("Write the note of a cross-reference, with all of it."),
        )
        .patch("/api/v1/task-relations/{id}/", update, says("Write the note of a cross-reference."))
        .delete("/api/v1/task-relations/{id}/", delete, says("Delete a cross-reference."))
}

/// A relation that its caller may change: the check comes before the body is read, and again under the hold.
struct Editable {
    id: Uuid,
    actor: Actor,
}

impl FromRequestParts<App> for Editable {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        let actor = Actor::from_request_parts(parts, app).await?;
        let Path(id) = Path::from_request_parts(parts, app).await?;
        let row = queries::find(&app.db, actor.id, id).await?.ok_or_else(ApiError::not_found)?;
        may_write(&app.db, &actor, row.source_id).await?;
        Ok(Self { id, actor })
    }
}

impl Describe for Editable {
    fn describe(_: &mut Describer) {}
}

async fn list(
    State(app): State<App>,
    actor: Actor,
    Query(filter): Query<RelationFilter>,
) -> ApiResult<Json<Vec<TaskRelation>>> {
    let rows = queries::visible(&app.db, actor.id, &filter).await?;
    let cards = cards_of(&app.db, &rows).await?;
    Ok(Json(rows.into_iter().map(|row| row.shown(&cards)).collect()))
}

async fn show(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<Uuid>,
) -> ApiResult<Versioned<TaskRelation>> {
    load(&app.db, &actor, id).await
}

async fn create(
    State(app): State<App>,
    actor: Actor,
    Body(request): Body<TaskRelationRequest>,
) -> ApiResult<Created<TaskRelation>> {
    let mut tx = app.db.begin().await?;
    let id = add(&mut tx, &actor, request).await?;
    let relation = load(&tx, &actor, id).await?.row;
    tx.commit().await?;
    Ok(Created(relation))
}

async fn add(tx: &mut Tx, actor: &Actor, request: TaskRelationRequest) -> ApiResult<Uuid> {
    let mut known = ends(tx, actor.id, [request.source, request.target]).await?;
    let target = known.get(&request.target).cloned();
    let (source, target) = rules::readable(known.remove(&request.source), target)?;
    may_write(tx, actor, source.id).await?;
    rules::relatable(&source, &target)?;
    // Held, so that the same relation cannot come in twice side by side.
    lock_projects(tx, vec![source.project_id, target.project_id]).await?;
    let kind = request.relation_type.given().unwrap_or(RelationKind::RelatesTo);
    if queries::exists(tx, source.id, target.id, kind).await? {
        return Err(rules::coded("duplicate_relation"));
    }
    let note = request.note.given().map(String::from).unwrap_or_default();
    let row = fresh(tx, actor, (&source, &target), kind, note);
    queries::insert(tx, &row).await?;
    write_down(tx, [&source, &target], recorded(&row, ChangeKind::Created, actor)).await?;
    Ok(row.id)
}

fn fresh(
    tx: &Tx,
    actor: &Actor,
    (source, target): (&LinkEnd, &LinkEnd),
    kind: RelationKind,
    note: String,
) -> RelationRow {
    RelationRow {
        id: tx.mint(),
        source_id: source.id,
        target_id: target.id,
        source_project_id: source.project_id,
        target_project_id: target.project_id,
        relation_type: kind,
        note,
        created_by: Some(actor.id),
        created_at: tx.now(),
        server_version: 1,
    }
}

async fn replace(
    state: State<App>,
    editable: Editable,
    expected: Precondition,
    Body(request): Body<TaskRelationRequest>,
) -> ApiResult<Versioned<TaskRelation>> {
    update(state, editable, expected, Body(request.into())).await
}

async fn update(
    State(app): State<App>,
    Editable { id, actor }: Editable,
    expected: Precondition,
    Body(request): Body<PatchedTaskRelationRequest>,
) -> ApiResult<Versioned<TaskRelation>> {
    let mut tx = app.db.begin().await?;
    let (row, source, target) = held(&mut tx, &actor, id, &expected).await?;
    let changed = rules::changed(&row, request)?;
    if changed.note != row.note {
        queries::update(&mut tx, &changed).await?;
        let mut change = recorded(&row, ChangeKind::Updated, &actor);
        change.version += 1;
        change.fields.insert("note".to_owned(), json!([row.note, changed.note]));
        write_down(&mut tx, [&source, &target], change).await?;
    }
    let relation = load(&tx, &actor, id).await?;
    tx.commit().await?;
    Ok(relation)
}

async fn delete(
    State(app): State<App>,
    Editable { id, actor }: Editable,
    expected: Precondition,
) -> ApiResult<NoContent> {
    let mut tx = app.db.begin().await?;
    let (row, source, target) = held(&mut tx, &actor, id, &expected).await?;
    let deletion =
        tx.begin_deletion("task_relation", id, Some(actor.id), Some(row.source_project_id)).await?;
    queries::delete(&mut tx, deletion, id).await?;
    let mut change = recorded(&row, ChangeKind::Deleted, &actor);
    change.version += 1;
    write_down(&mut tx, [&source, &target], change).await?;
    tx.commit().await?;
    Ok(NoContent)
}

/// A relation that the caller may write, with its ends, while nobody else writes it.
async fn held(
    tx: &mut Tx,
    actor: &Actor,
    id: Uuid,
    expected: &Precondition,
) -> ApiResult<(RelationRow, LinkEnd, LinkEnd)> {
    let row = queries::find(tx, actor.id, id).await?.ok_or_else(ApiError::not_found)?;
    may_write(tx, actor, row.source_id).await?;
    lock_projects(tx, vec![row.source_project_id, row.target_project_id]).await?;
    let row = queries::find(tx, actor.id, id).await?.ok_or_else(ApiError::not_found)?;
    expected.check(row.server_version)?;
    let mut known = ends(tx, actor.id, [row.source_id, row.target_id]).await?;
    let source = known.remove(&row.source_id).ok_or_else(ApiError::not_found)?;
    let target = known.remove(&row.target_id).ok_or_else(ApiError::not_found)?;
    Ok((row, source, target))
}

/// Refuses who may not edit the source.
async fn may_write(db: &impl Read, actor: &Actor, source: TaskId) -> ApiResult<()> {
    let refused = || ApiError::forbidden("You do not have permission to perform this action.");
    let row = tasks::queries::find(db, actor, source).await?.ok_or_else(refused)?;
    let refines = tasks::write::queries::is_product_owner(db, row.project_id, actor.id).await?;
    match tasks::rules::rights(&row, row.assignee_id == Some(actor.id), refines).edit {
        true => Ok(()),
        false => Err(refused()),
    }
}

fn recorded(row: &RelationRow, kind: ChangeKind, actor: &Actor) -> Change {
    Change {
        project: Some(row.source_project_id),
        version: row.server_version,
        ..Change::of("task_relation", row.id, kind, actor.id)
    }
}

/// Writes the history of a relation and tells the projects of both ends.
async fn write_down(tx: &mut Tx, ends: [&LinkEnd; 2], change: Change) -> ApiResult<()> {
    let event = Event::Socket(match change.kind {
        ChangeKind::Created => SocketEvent::TaskRelationCreated,
        ChangeKind::Deleted => SocketEvent::TaskRelationDeleted,
        ChangeKind::Updated | ChangeKind::Restored => SocketEvent::TaskRelationUpdated,
    });
    let [source, target] = ends;
    let places = if source.project_id == target.project_id { vec![source] } else { vec![source, target] };
    let payload = json!({ "id": change.id });
    let message = |end: &LinkEnd| Message {
        event,
        project: Some(end.project_id),
        program: end.program_id,
        payload: payload.clone().into(),
    };
    let messages = places.into_iter().map(message).collect();
    tx.record(Change { program: source.program_id, ..change }).await?;
    Ok(tx.emit_each(messages).await?)
}

async fn load(db: &impl Read, actor: &Actor, id: Uuid) -> ApiResult<Versioned<TaskRelation>> {
    let row = queries::find(db, actor.id, id).await?.ok_or_else(ApiError::not_found)?;
    let version = row.server_version;
    let cards = cards_of(db, std::slice::from_ref(&row)).await?;
    Ok(Versioned::new(version, row.shown(&cards)))
}

async fn cards_of(db: &impl Read, rows: &[RelationRow]) -> ApiResult<Cards> {
    let crossing = rows.iter().filter(|row| row.crosses());
    Ok(Cards::of(db, crossing.flat_map(|row| [row.source_id, row.target_id])).await?)
}
