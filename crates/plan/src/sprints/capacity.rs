//! What a sprint asks of the people who do its tasks, and what they have, in hours.
//! A calendar of a person goes before that of the project.

use std::collections::HashMap;

use chrono::NaiveDate;
use planwright_domain::ids::{CalendarId, ProjectId, ResourceId, SprintId};
use planwright_engine::{Calendar, Day};
use planwright_store::{Read, Result, row, sql};

use crate::schedule::calendars::{calendars, working_days};
use crate::schedule::network::{date, day};

row! {
    /// An allocation of a task of a sprint.
    pub struct Asked {
        pub resource_id: ResourceId,
        pub name: String,
        /// Hundredths of a person.
        pub units: i64,
        /// What of the person the project has, in hundredths.
        pub max_units: i64,
        pub calendar_id: Option<CalendarId>,
        pub first_day: Option<i32>,
        pub last_day: Option<i32>,
    }
}

/// The allocations of the tasks of a sprint, by name of who does them.
async fn asked(db: &impl Read, sprint: SprintId) -> Result<Vec<Asked>> {
    let select =
        "SELECT r.id AS resource_id, r.name, a.units, COALESCE(x.units_override, r.max_units) AS max_units,
            r.calendar_id, COALESCE(d.scheduled_start, d.early_start) AS first_day, d.early_finish AS last_day
         FROM tasks t JOIN task_resources a ON a.task_id = t.id AND a.deletion_id IS NULL
         JOIN resources r ON r.id = a.resource_id
         LEFT JOIN project_resources x
            ON x.resource_id = r.id AND x.project_id = t.project_id AND x.deletion_id IS NULL
         LEFT JOIN task_schedule d ON d.task_id = t.id
         WHERE t.sprint_id = :sprint AND t.deletion_id IS NULL AND NOT t.sprint_pending
         ORDER BY r.name, r.id";
    db.all(sql!(select, sprint = sprint)).await
}

/// What a sprint asks of one person, and what that person has.
#[derive(Clone, Debug, PartialEq)]
pub struct MemberLoad {
    /// Who it is.
    pub resource: ResourceId,
    /// Their name.
    pub name: String,
    /// What the tasks ask.
    pub committed_hours: f64,
    /// What the person has.
    pub available_hours: f64,
}

impl MemberLoad {
    /// Whether more is asked than there is.
    pub fn is_over(&self) -> bool {
        self.committed_hours > self.available_hours
    }
}

/// The working time around a sprint.
#[derive(Clone, Debug)]
pub struct Time {
    /// Its first and its last day.
    pub window: (NaiveDate, NaiveDate),
    /// The working days of the project.
    pub calendar: Calendar,
    /// The working days of people who have their own.
    pub own: HashMap<CalendarId, Calendar>,
    /// How long a day is.
    pub hours_per_day: f64,
}

/// What a sprint from one day to another asks of people, by name, with the working time that it lies in.
pub async fn members(
    db: &impl Read,
    project: ProjectId,
    sprint: SprintId,
    window: (NaiveDate, NaiveDate),
) -> Result<(Vec<MemberLoad>, Time)> {
    let rows = asked(db, sprint).await?;
    let mut named: Vec<CalendarId> = rows.iter().filter_map(|row| row.calendar_id).collect();
    named.sort_unstable();
    named.dedup();
    let time = Time {
        window,
        calendar: working_days(db, project).await?,
        own: calendars(db, &named).await?.into_iter().collect(),
        hours_per_day: hours_per_day(db, project).await?,
    };
    Ok((loads(&rows, &time), time))
}

async fn hours_per_day(db: &impl Read, project: ProjectId) -> Result<f64> {
    let select = "SELECT c.hours_per_day FROM projects p LEFT JOIN programs g ON g.id = p.program_id
            AND g.deletion_id IS NULL JOIN workspace w ON w.id = 1
         JOIN calendars c ON c.id = COALESCE(p.calendar_id, g.calendar_id, w.calendar_id) WHERE p.id = :project";
    Ok(db.scalar(sql!(select, project = project)).await?.unwrap_or(8.0))
}

/// What allocations add up to for each person; a task without dates counts as long as the sprint.
pub fn loads(rows: &[Asked], time: &Time) -> Vec<MemberLoad> {
    let (first, last) = time.window;
    let mut loads: Vec<MemberLoad> = Vec::new();
    for row in rows {
        let calendar = row.calendar_id.and_then(|id| time.own.get(&id)).unwrap_or(&time.calendar);
        let hours = |units: i64, from: Day, to: Day| {
            units as f64 / 100.0 * f64::from(calendar.working_days(from, to)) * time.hours_per_day
        };
        let begins = row.first_day.and_then(date).map_or(first, |start| start.max(first));
        let ends = row.last_day.and_then(date).map_or(last, |finish| finish.min(last));
        let committed = if begins > ends { 0.0 } else { hours(row.units, day(begins), day(ends)) };
        match loads.last_mut().filter(|load| load.resource == row.resource_id) {
            Some(load) => load.committed_hours += committed,
            None => loads.push(MemberLoad {
                resource: row.resource_id,
                name: row.name.clone(),
                committed_hours: committed,
                available_hours: hours(row.max_units, day(first), day(last)),
            }),
        }
    }
    loads
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn on(day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 1, day).unwrap()
    }

    fn asked(person: u128, units: i64, days: Option<(u32, u32)>) -> Asked {
        Asked {
            resource_id: ResourceId(Uuid::from_u128(person)),
            name: String::new(),
            units,
            max_units: 100,
            calendar_id: None,
            first_day: days.map(|days| day(on(days.0)).0),
            last_day: days.map(|days| day(on(days.1)).0),
        }
    }

    #[test]
    fn a_task_counts_with_its_days_inside_the_sprint_and_wholly_without_dates() {
        let time = Time {
            window: (on(5), on(16)),
            calendar: Calendar::default(),
            own: HashMap::new(),
            hours_per_day: 8.0,
        };
        let rows = [asked(1, 50, Some((1, 6))), asked(1, 100, Some((19, 23))), asked(2, 150, None)];
        let loads = loads(&rows, &time);
        let hours: Vec<_> = loads.iter().map(|load| (load.committed_hours, load.available_hours)).collect();
        assert_eq!(hours, [(8.0, 80.0), (120.0, 80.0)]);
        assert!(!loads[0].is_over() && loads[1].is_over());
    }
}
