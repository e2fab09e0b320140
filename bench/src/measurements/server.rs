//! Measures the server as a whole, with an empty data directory and no settings: start-up, memory at rest, and the
//! cheapest request under load. Areas have their own measurements.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use xtask::running_server::{HEALTH, PACKAGE, RunningServer};
use xtask::workspace::Workspace;

use super::Measure;
use super::client::Request;
use super::load::{Load, milliseconds};
use super::{memory, release};

const STARTS: usize = 5;
const IDLE: Duration = Duration::from_secs(5);
const WARM_UP: Duration = Duration::from_secs(1);
const LOAD: Duration = Duration::from_secs(5);
const THREADS: usize = 4;

/// Builds the release binary and measures it; nothing when there is no server crate.
pub(crate) fn measure(workspace: &Workspace) -> Result<Vec<Measure>> {
    if !workspace.has(PACKAGE) {
        return Ok(Vec::new());
    }
    measure_binary(&release::build(workspace)?, &workspace.target.join("bench"))
}

fn measure_binary(binary: &Path, scratch: &Path) -> Result<Vec<Measure>> {
    let mut starts = Vec::new();
    for _ in 1..STARTS {
        starts.push(RunningServer::start(binary, scratch, &[])?.start_up);
    }
    let server = RunningServer::start(binary, scratch, &[])?;
    starts.push(server.start_up);
    starts.sort_unstable();
    std::thread::sleep(IDLE);
    let memory = memory::resident_kibibytes(&server);
    let memory = memory.map_or("not known".to_owned(), |size| format!("{:.1} MiB", size / 1024.0));
    let health = [Request::get(HEALTH)];
    Load::put(server.address, &health, THREADS, WARM_UP)?;
    let load = Load::put(server.address, &health, THREADS, LOAD)?;
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

fn row(name: &str, result: String) -> Measure {
    Measure { name: name.to_owned(), result }
}
