//! `planwright import` and `planwright export`: a program from a file, and back into one, without a running server.
//! Whoever may run them owns the data directory, so they ask for no other permission.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use planwright_accounts::people;
use planwright_domain::Clock;
use planwright_domain::ids::{ProgramId, ProjectId};
use planwright_domain::words::{LagCalendar, Word};
use planwright_exchange::computed;
use planwright_exchange::{ImportOptions, export_program, import_document};
use planwright_plan::schedule::network::date;
use planwright_plan_files::json::Format;
use planwright_plan_files::seed::render;
use planwright_plan_files::{FileFormat, Losses, PlanFile};
use planwright_store::{FromRow, row, sql};
use serde::Serialize;

use super::user::busy_is_fine;
use super::{convert, say};
use crate::{Settings, assemble};

/// Flags of `import`.
#[derive(Args, Debug)]
pub struct Import {
    /// A seed document, a plan in the simple format, or a file of another program; `-` reads standard input
    file: PathBuf,
    /// The user name of the Owner of the new program
    #[arg(long)]
    owner: String,
    /// Replace the program of this user with the same code
    #[arg(long)]
    replace: bool,
    /// The id of the program that is replaced, if several of this user have the code
    #[arg(long, requires = "replace")]
    expected_program_id: Option<ProgramId>,
    /// The lag calendar, instead of the one in the document: successor, predecessor, project, elapsed
    #[arg(long)]
    lag_calendar: Option<String>,
}

/// Flags of `export`.
#[derive(Args, Debug)]
pub struct Export {
    /// The program: its id, or its code if no other program has it
    program: String,
    /// The file to write: .json, .xml, .xer, .csv or .xlsx; without it the document goes to standard output
    #[arg(long, short)]
    output: Option<PathBuf>,
}

/// Flags of `programs` and `projects`.
#[derive(Args, Debug)]
pub struct List {
    /// Print JSON for programs, one object in each line
    #[arg(long)]
    json: bool,
}

impl Import {
    /// Runs the command.
    pub async fn run(self, settings: &Settings) -> anyhow::Result<u8> {
        let lag_calendar = match self.lag_calendar.as_deref() {
            None => None,
            Some(word) => Some(
                LagCalendar::parse(word)
                    .with_context(|| format!("--lag-calendar: {word:?} is not a lag calendar"))?,
            ),
        };
        let name = self.file.display().to_string();
        let (bytes, losses) = self.document()?;
        convert::report("not read", &losses);
        let db =
            assemble::open_existing(settings, Clock::machine())?.with(assemble::plan_settings(settings)?);
        assemble::migrate_at_start(settings, &db).await?;
        let owner = people::by_username(&db, &self.owner).await?;
        let owner = owner.with_context(|| format!("there is no user called {}", self.owner))?;
        let progress = ProgressBar::new_spinner();
        progress.set_style(ProgressStyle::with_template("{spinner} importing {elapsed}")?);
        progress.enable_steady_tick(std::time::Duration::from_millis(100));
        let options = ImportOptions {
            replace: self.replace,
            expected_program_id: self.expected_program_id,
            lag_calendar,
            ..ImportOptions::default()
        };
        let imported = import_document(&db, owner.id, &bytes, options).await.with_context(|| name.clone())?;
        progress.finish_and_clear();
        say!("imported program {} with {} tasks", imported.program, imported.tasks);
        for project in imported.projects {
            say!("project {project}");
        }
        for reading in imported.lags {
            say!("{}", shown(&reading));
        }
        db.settle().await.or_else(busy_is_fine)?;
        Ok(0)
    }
}

impl Import {
    /// The file as a seed document. What is a document already stays as it is, with the messages of its own reader.
    fn document(&self) -> anyhow::Result<(Vec<u8>, Losses)> {
        let name = self.file.display().to_string();
        let mut bytes = Vec::new();
        match name.as_str() {
            "-" => std::io::stdin().read_to_end(&mut bytes).map(drop),
            _ => std::fs::read(&self.file).map(|read| bytes = read),
        }
        .with_context(|| format!("reading {name}"))?;
        let format = FileFormat::of_content(&self.file, &bytes);
        if Format::of(&bytes) != Format::Simple && matches!(format, None | Some(FileFormat::Json)) {
            return Ok((bytes, Losses::default()));
        }
        let PlanFile { document, losses, .. } = convert::read_bytes(&self.file, &bytes)?;
        Ok((render(&document).into_bytes(), losses))
    }
}

row! {
    /// A program as a line of a list.
    #[derive(Serialize)]
    struct ProgramLine {
        id: ProgramId,
        code: String,
        name: String,
        projects: i64,
    }
}

row! {
    /// A project as a line of a list.
    #[derive(Serialize)]
    struct ProjectLine {
        id: ProjectId,
        program: Option<String>,
        name: String,
        tasks: i64,
        #[serde(rename = "finish", serialize_with = "as_date")]
        finish_day: Option<i32>,
    }
}

impl List {
    /// Runs `programs`.
    pub async fn programs(self, settings: &Settings) -> anyhow::Result<u8> {
        let select = "SELECT p.id, p.code, p.name, (SELECT COUNT(*) FROM projects j
                WHERE j.program_id = p.id AND j.deletion_id IS NULL) AS projects
             FROM programs p WHERE p.deletion_id IS NULL ORDER BY p.name, p.id";
        for line in self.lines::<ProgramLine>(settings, select).await? {
            match self.json {
                true => say!("{}", serde_json::to_string(&line)?),
                false => say!(
                    "{}  {:<12} {:>3} projects  {}",
                    line.id,
                    line.code,
                    line.projects,
                    shown(&line.name)
                ),
            }
        }
        Ok(0)
    }

    /// Runs `projects`.
    pub async fn projects(self, settings: &Settings) -> anyhow::Result<u8> {
        let select = "SELECT j.id, p.code AS program, j.name, s.finish_day, (SELECT COUNT(*) FROM tasks t
                WHERE t.project_id = j.id AND t.deletion_id IS NULL) AS tasks
             FROM projects j LEFT JOIN programs p ON p.id = j.program_id
                LEFT JOIN project_schedule s ON s.project_id = j.id
             WHERE j.deletion_id IS NULL ORDER BY p.code, j.name, j.id";
        for line in self.lines::<ProjectLine>(settings, select).await? {
            let finish = line.finish_day.and_then(date).map_or("no finish".to_owned(), |day| day.to_string());
            let program = line.program.as_deref().unwrap_or("-");
            match self.json {
                true => say!("{}", serde_json::to_string(&line)?),
                false => {
                    say!(
                        "{}  {program:<12} {:>5} tasks  {finish:<10}  {}",
                        line.id,
                        line.tasks,
                        shown(&line.name)
                    );
                }
            }
        }
        Ok(0)
    }

    async fn lines<T: FromRow + Send>(
        &self,
        settings: &Settings,
        select: &'static str,
    ) -> anyhow::Result<Vec<T>> {
        let db = assemble::open_existing(settings, Clock::machine())?;
        assemble::check_schema(settings, &db).await?;
        Ok(db.all(sql!(select)).await?)
    }
}

fn as_date<S: serde::Serializer>(day: &Option<i32>, to: S) -> Result<S::Ok, S::Error> {
    day.and_then(date).map(|day| day.to_string()).serialize(to)
}

/// A name for a terminal, which names may try to drive.
fn shown(name: &str) -> String {
    name.replace(char::is_control, " ")
}

impl Export {
    /// Runs the command.
    pub async fn run(self, settings: &Settings) -> anyhow::Result<u8> {
        let format = self.output.as_deref().map_or(Ok(FileFormat::Json), written_format)?;
        let db = assemble::open_existing(settings, Clock::machine())?;
        assemble::check_schema(settings, &db).await?;
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
                let content = converted(format, text.into_bytes())?;
                std::fs::write(path, content).with_context(|| format!("writing {}", path.display()))?
            }
            None => std::io::stdout().write_all(text.as_bytes())?,
        }
        Ok(0)
    }
}

/// The format that the name of a file asks for. A name without an ending asks for a document.
fn written_format(path: &Path) -> anyhow::Result<FileFormat> {
    match path.extension() {
        None => Ok(FileFormat::Json),
        Some(_) => convert::written_format(path),
    }
}

/// A document in another format. What the file does not carry is printed.
fn converted(format: FileFormat, document: Vec<u8>) -> anyhow::Result<Vec<u8>> {
    if format == FileFormat::Json {
        return Ok(document);
    }
    let plan = FileFormat::Json.read(&document, "plan", Clock::machine().today())?;
    let written = format.write(&plan.document, &computed(&plan.document))?;
    convert::report("not written", &written.losses);
    Ok(written.content)
}
