//! `POST /api/v1/projects/{id}/sync/`: what a client changed while it was offline, as one batch with one transaction. A
//! batch that comes again gets the answer of the first time.

mod batches;
mod model;
mod queries;
mod rules;

use std::collections::HashMap;

use axum::extract::State;
use planwright_domain::ids::TaskId;
use planwright_plan::Edit;
use planwright_plan::span::Reach;
use planwright_plan::tasks::write::announce::tell_all;
use planwright_plan::tasks::write::{Author, many};
use planwright_web::limits::Limit;
use planwright_web::{ApiResult, App, Body, Json, Replayable, Routes, says};
use uuid::Uuid;

use crate::project;
use crate::watermarks::Reading;
use batches::{Batch, Reserved};
use model::{SyncUploadRequestRequest, SyncUploadResponse};

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().post(
        "/api/v1/projects/{id}/sync/",
        push,
        says("Send what a client changed while it was offline.")
            .limit(Limit::SyncUploadProject)
            .limit(Limit::SyncUpload),
    )
}

async fn push(
    State(app): State<App>,
    scope: Author,
    Body(request): Body<SyncUploadRequestRequest>,
) -> ApiResult<Replayable<Json<SyncUploadResponse>>> {
    let operations = rules::operations(&request)?;
    let (user, project) = (scope.actor.id, scope.project);
    let batch = match batches::reserve(&app, user, project, request.client_batch_id).await? {
        Reserved::Known(answer) => return Ok(Replayable { answer: Json(answer), is_replay: true }),
        Reserved::Fresh(batch) => batch,
    };
    let answer = write(&app, &scope, &batch, &request, operations).await;
    if answer.is_err() {
        batches::release(&app, &batch).await;
    }
    answer.map(|answer| Replayable { answer: Json(answer), is_replay: false })
}

/// Writes the rows of a batch, recalculates once, and keeps the answer, all in one transaction.
async fn write(
    app: &App,
    scope: &Author,
    batch: &Batch,
    request: &SyncUploadRequestRequest,
    mut operations: rules::Operations,
) -> ApiResult<SyncUploadResponse> {
    let since = request.last_pulled_at.as_given().map_or(0, |number| i64::from(*number));
    let reading = Reading { user: batch.user, place: batch.project.0 };
    let known = project::known(app, reading, since).await?;
    let mut edit = Edit::of_plan(app, scope).await?;
    let reach = Reach::of(&edit, batch.project).await?;
    let unknown: Vec<Uuid> = operations.without_base();
    let bases = match known {
        Some((plan, at)) => queries::bases(&edit, batch, &unknown, plan, at).await?,
        // The client has seen the rows, but nobody knows any more in which version.
        None if since != 0 => queries::forgotten_bases(&edit, batch, &unknown).await?,
        None => HashMap::new(),
    };
    operations.set_bases(&bases);
    let grant = edit.grant.clone();
    let (tx, lock) = edit.plan();
    let written = many::write(tx, lock, &grant, operations.in_order()).await?;
    let mut outcome = rules::outcome(written.entries, &operations)?;
    outcome.note_deleted(&queries::deleted(&edit, batch, &outcome.not_found()).await?);
    edit.recalculate().await?;
    reach.keep(&edit, "changes").await?;
    tell_all(&mut edit, grant.project()?, grant.place.program, &written.changed).await?;
    let shown: Vec<TaskId> = outcome.shown();
    let versions = queries::versions(&edit, &shown).await?;
    let answer = outcome.answer(batch.id, since, &versions);
    batches::keep(&mut edit, batch, &answer).await?;
    edit.commit().await?;
    Ok(answer)
}
