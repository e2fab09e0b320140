//! Runs the examples of `docs/scheduling.md`: each block of JSON is a plan, the block of text behind it
//! says what comes out. What the page says is therefore what the engine does.

use planwright_engine::schedule;
use planwright_engine::simple::parse;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/scheduling.md");

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
fn the_page_says_what_the_engine_does() {
    let page = std::fs::read_to_string(PAGE).expect("the page");
    let blocks = blocks(&page);
    let mut examples = 0;
    for pair in blocks.windows(2).filter(|pair| pair[0].0 == "json") {
        let (plan, wanted) = (&pair[0], &pair[1]);
        assert_eq!(wanted.0, "text", "line {}: what comes out is missing", plan.1);
        assert_eq!(answer(&plan.2), wanted.2, "line {}", plan.1);
        examples += 1;
    }
    assert_eq!(examples, blocks.iter().filter(|block| block.0 == "json").count());
    assert!(examples >= 12, "{examples} examples");
}
