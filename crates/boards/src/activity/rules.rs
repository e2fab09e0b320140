//! From a recorded change of a task to the event that a board shows; pure.

use std::collections::HashMap;

use planwright_domain::ids::{SprintId, TaskId};
use planwright_domain::words::{BoardEventType, ChangeKind, ScopeChangeStatus};
use serde_json::Value as Json;

use super::model::{ActivityRow, BoardActivityChange, BoardActivityEvent};

/// A field of which only those concerned read what it says.
const HIDDEN: &str = "blocked_reason";

/// The event of a change; `decided` says of tasks in sprints whether they belong there.
pub fn event(
    row: ActivityRow,
    decided: &HashMap<(TaskId, SprintId), ScopeChangeStatus>,
) -> BoardActivityEvent {
    let (event_type, moved) = kind(&row);
    let sprint_id = moved.or(row.sprint_id);
    let scope = sprint_id.and_then(|sprint| decided.get(&(row.task_id, sprint)).copied());
    BoardActivityEvent {
        id: row.id.to_string(),
        event_type,
        actor: row.username,
        actor_id: row.actor_id,
        timestamp: row.at,
        task_id: row.task_id,
        task_name: row.task_name.unwrap_or_default(),
        sprint_id,
        scope_change_status: scope,
        changes: if row.kind == ChangeKind::Updated { changes(&row.fields) } else { Vec::new() },
    }
}

/// What kind of event a change is, and which sprint the task came into or left.
fn kind(row: &ActivityRow) -> (BoardEventType, Option<SprintId>) {
    let side = |place: usize| row.fields.get("sprint")?.get(place)?.as_str()?.parse().ok().map(SprintId);
    if row.is_comment {
        return (BoardEventType::CommentAdded, None);
    }
    match (row.kind, side(0), side(1)) {
        (ChangeKind::Created | ChangeKind::Restored, _, _) => (BoardEventType::TaskCreated, None),
        (ChangeKind::Deleted, _, _) => (BoardEventType::TaskDeleted, None),
        (ChangeKind::Updated, Some(_), Some(new)) => (BoardEventType::MovedSprint, Some(new)),
        (ChangeKind::Updated, None, Some(new)) => (BoardEventType::EnteredSprint, Some(new)),
        (ChangeKind::Updated, Some(old), None) => (BoardEventType::ExitedSprint, Some(old)),
        (ChangeKind::Updated, None, None) => (BoardEventType::TaskUpdated, None),
    }
}

fn changes(fields: &Json) -> Vec<BoardActivityChange> {
    let shown = |value: &Json| match value {
        Json::Null => None,
        Json::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    let change = |(field, sides): (&String, &Json)| {
        let side = |place: usize| sides.get(place).filter(|_| field != HIDDEN).and_then(shown);
        BoardActivityChange { field: field.clone(), old: side(0), new: side(1) }
    };
    fields.as_object().map(|fields| fields.iter().map(change).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    fn row(kind: ChangeKind, fields: Json) -> ActivityRow {
        ActivityRow {
            id: Uuid::nil(),
            at: Default::default(),
            kind,
            actor_id: None,
            username: None,
            fields,
            is_comment: false,
            task_id: TaskId(Uuid::nil()),
            task_name: None,
            sprint_id: None,
        }
    }

    #[test]
    fn a_change_of_sprint_is_an_event_of_its_own() {
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let told = |sides: Json| event(row(ChangeKind::Updated, json!({"sprint": sides})), &HashMap::new());
        let shown = |sides| (told(sides)).event_type;
        use BoardEventType::*;
        assert_eq!(shown(json!([null, one])), EnteredSprint);
        assert_eq!(shown(json!([one, null])), ExitedSprint);
        assert_eq!(shown(json!([one, other])), MovedSprint);
        assert_eq!(told(json!([one, null])).sprint_id, Some(SprintId(one)));
        assert_eq!(
            event(row(ChangeKind::Updated, json!({"name": ["a", "b"]})), &HashMap::new()).event_type,
            TaskUpdated
        );
    }

    #[test]
    fn why_a_task_is_blocked_is_not_told() {
        let told = event(
            row(ChangeKind::Updated, json!({"blocked_reason": ["", "pump"], "duration": [1, 2]})),
            &HashMap::new(),
        );
        let change = |field: &str, old: Option<&str>, new: Option<&str>| BoardActivityChange {
            field: field.into(),
            old: old.map(str::to_owned),
            new: new.map(str::to_owned),
        };
        assert_eq!(
            told.changes,
            [change("blocked_reason", None, None), change("duration", Some("1"), Some("2"))]
        );
    }
}
