//! The outbox: events written in the transaction of the change they tell of, and handed out after its commit.
//! Who receives them is decided by the dispatcher; a crash in between loses none.

use planwright_domain::events::{SocketEvent, WebhookEvent};
use planwright_domain::ids::{ProgramId, ProjectId};
use planwright_domain::words::Word;
use serde_json::Value as Json;
use uuid::Uuid;

use crate::{Read, Result, Tx, row, sql};

/// Which way an event travels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// To the subscriptions of a project and its program.
    Webhook(WebhookEvent),
    /// To the people who look at a project.
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

row! {
    /// An event that waits to be handed out.
    pub struct Waiting {
        /// The event's id.
        pub id: Uuid,
        /// `webhook` or `socket`.
        pub channel: String,
        /// The event's name.
        pub name: String,
        /// The project it happened in.
        pub project_id: Option<ProjectId>,
        /// The program it happened in.
        pub program_id: Option<ProgramId>,
        /// What it carries.
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
        self.emit_all(project, program, vec![(event, payload)]).await
    }

    /// Queues several events of one project, in their order.
    pub async fn emit_all(
        &mut self,
        project: Option<ProjectId>,
        program: Option<ProgramId>,
        events: Vec<(Event, Json)>,
    ) -> Result<()> {
        let statements = events.into_iter().map(|(event, payload)| {
            sql!(
                "INSERT INTO outbox (id, at, channel, name, project_id, program_id, payload)
                 VALUES (:id, :at, :channel, :name, :project, :program, :payload)",
                id = self.mint::<Uuid>(),
                at = self.now(),
                channel = event.channel(),
                name = event.name(),
                project = project,
                program = program,
                payload = payload,
            )
        });
        let statements = statements.collect();
        self.run_each(statements).await.map(drop)
    }

    /// Takes the oldest waiting events; they are gone for good when this transaction commits.
    pub async fn take_waiting(&mut self, most: i64) -> Result<Vec<Waiting>> {
        let skip_locked = self.engine().skip_locked();
        let waiting: Vec<Waiting> = self
            .all(
                sql!(
                    "SELECT id, channel, name, project_id, program_id, payload FROM outbox
                     ORDER BY id LIMIT :most ",
                    most = most
                )
                .push(skip_locked),
            )
            .await?;
        let ids = crate::value::list(waiting.iter().map(|event| event.id));
        self.run(sql!("DELETE FROM outbox WHERE id IN (:ids)", ids = ids)).await?;
        Ok(waiting)
    }
}

/// How many events wait, for health pages and for tests that must end with none.
pub async fn waiting(db: &impl Read) -> Result<i64> {
    db.count(sql!("SELECT COUNT(*) FROM outbox")).await
}
