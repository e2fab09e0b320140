//! Writes rows and dependencies.

use planwright_domain::words::Word;
use serde_json::Value;

use super::around;
use super::object::Object;
use crate::seed::model::{Assignment, Dependency, Estimate, Relation, Task};

pub(super) fn task(task: &Task, home: &str) -> Value {
    let mut object = Object::new();
    object.put("wbs_path", task.wbs_path.as_str());
    object.put("name", task.name.as_str());
    object.put_word("type", task.kind);
    object.put_word("status", task.status);
    object.put_flag("is_milestone", task.is_milestone);
    object.put_flag("is_subtask", task.is_subtask);
    object.put_number("duration", f64::from(task.duration), 1.0);
    object.put_date("planned_start", task.planned_start);
    object.put_date("deadline", task.deadline);
    object.put_some_word("constraint_type", task.constraint.map(|(kind, _)| kind));
    object.put_date("constraint_date", task.constraint.and_then(|(_, date)| date));
    object.put_some("calendar", task.calendar.as_deref());
    object.put_date("actual_start", task.actual_start);
    object.put_date("actual_finish", task.actual_finish);
    object.put_number("percent_complete", task.percent_complete, 0.0);
    object.put_text("notes", &task.notes);
    object.put_some("estimate", task.estimate.as_ref().map(estimate));
    object.put_some("story_points", task.story_points);
    object.put_some("remaining_points", task.remaining_points);
    object.put_some("assignee", task.assignee.as_deref());
    object.put_some("sprint", task.sprint.as_deref());
    object.put_some("parent_epic", task.parent_epic.as_deref());
    object.put_word("dor", task.readiness);
    object.put_some("sprint_rank", task.sprint_rank);
    object.put_some_word("governance_class", task.governance_class);
    object.put_some_word("delivery_mode", task.delivery_mode);
    object.put_some("color", task.color.as_deref());
    object.put_list("labels", &task.labels, |label| Value::from(label.as_str()));
    object.put_list("links", &task.links, |link| relation(link, home));
    object.put_list("assignments", &task.assignments, assignment);
    around::of_task(&mut object, &task.around);
    object.finish()
}

pub(super) fn estimate(estimate: &Estimate) -> Value {
    let mut object = Object::new();
    object.put("optimistic", estimate.optimistic);
    object.put("most_likely", estimate.most_likely);
    object.put("pessimistic", estimate.pessimistic);
    object.finish()
}

fn relation(relation: &Relation, home: &str) -> Value {
    let mut object = Object::new();
    object.put("target", relation.target.spelled_in(home));
    object.put("link_type", relation.kind.as_str());
    object.put_text("note", &relation.note);
    object.finish()
}

fn assignment(assignment: &Assignment) -> Value {
    let mut object = Object::new();
    object.put("resource", assignment.resource.as_str());
    object.put_number("units", assignment.units, 1.0);
    object.finish()
}

pub(super) fn dependency(dependency: &Dependency, home: &str) -> Value {
    let mut object = Object::new();
    object.put("predecessor", dependency.predecessor.spelled_in(home));
    object.put("successor", dependency.successor.spelled_in(home));
    object.put("dep_type", dependency.kind.as_str());
    object.put_number("lag", f64::from(dependency.lag), 0.0);
    object.finish()
}
