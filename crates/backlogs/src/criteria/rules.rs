//! What an acceptance criterion may become: pure decisions over rows and requests.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{CriterionId, TaskId, UserId};
use planwright_plan::tasks::of_task::stays;
use planwright_web::{ApiError, ApiResult};

use super::model::{CriterionRow, PatchedAcceptanceCriterionRequest};

/// How many criteria a task may have.
pub const MOST_CRITERIA: i64 = 200;

/// A new criterion at a place, before anything is said of it.
///
/// # Errors
/// 400 when the task has as many criteria as it may have.
pub fn fresh(
    id: CriterionId,
    task: TaskId,
    now: DateTime<Utc>,
    (others, last): (i64, Option<i64>),
) -> ApiResult<CriterionRow> {
    if others >= MOST_CRITERIA {
        return Err(ApiError::bad_request(format!(
            "A task has at most {MOST_CRITERIA} acceptance criteria."
        )));
    }
    Ok(CriterionRow {
        id,
        task_id: task,
        text: String::new(),
        given_text: String::new(),
        when_text: String::new(),
        then_text: String::new(),
        met: false,
        met_by_id: None,
        met_at: None,
        position: last.map_or(0, |last| (last + 1).min(i64::from(i32::MAX))),
        created_at: now,
        server_version: 1,
    })
}

/// The row with the wanted fields changed; who ticks it is noted, and forgotten when the tick goes.
///
/// # Errors
/// 400 when it would go to another task.
pub fn changed(
    mut row: CriterionRow,
    request: PatchedAcceptanceCriterionRequest,
    (who, now): (UserId, DateTime<Utc>),
) -> ApiResult<CriterionRow> {
    stays("task", &row.task_id, request.task.as_given())?;
    request.text.write_to(&mut row.text);
    request.given.write_to(&mut row.given_text);
    request.when.write_to(&mut row.when_text);
    request.then.write_to(&mut row.then_text);
    request.position.write_to(&mut row.position);
    let is_met = request.met.given().unwrap_or(row.met);
    Ok(row.ticked(is_met, (who, now)))
}

impl CriterionRow {
    /// The row with its tick set or taken away. Who says that it holds again changes nothing.
    pub fn ticked(mut self, is_met: bool, (who, now): (UserId, DateTime<Utc>)) -> Self {
        if self.met != is_met {
            self.met = is_met;
            self.met_by_id = is_met.then_some(who);
            self.met_at = is_met.then_some(now);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use planwright_web::Patch;
    use uuid::Uuid;

    use super::*;

    fn asked(met: Option<bool>) -> PatchedAcceptanceCriterionRequest {
        PatchedAcceptanceCriterionRequest {
            task: Patch::Absent,
            text: Patch::Absent,
            given: Patch::Absent,
            when: Patch::Absent,
            then: Patch::Absent,
            met: met.map_or(Patch::Absent, Patch::Set),
            position: Patch::Absent,
        }
    }

    fn row() -> CriterionRow {
        fresh(CriterionId(Uuid::nil()), TaskId(Uuid::nil()), Default::default(), (0, None)).unwrap()
    }

    #[test]
    fn the_first_tick_is_kept_until_it_is_taken_back() {
        let by =
            |number| (UserId(Uuid::from_u128(number)), DateTime::from_timestamp(number as i64, 0).unwrap());
        let ticked = changed(row(), asked(Some(true)), by(1)).unwrap();
        assert_eq!((ticked.met_by_id, ticked.met_at), (Some(by(1).0), Some(by(1).1)));
        let again = changed(ticked.clone(), asked(Some(true)), by(2)).unwrap();
        assert_eq!(again, ticked, "a second tick changes nothing");
        let open = changed(ticked, asked(Some(false)), by(2)).unwrap();
        assert_eq!((open.met_by_id, open.met_at), (None, None));
    }

    #[test]
    fn a_criterion_stays_with_its_task_and_goes_behind_the_others() {
        let other =
            PatchedAcceptanceCriterionRequest { task: Patch::Set(TaskId(Uuid::from_u128(9))), ..asked(None) };
        assert!(changed(row(), other, (UserId(Uuid::nil()), Default::default())).is_err());
        let fresh = |counts| fresh(CriterionId(Uuid::nil()), TaskId(Uuid::nil()), Default::default(), counts);
        assert_eq!(fresh((2, Some(7))).unwrap().position, 8);
        assert!(fresh((MOST_CRITERIA, Some(7))).is_err());
    }
}
