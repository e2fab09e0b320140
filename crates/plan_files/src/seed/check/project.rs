//! Whether the parts of one project fit together.

use std::collections::HashSet;

use planwright_domain::words::{SprintState, TaskType, Word};

use super::names::{Names, duplicates};
use super::{around, history};
use crate::seed::model::{Baseline, Dependency, Project, Sprint, Task};
use crate::seed::outline::Outline;
use crate::seed::problems::{Problems, quoted};
use crate::seed::references::TaskReference;

/// Durations and lags of one project, laid end to end, may span a thousand years.
const MAX_SPAN_DAYS: u64 = 366_000;

pub(super) fn project(project: &Project, at: &str, index: usize, names: &Names<'_>, problems: &mut Problems) {
    if let Some(calendar) = &project.calendar {
        names.calendar(calendar, &format!("{at}.calendar"), problems);
    }
    duplicates(
        project.labels.iter().map(|label| label.slug.as_str()),
        &format!("{at}.labels"),
        ".slug",
        problems,
    );
    // Two labels that differ in case alone are one to people.
    let names_of_labels: Vec<String> = project.labels.iter().map(|label| label.name.to_lowercase()).collect();
    duplicates(names_of_labels.iter().map(String::as_str), &format!("{at}.labels"), ".name", problems);
    tasks(project, at, index, names, problems);
    dependencies(project, at, names, problems);
    sprints(&project.sprints, at, index, names, problems);
    baselines(&project.baselines, at, project, names, problems);
    history::risks(&project.risks, at, names, problems);
    around::project(project, at, names, problems);
    span(project, at, problems);
}

fn tasks(project: &Project, at: &str, index: usize, names: &Names<'_>, problems: &mut Problems) {
    let list = format!("{at}.tasks");
    duplicates(project.tasks.iter().map(|task| task.wbs_path.as_str()), &list, ".wbs_path", problems);
    let labels: HashSet<&str> = project.labels.iter().map(|label| label.slug.as_str()).collect();
    let outline = Outline::of(project.tasks.iter().map(|task| task.wbs_path.as_str()));
    for (row, task) in project.tasks.iter().enumerate() {
        let at = format!("{list}[{row}]");
        if task.is_milestone && outline.has_children(row) {
            problems.add(&format!("{at}.is_milestone"), "a milestone cannot have rows below it");
        }
        if let Some(assignee) = &task.assignee {
            names.account(assignee, &format!("{at}.assignee"), problems);
        }
        if let Some(calendar) = &task.calendar {
            names.calendar(calendar, &format!("{at}.calendar"), problems);
        }
        if let Some(sprint) = task.sprint.as_deref().filter(|sprint| !names.has_sprint(&project.slug, sprint))
        {
            problems.add(&format!("{at}.sprint"), format_args!("no sprint has the slug {}", quoted(sprint)));
        }
        parent_epic(task, &at, index, names, problems);
        for (place, label) in task.labels.iter().enumerate() {
            if !labels.contains(label.as_str()) {
                let message = format_args!("no label has the slug {}", quoted(label));
                problems.add(&format!("{at}.labels[{place}]"), message);
            }
        }
        duplicates(task.labels.iter().map(String::as_str), &format!("{at}.labels"), "", problems);
        relations(task, &at, &project.slug, names, problems);
        let resources = task.assignments.iter().map(|assignment| assignment.resource.as_str());
        for (place, resource) in resources.clone().enumerate() {
            names.resource(resource, &format!("{at}.assignments[{place}].resource"), problems);
        }
        duplicates(resources, &format!("{at}.assignments"), ".resource", problems);
    }
}

fn parent_epic(task: &Task, at: &str, project: usize, names: &Names<'_>, problems: &mut Problems) {
    let Some(path) = &task.parent_epic else { return };
    let at = format!("{at}.parent_epic");
    match names.row_of(project, path) {
        None => problems.add(&at, format_args!("no task is at {}", quoted(path))),
        Some(_) if task.kind == TaskType::Epic => problems.add(&at, "an epic cannot belong to an epic"),
        Some(epic) if epic.kind != TaskType::Epic => {
            problems.add(&at, format_args!("the task at {} is not an epic", quoted(path)));
        }
        Some(_) => {}
    }
}

fn relations(task: &Task, at: &str, home: &str, names: &Names<'_>, problems: &mut Problems) {
    let mut seen = HashSet::new();
    for (place, relation) in task.links.iter().enumerate() {
        let at = format!("{at}.links[{place}]");
        names.row(&relation.target, &format!("{at}.target"), problems);
        if relation.target.project == home && relation.target.wbs_path == task.wbs_path {
            problems.add(&format!("{at}.target"), "a task cannot relate to itself");
        }
        if !seen.insert((&relation.target, relation.kind)) {
            problems.add(&at, "this relation is listed twice");
        }
    }
}

fn dependencies(project: &Project, at: &str, names: &Names<'_>, problems: &mut Problems) {
    let mut seen = HashSet::new();
    for (place, dependency) in project.dependencies.iter().enumerate() {
        let at = format!("{at}.dependencies[{place}]");
        let Dependency { predecessor, successor, kind, .. } = dependency;
        names.row(predecessor, &format!("{at}.predecessor"), problems);
        names.row(successor, &format!("{at}.successor"), problems);
        if predecessor == successor {
            problems.add(&at, format_args!("{} depends on itself", predecessor.spelled_in(&project.slug)));
        } else if predecessor.project != project.slug && successor.project != project.slug {
            problems.add(&at, format_args!("neither end is a task of {}", quoted(&project.slug)));
        }
        if !seen.insert((predecessor, successor, *kind)) {
            let ends = (predecessor.spelled_in(&project.slug), successor.spelled_in(&project.slug));
            problems.add(&at, format_args!("{} to {} ({}) is listed twice", ends.0, ends.1, kind.as_str()));
        }
    }
}

fn sprints(sprints: &[Sprint], at: &str, project: usize, names: &Names<'_>, problems: &mut Problems) {
    let list = format!("{at}.sprints");
    duplicates(sprints.iter().map(|sprint| sprint.slug.as_str()), &list, ".slug", problems);
    let mut active = None;
    for (place, sprint) in sprints.iter().enumerate() {
        if sprint.state == SprintState::Active
            && let Some(first) = active.replace(place)
        {
            let message = format_args!("only one sprint can be active, and {list}[{first}] already is");
            problems.add(&format!("{list}[{place}].state"), message);
        }
        let Some(path) = &sprint.target_milestone else { continue };
        let at = format!("{list}[{place}].target_milestone");
        match names.row_of(project, path) {
            None => problems.add(&at, format_args!("no task is at {}", quoted(path))),
            Some(task) if !task.is_milestone => {
                problems.add(&at, format_args!("the task at {} is not a milestone", quoted(path)));
            }
            Some(_) => {}
        }
    }
}

fn baselines(
    baselines: &[Baseline],
    at: &str,
    project: &Project,
    names: &Names<'_>,
    problems: &mut Problems,
) {
    let list = format!("{at}.baselines");
    duplicates(baselines.iter().map(|baseline| baseline.name.as_str()), &list, ".name", problems);
    let mut active = None;
    for (place, baseline) in baselines.iter().enumerate() {
        let at = format!("{list}[{place}]");
        if baseline.is_active
            && let Some(first) = active.replace(place)
        {
            let message = format_args!("only one baseline can be active, and {list}[{first}] already is");
            problems.add(&format!("{at}.is_active"), message);
        }
        if let Some(calendar) = &baseline.calendar.calendar {
            names.calendar(calendar, &format!("{at}.calendar"), problems);
        }
        let mut seen: HashSet<&TaskReference> = HashSet::new();
        for (row, frozen) in baseline.tasks.iter().enumerate() {
            let at = format!("{at}.tasks[{row}].task");
            if frozen.task.project != project.slug {
                problems.add(&at, "must be a task of the baseline's own project");
            } else if names.row(&frozen.task, &at, problems).is_some() && !seen.insert(&frozen.task) {
                problems.add(&at, format_args!("{} is listed twice", quoted(&frozen.task.wbs_path)));
            }
        }
    }
}

fn span(project: &Project, at: &str, problems: &mut Problems) {
    let durations: u64 = project.tasks.iter().map(|task| u64::from(task.duration)).sum();
    let lags: u64 =
        project.dependencies.iter().map(|dependency| u64::from(dependency.lag.unsigned_abs())).sum();
    if durations + lags > MAX_SPAN_DAYS {
        let message = format_args!("durations and lags must not exceed {MAX_SPAN_DAYS} days in all");
        problems.add(&format!("{at}.tasks"), message);
    }
}
