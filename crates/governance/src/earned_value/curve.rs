//! The curve of what was planned, day by day: each task evenly over its own working days. Pure.

use std::collections::HashMap;

use chrono::{Days, NaiveDate};
use planwright_domain::ids::CalendarId;

use super::work::Work;
use crate::working_days::{WorkingDays, WorkingDaysOfTasks};

/// What was planned, day by day.
pub(super) struct Curve<'a> {
    days: &'a WorkingDaysOfTasks,
    start: NaiveDate,
    /// How much was to be done by the end of each day from the start.
    planned: Vec<f64>,
}

impl<'a> Curve<'a> {
    /// The curve of tasks. Where nothing was planned it is empty, and begins on the day of the figures.
    pub(super) fn of(tasks: &[Work], days: &'a WorkingDaysOfTasks, date: NaiveDate) -> Self {
        let spans: Vec<Span> = tasks.iter().filter_map(Span::of).collect();
        let first = spans.iter().map(|span| span.first).min();
        let Some((start, finish)) = first.zip(spans.iter().map(|span| span.last).max()) else {
            return Self { days, start: date, planned: Vec::new() };
        };
        let length = usize::try_from((finish - start).num_days()).unwrap_or_default() + 1;
        let mut on_day = vec![0.0; length];
        let mut by_calendar: HashMap<Option<CalendarId>, Vec<Span>> = HashMap::new();
        for span in spans {
            by_calendar.entry(span.calendar).or_default().push(span);
        }
        for (calendar, spans) in by_calendar {
            spread(&spans, days.of(calendar), start, &mut on_day);
        }
        let mut sum = 0.0;
        let add = |work: f64| {
            sum += work;
            sum
        };
        Self { days, start, planned: on_day.into_iter().map(add).collect() }
    }

    /// The first day of the plan.
    pub(super) fn start(&self) -> NaiveDate {
        self.start
    }

    pub(super) fn planned_by(&self, date: NaiveDate) -> f64 {
        match usize::try_from((date - self.start).num_days()) {
            Err(_) => 0.0,
            Ok(at) => self.planned.get(at).or(self.planned.last()).copied().unwrap_or_default(),
        }
    }

    /// The working days from the first day until a day, both included.
    pub(super) fn time_until(&self, date: NaiveDate) -> f64 {
        if self.planned.is_empty() || date < self.start {
            0.0
        } else {
            self.days.of_project().within(self.start, date) as f64
        }
    }

    /// After how many working days of the project so much was to be earned: whole days, and the part of the next one in which it
    /// was reached. Nothing where nothing was planned.
    pub(super) fn earned_schedule(&self, earned: f64) -> f64 {
        if self.planned.last().is_none_or(|all| *all <= 0.0) {
            return 0.0;
        }
        let own = self.days.of_project();
        let dates = self.start.iter_days().zip(&self.planned);
        let ends: Vec<f64> =
            dates.filter(|(date, _)| own.within(*date, *date) > 0).map(|(_, planned)| *planned).collect();
        let whole = ends.partition_point(|planned| *planned <= earned + 1e-9);
        let before = whole.checked_sub(1).map_or(0.0, |last| ends[last]);
        let part = ends.get(whole).map_or(0.0, |next| (earned - before) / (next - before));
        whole as f64 + part.clamp(0.0, 1.0)
    }

    pub(super) fn finish(&self) -> NaiveDate {
        let length = self.planned.len().saturating_sub(1) as u64;
        self.start.checked_add_days(Days::new(length)).unwrap_or(self.start)
    }
}

/// Work from one day to another.
struct Span {
    first: NaiveDate,
    last: NaiveDate,
    calendar: Option<CalendarId>,
    work: f64,
}

impl Span {
    fn of(task: &Work) -> Option<Self> {
        let (first, last) = (task.planned_start?, task.planned_finish?);
        (first <= last).then_some(Self { first, last, calendar: task.calendar, work: task.budget })
    }
}

/// Adds work to the days on which it was planned. All of it is on one calendar.
fn spread(spans: &[Span], days: &WorkingDays, start: NaiveDate, on_day: &mut [f64]) {
    let place = |date: NaiveDate| usize::try_from((date - start).num_days()).unwrap_or_default();
    // Work a working day from a first day on, and less from behind the last one: added up, that is the plan.
    let mut change = vec![0.0; on_day.len() + 1];
    for span in spans {
        match days.within(span.first, span.last) {
            0 => on_day[place(span.last)] += span.work,
            count => {
                change[place(span.first)] += span.work / count as f64;
                change[place(span.last) + 1] -= span.work / count as f64;
            }
        }
    }
    let mut rate = 0.0;
    for (at, work) in on_day.iter_mut().enumerate() {
        rate += change[at];
        let day = start.checked_add_days(Days::new(at as u64)).unwrap_or(start);
        *work += if days.within(day, day) > 0 { rate } else { 0.0 };
    }
}
