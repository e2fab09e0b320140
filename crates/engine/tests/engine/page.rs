//! Runs the examples of `docs/scheduling.md` and `docs/command-line.md`. Each block of JSON is a plan, and the block of
//! text after it is the expected result.

use planwright_engine::schedule;
use planwright_engine::simple::parse;

const DATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/scheduling.md");
const FORMAT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/command-line.md");

/// Fenced blocks with their language and the line they begin on.
fn blocks(page: &str) -> Vec<(String, usize, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, usize, String)> = None;
    for (number, line) in page.lines().enumerate() {
        match (line.strip_prefix("```"), open.as_mut()) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(language), None) => open = Some((language.to_owned(), number + 1, String::new())),
            (None, Some((_, _, text))) => *text += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    blocks
}

/// One line a task: name, early start and finish, total and free float.
fn answer(plan: &str) -> String {
    let project = parse(plan).expect("a plan");
    let schedule = schedule(&project.network);
    let line = |(name, dates): (&String, &Option<planwright_engine::TaskDates>)| match dates {
        None => format!("{name}: left out\n"),
        Some(dates) => {
            let (start, finish) = (dates.early_start, dates.early_finish);
            format!("{name}: {start} to {finish}, float {}, free {}\n", dates.total_float, dates.free_float)
        }
    };
    project.names.iter().zip(&schedule.tasks).map(line).collect()
}

#[test]
fn every_example_gives_the_result_that_its_page_shows() {
    let mut examples = 0;
    for path in [DATES, FORMAT] {
        let page = std::fs::read_to_string(path).expect("the page");
        let blocks = blocks(&page);
        for pair in blocks.chunks(2) {
            let [plan, wanted] = pair else { panic!("{path}: the last example has no result") };
            assert_eq!((&*plan.0, &*wanted.0), ("json", "text"), "{path}, line {}", plan.1);
            assert_eq!(answer(&plan.2), wanted.2, "{path}, line {}", plan.1);
            examples += 1;
        }
    }
    assert!(examples >= 19, "{examples} examples");
}

/// The part of the page under a heading.
fn section<'p>(page: &'p str, heading: &str) -> &'p str {
    let from = page.find(heading).expect("a heading");
    let rest = &page[from + heading.len()..];
    &rest[..rest.find("\n## ").unwrap_or(rest.len())]
}

#[test]
fn the_page_has_every_key_of_the_format() {
    let page = std::fs::read_to_string(FORMAT).expect("the page");
    let section = section(&page, "## The simple format");
    let wrong = [
        r#"{"?": 1}"#,
        r#"{"start": "2026-01-05", "calendar": {"?": 1}, "tasks": []}"#,
        r#"{"projects": {"p": {"?": 1}}, "tasks": []}"#,
        r#"{"start": "2026-01-05", "velocity": {"?": 1}, "tasks": []}"#,
        r#"{"start": "2026-01-05", "tasks": [{"id": "A", "duration": 1, "?": 1}]}"#,
        r#"{"start": "2026-01-05", "tasks": [{"id": "A", "duration": 1}], "deps": [{"?": 1}]}"#,
        r#"{"start": "2026-01-05", "tasks": [], "simulation": {"?": 1}}"#,
    ];
    let mut keys = 0;
    for plan in wrong {
        let message = parse(plan).expect_err("an unknown key").message;
        let known = message.split_once("known here are ").expect("the known keys").1;
        for key in known.split(", ") {
            assert!(section.contains(&format!("`{key}`")), "{key} of {plan}");
            keys += 1;
        }
    }
    assert!(keys > 50, "{keys} keys");
}
