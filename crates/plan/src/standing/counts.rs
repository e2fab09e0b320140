//! What is counted over the rows of a plan: sums, and numbers by day for all that depends on what day it is. Pure. Phases are
//! counted through their children, and recurring templates are no work.

use planwright_domain::words::TaskStatus;
use serde::{Deserialize, Serialize};

use super::LITTLE_FLOAT;
use crate::schedule::network::day;
use crate::schedule::queries::{Computed, TaskInput};

/// The counts of a plan. Days are counted from 1970-01-01.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    /// The leaves.
    pub tasks: i64,
    /// Those that are not complete.
    pub open: i64,
    /// Open ones with little float.
    pub at_risk: i64,
    /// Open ones on the critical path.
    pub critical: i64,
    /// Leaves that are milestones.
    pub milestones: i64,
    /// The working days of the leaves.
    pub duration: i64,
    /// The working days times the percentages that are done.
    pub percent_days: f64,
    /// The last day of a leaf.
    pub finish: Option<i32>,
    /// The last day that was promised, rows included that are gone.
    pub baseline_finish: Option<i32>,
    /// Leaves that are finished and whose finish was promised.
    pub finished: i64,
    /// By how many days these missed it.
    pub days_late: i64,
    /// Open leaves by their last day.
    pub open_tasks: ByDay,
    /// Open milestones by their day.
    pub open_milestones: ByDay,
    /// Leaves by the day that was promised, or by their last day where none was.
    pub promised: ByDay,
}

/// What one row adds to the counts. It is small, so that a write of few rows adds up the others quickly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Share {
    is_leaf: bool,
    is_open: bool,
    is_at_risk: bool,
    is_critical: bool,
    is_milestone: bool,
    finish: Option<i32>,
    promised: Option<i32>,
    /// By how many days a finished row missed what was promised.
    days_late: Option<i32>,
    duration: i64,
    percent_days: f64,
}

impl Share {
    /// What a live row adds, beside what is computed and the finish that the active baseline has of it.
    pub fn of(task: &TaskInput, computed: Option<&Computed>, promised: Option<i32>) -> Self {
        let dates = computed.map(|computed| &computed.figures.dates);
        let is_open = task.status != TaskStatus::Complete;
        let float = dates.and_then(|dates| dates.total_float);
        Self {
            is_leaf: !task.is_recurring
                && !task.is_subtask
                && !computed.is_some_and(|computed| computed.is_phase),
            is_open,
            is_at_risk: is_open && float.is_some_and(|float| float <= LITTLE_FLOAT),
            is_critical: is_open && dates.and_then(|dates| dates.is_critical) == Some(true),
            is_milestone: task.is_milestone,
            finish: dates.and_then(|dates| dates.early_finish),
            promised,
            days_late: task.actual_finish.zip(promised).map(|(actual, promised)| day(actual).0 - promised),
            duration: task.duration,
            percent_days: task.duration as f64 * task.percent_complete,
        }
    }
}

impl Counts {
    /// The counts of rows, beside the last day of the active baseline.
    pub fn of(shares: impl Iterator<Item = Share>, baseline_finish: Option<i32>) -> Self {
        let mut counts = Self { baseline_finish, ..Self::default() };
        let (mut open_tasks, mut open_milestones, mut promised) = (Vec::new(), Vec::new(), Vec::new());
        for share in shares {
            if !share.is_leaf {
                continue;
            }
            if let Some(days_late) = share.days_late {
                counts.finished += 1;
                counts.days_late += i64::from(days_late);
            }
            counts.add(share);
            if share.is_open {
                open_tasks.extend(share.finish);
                open_milestones.extend(share.finish.filter(|_| share.is_milestone));
            }
            promised.extend(share.promised.or(share.finish));
        }
        Self {
            open_tasks: ByDay::of(open_tasks),
            open_milestones: ByDay::of(open_milestones),
            promised: ByDay::of(promised),
            ..counts
        }
    }

    /// Whether two counts differ by no more than the rounding of sums in another order, for checks.
    pub fn agrees_with(&self, other: &Self) -> bool {
        let near = (self.percent_days - other.percent_days).abs() < 1e-6 * (1.0 + other.percent_days.abs());
        near && *self == Self { percent_days: self.percent_days, ..other.clone() }
    }

    fn add(&mut self, share: Share) {
        self.tasks += 1;
        self.open += i64::from(share.is_open);
        self.at_risk += i64::from(share.is_at_risk);
        self.critical += i64::from(share.is_critical);
        self.milestones += i64::from(share.is_milestone);
        self.duration += share.duration;
        self.percent_days += share.percent_days;
        self.finish = self.finish.max(share.finish);
    }
}

/// Numbers by day, in the order of days. They are stored as one list: the gap to the day before, the number, and so on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<i64>", into = "Vec<i64>")]
pub struct ByDay(Vec<(i64, i64)>);

impl ByDay {
    /// How often each day occurs.
    pub fn of(mut days: Vec<i32>) -> Self {
        days.sort_unstable();
        let same = days.chunk_by(|one, next| one == next);
        Self(same.map(|days| (i64::from(days[0]), days.len() as i64)).collect())
    }

    /// How many lie before a day.
    pub fn before(&self, day: i32) -> i64 {
        self.0.iter().take_while(|(at, _)| *at < i64::from(day)).map(|(_, number)| number).sum()
    }
}

impl From<Vec<i64>> for ByDay {
    fn from(list: Vec<i64>) -> Self {
        let mut day = 0_i64;
        let numbers = list.chunks_exact(2).map(|pair| {
            day = day.saturating_add(pair[0]);
            (day, pair[1])
        });
        Self(numbers.collect())
    }
}

impl From<ByDay> for Vec<i64> {
    fn from(days: ByDay) -> Self {
        let mut before = 0;
        let pairs =
            days.0.into_iter().flat_map(|(day, number)| [day - std::mem::replace(&mut before, day), number]);
        pairs.collect()
    }
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;
    use planwright_domain::ids::TaskId;

    use super::super::Standing;
    use super::*;
    use crate::schedule::queries::{Dates, Figures};

    fn date(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn computed(finish: &str, float: i32, is_summary: bool) -> Computed {
        let early_finish = Some(day(date(finish)).0);
        let dates = Dates {
            early_finish,
            total_float: Some(float),
            is_critical: Some(float == 0),
            ..Dates::default()
        };
        Computed {
            task_id: TaskId(uuid::Uuid::nil()),
            outline: None,
            outline_order: None,
            is_summary,
            is_phase: is_summary,
            figures: Figures { dates, ..Figures::default() },
        }
    }

    fn task(status: TaskStatus, duration: i64, percent_complete: f64) -> TaskInput {
        TaskInput { status, duration, percent_complete, ..TaskInput::blank() }
    }

    #[test]
    fn what_is_kept_holds_on_every_later_day() {
        let done =
            TaskInput { actual_finish: Some(date("2026-03-06")), ..task(TaskStatus::Complete, 4, 100.0) };
        let open = task(TaskStatus::InProgress, 4, 50.0);
        let milestone = TaskInput { is_milestone: true, ..task(TaskStatus::NotStarted, 0, 0.0) };
        let phase = task(TaskStatus::InProgress, 9, 0.0);
        let template = TaskInput { is_recurring: true, ..task(TaskStatus::NotStarted, 3, 0.0) };
        let subtask = TaskInput { is_subtask: true, ..done.clone() };
        let (early, late, far) = (
            computed("2026-03-06", 9, false),
            computed("2026-03-10", 0, false),
            computed("2026-03-20", 6, false),
        );
        let summary = computed("2026-03-20", 0, true);
        let promised = |text| Some(day(date(text)).0);
        let rows = [
            Share::of(&done, Some(&early), promised("2026-03-04")),
            Share::of(&open, Some(&late), None),
            Share::of(&milestone, Some(&far), promised("2026-03-16")),
            Share::of(&phase, Some(&summary), promised("2026-03-18")),
            Share::of(&template, None, None),
            Share::of(&subtask, Some(&early), promised("2026-03-01")),
            Share::of(&done, Some(&summary), promised("2026-03-01")),
        ];
        let counts = Counts::of(rows.into_iter(), promised("2026-03-31"));
        let stored = serde_json::to_string(&counts).unwrap();
        assert_eq!(serde_json::from_str::<Counts>(&stored).unwrap(), counts);
        let on = |text| Standing::on(date(text), &counts);

        let first = on("2026-03-10");
        assert_eq!((first.task_count, first.open_task_count, first.complete_count), (3, 2, 1));
        assert_eq!((first.overdue_count, first.at_risk_count, first.critical_count), (0, 1, 1));
        assert_eq!((first.planned_count, first.percent_complete), (2, Some(75.0)));
        assert_eq!(
            (first.milestone_count, first.overdue_milestone_count, first.near_milestone_count),
            (1, 0, 0)
        );
        assert_eq!(
            (first.finish, first.baseline_finish),
            (Some(date("2026-03-20")), Some(date("2026-03-31")))
        );
        assert_eq!(first.mean_days_late, Some(2.0));

        let later = on("2026-03-13");
        assert_eq!((later.overdue_count, later.near_milestone_count, later.planned_count), (1, 1, 2));
        let last = on("2026-03-21");
        assert_eq!((last.overdue_count, last.overdue_milestone_count, last.near_milestone_count), (2, 1, 0));
        assert_eq!(last.planned_count, 3);
    }

    #[test]
    fn a_plan_without_rows_has_no_percentage_and_no_days() {
        let standing = Standing::on(date("2026-03-10"), &Counts::of(std::iter::empty(), None));
        assert_eq!(standing, Standing::default());
    }
}
