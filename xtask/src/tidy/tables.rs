//! Finds which crate writes and reads which table, in the SQL and the records of each crate, and compares the writes with
//! `WRITERS`. Reads are always allowed. Tests and comments are ignored.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Violation;
use super::source::Source;

const WRITES: [&str; 3] = ["INSERT INTO", "UPDATE", "DELETE FROM"];
const READS: [&str; 2] = ["FROM", "JOIN"];
/// Functions that take the name of the table as their first argument.
const BULK_WRITES: [&str; 1] = [".update_rows("];
/// Declares a row with its table, which the crate then writes through `store`.
const RECORD: &str = "record! {";
const OWNERS: &str = "xtask/src/tidy/boundaries.rs";

/// A place in a crate that writes a table.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Write {
    name: String,
    table: String,
    file: String,
    line: usize,
}

/// A crate that reads a table.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Read {
    pub(crate) name: String,
    pub(crate) table: String,
}

/// What the statements of a file read.
pub(crate) fn reads(source: &Source) -> BTreeSet<Read> {
    let Some(name) = crate_of(&source.path) else { return BTreeSet::new() };
    let literals = literals(&source.code);
    let live = literals.iter().filter(|range| !source.is_test(source.line_of(range.start)));
    let texts: Vec<&str> = live.map(|range| &source.text[range.clone()]).collect();
    let is_table = |name: &str| super::boundaries::WRITERS.iter().any(|(table, _)| *table == name);
    let mut tables: BTreeSet<String> = BTreeSet::new();
    let mut has_open_name = false;
    for (_, target) in texts.iter().flat_map(|text| targets(text, &READS)) {
        match target {
            Target::Named(table) => drop(is_table(&table).then(|| tables.insert(table))),
            Target::Open => has_open_name = true,
        }
    }
    if has_open_name && name != "store" {
        // The rest of a statement, such as `labels l WHERE …`, begins with the name.
        let rests = texts.iter().filter(|text| is_table(text) || text.contains(" WHERE "));
        let names = rests.filter_map(|text| text.split(' ').next());
        tables.extend(names.filter(|name| is_table(name)).map(str::to_owned));
    }
    tables.into_iter().map(|table| Read { name: name.to_owned(), table }).collect()
}

/// What a file writes.
pub(crate) fn writes(source: &Source) -> Vec<Write> {
    let Some(name) = crate_of(&source.path) else { return Vec::new() };
    let literals = literals(&source.code);
    let text = |range: &Range<usize>| &source.text[range.clone()];
    let mut found: BTreeSet<(usize, String)> = BTreeSet::new();
    let mut has_open_name = false;
    for range in &literals {
        for (at, target) in targets(text(range), &WRITES) {
            match target {
                Target::Named(table) => drop(found.insert((range.start + at, table))),
                Target::Open => has_open_name = true,
            }
        }
    }
    for call in BULK_WRITES.iter().flat_map(|name| source.code.match_indices(name)) {
        let argument = call.0 + call.1.len();
        let start = argument + source.code[argument..].len() - source.code[argument..].trim_start().len() + 1;
        match literals.iter().find(|range| range.start == start) {
            Some(range) => drop(found.insert((start, text(range).to_owned()))),
            None => has_open_name = true,
        }
    }
    for (at, start) in source.code.match_indices(RECORD) {
        let header = source.code[at + start.len()..].split('{').next().unwrap_or_default();
        found.extend(header.rsplit_once(" in ").map(|(_, table)| (at, table.trim().to_owned())));
    }
    // The name is handed in, so every literal of the file that is the name of a table may be the one.
    if has_open_name && name != "store" {
        let names =
            literals.iter().filter(|range| super::boundaries::WRITERS.iter().any(|row| row.0 == text(range)));
        found.extend(names.map(|range| (range.start, text(range).to_owned())));
    }
    found
        .into_iter()
        .map(|(at, table)| (source.line_of(at), table))
        .filter(|(line, _)| !source.is_test(*line))
        .map(|(line, table)| Write { name: name.to_owned(), table, file: source.path.clone(), line })
        .collect()
}

/// Writes that no row allows, and rows that allow a write which does not happen.
pub(crate) fn check(writes: &[Write], writers: &[(&str, &[&str])]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for write in writes {
        let Write { name, table, .. } = write;
        let message = match writers.iter().find(|(name, _)| name == table) {
            None => {
                format!("`{name}` writes `{table}`, which has no row in WRITERS of {OWNERS}: add one")
            }
            Some((_, allowed)) if allowed.contains(&name.as_str()) => continue,
            Some((_, allowed)) => format!(
                "`{name}` writes `{table}`, which belongs to {}: use a command of that crate, or add `{name}` to WRITERS of {OWNERS} and say why in REASONS",
                allowed.join(", ")
            ),
        };
        violations.push(Violation::new(&write.file, write.line, message));
    }
    for (table, allowed) in writers {
        let is_made = |name: &&str| writes.iter().any(|write| write.name == *name && write.table == *table);
        for name in allowed.iter().filter(|name| !is_made(name)) {
            let message = format!("WRITERS allows `{name}` to write `{table}`, but it does not: remove it");
            violations.push(Violation::new(OWNERS, 1, message));
        }
    }
    violations
}

enum Target {
    Named(String),
    /// The name is put in when the program runs.
    Open,
}

/// The tables that follow some words of an SQL text, each with the offset of the word.
fn targets(sql: &str, words: &[&str]) -> Vec<(usize, Target)> {
    let words = words.iter().flat_map(|word| sql.match_indices(word));
    words
        .filter(|(at, _)| !sql[..*at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_'))
        .filter(|(at, word)| *word != "FROM" || !sql[..*at].trim_end().ends_with("DELETE"))
        .filter_map(|(at, word)| {
            let rest = sql[at + word.len()..].trim_start_matches([' ', '\n', '\\']);
            if rest.len() == sql.len() - at - word.len() {
                return None;
            }
            if rest.starts_with('{') {
                return Some((at, Target::Open));
            }
            let is_name =
                |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
            let name = &rest[..rest.find(|letter| !is_name(letter)).unwrap_or(rest.len())];
            // `DO UPDATE SET` and `FOR UPDATE` name no table.
            (!name.is_empty()).then(|| (at, Target::Named(name.to_owned())))
        })
        .collect()
}

/// The insides of the string literals: between quotes that were kept when literals were blanked.
fn literals(code: &str) -> Vec<Range<usize>> {
    let quotes: Vec<usize> = code.match_indices('"').map(|(at, _)| at).collect();
    quotes.chunks_exact(2).map(|pair| pair[0] + 1..pair[1]).collect()
}

fn crate_of(path: &str) -> Option<&str> {
    let (name, rest) = path.strip_prefix("crates/")?.split_once('/')?;
    (rest.starts_with("src/") && name != "testkit").then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Vec<(String, usize)> {
        let source = Source::new("crates/plan/src/queries.rs", text);
        writes(&source).into_iter().map(|write| (write.table, write.line)).collect()
    }

    fn only(table: &str, line: usize) -> Vec<(String, usize)> {
        vec![(table.to_owned(), line)]
    }

    #[test]
    fn a_record_of_a_table_is_written_and_one_of_none_is_not() {
        let declared =
            |header: &str| written(&format!("record! {{\n    pub struct Row{header} {{ id: i64 }}\n}}"));
        assert_eq!(declared(" in tasks"), only("tasks", 1));
        assert_eq!(declared(""), []);
    }

    #[test]
    fn each_verb_names_its_table() {
        assert_eq!(
            written("let a = \"INSERT INTO tasks (id)\n ON CONFLICT (id) DO UPDATE SET a = 1\";"),
            only("tasks", 1)
        );
        assert_eq!(written("let a = 1;\nlet b = \"UPDATE\n  task_runs SET a = 1\";"), only("task_runs", 2));
        assert_eq!(written("let a = r#\"DELETE FROM jobs\"#;"), only("jobs", 1));
    }

    #[test]
    fn comments_tests_and_reads_write_nothing() {
        assert!(
            written(
                "// INSERT INTO tasks\n/* \"UPDATE jobs\" */ let a = \"SELECT 1 FROM tasks FOR UPDATE\";"
            )
            .is_empty()
        );
        assert!(
            written("#[cfg(test)]\nmod tests {\n    const A: &str = \"DELETE FROM jobs\";\n}").is_empty()
        );
        assert!(writes(&Source::new("tests/api/a.rs", "let a = \"DELETE FROM jobs\";")).is_empty());
    }

    #[test]
    fn a_table_handed_to_a_bulk_write_counts() {
        assert_eq!(written("tx.update_rows(\"tasks\", \"id\", rows).await?;"), only("tasks", 1));
        assert_eq!(written("tx.update_rows(\n    \"tasks\", \"id\", rows)"), only("tasks", 2));
    }

    #[test]
    fn a_name_that_is_handed_in_counts_for_every_table_the_file_names() {
        let text = "const ALL: [&str; 2] = [\"labels\", \"no table\"];\nlet a = format!(\"UPDATE {table} SET a = 1\");";
        assert_eq!(written(text), only("labels", 1));
        assert_eq!(
            written("const ALL: &str = \"labels\";\ntx.update_rows(table, \"id\", rows)"),
            only("labels", 1)
        );
    }

    #[test]
    fn a_statement_reads_what_follows_from_and_join() {
        let text = "let a = \"SELECT 1 FROM tasks t LEFT JOIN labels l ON TRUE WHERE EXTRACT(DAY FROM now)\";
            let b = \"DELETE FROM jobs\"; // FROM users
            #[cfg(test)]\nmod tests { const A: &str = \"SELECT 1 FROM teams\"; }";
        let source = Source::new("crates/plan/src/queries.rs", text);
        let tables: Vec<String> = reads(&source).into_iter().map(|read| read.table).collect();
        assert_eq!(tables, ["labels", "tasks"]);
    }

    #[test]
    fn a_write_needs_a_line_and_a_line_needs_a_write() {
        let write = |name: &str, table: &str| Write {
            name: name.to_owned(),
            table: table.to_owned(),
            file: "a.rs".to_owned(),
            line: 7,
        };
        let writers: &[(&str, &[&str])] = &[("tasks", &["plan"])];
        assert!(check(&[write("plan", "tasks")], writers).is_empty());
        let strangers =
            check(&[write("plan", "tasks"), write("web", "tasks"), write("web", "huts")], writers);
        let messages: Vec<&str> = strangers.iter().map(|violation| violation.message.as_str()).collect();
        assert_eq!(messages.len(), 2);
        assert!(messages[0].starts_with("`web` writes `tasks`, which belongs to plan"));
        assert!(messages[1].starts_with("`web` writes `huts`, which has no row"));
        assert!(check(&[], writers)[0].message.contains("allows `plan` to write `tasks`, but it does not"));
    }
}
