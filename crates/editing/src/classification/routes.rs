//! `/api/v1/projects/{id}/tasks/classification/`: governance and delivery of a subtree, all of it or nothing.
//! A classification that changes nothing writes nothing, and nobody hears of it.

use axum::extract::State;
use planwright_domain::ids::{OperationId, TaskId};
use planwright_domain::words::{BatchKind, DeliveryMode};
use planwright_plan::Edit;
use planwright_plan::dependencies::queries as links;
use planwright_plan::precedence::Precedence;
use planwright_plan::schedule::PlanLock;
use planwright_plan::schedule::queries::parents;
use planwright_plan::tasks::write::announce::tell_all;
use planwright_plan::tasks::write::{
    self, Author, Board, PatchedTaskRequest, PlannedWrite, RequestedWrite, WriteContext, validate,
};
use planwright_store::{Result, Tx};
use planwright_web::input::Input;
use planwright_web::schema::JsonObject;
use planwright_web::{ApiError, ApiResult, App, Body, Grant, Json, Routes, says};
use serde_json::{Value, json};

use super::model::{PatchedTaskClassificationRequest, TaskClassificationResponse};
use super::rules::{self, ClassificationChange, Classified, classify};
use crate::batch::operations::Snapshot;
use crate::batch::queries::{self as operations, OperationRow};

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().patch(
        "/api/v1/projects/{id}/tasks/classification/",
        classify_subtree,
        says("Set the governance class and the delivery mode of a subtree."),
    )
}

async fn classify_subtree(
    State(app): State<App>,
    scope: Author,
    Body(request): Body<PatchedTaskClassificationRequest>,
) -> ApiResult<Json<TaskClassificationResponse>> {
    let change = ClassificationChange::of(&request)?;
    let mut edit = Edit::of_plan(&app, &scope).await?;
    let grant = edit.grant.clone();
    let matched = resolve(&edit, &grant, &change).await?;
    let (context, done) = planned_writes(&edit, &grant, &change, &matched).await?;
    let (tx, lock) = edit.plan();
    let answer = save(tx, lock, &grant, &context, &change, done).await?;
    edit.commit().await?;
    Ok(Json(answer))
}

/// The rows that a classification is about.
async fn resolve(tx: &Tx, grant: &Grant, change: &ClassificationChange) -> ApiResult<Vec<TaskId>> {
    let project = grant.project()?;
    let outline = parents(tx, &[project]).await?;
    if !outline.iter().any(|(id, _)| *id == change.root) {
        return Err(ApiError::not_found());
    }
    let below = rules::subtree(&outline, change.root).ok_or_else(cyclic)?;
    let matched = if change.cascade { below } else { vec![change.root] };
    rules::fits(matched.len())?;
    let ties = links::holding(tx, &[project], None).await?;
    match Precedence::of(&outline, &[]).offending_edges(&ties).is_empty() {
        true => Ok(matched),
        false => Err(cyclic()),
    }
}

fn cyclic() -> ApiError {
    ApiError::bad_request("Rows or links of the project form a cycle.").with_code("cyclic_dependency")
}

/// Every row as it is to be, when the caller may edit all of them.
async fn planned_writes(
    tx: &Tx,
    grant: &Grant,
    change: &ClassificationChange,
    matched: &[TaskId],
) -> ApiResult<(WriteContext, Classified)> {
    let rows = write::queries::records(tx, matched).await?;
    let makes_milestone = change.delivery == Some(DeliveryMode::Milestone);
    let milestone = JsonObject::from_iter([("delivery_mode".to_owned(), json!(DeliveryMode::Milestone))]);
    let milestone = PatchedTaskRequest::read(&milestone).map_err(ApiError::invalid)?;
    let writes: Vec<RequestedWrite<'_>> = rows
        .iter()
        .filter(|row| makes_milestone && !row.is_milestone)
        .map(|before| RequestedWrite { before, is_new: false, request: &milestone })
        .collect();
    let context = WriteContext::gather(tx, grant.project()?, &grant.actor, grant.role, &writes).await?;
    if !rows.iter().all(|row| context.may_edit(row)) {
        return Err(ApiError::forbidden("You may not change every task of the subtree."));
    }
    let mut made = Vec::new();
    for requested in writes {
        made.push(validate(&context, requested)?);
    }
    let mut done = classify(change, rows);
    for planned in made {
        if let Some(row) = done.rows.iter_mut().find(|row| row.before.id == planned.before.id) {
            let governed = row.after.clone();
            *row = planned;
            row.after.governance_class = governed.governance_class;
            row.after.parent_governance_inherited = governed.parent_governance_inherited;
        }
    }
    Ok((context, done))
}

async fn save(
    tx: &mut Tx,
    lock: &mut PlanLock,
    grant: &Grant,
    context: &WriteContext,
    change: &ClassificationChange,
    done: Classified,
) -> Result<TaskClassificationResponse> {
    let Classified { rows, governance, delivery, skipped } = done;
    let matched = rows.len();
    let changed: Vec<PlannedWrite> = rows.into_iter().filter(|row| row.before != row.after).collect();
    let mut answer = TaskClassificationResponse {
        subtree: change.root,
        matched,
        governance,
        delivery_mode: delivery,
        skipped,
        operation_id: None,
    };
    if changed.is_empty() {
        return Ok(answer);
    }
    answer.operation_id = Some(keep(tx, grant, &answer, &changed).await?);
    let ids = write::save(tx, lock, context, changed, Board::OneForAll).await?;
    let project = grant.project()?;
    lock.moves_dates(project);
    tell_all(tx, project, grant.place.program, &ids).await?;
    Ok(answer)
}

/// Keeps what the rows were before, so that the classification can be taken back.
async fn keep(
    tx: &mut Tx,
    grant: &Grant,
    answer: &TaskClassificationResponse,
    changed: &[PlannedWrite],
) -> Result<OperationId> {
    let snapshot: JsonObject =
        changed.iter().map(|row| (row.before.id.to_string(), json!(Snapshot::of(&row.before)))).collect();
    let summary = json!({
        "matched": answer.matched,
        "changed": changed.len(),
        "governance": answer.governance,
        "delivery_mode": answer.delivery_mode,
        "skipped": answer.skipped.len(),
    });
    let fresh = OperationRow::fresh(tx, grant, Value::Object(snapshot), summary)?;
    let row = OperationRow { subtree_id: Some(answer.subtree), ..fresh };
    operations::insert(tx, BatchKind::CascadeClassification, &row).await?;
    Ok(row.id)
}
