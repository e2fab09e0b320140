//! The programs that ship with the product.

use planwright_exchange::samples::{SAMPLES, sample};
use planwright_exchange::seed::schedule::network;
use planwright_exchange::seed::{parse, render};

use super::today;

#[test]
fn every_sample_is_valid_on_any_day_of_the_week() {
    for shipped in SAMPLES {
        for days in 0..14 {
            let today = today() + chrono::Days::new(days);
            if let Err(problems) = parse(shipped.text.as_bytes(), today) {
                panic!("{} on {today}: {problems}", shipped.key);
            }
        }
        assert_eq!(sample(shipped.key), Some(shipped));
    }
    assert_eq!(sample("unknown"), None);
}

#[test]
fn a_sample_survives_writing_and_reading() {
    for shipped in SAMPLES {
        let document = parse(shipped.text.as_bytes(), today()).expect("valid");
        assert_eq!(parse(render(&document).as_bytes(), today()), Ok(document));
    }
}

#[test]
fn the_backlog_of_the_software_launch_is_not_scheduled() {
    let document =
        parse(sample("software-launch").expect("shipped").text.as_bytes(), today()).expect("valid");
    let plan = network(&document, None);
    assert_eq!(plan.rows.len(), document.projects[0].tasks.len() - 3);
    assert_eq!(plan.links.len(), document.projects[0].dependencies.len());
}
