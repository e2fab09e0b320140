//! The types of deliveries in answers and in the database. A delivery stores the exact bytes that are sent. The shown
//! payload is read from them.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{DeliveryId, ProgramId, ProjectId, WebhookId};
use planwright_domain::words::{WebhookDeliveryStatus, WebhookFormat};
use planwright_store::outbox::Waiting;
use planwright_store::row;
use planwright_web::input;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

row! {
    /// A delivery as it is stored.
    pub struct DeliveryRow {
        pub id: DeliveryId,
        pub event_type: String,
        pub sequence_number: i64,
        pub body: String,
        pub status: WebhookDeliveryStatus,
        pub response_status: Option<i64>,
        pub attempt_count: i64,
        pub created_at: DateTime<Utc>,
        pub completed_at: Option<DateTime<Utc>>,
        pub last_attempt_at: Option<DateTime<Utc>>,
        pub failure_reason: Option<String>,
        pub response_excerpt: Option<String>,
    }
}

row! {
    /// A webhook that may get an event.
    pub struct Listener {
        pub id: WebhookId,
        pub project_id: Option<ProjectId>,
        pub program_id: Option<ProgramId>,
        pub format: WebhookFormat,
        pub events: Json,
    }
}

impl Listener {
    /// Whether it gets this event.
    pub fn hears(&self, event: &Waiting) -> bool {
        let is_here = self.project_id.is_some() && self.project_id == event.project_id
            || self.program_id.is_some() && self.program_id == event.program_id;
        let names = self.events.as_array().into_iter().flatten();
        is_here && names.filter_map(Json::as_str).any(|name| name == event.name)
    }
}

row! {
    /// A subscription that was given the number of its next delivery.
    pub struct Numbered {
        pub id: WebhookId,
        pub format: WebhookFormat,
        pub last_sequence: i64,
    }
}

/// A new delivery.
pub struct NewDelivery {
    /// Its subscription.
    pub webhook: WebhookId,
    /// Its number.
    pub sequence: i64,
    /// The name of its event.
    pub event: String,
    /// The bytes that are sent.
    pub body: String,
}

row! {
    /// A subscription with deliveries that are due.
    pub struct Due {
        pub id: WebhookId,
        pub endpoint: String,
    }
}

row! {
    /// A delivery that a sender has claimed.
    pub struct Taken {
        pub id: DeliveryId,
        pub webhook_id: WebhookId,
        pub event_type: String,
        pub sequence_number: i64,
        pub body: String,
        pub attempt_count: i64,
        pub created_at: DateTime<Utc>,
    }
}

row! {
    /// The receiver of deliveries, at the time of sending.
    pub struct Recipient {
        pub id: WebhookId,
        pub project_id: Option<ProjectId>,
        pub url: String,
        pub endpoint: String,
        pub sealed_secret: String,
        pub is_active: bool,
    }
}

/// The type of a delivery: an event, or `ping` for a test.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct EventType(String);

#[schemars::for_document]
impl JsonSchema for EventType {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "EventTypeEnum".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        use planwright_domain::events::WebhookEvent;
        use planwright_domain::words::Word;

        let events = WebhookEvent::ALL.iter().map(|event| event.as_str());
        let names: Vec<&str> = events.chain([crate::webhooks::message::PING]).collect();
        schemars::json_schema!({ "type": "string", "enum": names })
    }
}

/// A delivery of a webhook.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WebhookDelivery {
    /// Its id, the same in every attempt.
    pub id: DeliveryId,
    /// What happened.
    pub event_type: EventType,
    /// The number among the deliveries of its webhook: 1, 2, 3, without gaps.
    pub sequence_number: i64,
    /// The body that is sent. Null for a webhook of a program if you may not manage it.
    pub payload: Option<Json>,
    /// The status.
    pub status: WebhookDeliveryStatus,
    /// The HTTP status of the last answer. Null if there was none.
    pub response_status: Option<i64>,
    /// The number of attempts. A redelivery starts again from zero.
    pub attempt_count: i64,
    /// The time at which its event was stored.
    pub created_at: DateTime<Utc>,
    /// The time at which it arrived, or failed in its last attempt.
    pub completed_at: Option<DateTime<Utc>>,
    /// When it was sent last.
    pub last_attempt_at: Option<DateTime<Utc>>,
    /// The reason why the last attempt failed. Null if it succeeded, or if there was no attempt yet.
    pub failure_reason: Option<String>,
    /// The beginning of the answer of the receiver if it refused, at most 1 kB. Null where the body is.
    pub response_excerpt: Option<String>,
}

impl WebhookDelivery {
    /// A delivery as its reader sees it, with what was sent and answered or without.
    pub fn of(row: DeliveryRow, shows_content: bool) -> Self {
        let shown = |text: Option<String>| text.filter(|_| shows_content);
        Self {
            id: row.id,
            event_type: EventType(row.event_type),
            sequence_number: row.sequence_number,
            payload: shown(Some(row.body)).map(|body| serde_json::from_str(&body).unwrap_or_default()),
            status: row.status,
            response_status: row.response_status,
            attempt_count: row.attempt_count,
            created_at: row.created_at,
            completed_at: row.completed_at,
            last_attempt_at: row.last_attempt_at,
            failure_reason: row.failure_reason,
            response_excerpt: shown(row.response_excerpt),
        }
    }
}

/// The delivery of a test.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WebhookTestPingResponse {
    /// Its id.
    pub delivery_id: DeliveryId,
}

input! {
    /// Which failed deliveries to send again.
    pub struct WebhookRedeliverRequest {
        /// Only deliveries whose event happened at this time or later.
        pub since: DateTime<Utc>,
    }
}

/// How many deliveries will be sent again.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WebhookRedeliverResponse {
    /// The number of deliveries.
    pub redelivered: i64,
}

/// The failed job of a delivery that failed in all attempts.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct DeadDelivery {
    /// The id.
    pub delivery: DeliveryId,
    /// Its subscription.
    pub webhook: WebhookId,
}
