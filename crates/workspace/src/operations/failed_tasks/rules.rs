//! What is told of a failed job, and what is not: pure decisions over its payload and its attempts.
//! Which jobs fail for good is decided by the worker.

use planwright_jobs::worker::MOST_ATTEMPTS;
use serde_json::Value as Json;

/// Names of values that are nobody's business: a mail may hold a link that signs its reader in.
const WITHHELD: [&str; 6] = ["body", "code", "password", "secret", "token", "unsubscribe_url"];

const IN_ITS_PLACE: &str = "(withheld)";

/// Why a job was given up.
pub fn failure_kind(attempts: i64) -> &'static str {
    if attempts >= MOST_ATTEMPTS { "AttemptsExhausted" } else { "PermanentFailure" }
}

/// A payload without the values that an operator need not see.
pub fn without_secrets(payload: Json) -> Json {
    match payload {
        Json::Object(fields) => Json::Object(
            fields
                .into_iter()
                .map(|(name, value)| match is_withheld(&name) && !value.is_null() {
                    true => (name, Json::from(IN_ITS_PLACE)),
                    false => (name, without_secrets(value)),
                })
                .collect(),
        ),
        Json::Array(items) => Json::Array(items.into_iter().map(without_secrets).collect()),
        plain => plain,
    }
}

fn is_withheld(name: &str) -> bool {
    WITHHELD.contains(&name) || WITHHELD.contains(&name.rsplit('_').next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn letters_and_secrets_are_withheld_wherever_they_stand() {
        let payload =
            json!({"to": "a@example.test", "body": "link", "all": [{"refresh_token": "x", "code": null}]});
        let shown = json!({"to": "a@example.test", "body": IN_ITS_PLACE, "all": [{"refresh_token": IN_ITS_PLACE, "code": null}]});
        assert_eq!(without_secrets(payload), shown);
    }

    #[test]
    fn a_job_was_given_up_at_once_or_after_its_last_attempt() {
        assert_eq!(failure_kind(1), "PermanentFailure");
        assert_eq!(failure_kind(MOST_ATTEMPTS), "AttemptsExhausted");
    }
}
