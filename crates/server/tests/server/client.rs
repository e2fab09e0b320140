//! A client that lives through the death of the server: whatever breaks is an error it can go on from.
//! It opens a connection for each request and knows no more of the protocol than that takes.

use std::io::{Error, ErrorKind, Result};
use std::net::SocketAddr;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::fleet::PASSWORD;

const PATIENCE: Duration = Duration::from_secs(15);

/// A whole answer.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The status.
    pub(crate) status: u16,
    /// The body; null when there is none.
    pub(crate) body: Value,
}

impl Answer {
    /// The body, of an answer that must have that status.
    #[track_caller]
    pub(crate) fn expect(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.body);
        self.body
    }
}

/// Somebody who is signed in.
#[derive(Clone)]
pub(crate) struct Session {
    token: String,
}

impl Session {
    /// Signs the first user in.
    pub(crate) async fn sign_in(address: SocketAddr) -> Self {
        let request = json!({"username": "admin", "password": PASSWORD});
        let answer = send(address, "POST", "/api/v1/auth/token/", None, Some(&request)).await;
        let body = answer.expect("the server is there").expect(200);
        Self { token: body["access"].as_str().expect("a token is a text").to_owned() }
    }

    /// Sends a request; an error means that nobody knows what became of it.
    pub(crate) async fn send(
        &self,
        address: SocketAddr,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Answer> {
        send(address, method, path, Some(&self.token), body).await
    }

    /// Sends a request to a server that is there.
    pub(crate) async fn ask(&self, address: SocketAddr, method: &str, path: &str, body: Value) -> Answer {
        let body = (!body.is_null()).then_some(&body);
        self.send(address, method, path, body).await.expect("the server is there")
    }

    /// Sends a table as the file of a form; it is accepted.
    #[allow(dead_code, reason = "of the tests that share this file, one sends tables")]
    pub(crate) async fn upload(&self, address: SocketAddr, path: &str, table: &str) -> Value {
        let body = format!(
            "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\n{table}\r\n--edge--\r\n"
        );
        let kind = "multipart/form-data; boundary=edge";
        let sent = exchange(address, "POST", path, Some(&self.token), (kind, &body));
        timeout(PATIENCE, sent).await.expect("the server answers").expect("the server is there").expect(202)
    }

    /// A ticket for a socket.
    pub(crate) async fn ticket(&self, address: SocketAddr) -> Result<String> {
        let answer = self.send(address, "POST", "/api/v1/ws/ticket/", Some(&json!({}))).await?;
        answer.body["ticket"].as_str().map(str::to_owned).ok_or_else(broken)
    }

    /// Begins to read a stream that goes on after a number.
    pub(crate) async fn stream(&self, address: SocketAddr, path: &str, after: i64) -> Result<TcpStream> {
        let mut line = timeout(PATIENCE, TcpStream::connect(address)).await??;
        // In this old version the body is what comes until the end, without frames of its own.
        let head = format!(
            "GET {path} HTTP/1.0\r\nhost: {address}\r\nauthorization: Bearer {}\r\nlast-event-id: {after}\r\n\r\n",
            self.token
        );
        line.write_all(head.as_bytes()).await?;
        Ok(line)
    }
}

/// Whether a server answers there.
pub(crate) async fn is_healthy(address: SocketAddr) -> bool {
    send(address, "GET", "/api/v1/health/", None, None).await.is_ok_and(|answer| answer.status == 200)
}

async fn send(
    address: SocketAddr,
    method: &str,
    path: &str,
    token: Option<&str>,
    body: Option<&Value>,
) -> Result<Answer> {
    let body = body.map(Value::to_string).unwrap_or_default();
    timeout(PATIENCE, exchange(address, method, path, token, ("application/json", &body))).await?
}

async fn exchange(
    address: SocketAddr,
    method: &str,
    path: &str,
    token: Option<&str>,
    (kind, body): (&str, &str),
) -> Result<Answer> {
    let token = token.map(|token| format!("authorization: Bearer {token}\r\n")).unwrap_or_default();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n{token}content-type: {kind}\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut line = TcpStream::connect(address).await?;
    line.write_all(request.as_bytes()).await?;
    let mut bytes = Vec::new();
    line.read_to_end(&mut bytes).await?;
    read(&bytes).ok_or_else(broken)
}

/// Reads an answer; none when it ended early.
fn read(bytes: &[u8]) -> Option<Answer> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&bytes[..end]).ok()?.to_ascii_lowercase();
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let body = &bytes[end + 4..];
    match length.map(str::parse::<usize>) {
        Some(length) if length.as_ref().is_ok_and(|length| *length == body.len()) => {}
        None if status == 204 => {}
        _ => return None,
    }
    let body = if body.is_empty() { Value::Null } else { serde_json::from_slice(body).ok()? };
    Some(Answer { status, body })
}

fn broken() -> Error {
    Error::new(ErrorKind::UnexpectedEof, "the answer ended early")
}
