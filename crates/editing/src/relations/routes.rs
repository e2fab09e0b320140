//! `/api/v1/task-relations/`: list, create, show, replace, update, delete.
//! Nothing is computed afterwards; both projects are told.

use axum::extract::State;
use planwright_domain::access::{Action, may};
use planwright_domain::events::SocketEvent;
use planwright_plan::cards::Cards;
use planwright_plan::dependencies::model::LinkEnd;
use planwright_plan::dependencies::queries::ends;
use planwright_plan::edit::{self, Edit};
use planwright_store::Read;
use planwright_store::outbox::{Event, Message};
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Created, Item, Json, NoContent, Query, Resource, Routes,
    WrittenBody, says,
};
use serde_json::json;

use super::model::*;
use super::scope;
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
    Ok(Versioned::new(item.row.server_version, one(&app.db, &item.scope.actor, item.row).await?))
}

async fn create(
    State(app): State<App>,
    actor: Actor,
    Body(request): Body<TaskRelationRequest>,
) -> ApiResult<Created<TaskRelation>> {
    let (source, target) = new_ends(&app, &actor, &request).await?;
    let grant = scope::between(&app.db, &actor, &source, &target, Action::AuthorPlan).await?;
    rules::relatable(&source, &target)?;
    let mut edit = Edit::begin(&app, &grant).await?;
    // Locked, so that the same relation cannot come in twice side by side.
    edit.lock_rows("projects", [source.project_id.0, target.project_id.0]).await?;
    edit.recheck().await?;
    let row = RelationRow::fresh(edit.mint(), edit.now(), actor.id, request);
    if queries::exists(&edit, row.source_id, row.target_id, row.relation_type).await? {
        return Err(rules::coded("duplicate_relation"));
    }
    edit.create(&row).await?;
    announce(&mut edit, SocketEvent::TaskRelationCreated, &row).await?;
    let relation = one(&edit, &edit.grant.actor, row).await?;
    edit.commit().await?;
    Ok(Created(relation))
}

/// The tasks of a relation that is to come; what the caller cannot read is treated as what is not there.
async fn new_ends(app: &App, actor: &Actor, request: &TaskRelationRequest) -> ApiResult<(LinkEnd, LinkEnd)> {
    let mut known = ends(&app.db, actor.id, [request.source, request.target]).await?;
    let target = known.get(&request.target).cloned();
    rules::readable(known.remove(&request.source), target)
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
        announce(&mut edit, SocketEvent::TaskRelationUpdated, &before).await?;
    }
    let relation = one(&edit, &edit.grant.actor, written.row.clone()).await?;
    edit.commit().await?;
    Ok(written.shown(|_| relation))
}

async fn delete(State(app): State<App>, item: Written, expected: Precondition) -> ApiResult<NoContent> {
    let (mut edit, row) = edit::open(&app, item, expected).await?;
    edit.delete(&row).await?;
    announce(&mut edit, SocketEvent::TaskRelationDeleted, &row).await?;
    edit.commit().await?;
    Ok(NoContent)
}

/// Tells the projects of both ends.
async fn announce(edit: &mut Edit, event: SocketEvent, relation: &RelationRow) -> ApiResult<()> {
    let (source, target) = relation.container().ends(edit, &edit.grant.actor).await?;
    let is_within = source.project_id == target.project_id;
    let told = if is_within { vec![source] } else { vec![source, target] };
    let message = |end: LinkEnd| Message {
        event: Event::Socket(event),
        project: Some(end.project_id),
        program: end.program_id,
        payload: json!({ "id": relation.id }).into(),
    };
    Ok(edit.emit_each(told.into_iter().map(message).collect()).await?)
}

async fn one(db: &dyn Read, actor: &Actor, row: RelationRow) -> ApiResult<TaskRelation> {
    shown(db, actor, vec![row]).await?.pop().ok_or_else(ApiError::not_found)
}

async fn shown(db: &dyn Read, actor: &Actor, rows: Vec<RelationRow>) -> ApiResult<Vec<TaskRelation>> {
    let crossing = queries::crossing(db, &rows).await?;
    let with_card = rows.iter().filter(|row| crossing.contains(&row.id));
    let cards = Cards::of(db, actor, with_card.flat_map(|row| [row.source_id, row.target_id])).await?;
    let shown = rows.into_iter().map(|row| {
        let crosses = crossing.contains(&row.id);
        row.shown(&cards, crosses)
    });
    Ok(shown.collect())
}
