//! The providers whose credentials are taken: where they are, and how they are asked with a secret.

use http::{HeaderMap, HeaderName, HeaderValue, Method};
use planwright_domain::words::CredentialProvider;

/// What is known of a provider.
#[derive(Debug)]
pub struct Known {
    /// The provider.
    pub provider: CredentialProvider,
    /// How people call it.
    pub name: &'static str,
    /// Where it is; blank for one that people only run themselves.
    pub home: &'static str,
    /// Whether people may run it themselves, elsewhere.
    pub is_self_hosted: bool,
    /// Whether its pages are shown to nobody without a credential.
    pub requires_credential: bool,
    /// Where it says who the caller is, below its interface.
    who: &'static str,
    /// The field of that answer with the caller.
    pub caller: &'static str,
}

/// All of them, in the order of lists.
pub const ALL: [Known; 7] = [
    of(CredentialProvider::Github, "GitHub", "https://api.github.com", "/user", "login"),
    of(CredentialProvider::Gitlab, "GitLab", "https://gitlab.com", "/api/v4/user", "username"),
    of(CredentialProvider::Gitea, "Gitea", "", "/api/v1/user", "login"),
    cloud(
        CredentialProvider::GoogleDrive,
        "Google Drive",
        "https://www.googleapis.com",
        "/drive/v3/about?fields=user",
        "user",
    ),
    cloud(
        CredentialProvider::Dropbox,
        "Dropbox",
        "https://api.dropboxapi.com",
        "/2/users/get_current_account",
        "account_id",
    ),
    cloud(CredentialProvider::Box, "Box", "https://api.box.com", "/2.0/users/me", "id"),
    cloud(CredentialProvider::Onedrive, "OneDrive", "https://graph.microsoft.com", "/v1.0/me/drive", "id"),
];

const fn of(
    provider: CredentialProvider,
    name: &'static str,
    home: &'static str,
    who: &'static str,
    caller: &'static str,
) -> Known {
    Known { provider, name, home, is_self_hosted: true, requires_credential: false, who, caller }
}

const fn cloud(
    provider: CredentialProvider,
    name: &'static str,
    home: &'static str,
    who: &'static str,
    caller: &'static str,
) -> Known {
    Known { provider, name, home, is_self_hosted: false, requires_credential: true, who, caller }
}

/// What is known of a provider.
pub fn known(provider: CredentialProvider) -> &'static Known {
    ALL.iter().find(|known| known.provider == provider).unwrap_or(&ALL[0])
}

impl Known {
    /// The method and the address that say who the caller is.
    pub fn probe(&self, base_url: &str) -> (Method, String) {
        let method = match self.provider {
            CredentialProvider::Dropbox => Method::POST,
            _ => Method::GET,
        };
        (method, format!("{}{}", self.interface(base_url), self.who))
    }

    /// Where the interface of the provider begins.
    pub fn interface(&self, base_url: &str) -> String {
        match (base_url, self.provider) {
            ("", _) => self.home.to_owned(),
            // A GitHub that somebody runs has its interface below its pages.
            (base, CredentialProvider::Github) => format!("{}/api/v3", base.trim_end_matches('/')),
            (base, _) => base.trim_end_matches('/').to_owned(),
        }
    }

    /// The headers that show a secret. `None` for a secret that no header can hold.
    pub fn headers(&self, secret: &str) -> Option<HeaderMap> {
        let (name, value) = match self.provider {
            CredentialProvider::Gitlab => (HeaderName::from_static("private-token"), secret.to_owned()),
            CredentialProvider::Gitea => (http::header::AUTHORIZATION, format!("token {secret}")),
            _ => (http::header::AUTHORIZATION, format!("Bearer {secret}")),
        };
        let mut value = HeaderValue::from_str(&value).ok()?;
        value.set_sensitive(true);
        let agent = HeaderValue::from_static("planwright");
        let accept = HeaderValue::from_static("application/json");
        let more = [(http::header::USER_AGENT, agent), (http::header::ACCEPT, accept)];
        Some(HeaderMap::from_iter(more.into_iter().chain([(name, value)])))
    }
}

#[cfg(test)]
mod tests {
    use planwright_domain::words::Word;

    use super::*;

    #[test]
    fn every_provider_is_known() {
        for provider in CredentialProvider::ALL {
            assert_eq!(known(*provider).provider, *provider);
        }
    }

    #[test]
    fn a_provider_is_asked_who_the_caller_is() {
        let probe = |provider, base| known(provider).probe(base).1;
        assert_eq!(probe(CredentialProvider::Github, ""), "https://api.github.com/user");
        assert_eq!(probe(CredentialProvider::Github, "https://git.x.org/"), "https://git.x.org/api/v3/user");
        assert_eq!(probe(CredentialProvider::Gitlab, "https://x.org/lab"), "https://x.org/lab/api/v4/user");
        assert_eq!(known(CredentialProvider::Dropbox).probe("").0, Method::POST);
    }

    #[test]
    fn a_secret_that_is_no_header_is_no_secret() {
        assert!(known(CredentialProvider::Github).headers("a\nb").is_none());
        let headers = known(CredentialProvider::Gitlab).headers("glpat").unwrap();
        assert_eq!(headers["private-token"], "glpat");
        assert!(!format!("{headers:?}").contains("glpat"), "it is not written to logs");
    }
}
