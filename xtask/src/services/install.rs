//! Finds the server programs that tests need, and installs missing ones with the package manager. Only `apt-get` is
//! supported. On other systems the message says what to install.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// Where the server programs are.
pub struct Servers {
    /// The directory with `initdb`, `postgres` and `pg_isready`.
    pub postgres: PathBuf,
    /// `redis-server` or `valkey-server`.
    pub redis: PathBuf,
}

impl Servers {
    /// Finds both or says which is missing.
    pub fn find() -> Result<Self> {
        let postgres = find_postgres().context("no PostgreSQL server programs were found")?;
        let redis = find_redis().context("neither redis-server nor valkey-server was found")?;
        Ok(Self { postgres, redis })
    }
}

/// Makes sure that both servers are installed; offline it only looks.
pub fn ensure_servers(offline: bool) -> Result<()> {
    let mut missing = Vec::new();
    if find_postgres().is_none() {
        missing.push("postgresql");
    }
    if find_redis().is_none() {
        missing.push("redis-server");
    }
    if missing.is_empty() {
        return Ok(());
    }
    if offline {
        bail!("tests need {}: install it, or run without --offline", missing.join(" and "));
    }
    install(&missing)?;
    Servers::find().map(drop).context("the packages were installed, and still")
}

/// Installs packages with `apt-get`, as root or through a `sudo` that asks nothing.
pub fn install(packages: &[&str]) -> Result<()> {
    let wanted = packages.join(" ");
    if find_program("apt-get").is_none() {
        bail!("this needs {wanted}, and there is no apt-get here: install it by hand and run this again");
    }
    eprintln!("installing {wanted}");
    let by_hand = || format!("run this as root, and try again: apt-get install {wanted}");
    // A stale package list fails the install below with a message of its own.
    let _ = as_root("apt-get").with_context(by_hand)?.args(["--quiet", "update"]).status();
    let status = as_root("apt-get")?
        .args(["--quiet", "install", "--yes", "--no-install-recommends"])
        .args(packages)
        .status()
        .context("could not run apt-get")?;
    if !status.success() {
        bail!("apt-get could not install {wanted} ({status}): install it by hand and run this again");
    }
    Ok(())
}

/// A command with the variables that keep Debian from asking questions and starting what it installs.
fn as_root(program: &str) -> Result<Command> {
    const QUIET: [&str; 2] = ["DEBIAN_FRONTEND=noninteractive", "RUNLEVEL=1"];
    let mut command = if output_of("id", &["-u"]).as_deref() == Some("0") {
        Command::new("env")
    } else if output_of("sudo", &["-n", "id", "-u"]).as_deref() == Some("0") {
        let mut command = Command::new("sudo");
        command.args(["-n", "env"]);
        command
    } else {
        bail!("installing packages needs root or a sudo without password");
    };
    // The output of a task is what it was asked for; how that was got is said beside it.
    command.args(QUIET).arg(program).stdin(Stdio::null()).stdout(Stdio::from(std::io::stderr()));
    Ok(command)
}

/// What a program prints; nothing when it cannot be run.
pub(super) fn output_of(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).stderr(Stdio::null()).output();
    output.ok().map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn find_postgres() -> Option<PathBuf> {
    newest_debian_version(Path::new("/usr/lib/postgresql")).or_else(|| {
        // `initdb` may be a link in PATH; its neighbours stand beside the file it points to.
        let directory = fs::canonicalize(find_program("initdb")?).ok()?.parent()?.to_owned();
        has_server(&directory).then_some(directory)
    })
}

fn newest_debian_version(parent: &Path) -> Option<PathBuf> {
    let versions = fs::read_dir(parent).ok()?.flatten();
    let number = |path: &Path| path.file_name()?.to_str()?.parse::<u32>().ok();
    versions
        .filter_map(|entry| Some((number(&entry.path())?, entry.path().join("bin"))))
        .filter(|(_, programs)| has_server(programs))
        .max_by_key(|(version, _)| *version)
        .map(|(_, programs)| programs)
}

fn has_server(directory: &Path) -> bool {
    ["initdb", "postgres", "pg_isready"].iter().all(|program| directory.join(program).is_file())
}

fn find_redis() -> Option<PathBuf> {
    find_program("redis-server").or_else(|| find_program("valkey-server"))
}

/// The first file of this name in `PATH`, or where Debian keeps what only root runs.
pub fn find_program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain(["/usr/bin".into(), "/usr/sbin".into(), "/usr/local/bin".into()])
        .map(|directory| directory.join(name))
        .find(|candidate| candidate.is_file())
}
