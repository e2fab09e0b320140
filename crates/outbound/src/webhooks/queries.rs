//! Every statement about subscriptions.
//! Deliveries have statements of their own, in `deliveries/queries.rs`.

use planwright_domain::ids::WebhookId;
use planwright_store::dialect::{contains, pattern};
use planwright_store::{Read, Result, Sql, Tx, sql};

use super::Manages;
use super::model::{Home, WebhookRow};

/// The columns of a subscription.
pub const COLUMNS: &str =
    "SELECT w.id, w.project_id, w.program_id, w.url, w.endpoint, w.sealed_secret, w.events,
    w.format, w.is_active, w.consecutive_failures, w.last_failure_at, w.last_failure_reason, w.disabled_at,
    w.disabled_reason, w.created_at, w.created_by";

fn of(home: Home) -> &'static str {
    match home {
        Home::Project { .. } => "FROM webhooks w WHERE w.project_id = :home",
        Home::Program { .. } => "FROM webhooks w WHERE w.program_id = :home",
    }
}

/// The subscriptions of a place whose address contains the text.
pub fn live(db: &impl Read, home: Home, search: Option<&str>) -> Sql {
    let condition = format!("AND {}", contains(db.engine(), "w.url", "search"));
    sql!(of(home), home = home.id()).when(&condition, "search", search.map(pattern))
}

/// One subscription of a place.
pub async fn find(db: &impl Read, home: Home, id: WebhookId) -> Result<Option<WebhookRow>> {
    db.maybe(sql!(format!("{COLUMNS} {} AND w.id = :id", of(home)), home = home.id(), id = id)).await
}

/// Writes a new subscription.
pub async fn insert(tx: &mut Tx, _: &impl Manages, row: &WebhookRow) -> Result<()> {
    let statement = sql!(
        "INSERT INTO webhooks (id, project_id, program_id, url, endpoint, sealed_secret, events, format, is_active,
            last_sequence, consecutive_failures, last_failure_reason, disabled_reason, created_at, created_by)
         VALUES (:id, :project, :program, :url, :endpoint, :secret, :events, :format, :active, 0, 0, '', '', :at, :by)",
        id = row.id,
        project = row.project_id,
        program = row.program_id,
        url = &row.url,
        endpoint = &row.endpoint,
        secret = &row.sealed_secret,
        events = &row.events,
        format = row.format,
        active = row.is_active,
        at = row.created_at,
        by = row.created_by
    );
    tx.run(statement).await.map(drop)
}

/// Writes what people may change.
pub async fn update(tx: &mut Tx, _: &impl Manages, row: &WebhookRow) -> Result<()> {
    let statement = sql!(
        "UPDATE webhooks SET url = :url, endpoint = :endpoint, sealed_secret = :secret, events = :events,
            format = :format, is_active = :active, consecutive_failures = :failures, disabled_at = :disabled,
            disabled_reason = :reason
         WHERE id = :id",
        url = &row.url,
        endpoint = &row.endpoint,
        secret = &row.sealed_secret,
        events = &row.events,
        format = row.format,
        active = row.is_active,
        failures = row.consecutive_failures,
        disabled = row.disabled_at,
        reason = &row.disabled_reason,
        id = row.id
    );
    tx.run(statement).await.map(drop)
}

/// Deletes a subscription with all its deliveries.
pub async fn delete(tx: &mut Tx, _: &impl Manages, id: WebhookId) -> Result<()> {
    tx.run(sql!("DELETE FROM webhook_deliveries WHERE webhook_id = :id", id = id)).await?;
    tx.run(sql!("DELETE FROM webhooks WHERE id = :id", id = id)).await.map(drop)
}

/// Holds a subscription until the commit; false when it is gone. Whoever writes on one or on its deliveries does this
/// first, so that nobody who holds a delivery waits for its subscription.
pub async fn hold(tx: &mut Tx, id: WebhookId) -> Result<bool> {
    let statement = sql!("UPDATE webhooks SET last_sequence = last_sequence WHERE id = :id", id = id);
    Ok(tx.run(statement).await? == 1)
}
