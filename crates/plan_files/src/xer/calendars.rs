//! The text in which XER keeps the week and the exceptions of a calendar: nested brackets `(0||name(attributes)(inside))`.
//! Only whole days are kept; the hours of a day are not.

use std::collections::{BTreeMap, HashMap};

use chrono::{Days, NaiveDate};

use super::tables::{Row, Tables};
use crate::Losses;
use crate::seed::model::{Calendar, CalendarException};

/// How deeply brackets may be nested.
const MOST_DEPTH: usize = 16;
/// The most days that the exceptions of one calendar may have in a file.
const MOST_DAYS: usize = 20_000;
/// The first day that has a number in the file is the day after this one.
const DAY_ZERO: Option<NaiveDate> = NaiveDate::from_ymd_opt(1899, 12, 30);

/// The number of the last day of the year 9999.
const LAST_DAY: u64 = 2_958_465;

/// A part of such a text.
#[derive(Debug, Default, PartialEq)]
struct Node<'t> {
    name: &'t str,
    attributes: &'t str,
    inside: Vec<Node<'t>>,
}

/// Reads a list of nodes and returns the rest of the text. `None` for what is no such text.
fn nodes(mut text: &str, depth: usize) -> Option<(Vec<Node<'_>>, &str)> {
    let mut found = Vec::new();
    if depth > MOST_DEPTH {
        return None;
    }
    loop {
        text = text.trim_start();
        let Some(rest) = text.strip_prefix("(0||") else { return Some((found, text)) };
        let (name, rest) = rest.split_once('(')?;
        let (attributes, rest) = rest.split_once(')')?;
        let rest = rest.trim_start().strip_prefix('(')?;
        let (inside, rest) = nodes(rest, depth + 1)?;
        let rest = rest.trim_start().strip_prefix(')')?;
        text = rest.trim_start().strip_prefix(')')?;
        found.push(Node { name: name.trim(), attributes, inside });
    }
}

impl Node<'_> {
    fn child(&self, name: &str) -> Option<&Self> {
        self.inside.iter().find(|node| node.name == name)
    }

    /// An attribute of a list such as `s|08:00|f|12:00`.
    fn attribute(&self, key: &str) -> Option<&str> {
        let mut parts = self.attributes.split('|');
        while let Some(name) = parts.next() {
            let value = parts.next()?;
            if name == key {
                return Some(value);
            }
        }
        None
    }
}

/// The calendars of a file, with their places by their ids in it.
#[derive(Debug, Default)]
pub(super) struct Calendars<'t> {
    pub(super) list: Vec<Calendar>,
    pub(super) places: HashMap<&'t str, usize>,
}

impl<'t> Calendars<'t> {
    pub(super) fn read(tables: &Tables<'t>, losses: &mut Losses) -> Self {
        let by_id: HashMap<&str, Row<'_, 't>> =
            tables.rows("CALENDAR").filter_map(|row| Some((row.text("clndr_id")?, row))).collect();
        let mut calendars = Self::default();
        for row in tables.rows("CALENDAR") {
            let Some(id) = row.text("clndr_id") else { continue };
            calendars.places.insert(id, calendars.list.len());
            calendars.list.push(calendar(row, &by_id, losses));
        }
        calendars
    }

    pub(super) fn of(&self, id: Option<&str>) -> Option<usize> {
        id.and_then(|id| self.places.get(id).copied())
    }

    /// How many hours a day of a calendar has.
    pub(super) fn hours(&self, id: Option<&str>) -> f64 {
        self.of(id).map_or(8.0, |at| self.list[at].hours_per_day)
    }
}

fn calendar(row: Row<'_, '_>, by_id: &HashMap<&str, Row<'_, '_>>, losses: &mut Losses) -> Calendar {
    let name = row.text("clndr_name").unwrap_or("Calendar").to_owned();
    let hours = row.number("day_hr_cnt").filter(|hours| *hours > 0.0 && *hours <= 24.0);
    if hours.is_none() && row.text("day_hr_cnt").is_some() {
        losses.note("day_hr_cnt", "Impossible hours of a day count as eight.", &*name);
    }
    let hours = hours.unwrap_or(8.0);
    let mut calendar = Calendar {
        name,
        working_days: 31,
        hours_per_day: hours,
        timezone: "UTC".to_owned(),
        ..Calendar::default()
    };
    let mut days = BTreeMap::new();
    let base = row.text("base_clndr_id").and_then(|id| by_id.get(id));
    if base.into_iter().chain([&row]).all(|part| part.text("clndr_data").is_none()) {
        losses.note("clndr_data", "A calendar without a week works from Monday to Friday.", &*calendar.name);
    }
    for part in base.into_iter().chain([&row]) {
        if let Some(text) = part.text("clndr_data") {
            // A delete character stands for the end of a line.
            let text = text.replace('\u{7f}', " ");
            match nodes(&text, 0) {
                Some((found, rest)) => {
                    if !rest.trim().is_empty() {
                        let reason = "The end of the text of a calendar cannot be read.";
                        losses.note("clndr_data", reason, &*calendar.name);
                    }
                    overlay(&mut calendar, &mut days, &found, losses);
                }
                None => losses.note("clndr_data", "The week of a calendar cannot be read.", &*calendar.name),
            }
        }
    }
    if days.len() > MOST_DAYS {
        losses.note("clndr_data", "Only the first 20000 exceptions of a calendar are read.", &*calendar.name);
    }
    for (day, working) in days.into_iter().take(MOST_DAYS) {
        match calendar.exceptions.last_mut() {
            Some(last) if last.working == working && last.end.succ_opt() == Some(day) => last.end = day,
            _ => {
                let description = String::new();
                calendar.exceptions.push(CalendarException { start: day, end: day, description, working });
            }
        }
    }
    calendar
}

/// Takes in the week and the exceptions of a text. Exceptions on no day, and those worked for other hours than a day has, are noted.
fn overlay(
    calendar: &mut Calendar,
    days: &mut BTreeMap<NaiveDate, bool>,
    found: &[Node<'_>],
    losses: &mut Losses,
) {
    let root = found.iter().find(|node| node.name == "CalendarData");
    if let Some(week) = root.and_then(|root| root.child("DaysOfWeek")) {
        calendar.working_days = 0;
        for day in &week.inside {
            // Sunday is 1 in the file, Monday is the first bit here.
            if let Some(number @ 1..=7) = day.name.parse::<u8>().ok().filter(|_| !day.inside.is_empty()) {
                calendar.working_days |= 1 << ((number + 5) % 7);
            }
        }
    }
    let exceptions = root.and_then(|root| root.child("Exceptions")).map(|node| &node.inside);
    for node in exceptions.into_iter().flatten() {
        let number = node.attribute("d").and_then(|text| text.trim().parse::<u64>().ok());
        let number = number.filter(|number| *number <= LAST_DAY);
        let Some(day) = number.and_then(|number| DAY_ZERO?.checked_add_days(Days::new(number))) else {
            losses.note("clndr_data", "An exception with impossible dates is left out.", &*calendar.name);
            continue;
        };
        days.insert(day, !node.inside.is_empty());
        let worked: f64 = node.inside.iter().filter_map(worked_hours).sum();
        if worked > 0.0 && (worked - calendar.hours_per_day).abs() > 0.01 {
            let reason = "The hours of a day are not kept. A day worked in part counts as a whole one.";
            losses.note("clndr_data", reason, &*calendar.name);
        }
    }
}

/// The hours of one span of a day, such as `s|08:00|f|12:00`.
fn worked_hours(span: &Node<'_>) -> Option<f64> {
    let time = |key: &str| {
        let (hours, minutes) = span.attribute(key)?.trim().split_once(':')?;
        Some(hours.parse::<f64>().ok()? + minutes.parse::<f64>().ok()? / 60.0)
    };
    let (begin, end) = (time("s")?, time("f")?);
    Some(if end <= begin { end + 24.0 - begin } else { end - begin })
}

/// When work begins and ends on a day in the file.
const SHIFT: &str = "(0||0(s|08:00|f|16:00)())";

/// A calendar as such a text.
pub(super) fn written(calendar: &Calendar, losses: &mut Losses) -> String {
    let mut text = "(0||CalendarData()((0||DaysOfWeek()(".to_owned();
    for day in 1u8..=7 {
        let works = calendar.working_days >> ((day + 5) % 7) & 1 == 1;
        text += &format!("(0||{day}()({}))", if works { SHIFT } else { "" });
    }
    text += "))(0||VIEW(ShowTotal|N)())(0||Exceptions()(";
    let days = calendar.exceptions.iter().flat_map(|one| {
        one.start.iter_days().take_while(|day| *day <= one.end).map(move |day| (day, one.working))
    });
    // A later exception of a day counts, and the file has one for each day.
    let days: BTreeMap<NaiveDate, bool> = days.take(MOST_DAYS + 1).collect();
    if days.len() > MOST_DAYS {
        losses.note("Calendar", "Only the first 20000 days of exceptions are written.", &*calendar.name);
    }
    for (at, (day, working)) in days.into_iter().take(MOST_DAYS).enumerate() {
        let number = DAY_ZERO.map_or(0, |zero| (day - zero).num_days());
        text += &format!("(0||{at}(d|{number})({}))", if working { SHIFT } else { "" });
    }
    if calendar.exceptions.iter().any(|one| !one.description.is_empty()) {
        losses.note("Calendar", "Exceptions have no names in the file.", &*calendar.name);
    }
    text + "))))"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 1, day).unwrap()
    }

    #[test]
    fn a_week_and_its_exceptions_come_back_as_they_were_written() {
        let exception = |start, end, working| CalendarException {
            start: day(start),
            end: day(end),
            description: String::new(),
            working,
        };
        let calendar = Calendar {
            name: "Site".to_owned(),
            working_days: 0b010_1111,
            exceptions: vec![exception(1, 6, false), exception(10, 10, true)],
            ..Calendar::default()
        };
        let mut losses = Losses::default();
        let text = written(&calendar, &mut losses);
        let file =
            format!("ERMHDR\n%T\tCALENDAR\n%F\tclndr_id\tclndr_name\tclndr_data\n%R\t1\tSite\t{text}\n");
        let tables = Tables::of(&file).unwrap();
        let read = Calendars::read(&tables, &mut losses);
        assert_eq!(read.list[0].exceptions, calendar.exceptions);
        assert_eq!(read.list[0].working_days, calendar.working_days);
        assert!(losses.0.is_empty(), "{losses:?}");
    }

    #[test]
    fn blanks_and_what_is_no_such_text_do_no_harm() {
        let text = " (0||CalendarData()(  (0||DaysOfWeek()( (0||2()( (0||0(s|08:00|f|12:00)()) )) )) )) ";
        let (found, rest) = nodes(text, 0).unwrap();
        assert_eq!((found.len(), rest), (1, ""));
        assert_eq!(nodes(&"(0||a()(".repeat(100), 0), None);
        assert_eq!(nodes("(0||a", 0), None);
        assert_eq!(nodes("", 0), Some((vec![], "")));
    }
}
