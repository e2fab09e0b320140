//! A signed-in person who sends JSON over one open connection. An unexpected answer is an error that shows the
//! answer.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::measurements::client::{Connection, Request, first_lines};

/// A connection that was idle for this long may have been closed by the server.
const IDLE: Duration = Duration::from_secs(5);
/// How often a job is asked for.
const POLL: Duration = Duration::from_millis(20);

/// A signed-in caller.
pub(crate) struct Session {
    address: SocketAddr,
    connection: Connection,
    used: Instant,
    token: Option<String>,
}

impl Session {
    /// Signs in. The access token is valid for the whole benchmark.
    pub(crate) fn sign_in(address: SocketAddr, username: &str, password: &str) -> Result<Self> {
        let mut session = Self::of(address, None)?;
        let wish = json!({"username": username, "password": password});
        let answer = session.post("/api/v1/auth/token/", &wish, 200)?;
        session.token = Some(text(&answer, "access")?.to_owned());
        Ok(session)
    }

    /// A caller with a token of another kind, or nobody in particular.
    pub(crate) fn of(address: SocketAddr, token: Option<&str>) -> Result<Self> {
        let connection = Connection::open(address)?;
        Ok(Self { address, connection, used: Instant::now(), token: token.map(str::to_owned) })
    }

    /// A GET as this person, to be sent later.
    pub(crate) fn reading(&self, path: &str) -> Request {
        Request::new("GET", path, self.token.as_deref(), None)
    }

    /// A request with a body as this person, to be sent later.
    pub(crate) fn writing(&self, method: &str, path: &str, body: &Value) -> Request {
        Request::new(method, path, self.token.as_deref(), Some(&body.to_string()))
    }

    /// The first lines of a request as this person, whose body somebody else sends.
    pub(crate) fn lines(&self, method: &str, path: &str) -> String {
        first_lines(method, path, self.token.as_deref())
    }

    /// The answer to a GET.
    pub(crate) fn get(&mut self, path: &str) -> Result<Value> {
        let request = self.reading(path);
        self.parsed(&request, 200)
    }

    /// The answer to a POST.
    pub(crate) fn post(&mut self, path: &str, body: &Value, expected: u16) -> Result<Value> {
        let request = self.writing("POST", path, body);
        self.parsed(&request, expected)
    }

    /// Asks for a job again and again until it has ended well, and shows it then.
    pub(crate) fn follow(&mut self, path: &str, patience: Duration) -> Result<Value> {
        let begun = Instant::now();
        loop {
            let job = self.get(path)?;
            match text(&job, "status")? {
                "success" | "completed" => return Ok(job),
                "failed" => bail!("{path} failed: {}", text(&job, "error_detail")?),
                _ if begun.elapsed() > patience => bail!("{path} takes too long"),
                _ => std::thread::sleep(POLL),
            }
        }
    }

    /// The answer to a request.
    pub(crate) fn parsed(&mut self, request: &Request, expected: u16) -> Result<Value> {
        let (_, body) = self.timed(request, expected)?;
        parse(body)
    }

    /// The body of the answer, and how long it took from the first byte sent to the last one read.
    pub(crate) fn timed(&mut self, request: &Request, expected: u16) -> Result<(Duration, &[u8])> {
        if self.used.elapsed() > IDLE {
            self.connection = Connection::open(self.address)?;
        }
        let sent = Instant::now();
        let answer = self.connection.send(request).with_context(|| request.name.clone())?;
        let took = sent.elapsed();
        self.used = Instant::now();
        if answer.status != expected {
            let said = String::from_utf8_lossy(answer.body);
            bail!("{} answered {}: {said:.300}", request.name, answer.status);
        }
        Ok((took, answer.body))
    }
}

/// A body as JSON.
pub(crate) fn parse(body: &[u8]) -> Result<Value> {
    serde_json::from_slice(body).context("an answer is no JSON")
}

/// A text field of an answer.
pub(crate) fn text<'a>(value: &'a Value, key: &str) -> Result<&'a str> {
    value[key].as_str().with_context(|| format!("an answer has no text `{key}`"))
}

/// A list field of an answer.
pub(crate) fn list<'a>(value: &'a Value, key: &str) -> Result<&'a [Value]> {
    let list = value[key].as_array().with_context(|| format!("an answer has no list `{key}`"))?;
    Ok(list)
}
