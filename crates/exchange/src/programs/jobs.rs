//! Building the plan of an accepted import, and forgetting old imports. Its rows are written in slices that nobody sees, and
//! shown all at once; an import that failed or was cancelled leaves its program empty.

use anyhow::anyhow;
use chrono::{Duration, NaiveDate};
use planwright_domain::ids::ProgramId;
use planwright_domain::words::SourceKind;
use planwright_jobs::{JobError, Registry};
use planwright_plan::import::slices::{Progress, Slices};
use planwright_plan::import::{self, Built, Origin, replacement};
use planwright_plan_files::seed::{self, Document};
use planwright_store::{Db, StoreError};
use planwright_web::App;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::intake::{self, Importer, Places};
use super::leftovers::Leftovers;
use super::queries;
use super::replay::replay;
use crate::packed::unpack;
use crate::under_way::Work;

/// The kind of job that builds what was imported.
pub(super) const BUILD: &str = "build_seed_import";

/// After so many hours a running import has been given up by whoever ran it.
const ABANDONED_HOURS: i64 = 2;

/// An import of so many tasks changes how statements are best answered.
const MANY_TASKS: usize = 500;

/// What the job needs to know.
#[derive(Serialize, Deserialize)]
pub(super) struct BuildSeedImport {
    /// The import.
    pub(super) import: Uuid,
}

pub(super) fn registry() -> Registry<App> {
    Registry::default()
        .on(BUILD, async |app: App, job: BuildSeedImport| run(&app.db, job.import).await)
        .every("sweep_seed_imports", Duration::hours(1), async |app: App| {
            sweep(&app.db).await.map_err(JobError::from)
        })
}

async fn sweep(db: &Db) -> Result<(), StoreError> {
    let mut tx = db.begin().await?;
    let begun_before = tx.now() - Duration::hours(ABANDONED_HOURS);
    import::sweep_abandoned(db, begun_before).await?;
    queries::fail_abandoned(&mut tx, begun_before, "The import was interrupted and did not finish.").await?;
    queries::forget_expired(&mut tx).await?;
    tx.commit().await
}

async fn run(db: &Db, id: Uuid) -> Result<(), JobError> {
    let mut tx = db.begin().await?;
    let is_due = queries::begin_import(&mut tx, id).await?;
    tx.commit().await?;
    if !is_due {
        return Ok(());
    }
    // An earlier attempt may have ended with its process.
    import::sweep(db, id).await?;
    let ended = build(db, id).await;
    if ended.is_err() {
        import::sweep(db, id).await?;
    }
    match ended {
        Ok(()) => Ok(()),
        // The database may be back in a moment; anything else would end the same way again.
        Err(StoreError::Unavailable(cause) | StoreError::GaveWay(cause)) => {
            Err(JobError::Retry(anyhow!(cause)))
        }
        Err(error) => {
            tracing::warn!(import = %id, error = %format!("{error:#}"), "an import failed");
            let mut tx = db.begin().await?;
            queries::fail_import(&mut tx, id, &told(&error)).await?;
            tx.commit().await.map_err(JobError::from)
        }
    }
}

/// What the importer reads of a failure. Causes that speak of statements stay in the log.
fn told(error: &StoreError) -> String {
    match error {
        StoreError::Missing => "The program was deleted before its plan was imported.".to_owned(),
        StoreError::Full(_) => "The server has no space left. Nothing was written.".to_owned(),
        _ => "The plan could not be imported because of an unexpected error. Nothing was written.".to_owned(),
    }
}

async fn build(db: &Db, id: Uuid) -> Result<(), StoreError> {
    let Some(work) = queries::find_work(db, id).await? else { return Ok(()) };
    if !replacement::is_live(db, work.program_id).await? {
        return Err(StoreError::Missing);
    }
    let today = db.clock.today();
    let document = tokio::task::spawn_blocking(move || read(work.document, today));
    let document = document.await.map_err(anyhow::Error::from)??;
    let importer = Importer { id: work.created_by, username: work.username };
    let note = move |progress: Progress| Work::SeedImport.note(id, progress);
    let mut rows = Slices::each(db, &note);
    let into = Into { program: work.program_id, source: id, is_sample: false };
    let built = fill(&mut rows, into, &importer, &document).await?;
    // Somebody may have deleted the program or cancelled the import meanwhile; then the last slice is rolled back.
    let is_wanted = replacement::is_live(&rows, work.program_id).await?;
    if !is_wanted || !queries::finish_import(rows.tx().await?, id, summary(&document, &built)).await? {
        return Err(StoreError::Missing);
    }
    rows.commit().await?;
    look_anew(db, &built).await;
    Ok(())
}

/// Every date in a kept document is absolute, so the day on which it is read makes no difference.
fn read(kept: String, today: NaiveDate) -> Result<Document, StoreError> {
    let document = unpack(kept)?;
    seed::parse(document.as_bytes(), today).map_err(|rejection| StoreError::Unexpected(anyhow!(rejection)))
}

/// After a large import the engine's picture of its tables is out of date; it gets a better one by itself, only later.
pub(super) async fn look_anew(db: &Db, built: &Built) {
    let tasks: usize = built.projects.iter().map(|project| project.tasks.len()).sum();
    if tasks >= MANY_TASKS
        && let Err(error) = db.look_anew().await
    {
        tracing::warn!(error = %format!("{error:#}"), "the statistics of the database could not be updated after an import");
    }
}

/// Where a document goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Into {
    /// The program.
    pub(super) program: ProgramId,
    /// Which import it is.
    pub(super) source: Uuid,
    /// Whether it is a bundled sample.
    pub(super) is_sample: bool,
}

/// Builds the plan of a document inside a program, with what is left over. The last slice stays open, so that what the caller
/// writes comes with it.
pub(super) async fn fill(
    rows: &mut Slices<'_>,
    into: Into,
    importer: &Importer,
    document: &Document,
) -> Result<Built, StoreError> {
    let places = Places::of(document, importer);
    let program = Some(into.program);
    let origin = Origin { program, creator: importer.id, kind: SourceKind::SeedImport, id: into.source };
    let mut plan = intake::subtree(&places);
    for project in &mut plan.projects {
        project.fields.is_sample = into.is_sample;
    }
    let hidden = import::build(rows, &origin, &plan).await?;
    drop(plan);
    let left = Leftovers::of(document, &places, hidden.built());
    rows.phase("history", left.events.len()).await?;
    replay(rows, document, hidden.built(), importer, &left.events).await?;
    rows.phase("opening", 0).await?;
    let tx = rows.tx().await?;
    let built = hidden.open(tx, &origin).await?;
    left.save(tx, into.program).await?;
    Ok(built)
}

fn summary(document: &Document, built: &Built) -> Json {
    let dependencies: usize = document.projects.iter().map(|project| project.dependencies.len()).sum();
    let (tasks, sprints) = built
        .projects
        .iter()
        .fold((0, 0), |sum, made| (sum.0 + made.tasks.len(), sum.1 + made.sprints.len()));
    json!({
        "projects": built.projects.len(),
        "tasks": tasks,
        "sprints": sprints,
        "dependencies": dependencies,
    })
}
