//! The data of every row that compiling needs, collected in one pass over the rows. Rows are large, so one pass is
//! cheaper than several. `inputs` has dates and progress for the passes.

use crate::day::Day;
use crate::fault::{InvalidTask, WrittenNumber};
use crate::ids::hash_of;
use crate::network::{Constraint, Network, Task};
use crate::progress::{Point, point_of};
use crate::range::FAR;

/// Longest duration and lag that is accepted, in days.
pub(crate) const LONGEST: i32 = 366_000;

/// A compact copy of the rows.
pub(crate) struct Survey {
    pub(crate) hashes: Vec<u64>,
    /// The calendar that each row names; `NO_CALENDAR` without one.
    pub(crate) calendars: Vec<u32>,
    pub(crate) points: Vec<Point>,
    pub(crate) has_parents: bool,
    /// Rows that cannot be used, and why; not those whose ids are used twice.
    pub(crate) problems: Vec<(usize, InvalidTask)>,
    /// The first and the last day that a row names, and all work together.
    pub(crate) days: Option<[Day; 2]>,
    pub(crate) work: i64,
}

/// Stands for the calendar of the project.
pub(crate) const NO_CALENDAR: u32 = u32::MAX;

impl Survey {
    pub(crate) fn of(network: &Network) -> Survey {
        let count = network.tasks.len();
        let mut survey = Survey {
            hashes: Vec::with_capacity(count),
            calendars: Vec::with_capacity(count),
            points: Vec::with_capacity(count),
            has_parents: false,
            problems: Vec::new(),
            days: None,
            work: 0,
        };
        for (index, task) in network.tasks.iter().enumerate() {
            survey.hashes.push(hash_of(task.id));
            // Positions that no list can have are missing like all others.
            let calendar = task.calendar.map(|calendar| calendar.min(NO_CALENDAR as usize - 1) as u32);
            survey.calendars.push(calendar.unwrap_or(NO_CALENDAR));
            survey.points.push(point_of(task));
            survey.has_parents |= task.parent.is_some();
            survey.problems.extend(problem_of(network, task).map(|reason| (index, reason)));
            for day in [task.planned_start, task.actual_start, task.actual_finish].into_iter().flatten() {
                let [first, last] = survey.days.unwrap_or([day; 2]);
                survey.days = Some([first.min(day), last.max(day)]);
            }
            survey.work += i64::from(task.duration.max(0));
        }
        survey
    }
}

/// Whether a date lies in the range that the engine counts in.
pub(crate) fn is_in_range(day: Day) -> bool {
    (-FAR / 64..=FAR / 64).contains(&day.0)
}

/// Why a row cannot be scheduled; `None` if it can.
pub(crate) fn problem_of(network: &Network, task: &Task) -> Option<InvalidTask> {
    let frame = match network.projects.get(task.project) {
        Some(frame) => frame,
        None => return Some(InvalidTask::UnknownProject(task.project)),
    };
    let constraint_day = task.constraint.and_then(Constraint::day);
    let dates = [task.planned_start, task.actual_start, task.actual_finish, task.deadline, constraint_day];
    let frame_dates = [Some(frame.start), frame.data_date];
    let far = dates.into_iter().chain(frame_dates).flatten().find(|day| !is_in_range(*day));
    if let Some(day) = far {
        return Some(InvalidTask::DateOutOfRange(day));
    }
    if !(0..=LONGEST).contains(&task.duration) {
        return Some(InvalidTask::Duration(task.duration));
    }
    if !(0.0..=100.0).contains(&task.percent_complete) {
        return Some(InvalidTask::PercentComplete(WrittenNumber(task.percent_complete)));
    }
    let reversed = task.actual_start.zip(task.actual_finish).filter(|(start, finish)| start > finish);
    reversed.map(|(start, finish)| InvalidTask::ActualDates(start, finish))
}
