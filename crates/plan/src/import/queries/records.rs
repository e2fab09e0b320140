//! Statements about what surrounds imported tasks: roster, allocations, risks and baselines.

use std::collections::HashSet;

use planwright_domain::ids::{AssignmentId, BaselineId, ProjectId, ResourceId, RiskId, TaskId, UserId};
use planwright_store::{Read, Result, sql};
use uuid::Uuid;

use crate::baseline_budgets::{self, Place, looks_like_work};
use crate::import::calendars::Calendars;
use crate::import::ids::Ids;
use crate::import::model::{FrozenTask, ImportedBaseline, ImportedRisk, ImportedRosterEntry, ImportedTask};
use crate::import::slices::Slices;

/// The resources on the roster of a project.
pub(in crate::import) async fn roster(db: &dyn Read, project: ProjectId) -> Result<HashSet<ResourceId>> {
    let select =
        "SELECT resource_id FROM project_resources WHERE project_id = :project AND deletion_id IS NULL";
    Ok(db.scalars(sql!(select, project = project)).await?.into_iter().collect())
}

/// Puts resources on the roster of a project.
pub(in crate::import) async fn insert_roster(
    to: &mut Slices<'_>,
    ids: &mut Ids,
    project: ProjectId,
    roster: &[(ResourceId, ImportedRosterEntry)],
) -> Result<()> {
    let now = to.now();
    let rows = roster.iter().map(|(resource, entry)| {
        sql!(
            "INSERT INTO project_resources (id, project_id, resource_id, role_title, units_override, notes,
                created_at, server_version)
             VALUES (:id, :project, :resource, :title, :units, :notes, :now, 1)",
            id = ids.next::<Uuid>(),
            project = project,
            resource = *resource,
            title = &entry.role_title,
            units = entry.units,
            notes = &entry.notes,
            now = now,
        )
    });
    to.run_each(Box::new(rows)).await
}

/// Assigns shares of resources, in hundredths, to tasks.
pub(in crate::import) async fn insert_allocations(
    to: &mut Slices<'_>,
    ids: &mut Ids,
    shares: Vec<(TaskId, ResourceId, i64)>,
) -> Result<()> {
    let now = to.now();
    let rows = shares.into_iter().map(|(task, resource, units)| {
        sql!(
            "INSERT INTO task_resources (id, task_id, resource_id, units, created_at, server_version)
             VALUES (:id, :task, :resource, :units, :now, 1)",
            id = ids.next::<AssignmentId>(),
            task = task,
            resource = resource,
            units = units,
            now = now,
        )
    });
    to.run_each(Box::new(rows)).await
}

/// Adds risks, numbered in the order in which they came.
pub(in crate::import) async fn insert_risks(
    to: &mut Slices<'_>,
    project: ProjectId,
    ids: &[RiskId],
    risks: &[ImportedRisk],
) -> Result<()> {
    let now = to.now();
    let rows = ids.iter().zip(risks).enumerate().map(|(at, (id, risk))| {
        sql!(
            "INSERT INTO risks (id, project_id, short_id, title, description, status, probability, impact,
                likelihood_percent, delay_low_days, delay_days, delay_high_days, category, response, mitigation_due_date,
                trigger_text, contingency, notes, owner_id, created_at, updated_at,
                server_version)
             VALUES (:id, :project, :short_id, :title, :description, :status, :probability, :impact, :likelihood, :low, :days,
                :high, :category, :response, :due, :trigger, :contingency, :notes, :owner, :now, :now, 1)",
            id = *id,
            project = project,
            short_id = format!("{:08X}", at + 1),
            title = &risk.title,
            status = risk.status,
            probability = risk.probability,
            impact = risk.impact,
            description = &risk.description,
            likelihood = risk.likelihood_percent,
            low = risk.delay_days[0],
            days = risk.delay_days[1],
            high = risk.delay_days[2],
            category = risk.category,
            response = risk.response,
            due = risk.mitigation_due_date,
            trigger = &risk.trigger,
            contingency = &risk.contingency,
            notes = &risk.notes,
            owner = risk.owner,
            now = now,
        )
    });
    to.run_each(Box::new(rows)).await
}

/// Says which tasks risks threaten; saying it twice does nothing.
pub(in crate::import) async fn insert_risk_tasks(
    to: &mut Slices<'_>,
    pairs: Vec<(RiskId, TaskId)>,
) -> Result<()> {
    let insert = "INSERT INTO risk_tasks (risk_id, task_id) VALUES (:risk, :task)
         ON CONFLICT (risk_id, task_id) DO NOTHING";
    let rows = pairs.into_iter().map(|(risk, task)| sql!(insert, risk = risk, task = task));
    to.run_each(Box::new(rows)).await
}

/// The names of the baselines of a project, each with whether it is the active one.
pub(in crate::import) async fn baselines(db: &dyn Read, project: ProjectId) -> Result<Vec<(String, bool)>> {
    let select = "SELECT name, is_active FROM baselines WHERE project_id = :project AND deletion_id IS NULL";
    db.all(sql!(select, project = project)).await
}

/// Adds baselines with what they froze; answers with their ids.
pub(in crate::import) async fn insert_baselines(
    to: &mut Slices<'_>,
    ids: &mut Ids,
    (creator, project): (UserId, ProjectId),
    (tasks, imported): (&[TaskId], &[ImportedTask]),
    calendars: &Calendars,
    baselines: &[ImportedBaseline],
) -> Result<Vec<BaselineId>> {
    let own: Vec<BaselineId> = ids.several(baselines.len());
    let now = to.now();
    let rows = own.iter().zip(baselines).map(|(id, baseline)| {
        sql!(
            "INSERT INTO baselines (id, project_id, name, is_active, created_by, created_at,
                calendar_id, working_days, hours_per_day, budget)
             VALUES (:id, :project, :name, :is_active, :creator, :at, :calendar, :days, :hours, :budget)",
            id = *id,
            project = project,
            name = &baseline.name,
            is_active = baseline.is_active,
            creator = creator,
            at = baseline.captured_at.unwrap_or(now),
            calendar = calendars.at(baseline.calendar),
            days = baseline.working_days,
            hours = baseline.hours_per_day,
            budget = baseline.tasks.iter().filter_map(|row| row.budget).reduce(|sum, one| sum + one),
        )
    });
    to.run_each(Box::new(rows)).await?;
    let frozen = own.iter().zip(baselines).flat_map(|(id, baseline)| {
        let work = looks_like_work(&places(&baseline.tasks, imported));
        let is_leaf = move |row: &FrozenTask| row.is_leaf.unwrap_or_else(|| work.contains(&row.task));
        baseline.tasks.iter().map(move |row| (*id, row, is_leaf(row)))
    });
    let rows = frozen.map(|(baseline, row, is_leaf)| {
        sql!(
            "INSERT INTO baseline_tasks (baseline_id, task_id, task_name, start_date, finish_date, duration,
                story_points, actual_start, actual_finish, budget, is_leaf)
             VALUES (:baseline, :task, :name, :start, :finish, :duration, :points, :begun, :ended, :budget, :leaf)",
            baseline = baseline,
            leaf = is_leaf,
            task = tasks[row.task],
            start = row.start,
            finish = row.finish,
            duration = row.duration,
            points = row.story_points,
            name = row.name.as_deref(),
            begun = row.actual_start,
            ended = row.actual_finish,
            budget = row.budget,
        )
    });
    to.run_each(Box::new(rows)).await?;
    to.run_each(Box::new(own.iter().map(|id| baseline_budgets::add_up(*id)))).await?;
    Ok(own)
}

fn places(frozen: &[FrozenTask], tasks: &[ImportedTask]) -> Vec<Place<usize>> {
    let place = |row: &FrozenTask| {
        let task = &tasks[row.task];
        let is_recurring = task.around.recurrence.is_some();
        Place { task: row.task, parent: task.parent, is_subtask: task.is_subtask, is_recurring }
    };
    frozen.iter().map(place).collect()
}
