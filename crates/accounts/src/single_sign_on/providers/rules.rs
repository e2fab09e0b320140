//! What a provider may look like: pure decisions over rows and requests.

use planwright_domain::Role;
use planwright_web::{ApiResult, Problems};
use serde_json::json;

use super::super::catalogue::{Kind, Known};
use super::model::{SsoProviderRow, SsoProviderWriteRequest};

/// What is asked for at a provider with ID tokens.
const OPEN_ID_SCOPES: &[&str] = &["openid", "profile", "email"];
/// What is asked for at GitHub.
const GITHUB_SCOPES: &[&str] = &["read:user", "user:email"];
/// The same when membership of an organisation is asked.
const GITHUB_ORG_SCOPES: &[&str] = &["read:user", "user:email", "read:org"];
/// How many domains a provider may have.
const MOST_DOMAINS: usize = 100;

/// What is asked for at a provider.
pub fn scopes(known: &Known, row: &SsoProviderRow) -> &'static [&'static str] {
    match known.kind {
        Kind::OAuth if row.github_org.is_empty() => GITHUB_SCOPES,
        Kind::OAuth => GITHUB_ORG_SCOPES,
        _ => OPEN_ID_SCOPES,
    }
}

/// The row with the wanted fields changed, if `linked` people are known at it and a person of the rank `giver` wants that. The secret
/// is left to the caller, who can seal it.
///
/// # Errors
/// 400 that names every field that is wrong.
pub fn changed(
    mut row: SsoProviderRow,
    request: SsoProviderWriteRequest,
    known: &Known,
    (linked, giver): (i64, Role),
) -> ApiResult<SsoProviderRow> {
    let mut problems = Problems::default();
    let before = row.clone();
    if request.slug.as_given().is_some_and(|slug| slug.as_str() != row.slug) {
        problems.say("slug", "The slug of a provider cannot be changed.");
    }
    if request.allow_password_signin.is_given() {
        problems.say("allow_password_signin", "Passwords stay possible in this edition.");
    }
    request.display_name.write_to(&mut row.display_name);
    if row.display_name.trim().is_empty() {
        row.display_name = known.name.to_owned();
    }
    request.client_id.write_to(&mut row.client_id);
    request.github_org.write_to(&mut row.github_org);
    let is_org = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if !is_org(&row.github_org) {
        problems.say("github_org", "Enter the name of an organisation, as it stands in its address.");
    }
    request.auto_create_members.write_to(&mut row.auto_create_members);
    match request.default_role.given().map(|role| given_role(role.into(), giver, before.default_role)) {
        Some(Ok(role)) => row.default_role = role,
        Some(Err(message)) => problems.say("default_role", message),
        None => {}
    }
    if let Some(domains) = request.allowed_email_domains.given() {
        let domains = domains.into_iter().map(|domain| String::from(domain).trim().to_ascii_lowercase());
        let mut domains: Vec<String> = domains.collect();
        domains.sort();
        domains.dedup();
        if domains.len() > MOST_DOMAINS || !domains.iter().all(|domain| is_domain(domain)) {
            problems.say("allowed_email_domains", "Enter domains such as example.org, at most 100.");
        }
        row.allowed_email_domains = json!(domains);
    }
    match known.address(&request.server_url.given().map_or_else(|| row.server_url.clone(), String::from)) {
        Ok(address) if linked > 0 && address != row.server_url => {
            problems.say(
                "server_url",
                "People are linked to this issuer. Delete the provider to use another one.",
            );
        }
        Ok(address) => row.server_url = address,
        Err(message) => problems.say("server_url", message),
    }
    let keeps_secret = !before.sealed_secret.is_empty() && !request.client_secret.is_given();
    if keeps_secret && sends_secret_elsewhere(&before, &row) {
        // Whoever may change the address must not get the secret sent there.
        problems.say("client_secret", "Send the secret again when its address or its client changes.");
    }
    request.enabled.write_to(&mut row.enabled);
    let missing = missing(&row, request.client_secret.is_given());
    if row.enabled && !missing.is_empty() {
        problems.say("enabled", format!("It can be enabled when it has {}.", missing.join(", ")));
    }
    problems.check()?;
    Ok(row)
}

/// The role that new people get, as a person of the rank `giver` may give it; the one that it was may stay.
fn given_role(rank: i64, giver: Role, before: Role) -> Result<Role, &'static str> {
    match Role::from_rank(rank) {
        Some(role @ (Role::Member | Role::ProjectManager)) if role < giver || role == before => Ok(role),
        Some(Role::Member | Role::ProjectManager) => Err("You may only give roles below your own."),
        _ => Err("Must be 100 or 300."),
    }
}

/// Whether the secret would go to another place, or stand for another client, than it was given for.
fn sends_secret_elsewhere(before: &SsoProviderRow, after: &SsoProviderRow) -> bool {
    (&before.server_url, &before.client_id) != (&after.server_url, &after.client_id)
}

/// What a provider needs and does not have.
fn missing(row: &SsoProviderRow, secret_comes: bool) -> Vec<&'static str> {
    let needs = [
        (row.client_id.is_empty(), "a client_id"),
        (row.sealed_secret.is_empty() && !secret_comes, "a client_secret"),
        (row.domains().is_empty(), "an allowed email domain"),
        (row.server_url.is_empty(), "an issuer in server_url"),
    ];
    needs.into_iter().filter(|(is_missing, _)| *is_missing).map(|(_, what)| what).collect()
}

fn is_domain(text: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty()
            && label.len() <= 63
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    text.contains('.') && text.split('.').all(is_label)
}

/// Whether a provider would vouch with other keys, for other people, or begins to do so at all.
pub(super) fn is_another_source(before: &SsoProviderRow, after: &SsoProviderRow) -> bool {
    let source = |row: &SsoProviderRow| {
        let place = (row.server_url.clone(), row.client_id.clone(), row.github_org.clone());
        (place, row.enabled, row.allowed_email_domains.clone())
    };
    source(before) != source(after)
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use planwright_domain::ids::SsoProviderId;
    use uuid::Uuid;

    use super::super::super::catalogue::find;
    use super::*;

    fn fresh(slug: &str) -> (SsoProviderRow, &'static Known) {
        let known = find(slug).unwrap();
        (SsoProviderRow::fresh(SsoProviderId(Uuid::nil()), slug, known.name, DateTime::UNIX_EPOCH), known)
    }

    #[test]
    fn only_a_whole_provider_can_be_enabled() {
        let (row, _) = fresh("google");
        assert_eq!(missing(&row, false).len(), 4);
        let whole = SsoProviderRow {
            client_id: "a".into(),
            server_url: "https://accounts.google.com".into(),
            allowed_email_domains: json!(["example.org"]),
            ..row
        };
        assert_eq!(missing(&whole, false), ["a client_secret"]);
        assert!(missing(&whole, true).is_empty());
    }

    #[test]
    fn github_is_asked_for_organisations_only_where_one_is_required() {
        let (row, known) = fresh("github");
        assert_eq!(scopes(known, &row).len(), 2);
        assert_eq!(scopes(known, &SsoProviderRow { github_org: "acme".into(), ..row }).len(), 3);
        let (row, known) = fresh("okta");
        assert_eq!(scopes(known, &row), OPEN_ID_SCOPES);
    }

    #[test]
    fn a_domain_has_labels_of_letters_and_digits() {
        for right in ["example.org", "a-b.example.co.uk", "x1.io"] {
            assert!(is_domain(right), "{right}");
        }
        for wrong in ["", "org", "example..org", "-a.org", "a_b.org", "ex ample.org", "*.org", "a@b.org"] {
            assert!(!is_domain(wrong), "{wrong}");
        }
    }
}
