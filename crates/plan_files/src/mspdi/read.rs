//! From MSPDI to a document: rows by outline level, links, calendars, resources, baselines.
//! Whatever a plan cannot hold is noted as a loss.

mod odd;

use std::collections::{BTreeSet, HashMap};

use chrono::NaiveDate;
use planwright_domain::words::{ConstraintType, LagCalendar, TaskStatus};

use super::breaks;
use super::calendars::Calendars;
use super::codes::{self, LagUnit};
use super::fields;
use crate::assembly::{Found, FoundLink, FoundRow, rate};
use crate::assigned;
use crate::progress::percent_of_ended;
use crate::seed::model::{BaselineTask, Resource, Task};
use crate::unread::says_nothing;
use crate::xml::{self, Element};
use crate::{Losses, PlanFile, Unreadable};

/// Fields of tasks that a plan has no place for, with the value that says nothing.
const DROPPED: [(&str, &[&str], &str); 6] = [
    ("Priority", &["500", "0"], "Tasks have no priority for levelling."),
    ("Work", &["PT0H0M0S"], "Work in hours is not planned; durations and units are."),
    ("Cost", &["0"], "Costs are not planned."),
    ("FixedCost", &["0"], "Costs are not planned."),
    ("LevelingDelay", &["0"], "Delays by levelling are not kept."),
    ("HyperlinkAddress", &[], "Addresses on tasks are not imported."),
];

/// Reads a file.
///
/// # Errors
/// When it is not MSPDI, has no tasks or too many. A file in the binary form says how to get the other.
pub fn read(bytes: &[u8], today: NaiveDate) -> Result<PlanFile, Unreadable> {
    // The first bytes of the container in which .mpp files are.
    if bytes.starts_with(&[0xd0, 0xcf, 0x11, 0xe0]) {
        return Err(Unreadable::because(
            "This is a binary .mpp file. Open it in Microsoft Project, choose File, Save As, XML Format (*.xml), and send that file.",
        ));
    }
    let root = xml::read(bytes, "Project")?;
    let mut reading = Reading::of(&root);
    reading.tasks(&root);
    reading.links();
    reading.people(&root);
    reading.note_breaks();
    reading.note_unmoved();
    reading.note_unread(&root);
    reading.finish(&root).assemble(today)
}

struct Reading<'e> {
    minutes_per_day: f64,
    project_calendar: Option<i64>,
    calendars: Calendars,
    losses: Losses,
    rows: Vec<FoundRow>,
    elements: Vec<&'e Element>,
    /// The places of rows by their ids in the file.
    places: HashMap<i64, usize>,
    links: Vec<FoundLink>,
    resources: Vec<Resource>,
    /// The places of the calendars of the resources.
    resource_calendars: Vec<Option<usize>>,
    summary_name: Option<String>,
    /// The places of rows whose work is interrupted.
    interrupted: BTreeSet<usize>,
    /// The places of rows for which calendars of resources do not count.
    unmoved: BTreeSet<usize>,
    /// Whether every lag of the file counts all days. Then those of the plan do, too.
    is_elapsed: bool,
}

impl<'e> Reading<'e> {
    fn of(root: &'e Element) -> Self {
        let minutes_per_day = root.value("MinutesPerDay").filter(|minutes| (1.0..=1440.0).contains(minutes));
        let minutes_per_day = minutes_per_day.unwrap_or(480.0);
        let mut losses = Losses::default();
        let calendars = Calendars::read(root, minutes_per_day / 60.0, &mut losses);
        if root.text("ScheduleFromStart").is_some() && !root.flag("ScheduleFromStart") {
            losses.note(
                "ScheduleFromStart",
                "The plan was scheduled from its finish. It is scheduled from its start now.",
                "",
            );
        }
        Self {
            minutes_per_day,
            project_calendar: root.value("CalendarUID"),
            calendars,
            losses,
            rows: Vec::new(),
            elements: Vec::new(),
            places: HashMap::new(),
            links: Vec::new(),
            resources: Vec::new(),
            resource_calendars: Vec::new(),
            summary_name: None,
            interrupted: BTreeSet::new(),
            unmoved: BTreeSet::new(),
            is_elapsed: all_lags_elapsed(root),
        }
    }

    fn tasks(&mut self, root: &'e Element) {
        let known = fields::of_tasks();
        for element in root.child("Tasks").map(|tasks| tasks.all("Task")).into_iter().flatten() {
            let mark = mark(element);
            let level: usize = element.value("OutlineLevel").unwrap_or(1);
            if element.text("OutlineLevel").is_some_and(|text| text.parse::<u16>().is_err()) {
                self.losses.note("OutlineLevel", "A level that cannot be read became the first one.", &*mark);
            }
            if level > 0 {
                self.note_odd_task(element, &known, &mark);
            }
            if element.flag("IsNull") {
                self.losses.note("Task", "An empty row is left out.", mark);
            } else if level == 0 {
                if self.summary_name.is_some() || !self.rows.is_empty() {
                    self.losses.note("OutlineLevel", "A second row above the outline is left out.", mark);
                    continue;
                }
                self.summary_name = element.text("Name").map(str::to_owned);
            } else if element.text("Active").is_some() && !element.flag("Active") {
                self.losses.note("Active", "A task that is not active is left out.", mark);
            } else {
                let row = self.row(element, level, mark);
                match element.value("UID") {
                    Some(id) => {
                        if self.places.insert(id, self.rows.len()).is_some() {
                            let reason =
                                "Two rows have the same id. Links and assignments go to the last one.";
                            self.losses.note("UID", reason, &*row.mark);
                        }
                    }
                    None => self.losses.note("UID", "A row without an id has no links.", &*row.mark),
                }
                self.rows.push(row);
                self.elements.push(element);
            }
        }
    }

    fn row(&mut self, element: &Element, level: usize, mark: String) -> FoundRow {
        for (field, nothing, reason) in DROPPED {
            if element.text(field).is_some_and(|value| !nothing.contains(&value)) && !element.flag("Summary")
            {
                self.losses.note(field, reason, &*mark);
            }
        }
        let calendar = self.own_calendar(element, &mark);
        let is_paused = element.text("Resume").is_some() && !element.flag("Summary");
        if is_paused && breaks::pauses(element, &self.working_days(calendar)) {
            self.interrupted.insert(self.rows.len());
        }
        if element.flag("IgnoreResourceCalendar") && !element.flag("Summary") {
            self.unmoved.insert(self.rows.len());
        }
        let date = |field: &str| element.text(field).and_then(codes::day);
        for field in ["Start", "Finish", "Deadline", "ConstraintDate", "ActualStart", "ActualFinish"] {
            if element.text(field).is_some_and(|text| codes::day(text).is_none() && text != "NA") {
                self.losses.note(field, "A date that cannot be read is left out.", &*mark);
            }
        }
        let is_elapsed = codes::is_elapsed(element.value("DurationFormat"));
        let duration = element.text("Duration").and_then(codes::minutes);
        if duration.is_none() && element.text("Duration").is_some() {
            self.losses.note("Duration", "A duration that cannot be read counts as one day.", &*mark);
        }
        if duration.is_some_and(|minutes| minutes < 0.0) {
            self.losses.note("Duration", "A negative duration counts as none.", &*mark);
        }
        let duration = duration.map_or(1, |minutes| self.days(minutes, is_elapsed, "Duration", &mark));
        let percent = self.percent(element, (duration, is_elapsed), &mark);
        let (actual_start, actual_finish) = odd::days_of(element, "ActualStart", "ActualFinish");
        let percent = percent_of_ended(percent, actual_finish, &mut self.losses, &mark);
        let is_begun = percent > 0.0 || actual_start.is_some();
        let is_manual = element.flag("Manual") && !element.flag("Summary");
        if is_manual {
            self.losses.note(
                "Manual",
                "A task that was scheduled by hand starts no earlier than its date.",
                &*mark,
            );
        }
        let task = Task {
            name: element.text("Name").unwrap_or_default().to_owned(),
            notes: element.text("Notes").unwrap_or_default().replace('\0', " "),
            status: match percent {
                done if done >= 100.0 => TaskStatus::Complete,
                _ if is_begun => TaskStatus::InProgress,
                _ => TaskStatus::NotStarted,
            },
            is_milestone: element.flag("Milestone"),
            duration,
            planned_start: date("Start").filter(|_| is_manual),
            deadline: date("Deadline"),
            constraint: self.constraint(element, &mark),
            actual_start,
            actual_finish,
            percent_complete: percent,
            ..Task::default()
        };
        let frozen = self.frozen(element, &mark);
        let dates = odd::days_of(element, "Start", "Finish");
        FoundRow { mark, level, task, dates, frozen, calendar, ..FoundRow::default() }
    }

    /// The place of the calendar of a task. That of the project says nothing, and the rows of a phase have their own.
    fn own_calendar(&mut self, element: &Element, mark: &str) -> Option<usize> {
        let is_text = element.text("CalendarUID").is_some_and(|id| !id.is_empty());
        if is_text && element.value::<i64>("CalendarUID").is_none() {
            self.losses.note("CalendarUID", "A calendar that is not in the file is left out.", mark);
        }
        let id = element
            .value::<i64>("CalendarUID")
            .filter(|id| *id >= 0 && Some(*id) != self.project_calendar)?;
        if element.flag("Summary") {
            self.losses.note("CalendarUID", "A calendar of a phase is left out.", mark);
            return None;
        }
        let place = self.calendars.place(Some(id));
        if place.is_none() {
            self.losses.note("CalendarUID", "A calendar that is not in the file is left out.", mark);
        }
        place
    }

    fn constraint(&mut self, element: &Element, mark: &str) -> Option<(ConstraintType, Option<NaiveDate>)> {
        let said = element.text("ConstraintType").filter(|code| !code.is_empty() && *code != "0")?;
        let Some(kind) = said.parse().ok().and_then(codes::constraint) else {
            self.losses.note("ConstraintType", "A constraint of an unknown type is left out.", mark);
            return None;
        };
        if element.flag("Summary") {
            self.losses.note("ConstraintType", "A constraint of a phase is left out.", mark);
            return None;
        }
        let date = element.text("ConstraintDate").and_then(codes::day);
        match (kind, date) {
            (ConstraintType::AsLateAsPossible, _) => Some((kind, None)),
            (_, Some(date)) => Some((kind, Some(date))),
            (_, None) => {
                self.losses.note("ConstraintDate", "A constraint without its date is left out.", mark);
                None
            }
        }
    }

    /// Working days from minutes; part of a day counts as a whole one.
    fn days(&mut self, minutes: f64, is_elapsed: bool, field: &str, mark: &str) -> u32 {
        if is_elapsed {
            self.losses.note(field, "Elapsed days were turned into working days, five for seven.", mark);
        }
        let days = self.part_days(minutes, is_elapsed);
        let whole = whole_days(days);
        if !is_elapsed && (f64::from(whole) - days).abs() > 1e-4 {
            self.losses.note(field, "Part of a day counts as a whole one.", mark);
        }
        whole
    }

    /// The days of a time, with their fraction.
    fn part_days(&self, minutes: f64, is_elapsed: bool) -> f64 {
        match is_elapsed {
            true => minutes / 1440.0 * 5.0 / 7.0,
            false => minutes / self.minutes_per_day,
        }
    }

    /// What a row was in each baseline, the first of each number.
    fn frozen(&mut self, element: &Element, mark: &str) -> Vec<(u8, BaselineTask)> {
        let mut found: Vec<(u8, BaselineTask)> = Vec::new();
        for baseline in element.all("Baseline") {
            let Some(number) = baseline.value("Number").filter(|number: &u8| *number <= 10) else {
                self.losses.note(
                    "Baseline",
                    "Baselines 0 to 10 are imported. Another number is left out.",
                    mark,
                );
                continue;
            };
            let Some(kept) = self.frozen_in(baseline, mark) else { continue };
            if found.iter().any(|(known, _)| *known == number) {
                let reason = "A second baseline of one number is left out.";
                self.losses.note("Baseline", reason, mark);
                continue;
            }
            found.push((number, kept));
        }
        found
    }

    fn frozen_in(&mut self, baseline: &Element, mark: &str) -> Option<BaselineTask> {
        self.note_odd_baseline(baseline, mark);
        let (start, finish) = odd::days_of(baseline, "Start", "Finish");
        let minutes = baseline.text("Duration").and_then(codes::minutes);
        let duration =
            minutes.map(|minutes| (minutes / self.minutes_per_day - 1e-5).ceil().clamp(0.0, 36_525.0) as u32);
        if start.is_none() && finish.is_none() && duration.is_some() {
            self.losses.note("Baseline", "A baseline of a row without dates is left out.", mark);
        }
        let kept = BaselineTask { start, finish, duration, ..BaselineTask::default() };
        if kept.start.zip(kept.finish).is_some_and(|(start, finish)| finish < start) {
            let reason = "The finish of a baseline before its start is left out.";
            self.losses.note("Baseline", reason, mark);
        }
        (kept.start.is_some() || kept.finish.is_some()).then_some(kept)
    }

    fn links(&mut self) {
        for (successor, element) in std::mem::take(&mut self.elements).into_iter().enumerate() {
            for link in element.all("PredecessorLink") {
                let mark = self.rows[successor].mark.clone();
                if link.flag("CrossProject") {
                    self.losses.note("PredecessorLink", "A link to another file is left out.", mark);
                    continue;
                }
                let place = link.value("PredecessorUID").and_then(|id: i64| self.places.get(&id).copied());
                let Some(predecessor) = place else {
                    self.losses.note(
                        "PredecessorLink",
                        "A link to a row that is not there is left out.",
                        mark,
                    );
                    continue;
                };
                let lag = self.lag(link, predecessor, &mark);
                let kind = codes::link(link.value("Type"));
                if link.text("Type").is_some_and(|text| !matches!(text, "0" | "1" | "2" | "3")) {
                    let reason = "A link of an unknown type goes from finish to start.";
                    self.losses.note("Type", reason, &*mark);
                }
                if link.text("LinkLag").is_some_and(|text| text.parse::<f64>().is_err()) {
                    self.losses.note("LinkLag", "A lag that cannot be read is left out.", &*mark);
                }
                self.links.push(FoundLink { predecessor, successor, kind, lag });
            }
        }
    }

    /// The days of a lag, which the file counts in tenths of minutes or in percent.
    fn lag(&mut self, link: &Element, predecessor: usize, mark: &str) -> i64 {
        let sent: f64 = link.value("LinkLag").unwrap_or(0.0);
        if sent == 0.0 {
            return 0;
        }
        let days = match codes::lag_unit(link.value("LagFormat")) {
            LagUnit::Worked => sent / 10.0 / self.minutes_per_day,
            LagUnit::Elapsed if self.is_elapsed => sent / 10.0 / 1440.0,
            LagUnit::Elapsed => {
                self.losses.note(
                    "LinkLag",
                    "An elapsed lag was turned into working days, five for seven.",
                    mark,
                );
                sent / 10.0 / 1440.0 * 5.0 / 7.0
            }
            LagUnit::Percent => {
                self.losses.note(
                    "LinkLag",
                    "A lag in percent was turned into days of the predecessor's duration.",
                    mark,
                );
                sent / 100.0 * f64::from(self.rows[predecessor].task.duration)
            }
        };
        let whole = days.round();
        if (whole - days).abs() > 1e-4 {
            self.losses.note("LinkLag", "A lag of parts of a day was rounded to whole days.", mark);
        }
        whole as i64
    }

    fn people(&mut self, root: &Element) {
        let mut places: HashMap<i64, usize> = HashMap::new();
        for element in root.child("Resources").map(|all| all.all("Resource")).into_iter().flatten() {
            let (Some(name), Some(id)) = (element.text("Name"), element.value::<i64>("UID")) else {
                self.note_nameless(element);
                continue;
            };
            match element.value::<u8>("Type") {
                Some(0) => self.losses.note("Resource", "A material is assigned like other resources.", name),
                Some(2) => {
                    self.losses.note("Resource", "A cost resource is left out.", name);
                    continue;
                }
                _ => {}
            }
            if rate(element.value("StandardRate")).is_none()
                && element.text("StandardRate").is_some_and(|text| !says_nothing(text))
            {
                self.losses.note("StandardRate", "A rate is a number from 0 to 99999.99 for an hour.", name);
            }
            if places.insert(id, self.resources.len()).is_some() {
                let reason = "Two resources have the same id. Assignments go to the last one.";
                self.losses.note("UID", reason, name);
            }
            self.resource_calendars.push(self.calendars.place(element.value("CalendarUID")));
            self.resources.push(Resource {
                name: name.to_owned(),
                email: assigned::address(
                    element.text("EmailAddress"),
                    "EmailAddress",
                    name,
                    &mut self.losses,
                ),
                job_role: element.text("Group").unwrap_or_default().to_owned(),
                max_units: assigned::most_units(element.text("MaxUnits"), "MaxUnits", name, &mut self.losses),
                hourly_rate: rate(element.value("StandardRate")),
                ..Resource::default()
            });
        }
        for element in root.child("Assignments").map(|all| all.all("Assignment")).into_iter().flatten() {
            let task = element.value("TaskUID").and_then(|id: i64| self.places.get(&id).copied());
            let resource = element.value("ResourceUID").and_then(|id: i64| places.get(&id).copied());
            if let Some(task) = task {
                self.note_pauses(element, task, resource);
            }
            if let (Some(task), Some(resource)) = (task, resource) {
                self.rows[task].assignments.push((resource, odd::units_of(element)));
            } else if element.text("ResourceUID").is_some_and(|id| !id.starts_with('-')) {
                let mark = match task {
                    Some(task) => self.rows[task].mark.clone(),
                    None => format!("assignment {}", element.text("UID").unwrap_or("?")),
                };
                let reason = "An assignment to a resource or a task that is not imported is left out.";
                self.losses.note("Assignment", reason, mark);
            }
        }
    }

    fn finish(mut self, root: &Element) -> Found {
        let date = |field: &str| root.text(field).and_then(codes::day);
        for field in ["StartDate", "StatusDate"] {
            if root.text(field).is_some_and(|text| codes::day(text).is_none() && text != "NA") {
                self.losses.note(field, "A date that cannot be read is left out.", "");
            }
        }
        let own = self.calendars.place(root.value("CalendarUID"));
        let of_resources = self.resource_calendars.iter().flatten().copied();
        let of_rows = self.rows.iter().filter_map(|row| row.calendar);
        let used: Vec<usize> = own.into_iter().chain(of_resources).chain(of_rows).collect();
        let (calendars, places) = self.calendars.keep_only(&used);
        let new_place = |old: &Option<usize>| old.and_then(|old| places.get(&old).copied());
        self.rows.iter_mut().for_each(|row| row.calendar = new_place(&row.calendar));
        let resource_calendars = self.resource_calendars.iter().map(new_place).collect();
        let name = root.text("Title").map(str::to_owned).or(self.summary_name);
        Found {
            name: name.or_else(|| root.text("Name").map(str::to_owned)).unwrap_or_default(),
            start_date: date("StartDate"),
            status_date: date("StatusDate"),
            lag_calendar: self.is_elapsed.then_some(LagCalendar::Elapsed),
            calendar: own.and_then(|old| places.get(&old).copied()),
            calendars,
            resources: self.resources,
            resource_calendars,
            rows: self.rows,
            links: self.links,
            losses: self.losses,
        }
    }
}

/// Days without a part of one. Half a second of a day is noise of the file.
fn whole_days(days: f64) -> u32 {
    (days - 1e-5).ceil().clamp(0.0, f64::from(u32::MAX)) as u32
}

/// Whether there are lags, and all of them count all days.
fn all_lags_elapsed(root: &Element) -> bool {
    let tasks = root.child("Tasks").map(|tasks| tasks.all("Task")).into_iter().flatten();
    let links = tasks.flat_map(|task| task.all("PredecessorLink"));
    let mut lags = links.filter(|link| link.value::<f64>("LinkLag").is_some_and(|lag| lag != 0.0)).peekable();
    lags.peek().is_some() && lags.all(|link| codes::lag_unit(link.value("LagFormat")) == LagUnit::Elapsed)
}

/// How messages name a task: its number and its name.
fn mark(element: &Element) -> String {
    let number = element.text("ID").or_else(|| element.text("UID")).unwrap_or("?");
    let name: String = element.text("Name").unwrap_or_default().chars().take(60).collect();
    format!("{number} {name}").trim().to_owned()
}

#[cfg(test)]
mod tests;
