//! `/api/v1/task-relations/`: list, create, show, replace, update, delete.
//! Nothing is computed afterwards; both projects are told.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_plan::cards::Cards;
use planwright_plan::dependencies::model::LinkEnd;
use planwright_plan::dependencies::queries::ends;
use planwright_plan::edit::{self, Edit};
use planwright_store::Read;
use planwright_store::outbox::{Event, Message};
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Created, Item, Json, NoContent, Query, Routes, Scope as _,
    WrittenBody, says,
};
use serde_json::json;
use uuid::Uuid;

use super::model::*;
use super::scope::RelationScope;
use super::{queries, rules};

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(
            "/api/v1/task-relations/",
            list,
            says("List the relations between tasks of your projects, oldest first."),
        )
        .post("/api/v1/task-relations/", create, says("Relate two tasks. No date moves."))
        .get("/api/v1/task-relations/{id}/", show, says("Get one relation."))
        .write(
            "/api/v1/task-relations/{id}/",
            update,
            says("Write all fields of a relation."),
            says("Write the note of a relation."),
        )
        .delete("/api/v1/task-relations/{id}/", delete, says("Delete a relation."))
}

type Written = Item<RelationRow, may::AuthorPlan>;
type Editor = RelationScope<may::AuthorPlan>;

async fn list(
    State(app): State<App>,
    actor: Actor,
    Query(filter): Query<RelationFilter>,
) -> ApiResult<Json<Vec<TaskRelation>>> {
    let rows = queries::visible(&app.db, &actor, &filter).await?;
    Ok(Json(shown(&app.db, &actor, rows).await?))
}

async fn show(
    State(app): State<App>,
    item: Item<RelationRow, may::ReadProject>,
) -> ApiResult<Versioned<TaskRelation>> {
    Ok(Versioned::new(item.row.server_version, one(&app.db, item.scope.actor(), item.row).await?))
}

async fn create(
    State(app): State<App>,
    actor: Actor,
    Body(request): Body<TaskRelationRequest>,
) -> ApiResult<Created<TaskRelation>> {
    let scope = new_scope(&app, &actor, &request).await?;
    rules::relatable(&scope.source, &scope.target)?;
    let mut edit = Edit::begin(&app, &scope).await?;
    // Locked, so that the same relation cannot come in twice side by side.
    edit.lock_rows("projects", [scope.source.project_id.0, scope.target.project_id.0]).await?;
    scope.reload(&edit).await?;
    let row = RelationRow::fresh(edit.mint(), edit.now(), actor.id, request);
    if queries::exists(&edit, row.source_id, row.target_id, row.relation_type).await? {
        return Err(rules::coded("duplicate_relation"));
    }
    edit.create(&row).await?;
    announce(&mut edit, SocketEvent::TaskRelationCreated, row.id).await?;
    let relation = one(&edit, edit.scope.actor(), row).await?;
    edit.commit().await?;
    Ok(Created(relation))
}

/// The scope of a relation that is to come; what the caller cannot read is treated as what is not there.
async fn new_scope(app: &App, actor: &Actor, request: &TaskRelationRequest) -> ApiResult<Editor> {
    let mut known = ends(&app.db, actor.id, [request.source, request.target]).await?;
    let target = known.get(&request.target).cloned();
    let (source, target) = rules::readable(known.remove(&request.source), target)?;
    RelationScope::between(&app.db, actor, source, target).await
}

async fn update(
    State(app): State<App>,
    item: Written,
    expected: Precondition,
    WrittenBody(request): WrittenBody<PatchedTaskRelationRequest>,
) -> ApiResult<Versioned<TaskRelation>> {
    let (mut edit, before) = edit::open(&app, item, expected).await?;
    let written = edit.update(&before, rules::changed(&before, request)?).await?;
    if written.is_changed {
        announce(&mut edit, SocketEvent::TaskRelationUpdated, before.id).await?;
    }
    let relation = one(&edit, edit.scope.actor(), written.row.clone()).await?;
    edit.commit().await?;
    Ok(written.shown(|_| relation))
}

async fn delete(State(app): State<App>, item: Written, expected: Precondition) -> ApiResult<NoContent> {
    let (mut edit, row) = edit::open(&app, item, expected).await?;
    edit.delete(&row).await?;
    announce(&mut edit, SocketEvent::TaskRelationDeleted, row.id).await?;
    edit.commit().await?;
    Ok(NoContent)
}

/// Tells the projects of both ends.
async fn announce(edit: &mut Edit<Editor>, event: SocketEvent, relation: Uuid) -> ApiResult<()> {
    let (source, target) = (edit.scope.source.clone(), edit.scope.target.clone());
    let is_within = source.project_id == target.project_id;
    let told = if is_within { vec![source] } else { vec![source, target] };
    let message = |end: LinkEnd| Message {
        event: Event::Socket(event),
        project: Some(end.project_id),
        program: end.program_id,
        payload: json!({ "id": relation }).into(),
    };
    Ok(edit.emit_each(told.into_iter().map(message).collect()).await?)
}

async fn one(db: &impl Read, actor: &Actor, row: RelationRow) -> ApiResult<TaskRelation> {
    shown(db, actor, vec![row]).await?.pop().ok_or_else(ApiError::not_found)
}

async fn shown(db: &impl Read, actor: &Actor, rows: Vec<RelationRow>) -> ApiResult<Vec<TaskRelation>> {
    let crossing = queries::crossing(db, &rows).await?;
    let with_card = rows.iter().filter(|row| crossing.contains(&row.id));
    let cards = Cards::of(db, actor, with_card.flat_map(|row| [row.source_id, row.target_id])).await?;
    let shown = rows.into_iter().map(|row| {
        let crosses = crossing.contains(&row.id);
        row.shown(&cards, crosses)
    });
    Ok(shown.collect())
}
