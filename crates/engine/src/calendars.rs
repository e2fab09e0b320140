//! The axes of a network: which days they must cover, and which row uses which axis.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::axis::{Axis, Window};
use crate::calendar::{Calendar, CalendarException};
use crate::day::Day;
use crate::fault::Fault;
use crate::network::{Network, Task};
use crate::survey::{NO_CALENDAR, Survey};

/// What the tables of a network may hold together, in bytes.
const BUDGET: i64 = 64 << 20;
/// The days that a table covers whatever the number of calendars, if the plan is that long.
const FEWEST: i64 = 2 * 366;

/// The axes of a network; calendars that mean the same days share one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Calendars {
    pub(crate) axes: Vec<Axis>,
    /// Axis of the calendar of each row.
    pub(crate) of_task: Vec<u32>,
    of_calendar: Vec<u32>,
    built_in: u32,
}

impl Calendars {
    pub(crate) fn of(network: &Network, survey: &Survey, faults: &mut Vec<Fault>) -> Calendars {
        let (window, reach) = span_of(network, survey);
        let window = within_budget(window, network);
        let mut axes = Vec::new();
        let mut known: HashMap<Cow<'_, Calendar>, u32> = HashMap::new();
        let standard = Calendar::default();
        let mut table = |calendar| {
            *known.entry(plainly(calendar)).or_insert_with(|| match Axis::new(calendar, window, reach) {
                Some(axis) => {
                    axes.push(axis);
                    axes.len() as u32 - 1
                }
                None => u32::MAX,
            })
        };
        let built_in = table(&standard);
        let of_calendar: Vec<u32> = network
            .calendars
            .iter()
            .enumerate()
            .map(|(index, calendar)| {
                let axis = table(calendar);
                if axis != u32::MAX {
                    return axis;
                }
                faults.push(Fault::InvalidCalendar { calendar: index });
                built_in
            })
            .collect();
        let mut calendars = Calendars { axes, of_task: Vec::new(), of_calendar, built_in };
        let is_missing = |calendar: &usize| *calendar >= network.calendars.len();
        let mut missing: Vec<usize> =
            network.projects.iter().filter_map(|project| project.calendar.filter(is_missing)).collect();
        let alone = (network.projects.len() == 1).then(|| calendars.of_project(network, 0));
        let row = |(row, calendar): (usize, &u32)| match *calendar {
            // Rows are large; one project needs no look at them.
            NO_CALENDAR => alone.unwrap_or_else(|| calendars.of_project(network, network.tasks[row].project)),
            _ => calendars.of_calendar.get(*calendar as usize).copied().unwrap_or_else(|| {
                missing.extend(network.tasks[row].calendar);
                calendars.built_in
            }),
        };
        calendars.of_task = survey.calendars.iter().enumerate().map(row).collect();
        missing.sort_unstable();
        missing.dedup();
        faults.extend(missing.into_iter().map(|calendar| Fault::InvalidCalendar { calendar }));
        calendars
    }

    pub(crate) fn of_project(&self, network: &Network, project: usize) -> u32 {
        let calendar = network.projects.get(project).and_then(|frame| frame.calendar);
        calendar.and_then(|calendar| self.of_calendar.get(calendar)).copied().unwrap_or(self.built_in)
    }

    /// The axis of the calendar that a row names, or its project.
    pub(crate) fn of_row(&self, network: &Network, task: &Task) -> u32 {
        match task.calendar {
            Some(calendar) => self.of_calendar.get(calendar).copied().unwrap_or(self.built_in),
            None => self.of_project(network, task.project),
        }
    }
}

/// A calendar as the one that stands for all that are written differently and mean the same: without the
/// bit that no weekday has, its exceptions in the order of days, without overlaps and seams.
fn plainly(calendar: &Calendar) -> Cow<'_, Calendar> {
    let working_weekdays = calendar.working_weekdays & 0x7f;
    if working_weekdays == calendar.working_weekdays && calendar.exceptions.is_empty() {
        return Cow::Borrowed(calendar);
    }
    let mut exceptions: Vec<CalendarException> = Vec::new();
    for range in calendar.settled_within(i32::MIN, i32::MAX) {
        match exceptions.last_mut() {
            Some(last) if last.working == range.working && last.last.plus(1) == range.first => {
                last.last = range.last;
            }
            _ => exceptions.push(range),
        }
    }
    Cow::Owned(Calendar { working_weekdays, exceptions })
}

/// The part of a window that all tables together can hold; what lies beyond is looked up more slowly.
fn within_budget(window: Window, network: &Network) -> Window {
    let begin = network.projects.iter().map(|project| project.start.0).min().unwrap_or(window.first);
    // A boundary for each day, and a day for each ordinal.
    let each = 2 * size_of::<i32>() as i64;
    let days = (BUDGET / each / (network.calendars.len() as i64 + 1)).max(FEWEST);
    if i64::from(window.last) - i64::from(window.first) < days {
        return window;
    }
    // Plans go on from where they begin; a quarter is for what was done before.
    let first = i64::from(begin).saturating_sub(days / 4).clamp(window.first.into(), window.last.into());
    Window { first: first as i32, last: (first + days - 1).min(window.last.into()) as i32 }
}

/// The days that tables should cover, and how far an exception may lie outside of them to count.
fn span_of(network: &Network, survey: &Survey) -> (Window, Window) {
    const YEAR: i64 = 366;
    let anchor = network.projects.iter().map(|project| i64::from(project.start.0)).min().unwrap_or(0);
    let (mut first, mut last, mut work) = (anchor, anchor, survey.work);
    let mut cover = |day: Option<Day>| {
        if let Some(day) = day {
            (first, last) = (first.min(i64::from(day.0)), last.max(i64::from(day.0)));
        }
    };
    survey.days.into_iter().flatten().for_each(|day| cover(Some(day)));
    for project in &network.projects {
        cover(Some(project.start));
        cover(project.data_date);
    }
    work += network.links.iter().map(|link| i64::from(link.lag).abs()).sum::<i64>();
    let clamp = |day: i64, low: i64, high: i64| {
        day.clamp(anchor - low * YEAR, anchor + high * YEAR).clamp(-8_000_000, 8_000_000) as i32
    };
    let window =
        Window { first: clamp(first - 31, 20, 0), last: clamp(last + (work * 2).min(20 * YEAR) + 31, 0, 60) };
    let reach = Window { first: clamp(i64::MIN / 4, 100, 0), last: clamp(i64::MAX / 4, 0, 300) };
    (window, reach)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::day::Day;
    use crate::network::{Link, ProjectFrame};

    fn range(first: i32, last: i32, working: bool) -> CalendarException {
        CalendarException { first: Day(first), last: Day(last), working }
    }

    fn network(calendars: Vec<Calendar>) -> Network {
        let count = calendars.len();
        Network {
            projects: vec![ProjectFrame::starting(Day(20_458))],
            calendars,
            tasks: (0..=count)
                .map(|index| Task { calendar: Some(index % count), ..Task::new(index as u128, 900) })
                .collect(),
            links: (0..count).map(|index| Link::new(index, index + 1)).collect(),
            ..Network::default()
        }
    }

    #[test]
    fn calendars_that_mean_the_same_share_a_table() {
        let calendar = |mask, exceptions| Calendar { working_weekdays: mask, exceptions };
        let plan = network(vec![
            calendar(0b001_1111, vec![range(20_500, 20_509, false)]),
            calendar(0b1001_1111, vec![range(20_505, 20_509, false), range(20_500, 20_504, false)]),
            calendar(0b001_1111, vec![range(20_500, 20_506, true), range(20_500, 20_509, false)]),
            calendar(0b001_1111, vec![range(9, 1, true), range(20_500, 20_509, false)]),
            calendar(0b001_1111, vec![range(20_500, 20_508, false)]),
        ]);
        let calendars = Calendars::of(&plan, &Survey::of(&plan), &mut Vec::new());
        assert_eq!(calendars.of_calendar[..4], [calendars.of_calendar[0]; 4]);
        assert_ne!(calendars.of_calendar[4], calendars.of_calendar[0]);
    }

    #[test]
    fn thousands_of_calendars_keep_to_the_budget_and_their_dates() {
        let far = |index: i32| {
            vec![range(20_460 + index, 20_460 + index, false), range(90_000, 90_000 + index, true)]
        };
        let plan = network(
            (0..4_000).map(|index| Calendar { exceptions: far(index), ..Calendar::default() }).collect(),
        );
        let calendars = Calendars::of(&plan, &Survey::of(&plan), &mut Vec::new());
        let bytes: usize = calendars.axes.iter().map(Axis::table_bytes).sum();
        assert!(bytes < 2 * BUDGET as usize, "{bytes}");
        // The same look-ups as a calendar that is alone with its whole window.
        for index in [0, 1_999, 3_999] {
            let alone = network(vec![plan.calendars[index].clone()]);
            let alone = Calendars::of(&alone, &Survey::of(&alone), &mut Vec::new());
            let axis = |calendars: &Calendars, index: usize| {
                calendars.axes[calendars.of_calendar[index] as usize].clone()
            };
            let (one, other) = (axis(&calendars, index), axis(&alone, 0));
            for (from, to) in [(19_000, 20_458), (20_458, 25_000), (25_000, 60_000), (60_000, 95_000)] {
                let count = |axis: &Axis| axis.ordinal(to) - axis.ordinal(from);
                assert_eq!(count(&one), count(&other), "{index}: {from} to {to}");
                let ahead = |axis: &Axis| axis.finish(axis.ordinal(from) + 12_345);
                assert_eq!(ahead(&one), ahead(&other), "{index}: from {from}");
            }
        }
    }
}
