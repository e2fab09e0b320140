//! The output of the engine: dates, floats, driving links and faults as plain data.
//! Every `Day` here is a day as people see it: a start is the first day worked, a finish the last.

use std::fmt;

use crate::day::Day;
use crate::fault::Fault;

/// The result of one computation; positions are those of the input.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Schedule {
    /// One entry per task; `None` for a row that a fault left out, or a summary without any leaf in.
    pub tasks: Vec<Option<TaskDates>>,
    /// One entry per link.
    pub links: Vec<LinkResult>,
    /// One entry per project.
    pub projects: Vec<ProjectDates>,
    /// First day worked of everything; `None` when nothing could be scheduled.
    pub start: Option<Day>,
    /// Last day worked of everything.
    pub finish: Option<Day>,
    /// Critical leaves in the order in which they depend on one another; ties by early start, id.
    pub critical_path: Vec<usize>,
    /// What could not be used, in a fixed order.
    pub faults: Vec<Fault>,
    /// Dates that the plan does not keep, one entry each, in the order of tasks.
    pub conflicts: Vec<Conflict>,
}

/// Dates and floats of one row.
///
/// Floats are working days of the row's own calendar. A milestone shows the same day as start and
/// finish: the day in whose evening or in whose morning it lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct TaskDates {
    /// Earliest start of the work that remains; the actual start when complete.
    pub early_start: Day,
    /// Earliest finish; the actual finish when complete.
    pub early_finish: Day,
    /// Latest start of the work that remains that does not delay the project.
    pub late_start: Day,
    /// Latest finish that does not delay the project.
    pub late_finish: Day,
    /// Start of the whole span, done work included.
    pub scheduled_start: Day,
    /// Working days by which it can slip before its project's finish moves, or a constraint or deadline
    /// of any row is missed, be it in another project. Negative only when one is missed already, or kept
    /// against logic. 0 when complete; the least of the open leaves on a summary.
    pub total_float: i32,
    /// The same against the finish of everything that was scheduled together.
    pub program_total_float: i32,
    /// Working days by which it can slip before any successor's early dates or its project's finish
    /// move; never above `total_float`.
    pub free_float: i32,
    /// Not complete, and `total_float` is zero or less.
    pub critical: bool,
    /// Not complete, and `program_total_float` is zero or less.
    pub program_critical: bool,
    /// On a chain of binding dates that ends at the project's finish, whatever the floats say.
    pub on_longest_path: bool,
    /// A milestone that falls at the end of the day it shows; `false` at its beginning, and on rows
    /// that take time.
    pub falls_at_day_end: bool,
    /// Working days left: 0 when complete; the span in working days on a summary.
    pub remaining_duration: i32,
    /// Which state the engine took it to be in.
    pub progress: Progress,
}

/// Where a row stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Progress {
    /// No work has been done.
    #[default]
    NotStarted,
    /// Begun, with work left.
    InProgress,
    /// Finished.
    Complete,
}

/// What a link does in this schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct LinkResult {
    /// The predecessor cannot slip a working day without moving the successor.
    pub driving: bool,
    /// Working days by which the predecessor could slip before this link moves the successor's early
    /// dates. `None` when the link constrains nothing: it was left out, or its successor is complete or
    /// has begun under progress override.
    pub slack: Option<i32>,
}

/// Dates of one project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ProjectDates {
    /// First day of its span; `None` without tasks.
    pub start: Option<Day>,
    /// Last day of its span.
    pub finish: Option<Day>,
    /// Whether it ends with that day; `false` if nothing ends it but a milestone in that day's morning.
    pub finish_at_day_end: bool,
}

/// A date that a task does not keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Conflict {
    /// The task.
    pub task: usize,
    /// What is missed.
    pub kind: ConflictKind,
    /// The wanted day.
    pub wanted: Day,
    /// The expected day.
    pub expected: Day,
}

/// The kinds of date that can be missed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ConflictKind {
    /// A constraint on the start.
    Start,
    /// A constraint on the finish.
    Finish,
    /// The deadline.
    Deadline,
    /// The logic before it: a date that wins holds it before the day, `wanted`, on which its predecessors let it
    /// start.
    Logic,
}

impl fmt::Display for ConflictKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            ConflictKind::Start => "start",
            ConflictKind::Finish => "finish",
            ConflictKind::Deadline => "deadline",
            ConflictKind::Logic => "logic",
        })
    }
}
