//! The private PostgreSQL and Redis of the tests, for the tasks that need them. A warden process owns the servers and
//! stops them when its input ends. They stop however this process ends: return, panic, Ctrl-C or a kill.

mod directory;
pub mod install;
mod postgres;
mod redis;
mod server;
mod warden;

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};

pub use warden::keep_until_input_ends;

/// The hidden task under which this program is its own warden.
pub const WARDEN_TASK: &str = "services-warden";

const READY: &str = "ready";
const POSTGRES_URL: &str = "PLANWRIGHT_TEST_POSTGRES_URL";

/// Whether a commit waits until it is on the disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Durability {
    /// It does not: for tests.
    Quick,
    /// It does, as in any installation: for a bench.
    AsInstalled,
}

impl Durability {
    /// The argument of the warden. Without it, commits do not wait for the disk.
    const AS_INSTALLED: &str = "as-installed";

    fn read(arguments: &[String]) -> Result<Self> {
        match arguments {
            [] => Ok(Self::Quick),
            [word] if word == Self::AS_INSTALLED => Ok(Self::AsInstalled),
            other => bail!("the services do not understand `{}`", other.join(" ")),
        }
    }
}

/// The running servers; dropping it stops them and removes their directories.
pub struct Services {
    warden: Child,
    lifeline: Option<ChildStdin>,
    variables: Vec<(String, String)>,
}

impl Services {
    /// Installs what is missing (unless offline) and starts both servers.
    pub fn start(offline: bool, durability: Durability) -> Result<Self> {
        install::ensure_servers(offline)?;
        let program = std::env::current_exe().context("could not find this program's own file")?;
        // In a process group of its own the warden survives the Ctrl-C that ends us.
        let mut warden = Command::new(program)
            .arg(WARDEN_TASK)
            .args((durability == Durability::AsInstalled).then_some(Durability::AS_INSTALLED))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .context("could not start the services")?;
        let announcements = warden.stdout.take().context("the warden has no output")?;
        let lifeline = warden.stdin.take();
        let mut services = Self { warden, lifeline, variables: Vec::new() };
        for line in BufReader::new(announcements).lines() {
            let line = line.context("could not read from the warden")?;
            if line == READY {
                return Ok(services);
            }
            if let Some((name, value)) = line.split_once('=') {
                services.variables.push((name.to_owned(), value.to_owned()));
            }
        }
        bail!("the private PostgreSQL and Redis did not start; the reason stands above")
    }

    /// The environment that points tests at the servers, and says that these are thrown away afterwards.
    pub fn variables(&self) -> &[(String, String)] {
        &self.variables
    }

    /// Where the private PostgreSQL is.
    pub fn postgres_url(&self) -> Option<&str> {
        let found = self.variables.iter().find(|(name, _)| name == POSTGRES_URL);
        found.map(|(_, url)| url.as_str())
    }

    /// The process that both servers descend from.
    pub fn process(&self) -> u32 {
        self.warden.id()
    }
}

impl Drop for Services {
    fn drop(&mut self) {
        drop(self.lifeline.take());
        if let Err(error) = self.warden.wait() {
            eprintln!("could not wait for the services to stop: {error}");
        }
    }
}

/// `cargo xtask services`: prints the exports and holds the servers until Ctrl-C.
pub fn hold(offline: bool) -> Result<ExitCode> {
    let mut services = Services::start(offline, Durability::Quick)?;
    for (name, value) in services.variables() {
        println!("export {name}={value}");
    }
    eprintln!("\nPostgreSQL and Redis are running; Ctrl-C stops them and removes their data.");
    let status = services.warden.wait().context("could not wait for the services")?;
    bail!("the services ended by themselves ({status})")
}
