//! Whether a write of a task fits together, and what the row is afterwards; without a database or a clock.
//! What follows from a write by itself (dates that are stamped, a status that moves on) is in `effects.rs`.

use chrono::NaiveDate;
use planwright_domain::ids::*;
use planwright_domain::words::*;
use planwright_web::input::{Patch, Whole};
use planwright_web::{ApiError, ApiResult, Problems};

use super::effects;
use super::known::{Known, Proposed};
use super::record::TaskRecord;
use super::request::{Blocker, PatchedTaskRequest};
use super::{governance, locks, references, sprint};
use crate::guardrails::GuardrailWarning;
use crate::schedule::network::{date, day};
use crate::span::{MOST_DAYS, TOO_LONG};

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
pub struct Judged {
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
}

impl Judged {
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
        }
    }

    /// A row that a command of its own made.
    pub fn fresh(row: TaskRecord) -> Self {
        Self { is_new: true, ..Self::direct(row.clone(), row) }
    }
}

/// The verdict in the making: the row as it becomes, and what is wrong with it.
pub(super) struct Bench<'a> {
    pub(super) known: &'a Known,
    pub(super) before: &'a TaskRecord,
    pub(super) is_new: bool,
    pub(super) wish: &'a PatchedTaskRequest,
    pub(super) after: TaskRecord,
    problems: Problems,
    code: Option<&'static str>,
}

impl Bench<'_> {
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
        !self.is_new && self.known.family(self.before.id).structural > 0
    }
}

/// Judges one write; everything that is wrong is in one answer.
///
/// # Errors
/// 400 for what does not fit, 403 for what the caller may not write, 409 for a role that the rows below contradict.
pub fn judge(known: &Known, proposed: Proposed<'_>) -> ApiResult<Judged> {
    let Proposed { before, is_new, wish } = proposed;
    let (problems, code) = (Problems::default(), None);
    let mut bench = Bench { known, before, is_new, wish, after: before.clone(), problems, code };
    role_fits(&bench)?;
    if wish.project.as_given().is_some_and(|project| *project != before.project_id) {
        bench.say("project", "A task stays in its project.");
    }
    apply_plain_fields(&mut bench);
    if is_new {
        defaults(&mut bench);
        references::place_fits(&mut bench);
    }
    milestone(&mut bench);
    duration_by_finish(&mut bench);
    references::check(&mut bench);
    progress_has_an_anchor(&bench)?;
    locks::check(&mut bench);
    estimates(&mut bench)?;
    backlog_fields(&bench)?;
    readiness(&mut bench);
    let owners = references::owners(&mut bench);
    span(&mut bench);
    let Bench { mut after, problems, code, .. } = bench;
    if !problems.is_empty() {
        let error = ApiError::invalid(problems);
        return Err(match code {
            Some(code) => error.with_code(code),
            None => error,
        });
    }
    let mut warnings = sprint::guarded(known, before, is_new, &after)?;
    warnings.extend(sprint::makes_phase(known, is_new, &after));
    let asked = after.clone();
    let duration_event = effects::settle(known, before, is_new, wish, &mut after);
    let moved_finish = wish.planned_finish.is_given() && after.duration != before.duration;
    let earlier = after.planned_start.filter(|start| *start < known.project.start_date);
    Ok(Judged {
        owners,
        warnings,
        duration_event,
        project_start: earlier.filter(|_| after.planned_start != before.planned_start || is_new),
        moves_due_date: !is_new && (after.planned_start != before.planned_start || moved_finish),
        amend_reason: wish.amend_reason.as_given().map(|why| why.to_string()).filter(|why| !why.is_empty()),
        before: before.clone(),
        after,
        asked,
        is_new,
    })
}

fn role_fits(bench: &Bench<'_>) -> ApiResult<()> {
    match bench.wish.structure_role.as_given() {
        Some(role) if *role != StructureRole::Container && bench.is_phase() => {
            Err(ApiError::conflict("The row has rows below it, so it is a container.")
                .with_code("structure_role_contradicted")
                .with("structure_role", StructureRole::Container.as_str()))
        }
        _ => Ok(()),
    }
}

fn number<const MIN: i64, const MAX: i64>(sent: &Patch<Option<Whole<MIN, MAX>>>, target: &mut Option<i64>) {
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
fn apply_plain_fields(bench: &mut Bench<'_>) {
    let echoes_hidden_reason = echoes_hidden_reason(bench);
    let (wish, after) = (bench.wish, &mut bench.after);
    if let Patch::Set(name) = &wish.name {
        after.name = name.to_string();
    }
    if let Patch::Set(notes) = &wish.notes {
        after.notes = notes.to_string();
    }
    if let Patch::Set(reason) = &wish.blocked_reason
        && !echoes_hidden_reason
    {
        after.blocked_reason = reason.to_string();
    }
    if let Patch::Set(kind) = wish.blocker_type {
        after.blocker_type = kind.0;
    }
    if let Patch::Set(percent) = wish.percent_complete {
        after.percent_complete = percent.0;
    }
    copy(&wish.assignee, &mut after.assignee_id);
    copy(&wish.status, &mut after.status);
    copy(&wish.duration_unit, &mut after.duration_unit);
    copy(&wish.structure_role, &mut after.structure_role);
    copy(&wish.planned_start, &mut after.planned_start);
    copy(&wish.actual_start, &mut after.actual_start);
    copy(&wish.actual_finish, &mut after.actual_finish);
    copy(&wish.blocking_task, &mut after.blocking_task_id);
    copy(&wish.sprint, &mut after.sprint_id);
    copy(&wish.r#type, &mut after.r#type);
    copy(&wish.parent_epic, &mut after.parent_epic_id);
    copy(&wish.dor, &mut after.dor);
    copy(&wish.impact, &mut after.impact);
    copy(&wish.confidence, &mut after.confidence);
    copy(&wish.effort, &mut after.effort);
    copy(&wish.effort_estimate, &mut after.effort_estimate);
    number(&wish.optimistic_duration, &mut after.optimistic_duration);
    number(&wish.most_likely_duration, &mut after.most_likely_duration);
    number(&wish.pessimistic_duration, &mut after.pessimistic_duration);
    number(&wish.priority_rank, &mut after.priority_rank);
    number(&wish.sprint_rank, &mut after.sprint_rank);
    number(&wish.story_points, &mut after.story_points);
    number(&wish.remaining_points, &mut after.remaining_points);
    number(&wish.business_value, &mut after.business_value);
    number(&wish.time_criticality, &mut after.time_criticality);
    number(&wish.risk_reduction, &mut after.risk_reduction);
    number(&wish.job_size, &mut after.job_size);
    number(&wish.reach, &mut after.reach);
    number(&wish.value, &mut after.value);
    if let Patch::Set(class) = wish.governance_class {
        after.parent_governance_inherited &= class == after.governance_class;
        after.governance_class = class;
    }
    if let (Some(start), Some(finish)) = (after.actual_start, after.actual_finish)
        && start > finish
    {
        let field = if wish.actual_finish.is_given() { "actual_finish" } else { "actual_start" };
        bench.say(field, "The actual finish is before the actual start.");
    }
}

/// Whether somebody who reads an empty text in place of the reason sends it back with the whole row. Sent with nothing
/// but what belongs to the block, or with its kind taken away, it takes the block away.
fn echoes_hidden_reason(bench: &Bench<'_>) -> bool {
    let (wish, before) = (bench.wish, bench.before);
    let is_hidden = !bench.is_new && before.assignee_id != Some(bench.known.caller.id);
    let is_blank = wish.blocked_reason.as_given().is_some_and(|reason| reason.is_empty());
    let of_block = ["blocked_reason", "blocker_type", "blocking_task", "amend_reason"];
    let with_others = wish.sent().iter().any(|field| !of_block.contains(field));
    let drops_kind = before.blocker_type.is_some() && matches!(wish.blocker_type, Patch::Set(Blocker(None)));
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

fn defaults(bench: &mut Bench<'_>) {
    let settings = bench.known.settings.as_ref();
    let methodology = settings.map_or(Methodology::Hybrid, |settings| settings.methodology);
    let (class, mode) = governed(methodology, bench.known.project.board_cadence);
    if !bench.wish.governance_class.is_given() {
        bench.after.governance_class = class;
    }
    bench.after.delivery_mode = mode;
    governance::inherit(bench);
}

/// A milestone, the delivery mode of that name, and duration 0 say one thing; what is said must agree.
fn milestone(bench: &mut Bench<'_>) {
    let wish = bench.wish;
    let duration = wish.duration.as_given().map(|days| days.0).filter(|_| !bench.is_phase());
    let said = [
        ("is_milestone", wish.is_milestone.as_given().copied()),
        ("delivery_mode", wish.delivery_mode.as_given().map(|mode| *mode == DeliveryMode::Milestone)),
        ("duration", duration.map(|days| days == 0)),
        ("structure_role", role_says(bench)),
    ];
    let signals: Vec<(&str, bool)> =
        said.into_iter().filter_map(|(field, said)| Some((field, said?))).collect();
    copy(&wish.delivery_mode, &mut bench.after.delivery_mode);
    if let Some(days) = wish.duration.as_given() {
        bench.after.duration = days.0;
    }
    let Some((_, wanted)) = signals.first().copied() else { return };
    if let Some((field, _)) = signals.iter().find(|(_, said)| *said != wanted) {
        let message = "is_milestone, delivery_mode, structure_role and duration 0 say the same thing, and here \
                       they disagree.";
        bench.refuse(field, "milestone_signal_conflict", message);
        return;
    }
    match (bench.before.is_milestone && !bench.is_new, wanted) {
        (_, true) => become_milestone(bench),
        (true, false) => stop_being_milestone(bench),
        (false, false) => {}
    }
}

/// What another role than the one that is shown says of a milestone.
fn role_says(bench: &Bench<'_>) -> Option<bool> {
    let wanted = *bench.wish.structure_role.as_given()?;
    let is_milestone = bench.before.is_milestone && !bench.is_new;
    let says = wanted == StructureRole::Milestone;
    (says != is_milestone).then_some(says)
}

fn become_milestone(bench: &mut Bench<'_>) {
    if !bench.is_new && bench.known.family(bench.before.id).children > 0 {
        let message = "A row with rows below it cannot be a milestone.";
        bench.refuse("is_milestone", "child_of_milestone", message);
    }
    bench.after.is_milestone = true;
    bench.after.delivery_mode = DeliveryMode::Milestone;
    bench.after.duration = 0;
}

fn stop_being_milestone(bench: &mut Bench<'_>) {
    if bench.known.targeted.contains(&bench.before.id) {
        let message = "A sprint aims at this milestone; unbind it first.";
        bench.refuse("is_milestone", "milestone_targeted_by_sprint", message);
    }
    bench.after.is_milestone = false;
    if bench.after.delivery_mode == DeliveryMode::Milestone {
        bench.after.delivery_mode = DeliveryMode::Waterfall;
    }
    bench.after.duration = bench.after.duration.max(1);
}

/// A finish that is wished for is a duration: the working days from where the task starts.
fn duration_by_finish(bench: &mut Bench<'_>) {
    let Some(finish) = bench.wish.planned_finish.as_given().copied().flatten() else { return };
    let known = bench.known;
    let early_start = known.shown.get(&bench.before.id).and_then(|shown| shown.early_start).and_then(date);
    let sent = bench.wish.planned_start.as_given().copied().flatten();
    let Some(start) = sent.or(early_start).or(bench.after.planned_start) else {
        return bench.say("planned_finish", "There is no start to count from; send planned_start as well.");
    };
    if finish < start {
        return bench.say("planned_finish", "It is before the start of the task.");
    }
    if (finish - start).num_days() > 36_525 {
        return bench.say("planned_finish", "It is too far from the start of the task.");
    }
    if bench.after.is_milestone {
        if finish != start {
            bench.say("planned_finish", "A milestone has no duration, so it finishes where it starts.");
        }
        return;
    }
    let calendar = known.calendar.clone().unwrap_or_default();
    let days = calendar.working_days(day(start), day(finish));
    let sent = bench.wish.duration.as_given().map(|days| days.0);
    if sent.is_some_and(|sent| sent != i64::from(days)) {
        return bench.say("planned_finish", "It disagrees with the duration that was sent with it.");
    }
    bench.after.duration = i64::from(days).max(1);
}

/// Progress on something that is not planned yet is for those who manage the project.
fn progress_has_an_anchor(bench: &Bench<'_>) -> ApiResult<()> {
    let (before, after) = (bench.before, &bench.after);
    let moved = bench.wish.percent_complete.is_given()
        && after.percent_complete > 0.0
        && (bench.is_new || after.percent_complete != before.percent_complete);
    let anchored = after.planned_start.is_some() || after.sprint_id.is_some();
    match moved && !anchored && !bench.known.caller.manages() && !bench.is_phase() {
        true => Err(ApiError::bad_request("Plan the task first: it has neither a start nor a sprint.")
            .with_code("progress_requires_anchor")
            .with("suggested_action", "set_planned_start")),
        false => Ok(()),
    }
}

fn estimates(bench: &mut Bench<'_>) -> ApiResult<()> {
    let legs =
        |row: &TaskRecord| (row.optimistic_duration, row.most_likely_duration, row.pessimistic_duration);
    if legs(bench.before) == legs(&bench.after) {
        return Ok(());
    }
    if let (Some(best), Some(likely), Some(worst)) = legs(&bench.after)
        && !(best <= likely && likely <= worst)
    {
        let message = "Must not be below the optimistic or above the pessimistic duration.";
        bench.refuse("most_likely_duration", "invalid_three_point_estimate", message);
    }
    let for_managers = bench.known.project.estimation_mode == EstimationMode::PmOnly;
    match for_managers && !bench.known.caller.manages() {
        true => Err(ApiError::forbidden("Only those who manage the project set its estimates.")),
        false => Ok(()),
    }
}

/// Epics, who belongs to them, and what backlog items are worth are for those who shape the backlog.
fn backlog_fields(bench: &Bench<'_>) -> ApiResult<()> {
    let shape = |row: &TaskRecord| {
        (
            (row.parent_epic_id, row.r#type == TaskType::Epic, row.business_value, row.time_criticality),
            (row.risk_reduction, row.job_size, row.reach, row.impact.map(f64::to_bits), row.value),
            (row.confidence.map(f64::to_bits), row.effort.map(f64::to_bits)),
            row.effort_estimate.map(f64::to_bits),
        )
    };
    match shape(bench.before) != shape(&bench.after) && !bench.known.caller.shapes_backlog() {
        true => Err(ApiError::forbidden("Epics and scores are for Project Managers and Product Owners.")),
        false => Ok(()),
    }
}

fn readiness(bench: &mut Bench<'_>) {
    let wanted = bench.wish.dor.as_given() == Some(&Readiness::Ready);
    if !wanted || bench.before.dor == Readiness::Ready {
        return;
    }
    if bench.after.story_points.is_none() {
        bench.say("dor", "An item is ready when it has story points.");
    }
    bench.say("dor", "An item is ready when it has acceptance criteria and all of them are met.");
}

fn span(bench: &mut Bench<'_>) {
    let before = if bench.is_new { 0 } else { bench.before.duration };
    let grows = bench.after.duration - before;
    if grows > 0 && bench.known.total_duration.is_some_and(|total| total + grows > MOST_DAYS) {
        bench.say("duration", TOO_LONG);
    }
}
