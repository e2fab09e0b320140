//! Decisions of a sign-in with a provider, without database or clock: which addresses a provider may vouch for, the cookie that
//! binds a sign-in to a browser, and the name of somebody who is added.

use axum::http::HeaderMap;
use axum::http::header::COOKIE;
use planwright_domain::Role;

use super::super::Refusal;
use super::super::providers::model::SsoProviderRow;
use super::queries::FoundRow;
use crate::settings::AccountSettings;

/// How long people have to sign in at their provider, in seconds.
pub const PATIENCE_SECONDS: i64 = 300;
/// The path that the cookie of a sign-in is sent to.
const COOKIE_PATH: &str = "/api/v1/auth/oidc/";
/// The longest name of a person.
const LONGEST_NAME: usize = 150;

/// Whether a provider may vouch for an address: its domain is one of those of the provider.
pub fn applies(row: &SsoProviderRow, email: &str) -> bool {
    let Some((local, domain)) = email.trim().rsplit_once('@') else { return false };
    let is_whole = !local.is_empty() && !local.contains('@');
    is_whole && row.domains().iter().any(|allowed| domain.eq_ignore_ascii_case(allowed))
}

/// Whether an address alone leads to a person: they are nobody at the provider yet, and whoever wrote the provider last stands
/// above them or owns the workspace. Otherwise an administrator could become an Owner with a provider of their own, and whoever
/// gets the address of somebody who left could become that person.
pub fn may_link(found: &FoundRow) -> bool {
    let vouches =
        found.keeper_role.is_some_and(|keeper| keeper == Role::Owner || found.workspace_role < keeper);
    vouches && !found.is_linked
}

/// Whether a provider makes accounts: whoever wrote it last may still give the role that it gives, as with an invitation.
pub fn may_create(keeper: Option<Role>, given: Role) -> bool {
    keeper.is_some_and(|keeper| given < keeper)
}

/// One cookie for each sign-in, so that two tabs do not end each other's.
fn cookie_name(prefix: &str, state: &str) -> String {
    let part: String = state.chars().filter(char::is_ascii_alphanumeric).take(8).collect();
    format!("{prefix}_sso_state_{part}")
}

/// The `Set-Cookie` line that binds a sign-in to a browser. It is sent along when the provider leads the browser back.
pub fn state_cookie(prefix: &str, settings: &AccountSettings, state: &str) -> String {
    let secure = if settings.cookie.secure { "; Secure" } else { "" };
    let name = cookie_name(prefix, state);
    format!("{name}={state}; HttpOnly; Path={COOKIE_PATH}; SameSite=Lax; Max-Age={PATIENCE_SECONDS}{secure}")
}

/// The `Set-Cookie` line that forgets it.
pub fn cleared_state_cookie(prefix: &str, state: &str) -> String {
    format!("{}=; HttpOnly; Path={COOKIE_PATH}; SameSite=Lax; Max-Age=0", cookie_name(prefix, state))
}

/// Whether the browser is the one that began this sign-in.
pub fn is_same_browser(headers: &HeaderMap, prefix: &str, state: &str) -> bool {
    let name = cookie_name(prefix, state);
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.any(|(key, value)| key == name && !state.is_empty() && value == state)
}

/// Where the client takes over. Nothing in the address is secret.
pub fn completion(frontend_url: &str, refusal: Option<Refusal>) -> String {
    let page = format!("{}/auth/sso/complete", frontend_url.trim_end_matches('/'));
    match refusal {
        None => page,
        Some(refusal) => format!("{page}?error={}", refusal.as_str()),
    }
}

/// User names for somebody who is added, the best first: the part of their address before the `@`, and the same with numbers.
pub fn usernames(email: &str) -> impl Iterator<Item = String> {
    let local = email.split('@').next().unwrap_or_default().to_lowercase();
    let plain: String = local
        .chars()
        .filter(|character| character.is_ascii_alphanumeric() || matches!(character, '.' | '-' | '_' | '+'))
        .take(LONGEST_NAME - 6)
        .collect();
    let base = if plain.is_empty() { "member".to_owned() } else { plain };
    let numbered = base.clone();
    std::iter::once(base).chain((2..1_000).map(move |number| format!("{numbered}{number}")))
}

/// A name in two parts: what stands before the last blank, and what stands behind it.
pub fn names(name: &str) -> (String, String) {
    let shortened: String = name.trim().chars().take(LONGEST_NAME).collect();
    match shortened.rsplit_once(' ') {
        Some((first, last)) => (first.trim().to_owned(), last.to_owned()),
        None => (shortened, String::new()),
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use chrono::DateTime;
    use planwright_domain::ids::SsoProviderId;
    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_provider_vouches_for_its_domains_and_not_for_domains_below_them() {
        let fresh =
            SsoProviderRow::fresh(SsoProviderId(Uuid::nil()), "google", "Google", DateTime::UNIX_EPOCH);
        let row = SsoProviderRow { allowed_email_domains: json!(["example.org"]), ..fresh };
        for right in ["ona@example.org", " Ona@EXAMPLE.org "] {
            assert!(applies(&row, right), "{right}");
        }
        let wrong = [
            "",
            "example.org",
            "@example.org",
            "ona@a.example.org",
            "ona@example.org@evil.test",
            "a@b@example.org",
        ];
        for wrong in wrong {
            assert!(!applies(&row, wrong), "{wrong}");
        }
    }

    #[test]
    fn only_the_browser_that_began_a_sign_in_finishes_it() {
        let mut headers = HeaderMap::new();
        assert!(!is_same_browser(&headers, "svc", "abc"));
        headers.insert(COOKIE, HeaderValue::from_static("a=b; svc_sso_state_abc=abc"));
        assert!(is_same_browser(&headers, "svc", "abc"));
        assert!(!is_same_browser(&headers, "svc", "abd"));
        assert!(!is_same_browser(&headers, "acme", "abc"));
        headers.insert(COOKIE, HeaderValue::from_static("svc_sso_state_="));
        assert!(!is_same_browser(&headers, "svc", ""));
    }

    #[test]
    fn an_address_leads_to_people_below_whoever_keeps_the_provider_and_once_only() {
        let found = |workspace_role, keeper_role, is_linked| FoundRow {
            id: planwright_domain::ids::UserId(Uuid::nil()),
            is_active: true,
            status: planwright_domain::words::MemberStatus::Active,
            workspace_role,
            keeper_role,
            is_linked,
        };
        assert!(may_link(&found(Role::Owner, Some(Role::Owner), false)));
        assert!(may_link(&found(Role::Member, Some(Role::ProjectManager), false)));
        assert!(
            !may_link(&found(Role::Owner, Some(Role::ProjectManager), false)),
            "no administrator becomes the Owner"
        );
        assert!(!may_link(&found(Role::ProjectManager, Some(Role::ProjectManager), false)));
        assert!(!may_link(&found(Role::Member, Some(Role::Owner), true)), "an address links once");
        assert!(!may_link(&found(Role::Member, None, false)));
    }

    #[test]
    fn a_new_person_gets_a_plain_user_name() {
        let first = |email: &str| usernames(email).next().unwrap();
        assert_eq!(first("Ona.Li+x@example.org"), "ona.li+x");
        assert_eq!(first("<script>@example.org"), "script");
        assert_eq!(first("!!@example.org"), "member");
        assert_eq!(usernames("ona@example.org").nth(1).unwrap(), "ona2");
        assert!(first(&format!("{}@example.org", "x".repeat(300))).len() <= LONGEST_NAME);
        assert_eq!(names("Ona Maria Li"), ("Ona Maria".to_owned(), "Li".to_owned()));
        assert_eq!(names("ona"), ("ona".to_owned(), String::new()));
    }

    #[test]
    fn the_address_of_the_client_says_why_and_nothing_else() {
        assert_eq!(completion("https://plan.example/", None), "https://plan.example/auth/sso/complete");
        assert_eq!(
            completion("https://plan.example", Some(Refusal::NoMember)),
            "https://plan.example/auth/sso/complete?error=sso_no_member"
        );
    }
}
