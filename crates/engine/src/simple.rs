//! One project as a line of JSON in, its schedule as a line of JSON out: the format that independent
//! schedulers are held against. Not the product's seed document.

use std::collections::HashMap;
use std::fmt;

use serde_json::{Map, Value, json};

use crate::calendar::{Calendar, CalendarException, MONDAY_TO_FRIDAY};
use crate::day::Day;
use crate::fault::Fault;
use crate::network::{
    Constraint, DoneWork, LagCalendar, LagUnit, Link, LinkKind, Network, Options, ProgressMode, ProjectFrame,
    Task, ThreePoint,
};
use crate::schedule::Schedule;

/// What is wrong with a document, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimpleError {
    /// Place in the document, such as `$.tasks[3].duration`.
    pub path: String,
    /// What was expected there.
    pub message: String,
}

impl fmt::Display for SimpleError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.path, self.message)
    }
}

impl std::error::Error for SimpleError {}

/// A parsed document: the network, and the document's own name of each task.
#[derive(Debug, Clone)]
pub struct SimpleProject {
    /// What the engine schedules; tasks stand in the order of the document.
    pub network: Network,
    /// Names of the tasks.
    pub names: Vec<String>,
}

/// Schedules one document and answers with one line.
pub fn schedule_line(text: &str) -> Result<String, SimpleError> {
    let project = parse(text)?;
    let schedule = crate::schedule(&project.network);
    Ok(write(&project, &schedule).to_string())
}

/// Reads one document.
pub fn parse(text: &str) -> Result<SimpleProject, SimpleError> {
    let document: Value =
        serde_json::from_str(text).map_err(|error| fault("$", &format!("not JSON: {error}")))?;
    let root = At { value: &document, path: "$".to_owned() };
    let mut calendars =
        vec![root.get("calendar").map_or_else(|| Ok(Calendar::default()), |at| at.calendar())?];
    let mut calendar_names = HashMap::new();
    for (name, at) in root.get("calendars").map_or_else(|| Ok(Vec::new()), |at| at.entries())? {
        calendar_names.insert(name, calendars.len());
        calendars.push(at.calendar()?);
    }
    let (plain_unit, lag_calendar) = match root.get("lag_calendar") {
        Some(at) => at.lag_calendar()?,
        None => (LagUnit::Working, LagCalendar::Successor),
    };
    let frame = ProjectFrame {
        data_date: root.get("status_date").map(|at| at.day()).transpose()?,
        calendar: Some(0),
        lag_calendar,
        ..ProjectFrame::starting(root.need("start")?.day()?)
    };
    let rows = root.need("tasks")?.items()?;
    let mut names = Vec::with_capacity(rows.len());
    let mut index_of = HashMap::with_capacity(rows.len());
    for (index, row) in rows.iter().enumerate() {
        let id = row.need("id")?;
        let name = id.text()?.to_owned();
        if index_of.insert(name.clone(), index).is_some() {
            return Err(id.fault("used twice"));
        }
        names.push(name);
    }
    let mut tasks = Vec::with_capacity(rows.len());
    for (index, row) in rows.iter().enumerate() {
        tasks.push(row.task(index, &index_of, &calendar_names)?);
    }
    let mut links = Vec::new();
    for row in root.get("deps").map_or_else(|| Ok(Vec::new()), |at| at.items())? {
        links.push(row.link(&index_of, plain_unit)?);
    }
    let network = Network { projects: vec![frame], calendars, tasks, links, options: root.options()? };
    Ok(SimpleProject { network, names })
}

/// The answer to a document.
pub fn write(project: &SimpleProject, schedule: &Schedule) -> Value {
    let mut tasks = Map::new();
    for (name, dates) in project.names.iter().zip(&schedule.tasks) {
        let row = dates.map_or(Value::Null, |dates| {
            json!({
                "es_day": dates.early_start.to_string(),
                "ef_day": dates.early_finish.to_string(),
                "ls_day": dates.late_start.to_string(),
                "lf_day": dates.late_finish.to_string(),
                "tf": dates.total_float,
                "ff": dates.free_float,
                "critical": dates.critical,
            })
        });
        tasks.insert(name.clone(), row);
    }
    let mut answer = json!({ "finish": schedule.finish.map(|day| day.to_string()), "tasks": tasks });
    if !schedule.faults.is_empty() {
        answer["faults"] = schedule.faults.iter().map(|fault| Value::from(named(project, fault))).collect();
    }
    answer
}

/// A fault in the document's own names.
fn named(project: &SimpleProject, fault: &Fault) -> String {
    // Ids are positions here.
    let name = |id: &u128| project.names.get(*id as usize).map_or("?", String::as_str);
    match fault {
        Fault::Cycle { path, .. } => {
            let names: Vec<&str> = path.iter().chain(path.first()).map(name).collect();
            format!("$.deps: cycle {}", names.join(" → "))
        }
        Fault::InvalidTask { task, .. } | Fault::InvalidParent { task, .. } => {
            format!("$.tasks[{task}]: {fault}")
        }
        Fault::InvalidLink { link, .. } => format!("$.deps[{link}]: {fault}"),
        Fault::InvalidCalendar { .. } => format!("$.calendars: {fault}"),
    }
}

fn fault(path: &str, message: &str) -> SimpleError {
    SimpleError { path: path.to_owned(), message: message.to_owned() }
}

/// A value and where it stands.
struct At<'a> {
    value: &'a Value,
    path: String,
}

impl<'a> At<'a> {
    fn fault(&self, message: &str) -> SimpleError {
        fault(&self.path, message)
    }

    /// A member that is there and not null.
    fn get(&self, name: &str) -> Option<At<'a>> {
        let value = self.value.get(name).filter(|value| !value.is_null())?;
        Some(At { value, path: format!("{}.{name}", self.path) })
    }

    fn need(&self, name: &str) -> Result<At<'a>, SimpleError> {
        self.get(name).ok_or_else(|| fault(&format!("{}.{name}", self.path), "required"))
    }

    fn items(&self) -> Result<Vec<At<'a>>, SimpleError> {
        let items = self.value.as_array().ok_or_else(|| self.fault("expected a list"))?;
        let at = |(index, value)| At { value, path: format!("{}[{index}]", self.path) };
        Ok(items.iter().enumerate().map(at).collect())
    }

    fn entries(&self) -> Result<Vec<(String, At<'a>)>, SimpleError> {
        let members = self.value.as_object().ok_or_else(|| self.fault("expected an object"))?;
        let at = |(name, value): (&String, &'a Value)| {
            (name.clone(), At { value, path: format!("{}.{name}", self.path) })
        };
        Ok(members.iter().map(at).collect())
    }

    fn text(&self) -> Result<&'a str, SimpleError> {
        self.value.as_str().ok_or_else(|| self.fault("expected a text"))
    }

    fn number(&self) -> Result<f64, SimpleError> {
        self.value.as_f64().filter(|number| number.is_finite()).ok_or_else(|| self.fault("expected a number"))
    }

    /// A number of whole days; a day begun counts.
    fn days(&self) -> Result<i32, SimpleError> {
        let days = self.number()?.ceil();
        if days.abs() <= 366_000.0 { Ok(days as i32) } else { Err(self.fault("out of range")) }
    }

    /// A date, with or without a time after it, which is ignored.
    fn day(&self) -> Result<Day, SimpleError> {
        let text = self.text()?;
        let date = text.split_once('T').map_or(text, |(date, _)| date);
        date.parse().map_err(|error: crate::day::InvalidDay| self.fault(&error.to_string()))
    }

    fn one_of<T: Copy>(&self, choices: &[(&str, T)]) -> Result<T, SimpleError> {
        let text = self.text()?;
        let found = choices.iter().find(|choice| choice.0 == text);
        found.map(|choice| choice.1).ok_or_else(|| {
            let names: Vec<&str> = choices.iter().map(|choice| choice.0).collect();
            self.fault(&format!("expected one of {}", names.join(", ")))
        })
    }

    fn index(&self, known: &HashMap<String, usize>) -> Result<usize, SimpleError> {
        known.get(self.text()?).copied().ok_or_else(|| self.fault("unknown name"))
    }

    fn calendar(&self) -> Result<Calendar, SimpleError> {
        let mask = match self.get("working_days") {
            Some(at) => {
                let mask = at.value.as_u64().filter(|mask| *mask <= 127);
                mask.ok_or_else(|| at.fault("expected a bit mask from 0 to 127"))? as u8
            }
            None => MONDAY_TO_FRIDAY,
        };
        let mut calendar = Calendar::weekly(mask);
        for at in self.get("exceptions").map_or_else(|| Ok(Vec::new()), |at| at.items())? {
            calendar.exceptions.push(at.exception()?);
        }
        Ok(calendar)
    }

    /// `["first", "last"]`, or `{"start", "end", "working"}`.
    fn exception(&self) -> Result<CalendarException, SimpleError> {
        if self.value.is_object() {
            let working = self.get("working").is_some_and(|at| at.value == &Value::Bool(true));
            let (first, last) = (self.need("start")?.day()?, self.need("end")?.day()?);
            return Ok(CalendarException { first, last, working });
        }
        match self.items()?.as_slice() {
            [first, last] => Ok(CalendarException { first: first.day()?, last: last.day()?, working: false }),
            _ => Err(self.fault("expected [first day, last day]")),
        }
    }

    /// What a plain lag counts: `24h` means calendar days at every hour, `elapsed` calendar days between
    /// shown dates.
    fn lag_calendar(&self) -> Result<(LagUnit, LagCalendar), SimpleError> {
        self.one_of(&[
            ("successor", (LagUnit::Working, LagCalendar::Successor)),
            ("predecessor", (LagUnit::Working, LagCalendar::Predecessor)),
            ("project", (LagUnit::Working, LagCalendar::Project)),
            ("default", (LagUnit::Working, LagCalendar::Project)),
            ("elapsed", (LagUnit::Working, LagCalendar::Elapsed)),
            ("24h", (LagUnit::Elapsed, LagCalendar::Successor)),
        ])
    }

    /// How progress and dates are read: `progress`, `done_work`, `honour_dates`.
    fn options(&self) -> Result<Options, SimpleError> {
        let mut options = Options::default();
        if let Some(at) = self.get("progress") {
            options.progress = at.one_of(&[
                ("retained", ProgressMode::RetainedLogic),
                ("override", ProgressMode::ProgressOverride),
                ("actual_dates", ProgressMode::ActualDates),
            ])?;
        }
        if let Some(at) = self.get("done_work") {
            options.done_work =
                at.one_of(&[("cut", DoneWork::CutsLogic), ("retained", DoneWork::Retained)])?;
        }
        options.honour_dates = self.get("honour_dates").is_some_and(|at| at.value == &Value::Bool(true));
        Ok(options)
    }

    fn link(&self, tasks: &HashMap<String, usize>, plain_unit: LagUnit) -> Result<Link, SimpleError> {
        let kind = match self.get("type") {
            Some(at) => at.one_of(&[
                ("FS", LinkKind::FinishToStart),
                ("SS", LinkKind::StartToStart),
                ("FF", LinkKind::FinishToFinish),
                ("SF", LinkKind::StartToFinish),
            ])?,
            None => LinkKind::FinishToStart,
        };
        let lag_unit = match self.get("lag_unit") {
            Some(at) => at.one_of(&[
                ("work", plain_unit),
                ("working", plain_unit),
                ("elapsed", LagUnit::Elapsed),
                ("percent", LagUnit::Percent),
            ])?,
            None => plain_unit,
        };
        let lag_calendar = self.get("lag_calendar").map(|at| at.lag_calendar()).transpose()?;
        Ok(Link {
            predecessor: self.need("pred")?.index(tasks)?,
            successor: self.need("succ")?.index(tasks)?,
            kind,
            lag: self.get("lag").map_or(Ok(0), |at| at.days())?,
            lag_unit: lag_calendar
                .map_or(lag_unit, |(unit, _)| if unit == LagUnit::Elapsed { unit } else { lag_unit }),
            lag_calendar: lag_calendar.map(|(_, calendar)| calendar),
        })
    }

    fn task(
        &self,
        index: usize,
        tasks: &HashMap<String, usize>,
        calendars: &HashMap<String, usize>,
    ) -> Result<Task, SimpleError> {
        let day = |name: &str| self.get(name).map(|at| at.day()).transpose();
        let mut task = Task {
            parent: self.get("parent").map(|at| at.index(tasks)).transpose()?,
            calendar: self.get("calendar").map(|at| at.index(calendars)).transpose()?,
            planned_start: day("planned_start")?,
            deadline: day("deadline")?,
            actual_start: day("actual_start")?,
            actual_finish: day("actual_finish")?,
            percent_complete: self.get("percent_complete").map_or(Ok(0.0), |at| at.number())?,
            constraint: self.get("constraint").map(|at| at.constraint()).transpose()?.flatten(),
            estimate: self.get("estimate").map(|at| at.estimate()).transpose()?,
            ..Task::new(index as u128, self.need("duration")?.days()?)
        };
        if let Some(at) = self.get("remaining") {
            let (left, whole) = (at.number()?, f64::from(task.duration));
            if !(0.0..=whole).contains(&left) {
                return Err(at.fault("expected from 0 to the duration"));
            }
            // Half a thousandth of a day above, so that dividing and multiplying loses no whole day.
            let done = whole - left.ceil();
            task.percent_complete =
                if done > 0.0 { (100.0 * (done + 0.000_5) / whole).min(100.0) } else { 0.0 };
        }
        Ok(task)
    }

    /// `["SNET", "2026-01-12"]`, `["ALAP"]`.
    fn constraint(&self) -> Result<Option<Constraint>, SimpleError> {
        let items = self.items()?;
        let kind = items.first().ok_or_else(|| self.fault("expected [kind, date]"))?;
        match kind.text()? {
            "ASAP" => return Ok(None),
            "ALAP" => return Ok(Some(Constraint::AsLateAsPossible)),
            _ => {}
        }
        let make = kind.one_of::<fn(Day) -> Constraint>(&[
            ("SNET", Constraint::StartNoEarlierThan),
            ("SNLT", Constraint::StartNoLaterThan),
            ("FNET", Constraint::FinishNoEarlierThan),
            ("FNLT", Constraint::FinishNoLaterThan),
            ("MSO", Constraint::MustStartOn),
            ("MFO", Constraint::MustFinishOn),
            ("START_ON", Constraint::StartOn),
            ("FINISH_ON", Constraint::FinishOn),
        ])?;
        let date = items.get(1).ok_or_else(|| self.fault("expected [kind, date]"))?;
        Ok(Some(make(date.day()?)))
    }

    /// `[optimistic, most likely, pessimistic]`.
    fn estimate(&self) -> Result<ThreePoint, SimpleError> {
        match self.items()?.as_slice() {
            [optimistic, most_likely, pessimistic] => Ok(ThreePoint {
                optimistic: optimistic.number()?,
                most_likely: most_likely.number()?,
                pessimistic: pessimistic.number()?,
            }),
            _ => Err(self.fault("expected [optimistic, most likely, pessimistic]")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_in_and_a_line_comes_out() {
        let line = r#"{"start": "2026-01-05", "calendar": {"working_days": 31, "exceptions": [["2026-01-07", "2026-01-08"]]},
            "tasks": [{"id": "A", "duration": 4}, {"id": "B", "duration": 1}],
            "deps": [{"pred": "A", "succ": "B", "lag": 1}]}"#;
        let expected = concat!(
            r#"{"finish":"2026-01-14","tasks":{"#,
            r#""A":{"es_day":"2026-01-05","ef_day":"2026-01-12","ls_day":"2026-01-05","#,
            r#""lf_day":"2026-01-12","tf":0,"ff":0,"critical":true},"#,
            r#""B":{"es_day":"2026-01-14","ef_day":"2026-01-14","ls_day":"2026-01-14","#,
            r#""lf_day":"2026-01-14","tf":0,"ff":0,"critical":true}}}"#,
        );
        assert_eq!(schedule_line(line).as_deref(), Ok(expected));
    }

    #[test]
    fn faults_name_rows_and_leave_the_rest() {
        let line = r#"{"start": "2026-01-05", "tasks": [{"id": "A", "duration": 1}, {"id": "B", "duration": 1},
            {"id": "C", "duration": -1}], "deps": [{"pred": "A", "succ": "B"}, {"pred": "B", "succ": "A"}]}"#;
        let answer = schedule_line(line).unwrap_or_default();
        assert!(answer.contains("$.deps: cycle A → B → A") && answer.contains("$.tasks[2]:"), "{answer}");
        assert!(answer.contains(r#""C":null"#), "{answer}");
    }

    #[test]
    fn errors_name_the_place() {
        let path = |line: &str| parse(line).map(|_| ()).map_err(|error| error.path);
        assert_eq!(path("{"), Err("$".to_owned()));
        assert_eq!(path("{}"), Err("$.start".to_owned()));
        assert_eq!(
            path(r#"{"start": "2026-01-05", "tasks": [{"id": "A"}]}"#),
            Err("$.tasks[0].duration".into())
        );
        let dangling = r#"{"start": "2026-01-05", "tasks": [], "deps": [{"pred": "A", "succ": "B"}]}"#;
        assert_eq!(path(dangling), Err("$.deps[0].pred".to_owned()));
    }
}
