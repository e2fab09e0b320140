//! Receivers of webhooks that are in trouble now and then: they keep every request that they have read to its end.
//! Each does one kind of harm, until it is healed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::chance::Chance;

/// What a receiver does to some of the requests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Harm {
    /// Nothing: it takes everything.
    None,
    /// Answers 500.
    Fails,
    /// Says nothing, and keeps the line.
    Hangs,
    /// Breaks the line hard.
    Resets,
    /// Sends the caller elsewhere.
    Redirects,
    /// Ends the line in the middle of its answer.
    ClosesEarly,
}

/// One request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    /// Where it was sent to.
    pub(crate) path: String,
    /// The id of the delivery.
    pub(crate) delivery: String,
    /// The number in the header.
    pub(crate) sequence: i64,
    /// The name of the event.
    pub(crate) event: String,
    /// The body, byte by byte.
    pub(crate) body: Vec<u8>,
    /// Whether the answer said that it was taken.
    pub(crate) taken: bool,
}

/// A receiver.
#[derive(Clone)]
pub(crate) struct Receiver {
    address: std::net::SocketAddr,
    shared: Arc<Mutex<Shared>>,
}

struct Shared {
    harm: Harm,
    chance: Chance,
    received: Vec<Received>,
}

impl Receiver {
    /// One on that address of this machine.
    pub(crate) async fn at(host: &str, harm: Harm, chance: Chance) -> Self {
        let listener = TcpListener::bind((host, 0)).await.expect("a port is free");
        let address = listener.local_addr().expect("the listener has an address");
        let shared = Arc::new(Mutex::new(Shared { harm, chance, received: Vec::new() }));
        let state = shared.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, state.clone(), address.to_string()));
            }
        });
        Self { address, shared }
    }

    /// Its address.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    /// Does no more harm from here on.
    pub(crate) fn heal(&self) {
        self.becomes(Harm::None);
    }

    /// Does another harm from here on.
    pub(crate) fn becomes(&self, harm: Harm) {
        self.shared.lock().expect("nobody panics while holding it").harm = harm;
    }

    /// What it was sent so far.
    pub(crate) fn received(&self) -> Vec<Received> {
        self.shared.lock().expect("nobody panics while holding it").received.clone()
    }
}

async fn serve(mut stream: TcpStream, shared: Arc<Mutex<Shared>>, own: String) {
    while let Some(received) = read(&mut stream).await {
        let harm = {
            let mut shared = shared.lock().expect("nobody panics while holding it");
            let spared = shared.chance.below(3) == 0;
            let harm = if spared { Harm::None } else { shared.harm };
            shared.received.push(Received { taken: harm == Harm::None, ..received });
            harm
        };
        let empty = "content-length: 0\r\n\r\n";
        let answer = match harm {
            Harm::None => format!("HTTP/1.1 204 Told\r\n{empty}"),
            Harm::Fails => format!("HTTP/1.1 500 Trouble\r\n{empty}"),
            Harm::Redirects => {
                format!("HTTP/1.1 307 Elsewhere\r\nlocation: http://{own}/elsewhere\r\n{empty}")
            }
            Harm::ClosesEarly => "HTTP/1.1 20".to_owned(),
            Harm::Hangs => return tokio::time::sleep(Duration::from_secs(60)).await,
            Harm::Resets => return stream.set_zero_linger().expect("the option is known"),
        };
        // The caller may have been killed meanwhile.
        if stream.write_all(answer.as_bytes()).await.is_err() || harm == Harm::ClosesEarly {
            return;
        }
    }
}

/// The next request on a line; none when the line ends or breaks before the end of the request.
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
    let path = text.split(' ').nth(1)?.to_owned();
    let split =
        |line: &str| line.split_once(": ").map(|(name, value)| (name.to_lowercase(), value.to_owned()));
    let headers: BTreeMap<String, String> = text.split("\r\n").skip(1).filter_map(split).collect();
    let length: usize = headers.get("content-length")?.parse().ok()?;
    let mut body = bytes.split_off(head + 4);
    while body.len() < length {
        if stream.read_buf(&mut body).await.ok()? == 0 {
            return None;
        }
    }
    let json: Value = serde_json::from_slice(&body).expect("bodies are JSON");
    let sequence = headers.get("x-svc-webhook-sequence")?.parse().expect("it is a number");
    assert_eq!(json["_meta"]["sequence"], sequence, "header and body say the same");
    let header = |name: &str| headers.get(name).cloned().unwrap_or_default();
    Some(Received {
        path,
        delivery: header("x-svc-delivery"),
        sequence,
        event: header("x-svc-event"),
        body,
        taken: false,
    })
}
