//! Which fields of a webhook may be written, and what follows from a change. `egress/` decides whether an address may
//! be called.

use planwright_domain::events::WebhookEvent;
use planwright_domain::words::Word;
use planwright_web::input::{Patch, Secret};
use planwright_web::{ApiError, ApiResult, Problem};
use serde_json::{Value as Json, json};

use super::model::{PatchedWebhookRequest, SubscribedEvent, WebhookRow};

/// The shortest secret.
pub const SHORTEST_SECRET: usize = 32;

/// What happens to the secret.
#[derive(Clone, PartialEq, Debug)]
pub enum NewSecret {
    /// It does not change.
    Keep,
    /// The server creates one.
    Make,
    /// This value is used.
    Take(String),
}

/// Reads the sent secret. Only a new webhook may leave the choice to the server.
pub fn secret(sent: &Patch<Secret<0, 255>>, is_new: bool) -> Result<NewSecret, Problem> {
    let text = match sent {
        Patch::Absent if is_new => return Ok(NewSecret::Make),
        Patch::Absent => return Ok(NewSecret::Keep),
        Patch::Set(text) => text.as_str(),
    };
    match text.chars().count() {
        0 if is_new => Ok(NewSecret::Make),
        _ if text.trim().is_empty() => Err(Problem::says("This field may not be blank.")),
        length if length < SHORTEST_SECRET => {
            Err(Problem::says(format!("Ensure this field has at least {SHORTEST_SECRET} characters.")))
        }
        _ => Ok(NewSecret::Take(text.to_owned())),
    }
}

/// Refuses a webhook above the maximum of a project or program.
pub fn check_room(count: i64, most: i64) -> ApiResult<()> {
    match count < most {
        true => Ok(()),
        false => Err(ApiError::bad_request(format!(
            "There are {most} webhooks here. This is the maximum. Delete one first."
        ))
        .with_code("webhook_limit_reached")),
    }
}

/// Events as they are stored: each once, in the order of the registry.
pub fn stored_events(events: &[SubscribedEvent]) -> Json {
    let chosen = WebhookEvent::ALL.iter().filter(|event| events.contains(&SubscribedEvent(**event)));
    json!(chosen.map(|event| event.as_str()).collect::<Vec<_>>())
}

/// Every event, for a webhook that chose none.
pub fn every_event() -> Json {
    json!(WebhookEvent::ALL.iter().map(|event| event.as_str()).collect::<Vec<_>>())
}

/// The webhook with the sent fields. Activating it resets the count of failures.
pub fn changed(mut row: WebhookRow, request: PatchedWebhookRequest) -> WebhookRow {
    request.url.write_to(&mut row.url);
    request.format.write_to(&mut row.format);
    if let Patch::Set(events) = request.events {
        row.events = stored_events(&events.0);
    }
    if let Patch::Set(is_active) = request.is_active {
        row.is_active = is_active;
        if is_active {
            row.consecutive_failures = 0;
            row.disabled_at = None;
            row.disabled_reason = String::new();
        }
    }
    row
}

#[cfg(test)]
mod tests {
    use planwright_web::input::Field;

    use super::*;

    fn sent(text: &str) -> Patch<Secret<0, 255>> {
        Patch::Set(Secret::from_json(&json!(text)).unwrap())
    }

    #[test]
    fn only_a_new_subscription_may_leave_its_secret_to_the_server() {
        assert_eq!(secret(&Patch::Absent, true), Ok(NewSecret::Make));
        assert_eq!(secret(&sent(""), true), Ok(NewSecret::Make));
        assert_eq!(secret(&Patch::Absent, false), Ok(NewSecret::Keep));
        assert!(secret(&sent(""), false).is_err());
    }

    #[test]
    fn a_secret_is_long_enough_and_more_than_white_space() {
        assert!(secret(&sent(&" ".repeat(40)), true).is_err());
        assert!(secret(&sent(&"x".repeat(31)), true).is_err());
        let padded = format!(" {} ", "x".repeat(30));
        assert_eq!(secret(&sent(&padded), false), Ok(NewSecret::Take(padded)), "it is kept as it was typed");
    }

    #[test]
    fn events_are_kept_once_and_in_the_order_of_the_registry() {
        let twice = [WebhookEvent::RiskClosed, WebhookEvent::TaskCreated, WebhookEvent::RiskClosed];
        assert_eq!(stored_events(&twice.map(SubscribedEvent)), json!(["task.created", "risk.closed"]));
        assert_eq!(every_event().as_array().map(Vec::len), Some(19));
    }
}
