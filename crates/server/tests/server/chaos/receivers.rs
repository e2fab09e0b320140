//! Receivers of webhooks that are in trouble now and then: they keep every request that they have read to its end.
//! Each does one kind of harm, until it is healed.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};

use super::chance::Chance;
use super::request::Request;

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

/// One request as it came, and what became of it.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    /// What was sent.
    pub(crate) request: Request,
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
    while let Some(request) = Request::read(&mut stream).await {
        assert_eq!(request.json()["_meta"]["sequence"], request.sequence(), "header and body say the same");
        let harm = {
            let mut shared = shared.lock().expect("nobody panics while holding it");
            let spared = shared.chance.below(3) == 0;
            let harm = if spared { Harm::None } else { shared.harm };
            shared.received.push(Received { request, taken: harm == Harm::None });
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
