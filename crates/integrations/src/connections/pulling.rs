//! The job that reads a tracker: all pages first, then one transaction that replaces what was read before.

use std::collections::HashMap;

use chrono::Duration;
use planwright_domain::ids::{ConnectionId, ExternalItemId, UserId};
use planwright_domain::words::ConnectionStatus;
use planwright_egress::Egress;
use planwright_jobs::{JobError, NewJob, Registry, queue};
use planwright_store::{Result, Tx};
use planwright_web::{ApiResult, App};
use serde::{Deserialize, Serialize};

use super::jira::{Issue, Jira, Trouble};
use super::model::{ConnectionRow, ItemRow};
use super::{filter, queries};
use crate::settings::IntegrationSettings;

/// The kind of job that reads a tracker.
const PULL: &str = "pull_external_items";

#[derive(Debug, Serialize, Deserialize)]
struct Pull {
    connection: ConnectionId,
}

/// The jobs of connections.
pub fn jobs() -> Registry<App> {
    Registry::default().on(PULL, async |app: App, pull: Pull| pull_one(&app, pull.connection).await)
}

/// Has a tracker read soon.
pub(super) async fn request(tx: &mut Tx, connection: ConnectionId) -> Result<()> {
    let job = NewJob::new(PULL, &Pull { connection })?.once(format!("{PULL}:{connection}"));
    queue::enqueue(tx, job).await.map(drop)
}

/// Has the trackers of a person read that were not read for some time.
pub(super) async fn request_if_stale(app: &App, person: UserId) -> ApiResult<()> {
    let age = Duration::seconds(app.get::<IntegrationSettings>().stale_seconds);
    let stale = queries::stale(&app.db, person, app.clock.now() - age).await?;
    if stale.is_empty() {
        return Ok(());
    }
    let mut tx = app.db.begin().await?;
    for connection in stale {
        request(&mut tx, connection).await?;
    }
    Ok(tx.commit().await?)
}

async fn pull_one(app: &App, connection: ConnectionId) -> std::result::Result<(), JobError> {
    // It may have been taken away or replaced since the job was queued.
    let Some(row) = queries::find(&app.db, connection).await? else { return Ok(()) };
    let found = read(app, &row).await;
    let mut tx = app.db.begin().await?;
    tx.lock_rows("external_connections", [connection.0]).await?;
    if queries::find(&tx, connection).await?.is_none() {
        return Ok(());
    }
    let (status, is_whole) = match found {
        Ok(issues) => {
            let before = queries::items(&tx, connection).await?;
            let rows = rows(&tx, &row, issues, before);
            queries::replace_items(&mut tx, connection, &rows).await?;
            (ConnectionStatus::Connected, true)
        }
        Err(Trouble::Auth) => (ConnectionStatus::AuthFailed, false),
        Err(Trouble::Filter) => (ConnectionStatus::InvalidFilter, false),
        Err(Trouble::Away(why)) => {
            tracing::info!(%connection, why, "a tracker cannot be read");
            (row.status, false)
        }
    };
    queries::note_pull(&mut tx, connection, status, is_whole).await?;
    Ok(tx.commit().await?)
}

async fn read(app: &App, row: &ConnectionRow) -> std::result::Result<Vec<Issue>, Trouble> {
    // Without the key nobody has asked the tracker, and with the key again everything is as it was.
    let opened = app.sealer.open_text(&row.purpose(), &row.sealed_secret);
    let secret = opened.map_err(|error| Trouble::Away(format!("the secret cannot be opened: {error}")))?;
    let tracker = Jira::of(app.get::<Egress>(), row, &secret).ok_or(Trouble::Auth)?;
    tracker.search(&filter::query(&row.jql, &row.keys())).await
}

/// The issues as they are stored. An issue that was there keeps its id.
fn rows(tx: &Tx, row: &ConnectionRow, issues: Vec<Issue>, before: Vec<ItemRow>) -> Vec<ItemRow> {
    let known: HashMap<String, ExternalItemId> =
        before.into_iter().map(|item| (item.external_id, item.id)).collect();
    let item = |(position, issue): (usize, Issue)| ItemRow {
        id: known.get(&issue.key).copied().unwrap_or_else(|| tx.mint()),
        connection_id: row.id,
        user_id: row.user_id,
        source_key: row.source.clone(),
        external_id: issue.key,
        external_url: issue.url,
        title: issue.title,
        external_status: issue.status,
        display_bucket: issue.bucket,
        position: position as i64,
        last_synced_at: tx.now(),
    };
    issues.into_iter().enumerate().map(item).collect()
}
