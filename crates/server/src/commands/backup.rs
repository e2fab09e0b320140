//! `planwright backup` and `planwright restore`: everything of an installation in one directory, and back.
//! An embedded database is copied while the server runs; PostgreSQL goes through its own `pg_dump` and `pg_restore`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use clap::Args;
use planwright_domain::Clock;
use planwright_store::database::Location;
use planwright_store::migrate::{self, MigrationState};

use crate::{Settings, assemble, private, secrets};

const DATABASE: &str = "planwright.db";
const DUMP: &str = "postgres.dump";
const DIRECTORIES: [&str; 2] = ["files", "mail"];

/// Flags of `backup`.
#[derive(Args, Debug)]
pub struct Backup {
    /// The directory to write; it must not exist yet
    directory: PathBuf,
}

/// Flags of `restore`.
#[derive(Args, Debug)]
pub struct Restore {
    /// A directory that `backup` wrote
    directory: PathBuf,
    /// Replace what is there; stop the server first
    #[arg(long)]
    force: bool,
}

impl Backup {
    /// Runs the command.
    pub async fn run(self, settings: &Settings) -> anyhow::Result<u8> {
        let target = &self.directory;
        if target.exists() {
            bail!("{} exists already", target.display());
        }
        private::directory(target).with_context(|| format!("making {}", target.display()))?;
        match assemble::location(settings)? {
            Location::File(path) => {
                if !path.exists() {
                    bail!("there is no database at {}", path.display());
                }
                let db = assemble::open_database(settings, Clock::machine())?;
                planwright_store::backup::copy_to(&db, &target.join(DATABASE)).await?;
                private::tighten(&target.join(DATABASE))?;
            }
            Location::Server { url, .. } => {
                let mut tool = tool("pg_dump", &url);
                run_tool(tool.arg("--format=custom").arg("--file").arg(target.join(DUMP)))?;
                private::tighten(&target.join(DUMP))?;
            }
        }
        let key = settings.data_dir.join(secrets::FILE);
        if key.exists() {
            private::replace(&target.join(secrets::FILE), &std::fs::read_to_string(key)?)?;
        }
        for directory in DIRECTORIES {
            copy_directory(&settings.data_dir.join(directory), &target.join(directory))?;
        }
        println!("backed up to {}", target.display());
        Ok(0)
    }
}

impl Restore {
    /// Runs the command.
    pub async fn run(self, settings: &Settings) -> anyhow::Result<u8> {
        let source = &self.directory;
        private::directory(&settings.data_dir)?;
        match assemble::location(settings)? {
            Location::File(path) => self.restore_file(&path)?,
            Location::Server { url, .. } => {
                let mut tool = tool("pg_restore", &url);
                tool.arg("--no-owner").arg("--exit-on-error").arg("--single-transaction");
                if self.force {
                    tool.args(["--clean", "--if-exists"]);
                }
                run_tool(tool.arg(source.join(DUMP)))?;
            }
        }
        let key = source.join(secrets::FILE);
        if key.exists() {
            private::replace(&settings.data_dir.join(secrets::FILE), &std::fs::read_to_string(key)?)?;
        }
        for directory in DIRECTORIES {
            copy_directory(&source.join(directory), &settings.data_dir.join(directory))?;
        }
        let db = assemble::open_database(settings, Clock::machine())?;
        let state = migrate::state(&db).await;
        println!("restored from {}; the schema is {state:?}", source.display());
        Ok(u8::from(matches!(state, MigrationState::Unknown | MigrationState::Ahead)))
    }

    fn restore_file(&self, path: &Path) -> anyhow::Result<()> {
        let kept = self.directory.join(DATABASE);
        if !kept.exists() {
            bail!("{} holds no {DATABASE}", self.directory.display());
        }
        if path.exists() && !self.force {
            bail!("{} exists already; --force replaces it", path.display());
        }
        // What the write-ahead log of the old database still holds must not be replayed into the new one.
        for suffix in ["", "-wal", "-shm"] {
            let mut old = path.as_os_str().to_owned();
            old.push(suffix);
            let old = PathBuf::from(old);
            if old.exists() {
                std::fs::remove_file(&old).with_context(|| format!("removing {}", old.display()))?;
            }
        }
        std::fs::copy(&kept, path).with_context(|| format!("writing {}", path.display()))?;
        Ok(())
    }
}

/// A tool of PostgreSQL for the server of that address; the password goes by the environment, where `ps` shows nothing.
fn tool(name: &str, url: &str) -> Command {
    let mut tool = Command::new(name);
    let parts = url.split_once("://").and_then(|(scheme, rest)| {
        let (user, place) = rest.split_once('@')?;
        let (user, password) = user.split_once(':')?;
        Some((format!("{scheme}://{user}@{place}"), password))
    });
    match parts {
        Some((address, password)) => tool.arg("--dbname").arg(address).env("PGPASSWORD", password),
        None => tool.arg("--dbname").arg(url),
    };
    tool
}

fn run_tool(tool: &mut Command) -> anyhow::Result<()> {
    let name = tool.get_program().to_string_lossy().into_owned();
    let status = tool.status().with_context(|| format!("running {name}; is it installed?"))?;
    if !status.success() {
        bail!("{name} failed");
    }
    Ok(())
}

fn copy_directory(from: &Path, to: &Path) -> anyhow::Result<()> {
    if !from.is_dir() {
        return Ok(());
    }
    private::directory(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy_directory(&entry.path(), &target)?,
            false => {
                std::fs::copy(entry.path(), &target)?;
                private::tighten(&target)?;
            }
        }
    }
    Ok(())
}
