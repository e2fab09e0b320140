//! Decisions about notes on the board of a retrospective, without a database.

use chrono::{DateTime, Utc};
use planwright_domain::Role;
use planwright_domain::access::{Action, Facets, allows_with};
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

/// Refuses to rewrite or delete the note of somebody else, except to those who lead the retrospective.
///
/// # Errors
/// 403.
pub fn is_own(row: &ItemRow, me: UserId, role: Role, facets: Facets) -> ApiResult<()> {
    match row.author_id == Some(me) || allows_with(Action::FacilitatePoker, role, facets) {
        true => Ok(()),
        false => Err(ApiError::forbidden("Its author and those who lead the retrospective may do that.")),
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
    use uuid::Uuid;

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

    #[test]
    fn a_note_is_its_authors_and_those_who_lead_may_tidy_up() {
        let user = |number| UserId(Uuid::from_u128(number));
        let row = ItemRow {
            id: Uuid::nil().into(),
            project_id: Uuid::nil().into(),
            sprint_id: Uuid::nil().into(),
            retro_id: Uuid::nil().into(),
            board_column: RetroColumn::Ideas,
            text: "Cake".into(),
            author_id: Some(user(1)),
            position: 0.0,
            color: String::new(),
            converted_action_id: None,
            created_at: Default::default(),
            updated_at: Default::default(),
            server_version: 1,
        };
        let master = Facets { is_scrum_master: true, ..Facets::default() };
        assert!(is_own(&row, user(1), Role::Member, Facets::default()).is_ok());
        assert!(is_own(&row, user(2), Role::Member, Facets::default()).is_err());
        assert!(is_own(&row, user(2), Role::Member, master).is_ok());
        assert!(is_own(&row, user(2), Role::ProjectManager, Facets::default()).is_ok());
    }
}
