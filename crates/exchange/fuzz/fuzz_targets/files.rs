//! Any bytes as a file of another program; the first byte chooses which. It is read or refused with a reason, and what is
//! read is computed, written in every format, and read again as a document.

#![no_main]

use chrono::NaiveDate;
use libfuzzer_sys::fuzz_target;
use planwright_exchange::files::{FileFormat, computed};
use planwright_exchange::seed::{parse_with_cycles, render};

const FORMATS: [FileFormat; 5] =
    [FileFormat::Mspdi, FileFormat::Xer, FileFormat::Jira, FileFormat::Csv, FileFormat::Xlsx];

fuzz_target!(|bytes: &[u8]| {
    let Some((first, bytes)) = bytes.split_first() else { return };
    let today = NaiveDate::from_ymd_opt(2026, 1, 5).unwrap_or_default();
    match FORMATS[usize::from(*first) % FORMATS.len()].read(bytes, "plan", today) {
        Err(reason) => assert!(!reason.0.is_empty()),
        Ok(plan) => {
            let dates = computed(&plan.document);
            for format in FORMATS.into_iter().filter(|format| format.is_written()) {
                assert!(format.write(&plan.document, &dates).is_ok());
            }
            assert!(parse_with_cycles(render(&plan.document).as_bytes(), today).is_ok());
        }
    }
});
