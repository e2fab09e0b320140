//! From rows to sprints on the wire: a few statements for a whole page, never one per sprint.

use std::collections::HashMap;

use planwright_domain::ids::{SprintId, TaskId, UserId};
use planwright_domain::person::display_name;
use planwright_plan::sprints::{Load, Milestone, MilestoneRollup, VelocityGate, load, milestones};
use planwright_plan::tasks::rules::short_number;
use planwright_store::Read;
use planwright_web::{ApiError, ApiResult};

use super::model::{ShownRow, Sprint, TargetMilestone};
use super::queries;

/// What a page of sprints shows of other tables.
struct Around {
    gate: VelocityGate,
    loads: HashMap<SprintId, Load>,
    milestones: HashMap<TaskId, Milestone>,
    rollups: HashMap<TaskId, MilestoneRollup>,
    predecessors: Vec<(TaskId, TaskId)>,
}

/// One live sprint for the eyes of a person.
pub async fn one(db: &dyn Read, reader: UserId, sprint: SprintId) -> ApiResult<Sprint> {
    let row = queries::one(db, sprint).await?.ok_or_else(ApiError::not_found)?;
    sprints(db, reader, vec![row]).await?.pop().ok_or_else(ApiError::not_found)
}

/// Sprints of one project for the eyes of a person.
pub async fn sprints(db: &dyn Read, reader: UserId, rows: Vec<ShownRow>) -> ApiResult<Vec<Sprint>> {
    let Some(first) = rows.first() else { return Ok(Vec::new()) };
    let project = first.sprint.project_id;
    let ids: Vec<SprintId> = rows.iter().map(|row| row.sprint.id).collect();
    let targets: Vec<TaskId> = rows.iter().filter_map(|row| row.sprint.target_milestone_id).collect();
    let around = Around {
        gate: VelocityGate::of(db, project, reader).await?,
        loads: load::loads(db, &ids).await?,
        milestones: milestones::milestones(db, &targets).await?,
        rollups: milestones::rollups(db, &targets).await?,
        predecessors: queries::predecessors(db, &targets).await?,
    };
    Ok(rows.into_iter().map(|row| around.sprint(row)).collect())
}

impl Around {
    fn sprint(&self, shown: ShownRow) -> Sprint {
        let text = |text: Option<String>| text.unwrap_or_default();
        let ShownRow { project_code, first_name, last_name, username, sprint: row } = shown;
        let number = short_number(&row.short_id);
        let load = self.loads.get(&row.id).copied().unwrap_or_default();
        let name = row
            .milestone_bound_by
            .map(|_| display_name(&text(first_name), &text(last_name), &text(username)));
        Sprint {
            short_id_display: format!("SP-{number}"),
            qualified_id: match project_code.is_empty() {
                true => format!("SP-{number}"),
                false => format!("{project_code}-SP-{number}"),
            },
            target_milestone_detail: row.target_milestone_id.and_then(|id| self.target(id)),
            completed_points: self.gate.lets(row.completed_points),
            completed_task_count: self.gate.lets(row.completed_task_count),
            completion_ratio_points: self.gate.lets(ratio(row.completed_points, row.committed_points)),
            completion_ratio_tasks: self.gate.lets(ratio(row.completed_task_count, row.committed_task_count)),
            pending_count: load.pending,
            wip_count: load.under_way,
            id: row.id,
            server_version: row.server_version,
            short_id: row.short_id,
            project: row.project_id,
            name: row.name,
            goal: row.goal,
            notes: row.notes,
            start_date: row.start_date,
            finish_date: row.finish_date,
            state: row.state,
            target_milestone: row.target_milestone_id,
            milestone_bound_by: row.milestone_bound_by,
            milestone_bound_by_name: name,
            milestone_bound_at: row.milestone_bound_at,
            binding_committed_snapshot: row.binding_committed_snapshot,
            capacity_points: row.capacity_points,
            wip_limit: row.wip_limit,
            goal_outcome: row.goal_outcome,
            exclude_from_velocity: row.exclude_from_velocity,
            committed_points: row.committed_points,
            committed_task_count: row.committed_task_count,
            activated_at: row.activated_at,
            closed_at: row.closed_at,
            created_by: row.created_by,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }

    fn target(&self, id: TaskId) -> Option<TargetMilestone> {
        let milestone = self.milestones.get(&id)?;
        let waits = self.predecessors.iter().filter(|(of, _)| *of == id);
        Some(TargetMilestone {
            id,
            name: milestone.name.clone(),
            wbs_path: milestone.outline.clone().unwrap_or_default(),
            finish: milestone.finish(),
            predecessor_ids: waits.map(|(_, predecessor)| *predecessor).collect(),
            rollup: self.rollups.get(&id).cloned(),
        })
    }
}

/// What was completed of what was promised.
pub fn ratio(completed: Option<i64>, committed: Option<i64>) -> Option<f64> {
    let (completed, committed) = completed.zip(committed.filter(|committed| *committed > 0))?;
    Some((completed as f64 / committed as f64 * 10_000.0).round() / 10_000.0)
}
