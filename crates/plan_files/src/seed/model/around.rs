//! What documents from version 2.1 on hold besides the plan itself: skills, rosters, own fields, criteria, recurrence.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::words::{BlockerType, CalendarLayer, FieldType, RecurrenceEnd, RecurrenceFrequency};
use serde_json::Value;

/// A skill that somebody has, or that a task asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Skill {
    /// What people call it; case and blanks do not matter.
    pub name: String,
    /// What kind of skill it is; empty unless somebody said so.
    pub category: String,
    /// 1 to 3; what a task asks for is the least that will do (`min_proficiency`).
    pub proficiency: u8,
}

/// A resource on the roster of a project.
#[derive(Debug, Clone, PartialEq)]
pub struct RosterEntry {
    /// Slug of the resource.
    pub resource: String,
    /// What it is in this project.
    pub role_title: String,
    /// Full-time units in this project, when they differ from those of the resource.
    pub units: Option<f64>,
    /// Free text.
    pub notes: String,
}

/// A calendar whose days off count in a project besides those of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Overlay {
    /// Slug of the calendar.
    pub calendar: String,
    /// Why it counts.
    pub role: CalendarLayer,
}

/// A field that a project adds to its tasks.
#[derive(Debug, Clone, PartialEq)]
pub struct CustomField {
    /// How tasks name it.
    pub slug: String,
    /// What people call it; unique in the project, case does not matter.
    pub name: String,
    /// What it holds.
    pub kind: FieldType,
    /// Whether a task that says something in it must go on saying something.
    pub is_required: bool,
    /// Whether cards of the board show it.
    pub show_on_card: bool,
    /// Its choices, each with its label.
    pub options: Vec<(String, String)>,
}

/// A condition under which a task counts as done.
#[derive(Debug, Clone, PartialEq)]
pub struct Criterion {
    /// The condition in one sentence.
    pub text: String,
    /// The state before, what happens, and what follows (`given`, `when`, `then`).
    pub scenario: [String; 3],
    /// Whether it is met.
    pub met: bool,
    /// Since when.
    pub met_at: Option<DateTime<Utc>>,
}

/// By which rule a task comes back.
#[derive(Debug, Clone, PartialEq)]
pub struct Recurrence {
    /// The unit it counts in.
    pub frequency: RecurrenceFrequency,
    /// Units from one task to the next (`interval`).
    pub every: u32,
    /// Bit 0 is Monday, bit 6 Sunday.
    pub weekdays: u8,
    /// The day of the month.
    pub day_of_month: Option<u8>,
    /// When on the day, `HH:MM:SS`.
    pub time_of_day: String,
    /// Time zone of that day.
    pub timezone: String,
    /// How it ends.
    pub end_type: RecurrenceEnd,
    /// The last day.
    pub end_date: Option<NaiveDate>,
    /// How many tasks it makes in all.
    pub end_count: Option<u32>,
    /// What its tasks take from their template: assignee, subtasks, attachments, the morning's notice.
    pub inherits: [bool; 4],
    /// The day it counts from when its template has no planned start.
    pub begins: NaiveDate,
    /// The last day for which tasks were made.
    pub generated_through: Option<NaiveDate>,
    /// How many tasks it has made.
    pub occurrence_count: u32,
}

/// What a backlog is ordered by.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scores {
    /// Whole numbers by key, see `SCORES`.
    pub whole: BTreeMap<&'static str, i64>,
    /// Numbers with a fraction by key, see `SCORES`.
    pub fractional: BTreeMap<&'static str, f64>,
}

impl Scores {
    /// The keys of whole numbers.
    pub const WHOLE: [&'static str; 7] = [
        "business_value",
        "time_criticality",
        "risk_reduction",
        "job_size",
        "reach",
        "value",
        "priority_rank",
    ];
    /// The keys of numbers with a fraction.
    pub const FRACTIONAL: [&'static str; 4] = ["impact", "confidence", "effort", "effort_estimate"];

    /// Whether nobody gave any.
    pub fn is_empty(&self) -> bool {
        self.whole.is_empty() && self.fractional.is_empty()
    }
}

/// What holds a task up.
#[derive(Debug, Clone, PartialEq)]
pub struct Blocker {
    /// Why.
    pub reason: String,
    /// What kind of obstacle it is (`type`).
    pub kind: Option<BlockerType>,
    /// Since when.
    pub since: Option<DateTime<Utc>>,
}

/// What a task holds from version 2.1 on.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Around {
    /// Conditions under which it counts as done, in their order.
    pub criteria: Vec<Criterion>,
    /// What it asks of whoever does it.
    pub skills: Vec<Skill>,
    /// What it says in the fields of its project, by their slugs.
    pub field_values: BTreeMap<String, Value>,
    /// By which rule it comes back.
    pub recurrence: Option<Recurrence>,
    /// The path of the template whose rule made it, and the day for which.
    pub occurrence: Option<(String, NaiveDate)>,
    /// What the backlog is ordered by.
    pub scores: Scores,
    /// What holds it up.
    pub blocked: Option<Blocker>,
}
