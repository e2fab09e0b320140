//! Which addresses of other places are taken: pages of the web, with a host and without a sign-in.
//! Whether a page may be read by this server is decided by the egress.

use url::Url;

/// Why an address is not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It is no address, or it has no host.
    Unreadable,
    /// It is not one of http or https.
    OtherScheme,
    /// It has a user name or a password.
    SignIn,
}

/// The address of a page. The parser would take `http:///x` for the host `x`, so the text itself must name a host.
///
/// # Errors
/// Why it is not taken.
pub fn page(text: &str) -> Result<Url, Refusal> {
    let url = Url::parse(text).map_err(|_| Refusal::Unreadable)?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(Refusal::OtherScheme);
    }
    let names_a_host =
        text.split_once("://").is_some_and(|(_, rest)| !rest.starts_with(['/', '\\', '?', '#']));
    if !url.has_host() || !names_a_host {
        return Err(Refusal::Unreadable);
    }
    match url.username().is_empty() && url.password().is_none() {
        true => Ok(url),
        false => Err(Refusal::SignIn),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_host_of_its_own() {
        assert!(page("https://example.org/a?b#c").is_ok());
        for text in
            ["http:///x", "http://\\x", "http:x", "https:/x/y", "http://", "plan", "https://?x", "http:////x"]
        {
            assert_eq!(page(text).unwrap_err(), Refusal::Unreadable, "{text}");
        }
        assert_eq!(page("ftp://example.org/").unwrap_err(), Refusal::OtherScheme);
        assert_eq!(page("javascript:alert(1)").unwrap_err(), Refusal::OtherScheme);
        assert_eq!(page("http://a:b@c/").unwrap_err(), Refusal::SignIn);
    }
}
