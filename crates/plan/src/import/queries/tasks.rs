//! Statements about the rows of one imported project: labels, tasks, sprints.
//! Tasks come in level by level, since a row may only stand below one that is there.

use std::collections::HashMap;

use crate::tasks::facets::labels::name_key;
use chrono::{DateTime, Utc};
use planwright_domain::ids::{LabelId, ProjectId, SprintId, TaskId};
use planwright_domain::words::EstimateStatus;
use planwright_store::record::column;
use planwright_store::{Read, Result, sql};

use crate::import::Origin;
use crate::import::calendars::Calendars;
use crate::import::model::{ImportedLabel, ImportedSprint, ImportedTask};
use crate::import::slices::Slices;
use crate::sprints::SprintRow;
use crate::tasks::write::{TaskRecord, short_id};

/// Where rows go, and what their places mean.
pub(in crate::import) struct Place<'a> {
    /// The project.
    pub(in crate::import) project: ProjectId,
    /// The ids of its tasks.
    pub(in crate::import) tasks: &'a [TaskId],
    /// The ids of its sprints.
    pub(in crate::import) sprints: &'a [SprintId],
    /// The calendars of the import.
    pub(in crate::import) calendars: &'a Calendars,
    /// Where they come from.
    pub(in crate::import) origin: &'a Origin,
}

/// The number of the change by which a project comes into being, which its rows share.
const FIRST_CHANGE: i64 = 1;

/// Adds labels.
pub(in crate::import) async fn insert_labels(
    to: &mut Slices<'_>,
    project: ProjectId,
    ids: &[LabelId],
    labels: &[ImportedLabel],
) -> Result<()> {
    let now = to.now();
    let rows = ids.iter().zip(labels).map(|(id, label)| {
        sql!(
            "INSERT INTO labels (id, project_id, name, name_key, color, position, created_at, server_version)
             VALUES (:id, :project, :name, :key, :color, :position, :now, 1)",
            id = *id,
            project = project,
            name = &label.name,
            key = name_key(&label.name),
            color = label.color,
            position = label.position,
            now = now,
        )
    });
    to.run_each(Box::new(rows)).await
}

/// Adds the tasks of a project, then says which epics they belong to.
pub(in crate::import) async fn insert_tasks(
    to: &mut Slices<'_>,
    place: &Place<'_>,
    tasks: &[ImportedTask],
) -> Result<()> {
    let mut in_order: Vec<_> = tasks.iter().enumerate().collect();
    in_order.sort_by_key(|(_, task)| task.depth);
    let now = to.now();
    let rows = in_order.into_iter().map(|(at, task)| record(now, place, at, task));
    to.insert_each(Box::new(rows), &column("change_number", FIRST_CHANGE)).await?;
    let of_epics =
        tasks.iter().zip(place.tasks).filter_map(|(task, id)| task.parent_epic.map(|epic| (id, epic)));
    let rows = of_epics.map(|(id, epic)| {
        sql!("UPDATE tasks SET parent_epic_id = :epic WHERE id = :id", epic = place.tasks[epic], id = *id)
    });
    to.run_each(Box::new(rows)).await
}

/// The row of an imported task; the epic it belongs to is written once all rows are there.
pub(in crate::import) fn record(
    now: DateTime<Utc>,
    place: &Place<'_>,
    at: usize,
    task: &ImportedTask,
) -> TaskRecord {
    let estimate = |leg: usize| task.estimate.map(|legs| legs[leg]);
    let scores = &task.around.scores;
    let is_blocked = !task.around.blocked_reason.is_empty() || task.around.blocker_type.is_some();
    TaskRecord {
        parent_id: task.parent.map(|parent| place.tasks[parent]),
        position: task.position,
        short_id: short_id(at as i64 + 1),
        name: task.name.clone(),
        notes: task.notes.clone(),
        r#type: task.kind,
        status: task.status,
        duration: task.duration,
        structure_role: task.structure_role,
        percent_complete: task.percent_complete,
        planned_start: task.planned_start,
        deadline: task.deadline,
        constraint_type: task.constraint.map(|(kind, _)| kind),
        constraint_date: task.constraint.and_then(|(_, date)| date),
        calendar_id: place.calendars.at(task.calendar),
        actual_start: task.actual_start,
        actual_finish: task.actual_finish,
        is_milestone: task.is_milestone(),
        optimistic_duration: estimate(0),
        most_likely_duration: estimate(1),
        pessimistic_duration: estimate(2),
        estimate_status: task.estimate.map(|_| EstimateStatus::Accepted),
        story_points: task.story_points,
        remaining_points: task.remaining_points,
        assignee_id: task.assignee,
        sprint_id: task.sprint.map(|sprint| place.sprints[sprint]),
        sprint_rank: task.sprint_rank,
        dor: task.dor,
        governance_class: task.governance_class,
        parent_governance_inherited: task.inherits_governance,
        delivery_mode: task.delivery_mode,
        is_subtask: task.is_subtask,
        color: task.color.clone(),
        is_recurring: task.around.recurrence.is_some() || task.around.occurrence.is_some(),
        blocked_reason: task.around.blocked_reason.clone(),
        blocker_type: task.around.blocker_type,
        blocked_since: is_blocked.then(|| task.around.blocked_since.unwrap_or(now)),
        priority_rank: scores.priority_rank,
        business_value: scores.business_value,
        time_criticality: scores.time_criticality,
        risk_reduction: scores.risk_reduction,
        job_size: scores.job_size,
        reach: scores.reach,
        impact: scores.impact,
        confidence: scores.confidence,
        effort: scores.effort,
        value: scores.value,
        effort_estimate: scores.effort_estimate,
        source_kind: place.origin.kind,
        source_id: Some(place.origin.id),
        seeded_at: Some(now),
        edited_at: None,
        ..TaskRecord::fresh(place.tasks[at], place.project, now)
    }
}

/// Adds sprints; their numbers go on where those of the tasks end.
pub(in crate::import) async fn insert_sprints(
    to: &mut Slices<'_>,
    place: &Place<'_>,
    sprints: &[ImportedSprint],
) -> Result<()> {
    let now = to.now();
    let rows = sprints.iter().enumerate().map(|(at, sprint)| sprint_row(place, at, sprint, now));
    to.insert_each(Box::new(rows), &column("change_number", FIRST_CHANGE)).await
}

fn sprint_row(place: &Place<'_>, at: usize, sprint: &ImportedSprint, now: DateTime<Utc>) -> SprintRow {
    let number = short_id((place.tasks.len() + at) as i64 + 1);
    let dates = (sprint.start_date, sprint.finish_date);
    SprintRow {
        name: sprint.name.clone(),
        goal: sprint.goal.clone(),
        notes: sprint.notes.clone(),
        state: sprint.state,
        committed_points: sprint.committed_points,
        completed_points: sprint.completed_points,
        capacity_points: sprint.capacity_points,
        target_milestone_id: sprint.target_milestone.map(|task| place.tasks[task]),
        goal_outcome: sprint.goal_outcome,
        wip_limit: sprint.wip_limit,
        exclude_from_velocity: sprint.exclude_from_velocity,
        committed_task_count: sprint.committed_task_count,
        completed_task_count: sprint.completed_task_count,
        begun_on: sprint.begun_on,
        activated_at: sprint.activated_at,
        closed_at: sprint.closed_at,
        ..SprintRow::fresh(place.sprints[at], place.project, number, dates, place.origin.creator, now)
    }
}

/// Notes how many short ids a project has given out.
pub(in crate::import) async fn count_short_ids(
    to: &mut Slices<'_>,
    project: ProjectId,
    given: usize,
) -> Result<()> {
    let update = "UPDATE projects SET short_id_counter = :given WHERE id = :project";
    to.tx()
        .await?
        .run(sql!(update, given = i64::try_from(given).unwrap_or(i64::MAX), project = project))
        .await
        .map(drop)
}

/// The labels of a project, by the key of their names, with the last position.
pub(in crate::import) async fn labels(
    db: &dyn Read,
    project: ProjectId,
) -> Result<(HashMap<String, LabelId>, i64)> {
    let select =
        "SELECT name_key, id, position FROM labels WHERE project_id = :project AND deletion_id IS NULL";
    let rows: Vec<(String, LabelId, i64)> = db.all(sql!(select, project = project)).await?;
    let last = rows.iter().map(|(_, _, position)| *position).max().unwrap_or_default();
    Ok((rows.into_iter().map(|(key, id, _)| (key, id)).collect(), last))
}

/// Puts labels on tasks.
pub(in crate::import) async fn insert_task_labels(
    to: &mut Slices<'_>,
    pairs: Vec<(TaskId, LabelId)>,
) -> Result<()> {
    let insert = "INSERT INTO task_labels (task_id, label_id) VALUES (:task, :label)";
    let rows = pairs.into_iter().map(|(task, label)| sql!(insert, task = task, label = label));
    to.run_each(Box::new(rows)).await
}
