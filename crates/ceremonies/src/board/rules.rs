//! Decisions about notes on the board of a retrospective, without a database.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{RetroItemId, UserId};
use planwright_domain::words::{RetroColumn, SprintState, Word};
use planwright_web::{ApiError, ApiResult};

use super::model::*;
use crate::retro::model::RetroRow;

/// The columns of every board.
pub fn columns() -> Vec<RetroBoardColumn> {
    let label = |column| match column {
        RetroColumn::WentWell => "Went well",
        RetroColumn::ToImprove => "To improve",
        RetroColumn::Ideas => "Ideas",
    };
    RetroColumn::ALL.iter().map(|column| RetroBoardColumn { key: *column, label: label(*column) }).collect()
}

/// Refuses to write on a board before its sprint runs and after it was given up.
///
/// # Errors
/// 400.
pub fn is_writable(sprint: SprintState) -> ApiResult<()> {
    match sprint {
        SprintState::Active | SprintState::Completed => Ok(()),
        SprintState::Planned | SprintState::Cancelled => {
            Err(ApiError::bad_request("The board is open while the sprint runs and after it was completed."))
        }
    }
}

/// A new note behind the others of its column.
pub fn fresh(
    id: RetroItemId,
    retro: &RetroRow,
    request: RetroBoardItemRequest,
    last: Option<f64>,
    (author, now): (UserId, DateTime<Utc>),
) -> ItemRow {
    ItemRow {
        id,
        project_id: retro.project_id,
        sprint_id: retro.sprint_id,
        retro_id: retro.id,
        board_column: request.column.given().unwrap_or(RetroColumn::WentWell),
        text: request.text.to_string(),
        author_id: Some(author),
        position: last.map_or(0.0, |last| last + 1.0),
        color: request.color.given().map(String::from).unwrap_or_default(),
        converted_action_id: None,
        created_at: now,
        updated_at: now,
        server_version: 1,
    }
}

/// The row with the wanted fields changed.
pub fn changed(mut row: ItemRow, request: PatchedRetroBoardItemRequest, now: DateTime<Utc>) -> ItemRow {
    let before = row.clone();
    request.column.write_to(&mut row.board_column);
    request.text.write_to(&mut row.text);
    request.position.write_to(&mut row.position);
    request.color.write_to(&mut row.color);
    if row != before {
        row.updated_at = now;
    }
    row
}

/// Whether a change moved a note.
pub fn is_moved(before: &ItemRow, after: &ItemRow) -> bool {
    before.board_column != after.board_column || before.position != after.position
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_has_three_columns_in_their_order() {
        let labels: Vec<_> = columns().iter().map(|column| column.label).collect();
        assert_eq!(labels, ["Went well", "To improve", "Ideas"]);
    }

    #[test]
    fn a_board_is_open_from_the_beginning_of_its_sprint() {
        assert!(is_writable(SprintState::Active).is_ok() && is_writable(SprintState::Completed).is_ok());
        assert!(is_writable(SprintState::Planned).is_err() && is_writable(SprintState::Cancelled).is_err());
    }
}
