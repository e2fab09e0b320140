//! How nodes tell each other about events: a Redis channel without delivery guarantee. It only saves time. A lost
//! message is found in the log a moment later.

use std::sync::OnceLock;
use std::time::Duration;

use anyhow::Context;
use futures_util::StreamExt;
use planwright_domain::ids::UserId;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use uuid::Uuid;

use super::frame::{Effect, Frame};
use super::hub::Hub;

const CHANNEL: &str = "planwright:live";

/// The maximum number of messages that wait for Redis. More are dropped, because the log has them.
const MOST_WAITING: usize = 4096;

/// How many messages are published in one go.
const MOST_AT_ONCE: usize = 200;

/// The maximum time for an answer of Redis.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long to wait before Redis is tried again.
const PAUSE: Duration = Duration::from_secs(1);

/// The connection to the other nodes.
pub struct Bus {
    client: redis::Client,
    waiting: OnceLock<mpsc::Sender<String>>,
}

/// A message of one node to the others.
#[derive(Serialize, Deserialize)]
pub enum Word {
    /// An event in a project or workshop.
    Frame {
        /// The project or workshop.
        room: Uuid,
        /// See [`Frame`].
        seq: Option<i64>,
        /// See [`Frame`].
        name: String,
        /// See [`Frame`].
        text: String,
        /// See [`Frame`].
        from: Option<Uuid>,
        /// See [`Frame`].
        effect: Effect,
    },
    /// Somebody may have lost their access.
    Doubt {
        /// Who.
        user: UserId,
    },
}

#[derive(Serialize)]
struct Spoken<'a> {
    node: Uuid,
    word: &'a Word,
}

#[derive(Deserialize)]
struct Heard {
    node: Uuid,
    word: Word,
}

impl Word {
    /// The message with a frame.
    pub fn of_frame(room: Uuid, frame: &Frame) -> Self {
        let Frame { seq, name, text, from, effect } = frame.clone();
        Word::Frame { room, seq, name, text: text.to_string(), from, effect }
    }
}

impl Bus {
    /// A connection that is opened when it is first needed.
    pub fn at(url: &str) -> anyhow::Result<Self> {
        Ok(Self { client: redis::Client::open(url)?, waiting: OnceLock::new() })
    }

    /// Publishes a message without waiting for it.
    pub fn publish(&self, node: Uuid, word: &Word) {
        let text = match serde_json::to_string(&Spoken { node, word }) {
            Ok(text) => text,
            Err(error) => return tracing::error!(%error, "a message to other nodes cannot be written"),
        };
        let start = || {
            let (sender, waiting) = mpsc::channel(MOST_WAITING);
            tokio::spawn(publish_all(self.client.clone(), waiting));
            sender
        };
        if self.waiting.get_or_init(start).try_send(text).is_err() {
            metrics::counter!("planwright_live_unpublished_total").increment(1);
        }
    }

    /// Reads the messages of other nodes while it is polled. If the connection breaks, it is opened again.
    pub async fn listen(&self, hub: &Hub) {
        loop {
            if let Err(error) = self.hear(hub).await {
                tracing::warn!(error = %format!("{error:#}"), "messages of other nodes cannot be read; their events come late");
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    async fn hear(&self, hub: &Hub) -> anyhow::Result<()> {
        let opening = async {
            let mut connection = self.client.get_async_pubsub().await?;
            connection.subscribe(CHANNEL).await?;
            Ok::<_, redis::RedisError>(connection)
        };
        let connection = tokio::time::timeout(PATIENCE, opening).await.context("Redis does not answer")??;
        let mut messages = connection.into_on_message();
        while let Some(message) = messages.next().await {
            let text: String = message.get_payload()?;
            match serde_json::from_str(&text) {
                Ok(heard) => take_in(hub, heard),
                Err(error) => tracing::warn!(%error, "another node sent a message of an unknown format"),
            }
        }
        anyhow::bail!("Redis closed the connection")
    }
}

fn take_in(hub: &Hub, Heard { node, word }: Heard) {
    if node == hub.node() {
        return;
    }
    match word {
        Word::Doubt { user } => hub.doubt_here(user),
        Word::Frame { room, seq, name, text, from, effect } => {
            hub.hand_out(room, Frame { seq, name, text: text.into(), from, effect });
        }
    }
}

async fn publish_all(client: redis::Client, mut waiting: mpsc::Receiver<String>) {
    let mut connection = None;
    while let Some(first) = waiting.recv().await {
        let mut words = redis::pipe();
        words.publish(CHANNEL, first).ignore();
        for _ in 1..MOST_AT_ONCE {
            let Ok(next) = waiting.try_recv() else { break };
            words.publish(CHANNEL, next).ignore();
        }
        if let Err(error) = send(&client, &mut connection, &words).await {
            tracing::warn!(error = %format!("{error:#}"), "other nodes cannot be notified; they will read the log");
            connection = None;
        }
    }
}

async fn send(
    client: &redis::Client,
    connection: &mut Option<redis::aio::MultiplexedConnection>,
    words: &redis::Pipeline,
) -> anyhow::Result<()> {
    let sending = async {
        let open = match connection.take() {
            Some(open) => open,
            None => client.get_multiplexed_async_connection().await?,
        };
        words.query_async::<()>(connection.insert(open)).await
    };
    Ok(tokio::time::timeout(PATIENCE, sending).await.context("Redis does not answer")??)
}
