//! A message to the followers of a project: an event in the envelope of the channel, rendered once for all of them.
//! The hub decides who receives it. Other effects on a connection are listed here too.

use axum::extract::ws::Utf8Bytes;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::UserId;
use planwright_domain::words::Word;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use uuid::Uuid;

/// The version of the envelope.
const PROTOCOL_VERSION: i64 = 1;

/// An event as it is sent.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Its number in the log of its project. `None` for an event that is not logged.
    pub seq: Option<i64>,
    /// The name of the event.
    pub name: String,
    /// The envelope.
    pub text: Utf8Bytes,
    /// The connection that sent it, which does not get it back.
    pub from: Option<Uuid>,
    /// Its effect on connections.
    pub effect: Effect,
}

/// The effect of an event on connections, besides being sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Effect {
    /// Nothing.
    None,
    /// That person may have lost their access.
    Doubts(UserId),
    /// Everybody may have lost their access.
    DoubtsAll,
    /// The workshop is over.
    Ends(Uuid),
}

impl Frame {
    /// An event of the log.
    pub fn logged(seq: i64, name: String, payload: &Json) -> Self {
        let effect = Effect::of(&name, payload);
        let text = envelope(&name, payload, Some(seq), false);
        Self { seq: Some(seq), name, text, from: None, effect }
    }

    /// An event that is not logged.
    pub fn passing(event: SocketEvent, payload: &Json) -> Self {
        let text = envelope(event.as_str(), payload, None, false);
        Self { seq: None, name: event.as_str().to_owned(), text, from: None, effect: Effect::None }
    }

    /// A message of the workshop channel: an envelope without a number.
    pub fn of_workshop(name: &str, payload: &Json, from: Option<Uuid>) -> Self {
        let text = json!({ "protocol_version": PROTOCOL_VERSION, "event_type": name, "payload": payload });
        let text = text.to_string().into();
        Self { seq: None, name: name.to_owned(), text, from, effect: Effect::None }
    }

    /// Whether the access of this person must be checked again.
    pub fn doubts(&self, user: UserId) -> bool {
        match self.effect {
            Effect::Doubts(doubted) => doubted == user,
            Effect::DoubtsAll => true,
            Effect::None | Effect::Ends(_) => false,
        }
    }
}

/// An event of the log for a client that was away.
pub fn replayed(seq: i64, name: &str, payload: &Json) -> Utf8Bytes {
    envelope(name, payload, Some(seq), true)
}

/// The message that the log does not reach back far enough, so the client must read everything again.
pub fn resync_required(latest: i64) -> Utf8Bytes {
    envelope("resync_required", &json!({ "latest_seq": latest }), None, false)
}

fn envelope(name: &str, payload: &Json, seq: Option<i64>, replayed: bool) -> Utf8Bytes {
    let mut envelope = json!({
        "protocol_version": PROTOCOL_VERSION, "event_type": name, "payload": payload, "seq": seq,
    });
    if replayed {
        envelope["replayed"] = true.into();
    }
    envelope.to_string().into()
}

impl Effect {
    fn of(name: &str, payload: &Json) -> Self {
        let id = |key: &str| payload[key].as_str().and_then(|text| text.parse::<Uuid>().ok());
        match SocketEvent::parse(name) {
            Some(SocketEvent::MemberRemoved | SocketEvent::MemberRoleChanged) => {
                id("user_id").map_or(Effect::DoubtsAll, |user| Effect::Doubts(UserId(user)))
            }
            Some(SocketEvent::ProjectDeleted | SocketEvent::ProjectHardDeleted) => Effect::DoubtsAll,
            Some(SocketEvent::WorkshopEnded) => id("session_id").map_or(Effect::None, Effect::Ends),
            _ => Effect::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_envelope_carries_version_type_payload_and_number() {
        let frame = Frame::logged(7, "task_updated".into(), &json!({ "id": 1 }));
        let text = r#"{"protocol_version":1,"event_type":"task_updated","payload":{"id":1},"seq":7}"#;
        assert_eq!(frame.text.as_str(), text);
        let again = replayed(7, "task_updated", &json!({}));
        assert!(again.as_str().ends_with(r#""seq":7,"replayed":true}"#), "{again}");
    }

    #[test]
    fn only_what_is_about_members_makes_access_doubtful() {
        let (one, other) = (UserId(Uuid::from_u128(1)), UserId(Uuid::from_u128(2)));
        let removed = Frame::logged(1, "member_removed".into(), &json!({ "user_id": one }));
        assert!(removed.doubts(one) && !removed.doubts(other));
        let deleted = Frame::logged(1, "project_deleted".into(), &json!({}));
        assert!(deleted.doubts(one) && deleted.doubts(other));
        let added = Frame::logged(1, "member_added".into(), &json!({ "user_id": one }));
        assert!(!added.doubts(one));
    }
}
