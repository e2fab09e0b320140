//! The engine on a document, without a database: what `planwright schedule` prints, as a table for people or as JSON
//! for programs. Reading files and arguments is the command's own business.

mod json;
mod outcome;
mod table;

use chrono::NaiveDate;

use crate::seed::vocabulary::LagCalendar;
use crate::seed::{Document, Rejection, parse};
use outcome::Outcome;

/// How to compute and how to tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Overrules what the projects say about their lags.
    pub lag_calendar: Option<LagCalendar>,
    /// JSON instead of a table.
    pub json: bool,
    /// Day zero of `A±N` dates in documents without an anchor.
    pub today: NaiveDate,
}

/// Schedules a seed document and tells the outcome.
pub fn schedule(bytes: &[u8], options: &Options) -> Result<String, Rejection> {
    let document = parse(bytes, options.today)?;
    Ok(schedule_document(&document, options))
}

/// Schedules a document that has been read already.
pub fn schedule_document(document: &Document, options: &Options) -> String {
    let outcome = Outcome::of(document, options);
    if options.json { json::text(&outcome) } else { table::text(&outcome) }
}
