//! Another server on a port of its own: it answers requests as the test says, by path, and keeps what it was asked.

use std::sync::{Arc, Mutex};

use serde_json::Value as Json;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};

use crate::request::Request;

/// What decides on an answer: the status and the body.
type Answers = dyn Fn(&Request) -> (u16, Json) + Send + Sync;

/// The server.
pub(crate) struct OtherServer {
    port: u16,
    asked: Arc<Mutex<Vec<Request>>>,
}

impl OtherServer {
    /// One that answers like that.
    pub(crate) async fn that(answers: impl Fn(&Request) -> (u16, Json) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let port = listener.local_addr().expect("the listener has an address").port();
        let asked: Arc<Mutex<Vec<Request>>> = Arc::default();
        let (answers, kept): (Arc<Answers>, _) = (Arc::new(answers), asked.clone());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, answers.clone(), kept.clone()));
            }
        });
        Self { port, asked }
    }

    /// Its address.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// What it was asked so far.
    pub(crate) fn asked(&self) -> Vec<Request> {
        self.asked.lock().expect("no test panics while it holds this").clone()
    }
}

async fn serve(mut stream: TcpStream, answers: Arc<Answers>, asked: Arc<Mutex<Vec<Request>>>) {
    let Some(request) = Request::read(&mut stream).await else { return };
    let (status, body) = answers(&request);
    asked.lock().expect("no test panics while it holds this").push(request);
    let body = body.to_string();
    let head = format!(
        "HTTP/1.1 {status} Told\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    // The caller may be gone by now, which is its own affair.
    let _ = stream.write_all(&[head.as_bytes(), body.as_bytes()].concat()).await;
}
