//! Any bytes as a seed document: it is read or refused with a reason; what is read is scheduled, told as
//! a table and as JSON, looked at closely, and written so that it reads the same again.

#![no_main]

use chrono::NaiveDate;
use libfuzzer_sys::fuzz_target;
use planwright_exchange::schedule_report::{Options, Study, schedule_document, study};
use planwright_plan_files::seed::{Rejection, parse, render};

fuzz_target!(|bytes: &[u8]| {
    let today = NaiveDate::from_ymd_opt(2026, 1, 5).unwrap_or_default();
    let document = match parse(bytes, today) {
        Ok(document) => document,
        Err(Rejection::Invalid(problems)) => return assert!(!problems.is_empty()),
        Err(Rejection::Unreadable(message)) => return assert!(!message.is_empty()),
    };
    for json in [false, true] {
        let options = Options { json, runs: 16, ..Options::on(today) };
        assert!(!schedule_document(&document, &options).text.is_empty());
        let studies = [Study::FloatPaths { count: 3, to: None }, Study::Health, Study::Gantt, Study::Curve];
        let _ = study(bytes, &options, &studies);
    }
    assert_eq!(parse(render(&document).as_bytes(), today), Ok(document));
});
