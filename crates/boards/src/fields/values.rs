//! `…/tasks/{task_pk}/field-values/{field_id}/`: what a task says in a field of its project.
//! A write is an edit of the task: its version rises, and history and board tell of it.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::custom_fields::StoredValue;
use planwright_domain::ids::{CustomFieldId, UserId};
use planwright_plan::edit::{self, Edit};
use planwright_plan::people::members_among;
use planwright_plan::tasks::write::{self, TaskRecord, WriteContext};
use planwright_store::record::find_live;
use planwright_web::version::Precondition;
use planwright_web::{
    ApiError, ApiResult, App, Body, Field, Item, Json, NoContent, Parent, Path, Routes, says,
};
use serde_json::{Value, json};

use super::model::*;
use super::queries;
use super::rules;

const VALUE: &str = "/api/v1/projects/{project_pk}/tasks/{task_pk}/field-values/{field_id}/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().put(VALUE, put, says("Write what a task says in a field.")).delete(
        VALUE,
        clear,
        says("Clear a field of a task."),
    )
}

async fn put(
    State(app): State<App>,
    Parent(item): Parent<TaskRecord, may::AuthorPlan>,
    Path(field): Path<CustomFieldId>,
    Body(request): Body<TaskCustomFieldValueWriteRequestRequest>,
) -> ApiResult<Json<TaskCustomFieldValue>> {
    let (mut edit, task, field) = opened(&app, item, field).await?;
    // Only a field for people asks who is in the project.
    let named = UserId::from_json(&request.value).ok();
    let members = members_among(&edit, task.project_id, named.into_iter().collect()).await?;
    let stored = rules::value(&field, &request.value, &members)?;
    let value = stored.value.clone();
    write_value(&mut edit, &task, &field, Some(stored)).await?;
    edit.commit().await?;
    Ok(Json(TaskCustomFieldValue { field_id: field.id, value }))
}

async fn clear(
    State(app): State<App>,
    Parent(item): Parent<TaskRecord, may::AuthorPlan>,
    Path(field): Path<CustomFieldId>,
) -> ApiResult<NoContent> {
    let (mut edit, task, field) = opened(&app, item, field).await?;
    if field.is_required && queries::said(&edit, task.id, field.id).await?.is_some() {
        return Err(ApiError::bad_request(
            "The field is required, so a task cannot say nothing in it again.",
        ));
    }
    write_value(&mut edit, &task, &field, None).await?;
    edit.commit().await?;
    Ok(NoContent)
}

/// Begins the change, when the caller may edit the task and the field is of its project.
async fn opened(
    app: &App,
    item: Item<TaskRecord, may::AuthorPlan>,
    field: CustomFieldId,
) -> ApiResult<(Edit, TaskRecord, CustomFieldRow)> {
    let (edit, task) = edit::open_plan(app, item, Precondition::default()).await?;
    let field = find_live::<CustomFieldRow>(&*edit, field.0).await?;
    let field = field.filter(|field| field.project_id == task.project_id).ok_or_else(ApiError::not_found)?;
    match WriteContext::bare(&edit, &edit.grant).await?.may_edit(&task) {
        true => Ok((edit, task, field)),
        false => Err(ApiError::forbidden("You may edit the tasks that are assigned to you.")),
    }
}

/// Writes what a task says, if it says something else already.
async fn write_value(
    edit: &mut Edit,
    task: &TaskRecord,
    field: &CustomFieldRow,
    stored: Option<StoredValue>,
) -> ApiResult<()> {
    let before = queries::said(edit, task.id, field.id).await?;
    if before.as_ref() == stored.as_ref().map(|stored| &stored.value) {
        return Ok(());
    }
    let named = |value: Option<&Value>| json!({ field.name.as_str(): value });
    let sides = [named(before.as_ref()), named(stored.as_ref().map(|stored| &stored.value))];
    match &stored {
        Some(stored) => queries::say(edit, task.id, field.id, stored).await?,
        None => queries::forget(edit, &[task.id], field.id).await?,
    }
    write::update_facet(edit, task, task.clone(), "custom_fields", sides).await?;
    Ok(())
}
