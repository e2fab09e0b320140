//! What a view may be called, and what it shows where nothing is said: pure decisions.

use chrono::{DateTime, Utc};
use planwright_domain::words::{BoardSort, EarnedValueMode};
use planwright_web::{ApiError, ApiResult, Patch};
use serde_json::{Value as Json, json};

use super::model::{BoardViewConfig, BoardViewConfigRequest, BoardViewRow, PatchedBoardSavedViewRequest};

/// How many views a project may have.
const MOST: usize = 200;

/// The row with the wanted fields changed; `others` are the views of the project.
///
/// # Errors
/// 400 when another view has the name, or there are too many.
pub fn changed(
    mut row: BoardViewRow,
    request: PatchedBoardSavedViewRequest,
    others: &[BoardViewRow],
    now: DateTime<Utc>,
) -> ApiResult<BoardViewRow> {
    request.name.write_to(&mut row.name);
    row.name_key = row.name.to_lowercase();
    if let Patch::Set(config) = request.config {
        row.config = json!(config_of(config));
    }
    row.updated_at = now;
    let is_new = !others.iter().any(|other| other.id == row.id);
    match others.iter().any(|other| other.id != row.id && other.name_key == row.name_key) {
        true => Err(ApiError::invalid_field("name", "A view of this name exists in the project.")),
        false if is_new && others.len() >= MOST => {
            Err(ApiError::bad_request(format!("A project has at most {MOST} views.")))
        }
        false => Ok(row),
    }
}

fn config_of(request: BoardViewConfigRequest) -> BoardViewConfig {
    completed(BoardViewConfig {
        sort: request.sort.given(),
        show_wip: request.show_wip.given(),
        show_col_tints: request.show_col_tints.given(),
        evm_mode: request.evm_mode.given(),
        show_cost: request.show_cost.given(),
        risk_linked_only: request.risk_linked_only.given(),
        filter_assignees: request.filter_assignees.given().map(|list| list.0).unwrap_or_default(),
        filter_priority: request.filter_priority.given().map(|list| list.0).unwrap_or_default(),
        filter_due: request.filter_due.given().map(|list| list.0).unwrap_or_default(),
        filter_labels: request.filter_labels.given().map(|list| list.0).unwrap_or_default(),
    })
}

/// What a stored view shows; what cannot be read has its usual value.
pub fn read(stored: Json) -> BoardViewConfig {
    completed(serde_json::from_value(stored).unwrap_or_default())
}

fn completed(config: BoardViewConfig) -> BoardViewConfig {
    BoardViewConfig {
        sort: Some(config.sort.unwrap_or(BoardSort::Priority)),
        show_wip: Some(config.show_wip.unwrap_or(true)),
        show_col_tints: Some(config.show_col_tints.unwrap_or(true)),
        evm_mode: Some(config.evm_mode.unwrap_or(EarnedValueMode::Off)),
        show_cost: Some(config.show_cost.unwrap_or(false)),
        risk_linked_only: Some(config.risk_linked_only.unwrap_or(false)),
        ..config
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_of_a_view_has_its_usual_value() {
        let config = read(json!({"sort": "start_date", "from_the_future": 1}));
        assert_eq!((config.sort, config.show_wip), (Some(BoardSort::StartDate), Some(true)));
        assert_eq!(read(Json::Null), read(json!({})));
    }
}
