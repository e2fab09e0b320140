//! From a document to MSPDI: what Microsoft Project and everything that reads its XML can open.
//! Dates are those that planwright computed; Project computes its own when it opens the file.

use std::collections::HashMap;

use chrono::NaiveDate;
use planwright_domain::words::{ConstraintType, LagCalendar};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::{codes, work_weeks};
use crate::progress::days_done;
use crate::seed::model::{
    BaselineCalendar, Calendar, CalendarException, Document, KeptOfTask, Project, Resource, Task,
};
use crate::seed::outline::{Outline, compare_paths};
use crate::unwritten::{self, Part};
use crate::{Computed, Losses, WrittenFile};

const NAMESPACE: &str = "http://schemas.microsoft.com/project";
/// Working minutes of a day in the file.
const MINUTES_PER_DAY: u32 = 480;
/// When work begins and ends on a day in the file.
const DAY: [&str; 2] = ["08:00:00", "16:00:00"];

type Out = Writer<Vec<u8>>;
type Written = std::io::Result<()>;

/// The first project of a document as a file.
pub fn write(document: &Document, computed: &Computed) -> std::io::Result<WrittenFile> {
    let mut losses = Losses::default();
    let carried = [
        Part::ActualDates,
        Part::Baselines,
        Part::Calendars,
        Part::Constraints,
        Part::Deadlines,
        Part::Project,
        Part::Resources,
    ];
    let document = &unwritten::on_one_calendar(document, &mut losses);
    unwritten::note(document, &carried, &mut losses);
    unwritten::note_planned_starts(document, 1, &mut losses);
    for task in document.projects.first().iter().flat_map(|project| &project.tasks) {
        if [&task.name, &task.notes].iter().any(|text| !text.chars().all(is_writable)) {
            let reason = "Characters that XML cannot hold are left out.";
            losses.note("name", reason, unwritten::mark(task));
        }
        if task.percent_done().fract() > 0.0 {
            let reason = "The file has whole percentages. The days that are left are right.";
            losses.note("percent_complete", reason, unwritten::mark(task));
        }
    }
    for task in document.projects.first().iter().flat_map(|project| &project.tasks) {
        let reason = match task.constraint {
            Some((ConstraintType::StartOn, _)) => "The file has no START_ON. It comes back as MSO.",
            Some((ConstraintType::FinishOn, _)) => "The file has no FINISH_ON. It comes back as MFO.",
            _ => continue,
        };
        losses.note("constraint_type", reason, unwritten::mark(task));
    }
    for baseline in document.projects.first().iter().flat_map(|project| &project.baselines) {
        let is_more = baseline.captured_at.is_some()
            || baseline.calendar != BaselineCalendar::default()
            || baseline.tasks.iter().any(|row| row.kept != KeptOfTask::default());
        if is_more {
            let reason = "The file has the number and the planned dates of a baseline, and nothing else of it. The first one comes back as the active one.";
            losses.note("baselines", reason, &*baseline.name);
        }
        if baseline.tasks.iter().any(|row| row.kept.budget.is_some() || row.story_points.is_some()) {
            losses.note("baselines", "The file has no budgets and points of a baseline.", &*baseline.name);
        }
    }
    for left_out in document.projects.first().iter().flat_map(|project| project.baselines.iter().skip(11)) {
        losses.note("baselines", "The file has eleven baselines. The others are left out.", &*left_out.name);
    }
    Ok(WrittenFile { content: content(document, computed)?, losses })
}

fn content(document: &Document, computed: &Computed) -> std::io::Result<Vec<u8>> {
    let mut out = Writer::new_with_indent(Vec::new(), b' ', 1);
    out.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), Some("yes"))))?;
    let Some(project) = document.projects.first() else { return Ok(out.into_inner()) };
    let file = File { document, project, computed, rows: in_order(project) };
    let root = out.create_element("Project").with_attribute(("xmlns", NAMESPACE));
    root.write_inner_content(|out| file.content(out))?;
    Ok(out.into_inner())
}

/// The rows in the order in which people read them.
fn in_order(project: &Project) -> Vec<usize> {
    let mut rows: Vec<usize> = (0..project.tasks.len()).collect();
    rows.sort_by(|left, right| {
        compare_paths(&project.tasks[*left].wbs_path, &project.tasks[*right].wbs_path)
    });
    rows
}

struct File<'d> {
    document: &'d Document,
    project: &'d Project,
    computed: &'d Computed,
    rows: Vec<usize>,
}

impl File<'_> {
    fn content(&self, out: &mut Out) -> Written {
        text(out, "SaveVersion", "14")?;
        text(out, "Name", &self.project.name)?;
        text(out, "Title", &self.project.name)?;
        text(out, "ScheduleFromStart", "1")?;
        text(out, "StartDate", &begin(self.project.start_date))?;
        if let Some(day) = self.project.status_date {
            text(out, "StatusDate", &end(day))?;
        }
        number(out, "CalendarUID", self.calendar_id(self.project.calendar.as_deref()))?;
        text(out, "DefaultStartTime", DAY[0])?;
        text(out, "DefaultFinishTime", DAY[1])?;
        number(out, "MinutesPerDay", MINUTES_PER_DAY)?;
        number(out, "MinutesPerWeek", MINUTES_PER_DAY * 5)?;
        number(out, "DaysPerMonth", 20)?;
        // Links win over dates, as they do here.
        text(out, "HonorConstraints", "0")?;
        text(out, "NewTasksAreManual", "0")?;
        inside(out, "Calendars", |out| self.calendars(out))?;
        inside(out, "Tasks", |out| self.tasks(out))?;
        inside(out, "Resources", |out| self.resources(out))?;
        inside(out, "Assignments", |out| self.assignments(out))
    }

    /// Calendars are numbered from 1. The last one is Monday to Friday, if the project names none.
    fn calendar_id(&self, slug: Option<&str>) -> usize {
        let calendars = &self.document.calendars;
        slug.and_then(|slug| calendars.iter().position(|one| one.slug == slug)).unwrap_or(calendars.len()) + 1
    }

    fn calendars(&self, out: &mut Out) -> Written {
        let standard = Calendar { name: "Standard".to_owned(), working_days: 31, ..Calendar::default() };
        let standard = self.project.calendar.is_none().then_some(&standard);
        for (id, one) in (1usize..).zip(self.document.calendars.iter().chain(standard)) {
            inside(out, "Calendar", |out| calendar(out, id, one))?;
        }
        Ok(())
    }

    fn tasks(&self, out: &mut Out) -> Written {
        let outline = Outline::of(self.project.tasks.iter().map(|task| task.wbs_path.as_str()));
        let ids: HashMap<&str, u32> = self
            .rows
            .iter()
            .zip(1u32..)
            .map(|(at, id)| (self.project.tasks[*at].wbs_path.as_str(), id))
            .collect();
        let mut predecessors: HashMap<&str, Vec<(u32, &crate::seed::model::Dependency)>> = HashMap::new();
        for link in &self.project.dependencies {
            let is_here = |reference: &crate::seed::TaskReference| reference.project == self.project.slug;
            let from = ids.get(link.predecessor.wbs_path.as_str()).filter(|_| is_here(&link.predecessor));
            if let (Some(from), true) = (from, is_here(&link.successor)) {
                predecessors.entry(&link.successor.wbs_path).or_default().push((*from, link));
            }
        }
        for (at, id) in self.rows.iter().zip(1u32..) {
            let task = &self.project.tasks[*at];
            let links = predecessors.remove(task.wbs_path.as_str()).unwrap_or_default();
            let place = Place { id, level: outline.depth(*at) + 1, is_summary: outline.has_children(*at) };
            inside(out, "Task", |out| self.task(out, task, &place, &links))?;
        }
        Ok(())
    }

    fn task(
        &self,
        out: &mut Out,
        task: &Task,
        place: &Place,
        links: &[(u32, &crate::seed::model::Dependency)],
    ) -> Written {
        number(out, "UID", place.id)?;
        number(out, "ID", place.id)?;
        text(out, "Name", &task.name)?;
        text(out, "Manual", "0")?;
        text(out, "WBS", &task.wbs_path)?;
        text(out, "OutlineNumber", &task.wbs_path)?;
        number(out, "OutlineLevel", place.level)?;
        if let Some((start, finish)) = self.computed.get(&task.wbs_path) {
            text(out, "Start", &begin(*start))?;
            text(out, "Finish", &if task.is_milestone { begin(*finish) } else { end(*finish) })?;
        }
        let days = if task.is_milestone { 0 } else { task.duration };
        text(out, "Duration", &duration(days))?;
        text(out, "DurationFormat", "7")?;
        flag(out, "Milestone", task.is_milestone)?;
        flag(out, "Summary", place.is_summary)?;
        // A percentage is a whole number in this format. The days say what is left.
        number(out, "PercentComplete", task.percent_done().floor())?;
        let done = days_done(days, task.percent_done());
        text(out, "ActualDuration", &minutes(done * MINUTES_PER_DAY))?;
        text(out, "RemainingDuration", &minutes((days - done) * MINUTES_PER_DAY))?;
        if let Some(day) = task.actual_start {
            text(out, "ActualStart", &begin(day))?;
        }
        if let Some(day) = task.actual_finish {
            text(out, "ActualFinish", &end(day))?;
        }
        self.limits(out, task, place)?;
        self.own_calendar(out, task)?;
        if !task.notes.is_empty() {
            text(out, "Notes", &task.notes)?;
        }
        for (from, link) in links {
            inside(out, "PredecessorLink", |out| {
                number(out, "PredecessorUID", from)?;
                number(out, "Type", codes::link_code(link.kind))?;
                text(out, "CrossProject", "0")?;
                let (minutes, format) = self.lag_unit();
                number(out, "LinkLag", i64::from(link.lag) * minutes * 10)?;
                text(out, "LagFormat", format)
            })?;
        }
        self.baselines(out, task)
    }

    /// The calendar of the task. Project works a task on the calendars of its resources, and here it is worked on its own or on
    /// that of the project: where these differ the task says so.
    fn own_calendar(&self, out: &mut Out, task: &Task) -> Written {
        if let Some(calendar) = &task.calendar {
            number(out, "CalendarUID", self.calendar_id(Some(calendar)))?;
            return text(out, "IgnoreResourceCalendar", "1");
        }
        let calendar_of = |slug: &str| {
            let resource = self.document.resources.iter().find(|one| one.slug == slug)?;
            Some(self.calendar_id(Some(resource.calendar.as_deref()?)))
        };
        let own = self.calendar_id(self.project.calendar.as_deref());
        let mut calendars = task.assignments.iter().filter_map(|one| calendar_of(&one.resource));
        match calendars.any(|calendar| calendar != own) {
            false => text(out, "CalendarUID", "-1"),
            true => {
                number(out, "CalendarUID", own)?;
                text(out, "IgnoreResourceCalendar", "1")
            }
        }
    }

    /// The minutes of a day of lag, and the number of its unit: working days or elapsed days.
    fn lag_unit(&self) -> (i64, &'static str) {
        match self.document.lag_calendar_of(self.project) {
            LagCalendar::Elapsed => (1440, "8"),
            _ => (i64::from(MINUTES_PER_DAY), "7"),
        }
    }

    /// A constraint of its own, else a date before which it does not start; and the deadline.
    fn limits(&self, out: &mut Out, task: &Task, place: &Place) -> Written {
        let planned = self.project.planned_start_of(task).filter(|_| !place.is_summary);
        let (code, date) = match (task.constraint, planned) {
            (Some((kind, date)), _) => (codes::constraint_code(kind), date),
            (None, Some(day)) => (4, Some(day)),
            (None, None) => (0, None),
        };
        number(out, "ConstraintType", code)?;
        if let Some(day) = date {
            let is_finish = matches!(code, 3 | 6 | 7);
            text(out, "ConstraintDate", &if is_finish { end(day) } else { begin(day) })?;
        }
        match task.deadline {
            Some(day) => text(out, "Deadline", &end(day)),
            None => Ok(()),
        }
    }

    fn baselines(&self, out: &mut Out, task: &Task) -> Written {
        let active = self.project.baselines.iter().filter(|baseline| baseline.is_active);
        let others = self.project.baselines.iter().filter(|baseline| !baseline.is_active);
        for (number_of, baseline) in (0u8..=10).zip(active.chain(others)) {
            let Some(kept) = baseline.tasks.iter().find(|kept| kept.task.wbs_path == task.wbs_path) else {
                continue;
            };
            inside(out, "Baseline", |out| {
                number(out, "Number", number_of)?;
                if let Some(day) = kept.start {
                    text(out, "Start", &begin(day))?;
                }
                if let Some(day) = kept.finish {
                    text(out, "Finish", &end(day))?;
                }
                text(out, "Duration", &duration(kept.duration.unwrap_or_default()))
            })?;
        }
        Ok(())
    }

    fn resources(&self, out: &mut Out) -> Written {
        for (id, one) in (1u32..).zip(&self.document.resources) {
            inside(out, "Resource", |out| self.resource(out, id, one))?;
        }
        Ok(())
    }

    fn resource(&self, out: &mut Out, id: u32, resource: &Resource) -> Written {
        number(out, "UID", id)?;
        number(out, "ID", id)?;
        text(out, "Name", &resource.name)?;
        text(out, "Type", "1")?;
        if !resource.job_role.is_empty() {
            text(out, "Group", &resource.job_role)?;
        }
        if let Some(email) = &resource.email {
            text(out, "EmailAddress", email)?;
        }
        number(out, "MaxUnits", resource.max_units)?;
        match &resource.calendar {
            Some(calendar) => number(out, "CalendarUID", self.calendar_id(Some(calendar))),
            None => Ok(()),
        }
    }

    fn work(&self, out: &mut Out, task: &Task, units: f64) -> Written {
        let [all, done, rest] = shares(task, units);
        text(out, "Work", &minutes(all))?;
        text(out, "RegularWork", &minutes(all))?;
        text(out, "ActualWork", &minutes(done))?;
        text(out, "RemainingWork", &minutes(rest))?;
        let Some((start, finish)) = self.computed.get(&task.wbs_path) else { return Ok(()) };
        text(out, "Start", &begin(*start))?;
        text(out, "Finish", &end(*finish))
    }

    fn assignments(&self, out: &mut Out) -> Written {
        let places: HashMap<&str, u32> =
            self.document.resources.iter().zip(1u32..).map(|(one, id)| (one.slug.as_str(), id)).collect();
        let mut id = 0u32;
        for (at, task) in self.rows.iter().zip(1u32..) {
            for assignment in &self.project.tasks[*at].assignments {
                let Some(resource) = places.get(assignment.resource.as_str()) else { continue };
                id += 1;
                inside(out, "Assignment", |out| {
                    number(out, "UID", id)?;
                    number(out, "TaskUID", task)?;
                    number(out, "ResourceUID", resource)?;
                    number(out, "Units", assignment.units)?;
                    self.work(out, &self.project.tasks[*at], assignment.units)
                })?;
            }
        }
        Ok(())
    }
}

/// The work of an assignment: all of it, what is done, and what remains.
fn shares(task: &Task, units: f64) -> [u32; 3] {
    let days = if task.is_milestone { 0 } else { task.duration };
    let all = (f64::from(days * MINUTES_PER_DAY) * units).round();
    let done = (all * task.percent_done() / 100.0).round();
    [all as u32, done as u32, (all - done) as u32]
}

struct Place {
    id: u32,
    level: usize,
    is_summary: bool,
}

/// Exceptions as other programs want them: no day twice. Here the later one of a day counts.
fn disjoint(exceptions: &[CalendarException]) -> Vec<CalendarException> {
    let of = |(at, one): (usize, &CalendarException)| {
        let covers = |later: &&CalendarException| later.start <= one.end && one.start <= later.end;
        let later: Vec<_> = exceptions[at + 1..].iter().filter(covers).cloned().collect();
        match later.is_empty() {
            true => vec![one.clone()],
            false => work_weeks::outside(one.clone(), &later),
        }
    };
    exceptions.iter().enumerate().flat_map(of).collect()
}

fn calendar(out: &mut Out, id: usize, calendar: &Calendar) -> Written {
    number(out, "UID", id)?;
    text(out, "Name", &calendar.name)?;
    text(out, "IsBaseCalendar", "1")?;
    text(out, "BaseCalendarUID", "-1")?;
    inside(out, "WeekDays", |out| {
        for day in 1u8..=7 {
            let works = calendar.working_days >> ((day + 5) % 7) & 1 == 1;
            inside(out, "WeekDay", |out| {
                number(out, "DayType", day)?;
                flag(out, "DayWorking", works)?;
                if works { hours(out) } else { Ok(()) }
            })?;
        }
        Ok(())
    })?;
    if calendar.exceptions.is_empty() {
        return Ok(());
    }
    inside(out, "Exceptions", |out| {
        for exception in disjoint(&calendar.exceptions) {
            let days = (exception.end - exception.start).num_days() + 1;
            inside(out, "Exception", |out| {
                text(out, "EnteredByOccurrences", "0")?;
                inside(out, "TimePeriod", |out| {
                    text(out, "FromDate", &format!("{}T00:00:00", exception.start))?;
                    text(out, "ToDate", &format!("{}T23:59:00", exception.end))
                })?;
                number(out, "Occurrences", days)?;
                text(out, "Name", &exception.description)?;
                text(out, "Type", "1")?;
                flag(out, "DayWorking", exception.working)?;
                if exception.working { hours(out) } else { Ok(()) }
            })?;
        }
        Ok(())
    })
}

fn hours(out: &mut Out) -> Written {
    inside(out, "WorkingTimes", |out| {
        inside(out, "WorkingTime", |out| {
            text(out, "FromTime", DAY[0])?;
            text(out, "ToTime", DAY[1])
        })
    })
}

fn inside(out: &mut Out, name: &str, content: impl FnOnce(&mut Out) -> Written) -> Written {
    out.create_element(name).write_inner_content(content).map(drop)
}

fn text(out: &mut Out, name: &str, value: &str) -> Written {
    // Characters that XML cannot hold at all.
    let clean: String = value.chars().filter(|letter| is_writable(*letter)).collect();
    out.create_element(name).write_text_content(BytesText::new(&clean)).map(drop)
}

/// Whether XML can hold a character.
fn is_writable(letter: char) -> bool {
    matches!(letter, '\n' | '\t' | '\r')
        || !(letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}'))
}

fn number(out: &mut Out, name: &str, value: impl ToString) -> Written {
    text(out, name, &value.to_string())
}

fn flag(out: &mut Out, name: &str, value: bool) -> Written {
    text(out, name, if value { "1" } else { "0" })
}

fn begin(day: NaiveDate) -> String {
    format!("{day}T{}", DAY[0])
}

fn end(day: NaiveDate) -> String {
    format!("{day}T{}", DAY[1])
}

fn duration(days: u32) -> String {
    minutes(days * MINUTES_PER_DAY)
}

fn minutes(minutes: u32) -> String {
    format!("PT{}H{}M0S", minutes / 60, minutes % 60)
}
