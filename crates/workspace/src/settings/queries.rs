//! Every statement about the workspace row, of which there is exactly one.
//! What may stand in it is in `rules.rs`.

use planwright_store::{Read, Record, Result, Tx, sql};

use super::model::WorkspaceRow;

fn select() -> String {
    format!("SELECT {} FROM workspace w WHERE w.id = 1", WorkspaceRow::select_list("w"))
}

/// The workspace.
pub async fn find(db: &dyn Read) -> Result<WorkspaceRow> {
    db.one(sql!(select())).await
}

/// The workspace as it stands once it is locked, until the transaction ends.
pub async fn lock(tx: &Tx) -> Result<WorkspaceRow> {
    tx.one(sql!(format!("{} {}", select(), tx.engine().row_lock()))).await
}
