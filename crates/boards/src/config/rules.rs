//! Which columns a board may have, which it has unless people say otherwise, and how full they are.

use std::collections::HashMap;

use planwright_domain::color::is_color;
use planwright_domain::words::{ColumnBreach, TaskStatus, Word};
use planwright_web::{ApiError, ApiResult, Problems};
use serde_json::{Value as Json, json};

use super::model::{BoardColumn, BoardColumnRequest, FilledColumn};

/// The statuses that have a column.
const STATUSES: [TaskStatus; 5] = [
    TaskStatus::Backlog,
    TaskStatus::NotStarted,
    TaskStatus::InProgress,
    TaskStatus::Review,
    TaskStatus::Complete,
];

/// The columns of a board about which nobody has said anything.
pub fn usual() -> Vec<BoardColumn> {
    let column = |status, label: &str, wip_limit| {
        let (label, visible) = (label.to_owned(), true);
        BoardColumn { status, label, visible, color: None, wip_limit, age_threshold_days: None }
    };
    vec![
        column(TaskStatus::Backlog, "Backlog", None),
        column(TaskStatus::NotStarted, "To Do", None),
        column(TaskStatus::InProgress, "In Progress", Some(5)),
        column(TaskStatus::Review, "Review", Some(3)),
        column(TaskStatus::Complete, "Done", None),
    ]
}

/// The columns that were asked for.
///
/// # Errors
/// 400 when a status is missing or there twice, or a colour is none.
pub fn columns(requested: Vec<BoardColumnRequest>) -> ApiResult<Vec<BoardColumn>> {
    let mut problems = Problems::default();
    let columns: Vec<BoardColumn> = requested.into_iter().map(column).collect();
    for status in TaskStatus::ALL {
        let count = columns.iter().filter(|column| column.status == *status).count();
        let wanted = usize::from(STATUSES.contains(status));
        if count != wanted {
            let times = if wanted == 1 { "exactly one column" } else { "no column" };
            problems.say("columns", format!("The status {} must have {times}.", status.as_str()));
        }
    }
    for column in
        columns.iter().filter(|column| column.color.as_deref().is_some_and(|color| !is_color(color)))
    {
        problems.say("columns", format!("Write the colour of {} like #1A2B3C.", column.label));
    }
    match problems.is_empty() {
        true => Ok(columns),
        false => Err(ApiError::invalid(problems)),
    }
}

fn column(request: BoardColumnRequest) -> BoardColumn {
    BoardColumn {
        status: request.status,
        label: request.label.into(),
        visible: request.visible.given().unwrap_or(true),
        color: request.color.given().flatten().map(String::from).filter(|color| !color.is_empty()),
        wip_limit: request.wip_limit.given().flatten().map(i64::from),
        age_threshold_days: request.age_threshold_days.given().flatten().map(i64::from),
    }
}

/// Columns as they are stored.
pub fn stored(columns: &[BoardColumn]) -> Json {
    json!(columns)
}

/// Stored columns; the usual ones where nothing is stored.
pub fn read(stored: Option<Json>) -> Vec<BoardColumn> {
    stored.and_then(|columns| serde_json::from_value(columns).ok()).unwrap_or_else(usual)
}

/// Columns with how full they are. Tasks on hold stand with those in progress.
pub fn filled(columns: Vec<BoardColumn>, counts: &HashMap<TaskStatus, i64>) -> Vec<FilledColumn> {
    let count = |status: TaskStatus| counts.get(&status).copied().unwrap_or_default();
    let held = |status| match status {
        TaskStatus::InProgress => count(status) + count(TaskStatus::OnHold),
        other => count(other),
    };
    let fill = |column: BoardColumn| {
        let current_count = held(column.status);
        let breach = column.wip_limit.map(|limit| match current_count.cmp(&limit) {
            std::cmp::Ordering::Less => ColumnBreach::Ok,
            std::cmp::Ordering::Equal => ColumnBreach::At,
            std::cmp::Ordering::Greater => ColumnBreach::Over,
        });
        FilledColumn { column, current_count, breach }
    };
    columns.into_iter().map(fill).collect()
}

#[cfg(test)]
mod tests {
    use planwright_web::Field;

    use super::*;

    fn request(status: TaskStatus, color: Option<&str>) -> BoardColumnRequest {
        let text = json!({"status": status, "label": "A", "color": color});
        BoardColumnRequest::from_json(&text).unwrap()
    }

    #[test]
    fn every_status_of_a_board_has_exactly_one_column() {
        let all = || STATUSES.map(|status| request(status, Some("#1A2B3C"))).into_iter();
        assert_eq!(columns(all().collect()).unwrap().len(), 5);
        assert!(columns(all().skip(1).collect()).is_err(), "one is missing");
        assert!(
            columns(all().chain([request(TaskStatus::Review, None)]).collect()).is_err(),
            "one is there twice"
        );
        assert!(
            columns(all().chain([request(TaskStatus::OnHold, None)]).collect()).is_err(),
            "one is not of a board"
        );
        assert!(columns(all().skip(1).chain([request(TaskStatus::Backlog, Some("red"))]).collect()).is_err());
    }

    #[test]
    fn a_column_is_at_its_limit_before_it_is_over_it() {
        let breach = |count| {
            let counts = HashMap::from([(TaskStatus::Review, count)]);
            filled(usual(), &counts)[3].breach
        };
        use ColumnBreach::*;
        assert_eq!([2, 3, 4].map(breach), [Some(Ok), Some(At), Some(Over)]);
        assert_eq!(filled(usual(), &HashMap::new())[0].breach, None, "no limit");
    }

    #[test]
    fn what_is_stored_is_read_again() {
        assert_eq!(read(Some(stored(&usual()))), usual());
        assert_eq!(read(None), usual());
    }
}
