//! One WebSocket: it sends with a time limit, limits what it reads, and checks signs of life. The channels define the
//! messages.

use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, timeout};
use tokio_tungstenite::tungstenite;

/// How often a ping is sent, and after how long without an answer the client counts as gone.
#[derive(Clone, Copy)]
struct Rhythm {
    beat: Duration,
    silence: Duration,
}

/// How often a ping is sent without a setting.
pub const HEARTBEAT: Duration = Duration::from_secs(30);

/// The maximum time for sending one message to a client.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a client that still sends may take to read the close code.
const LAST_WORD: Duration = Duration::from_millis(500);

/// The maximum number of messages of a client in a second.
const MOST_A_SECOND: u32 = 200;

/// A WebSocket.
pub struct Connection {
    socket: WebSocket,
    beat: Interval,
    silence: Duration,
    heard_at: Instant,
    second: Instant,
    in_second: u32,
}

/// Why a connection ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CloseReason {
    /// The ticket is missing, unknown, expired or used, or its credential has ended.
    Ticket,
    /// The role is too low, or has become too low.
    Role,
    /// There is no workshop, or it has ended.
    NoWorkshop,
    /// The client reads too slowly.
    TooSlow,
    /// The person has too many channels open.
    TooMany,
    /// The client sends too much.
    TooMuch,
    /// The client sent too long a message.
    TooLong,
    /// The node shuts down, or the client counts as gone.
    Away,
    /// The server has an error.
    Trouble,
    /// The client left.
    Left,
}

/// A message or a signal of the connection.
pub enum Heard {
    /// A message to read.
    Text(Utf8Bytes),
    /// A sign of life of the client.
    Sign,
    /// It is time for a ping.
    Beat,
}

impl CloseReason {
    /// The close code for the client. `None` if it has left.
    fn code(self) -> Option<(u16, &'static str)> {
        Some(match self {
            CloseReason::Ticket => (4001, "get a new ticket"),
            CloseReason::Role => (4003, "not allowed"),
            CloseReason::NoWorkshop => (4004, "no workshop"),
            CloseReason::TooSlow => (1013, "too slow"),
            CloseReason::TooMany => (1008, "too many connections"),
            CloseReason::TooMuch => (1008, "too many messages"),
            CloseReason::TooLong => (1009, "message too long"),
            CloseReason::Away => (1001, "going away"),
            CloseReason::Trouble => (1011, "unexpected error"),
            CloseReason::Left => return None,
        })
    }
}

impl Connection {
    /// A connection over a socket that has just been opened.
    pub fn over(socket: WebSocket, heartbeat: Duration) -> Self {
        Self::at(Rhythm { beat: heartbeat, silence: heartbeat * 5 / 2 }, socket)
    }

    fn at(rhythm: Rhythm, socket: WebSocket) -> Self {
        let now = Instant::now();
        let mut beat = interval_at(now + rhythm.beat, rhythm.beat);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { socket, beat, silence: rhythm.silence, heard_at: now, second: now, in_second: 0 }
    }

    /// Sends a message.
    pub async fn say(&mut self, text: Utf8Bytes) -> Result<(), CloseReason> {
        self.send(Message::Text(text)).await
    }

    /// Sends a ping, unless there was no sign of life for too long.
    pub async fn beat(&mut self) -> Result<(), CloseReason> {
        match self.heard_at.elapsed() > self.silence {
            true => Err(CloseReason::Away),
            false => self.send(Message::Ping(Vec::new().into())).await,
        }
    }

    async fn send(&mut self, message: Message) -> Result<(), CloseReason> {
        match timeout(PATIENCE, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(CloseReason::Left),
            Err(_) => Err(CloseReason::TooSlow),
        }
    }

    /// Waits for the next message or signal. Nothing is lost if the wait is cancelled.
    pub async fn hear(&mut self) -> Result<Heard, CloseReason> {
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
            return Err(CloseReason::TooMuch);
        }
        match message {
            Some(Ok(Message::Text(text))) => Ok(Heard::Text(text)),
            Some(Ok(Message::Binary(_) | Message::Ping(_) | Message::Pong(_))) => Ok(Heard::Sign),
            Some(Err(error)) => {
                Err(if is_too_long(error) { CloseReason::TooLong } else { CloseReason::Left })
            }
            Some(Ok(Message::Close(_))) | None => Err(CloseReason::Left),
        }
    }

    /// Sends the close code and closes the connection. If the client does not answer, it gives up after some time.
    pub async fn close(mut self, reason: CloseReason) {
        let Some((code, text)) = reason.code() else { return };
        let close = Message::Close(Some(CloseFrame { code, reason: text.into() }));
        let goodbye = async {
            if self.socket.send(close).await.is_err() {
                return;
            }
            loop {
                match self.socket.recv().await {
                    Some(Ok(_)) => {}
                    // What is left of too long a message is not read. Hanging up at once would take back the code that the
                    // client has not seen yet.
                    Some(Err(_)) if reason == CloseReason::TooLong => {
                        return tokio::time::sleep(LAST_WORD).await;
                    }
                    Some(Err(_)) | None => return,
                }
            }
        };
        if timeout(PATIENCE / 5, goodbye).await.is_err() {
            tracing::debug!(code, "a client did not close its connection");
        }
    }
}

fn is_too_long(error: axum::Error) -> bool {
    let cause = error.into_inner();
    matches!(cause.downcast_ref::<tungstenite::Error>(), Some(tungstenite::Error::Capacity(_)))
}

#[cfg(test)]
mod tests {
    use std::future::IntoFuture;

    use axum::Router;
    use axum::extract::ws::WebSocketUpgrade;
    use axum::routing::get;
    use futures_util::StreamExt;
    use tokio::net::{TcpListener, TcpStream};
    use tokio_tungstenite::tungstenite::Message as Said;
    use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

    use super::*;

    const QUICK: Rhythm = Rhythm { beat: Duration::from_millis(100), silence: Duration::from_millis(900) };

    async fn listen(socket: WebSocket) {
        let mut connection = Connection::at(QUICK, socket);
        let reason = loop {
            match connection.hear().await {
                Ok(Heard::Beat) => match connection.beat().await {
                    Ok(()) => {}
                    Err(reason) => break reason,
                },
                Ok(Heard::Text(_) | Heard::Sign) => {}
                Err(reason) => break reason,
            }
        };
        connection.close(reason).await;
    }

    async fn client() -> WebSocketStream<MaybeTlsStream<TcpStream>> {
        let upgrade = async |upgrade: WebSocketUpgrade| upgrade.on_upgrade(listen);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(axum::serve(listener, Router::new().route("/", get(upgrade))).into_future());
        connect_async(format!("ws://{address}/")).await.unwrap().0
    }

    #[tokio::test]
    async fn whoever_answers_stays_for_as_long_as_they_answer() {
        let mut client = client().await;
        let begun = Instant::now();
        // Reading answers what was asked before.
        while begun.elapsed() < QUICK.silence * 2 {
            match client.next().await {
                Some(Ok(Said::Ping(_))) => {}
                other => panic!("{other:?} after {:?}", begun.elapsed()),
            }
        }
    }

    #[tokio::test]
    async fn whoever_gives_no_sign_of_life_is_asked_for_one_and_then_let_go() {
        let mut client = client().await;
        let begun = Instant::now();
        // Whoever does not read answers nothing.
        tokio::time::sleep(QUICK.silence * 2).await;
        let mut asked = 0;
        let code = loop {
            match client.next().await {
                Some(Ok(Said::Ping(_))) => asked += 1,
                Some(Ok(Said::Close(frame))) => break frame.map(|frame| u16::from(frame.code)),
                other => panic!("{other:?} after {:?}", begun.elapsed()),
            }
        };
        assert_eq!(code, Some(1001));
        assert!(asked > 2, "{asked}");
    }
}
