//! From XER to a document: the project with the most activities, with its breakdown, links, calendars and resources.
//! Whatever a plan cannot hold is noted as a loss.

mod around;
mod odd;

use std::collections::{BTreeSet, HashMap, HashSet};

use chrono::NaiveDate;
use planwright_domain::words::{ConstraintType, LagCalendar, TaskStatus};

use super::calendars::Calendars;
use super::codes;
use super::outline::{Entry, Outline, stand_by_place};
use super::tables::{self, Row, Tables};
use crate::assembly::{Found, FoundLink, FoundRow, shortened};
use crate::instants::{evening, morning};
use crate::progress::percent_that_leaves;
use crate::seed::model::{Resource, Task};
use crate::{Losses, PlanFile, Unreadable};

/// Tables that are read, or that say nothing about a plan.
const KNOWN: [&str; 24] = [
    "ACTVCODE",
    "ACTVTYPE",
    "CALENDAR",
    "CURRTYPE",
    "FINTMPL",
    "MEMOTYPE",
    "NONWORK",
    "OBS",
    "PROJECT",
    "PROJWBS",
    "ROLES",
    "RSRC",
    "RSRCCURVDATA",
    "RSRCRATE",
    "SCHEDOPTIONS",
    "TASK",
    "TASKACTV",
    "TASKMEMO",
    "TASKPRED",
    "TASKRSRC",
    "UDFTYPE",
    "UMEASURE",
    "RSRCLEVELLIST",
    "FILEHDR",
];

/// Reads a file.
///
/// # Errors
/// When it is no XER, has no activities or too many.
pub fn read(bytes: &[u8], today: NaiveDate) -> Result<PlanFile, Unreadable> {
    let text = tables::text(bytes)?;
    let tables = Tables::of(&text)?;
    let mut losses = Losses::default();
    for (name, rows) in tables.sizes().filter(|(name, rows)| *rows > 0 && !KNOWN.contains(name)) {
        (0..rows).for_each(|_| losses.note(name, "Rows of this table are not imported.", ""));
    }
    let project =
        chosen(&tables, &mut losses).ok_or_else(|| Unreadable::because("The file has no tasks."))?;
    let calendars = Calendars::read(&tables, &mut losses);
    let activities = own(&tables, "TASK", "task_id", project, &mut losses);
    let branches = own(&tables, "PROJWBS", "wbs_id", project, &mut losses);
    odd::note(&tables, project, (&branches, &activities), &mut losses);
    let mut reading = Reading {
        calendar: calendar_of(&tables, project, &activities),
        has_codes: !stand_by_place(&activities),
        tables: &tables,
        project,
        calendars,
        losses,
        rows: Vec::new(),
        places: HashMap::new(),
        own_calendars: Vec::new(),
    };
    let outline = Outline::of(&branches, &activities);
    reading.rows(&outline);
    let lags = reading.lag_calendar();
    let links = reading.links(lags);
    reading.notes();
    reading.labels();
    let people = reading.people();
    reading.finish(&outline, lags, links, people).assemble(today)
}

/// The id of the project with the most activities.
fn chosen<'t>(tables: &Tables<'t>, losses: &mut Losses) -> Option<&'t str> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for row in tables.rows("TASK") {
        *counts.entry(row.text("proj_id").unwrap_or_default()).or_default() += 1;
    }
    let chosen =
        counts.iter().max_by_key(|(id, count)| (**count, std::cmp::Reverse(**id))).map(|(id, _)| *id)?;
    let id = |row: &Row<'_, 't>| row.text("proj_id").unwrap_or_default();
    let names: HashMap<&str, &str> =
        tables.rows("PROJECT").map(|row| (id(&row), row.text("proj_short_name").unwrap_or("?"))).collect();
    let others: BTreeSet<&str> =
        names.keys().chain(counts.keys()).copied().filter(|id| *id != chosen).collect();
    for other in others {
        let name = names.get(other).copied().unwrap_or(other);
        losses.note("PROJECT", "Only the project with the most activities is imported.", name);
    }
    Some(chosen)
}

/// The rows of a table that belong to a project, each id once.
fn own<'a, 't>(
    tables: &'a Tables<'t>,
    name: &'a str,
    id: &str,
    project: &str,
    losses: &mut Losses,
) -> Vec<Row<'a, 't>> {
    let mut seen = HashSet::new();
    let of_project = tables.rows(name).filter(|row| row.text("proj_id").unwrap_or_default() == project);
    let mut kept = Vec::new();
    for row in of_project {
        match row.text(id) {
            Some(id) if seen.insert(id) => kept.push(row),
            Some(id) => losses.note(name, "A second row with the same id is left out.", id),
            None => losses.note(name, "A row without an id is left out.", ""),
        }
    }
    kept
}

/// The calendar of the plan: that of the project if an activity has it or names none, else the one that most activities have.
/// Activities without a calendar in a project without one follow that of the file.
fn calendar_of<'t>(tables: &Tables<'t>, project: &str, activities: &[Row<'_, 't>]) -> Option<&'t str> {
    let mut projects = tables.rows("PROJECT");
    let own = projects.find(|row| row.text("proj_id").unwrap_or_default() == project);
    let usual = || tables.rows("CALENDAR").find(|row| row.is("default_flag", "Y"))?.text("clndr_id");
    let names_none = activities.iter().any(|row| row.text("clndr_id").is_none());
    let own = own.and_then(|row| row.text("clndr_id")).or_else(|| usual().filter(|_| names_none));
    if own.is_some() && (names_none || activities.iter().any(|row| row.text("clndr_id") == own)) {
        return own;
    }
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for id in activities.iter().filter_map(|row| row.text("clndr_id")) {
        *counts.entry(id).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(id, count)| (*count, std::cmp::Reverse(*id))).map(|(id, _)| id)
}

struct Reading<'a, 't> {
    tables: &'a Tables<'t>,
    project: &'t str,
    /// The id of the calendar of the plan.
    calendar: Option<&'t str>,
    /// Whether the ids of activities say more than their places.
    has_codes: bool,
    calendars: Calendars<'t>,
    losses: Losses,
    rows: Vec<FoundRow>,
    /// The places of rows by the ids of their activities.
    places: HashMap<&'t str, usize>,
    /// The calendar of each row.
    own_calendars: Vec<Option<&'t str>>,
}

/// The resources of a file, and the places of their calendars.
type People = (Vec<Resource>, Vec<Option<usize>>);

impl<'t> Reading<'_, 't> {
    fn rows(&mut self, outline: &Outline<'_, 't>) {
        for row in &outline.empty {
            let name = row.text("wbs_name").unwrap_or("?");
            self.losses.note("PROJWBS", "A branch without activities is left out.", name);
        }
        for row in &outline.cut {
            let name = row.text("wbs_name").unwrap_or("?");
            let reason = "A branch that leads back to itself is left out. Its activities stand at the top.";
            self.losses.note("PROJWBS", reason, shortened(name, 60));
        }
        for (level, entry) in &outline.rows {
            match entry {
                Entry::Branch(row) => {
                    let name = row.text("wbs_name").unwrap_or_default().to_owned();
                    let mark = shortened(&name, 60);
                    self.note_code(*row, &mark);
                    self.rows.push(FoundRow {
                        task: Task { name, ..Task::default() },
                        mark,
                        level: *level,
                        ..FoundRow::default()
                    });
                    self.own_calendars.push(None);
                }
                Entry::Activity(row) => self.activity(*level, *row),
            }
        }
    }

    fn activity(&mut self, level: usize, row: Row<'_, 't>) {
        let name = row.text("task_name").unwrap_or_default();
        let code = row.text("task_code").unwrap_or("?");
        let mark = format!("{code} {}", shortened(name, 60)).trim().to_owned();
        if row.is("task_type", "TT_WBS") {
            return self.losses.note(
                "task_type",
                "A WBS summary is left out. Its phase sums up its rows.",
                mark,
            );
        }
        let is_effort = row.is("task_type", "TT_LOE");
        self.note_what_is_lost(row, &mark);
        let (duration, percent) = self.progress(row, &mark);
        let is_begun = row.is("status_code", "TK_Active") || row.day("act_start_date").is_some();
        let constraints = self.constraints(row, &mark);
        let begins = row.day("early_start_date").or_else(|| row.day("target_start_date"));
        let (actual_start, actual_finish) = odd::actual_days(row);
        let code_line = if self.has_codes { format!("Activity {code}") } else { String::new() };
        let task = Task {
            name: name.to_owned(),
            notes: code_line,
            status: match percent {
                done if done >= 100.0 => TaskStatus::Complete,
                _ if is_begun => TaskStatus::InProgress,
                _ => TaskStatus::NotStarted,
            },
            is_milestone: matches!(row.text("task_type"), Some("TT_Mile" | "TT_FinMile")),
            duration,
            planned_start: constraints.planned_start.or(begins.filter(|_| is_effort && !is_begun)),
            deadline: constraints.deadline,
            constraint: constraints.first,
            actual_start,
            actual_finish,
            percent_complete: percent,
            ..Task::default()
        };
        let dates = odd::days_of(row);
        if let Some(id) = row.text("task_id").filter(|_| !is_effort) {
            self.places.insert(id, self.rows.len());
        }
        let said = row.text("clndr_id");
        let calendar = self.calendars.of(said.filter(|id| Some(*id) != self.calendar));
        if said.is_some() && self.calendars.of(said).is_none() {
            self.losses.note("clndr_id", "A calendar that is not in the file is left out.", &*mark);
        }
        self.own_calendars.push(said.or(self.calendar));
        self.rows.push(FoundRow { mark, level, task, dates, calendar, ..FoundRow::default() });
    }

    fn note_what_is_lost(&mut self, row: Row<'_, 't>, mark: &str) {
        let has = |field: &str| row.text(field).is_some();
        let is_effort = row.is("task_type", "TT_LOE");
        self.note_contradictions(row, mark);
        let facts: [(bool, &str, &str); 6] = [
            (
                is_effort,
                "task_type",
                "A level of effort became a task without links that starts on its early start.",
            ),
            (
                row.is("task_type", "TT_Rsrc"),
                "task_type",
                "An activity that depends on its resources is scheduled on its own calendar.",
            ),
            (
                has("suspend_date") || has("resume_date"),
                "suspend_date",
                "Interruptions of work are not kept.",
            ),
            (
                has("act_end_date") && !row.is("status_code", "TK_Complete"),
                "status_code",
                "An activity with an actual finish is complete.",
            ),
            (has("expect_end_date"), "expect_end_date", "Expected finishes are not kept."),
            (
                row.text("priority_type").is_some_and(|word| word != "PT_Normal"),
                "priority_type",
                "Tasks have no priority for levelling.",
            ),
        ];
        for (_, field, reason) in facts.iter().filter(|(is_lost, ..)| *is_lost) {
            self.losses.note(field, reason, mark);
        }
    }

    /// The whole days of an activity and how much of them is done, in percent.
    fn progress(&mut self, row: Row<'_, 't>, mark: &str) -> (u32, f64) {
        let hours_a_day = self.calendars.hours(row.text("clndr_id").or(self.calendar));
        for field in ["target_drtn_hr_cnt", "remain_drtn_hr_cnt"] {
            match row.number(field) {
                None if row.text(field).is_some() => {
                    self.losses.note(field, "Hours that cannot be read count as none.", mark)
                }
                Some(hours) if hours < 0.0 => {
                    self.losses.note(field, "Negative hours count as none.", mark);
                }
                _ => {}
            }
        }
        let hours = |field: &str| row.number(field).map(|hours| hours.max(0.0));
        let target = hours("target_drtn_hr_cnt").unwrap_or(0.0);
        let remaining = hours("remain_drtn_hr_cnt").unwrap_or(target);
        let is_done = row.is("status_code", "TK_Complete") || row.text("act_end_date").is_some();
        let is_begun = row.is("status_code", "TK_Active") || row.text("act_start_date").is_some();
        let all = if is_begun && !is_done { target.max(remaining) } else { target };
        let days = all / hours_a_day;
        let whole = (days - 1e-5).ceil().max(0.0) as u32;
        let left = (remaining / hours_a_day - 1e-5).ceil().max(0.0) as u32;
        let mut percent = match (is_done, is_begun) {
            (true, _) => 100.0,
            (false, true) if all > 0.0 => percent_that_leaves(left, whole, (1.0 - remaining / all) * 100.0),
            _ => 0.0,
        };
        if !is_begun && !is_done && row.number("phys_complete_pct").is_some_and(|percent| percent > 0.0) {
            let reason = "The percentage of work that has not begun is not imported.";
            self.losses.note("phys_complete_pct", reason, mark);
        }
        if is_begun && !is_done {
            if remaining > target {
                self.losses.note("remain_drtn_hr_cnt", "A duration grew to what remains of it.", mark);
            }
            let said = row.number("phys_complete_pct").filter(|_| row.is("complete_pct_type", "CP_Phys"));
            if let Some(said) = said.filter(|said| (0.0..=100.0).contains(said)) {
                let kept = percent_that_leaves(left, whole, said);
                // Both leave the same days to do, and one says more.
                if (kept - said).abs() < 1e-4 {
                    percent = kept;
                } else {
                    let reason =
                        "The percentage is that of the duration, so that the remaining days are right.";
                    self.losses.note("phys_complete_pct", reason, mark);
                }
            }
        }
        if (f64::from(whole) - days).abs() > 1e-4 {
            self.losses.note("target_drtn_hr_cnt", "Part of a day counts as a whole one.", mark);
        }
        (whole, percent.clamp(0.0, 100.0))
    }

    /// The one or two constraints of an activity. Of a second one, a start no earlier and a finish no later are kept.
    fn constraints(&mut self, row: Row<'_, 't>, mark: &str) -> Constraints {
        let mut found = Constraints::default();
        for (kind_field, date_field) in [("cstr_type", "cstr_date"), ("cstr_type2", "cstr_date2")] {
            let Some(word) = row.text(kind_field) else { continue };
            let date = row.moment(date_field);
            let Some(kind) = codes::constraint(word) else {
                self.losses.note(kind_field, "A constraint of an unknown type is left out.", mark);
                continue;
            };
            let day =
                date.map(|moment| if codes::holds_finish(kind) { evening(moment) } else { morning(moment) });
            match (kind, day) {
                (ConstraintType::AsLateAsPossible, _) if found.first.is_none() => {
                    found.first = Some((kind, None))
                }
                (_, None) => self.losses.note(date_field, "A constraint without its date is left out.", mark),
                (_, Some(_)) if found.first.is_none() => found.first = Some((kind, day)),
                (ConstraintType::StartNoEarlierThan, Some(_)) => found.planned_start = day,
                (ConstraintType::FinishNoLaterThan, Some(_)) => found.deadline = day,
                _ => self.losses.note(kind_field, "A task has one constraint. The second is left out.", mark),
            }
        }
        found
    }

    fn lag_calendar(&mut self) -> LagCalendar {
        let mut options = self.tables.rows("SCHEDOPTIONS");
        let own = options.find(|row| row.text("proj_id").unwrap_or_default() == self.project);
        let word = own.and_then(|row| row.text("sched_calendar_on_relationship_lag"));
        let said = word.and_then(codes::lag_calendar);
        if word.is_some() && said.is_none() {
            let reason = "Lags on an unknown calendar count on that of the predecessor.";
            self.losses.note("sched_calendar_on_relationship_lag", reason, "");
        }
        said.unwrap_or(LagCalendar::Predecessor)
    }

    fn links(&mut self, lags: LagCalendar) -> Vec<FoundLink> {
        let mut links = Vec::new();
        for row in self.tables.rows("TASKPRED") {
            let place = |id: Option<&str>| id.and_then(|id| self.places.get(id).copied());
            let reason = "A link to another project, or to an activity that takes no part, is left out.";
            let Some(successor) = place(row.text("task_id")) else {
                if row.text("proj_id").is_none_or(|id| id == self.project) {
                    self.losses.note("TASKPRED", reason, "");
                }
                continue;
            };
            let mark = self.rows[successor].mark.clone();
            let Some(predecessor) = place(row.text("pred_task_id")) else {
                self.losses.note("TASKPRED", reason, mark);
                continue;
            };
            let kind = row.text("pred_type").and_then(codes::link);
            if kind.is_none() && row.text("pred_type").is_some() {
                let reason = "A link of an unknown type goes from finish to start.";
                self.losses.note("pred_type", reason, &*mark);
            }
            let kind = kind.unwrap_or_default();
            let hours = row.number("lag_hr_cnt");
            if hours.is_none() && row.text("lag_hr_cnt").is_some() {
                self.losses.note("lag_hr_cnt", "A lag that cannot be read is left out.", &*mark);
            }
            let hours = hours.unwrap_or(0.0);
            let hours_a_day = match lags {
                LagCalendar::Elapsed => 24.0,
                LagCalendar::Predecessor => self.calendars.hours(self.own_calendars[predecessor]),
                LagCalendar::Successor => self.calendars.hours(self.own_calendars[successor]),
                LagCalendar::Project => self.calendars.hours(self.calendar),
            };
            let days = hours / hours_a_day;
            if (days.round() - days).abs() > 1e-4 {
                self.losses.note("lag_hr_cnt", "A lag of parts of a day was rounded to whole days.", mark);
            }
            links.push(FoundLink { predecessor, successor, kind, lag: days.round() as i64 });
        }
        links
    }

    /// Notes options of the schedule that this engine does not follow.
    fn note_options(&mut self) {
        let mut options = self.tables.rows("SCHEDOPTIONS");
        let own = options.find(|row| row.text("proj_id").unwrap_or_default() == self.project);
        if own.is_some_and(|row| row.is("sched_progress_override", "Y")) {
            let reason = "Work out of sequence waits for its predecessors here; the file lets it go on.";
            self.losses.note("sched_progress_override", reason, "");
        }
    }

    fn finish(
        mut self,
        outline: &Outline<'_, 't>,
        lags: LagCalendar,
        links: Vec<FoundLink>,
        people: People,
    ) -> Found {
        let mut projects = self.tables.rows("PROJECT");
        let project = projects.find(|row| row.text("proj_id").unwrap_or_default() == self.project);
        let code = project.and_then(|row| row.text("proj_short_name"));
        let name = outline.root.and_then(|row| row.text("wbs_name")).or(code).unwrap_or_default().to_owned();
        let start_date = project.and_then(|row| row.moment("plan_start_date")).map(morning);
        let data_date = project.and_then(|row| row.moment("last_recalc_date")).map(morning);
        self.note_options();
        if project.is_some_and(|row| row.text("plan_end_date").is_some()) {
            self.losses.note("plan_end_date", "A date by which the project must finish is not kept.", "");
        }
        let has_begun = self.rows.iter().any(|row| row.task.actual_start.is_some());
        let (resources, resource_calendars) = people;
        let own = self.calendars.of(self.calendar);
        let of_rows = self.rows.iter().filter_map(|row| row.calendar);
        let of_resources = resource_calendars.iter().flatten().copied();
        let mut used: Vec<usize> = own.into_iter().chain(of_resources).chain(of_rows).collect();
        used.sort_unstable();
        used.dedup();
        let place = |old: Option<usize>| old.and_then(|old| used.binary_search(&old).ok());
        self.rows.iter_mut().for_each(|row| row.calendar = place(row.calendar));
        Found {
            name,
            start_date,
            status_date: data_date.filter(|day| has_begun || start_date.is_some_and(|start| *day > start)),
            lag_calendar: Some(lags),
            calendar: place(own),
            resource_calendars: resource_calendars.iter().map(|old| place(*old)).collect(),
            calendars: used.iter().map(|at| self.calendars.list[*at].clone()).collect(),
            resources,
            rows: self.rows,
            links,
            losses: self.losses,
        }
    }
}

#[derive(Default)]
struct Constraints {
    first: Option<(ConstraintType, Option<NaiveDate>)>,
    planned_start: Option<NaiveDate>,
    deadline: Option<NaiveDate>,
}

#[cfg(test)]
mod tests;
