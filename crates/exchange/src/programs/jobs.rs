//! Building the plan of an accepted import, and forgetting old imports.
//! The plan comes in whole or not at all; an import that failed leaves its program empty.

use anyhow::anyhow;
use chrono::Duration;
use planwright_domain::ids::ProgramId;
use planwright_domain::words::SourceKind;
use planwright_jobs::{JobError, Registry};
use planwright_plan::import::{self, Built, Origin, replacement};
use planwright_store::{Db, StoreError, Tx};
use planwright_web::App;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::intake::{self, Importer, Places};
use super::leftovers::Leftovers;
use super::queries;
use super::replay::replay;
use crate::seed::{self, Document};

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
    match build(db, id).await {
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
    let mut tx = db.begin().await?;
    if !queries::begin_import(&mut tx, id).await? {
        return Ok(());
    }
    let Some(work) = queries::find_work(&tx, id).await? else { return Ok(()) };
    if !replacement::is_live(&tx, work.program_id).await? {
        return Err(StoreError::Missing);
    }
    // Every date in a kept document is absolute, so the day on which it is read makes no difference.
    let document = seed::parse(work.document.as_bytes(), tx.now().date_naive())
        .map_err(|rejection| StoreError::Unexpected(anyhow!(rejection)))?;
    let importer = Importer { id: work.created_by, username: work.username };
    let built = fill(&mut tx, work.program_id, &importer, &document, id, false).await?;
    queries::finish_import(&mut tx, id, summary(&document, &built)).await?;
    tx.commit().await?;
    look_anew(db, &built).await;
    Ok(())
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

/// Builds the plan of a document inside a program, with what is left over.
pub(super) async fn fill(
    tx: &mut Tx,
    program: ProgramId,
    importer: &Importer,
    document: &Document,
    source: Uuid,
    is_sample: bool,
) -> Result<Built, StoreError> {
    let places = Places::of(document, importer);
    let origin =
        Origin { program: Some(program), creator: importer.id, kind: SourceKind::SeedImport, id: source };
    let mut plan = intake::subtree(&places);
    for project in &mut plan.projects {
        project.fields.is_sample = is_sample;
    }
    let built = import::build(tx, &origin, &plan).await?;
    let left = Leftovers::of(document, &places, &built);
    replay(tx, document, &built, importer, &left.events).await?;
    left.save(tx, program).await?;
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
