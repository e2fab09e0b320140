//! Which web pages and host names may use the program: a browser sends the origin of the page and the host that it
//! calls. The cross-origin rules in `edge.rs` decide which origins may read answers.

use std::convert::Infallible;
use std::net::IpAddr;

use axum::extract::FromRequestParts;
use http::HeaderMap;
use http::header::{HOST, ORIGIN};
use http::request::Parts;

use crate::App;
use crate::app::EdgeSettings;
use crate::describe::Describe;
use crate::paging::origin;

/// The scheme and the host of links to this server, as the caller knows it.
#[derive(Clone, Debug)]
pub struct ServerOrigin(pub String);

impl FromRequestParts<App> for ServerOrigin {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        Ok(Self(origin(app, &parts.headers, &parts.uri)))
    }
}

impl Describe for ServerOrigin {}

/// Whether a request comes from our page, from an allowed page, or from no page.
pub fn is_welcome(headers: &HeaderMap, settings: &EdgeSettings) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    !headers.contains_key(ORIGIN) || is_ours(text(ORIGIN).unwrap_or_default(), settings, text(HOST))
}

/// Browsers send the origin of the page. Only our pages and allowed pages may call.
fn is_ours(origin: &str, settings: &EdgeSettings, host: Option<&str>) -> bool {
    let same = |allowed: &str| allowed.trim_end_matches('/').eq_ignore_ascii_case(origin);
    let (scheme, rest) = settings.public_url.split_once("://").unwrap_or_default();
    let ours = match settings.public_url.is_empty() {
        true => origin.split_once("://").is_some_and(|(_, place)| Some(place) == host),
        false => same(&format!("{scheme}://{}", rest.split('/').next().unwrap_or_default())),
    };
    ours || settings.cors_origins.iter().any(|allowed| same(allowed))
}

/// Whether a host name belongs to this server. An attacker can let their own host name point to this address, and
/// their page could then read answers (DNS rebinding). This is not possible with an IP address or with the name of
/// somebody else.
pub fn is_known_host(host: &str, settings: &EdgeSettings) -> bool {
    let name = name_of(host).to_ascii_lowercase();
    let name = name.trim_end_matches('.');
    let public = settings.public_url.split_once("://").map_or("", |(_, rest)| rest);
    let public = name_of(public.split('/').next().unwrap_or_default()).to_ascii_lowercase();
    let allowed = |allowed: &String| match allowed.to_ascii_lowercase().strip_prefix('.') {
        _ if allowed == "*" => true,
        Some(domain) => name == domain || name.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.')),
        None => name == allowed.to_ascii_lowercase(),
    };
    name.parse::<IpAddr>().is_ok()
        || name == "localhost"
        || name.ends_with(".localhost")
        || (!public.is_empty() && name == public)
        || settings.allowed_hosts.iter().any(allowed)
}

/// A host without its port, and an address without its brackets.
fn name_of(host: &str) -> &str {
    match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, _)) => address,
        None => host.split(':').next().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(public_url: &str, cors: &[&str], hosts: &[&str]) -> EdgeSettings {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        EdgeSettings {
            public_url: public_url.to_owned(),
            cors_origins: owned(cors),
            allowed_hosts: owned(hosts),
            ..EdgeSettings::default()
        }
    }

    #[test]
    fn without_a_public_address_pages_of_the_same_host_are_welcome() {
        let settings = settings("", &[], &[]);
        assert!(is_ours("http://plan.test:8080", &settings, Some("plan.test:8080")));
        assert!(!is_ours("http://plan.test", &settings, Some("plan.test:8080")));
        assert!(!is_ours("https://elsewhere.test", &settings, Some("plan.test")));
        assert!(!is_ours("null", &settings, None));
    }

    #[test]
    fn a_public_address_and_the_listed_origins_decide_alone() {
        let settings = settings("https://plan.test/base", &["https://app.test/"], &[]);
        assert!(is_ours("https://PLAN.test", &settings, Some("inner:8080")));
        assert!(is_ours("https://app.test", &settings, Some("inner:8080")));
        assert!(!is_ours("http://inner:8080", &settings, Some("inner:8080")));
        assert!(!is_ours("http://plan.test", &settings, Some("plan.test")));
    }

    #[test]
    fn addresses_this_machine_and_the_names_of_the_settings_are_known_hosts() {
        let settings = settings("https://plan.test:8443/base", &[], &["inner", ".corp.test"]);
        for known in [
            "127.0.0.1:8080",
            "192.0.2.7",
            "[::1]:8080",
            "localhost:1",
            "a.localhost",
            "PLAN.test",
            "plan.test.:80",
            "inner:80",
            "corp.test",
            "plan.corp.test",
        ] {
            assert!(is_known_host(known, &settings), "{known}");
        }
        for other in ["evil.test", "plan.test.evil.test", "xcorp.test", "innerx", "", "127.0.0.1.evil.test"] {
            assert!(!is_known_host(other, &settings), "{other}");
        }
        assert!(is_known_host("anything.test", &self::settings("", &[], &["*"])));
    }
}
