//! Which connections are taken, and when a pull may be asked for again; without a database.

use chrono::{DateTime, Duration, Utc};
use planwright_domain::ids::{ConnectionId, UserId};
use planwright_domain::person::is_email;
use planwright_domain::words::{ConnectionStatus, Deployment};
use planwright_web::{ApiError, ApiResult, Problems};
use serde_json::json;

use super::filter;
use super::model::{ConnectionRow, ExternalConnectionUpsertRequest, JIRA};
use crate::credentials;

/// How long a person waits between two pulls that they ask for, in seconds.
const COOLDOWN_SECONDS: i64 = 60;

/// The kind of tracker of a path.
///
/// # Errors
/// 404 for a kind that there is not.
pub fn source(text: &str) -> ApiResult<&'static str> {
    if text == JIRA { Ok(JIRA) } else { Err(ApiError::not_found()) }
}

/// The connection that was asked for, without its secret, or everything that is wrong with it.
pub fn wanted(
    request: &ExternalConnectionUpsertRequest,
    (id, person, now): (ConnectionId, UserId, DateTime<Utc>),
    allowed: &[String],
) -> ApiResult<ConnectionRow> {
    let mut problems = Problems::default();
    let deployment = request.deployment.as_given().copied().unwrap_or(Deployment::Cloud);
    let email = request.account_email.as_given().map(|email| email.to_string()).unwrap_or_default();
    let keys = request.project_keys.as_given().map(|keys| keys.0.as_slice()).unwrap_or_default();
    let base_url = request.base_url.trim_end_matches('/').to_owned();
    if deployment == Deployment::Cloud && email.is_empty() {
        problems.say("account_email", "The cloud asks for the address of the account.");
    } else if !email.is_empty() && !is_email(&email) {
        problems.say("account_email", "Enter a valid e-mail address.");
    }
    if keys.iter().any(|key| !filter::is_key(key)) {
        problems.say("project_keys", "A key has letters, digits, dashes and underscores only.");
    }
    let place = credentials::base(&base_url, allowed);
    match (place, problems.check()) {
        (Ok(()), others) => others?,
        (Err(error), Ok(())) => return Err(error),
        (Err(error), Err(others)) => {
            let message = error.body()["base_url"][0].as_str().unwrap_or_default().to_owned();
            let mut place = Problems::default();
            place.say("base_url", message);
            return Err(others.and_invalid(place));
        }
    }
    Ok(ConnectionRow {
        id,
        user_id: person,
        source: JIRA.to_owned(),
        base_url,
        deployment,
        account_email: email,
        sealed_secret: String::new(),
        jql: request.jql.as_given().map(|jql| jql.to_string()).unwrap_or_default(),
        project_keys: json!(keys.iter().map(|key| key.as_str()).collect::<Vec<_>>()),
        status: ConnectionStatus::Connected,
        created_at: now,
        updated_at: now,
        requested_at: None,
        pulled_at: None,
        last_synced_at: None,
    })
}

/// Refuses a pull that comes too soon after the one before.
///
/// # Errors
/// 429 with the seconds to wait.
pub fn rested(row: &ConnectionRow, now: DateTime<Utc>) -> ApiResult<()> {
    let free = row.requested_at.map(|at| at + Duration::seconds(COOLDOWN_SECONDS));
    match free.map(|free| ((free - now).num_milliseconds() + 999) / 1000).filter(|seconds| *seconds > 0) {
        None => Ok(()),
        Some(seconds) => Err(ApiError::throttled(seconds.unsigned_abs())
            .with_code("sync_cooldown")
            .with("retry_after", seconds)),
    }
}

#[cfg(test)]
mod tests {
    use planwright_web::Input;
    use serde_json::Value as Json;
    use uuid::Uuid;

    use super::*;

    fn wish(fields: Json) -> Result<ConnectionRow, Json> {
        let mut whole = json!({"secret": "s", "base_url": "https://x.org/"});
        whole.as_object_mut().unwrap().extend(fields.as_object().cloned().unwrap());
        let request = ExternalConnectionUpsertRequest::read(whole.as_object().unwrap()).unwrap();
        let of = (ConnectionId(Uuid::nil()), UserId(Uuid::nil()), DateTime::UNIX_EPOCH);
        wanted(&request, of, &[]).map_err(|error| Json::Object(error.body().clone()))
    }

    #[test]
    fn the_cloud_asks_for_an_account_and_a_server_does_not() {
        assert!(wish(json!({})).unwrap_err()["account_email"].is_array());
        assert_eq!(wish(json!({"account_email": "a@b.c"})).unwrap().base_url, "https://x.org");
        assert!(wish(json!({"deployment": "server"})).is_ok());
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        let wrong =
            wish(json!({"base_url": "x", "account_email": "a", "project_keys": ["A\""]})).unwrap_err();
        for field in ["base_url", "account_email", "project_keys"] {
            assert!(wrong.get(field).is_some(), "{field}: {wrong}");
        }
    }

    #[test]
    fn a_pull_rests_for_a_minute() {
        let row = wish(json!({"deployment": "server"})).unwrap();
        let at = |seconds| DateTime::UNIX_EPOCH + Duration::seconds(seconds);
        assert!(rested(&row, at(0)).is_ok());
        let asked = ConnectionRow { requested_at: Some(at(0)), ..row };
        assert_eq!(rested(&asked, at(1)).unwrap_err().body()["retry_after"], 59);
        assert!(rested(&asked, at(60)).is_ok());
    }
}
