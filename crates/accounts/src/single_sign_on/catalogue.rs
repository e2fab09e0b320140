//! The kinds of providers that are known, and where each of them is found. Pure.

use url::Url;

/// How the address of a provider is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An administrator writes it.
    Free,
    /// It is the same for everybody.
    Fixed,
    /// It follows from a tenant or a domain, or is written whole.
    Derived,
    /// There are no ID tokens; the address is that of the site.
    OAuth,
}

impl Kind {
    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Kind::Free => "free",
            Kind::Fixed => "fixed",
            Kind::Derived => "derived",
            Kind::OAuth => "oauth",
        }
    }
}

/// A kind of provider.
#[derive(Debug)]
pub struct Known {
    /// What a slug begins with.
    pub slug: &'static str,
    /// What people call it unless they say otherwise.
    pub name: &'static str,
    /// How its address is known.
    pub kind: Kind,
    /// The address where there is only one, or that is used unless another one is given.
    pub address: &'static str,
    /// What stands around a tenant that is written instead of an address.
    around_tenant: (&'static str, &'static str),
}

const fn known(slug: &'static str, name: &'static str, kind: Kind, address: &'static str) -> Known {
    Known { slug, name, kind, address, around_tenant: ("https://", "") }
}

const ALL: [Known; 10] = [
    known("generic", "OpenID Connect", Kind::Free, ""),
    known("google", "Google", Kind::Fixed, "https://accounts.google.com"),
    Known {
        around_tenant: ("https://login.microsoftonline.com/", "/v2.0"),
        ..known("entra", "Microsoft Entra ID", Kind::Derived, "")
    },
    known("gitlab", "GitLab", Kind::Free, "https://gitlab.com"),
    known("keycloak", "Keycloak", Kind::Free, ""),
    known("authentik", "authentik", Kind::Free, ""),
    known("zitadel", "ZITADEL", Kind::Free, ""),
    known("okta", "Okta", Kind::Derived, ""),
    Known { around_tenant: ("https://", "/"), ..known("auth0", "Auth0", Kind::Derived, "") },
    known("github", "GitHub", Kind::OAuth, "https://github.com"),
];

/// The kind that a slug names: `google`, or `google-partners` where there are several.
pub fn find(slug: &str) -> Option<&'static Known> {
    let (kind, rest) = slug.split_once('-').map_or((slug, None), |(kind, rest)| (kind, Some(rest)));
    let is_plain = |text: &str| {
        !text.is_empty()
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    let fits = slug.len() <= 40 && rest.is_none_or(is_plain);
    ALL.iter().find(|known| fits && known.slug == kind)
}

/// The slugs without addition, for messages.
pub fn names() -> String {
    ALL.map(|known| known.slug).join(", ")
}

impl Known {
    /// The address for what an administrator wrote, which may be blank or a tenant.
    ///
    /// # Errors
    /// What is wrong with it, as a sentence.
    pub fn address(&self, written: &str) -> Result<String, &'static str> {
        let written = written.trim();
        match self.kind {
            Kind::Fixed => return Ok(self.address.to_owned()),
            _ if written.is_empty() => return Ok(self.address.to_owned()),
            Kind::Derived if !written.contains("://") && !written.contains('/') => {
                let (before, behind) = self.around_tenant;
                return checked(&format!("{before}{written}{behind}"));
            }
            Kind::Free | Kind::Derived | Kind::OAuth => {}
        }
        checked(written)
    }
}

/// An issuer (OpenID Connect Discovery, section 2): https, no query and no fragment. This machine may be called without
/// encryption, for tests.
fn checked(text: &str) -> Result<String, &'static str> {
    let url = Url::parse(text).map_err(|_| "Enter a valid URL.")?;
    let is_here = matches!(url.host_str(), Some("127.0.0.1" | "localhost" | "[::1]"));
    match url.scheme() {
        "https" => {}
        "http" if is_here => {}
        _ => return Err("The address must begin with https://."),
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err("The address must have no query and no fragment.");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("The address must not contain a user name or a password.");
    }
    if text.contains("/.well-known/") {
        return Err("Leave out /.well-known/ and what follows.");
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_names_its_kind_and_may_say_which_of_several_it_is() {
        assert_eq!(find("google").unwrap().kind, Kind::Fixed);
        assert_eq!(find("keycloak-partners-2").unwrap().slug, "keycloak");
        for wrong in [
            "",
            "myspace",
            "google-",
            "google-A",
            "google partners",
            "-google",
            &format!("google-{}", "x".repeat(40)),
        ] {
            assert!(find(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn an_address_follows_from_a_tenant_where_the_kind_knows_how() {
        let address = |slug: &str, written: &str| find(slug).unwrap().address(written);
        assert_eq!(address("entra", "contoso").unwrap(), "https://login.microsoftonline.com/contoso/v2.0");
        assert_eq!(address("okta", "acme.okta.com").unwrap(), "https://acme.okta.com");
        assert_eq!(address("auth0", "acme.auth0.com").unwrap(), "https://acme.auth0.com/");
        assert_eq!(address("google", "https://evil.example").unwrap(), "https://accounts.google.com");
        assert_eq!(address("gitlab", " ").unwrap(), "https://gitlab.com");
        assert_eq!(
            address("keycloak", "https://id.example.org/realms/a").unwrap(),
            "https://id.example.org/realms/a"
        );
        assert_eq!(address("generic", "").unwrap(), "");
    }

    #[test]
    fn an_address_that_is_no_issuer_is_refused() {
        for wrong in [
            "id.example.org",
            "http://id.example.org",
            "ftp://id.example.org",
            "https://id.example.org/?a=b",
            "https://id.example.org/#a",
            "https://a:b@id.example.org",
            "https://id.example.org/.well-known/openid-configuration",
        ] {
            assert!(find("generic").unwrap().address(wrong).is_err(), "{wrong}");
        }
        assert!(find("generic").unwrap().address("http://127.0.0.1:9000").is_ok());
    }
}
