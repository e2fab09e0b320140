//! The program, started with an empty data directory for stories and measurements, and ended with its value. It does not
//! build the program.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::services::Services;

/// The crate that the binary belongs to.
pub const PACKAGE: &str = "planwright-server";
/// The cheapest request there is.
pub const HEALTH: &str = "/api/v1/health/";

/// The user of the clients of a benchmark.
pub const USERNAME: &str = "admin";
/// The password of that person.
pub const PASSWORD: &str = "known-to-this-bench-only";

const START_LIMIT: Duration = Duration::from_secs(30);
const POLL: Duration = Duration::from_millis(2);

/// A binary that was built before, which is measured as it is.
const BINARY: &str = "PLANWRIGHT_BENCH_BINARY";

/// The binary that was built before, if the caller names one.
pub fn named_binary() -> Option<PathBuf> {
    std::env::var_os(BINARY).map(PathBuf::from)
}

/// A server of our own; dropping it ends the process and removes its data.
pub struct RunningServer {
    /// Where it answers.
    pub address: SocketAddr,
    /// From the start of the process to the first good answer.
    pub start_up: Duration,
    process: Child,
    directory: PathBuf,
    binary: PathBuf,
    settings: Vec<(String, String)>,
}

impl RunningServer {
    /// Starts the binary for clients that sign in and are not limited, on SQLite or on the PostgreSQL of the services.
    pub fn start_on(
        binary: &Path,
        scratch: &Path,
        services: Option<&Services>,
        further: &[(&str, &str)],
    ) -> Result<Self> {
        let url =
            services.map(|services| services.postgres_url().context("there is no PostgreSQL")).transpose()?;
        let mut settings = vec![
            ("SVC_ADMIN_USERNAME", USERNAME),
            ("SVC_ADMIN_PASSWORD", PASSWORD),
            ("SVC_RATE_LIMIT_ENABLED", "false"),
            ("SVC_RATE_LIMIT_DISABLE_ACK", "1"),
        ];
        settings.extend(further);
        settings.extend(url.map(|url| ("SVC_DATABASE_URL", url)));
        Self::start(binary, scratch, &settings)
    }

    /// Starts the binary with these settings and no others, and waits until it answers.
    pub fn start(binary: &Path, scratch: &Path, settings: &[(&str, &str)]) -> Result<Self> {
        // What an interrupted run left behind would not be an empty data directory.
        let _ = fs::remove_dir_all(scratch);
        let data = scratch.join("data");
        fs::create_dir_all(&data)?;
        let log = scratch.join("server.log");
        let output = File::create(&log)?;
        let address = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?;
        let mut command = Command::new(binary);
        command.arg("serve").args(["--listen", &address.to_string()]).arg("--data-dir").arg(&data);
        // Without this a database that the caller's environment names would be written to.
        command.env_clear().envs(settings.iter().copied());
        let started = Instant::now();
        let process = command
            .stdin(Stdio::null())
            .stdout(output.try_clone()?)
            .stderr(output)
            .spawn()
            .with_context(|| format!("could not run {}", binary.display()))?;
        let directory = scratch.to_owned();
        let settings =
            settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let (binary, start_up) = (binary.to_owned(), Duration::ZERO);
        let mut server = Self { process, address, start_up, directory, binary, settings };
        while !server.is_healthy() {
            if server.process.try_wait()?.is_some() || started.elapsed() > START_LIMIT {
                bail!("the server does not start:\n{}", fs::read_to_string(&log).unwrap_or_default());
            }
            std::thread::sleep(POLL);
        }
        server.start_up = started.elapsed();
        Ok(server)
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Another command of the binary, for the data of this server.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command.args(arguments).env_clear().envs(self.settings.iter().map(|(name, value)| (name, value)));
        command.env("SVC_DATA_DIR", self.directory.join("data"));
        command
    }

    fn is_healthy(&self) -> bool {
        let status = || -> std::io::Result<[u8; 12]> {
            let mut stream = TcpStream::connect(self.address)?;
            stream.set_read_timeout(Some(START_LIMIT))?;
            write!(stream, "GET {HEALTH} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
            let mut start = [0; 12];
            stream.read_exact(&mut start)?;
            Ok(start)
        };
        status().is_ok_and(|start| &start == b"HTTP/1.1 200")
    }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.directory);
    }
}
