//! The outbox: events are written in the transaction of their change and sent after its commit. The dispatcher
//! decides who receives them. A crash in between loses none.

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use planwright_domain::events::{SocketEvent, WebhookEvent};
use planwright_domain::ids::{ProgramId, ProjectId, UserId};
use planwright_domain::words::Word;
use serde::Serialize;
use serde_json::Value as Json;
use uuid::Uuid;

use crate::{Read, Result, StoreError, ToValue, Tx, Value, row, sql};

/// The channel of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// To the subscriptions of a project and its program.
    Webhook(WebhookEvent),
    /// To the people who follow a project.
    Socket(SocketEvent),
}

impl Event {
    const fn channel(self) -> &'static str {
        match self {
            Event::Webhook(_) => "webhook",
            Event::Socket(_) => "socket",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Event::Webhook(event) => event.as_str(),
            Event::Socket(event) => event.as_str(),
        }
    }
}

/// An event with its project or program and its payload.
#[derive(Clone, Debug)]
pub struct Message {
    /// The event.
    pub event: Event,
    /// The project it happened in.
    pub project: Option<ProjectId>,
    /// The program it happened in.
    pub program: Option<ProgramId>,
    /// The payload.
    pub payload: Payload,
}

/// The payload of an event, as stored JSON text.
#[derive(Clone, Debug, PartialEq)]
pub struct Payload(String);

impl Payload {
    /// The text of a value, written directly.
    pub fn of(value: &impl Serialize) -> Result<Self> {
        serde_json::to_string(value).map(Self).map_err(|error| StoreError::Unexpected(error.into()))
    }
}

impl From<Json> for Payload {
    fn from(value: Json) -> Self {
        Self(value.to_string())
    }
}

row! {
    /// An event that is not sent yet.
    pub struct Waiting {
        /// The event's id.
        pub id: Uuid,
        /// When it happened.
        pub at: DateTime<Utc>,
        /// The person who did it. Null for the system.
        pub actor_id: Option<UserId>,
        /// `webhook` or `socket`.
        pub channel: String,
        /// The event's name.
        pub name: String,
        /// The project it happened in.
        pub project_id: Option<ProjectId>,
        /// The program it happened in.
        pub program_id: Option<ProgramId>,
        /// The payload.
        pub payload: Json,
    }
}

impl Tx {
    /// Queues an event for after the commit.
    pub async fn emit(
        &mut self,
        event: Event,
        project: Option<ProjectId>,
        program: Option<ProgramId>,
        payload: Json,
    ) -> Result<()> {
        self.emit_each(vec![Message { event, project, program, payload: payload.into() }]).await
    }

    /// Queues many events for after the commit, as one bulk write.
    pub fn emit_each(&mut self, messages: Vec<Message>) -> BoxFuture<'_, Result<()>> {
        Box::pin(async move {
            let text = "INSERT INTO outbox (id, at, actor_id, channel, name, project_id, program_id, payload)
             VALUES (:id, :at, :actor, :channel, :name, :project, :program, :payload)";
            let rows: Vec<_> = messages.into_iter().map(|message| self.emission(message)).collect();
            self.run_rows(text, rows).await.map(drop)
        })
    }

    fn emission(&mut self, message: Message) -> Vec<(&'static str, Value)> {
        self.has_news = true;
        vec![
            ("id", self.mint::<Uuid>().to_value()),
            ("at", self.now().to_value()),
            ("actor", self.actor.to_value()),
            ("channel", message.event.channel().to_value()),
            ("name", message.event.name().to_value()),
            ("project", message.project.to_value()),
            ("program", message.program.to_value()),
            ("payload", message.payload.0.to_value()),
        ]
    }

    /// Takes the oldest waiting events. They are deleted when this transaction commits.
    pub async fn take_waiting(&mut self, most: i64) -> Result<Vec<Waiting>> {
        let row_lock = self.engine().row_lock();
        let waiting: Vec<Waiting> = self
            .all(
                sql!(
                    "SELECT id, at, actor_id, channel, name, project_id, program_id, payload FROM outbox
                     ORDER BY id LIMIT :most ",
                    most = most
                )
                .push(row_lock),
            )
            .await?;
        let ids = crate::value::list(waiting.iter().map(|event| event.id));
        self.run(sql!("DELETE FROM outbox WHERE id IN (:ids)", ids = ids)).await?;
        Ok(waiting)
    }
}

/// Whether an event is waiting. The cost does not depend on their number.
pub async fn has_waiting(db: &dyn Read) -> Result<bool> {
    let first: Option<Uuid> = db.scalar(sql!("SELECT id FROM outbox LIMIT 1")).await?;
    Ok(first.is_some())
}

/// The number of waiting events, for health pages and for tests that must end with none.
pub async fn waiting(db: &dyn Read) -> Result<i64> {
    db.count(sql!("SELECT COUNT(*) FROM outbox")).await
}
