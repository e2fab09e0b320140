//! What a plan says and the format of a file cannot: the other direction of the losses of a reader.
//! Every format says which parts it carries; all the others that a plan uses are named.

use std::borrow::Cow;

use planwright_domain::words::{LagCalendar, Methodology, Readiness, TaskStatus, TaskType};

use super::Losses;
use crate::seed::Slugs;
use crate::seed::model::{
    Calendar, Document, Program, ProgramPolicies, Project, ProjectSettings, Scores, Task,
};
use crate::seed::outline::Outline;

/// Why a link is not in a file of one project.
pub const LINK_ELSEWHERE: &str = "A link to another project is left out.";

/// Parts of a plan that some formats carry and others do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    ActualDates,
    Baselines,
    Calendars,
    Constraints,
    Deadlines,
    Labels,
    /// On which calendar lags are counted.
    LagCalendar,
    /// The people and things themselves, and not only their names on tasks.
    Resources,
    /// The name and the status date.
    Project,
}

struct TaskPart {
    part: Option<Part>,
    field: &'static str,
    reason: &'static str,
    is_used: fn(&Task) -> bool,
}

const fn never(field: &'static str, reason: &'static str, is_used: fn(&Task) -> bool) -> TaskPart {
    TaskPart { part: None, field, reason, is_used }
}

const fn some(part: Part, field: &'static str, reason: &'static str, is_used: fn(&Task) -> bool) -> TaskPart {
    TaskPart { part: Some(part), field, reason, is_used }
}

const OF_TASKS: [TaskPart; 26] = [
    some(Part::ActualDates, "actual_start", "The file has no actual dates.", |task| {
        task.actual_start.is_some() || task.actual_finish.is_some()
    }),
    some(Part::Constraints, "constraint_type", "The file has no constraints.", |task| {
        task.constraint.is_some()
    }),
    some(Part::Calendars, "calendar", "The file has no calendars.", |task| task.calendar.is_some()),
    some(Part::Deadlines, "deadline", "The file has no deadlines.", |task| task.deadline.is_some()),
    some(Part::Labels, "labels", "The file has no labels.", |task| !task.labels.is_empty()),
    never("is_subtask", "A subtask is written as a row of its own, and its parent as a phase.", |task| {
        task.is_subtask
    }),
    never("type", "The file knows no kinds of work.", |task| task.kind != TaskType::Task),
    never("status", "A status without a percentage of its own is written as a percentage.", |task| {
        matches!(task.status, TaskStatus::OnHold | TaskStatus::Review)
    }),
    never(
        "status",
        "Work in progress without a percentage and an actual start comes back as not started.",
        |task| {
            task.status == TaskStatus::InProgress && task.percent_done() == 0.0 && task.actual_start.is_none()
        },
    ),
    never("status", "Work of the backlog is written as a task without dates.", |task| {
        task.status == TaskStatus::Backlog
    }),
    never("estimate", "The file has no three-point estimates.", |task| task.estimate.is_some()),
    never("story_points", "The file has no points.", |task| {
        task.story_points.is_some() || task.remaining_points.is_some()
    }),
    never("assignee", "The file has resources and no assignees.", |task| task.assignee.is_some()),
    never("sprint", "The file has no sprints.", |task| task.sprint.is_some()),
    never("parent_epic", "The file has no epics.", |task| task.parent_epic.is_some()),
    never("color", "The file has no colours.", |task| task.color.is_some()),
    never("links", "The file has no relations besides links between dates.", |task| !task.links.is_empty()),
    never("acceptance_criteria", "The file has no criteria.", |task| !task.around.criteria.is_empty()),
    never("required_skills", "The file has no skills.", |task| !task.around.skills.is_empty()),
    never("custom_fields", "The file has no fields of the project.", |task| {
        !task.around.field_values.is_empty()
    }),
    never("recurrence", "Work that comes back is written as single tasks.", |task| {
        task.around.recurrence.is_some() || task.around.occurrence.is_some()
    }),
    never("scores", "The file has no scores of a backlog.", |task| {
        task.around.scores != Scores::default() || task.sprint_rank.is_some()
    }),
    never("dor", "The file does not say how far work has been refined.", |task| {
        task.readiness != Readiness::default()
    }),
    never("governance_class", "The file does not say how work is governed.", |task| {
        task.governance_class.is_some()
    }),
    never("delivery_mode", "The file does not say how work is delivered.", |task| {
        task.delivery_mode.is_some() && !task.is_milestone
    }),
    never("blocked", "The file does not say what holds a task up.", |task| task.around.blocked.is_some()),
];

/// Notes everything that the first project of a document uses and a file does not carry, and whatever stands beside it.
pub(super) fn note(document: &Document, carried: &[Part], losses: &mut Losses) {
    for other in document.projects.iter().skip(1) {
        losses.note("projects", "A file has one project. The others are left out.", &*other.name);
    }
    let Some(project) = document.projects.first() else { return };
    for task in &project.tasks {
        let is_lost =
            |part: &&TaskPart| !part.part.is_some_and(|part| carried.contains(&part)) && (part.is_used)(task);
        for part in OF_TASKS.iter().filter(is_lost) {
            losses.note(part.field, part.reason, mark(task));
        }
    }
    note_around(document, project, carried, losses);
    note_project(document, project, carried, losses);
    note_lags(document, project, carried, losses);
    note_people(document, project, carried, losses);
}

/// Planned starts in a format that has only constraints, and `constraints` of them for each task.
pub(super) fn note_planned_starts(document: &Document, constraints: usize, losses: &mut Losses) {
    let Some(project) = document.projects.first() else { return };
    let rows = project.tasks.iter().zip(phases(project));
    for (task, is_phase) in rows.filter(|(task, _)| task.planned_start.is_some()) {
        let reason = match task.constraint {
            _ if is_phase => "A phase has no planned start in the file.",
            None => {
                "A planned start is written as the constraint SNET. The dates are the same, and it comes back as a constraint."
            }
            Some(_) if constraints == 1 => {
                "A task has one constraint in the file. Its planned start is left out."
            }
            Some(_) => continue,
        };
        losses.note("planned_start", reason, mark(task));
    }
}

/// What the project and its program say of themselves.
fn note_project(document: &Document, project: &Project, carried: &[Part], losses: &mut Losses) {
    // From where the methodology comes says nothing to a file without one.
    let inherits_methodology = project.settings.inherits_methodology;
    let usual = ProjectSettings { inherits_methodology, ..Default::default() };
    let facts: [(bool, &str, &str); 11] = [
        (!project.description.is_empty(), "description", "The file has no description of the project."),
        (!project.code.is_empty(), "code", "The file has no code of the project."),
        (project.methodology != Methodology::default(), "methodology", "The file has no methodology."),
        (project.default_view.is_some(), "default_view", "The file has no first view."),
        (
            project.estimation_mode != Default::default(),
            "estimation_mode",
            "The file does not say who estimates.",
        ),
        (project.forecast_history.is_some(), "forecast_history", "The file has no forecasts."),
        (!project.board_columns.is_empty(), "board_columns", "The file has no board."),
        (project.is_draft, "lifecycle", "The file does not say that a plan is a draft."),
        (project.settings != usual, "settings", "The file has no settings."),
        (
            !carried.contains(&Part::Project) && project.status_date.is_some(),
            "status_date",
            "The file has no status date.",
        ),
        (!carried.contains(&Part::Project), "name", "The file does not name the project."),
    ];
    for (_, field, reason) in facts.iter().filter(|(is_used, ..)| *is_used) {
        losses.note(field, reason, &*project.name);
    }
    let program = &document.program;
    let is_more = program.policies != ProgramPolicies::default()
        || !program.description.is_empty()
        || program.color.is_some()
        || program.lead.is_some()
        || program.settings != Program::default().settings;
    if is_more || (program.name != project.name && document.projects.len() == 1) {
        losses.note("program", "The file has no program.", &*program.name);
    }
    for account in &document.accounts {
        losses.note("accounts", "The file has no accounts.", &*account.username);
    }
    for field in &project.custom_fields {
        losses.note("custom_fields", "The file has no fields of the project.", &*field.name);
    }
}

/// Lags that count every day, which other programs count by the hour and do not move to a working day.
fn note_lags(document: &Document, project: &Project, carried: &[Part], losses: &mut Losses) {
    let calendar = document.lag_calendar_of(project);
    let reason = match (carried.contains(&Part::LagCalendar), calendar) {
        (_, LagCalendar::Elapsed) => {
            "A lag of calendar days is counted by the hour in other programs. Dates behind it may differ."
        }
        (false, LagCalendar::Predecessor | LagCalendar::Project) => {
            "The file does not say on which calendar lags are counted."
        }
        _ => return,
    };
    for link in project.dependencies.iter().filter(|link| link.lag != 0) {
        let ends = format!("{} → {}", link.predecessor.wbs_path, link.successor.wbs_path);
        losses.note("lag_calendar", reason, ends);
    }
}

/// Resources and calendars, as far as the file has them.
fn note_people(document: &Document, project: &Project, carried: &[Part], losses: &mut Losses) {
    if carried.contains(&Part::Calendars) {
        for calendar in document.calendars.iter().filter(|one| one.hours_per_day != 8.0) {
            losses.note("hours_per_day", "A day has eight hours in the file.", &*calendar.name);
        }
        for calendar in document.calendars.iter().filter(|one| one.timezone != "UTC") {
            losses.note("timezone", "The file has no time zones of calendars.", &*calendar.name);
        }
    }
    for resource in &document.resources {
        let name = resource.name.as_str();
        if resource.kind.is_some() {
            losses.note("kind", "Equipment and contractors are written as people.", name);
        }
        if !resource.skills.is_empty() {
            losses.note("skills", "The file has no skills.", name);
        }
        if carried.contains(&Part::Resources) {
            continue;
        }
        let works = |task: &Task| task.assignments.iter().any(|one| one.resource == resource.slug);
        if !project.tasks.iter().any(works) {
            losses.note("resources", "A resource without an assignment is left out.", name);
        }
        let has_more = resource.email.is_some()
            || !resource.job_role.is_empty()
            || resource.calendar.is_some()
            || resource.max_units != 1.0;
        if has_more {
            let reason = "The file has the names of resources, without address, title, units and calendar.";
            losses.note("resources", reason, name);
        }
    }
    for entry in project.roster.iter().flatten() {
        let has_more = !entry.role_title.is_empty() || entry.units.is_some() || !entry.notes.is_empty();
        if has_more {
            losses.note("roster", "The file has no roster of the project.", &*entry.resource);
        }
    }
}

fn note_around(document: &Document, project: &Project, carried: &[Part], losses: &mut Losses) {
    let mut all = |field: &str, reason: &str, rows: &mut dyn Iterator<Item = &str>| {
        rows.for_each(|row| losses.note(field, reason, row));
    };
    let other = project
        .dependencies
        .iter()
        .filter(|link| link.predecessor.project != project.slug || link.successor.project != project.slug);
    let other: Vec<String> = other.map(|link| link.successor.wbs_path.clone()).collect();
    all("dependencies", LINK_ELSEWHERE, &mut other.iter().map(String::as_str));
    all("sprints", "The file has no sprints.", &mut project.sprints.iter().map(|one| one.name.as_str()));
    let risks = project.risks.iter().chain(&document.risks);
    all("risks", "The file has no risks.", &mut risks.map(|one| one.title.as_str()));
    if carried.contains(&Part::Labels) {
        all(
            "labels",
            "The file has no colours of labels.",
            &mut project.labels.iter().map(|one| one.name.as_str()),
        );
    }
    if !carried.contains(&Part::Baselines) {
        all(
            "baselines",
            "The file has no baselines.",
            &mut project.baselines.iter().map(|one| one.name.as_str()),
        );
    }
    if !carried.contains(&Part::Calendars) {
        let mut calendars = document.calendars.iter().map(|one| one.name.as_str());
        all("calendars", "The file has no calendars.", &mut calendars);
    }
    let rated = document.resources.iter().filter(|one| one.hourly_rate.is_some());
    all("hourly_rate", "The file has no rates.", &mut rated.map(|one| one.name.as_str()));
    let mut events = document.events.iter().filter_map(|event| event.target.as_deref());
    all("events", "The file has no history.", &mut events);
}

/// The document with the days off of all overlays in the calendar of its first project: other programs have one calendar.
pub(super) fn on_one_calendar<'d>(document: &'d Document, losses: &mut Losses) -> Cow<'d, Document> {
    let Some(project) = document.projects.first().filter(|project| !project.overlays.is_empty()) else {
        return Cow::Borrowed(document);
    };
    let base = project.calendar.as_deref().and_then(|slug| document.calendar(slug)).cloned();
    let mut whole = base.unwrap_or_else(|| Calendar {
        name: "Standard".to_owned(),
        working_days: 31,
        ..Calendar::default()
    });
    for overlay in project.overlays.iter().filter_map(|one| document.calendar(&one.calendar)) {
        losses.note("overlays", "The days off of this calendar are in that of the project.", &*overlay.name);
        whole.working_days &= overlay.working_days;
        whole.exceptions.extend(overlay.exceptions.iter().filter(|one| !one.working).cloned());
    }
    let mut taken = Slugs::new();
    document.calendars.iter().for_each(|one| drop(taken.make(&one.slug, "calendar")));
    whole.slug = taken.make(&whole.name, "calendar");
    let mut document = document.clone();
    document.projects[0].overlays.clear();
    document.projects[0].calendar = Some(whole.slug.clone());
    document.calendars.push(whole);
    Cow::Owned(document)
}

/// How messages name a task: its path and its name.
pub(super) fn mark(task: &Task) -> String {
    let name: String = task.name.chars().take(60).collect();
    format!("{} {name}", task.wbs_path)
}

/// Which rows of a project are phases: those that sum up rows which are no subtasks.
pub(super) fn phases(project: &Project) -> Vec<bool> {
    let outline = Outline::of(project.tasks.iter().map(|task| task.wbs_path.as_str()));
    let mut phases = vec![false; project.tasks.len()];
    for (at, task) in project.tasks.iter().enumerate() {
        if let (Some(parent), false) = (outline.parent(at), task.is_subtask) {
            phases[parent] = true;
        }
    }
    phases
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::model::{Dependency, Resource};
    use crate::seed::{Document, TaskReference, parse};

    fn document() -> Document {
        let text = r#"{"schema_version": "2.1", "program": {"slug": "p", "name": "House", "methodology": "HYBRID"},
            "projects": [{"slug": "p", "name": "House", "methodology": "HYBRID", "start_date": "2026-01-05",
                "tasks": [{"wbs_path": "1", "name": "Dig", "duration": 2}, {"wbs_path": "2", "name": "Pour", "duration": 1}]}]}"#;
        parse(text.as_bytes(), chrono::NaiveDate::MIN).unwrap()
    }

    fn lost(document: &Document, carried: &[Part]) -> Vec<String> {
        let mut losses = Losses::default();
        note(document, carried, &mut losses);
        losses.0.into_iter().map(|loss| loss.field).collect()
    }

    #[test]
    fn a_plain_plan_loses_nothing() {
        assert_eq!(lost(&document(), &[Part::Project, Part::Resources]), Vec::<String>::new());
    }

    #[test]
    fn lags_of_calendar_days_and_facts_of_the_project_are_named() {
        let mut plan = document();
        let project = &mut plan.projects[0];
        project.lag_calendar = Some(LagCalendar::Elapsed);
        project.description = "A house".to_owned();
        project.dependencies.push(Dependency {
            predecessor: TaskReference::new("p", "1"),
            successor: TaskReference::new("p", "2"),
            lag: 3,
            ..Dependency::default()
        });
        plan.resources.push(Resource { name: "Ann".to_owned(), max_units: 1.0, ..Resource::default() });
        assert_eq!(lost(&plan, &[Part::Project, Part::Resources]), ["description", "lag_calendar"]);
        assert_eq!(lost(&plan, &[]), ["description", "name", "lag_calendar", "resources"]);
    }
}
