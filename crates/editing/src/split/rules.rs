//! How the work of a task is divided: pure decisions.
//! The first part is what is done; the second is what remains and takes the end of the task with it.

use chrono::NaiveDate;
use planwright_domain::words::{ConstraintType, DependencyType, TaskStatus, TaskType};
use planwright_plan::tasks::write::TaskRecord;
use planwright_web::{ApiError, ApiResult};
use serde_json::{Map, Value as Json, json};

use super::model::{Before, Hung, SplitRequest};

/// The numbers of both parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shares {
    /// Whether the first part is done.
    pub is_done: bool,
    /// The working days of the parts.
    pub days: [i64; 2],
    /// The story points of the parts.
    pub points: [Option<i64>; 2],
}

impl Shares {
    /// The share of what was promised for the row that its second part takes along. The first part keeps what is earned, and
    /// of a row that has not begun the share of its days.
    pub fn of_promise(&self, row: &TaskRecord) -> f64 {
        match self.is_done {
            true => 1.0 - (row.percent_complete / 100.0).clamp(0.0, 1.0),
            false => self.days[1] as f64 / (self.days[0] + self.days[1]) as f64,
        }
    }
}

/// Why a row cannot be split.
pub fn may_split(row: &TaskRecord, has_rows_below: bool) -> ApiResult<()> {
    let refused = |why: &str| Err(ApiError::bad_request(why));
    match row {
        _ if has_rows_below => refused("A phase cannot be split."),
        row if row.r#type == TaskType::Epic => refused("An epic cannot be split."),
        row if row.is_milestone => refused("A milestone cannot be split."),
        row if row.is_recurring => refused("A task with a recurrence rule cannot be split."),
        row if row.duration < 2 && row.story_points.unwrap_or_default() < 2 => {
            refused("A task of one day has nothing to divide.")
        }
        row if row.percent_complete >= 100.0 => {
            refused("The task is complete. No work remains to be split off.")
        }
        _ => Ok(()),
    }
}

/// Divides the numbers of a row.
///
/// # Errors
/// 400 when more is asked for than there is.
pub fn shares(row: &TaskRecord, request: &SplitRequest) -> ApiResult<Shares> {
    let open = 1.0 - (row.percent_complete / 100.0).clamp(0.0, 1.0);
    let is_done = row.percent_complete > 0.0;
    let left = |whole: i64| match is_done {
        true => (whole as f64 * open).ceil() as i64,
        false => whole / 2,
    };
    // The sum stays, and the first row keeps a day. A task of one day is divided by its points alone.
    let most = (row.duration - 1).max(1);
    let days = request
        .remaining_duration
        .as_given()
        .map_or_else(|| left(row.duration).clamp(1, most), |days| i64::from(*days));
    if days > most {
        let message = format!("May be at most {most}. The first row keeps at least one day.");
        return Err(ApiError::invalid_field("remaining_duration", message));
    }
    let asked = request.remaining_story_points.as_given().map(|points| i64::from(*points));
    let known = row.remaining_points.filter(|_| is_done);
    let points = row.story_points.map(|whole| asked.or(known).unwrap_or_else(|| left(whole)).min(whole));
    if let Some(asked) = asked.filter(|asked| *asked > row.story_points.unwrap_or_default()) {
        let message = format!("May be at most {}, not {asked}.", row.story_points.unwrap_or_default());
        return Err(ApiError::invalid_field("remaining_story_points", message));
    }
    Ok(Shares {
        is_done,
        days: [(row.duration - days).max(1), days],
        points: [row.story_points.zip(points).map(|(whole, left)| whole - left), points],
    })
}

/// Whether a limit holds the end of a task, which goes along with the remaining work.
fn holds_the_end(kind: ConstraintType) -> bool {
    use ConstraintType::*;
    matches!(kind, FinishNoEarlierThan | FinishNoLaterThan | MustFinishOn | FinishOn | AsLateAsPossible)
}

/// Whether a link goes along with the remaining work: one that waits for the end of the task, or holds its end.
pub fn goes_along(kind: DependencyType, is_predecessor: bool) -> bool {
    use DependencyType::*;
    match is_predecessor {
        true => matches!(kind, FinishToStart | FinishToFinish),
        false => matches!(kind, FinishToFinish | StartToFinish),
    }
}

/// What changes of the first part, by the names of the fields on the wire. What is done was done by the status date of the
/// project, if it has one.
pub fn first(row: &TaskRecord, shares: &Shares, status_date: Option<NaiveDate>) -> Json {
    let mut fields = Map::new();
    if shares.days[0] != row.duration {
        fields.insert("duration".into(), json!(shares.days[0]));
    }
    if let Some(points) = shares.points[0] {
        fields.insert("story_points".into(), json!(points));
        if row.remaining_points.is_some() {
            fields.insert("remaining_points".into(), json!(if shares.is_done { 0 } else { points }));
        }
    }
    if row.deadline.is_some() {
        fields.insert("deadline".into(), Json::Null);
    }
    if row.constraint_type.is_some_and(holds_the_end) {
        fields.insert("constraint_type".into(), Json::Null);
        fields.insert("constraint_date".into(), Json::Null);
    }
    if shares.is_done {
        fields.insert("status".into(), json!(TaskStatus::Complete));
        if let Some(date) = status_date.filter(|_| row.actual_finish.is_none()) {
            let finish = row.actual_start.map_or(date, |start| date.max(start));
            fields.insert("actual_finish".into(), json!(finish));
        }
    }
    Json::Object(fields)
}

/// The first part with its share of the estimates. Of what is done nothing varies, so its estimates stay.
pub fn with_own_estimates(row: &TaskRecord, shares: &Shares, whole: &TaskRecord) -> TaskRecord {
    if shares.is_done {
        return row.clone();
    }
    let part = |leg: Option<i64>| first_of(leg, shares, whole.duration);
    TaskRecord {
        optimistic_duration: part(whole.optimistic_duration),
        most_likely_duration: part(whole.most_likely_duration),
        pessimistic_duration: part(whole.pessimistic_duration),
        ..row.clone()
    }
}

/// The part of an estimate that so many of all days have; a day at least.
fn part_of(leg: Option<i64>, days: i64, all: i64) -> Option<i64> {
    leg.map(|leg| (leg as f64 * days as f64 / all.max(1) as f64).round().max(1.0) as i64)
}

/// What the first part has of an estimate while nothing is done. Where the estimate has two days, one is left to the second part.
fn first_of(leg: Option<i64>, shares: &Shares, all: i64) -> Option<i64> {
    leg.zip(part_of(leg, shares.days[0], all)).map(|(leg, first)| first.min((leg - 1).max(1)))
}

/// What the second part has of an estimate: what the first one leaves, or its own part if the first one is done.
fn rest_of(leg: Option<i64>, shares: &Shares, all: i64) -> Option<i64> {
    match shares.is_done {
        true => part_of(leg, shares.days[1], all),
        false => leg.zip(first_of(leg, shares, all)).map(|(leg, first)| (leg - first).max(1)),
    }
}

/// What hangs on the new row that was not there after the split, and what was and is gone, in words.
pub fn differences(then: &Hung, now: &Hung) -> Vec<String> {
    let kinds = [
        ("links", then.links != now.links),
        ("labels", then.labels != now.labels),
        ("resources", then.resources != now.resources),
        ("risks", then.risks != now.risks),
    ];
    kinds.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name.to_owned()).collect()
}

/// The fields of a row that a split changes, as they are now.
pub fn kept(row: &TaskRecord) -> Before {
    Before {
        duration: row.duration,
        story_points: row.story_points,
        remaining_points: row.remaining_points,
        deadline: row.deadline,
        constraint_type: row.constraint_type,
        constraint_date: row.constraint_date,
        status: row.status,
        percent_complete: row.percent_complete,
        actual_start: row.actual_start,
        actual_finish: row.actual_finish,
        optimistic_duration: row.optimistic_duration,
        most_likely_duration: row.most_likely_duration,
        pessimistic_duration: row.pessimistic_duration,
        estimate_status: row.estimate_status,
    }
}

/// A row with the fields that a split changed as they were before.
pub fn restored(row: &TaskRecord, before: &Before) -> TaskRecord {
    let Before {
        duration,
        story_points,
        remaining_points,
        deadline,
        constraint_type,
        constraint_date,
        status,
        percent_complete,
        actual_start,
        actual_finish,
        optimistic_duration,
        most_likely_duration,
        pessimistic_duration,
        estimate_status,
    } = before.clone();
    TaskRecord {
        duration,
        story_points,
        remaining_points,
        deadline,
        constraint_type,
        constraint_date,
        status,
        percent_complete,
        actual_start,
        actual_finish,
        optimistic_duration,
        most_likely_duration,
        pessimistic_duration,
        estimate_status,
        ..row.clone()
    }
}

/// The second part, made from a fresh row.
pub fn second(row: &TaskRecord, shares: &Shares, name: Option<String>, fresh: TaskRecord) -> TaskRecord {
    let ends = row.constraint_type.filter(|kind| holds_the_end(*kind));
    let leg = |leg: Option<i64>| rest_of(leg, shares, row.duration);
    TaskRecord {
        id: fresh.id,
        position: fresh.position,
        short_id: fresh.short_id,
        name: name.unwrap_or_else(|| rest(&row.name)),
        status: match row.status {
            TaskStatus::Backlog => TaskStatus::Backlog,
            _ => TaskStatus::NotStarted,
        },
        status_changed_at: fresh.status_changed_at,
        duration: shares.days[1],
        percent_complete: 0.0,
        planned_start: None,
        constraint_type: ends,
        constraint_date: row.constraint_date.filter(|_| ends.is_some()),
        actual_start: None,
        actual_finish: None,
        optimistic_duration: leg(row.optimistic_duration),
        most_likely_duration: leg(row.most_likely_duration),
        pessimistic_duration: leg(row.pessimistic_duration),
        story_points: shares.points[1],
        remaining_points: row.remaining_points.and(shares.points[1]),
        sprint_pending: false,
        blocked_reason: String::new(),
        blocker_type: None,
        blocking_task_id: None,
        blocked_since: None,
        blocked_by_id: None,
        source_kind: fresh.source_kind,
        source_id: fresh.source_id,
        source_version: fresh.source_version,
        seeded_at: fresh.seeded_at,
        edited_at: fresh.edited_at,
        created_at: fresh.created_at,
        server_version: fresh.server_version,
        ..row.clone()
    }
}

fn rest(name: &str) -> String {
    let kept: String = name.chars().take(512 - " (rest)".len()).collect();
    format!("{kept} (rest)")
}

#[cfg(test)]
mod tests {
    use planwright_domain::ids::{ProjectId, TaskId};
    use planwright_web::Input;
    use uuid::Uuid;

    use super::*;

    fn row(duration: i64, percent: f64, points: Option<i64>) -> TaskRecord {
        let fresh = TaskRecord::fresh(TaskId(Uuid::nil()), ProjectId(Uuid::nil()), Default::default());
        TaskRecord { duration, percent_complete: percent, story_points: points, ..fresh }
    }

    fn split(row: &TaskRecord, request: Json) -> ApiResult<Shares> {
        shares(row, &SplitRequest::read(request.as_object().unwrap()).unwrap())
    }

    #[test]
    fn the_part_that_is_not_done_is_split_off() {
        let parts = split(&row(10, 40.0, Some(5)), json!({})).unwrap();
        assert_eq!((parts.is_done, parts.days, parts.points), (true, [4, 6], [Some(2), Some(3)]));
    }

    #[test]
    fn a_task_that_has_not_begun_is_halved() {
        let parts = split(&row(5, 0.0, Some(8)), json!({})).unwrap();
        assert_eq!((parts.is_done, parts.days, parts.points), (false, [3, 2], [Some(4), Some(4)]));
        assert_eq!(
            split(&row(2, 90.0, None), json!({})).unwrap().days,
            [1, 1],
            "each part takes a day at least"
        );
        assert!(split(&row(4, 0.0, None), json!({"remaining_duration": 4})).is_err(), "the sum stays");
    }

    #[test]
    fn both_parts_of_a_task_that_has_not_begun_have_their_share_of_the_estimate() {
        let legs = (Some(8), Some(10), Some(12));
        let (optimistic_duration, most_likely_duration, pessimistic_duration) = legs;
        let whole = TaskRecord {
            optimistic_duration,
            most_likely_duration,
            pessimistic_duration,
            ..row(10, 0.0, None)
        };
        let shares = split(&whole, json!({})).unwrap();
        for part in
            [with_own_estimates(&whole, &shares, &whole), second(&whole, &shares, None, row(1, 0.0, None))]
        {
            let legs = (part.optimistic_duration, part.most_likely_duration, part.pessimistic_duration);
            assert_eq!(legs, (Some(4), Some(5), Some(6)));
        }
    }

    #[test]
    fn both_parts_of_an_estimate_add_up_to_it_however_few_days_one_of_them_gets() {
        for (duration, legs) in [(10, [1, 5, 10]), (11, [5, 13, 17]), (8, [2, 3, 4])] {
            let [optimistic_duration, most_likely_duration, pessimistic_duration] = legs.map(Some);
            let whole = TaskRecord {
                optimistic_duration,
                most_likely_duration,
                pessimistic_duration,
                ..row(duration, 0.0, None)
            };
            let shares = split(&whole, json!({"remaining_duration": 1})).unwrap();
            for leg in legs {
                let parts = [first_of(Some(leg), &shares, duration), rest_of(Some(leg), &shares, duration)];
                let sum: i64 = parts.into_iter().flatten().sum();
                assert_eq!(sum, leg.max(2), "{legs:?}: each part takes a day at least");
            }
        }
    }

    #[test]
    fn both_parts_of_an_estimate_add_up_to_it() {
        let whole = TaskRecord {
            optimistic_duration: Some(2),
            most_likely_duration: Some(9),
            pessimistic_duration: Some(11),
            ..row(10, 0.0, None)
        };
        let shares = split(&whole, json!({})).unwrap();
        let legs = |row: TaskRecord| {
            [row.optimistic_duration, row.most_likely_duration, row.pessimistic_duration].map(Option::unwrap)
        };
        assert_eq!(legs(with_own_estimates(&whole, &shares, &whole)), [1, 5, 6]);
        assert_eq!(legs(second(&whole, &shares, None, row(1, 0.0, None))), [1, 4, 5]);
    }

    #[test]
    fn the_first_part_keeps_what_was_earned_however_the_days_are_divided() {
        let half_done = row(10, 50.0, None);
        for days in [1, 3, 9] {
            let shares = split(&half_done, json!({"remaining_duration": days})).unwrap();
            assert_eq!(shares.of_promise(&half_done), 0.5);
        }
        let fresh = row(10, 0.0, None);
        assert_eq!(split(&fresh, json!({"remaining_duration": 3})).unwrap().of_promise(&fresh), 0.3);
    }

    #[test]
    fn a_caller_says_how_much_remains_within_what_there_is() {
        let asked = json!({"remaining_duration": 3, "remaining_story_points": 1});
        let parts = split(&row(4, 0.0, Some(8)), asked).unwrap();
        assert_eq!((parts.days, parts.points), ([1, 3], [Some(7), Some(1)]));
        assert!(split(&row(4, 0.0, None), json!({"remaining_duration": 5})).is_err());
        assert!(split(&row(4, 0.0, Some(3)), json!({"remaining_story_points": 4})).is_err());
    }

    #[test]
    fn the_end_of_a_task_goes_along_with_its_remaining_work() {
        use DependencyType::*;
        let along =
            [FinishToStart, StartToStart, FinishToFinish, StartToFinish].map(|kind| goes_along(kind, true));
        assert_eq!(along, [true, false, true, false]);
        let along =
            [FinishToStart, StartToStart, FinishToFinish, StartToFinish].map(|kind| goes_along(kind, false));
        assert_eq!(along, [false, false, true, true]);
        let finish = TaskRecord { constraint_type: Some(ConstraintType::MustFinishOn), ..row(4, 50.0, None) };
        let fields = first(&finish, &split(&finish, json!({})).unwrap(), NaiveDate::from_ymd_opt(2026, 3, 6));
        assert!(fields["constraint_type"].is_null());
        assert_eq!(fields["actual_finish"], "2026-03-06");
    }

    #[test]
    fn phases_milestones_and_finished_work_stay_whole() {
        assert!(may_split(&row(4, 0.0, None), true).is_err());
        assert!(may_split(&row(4, 100.0, None), false).is_err());
        assert!(may_split(&TaskRecord { is_milestone: true, ..row(0, 0.0, None) }, false).is_err());
        assert!(may_split(&row(4, 99.0, None), false).is_ok());
        assert!(may_split(&row(1, 0.0, Some(1)), false).is_err(), "one day has nothing to divide");
        assert!(may_split(&row(1, 0.0, Some(8)), false).is_ok(), "its points are divided");
    }
}
