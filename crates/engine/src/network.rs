//! The input of the engine: projects, calendars, tasks and links as plain data.
//! Nothing here is checked; the engine reports what it cannot use as faults and schedules the rest.

use crate::calendar::Calendar;
use crate::day::Day;

/// Everything one computation needs: a single project, or the merged graph of a program.
///
/// Positions are from 0. Dates may lie up to 4 194 304 days before or after 1970-01-01; a row with another
/// date, or in a project with one, is left out and reported. No value makes the engine panic.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Network {
    /// The member projects; a lone project is a list of one.
    pub projects: Vec<ProjectFrame>,
    /// Calendars that projects and tasks name by position.
    pub calendars: Vec<Calendar>,
    /// All rows that take part: leaves and summaries. The caller leaves out what is not scheduled.
    pub tasks: Vec<Task>,
    /// All links between them, cross-project ones included.
    pub links: Vec<Link>,
    /// How progress and dates are read.
    pub options: Options,
}

impl Network {
    /// The project of a row.
    #[inline]
    pub(crate) fn project_of_row(&self, row: usize) -> usize {
        match self.projects.len() {
            // Rows are large and far apart; one project needs no look at them.
            1 => 0,
            _ => self.tasks.get(row).map_or(0, |row| row.project),
        }
    }
}

/// What a project gives its tasks.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ProjectFrame {
    /// No work is planned before this day.
    pub start: Day,
    /// The data date: remaining work is planned on or after it. `None` leaves the plan unfloored.
    pub data_date: Option<Day>,
    /// Default calendar of its tasks, a position in `Network::calendars`; `None` is Monday to Friday.
    pub calendar: Option<usize>,
    /// How the plain lags of links into this project count.
    pub lag_calendar: LagCalendar,
    /// How fast story points are burnt, for the simulation.
    pub velocity: Option<Velocity>,
}

impl ProjectFrame {
    /// A project on the built-in calendar, without a data date, lags on the successor's calendar.
    pub fn starting(start: Day) -> ProjectFrame {
        ProjectFrame {
            start,
            data_date: None,
            calendar: None,
            lag_calendar: LagCalendar::Successor,
            velocity: None,
        }
    }
}

/// Past sprints, from which the simulation draws when a task has story points and no estimate.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Velocity {
    /// Points completed in each of the past sprints that count.
    pub samples: Vec<f64>,
    /// Working days of one sprint, at least 1.
    pub sprint_days: i32,
}

/// Options of the whole computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Options {
    /// What becomes of the remaining work of a task that began out of sequence.
    pub progress: ProgressMode,
    /// Whether unfinished work before finished work holds what follows.
    pub done_work: DoneWork,
    /// `true` lets dates that work must not pass win over logic; by default logic wins and the float
    /// turns negative. Deadlines never move work.
    pub honour_dates: bool,
}

/// How the remaining work of a task in progress relates to unfinished predecessors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ProgressMode {
    /// Remaining work waits for its predecessors.
    #[default]
    RetainedLogic,
    /// A task that has begun ignores its unfinished predecessors; its rest starts at the data date.
    ProgressOverride,
    /// A task that has begun goes on by its own dates alone: its rest starts where the done part ends,
    /// counted from its actual start, or at the data date if that is later.
    ActualDates,
}

/// What becomes of logic that leads through finished work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum DoneWork {
    /// Finished work cuts it: what follows waits for the actual finish alone.
    #[default]
    CutsLogic,
    /// Finished work passes it on: what follows its finish also waits for whatever should have come
    /// before it, lags included. Its start has happened and holds nothing back.
    Retained,
}

/// One row of a plan. A row that another names as its parent is a summary.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Task {
    /// The bits of the row's UUID: breaks ties, keys the random numbers, names the row in faults.
    pub id: u128,
    /// Position of its project in `Network::projects`.
    pub project: usize,
    /// Position of its summary in `Network::tasks`.
    pub parent: Option<usize>,
    /// Working days, 0..=366 000; 0 is a milestone. Of summaries only lags in per cent count it.
    pub duration: i32,
    /// Own calendar, a position in `Network::calendars`; `None` uses the project's.
    pub calendar: Option<usize>,
    /// Work starts no earlier than this day.
    pub planned_start: Option<Day>,
    /// A further limit on its dates.
    pub constraint: Option<Constraint>,
    /// The day by whose end it ought to be finished; bounds late dates only. A milestone on days off
    /// keeps it as long as it shows no later day.
    pub deadline: Option<Day>,
    /// The day on which work began.
    pub actual_start: Option<Day>,
    /// The day by whose end work was finished.
    pub actual_finish: Option<Day>,
    /// 0.0..=100.0; 100 is complete. Done are whole days of the duration, rounded down.
    pub percent_complete: f64,
    /// Range of the duration, for the simulation; one that is out of order, negative or no number counts
    /// as none.
    pub estimate: Option<ThreePoint>,
    /// Story points left, for the simulation; used with the project's velocity if there is no estimate.
    pub story_points: Option<f64>,
}

impl Task {
    /// A leaf of the first project that has nothing but an id and a duration in working days.
    pub fn new(id: u128, duration: i32) -> Task {
        Task {
            id,
            project: 0,
            parent: None,
            duration,
            calendar: None,
            planned_start: None,
            constraint: None,
            deadline: None,
            actual_start: None,
            actual_finish: None,
            percent_complete: 0.0,
            estimate: None,
            story_points: None,
        }
    }
}

/// A dated limit, or the wish to be late.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Constraint {
    /// Starts on this day or later.
    StartNoEarlierThan(Day),
    /// Starts on this day or before.
    StartNoLaterThan(Day),
    /// Finishes on this day or later.
    FinishNoEarlierThan(Day),
    /// Finishes on this day or before.
    FinishNoLaterThan(Day),
    /// Starts on exactly this day; logic can push it later unless dates are honoured.
    MustStartOn(Day),
    /// Finishes on exactly this day; logic can push it later unless dates are honoured.
    MustFinishOn(Day),
    /// Starts on this day; logic can push it later, even if dates are honoured.
    StartOn(Day),
    /// Finishes on this day; logic can push it later, even if dates are honoured.
    FinishOn(Day),
    /// As late as its successors allow without moving them; without successors, as its project allows.
    AsLateAsPossible,
}

impl Constraint {
    /// The day that it names; `None` for the wish to be late.
    pub fn day(self) -> Option<Day> {
        match self {
            Constraint::StartNoEarlierThan(day)
            | Constraint::StartNoLaterThan(day)
            | Constraint::FinishNoEarlierThan(day)
            | Constraint::FinishNoLaterThan(day)
            | Constraint::MustStartOn(day)
            | Constraint::MustFinishOn(day)
            | Constraint::StartOn(day)
            | Constraint::FinishOn(day) => Some(day),
            Constraint::AsLateAsPossible => None,
        }
    }
}

/// Optimistic, most likely and pessimistic duration in working days, in this order and not falling.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ThreePoint {
    /// The shortest it can take.
    pub optimistic: f64,
    /// What it will most likely take.
    pub most_likely: f64,
    /// The longest it can take.
    pub pessimistic: f64,
}

/// A dependency between two rows. A pair may carry several links of different kinds.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Link {
    /// Position of the predecessor in `Network::tasks`.
    pub predecessor: usize,
    /// Position of the successor in `Network::tasks`.
    pub successor: usize,
    /// Which ends it ties together.
    pub kind: LinkKind,
    /// Lag in `lag_unit`, negative for a lead; -366 000..=366 000 days or per cent.
    pub lag: i32,
    /// What the lag counts.
    pub lag_unit: LagUnit,
    /// Overrides the lag calendar of the successor's project.
    pub lag_calendar: Option<LagCalendar>,
}

impl Link {
    /// A finish-to-start link without lag.
    pub fn new(predecessor: usize, successor: usize) -> Link {
        Link {
            predecessor,
            successor,
            kind: LinkKind::FinishToStart,
            lag: 0,
            lag_unit: LagUnit::Working,
            lag_calendar: None,
        }
    }
}

/// Which end of the predecessor holds which end of the successor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LinkKind {
    /// The successor starts after the predecessor finishes.
    FinishToStart,
    /// The successor starts after the predecessor starts.
    StartToStart,
    /// The successor finishes after the predecessor finishes.
    FinishToFinish,
    /// The successor finishes after the predecessor starts.
    StartToFinish,
}

/// What the number of a lag counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LagUnit {
    /// Working days of the lag calendar (calendar days when that is `Elapsed`).
    #[default]
    Working,
    /// Calendar days, whatever the lag calendar.
    Elapsed,
    /// Per cent of the predecessor's full duration, rounded to the nearest day, then as `Working`.
    Percent,
}

/// Whose working days a lag counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LagCalendar {
    /// The successor's calendar.
    #[default]
    Successor,
    /// The predecessor's calendar.
    Predecessor,
    /// The calendar of the successor's project.
    Project,
    /// Calendar days added to the shown date, then forward to a working day of the successor.
    Elapsed,
}
