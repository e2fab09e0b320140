//! Writing the archive of an export, and forgetting those that have expired.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::Duration;
use planwright_domain::access::may;
use planwright_jobs::{JobError, Registry};
use planwright_web::{Actor, ApiError, ApiResult, App, ProgramScope, ProjectScope};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::archive::Archive;
use super::queries::{self, ExportWork};
use crate::failure;
use crate::programs::export;

/// The kind of job that writes an archive.
pub(super) const EXPORT: &str = "export_bundle";

/// How long an archive can be fetched, in days.
const KEPT_DAYS: i64 = 7;
/// How many bytes one part of a stored archive has.
const PART_BYTES: usize = 768 * 1024;

/// What the job needs to know.
#[derive(Serialize, Deserialize)]
pub(super) struct ExportBundle {
    pub(super) export: Uuid,
}

pub(super) fn registry() -> Registry<App> {
    Registry::default().on(EXPORT, async |app: App, job: ExportBundle| run(&app, job.export).await).every(
        "forget_expired_exports",
        Duration::hours(1),
        async |app: App| {
            let mut tx = app.db.begin().await?;
            queries::forget_expired(&mut tx).await?;
            tx.commit().await.map_err(JobError::from)
        },
    )
}

async fn run(app: &App, id: Uuid) -> Result<(), JobError> {
    let mut tx = app.db.begin().await?;
    let is_due = queries::begin(&mut tx, id).await?;
    tx.commit().await?;
    if !is_due {
        return Ok(());
    }
    let Err(error) = write(app, id).await else { return Ok(()) };
    let detail = failure::sentence(error)?;
    tracing::warn!(export = %id, detail, "an export failed");
    let mut tx = app.db.begin().await?;
    queries::fail(&mut tx, id, &detail).await?;
    tx.commit().await.map_err(JobError::from)
}

async fn write(app: &App, id: Uuid) -> ApiResult<()> {
    let Some(work) = queries::find_work(&app.db, id).await? else { return Ok(()) };
    let archive = gathered(app, &work).await?;
    let packed = tokio::task::spawn_blocking(move || archive.pack()).await.map_err(anyhow::Error::from)?;
    let packed = packed.map_err(anyhow::Error::from)?;
    let parts: Vec<String> = packed.chunks(PART_BYTES).map(|part| STANDARD.encode(part)).collect();
    let mut tx = app.db.begin().await?;
    let expires_at = tx.now() + Duration::days(KEPT_DAYS);
    let size = i64::try_from(packed.len()).unwrap_or(i64::MAX);
    queries::finish(&mut tx, id, &parts, size, expires_at).await?;
    Ok(tx.commit().await?)
}

/// Everything that goes into an archive, as whoever asked for it may read it now.
async fn gathered(app: &App, work: &ExportWork) -> ApiResult<Archive> {
    let db = &app.db;
    let actor = Actor::in_background(db, work.created_by).await?;
    match (work.project_id, work.program_id) {
        (Some(project), _) => {
            ProjectScope::<may::ExportProject>::of(db, &actor, project).await?;
            let exported = export::project(db, project, None, Some(actor.id)).await?;
            let mut archive = Archive::of(exported.ok_or_else(ApiError::not_found)?);
            archive.add_project(db, project, actor.id).await?;
            Ok(archive)
        }
        (None, Some(program)) => {
            ProgramScope::<may::ExportProgram>::of(db, &actor, program).await?;
            let exported = export::program(db, program, None, Some(&actor)).await?;
            let mut archive = Archive::of(exported.ok_or_else(ApiError::not_found)?);
            for project in queries::projects(db, program, &actor).await? {
                archive.add_project(db, project, actor.id).await?;
            }
            Ok(archive)
        }
        (None, None) => super::workspace::gathered(db, &actor).await,
    }
}

/// The bytes of an archive from its stored parts.
pub(super) fn joined(parts: &[String]) -> anyhow::Result<Vec<u8>> {
    let decoded = parts.iter().map(|part| STANDARD.decode(part)).collect::<Result<Vec<_>, _>>()?;
    Ok(decoded.concat())
}
