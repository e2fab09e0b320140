//! The job that keeps where projects stand for those of which nothing is kept that holds: after an upgrade, or where a write
//! left it to be counted.

use chrono::Duration;
use planwright_domain::ids::ProjectId;
use planwright_jobs::{JobError, Registry};
use planwright_store::{Db, Result, StoreError};
use planwright_web::App;
use uuid::Uuid;

use super::queries;

/// So many projects are looked up at once.
const AT_ONCE: i64 = 100;

/// The job.
pub fn jobs() -> Registry<App> {
    Registry::default().every("keep_standings", Duration::hours(1), async |app: App| {
        keep_all(&app.db).await.map_err(JobError::from)
    })
}

async fn keep_all(db: &Db) -> Result<()> {
    let mut after = ProjectId(Uuid::nil());
    loop {
        let lacking = queries::lacking(db, after, AT_ONCE).await?;
        let Some(last) = lacking.last() else { return Ok(()) };
        after = *last;
        for project in lacking {
            match keep_one(db, project).await {
                Err(StoreError::Unavailable(cause)) => return Err(StoreError::Unavailable(cause)),
                // One project that cannot be counted must not keep the others from it.
                Err(error) => {
                    tracing::warn!(%project, error = %format!("{error:#}"), "where a project stands could not be kept")
                }
                Ok(()) => {}
            }
        }
    }
}

/// Counts the rows of a project as they are stored, and keeps that. No date moves and nobody is told.
async fn keep_one(db: &Db, project: ProjectId) -> Result<()> {
    let mut tx = db.begin().await?;
    // Every write of the plan waits for this row.
    tx.lock_rows("projects", [project.0]).await?;
    if !queries::kept(&tx, &[project]).await?.is_empty() {
        return Ok(());
    }
    let promises = queries::promises(&tx, &[project]).await?.remove(&project).unwrap_or_default();
    if let Some(counts) = queries::counted(&tx, &[project]).await?.remove(&project) {
        let counts = serde_json::to_value(counts).map_err(anyhow::Error::from)?;
        queries::keep(&mut tx, project, &counts, promises.baseline).await?;
    }
    tx.commit().await
}
