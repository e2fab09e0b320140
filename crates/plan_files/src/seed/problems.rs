//! The list of everything wrong with a document, each entry a JSON path and a message. It decides nothing about
//! what counts as wrong.

use std::fmt::Display;

/// After this many entries the rest is only counted: a hostile document must not answer with megabytes.
const MAX_LISTED: usize = 1_000;

/// The problems found so far.
#[derive(Debug, Default, Clone)]
pub(crate) struct Problems {
    listed: Vec<String>,
    unlisted: usize,
}

impl Problems {
    /// Notes a problem of the value at `path`.
    pub(crate) fn add(&mut self, path: &str, message: impl Display) {
        if self.listed.len() < MAX_LISTED {
            self.listed.push(format!("{path}: {message}"));
        } else {
            self.unlisted += 1;
        }
    }

    /// Whether nothing was found.
    pub(crate) fn is_empty(&self) -> bool {
        self.listed.is_empty()
    }

    /// The entries in the order of discovery, with a last one that counts what was left out.
    pub(crate) fn into_list(self) -> Vec<String> {
        let mut list = self.listed;
        if self.unlisted > 0 {
            list.push(format!("$: {} more problems are not listed", self.unlisted));
        }
        list
    }
}

/// The path of a key below `parent`. Keys that do not read like a name are quoted, and cut when they are long.
pub(crate) fn child(parent: &str, key: &str) -> String {
    let plain =
        !key.is_empty() && key.len() <= 60 && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if plain {
        format!("{parent}.{key}")
    } else {
        let shown: String = key.chars().take(60).collect();
        format!("{parent}[{shown:?}]")
    }
}

/// A text as it is quoted in a message: cut when it is long.
pub(crate) fn quoted(text: &str) -> String {
    let shown: String = text.chars().take(80).collect();
    if shown.len() < text.len() { format!("{shown:?}…") } else { format!("{shown:?}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_problems_is_counted_instead_of_listed() {
        let mut problems = Problems::default();
        for index in 0..1_500 {
            problems.add("$", index);
        }
        let list = problems.into_list();
        assert_eq!(list.len(), 1_001);
        assert_eq!(list[1_000], "$: 500 more problems are not listed");
    }

    #[test]
    fn odd_keys_are_quoted_in_paths() {
        assert_eq!(child("$.a", "b_1"), "$.a.b_1");
        assert_eq!(child("$.a", "b c"), "$.a[\"b c\"]");
        assert!(child("$", &"x".repeat(10_000)).len() < 80);
    }
}
