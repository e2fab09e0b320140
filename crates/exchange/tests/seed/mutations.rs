//! Damaged documents: whatever is changed in a valid one, reading it ends with a document or a list of problems.

use planwright_exchange::samples::SAMPLES;
use planwright_exchange::schedule_report::{Options, schedule_document};
use planwright_plan_files::seed::{Rejection, parse, render};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::today;

/// Replaces the value that is `steps` into the document, counted in order of appearance.
fn replace(value: &mut Value, steps: &mut usize, with: &Value) -> bool {
    if *steps == 0 {
        *value = with.clone();
        return true;
    }
    *steps -= 1;
    match value {
        Value::Array(items) => items.iter_mut().any(|item| replace(item, steps, with)),
        Value::Object(map) => map.values_mut().any(|item| replace(item, steps, with)),
        _ => false,
    }
}

fn odd_value() -> impl Strategy<Value = Value> {
    let odd = vec![
        Value::Null,
        json!(true),
        json!(-1),
        json!(0),
        json!(1e300),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(0.5),
        json!(""),
        json!("A+9999"),
        json!("A-9999!"),
        json!("9999-12-31"),
        json!("0001-01-01"),
        json!("1.1"),
        json!("notes-app:1.1"),
        json!("é😀\u{200b}"),
        json!("x".repeat(600)),
        json!([]),
        json!([[]]),
        json!({}),
        json!({"slug": "a"}),
    ];
    prop::sample::select(odd)
}

/// A document that was accepted can be scheduled, and written and read again.
fn holds(bytes: &[u8]) -> Result<(), TestCaseError> {
    match parse(bytes, today()) {
        Ok(document) => {
            for json in [false, true] {
                let options = Options { json, runs: 16, ..Options::on(today()) };
                prop_assert!(!schedule_document(&document, &options).text.is_empty());
            }
            let again = parse(render(&document).as_bytes(), today());
            prop_assert_eq!(again, Ok(document));
        }
        Err(Rejection::Invalid(problems)) => {
            prop_assert!(!problems.is_empty() && problems.iter().all(|problem| problem.starts_with('$')));
        }
        Err(Rejection::Unreadable(message)) => prop_assert!(!message.is_empty()),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn odd_values_anywhere_never_panic(
        changes in prop::collection::vec((0usize..1_400, odd_value()), 1..4)
    ) {
        let mut document: Value = serde_json::from_str(SAMPLES[0].text).expect("JSON");
        for (mut steps, value) in changes {
            replace(&mut document, &mut steps, &value);
        }
        holds(document.to_string().as_bytes())?;
    }

    #[test]
    fn damaged_bytes_never_panic(
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0usize..3), 1..6)
    ) {
        let mut bytes = SAMPLES[0].text.as_bytes().to_vec();
        for (place, byte, kind) in cuts {
            let place = place.index(bytes.len());
            match kind {
                0 => bytes[place] = byte,
                1 => bytes.insert(place, byte),
                _ => drop(bytes.remove(place)),
            }
        }
        holds(&bytes)?;
    }

    #[test]
    fn any_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        holds(&bytes)?;
    }

    #[test]
    fn text_made_of_json_pieces_never_panics(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "{", "}", "[", "]", ":", ",", "\"", "\\u", "d800", "\\", "1", "-", ".", "e", "true", "null", "\"a\"", " ",
        ]), 0..60)
    ) {
        holds(pieces.concat().as_bytes())?;
    }
}

#[test]
fn a_text_cut_short_anywhere_is_refused() {
    let bytes = SAMPLES[0].text.trim_end().as_bytes();
    for end in (0..bytes.len()).step_by(7) {
        assert!(matches!(parse(&bytes[..end], today()), Err(Rejection::Unreadable(_))), "{end}");
    }
}
