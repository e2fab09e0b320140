//! Stored rows as rows of a document, and the links between them.
//! A leaf with any sign of a milestone has them all, and a row with others below it has none, as reading would have it.

use std::collections::{HashMap, HashSet};

use planwright_domain::color::is_color;
use planwright_domain::ids::{LabelId, ResourceId, SprintId, TaskId};
use planwright_domain::words::{DeliveryMode, GovernanceClass, Methodology, TaskStatus, TaskType};
use planwright_plan_files::seed::model::{Assignment, Dependency, Estimate, Label, Project, Relation, Task};

use super::around::Gathered;
use super::queries::{LinkRow, RelationRow};
use super::tree::{Row, Tree};
use super::{Names, library::units, people::Reference};
use crate::programs::intake::usual_modes;

/// Points and durations beyond this cannot be written.
const MOST_POINTS: i64 = 1_000_000;
const LONGEST_DURATION: i64 = 36_525;

/// What is attached to the rows of one project.
pub(super) struct Around {
    labels: HashMap<TaskId, Vec<String>>,
    assignments: HashMap<TaskId, Vec<Assignment>>,
    sprints: HashMap<SprintId, String>,
}

impl Around {
    /// Puts labels and allocations in the order of the document.
    pub(super) fn of(
        task_labels: Vec<(TaskId, LabelId)>,
        allocations: Vec<(TaskId, ResourceId, i64)>,
        labels: &[Label],
        label_places: &HashMap<LabelId, usize>,
        sprints: HashMap<SprintId, String>,
        names: &Names<'_>,
    ) -> Self {
        let mut worn: Vec<(TaskId, usize)> = task_labels
            .into_iter()
            .filter_map(|(task, label)| Some((task, *label_places.get(&label)?)))
            .collect();
        worn.sort_unstable();
        let mut by_task: HashMap<TaskId, Vec<String>> = HashMap::new();
        for (task, label) in worn {
            by_task.entry(task).or_default().push(labels[label].slug.clone());
        }
        let mut shares: Vec<(TaskId, usize, Assignment)> = allocations
            .into_iter()
            .filter_map(|(task, resource, share)| {
                let (place, slug) = names.library.resource(resource)?;
                Some((task, place, Assignment { resource: slug.to_owned(), units: units(share) }))
            })
            .collect();
        shares.sort_by_key(|(task, place, _)| (*task, *place));
        let mut assignments: HashMap<TaskId, Vec<Assignment>> = HashMap::new();
        for (task, _, assignment) in shares {
            assignments.entry(task).or_default().push(assignment);
        }
        Self { labels: by_task, assignments, sprints }
    }
}

/// A count of points that a document can hold.
pub(super) fn points(points: Option<i64>) -> Option<u32> {
    points.and_then(|points| u32::try_from(points.clamp(0, MOST_POINTS)).ok())
}

/// A duration that a document can hold.
pub(super) fn duration(days: Option<i64>) -> Option<u32> {
    days.and_then(|days| u32::try_from(days.clamp(0, LONGEST_DURATION)).ok())
}

/// Whether a row is written as a milestone.
pub(super) fn is_milestone(row: &Row) -> bool {
    let task = &row.task;
    let has_a_sign = task.is_milestone || task.duration == 0 || task.delivery_mode == DeliveryMode::Milestone;
    has_a_sign && !row.is_parent
}

/// The rows of the project at a place.
pub(super) fn tasks(
    names: &Names<'_>,
    at: usize,
    methodology: Methodology,
    mut around: Around,
    gathered: &mut Gathered,
) -> Vec<Task> {
    let rows = names.tree.projects[at].iter();
    let home = &names.project_slugs[at];
    let whole = |row: &Row| Task {
        around: gathered.of_task(&row.task, names.tree, home),
        ..task(names, at, methodology, row, &mut around)
    };
    rows.map(whole).collect()
}

fn task(names: &Names<'_>, at: usize, methodology: Methodology, row: &Row, around: &mut Around) -> Task {
    let stored = &row.task;
    let is_milestone = is_milestone(row);
    let days = duration(Some(stored.duration)).unwrap_or_default();
    let status = stored.status;
    let is_done = matches!(status, TaskStatus::Review | TaskStatus::Complete);
    let actual_start =
        stored.actual_start.filter(|start| stored.actual_finish.is_none_or(|finish| *start <= finish));
    Task {
        wbs_path: row.path.clone(),
        name: stored.name.clone(),
        kind: stored.r#type,
        status,
        is_milestone,
        is_subtask: stored.is_subtask,
        duration: match () {
            () if is_milestone => 0,
            () if row.is_parent => days.max(1),
            () => days,
        },
        planned_start: stored.planned_start,
        deadline: stored.deadline,
        constraint: stored.constraint_type.map(|kind| (kind, stored.constraint_date)),
        calendar: names.library.calendar(stored.calendar_id),
        actual_start,
        actual_finish: stored.actual_finish,
        percent_complete: if is_done { 100.0 } else { stored.percent_complete.clamp(0.0, 100.0) },
        notes: stored.notes.clone(),
        estimate: estimate(row),
        story_points: points(stored.story_points),
        remaining_points: points(stored.remaining_points),
        assignee: names.people.account(&Reference {
            user: stored.assignee_id,
            account: names.left.assignees.get(&stored.id).cloned(),
        }),
        sprint: stored.sprint_id.and_then(|sprint| around.sprints.get(&sprint).cloned()),
        parent_epic: stored.parent_epic_id.and_then(|epic| epic_path(names.tree, at, row, epic)),
        readiness: stored.dor,
        sprint_rank: stored.sprint_rank.and_then(|rank| u32::try_from(rank.clamp(0, i32::MAX.into())).ok()),
        governance_class: own_governance(names.tree, row, methodology),
        delivery_mode: own_delivery(row, is_milestone, methodology),
        color: stored.color.clone().filter(|color| is_color(color)),
        labels: around.labels.remove(&stored.id).unwrap_or_default(),
        links: Vec::new(),
        assignments: around.assignments.remove(&stored.id).unwrap_or_default(),
        around: Default::default(),
    }
}

/// How a row is governed, unless that is how the row above it is and it follows that one; at the top, unless that is usual.
fn own_governance(tree: &Tree, row: &Row, methodology: Methodology) -> Option<GovernanceClass> {
    let own = row.task.governance_class;
    let parent = row.task.parent_id.and_then(|parent| tree.place(parent)).map(|place| tree.row(place));
    let follows = match parent {
        Some(parent) => row.task.parent_governance_inherited && parent.task.governance_class == own,
        None => own == usual_modes(methodology).0,
    };
    (!follows).then_some(own)
}

/// How a row is delivered, unless that is usual.
fn own_delivery(row: &Row, is_milestone: bool, methodology: Methodology) -> Option<DeliveryMode> {
    match row.task.delivery_mode {
        _ if is_milestone => Some(DeliveryMode::Milestone),
        DeliveryMode::Milestone => None,
        mode => (mode != usual_modes(methodology).1).then_some(mode),
    }
}

/// Three legs that rise; a document holds no others.
fn estimate(row: &Row) -> Option<Estimate> {
    let optimistic = duration(row.task.optimistic_duration)?;
    let most_likely = duration(row.task.most_likely_duration)?;
    let pessimistic = duration(row.task.pessimistic_duration)?;
    let rises = optimistic <= most_likely && most_likely <= pessimistic;
    rises.then_some(Estimate { optimistic, most_likely, pessimistic })
}

fn epic_path(tree: &Tree, at: usize, row: &Row, epic: TaskId) -> Option<String> {
    let place = tree.place(epic).filter(|(project, _)| *project == at)?;
    let above = tree.row(place);
    let fits = above.task.r#type == TaskType::Epic && row.task.r#type != TaskType::Epic;
    fits.then(|| above.path.clone())
}

/// Adds the links to the projects of their successors, whose lag calendar they are counted on, in outline order.
pub(super) fn add_links(projects: &mut [Project], tree: &Tree, rows: Vec<LinkRow>) {
    let mut links: Vec<_> = rows
        .into_iter()
        .filter_map(|row| {
            let ends = (tree.place(row.successor_id)?, tree.place(row.predecessor_id)?);
            (ends.0 != ends.1).then_some((ends, row))
        })
        .collect();
    links.sort_by_key(|(ends, row)| (*ends, row.dep_type));
    for ((successor, _), row) in links {
        let named = tree.reference(row.predecessor_id).zip(tree.reference(row.successor_id));
        let lag = row.lag.clamp(-LONGEST_DURATION, LONGEST_DURATION);
        projects[successor.0].dependencies.extend(named.map(|(predecessor, successor)| Dependency {
            predecessor,
            successor,
            kind: row.dep_type,
            lag: i32::try_from(lag).unwrap_or_default(),
        }));
    }
}

/// Adds the relations to the rows that have them, in outline order of what they lead to.
pub(super) fn add_relations(projects: &mut [Project], tree: &Tree, rows: Vec<RelationRow>) {
    let mut seen = HashSet::new();
    let mut relations: Vec<_> = rows
        .into_iter()
        .filter_map(|row| {
            let ends = (tree.place(row.source_id)?, tree.place(row.target_id)?);
            let is_first = ends.0 != ends.1 && seen.insert((ends, row.relation_type));
            is_first.then_some((ends, row))
        })
        .collect();
    relations.sort_by_key(|(ends, row)| (*ends, row.relation_type));
    for ((source, _), row) in relations {
        let relation = tree.reference(row.target_id).map(|target| Relation {
            target,
            kind: row.relation_type,
            note: row.note.chars().take(280).collect(),
        });
        projects[source.0].tasks[source.1].links.extend(relation);
    }
}
