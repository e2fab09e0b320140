//! Compares the tables of `docs/settings.md` with the code. Each setting and each rate limit must be in a table.
//! The text around the tables is not checked.

use planwright_server::settings::KNOWN;
use planwright_web::limits::Limit;

const PAGE: &str = include_str!("../../docs/settings.md");

/// The row of a table whose first cell is this name in code style.
fn row(name: &str) -> Option<&'static str> {
    let start = format!("| `{name}` |");
    PAGE.lines().find(|line| line.starts_with(&start))
}

#[test]
fn every_setting_is_in_the_settings_page_with_its_default() {
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
    assert!(wrong.is_empty(), "docs/settings.md lacks:\n{}", wrong.join("\n"));
}

#[test]
fn every_rate_limit_is_in_the_settings_page_with_its_rate() {
    let wrong: Vec<String> = Limit::ALL
        .iter()
        .map(|limit| limit.row())
        .filter(|limit| {
            let unit = match limit.window_seconds {
                60 => "a minute",
                3600 => "an hour",
                _ => "a day",
            };
            let rate = format!("| {} {unit} |", limit.most);
            let setting = limit.setting.map_or("| – |".to_owned(), |setting| format!("| `{setting}` |"));
            row(limit.name).is_none_or(|row| !row.contains(&rate) || !row.ends_with(&setting))
        })
        .map(|limit| format!("{} {}/{} s {:?}", limit.name, limit.most, limit.window_seconds, limit.setting))
        .collect();
    assert!(wrong.is_empty(), "docs/settings.md lacks:\n{}", wrong.join("\n"));
}
