//! A receiver of webhooks on this machine: it records the time of each request, and answers at once or not at all. It
//! has one thread for each connection and keeps the connection open as long as the sender does.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use anyhow::Result;

/// How a receiver handles a request.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mood {
    /// Accepts it.
    Willing,
    /// Reads it and does not answer.
    Hanging,
}

/// When each request came, with its body.
type Received = Vec<(Instant, Vec<u8>)>;

/// A receiver.
pub(crate) struct Receiver {
    address: SocketAddr,
    received: Arc<Mutex<Received>>,
}

impl Receiver {
    /// Starts one, which lives as long as this process.
    pub(crate) fn start(mood: Mood) -> Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let received: Arc<Mutex<Received>> = Arc::default();
        let noted = received.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let noted = noted.clone();
                // A sender that hangs up ends the thread, which is all there is to do about it.
                std::thread::spawn(move || drop(serve(stream, mood, &noted)));
            }
        });
        Ok(Self { address, received })
    }

    /// Its address.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    /// How many requests have come.
    pub(crate) fn count(&self) -> usize {
        self.lock().len()
    }

    /// Forgets what has come.
    pub(crate) fn forget(&self) {
        self.lock().clear();
    }

    /// When the first request came whose body holds this text.
    pub(crate) fn came(&self, text: &str) -> Option<Instant> {
        let received = self.lock();
        let found = received.iter().find(|(_, body)| String::from_utf8_lossy(body).contains(text));
        found.map(|(at, _)| *at)
    }

    /// When the first and the last came.
    pub(crate) fn span(&self) -> Option<(Instant, Instant)> {
        let received = self.lock();
        let times = received.iter().map(|(at, _)| *at);
        Some((times.clone().min()?, times.max()?))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Received> {
        self.received.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

fn serve(stream: TcpStream, mood: Mood, received: &Mutex<Received>) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut writer = stream.try_clone()?;
    let mut reader = BufReader::new(stream);
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 {
                return Ok(());
            }
            if let Some(text) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = text.trim().parse().unwrap_or(0);
            }
            if line.trim_end().is_empty() {
                break;
            }
        }
        let mut body = Vec::new();
        reader.by_ref().take(length).read_to_end(&mut body)?;
        let now = Instant::now();
        received.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((now, body));
        if mood == Mood::Willing {
            writer.write_all(b"HTTP/1.1 204 No Content\r\n\r\n")?;
        }
    }
}
