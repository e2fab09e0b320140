//! Which tokens of projects and programs may be minted: pure decisions.

use chrono::{DateTime, Utc};
use planwright_domain::words::{TaskStatus, TokenScope, Word};
use planwright_web::machine::plain_status;
use planwright_web::{ApiResult, Problems};
use serde_json::{Map, Value as Json};

use super::model::ProjectApiTokenRequest;

/// How many names of statuses a token may translate.
const MOST_STATUSES: usize = 100;
/// How many letters such a name may have.
const LONGEST_STATUS: usize = 100;

/// A token that may be minted.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wanted {
    pub(super) name: String,
    pub(super) status_map: Map<String, Json>,
    pub(super) expires_at: Option<DateTime<Utc>>,
}

/// The token that was asked for, or everything that is wrong with it.
pub(super) fn wanted(request: ProjectApiTokenRequest, now: DateTime<Utc>) -> ApiResult<Wanted> {
    let mut problems = Problems::default();
    if request.scopes.given().is_some_and(|scopes| scopes.contains(&TokenScope::McpRead)) {
        problems.say("scopes", "A token of a project or program cannot have the scope mcp:read.");
    }
    let status_map = request.status_map.given().unwrap_or_default();
    let is_status = |value: &Json| value.as_str().is_some_and(|word| TaskStatus::parse(word).is_some());
    let wrong: Vec<&str> =
        status_map.iter().filter(|(_, value)| !is_status(value)).map(|(name, _)| name.as_str()).collect();
    if !wrong.is_empty() {
        let known: Vec<&str> = TaskStatus::ALL.iter().map(|status| status.as_str()).collect();
        let names: Vec<&str> = wrong.into_iter().take(5).collect();
        problems.say("status_map", format!("{} must mean one of: {}.", names.join(", "), known.join(", ")));
    }
    let is_wrong = |name: &String| {
        name.is_empty() || name.chars().count() > LONGEST_STATUS || name.contains(char::is_control)
    };
    if status_map.len() > MOST_STATUSES || status_map.keys().any(is_wrong) {
        let message = "At most 100 names of 1 to 100 letters are allowed, without control characters.";
        problems.say("status_map", message);
    }
    let mut plain: Vec<String> = status_map.keys().map(|name| plain_status(name)).collect();
    plain.sort_unstable();
    if let Some(twice) = plain.windows(2).find(|pair| pair[0] == pair[1]) {
        problems.say("status_map", format!("Two names mean {}. Leave one out.", twice[0]));
    }
    let expires_at = request.expires_at.given().flatten();
    if expires_at.is_some_and(|at| at <= now) {
        problems.say("expires_at", "Must be in the future.");
    }
    problems.check()?;
    Ok(Wanted { name: request.name.into(), status_map, expires_at })
}

#[cfg(test)]
mod tests {
    use planwright_web::Input;
    use serde_json::json;

    use super::*;

    fn checked(fields: Json) -> Result<Wanted, Json> {
        let mut object = fields.as_object().cloned().unwrap_or_default();
        object.insert("name".into(), json!("ci"));
        let request =
            ProjectApiTokenRequest::read(&object).map_err(|problems| Json::Object(problems.into_json()))?;
        wanted(request, DateTime::UNIX_EPOCH).map_err(|error| Json::Object(error.body().clone()))
    }

    #[test]
    fn everything_that_is_wrong_is_named() {
        let wrong = checked(json!({
            "scopes": ["mcp:read"], "status_map": {"todo": "SOON"}, "expires_at": "1960-01-01T00:00:00Z",
        }));
        let wrong = wrong.unwrap_err();
        for field in ["scopes", "status_map", "expires_at"] {
            assert!(wrong.get(field).is_some(), "{field}: {wrong}");
        }
    }

    #[test]
    fn names_of_statuses_have_no_control_characters() {
        for name in ["a\u{0}", "a\nb", ""] {
            assert!(checked(json!({"status_map": {name: "COMPLETE"}})).is_err(), "{name:?}");
            assert!(checked(json!({"status_map": {"In Work": "REVIEW", "in-work": "COMPLETE"}})).is_err());
        }
    }

    #[test]
    fn a_token_needs_nothing_but_a_name() {
        let wanted =
            checked(json!({"status_map": {"todo": "NOT_STARTED"}, "scopes": ["legacy:full"]})).unwrap();
        assert_eq!((wanted.name.as_str(), wanted.status_map.len()), ("ci", 1));
        assert!(checked(json!({})).is_ok());
    }
}
