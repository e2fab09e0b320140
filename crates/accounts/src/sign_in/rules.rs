//! What a refresh token is worth and what its cookie looks like: pure decisions over rows, settings and headers.
//! Storing sessions is in `queries.rs`.

use axum::http::HeaderMap;
use axum::http::header::COOKIE;
use chrono::{DateTime, Duration, Utc};

use super::model::PresentedToken;
use crate::people::may_sign_in;
use crate::settings::{AccountSettings, CookieSettings};

/// The one answer to a user name that is unknown, a password that is wrong and a person who is deactivated.
pub const NO_SIGN_IN: &str = "No active account was found with these credentials.";

/// The answer to a refresh that cannot be granted, whatever the reason.
pub const NO_REFRESH: &str = "There is no valid refresh token. Sign in again.";

/// The answer to somebody who has to show their password again.
pub const NOT_RECENT: &str =
    "This request needs the password again. Send current_password, or sign in again.";

/// Two tabs that refresh at once present the same token; within so many seconds of its rotation both are let in.
pub const RACE_SECONDS: i64 = 10;

/// How long a session lasts that began before anybody was asked, in days (contract 1, rule 7).
pub const LEGACY_DAYS: i64 = 7;

/// How long the next refresh token of a session is good, and whether its cookie outlives the browser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lifetime {
    /// From now on; each refresh starts it anew.
    pub lasts: Duration,
    /// Whether the cookie has a `Max-Age`.
    pub is_persistent: bool,
}

/// The lifetime for the choice that was made at sign-in.
pub fn lifetime(settings: &AccountSettings, remember: Option<bool>) -> Lifetime {
    match remember {
        Some(true) => Lifetime { lasts: settings.remembered, is_persistent: true },
        Some(false) => Lifetime { lasts: settings.unremembered, is_persistent: false },
        None => Lifetime { lasts: Duration::days(LEGACY_DAYS), is_persistent: true },
    }
}

/// What is done with a refresh token that was presented.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is the newest of its family: it is used up and another one follows.
    Rotate,
    /// It was used up a moment ago, by another tab: an access token follows, and no other of its kind.
    Race,
    /// It was used up before, so somebody else may have a copy: the family ends.
    Stolen,
    /// It is no good any more.
    Refuse,
}

/// Judges a refresh token; one that was used up is held against its family even after it has expired.
pub fn validate(token: &PresentedToken, now: DateTime<Utc>) -> Verdict {
    if token.revoked_at.is_some() || !may_sign_in(token.is_active, token.status) {
        return Verdict::Refuse;
    }
    match token.used_at {
        Some(used_at) if now - used_at > Duration::seconds(RACE_SECONDS) => Verdict::Stolen,
        _ if token.expires_at <= now || token.ends_at <= now => Verdict::Refuse,
        Some(_) => Verdict::Race,
        None => Verdict::Rotate,
    }
}

/// The `Set-Cookie` line of the refresh token; without a largest age it ends with the browser.
pub fn cookie(settings: &CookieSettings, value: &str, max_age: Option<Duration>) -> String {
    let CookieSettings { name, path, same_site, secure } = settings;
    let mut line = format!("{name}={value}; HttpOnly; Path={path}; SameSite={}", same_site.as_str());
    if *secure {
        line.push_str("; Secure");
    }
    if let Some(max_age) = max_age {
        line.push_str(&format!("; Max-Age={}", max_age.num_seconds()));
    }
    line
}

/// The `Set-Cookie` line that clears the refresh token.
pub fn cleared_cookie(settings: &CookieSettings) -> String {
    let line = cookie(settings, "", Some(Duration::zero()));
    format!("{line}; Expires=Thu, 01 Jan 1970 00:00:00 GMT")
}

/// The refresh token that a request presents.
pub fn presented<'a>(headers: &'a HeaderMap, settings: &CookieSettings) -> Option<&'a str> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == settings.name)
        .map(|(_, value)| value.trim_matches('"'))
        .filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use planwright_domain::ids::{SessionId, UserId};
    use planwright_domain::words::MemberStatus;
    use uuid::Uuid;

    use super::*;

    fn settings() -> AccountSettings {
        AccountSettings::from_settings(|_| None).unwrap()
    }

    fn token() -> PresentedToken {
        PresentedToken {
            id: Uuid::nil(),
            session_id: SessionId(Uuid::nil()),
            expires_at: at(3600),
            used_at: None,
            ends_at: at(86_400),
            revoked_at: None,
            user_id: UserId(Uuid::nil()),
            is_active: true,
            status: MemberStatus::Active,
        }
    }

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + Duration::days(20_000) + Duration::seconds(second)
    }

    #[test]
    fn a_fresh_token_rotates_until_it_expires() {
        assert_eq!(validate(&token(), at(3599)), Verdict::Rotate);
        assert_eq!(validate(&token(), at(3600)), Verdict::Refuse);
    }

    #[test]
    fn a_used_token_is_a_race_for_ten_seconds_and_theft_from_then_on() {
        let used = PresentedToken { used_at: Some(at(100)), ..token() };
        assert_eq!(validate(&used, at(110)), Verdict::Race);
        assert_eq!(validate(&used, at(111)), Verdict::Stolen);
        assert_eq!(validate(&used, at(9000)), Verdict::Stolen);
    }

    #[test]
    fn nothing_is_granted_in_an_ended_session_or_to_somebody_deactivated() {
        let ended = PresentedToken { revoked_at: Some(at(0)), ..token() };
        let inactive = PresentedToken { is_active: false, ..token() };
        let deactivated = PresentedToken { status: MemberStatus::Deactivated, ..token() };
        for token in [ended, inactive, deactivated] {
            assert_eq!(validate(&token, at(1)), Verdict::Refuse);
        }
    }

    #[test]
    fn the_choice_at_sign_in_decides_how_long_and_how_the_cookie_lasts() {
        let settings = settings();
        let of = |remember| lifetime(&settings, remember);
        assert_eq!(of(Some(true)), Lifetime { lasts: Duration::days(30), is_persistent: true });
        assert_eq!(of(Some(false)), Lifetime { lasts: Duration::hours(12), is_persistent: false });
        assert_eq!(of(None), Lifetime { lasts: Duration::days(7), is_persistent: true });
    }

    #[test]
    fn the_cookie_is_for_the_refresh_path_only_and_is_cleared_the_way_it_was_set() {
        let settings = settings().cookie;
        let rest = "; HttpOnly; Path=/api/v1/auth/token/refresh/; SameSite=Strict; Secure";
        assert_eq!(cookie(&settings, "abc", None), format!("svc_refresh=abc{rest}"));
        assert_eq!(
            cookie(&settings, "abc", Some(Duration::days(1))),
            format!("svc_refresh=abc{rest}; Max-Age=86400")
        );
        assert!(cleared_cookie(&settings).starts_with(&format!("svc_refresh={rest}; Max-Age=0; Expires=")));
    }

    #[test]
    fn the_token_is_found_among_other_cookies() {
        let settings = settings().cookie;
        let mut headers = HeaderMap::new();
        assert_eq!(presented(&headers, &settings), None);
        headers.insert(COOKIE, "theme=dark; xsvc_refresh=no; svc_refresh=yes".parse().unwrap());
        assert_eq!(presented(&headers, &settings), Some("yes"));
        headers.insert(COOKIE, "svc_refresh=".parse().unwrap());
        assert_eq!(presented(&headers, &settings), None);
    }
}
