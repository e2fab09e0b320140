//! The input of the engine: projects, calendars, tasks and links as plain data. Nothing is checked here. The engine
//! reports as faults what it cannot use, and schedules the rest.

use crate::calendar::Calendar;
use crate::day::Day;

/// Everything one computation needs: a single project, or the merged graph of a program.
///
/// Positions start with 0. Dates may be up to 4 194 304 days before or after 1970-01-01. A row with another date, or
/// in a project with one, is left out and reported. No value makes the engine panic.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Network {
    /// The member projects; a lone project is a list of one.
    pub projects: Vec<ProjectFrame>,
    /// Calendars that projects and tasks name by position.
    pub calendars: Vec<Calendar>,
    /// All scheduled rows: leaves and summaries. The caller leaves out other rows.
    pub tasks: Vec<Task>,
    /// All links between them, also between projects.
    pub links: Vec<Link>,
    /// The options for progress and dates.
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

/// The data of a project.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ProjectFrame {
    /// No work is planned before this day.
    pub start: Day,
    /// The data date: remaining work is planned on or after it. `None` means no limit.
    pub data_date: Option<Day>,
    /// Default calendar of its tasks, a position in `Network::calendars`; `None` is Monday to Friday.
    pub calendar: Option<usize>,
    /// How the plain lags of links into this project count.
    pub lag_calendar: LagCalendar,
    /// The past velocity, for the simulation.
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

/// Past sprints. The simulation draws from them if a task has story points and no estimate.
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
    /// The rule for the remaining work of a task that began out of sequence.
    pub progress: ProgressMode,
    /// Whether open work before complete work limits what follows.
    pub done_work: DoneWork,
    /// With `true`, must dates and *no later than* dates win over logic. By default logic wins and the float becomes
    /// negative. Deadlines never move work.
    pub honour_dates: bool,
}

/// How the remaining work of a task in progress relates to unfinished predecessors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ProgressMode {
    /// Remaining work waits for its predecessors.
    #[default]
    RetainedLogic,
    /// A task that has begun ignores its open predecessors. Its remaining work starts at the data date.
    ProgressOverride,
    /// A task that has begun uses only its own dates. Its remaining work starts where the done part ends, counted
    /// from its actual start, or at the data date if that is later.
    ActualDates,
}

/// The rule for logic through complete work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum DoneWork {
    /// Complete work does not pass it on. Successors wait only for the actual finish.
    #[default]
    CutsLogic,
    /// Complete work passes it on. Successors of its finish also wait for its open predecessors, with all lags. Its
    /// start has happened and limits nothing.
    Retained,
}

/// One row of a plan. A row that another names as its parent is a summary.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Task {
    /// The bits of the UUID of the row. They decide between equal rows, select the random numbers, and name the row
    /// in faults.
    pub id: u128,
    /// Position of its project in `Network::projects`.
    pub project: usize,
    /// Position of its summary in `Network::tasks`.
    pub parent: Option<usize>,
    /// Working days, 0..=366 000. 0 is a milestone. For summaries only lags in percent use it.
    pub duration: i32,
    /// Own calendar, a position in `Network::calendars`; `None` uses the project's.
    pub calendar: Option<usize>,
    /// Work starts no earlier than this day.
    pub planned_start: Option<Day>,
    /// Another limit on its dates.
    pub constraint: Option<Constraint>,
    /// The day by whose end it should be finished. It limits only late dates. A milestone on days off meets it if it
    /// does not show a later day.
    pub deadline: Option<Day>,
    /// The day on which work began.
    pub actual_start: Option<Day>,
    /// The day by whose end work was finished.
    pub actual_finish: Option<Day>,
    /// 0.0..=100.0. 100 is complete. The done part is whole days of the duration, rounded down.
    pub percent_complete: f64,
    /// The range of the duration, for the simulation. A range that is not in order, is negative or is not a number is
    /// ignored.
    pub estimate: Option<ThreePoint>,
    /// The remaining story points, for the simulation. They are used with the velocity of the project if there is no
    /// estimate.
    pub story_points: Option<f64>,
}

impl Task {
    /// A leaf of the first project with only an id and a duration in working days.
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

/// A dated limit, or *as late as possible*.
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
    /// Starts on exactly this day. Logic can move it later unless dates are honoured.
    MustStartOn(Day),
    /// Finishes on exactly this day. Logic can move it later unless dates are honoured.
    MustFinishOn(Day),
    /// Starts on this day. Logic can move it later, even if dates are honoured.
    StartOn(Day),
    /// Finishes on this day. Logic can move it later, even if dates are honoured.
    FinishOn(Day),
    /// As late as its successors allow without moving. Without successors, as late as its project allows.
    AsLateAsPossible,
}

impl Constraint {
    /// Its day. `None` for *as late as possible*.
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

/// A link between two rows. Two rows may have several links of different types.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Link {
    /// Position of the predecessor in `Network::tasks`.
    pub predecessor: usize,
    /// Position of the successor in `Network::tasks`.
    pub successor: usize,
    /// Its type.
    pub kind: LinkKind,
    /// Lag in `lag_unit`, negative for a lead; -366 000..=366 000 days or per cent.
    pub lag: i32,
    /// The unit of the lag.
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

/// The type of a link: which end of the predecessor limits which end of the successor.
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

/// The unit of a lag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LagUnit {
    /// Working days of the lag calendar (calendar days when that is `Elapsed`).
    #[default]
    Working,
    /// Calendar days, for every lag calendar.
    Elapsed,
    /// Percent of the full duration of the predecessor, rounded to the nearest day, then as `Working`.
    Percent,
}

/// The calendar that counts a lag.
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
