//! The command line: what each word does and which flags it takes.
//! The work is in one file per word.

pub mod backup;
pub mod doctor;
pub mod exchange;
pub mod migrate;
pub mod openapi;
pub mod schedule;
pub mod serve;
pub mod user;

use std::collections::HashMap;
use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::{Settings, settings};

/// Project and program planning in one binary.
#[derive(Parser, Debug)]
#[command(name = "planwright", version, about, disable_help_subcommand = true)]
pub struct Arguments {
    /// Where the database, secrets, files and mail of this installation are
    #[arg(long, global = true, env = "SVC_DATA_DIR")]
    data_dir: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Answer requests and run jobs
    Serve(serve::Serve),
    /// Run jobs only, beside nodes that serve with SVC_WORKER=false
    Worker,
    /// Bring the schema of the database up to date
    Migrate(migrate::Migrate),
    /// Add, list and mend people
    #[command(subcommand)]
    User(user::User),
    /// Import a program from a document
    Import(exchange::Import),
    /// Export a program as a document
    Export(exchange::Export),
    /// Schedule a file with the engine alone: dates, floats, critical path, percentiles
    Schedule(schedule::Schedule),
    /// Copy the whole installation into a directory, while it runs
    Backup(backup::Backup),
    /// Bring an installation back from such a directory
    Restore(backup::Restore),
    /// Check the installation and show every setting with where it came from
    Doctor(doctor::Doctor),
    /// Print the OpenAPI document
    Openapi,
}

/// Runs a command; the number is the exit code.
pub async fn run(arguments: Arguments) -> anyhow::Result<u8> {
    let environment = |name: &str| std::env::var(name).ok();
    let data_dir = arguments.data_dir.unwrap_or_else(|| settings::default_data_dir(environment));
    let mut flags = HashMap::new();
    if let Command::Serve(serve) = &arguments.command {
        flags.extend(serve.flags());
    }
    let command = match arguments.command {
        Command::Openapi => return openapi::run(),
        Command::Schedule(schedule) => return schedule.run(),
        command => command,
    };
    let settings = Settings::load(data_dir, &flags, environment)?;
    match command {
        Command::Serve(serve) => serve.run(&settings).await,
        Command::Worker => serve::work_only(&settings).await,
        Command::Migrate(migrate) => migrate.run(&settings).await,
        Command::User(user) => user.run(&settings).await,
        Command::Doctor(doctor) => doctor.run(&settings).await,
        Command::Import(import) => import.run(&settings).await,
        Command::Export(export) => export.run(&settings).await,
        Command::Backup(backup) => backup.run(&settings).await,
        Command::Restore(restore) => restore.run(&settings).await,
        Command::Openapi | Command::Schedule(_) => Ok(0),
    }
}
