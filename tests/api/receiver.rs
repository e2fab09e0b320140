//! A receiver of webhooks on a port of its own: it keeps what it was sent, and answers as the test wants it to.
//! It speaks just enough of the protocol to misbehave on purpose.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};

use crate::request::Request;

/// What a receiver does with a request that it has read.
#[derive(Clone, Debug)]
pub(crate) enum Mood {
    /// Answers with a status.
    Answers(u16),
    /// Says nothing, and keeps the line.
    Hangs,
    /// Shows a page.
    Shows(&'static str),
    /// Sends these bytes as content of this type.
    Sends(&'static str, &'static [u8]),
    /// Breaks the line hard.
    Resets,
    /// Sends the caller elsewhere.
    Redirects(String),
    /// Ends the line without an answer.
    ClosesEarly,
    /// Answers after a while.
    Dawdles(Duration),
}

/// A receiver.
pub(crate) struct Receiver {
    port: u16,
    shared: Arc<Mutex<(Mood, Vec<Request>)>>,
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
    pub(crate) fn received(&self) -> Vec<Request> {
        self.shared.lock().expect("no test panics while it holds this").1.clone()
    }
}

async fn serve(mut stream: TcpStream, shared: Arc<Mutex<(Mood, Vec<Request>)>>) {
    let Some(request) = Request::read(&mut stream).await else { return };
    let mood = {
        let mut shared = shared.lock().expect("no test panics while it holds this");
        shared.1.push(request);
        shared.0.clone()
    };
    let answer = match mood {
        Mood::Answers(status) => format!("HTTP/1.1 {status} Told\r\ncontent-length: 0\r\n\r\n"),
        Mood::Shows(page) => format!(
            "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}\r\n\r\n{page}",
            page.len()
        ),
        Mood::Sends(media_type, content) => {
            let length = content.len();
            let head =
                format!("HTTP/1.1 200 OK\r\ncontent-type: {media_type}\r\ncontent-length: {length}\r\n\r\n");
            let _ = stream.write_all(&[head.as_bytes(), content].concat()).await;
            return;
        }
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
