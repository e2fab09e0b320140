//! The types of webhooks in answers and in the database. Their messages are in `deliveries/`.

use super::rules::every_event;
use planwright_store::record::{Numbered, OnDelete};
use planwright_store::{record, tracked};
use planwright_web::{Problem, ProjectOrProgram, Resource, body};

use chrono::{DateTime, Utc};
use planwright_domain::events::WebhookEvent;
use planwright_domain::ids::{ProgramId, ProjectId, UserId, WebhookId};
use planwright_domain::words::{WebhookFormat, Word};
use planwright_web::input::{Field, List, Name, Secret};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use serde_json::Value as Json;

record! {
    /// A webhook as it is stored. Its secret and its counters are not in the history.
    pub struct WebhookRow in webhooks {
        #[serde(skip)]
        pub id: WebhookId,
        #[serde(skip)]
        pub project_id: Option<ProjectId>,
        #[serde(skip)]
        pub program_id: Option<ProgramId>,
        pub url: String,
        #[serde(skip)]
        pub endpoint: String,
        #[serde(skip)]
        pub sealed_secret: String,
        pub events: Json,
        pub format: WebhookFormat,
        pub is_active: bool,
        #[serde(skip)]
        pub last_sequence: i64,
        #[serde(skip)]
        pub consecutive_failures: i64,
        #[serde(skip)]
        pub last_failure_at: Option<DateTime<Utc>>,
        #[serde(skip)]
        pub last_failure_reason: String,
        #[serde(skip)]
        pub disabled_at: Option<DateTime<Utc>>,
        #[serde(skip)]
        pub disabled_reason: String,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub created_by: Option<UserId>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! {
    WebhookRow as "webhook" {
        const ON_DELETE: OnDelete = OnDelete::Remove;
        const NUMBERED: Numbered = Numbered::Nowhere;
    }
}

impl Resource for WebhookRow {
    type Container = ProjectOrProgram;

    fn container(&self) -> ProjectOrProgram {
        ProjectOrProgram::of_columns(self.project_id, self.program_id)
    }
}

impl WebhookRow {
    /// A webhook for all events, before its fields are set.
    pub fn fresh(id: WebhookId, home: ProjectOrProgram, creator: UserId, now: DateTime<Utc>) -> Self {
        Self {
            id,
            project_id: home.project(),
            program_id: home.program(),
            url: String::new(),
            endpoint: String::new(),
            sealed_secret: String::new(),
            events: every_event(),
            format: WebhookFormat::Generic,
            is_active: true,
            last_sequence: 0,
            consecutive_failures: 0,
            last_failure_at: None,
            last_failure_reason: String::new(),
            disabled_at: None,
            disabled_reason: String::new(),
            created_at: now,
            created_by: Some(creator),
            server_version: 1,
        }
    }
}

/// An event that can be subscribed to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SubscribedEvent(pub WebhookEvent);

impl Serialize for SubscribedEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.as_str())
    }
}

#[schemars::for_document]
impl JsonSchema for SubscribedEvent {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "EventsEnum".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let names: Vec<&str> = WebhookEvent::ALL.iter().map(|event| event.as_str()).collect();
        schemars::json_schema!({ "type": "string", "enum": names })
    }
}

impl Field for SubscribedEvent {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        let text = value.as_str().ok_or_else(|| Problem::says("Not a valid string."))?;
        let event = WebhookEvent::parse(text).map(Self);
        event.ok_or_else(|| Problem::says(format!("\"{text}\" is not a valid choice.")))
    }
}

/// A webhook. Its secret is never shown.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Webhook {
    /// Its id.
    pub id: WebhookId,
    /// The project whose events it sends, if it belongs to a project.
    pub project: Option<ProjectId>,
    /// The program whose events it sends, if it belongs to a program.
    pub program: Option<ProgramId>,
    /// Where deliveries are sent.
    pub url: String,
    /// Whether it has a secret. Always true.
    pub secret_set: bool,
    /// The events that it sends.
    pub events: Vec<SubscribedEvent>,
    /// The format of the messages.
    pub format: WebhookFormat,
    /// Whether it sends anything.
    pub is_active: bool,
    /// The number of failed deliveries since the last successful one.
    pub consecutive_failures: i64,
    /// The time of the last failed delivery.
    pub last_failure_at: Option<DateTime<Utc>>,
    /// The reason for the last failure.
    pub last_failure_reason: String,
    /// When it was switched off after too many failures.
    pub disabled_at: Option<DateTime<Utc>>,
    /// The reason why it was switched off.
    pub disabled_reason: String,
    /// When it was added.
    pub created_at: DateTime<Utc>,
    /// Who added it.
    pub created_by: Option<UserId>,
}

impl From<WebhookRow> for Webhook {
    fn from(row: WebhookRow) -> Self {
        let names = row.events.as_array().into_iter().flatten().filter_map(Json::as_str);
        Self {
            id: row.id,
            project: row.project_id,
            program: row.program_id,
            url: row.url,
            secret_set: true,
            events: names.filter_map(WebhookEvent::parse).map(SubscribedEvent).collect(),
            format: row.format,
            is_active: row.is_active,
            consecutive_failures: row.consecutive_failures,
            last_failure_at: row.last_failure_at,
            last_failure_reason: row.last_failure_reason,
            disabled_at: row.disabled_at,
            disabled_reason: row.disabled_reason,
            created_at: row.created_at,
            created_by: row.created_by,
        }
    }
}

/// A webhook with its secret. The secret is shown only once.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WebhookCreateResponse {
    /// The subscription.
    #[serde(flatten)]
    pub webhook: Webhook,
    /// The secret that signs deliveries.
    pub secret: String,
}

body! {
    /// All fields of a webhook.
    pub struct WebhookRequest;
    /// Some fields of a webhook.
    pub struct PatchedWebhookRequest;
    required {
        /// Where deliveries are sent: http or https, to a public address.
        url: Name<1, 2048>,
    }
    optional {
        /// The secret that signs deliveries, at least 32 characters. If it is blank for a new webhook, the server
        /// creates one.
        secret: Secret<0, 255>,
        /// The events that it sends. The default for a new webhook is all events.
        events: List<SubscribedEvent, 1, 100>,
        /// The format of the messages.
        format: WebhookFormat,
        /// Whether it sends anything. False pauses it. True resets the count of failures.
        is_active: bool,
    }
}
