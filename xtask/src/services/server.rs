//! One server process: started on a free port, watched until it answers, stopped when dropped. The other files of the
//! folder define the kinds of servers.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

const START_LIMIT: Duration = Duration::from_secs(60);
const STOP_LIMIT: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(25);
const ATTEMPTS: usize = 3;

/// A running server; dropping it ends the process.
pub(crate) struct Server {
    process: Child,
    port: u16,
    stop_signal: &'static str,
}

/// How to start one kind of server.
pub(crate) struct Recipe<'a> {
    /// For messages.
    pub(crate) name: &'static str,
    /// Receives what the server prints.
    pub(crate) log: PathBuf,
    /// The signal that ends it at once and cleanly.
    pub(crate) stop_signal: &'static str,
    /// The command that runs it in the foreground on a port.
    pub(crate) command: &'a dyn Fn(u16) -> Command,
    /// Whether it answers on a port.
    pub(crate) answers: &'a dyn Fn(u16) -> bool,
}

impl Server {
    /// Starts it and waits until it answers; another process may take the port first, so it tries again.
    pub(crate) fn start(recipe: &Recipe) -> Result<Self> {
        for _ in 0..ATTEMPTS {
            if let Some(server) = Self::attempt(recipe)? {
                return Ok(server);
            }
        }
        bail!("{} does not start. The end of its log:\n{}", recipe.name, tail(&recipe.log))
    }

    fn attempt(recipe: &Recipe) -> Result<Option<Self>> {
        let port = free_port()?;
        let log = File::create(&recipe.log)?;
        let process = (recipe.command)(port)
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
            .with_context(|| format!("could not run {}", recipe.name))?;
        let mut server = Self { process, port, stop_signal: recipe.stop_signal };
        let started = Instant::now();
        while started.elapsed() < START_LIMIT {
            if server.process.try_wait()?.is_some() {
                return Ok(None);
            }
            if (recipe.answers)(port) {
                return Ok(Some(server));
            }
            std::thread::sleep(POLL);
        }
        Ok(None)
    }

    /// Where it listens on 127.0.0.1.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    fn ended_within(&mut self, limit: Duration) -> bool {
        let asked = Instant::now();
        while asked.elapsed() < limit {
            if !matches!(self.process.try_wait(), Ok(None)) {
                return true;
            }
            std::thread::sleep(POLL);
        }
        false
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if !matches!(self.process.try_wait(), Ok(None)) {
            return;
        }
        // The standard library can only send SIGKILL, which would leave PostgreSQL's children behind.
        let request = format!("kill -s {} {}", self.stop_signal, self.process.id());
        let asked = Command::new("sh").args(["-c", &request]).stdin(Stdio::null()).status();
        if asked.is_ok_and(|status| status.success()) && self.ended_within(STOP_LIMIT) {
            return;
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn free_port() -> Result<u16> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).context("no free port on 127.0.0.1")?;
    Ok(listener.local_addr()?.port())
}

fn tail(log: &Path) -> String {
    let text = fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(20)..].join("\n")
}
