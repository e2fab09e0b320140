//! Calendars of MSPDI: a week and exceptions, of their own or taken over from a base calendar.
//! Only whole days are kept; the hours of a day are not.

use std::collections::HashMap;

use chrono::{Days, NaiveDate};

use super::{codes, repeating, work_weeks};
use crate::Losses;
use crate::seed::model::{Calendar, CalendarException};
use crate::xml::Element;

/// The longest time between the first and last day of one exception.
const LONGEST_EXCEPTION_DAYS: u64 = 36_600;

/// The calendars of a file, with their places by their ids in it.
#[derive(Debug, Default)]
pub(super) struct Calendars {
    pub(super) list: Vec<Calendar>,
    places: HashMap<i64, usize>,
}

impl Calendars {
    /// Reads all of them. Those of resources are read too, and left out when no resource uses them.
    pub(super) fn read(project: &Element, hours_per_day: f64, losses: &mut Losses) -> Self {
        let elements: Vec<&Element> =
            project.child("Calendars").map(|all| all.all("Calendar").collect()).unwrap_or_default();
        let by_id: HashMap<i64, &Element> =
            elements.iter().filter_map(|element| Some((element.value("UID")?, *element))).collect();
        let mut calendars = Self::default();
        for element in &elements {
            let Some(id) = element.value::<i64>("UID") else { continue };
            let mut calendar = Calendar {
                name: element.text("Name").unwrap_or("Calendar").to_owned(),
                working_days: 31,
                hours_per_day,
                timezone: "UTC".to_owned(),
                ..Calendar::default()
            };
            if leads_back(element, &by_id) {
                let reason = "A base calendar that leads back to itself is left out.";
                losses.note("BaseCalendarUID", reason, &*calendar.name);
            }
            for part in with_bases(element, &by_id) {
                overlay(&mut calendar, part, losses);
            }
            calendars.places.insert(id, calendars.list.len());
            calendars.list.push(calendar);
        }
        calendars
    }

    /// The place of a calendar by its id in the file.
    pub(super) fn place(&self, id: Option<i64>) -> Option<usize> {
        id.and_then(|id| self.places.get(&id).copied())
    }

    /// Leaves out the calendars that nothing names, and returns the new place of each one that stays.
    pub(super) fn keep_only(mut self, used: &[usize]) -> (Vec<Calendar>, HashMap<usize, usize>) {
        let mut kept: Vec<usize> = used.to_vec();
        kept.sort_unstable();
        kept.dedup();
        let list = kept.iter().map(|at| std::mem::take(&mut self.list[*at])).collect();
        (list, kept.into_iter().enumerate().map(|(new, old)| (old, new)).collect())
    }
}

/// A calendar after those that it takes over from, the furthest first.
fn with_bases<'e>(element: &'e Element, by_id: &HashMap<i64, &'e Element>) -> Vec<&'e Element> {
    let mut chain = vec![element];
    while let Some(base) = chain.last().and_then(|last| by_id.get(&last.value("BaseCalendarUID")?)) {
        // A calendar that leads back to itself takes over from nobody.
        if chain.iter().any(|known| std::ptr::eq(*known, *base)) {
            break;
        }
        chain.push(base);
    }
    chain.reverse();
    chain
}

fn leads_back(element: &Element, by_id: &HashMap<i64, &Element>) -> bool {
    let chain = with_bases(element, by_id);
    let first = chain.first().and_then(|first| by_id.get(&first.value("BaseCalendarUID")?));
    first.is_some()
}

fn overlay(calendar: &mut Calendar, element: &Element, losses: &mut Losses) {
    let name = calendar.name.clone();
    for day in element.child("WeekDays").map(|days| days.all("WeekDay")).into_iter().flatten() {
        let works = day.flag("DayWorking");
        note_hours(calendar, day, losses);
        match day.value::<u32>("DayType") {
            // Sunday is 1 in the file, Monday is the first bit here.
            Some(number @ 1..=7) => {
                let bit = 1u8 << ((number + 5) % 7);
                calendar.working_days =
                    if works { calendar.working_days | bit } else { calendar.working_days & !bit };
            }
            // A week day of the type 0 is an exception in the older form.
            Some(0) => exception(calendar, day, losses),
            _ => losses.note("WeekDay", "A day of an unknown type is left out.", &*name),
        }
    }
    for element in element.child("Exceptions").map(|all| all.all("Exception")).into_iter().flatten() {
        note_hours(calendar, element, losses);
        exception(calendar, element, losses);
    }
    for week in element.child("WorkWeeks").map(|weeks| weeks.all("WorkWeek")).into_iter().flatten() {
        let Some(days) = work_weeks::changed_days(week, calendar.working_days) else {
            losses.note(
                "WorkWeeks",
                "A week that differs for a time without dates, or for too long, is left out.",
                &*name,
            );
            continue;
        };
        let days: Vec<_> =
            days.into_iter().flat_map(|day| work_weeks::outside(day, &calendar.exceptions)).collect();
        days.into_iter().for_each(|day| add(calendar, day));
    }
}

/// Notes a day that is worked for other hours than a day of the file has.
fn note_hours(calendar: &Calendar, day: &Element, losses: &mut Losses) {
    let spans = day.child("WorkingTimes").map(|times| times.all("WorkingTime")).into_iter().flatten();
    let time = |span: &Element, name: &str| {
        let mut parts = span.text(name)?.split(':');
        Some(parts.next()?.parse::<f64>().ok()? + parts.next()?.parse::<f64>().ok()? / 60.0)
    };
    let hours: f64 = spans
        .filter_map(|span| {
            let (begin, end) = (time(span, "FromTime")?, time(span, "ToTime")?);
            Some(if end <= begin { end + 24.0 - begin } else { end - begin })
        })
        .sum();
    if day.flag("DayWorking") && hours > 0.0 && (hours - calendar.hours_per_day).abs() > 0.01 {
        let reason = "The hours of a day are not kept. A day worked in part counts as a whole one.";
        losses.note("WorkingTimes", reason, &*calendar.name);
    }
}

fn exception(calendar: &mut Calendar, element: &Element, losses: &mut Losses) {
    let period = element.child("TimePeriod");
    let bound = |name: &str| period.and_then(|period| period.text(name)).and_then(codes::day);
    let (Some(start), Some(end)) = (bound("FromDate"), bound("ToDate")) else {
        return losses.note("Exception", "An exception without dates is left out.", &*calendar.name);
    };
    if end < start
        || end > start.checked_add_days(Days::new(LONGEST_EXCEPTION_DAYS)).unwrap_or(NaiveDate::MAX)
    {
        return losses.note("Exception", "An exception with impossible dates is left out.", &*calendar.name);
    }
    let description: String = element.text("Name").unwrap_or_default().chars().take(255).collect();
    let working = element.flag("DayWorking");
    let repeats = element.value::<u8>("Type").is_some_and(|kind| kind > 1)
        && element.value::<u32>("Occurrences").unwrap_or(1) > 1;
    if !repeats {
        return add(calendar, CalendarException { start, end, description, working });
    }
    let Some(days) = repeating::days(element, start, end) else {
        return losses.note("Exception", "An exception that repeats is left out.", &*calendar.name);
    };
    for day in days {
        add(calendar, CalendarException { start: day, end: day, description: description.clone(), working });
    }
}

/// Adds an exception once. Some files have one in the older form and in the newer one, and only the newer has a name.
fn add(calendar: &mut Calendar, new: CalendarException) {
    let is_same = |known: &&mut CalendarException| {
        (known.start, known.end, known.working) == (new.start, new.end, new.working)
    };
    match calendar.exceptions.iter_mut().find(is_same) {
        Some(known) if known.description.is_empty() => known.description = new.description,
        Some(_) => {}
        None => calendar.exceptions.push(new),
    }
}
