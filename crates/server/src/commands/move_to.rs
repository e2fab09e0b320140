//! `planwright move`: an installation's database into another place: from SQLite to PostgreSQL, or back.
//! The source is only read. Settings are not changed; the command says what to set.

use anyhow::{Context, bail, ensure};
use clap::Args;
use planwright_domain::Clock;
use planwright_domain::ids::ProgramId;
use planwright_exchange::export_program;
use planwright_store::database::Location;
use planwright_store::migrate::{self, MigrationState};
use planwright_store::{Db, sql, transfer};

use super::say;
use crate::in_use::InUse;
use crate::{Settings, assemble};

/// Flags of `move`.
#[derive(Args, Debug)]
pub struct Move {
    /// The target: postgres://… or sqlite:PATH. It must be empty, or the target of an interrupted move
    #[arg(long)]
    to: String,
}

impl Move {
    /// Runs the command.
    pub async fn run(self, settings: &Settings) -> anyhow::Result<u8> {
        let (here, there) = (assemble::location(settings)?, assemble::location_at(settings, &self.to)?);
        ensure!(here != there, "the source and the target are the same database");
        let _locks = [alone(&here)?, alone(&there)?];
        let (from, to) = (source(&here).await?, Db::open(&there, Clock::machine())?);
        transfer::prepare(&to).await.context("preparing the target")?;
        transfer::copy(&from, &to, &|copied| {
            let note = if copied.was_there { " (was there)" } else { "" };
            eprintln!("{:<32} {:>9} rows{note}", copied.table, copied.contents.rows);
        })
        .await?;
        let tables = transfer::compare(&from, &to).await?;
        let programs = compare_exports(&from, &to).await?;
        transfer::finish(&to).await?;
        say!("{tables} tables and the exports of {programs} programs are equal on both sides");
        match there {
            Location::Server { .. } => {
                say!(
                    "set SVC_DATABASE_URL to the new address on every node, and give every node the same secret_key"
                );
            }
            Location::File(path) => say!("set SVC_DATABASE_URL=sqlite:{}", path.display()),
        }
        say!("the old database was only read; delete it when you no longer need it");
        Ok(0)
    }
}

/// Nobody else may use a file while it is moved.
fn alone(location: &Location) -> anyhow::Result<Option<InUse>> {
    match location {
        Location::File(path) => InUse::alone(path).map(Some),
        Location::Server { .. } => Ok(None),
    }
}

/// The database that is read, which nobody may write meanwhile.
async fn source(location: &Location) -> anyhow::Result<Db> {
    if let Location::File(path) = location
        && !std::fs::metadata(path).is_ok_and(|file| file.len() > 0)
    {
        bail!("there is no database at {}", path.display());
    }
    let from = Db::open(location, Clock::machine())?;
    let others = from.others_connected().await.context("reading the database")?;
    ensure!(others == 0, "{others} others are connected to the database; stop every node first");
    let state = migrate::state(&from).await;
    ensure!(
        state == MigrationState::InSync,
        "the schema of the database is not the one of this binary; run planwright migrate first"
    );
    ensure!(!transfer::is_unfinished(&from).await?, "this database is itself an unfinished copy");
    Ok(from)
}

/// Whether every program exports to the same bytes on both sides.
async fn compare_exports(from: &Db, to: &Db) -> anyhow::Result<usize> {
    let select = "SELECT id FROM programs WHERE deletion_id IS NULL ORDER BY id";
    let programs: Vec<ProgramId> = from.scalars(sql!(select)).await?;
    for program in &programs {
        let (one, other) = (export_program(from, *program).await?, export_program(to, *program).await?);
        ensure!(one == other, "the exports of the program {program} differ");
    }
    Ok(programs.len())
}
