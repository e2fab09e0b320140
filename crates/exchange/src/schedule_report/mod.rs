//! The engine on a plan in a file, without a database: what `planwright schedule` prints, as a table for people or as JSON
//! for programs. Reading files and arguments is the command's own business.

mod forecast;
mod json;
mod outcome;
mod simple;
mod study;
mod subject;
mod svg;
mod table;
mod terminal;

use std::fmt;
use std::sync::Arc;

use chrono::NaiveDate;
use planwright_domain::words::LagCalendar;
use planwright_plan_files::json::Format;
use planwright_plan_files::seed::{Document, Rejection};

pub use self::simple::line as simple_line;
pub use self::study::{Change, Study, study};
pub use self::svg::svg;
use outcome::Outcome;
use subject::Subject;

/// Who is told how a simulation gets on: the number of runs of every piece that is done. Nobody by default.
#[derive(Clone, Default)]
pub struct Watch(Option<Arc<dyn Fn(u32) + Send + Sync>>);

impl Watch {
    /// Tells a function, which may be called from several threads.
    pub fn by(told: impl Fn(u32) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(told)))
    }

    fn told(&self, runs: u32) {
        if let Some(told) = &self.0 {
            told(runs);
        }
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.0.is_some() { "Watch(somebody)" } else { "Watch(nobody)" })
    }
}

/// How to compute and how to tell.
#[derive(Debug, Clone)]
pub struct Options {
    /// What the bytes are.
    pub format: Format,
    /// Overrules what the projects of a seed document say about their lags; the simple formats say it themselves.
    pub lag_calendar: Option<LagCalendar>,
    /// Runs of the simulation; 0 for none. Plans without estimates are not simulated.
    pub runs: u32,
    /// Key of the simulation's random numbers: the same seed gives the same dates.
    pub seed: u64,
    /// Threads of the simulation; they change how long it takes and nothing else.
    pub threads: usize,
    /// JSON instead of text.
    pub json: bool,
    /// The whole report of a plan in the simple format too, instead of its one line of dates.
    pub report: bool,
    /// Columns that charts may take.
    pub width: usize,
    /// Who is told how the simulation gets on.
    pub watch: Watch,
    /// Day zero of `A±N` dates in documents without an anchor.
    pub today: NaiveDate,
}

impl Options {
    /// A seed document as a table, with ten thousand runs.
    pub fn on(today: NaiveDate) -> Self {
        Self {
            format: Format::Seed,
            lag_calendar: None,
            runs: 10_000,
            seed: 0,
            threads: 1,
            json: false,
            report: false,
            width: 80,
            watch: Watch::default(),
            today,
        }
    }
}

/// What there is to print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The text, with a newline at its end.
    pub text: String,
    /// Whether every row and every line could be scheduled; what could not is named in the text.
    pub is_complete: bool,
}

/// Schedules what the bytes hold and tells the outcome.
pub fn schedule(bytes: &[u8], options: &Options) -> Result<Report, Rejection> {
    match options.format {
        Format::Simple if !options.report => simple::document(bytes, options),
        Format::SimpleLines => simple::lines(bytes, options),
        Format::Seed | Format::Simple => Ok(report(&Subject::read(bytes, options)?, options)),
    }
}

/// Schedules a seed document that has been read already.
pub fn schedule_document(document: &Document, options: &Options) -> Report {
    report(&Subject::of_seed(document, options), options)
}

fn report(subject: &Subject, options: &Options) -> Report {
    let outcome = Outcome::of(subject, options);
    let text = if options.json { json::text(&outcome) } else { table::text(&outcome) };
    Report { text, is_complete: outcome.faults().is_empty() }
}
