//! From rows to tasks on the wire: gathers in a few statements what a whole page needs, never one per task.
//! Each decision is in `rules.rs`.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use planwright_domain::ids::*;
use planwright_domain::words::Word;
use planwright_store::{Read, Result, Tx};
use planwright_web::{Actor, ApiError, ApiResult};

use super::facets::allocations::{self, AllocationOn};
use super::facets::baselines::{self, BaselineDates};
use super::facets::labels::{self, LabelOn};
use super::facets::predecessors::{self, Preceded};
use super::facets::risks::{self, RisksOn};
use super::facets::{people, recurrence, relations};
use super::model::*;
use super::queries::{self, Hit};
use super::rules;
use crate::schedule::network::date;

/// What surrounds the tasks of one page.
struct Surroundings {
    labels: HashMap<TaskId, Vec<LabelOn>>,
    allocations: HashMap<TaskId, Vec<AllocationOn>>,
    predecessors: HashMap<TaskId, Preceded>,
    risks: HashMap<TaskId, RisksOn>,
    related: HashSet<TaskId>,
    baseline: HashMap<TaskId, BaselineDates>,
    usernames: HashMap<UserId, String>,
    recurring: HashMap<TaskId, RecurrenceRuleId>,
    blockers: HashMap<TaskId, Hit>,
    product_owner_of: HashSet<ProjectId>,
    me: UserId,
    now: DateTime<Utc>,
}

/// The rows of a page as tasks, for the eyes of `me`.
pub async fn tasks(
    db: &impl Read,
    me: UserId,
    now: DateTime<Utc>,
    rows: Vec<TaskRow>,
    baseline: Option<BaselineId>,
) -> Result<Vec<Task>> {
    let ids: Vec<TaskId> = rows.iter().map(|row| row.id).collect();
    let blocked_by: Vec<UserId> = rows.iter().filter_map(|row| row.blocked_by_id).collect();
    let templates: Vec<TaskId> = rows.iter().filter(|row| row.is_recurring).map(|row| row.id).collect();
    let blocking: Vec<TaskId> = rows.iter().filter_map(|row| row.blocking_task_id).collect();
    let statements = vec![
        labels::labels(&ids),
        allocations::allocations(&ids),
        predecessors::predecessors(&ids),
        risks::risks(&ids),
        relations::related(&ids),
        baselines::baseline_dates(&ids, baseline),
        people::product_owner_of(me),
    ];
    let mut found = db.rows_of_each(statements).await?.into_iter();
    let mut next = || found.next().unwrap_or_default();
    let surroundings = Surroundings {
        labels: grouped(next().typed()?, |row: &LabelOn| row.task_id),
        allocations: grouped(next().typed()?, |row: &AllocationOn| row.task_id),
        predecessors: by_task(next().typed()?, |row: &Preceded| row.task_id),
        risks: by_task(next().typed()?, |row: &RisksOn| row.task_id),
        related: next().scalars()?.into_iter().collect(),
        baseline: by_task(next().typed()?, |row: &BaselineDates| row.task_id),
        product_owner_of: next().scalars()?.into_iter().collect(),
        usernames: people::usernames(db, &blocked_by).await?,
        recurring: match templates.is_empty() {
            true => HashMap::new(),
            false => recurrence::rules_of(db, &templates).await?,
        },
        blockers: queries::hits(db, &blocking).await?,
        me,
        now,
    };
    Ok(rows.into_iter().map(|row| surroundings.task(row)).collect())
}

fn by_task<T>(rows: Vec<T>, task: impl Fn(&T) -> TaskId) -> HashMap<TaskId, T> {
    rows.into_iter().map(|row| (task(&row), row)).collect()
}

fn grouped<T>(rows: Vec<T>, task: impl Fn(&T) -> TaskId) -> HashMap<TaskId, Vec<T>> {
    let mut groups: HashMap<TaskId, Vec<T>> = HashMap::new();
    for row in rows {
        groups.entry(task(&row)).or_default().push(row);
    }
    groups
}

/// One task as its answer shows it; 404 when the caller does not see it.
pub async fn one(tx: &Tx, actor: &Actor, id: TaskId) -> ApiResult<Task> {
    let row = queries::find(tx, actor, id).await?.ok_or_else(ApiError::not_found)?;
    let mut shown = tasks(tx, actor.id, tx.now(), vec![row], None).await?;
    shown.pop().ok_or_else(ApiError::not_found)
}

impl Surroundings {
    // tidy: allow(long) because it is one flat mapping of every field on the wire, and parts of it would hide gaps
    fn task(&self, row: TaskRow) -> Task {
        let is_phase = row.is_phase.unwrap_or_default();
        let assignee = if is_phase { row.rolled_assignee_id } else { row.assignee_id };
        let status = row.rolled_status.filter(|_| is_phase).unwrap_or(row.status);
        let percent = if is_phase { row.rolled_percent } else { Some(row.percent_complete) };
        let duration = row.rolled_duration.filter(|_| is_phase).unwrap_or(row.duration);
        let preceded = self.predecessors.get(&row.id);
        let kept = self.baseline.get(&row.id);
        let baseline = kept.map_or((None, None), |kept| (kept.start_date, kept.finish_date));
        let rights = rules::rights(
            &row,
            row.assignee_id == Some(self.me),
            self.product_owner_of.contains(&row.project_id),
        );
        let dwell_days = row.status_changed_at.map(|since| (self.now - since).num_days());
        let (spi, spi_band) =
            rules::schedule_performance(percent.unwrap_or_default(), baseline, self.now.date_naive());
        let predecessor_count = preceded.map_or(0, |preceded| preceded.predecessors);
        let number = rules::short_number(&row.short_id);
        let structure_role = rules::structure_role(&row, is_phase);
        let early_finish = row.early_finish.and_then(date);
        Task {
            short_id_display: format!("T-{number}"),
            qualified_id: if row.project_code.is_empty() {
                format!("T-{number}")
            } else {
                format!("{}-{number}", row.project_code)
            },
            own_status: is_phase.then_some(row.status),
            own_estimate: is_phase.then_some(row.duration),
            early_start: row.early_start.and_then(date),
            early_finish,
            scheduled_start: row.scheduled_start.and_then(date),
            scheduled_finish: early_finish,
            late_start: row.late_start.and_then(date),
            late_finish: row.late_finish.and_then(date),
            remaining_duration: row.remaining_duration.unwrap_or_else(|| remaining(&row)),
            baseline_start: baseline.0,
            baseline_finish: baseline.1,
            schedule_variance_days: row
                .actual_finish
                .zip(baseline.1)
                .map(|(actual, kept)| (actual - kept).num_days()),
            readiness: rules::readiness(kept.is_some(), assignee.is_some(), status, predecessor_count).into(),
            is_stalled: rules::is_stalled(dwell_days, percent.unwrap_or_default(), status),
            is_blocked: preceded.is_some_and(|preceded| preceded.unfinished > 0),
            assignments: self.assignments(row.id),
            labels: self.labels_on(row.id),
            blocked_reason: if assignee == Some(self.me) {
                row.blocked_reason.clone()
            } else {
                String::new()
            },
            blocker_type: row.blocker_type.map(|kind| kind.as_str().to_owned()).unwrap_or_default(),
            blocking_task_detail: row.blocking_task_id.and_then(|id| self.blocking(id)),
            blocked_by: row.blocked_by_id.and_then(|id| self.person(id)),
            blocked_age_seconds: row.blocked_since.map(|since| (self.now - since).num_seconds()),
            is_impediment: row.blocked_since.is_some(),
            linked_risks_count: self.risks.get(&row.id).map_or(0, |risks| risks.risks),
            linked_risks_max_severity: self.risks.get(&row.id).and_then(|risks| risks.severity),
            has_related_links: self.related.contains(&row.id),
            prioritization_score: rules::prioritization_score(&row),
            optimistic_duration: if is_phase { row.rolled_optimistic } else { row.optimistic_duration },
            most_likely_duration: if is_phase { row.rolled_most_likely } else { row.most_likely_duration },
            pessimistic_duration: if is_phase { row.rolled_pessimistic } else { row.pessimistic_duration },
            dor_blockers: dor_blockers(&row),
            is_untouched_seed: row.seeded_at.is_some() && row.edited_at.is_none(),
            can_edit: rights.edit,
            can_delete: rights.delete,
            can_edit_estimates: rights.edit_estimates,
            can_log_time: rights.log_time,
            id: row.id,
            server_version: row.server_version,
            short_id: row.short_id,
            project: row.project_id,
            name: row.name,
            assignee,
            wbs_path: row.outline,
            status,
            duration,
            duration_unit: row.duration_unit,
            structure_role,
            percent_complete: percent,
            notes: row.notes,
            planned_start: row.planned_start,
            actual_start: row.actual_start,
            actual_finish: row.actual_finish,
            total_float: row.total_float,
            free_float: row.free_float,
            is_critical: row.is_critical,
            schedule_issue: row.issue,
            is_milestone: row.is_milestone,
            estimate_status: row.estimate_status,
            latest_note_at: None,
            spi,
            spi_band,
            dwell_days,
            is_summary: row.is_summary.unwrap_or_default(),
            is_phase,
            parent_id: row.parent_id,
            predecessor_count,
            blocking_task: row.blocking_task_id,
            blocked_since: row.blocked_since,
            has_recurrence: self.recurring.contains_key(&row.id),
            external_link_summary: ExternalLinkSummary::default(),
            status_changed_at: row.status_changed_at,
            priority_rank: row.priority_rank,
            assignee_is_overallocated: false,
            sprint: row.sprint_id,
            sprint_pending: false,
            story_points: row.story_points,
            remaining_points: row.remaining_points,
            is_subtask: row.is_subtask,
            sprint_scope_changes: Vec::new(),
            milestone_rollup: None,
            kind: row.r#type,
            parent_epic: row.parent_epic_id,
            dor: row.dor,
            sprint_rank: row.sprint_rank,
            governance_class: row.governance_class,
            delivery_mode: row.delivery_mode,
            parent_governance_inherited: row.parent_governance_inherited,
            business_value: row.business_value,
            time_criticality: row.time_criticality,
            risk_reduction: row.risk_reduction,
            job_size: row.job_size,
            reach: row.reach,
            impact: row.impact,
            confidence: row.confidence,
            effort: row.effort,
            value: row.value,
            effort_estimate: row.effort_estimate,
            acceptance_criteria: Vec::new(),
            criteria_met_count: 0,
            criteria_total: 0,
            custom_fields: serde_json::Map::new(),
            source_kind: row.source_kind,
            source_id: row.source_id,
            source_version: row.source_version,
            seeded_at: row.seeded_at,
            edited_at: row.edited_at,
            warnings: None,
        }
    }

    fn assignments(&self, task: TaskId) -> Vec<TaskAssignment> {
        let rows = self.allocations.get(&task).into_iter().flatten();
        rows.map(|row| TaskAssignment {
            resource_id: row.resource_id,
            resource_name: row.resource_name.clone(),
            units: rules::units_text(row.units),
        })
        .collect()
    }

    fn labels_on(&self, task: TaskId) -> Vec<TaskLabelChip> {
        let rows = self.labels.get(&task).into_iter().flatten();
        rows.map(|row| TaskLabelChip {
            id: row.id,
            name: row.name.clone(),
            color: row.color,
            position: row.position,
        })
        .collect()
    }

    fn blocking(&self, id: TaskId) -> Option<BlockingTask> {
        let hit = self.blockers.get(&id)?;
        Some(BlockingTask { id, name: hit.name.clone(), short_id: hit.short_id.clone(), status: hit.status })
    }

    fn person(&self, id: UserId) -> Option<TaskPerson> {
        self.usernames.get(&id).map(|username| TaskPerson { id, username: username.clone() })
    }
}

/// Working days left of a row that takes no part in the schedule.
fn remaining(row: &TaskRow) -> i64 {
    row.duration - (row.duration as f64 * row.percent_complete / 100.0).floor() as i64
}

/// What keeps a row from being ready to be picked up.
fn dor_blockers(row: &TaskRow) -> Vec<String> {
    let mut blockers = Vec::new();
    if row.story_points.is_none() {
        blockers.push("story_points".to_owned());
    }
    blockers.push("acceptance_criteria".to_owned());
    blockers
}
