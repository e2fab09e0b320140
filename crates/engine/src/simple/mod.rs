//! The simple format: a plan as JSON in, its schedule as JSON out. It can express everything that the engine knows,
//! and independent schedulers are compared through it. It is not the seed document of the product.

mod answer;
mod calendars;
mod chance;
mod place;
mod rows;

use std::collections::HashMap;
use std::fmt;

use serde_json::Value;

use crate::network::{DoneWork, Network, Options, ProgressMode};
use crate::quality::Records;
use crate::simulate::SimulationOptions;

pub use answer::{fault_text, write};
use calendars::Calendars;
use place::At;
use rows::Names;

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
    /// What the engine schedules; tasks and links stand in the order of the document.
    pub network: Network,
    /// Names of the tasks.
    pub names: Vec<String>,
    /// What people call the tasks; empty where the document does not say.
    pub titles: Vec<String>,
    /// What people call the plan; empty where the document does not say.
    pub title: String,
    /// Names of the projects, in the order of the network; a lone project has none.
    pub projects: Vec<String>,
    /// The document's shapes, shared causes and risks, with runs and seed as usual.
    pub simulation: SimulationOptions,
    /// What the document knows of resources and of a baseline.
    pub records: Records,
    /// What is written in the document and has no effect, each with its place.
    pub warnings: Vec<String>,
    /// What names a task that is not there and was left out; only where that was asked for.
    pub refused: Vec<SimpleError>,
}

/// Schedules one document and answers with one line.
pub fn schedule_line(text: &str) -> Result<String, SimpleError> {
    let project = parse(text)?;
    let schedule = crate::schedule(&project.network);
    Ok(write(&project, &schedule).to_string())
}

const KEYS: [&str; 15] = [
    "name",
    "start",
    "status_date",
    "calendar",
    "calendars",
    "lag_calendar",
    "progress",
    "done_work",
    "honour_dates",
    "velocity",
    "projects",
    "tasks",
    "deps",
    "simulation",
    "comment",
];

/// Reads one document; one that names a task that is not there is refused.
pub fn parse(text: &str) -> Result<SimpleProject, SimpleError> {
    read(text, false)
}

/// Reads one document without the links that name a task that is not there, and without the parents; they are told
/// in `refused`.
pub fn parse_what_is_known(text: &str) -> Result<SimpleProject, SimpleError> {
    read(text, true)
}

fn read(text: &str, leaves_out: bool) -> Result<SimpleProject, SimpleError> {
    let document: Value = serde_json::from_str(text)
        .map_err(|error| SimpleError { path: "$".to_owned(), message: format!("not JSON: {error}") })?;
    let root = At::root(&document);
    root.expect_keys(&KEYS)?;
    let mut calendars = Calendars::of(&root)?;
    let default = root.get("calendar").map(|at| calendars.of_key(&at)).transpose()?;
    let (project_names, frames) = projects(&root, &mut calendars, default)?;
    let rows = root.need("tasks")?.items()?;
    let (task_names, index_of) = names_of(&rows)?;
    let several = !project_names.is_empty();
    let named = || project_names.iter().cloned().zip(0..).collect();
    let names = Names { tasks: index_of, calendars: &calendars.names, projects: several.then(named) };
    let mut refused = Vec::new();
    let mut is_summary = vec![false; rows.len()];
    let mut parents = Vec::with_capacity(rows.len());
    for row in &rows {
        let parent = match row.read("parent", |at| at.index(&names.tasks)) {
            Err(error) if leaves_out && row.names_nothing("parent", &names.tasks) => {
                refused.push(error);
                None
            }
            parent => parent?,
        };
        parents.push(parent);
        parent.into_iter().for_each(|parent| is_summary[parent] = true);
    }
    let mut project = SimpleProject {
        network: Network { options: options(&root)?, ..Network::default() },
        names: task_names,
        titles: Vec::with_capacity(rows.len()),
        title: text_of(&root, "name")?,
        projects: Vec::new(),
        simulation: chance::of(&root, &names.tasks)?,
        records: Records::default(),
        warnings: Vec::new(),
        refused,
    };
    for ((row, is_summary), parent) in rows.iter().zip(&is_summary).zip(parents) {
        project.network.tasks.push(row.task(&names, parent, *is_summary)?);
        project.titles.push(text_of(row, "name")?);
        project.records.baseline_finish.push(row.read("baseline_finish", At::day)?);
        project.records.has_resources.push(row.read("assigned", At::flag)?.unwrap_or(false));
        if *is_summary {
            project.warnings.extend(row.unused_on_summary());
        }
    }
    if !rows.iter().any(|row| row.get("assigned").is_some()) {
        project.records.has_resources.clear();
    }
    let tasks = &project.network.tasks;
    let unit = |successor: usize| frames[tasks[successor].project].plain_unit;
    let mut links = Vec::new();
    for row in root.list("deps")? {
        let names_nothing = |end: &'static str| row.names_nothing(end, &names.tasks);
        match row.link(&names, unit) {
            Err(error) if leaves_out && ["pred", "succ"].iter().any(|end| names_nothing(end)) => {
                project.refused.push(error);
            }
            link => links.push(link?),
        }
    }
    project.network.links = links;
    project.projects = project_names;
    project.network.projects = frames.into_iter().map(|frame| frame.frame).collect();
    project.network.calendars = calendars.list;
    project.warnings.extend(after_the_data_date(&project.network));
    Ok(project)
}

/// Actual dates that lie after the data date, as nothing can have happened then. They count as they are.
fn after_the_data_date(network: &Network) -> Vec<String> {
    let mut told = Vec::new();
    for (index, task) in network.tasks.iter().enumerate() {
        let Some(now) = network.projects[task.project].data_date else { continue };
        for (key, day) in [("actual_start", task.actual_start), ("actual_finish", task.actual_finish)] {
            if let Some(day) = day.filter(|day| *day > now) {
                told.push(format!("$.tasks[{index}].{key}: {day} is after the data date, {now}"));
            }
        }
    }
    told
}

/// The projects and their names; a document without `projects` is one without a name.
fn projects(
    root: &At<'_>,
    calendars: &mut Calendars,
    default: Option<usize>,
) -> Result<(Vec<String>, Vec<calendars::Frame>), SimpleError> {
    let Some(at) = root.get("projects") else {
        return Ok((Vec::new(), vec![root.frame(root, default)?]));
    };
    let (mut names, mut frames) = (Vec::new(), Vec::new());
    for (name, at) in at.entries()? {
        at.expect_keys(&["start", "status_date", "calendar", "lag_calendar", "velocity", "comment"])?;
        let own = at.get("calendar").map(|at| calendars.of_key(&at)).transpose()?;
        frames.push(at.frame(root, own.or(default))?);
        names.push(name);
    }
    if names.is_empty() {
        return Err(at.fault("expected at least one project"));
    }
    Ok((names, frames))
}

/// Names of the rows, in their order and by name.
fn names_of(rows: &[At<'_>]) -> Result<(Vec<String>, HashMap<String, usize>), SimpleError> {
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
    Ok((names, index_of))
}

fn text_of<'a>(at: &At<'a>, key: &'a str) -> Result<String, SimpleError> {
    Ok(at.read(key, |at| at.text().map(str::to_owned))?.unwrap_or_default())
}

/// How progress and dates are read: `progress`, `done_work`, `honour_dates`.
fn options(root: &At<'_>) -> Result<Options, SimpleError> {
    let progress = root.read("progress", |at| {
        at.one_of(&[
            ("retained", ProgressMode::RetainedLogic),
            ("override", ProgressMode::ProgressOverride),
            ("actual_dates", ProgressMode::ActualDates),
        ])
    })?;
    let done_work = root.read("done_work", |at| {
        at.one_of(&[("cut", DoneWork::CutsLogic), ("retained", DoneWork::Retained)])
    })?;
    Ok(Options {
        progress: progress.unwrap_or_default(),
        done_work: done_work.unwrap_or_default(),
        honour_dates: root.read("honour_dates", At::flag)?.unwrap_or(false),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::LagUnit;

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

    #[test]
    fn what_is_not_understood_is_refused_with_its_place() {
        let wrong = |part: &str| {
            let line =
                format!(r#"{{"start": "2026-01-05", "tasks": [{{"id": "A", "duration": 2}}], {part}}}"#);
            parse(&line).map(|_| ()).map_err(|error| error.path).unwrap_err()
        };
        assert_eq!(wrong(r#""data_date": "2026-01-06""#), "$.data_date");
        assert_eq!(wrong(r#""calendar": 3"#), "$.calendar");
        assert_eq!(wrong(r#""honour_dates": 4"#), "$.honour_dates");
        let turned = r#""calendar": {"exceptions": [["2026-01-09", "2026-01-07"]]}"#;
        assert_eq!(wrong(turned), "$.calendar.exceptions[0]");
        assert_eq!(wrong(r#""velocity": {"samples": [0], "sprint_days": 10}"#), "$.velocity.samples");
        assert_eq!(wrong(r#""simulation": {"shape": "round"}"#), "$.simulation.shape");
        assert_eq!(
            wrong(r#""simulation": {"groups": [{"tasks": ["B"], "weight": 1}]}"#),
            "$.simulation.groups[0].tasks[0]"
        );
        let layered = r#""calendars": {"a": {"overlays": ["b"]}, "b": {"overlays": ["a"]}}"#;
        assert_eq!(wrong(layered), "$.calendars.a.overlays[0]");
        let row = |keys: &str| {
            let line =
                format!(r#"{{"start": "2026-01-05", "tasks": [{{"id": "A", "duration": 2, {keys}}}]}}"#);
            parse(&line).map(|_| ()).map_err(|error| error.path).unwrap_err()
        };
        assert_eq!(row(r#""percent": 50"#), "$.tasks[0].percent");
        assert_eq!(row(r#""milestone": true"#), "$.tasks[0].milestone");
        assert_eq!(row(r#""estimate": [3, 2, 4]"#), "$.tasks[0].estimate");
        assert_eq!(row(r#""constraint": ["ALAP", "2026-01-06"]"#), "$.tasks[0].constraint[1]");
        assert_eq!(row(r#""project": "p""#), "$.tasks[0].project");
    }

    #[test]
    fn the_whole_model_can_be_said() {
        let line = r#"{"name": "All", "start": "2026-01-05",
            "calendars": {"site": {"working_days": 63, "overlays": ["off"]},
                "off": {"working_days": 127, "exceptions": [["2026-01-06", "2026-01-06"]]}},
            "velocity": {"samples": [8, 13], "sprint_days": 10},
            "projects": {"p": {"calendar": "site"}, "q": {"start": "2026-01-12", "lag_calendar": "24h"}},
            "tasks": [{"id": "A", "project": "p", "name": "Dig", "duration": 2, "estimate": [1, 2, 5]},
                {"id": "B", "project": "q", "duration": 1, "story_points": 5, "assigned": true,
                 "baseline_finish": "2026-01-12"}],
            "deps": [{"pred": "A", "succ": "B", "lag": 3}],
            "simulation": {"shape": "triangular", "systemic": 0.3, "groups": [{"tasks": ["A", "B"], "weight": 0.5}],
                "risks": [{"id": "rain", "probability": 0.2, "impacts": [{"task": "A", "days": [1, 2, 4]}]}]}}"#;
        let project = parse(line).expect("valid");
        assert_eq!(project.network.projects[1].start, crate::Day::from_ymd(2026, 1, 12).expect("a day"));
        assert_eq!(project.network.links[0].lag_unit, LagUnit::Elapsed);
        let site = &project.network.calendars[project.network.projects[0].calendar.expect("named")];
        assert!(!site.is_working(crate::Day::from_ymd(2026, 1, 6).expect("a day")));
        assert_eq!((project.titles[0].as_str(), project.projects.len()), ("Dig", 2));
        assert_eq!(project.simulation.shape, crate::Shape::Triangular);
        assert_eq!(project.simulation.risks[0].impacts[0].0, 0);
        assert_eq!(project.records.has_resources, [false, true]);
        let told = schedule_line(line).expect("valid");
        assert!(told.contains(r#""projects":{"p":{"start":"2026-01-05","finish":"2026-01-07"}"#), "{told}");
        assert!(told.contains(r#""pf":1"#), "{told}");
    }

    #[test]
    fn what_a_summary_does_not_use_is_named() {
        let line = r#"{"start": "2026-01-05", "tasks": [{"id": "S", "percent_complete": 50},
            {"id": "A", "duration": 2, "parent": "S", "deadline": "2026-01-05"}]}"#;
        let project = parse(line).expect("valid");
        assert_eq!(project.warnings.len(), 1);
        let place = "$.tasks[0].percent_complete: not used";
        assert!(project.warnings[0].starts_with(place), "{:?}", project.warnings);
        let told = schedule_line(line).expect("valid");
        assert!(told.contains(r#""warnings":["$.tasks[0].percent_complete"#), "{told}");
        let conflict =
            r#""conflicts":[{"task":"A","kind":"deadline","wanted":"2026-01-05","expected":"2026-01-06"}]"#;
        assert!(told.contains(conflict), "{told}");
    }

    #[test]
    fn a_deadline_of_a_summary_holds_the_rows_below_it() {
        let line = r#"{"start": "2026-01-05", "tasks": [{"id": "S", "deadline": "2026-01-05"},
            {"id": "A", "duration": 2, "parent": "S"}]}"#;
        let told = schedule_line(line).expect("valid");
        let conflict =
            r#""conflicts":[{"task":"S","kind":"deadline","wanted":"2026-01-05","expected":"2026-01-06"}]"#;
        assert!(told.contains(conflict) && told.contains(r#""tf":-1"#), "{told}");
        assert!(!told.contains("warnings"), "{told}");
    }

    #[test]
    fn an_unknown_name_refuses_its_link_where_the_rest_is_asked_for() {
        let line = r#"{"start": "2026-01-05", "tasks": [{"id": "A", "duration": 2, "parent": "P"},
            {"id": "B", "duration": 1}], "deps": [{"pred": "X", "succ": "B"}, {"pred": "A", "succ": "B"}]}"#;
        let strict = parse(line).err().map(|error| error.to_string());
        assert_eq!(strict.as_deref(), Some("$.tasks[0].parent: unknown name \"P\""));
        let project = parse_what_is_known(line).expect("the rest");
        let refused: Vec<String> = project.refused.iter().map(SimpleError::to_string).collect();
        let told = ["$.tasks[0].parent: unknown name \"P\"", "$.deps[0].pred: unknown name \"X\""];
        assert_eq!(refused, told);
        assert_eq!((project.network.tasks.len(), project.network.links.len()), (2, 1));
        // Other mistakes still refuse the plan.
        assert!(parse_what_is_known(&line.replace("\"duration\": 1", "\"duration\": []")).is_err());
    }

    #[test]
    fn actual_dates_after_the_data_date_are_remarked_on() {
        let line = r#"{"start": "2026-01-05", "status_date": "2026-01-08", "tasks": [
            {"id": "A", "duration": 2, "actual_start": "2026-01-07", "actual_finish": "2026-01-09"}]}"#;
        let project = parse(line).expect("valid");
        let remark = "$.tasks[0].actual_finish: 2026-01-09 is after the data date, 2026-01-08";
        assert_eq!(project.warnings, [remark]);
    }

    #[test]
    fn a_calendar_that_works_on_no_weekday_is_refused_by_name() {
        let line = r#"{"start": "2026-01-05", "tasks": [], "calendars": {
            "week": {"working_days": 31, "overlays": ["weekend"]}, "weekend": {"working_days": 96}}}"#;
        let refused = parse(line).err().map(|error| error.to_string());
        assert_eq!(refused.as_deref(), Some("$.calendars.week: has no working weekday"));
    }

    #[test]
    fn what_cannot_be_scheduled_is_told_with_its_name_and_value() {
        let line = r#"{"start": "2026-01-05", "tasks": [
            {"id": "A", "duration": 2, "actual_start": "2026-01-07", "actual_finish": "2026-01-05"}]}"#;
        let told = schedule_line(line).expect("valid");
        let fault = "its actual start, 2026-01-07, is after its actual finish, 2026-01-05 (A)";
        assert!(told.contains(fault), "{told}");
    }
}
