//! `planwright import` and `planwright export`: a program from a file, and back into one, without a running server.
//! Whoever may run them owns the data directory, so they ask for no other permission.

use std::io::{Read, Write};
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use planwright_accounts::people;
use planwright_domain::Clock;
use planwright_domain::ids::ProgramId;
use planwright_domain::words::{LagCalendar, Word};
use planwright_exchange::{ImportOptions, export_program, import_document};
use planwright_store::{Read as _, sql};

use crate::{Settings, assemble};

/// Flags of `import`.
#[derive(Args, Debug)]
pub struct Import {
    /// The document; `-` reads standard input
    file: PathBuf,
    /// The name of the user who will own the program
    #[arg(long)]
    owner: String,
    /// Replace the owner's program of the same code
    #[arg(long)]
    replace: bool,
    /// The calendar that lags are counted on, whatever the document says: successor, predecessor, project, elapsed
    #[arg(long)]
    lag_calendar: Option<String>,
}

/// Flags of `export`.
#[derive(Args, Debug)]
pub struct Export {
    /// The program: its id, or its code when only one has it
    program: String,
    /// The file to write; without it the document goes to standard output
    #[arg(long, short)]
    output: Option<PathBuf>,
}

impl Import {
    /// Runs the command.
    pub async fn run(self, settings: &Settings) -> anyhow::Result<u8> {
        let lag_calendar = match self.lag_calendar.as_deref() {
            None => None,
            Some(word) => {
                Some(LagCalendar::parse(word).with_context(|| format!("--lag-calendar: {word:?} is none"))?)
            }
        };
        let mut bytes = Vec::new();
        let name = self.file.display().to_string();
        match name.as_str() {
            "-" => std::io::stdin().read_to_end(&mut bytes).map(drop),
            _ => std::fs::read(&self.file).map(|read| bytes = read),
        }
        .with_context(|| format!("reading {name}"))?;
        let db =
            assemble::open_database(settings, Clock::machine())?.with(assemble::plan_settings(settings)?);
        assemble::migrate_at_start(settings, &db).await?;
        let owner = people::by_username(&db, &self.owner).await?;
        let owner = owner.with_context(|| format!("there is no user called {}", self.owner))?;
        let progress = ProgressBar::new_spinner();
        progress.set_style(ProgressStyle::with_template("{spinner} importing {elapsed}")?);
        progress.enable_steady_tick(std::time::Duration::from_millis(100));
        let options = ImportOptions { replace: self.replace, lag_calendar, ..ImportOptions::default() };
        let imported = import_document(&db, owner.id, &bytes, options).await.with_context(|| name.clone())?;
        progress.finish_and_clear();
        println!("imported program {} with {} tasks", imported.program, imported.tasks);
        for project in imported.projects {
            println!("project {project}");
        }
        Ok(0)
    }
}

impl Export {
    /// Runs the command.
    pub async fn run(self, settings: &Settings) -> anyhow::Result<u8> {
        let db = assemble::open_database(settings, Clock::machine())?;
        let program = match self.program.parse::<ProgramId>() {
            Ok(id) => id,
            Err(_) => {
                let select = "SELECT id FROM programs WHERE code = :code AND deletion_id IS NULL";
                let found: Vec<ProgramId> = db.scalars(sql!(select, code = &self.program)).await?;
                match found.as_slice() {
                    [one] => *one,
                    [] => bail!("there is no program with the code {}", self.program),
                    _ => bail!("several programs have the code {}; name one by its id", self.program),
                }
            }
        };
        let text = export_program(&db, program).await?;
        match &self.output {
            Some(path) => {
                std::fs::write(path, text).with_context(|| format!("writing {}", path.display()))?
            }
            None => std::io::stdout().write_all(text.as_bytes())?,
        }
        Ok(0)
    }
}
