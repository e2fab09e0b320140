//! Whether a write of a task fits together, and what the row is afterwards; without a database or a clock.
//! What follows from a write by itself (dates that are stamped, a status that moves on) is in `effects.rs`.

use chrono::NaiveDate;
use planwright_domain::ids::*;
use planwright_domain::words::*;
use planwright_web::input::{Int, Patch};
use planwright_web::{ApiError, ApiResult, Problems};

use super::context::{RequestedWrite, WriteContext};
use super::effects;
use super::record::TaskRecord;
use super::request::{Blocker, PatchedTaskRequest};
use super::{constraint, governance, locks, references, sprint};
use crate::guardrails::GuardrailWarning;
use crate::schedule::network::{date, day};
use crate::span::{MOST_DAYS, TOO_LONG};
use crate::tasks::rules::dor_blockers;

/// A resource to allocate, with its share in hundredths.
#[derive(Clone, Copy, Debug)]
pub struct Owner {
    /// The resource.
    pub resource: ResourceId,
    /// 100 is all of it.
    pub units: i64,
}

/// What a change of a duration under way did.
#[derive(Clone, Debug, PartialEq)]
pub struct DurationEvent {
    /// Working days before.
    pub old_duration: i64,
    /// Working days after.
    pub new_duration: i64,
    /// The per cent done at that moment.
    pub percent_complete_at_change: f64,
    /// The per cent it became, when the policy changed it.
    pub percent_complete_after: Option<f64>,
    /// The policy in force.
    pub policy: PercentPolicy,
    /// The active sprint the task is in.
    pub sprint: Option<SprintId>,
}

/// A write that fits together.
#[derive(Clone, Debug)]
pub struct PlannedWrite {
    /// The row before; a fresh one when it is created.
    pub before: TaskRecord,
    /// The row after.
    pub after: TaskRecord,
    /// The row as it was asked for, before anything followed from that by itself.
    pub asked: TaskRecord,
    /// Whether it is created.
    pub is_new: bool,
    /// Allocations to make.
    pub owners: Vec<Owner>,
    /// What happened to its duration.
    pub duration_event: Option<DurationEvent>,
    /// The day that the project has to begin at the latest.
    pub project_start: Option<NaiveDate>,
    /// Whether the day it is due was moved.
    pub moves_due_date: bool,
    /// What the guardrails of its sprint say.
    pub warnings: Vec<GuardrailWarning>,
    /// Why a committed plan was changed.
    pub amend_reason: Option<String>,
    /// Whether it waits for a decision in the sprint it moves to, even if that has not begun.
    pub carries_pending: bool,
    /// Whether its work was in its sprint before it was a row of its own, so that it adds no scope.
    pub is_split_off: bool,
}

impl PlannedWrite {
    /// A change that a command of its own decided on, with nothing that follows from it.
    pub fn direct(before: TaskRecord, after: TaskRecord) -> Self {
        Self {
            before,
            asked: after.clone(),
            after,
            is_new: false,
            owners: Vec::new(),
            duration_event: None,
            project_start: None,
            moves_due_date: false,
            warnings: Vec::new(),
            amend_reason: None,
            carries_pending: false,
            is_split_off: false,
        }
    }

    /// A row that a command of its own made.
    pub fn fresh(row: TaskRecord) -> Self {
        Self { is_new: true, ..Self::direct(row.clone(), row) }
    }
}

/// The verdict in the making: the row as it becomes, and what is wrong with it.
pub(super) struct Validation<'a> {
    pub(super) context: &'a WriteContext,
    pub(super) before: &'a TaskRecord,
    pub(super) is_new: bool,
    pub(super) request: &'a PatchedTaskRequest,
    pub(super) after: TaskRecord,
    problems: Problems,
    code: Option<&'static str>,
}

impl Validation<'_> {
    /// Notes what is wrong with a field.
    pub(super) fn say(&mut self, field: &str, message: &str) {
        self.problems.say(field, message);
    }

    /// The same, with a code that programs may rely on; the first one stands.
    pub(super) fn refuse(&mut self, field: &str, code: &'static str, message: &str) {
        self.problems.say(field, message);
        self.code.get_or_insert(code);
    }

    /// Whether the row has rows below it that are no subtasks.
    pub(super) fn is_phase(&self) -> bool {
        !self.is_new && self.context.family(self.before.id).structural > 0
    }
}

/// Judges one write; everything that is wrong is in one answer.
///
/// # Errors
/// 400 for what does not fit, 403 for what the caller may not write, 409 for a role that the rows below contradict.
pub fn validate(context: &WriteContext, requested: RequestedWrite<'_>) -> ApiResult<PlannedWrite> {
    let RequestedWrite { before, is_new, request } = requested;
    let (problems, code) = (Problems::default(), None);
    let mut validation =
        Validation { context, before, is_new, request, after: before.clone(), problems, code };
    role_fits(&validation)?;
    if request.project.as_given().is_some_and(|project| *project != before.project_id) {
        validation.say("project", "A task stays in its project.");
    }
    apply_plain_fields(&mut validation);
    if is_new {
        defaults(&mut validation);
        references::place_fits(&mut validation);
    }
    milestone(&mut validation);
    duration_by_finish(&mut validation);
    constraint::check(&mut validation);
    references::check(&mut validation);
    progress_has_an_anchor(&validation)?;
    locks::check(&mut validation);
    estimates(&mut validation)?;
    backlog_fields(&validation)?;
    readiness(&mut validation);
    let owners = references::owners(&mut validation);
    span(&mut validation);
    let Validation { mut after, problems, code, .. } = validation;
    if !problems.is_empty() {
        let error = ApiError::invalid(problems);
        return Err(match code {
            Some(code) => error.with_code(code),
            None => error,
        });
    }
    let mut warnings = sprint::guarded(context, before, is_new, &after)?;
    warnings.extend(sprint::makes_phase(context, is_new, &after));
    let asked = after.clone();
    let duration_event = effects::settle(context, before, is_new, request, &mut after);
    let moved_finish = request.planned_finish.is_given() && after.duration != before.duration;
    let earlier = after.planned_start.filter(|start| *start < context.project.start_date);
    Ok(PlannedWrite {
        owners,
        warnings,
        duration_event,
        project_start: earlier.filter(|_| after.planned_start != before.planned_start || is_new),
        moves_due_date: !is_new && (after.planned_start != before.planned_start || moved_finish),
        amend_reason: request
            .amend_reason
            .as_given()
            .map(|why| why.to_string())
            .filter(|why| !why.is_empty()),
        carries_pending: false,
        is_split_off: false,
        before: before.clone(),
        after,
        asked,
        is_new,
    })
}

fn role_fits(validation: &Validation<'_>) -> ApiResult<()> {
    match validation.request.structure_role.as_given() {
        Some(role) if *role != StructureRole::Container && validation.is_phase() => {
            Err(ApiError::conflict("The row has rows below it, so it is a container.")
                .with_code("structure_role_contradicted")
                .with("structure_role", StructureRole::Container.as_str()))
        }
        _ => Ok(()),
    }
}

fn number<const MIN: i64, const MAX: i64>(sent: &Patch<Option<Int<MIN, MAX>>>, target: &mut Option<i64>) {
    if let Patch::Set(value) = sent {
        *target = value.map(|whole| whole.0);
    }
}

fn copy<T: Clone>(sent: &Patch<T>, target: &mut T) {
    if let Patch::Set(value) = sent {
        target.clone_from(value);
    }
}

/// What is written as it was sent.
fn apply_plain_fields(validation: &mut Validation<'_>) {
    let echoes_hidden_reason = echoes_hidden_reason(validation);
    let (request, after) = (validation.request, &mut validation.after);
    if let Patch::Set(name) = &request.name {
        after.name = name.to_string();
    }
    if let Patch::Set(notes) = &request.notes {
        after.notes = notes.to_string();
    }
    if let Patch::Set(reason) = &request.blocked_reason
        && !echoes_hidden_reason
    {
        after.blocked_reason = reason.to_string();
    }
    if let Patch::Set(kind) = request.blocker_type {
        after.blocker_type = kind.0;
    }
    if let Patch::Set(percent) = request.percent_complete {
        after.percent_complete = percent.0;
    }
    copy(&request.assignee, &mut after.assignee_id);
    copy(&request.status, &mut after.status);
    copy(&request.duration_unit, &mut after.duration_unit);
    copy(&request.structure_role, &mut after.structure_role);
    copy(&request.planned_start, &mut after.planned_start);
    copy(&request.calendar, &mut after.calendar_id);
    copy(&request.actual_start, &mut after.actual_start);
    copy(&request.actual_finish, &mut after.actual_finish);
    copy(&request.blocking_task, &mut after.blocking_task_id);
    copy(&request.sprint, &mut after.sprint_id);
    copy(&request.r#type, &mut after.r#type);
    copy(&request.parent_epic, &mut after.parent_epic_id);
    copy(&request.dor, &mut after.dor);
    copy(&request.impact, &mut after.impact);
    copy(&request.confidence, &mut after.confidence);
    copy(&request.effort, &mut after.effort);
    copy(&request.effort_estimate, &mut after.effort_estimate);
    number(&request.optimistic_duration, &mut after.optimistic_duration);
    number(&request.most_likely_duration, &mut after.most_likely_duration);
    number(&request.pessimistic_duration, &mut after.pessimistic_duration);
    number(&request.priority_rank, &mut after.priority_rank);
    number(&request.sprint_rank, &mut after.sprint_rank);
    number(&request.story_points, &mut after.story_points);
    number(&request.remaining_points, &mut after.remaining_points);
    number(&request.business_value, &mut after.business_value);
    number(&request.time_criticality, &mut after.time_criticality);
    number(&request.risk_reduction, &mut after.risk_reduction);
    number(&request.job_size, &mut after.job_size);
    number(&request.reach, &mut after.reach);
    number(&request.value, &mut after.value);
    if let Patch::Set(class) = request.governance_class {
        after.parent_governance_inherited &= class == after.governance_class;
        after.governance_class = class;
    }
    if let (Some(start), Some(finish)) = (after.actual_start, after.actual_finish)
        && start > finish
    {
        let field = if request.actual_finish.is_given() { "actual_finish" } else { "actual_start" };
        validation.say(field, "The actual finish is before the actual start.");
    }
}

/// Whether somebody who reads an empty text in place of the reason sends it back with the whole row. Sent with nothing
/// but what belongs to the block, or with its kind taken away, it takes the block away.
fn echoes_hidden_reason(validation: &Validation<'_>) -> bool {
    let (request, before) = (validation.request, validation.before);
    let is_hidden = !validation.is_new && before.assignee_id != Some(validation.context.caller.id);
    let is_blank = request.blocked_reason.as_given().is_some_and(|reason| reason.is_empty());
    let of_block = ["blocked_reason", "blocker_type", "blocking_task", "amend_reason"];
    let with_others = request.sent().iter().any(|field| !of_block.contains(field));
    let drops_kind =
        before.blocker_type.is_some() && matches!(request.blocker_type, Patch::Set(Blocker(None)));
    is_hidden && is_blank && with_others && !drops_kind
}

/// How a new task is governed and delivered when nobody says so (facts-scheduling §1.3, 4).
pub fn governed(methodology: Methodology, cadence: BoardCadence) -> (GovernanceClass, DeliveryMode) {
    match (methodology, cadence) {
        (Methodology::Waterfall, _) => (GovernanceClass::Gated, DeliveryMode::Waterfall),
        (Methodology::Hybrid, _) => (GovernanceClass::Flow, DeliveryMode::Waterfall),
        (Methodology::Agile, BoardCadence::Continuous) => (GovernanceClass::Flow, DeliveryMode::Kanban),
        (Methodology::Agile, BoardCadence::Sprint) => (GovernanceClass::Flow, DeliveryMode::Scrum),
    }
}

fn defaults(validation: &mut Validation<'_>) {
    let settings = validation.context.settings.as_ref();
    let methodology = settings.map_or(Methodology::Hybrid, |settings| settings.methodology);
    let (class, mode) = governed(methodology, validation.context.project.board_cadence);
    if !validation.request.governance_class.is_given() {
        validation.after.governance_class = class;
    }
    validation.after.delivery_mode = mode;
    governance::inherit(validation);
}

/// A milestone, the delivery mode of that name, and duration 0 say one thing; what is said must agree.
fn milestone(validation: &mut Validation<'_>) {
    let request = validation.request;
    let duration = request.duration.as_given().map(|days| days.0).filter(|_| !validation.is_phase());
    let said = [
        ("is_milestone", request.is_milestone.as_given().copied()),
        ("delivery_mode", request.delivery_mode.as_given().map(|mode| *mode == DeliveryMode::Milestone)),
        ("duration", duration.map(|days| days == 0)),
        ("structure_role", role_says(validation)),
    ];
    let signals: Vec<(&str, bool)> =
        said.into_iter().filter_map(|(field, said)| Some((field, said?))).collect();
    copy(&request.delivery_mode, &mut validation.after.delivery_mode);
    if let Some(days) = request.duration.as_given() {
        validation.after.duration = days.0;
    }
    let Some((_, wanted)) = signals.first().copied() else { return };
    if let Some((field, _)) = signals.iter().find(|(_, said)| *said != wanted) {
        let message = "is_milestone, delivery_mode, structure_role and duration 0 say the same thing, and here \
                       they disagree.";
        validation.refuse(field, "milestone_signal_conflict", message);
        return;
    }
    match (validation.before.is_milestone && !validation.is_new, wanted) {
        (_, true) => become_milestone(validation),
        (true, false) => stop_being_milestone(validation),
        (false, false) => {}
    }
}

/// What another role than the one that is shown says of a milestone.
fn role_says(validation: &Validation<'_>) -> Option<bool> {
    let wanted = *validation.request.structure_role.as_given()?;
    let is_milestone = validation.before.is_milestone && !validation.is_new;
    let says = wanted == StructureRole::Milestone;
    (says != is_milestone).then_some(says)
}

fn become_milestone(validation: &mut Validation<'_>) {
    if !validation.is_new && validation.context.family(validation.before.id).children > 0 {
        let message = "A row with rows below it cannot be a milestone.";
        validation.refuse("is_milestone", "child_of_milestone", message);
    }
    validation.after.is_milestone = true;
    validation.after.delivery_mode = DeliveryMode::Milestone;
    validation.after.duration = 0;
}

fn stop_being_milestone(validation: &mut Validation<'_>) {
    if validation.context.targeted.contains_key(&validation.before.id) {
        let message = "A sprint aims at this milestone; unbind it first.";
        validation.refuse("is_milestone", "milestone_targeted_by_sprint", message);
    }
    validation.after.is_milestone = false;
    if validation.after.delivery_mode == DeliveryMode::Milestone {
        validation.after.delivery_mode = DeliveryMode::Waterfall;
    }
    validation.after.duration = validation.after.duration.max(1);
}

/// A planned finish is a duration: the working days from where the task starts.
fn duration_by_finish(validation: &mut Validation<'_>) {
    let Some(finish) = validation.request.planned_finish.as_given().copied().flatten() else { return };
    let context = validation.context;
    let early_start =
        context.shown.get(&validation.before.id).and_then(|shown| shown.early_start).and_then(date);
    let sent = validation.request.planned_start.as_given().copied().flatten();
    let Some(start) = sent.or(early_start).or(validation.after.planned_start) else {
        return validation
            .say("planned_finish", "There is no start to count from; send planned_start as well.");
    };
    if finish < start {
        return validation.say("planned_finish", "It is before the start of the task.");
    }
    if (finish - start).num_days() > 36_525 {
        return validation.say("planned_finish", "It is too far from the start of the task.");
    }
    if validation.after.is_milestone {
        if finish != start {
            validation.say("planned_finish", "A milestone has no duration, so it finishes where it starts.");
        }
        return;
    }
    let calendar = context.calendar_of(&validation.after);
    let days = calendar.working_days(day(start), day(finish));
    let sent = validation.request.duration.as_given().map(|days| days.0);
    if sent.is_some_and(|sent| sent != i64::from(days)) {
        return validation.say("planned_finish", "It disagrees with the duration that was sent with it.");
    }
    validation.after.duration = i64::from(days).max(1);
}

/// Progress on something that is not planned yet is for those who manage the project.
fn progress_has_an_anchor(validation: &Validation<'_>) -> ApiResult<()> {
    let (before, after) = (validation.before, &validation.after);
    let moved = validation.request.percent_complete.is_given()
        && after.percent_complete > 0.0
        && (validation.is_new || after.percent_complete != before.percent_complete);
    let anchored = after.planned_start.is_some() || after.sprint_id.is_some();
    match moved && !anchored && !validation.context.caller.manages() && !validation.is_phase() {
        true => Err(ApiError::bad_request("Plan the task first: it has neither a start nor a sprint.")
            .with_code("progress_requires_anchor")
            .with("suggested_action", "set_planned_start")),
        false => Ok(()),
    }
}

fn estimates(validation: &mut Validation<'_>) -> ApiResult<()> {
    let legs =
        |row: &TaskRecord| (row.optimistic_duration, row.most_likely_duration, row.pessimistic_duration);
    if legs(validation.before) == legs(&validation.after) {
        return Ok(());
    }
    if let (Some(best), Some(likely), Some(worst)) = legs(&validation.after)
        && !(best <= likely && likely <= worst)
    {
        let message = "Must not be below the optimistic or above the pessimistic duration.";
        validation.refuse("most_likely_duration", "invalid_three_point_estimate", message);
    }
    let for_managers = validation.context.project.estimation_mode == EstimationMode::PmOnly;
    match for_managers && !validation.context.caller.manages() {
        true => Err(ApiError::forbidden("Only those who manage the project set its estimates.")),
        false => Ok(()),
    }
}

/// Epics, who belongs to them, and what backlog items are worth are for those who shape the backlog.
fn backlog_fields(validation: &Validation<'_>) -> ApiResult<()> {
    let shape = |row: &TaskRecord| {
        (
            (row.parent_epic_id, row.r#type == TaskType::Epic, row.business_value, row.time_criticality),
            (row.risk_reduction, row.job_size, row.reach, row.impact.map(f64::to_bits), row.value),
            (row.confidence.map(f64::to_bits), row.effort.map(f64::to_bits)),
            row.effort_estimate.map(f64::to_bits),
        )
    };
    match shape(validation.before) != shape(&validation.after) && !validation.context.caller.shapes_backlog()
    {
        true => Err(ApiError::forbidden("Epics and scores are for Project Managers and Product Owners.")),
        false => Ok(()),
    }
}

fn readiness(validation: &mut Validation<'_>) {
    let wanted = validation.request.dor.as_given() == Some(&Readiness::Ready);
    if !wanted || validation.before.dor == Readiness::Ready {
        return;
    }
    let criteria = validation.context.criteria.get(&validation.before.id).copied().unwrap_or_default();
    for blocker in dor_blockers(validation.after.story_points, criteria) {
        let message = match blocker {
            ReadinessBlocker::Unestimated => "An item is ready when it has story points.",
            ReadinessBlocker::NoAcceptanceCriteria => "An item is ready when it has acceptance criteria.",
            ReadinessBlocker::AcceptanceCriteriaUnmet => {
                "An item is ready when all its acceptance criteria are met."
            }
        };
        validation.say("dor", message);
    }
}

fn span(validation: &mut Validation<'_>) {
    let before = if validation.is_new { 0 } else { validation.before.duration };
    let grows = validation.after.duration - before;
    if grows > 0 && validation.context.total_duration.is_some_and(|total| total + grows > MOST_DAYS) {
        validation.say("duration", TOO_LONG);
    }
}
