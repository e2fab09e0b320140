//! What may happen to a round of planning poker: pure decisions, without a database or a clock.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{PokerSessionId, TaskId, UserId};
use planwright_domain::words::{EstimationScale, PokerState, SprintState};
use planwright_plan::sprints::SprintRow;
use planwright_plan::tasks::write::TaskRecord;
use planwright_web::{ApiError, ApiResult};

use super::model::{Card, PokerRow};

/// A new round.
pub fn fresh(
    id: PokerSessionId,
    sprint: &SprintRow,
    task: TaskId,
    (starter, now): (UserId, DateTime<Utc>),
) -> PokerRow {
    PokerRow {
        id,
        project_id: sprint.project_id,
        sprint_id: sprint.id,
        task_id: task,
        state: PokerState::Open,
        committed_points: None,
        started_by: starter,
        started_at: now,
        closed_at: None,
        server_version: 1,
    }
}

/// Refuses a size for a task that has left the sprint of its round.
///
/// # Errors
/// 409 with a code.
pub fn still_holds(round: &PokerRow, task: &TaskRecord) -> ApiResult<()> {
    match task.sprint_id == Some(round.sprint_id) {
        true => Ok(()),
        false => {
            Err(ApiError::conflict("The task is not in the sprint any more.").with_code("task_left_sprint"))
        }
    }
}

/// The cards of a scale. Those of shirt sizes stand for XS, S, M, L, XL and XXL.
pub const fn cards(scale: EstimationScale) -> &'static [i64] {
    match scale {
        EstimationScale::Fibonacci => &[1, 2, 3, 5, 8, 13, 21],
        EstimationScale::Linear => &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
        EstimationScale::Tshirt => &[1, 2, 3, 5, 8, 13],
    }
}

/// Refuses a card that the scale of the project does not have.
///
/// # Errors
/// 400 on the field.
pub fn fits(scale: EstimationScale, field: &str, card: Card) -> ApiResult<()> {
    match cards(scale).contains(&card.0) {
        true => Ok(()),
        false => Err(ApiError::invalid_field(
            field,
            format!("The scale of the project has no such card; it has {:?}.", cards(scale)),
        )),
    }
}

/// What somebody does with a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    Vote,
    Reveal,
    Reopen,
    Commit,
    Cancel,
}

/// The state after a step.
///
/// # Errors
/// 409 with a code when the round does not stand where the step begins, or the sprint is not being planned any more.
pub fn after(step: Step, state: PokerState, sprint: SprintState) -> ApiResult<PokerState> {
    use PokerState::*;
    if step != Step::Cancel {
        still_planned(sprint)?;
    }
    match (step, state) {
        (Step::Vote, Open) | (Step::Reopen, Revealed) => Ok(Open),
        (Step::Reveal, Open) => Ok(Revealed),
        (Step::Commit, Revealed) => Ok(Committed),
        (Step::Cancel, Open | Revealed) => Ok(Cancelled),
        (Step::Commit | Step::Cancel, Committed | Cancelled) => {
            Err(ApiError::conflict("The round is over.").with_code("not_live"))
        }
        (Step::Vote | Step::Reveal, _) => {
            Err(ApiError::conflict("The round is not open.").with_code("not_open"))
        }
        (Step::Reopen | Step::Commit, _) => {
            Err(ApiError::conflict("The votes are not revealed.").with_code("not_revealed"))
        }
    }
}

/// Sizes are asked for while a sprint is being planned.
///
/// # Errors
/// 409 with a code.
pub fn still_planned(sprint: SprintState) -> ApiResult<()> {
    match sprint {
        SprintState::Planned => Ok(()),
        _ => {
            Err(ApiError::conflict("The sprint is not being planned any more.")
                .with_code("sprint_not_planned"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(step: Step, state: PokerState, sprint: SprintState) -> Option<String> {
        let error = after(step, state, sprint).err()?;
        Some(error.body()["code"].as_str().unwrap().to_owned())
    }

    #[test]
    fn a_round_goes_from_open_to_revealed_to_committed() {
        let step = |step, state| after(step, state, SprintState::Planned).ok();
        assert_eq!(step(Step::Reveal, PokerState::Open), Some(PokerState::Revealed));
        assert_eq!(step(Step::Reopen, PokerState::Revealed), Some(PokerState::Open));
        assert_eq!(step(Step::Commit, PokerState::Revealed), Some(PokerState::Committed));
        assert_eq!(step(Step::Cancel, PokerState::Open), Some(PokerState::Cancelled));
    }

    #[test]
    fn a_refusal_says_where_the_round_ought_to_stand() {
        let planned = |step, state| code(step, state, SprintState::Planned).unwrap();
        assert_eq!(planned(Step::Commit, PokerState::Open), "not_revealed", "nobody has seen the votes");
        assert_eq!(planned(Step::Vote, PokerState::Revealed), "not_open");
        assert_eq!(planned(Step::Reveal, PokerState::Revealed), "not_open", "of two reveals one is too late");
        assert_eq!(planned(Step::Commit, PokerState::Committed), "not_live");
        assert_eq!(planned(Step::Reopen, PokerState::Cancelled), "not_revealed");
        let active = code(Step::Vote, PokerState::Open, SprintState::Active).unwrap();
        assert_eq!(active, "sprint_not_planned");
        assert_eq!(
            code(Step::Cancel, PokerState::Open, SprintState::Active),
            None,
            "a round can always be given up"
        );
    }

    #[test]
    fn a_card_is_one_of_the_scale() {
        assert!(fits(EstimationScale::Fibonacci, "value", Card(21)).is_ok());
        assert!(fits(EstimationScale::Fibonacci, "value", Card(4)).is_err());
        assert!(fits(EstimationScale::Linear, "value", Card(4)).is_ok());
        assert!(fits(EstimationScale::Tshirt, "value", Card(21)).is_err());
    }
}
