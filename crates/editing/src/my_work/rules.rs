//! When a task is due and in which group it stands; without database or clock.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::words::{SprintState, Word};
use planwright_plan::schedule::network::date;
use planwright_plan::tasks::rules::short_number;

use super::model::*;

/// When a task is due, and where the day comes from. A day that somebody set goes before one that was computed.
pub fn due(row: &MyWorkRow) -> Option<(NaiveDate, DueSource)> {
    let from = |day: Option<NaiveDate>, source| day.map(|day| (day, source));
    from(row.actual_finish, DueSource::Actual)
        .or_else(|| from(row.deadline, DueSource::Planned))
        .or_else(|| from(row.early_finish.and_then(date), DueSource::Estimated))
        .or_else(|| from(row.sprint_finish, DueSource::Sprint))
}

/// When the person has to look at a task.
pub fn group(due: Option<NaiveDate>, sprint: Option<SprintState>, today: NaiveDate) -> WorkGroup {
    match (due, sprint) {
        (Some(due), _) if due <= today => WorkGroup::Today,
        (_, Some(SprintState::Active)) => WorkGroup::ThisSprint,
        _ => WorkGroup::Upcoming,
    }
}

/// A task as its person reads it.
pub fn shown(row: MyWorkRow, now: DateTime<Utc>) -> MeWorkTask {
    let (due, due_source) = due(&row).unzip();
    let number = short_number(&row.short_id);
    let code = if row.project_code.is_empty() { "T" } else { &row.project_code };
    MeWorkTask {
        short_id_display: format!("T-{number}"),
        qualified_id: format!("{code}-{number}"),
        due,
        due_source,
        group: group(due, row.sprint_state, now.date_naive()),
        is_critical: row.is_critical,
        is_blocked: row.blocked_since.is_some(),
        blocked_reason: if row.is_own { row.blocked_reason } else { String::new() },
        blocker_type: row.blocker_type.map(|kind| kind.as_str().to_owned()).unwrap_or_default(),
        blocked_age_seconds: row.blocked_since.map(|since| (now - since).num_seconds().max(0)),
        url: format!("/projects/{}/tasks/{}", row.project_id, row.id),
        id: row.id,
        short_id: row.short_id,
        name: row.name,
        project_id: row.project_id,
        project_name: row.project_name,
        program_id: row.program_id,
        program_name: row.program_name,
        program_color: row.program_color,
        sprint_id: row.sprint_id,
        sprint_name: row.sprint_name,
        sprint_pending: row.sprint_pending,
        status: row.status,
        story_points: row.story_points,
        remaining_points: row.remaining_points,
        server_version: row.server_version,
    }
}

impl RunningRow {
    /// The sprint as its person reads it.
    pub fn shown(self, today: NaiveDate) -> MyRunningSprint {
        let days_remaining = (self.finish_date - today).num_days();
        let Self { id, name, project_id, project_name, finish_date, task_count } = self;
        MyRunningSprint { id, name, project_id, project_name, finish_date, days_remaining, task_count }
    }
}

impl From<SignalSums> for MyWorkSignals {
    fn from(sums: SignalSums) -> Self {
        let SignalSums { open_tasks: open, critical, overdue, blocked, .. } = sums;
        Self {
            schedule_health: MyScheduleHealth { open, critical, overdue, blocked },
            forecast: MyForecast { finish: sums.last_finish.and_then(date) },
            sprint_burndown: MySprintBurndown {
                total_points: sums.sprint_points,
                remaining_points: sums.sprint_remaining,
            },
            utilization: MyUtilization { tasks_today: sums.running_today },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 3, day).unwrap()
    }

    #[test]
    fn what_is_due_today_or_before_stands_before_the_sprint() {
        let running = Some(SprintState::Active);
        assert_eq!(group(Some(on(4)), running, on(5)), WorkGroup::Today);
        assert_eq!(group(Some(on(5)), None, on(5)), WorkGroup::Today);
        assert_eq!(group(Some(on(6)), running, on(5)), WorkGroup::ThisSprint);
        assert_eq!(group(None, running, on(5)), WorkGroup::ThisSprint);
    }

    #[test]
    fn a_sprint_that_does_not_run_yet_makes_nothing_urgent() {
        assert_eq!(group(Some(on(6)), Some(SprintState::Planned), on(5)), WorkGroup::Upcoming);
        assert_eq!(group(None, None, on(5)), WorkGroup::Upcoming);
    }
}
