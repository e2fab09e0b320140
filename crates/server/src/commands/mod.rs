//! The command line: what each word does and which flags it takes.
//! The work is in one file per word.

pub mod agent_log;
pub mod backup;
pub mod convert;
pub mod doctor;
pub mod exchange;
pub mod health;
pub mod mcp;
pub mod migrate;
pub mod move_to;
pub mod openapi;
pub mod schedule;
pub mod serve;
pub mod shell;
pub mod user;

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::{Settings, settings};

/// Project and program planning in one binary.
#[derive(Parser, Debug)]
#[command(name = "planwright", version, about, disable_help_subcommand = true)]
pub struct Arguments {
    /// The directory with the database, secrets, files and mail of this installation
    #[arg(long, global = true, env = "SVC_DATA_DIR")]
    data_dir: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Answer requests and run jobs
    Serve(serve::Serve),
    /// Only run jobs, for nodes that serve with SVC_WORKER=false
    Worker,
    /// Update the schema of the database
    Migrate(migrate::Migrate),
    /// Manage people: add, list, rank, deactivate, passwords, sign-ins
    #[command(subcommand)]
    User(user::User),
    /// Import a program from a document or a file of another program
    Import(exchange::Import),
    /// Export a program as a document
    Export(exchange::Export),
    /// Convert a plan file into one of another program, without a server
    Convert(convert::Convert),
    /// Schedule a file with the engine alone: dates, floats, critical path, percentiles
    Schedule(schedule::Schedule),
    /// Copy the whole installation into a directory, also while it is running
    Backup(backup::Backup),
    /// Restore an installation from a backup
    Restore(backup::Restore),
    /// Copy the database from SQLite to PostgreSQL, or back
    Move(move_to::Move),
    /// Check, export or prune the log of what agents did
    #[command(subcommand)]
    AgentLog(agent_log::AgentLog),
    /// Check the installation and show every setting with its source
    Doctor(doctor::Doctor),
    /// List the programs
    Programs(exchange::List),
    /// List the projects
    Projects(exchange::List),
    /// Ask a running server on this machine whether it is ready
    Health(health::Health),
    /// Let a language model read plans: the tools of /mcp over standard input, for clients that start a program
    Mcp(mcp::Mcp),
    /// Print the OpenAPI document
    Openapi,
    /// Print completions for a shell
    Completions(shell::Completions),
    /// Print the manual page
    Man,
}

/// Prints a line on the standard output; that nobody reads it any more is an error like any other.
macro_rules! say {
    ($($words:tt)*) => {
        std::io::Write::write_fmt(&mut std::io::stdout(), format_args!("{}\n", format_args!($($words)*)))?
    };
}
pub(crate) use say;

/// The whole program: reads the command line and runs the command. An error is one clear line and exit code 2.
pub fn run() -> ExitCode {
    let arguments = Arguments::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    match runtime.map_err(anyhow::Error::from).and_then(|runtime| runtime.block_on(run_command(arguments))) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("planwright: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Runs a command; the number is the exit code. Who reads the output may stop reading it.
async fn run_command(arguments: Arguments) -> anyhow::Result<u8> {
    dispatch(arguments).await.or_else(|error| match error.downcast_ref::<std::io::Error>() {
        Some(broken) if broken.kind() == std::io::ErrorKind::BrokenPipe => Ok(0),
        _ => Err(error),
    })
}

async fn dispatch(arguments: Arguments) -> anyhow::Result<u8> {
    let environment = |name: &str| std::env::var(name).ok();
    let data_dir = arguments.data_dir.unwrap_or_else(|| settings::default_data_dir(environment));
    let mut flags = HashMap::new();
    if let Command::Serve(serve) = &arguments.command {
        flags.extend(serve.flags());
    }
    let command = match arguments.command {
        Command::Openapi => return openapi::run(),
        Command::Schedule(schedule) => return schedule.run(),
        Command::Convert(convert) => return convert.run(),
        Command::Mcp(mcp) => return mcp.run().await,
        Command::Completions(completions) => return completions.run(),
        Command::Man => return shell::manual(),
        command => command,
    };
    let settings = Settings::load(data_dir, &flags, environment)?;
    if !matches!(command, Command::Doctor(_)) {
        let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        settings::unknown_variables(names).iter().for_each(|sentence| eprintln!("planwright: {sentence}"));
    }
    match command {
        Command::Serve(serve) => serve.run(&settings).await,
        Command::Worker => serve::work_only(&settings).await,
        Command::Migrate(migrate) => migrate.run(&settings).await,
        Command::User(user) => user.run(&settings).await,
        Command::Doctor(doctor) => doctor.run(&settings).await,
        Command::AgentLog(log) => log.run(&settings).await,
        Command::Import(import) => import.run(&settings).await,
        Command::Export(export) => export.run(&settings).await,
        Command::Backup(backup) => backup.run(&settings).await,
        Command::Move(to) => to.run(&settings).await,
        Command::Restore(restore) => restore.run(&settings).await,
        Command::Programs(list) => list.programs(&settings).await,
        Command::Projects(list) => list.projects(&settings).await,
        Command::Health(health) => health.run(&settings).await,
        Command::Openapi
        | Command::Schedule(_)
        | Command::Convert(_)
        | Command::Mcp(_)
        | Command::Completions(_)
        | Command::Man => Ok(0),
    }
}
