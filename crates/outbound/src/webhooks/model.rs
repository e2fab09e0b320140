//! Subscriptions on the wire and in storage.
//! What is sent to them is in `deliveries/`.

use std::borrow::Cow;

use chrono::{DateTime, Utc};
use planwright_domain::events::WebhookEvent;
use planwright_domain::ids::{ProgramId, ProjectId, UserId, WebhookId};
use planwright_domain::words::{WebhookFormat, Word};
use planwright_store::row;
use planwright_web::input;
use planwright_web::input::{Field, List, Name, Patch, Problem, Secret};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_json::Value as Json;
use uuid::Uuid;

/// Where a subscription belongs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Home {
    /// To one project, with the program that project is in.
    Project {
        /// The project.
        id: ProjectId,
        /// Its program.
        program: Option<ProgramId>,
    },
    /// To a program: it hears of all its projects.
    Program {
        /// The program.
        id: ProgramId,
    },
}

impl Home {
    /// The project, if it is one.
    pub fn project(self) -> Option<ProjectId> {
        match self {
            Home::Project { id, .. } => Some(id),
            Home::Program { .. } => None,
        }
    }

    /// The program, if it is one.
    pub fn program(self) -> Option<ProgramId> {
        match self {
            Home::Project { .. } => None,
            Home::Program { id } => Some(id),
        }
    }

    /// Its id, whichever it is.
    pub fn id(self) -> Uuid {
        match self {
            Home::Project { id, .. } => id.0,
            Home::Program { id } => id.0,
        }
    }
}

row! {
    /// A subscription as it is stored; in the history it stands without what is secret or counted.
    #[derive(Serialize)]
    pub struct WebhookRow {
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

impl JsonSchema for SubscribedEvent {
    fn schema_name() -> Cow<'static, str> {
        "EventsEnum".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = WebhookEvent::ALL.iter().map(|event| event.as_str()).collect();
        json_schema!({ "type": "string", "enum": names })
    }
}

impl Field for SubscribedEvent {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        let text = value.as_str().ok_or_else(|| Problem::says("Not a valid string."))?;
        let event = WebhookEvent::parse(text).map(Self);
        event.ok_or_else(|| Problem::says(format!("\"{text}\" is not a valid choice.")))
    }
}

/// A subscription; its secret is never shown again.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Webhook {
    /// Its id.
    pub id: WebhookId,
    /// The project whose events it hears of, if it belongs to one.
    pub project: Option<ProjectId>,
    /// The program whose events it hears of, if it belongs to one.
    pub program: Option<ProgramId>,
    /// Where deliveries are sent.
    pub url: String,
    /// Whether it has a secret; it always has.
    pub secret_set: bool,
    /// What it hears of.
    pub events: Vec<SubscribedEvent>,
    /// The shape of what it is sent.
    pub format: WebhookFormat,
    /// Whether anything is sent.
    pub is_active: bool,
    /// Deliveries that failed for good since the last one that did not.
    pub consecutive_failures: i64,
    /// When a delivery failed for good last.
    pub last_failure_at: Option<DateTime<Utc>>,
    /// Why it did.
    pub last_failure_reason: String,
    /// When it was switched off after too many failures.
    pub disabled_at: Option<DateTime<Utc>>,
    /// Why it was.
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

/// A subscription with its secret, which is shown this once.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WebhookCreateResponse {
    /// The subscription.
    #[serde(flatten)]
    pub webhook: Webhook,
    /// What deliveries are signed with.
    pub secret: String,
}

input! {
    /// A new subscription, or all of one.
    pub struct WebhookRequest {
        /// Where deliveries are sent: http or https, to a public address.
        pub url: Name<1, 2048>,
        /// What deliveries are signed with, at least 32 characters; a new subscription is given one when this is blank.
        pub secret: Patch<Secret<0, 255>>,
        /// What it hears of; a new subscription hears of everything when this is left out.
        pub events: Patch<List<SubscribedEvent, 1, 100>>,
        /// The shape of what it is sent.
        pub format: Patch<WebhookFormat>,
        /// Whether anything is sent; false pauses.
        pub is_active: Patch<bool>,
    }
}

input! {
    /// Some fields of a subscription.
    pub struct PatchedWebhookRequest {
        /// Where deliveries are sent: http or https, to a public address.
        pub url: Patch<Name<1, 2048>>,
        /// What deliveries are signed with from now on, at least 32 characters.
        pub secret: Patch<Secret<0, 255>>,
        /// What it hears of.
        pub events: Patch<List<SubscribedEvent, 1, 100>>,
        /// The shape of what it is sent.
        pub format: Patch<WebhookFormat>,
        /// Whether anything is sent; false pauses, and true forgets past failures.
        pub is_active: Patch<bool>,
    }
}

impl From<WebhookRequest> for PatchedWebhookRequest {
    fn from(whole: WebhookRequest) -> Self {
        Self {
            url: Patch::Set(whole.url),
            secret: whole.secret,
            events: whole.events,
            format: whole.format,
            is_active: whole.is_active,
        }
    }
}
