//! The axes of a network: which days they must cover, and which row counts on which.

use std::collections::HashMap;

use crate::axis::{Axis, Window};
use crate::calendar::Calendar;
use crate::day::Day;
use crate::fault::Fault;
use crate::network::{Network, Task};

/// The axes of a network, equal calendars sharing one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Calendars {
    pub(crate) axes: Vec<Axis>,
    /// Axis of the calendar of each row.
    pub(crate) of_task: Vec<u32>,
    of_calendar: Vec<u32>,
    built_in: u32,
}

impl Calendars {
    pub(crate) fn of(network: &Network, faults: &mut Vec<Fault>) -> Calendars {
        let (window, reach) = span_of(network);
        let mut axes = vec![Axis::continuous()];
        let mut known: HashMap<&Calendar, u32> = HashMap::new();
        let standard = Calendar::default();
        let mut table = |calendar| {
            *known.entry(calendar).or_insert_with(|| match Axis::new(calendar, window, reach) {
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
        let row = |task: &Task| {
            missing.extend(task.calendar.filter(is_missing));
            calendars.of_row(network, task)
        };
        calendars.of_task = network.tasks.iter().map(row).collect();
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

/// The days that tables should cover, and how far they may grow for an exception.
fn span_of(network: &Network) -> (Window, Window) {
    const YEAR: i64 = 366;
    let anchor = network.projects.iter().map(|project| i64::from(project.start.0)).min().unwrap_or(0);
    let (mut first, mut last, mut work) = (anchor, anchor, 0);
    let mut cover = |day: Option<Day>| {
        if let Some(day) = day {
            (first, last) = (first.min(i64::from(day.0)), last.max(i64::from(day.0)));
        }
    };
    for task in &network.tasks {
        cover(task.planned_start);
        cover(task.actual_start);
        cover(task.actual_finish);
        work += i64::from(task.duration.max(0));
    }
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
