//! Which credentials are taken; without a database and without calling anybody.

use chrono::{DateTime, Utc};
use planwright_domain::words::CredentialProvider;
use planwright_egress::{Cause, Failure, Fetched};
use planwright_web::{ApiError, ApiResult, Problems};
use serde_json::Value as Json;
use url::Url;

use super::model::CredentialUpsertRequest;
use super::providers::Known;

/// A credential that may be tried out.
#[derive(Debug)]
pub struct Wanted {
    /// The secret.
    pub secret: String,
    /// Where the provider is; blank for its usual place.
    pub base_url: String,
    /// When it ends.
    pub expires_at: Option<DateTime<Utc>>,
}

/// The credential that was asked for, or everything that is wrong with it. `allowed` are the hosts that people may name; all
/// if it is empty.
pub fn wanted(
    request: CredentialUpsertRequest,
    known: &Known,
    allowed: &[String],
    now: DateTime<Utc>,
) -> ApiResult<Wanted> {
    let base_url = request.base_url.given().map(String::from).unwrap_or_default();
    let base_url = base_url.trim_end_matches('/').to_owned();
    let expires_at = request.expires_at.given().flatten();
    if !base_url.is_empty() && !known.is_self_hosted {
        let message = format!("{} is at one place only.", known.name);
        return Err(ApiError::invalid_field("base_url", message).with_code("base_url_not_allowed"));
    }
    let mut problems = Problems::default();
    if base_url.is_empty() && known.home.is_empty() {
        problems.say("base_url", "Say where it is.");
    }
    if expires_at.is_some_and(|at| at <= now) {
        problems.say("expires_at", "Must be in the future.");
    }
    problems.check()?;
    if !base_url.is_empty() {
        base(&base_url, allowed)?;
    }
    Ok(Wanted { secret: request.secret.into(), base_url, expires_at })
}

/// Checks the address of a system that somebody runs.
///
/// # Errors
/// 400 for what is no address, and for a host that the operator does not allow.
pub fn base(text: &str, allowed: &[String]) -> ApiResult<()> {
    let invalid = |message: &str| ApiError::invalid_field("base_url", message);
    let url = Url::parse(text).map_err(|_| invalid("Enter a valid URL."))?;
    let is_plain = url.query().is_none() && url.fragment().is_none() && url.username().is_empty();
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() || !is_plain || url.password().is_some() {
        return Err(invalid("Enter a URL of http or https without user name, query and fragment."));
    }
    let host = url.host_str().unwrap_or_default().to_ascii_lowercase();
    match allowed.is_empty() || allowed.contains(&host) {
        true => Ok(()),
        false => Err(invalid("This host is not allowed here.").with_code("base_url_not_allowed")),
    }
}

/// Whether a provider took a secret: it did if its answer names the caller in the field `caller`.
///
/// # Errors
/// 422 with the reason.
pub fn verdict(code: &str, caller: &str, asked: Result<Fetched, Failure>) -> ApiResult<()> {
    let (reason, detail) = match asked {
        // tidy: allow(status) because it is the answer of another server
        Ok(fetched) if fetched.status == 200 && names(&fetched, caller) => return Ok(()),
        // A page of a portal that wants a sign-in is no answer of the provider.
        // tidy: allow(status) because it is the answer of another server
        Ok(fetched) if fetched.status == 200 => (
            "provider_unreachable",
            "The answer is not that of the provider: it does not say who the caller is.".to_owned(),
        ),
        // tidy: allow(status) because it is the answer of another server
        Ok(fetched) if matches!(fetched.status, 401 | 403) => {
            ("invalid_token", "The provider does not accept the secret.".to_owned())
        }
        Ok(fetched) => ("provider_unreachable", format!("The provider answers {}.", fetched.status)),
        Err(failure) => (reason(failure.cause), failure.to_string()),
    };
    Err(ApiError::unprocessable(detail).with_code(code).with("reason", reason))
}

fn names(fetched: &Fetched, caller: &str) -> bool {
    let answer: Json = serde_json::from_slice(&fetched.content).unwrap_or_default();
    !answer[caller].is_null()
}

fn reason(cause: Cause) -> &'static str {
    match cause {
        Cause::Forbidden => "blocked_host",
        Cause::Late => "provider_timeout",
        Cause::Unreachable => "provider_unreachable",
    }
}

/// The word of a provider in a path.
pub fn provider(text: &str) -> ApiResult<CredentialProvider> {
    planwright_domain::words::Word::parse(text).ok_or_else(ApiError::not_found)
}

#[cfg(test)]
mod tests {
    use planwright_web::Input;
    use serde_json::json;

    use super::super::providers::known;
    use super::*;

    fn wish(provider: CredentialProvider, more: Json, allowed: &[&str]) -> Result<Wanted, Json> {
        let mut fields = json!({"secret": "s"});
        fields.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        let request = CredentialUpsertRequest::read(fields.as_object().unwrap()).unwrap();
        let allowed: Vec<String> = allowed.iter().map(|host| (*host).to_owned()).collect();
        wanted(request, known(provider), &allowed, DateTime::UNIX_EPOCH)
            .map_err(|error| Json::Object(error.body().clone()))
    }

    #[test]
    fn an_address_is_for_providers_that_people_run() {
        let refused = wish(CredentialProvider::Box, json!({"base_url": "https://x.org"}), &[]).unwrap_err();
        assert_eq!(refused["code"], "base_url_not_allowed");
        assert!(wish(CredentialProvider::Gitea, json!({}), &[]).is_err(), "it has no usual place");
        let taken = wish(CredentialProvider::Gitea, json!({"base_url": "https://x.org/git/"}), &[]).unwrap();
        assert_eq!(taken.base_url, "https://x.org/git");
        for wrong in ["x.org", "ftp://x.org", "https://a:b@x.org", "https://x.org/?a=1", "https:///"] {
            assert!(wish(CredentialProvider::Gitea, json!({"base_url": wrong}), &[]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_operator_may_say_which_hosts_people_name() {
        let asked = |host: &str| wish(CredentialProvider::Gitlab, json!({"base_url": host}), &["lab.x.org"]);
        assert!(asked("https://LAB.x.org").is_ok());
        assert_eq!(asked("https://other.org").unwrap_err()["code"], "base_url_not_allowed");
    }

    #[test]
    fn a_provider_says_whether_it_took_a_secret() {
        let answered = |status, content: &'static str| {
            Ok(Fetched { status, media_type: String::new(), content: bytes::Bytes::from(content) })
        };
        let reason = |asked| verdict("c", "login", asked).map_err(|error| error.body()["reason"].clone());
        assert!(reason(answered(200, r#"{"login": "ona"}"#)).is_ok());
        for other in ["<html>Sign in</html>", "", "[]", r#"{"login": null}"#, r#"{"name": "ona"}"#] {
            assert_eq!(reason(answered(200, other)).unwrap_err(), "provider_unreachable", "{other}");
        }
        assert_eq!(reason(answered(401, "")).unwrap_err(), "invalid_token");
        assert_eq!(reason(answered(302, "")).unwrap_err(), "provider_unreachable");
        assert_eq!(reason(Err(Failure::says("no"))).unwrap_err(), "provider_unreachable");
    }
}
