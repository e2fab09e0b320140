//! Which durations a velocity suggests, and what may be done with a suggestion: pure.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{SprintId, VelocitySuggestionId};
use planwright_domain::words::{TaskStatus, TaskType};
use planwright_engine::Calendar;
use planwright_plan::schedule::network::day;
use planwright_plan::sprints::VelocityGate;
use planwright_plan::sprints::velocity::Completed;
use planwright_plan::tasks::write::TaskRecord;
use planwright_web::{ApiError, ApiResult};

use super::model::{ListedRow, SuggestionRow, VelocitySuggestion};

/// How many sprints have to be over before anything is suggested.
const FEWEST_SPRINTS: usize = 3;

/// The velocity of a team in thousandths of a point a working day; nothing without sprints enough.
pub fn velocity_per_day(past: &[Completed], calendar: &Calendar) -> Option<i64> {
    if past.len() < FEWEST_SPRINTS {
        return None;
    }
    let days =
        |sprint: &Completed| calendar.working_days(day(sprint.start_date), day(sprint.finish_date)).max(1);
    let sum: f64 = past.iter().map(|sprint| sprint.points as f64 / f64::from(days(sprint))).sum();
    let thousandths = (sum / past.len() as f64 * 1000.0).round() as i64;
    (thousandths > 0).then_some(thousandths)
}

/// The duration that a velocity suggests for a task that was not finished; nothing when it is planned like that.
pub fn suggested(
    id: VelocitySuggestionId,
    sprint: SprintId,
    task: &TaskRecord,
    per_day: i64,
    now: DateTime<Utc>,
) -> Option<SuggestionRow> {
    let open = task.status != TaskStatus::Complete && !task.is_milestone && !task.is_subtask;
    let points = task.story_points.filter(|points| *points > 0 && open && task.r#type != TaskType::Epic)?;
    let days = ((points * 1000) as f64 / per_day as f64).round().clamp(1.0, 36_525.0) as i64;
    let planned = task.most_likely_duration.unwrap_or(task.duration);
    (days != planned).then(|| SuggestionRow {
        id,
        project_id: task.project_id,
        task_id: task.id,
        sprint_id: sprint,
        suggested_duration: days,
        team_velocity_per_day: per_day,
        flag_for_review: (days - planned).abs() * 2 > planned,
        created_at: now,
        accepted_at: None,
        accepted_by: None,
        dismissed_at: None,
        dismissed_by: None,
        server_version: 1,
    })
}

/// Whether there is anything left to accept; doing it twice is fine.
pub fn is_acceptable(row: &SuggestionRow) -> ApiResult<bool> {
    match row.dismissed_at {
        Some(_) => Err(ApiError::conflict("The suggestion was dismissed.")),
        None => Ok(row.accepted_at.is_none()),
    }
}

/// Whether there is anything left to dismiss; doing it twice is fine.
pub fn is_dismissable(row: &SuggestionRow) -> ApiResult<bool> {
    match row.accepted_at {
        Some(_) => Err(ApiError::conflict("The suggestion was accepted.")),
        None => Ok(row.dismissed_at.is_none()),
    }
}

/// Refuses a most likely duration that is not between the two others.
pub fn fits(task: &TaskRecord, days: i64) -> ApiResult<()> {
    let too_short = task.optimistic_duration.is_some_and(|best| days < best);
    let too_long = task.pessimistic_duration.is_some_and(|worst| days > worst);
    match too_short || too_long {
        true => Err(ApiError::unprocessable(
            "The suggested duration is below the optimistic or above the pessimistic one.",
        )
        .with_code("invalid_three_point_estimate")),
        false => Ok(()),
    }
}

/// A suggestion for whose eyes.
pub fn shown(listed: ListedRow, gate: VelocityGate) -> VelocitySuggestion {
    let ListedRow { sprint_name, row } = listed;
    let thousandths = row.team_velocity_per_day;
    VelocitySuggestion {
        id: row.id,
        task: row.task_id,
        sprint_id: row.sprint_id,
        sprint_name,
        suggested_duration: gate.lets(Some(row.suggested_duration)),
        team_velocity_per_day: gate.lets(Some(format!("{}.{:03}", thousandths / 1000, thousandths % 1000))),
        flag_for_review: row.flag_for_review,
        is_pending: row.accepted_at.is_none() && row.dismissed_at.is_none(),
        created_at: row.created_at,
        accepted_at: row.accepted_at,
        accepted_by: row.accepted_by,
        dismissed_at: row.dismissed_at,
        dismissed_by: row.dismissed_by,
    }
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;
    use planwright_domain::ids::{ProjectId, TaskId};
    use planwright_engine::CalendarException;
    use uuid::Uuid;

    use super::*;

    fn past(points: &[i64]) -> Vec<Completed> {
        let on = |day| NaiveDate::from_ymd_opt(2026, 1, day).unwrap();
        let id = SprintId(Uuid::nil());
        points
            .iter()
            .map(|points| Completed { id, start_date: on(5), finish_date: on(16), points: *points })
            .collect()
    }

    #[test]
    fn a_velocity_a_day_takes_three_sprints_and_knows_holidays() {
        let week = Calendar::default();
        assert_eq!(velocity_per_day(&past(&[10, 20]), &week), None);
        assert_eq!(velocity_per_day(&past(&[10, 20, 30]), &week), Some(2000));
        let monday = day(NaiveDate::from_ymd_opt(2026, 1, 5).unwrap());
        let holiday =
            CalendarException { first: monday, last: planwright_engine::Day(monday.0 + 1), working: false };
        let short = Calendar { exceptions: vec![holiday], ..week };
        assert_eq!(velocity_per_day(&past(&[10, 20, 30]), &short), Some(2500));
        assert_eq!(velocity_per_day(&past(&[0, 0, 0]), &short), None);
    }

    #[test]
    fn unfinished_tasks_with_points_get_a_suggestion_when_it_differs() {
        let fresh = TaskRecord::fresh(TaskId(Uuid::nil()), ProjectId(Uuid::nil()), Default::default());
        let task = TaskRecord { story_points: Some(5), duration: 3, ..fresh };
        let of = |task: &TaskRecord| {
            let (id, sprint) = (VelocitySuggestionId(Uuid::nil()), SprintId(Uuid::nil()));
            suggested(id, sprint, task, 2000, Default::default())
        };
        assert!(of(&task).is_none(), "5 points at 2 a day are 3 days, as planned");
        let long = of(&TaskRecord { duration: 10, ..task.clone() }).unwrap();
        assert_eq!((long.suggested_duration, long.flag_for_review), (3, true));
        assert!(!of(&TaskRecord { duration: 4, ..task.clone() }).unwrap().flag_for_review);
        assert!(of(&TaskRecord { duration: 4, status: TaskStatus::Complete, ..task }).is_none());
    }
}
