//! Reads rows, their estimates, relations and assignments, and the dependencies between them.

use chrono::NaiveDate;
use planwright_domain::words::{ConstraintType, DeliveryMode, Word};

use super::project::{MAX_POINTS, check_order};
use super::shared::{UNITS, is_units};
use super::{ANY_LENGTH, MAX_LIST, around, slug_list, task_reference};
use crate::seed::cursor::{At, Fields, Keys};
use crate::seed::model::{Assignment, Dependency, Estimate, Relation, Task};
use crate::seed::outline::Outline;
use crate::seed::references::split;
use crate::seed::scalars;
use crate::seed::workweek::WorkWeek;

/// Longest duration and, either way, longest lag: a hundred years of days.
pub(super) const MAX_DURATION: u32 = 36_525;

const TASK: Keys = Keys {
    required: &["wbs_path", "name"],
    optional: &[
        "type",
        "status",
        "is_milestone",
        "is_subtask",
        "duration",
        "planned_start",
        "actual_start",
        "actual_finish",
        "percent_complete",
        "notes",
        "estimate",
        "story_points",
        "remaining_points",
        "assignee",
        "sprint",
        "parent_epic",
        "dor",
        "sprint_rank",
        "governance_class",
        "delivery_mode",
        "color",
        "labels",
        "links",
        "assignments",
    ],
    since_2_1: around::OF_TASK,
};

pub(super) fn task(at: At<'_>, home: &str, week: &WorkWeek) -> Option<Task> {
    let fields = at.fields(&TASK)?;
    let actual_start = fields.date("actual_start", Some(week));
    let actual_finish = fields.date("actual_finish", Some(week));
    check_order(&fields, "actual_start", actual_start, "actual_finish", actual_finish);
    let is_milestone = fields.flag("is_milestone").unwrap_or_default();
    let duration = fields.count("duration", MAX_DURATION).unwrap_or(if is_milestone { 0 } else { 1 });
    Some(Task {
        wbs_path: fields.wbs_path("wbs_path").unwrap_or_default(),
        name: fields.name("name", 512).unwrap_or_default(),
        kind: fields.word("type").unwrap_or_default(),
        status: fields.word("status").unwrap_or_default(),
        is_milestone,
        is_subtask: fields.flag("is_subtask").unwrap_or_default(),
        duration,
        planned_start: fields.date("planned_start", Some(week)),
        deadline: fields.date("deadline", Some(week)),
        constraint: constraint(&fields, week),
        calendar: fields.slug("calendar"),
        actual_start,
        actual_finish,
        percent_complete: fields
            .number("percent_complete", |percent| (0.0..=100.0).contains(&percent), "from 0 to 100")
            .unwrap_or_default(),
        notes: fields.text("notes", ANY_LENGTH),
        estimate: fields.at("estimate").and_then(estimate),
        story_points: fields.count("story_points", MAX_POINTS),
        remaining_points: fields.count("remaining_points", MAX_POINTS),
        assignee: fields.slug("assignee"),
        sprint: sprint(&fields, home),
        parent_epic: fields.wbs_path("parent_epic"),
        readiness: fields.word("dor").unwrap_or_default(),
        sprint_rank: fields.count("sprint_rank", i32::MAX as u32),
        governance_class: fields.word("governance_class"),
        delivery_mode: fields.word("delivery_mode"),
        color: fields.color("color"),
        labels: slug_list(&fields, "labels"),
        links: fields.list("links", MAX_LIST, |at| relation(at, home)),
        assignments: fields.list("assignments", MAX_LIST, assignment),
        around: around::of_task(&fields, week),
    })
}

/// A limit of the dates of a row, with the date that all but `ALAP` need.
fn constraint(fields: &Fields<'_>, week: &WorkWeek) -> Option<(ConstraintType, Option<NaiveDate>)> {
    let kind: Option<ConstraintType> = fields.word("constraint_type");
    let date = fields.date("constraint_date", Some(week));
    let is_there = |key: &str| fields.at(key).is_some();
    match kind {
        None if is_there("constraint_date") && !is_there("constraint_type") => {
            fields.add("constraint_date", "needs constraint_type too");
        }
        Some(ConstraintType::AsLateAsPossible) if is_there("constraint_date") => {
            fields.add("constraint_date", "must be left out, because ALAP has no date");
        }
        Some(kind) if kind != ConstraintType::AsLateAsPossible && !is_there("constraint_date") => {
            fields.add("constraint_date", format_args!("is required by {}", kind.as_str()));
        }
        _ => {}
    }
    kind.map(|kind| (kind, date))
}

/// A sprint may be written as `sprint-slug` or `project-slug:sprint-slug`, but only of the task's own project.
fn sprint(fields: &Fields<'_>, home: &str) -> Option<String> {
    let at = fields.at("sprint")?;
    let fits = |text: &str| {
        let (project, slug) = split(text);
        project.is_none_or(scalars::is_slug) && scalars::is_slug(slug)
    };
    let (project, slug) =
        split(at.shaped(fits, "a sprint reference (sprint-slug or project-slug:sprint-slug)")?);
    if project.is_some_and(|project| project != home) {
        at.add("must be a sprint of the task's own project");
    }
    Some(slug.to_owned())
}

const ESTIMATE: Keys =
    Keys { required: &["optimistic", "most_likely", "pessimistic"], optional: &[], ..Keys::NONE };

pub(super) fn estimate(at: At<'_>) -> Option<Estimate> {
    let path = at.clone();
    let fields = at.fields(&ESTIMATE)?;
    let optimistic = fields.count("optimistic", MAX_DURATION);
    let most_likely = fields.count("most_likely", MAX_DURATION);
    let pessimistic = fields.count("pessimistic", MAX_DURATION);
    let estimate = Estimate { optimistic: optimistic?, most_likely: most_likely?, pessimistic: pessimistic? };
    if estimate.optimistic > estimate.most_likely || estimate.most_likely > estimate.pessimistic {
        path.add("must not fall from optimistic to most_likely to pessimistic");
    }
    Some(estimate)
}

const RELATION: Keys = Keys { required: &["target", "link_type"], optional: &["note"], ..Keys::NONE };

fn relation(at: At<'_>, home: &str) -> Option<Relation> {
    let fields = at.fields(&RELATION)?;
    Some(Relation {
        target: task_reference(&fields.at("target")?, Some(home))?,
        kind: fields.word("link_type")?,
        note: fields.text("note", 280),
    })
}

const ASSIGNMENT: Keys = Keys { required: &["resource"], optional: &["units"], ..Keys::NONE };

fn assignment(at: At<'_>) -> Option<Assignment> {
    let fields = at.fields(&ASSIGNMENT)?;
    Some(Assignment {
        resource: fields.slug("resource")?,
        units: fields.number("units", is_units, UNITS).unwrap_or(1.0),
    })
}

const DEPENDENCY: Keys =
    Keys { required: &["predecessor", "successor", "dep_type"], optional: &["lag"], ..Keys::NONE };

pub(super) fn dependency(at: At<'_>, home: &str) -> Option<Dependency> {
    let fields = at.fields(&DEPENDENCY)?;
    let longest = i64::from(MAX_DURATION);
    let lag = fields.integer("lag", -longest..=longest).unwrap_or_default();
    let end = |key: &str| fields.at(key).and_then(|at| task_reference(&at, Some(home)));
    let (predecessor, successor) = (end("predecessor"), end("successor"));
    Some(Dependency {
        kind: fields.word("dep_type")?,
        predecessor: predecessor?,
        successor: successor?,
        lag: i32::try_from(lag).unwrap_or_default(),
    })
}

/// Makes the three signs of a milestone agree on every row without rows below it: one of them is enough. A row
/// with rows below it owns no dates, so there a duration of 0 means nothing.
pub(super) fn couple_milestones(tasks: &mut [Task]) {
    let outline = Outline::of(tasks.iter().map(|task| task.wbs_path.as_str()));
    for (index, task) in tasks.iter_mut().enumerate() {
        if outline.has_children(index) {
            continue;
        }
        let is_delivered_as_milestone = task.delivery_mode == Some(DeliveryMode::Milestone);
        if task.is_milestone || task.duration == 0 || is_delivered_as_milestone {
            task.is_milestone = true;
            task.duration = 0;
            task.delivery_mode = Some(DeliveryMode::Milestone);
        }
    }
}
