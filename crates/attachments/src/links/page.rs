//! What the page behind a link says about itself: its title, and how far the work is that it shows. Pure;
//! `refresh.rs` reads the page.

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

/// The title of a page as plain text, without line breaks; blank if it has none.
pub fn title(page: &str) -> String {
    let page = &without_hidden(page);
    // Upper case has as many bytes as lower case here, so that places in one are places in the other.
    let lower = page.to_ascii_lowercase();
    let inner = || {
        let begin = opening(&lower, "<title")?;
        let end = begin + lower[begin..].find("</title")?;
        Some(&page[begin..end])
    };
    let text = plain(inner().unwrap_or_default());
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().filter(|one| !one.is_control()).take(LONGEST_TITLE).collect()
}

/// How far the work is that a page of this provider shows. GitHub marks it with the title of a badge; what is not marked is
/// unknown.
pub fn status(provider: LinkProvider, page: &str) -> LinkStatus {
    let mark = "title=\"Status: ";
    let marked = page.find(mark).and_then(|at| page[at + mark.len()..].split('"').next());
    match (provider, marked) {
        (LinkProvider::Github, Some("Open")) => LinkStatus::Open,
        (LinkProvider::Github, Some("Draft")) => LinkStatus::Draft,
        (LinkProvider::Github, Some("Merged")) => LinkStatus::Merged,
        (LinkProvider::Github, Some(text)) if text.starts_with("Closed") => LinkStatus::Closed,
        _ => LinkStatus::Unknown,
    }
}

/// A page without what is not part of its text: comments, scripts and styles.
fn without_hidden(page: &str) -> String {
    const HIDDEN: [(&str, &str); 3] = [("<!--", "-->"), ("<script", "</script"), ("<style", "</style")];
    let lower = page.to_ascii_lowercase();
    let mut shown = String::with_capacity(page.len());
    let mut at = 0;
    while let Some(found) = lower[at..].find('<') {
        let begin = at + found;
        let hidden = HIDDEN.iter().find(|(tag, _)| lower[begin..].starts_with(tag));
        let Some((_, end)) = hidden else {
            shown.push_str(&page[at..=begin]);
            at = begin + 1;
            continue;
        };
        shown.push_str(&page[at..begin]);
        match lower[begin..].find(end) {
            Some(length) => at = begin + length + end.len(),
            None => return shown,
        }
    }
    shown + &page[at..]
}

/// The place behind the first tag of this name.
fn opening(lower: &str, tag: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let name_end = from + lower[from..].find(tag)? + tag.len();
        if lower[name_end..].starts_with(|next: char| next == '>' || next.is_whitespace()) {
            return Some(name_end + lower[name_end..].find('>')? + 1);
        }
        from = name_end;
    }
}

/// A text with its character references resolved. An unknown one stays as it is.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let reference = rest.find(';').filter(|end| *end <= 10).map(|end| &rest[1..end]);
        match reference.and_then(|name| Some((name, character(name)?))) {
            Some((name, one)) => {
                out.push(one);
                rest = &rest[name.len() + 2..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out + rest
}

fn character(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => number.parse().ok()?,
        };
        return char::from_u32(code);
    }
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => ' ',
        "middot" => '·',
        "ndash" => '–',
        "mdash" => '—',
        "hellip" => '…',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_plain_text_on_one_line() {
        assert_eq!(
            title("<html><TITLE lang=en>\n Pump &amp; pipe &#8211; &#x50;lan\n</TITLE>"),
            "Pump & pipe – Plan"
        );
        assert_eq!(title("<titles>no</titles><title>yes</title>"), "yes");
        assert_eq!(title("<title>a &unknown; & b"), "", "it does not end");
        assert_eq!(title("<title>a &unknown; & b</title>"), "a &unknown; & b");
        assert_eq!(title("Straße <title>İ &é;</title>"), "İ &é;", "letters of several bytes");
        assert_eq!(
            title("<!-- <title>no</title> --><script>'<title>no</title>'</script><title>yes</title>"),
            "yes"
        );
        assert_eq!(title("<title>yes</title><!-- open"), "yes");
        assert_eq!(title(""), "");
        assert_eq!(title(&format!("<title>{}</title>", "x".repeat(600))).chars().count(), 512);
    }

    #[test]
    fn a_page_is_read_in_the_encoding_that_it_names() {
        let latin = b"<title>Br\xfccke</title>";
        assert_eq!(title(&text("text/html; charset=ISO-8859-1", latin)), "Brücke");
        let meta = [b"<head><META charset=\"windows-1251\">".as_slice(), b"<title>\xcf\xeb\xe0\xed</title>"]
            .concat();
        assert_eq!(title(&text("text/html", &meta)), "План");
        let older =
            b"<meta http-equiv='Content-Type' content='text/html; charset=shift_jis'><title>\x8c\x76</title>";
        assert_eq!(title(&text("text/html", older)), "計");
        assert_eq!(title(&text("text/html; charset=nonsense", "<title>é</title>".as_bytes())), "é");
        assert_eq!(
            title(&text("text/html; charset=latin1", b"\xef\xbb\xbf<title>\xc3\xa9</title>")),
            "é",
            "a mark goes first"
        );
        assert_eq!(title(&text("text/html", b"<meta charset=utf-16><title>plain</title>")), "plain");
    }

    #[test]
    fn a_state_is_that_of_the_badge_and_only_of_its_provider() {
        let page = "<span title=\"Status: Merged\" class=\"State\">Merged</span>";
        assert_eq!(status(LinkProvider::Github, page), LinkStatus::Merged);
        assert_eq!(status(LinkProvider::Generic, page), LinkStatus::Unknown);
        assert_eq!(status(LinkProvider::Github, "<p>Status: Merged</p>"), LinkStatus::Unknown);
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
