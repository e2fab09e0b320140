//! Which personal tokens may be minted: pure decisions.
//! How many a person has is counted in `queries.rs`.

use chrono::{DateTime, Duration, Utc};
use planwright_domain::words::TokenScope;
use planwright_web::{ApiError, ApiResult, Problems};

use super::model::MyApiTokenRequest;

/// The longest life of a token that only reads, in days.
pub const LONGEST_READER_DAYS: i64 = 365;

/// A token that may be minted.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// The name that its owner chose.
    pub name: String,
    /// The scope.
    pub scope: TokenScope,
    /// The time at which it expires.
    pub expires_at: Option<DateTime<Utc>>,
}

/// The token that was asked for, or everything that is wrong with it.
pub fn wanted(request: MyApiTokenRequest, now: DateTime<Utc>) -> ApiResult<Wanted> {
    let mut problems = Problems::default();
    let scopes = request.scopes.given().unwrap_or_default();
    let reads = scopes.contains(&TokenScope::McpRead);
    if reads && scopes.contains(&TokenScope::LegacyFull) {
        problems.say("scopes", "Choose one scope. A token that may do everything needs no other scope.");
    }
    let expires_at = request.expires_at.given().flatten();
    let latest = now + Duration::days(LONGEST_READER_DAYS);
    match expires_at {
        Some(at) if at <= now => problems.say("expires_at", "Must be in the future."),
        Some(at) if reads && at > latest => {
            problems.say(
                "expires_at",
                format!("A token with mcp:read is valid for at most {LONGEST_READER_DAYS} days."),
            );
        }
        None if reads => problems.say("expires_at", "A token with mcp:read needs expires_at."),
        _ => {}
    }
    problems.check()?;
    let scope = if reads { TokenScope::McpRead } else { TokenScope::LegacyFull };
    Ok(Wanted { name: request.name.into(), scope, expires_at })
}

/// Refuses a token beyond the most that a person may have.
pub fn check_room(active: i64, most: i64) -> ApiResult<()> {
    match active < most {
        true => Ok(()),
        false => Err(ApiError::bad_request(format!(
            "You have {most} active tokens. This is the maximum. Revoke one first."
        ))),
    }
}

#[cfg(test)]
mod tests {
    use planwright_web::Input;
    use serde_json::{Value as Json, json};

    use super::*;

    fn now() -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + Duration::days(20_000)
    }

    fn checked(fields: Json) -> Result<Wanted, Json> {
        let mut object = fields.as_object().cloned().unwrap_or_default();
        object.insert("name".into(), json!("ci"));
        let request =
            MyApiTokenRequest::read(&object).map_err(|problems| Json::Object(problems.into_json()))?;
        wanted(request, now()).map_err(|error| Json::Object(error.body().clone()))
    }

    fn in_days(days: i64) -> String {
        (now() + Duration::days(days)).to_rfc3339()
    }

    #[test]
    fn without_a_scope_a_token_acts_as_its_owner_and_needs_no_end() {
        for fields in [json!({}), json!({"scopes": []}), json!({"scopes": ["legacy:full", "legacy:full"]})] {
            let wanted = checked(fields).unwrap();
            assert_eq!((wanted.scope, wanted.expires_at), (TokenScope::LegacyFull, None));
        }
    }

    #[test]
    fn a_reading_token_needs_an_end_within_a_year() {
        let reader =
            |expires_at: Option<String>| checked(json!({"scopes": ["mcp:read"], "expires_at": expires_at}));
        assert_eq!(reader(Some(in_days(365))).unwrap().scope, TokenScope::McpRead);
        for wrong in [None, Some(in_days(366)), Some(in_days(0))] {
            assert!(reader(wrong).unwrap_err().get("expires_at").is_some());
        }
    }

    #[test]
    fn both_scopes_at_once_and_unknown_ones_are_refused() {
        for scopes in [json!(["legacy:full", "mcp:read"]), json!(["everything"])] {
            let fields = json!({"scopes": scopes, "expires_at": in_days(1)});
            assert!(checked(fields).unwrap_err().get("scopes").is_some());
        }
    }

    #[test]
    fn an_end_in_the_past_is_refused_for_every_scope() {
        assert!(checked(json!({"expires_at": in_days(-1)})).unwrap_err().get("expires_at").is_some());
        assert!(checked(json!({"expires_at": in_days(4000)})).is_ok());
    }
}
