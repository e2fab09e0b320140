//! What the engine could not use and left out. A fault names its row and never stops the rest.

use std::fmt;

/// One thing that was left out, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Links that lead back to where they began; containment in a summary counts.
    Cycle {
        /// Ids of the rows along the way, each once, beginning with the smallest.
        path: Vec<u128>,
        /// Positions of the links that were left out.
        links: Vec<usize>,
    },
    /// A row that cannot be scheduled; its links are left out with it.
    InvalidTask {
        /// Position in the input.
        task: usize,
        /// Its id.
        id: u128,
        /// What is wrong.
        reason: InvalidTask,
    },
    /// A row whose parents lead back to itself or nowhere; it is scheduled without a parent.
    InvalidParent {
        /// Position in the input.
        task: usize,
        /// Its id.
        id: u128,
    },
    /// A link that cannot be used.
    InvalidLink {
        /// Position in the input.
        link: usize,
        /// What is wrong.
        reason: InvalidLink,
    },
    /// A calendar that is missing or has no working weekday; Monday to Friday stands in for it.
    InvalidCalendar {
        /// Position that was asked for; there may be no calendar at it.
        calendar: usize,
    },
}

/// Why a row cannot be scheduled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvalidTask {
    /// Its project is not in the network.
    UnknownProject,
    /// The duration is negative or above the limit.
    Duration,
    /// Percent complete is not a number from 0 to 100.
    PercentComplete,
    /// The actual start is after the actual finish.
    ActualDates,
    /// A date is beyond the range that the engine counts in.
    DateOutOfRange,
    /// Another row before it has the same id.
    DuplicateId,
}

/// Why a link cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvalidLink {
    /// An end is not in the network, or was itself left out.
    Dangling,
    /// The lag is beyond the limit.
    Lag,
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Cycle { path, .. } => write!(formatter, "cycle through {} rows", path.len()),
            Fault::InvalidTask { reason, .. } => write!(formatter, "task left out: {reason}"),
            Fault::InvalidParent { .. } => formatter.write_str("parent left out: it leads back or nowhere"),
            Fault::InvalidLink { reason, .. } => write!(formatter, "link left out: {reason}"),
            Fault::InvalidCalendar { calendar } => {
                write!(
                    formatter,
                    "calendar {calendar} is missing or works no weekday; Monday to Friday is used"
                )
            }
        }
    }
}

impl fmt::Display for InvalidTask {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            InvalidTask::UnknownProject => "its project is unknown",
            InvalidTask::Duration => "its duration is out of range",
            InvalidTask::PercentComplete => "its percent complete is not from 0 to 100",
            InvalidTask::ActualDates => "its actual start is after its actual finish",
            InvalidTask::DateOutOfRange => "one of its dates is out of range",
            InvalidTask::DuplicateId => "its id is used twice",
        })
    }
}

impl fmt::Display for InvalidLink {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            InvalidLink::Dangling => "one of its ends is not scheduled",
            InvalidLink::Lag => "its lag is out of range",
        })
    }
}
