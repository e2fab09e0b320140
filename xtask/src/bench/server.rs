//! The server as a whole, started as a stranger would: an empty data directory and no settings.
//! Start-up, memory at rest, and the cheapest request under load; areas have measures of their own.

use std::fs::{self, File};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::client::{Connection, Load};
use super::{Measure, machine};
use crate::workspace::{Workspace, cargo};

const PACKAGE: &str = "planwright-server";
const HEALTH: &str = "/api/v1/health/";
const STARTS: usize = 5;
const START_LIMIT: Duration = Duration::from_secs(30);
const POLL: Duration = Duration::from_millis(2);
const IDLE: Duration = Duration::from_secs(5);
const WARM_UP: Duration = Duration::from_secs(1);
const LOAD: Duration = Duration::from_secs(5);
const THREADS: usize = 4;

/// Builds the release binary and measures it; nothing when there is no server crate.
pub(crate) fn measure(workspace: &Workspace) -> Result<Vec<Measure>> {
    if !workspace.has(PACKAGE) {
        return Ok(Vec::new());
    }
    let built = cargo()
        .args(["build", "--release", "--package", PACKAGE])
        .current_dir(&workspace.root)
        .stdin(Stdio::null())
        .status()
        .context("could not run cargo build")?;
    if !built.success() {
        bail!("the release binary does not build");
    }
    measure_binary(&workspace.target.join("release/planwright"), &workspace.target.join("bench"))
}

fn measure_binary(binary: &Path, scratch: &Path) -> Result<Vec<Measure>> {
    let mut starts = Vec::new();
    for _ in 1..STARTS {
        starts.push(RunningServer::start(binary, scratch)?.start_up);
    }
    let server = RunningServer::start(binary, scratch)?;
    starts.push(server.start_up);
    starts.sort_unstable();
    std::thread::sleep(IDLE);
    let memory = server.resident_memory().unwrap_or_else(|| "not known".to_owned());
    Load::put(server.address, HEALTH, THREADS, WARM_UP)?;
    let load = Load::put(server.address, HEALTH, THREADS, LOAD)?;
    Ok(vec![
        row(
            "start-up to the first 200 of the health check, empty data directory",
            format!(
                "{} (median of {STARTS}, {} to {})",
                milliseconds(starts[STARTS / 2]),
                milliseconds(starts[0]),
                milliseconds(starts[STARTS - 1])
            ),
        ),
        row("resident memory after 5 s at rest", memory),
        row(
            "health check over 4 kept connections, client on the same cores",
            format!("{:.0} requests/s", load.per_second()),
        ),
        row(
            "its latency",
            format!("p50 {}, p99 {}", milliseconds(load.percentile(50)), milliseconds(load.percentile(99))),
        ),
        row("its answers other than 200", load.refused.to_string()),
    ])
}

struct RunningServer {
    process: Child,
    address: SocketAddr,
    start_up: Duration,
    directory: PathBuf,
}

impl RunningServer {
    fn start(binary: &Path, scratch: &Path) -> Result<Self> {
        // What an interrupted run left behind would not be an empty data directory.
        let _ = fs::remove_dir_all(scratch);
        let data = scratch.join("data");
        fs::create_dir_all(&data)?;
        let log = scratch.join("server.log");
        let output = File::create(&log)?;
        let address = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?;
        let mut command = Command::new(binary);
        command.arg("serve").args(["--listen", &address.to_string()]).arg("--data-dir").arg(&data);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("SVC_") {
                command.env_remove(name);
            }
        }
        let started = Instant::now();
        let process = command
            .stdin(Stdio::null())
            .stdout(output.try_clone()?)
            .stderr(output)
            .spawn()
            .with_context(|| format!("could not run {}", binary.display()))?;
        let directory = scratch.to_owned();
        let mut server = Self { process, address, start_up: Duration::ZERO, directory };
        while !server.is_healthy() {
            if server.process.try_wait()?.is_some() || started.elapsed() > START_LIMIT {
                bail!("the server does not start:\n{}", fs::read_to_string(&log).unwrap_or_default());
            }
            std::thread::sleep(POLL);
        }
        server.start_up = started.elapsed();
        Ok(server)
    }

    fn is_healthy(&self) -> bool {
        Connection::open(self.address, HEALTH)
            .and_then(|mut connection| connection.get())
            .is_ok_and(|status| status == 200)
    }

    fn resident_memory(&self) -> Option<String> {
        let text = machine::field(&format!("/proc/{}/status", self.process.id()), "VmRSS")?;
        let kibibytes: f64 = text.split_whitespace().next()?.parse().ok()?;
        Some(format!("{:.1} MiB", kibibytes / 1024.0))
    }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.directory);
    }
}

fn row(name: &str, result: String) -> Measure {
    Measure { name: name.to_owned(), result }
}

fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}
