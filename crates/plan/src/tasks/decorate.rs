//! From rows to tasks on the wire: gathers in a few statements what a whole page needs, never one per task.
//! Each decision is in `rules.rs`.

use chrono::{DateTime, Utc};
use planwright_domain::ids::*;
use planwright_domain::words::Word;
use planwright_store::{Read, Result, Tx};
use planwright_web::{Actor, ApiError, ApiResult};

use super::criteria;
use super::facets::Facets;
use super::model::*;
use super::queries;
use super::rules;
use crate::mentions;
use crate::schedule::network::date;
use crate::schedule::queries::Computed;

/// Whose eyes see the tasks of one page, and when.
struct Viewer {
    facets: Facets,
    me: UserId,
    now: DateTime<Utc>,
}

/// The rows of a page as tasks, for the eyes of `me`.
pub async fn tasks(
    db: &dyn Read,
    me: UserId,
    now: DateTime<Utc>,
    rows: Vec<TaskRow>,
    baseline: Option<BaselineId>,
) -> Result<Vec<Task>> {
    let facets = Facets::of(db, me, &rows, baseline).await?;
    let mut viewer = Viewer { facets, me, now };
    Ok(rows.into_iter().map(|row| viewer.task(row)).collect())
}

/// One task as its answer shows it; 404 when the caller does not see it.
pub async fn one(tx: &Tx, actor: &Actor, id: TaskId) -> ApiResult<Task> {
    whole(tx, actor, tx.now(), id).await
}

/// One task with its acceptance criteria; 404 when the caller does not see it.
pub async fn whole(db: &dyn Read, actor: &Actor, now: DateTime<Utc>, id: TaskId) -> ApiResult<Task> {
    let row = queries::find(db, actor, id).await?.ok_or_else(ApiError::not_found)?;
    let mut task = tasks(db, actor.id, now, vec![row], None).await?.pop().ok_or_else(ApiError::not_found)?;
    if task.criteria_total > 0 {
        task.acceptance_criteria = criteria::of_task(db, id).await?;
    }
    Ok(task)
}

impl Viewer {
    /// Whether a text mentions the person by name.
    fn is_named_in(&self, text: &str) -> bool {
        self.facets.usernames.get(&self.me).is_some_and(|name| mentions::names_person(text, name))
    }

    #[expect(
        clippy::too_many_lines,
        reason = "it is one flat mapping of every field on the wire, and parts of it would hide gaps"
    )]
    fn task(&mut self, shown: TaskRow) -> Task {
        let rights = rules::rights(
            &shown,
            shown.written.assignee_id == Some(self.me),
            self.facets.product_owner_of.contains(&shown.written.project_id),
        );
        let score = rules::prioritization_score(shown.prioritization_model, &shown.written);
        let TaskRow { project_code, written: row, computed, .. } = shown;
        let outline = computed.as_ref().and_then(|computed| computed.outline.clone());
        let (is_summary, is_phase) =
            computed.as_ref().map_or((false, false), |computed| (computed.is_summary, computed.is_phase));
        let figures = computed.map(|Computed { figures, .. }| figures).unwrap_or_default();
        let dates = figures.dates;
        let is_named = self.is_named_in(&row.blocked_reason);
        let facets = &mut self.facets;
        let assignee = if is_phase { figures.rolled_assignee_id } else { row.assignee_id };
        let status = figures.rolled_status.filter(|_| is_phase).unwrap_or(row.status);
        let percent = if is_phase { figures.rolled_percent } else { Some(row.percent_complete) };
        let rollup = facets.rollups.remove(&row.id);
        let percent = rollup.as_ref().map_or(percent, |rollup| rollup.percent_complete);
        let duration = figures.rolled_duration.filter(|_| is_phase).unwrap_or(row.duration);
        let preceded = facets.predecessors.get(&row.id);
        let kept = facets.baseline.get(&row.id);
        let baseline = kept.map_or((None, None), |kept| (kept.start, kept.finish));
        let risks = facets.risks.get(&row.id);
        let criteria = facets.criteria.get(&row.id).copied().unwrap_or_default();
        let dwell_days = row.status_changed_at.map(|since| (self.now - since).num_days());
        let (spi, spi_band) =
            rules::schedule_performance(percent.unwrap_or_default(), baseline, self.now.date_naive());
        let predecessor_count = preceded.map_or(0, |preceded| preceded.predecessors);
        let number = rules::short_number(&row.short_id);
        let structure_role = rules::structure_role(&row, is_phase);
        let early_finish = dates.early_finish.and_then(date);
        Task {
            short_id_display: format!("T-{number}"),
            qualified_id: if project_code.is_empty() {
                format!("T-{number}")
            } else {
                format!("{project_code}-{number}")
            },
            own_status: is_phase.then_some(row.status),
            own_estimate: is_phase.then_some(row.duration),
            early_start: dates.early_start.and_then(date),
            early_finish,
            scheduled_start: dates.scheduled_start.and_then(date),
            scheduled_finish: early_finish,
            late_start: dates.late_start.and_then(date),
            late_finish: dates.late_finish.and_then(date),
            remaining_duration: dates
                .remaining_duration
                .filter(|_| !is_phase)
                .unwrap_or_else(|| left_of(duration, percent.unwrap_or_default())),
            baseline_start: baseline.0,
            baseline_finish: baseline.1,
            schedule_variance_days: row
                .actual_finish
                .zip(baseline.1)
                .map(|(actual, kept)| (actual - kept).num_days()),
            readiness: rules::readiness(kept.is_some(), assignee.is_some(), status, predecessor_count).into(),
            is_stalled: rules::is_stalled(dwell_days, percent.unwrap_or_default(), status),
            is_blocked: preceded.is_some_and(|preceded| preceded.unfinished > 0),
            assignments: facets.allocations.remove(&row.id).unwrap_or_default(),
            labels: facets.labels.remove(&row.id).unwrap_or_default(),
            blocked_reason: match assignee == Some(self.me) || is_named {
                true => row.blocked_reason.clone(),
                false => String::new(),
            },
            blocker_type: row.blocker_type.map(|kind| kind.as_str().to_owned()).unwrap_or_default(),
            blocking_task_detail: row.blocking_task_id.and_then(|id| facets.blockers.get(&id).cloned()),
            blocked_by: row.blocked_by_id.and_then(|id| person(facets, id)),
            blocked_age_seconds: row.blocked_since.map(|since| (self.now - since).num_seconds()),
            is_impediment: row.blocked_since.is_some(),
            linked_risks_count: risks.map_or(0, |risks| risks.risks),
            linked_risks_max_severity: risks.and_then(|risks| risks.severity),
            has_related_links: facets.related.contains(&row.id),
            prioritization_score: score,
            optimistic_duration: if is_phase { figures.rolled_optimistic } else { row.optimistic_duration },
            most_likely_duration: if is_phase {
                figures.rolled_most_likely
            } else {
                row.most_likely_duration
            },
            pessimistic_duration: if is_phase {
                figures.rolled_pessimistic
            } else {
                row.pessimistic_duration
            },
            dor_blockers: rules::dor_blockers(row.story_points, criteria),
            is_untouched_seed: row.seeded_at.is_some() && row.edited_at.is_none(),
            can_edit: rights.edit,
            can_delete: rights.delete,
            can_edit_estimates: rights.edit_estimates,
            can_log_time: rights.log_time && !is_phase,
            logged_minutes: facets.logged.get(&row.id).map_or(0, |logged| match is_phase {
                true => logged.with_rows_below,
                false => logged.own,
            }),
            id: row.id,
            server_version: row.server_version,
            short_id: row.short_id,
            project: row.project_id,
            name: row.name,
            assignee,
            wbs_path: outline,
            status,
            duration,
            duration_unit: row.duration_unit,
            structure_role,
            percent_complete: percent,
            notes: row.notes,
            planned_start: row.planned_start,
            deadline: row.deadline,
            constraint_type: row.constraint_type,
            constraint_date: row.constraint_date,
            calendar: row.calendar_id,
            actual_start: row.actual_start,
            actual_finish: row.actual_finish,
            total_float: dates.total_float.map(i64::from),
            free_float: dates.free_float.map(i64::from),
            is_critical: dates.is_critical,
            schedule_issue: figures.issue,
            is_milestone: row.is_milestone,
            estimate_status: row.estimate_status,
            latest_note_at: facets.latest_notes.get(&row.id).copied(),
            spi,
            spi_band,
            dwell_days,
            is_summary,
            is_phase,
            parent_id: row.parent_id,
            predecessor_count,
            blocking_task: row.blocking_task_id,
            blocked_since: row.blocked_since,
            has_recurrence: facets.recurring.contains(&row.id),
            external_link_summary: ExternalLinkSummary::default(),
            status_changed_at: row.status_changed_at,
            priority_rank: row.priority_rank,
            assignee_is_overallocated: false,
            sprint: row.sprint_id,
            sprint_pending: row.sprint_pending,
            story_points: row.story_points,
            remaining_points: row.remaining_points,
            is_subtask: row.is_subtask,
            sprint_scope_changes: facets.scope_changes.remove(&row.id).unwrap_or_default(),
            milestone_rollup: rollup,
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
            criteria_met_count: criteria.met,
            criteria_total: criteria.total,
            custom_fields: facets.fields.remove(&row.id).unwrap_or_default(),
            source_kind: row.source_kind,
            source_id: row.source_id,
            source_version: row.source_version,
            seeded_at: row.seeded_at,
            edited_at: row.edited_at,
            warnings: None,
        }
    }
}

fn person(facets: &Facets, id: UserId) -> Option<TaskPerson> {
    facets.usernames.get(&id).map(|username| TaskPerson { id, username: username.clone() })
}

/// Working days left of a duration of which so many per cent are done, for rows that the engine does not ask how much is left:
/// phases, and rows that take no part in the schedule.
fn left_of(duration: i64, percent: f64) -> i64 {
    duration - (duration as f64 * percent / 100.0).floor() as i64
}
