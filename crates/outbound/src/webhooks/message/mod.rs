//! The body of a delivery, fixed when its event is stored. `sending/` signs and sends it.

mod slack;

use planwright_domain::words::WebhookFormat;
use serde_json::{Value as Json, json};

/// The event of a test delivery. No webhook can subscribe to it.
pub const PING: &str = "ping";

/// The body for an event with a number.
pub fn body(format: WebhookFormat, event: &str, payload: &Json, sequence: i64) -> String {
    let mut body = match format {
        WebhookFormat::Generic => payload.clone(),
        WebhookFormat::Slack => slack::message(event, payload),
    };
    // The name is reserved: whatever an event carries under it gives way.
    body["_meta"] = json!({ "sequence": sequence });
    body.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generic_body_is_what_the_event_carries_with_its_number() {
        let payload = json!({"id": "7", "name": "Survey", "_meta": "reserved"});
        let body = body(WebhookFormat::Generic, "task.created", &payload, 3);
        assert_eq!(body, r#"{"id":"7","name":"Survey","_meta":{"sequence":3}}"#);
    }

    #[test]
    fn a_slack_body_has_its_number_too() {
        let body = body(WebhookFormat::Slack, "task.created", &json!({"name": "Survey"}), 3);
        let read: Json = serde_json::from_str(&body).unwrap();
        assert_eq!(read["_meta"]["sequence"], 3);
        assert_eq!(read["text"], "*Task created* — Survey");
    }
}
