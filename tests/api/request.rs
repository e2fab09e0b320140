//! Reads requests from a line as a receiver of webhooks gets them, byte by byte.
//! It speaks just enough of the protocol for what the program sends; the tests of `crates/server/tests/server/chaos` include it too.

use std::collections::HashMap;

use serde_json::Value as Json;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;

/// One request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// The address, with its query.
    pub(crate) path: String,
    /// The headers, by their names in small letters.
    pub(crate) headers: HashMap<String, String>,
    /// The body, byte by byte.
    pub(crate) body: Vec<u8>,
}

impl Request {
    /// The next request on a line; none when the line ends or breaks before the end of the request.
    pub(crate) async fn read(stream: &mut TcpStream) -> Option<Self> {
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
        let length: usize = headers.get("content-length").map_or(Some(0), |text| text.parse().ok())?;
        let mut body = bytes.split_off(head + 4);
        while body.len() < length {
            if stream.read_buf(&mut body).await.ok()? == 0 {
                return None;
            }
        }
        Some(Self { path, headers, body })
    }

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
