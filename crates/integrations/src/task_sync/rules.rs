//! What a push asks for: checks of its fields, what its words mean here, and the fields of the task; without a database.

use planwright_domain::ids::{TaskId, UserId};
use planwright_domain::person::is_email;
use planwright_domain::words::{TaskStatus, Word};
use planwright_web::machine::plain_status;
use planwright_web::{ApiError, ApiResult, Problems};
use serde_json::{Map, Value as Json, json};
use url::Url;

use super::model::InboundTaskSyncPayloadRequest;

/// What common words for statuses mean where the token does not say otherwise.
const USUAL: [(&str, TaskStatus); 9] = [
    ("todo", TaskStatus::NotStarted),
    ("open", TaskStatus::NotStarted),
    ("backlog", TaskStatus::Backlog),
    ("in_progress", TaskStatus::InProgress),
    ("doing", TaskStatus::InProgress),
    ("review", TaskStatus::Review),
    ("done", TaskStatus::Complete),
    ("closed", TaskStatus::Complete),
    ("complete", TaskStatus::Complete),
];

/// A push whose fields are as they may be.
#[derive(Clone, Debug, PartialEq)]
pub struct Push {
    /// The other system.
    pub source: String,
    /// The key of the task there.
    pub external_id: String,
    /// What is to be done; blank changes nothing.
    pub name: Option<String>,
    /// More about it.
    pub description: Option<String>,
    /// Where it stands, in the words of the other system.
    pub status: Option<String>,
    /// The address of whoever does it, in lower case; blank for nobody.
    pub email: Option<String>,
    /// Its size.
    pub points: Option<i64>,
    /// Where people open it there.
    pub url: Option<String>,
    /// The key of the row above it.
    pub parent: Option<String>,
}

/// The push, or everything that is wrong with it.
pub fn checked(request: InboundTaskSyncPayloadRequest) -> ApiResult<Push> {
    let mut problems = Problems::default();
    let push = Push {
        source: request.source.into(),
        external_id: request.external_id.into(),
        name: request.name.given().map(String::from).filter(|name| !name.is_empty()),
        description: request.description.given().map(String::from),
        status: request.status.given().map(String::from).filter(|status| !status.is_empty()),
        email: request.assignee_email.given().map(|email| email.to_lowercase()),
        points: request.story_points.given().map(i64::from),
        url: request.external_url.given().map(String::from),
        parent: request.parent_external_id.given().map(String::from),
    };
    if !is_source(&push.source) {
        problems.say("source", "Use a lower-case letter, then lower-case letters, digits and underscores.");
    }
    if push.email.as_ref().is_some_and(|email| !email.is_empty() && !is_email(email)) {
        problems.say("assignee_email", "Enter a valid e-mail address.");
    }
    if push.url.as_ref().is_some_and(|url| !url.is_empty() && !is_page(url)) {
        problems.say("external_url", "Enter a valid URL of http or https.");
    }
    if push.parent.as_ref() == Some(&push.external_id) {
        problems.say("parent_external_id", "A row cannot stand below itself.");
    }
    problems.check()?;
    Ok(push)
}

fn is_source(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

fn is_page(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

/// What a status of the other system means: what the token says, else the usual meaning, else the backlog.
pub fn status(map: &Json, word: &str) -> TaskStatus {
    let word = plain_status(word);
    let told = map.as_object().into_iter().flatten().find(|(name, _)| plain_status(name) == word);
    let told = told.and_then(|(_, status)| TaskStatus::parse(status.as_str()?));
    let usual = || USUAL.iter().find(|(name, _)| *name == word).map(|(_, status)| *status);
    told.or_else(usual).unwrap_or(TaskStatus::Backlog)
}

/// The fields of the task that a push asks for. Of a row with rows below it, status and assignee follow from those.
pub fn fields(
    push: &Push,
    map: &Json,
    is_phase: bool,
    assignee: Option<UserId>,
    parent: Option<TaskId>,
) -> Map<String, Json> {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Option<Json>| value.map(|value| fields.insert(name.to_owned(), value));
    put("name", push.name.as_ref().map(|name| json!(name)));
    put("notes", push.description.as_ref().map(|text| json!(text)));
    put("story_points", push.points.map(|points| json!(points)));
    put("parent_id", parent.map(|parent| json!(parent)));
    if !is_phase {
        put("status", push.status.as_ref().map(|word| json!(status(map, word))));
        put("assignee", assignee.map(|person| json!(person)));
    }
    fields
}

/// A refusal with the fields called as the machine calls them.
pub fn in_its_words(error: ApiError) -> ApiError {
    let names =
        [("parent_id", "parent_external_id"), ("notes", "description"), ("assignee", "assignee_email")];
    let Some((ours, theirs)) = names.into_iter().find(|(ours, _)| error.body().contains_key(*ours)) else {
        return error;
    };
    let message = match &error.body()[ours] {
        Json::Array(messages) => messages.iter().filter_map(Json::as_str).collect::<Vec<_>>().join(" "),
        other => other.as_str().unwrap_or_default().to_owned(),
    };
    let code = error.body().get("code").and_then(Json::as_str).map(str::to_owned);
    let renamed = ApiError::invalid_field(theirs, message);
    code.iter().fold(renamed, |renamed, code| renamed.with_code(code))
}

#[cfg(test)]
mod tests {
    use planwright_web::Input;
    use uuid::Uuid;

    use super::*;

    fn push(more: Json) -> Result<Push, Json> {
        let mut fields = json!({"source": "jira", "external_id": "A-1"});
        fields.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        let request = InboundTaskSyncPayloadRequest::read(fields.as_object().unwrap());
        let request = request.map_err(|problems| Json::Object(problems.into_json()))?;
        checked(request).map_err(|error| Json::Object(error.body().clone()))
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        let wrong = push(json!({
            "source": "Jira!", "assignee_email": "nobody", "external_url": "ftp://x/", "parent_external_id": "A-1",
        }));
        let wrong = wrong.unwrap_err();
        for field in ["source", "assignee_email", "external_url", "parent_external_id"] {
            assert!(wrong.get(field).is_some(), "{field}: {wrong}");
        }
    }

    #[test]
    fn a_status_means_what_the_token_says_then_what_it_usually_means() {
        let map = json!({"Shipped": "COMPLETE", "done": "REVIEW"});
        assert_eq!(status(&map, "shipped"), TaskStatus::Complete);
        assert_eq!(status(&map, "Done"), TaskStatus::Review, "the token goes first");
        assert_eq!(status(&map, "In Progress"), TaskStatus::InProgress);
        assert_eq!(status(&map, "to-do"), TaskStatus::Backlog, "an unknown word");
        assert_eq!(status(&json!({}), "open"), TaskStatus::NotStarted);
    }

    #[test]
    fn of_a_row_with_rows_below_it_status_and_assignee_are_not_written() {
        let push = push(json!({"status": "done", "name": "Roof"})).unwrap();
        let person = Some(UserId(Uuid::nil()));
        let plain = fields(&push, &json!({}), false, person, None);
        assert_eq!((&plain["status"], plain.contains_key("assignee")), (&json!("COMPLETE"), true));
        let phase = fields(&push, &json!({}), true, person, None);
        assert_eq!(phase.keys().collect::<Vec<_>>(), ["name"]);
    }

    #[test]
    fn refusals_name_the_fields_of_the_push() {
        let error = ApiError::invalid_field("parent_id", "No.").with_code("child_of_milestone");
        let error = in_its_words(error);
        assert_eq!(error.body()["parent_external_id"], json!(["No."]));
        assert_eq!(error.body()["code"], "child_of_milestone");
    }
}
