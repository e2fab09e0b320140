//! Every statement about the boards of retrospectives; single notes are written through edits.

use planwright_domain::ids::{RetroId, RetroItemId};
use planwright_domain::words::RetroColumn;
use planwright_store::{Read, Record, Result, sql};

use super::model::{ItemRow, ShownItemRow};

fn shown() -> String {
    let item = ItemRow::select_list("i");
    format!(
        "SELECT u.username AS author_username, a.id AS live_action_id, {item}
         FROM retro_items i LEFT JOIN users u ON u.id = i.author_id
         LEFT JOIN retro_actions a ON a.id = i.converted_action_id AND a.deletion_id IS NULL
         WHERE i.deletion_id IS NULL"
    )
}

/// The notes of a board, by column and place.
pub async fn items(db: &dyn Read, retro: RetroId) -> Result<Vec<ShownItemRow>> {
    let in_order = "AND i.retro_id = :retro ORDER BY CASE i.board_column
        WHEN 'went_well' THEN 1 WHEN 'to_improve' THEN 2 ELSE 3 END, i.position, i.id";
    db.all(sql!(format!("{} {in_order}", shown()), retro = retro)).await
}

/// One note.
pub async fn item(db: &dyn Read, id: RetroItemId) -> Result<ShownItemRow> {
    db.one(sql!(format!("{} AND i.id = :id", shown()), id = id)).await
}

/// The place of the last note of a column.
pub async fn last(db: &dyn Read, retro: RetroId, column: RetroColumn) -> Result<Option<f64>> {
    let select = "SELECT MAX(position) FROM retro_items
         WHERE retro_id = :retro AND board_column = :column AND deletion_id IS NULL";
    Ok(db.scalar::<Option<f64>>(sql!(select, retro = retro, column = column)).await?.flatten())
}
