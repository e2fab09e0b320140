//! The pages for operators against the code: a setting or limit that is not in the tables is one nobody will find.
//! What the pages say beside their tables is for people to keep true.

use planwright_server::settings::KNOWN;
use planwright_web::limits::Limit;

const OPERATIONS: &str = include_str!("../../docs/operations.md");

/// The rows of the tables whose first cell is a name in code style, by that name.
fn row(name: &str) -> Option<&'static str> {
    let start = format!("| `{name}` |");
    OPERATIONS.lines().find(|line| line.starts_with(&start))
}

#[test]
fn every_setting_stands_in_the_operations_page_with_its_default() {
    let missing = |known: &&planwright_server::settings::Known| {
        let default =
            if known.default.is_empty() { "–".to_owned() } else { format!("`{}`", known.default) };
        row(known.name).is_none_or(|row| !row.contains(&format!("| {default} |")))
    };
    let wrong: Vec<String> = KNOWN
        .iter()
        .filter(missing)
        .map(|known| format!("| `{}` | `{}` | {} |", known.name, known.default, known.about))
        .collect();
    assert!(wrong.is_empty(), "docs/operations.md lacks:\n{}", wrong.join("\n"));
}

#[test]
fn every_rate_limit_stands_in_the_operations_page_with_its_rate() {
    let wrong: Vec<String> = Limit::ALL
        .iter()
        .map(|limit| limit.row())
        .filter(|limit| {
            let unit = match limit.window_seconds {
                60 => "minute",
                3600 => "hour",
                _ => "day",
            };
            let rate = format!("| {} a {unit} |", limit.most);
            let setting = limit.setting.map_or("| – |".to_owned(), |setting| format!("| `{setting}` |"));
            row(limit.name).is_none_or(|row| !row.contains(&rate) || !row.ends_with(&setting))
        })
        .map(|limit| format!("{} {}/{} s {:?}", limit.name, limit.most, limit.window_seconds, limit.setting))
        .collect();
    assert!(wrong.is_empty(), "docs/operations.md lacks:\n{}", wrong.join("\n"));
}
