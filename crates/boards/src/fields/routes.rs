//! The routes of custom fields.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::CustomFieldId;
use planwright_plan::edit::{self, Edit};
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    ApiError, ApiResult, App, Body, Created, Item, Json, NoContent, Paging, ProjectScope, Routes,
    WrittenBody, says,
};
use serde_json::json;

use super::model::*;
use super::rules::MOST_FIELDS;
use super::{queries, rules};

const ALL: &str = "/api/v1/projects/{project_pk}/fields/";
const ONE: &str = "/api/v1/projects/{project_pk}/fields/{id}/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("The fields that a project adds to its tasks, in their order."))
        .post(ALL, create, says("Add a field to the tasks of a project."))
        .get(ONE, show, says("One field."))
        .write(ONE, update, says("Write all of a field."), says("Write some parts of a field."))
        .delete(ONE, delete, says("Delete a field; what tasks said in it is no longer shown."))
}

type Arranged = Item<CustomFieldRow, may::ArrangeBoard>;
async fn list(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    paging: Paging,
) -> ApiResult<Json<Vec<ProjectCustomField>>> {
    let rows = queries::of_project(&app.db, scope.project, paging.search.as_deref()).await?;
    Ok(Json(rows.into_iter().map(ProjectCustomField::from).collect()))
}

async fn create(
    State(app): State<App>,
    scope: ProjectScope<may::ArrangeBoard>,
    Body(request): Body<ProjectCustomFieldRequest>,
) -> ApiResult<Created<ProjectCustomField>> {
    let mut edit = Edit::locked(&app, &scope).await?;
    let others = queries::of_project(&edit, scope.project, None).await?;
    if others.len() >= MOST_FIELDS {
        return Err(ApiError::bad_request(format!("A project has at most {MOST_FIELDS} fields.")));
    }
    let place = others.last().map_or(0, |last| (last.place + 1).min(LAST_PLACE));
    let fresh = CustomFieldRow::fresh(edit.mint(), scope.project, place, edit.now());
    let row = rules::changed(fresh, request.into(), &others, true, edit.now())?;
    edit.create(&row).await?;
    tell(&mut edit, row.id, "created").await?;
    edit.commit().await?;
    Ok(Created(row.into()))
}

async fn show(
    State(_): State<App>,
    item: Item<CustomFieldRow, may::ReadProject>,
) -> ApiResult<Versioned<ProjectCustomField>> {
    Ok(Versioned::new(item.row.server_version, item.row.into()))
}

async fn update(
    State(app): State<App>,
    item: Arranged,
    expected: Precondition,
    WrittenBody(request): WrittenBody<PatchedProjectCustomFieldRequest>,
) -> ApiResult<Versioned<ProjectCustomField>> {
    let (mut edit, before) = edit::open_within(&app, item, expected).await?;
    let others = queries::of_project(&edit, before.project_id, None).await?;
    let after = rules::changed(before.clone(), request, &others, false, edit.now())?;
    refuse_lost_choices(&edit, &before, &after).await?;
    let written = edit.update(&before, after).await?;
    tell(&mut edit, before.id, "updated").await?;
    edit.commit().await?;
    Ok(written.shown(ProjectCustomField::from))
}

async fn delete(State(app): State<App>, item: Arranged, expected: Precondition) -> ApiResult<NoContent> {
    let (mut edit, row) = edit::open_within(&app, item, expected).await?;
    edit.delete(&row).await?;
    tell(&mut edit, row.id, "deleted").await?;
    edit.commit().await?;
    Ok(NoContent)
}

/// Refuses to take away choices that tasks have made.
async fn refuse_lost_choices(edit: &Edit, before: &CustomFieldRow, after: &CustomFieldRow) -> ApiResult<()> {
    let lost = rules::lost_choices(before, after);
    if lost.is_empty() {
        return Ok(());
    }
    match queries::count_choosing(edit, before.id, &lost).await? {
        0 => Ok(()),
        count => Err(ApiError::conflict("Some tasks have chosen what would go.")
            .with_code("option_in_use")
            .with("reference_count", count)
            .with("options", json!(lost))),
    }
}

/// Tells the board of a field.
async fn tell(edit: &mut Edit, field: CustomFieldId, action: &str) -> ApiResult<()> {
    let told = json!({ "id": field, "action": action });
    Ok(edit.announce(SocketEvent::ProjectCustomFieldsUpdated, told).await?)
}
