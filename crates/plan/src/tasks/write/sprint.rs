//! What the guardrails of a sprint say of a task that is, or is to be, in it.
//! The policy and its rules are in `guardrails/`; here stands what of a task they are asked about, and when.

use chrono::{Days, NaiveDate};
use planwright_web::ApiResult;

use super::context::WriteContext;
use super::record::TaskRecord;
use crate::guardrails::{self, GuardrailWarning, SprintCase};
use crate::schedule::network::{date, day};

/// The warnings of a write that concerns a sprint, or the 400 of one that its policy blocks.
pub(super) fn guarded(
    context: &WriteContext,
    before: &TaskRecord,
    is_new: bool,
    after: &TaskRecord,
) -> ApiResult<Vec<GuardrailWarning>> {
    let sprint = after.sprint_id.and_then(|sprint| context.sprints.get(&sprint));
    let Some((levels, sprint)) = context.levels.as_ref().zip(sprint) else { return Ok(Vec::new()) };
    let placed = |row: &TaskRecord| (row.sprint_id, row.planned_start, row.duration, row.is_recurring);
    if !is_new && placed(before) == placed(after) {
        return Ok(Vec::new());
    }
    let case = SprintCase {
        is_summary: !is_new && context.family(before.id).children > 0,
        is_recurring: after.is_recurring,
        span: span(context, before, is_new, after),
        sprint: (sprint.start_date, sprint.finish_date),
    };
    guardrails::validate(levels, &case).pass()
}

/// What is said of a new row that makes a phase of a task in a sprint. Only putting a phase into a sprint is refused.
pub(super) fn makes_phase(
    context: &WriteContext,
    is_new: bool,
    after: &TaskRecord,
) -> Option<GuardrailWarning> {
    let parent = after.parent_id.and_then(|parent| context.tasks.get(&parent)).filter(|_| is_new)?;
    let is_first = parent.structural_children == 0 && !after.is_subtask;
    (is_first && parent.sprint_id.is_some()).then(GuardrailWarning::phase_in_sprint)
}

/// From its planned or early start to its finish, as far as they are known before dates are computed anew.
fn span(
    context: &WriteContext,
    before: &TaskRecord,
    is_new: bool,
    after: &TaskRecord,
) -> Option<(NaiveDate, NaiveDate)> {
    let shown = context.shown.get(&before.id).filter(|_| !is_new);
    let early_start = shown.and_then(|shown| shown.early_start).and_then(date);
    let early_finish = shown.and_then(|shown| shown.early_finish).and_then(date);
    let start = after.planned_start.or(early_start)?;
    let timed = |row: &TaskRecord| (row.planned_start, row.duration, row.calendar_id);
    let is_same = !is_new && timed(before) == timed(after);
    let finish = early_finish.filter(|finish| is_same && *finish >= start);
    Some((start, finish.unwrap_or_else(|| last_day(context, start, after))))
}

fn last_day(context: &WriteContext, start: NaiveDate, row: &TaskRecord) -> NaiveDate {
    let calendar = context.calendar_of(row);
    let mut left = row.duration.max(1);
    let days = (0..36_525).map_while(|after| start.checked_add_days(Days::new(after)));
    let last = days.clone().find(|date| {
        left -= i64::from(calendar.is_working(day(*date)));
        left == 0
    });
    last.unwrap_or(start)
}
