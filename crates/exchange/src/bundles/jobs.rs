//! Writing the archive of an export, and forgetting those that have expired.

use chrono::Duration;
use planwright_domain::access::may;
use planwright_file_storage::FileStorage;
use planwright_jobs::{JobError, Registry};
use planwright_web::{Actor, ApiError, ApiResult, App, ProgramScope, ProjectScope};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::archive::Archive;
use super::pack;
use super::queries::{self, ExportWork, Written};
use crate::programs::export;
use crate::under_way::Work;

/// The kind of job that writes an archive.
pub(super) const EXPORT: &str = "export_bundle";

/// How long an archive can be fetched, in days.
const KEPT_DAYS: i64 = 7;

/// What the job needs to know.
#[derive(Serialize, Deserialize)]
pub(super) struct ExportBundle {
    pub(super) export: Uuid,
}

pub(super) fn registry() -> Registry<App> {
    let write_one = async |app: App, job: ExportBundle| {
        Work::Export.carry_out(&app, job.export, || write(&app, job.export)).await
    };
    Registry::default().on(EXPORT, write_one).every(
        "forget_expired_exports",
        Duration::hours(1),
        async |app: App| forget_expired(&app).await.map_err(JobError::Retry),
    )
}

async fn write(app: &App, id: Uuid) -> ApiResult<()> {
    let Some(work) = queries::find_work(&app.db, id).await? else { return Ok(()) };
    Work::Export.tell(&app.db, id, "reading", (0, 0)).await?;
    let archive = gathered(app, id, &work).await?;
    let projects = archive.projects.clone();
    Work::Export.tell(&app.db, id, "packing", (0, 0)).await?;
    let (key, size) = pack::kept(archive, app.get::<FileStorage>()).await?;
    let mut tx = app.db.begin().await?;
    let expires_at = tx.now() + Duration::days(KEPT_DAYS);
    let file_size = i64::try_from(size).unwrap_or(i64::MAX);
    let written = Written { storage_key: &key, file_size, expires_at, projects: &projects };
    if !queries::finish(&mut tx, id, &written).await? {
        drop(tx);
        app.get::<FileStorage>().delete(&key).await?;
        return Err(ApiError::not_found());
    }
    Ok(tx.commit().await?)
}

/// Deletes the archives that have expired; that they were there stays known.
async fn forget_expired(app: &App) -> anyhow::Result<()> {
    let storage = app.get::<FileStorage>();
    for (id, key) in queries::expired(&app.db, app.clock.now()).await? {
        storage.delete(&key).await?;
        let mut tx = app.db.begin().await?;
        queries::forget(&mut tx, id).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// Everything that goes into an archive, as whoever asked for it may read it now.
async fn gathered(app: &App, id: Uuid, work: &ExportWork) -> ApiResult<Archive> {
    let db = &app.db;
    let actor = Actor::in_background(db, work.created_by).await?;
    match (work.project_id, work.program_id) {
        (Some(project), _) => {
            ProjectScope::<may::ExportProject>::of(db, &actor, project).await?;
            let exported = export::project(db, project, None, Some(actor.id)).await?;
            let mut archive = Archive::of(exported.ok_or_else(ApiError::not_found)?);
            archive.add_project(app, project, actor.id).await?;
            Ok(archive)
        }
        (None, Some(program)) => {
            ProgramScope::<may::ExportProgram>::of(db, &actor, program).await?;
            let exported = export::program(db, program, None, Some(&actor)).await?;
            let mut archive = Archive::of(exported.ok_or_else(ApiError::not_found)?);
            let projects = queries::projects(db, program, Some(&actor)).await?;
            let total = projects.len();
            for (done, project) in projects.into_iter().enumerate() {
                Work::Export.tell(db, id, "reading", (done, total)).await?;
                archive.add_project(app, project, actor.id).await?;
            }
            Ok(archive)
        }
        (None, None) => super::workspace::gathered(app, id, &actor).await,
    }
}
