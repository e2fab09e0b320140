//! The plans that come in: a document with rows in every phase of its import, and a table for a project.

use serde_json::{Value, json};

/// The tasks of the document, one behind the other.
pub(crate) const TASKS: usize = 2_400;
/// When the last of them ends.
pub(crate) const FINISH: &str = "2035-03-16";
/// The rows of the table.
pub(crate) const FILE_ROWS: usize = 1_500;

/// A plan with a label on each task and as many events.
pub(crate) fn document() -> Value {
    let path = |at: usize| (at + 1).to_string();
    let task = |at: usize| json!({"wbs_path": path(at), "name": format!("Step {at}"), "duration": 1, "labels": ["dry"]});
    let link = |at: usize| json!({"predecessor": path(at - 1), "successor": path(at), "dep_type": "FS"});
    let event = |at: usize| json!({"at": "2026-01-02T09:00:00Z", "action": "task.points", "target": path(at), "points": 3});
    json!({
        "schema_version": "2.1",
        "program": {"slug": "large", "name": "Large", "methodology": "WATERFALL"},
        "calendars": [{"slug": "mine", "name": "Mine", "working_days": 31}],
        "resources": [{"slug": "crew", "name": "Crew", "calendar": "mine",
            "skills": [{"skill": "Deep pits", "proficiency": 3}]}],
        "projects": [{
            "slug": "whole", "name": "Whole", "methodology": "WATERFALL", "start_date": "2026-01-05",
            "labels": [{"slug": "dry", "name": "Dry", "color": "teal"}],
            "tasks": (0..TASKS).map(task).collect::<Vec<_>>(),
            "dependencies": (1..TASKS).map(link).collect::<Vec<_>>(),
        }],
        "events": (0..TASKS).map(event).collect::<Vec<_>>(),
    })
}

/// A table whose rows follow each other.
pub(crate) fn file() -> String {
    let rows = (1..=FILE_ROWS).map(|at| match at {
        1 => "1,Step 1,1,\n".to_owned(),
        _ => format!("{at},Step {at},1,{}\n", at - 1),
    });
    format!("ID,Name,Duration,Predecessors\n{}", rows.collect::<String>())
}
