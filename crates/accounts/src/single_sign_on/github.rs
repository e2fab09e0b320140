//! GitHub, which has no ID tokens: people are who its interface says they are. Only its primary address counts, and only if it
//! is verified.

use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, USER_AGENT};
use http::{HeaderMap, HeaderValue, Method};
use planwright_egress::{Egress, Fetched};
use serde::Deserialize;
use url::Url;

use super::http_client::PATIENCE;
use super::open_id::{Challenge, Client};
use super::{Failure, Identity, Refusal};

/// The site whose interface has a host of its own; that of GitHub Enterprise is below its site.
const PUBLIC_SITE: &str = "https://github.com";

fn api(site: &str) -> String {
    match site.trim_end_matches('/') {
        PUBLIC_SITE => "https://api.github.com".to_owned(),
        other => format!("{other}/api/v3"),
    }
}

fn page(site: &str, path: &str) -> String {
    format!("{}{path}", site.trim_end_matches('/'))
}

/// Whether the interface answers at all.
pub async fn probe(egress: &Egress, site: &str) -> Result<(), planwright_egress::Failure> {
    let fetched = egress.get(&format!("{}/meta", api(site)), headers(None), PATIENCE).await?;
    match fetched.status {
        200..=299 => Ok(()),
        status => Err(planwright_egress::Failure::says(format!("GitHub answered {status}."))),
    }
}

/// Where a browser is sent. GitHub knows no nonce, so nothing else is bound to the sign-in than its state.
pub fn authorization(
    client: Client<'_>,
    scopes: &[&str],
    state: &str,
) -> Result<(String, Challenge), Failure> {
    let address = page(client.issuer, "/login/oauth/authorize");
    let mut url = Url::parse(&address).map_err(|error| Failure::refused(Refusal::ProviderError, error))?;
    url.query_pairs_mut()
        .append_pair("client_id", client.id)
        .append_pair("redirect_uri", client.redirect_uri)
        .append_pair("scope", &scopes.join(" "))
        .append_pair("state", state);
    Ok((url.into(), Challenge::default()))
}

#[derive(Deserialize)]
struct TokenAnswer {
    #[serde(default)]
    access_token: String,
    #[serde(default)]
    error: String,
}

#[derive(Deserialize)]
struct Person {
    id: u64,
    login: String,
    name: Option<String>,
}

#[derive(Deserialize)]
struct Address {
    email: String,
    primary: bool,
    verified: bool,
}

#[derive(Deserialize)]
struct Membership {
    state: String,
}

/// Exchanges a code, and reads who it is. With an organisation, people outside of it are refused.
pub async fn identify(
    egress: &Egress,
    client: Client<'_>,
    organisation: &str,
    code: &str,
) -> Result<Identity, Failure> {
    let token = exchange(egress, client, code).await?;
    let person: Person = read(egress, client.issuer, "/user", &token).await?;
    if !organisation.is_empty() {
        let path = format!("/user/memberships/orgs/{organisation}");
        let fetched = fetch(egress, client.issuer, &path, &token).await?;
        let is_member = fetched.status == 200
            && serde_json::from_slice::<Membership>(&fetched.content)
                .is_ok_and(|found| found.state == "active");
        if !is_member {
            return Err(Failure::refused(Refusal::NoMember, "the person is not in the organisation"));
        }
    }
    let addresses: Vec<Address> = read(egress, client.issuer, "/user/emails", &token).await?;
    let primary = addresses.into_iter().find(|address| address.primary && address.verified);
    Ok(Identity {
        issuer: client.issuer.to_owned(),
        subject: person.id.to_string(),
        verified_email: primary.map(|address| address.email),
        name: person.name.unwrap_or(person.login),
    })
}

async fn exchange(egress: &Egress, client: Client<'_>, code: &str) -> Result<String, Failure> {
    let body = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("client_id", client.id)
        .append_pair("client_secret", client.secret)
        .append_pair("code", code)
        .append_pair("redirect_uri", client.redirect_uri)
        .finish();
    let mut headers = headers(None);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
    let address = page(client.issuer, "/login/oauth/access_token");
    let fetched = egress.ask(Method::POST, &address, headers, Bytes::from(body), PATIENCE).await;
    let fetched = fetched.map_err(|failure| Failure::Unreachable(failure.to_string()))?;
    let answer: TokenAnswer = serde_json::from_slice(&fetched.content)
        .map_err(|error| Failure::refused(Refusal::ExchangeFailed, error))?;
    match answer.access_token.is_empty() {
        true => Err(Failure::refused(Refusal::ExchangeFailed, answer.error)),
        false => Ok(answer.access_token),
    }
}

async fn read<T: for<'de> Deserialize<'de>>(
    egress: &Egress,
    site: &str,
    path: &str,
    token: &str,
) -> Result<T, Failure> {
    let fetched = fetch(egress, site, path, token).await?;
    if fetched.status != 200 {
        let why = format!("GitHub answered {} for {path}", fetched.status);
        return Err(Failure::refused(Refusal::ProviderError, why));
    }
    serde_json::from_slice(&fetched.content).map_err(|error| Failure::refused(Refusal::ProviderError, error))
}

async fn fetch(egress: &Egress, site: &str, path: &str, token: &str) -> Result<Fetched, Failure> {
    let fetched = egress.get(&format!("{}{path}", api(site)), headers(Some(token)), PATIENCE).await;
    fetched.map_err(|failure| Failure::Unreachable(failure.to_string()))
}

fn headers(token: Option<&str>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    headers.insert(USER_AGENT, HeaderValue::from_static("planwright"));
    // A token with other characters is none of GitHub's, and the call is refused without it.
    if let Some(value) = token.and_then(|token| HeaderValue::from_str(&format!("Bearer {token}")).ok()) {
        headers.insert(AUTHORIZATION, value);
    }
    headers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interface_of_an_own_site_is_below_it() {
        assert_eq!(api("https://github.com/"), "https://api.github.com");
        assert_eq!(api("https://git.example.org"), "https://git.example.org/api/v3");
    }

    #[test]
    fn a_browser_is_sent_with_everything_that_github_needs() {
        let client = Client {
            issuer: "https://github.com",
            id: "a b",
            secret: "s",
            redirect_uri: "https://p.example/cb/",
        };
        let (url, challenge) = authorization(client, &["read:user", "user:email"], "state").unwrap();
        assert_eq!(
            url,
            "https://github.com/login/oauth/authorize?client_id=a+b&redirect_uri=https%3A%2F%2Fp.example%2Fcb%2F&scope=read%3Auser+user%3Aemail&state=state"
        );
        assert!(challenge == Challenge::default() && !url.contains("secret"));
    }
}
