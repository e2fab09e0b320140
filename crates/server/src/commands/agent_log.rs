//! `planwright agent-log`: checks the chain of what agents did, writes it to a file, checks such a file without a database,
//! and prunes it.

use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::PathBuf;

use anyhow::Context;
use chrono::{NaiveDate, NaiveTime};
use clap::Subcommand;
use planwright_agents::keeping::{self, Checked};
use planwright_domain::Clock;

use super::say;
use crate::{Settings, assemble};

/// What can be done with the log of agents.
#[derive(Subcommand, Debug)]
pub enum AgentLog {
    /// Check that no record was changed or removed; exit code 1 if one was
    Verify {
        /// A file that `export` wrote; without it the database is checked
        #[arg(long)]
        file: Option<PathBuf>,
    },
    /// Write all records as JSON lines
    Export {
        /// The file; without it the standard output
        #[arg(long)]
        to: Option<PathBuf>,
    },
    /// Remove the records from before a day; the hash of the last one stays as a checkpoint
    Prune {
        /// The first day whose records stay, such as 2026-01-31 (UTC)
        #[arg(long)]
        before: NaiveDate,
    },
}

impl AgentLog {
    /// Runs the command.
    pub async fn run(self, settings: &Settings) -> anyhow::Result<u8> {
        if let AgentLog::Verify { file: Some(path) } = &self {
            let file = File::open(path).with_context(|| path.display().to_string())?;
            return told(&keeping::verify_file(BufReader::new(file))?);
        }
        let db = assemble::open_existing(settings, Clock::machine())?;
        assemble::check_schema(settings, &db).await?;
        match self {
            AgentLog::Verify { .. } => told(&keeping::verify(&db).await?),
            AgentLog::Export { to } => {
                let mut out: Box<dyn Write> = match &to {
                    Some(path) => Box::new(File::create(path).with_context(|| path.display().to_string())?),
                    None => Box::new(std::io::stdout()),
                };
                let mut out = BufWriter::new(&mut out);
                let records = keeping::export(&db, &mut out).await?;
                out.flush()?;
                eprintln!("planwright: {records} records");
                Ok(0)
            }
            AgentLog::Prune { before } => {
                let gone = keeping::prune(&db, before.and_time(NaiveTime::MIN).and_utc()).await?;
                say!("{gone} records were removed");
                Ok(0)
            }
        }
    }
}

fn told(checked: &Checked) -> anyhow::Result<u8> {
    let Checked { records, end, fault } = checked;
    say!("{records} records are good; the last one is {} with the hash {}", end.sequence, end.record_hash);
    match fault {
        None => Ok(0),
        Some(fault) => {
            eprintln!("planwright: {fault}");
            Ok(1)
        }
    }
}
