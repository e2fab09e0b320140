//! Import and export without a request, for the command line: the whole document at once, in one transaction.

use anyhow::{Context, anyhow, bail};
use planwright_domain::ids::{ProgramId, ProjectId, UserId};
use planwright_domain::words::LagCalendar;
use planwright_plan::containers::{NewProgram, create_program};
use planwright_plan::import::Built;
use planwright_plan::import::slices::Slices;
use planwright_plan_files::seed::{self, Document};
use planwright_store::{Db, StoreError, Tx};
use uuid::Uuid;

use super::imports::make_way;
use super::intake::{self, Importer};
use super::jobs::Into;
use super::lags::settle_lags;
use super::rules::Replacement;
use super::{export, jobs, queries};

/// What may be said beside a document.
#[derive(Clone, Copy, Debug, Default)]
pub struct ImportOptions {
    /// Whether a program of the same code may be replaced.
    pub replace: bool,
    /// Which one it must be, if several have the code.
    pub expected_program_id: Option<ProgramId>,
    /// The calendar that lags are counted on, whatever the document says.
    pub lag_calendar: Option<LagCalendar>,
    /// Whether it is a bundled sample.
    pub is_sample: bool,
}

/// What came of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The program.
    pub program: ProgramId,
    /// Its projects, in the order of the document.
    pub projects: Vec<ProjectId>,
    /// The program that was replaced.
    pub replaced: Option<ProgramId>,
    /// How many tasks there are.
    pub tasks: usize,
    /// How the lags of each project were read, and why, as a sentence.
    pub lags: Vec<String>,
}

/// Imports a document on behalf of a person, who owns what comes of it.
pub async fn import_document(
    db: &Db,
    user: UserId,
    bytes: &[u8],
    options: ImportOptions,
) -> anyhow::Result<Imported> {
    let mut document = seed::parse(bytes, db.clock.today())?;
    let lags = settle_lags(&mut document, options.lag_calendar);
    let mut tx = db.begin().await?;
    let username = queries::username(&tx, user).await?.context("there is no such user")?;
    let importer = Importer { id: user, username };
    let request = Replacement { replace: options.replace, expected: options.expected_program_id };
    let replaced = match make_way(&mut tx, user, &document.program.slug, request).await {
        Ok(replaced) => replaced,
        Err(refusal) => bail!("{}", detail_of(refusal.body())),
    };
    let (program, built) = create(&mut tx, &importer, &document, options.is_sample).await?;
    tx.commit().await?;
    jobs::look_anew(db, &built).await;
    Ok(Imported {
        program,
        replaced,
        tasks: built.projects.iter().map(|project| project.tasks.len()).sum(),
        projects: built.projects.into_iter().map(|project| project.id).collect(),
        lags,
    })
}

/// Creates the program of a document with everything in it.
pub(super) async fn create(
    tx: &mut Tx,
    importer: &Importer,
    document: &Document,
    is_sample: bool,
) -> Result<(ProgramId, Built), StoreError> {
    let container = NewProgram { is_sample, ..intake::program_fields(document, importer) };
    let program = create_program(tx, importer.id, container).await?;
    let source: Uuid = tx.mint();
    let into = Into { program, source, is_sample };
    let built = jobs::fill(&mut Slices::whole(tx), into, importer, document).await?;
    Ok((program, built))
}

fn detail_of(body: &serde_json::Map<String, serde_json::Value>) -> String {
    body.get("detail").and_then(|detail| detail.as_str()).unwrap_or("the import was refused").to_owned()
}

/// A program as a canonical document.
pub async fn export_program(db: &Db, program: ProgramId) -> anyhow::Result<String> {
    let exported = export::program(db, program, None, None).await?;
    exported.map(|document| document.text).ok_or_else(|| anyhow!("there is no such program"))
}
