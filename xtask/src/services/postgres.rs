//! A private PostgreSQL cluster: fast but not durable for tests, with default settings for a benchmark. Only this
//! machine can reach it. It never touches a cluster of the system.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, bail};

use super::Durability;
use super::directory::PrivateDirectory;
use super::server::{Recipe, Server};

const SETTINGS: [&str; 3] = ["listen_addresses=127.0.0.1", "max_connections=200", "log_min_messages=warning"];

/// The settings that make it fast but not durable, for tests.
const QUICK: [&str; 4] =
    ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum_naptime=10min"];

/// The running cluster; dropping it stops the server.
pub(crate) struct Postgres {
    server: Server,
}

impl Postgres {
    /// Creates a cluster in the directory and starts it; `programs` holds `initdb` and `postgres`.
    pub(crate) fn start(
        programs: &Path,
        directory: &PrivateDirectory,
        durability: Durability,
    ) -> Result<Self> {
        let data = directory.path().join("postgres");
        initialise(programs, directory, &data)?;
        let command = |port: u16| {
            let mut command = directory.command(&programs.join("postgres"));
            command.arg("-D").arg(&data).arg("-p").arg(port.to_string());
            command.arg("-k").arg(directory.path());
            let quick = QUICK.iter().filter(|_| durability == Durability::Quick);
            for setting in SETTINGS.iter().chain(quick) {
                command.args(["-c", setting]);
            }
            command
        };
        let answers = |port: u16| {
            let mut probe = directory.command(&programs.join("pg_isready"));
            probe.args(["-q", "-h", "127.0.0.1", "-p", &port.to_string()]);
            probe.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
        };
        let server = Server::start(&Recipe {
            name: "PostgreSQL",
            log: directory.path().join("postgres.log"),
            // PostgreSQL's immediate shutdown.
            stop_signal: "QUIT",
            command: &command,
            answers: &answers,
        })?;
        Ok(Self { server })
    }

    /// The maintenance database, as the superuser.
    pub(crate) fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.server.port())
    }
}

fn initialise(programs: &Path, directory: &PrivateDirectory, data: &PathBuf) -> Result<()> {
    let output = directory
        .command(&programs.join("initdb"))
        .arg("-D")
        .arg(data)
        .args(["-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"])
        .output()
        .context("could not run initdb")?;
    if !output.status.success() {
        bail!("initdb failed:\n{}", String::from_utf8_lossy(&output.stderr).trim_end());
    }
    Ok(())
}
