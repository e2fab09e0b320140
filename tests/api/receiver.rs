//! A receiver of webhooks on a port of its own: it keeps what it was sent, and answers as the test wants it to.
//! It speaks just enough of the protocol to misbehave on purpose.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value as Json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What a receiver does with a request that it has read.
#[derive(Clone, Debug)]
pub(crate) enum Mood {
    /// Answers with a status.
    Answers(u16),
    /// Says nothing, and keeps the line.
    Hangs,
    /// Breaks the line hard.
    Resets,
    /// Sends the caller elsewhere.
    Redirects(String),
    /// Ends the line without an answer.
    ClosesEarly,
    /// Answers after a while.
    Dawdles(Duration),
}

/// One request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    /// The address, with its query.
    pub(crate) path: String,
    /// The headers, by their names in small letters.
    pub(crate) headers: HashMap<String, String>,
    /// The body, byte by byte.
    pub(crate) body: Vec<u8>,
}

impl Received {
    /// A header; empty when it is not there.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(String::as_str).unwrap_or_default()
    }

    /// The body as JSON.
    pub(crate) fn json(&self) -> Json {
        serde_json::from_slice(&self.body).expect("bodies are JSON")
    }

    /// The number in the header.
    pub(crate) fn sequence(&self) -> i64 {
        self.header("x-svc-webhook-sequence").parse().expect("it is a number")
    }
}

/// A receiver.
pub(crate) struct Receiver {
    port: u16,
    shared: Arc<Mutex<(Mood, Vec<Received>)>>,
}

impl Receiver {
    /// One in that mood.
    pub(crate) async fn that(mood: Mood) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let port = listener.local_addr().expect("the listener has an address").port();
        let shared = Arc::new(Mutex::new((mood, Vec::new())));
        let state = shared.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, state.clone()));
            }
        });
        Self { port, shared }
    }

    /// One that takes everything.
    pub(crate) async fn willing() -> Self {
        Self::that(Mood::Answers(204)).await
    }

    /// Its address.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/hook?team=7", self.port)
    }

    /// Its address by a name that leads to this machine.
    pub(crate) fn url_by_name(&self) -> String {
        format!("http://localhost:{}/hook", self.port)
    }

    /// Changes its mood.
    pub(crate) fn becomes(&self, mood: Mood) {
        self.shared.lock().expect("no test panics while it holds this").0 = mood;
    }

    /// What it was sent so far.
    pub(crate) fn received(&self) -> Vec<Received> {
        self.shared.lock().expect("no test panics while it holds this").1.clone()
    }
}

async fn serve(mut stream: TcpStream, shared: Arc<Mutex<(Mood, Vec<Received>)>>) {
    let Some(received) = read(&mut stream).await else { return };
    let mood = {
        let mut shared = shared.lock().expect("no test panics while it holds this");
        shared.1.push(received);
        shared.0.clone()
    };
    let answer = match mood {
        Mood::Answers(status) => format!("HTTP/1.1 {status} Told\r\ncontent-length: 0\r\n\r\n"),
        Mood::Redirects(to) => format!("HTTP/1.1 302 Found\r\nlocation: {to}\r\ncontent-length: 0\r\n\r\n"),
        Mood::ClosesEarly => return,
        Mood::Resets => {
            stream.set_zero_linger().expect("the option is known");
            return;
        }
        Mood::Hangs => {
            tokio::time::sleep(Duration::from_secs(60)).await;
            return;
        }
        Mood::Dawdles(time) => {
            tokio::time::sleep(time).await;
            "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".to_owned()
        }
    };
    // The caller may be gone by now, which is its own affair.
    let _ = stream.write_all(answer.as_bytes()).await;
}

async fn read(stream: &mut TcpStream) -> Option<Received> {
    let mut bytes = Vec::new();
    let head = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let text = String::from_utf8(bytes[..head].to_vec()).ok()?;
    let mut lines = text.split("\r\n");
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    let header =
        |line: &str| line.split_once(": ").map(|(name, value)| (name.to_lowercase(), value.to_owned()));
    let headers: HashMap<String, String> = lines.filter_map(header).collect();
    let length: usize = headers.get("content-length")?.parse().ok()?;
    let mut body = bytes.split_off(head + 4);
    while body.len() < length {
        if stream.read_buf(&mut body).await.ok()? == 0 {
            return None;
        }
    }
    Some(Received { path, headers, body })
}
