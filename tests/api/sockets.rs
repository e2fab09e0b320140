//! A client of the channels, for tests: it opens a socket with a ticket and reads what comes.
//! It waits a few seconds for what is expected, and fails the test when it does not come.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use planwright_testkit::Person;
use serde_json::{Value, json};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, client_async, connect_async};

/// How long a test waits for what has to come.
const PATIENCE: Duration = Duration::from_secs(20);

/// An open socket.
pub(crate) struct Socket(WebSocketStream<MaybeTlsStream<TcpStream>>);

/// A fresh ticket.
pub(crate) async fn ticket(person: &Person<'_>) -> String {
    let answer = person.post("/api/v1/ws/ticket/", json!({})).await.expect(200);
    assert_eq!(answer["expires_in"], 30);
    answer["ticket"].as_str().expect("a ticket is a text").to_owned()
}

impl Socket {
    /// Opens an address as it is.
    pub(crate) async fn at(address: SocketAddr, path: &str) -> Self {
        let (socket, _) = connect_async(format!("ws://{address}{path}")).await.expect("the socket opens");
        Self(socket)
    }

    /// Opens an address over a line that holds next to nothing, as one to somebody far away.
    pub(crate) async fn narrow(address: SocketAddr, path: &str) -> Self {
        let line = TcpSocket::new_v4().expect("there are sockets");
        line.set_recv_buffer_size(8 * 1024).expect("a buffer may be small");
        let line = MaybeTlsStream::Plain(line.connect(address).await.expect("the server listens"));
        let (socket, _) =
            client_async(format!("ws://{address}{path}"), line).await.expect("the socket opens");
        Self(socket)
    }

    /// Opens the board channel, and waits until the server has got so far that nothing is missed from here on.
    pub(crate) async fn board(address: SocketAddr, project: &str, person: &Person<'_>) -> Self {
        let mut socket = Self::at(address, &board(project, &ticket(person).await)).await;
        assert_eq!(socket.until("presence_join").await["payload"]["user_id"], json!(person.id));
        socket
    }

    /// Opens the workshop channel, and waits until one takes part.
    pub(crate) async fn workshop(address: SocketAddr, project: &str, person: &Person<'_>) -> Self {
        let path = format!("/ws/v1/projects/{project}/workshop/?ticket={}", ticket(person).await);
        let mut socket = Self::at(address, &path).await;
        assert_eq!(socket.until("participant_joined").await["payload"]["user_id"], json!(person.id));
        socket
    }

    /// The next thing that is told.
    pub(crate) async fn next(&mut self) -> Value {
        match self.message().await {
            Ok(Message::Text(text)) => serde_json::from_str(&text).expect("what is told is JSON"),
            other => panic!("something else came: {other:?}"),
        }
    }

    /// Reads on until an event of that type.
    pub(crate) async fn until(&mut self, event: &str) -> Value {
        loop {
            let told = self.next().await;
            if told["event_type"] == event {
                return told;
            }
        }
    }

    /// What came until nothing came any more for a moment.
    pub(crate) async fn rest(&mut self) -> Vec<Value> {
        let mut told = Vec::new();
        while let Ok(next) = timeout(Duration::from_millis(400), self.next()).await {
            told.push(next);
        }
        told
    }

    /// Says something.
    pub(crate) async fn say(&mut self, message: impl ToString) {
        self.0.send(Message::Text(message.to_string().into())).await.expect("the socket is open");
    }

    /// Reads on until the server hangs up; how many events came, and the code, if it said one.
    pub(crate) async fn end(&mut self) -> (usize, Option<u16>) {
        let mut told = 0;
        loop {
            match self.message().await {
                Ok(Message::Close(frame)) => return (told, frame.map(|frame| frame.code.into())),
                Ok(_) => told += 1,
                Err(_) => return (told, None),
            }
        }
    }

    /// The code that the server hangs up with.
    pub(crate) async fn code(&mut self) -> Option<u16> {
        self.end().await.1
    }

    async fn message(&mut self) -> Result<Message, Error> {
        loop {
            let next = timeout(PATIENCE, self.0.next()).await.expect("something comes in time");
            match next {
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(message) => return message,
                None => return Err(Error::ConnectionClosed),
            }
        }
    }
}

/// The address of the board channel.
pub(crate) fn board(project: &str, ticket: &str) -> String {
    format!("/ws/v1/projects/{project}/?ticket={ticket}")
}
