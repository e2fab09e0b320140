//! How the page behind a link is understood: whether it is one, its encoding, its title as one line, and how far the work
//! is that it shows. Pure; `refresh.rs` gets the page, and `markup.rs` finds title and badge.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use planwright_domain::words::{LinkProvider, LinkStatus};

/// The longest title that is kept, in characters.
const LONGEST_TITLE: usize = 512;

/// So many bytes are looked at for the name of an encoding.
const META_BYTES: usize = 1024;

/// Whether an answer of this kind is a page with a title.
pub fn is_page(media_type: &str) -> bool {
    let kind = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    matches!(kind.as_str(), "text/html" | "application/xhtml+xml")
}

/// Whether a refusal means that the provider shows the page only to people whom it knows. A provider answers 404 for
/// what is private, or sends a browser to its sign-in page. Of other sites nothing is known.
pub fn needs_credential(provider: LinkProvider, answered: u16) -> bool {
    provider != LinkProvider::Generic && matches!(answered, 401 | 403 | 404 | 302 | 303 | 307)
}

/// The text of a page in the encoding that its answer or a `meta` at its beginning names; UTF-8 if neither does. A mark at its
/// very beginning goes before both.
pub fn text(media_type: &str, content: &[u8]) -> String {
    let named =
        charset(&media_type.to_ascii_lowercase()).and_then(|label| Encoding::for_label(label.as_bytes()));
    let encoding = named.or_else(|| said(content)).unwrap_or(UTF_8);
    encoding.decode(content).0.replace('\0', "\u{fffd}")
}

/// The encoding that a `meta` names in the part of a page where it may (WHATWG HTML, 13.2.3.2).
fn said(content: &[u8]) -> Option<&'static Encoding> {
    let beginning = String::from_utf8_lossy(&content[..content.len().min(META_BYTES)]).to_ascii_lowercase();
    let mut metas = beginning.split("<meta").skip(1).filter_map(|rest| charset(rest.split('>').next()?));
    let found = metas.find_map(|label| Encoding::for_label(label.as_bytes()))?;
    // Whoever could read the word had no text of two bytes for each letter.
    Some(if found == UTF_16LE || found == UTF_16BE { UTF_8 } else { found })
}

/// What stands behind `charset=`.
fn charset(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("charset")?;
    let rest = rest.trim_start().strip_prefix('=')?.trim_start().trim_start_matches(['"', '\'']);
    let end = rest.find(|one: char| matches!(one, '"' | '\'' | ';' | '/') || one.is_whitespace());
    Some(&rest[..end.unwrap_or(rest.len())]).filter(|label| !label.is_empty())
}

/// A title as plain text on one line.
pub fn plain(title: &str) -> String {
    let words: Vec<&str> = title.split_whitespace().collect();
    words.join(" ").chars().filter(|one| !one.is_control()).take(LONGEST_TITLE).collect()
}

/// How far the work is that a page of this provider shows. GitHub marks it with a badge; what is not marked is unknown.
pub fn status(provider: LinkProvider, badge: Option<&str>) -> LinkStatus {
    match (provider, badge) {
        (LinkProvider::Github, Some("Open")) => LinkStatus::Open,
        (LinkProvider::Github, Some("Draft")) => LinkStatus::Draft,
        (LinkProvider::Github, Some("Merged")) => LinkStatus::Merged,
        (LinkProvider::Github, Some(text)) if text.starts_with("Closed") => LinkStatus::Closed,
        _ => LinkStatus::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_plain_text_on_one_line() {
        assert_eq!(plain("\n Pump &\tpipe\u{7} \n"), "Pump & pipe");
        assert_eq!(plain(""), "");
        assert_eq!(plain(&"x".repeat(600)).chars().count(), 512);
    }

    #[test]
    fn a_page_is_read_in_the_encoding_that_it_names() {
        assert_eq!(text("text/html; charset=ISO-8859-1", b"Br\xfccke"), "Brücke");
        let meta = [b"<META charset=\"windows-1251\">".as_slice(), b"\xcf\xeb\xe0\xed"].concat();
        assert!(text("text/html", &meta).ends_with("План"));
        let older = b"<meta http-equiv='Content-Type' content='text/html; charset=shift_jis'>\x8c\x76";
        assert!(text("text/html", older).ends_with("計"));
        assert_eq!(text("text/html; charset=nonsense", "é".as_bytes()), "é");
        assert_eq!(text("text/html; charset=latin1", b"\xef\xbb\xbf\xc3\xa9"), "é", "a mark goes first");
        assert!(text("text/html", b"<meta charset=utf-16>plain").ends_with("plain"));
    }

    #[test]
    fn a_state_is_that_of_the_badge_and_only_of_its_provider() {
        assert_eq!(status(LinkProvider::Github, Some("Merged")), LinkStatus::Merged);
        assert_eq!(status(LinkProvider::Github, Some("Closed as not planned")), LinkStatus::Closed);
        assert_eq!(status(LinkProvider::Github, Some("Blue")), LinkStatus::Unknown);
        assert_eq!(status(LinkProvider::Generic, Some("Merged")), LinkStatus::Unknown);
        assert_eq!(status(LinkProvider::Github, None), LinkStatus::Unknown);
    }

    #[test]
    fn only_known_providers_ask_for_credentials() {
        assert!(needs_credential(LinkProvider::GoogleDrive, 302));
        assert!(needs_credential(LinkProvider::Github, 404));
        assert!(!needs_credential(LinkProvider::Generic, 401));
        assert!(!needs_credential(LinkProvider::Github, 500));
    }

    #[test]
    fn other_files_have_no_title() {
        assert!(is_page("Text/HTML; charset=utf-8"));
        assert!(!is_page("application/pdf"));
        assert!(!is_page(""));
    }
}
