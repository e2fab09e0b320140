//! Whether a forge knows the secret: GitHub and Gitea sign the bytes of the body, GitLab sends the secret itself. Both are
//! compared in constant time.

use planwright_domain::words::GitProvider;
use planwright_web::SignedBody;
use ring::hmac;

/// The forge that a request says it comes from. Gitea also sends the headers of GitHub, so it is asked first.
pub fn provider(body: &SignedBody) -> Option<GitProvider> {
    let has = |name: &str| body.headers.contains_key(name);
    if has("x-gitea-event") {
        return Some(GitProvider::Gitea);
    }
    if has("x-github-event") {
        return Some(GitProvider::Github);
    }
    has("x-gitlab-event").then_some(GitProvider::Gitlab)
}

/// The name of the event.
pub fn event(body: &SignedBody, provider: GitProvider) -> &str {
    body.header(match provider {
        GitProvider::Gitea => "x-gitea-event",
        GitProvider::Github => "x-github-event",
        GitProvider::Gitlab => "x-gitlab-event",
    })
}

/// Whether the request was made with the secret.
pub fn is_good(body: &SignedBody, provider: GitProvider, secret: &[u8]) -> bool {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret);
    let signed = |hex: &str| unhex(hex).is_some_and(|tag| hmac::verify(&key, &body.bytes, &tag).is_ok());
    let hub = || body.header("x-hub-signature-256").strip_prefix("sha256=").is_some_and(signed);
    match provider {
        GitProvider::Github => hub(),
        GitProvider::Gitea => signed(body.header("x-gitea-signature")) || hub(),
        GitProvider::Gitlab => {
            // The tags have one length, whatever was sent.
            let expected = hmac::sign(&key, secret);
            hmac::verify(&key, body.header("x-gitlab-token").as_bytes(), expected.as_ref()).is_ok()
        }
    }
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    if digits.len() != 64 || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    digits.chunks(2).map(byte).collect()
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::{HeaderMap, HeaderName, HeaderValue};

    use super::*;

    /// The example of GitHub's page on webhooks.
    const EXAMPLE: &str = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    const SECRET: &[u8] = b"It's a Secret to Everybody";

    fn sent(headers: &[(&'static str, &str)], text: &'static str) -> SignedBody {
        let pairs = headers
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap()));
        SignedBody { headers: HeaderMap::from_iter(pairs), bytes: Bytes::from_static(text.as_bytes()) }
    }

    #[test]
    fn a_signature_is_about_every_byte() {
        let good =
            |text| is_good(&sent(&[("x-hub-signature-256", EXAMPLE)], text), GitProvider::Github, SECRET);
        assert!(good("Hello, World!"));
        assert!(!good("Hello, World! "));
        for wrong in ["", "sha256=", "sha1=75", &EXAMPLE[7..], &EXAMPLE[..70], &EXAMPLE.replace('7', "g")] {
            let sent = sent(&[("x-hub-signature-256", wrong)], "Hello, World!");
            assert!(!is_good(&sent, GitProvider::Github, SECRET), "{wrong}");
        }
        let gitea = sent(&[("x-gitea-signature", &EXAMPLE[7..])], "Hello, World!");
        assert!(is_good(&gitea, GitProvider::Gitea, SECRET));
        assert!(!is_good(&gitea, GitProvider::Github, SECRET));
    }

    #[test]
    fn the_token_of_gitlab_is_the_secret_itself() {
        let good =
            |token: &str| is_good(&sent(&[("x-gitlab-token", token)], "x"), GitProvider::Gitlab, b"geheim");
        assert!(good("geheim"));
        for wrong in ["", "gehei", "geheim ", "GEHEIM"] {
            assert!(!good(wrong), "{wrong}");
        }
        assert!(!is_good(&sent(&[], "x"), GitProvider::Gitlab, b"geheim"));
    }

    #[test]
    fn a_forge_is_known_by_its_header() {
        let both = sent(&[("x-gitea-event", "pull_request"), ("x-github-event", "pull_request")], "");
        assert_eq!(provider(&both), Some(GitProvider::Gitea));
        assert_eq!(provider(&sent(&[("x-gitlab-event", "Push Hook")], "")), Some(GitProvider::Gitlab));
        assert_eq!(provider(&sent(&[("x-hub-signature-256", EXAMPLE)], "")), None);
    }
}
