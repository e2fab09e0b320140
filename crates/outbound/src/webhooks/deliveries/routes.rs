//! `…/webhooks/{id}/deliveries/` with redelivery, and `…/webhooks/{id}/test/`, for projects and programs. The list
//! shows the result of each delivery.

use axum::extract::State;
use planwright_domain::access::{Action, may};
use planwright_domain::ids::DeliveryId;
use planwright_plan::edit;
use planwright_web::envelope::CursorPage;
use planwright_web::version::Precondition;
use planwright_web::{
    Accepted, ApiError, ApiResult, App, Body, ContainerScope, CursorPaging, IgnoredBody, Item, Parent, Path,
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

type Read = Item<WebhookRow, may::ReadContainer>;
type Managed = Item<WebhookRow, may::ManageWebhooks>;

const LIST: &str = "webhook_deliveries";

/// The routes of this file.
pub fn table() -> Routes {
    of(
        Routes::new(),
        [
            "/api/v1/projects/{project_pk}/webhooks/{id}/deliveries/",
            "/api/v1/projects/{project_pk}/webhooks/{id}/deliveries/redeliver/",
            "/api/v1/projects/{project_pk}/webhooks/{id}/deliveries/{delivery_id}/redeliver/",
            "/api/v1/projects/{project_pk}/webhooks/{id}/test/",
        ],
    )
    .and(of(
        Routes::new(),
        [
            "/api/v1/programs/{program_pk}/webhooks/{id}/deliveries/",
            "/api/v1/programs/{program_pk}/webhooks/{id}/deliveries/redeliver/",
            "/api/v1/programs/{program_pk}/webhooks/{id}/deliveries/{delivery_id}/redeliver/",
            "/api/v1/programs/{program_pk}/webhooks/{id}/test/",
        ],
    ))
}

fn of(routes: Routes, [all, failed, one, test]: [&'static str; 4]) -> Routes {
    routes
        .get(all, list, says("List the deliveries of a webhook, newest first."))
        .post(
            failed,
            redeliver_failed,
            says("Send all failed deliveries since a given time again.").on_many(),
        )
        .post(one, redeliver, says("Send a delivery again, under its id and number."))
        .post(test, ping, says("Send a test delivery."))
}

async fn list(
    State(app): State<App>,
    item: Read,
    paging: CursorPaging,
) -> ApiResult<CursorPage<WebhookDelivery>> {
    let rows = queries::list(&app.db, item.row.id, behind(&paging)?, paging.size).await?;
    let keys = |row: &DeliveryRow| vec![row.sequence_number.to_string(), row.id.to_string()];
    let shows_content = shows_content(&item.scope);
    Ok(paging.envelope(LIST, rows, keys, |row| WebhookDelivery::of(row, shows_content)))
}

/// Whether somebody is shown what was sent. What a program sends is also about projects that its members may not open; those who
/// manage its webhooks can have it sent to themselves.
fn shows_content(scope: &ContainerScope<may::ReadContainer>) -> bool {
    scope.container.project().is_some() || scope.actor.may(Action::ManageWebhooks, scope.role)
}

/// The start of the page: after a number and an id.
fn behind(paging: &CursorPaging) -> ApiResult<Option<(i64, DeliveryId)>> {
    let Some(keys) = paging.after(LIST, 2)? else { return Ok(None) };
    match (keys[0].parse(), keys[1].parse()) {
        (Ok(sequence), Ok(id)) => Ok(Some((sequence, id))),
        _ => Err(ApiError::invalid_field("cursor", "Invalid cursor.")),
    }
}

/// A delivery of the path, below its subscription.
async fn redeliver(
    State(app): State<App>,
    Parent(item): Parent<WebhookRow, may::ManageWebhooks>,
    Path(id): Path<DeliveryId>,
) -> ApiResult<Accepted<WebhookDelivery>> {
    let webhook = item.row.id;
    let (mut edit, subscription) = edit::open(&app, item, Precondition::default()).await?;
    queries::find(&edit, webhook, id).await?.ok_or_else(ApiError::not_found)?;
    refuse_paused(&subscription)?;
    queries::revive(&mut edit, webhook, id).await?;
    let row = queries::find(&edit, webhook, id).await?.ok_or_else(ApiError::not_found)?;
    edit.commit().await?;
    Ok(Accepted(WebhookDelivery::of(row, true)))
}

async fn redeliver_failed(
    State(app): State<App>,
    item: Managed,
    Body(request): Body<WebhookRedeliverRequest>,
) -> ApiResult<Accepted<WebhookRedeliverResponse>> {
    let (mut edit, subscription) = edit::open(&app, item, Precondition::default()).await?;
    refuse_paused(&subscription)?;
    let revived = queries::revive_since(&mut edit, subscription.id, request.since).await?;
    edit.commit().await?;
    Ok(Accepted(WebhookRedeliverResponse { redelivered: i64::try_from(revived).unwrap_or(i64::MAX) }))
}

async fn ping(
    State(app): State<App>,
    item: Managed,
    _: IgnoredBody,
) -> ApiResult<Accepted<WebhookTestPingResponse>> {
    let (mut edit, row) = edit::open(&app, item, Precondition::default()).await?;
    let numbered = queries::number_one(&mut edit, row.id).await?.ok_or_else(ApiError::not_found)?;
    let payload = json!({ "event": PING, "webhook_id": row.id });
    let (sequence, event) = (numbered.last_sequence, PING.to_owned());
    let body = message::body(numbered.format, PING, &payload, sequence);
    let delivery_id =
        queries::insert(&mut edit, vec![NewDelivery { webhook: row.id, sequence, event, body }]).await?[0];
    edit.commit().await?;
    Ok(Accepted(WebhookTestPingResponse { delivery_id }))
}

/// A paused webhook sends nothing. A request to send would have no effect, so it is refused.
fn refuse_paused(subscription: &WebhookRow) -> ApiResult<()> {
    match subscription.is_active {
        true => Ok(()),
        false => Err(ApiError::conflict("The webhook is paused. Activate it first.")),
    }
}
