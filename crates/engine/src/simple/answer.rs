//! The answer to a document: dates and floats with the names of the document. The caller reports everything else
//! about the schedule.

use serde_json::{Map, Value, json};

use super::SimpleProject;
use crate::day::Day;
use crate::fault::Fault;
use crate::schedule::Schedule;

/// The answer to a document.
pub fn write(project: &SimpleProject, schedule: &Schedule) -> Value {
    let mut tasks = Map::new();
    for (name, dates) in project.names.iter().zip(&schedule.tasks) {
        let row = dates.map_or(Value::Null, |dates| {
            let mut row = json!({
                "es_day": dates.early_start.to_string(),
                "ef_day": dates.early_finish.to_string(),
                "ls_day": dates.late_start.to_string(),
                "lf_day": dates.late_finish.to_string(),
                "tf": dates.total_float,
                "ff": dates.free_float,
                "critical": dates.critical,
            });
            if project.projects.len() > 1 {
                row["pf"] = dates.program_total_float.into();
            }
            row
        });
        tasks.insert(name.clone(), row);
    }
    let mut answer = json!({ "finish": schedule.finish.map(|day| day.to_string()), "tasks": tasks });
    if project.projects.len() > 1 {
        let day = |day: Option<Day>| day.map(|day| day.to_string());
        let dates = schedule
            .projects
            .iter()
            .map(|dates| json!({ "start": day(dates.start), "finish": day(dates.finish) }));
        answer["projects"] = project.projects.iter().cloned().zip(dates).collect::<Map<_, _>>().into();
    }
    if !schedule.conflicts.is_empty() {
        let conflict = |conflict: &crate::Conflict| {
            json!({
                "task": project.names[conflict.task],
                "kind": conflict.kind.to_string(),
                "wanted": conflict.wanted.to_string(),
                "expected": conflict.expected.to_string(),
            })
        };
        answer["conflicts"] = schedule.conflicts.iter().map(conflict).collect();
    }
    if !schedule.faults.is_empty() {
        let faults = schedule.faults.iter();
        answer["faults"] = faults.map(|fault| Value::from(fault_text(project, fault))).collect();
    }
    if !project.warnings.is_empty() {
        answer["warnings"] = project.warnings.iter().cloned().map(Value::from).collect();
    }
    answer
}

/// A fault in the document's own names and places.
pub fn fault_text(project: &SimpleProject, fault: &Fault) -> String {
    match fault {
        Fault::Cycle { path, .. } => {
            let place = |id: &u128| project.network.tasks.iter().position(|task| task.id == *id);
            let mut places: Vec<usize> = path.iter().filter_map(place).collect();
            // Begun with the row that the document has first.
            let first = places.iter().enumerate().min_by_key(|(_, place)| **place).map_or(0, |(at, _)| at);
            places.rotate_left(first);
            let round = places.iter().chain(places.first());
            let names: Vec<&str> = round.map(|place| project.names[*place].as_str()).collect();
            format!("$.deps: cycle {}", names.join(" → "))
        }
        Fault::InvalidTask { task, .. }
        | Fault::InvalidParent { task, .. }
        | Fault::BeyondCalendar { task, .. } => {
            format!("$.tasks[{task}]: {} ({})", fault.problem(), project.names[*task])
        }
        Fault::InvalidLink { link, .. } => {
            let link_row = &project.network.links[*link];
            let name = |row: usize| project.names.get(row).map_or("nothing", String::as_str);
            let [from, to] = [link_row.predecessor, link_row.successor].map(name);
            format!("$.deps[{link}]: {} ({from} → {to})", fault.problem())
        }
        Fault::InvalidCalendar { .. } => format!("$.calendars: {}", fault.problem()),
    }
}
