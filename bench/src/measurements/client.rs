//! A minimal HTTP client that can load a server over one open connection. It understands only the answers of our
//! server.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context, Result, bail};

const PATIENCE: Duration = Duration::from_secs(10);

/// A request as it goes over the wire: written once, sent any number of times.
pub(crate) struct Request {
    /// Method and path, for messages.
    pub(crate) name: String,
    bytes: Vec<u8>,
}

impl Request {
    /// A GET of nobody in particular.
    pub(crate) fn get(path: &str) -> Self {
        Self::new("GET", path, None, None)
    }

    /// A GET of somebody who keeps the answer that has this tag.
    pub(crate) fn get_unless(path: &str, tag: &str) -> Self {
        let text = format!("{}If-None-Match: {tag}\r\n\r\n", first_lines("GET", path, None));
        Self { name: format!("GET {path}"), bytes: text.into_bytes() }
    }

    /// A request with an access token and a JSON body, where there are such.
    pub(crate) fn new(method: &str, path: &str, token: Option<&str>, body: Option<&str>) -> Self {
        let name = format!("{method} {path}");
        let mut text = first_lines(method, path, token);
        if let Some(body) = body {
            let length = body.len();
            text.push_str(&format!("Content-Type: application/json\r\nContent-Length: {length}\r\n"));
        }
        text.push_str("\r\n");
        text.push_str(body.unwrap_or_default());
        Self { name, bytes: text.into_bytes() }
    }
}

/// The first lines of a request, up to those that tell of a body.
pub(crate) fn first_lines(method: &str, path: &str, token: Option<&str>) -> String {
    // Servers of the Model Context Protocol refuse a client that does not accept a stream.
    let accepted = "application/json, text/event-stream";
    let mut text = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nAccept: {accepted}\r\n");
    if let Some(token) = token {
        text.push_str(&format!("Authorization: Bearer {token}\r\n"));
    }
    text
}

/// The answer.
pub(crate) struct Answer<'a> {
    /// The status code.
    pub(crate) status: u16,
    /// The whole body.
    pub(crate) body: &'a [u8],
    /// The tag of the answer; blank without one.
    pub(crate) tag: String,
}

/// One kept connection.
pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
    body: Vec<u8>,
}

impl Connection {
    /// Connects and sends nothing yet.
    pub(crate) fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect_timeout(&address, PATIENCE)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(Self { stream: BufReader::new(stream), body: Vec::new() })
    }

    /// Sends a request and reads the whole answer.
    pub(crate) fn send(&mut self, request: &Request) -> Result<Answer<'_>> {
        self.stream.get_mut().write_all(&request.bytes)?;
        let start = self.line()?;
        let status = start.split(' ').nth(1).and_then(|code| code.parse().ok());
        let status = status.with_context(|| format!("this is no status line: {start}"))?;
        let (mut length, mut tag) = (None, String::new());
        loop {
            let line = self.line()?;
            if line.is_empty() {
                break;
            }
            let Some((name, value)) = line.split_once(':') else { continue };
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse::<u64>().ok();
            } else if name.eq_ignore_ascii_case("etag") {
                value.trim().clone_into(&mut tag);
            }
        }
        if status == 304 {
            length = Some(0);
        }
        let length = length.context("the answer has no Content-Length")?;
        self.body.clear();
        let read = self.stream.by_ref().take(length).read_to_end(&mut self.body)?;
        if (read as u64) < length {
            bail!("the answer ended early");
        }
        Ok(Answer { status, body: &self.body, tag })
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            bail!("the server closed the connection");
        }
        Ok(line.trim_end().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn a_request_with_a_body_says_whose_it_is_and_how_long() {
        let request = Request::new("PATCH", "/a/", Some("secret"), Some("{\"name\":\"ä\"}"));
        let text = String::from_utf8(request.bytes).unwrap();
        assert!(text.starts_with("PATCH /a/ HTTP/1.1\r\nHost: "));
        assert!(text.contains("\r\nAuthorization: Bearer secret\r\n"));
        assert!(text.ends_with("\r\nContent-Length: 13\r\n\r\n{\"name\":\"ä\"}"));
    }

    #[test]
    fn one_connection_carries_several_answers_of_any_length() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            for answer in
                ["200 OK\r\ncontent-length: 5\r\n\r\nhello", "404 Not Found\r\nContent-Length: 0\r\n\r\n"]
            {
                let mut asked = [0; 1024];
                assert!(stream.read(&mut asked).unwrap() > 0);
                write!(stream, "HTTP/1.1 {answer}").unwrap();
            }
        });
        let mut connection = Connection::open(address).unwrap();
        let found = connection.send(&Request::get("/")).unwrap();
        assert_eq!((found.status, found.body), (200, b"hello".as_slice()));
        let missing = connection.send(&Request::get("/")).unwrap();
        assert_eq!((missing.status, missing.body), (404, b"".as_slice()));
        server.join().unwrap();
    }
}
