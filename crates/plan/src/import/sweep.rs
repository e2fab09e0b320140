//! What an import that was stopped leaves behind: its hidden rows become rows of projects that are deleted for good, slice by
//! slice. Nobody ever saw them.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{DeletionId, ProjectId};
use planwright_store::{Db, Read, Result, sql};
use uuid::Uuid;

use super::IMPORT;
use super::slices::slice;
use crate::deletion::{FOR_GOOD, queries as deletion};

/// Sweeps away what earlier attempts of an import wrote. The import itself must not be under way.
pub async fn sweep(db: &Db, import: Uuid) -> Result<()> {
    let select =
        "SELECT id FROM deletions WHERE entity = :import AND restored_at IS NULL AND root_id = :root";
    let acts = db.scalars(sql!(select, import = IMPORT, root = import)).await?;
    sweep_acts(db, acts).await
}

/// Sweeps away what imports wrote that began before an instant and were never opened.
pub async fn sweep_abandoned(db: &Db, begun_before: DateTime<Utc>) -> Result<()> {
    let select = "SELECT id FROM deletions WHERE entity = :import AND restored_at IS NULL AND at < :before";
    let acts = db.scalars(sql!(select, import = IMPORT, before = begun_before)).await?;
    sweep_acts(db, acts).await
}

async fn sweep_acts(db: &Db, acts: Vec<DeletionId>) -> Result<()> {
    for act in acts {
        let projects = "SELECT id FROM projects WHERE deletion_id = :act ORDER BY id";
        for project in db.scalars::<ProjectId>(sql!(projects, act = act)).await? {
            for table in deletion::contents() {
                while sweep_some(db, table, project, act).await? {}
            }
        }
        let mut tx = db.begin().await?;
        let swept = "UPDATE deletions SET entity = :swept WHERE id = :act";
        tx.run(sql!(swept, swept = FOR_GOOD, act = act)).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// Sweeps one slice of a table; whether there may be more.
async fn sweep_some(db: &Db, table: &'static str, project: ProjectId, act: DeletionId) -> Result<bool> {
    let most = slice(db.engine());
    let mut tx = db.begin().await?;
    let swept = deletion::take_some(&mut tx, table, (project, act), most).await?;
    tx.commit().await?;
    Ok(swept >= most as u64)
}
