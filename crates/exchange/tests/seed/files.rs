//! Files of other programs: whatever is damaged in one, reading it ends with a plan or a reason; and a plan that went out
//! and came in again goes out with the same bytes.

use std::path::Path;

use planwright_exchange::computed;
use planwright_exchange::samples::SAMPLES;
use planwright_plan_files::FileFormat;
use planwright_plan_files::seed::{parse, parse_with_cycles, render};
use proptest::prelude::*;

use super::today;

const WRITTEN: [FileFormat; 4] = [FileFormat::Mspdi, FileFormat::Xer, FileFormat::Csv, FileFormat::Xlsx];

fn written(text: &str, format: FileFormat) -> Vec<u8> {
    let document = parse_with_cycles(text.as_bytes(), today()).expect("a valid document");
    format.write(&document, &computed(&document)).expect("a file").content
}

#[test]
fn a_sample_that_went_out_and_came_in_goes_out_with_the_same_bytes() {
    for sample in SAMPLES {
        for format in WRITTEN {
            let once =
                format.read(&written(sample.text, format), "plan", today()).expect("our own file is read");
            let second = written(&render(&once.document), format);
            let twice = format.read(&second, "plan", today()).expect("our own file is read");
            let third = written(&render(&twice.document), format);
            assert!(second == third, "{} as {format:?} changes each time", sample.key);
        }
    }
}

#[test]
fn dates_survive_the_way_through_the_files_of_other_programs() {
    let text = SAMPLES.iter().find(|sample| sample.key == "riverside-library").expect("shipped").text;
    let document = parse(text.as_bytes(), today()).expect("valid");
    let ours = computed(&document);
    for format in [FileFormat::Mspdi, FileFormat::Xer] {
        let file = format.write(&document, &ours).expect("a file");
        let read = format.read(&file.content, "plan", today()).expect("our own file is read");
        let again = computed(&read.document);
        let named = |document: &planwright_plan_files::seed::Document,
                     dates: &planwright_plan_files::Computed| {
            let tasks = document.projects[0].tasks.iter();
            let mut rows: Vec<_> =
                tasks.filter_map(|task| Some((task.name.clone(), *dates.get(&task.wbs_path)?))).collect();
            rows.sort();
            rows
        };
        let (before, after) = (named(&document, &ours), named(&read.document, &again));
        let differing = before.iter().filter(|row| after.binary_search(row).is_err()).count();
        // Branches of Primavera have no links, so what waits for a whole phase moves there.
        let is_whole = format == FileFormat::Mspdi;
        assert!(!is_whole || differing == 0, "{differing} of {} rows moved as {format:?}", before.len());
        assert_eq!(before.len(), after.len());
    }
}

/// What was read can be stored and computed.
fn holds(format: FileFormat, bytes: &[u8]) -> Result<(), TestCaseError> {
    match format.read(bytes, "plan", today()) {
        Ok(plan) => {
            let text = render(&plan.document);
            let read = parse_with_cycles(text.as_bytes(), today());
            prop_assert!(read.is_ok(), "{:?} in {text}", read.err());
            let _ = computed(&plan.document);
            // A workbook takes long to pack, and its rows are those of CSV.
            for format in WRITTEN.into_iter().filter(|format| *format != FileFormat::Xlsx) {
                prop_assert!(format.write(&plan.document, &computed(&plan.document)).is_ok());
            }
        }
        Err(reason) => prop_assert!(!reason.0.is_empty()),
    }
    Ok(())
}

const ISSUES: &str = r#"<rss version="0.92"><channel><title>Plan</title><item><key>A-1</key><summary>Dig &amp; pour</summary>
    <status>Done</status><timeoriginalestimate seconds="30000">1 day</timeoriginalestimate><labels><label>dry</label></labels>
    <issuelinks><issuelinktype><name>Blocks</name><outwardlinks><issuelink><issuekey>A-2</issuekey></issuelink></outwardlinks>
    </issuelinktype></issuelinks></item><item><key>A-2</key><summary>Rest</summary></item></channel></rss>"#;

fn any_file() -> impl Strategy<Value = (FileFormat, Vec<u8>)> {
    let plan = SAMPLES[0].text;
    let mut files: Vec<_> = WRITTEN.iter().map(|format| (*format, written(plan, *format))).collect();
    files.push((FileFormat::Jira, ISSUES.as_bytes().to_vec()));
    prop::sample::select(files)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn damaged_bytes_never_panic(
        (format, mut bytes) in any_file(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0usize..3), 1..6)
    ) {
        for (place, byte, kind) in cuts {
            let place = place.index(bytes.len());
            match kind {
                0 => bytes[place] = byte,
                1 => bytes.insert(place, byte),
                _ => drop(bytes.remove(place)),
            }
        }
        holds(format, &bytes)?;
    }

    #[test]
    fn odd_values_anywhere_never_panic(
        (format, bytes) in any_file(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(vec![
            "-1", "0", "1e308", "99999999999", "NaN", "9999-12-31T08:00:00", "0001-01-01 00:00", "", "PT9999999H0M0S", "x",
            "(0||", "\u{7f}", "=1+1", "1.1.1.1", "FS", "Y",
        ])), 1..8)
    ) {
        // Values stand between tags, tabs or commas.
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut parts: Vec<&str> = text.split_inclusive(['<', '>', '\t', '\n', ',']).collect();
        let ends: Vec<String> = changes.iter().map(|(_, odd)| (*odd).to_owned()).collect();
        for ((place, _), odd) in changes.iter().zip(&ends) {
            let place = place.index(parts.len());
            let end = parts[place].chars().last().unwrap_or('\n');
            parts[place] = if end.is_alphanumeric() { odd } else { parts[place] };
            parts.insert(place, odd);
        }
        holds(format, parts.concat().as_bytes())?;
    }

    #[test]
    fn any_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for format in [FileFormat::Mspdi, FileFormat::Xer, FileFormat::Jira, FileFormat::Csv, FileFormat::Xlsx] {
            holds(format, &bytes)?;
        }
        let _ = FileFormat::of_content(Path::new("plan"), &bytes);
    }
}
