//! The output of the engine: dates, floats, driving links and faults as plain data. Every `Day` here is a shown day:
//! a start is the first day worked, a finish is the last.

use std::fmt;

use crate::day::Day;
use crate::fault::Fault;

/// The result of one computation. Positions are those of the input.
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
    /// The first working day of everything. `None` if nothing could be scheduled.
    pub start: Option<Day>,
    /// The last working day of everything.
    pub finish: Option<Day>,
    /// Critical leaves in the order of their dependencies, then by early start and id.
    pub critical_path: Vec<usize>,
    /// What could not be used, in a fixed order.
    pub faults: Vec<Fault>,
    /// Dates that the plan does not meet, one entry each, in the order of tasks.
    pub conflicts: Vec<Conflict>,
}

/// Dates and floats of one row.
///
/// Floats are working days of the calendar of the row. A milestone shows the same day as start and finish: the day of
/// its evening or morning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct TaskDates {
    /// The earliest start of the remaining work. The actual start if complete.
    pub early_start: Day,
    /// The earliest finish. The actual finish if complete.
    pub early_finish: Day,
    /// The latest start of the remaining work that does not delay the project.
    pub late_start: Day,
    /// Latest finish that does not delay the project.
    pub late_finish: Day,
    /// The start of the whole span, including done work.
    pub scheduled_start: Day,
    /// The working days that it can slip before the finish of its project moves, or a constraint or deadline of any
    /// row is missed, also in another project. Negative only if one is already missed, or kept against logic. 0 if
    /// complete. For a summary, the smallest of its open leaves.
    pub total_float: i32,
    /// The same, measured against the finish of everything that was scheduled together.
    pub program_total_float: i32,
    /// The working days that it can slip before the early dates of a successor or the finish of its project move.
    /// Never more than `total_float`.
    pub free_float: i32,
    /// Not complete, and `total_float` is zero or less.
    pub critical: bool,
    /// Not complete, and `program_total_float` is zero or less.
    pub program_critical: bool,
    /// On a chain of dates that limit each other up to the finish of the project, even if it has float.
    pub on_longest_path: bool,
    /// A milestone at the end of its shown day. `false` at the beginning of the day, and for rows with a duration.
    pub falls_at_day_end: bool,
    /// The remaining working days. 0 if complete. For a summary, its span in working days.
    pub remaining_duration: i32,
    /// Its state.
    pub progress: Progress,
}

/// The state of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Progress {
    /// No work has been done.
    #[default]
    NotStarted,
    /// Begun, with remaining work.
    InProgress,
    /// Finished.
    Complete,
}

/// The effect of a link in this schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct LinkResult {
    /// The predecessor cannot slip by one working day without moving the successor.
    pub driving: bool,
    /// The working days that the predecessor can slip before this link moves the early dates of the successor. `None`
    /// if the link limits nothing: it was left out, or its successor is complete or has begun with progress override.
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
    /// Whether it ends with that day. `false` if it ends only with a milestone in the morning of that day.
    pub finish_at_day_end: bool,
}

/// A date that a task does not meet.
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
    /// Its logic: a date that wins puts it before the day `wanted`, on which its predecessors allow it to start.
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
