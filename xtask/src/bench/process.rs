//! The release binary: built, and started with an empty data directory. The other files of the folder measure it.

use std::fs::{self, File};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::client::{Connection, Request};
use super::machine;
use super::table::Table;
use crate::services::{Durability, Services};
use crate::workspace::{Workspace, cargo};

/// The crate that the binary belongs to.
pub(crate) const PACKAGE: &str = "planwright-server";
/// The cheapest request there is.
pub(crate) const HEALTH: &str = "/api/v1/health/";

/// The user of the clients of a benchmark.
pub(crate) const USERNAME: &str = "admin";
/// The password of that person.
pub(crate) const PASSWORD: &str = "known-to-this-bench-only";

const START_LIMIT: Duration = Duration::from_secs(30);
const POLL: Duration = Duration::from_millis(2);

/// A binary that was built before, which is measured as it is.
const BINARY: &str = "PLANWRIGHT_BENCH_BINARY";

/// The binary that was built before, if the caller names one.
pub(crate) fn named() -> Option<PathBuf> {
    std::env::var_os(BINARY).map(PathBuf::from)
}

/// Builds the release binary and says where it is.
pub(crate) fn build(workspace: &Workspace) -> Result<PathBuf> {
    if let Some(binary) = named() {
        return Ok(binary);
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
    Ok(workspace.target.join("release/planwright"))
}

/// What measures one database: its name, the binary, a directory for its data, the services if it is PostgreSQL, and the table
/// that gets the rows.
pub(crate) type MeasureOn = fn(&str, &Path, &Path, Option<&Services>, &mut Table) -> Result<()>;

/// Builds the release binary and measures it on both databases; nothing when there is no server crate.
pub(crate) fn on_both_databases(
    workspace: &Workspace,
    mut table: Table,
    measure_on: MeasureOn,
) -> Result<Table> {
    if !workspace.has(PACKAGE) {
        return Ok(table);
    }
    let binary = build(workspace)?;
    let scratch = workspace.target.join("bench");
    measure_on("SQLite", &binary, &scratch, None, &mut table)?;
    // Measuring installs nothing: a machine without PostgreSQL gets half of the table.
    match Services::start(true, Durability::AsInstalled) {
        Ok(services) => measure_on("PostgreSQL", &binary, &scratch, Some(&services), &mut table)?,
        Err(error) => eprintln!("PostgreSQL: {error:#}"),
    }
    Ok(table)
}

/// A server of our own; dropping it ends the process and removes its data.
pub(crate) struct RunningServer {
    /// Where it answers.
    pub(crate) address: SocketAddr,
    /// From the start of the process to the first good answer.
    pub(crate) start_up: Duration,
    process: Child,
    directory: PathBuf,
    binary: PathBuf,
    settings: Vec<(String, String)>,
}

impl RunningServer {
    /// Starts the binary for clients that sign in and are not limited, on SQLite or on the PostgreSQL of the services.
    pub(crate) fn start_on(
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
    pub(crate) fn start(binary: &Path, scratch: &Path, settings: &[(&str, &str)]) -> Result<Self> {
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
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Another command of the binary, for the data of this server.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command.args(arguments).env_clear().envs(self.settings.iter().map(|(name, value)| (name, value)));
        command.env("SVC_DATA_DIR", self.directory.join("data"));
        command
    }

    /// Forgets the most memory that it had, so that the next reading is of what comes after.
    pub(crate) fn forget_peak(&self) -> Result<()> {
        fs::write(format!("/proc/{}/clear_refs", self.process.id()), "5").context("the peak cannot be reset")
    }

    /// The most memory that it had at one time.
    pub(crate) fn peak_kibibytes(&self) -> Option<f64> {
        self.kibibytes("VmHWM")
    }

    /// Its memory.
    pub(crate) fn resident_memory(&self) -> Option<String> {
        Some(format!("{:.1} MiB", self.resident_kibibytes()? / 1024.0))
    }

    /// The same as a number.
    pub(crate) fn resident_kibibytes(&self) -> Option<f64> {
        self.kibibytes("VmRSS")
    }

    fn kibibytes(&self, field: &str) -> Option<f64> {
        let text = machine::field(&format!("/proc/{}/status", self.process.id()), field)?;
        text.split_whitespace().next()?.parse().ok()
    }

    fn is_healthy(&self) -> bool {
        let Ok(mut connection) = Connection::open(self.address) else { return false };
        connection.send(&Request::get(HEALTH)).is_ok_and(|answer| answer.status == 200)
    }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.directory);
    }
}
