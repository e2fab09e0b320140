//! Finds text that must not be committed: merge markers, notes to do later, blanks at the ends of lines, and paths of
//! one machine. Assets of others are not checked.

use super::Violation;

const VENDORED: &str = "crates/server/assets/swagger/";
const MERGE_MARKERS: [&str; 3] = ["<<<<<<< ", "||||||| ", ">>>>>>> "];
// Written in two parts, so that this file does not break the rule it states.
const LATER: [&str; 2] = [concat!("TO", "DO"), concat!("FIX", "ME")];
const LOCAL_ROOTS: [&str; 2] = [concat!("/wo", "rk/"), concat!("/ro", "ot/")];

/// The lines of a file that should not be there.
pub(crate) fn check(path: &str, content: &str) -> Vec<Violation> {
    if path.starts_with(VENDORED) && !path.ends_with(".md") {
        return Vec::new();
    }
    let mut violations = Vec::new();
    for (index, line) in content.lines().enumerate() {
        let mut report = |message: &str| violations.push(Violation::new(path, index + 1, message.to_owned()));
        if MERGE_MARKERS.iter().any(|marker| line.starts_with(marker)) {
            report("a merge marker: finish the merge");
        }
        if has_prose(path) && LATER.iter().any(|word| contains_whole_word(line, word)) {
            report("a note to do it later: do it, or file it where work is planned");
        }
        if (path.ends_with(".rs") || path.ends_with(".md")) && line.ends_with([' ', '\t']) {
            report("blanks at the end of the line: remove them");
        }
        if LOCAL_ROOTS.iter().any(|root| contains_path(line, root)) {
            report("a path of one machine: write it relative to the repository");
        }
    }
    violations
}

/// Data may hold any word that a person once typed into a plan.
fn has_prose(path: &str) -> bool {
    [".rs", ".md", ".toml", ".sql", ".yml", ".yaml", ".sh"].iter().any(|ending| path.ends_with(ending))
        || path.starts_with(".ci/")
}

fn contains_whole_word(line: &str, word: &str) -> bool {
    line.match_indices(word)
        .any(|(at, _)| !line[..at].ends_with(is_word) && !line[at + word.len()..].starts_with(is_word))
}

/// The path begins there: it is not the inside of a longer path or address.
fn contains_path(line: &str, root: &str) -> bool {
    line.match_indices(root).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|letter| is_word(letter) || matches!(letter, '.' | '-' | '~' | '}' | '*'))
    })
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, content: &str) -> Vec<usize> {
        check(path, content).into_iter().map(|violation| violation.line).collect()
    }

    #[test]
    fn refuses_merge_markers_but_not_headings() {
        assert_eq!(found("a.md", "Title\n=======\n>>>>>>> theirs\n"), [3]);
    }

    #[test]
    fn refuses_notes_to_do_later_in_prose_and_code_only() {
        let note = format!("// {}: later\n{}LIST\n", LATER[0], LATER[0]);
        assert_eq!(found("a.rs", &note), [1]);
        assert!(found("samples/a.json", &note).is_empty());
        assert!(found("crates/server/assets/swagger/a.js", &note).is_empty());
    }

    #[test]
    fn refuses_trailing_blanks() {
        assert_eq!(found("a.md", "one \ntwo\n\t\n"), [1, 3]);
        assert!(found("a.csv", "one \n").is_empty());
    }

    #[test]
    fn refuses_paths_of_one_machine() {
        let root = LOCAL_ROOTS[0];
        assert_eq!(found("a.rs", &format!("open(\"{root}a\")\n/api{root}a\n./x{root}\n{root}b\n")), [1, 4]);
    }
}
