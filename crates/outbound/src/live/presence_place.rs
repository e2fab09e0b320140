//! Where in a plan a person is: the row with their focus, and the field that they edit. A client says it on its board channel,
//! and it goes to everybody who follows the project. Nothing of it is stored.

use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{ProjectId, TaskId};
use serde::Deserialize;
use serde_json::json;

use super::frame::Frame;
use super::hub::Hub;
use super::presence::ProjectPresenceEntry;

/// What a client says, in bytes at most.
const LONGEST_BYTES: usize = 512;

/// The longest name of a field.
const LONGEST_FIELD: usize = 64;

/// Where somebody is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    task: Option<TaskId>,
    field: Option<String>,
}

#[derive(Deserialize)]
struct Sent {
    #[serde(rename = "type")]
    kind: String,
    task_id: Option<TaskId>,
    field: Option<String>,
}

impl Place {
    /// The place that a message says. `None` for every other message; they are signs of life.
    pub fn read(text: &str) -> Option<Self> {
        if text.len() > LONGEST_BYTES {
            return None;
        }
        let sent: Sent = serde_json::from_str(text).ok()?;
        let is_name = |field: &str| {
            field.len() <= LONGEST_FIELD
                && field.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
        };
        let fits = sent.kind == "presence_update" && sent.field.as_deref().is_none_or(is_name);
        fits.then_some(Self { task: sent.task_id, field: sent.field })
    }

    /// Tells it to everybody who follows the project.
    pub fn announce(&self, hub: &Hub, project: ProjectId, person: &ProjectPresenceEntry) {
        let told = json!({
            "user_id": person.user_id, "display_name": person.display_name, "task_id": self.task, "field": self.field,
        });
        hub.tell(project.0, Frame::passing(SocketEvent::PresenceUpdate, &told));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_place_is_read_as_one() {
        let id = "0197a9f0-0000-7000-8000-000000000001";
        let place = Place::read(&format!(r#"{{"type":"presence_update","task_id":"{id}","field":"name"}}"#));
        assert_eq!(
            place.map(|place| (place.task.is_some(), place.field)),
            Some((true, Some("name".to_owned())))
        );
        assert!(Place::read(r#"{"type":"presence_update"}"#).is_some(), "nowhere is a place");
        for other in [
            "",
            "ping",
            r#"{"type":"ping"}"#,
            r#"{"type":"presence_update","task_id":"dig"}"#,
            r#"{"type":"presence_update","field":"<b>"}"#,
            r#"{"type":"presence_update","field":7}"#,
        ] {
            assert_eq!(Place::read(other), None, "{other}");
        }
        let long = format!(r#"{{"type":"presence_update","more":"{}"}}"#, "x".repeat(600));
        assert_eq!(Place::read(&long), None);
    }
}
