//! The daily sweep of files that belong to no attachment and no archive: uploads that were broken off, files whose row was not
//! written, and files that were taken off their task.

use chrono::Duration;
use planwright_file_storage::FileStorage;
use planwright_jobs::{JobError, Registry};
use planwright_web::App;

use super::queries;

/// A file without a row is left alone for so many hours: its upload may be under way.
const YOUNGEST_HOURS: i64 = 24;
/// How many keys are looked for at once.
const AT_ONCE: usize = 500;

pub(super) fn registry() -> Registry<App> {
    Registry::default().every("sweep_orphaned_files", Duration::days(1), async |app: App| {
        sweep(&app).await.map_err(JobError::Retry)
    })
}

async fn sweep(app: &App) -> anyhow::Result<()> {
    let storage = app.get::<FileStorage>();
    let before = app.clock.now() - Duration::hours(YOUNGEST_HOURS);
    let mut removed = storage.remove_incomplete(before.into()).await?;
    for keys in storage.written_before(before.into()).await?.chunks(AT_ONCE) {
        let known = queries::known_keys(&app.db, keys).await?;
        for key in keys.iter().filter(|key| !known.contains(*key)) {
            storage.delete(key).await?;
            removed += 1;
        }
    }
    if removed > 0 {
        tracing::info!(removed, "files without an attachment were removed");
    }
    Ok(())
}
