//! What scope changes add up to, for whose eyes: pure.

use planwright_domain::person::display_name;
use planwright_domain::words::ScopeChangeStatus;
use planwright_plan::sprints::VelocityGate;

use super::model::{ListedRow, ScopeChangeEvent, ScopeChangeSummary, SprintScopeChanges};

/// What came into a sprint, as a reader sees it.
pub fn listed(rows: Vec<ListedRow>, gate: VelocityGate) -> SprintScopeChanges {
    let points = |rejected: bool| {
        let which = rows.iter().filter(|row| (row.status == ScopeChangeStatus::Rejected) == rejected);
        which.filter_map(|row| row.story_points).sum()
    };
    let stays = rows.iter().filter(|row| row.status != ScopeChangeStatus::Rejected).count();
    let summary = ScopeChangeSummary {
        points_added: gate.lets(Some(points(false))),
        points_removed: gate.lets(Some(points(true))),
        added_mid_sprint_count: stays as i64,
        total: rows.len() as i64,
    };
    SprintScopeChanges { summary, events: rows.into_iter().map(|row| event(row, gate)).collect() }
}

fn event(row: ListedRow, gate: VelocityGate) -> ScopeChangeEvent {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let username = row.username.clone();
    ScopeChangeEvent {
        id: row.id,
        task: row.task_id,
        item_name: row.item_name,
        story_points: gate.lets(row.story_points),
        added_by_name: username
            .map(|username| display_name(&text(&row.first_name), &text(&row.last_name), &username)),
        added_at: row.added_at,
        goal_impact: row.goal_impact,
        status: row.status,
    }
}

#[cfg(test)]
mod tests {
    use planwright_domain::ids::{ScopeChangeId, TaskId};
    use uuid::Uuid;

    use super::*;

    fn row(points: i64, status: ScopeChangeStatus) -> ListedRow {
        ListedRow {
            id: ScopeChangeId(Uuid::nil()),
            task_id: TaskId(Uuid::nil()),
            item_name: String::new(),
            story_points: Some(points),
            first_name: None,
            last_name: None,
            username: None,
            added_at: Default::default(),
            goal_impact: String::new(),
            status,
        }
    }

    #[test]
    fn what_was_rejected_counts_apart_and_points_are_for_the_team() {
        use ScopeChangeStatus::*;
        let rows = || vec![row(3, Pending), row(5, Accepted), row(8, Rejected)];
        let seen = listed(rows(), VelocityGate { is_open: true });
        let expected = ScopeChangeSummary {
            points_added: Some(8),
            points_removed: Some(8),
            added_mid_sprint_count: 2,
            total: 3,
        };
        assert_eq!(seen.summary, expected);
        let hidden = listed(rows(), VelocityGate { is_open: false });
        assert_eq!((hidden.summary.points_added, hidden.events[0].story_points), (None, None));
        assert_eq!(hidden.summary.total, 3);
    }
}
