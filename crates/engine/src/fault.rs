//! Faults: what the engine could not use and left out, or used in a surprising way. A fault names its row and the
//! wrong value. It never stops the rest.

use std::fmt;

use crate::day::Day;

/// Something that was left out or has a surprising result, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Fault {
    /// Links that form a cycle. The outline counts: a row belongs to its summary.
    Cycle {
        /// Ids of the rows along the way, each once, beginning with the smallest.
        path: Vec<u128>,
        /// Positions of the links that were left out.
        links: Vec<usize>,
    },
    /// A row that cannot be scheduled. Its links are left out too.
    InvalidTask {
        /// Position in the input.
        task: usize,
        /// Its id.
        id: u128,
        /// What is wrong.
        reason: InvalidTask,
    },
    /// A row whose parent does not exist or leads back to the row. It is scheduled without a parent.
    InvalidParent {
        /// Position in the input.
        task: usize,
        /// Its id.
        id: u128,
        /// The position that it names as its parent.
        parent: usize,
    },
    /// A link that cannot be used.
    InvalidLink {
        /// Position in the input.
        link: usize,
        /// Ids of the predecessor and the successor; `None` for one that is not in the network.
        ends: [Option<u128>; 2],
        /// What is wrong.
        reason: InvalidLink,
    },
    /// A calendar that is missing or has no working weekday. Monday to Friday is used instead.
    InvalidCalendar {
        /// The requested position. There may be no calendar there.
        calendar: usize,
    },
    /// A row that its calendar delays by more than fifty years. It is scheduled anyway.
    BeyondCalendar {
        /// Position in the input.
        task: usize,
        /// Its id.
        id: u128,
        /// The day on which it would be finished.
        finish: Day,
    },
}

/// Why a row cannot be scheduled, with the value that is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum InvalidTask {
    /// Its project, by position, is not in the network.
    UnknownProject(usize),
    /// The duration is negative or above the limit.
    Duration(i32),
    /// Percent complete is not a number from 0 to 100.
    PercentComplete(WrittenNumber),
    /// The actual start is after the actual finish.
    ActualDates(Day, Day),
    /// A date is beyond the range that the engine counts in.
    DateOutOfRange(Day),
    /// Another row before it has the same id.
    DuplicateId,
}

/// A number as it was written, which may be NaN. It is always equal to itself.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WrittenNumber(pub f64);

impl PartialEq for WrittenNumber {
    fn eq(&self, other: &WrittenNumber) -> bool {
        self.0.total_cmp(&other.0).is_eq()
    }
}

impl Eq for WrittenNumber {}

impl fmt::Display for WrittenNumber {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// Why a link cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum InvalidLink {
    /// An end is not in the network, or was itself left out.
    Dangling,
    /// The lag is beyond the limit.
    Lag(i32),
}

/// An id as people see it.
struct Id(u128);

impl fmt::Display for Id {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |shift: u32, bits: u32| self.0 >> shift & ((1 << bits) - 1);
        let (node, clock) = (part(0, 48), part(48, 16));
        let (high, middle, low) = (part(64, 16), part(80, 16), part(96, 32));
        write!(formatter, "{low:08x}-{middle:04x}-{high:04x}-{clock:04x}-{node:012x}")
    }
}

impl Fault {
    /// The error with its value, but without the ids of rows, for callers that have better names for them.
    pub fn problem(&self) -> String {
        match self {
            Fault::Cycle { path, .. } => format!("cycle through {} rows", path.len()),
            Fault::InvalidTask { reason, .. } => format!("task left out: {reason}"),
            Fault::InvalidParent { parent, .. } => {
                format!("parent left out: row {parent} does not exist or leads back to this row")
            }
            Fault::InvalidLink { reason, .. } => format!("link left out: {reason}"),
            Fault::InvalidCalendar { calendar } => {
                format!("calendar {calendar} is missing or has no working weekday; Monday to Friday is used")
            }
            Fault::BeyondCalendar { finish, .. } => {
                format!("its calendar delays it by more than fifty years; it would finish on {finish}")
            }
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problem = self.problem();
        match self {
            Fault::Cycle { path, .. } => {
                let way: Vec<String> = path.iter().map(|id| Id(*id).to_string()).collect();
                write!(formatter, "{problem}: {}", way.join(" → "))
            }
            Fault::InvalidTask { id, .. }
            | Fault::InvalidParent { id, .. }
            | Fault::BeyondCalendar { id, .. } => write!(formatter, "{}: {problem}", Id(*id)),
            Fault::InvalidLink { link, ends, .. } => {
                let name = |id: Option<u128>| id.map_or("nothing".to_owned(), |id| Id(id).to_string());
                let [from, to] = ends.map(name);
                write!(formatter, "link {link}, {from} → {to}: {problem}")
            }
            Fault::InvalidCalendar { .. } => formatter.write_str(&problem),
        }
    }
}

impl fmt::Display for InvalidTask {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidTask::UnknownProject(project) => write!(formatter, "its project, {project}, is unknown"),
            InvalidTask::Duration(days) => write!(formatter, "its duration, {days} days, is out of range"),
            InvalidTask::PercentComplete(share) => {
                write!(formatter, "its percent complete, {share}, is not from 0 to 100")
            }
            InvalidTask::ActualDates(start, finish) => {
                write!(formatter, "its actual start, {start}, is after its actual finish, {finish}")
            }
            InvalidTask::DateOutOfRange(day) => write!(formatter, "one of its dates, {day}, is out of range"),
            InvalidTask::DuplicateId => formatter.write_str("its id is used twice"),
        }
    }
}

impl fmt::Display for InvalidLink {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidLink::Dangling => formatter.write_str("one of its ends is not scheduled"),
            InvalidLink::Lag(lag) => write!(formatter, "its lag, {lag}, is out of range"),
        }
    }
}
