//! One WebSocket: saying something without waiting for ever, hearing no more than anybody has to say, signs of life.
//! What is said is for the channels.

use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, timeout};
use tokio_tungstenite::tungstenite;

/// How often a sign of life is asked for, and after how long without any the client is taken for gone.
#[derive(Clone, Copy)]
struct Rhythm {
    beat: Duration,
    silence: Duration,
}

/// How often a sign of life is asked for without a setting.
pub const HEARTBEAT: Duration = Duration::from_secs(30);

/// How long a client may take for one message.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a client gets to read why the connection ends that goes on sending.
const LAST_WORD: Duration = Duration::from_millis(500);

/// How many messages a client may send in a second.
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
    /// The ticket is missing, unknown, too old or used, or what it was got with has ended.
    Ticket,
    /// The role does not suffice, or does not any more.
    Role,
    /// No workshop is held, or it is over.
    NoWorkshop,
    /// The client does not keep up.
    TooSlow,
    /// The person has too many channels open.
    TooMany,
    /// The client sends too much.
    TooMuch,
    /// The client sent too long a message.
    TooLong,
    /// The node shuts down, or takes the client for gone.
    Away,
    /// Something went wrong here.
    Trouble,
    /// The client left.
    Left,
}

/// What came over the connection.
pub enum Heard {
    /// Something to read.
    Text(Utf8Bytes),
    /// Something that only shows that the client is there.
    Sign,
    /// It is time to ask for a sign of life.
    Beat,
}

impl CloseReason {
    /// The code that tells the client; none for who has left.
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

    /// Says something.
    pub async fn say(&mut self, text: Utf8Bytes) -> Result<(), CloseReason> {
        self.send(Message::Text(text)).await
    }

    /// Asks for a sign of life, unless there has been none for too long.
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

    /// Waits for what comes next. Nothing is lost when the wait is given up.
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

    /// Says why and hangs up. A client that does not answer is left alone after a while.
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
