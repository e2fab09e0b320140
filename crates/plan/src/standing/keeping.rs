//! The job that keeps where projects stand for those of which nothing is kept that holds: after an upgrade, or where a write
//! left it to be counted.

use chrono::Duration;
use planwright_domain::ids::ProjectId;
use planwright_jobs::{JobError, Registry};
use planwright_store::{Db, Result};
use planwright_web::App;
use uuid::Uuid;

use super::queries;
use crate::schedule::PlanLock;

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
            let mut tx = db.begin().await?;
            let mut lock = PlanLock::take(&mut tx, project).await?;
            lock.changes_rollups(project);
            lock.end(&mut tx).await?;
            tx.commit().await?;
        }
    }
}
