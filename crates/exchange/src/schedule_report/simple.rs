//! Projects in the engine's simple format, one or one a line. The format itself is the engine's.

use planwright_engine::simple::schedule_line;
use serde_json::json;

use super::Report;
use crate::seed::Rejection;

/// Schedules one project and answers with one line of JSON, without its newline.
pub fn line(text: &str) -> Result<String, Rejection> {
    schedule_line(text).map_err(|error| Rejection::Invalid(vec![error.to_string()]))
}

pub(super) fn document(bytes: &[u8]) -> Result<Report, Rejection> {
    line(utf8(bytes)?).map(|answer| Report { text: answer + "\n", is_complete: true })
}

/// Answers every line that is not blank. A line that cannot be read is answered with an object that says why under
/// `error`, so that answers stay beside their questions.
pub(super) fn lines(bytes: &[u8]) -> Result<Report, Rejection> {
    let mut report = Report { text: String::new(), is_complete: true };
    for question in utf8(bytes)?.lines().filter(|line| !line.trim().is_empty()) {
        let answer = line(question).unwrap_or_else(|error| {
            report.is_complete = false;
            json!({"error": error.to_string()}).to_string()
        });
        report.text.push_str(&answer);
        report.text.push('\n');
    }
    Ok(report)
}

fn utf8(bytes: &[u8]) -> Result<&str, Rejection> {
    std::str::from_utf8(bytes).map_err(|error| {
        Rejection::Unreadable(format!("The input is not UTF-8 text (byte {}).", error.valid_up_to()))
    })
}
