//! Those who follow the project, over a socket or a stream: whenever the line ends they come back with the last number.
//! They note every event under its number, and everything that should not have come.

use std::collections::BTreeMap;
use std::io::Result;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::StreamExt;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::time::timeout;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

use super::chance::Chance;
use crate::client::Session;

/// Which way somebody follows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    Socket,
    Stream,
}

/// What somebody was told.
#[derive(Default)]
pub(crate) struct Told {
    /// The last number.
    pub(crate) last: i64,
    /// Every event by its number: its type and what it carried.
    pub(crate) events: BTreeMap<i64, (Value, Value)>,
    /// How often they had to come back.
    pub(crate) returns: usize,
    /// What should not have come.
    pub(crate) faults: Vec<String>,
}

/// One who follows.
pub(crate) struct Follower {
    pub(crate) way: Way,
    pub(crate) session: Session,
    pub(crate) addresses: Vec<SocketAddr>,
    pub(crate) project: String,
    pub(crate) chance: Chance,
}

impl Follower {
    /// Begins to follow, until the test ends.
    pub(crate) fn begin(mut self) -> Arc<Mutex<Told>> {
        let told = Arc::new(Mutex::new(Told::default()));
        let noted = told.clone();
        tokio::spawn(async move {
            loop {
                let address = self.addresses[self.chance.below(self.addresses.len())];
                // Now and then somebody leaves without being sent away.
                let stay = self.chance.between(Duration::from_secs(1), Duration::from_secs(8));
                let visit = match self.way {
                    Way::Socket => timeout(stay, self.over_a_socket(address, &noted)).await,
                    Way::Stream => timeout(stay, self.over_a_stream(address, &noted)).await,
                };
                if let Ok(Err(_)) | Err(_) = visit {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
                note(&noted).returns += 1;
            }
        });
        told
    }

    async fn over_a_socket(&self, address: SocketAddr, told: &Mutex<Told>) -> Result<()> {
        let ticket = self.session.ticket(address).await?;
        let since = note(told).last;
        let url = format!("ws://{address}/ws/v1/projects/{}/?ticket={ticket}&since={since}", self.project);
        let (mut socket, _) = connect_async(url).await.map_err(std::io::Error::other)?;
        while let Some(Ok(message)) = socket.next().await {
            match message {
                Message::Text(text) => note(told).hear(&text),
                Message::Close(Some(frame)) if u16::from(frame.code) >= 4000 => {
                    note(told).faults.push(format!("sent away: {frame:?}"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    async fn over_a_stream(&self, address: SocketAddr, told: &Mutex<Told>) -> Result<()> {
        let since = note(told).last;
        let path = format!("/api/v1/projects/{}/events/stream", self.project);
        let mut lines = BufReader::new(self.session.stream(address, &path, since).await?).lines();
        let mut data = None;
        while let Some(line) = lines.next_line().await? {
            if let Some(text) = line.strip_prefix("data: ") {
                data = Some(text.to_owned());
            }
            // An event counts when it is whole, which its empty line says.
            if line.is_empty()
                && let Some(text) = data.take()
            {
                note(told).hear(&text);
            }
        }
        Ok(())
    }
}

impl Told {
    fn hear(&mut self, text: &str) {
        let message: Value = serde_json::from_str(text).expect("what is told is JSON");
        let Some(seq) = message["seq"].as_i64() else {
            if message["event_type"] == "resync_required" {
                self.faults.push(format!("{message} after {}", self.last));
            }
            return;
        };
        if seq != self.last + 1 {
            self.faults.push(format!("{seq} came after {}", self.last));
        }
        self.last = self.last.max(seq);
        self.events.insert(seq, (message["event_type"].clone(), message["payload"].clone()));
    }
}

fn note(told: &Mutex<Told>) -> std::sync::MutexGuard<'_, Told> {
    told.lock().expect("nobody panics while holding it")
}
