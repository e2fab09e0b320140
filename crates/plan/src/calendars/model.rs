//! Calendars on the wire and in storage.
//! What a calendar means for dates is in the engine.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::{CalendarId, ExceptionId};
use planwright_store::record::OnDelete;
use planwright_store::{record, tracked};
use planwright_web::input::{Int, Name, TimeZone};
use planwright_web::{Resource, body};
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use super::Library;

record! {
    /// A calendar as it is stored.
    pub struct CalendarRow in calendars {
        #[serde(skip)]
        pub id: CalendarId,
        pub name: String,
        pub working_days: i64,
        pub hours_per_day: f64,
        pub timezone: String,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! { CalendarRow as "calendar" }

impl Resource for CalendarRow {
    type Container = Library;

    fn container(&self) -> Library {
        Library
    }
}

record! {
    /// An exception as it is stored.
    pub struct ExceptionRow in calendar_exceptions {
        #[serde(skip)]
        pub id: ExceptionId,
        #[serde(skip)]
        pub calendar_id: CalendarId,
        pub exc_start: NaiveDate,
        pub exc_end: NaiveDate,
        pub description: String,
        pub working: bool,
        #[serde(skip)]
        pub server_version: i64,
    }
}

impl CalendarRow {
    /// A calendar of which nothing is known yet: Monday to Friday, eight hours a day.
    pub fn fresh(id: CalendarId, now: DateTime<Utc>) -> Self {
        Self {
            id,
            name: String::new(),
            working_days: 31,
            hours_per_day: 8.0,
            timezone: "UTC".to_owned(),
            created_at: now,
            server_version: 1,
        }
    }
}

tracked! {
    ExceptionRow as "calendar_exception" {
        const ON_DELETE: OnDelete = OnDelete::Remove;
    }
}

impl Resource for ExceptionRow {
    type Container = Library;

    fn container(&self) -> Library {
        Library
    }

    fn ancestors(&self) -> Vec<Uuid> {
        vec![self.calendar_id.0]
    }
}

impl ExceptionRow {
    /// A new exception: days off, until something else is said of them.
    pub fn fresh(id: ExceptionId, calendar_id: CalendarId, request: &CalendarExceptionRequest) -> Self {
        Self {
            id,
            calendar_id,
            exc_start: request.exc_start,
            exc_end: request.exc_end,
            description: String::new(),
            working: false,
            server_version: 1,
        }
    }
}

/// A calendar.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Calendar {
    /// Its id.
    pub id: CalendarId,
    /// The version. It rises by 1 with every change.
    pub server_version: i64,
    /// The name.
    pub name: String,
    /// The working weekdays as a mask: Monday is 1, Sunday is 64.
    pub working_days: i64,
    /// Only for display. Dates are computed in whole days.
    pub hours_per_day: f64,
    /// Only for display.
    pub timezone: String,
    /// The exceptions: days that differ from the weekdays.
    pub exceptions: Vec<CalendarException>,
}

/// A range of days that differs from the weekdays of its calendar.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CalendarException {
    /// Its id.
    pub id: ExceptionId,
    /// The first day.
    pub exc_start: NaiveDate,
    /// The last day.
    pub exc_end: NaiveDate,
    /// Why.
    pub description: String,
    /// Whether these days are worked, such as a Saturday instead of a Friday. The default is false.
    pub working: bool,
}

impl From<ExceptionRow> for CalendarException {
    fn from(row: ExceptionRow) -> Self {
        Self {
            id: row.id,
            exc_start: row.exc_start,
            exc_end: row.exc_end,
            description: row.description,
            working: row.working,
        }
    }
}

impl Calendar {
    /// A row with its exceptions, in order of their first day.
    pub fn of(row: CalendarRow, exceptions: Vec<ExceptionRow>) -> Self {
        Self {
            id: row.id,
            server_version: row.server_version,
            name: row.name,
            working_days: row.working_days,
            hours_per_day: row.hours_per_day,
            timezone: row.timezone,
            exceptions: exceptions.into_iter().map(CalendarException::from).collect(),
        }
    }
}

body! {
    /// All fields of a calendar.
    pub struct CalendarRequest;
    /// Some fields of a calendar.
    pub struct PatchedCalendarRequest;
    required {
        /// The name.
        name: Name<1, 255>,
    }
    optional {
        /// The working weekdays as a mask: Monday is 1, Sunday is 64. At least one is required.
        working_days: Int<1, 127>,
        /// Only for display.
        hours_per_day: f64,
        /// Only for display.
        timezone: TimeZone,
    }
}

body! {
    /// All fields of an exception.
    pub struct CalendarExceptionRequest;
    /// Some fields of an exception.
    pub struct PatchedCalendarExceptionRequest;
    required {
        /// The first day.
        exc_start: NaiveDate,
        /// The last day.
        exc_end: NaiveDate,
    }
    optional {
        /// Why.
        description: Name<0, 255>,
        /// Whether these days are worked.
        working: bool,
    }
}
