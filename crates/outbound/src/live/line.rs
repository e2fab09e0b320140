//! One WebSocket: saying something without waiting for ever, hearing no more than anybody has to say, signs of life.
//! What is said is for the channels.

use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, timeout};

/// How often a sign of life is asked for.
const BEAT_EVERY: Duration = Duration::from_secs(30);

/// After so long without any the client is taken for gone.
const SILENCE: Duration = Duration::from_secs(75);

/// How long a client may take for one message.
const PATIENCE: Duration = Duration::from_secs(10);

/// How many messages a client may send in a second.
const MOST_A_SECOND: u32 = 200;

/// A WebSocket.
pub struct Line {
    socket: WebSocket,
    beat: Interval,
    heard_at: Instant,
    second: Instant,
    in_second: u32,
}

/// Why a connection ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The ticket is missing, unknown, too old or used.
    Ticket,
    /// The role does not suffice, or does not any more.
    Role,
    /// No workshop is held, or it is over.
    NoWorkshop,
    /// The client does not keep up.
    TooSlow,
    /// The client sends too much.
    TooMuch,
    /// The node shuts down, or takes the client for gone.
    Away,
    /// Something went wrong here.
    Trouble,
    /// The client left.
    Left,
}

/// What came over the line.
pub enum Heard {
    /// Something to read.
    Text(Utf8Bytes),
    /// Something that only shows that the client is there.
    Sign,
    /// It is time to ask for a sign of life.
    Beat,
}

impl Ending {
    /// The code that tells the client; none for who has left.
    fn code(self) -> Option<(u16, &'static str)> {
        Some(match self {
            Ending::Ticket => (4001, "get a new ticket"),
            Ending::Role => (4003, "not allowed"),
            Ending::NoWorkshop => (4004, "no workshop"),
            Ending::TooSlow => (1013, "too slow"),
            Ending::TooMuch => (1008, "too many messages"),
            Ending::Away => (1001, "going away"),
            Ending::Trouble => (1011, "unexpected error"),
            Ending::Left => return None,
        })
    }
}

impl Line {
    /// A line over a socket that has just been opened.
    pub fn over(socket: WebSocket) -> Self {
        let now = Instant::now();
        let mut beat = interval_at(now + BEAT_EVERY, BEAT_EVERY);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { socket, beat, heard_at: now, second: now, in_second: 0 }
    }

    /// Says something.
    pub async fn say(&mut self, text: Utf8Bytes) -> Result<(), Ending> {
        self.send(Message::Text(text)).await
    }

    /// Asks for a sign of life, unless there has been none for too long.
    pub async fn beat(&mut self) -> Result<(), Ending> {
        match self.heard_at.elapsed() > SILENCE {
            true => Err(Ending::Away),
            false => self.send(Message::Ping(Vec::new().into())).await,
        }
    }

    async fn send(&mut self, message: Message) -> Result<(), Ending> {
        match timeout(PATIENCE, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(Ending::Left),
            Err(_) => Err(Ending::TooSlow),
        }
    }

    /// Waits for what comes next. Nothing is lost when the wait is given up.
    pub async fn hear(&mut self) -> Result<Heard, Ending> {
        let message = tokio::select! {
            message = self.socket.recv() => message,
            _ = self.beat.tick() => return Ok(Heard::Beat),
        };
        let now = Instant::now();
        self.heard_at = now;
        if now.duration_since(self.second) >= Duration::from_secs(1) {
            (self.second, self.in_second) = (now, 0);
        }
        self.in_second += 1;
        if self.in_second > MOST_A_SECOND {
            return Err(Ending::TooMuch);
        }
        match message {
            Some(Ok(Message::Text(text))) => Ok(Heard::Text(text)),
            Some(Ok(Message::Binary(_) | Message::Ping(_) | Message::Pong(_))) => Ok(Heard::Sign),
            Some(Ok(Message::Close(_)) | Err(_)) | None => Err(Ending::Left),
        }
    }

    /// Says why and hangs up. A client that does not answer is left alone after a while.
    pub async fn close(mut self, ending: Ending) {
        let Some((code, reason)) = ending.code() else { return };
        let close = Message::Close(Some(CloseFrame { code, reason: reason.into() }));
        let goodbye = async {
            if self.socket.send(close).await.is_ok() {
                while let Some(Ok(_)) = self.socket.recv().await {}
            }
        };
        if timeout(PATIENCE / 5, goodbye).await.is_err() {
            tracing::debug!(code, "a client did not hang up");
        }
    }
}
