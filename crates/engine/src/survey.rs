//! What compiling needs to know of every row, gathered in one walk: rows are large, and a walk costs what it reads.
//! Dates and progress as the passes read them are `inputs`.

use crate::day::Day;
use crate::fault::InvalidTask;
use crate::ids::hash_of;
use crate::inputs::is_complete;
use crate::network::{Network, Task};
use crate::outline::problem_of;

/// Whether a row is computed as a point, as far as it can be told without its calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Point {
    Never,
    Always,
    /// It is finished, and its days are known.
    Perhaps,
}

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

fn point_of(task: &Task) -> Point {
    let dated = task.actual_start.is_some() || task.actual_finish.is_some();
    match (task.duration, dated && is_complete(task)) {
        (0, _) => Point::Always,
        (_, true) => Point::Perhaps,
        (_, false) => Point::Never,
    }
}
