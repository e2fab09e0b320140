//! From a recorded change to what a caller is shown of it; pure.

use planwright_domain::person::display_name;
use planwright_domain::words::ChangeKind;
use planwright_plan::readable_history::HIDDEN;
pub use planwright_plan::readable_history::READABLE;
use serde_json::Value as Json;

use super::model::{
    HistoryDiff, HistoryRecord, HistoryRow, HistoryUser, TaskChange, TaskChangeActor, TaskChangeDetail,
    TaskFieldChange,
};

/// What asks for all of them.
pub const ALL: &str = "all";

/// The sign of a change.
pub fn sign(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Created | ChangeKind::Restored => "+",
        ChangeKind::Updated => "~",
        ChangeKind::Deleted => "-",
    }
}

/// The person of a row, when it was one.
pub fn user(row: &HistoryRow) -> Option<HistoryUser> {
    let username = row.username.clone()?;
    let (first, last) = (row.first_name.as_deref(), row.last_name.as_deref());
    Some(HistoryUser {
        id: row.actor_id?,
        display_name: display_name(first.unwrap_or_default(), last.unwrap_or_default(), &username),
        username,
    })
}

/// A change as it is shown; whoever may read why a task is blocked also reads how that changed.
pub fn record(row: HistoryRow, reads_reasons: bool) -> HistoryRecord {
    HistoryRecord {
        id: row.id.to_string(),
        history_date: row.at,
        history_type: sign(row.kind).to_owned(),
        history_change_reason: (row.kind == ChangeKind::Restored).then(|| "restored".to_owned()),
        history_user: user(&row),
        diff: diff(&row, reads_reasons),
        entity: row.entity,
        entity_id: row.entity_id,
        version: row.version,
    }
}

/// A change of a task as its page of history shows it.
pub fn task_change(row: HistoryRow, reads_reasons: bool) -> TaskChange {
    let diff = diff(&row, reads_reasons);
    let actor = user(&row).map(|user| TaskChangeActor { id: user.id, display_name: user.display_name });
    TaskChange {
        event_type: event_type(row.kind),
        timestamp: row.at,
        detail: TaskChangeDetail { fields: diff.iter().map(|change| change.field.clone()).collect() },
        id: row.id.to_string(),
        history_type: sign(row.kind),
        history_date: row.at,
        history_user: actor.as_ref().map(|actor| actor.id),
        history_user_display: actor.as_ref().map(|actor| actor.display_name.clone()),
        actor,
        diff: diff.into_iter().map(field_change).collect(),
        version: row.version,
    }
}

fn event_type(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Created => "task_created",
        ChangeKind::Updated => "task_updated",
        ChangeKind::Deleted => "task_deleted",
        ChangeKind::Restored => "task_restored",
    }
}

fn field_change(change: HistoryDiff) -> TaskFieldChange {
    let HistoryDiff { field, old, new, hidden } = change;
    TaskFieldChange { field, old: text(old), new: text(new), hidden }
}

/// A value as text: nothing for null, the text itself, JSON for everything else.
fn text(value: Json) -> Option<String> {
    match value {
        Json::Null => None,
        Json::String(text) => Some(text),
        other => Some(other.to_string()),
    }
}

fn diff(row: &HistoryRow, reads_reasons: bool) -> Vec<HistoryDiff> {
    let fields = row.fields.as_object().into_iter().flatten();
    fields
        .map(|(field, values)| {
            let reason = field == "blocked_reason" && reads_reasons;
            let hidden = HIDDEN.contains(&(row.entity.as_str(), field.as_str())) && !reason;
            let value = |at: usize| match hidden {
                true => Json::Null,
                false => values.get(at).cloned().unwrap_or(Json::Null),
            };
            HistoryDiff { field: field.clone(), old: value(0), new: value(1), hidden }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn why_a_task_is_blocked_is_not_told_to_everybody() {
        let row = HistoryRow {
            id: Uuid::nil(),
            at: DateTime::UNIX_EPOCH,
            entity: "task".into(),
            entity_id: Uuid::nil(),
            kind: ChangeKind::Updated,
            actor_id: None,
            username: None,
            first_name: None,
            last_name: None,
            version: 2,
            fields: json!({"blocked_reason": ["", "Waiting for money"], "name": ["A", "B"]}),
        };
        let shown = record(row.clone(), false);
        assert_eq!((shown.diff[0].hidden, &shown.diff[0].new), (true, &Json::Null));
        assert_eq!((shown.diff[1].hidden, &shown.diff[1].new), (false, &json!("B")));
        assert_eq!(record(row, true).diff[0].new, json!("Waiting for money"));
    }

    #[test]
    fn the_history_of_a_task_shows_every_value_as_text() {
        let texts = [json!(null), json!("A"), json!(2.5), json!(true)].map(text);
        assert_eq!(texts, [None, Some("A".to_owned()), Some("2.5".to_owned()), Some("true".to_owned())]);
    }
}
