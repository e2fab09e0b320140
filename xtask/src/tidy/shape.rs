//! Checks the form of a file: its name says what it contains, it begins with a description, and it is not too long.

use super::Violation;
use super::source::Source;

const LONGEST: usize = 500;
const HEADER_LINES: usize = 6;
const HEADER_SENTENCES: usize = 3;
const NAMES_THAT_SAY_NOTHING: [&str; 4] = ["utils", "helpers", "common", "manager"];

/// A Rust file or one of its folders that is named after nothing.
pub(crate) fn check_name(path: &str) -> Option<Violation> {
    let stem = path.strip_suffix(".rs")?;
    let name = stem.split('/').find(|part| NAMES_THAT_SAY_NOTHING.contains(part))?;
    let message = format!("`{name}` says nothing about what is inside: name it after what it holds");
    Some(Violation::new(path, 1, message))
}

/// The header, the length and the inline modules of a file.
pub(crate) fn check(source: &Source) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut report = |line, message: String| violations.push(Violation::new(&source.path, line, message));
    if let Some(message) = header_fault(&source.text) {
        report(1, message);
    }
    let lines = source.text.lines().count();
    if lines > LONGEST {
        report(
            LONGEST + 1,
            format!("the file has {lines} lines, {LONGEST} at most: split it by what it holds"),
        );
    }
    for name in NAMES_THAT_SAY_NOTHING {
        let inline = format!("mod {name} {{");
        for (at, _) in source.code.match_indices(&inline) {
            let line = source.line_of(at);
            report(line, format!("`{name}` says nothing about what is inside: name it after what it holds"));
        }
    }
    violations
}

fn header_fault(text: &str) -> Option<String> {
    let header: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("//!")).collect();
    if header.iter().all(|line| line.trim().is_empty()) {
        return Some("begin the file with `//!`: what it is and what it is not".to_owned());
    }
    if header.len() > HEADER_LINES {
        let length = header.len();
        return Some(format!("the `//!` has {length} lines, {HEADER_LINES} at most: say less"));
    }
    let sentences = sentences(&header.join(" "));
    (sentences > HEADER_SENTENCES)
        .then(|| format!("the `//!` has {sentences} sentences, {HEADER_SENTENCES} at most: say less"))
}

/// A sentence ends at `.`, `!` or `?` before a space that no lower-case letter follows.
fn sentences(text: &str) -> usize {
    let text = text.trim().replace("e.g.", "").replace("i.e.", "");
    let inner = text.match_indices(". ").chain(text.match_indices("! ")).chain(text.match_indices("? "));
    let ends = inner.filter(|(at, end)| !text[at + end.len()..].trim_start().starts_with(char::is_lowercase));
    ends.count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_sentences_and_not_every_full_stop() {
        assert_eq!(sentences("Reads `a.rs`, e.g. version 1.2, etc. and more"), 1);
        assert_eq!(sentences(" One. Two! Is `it` three? "), 3);
    }

    #[test]
    fn a_file_says_what_it_is() {
        assert_eq!(header_fault("//! What it is.\nmod a;"), None);
        assert!(header_fault("mod a;").unwrap().contains("begin the file"));
        assert!(header_fault("//!\n").unwrap().contains("begin the file"));
        assert!(header_fault("//! A. B. C. D.\n").unwrap().contains("4 sentences"));
        assert!(header_fault(&"//! word\n".repeat(7)).unwrap().contains("7 lines"));
    }

    #[test]
    fn empty_names_are_refused_in_files_folders_and_modules() {
        assert!(check_name("crates/web/src/utils.rs").is_some());
        assert!(check_name("crates/common/src/lib.rs").is_some());
        assert!(check_name("crates/web/src/commonly.rs").is_none());
        assert!(check_name("docs/common/a.md").is_none());
        assert_eq!(check(&Source::new("a.rs", "//! A.\nmod helpers {\n}\n")).len(), 1);
    }

    #[test]
    fn a_long_file_is_refused() {
        let text = format!("//! A.\n{}", "\n".repeat(LONGEST));
        assert_eq!(check(&Source::new("a.rs", text))[0].line, LONGEST + 1);
    }
}
