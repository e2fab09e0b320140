//! The rows of a project and what ties them together.
//! Paths become parents and positions; gaps between the numbers of siblings close.

use std::collections::HashMap;

use planwright_domain::words as domain;
use planwright_plan::import::model::*;
use planwright_plan_files::seed::TaskReference;
use planwright_plan_files::seed::model::{Project, Task};
use planwright_plan_files::seed::outline::{Outline, compare_paths};

use super::{Places, around, hundredths, usual_modes};

pub(super) fn tasks(places: &Places<'_>, place: usize) -> Vec<ImportedTask> {
    let project = &places.document.projects[place];
    let outline = Outline::of(project.tasks.iter().map(|task| task.wbs_path.as_str()));
    let positions = positions(project, &outline);
    let structural = has_structural_children(project, &outline);
    let sprints: HashMap<&str, usize> = by_name(project.sprints.iter().map(|sprint| sprint.slug.as_str()));
    let labels: HashMap<&str, usize> = by_name(project.labels.iter().map(|label| label.slug.as_str()));
    let rows = project.tasks.iter().enumerate();
    rows.map(|(at, task)| {
        let is_leaf = !outline.has_children(at);
        ImportedTask {
            parent: outline.parent(at),
            depth: outline.depth(at),
            position: positions[at],
            sprint: task.sprint.as_deref().and_then(|slug| sprints.get(slug).copied()),
            parent_epic: task.parent_epic.as_deref().and_then(|path| places.task_in(place, path)),
            labels: task.labels.iter().filter_map(|slug| labels.get(slug.as_str()).copied()).collect(),
            structure_role: match () {
                () if task.is_milestone && is_leaf => domain::StructureRole::Milestone,
                () if structural[at] => domain::StructureRole::Container,
                () => domain::StructureRole::Work,
            },
            governance_class: governance(project, &outline, at),
            inherits_governance: task.governance_class.is_none() && outline.parent(at).is_some(),
            around: around::of_task(places, place, task),
            ..written(places, project, task, is_leaf)
        }
    })
    .collect()
}

/// How a row is governed: as it says, else as the nearest row above it that says so, else as its project does.
fn governance(project: &Project, outline: &Outline, at: usize) -> domain::GovernanceClass {
    let above = std::iter::successors(Some(at), |at| outline.parent(*at));
    let said = above.filter_map(|at| project.tasks[at].governance_class).next();
    said.unwrap_or_else(|| usual_modes(project.methodology).0)
}

fn by_name<'d>(names: impl Iterator<Item = &'d str>) -> HashMap<&'d str, usize> {
    names.enumerate().map(|(place, name)| (name, place)).collect()
}

/// What a row says of itself, apart from where it stands.
fn written(places: &Places<'_>, project: &Project, task: &Task, is_leaf: bool) -> ImportedTask {
    let (governance, delivery) = usual_modes(project.methodology);
    // A row with others below it cannot be a milestone, so neither of the signs of one may stay on it.
    let is_possible = |mode: &domain::DeliveryMode| is_leaf || *mode != domain::DeliveryMode::Milestone;
    let assignments = task.assignments.iter().filter_map(|assignment| {
        Some((places.resource(&assignment.resource)?, hundredths(assignment.units)))
    });
    ImportedTask {
        parent: None,
        depth: 0,
        position: 0,
        name: task.name.clone(),
        notes: task.notes.clone(),
        kind: task.kind,
        status: task.status,
        duration: if is_leaf { task.duration.into() } else { i64::from(task.duration).max(1) },
        structure_role: domain::StructureRole::Work,
        percent_complete: task.percent_done(),
        planned_start: task.planned_start,
        deadline: task.deadline,
        constraint: task.constraint,
        calendar: places.calendar(task.calendar.as_deref()),
        actual_start: task.actual_start,
        actual_finish: task.actual_finish,
        estimate: task
            .estimate
            .map(|legs| [legs.optimistic, legs.most_likely, legs.pessimistic].map(i64::from)),
        story_points: task.story_points.map(i64::from),
        remaining_points: task.remaining_points.map(i64::from),
        assignee: places.person(task.assignee.as_deref()),
        sprint: None,
        sprint_rank: task.sprint_rank.map(i64::from),
        parent_epic: None,
        dor: task.readiness,
        governance_class: governance,
        inherits_governance: false,
        delivery_mode: task.delivery_mode.filter(is_possible).unwrap_or(delivery),
        is_subtask: task.is_subtask,
        color: task.color.clone(),
        labels: Vec::new(),
        assignments: assignments.collect(),
        around: ImportedAround::default(),
    }
}

/// The place of each row among its siblings, in the order in which people read paths.
fn positions(project: &Project, outline: &Outline) -> Vec<i64> {
    let mut in_order: Vec<usize> = (0..project.tasks.len()).collect();
    in_order.sort_by(|left, right| {
        compare_paths(&project.tasks[*left].wbs_path, &project.tasks[*right].wbs_path)
    });
    let mut siblings: HashMap<Option<usize>, i64> = HashMap::new();
    let mut positions = vec![0; in_order.len()];
    for at in in_order {
        let next = siblings.entry(outline.parent(at)).or_default();
        *next += 1;
        positions[at] = *next;
    }
    positions
}

/// Whether rows other than drawer subtasks stand below each row.
fn has_structural_children(project: &Project, outline: &Outline) -> Vec<bool> {
    let mut has = vec![false; project.tasks.len()];
    for (at, _) in project.tasks.iter().enumerate().filter(|(_, task)| !task.is_subtask) {
        if let Some(parent) = outline.parent(at) {
            has[parent] = true;
        }
    }
    has
}

pub(super) fn links<'a>(
    places: &'a Places<'_>,
    project: &'a Project,
) -> impl Iterator<Item = ImportedLink> + 'a {
    project.dependencies.iter().filter_map(|link| {
        Some(ImportedLink {
            predecessor: places.task(&link.predecessor)?,
            successor: places.task(&link.successor)?,
            kind: link.kind,
            lag: link.lag.into(),
        })
    })
}

pub(super) fn relations<'a>(
    places: &'a Places<'_>,
    project: &'a Project,
) -> impl Iterator<Item = ImportedRelation> + 'a {
    let all = project.tasks.iter().flat_map(|task| task.links.iter().map(move |relation| (task, relation)));
    all.filter_map(move |(task, relation)| {
        Some(ImportedRelation {
            source: places.task(&TaskReference::new(&project.slug, &task.wbs_path))?,
            target: places.task(&relation.target)?,
            kind: relation.kind,
            note: relation.note.clone(),
        })
    })
}
