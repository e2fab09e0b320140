//! Connections and what is read through them, on the wire and in storage.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{ConnectionId, ExternalItemId, UserId};
use planwright_domain::words::{ConnectionStatus, Deployment, DisplayBucket, Word};
use planwright_store::record;
use planwright_web::input;
use planwright_web::input::{List, Name, Patch, Secret};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

/// The one kind of tracker that there is.
pub const JIRA: &str = "jira";

record! {
    /// A connection as it is stored.
    pub struct ConnectionRow in external_connections {
        pub id: ConnectionId,
        pub user_id: UserId,
        pub source: String,
        pub base_url: String,
        pub deployment: Deployment,
        pub account_email: String,
        pub sealed_secret: String,
        pub jql: String,
        /// A list of texts.
        pub project_keys: Json,
        pub status: ConnectionStatus,
        pub created_at: DateTime<Utc>,
        pub updated_at: DateTime<Utc>,
        /// When its person asked for a pull last.
        pub requested_at: Option<DateTime<Utc>>,
        /// When a pull was tried last.
        pub pulled_at: Option<DateTime<Utc>>,
        /// When a pull came to its end last.
        pub last_synced_at: Option<DateTime<Utc>>,
    }
}

impl ConnectionRow {
    /// What the secret is sealed for: nothing else, and no other row.
    pub fn purpose(&self) -> String {
        format!("connection {}", self.id)
    }

    /// The keys of the projects that are looked at; all if it is empty.
    pub fn keys(&self) -> Vec<String> {
        let keys = self.project_keys.as_array().into_iter().flatten();
        keys.filter_map(Json::as_str).map(str::to_owned).collect()
    }
}

record! {
    /// Something that is open in a tracker, as it is stored.
    pub struct ItemRow in external_items {
        pub id: ExternalItemId,
        pub connection_id: ConnectionId,
        pub user_id: UserId,
        pub source_key: String,
        pub external_id: String,
        pub external_url: String,
        pub title: String,
        pub external_status: String,
        pub display_bucket: DisplayBucket,
        /// Its place in the order of the tracker.
        pub position: i64,
        pub last_synced_at: DateTime<Utc>,
    }
}

input! {
    /// A tracker to be connected.
    pub struct ExternalConnectionUpsertRequest {
        /// An API token (cloud) or a personal access token (server).
        pub secret: Secret<1, 4096>,
        /// Where it is.
        pub base_url: Name<1, 512>,
        /// Whether Atlassian runs it or somebody else; `cloud` unless said otherwise.
        pub deployment: Patch<Deployment>,
        /// The address of the account, which the cloud asks for.
        pub account_email: Patch<Name<0, 254>>,
        /// Which issues are read, in the query language of the tracker; the open ones of the account unless said otherwise.
        pub jql: Patch<Name<0, 1024>>,
        /// Only those of these projects.
        pub project_keys: Patch<List<Name<1, 64>, 0, 50>>,
    }
}

/// What is known of a connection of the caller. The secret is never shown.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ExternalConnectionSummary {
    /// How people call the tracker.
    pub name: String,
    /// Whether it is connected.
    pub exists: bool,
    pub base_url: String,
    /// `cloud` or `server`; blank if it is not connected.
    pub deployment: String,
    pub account_email: String,
    /// `connected`, `not_connected`, `auth_failed` or `invalid_filter`.
    pub status: String,
    /// When it was read last.
    pub last_synced_at: Option<DateTime<Utc>>,
    pub jql: String,
    pub project_keys: Vec<String>,
}

impl ExternalConnectionSummary {
    /// What is known of a connection, or that there is none.
    pub fn of(row: Option<&ConnectionRow>) -> Self {
        let text = |field: fn(&ConnectionRow) -> &String| row.map(field).cloned().unwrap_or_default();
        let status = row.map_or(ConnectionStatus::NotConnected, |row| row.status);
        Self {
            name: "Jira".to_owned(),
            exists: row.is_some(),
            base_url: text(|row| &row.base_url),
            deployment: row.map_or("", |row| row.deployment.as_str()).to_owned(),
            account_email: text(|row| &row.account_email),
            status: status.as_str().to_owned(),
            last_synced_at: row.and_then(|row| row.last_synced_at),
            jql: text(|row| &row.jql),
            project_keys: row.map(ConnectionRow::keys).unwrap_or_default(),
        }
    }
}

/// A pull that was asked for.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ExternalSyncQueued {
    /// Always true.
    pub queued: bool,
}

/// Something that is open for the caller in a tracker.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ExternalWorkItem {
    pub id: ExternalItemId,
    /// The kind of tracker.
    pub source_key: String,
    /// The key that it has there.
    pub external_id: String,
    /// Where people open it.
    pub external_url: String,
    pub title: String,
    /// Where it stands, in the words of the tracker.
    pub external_status: String,
    /// Where that is on a board: `todo`, `in_progress` or `done`.
    pub display_bucket: String,
    pub last_synced_at: Option<DateTime<Utc>>,
}

impl From<ItemRow> for ExternalWorkItem {
    fn from(row: ItemRow) -> Self {
        Self {
            id: row.id,
            source_key: row.source_key,
            external_id: row.external_id,
            external_url: row.external_url,
            title: row.title,
            external_status: row.external_status,
            display_bucket: row.display_bucket.as_str().to_owned(),
            last_synced_at: Some(row.last_synced_at),
        }
    }
}
