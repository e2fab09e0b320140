//! Settings of accounts, read once at the start: the refresh cookie, lifetimes, the cap of personal tokens.
//! Every setting is listed with its default by the composition root too; rate limits are in the web crate.

use anyhow::{Context, bail, ensure};
use chrono::Duration;

/// When a browser sends the refresh cookie along with requests that another site caused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SameSite {
    /// Never.
    Strict,
    /// When somebody follows a link.
    Lax,
    /// Always.
    None,
}

impl SameSite {
    /// The spelling in the cookie.
    pub const fn as_str(self) -> &'static str {
        match self {
            SameSite::Strict => "Strict",
            SameSite::Lax => "Lax",
            SameSite::None => "None",
        }
    }
}

/// What the refresh cookie looks like.
#[derive(Clone, Debug)]
pub struct CookieSettings {
    /// `SVC_AUTH_REFRESH_COOKIE_NAME`; unset: the identifier prefix and `_refresh`.
    pub name: String,
    /// `SVC_AUTH_REFRESH_COOKIE_PATH`.
    pub path: String,
    /// `SVC_AUTH_REFRESH_COOKIE_SAMESITE`.
    pub same_site: SameSite,
    /// `SVC_AUTH_REFRESH_COOKIE_SECURE`.
    pub secure: bool,
}

/// The settings of this area.
#[derive(Clone, Debug)]
pub struct AccountSettings {
    /// What the refresh cookie looks like.
    pub cookie: CookieSettings,
    /// `SVC_REFRESH_TOKEN_REMEMBER_DAYS`: how long a remembered sign-in lasts after its last use.
    pub remembered: Duration,
    /// `SVC_REFRESH_TOKEN_SESSION_HOURS`: how long any other sign-in lasts after its last use.
    pub unremembered: Duration,
    /// `SVC_SESSION_MAX_DAYS`: how long any sign-in lasts at most, however much it is used.
    pub longest_session: Duration,
    /// `SVC_PASSWORD_RESET_TIMEOUT`: how long a reset link is good.
    pub reset_link: Duration,
    /// `SVC_MAX_PERSONAL_ACCESS_TOKENS`: active personal tokens a person may have.
    pub most_personal_tokens: i64,
    /// What links into the client begin with: `SVC_FRONTEND_BASE_URL`, else `SVC_PUBLIC_URL`, else the address that is
    /// listened on. Never the host of a request, or anybody could have a victim's reset link point at a site of theirs.
    pub frontend_url: String,
}

impl AccountSettings {
    /// Reads the settings; one that is unset or empty has its default, a wrong one is an error that names it.
    pub fn from_settings(setting: impl Fn(&str) -> Option<String>) -> anyhow::Result<Self> {
        let text = |name: &str, default: &str| -> String {
            let given = setting(name).map(|value| value.trim().to_owned());
            given.filter(|value| !value.is_empty()).unwrap_or_else(|| default.to_owned())
        };
        let whole = |name: &str, default: &str, most: i64| -> anyhow::Result<i64> {
            let value = text(name, default);
            let number = value.parse::<i64>().ok().filter(|number| (1..=most).contains(number));
            number.with_context(|| format!("{name}: {value:?} is not a whole number from 1 to {most}"))
        };
        Ok(Self {
            cookie: cookie(&text)?,
            remembered: Duration::days(whole("SVC_REFRESH_TOKEN_REMEMBER_DAYS", "30", 3650)?),
            unremembered: Duration::hours(whole("SVC_REFRESH_TOKEN_SESSION_HOURS", "12", 87_600)?),
            longest_session: Duration::days(whole("SVC_SESSION_MAX_DAYS", "90", 3650)?),
            reset_link: Duration::seconds(whole("SVC_PASSWORD_RESET_TIMEOUT", "1800", 604_800)?),
            most_personal_tokens: whole("SVC_MAX_PERSONAL_ACCESS_TOKENS", "10", 100_000)?,
            frontend_url: frontend_url(&text)?,
        })
    }
}

fn cookie(text: &impl Fn(&str, &str) -> String) -> anyhow::Result<CookieSettings> {
    let prefix = text("SVC_IDENTIFIER_PREFIX", "svc");
    let name = text("SVC_AUTH_REFRESH_COOKIE_NAME", &format!("{prefix}_refresh"));
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    ensure!(
        name.bytes().all(plain),
        "SVC_AUTH_REFRESH_COOKIE_NAME: {name:?} has characters that a cookie name may not have"
    );
    let path = text("SVC_AUTH_REFRESH_COOKIE_PATH", "/api/v1/auth/token/refresh/");
    let whole_path = path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b';');
    ensure!(
        path.starts_with('/') && whole_path,
        "SVC_AUTH_REFRESH_COOKIE_PATH: {path:?} is not a path; write it like /api/v1/auth/token/refresh/"
    );
    let same_site = match text("SVC_AUTH_REFRESH_COOKIE_SAMESITE", "Strict").to_ascii_lowercase().as_str() {
        "strict" => SameSite::Strict,
        "lax" => SameSite::Lax,
        "none" => SameSite::None,
        other => bail!("SVC_AUTH_REFRESH_COOKIE_SAMESITE: {other:?} is none of Strict, Lax and None"),
    };
    let secure = match text("SVC_AUTH_REFRESH_COOKIE_SECURE", "True").to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" | "on" => true,
        "false" | "0" | "no" | "off" => false,
        other => bail!("SVC_AUTH_REFRESH_COOKIE_SECURE: {other:?} is neither true nor false"),
    };
    ensure!(
        secure || same_site != SameSite::None,
        "SVC_AUTH_REFRESH_COOKIE_SAMESITE: None needs SVC_AUTH_REFRESH_COOKIE_SECURE=True, or browsers drop the cookie"
    );
    Ok(CookieSettings { name, path, same_site, secure })
}

fn frontend_url(text: &impl Fn(&str, &str) -> String) -> anyhow::Result<String> {
    for name in ["SVC_FRONTEND_BASE_URL", "SVC_PUBLIC_URL"] {
        let url = text(name, "");
        if url.is_empty() {
            continue;
        }
        let is_web = url.starts_with("https://") || url.starts_with("http://");
        ensure!(is_web, "{name}: {url:?} does not begin with https:// or http://");
        return Ok(url.trim_end_matches('/').to_owned());
    }
    Ok(format!("http://{}", text("SVC_LISTEN", "127.0.0.1:8080")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(given: &[(&str, &str)]) -> anyhow::Result<AccountSettings> {
        let find = |name: &str| given.iter().find(|(known, _)| *known == name);
        AccountSettings::from_settings(|name| find(name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn without_settings_the_defaults_of_the_contract_hold() {
        let settings = read(&[("SVC_AUTH_REFRESH_COOKIE_NAME", "")]).unwrap();
        assert_eq!(settings.cookie.name, "svc_refresh");
        assert_eq!(settings.cookie.path, "/api/v1/auth/token/refresh/");
        assert!(settings.cookie.secure);
        assert_eq!(settings.remembered, Duration::days(30));
        assert_eq!(settings.unremembered, Duration::hours(12));
        assert_eq!(settings.most_personal_tokens, 10);
        assert_eq!(settings.frontend_url, "http://127.0.0.1:8080");
    }

    #[test]
    fn the_prefix_names_the_cookie_and_the_client_has_its_own_address() {
        let settings = read(&[
            ("SVC_IDENTIFIER_PREFIX", "acme"),
            ("SVC_PUBLIC_URL", "https://api.example.test"),
            ("SVC_FRONTEND_BASE_URL", "https://plan.example.test/"),
        ]);
        let settings = settings.unwrap();
        assert_eq!(settings.cookie.name, "acme_refresh");
        assert_eq!(settings.frontend_url, "https://plan.example.test");
    }

    #[test]
    fn a_wrong_value_is_refused_by_name() {
        for (name, value) in [
            ("SVC_AUTH_REFRESH_COOKIE_NAME", "a b"),
            ("SVC_AUTH_REFRESH_COOKIE_PATH", "api; Domain=evil"),
            ("SVC_AUTH_REFRESH_COOKIE_SAMESITE", "Sometimes"),
            ("SVC_AUTH_REFRESH_COOKIE_SECURE", "maybe"),
            ("SVC_REFRESH_TOKEN_REMEMBER_DAYS", "0"),
            ("SVC_REFRESH_TOKEN_SESSION_HOURS", "soon"),
            ("SVC_SESSION_MAX_DAYS", "0"),
            ("SVC_PASSWORD_RESET_TIMEOUT", "-1"),
            ("SVC_MAX_PERSONAL_ACCESS_TOKENS", "1.5"),
            ("SVC_FRONTEND_BASE_URL", "plan.example.test"),
        ] {
            let error = read(&[(name, value)]).unwrap_err().to_string();
            assert!(error.contains(name), "{error}");
        }
        let across_sites =
            [("SVC_AUTH_REFRESH_COOKIE_SAMESITE", "None"), ("SVC_AUTH_REFRESH_COOKIE_SECURE", "false")];
        assert!(read(&across_sites).is_err());
    }
}
