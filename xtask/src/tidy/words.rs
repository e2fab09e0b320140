//! Words that only some code may use: engine branches, HTTP status codes, the beginning of a transaction. Comments and
//! literals are not checked, and calls that nobody may make stand in clippy.toml.

use super::Violation;
use super::source::Source;

const ENGINES: [&str; 3] = ["Engine::Sqlite", "Engine::Postgres", "Dialect::"];
const BRANCHES: [&str; 6] = ["if ", "match ", "=>", "==", "!=", "matches!"];

const STATUS_NUMBERS: [&str; 14] =
    ["400", "401", "402", "403", "404", "405", "409", "410", "412", "413", "415", "422", "429", "503"];

/// The words of a file that are not allowed there and have no exception.
pub(crate) fn check(source: &Source) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (index, line) in source.code.lines().enumerate() {
        let number = index + 1;
        for rule in [&ENGINE_BRANCH, &STATUS, &BEGIN] {
            let Some(word) = (rule.finds)(line) else { continue };
            if (rule.permits)(&source.path)
                || (rule.spares_tests && source.is_test(number))
                || source.is_excused(number, rule.name)
            {
                continue;
            }
            let message = format!("{} {}", word.trim_end_matches(['(', ':']), rule.advice);
            violations.push(Violation::new(&source.path, number, message));
        }
    }
    violations
}

struct Rule {
    /// As a written exception names it.
    name: &'static str,
    finds: fn(&str) -> Option<&'static str>,
    permits: fn(&str) -> bool,
    spares_tests: bool,
    advice: &'static str,
}

const ENGINE_BRANCH: Rule = Rule {
    name: "engine",
    finds: |line| {
        let word = ENGINES.into_iter().find(|word| contains_word(line, word))?;
        BRANCHES.iter().any(|branch| line.contains(branch)).then_some(word)
    },
    // The store's whole purpose is to make two engines look like one.
    permits: |path| {
        ["crates/store/", "crates/testkit/"].iter().any(|folder| path.starts_with(folder))
            || is_module(path, "crates/server/src/settings")
    },
    spares_tests: false,
    advice: "decides by the database engine: give the difference a name in crates/store/src/dialect.rs",
};

const STATUS: Rule = Rule {
    name: "status",
    finds: |line| {
        if contains_word(line, "StatusCode") {
            return Some("StatusCode");
        }
        let lower = line.to_lowercase();
        if !lower.contains("status") {
            return None;
        }
        STATUS_NUMBERS.into_iter().find(|number| contains_word(line, number) && ends_word(line, number))
    },
    permits: |path| {
        ["crates/web/", "crates/testkit/", "crates/server/", "tests/"]
            .iter()
            .any(|folder| path.starts_with(folder))
    },
    spares_tests: true,
    advice: "is an HTTP status, and only crates/web names those: return one of its errors",
};

const BEGIN: Rule = Rule {
    name: "begin",
    finds: |line| line.contains(".begin()").then_some(".begin()"),
    permits: |path| path.rsplit('/').next() != Some("routes.rs"),
    spares_tests: true,
    advice: "opens a transaction in a handler: the command that writes opens and commits it",
};

/// `module.rs`, or a file under `module/`.
fn is_module(path: &str, module: &str) -> bool {
    path.strip_prefix(module).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
}

/// The word stands there and is not the end of a longer one.
fn contains_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| !line[..at].ends_with(is_word))
}

fn ends_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, found)| !line[at + found.len()..].starts_with(is_word))
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<usize> {
        check(&Source::new(path, text)).into_iter().map(|violation| violation.line).collect()
    }

    #[test]
    fn engine_branches_have_one_home() {
        let text = "fn a() {\n    if engine == Engine::Sqlite {}\n    open(Engine::Sqlite);\n    let DatabaseEngine::Sqlite = x;\n}\n";
        assert_eq!(found("crates/plan/src/lib.rs", text), [2]);
        assert!(found("crates/store/src/dialect.rs", text).is_empty());
        assert!(found("crates/server/src/settings/database.rs", text).is_empty());
        assert!(found("crates/server/src/settings.rs", text).is_empty());
        assert_eq!(found("crates/server/src/settings_page.rs", text), [2]);
    }

    #[test]
    fn handlers_open_no_transaction() {
        let text =
            "async fn add(app: &App) {\n    let mut tx = app.db.begin().await?;\n    queries::begin();\n}\n";
        assert_eq!(found("crates/plan/src/calendars/routes.rs", text), [2]);
        assert!(found("crates/plan/src/calendars/commands.rs", text).is_empty());
        assert!(found("crates/store/src/other_routes.rs", text).is_empty());
    }

    #[test]
    fn status_codes_belong_to_web() {
        let text = "use http::StatusCode;\nif status == 404 {}\nlet limit = 404;\nlet status = 4040;\n";
        assert_eq!(found("crates/plan/src/lib.rs", text), [1, 2]);
        let excused = "// tidy: allow(status) because the log names it\nif status == 404 {}\n";
        assert!(found("crates/plan/src/lib.rs", excused).is_empty());
        assert!(found("tests/api/src/a.rs", text).is_empty());
        assert!(found("crates/web/src/error.rs", text).is_empty());
        assert!(found("crates/server/src/main.rs", text).is_empty());
    }
}
