//! What holds of any bytes as a file of another program: they are read or refused with a reason, and what is read is computed,
//! written in every format, and read again as a document.

use chrono::NaiveDate;
use planwright_exchange::computed;
use planwright_plan_files::FileFormat;
use planwright_plan_files::seed::{parse_with_cycles, render};

const FORMATS: [FileFormat; 5] =
    [FileFormat::Mspdi, FileFormat::Xer, FileFormat::Jira, FileFormat::Csv, FileFormat::Xlsx];

/// Reads bytes as a format and looks at what comes of it.
pub(crate) fn holds(format: FileFormat, bytes: &[u8]) {
    let today = NaiveDate::from_ymd_opt(2026, 1, 5).unwrap_or_default();
    match format.read(bytes, "plan", today) {
        Err(reason) => assert!(!reason.0.is_empty()),
        Ok(plan) => {
            let dates = computed(&plan.document);
            for format in FORMATS.into_iter().filter(|format| format.is_written()) {
                assert!(format.write(&plan.document, &dates).is_ok());
            }
            assert!(parse_with_cycles(render(&plan.document).as_bytes(), today).is_ok());
        }
    }
}
