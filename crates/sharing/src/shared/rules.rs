//! From rows to pictures: which columns a board has, which names and dates are left out; without a database.

use std::collections::HashSet;

use planwright_domain::person;
use planwright_domain::words::{SharedContent, TaskStatus, Word};
use planwright_plan::schedule::network::date;
use serde_json::Value as Json;

use super::model::*;
use super::phases;
use crate::links::ShareLinkRow;

/// The columns of a board about which nobody has said anything.
const USUAL: [(TaskStatus, &str); 4] = [
    (TaskStatus::NotStarted, "To Do"),
    (TaskStatus::InProgress, "In Progress"),
    (TaskStatus::Review, "Review"),
    (TaskStatus::Complete, "Done"),
];

/// The board of a project.
pub fn board(
    project: SharedProject,
    mut columns: Vec<SharedColumn>,
    mut rows: Vec<SharedTaskRow>,
    link: &ShareLinkRow,
    most: usize,
) -> SharedBoard {
    let truncated = rows.len() > most;
    rows.truncate(most);
    for row in rows {
        let key = match row.status {
            TaskStatus::OnHold => TaskStatus::InProgress,
            status => status,
        };
        if let Some(column) = columns.iter_mut().find(|column| column.key == key) {
            column.cards.push(card(row, link));
        }
    }
    let show_assignees = link.show_assignees;
    SharedBoard { content_kind: SharedContent::Board, project, columns, show_assignees, truncated }
}

/// The statuses of tasks in these columns. Tasks on hold stand with those in progress.
pub fn statuses(columns: &[SharedColumn]) -> Vec<TaskStatus> {
    let mut statuses: Vec<TaskStatus> = columns.iter().map(|column| column.key).collect();
    if statuses.contains(&TaskStatus::InProgress) {
        statuses.push(TaskStatus::OnHold);
    }
    statuses
}

/// The visible columns without that of the backlog.
pub fn columns(stored: Option<Json>) -> Vec<SharedColumn> {
    let read = |column: &Json| {
        let key = TaskStatus::parse(column["status"].as_str()?)?;
        let is_shown = column["visible"] != Json::Bool(false) && key != TaskStatus::Backlog;
        is_shown.then(|| SharedColumn {
            key,
            label: column["label"].as_str().unwrap_or_default().to_owned(),
            cards: Vec::new(),
        })
    };
    match stored.as_ref().and_then(Json::as_array) {
        Some(stored) => stored.iter().filter_map(read).collect(),
        None => {
            USUAL.map(|(key, label)| SharedColumn { key, label: label.to_owned(), cards: Vec::new() }).into()
        }
    }
}

fn card(row: SharedTaskRow, link: &ShareLinkRow) -> SharedCard {
    let assignee = assignee(&row, link.show_assignees);
    let has_dates = !row.is_milestone || link.show_milestone_dates;
    let due_date = row.actual_finish.or_else(|| row.early_finish.and_then(date));
    SharedCard {
        due_date: due_date.filter(|_| has_dates),
        percent_complete: whole(row.percent_complete),
        short_id: row.short_id,
        name: row.name,
        status: row.status,
        is_milestone: row.is_milestone,
        assignee,
    }
}

/// The schedule of a project.
pub fn schedule(
    project: SharedProject,
    mut rows: Vec<SharedTaskRow>,
    mut dependencies: Vec<SharedDependency>,
    link: &ShareLinkRow,
    most: usize,
) -> SharedSchedule {
    let truncated = rows.len() > most;
    if !link.show_milestone_dates {
        phases::leave_out_milestones(&mut rows, most);
    }
    rows.truncate(most);
    let shown: HashSet<&str> = rows.iter().map(|row| row.short_id.as_str()).collect();
    dependencies.retain(|one| {
        shown.contains(one.predecessor_short_id.as_str()) && shown.contains(one.successor_short_id.as_str())
    });
    SharedSchedule {
        content_kind: SharedContent::Schedule,
        project,
        tasks: rows.into_iter().map(|row| task(row, link)).collect(),
        dependencies,
        show_assignees: link.show_assignees,
        show_milestone_dates: link.show_milestone_dates,
        truncated,
    }
}

fn task(row: SharedTaskRow, link: &ShareLinkRow) -> SharedTask {
    let has_dates = !row.is_milestone || link.show_milestone_dates;
    let day = |day: Option<i32>| day.filter(|_| has_dates).and_then(date);
    let assignee = assignee(&row, link.show_assignees);
    SharedTask {
        planned_start: row.planned_start.filter(|_| has_dates),
        early_start: day(row.early_start),
        early_finish: day(row.early_finish),
        scheduled_start: day(row.scheduled_start),
        percent_complete: whole(row.percent_complete),
        short_id: row.short_id,
        name: row.name,
        wbs_path: row.wbs_path,
        duration: row.duration,
        is_milestone: row.is_milestone,
        is_critical: row.is_critical,
        status: row.status,
        assignee,
    }
}

fn assignee(row: &SharedTaskRow, show_assignees: bool) -> Option<String> {
    let username = row.username.as_deref().filter(|_| show_assignees)?;
    let [first, last] = [&row.first_name, &row.last_name].map(|name| name.as_deref().unwrap_or_default());
    Some(person::display_name(first, last, username))
}

fn whole(percent: f64) -> i64 {
    percent.round() as i64
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn row(short_id: &str, status: TaskStatus) -> SharedTaskRow {
        SharedTaskRow {
            short_id: short_id.to_owned(),
            name: "Dig".to_owned(),
            wbs_path: Some("1".to_owned()),
            duration: 1,
            planned_start: None,
            early_start: Some(20_000),
            early_finish: Some(20_000),
            scheduled_start: None,
            actual_finish: None,
            is_milestone: false,
            is_critical: true,
            percent_complete: 33.4,
            status,
            username: Some("mara".to_owned()),
            first_name: Some(String::new()),
            last_name: Some(String::new()),
        }
    }

    fn link(show_assignees: bool, show_milestone_dates: bool) -> ShareLinkRow {
        ShareLinkRow {
            id: planwright_domain::ids::ShareLinkId(uuid::Uuid::nil()),
            project_id: planwright_domain::ids::ProjectId(uuid::Uuid::nil()),
            content_kind: SharedContent::Board,
            token_hash: String::new(),
            token_prefix: String::new(),
            label: String::new(),
            show_assignees,
            show_milestone_dates,
            created_by: None,
            created_at: chrono::DateTime::UNIX_EPOCH,
            expires_at: None,
            revoked_at: None,
            server_version: 1,
        }
    }

    fn project() -> SharedProject {
        SharedProject { name: "Bridge".to_owned(), short_id: "BR".to_owned() }
    }

    #[test]
    fn what_is_on_hold_stands_with_what_is_in_progress() {
        let rows = vec![row("T-1", TaskStatus::OnHold), row("T-2", TaskStatus::InProgress)];
        let board = board(project(), columns(None), rows, &link(false, true), 10);
        assert_eq!(board.columns[1].cards.len(), 2);
        assert_eq!((board.columns[1].cards[0].assignee.as_ref(), board.truncated), (None, false));
    }

    #[test]
    fn a_hidden_column_and_the_backlog_are_not_shown() {
        let stored = json!([
            {"status": "BACKLOG", "label": "Later", "visible": true},
            {"status": "REVIEW", "label": "Check", "visible": false},
            {"status": "NOT_STARTED", "label": "Soon", "visible": true},
        ]);
        let columns = columns(Some(stored));
        assert_eq!(statuses(&columns), [TaskStatus::NotStarted], "no card is read that is not shown");
        let board = board(project(), columns, vec![row("T-1", TaskStatus::Review)], &link(true, true), 10);
        let labels: Vec<_> = board.columns.iter().map(|column| column.label.as_str()).collect();
        assert_eq!((labels, board.columns[0].cards.len()), (vec!["Soon"], 0));
    }

    #[test]
    fn more_than_the_limit_is_cut_and_said() {
        let rows = vec![row("T-1", TaskStatus::Review), row("T-2", TaskStatus::Review)];
        let board = board(project(), columns(None), rows, &link(true, true), 1);
        assert!(board.truncated);
        assert_eq!(board.columns[2].cards[0].assignee.as_deref(), Some("mara"));
        assert_eq!(board.columns[2].cards.len(), 1);
    }

    #[test]
    fn the_day_of_a_milestone_is_on_a_board_only_where_its_link_says_so() {
        let milestone = || SharedTaskRow { is_milestone: true, ..row("T-1", TaskStatus::Review) };
        let day = |shown| card(milestone(), &link(false, shown)).due_date;
        assert!(day(true).is_some() && day(false).is_none());
    }
}
