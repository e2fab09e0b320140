//! From JSON values to the model, noting everything that is not shaped as it should be. Whether references lead
//! somewhere is not looked at here.

mod around;
mod history;
mod project;
mod settings;
mod shared;
mod task;

use std::cell::RefCell;
use std::collections::HashMap;

use chrono::NaiveDate;
use serde_json::Value;

use super::cursor::{At, Context, Fields, Keys};
use super::model::{Document, SchemaVersion};
use super::problems::Problems;
use super::references::{TaskReference, split};
use super::scalars;
use super::workweek::WorkWeek;

/// Texts without a limit of their own are bounded by the size of the document.
const ANY_LENGTH: usize = usize::MAX;
const NAME_LENGTH: usize = 255;
const MAX_PROJECTS: usize = 200;
const MAX_EVENTS: usize = 100_000;
/// Accounts, calendars, resources, labels and the like have no limit of their own; this one is for their lists.
const MAX_LIST: usize = 100_000;

const ROOT: Keys = Keys {
    required: &["schema_version", "program", "projects"],
    optional: &["anchor", "accounts", "calendars", "resources", "risks", "events"],
    ..Keys::NONE
};

/// Reads a whole document. Problems already noted while reading the JSON text are kept; the document is meaningful
/// only if the list that comes back is empty.
pub(super) fn document(value: &Value, today: NaiveDate, problems: Problems) -> (Document, Problems) {
    let mut problems = problems;
    let version = version(value, &mut problems);
    let anchor = anchor(value, &mut problems).unwrap_or(today);
    let Some(version) = version else { return (empty(SchemaVersion::default()), problems) };
    let context = Context { problems: RefCell::new(problems), anchor, version };
    let root = At { value, path: "$".to_owned(), context: &context };
    let document = match root.fields(&ROOT) {
        Some(fields) => read_root(&fields, version),
        None => empty(version),
    };
    (document, context.problems.into_inner())
}

/// `None` when the version is one that this reader does not know, in which case nothing else is worth saying. A
/// missing version is noted with the other missing keys.
fn version(value: &Value, problems: &mut Problems) -> Option<SchemaVersion> {
    let Some(written) = value.get("schema_version").filter(|version| !version.is_null()) else {
        return Some(SchemaVersion::default());
    };
    let known = written.as_str().and_then(scalars::schema_version);
    if known.is_none() {
        problems.add(
            "$.schema_version",
            format_args!("must be \"1.0\", \"2.0\" or another 1.x or 2.x, not {written:.40}"),
        );
    }
    known
}

fn anchor(value: &Value, problems: &mut Problems) -> Option<NaiveDate> {
    let written = value.get("anchor").filter(|anchor| !anchor.is_null())?;
    let date = written.as_str().and_then(scalars::iso_date);
    if date.is_none() {
        problems.add("$.anchor", "must be a date YYYY-MM-DD");
    }
    date
}

fn empty(schema_version: SchemaVersion) -> Document {
    Document {
        schema_version,
        program: Default::default(),
        accounts: Vec::new(),
        calendars: Vec::new(),
        resources: Vec::new(),
        projects: Vec::new(),
        risks: Vec::new(),
        events: Vec::new(),
    }
}

fn read_root(root: &Fields<'_>, schema_version: SchemaVersion) -> Document {
    let calendars = root.list("calendars", MAX_LIST, shared::calendar);
    let weeks: HashMap<String, WorkWeek> =
        calendars.iter().map(|calendar| (calendar.slug.clone(), WorkWeek::of(calendar))).collect();
    let projects = root.list("projects", MAX_PROJECTS, |at| project::project(at, &weeks));
    if root.at("projects").is_some_and(|at| at.value.as_array().is_some_and(Vec::is_empty)) {
        root.add("projects", "must have at least one item");
    }
    let first_week =
        projects.first().map_or_else(WorkWeek::default, |first| week_of(&weeks, first.calendar.as_deref()));
    let events = root.list("events", MAX_EVENTS, history::event);
    if schema_version.major < 2 && root.at("events").is_some() {
        root.add("events", "needs schema version 2.0");
    }
    Document {
        schema_version,
        program: root.at("program").and_then(shared::program).unwrap_or_default(),
        accounts: root.list("accounts", MAX_LIST, shared::account),
        calendars,
        resources: root.list("resources", MAX_LIST, shared::resource),
        risks: root.list("risks", MAX_LIST, |at| history::risk(at, None, &first_week)),
        projects,
        events,
    }
}

fn week_of(weeks: &HashMap<String, WorkWeek>, calendar: Option<&str>) -> WorkWeek {
    calendar.and_then(|slug| weeks.get(slug)).cloned().unwrap_or_default()
}

/// Reads `1.2` or `project-slug:1.2`; without a `home` project only the second will do.
fn task_reference(at: &At<'_>, home: Option<&str>) -> Option<TaskReference> {
    let fits = |text: &str| {
        let (project, path) = split(text);
        project.is_none_or(scalars::is_slug) && scalars::is_wbs_path(path)
    };
    let text = at.shaped(fits, "a task reference (1.2 or project-slug:1.2)")?;
    match (split(text), home) {
        ((Some(project), path), _) => Some(TaskReference::new(project, path)),
        ((None, path), Some(home)) => Some(TaskReference::new(home, path)),
        ((None, path), None) => {
            at.add(format_args!("must name its project, such as project-slug:{path}"));
            None
        }
    }
}

/// A list of short slugs or names, each unique by nature.
fn slug_list(fields: &Fields<'_>, key: &str) -> Vec<String> {
    fields.list(key, MAX_LIST, |at| at.slug())
}
