//! The progress of a row: what is done, what remains, and whether its dates are actual dates.

use crate::network::Task;

/// Whether a row is computed as a point, as far as it can be told without its calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Point {
    Never,
    Always,
    /// It is finished, and its days are known.
    Perhaps,
}

/// Working days of a task that are done, and that are left.
pub(crate) fn split(task: &Task) -> (i32, i32) {
    let done = (f64::from(task.duration) * task.percent_complete / 100.0).floor() as i32;
    (done, task.duration - done)
}

pub(crate) fn is_complete(task: &Task) -> bool {
    task.actual_finish.is_some() || task.percent_complete >= 100.0
}

pub(crate) fn has_begun(task: &Task) -> bool {
    task.actual_start.is_some() || task.percent_complete > 0.0
}

pub(crate) fn point_of(task: &Task) -> Point {
    let dated = task.actual_start.is_some() || task.actual_finish.is_some();
    match (task.duration, dated && is_complete(task)) {
        (0, _) => Point::Always,
        (_, true) => Point::Perhaps,
        (_, false) => Point::Never,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::LONGEST;

    #[test]
    fn rounding_finishes_nothing_that_is_not_complete() {
        let almost = f64::from_bits(100f64.to_bits() - 1);
        for duration in 1..=LONGEST {
            let task = Task { percent_complete: almost, ..Task::new(1, duration) };
            assert_eq!(split(&task), (duration - 1, 1));
        }
    }
}
