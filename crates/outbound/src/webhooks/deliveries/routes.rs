//! `…/webhooks/{id}/deliveries/` with sending again, and `…/webhooks/{id}/test/`, for projects and programs.
//! Whether something arrives is seen in the list.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::{DeliveryId, WebhookId};
use planwright_store::Read;
use planwright_web::envelope::CursorPage;
use planwright_web::path::ParentPath;
use planwright_web::{
    Accepted, ApiError, ApiResult, App, Body, CursorPaging, IgnoredBody, Path, ProgramScope, ProjectScope,
    Routes, says,
};
use serde_json::json;

use super::model::{
    DeliveryRow, NewDelivery, WebhookDelivery, WebhookRedeliverRequest, WebhookRedeliverResponse,
    WebhookTestPingResponse,
};
use super::queries;
use crate::webhooks::message::{self, PING};
use crate::webhooks::model::WebhookRow;
use crate::webhooks::{self, Manages, Place};

type ProjectReader = ProjectScope<may::ReadProject>;
type ProgramReader = ProgramScope<may::ReadProgram>;
type ProjectManager = ProjectScope<may::ManageWebhooks>;
type ProgramManager = ProgramScope<may::ManageWebhooks>;

const LIST: &str = "webhook_deliveries";

/// The routes of this file.
pub fn table() -> Routes {
    let all = || says("The deliveries of a subscription, newest first.");
    let one = || says("Send a delivery again, under its id and number.");
    let failed = || says("Send every delivery again that failed since an instant.").on_many();
    let test = || says("Send a test delivery.");
    Routes::new()
        .get("/api/v1/projects/{project_pk}/webhooks/{id}/deliveries/", list::<ProjectReader>, all())
        .post(
            "/api/v1/projects/{project_pk}/webhooks/{id}/deliveries/redeliver/",
            redeliver_failed::<ProjectManager>,
            failed(),
        )
        .post(
            "/api/v1/projects/{project_pk}/webhooks/{id}/deliveries/{delivery_id}/redeliver/",
            redeliver::<ProjectManager>,
            one(),
        )
        .post("/api/v1/projects/{project_pk}/webhooks/{id}/test/", ping::<ProjectManager>, test())
        .get("/api/v1/programs/{program_pk}/webhooks/{id}/deliveries/", list::<ProgramReader>, all())
        .post(
            "/api/v1/programs/{program_pk}/webhooks/{id}/deliveries/redeliver/",
            redeliver_failed::<ProgramManager>,
            failed(),
        )
        .post(
            "/api/v1/programs/{program_pk}/webhooks/{id}/deliveries/{delivery_id}/redeliver/",
            redeliver::<ProgramManager>,
            one(),
        )
        .post("/api/v1/programs/{program_pk}/webhooks/{id}/test/", ping::<ProgramManager>, test())
}

async fn list<S: Place>(
    State(app): State<App>,
    place: S,
    Path(id): Path<WebhookId>,
    paging: CursorPaging,
) -> ApiResult<CursorPage<WebhookDelivery>> {
    subscription(&app.db, &place, id).await?;
    let rows = queries::list(&app.db, id, behind(&paging)?, paging.size).await?;
    let keys = |row: &DeliveryRow| vec![row.sequence_number.to_string(), row.id.to_string()];
    Ok(paging.envelope(LIST, rows, keys, WebhookDelivery::from))
}

/// Where the page begins: behind a number and an id.
fn behind(paging: &CursorPaging) -> ApiResult<Option<(i64, DeliveryId)>> {
    let Some(keys) = paging.after(LIST, 2)? else { return Ok(None) };
    match (keys[0].parse(), keys[1].parse()) {
        (Ok(sequence), Ok(id)) => Ok(Some((sequence, id))),
        _ => Err(ApiError::invalid_field("cursor", "Invalid cursor.")),
    }
}

async fn redeliver<S: Manages>(
    State(app): State<App>,
    place: S,
    ParentPath(webhook): ParentPath<WebhookId>,
    Path(id): Path<DeliveryId>,
    _: IgnoredBody,
) -> ApiResult<Accepted<WebhookDelivery>> {
    let mut tx = app.db.begin().await?;
    webhooks::queries::hold(&mut tx, webhook).await?;
    let subscription = subscription(&tx, &place, webhook).await?;
    queries::find(&tx, webhook, id).await?.ok_or_else(ApiError::not_found)?;
    refuse_paused(&subscription)?;
    queries::revive(&mut tx, webhook, id).await?;
    let row = queries::find(&tx, webhook, id).await?.ok_or_else(ApiError::not_found)?;
    tx.commit().await?;
    Ok(Accepted(row.into()))
}

async fn redeliver_failed<S: Manages>(
    State(app): State<App>,
    place: S,
    Path(webhook): Path<WebhookId>,
    Body(request): Body<WebhookRedeliverRequest>,
) -> ApiResult<Accepted<WebhookRedeliverResponse>> {
    let mut tx = app.db.begin().await?;
    webhooks::queries::hold(&mut tx, webhook).await?;
    refuse_paused(&subscription(&tx, &place, webhook).await?)?;
    let revived = queries::revive_since(&mut tx, webhook, request.since).await?;
    tx.commit().await?;
    Ok(Accepted(WebhookRedeliverResponse { redelivered: i64::try_from(revived).unwrap_or(i64::MAX) }))
}

async fn ping<S: Manages>(
    State(app): State<App>,
    place: S,
    Path(id): Path<WebhookId>,
    _: IgnoredBody,
) -> ApiResult<Accepted<WebhookTestPingResponse>> {
    let mut tx = app.db.begin().await?;
    let numbered = queries::number_one(&mut tx, id).await?.ok_or_else(ApiError::not_found)?;
    subscription(&tx, &place, id).await?;
    let payload = json!({ "event": PING, "webhook_id": id });
    let (sequence, event) = (numbered.last_sequence, PING.to_owned());
    let body = message::body(numbered.format, PING, &payload, sequence);
    let delivery_id =
        queries::insert(&mut tx, vec![NewDelivery { webhook: id, sequence, event, body }]).await?[0];
    tx.commit().await?;
    Ok(Accepted(WebhookTestPingResponse { delivery_id }))
}

async fn subscription(db: &impl Read, place: &impl Place, id: WebhookId) -> ApiResult<WebhookRow> {
    webhooks::queries::find(db, place.home(), id).await?.ok_or_else(ApiError::not_found)
}

/// What is paused sends nothing, so a wish to send would come to nothing without anybody noticing.
fn refuse_paused(subscription: &WebhookRow) -> ApiResult<()> {
    match subscription.is_active {
        true => Ok(()),
        false => Err(ApiError::conflict("The subscription is paused; switch it on first.")),
    }
}
