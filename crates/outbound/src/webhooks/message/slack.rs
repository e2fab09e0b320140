//! Events as chat messages: one line, and one attachment with the most important fields of the event. The incoming
//! webhooks of several chat services accept this form.

use serde_json::{Value as Json, json};

use super::PING;

/// The longest text of a field that is shown in full.
const LONGEST: usize = 300;

/// The message of an event.
pub fn message(event: &str, payload: &Json) -> Json {
    let title = title(event);
    let fields: Vec<Json> = fields(event)
        .iter()
        .filter_map(|(key, title)| {
            let value = shown(payload.get(key)?)?;
            Some(json!({ "title": title, "value": value, "short": true }))
        })
        .collect();
    json!({
        "text": format!("*{title}* — {}", subject(event, payload)),
        "attachments": [{
            "color": color(event),
            "title": title,
            "fields": fields,
            "footer": event,
            "mrkdwn_in": ["text"],
        }],
    })
}

/// `sprint.scope_changed` is read as “Sprint scope changed”.
fn title(event: &str) -> String {
    let words = event.replace(['.', '_'], " ");
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The subject of the event: the first of these keys that it has.
fn subject(event: &str, payload: &Json) -> String {
    let named = ["name", "title", "item_name", "id"].iter().find_map(|key| shown(payload.get(*key)?));
    match (named, event) {
        (Some(subject), _) => subject,
        (None, PING) => "this webhook works".to_owned(),
        (None, _) => payload.get("project").and_then(shown).unwrap_or_default(),
    }
}

fn fields(event: &str) -> &'static [(&'static str, &'static str)] {
    match event.split('.').next().unwrap_or_default() {
        "task" | "comment" => &[
            ("status", "Status"),
            ("planned_start", "Planned start"),
            ("duration", "Duration"),
            ("author_display", "Author"),
            ("mention_count", "Mentions"),
        ],
        "dependency" => &[("dep_type", "Type"), ("lag", "Lag")],
        "schedule" => &[("project_finish", "Finish"), ("status_date", "Status date")],
        "project" => &[("start_date", "Start")],
        "sprint" => &[
            ("state", "State"),
            ("goal", "Goal"),
            ("start_date", "Start"),
            ("finish_date", "Finish"),
            ("committed_points", "Committed points"),
            ("completed_points", "Completed points"),
            ("goal_outcome", "Goal outcome"),
            ("goal_impact", "Effect on the goal"),
        ],
        "risk" => {
            &[("short_id", "Risk"), ("status", "Status"), ("severity", "Severity"), ("category", "Category")]
        }
        "baseline" => &[("task_count", "Tasks")],
        _ => &[],
    }
}

fn color(event: &str) -> &'static str {
    match event {
        "task.deleted" | "dependency.deleted" | "risk.opened" | "risk.escalated" => "#c0392b",
        "task.due_date_changed" | "sprint.scope_changed" => "#d68910",
        "risk.closed" | "sprint.closed" | "task.created" | "project.created" => "#1e8449",
        _ => "#2e6da4",
    }
}

/// A value as text for people, without the characters that have a meaning in chat services.
fn shown(value: &Json) -> Option<String> {
    let text = match value {
        Json::String(text) => text.clone(),
        Json::Number(number) => number.to_string(),
        Json::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        Json::Null | Json::Array(_) | Json::Object(_) => return None,
    };
    let short: String = text.chars().take(LONGEST).collect();
    let text = if short.len() < text.len() { format!("{short}…") } else { text };
    Some(text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"))
}

#[cfg(test)]
mod tests {
    use planwright_domain::events::WebhookEvent;
    use planwright_domain::words::Word;

    use super::*;

    #[test]
    fn a_message_names_its_subject_and_shows_what_matters() {
        let payload = json!({"id": "7", "name": "Dig & <fill>", "status": "REVIEW", "assignee": null});
        let message = message("task.updated", &payload);
        assert_eq!(message["text"], "*Task updated* — Dig &amp; &lt;fill&gt;");
        let attachments = message["attachments"].as_array().unwrap();
        assert_eq!(attachments.len(), 1);
        let status = json!([{"title": "Status", "value": "REVIEW", "short": true}]);
        assert_eq!(attachments[0]["fields"], status);
        assert_eq!(attachments[0]["footer"], "task.updated");
    }

    #[test]
    fn every_event_has_a_title_and_something_to_show() {
        for event in WebhookEvent::ALL {
            assert!(title(event.as_str()).starts_with(char::is_uppercase));
            assert!(!fields(event.as_str()).is_empty(), "{}", event.as_str());
        }
    }

    #[test]
    fn an_event_without_a_name_is_about_its_project() {
        assert_eq!(subject("schedule.recalculated", &json!({"project": "p"})), "p");
        assert_eq!(subject(PING, &json!({"event": "ping"})), "this webhook works");
    }
}
