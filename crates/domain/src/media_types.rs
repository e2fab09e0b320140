//! Allow-lists of media types: how an entry is written down, and what no list may hold at any scope.
//! Which list is in force somewhere is decided by whoever knows the scopes.

use std::fmt;

/// Types that a browser would run, so no allow-list may hold them.
const DENIED: [&str; 3] = ["application/xhtml+xml", "image/svg+xml", "text/html"];

/// A media type in its normal form: lower case, without parameters.
pub fn normal_form(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Whether no list may ever allow the type.
pub fn is_denied(media_type: &str) -> bool {
    DENIED.contains(&normal_form(media_type).as_str())
}

/// A list in its normal form, without what is denied everywhere: sorted, each type once.
pub fn normalize_list<T: AsRef<str>>(types: impl IntoIterator<Item = T>) -> Vec<String> {
    let mut list: Vec<String> = types.into_iter().map(|one| normal_form(one.as_ref())).collect();
    list.retain(|one| !is_denied(one));
    list.sort();
    list.dedup();
    list
}

/// Why an entry is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is not written as `type/subtype`.
    Malformed(String),
    /// It is never allowed.
    Denied(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Malformed(entry) => write!(f, "\"{entry}\" is not a media type, such as image/png."),
            Refusal::Denied(entry) => write!(f, "{entry} is never allowed, because browsers would run it."),
        }
    }
}

/// A whole allow-list as it is kept: in lower case, without parameters, sorted, each type once.
pub fn allow_list<'a>(entries: impl IntoIterator<Item = &'a str>) -> Result<Vec<String>, Refusal> {
    let mut types = entries.into_iter().map(normalised).collect::<Result<Vec<String>, Refusal>>()?;
    types.sort();
    types.dedup();
    Ok(types)
}

fn normalised(entry: &str) -> Result<String, Refusal> {
    let bare = normal_form(entry);
    let well_formed = bare.split_once('/').is_some_and(|(kind, subtype)| is_name(kind) && is_name(subtype));
    match well_formed {
        false => Err(Refusal::Malformed(entry.to_owned())),
        true if is_denied(&bare) => Err(Refusal::Denied(bare)),
        true => Ok(bare),
    }
}

/// A name as RFC 6838 restricts it; it knows no wildcard, so `image/*` cannot stand in a list and match nothing.
fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_kept_lower_case_bare_sorted_and_once() {
        let list = allow_list(["Text/CSV; charset=utf-8", "image/png", " text/csv "]);
        assert_eq!(list, Ok(vec!["image/png".to_owned(), "text/csv".to_owned()]));
        assert_eq!(allow_list([]), Ok(Vec::new()));
    }

    #[test]
    fn what_a_browser_would_run_is_refused_however_it_is_written() {
        for entry in ["text/html", "TEXT/HTML;charset=x", "image/svg+xml", "application/xhtml+xml"] {
            assert!(matches!(allow_list([entry]), Err(Refusal::Denied(_))), "{entry}");
        }
    }

    #[test]
    fn a_list_loses_what_is_denied_and_is_brought_into_its_normal_form() {
        let list = normalize_list(["Image/PNG; q=1", "text/HTML", "application/pdf", "image/png"]);
        assert_eq!(list, ["application/pdf", "image/png"]);
    }

    #[test]
    fn what_is_no_type_is_refused() {
        for entry in ["", "png", "image/", "/png", "image/*", "image/png/x", "imäge/png"] {
            assert!(matches!(allow_list([entry]), Err(Refusal::Malformed(_))), "{entry}");
        }
    }
}
