//! What is written reads back as the same document, and is written the same way again.

use planwright_plan_files::seed::{parse, render};
use proptest::prelude::*;

use super::arbitrary::document;
use super::{day, read, small, today};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_document_survives_writing_and_reading(document in document()) {
        let text = render(&document);
        // A later today changes nothing: everything written is absolute.
        let again = parse(text.as_bytes(), day("2031-07-01"));
        prop_assert_eq!(again.as_ref(), Ok(&document), "{}", text);
        prop_assert_eq!(render(&again.expect("just compared")), text);
    }
}

#[test]
fn the_canonical_text_sorts_its_keys_and_leaves_defaults_out() {
    let text = render(&read(&small()).expect("valid"));
    assert!(text.starts_with(
        "{\n  \"accounts\": [\n    {\n      \"slug\": \"ann\",\n      \"username\": \"ann\"\n    }\n  ],"
    ));
    assert!(text.contains("\"finish_date\": \"2026-01-16\""));
    assert!(!text.contains("working_days") && !text.contains("\"lag\"") && !text.contains("NOT_STARTED"));
    assert!(text.ends_with("\n}\n"));
    assert_eq!(parse(text.as_bytes(), today()), read(&small()));
}
