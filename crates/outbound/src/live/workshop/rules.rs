//! Which messages a participant may send in a workshop, how they are passed on, and who may end a workshop. All other
//! messages are dropped without an answer.

use planwright_domain::Role;
use planwright_domain::access::{Action, allows};
use planwright_domain::ids::UserId;
use planwright_web::{ApiError, ApiResult};
use serde_json::{Map, Value as Json};

use super::super::presence::ProjectPresenceEntry;

/// The allowed messages. `cursor` is the old name of `cursor_move`.
const SAYINGS: [&str; 7] =
    ["cursor", "cursor_move", "phase_rename", "phase_add", "phase_move", "task_add", "task_move"];

/// The maximum length of a message in bytes.
const LONGEST_MESSAGE: usize = 4096;

/// The maximum number of messages that are passed on in a second.
pub const MOST_A_SECOND: u32 = 60;

const MOST_FIELDS: usize = 32;
const LONGEST_KEY: usize = 64;
const LONGEST_NAME: usize = 255;
const DEEPEST: usize = 4;
const COLORS: i64 = 8;

/// A message that is passed on to the others.
#[derive(Debug, PartialEq)]
pub struct Saying {
    /// The type of the message.
    pub name: &'static str,
    /// The payload, with its sender.
    pub payload: Json,
}

/// The message to pass on. `None` if its type is not on the list or its fields are wrong.
pub fn heard(text: &str, speaker: &ProjectPresenceEntry) -> Option<Saying> {
    if text.len() > LONGEST_MESSAGE {
        return None;
    }
    let Ok(Json::Object(mut message)) = serde_json::from_str(text) else { return None };
    let kind = message.shift_remove("type")?;
    let name = SAYINGS.into_iter().find(|name| kind.as_str() == Some(name))?;
    if !fits(&message, 1) {
        return None;
    }
    // Written last, so that nobody speaks in the name of somebody else.
    message.insert("user_id".to_owned(), speaker.user_id.to_string().into());
    message.insert("display_name".to_owned(), speaker.display_name.clone().into());
    Some(Saying { name, payload: Json::Object(message) })
}

/// Whether the fields have the right types: positions are numbers, ids and names are short texts.
fn fits(fields: &Map<String, Json>, depth: usize) -> bool {
    let all_fit = |(key, value): (&String, &Json)| {
        let of_its_kind = match key.as_str() {
            "x" | "y" => value.is_number(),
            "name" => value.as_str().is_some_and(|name| name.chars().count() <= LONGEST_NAME),
            "id" => is_id(value),
            key if key.ends_with("_id") => is_id(value),
            _ => true,
        };
        key.chars().count() <= LONGEST_KEY && of_its_kind && is_shallow(value, depth)
    };
    fields.len() <= MOST_FIELDS && fields.iter().all(all_fit)
}

fn is_id(value: &Json) -> bool {
    value.is_null() || value.as_str().is_some_and(|id| (1..=LONGEST_KEY).contains(&id.chars().count()))
}

fn is_shallow(value: &Json, depth: usize) -> bool {
    match value {
        Json::Object(fields) => depth < DEEPEST && fits(fields, depth + 1),
        Json::Array(items) => depth < DEEPEST && items.iter().all(|item| is_shallow(item, depth + 1)),
        _ => true,
    }
}

/// The colour of the participant of that number.
pub fn color(number: i64) -> i64 {
    (number - 1).rem_euclid(COLORS)
}

/// The person who began a workshop may end it. To end the workshop of somebody else, the role that may begin one is
/// required.
pub fn may_end(role: Role, actor: UserId, started_by: Option<UserId>) -> ApiResult<()> {
    match started_by == Some(actor) || allows(Action::HoldWorkshop, role) {
        true => Ok(()),
        false => {
            Err(ApiError::forbidden("Only the person who began the workshop or an administrator may end it."))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    fn say(message: Json) -> Option<Saying> {
        let speaker =
            ProjectPresenceEntry { user_id: UserId(Uuid::from_u128(1)), display_name: "Mara".into() };
        heard(&message.to_string(), &speaker)
    }

    #[test]
    fn what_is_on_the_list_is_passed_on_in_the_name_of_whoever_said_it() {
        let said = say(json!({ "type": "cursor", "x": 1.5, "y": 2, "user_id": "somebody else" })).unwrap();
        assert_eq!(said.name, "cursor");
        let id = Uuid::from_u128(1).to_string();
        assert_eq!(said.payload, json!({ "x": 1.5, "y": 2, "user_id": id, "display_name": "Mara" }));
        for name in SAYINGS {
            assert_eq!(say(json!({ "type": name })).unwrap().name, name);
        }
    }

    #[test]
    fn anything_else_is_not_heard() {
        assert_eq!(say(json!({ "type": "task_delete" })), None);
        assert_eq!(say(json!({ "type": ["cursor"] })), None);
        assert_eq!(say(json!(["cursor"])), None);
        assert_eq!(say(json!({ "type": "cursor", "x": "1" })), None);
        assert_eq!(say(json!({ "type": "phase_rename", "name": 7 })), None);
        assert_eq!(say(json!({ "type": "task_move", "task_id": { "a": 1 } })), None);
        assert_eq!(say(json!({ "type": "cursor", "a": [[[[[1]]]]] })), None);
        assert_eq!(say(json!({ "type": "cursor", "a": "x".repeat(5000) })), None);
        let many: Map<String, Json> = (0..40).map(|at| (format!("k{at}"), json!(1))).collect();
        assert_eq!(say(json!({ "type": "cursor", "in": many })), None);
    }

    #[test]
    fn colours_come_round_again_after_eight() {
        assert_eq!([1, 8, 9].map(color), [0, 7, 0]);
    }

    #[test]
    fn a_workshop_is_ended_by_whoever_began_it_or_an_administrator() {
        let (one, other) = (UserId(Uuid::from_u128(1)), UserId(Uuid::from_u128(2)));
        assert!(may_end(Role::Member, one, Some(one)).is_ok());
        assert!(may_end(Role::Member, one, Some(other)).is_err());
        assert!(may_end(Role::ProjectManager, one, None).is_ok());
    }
}
