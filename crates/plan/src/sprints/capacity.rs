//! How much of a team a sprint uses: hours that its tasks ask of each member, against the hours that the member works.
//! Holidays of the project and days off of a member count for neither side. Several sprints are read as one.

use std::collections::HashMap;

use planwright_domain::ids::{CalendarId, ProjectId, ResourceId, SprintId};
use planwright_domain::words::CapacityLabel;
use planwright_engine::{Calendar, Day};
use planwright_store::value::list;
use planwright_store::{Read, Result, row, sql};

use super::SprintRow;
use crate::schedule::calendars::{calendars, composed};
use crate::schedule::network::day;
use crate::schedule::queries::projects;

/// From which share of the hours on, a team is at risk; above 1 it has too much to do.
const AT_RISK: f64 = 0.9;

/// The hours of a day where no calendar says them.
const USUAL_HOURS: f64 = 8.0;

/// A member of a team and their hours in a sprint.
#[derive(Clone, Debug, PartialEq)]
pub struct MemberHours {
    /// The resource.
    pub member: ResourceId,
    /// Its name.
    pub name: String,
    /// What the tasks of the sprint ask.
    pub committed: f64,
    /// What the member works in the sprint.
    pub available: f64,
    /// Days on which the project works and the member does not.
    pub days_off: i64,
}

/// How much of a team a sprint uses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SprintCapacity {
    /// Everybody on the roster or allocated to a task of the sprint, by name.
    pub members: Vec<MemberHours>,
    /// The days of the sprint on which the project works.
    pub working_days: i64,
    /// The hours of such a day.
    pub hours_per_day: f64,
}

/// A share of available hours; more than all when there are none and something is asked.
pub fn ratio(committed: f64, available: f64) -> f64 {
    let share = match (committed > 0.0, available > 0.0) {
        (false, _) => 0.0,
        (true, true) => committed / available,
        (true, false) => f64::from(u16::MAX),
    };
    (share * 10_000.0).round() / 10_000.0
}

/// What a share says.
pub fn label(ratio: f64) -> CapacityLabel {
    match ratio {
        ratio if ratio > 1.0 => CapacityLabel::OverCapacity,
        ratio if ratio >= AT_RISK => CapacityLabel::AtRisk,
        _ => CapacityLabel::OnTrack,
    }
}

impl MemberHours {
    /// The share of their hours that is asked.
    pub fn ratio(&self) -> f64 {
        ratio(self.committed, self.available)
    }

    /// Whether more is asked than they work.
    pub fn is_over(&self) -> bool {
        self.ratio() > 1.0
    }
}

impl SprintCapacity {
    /// The hours that are asked of all, and those that all work.
    pub fn totals(&self) -> (f64, f64) {
        // The sum of nothing is a negative zero in floating point.
        let sum = |figure: fn(&MemberHours) -> f64| {
            self.members.iter().map(figure).fold(0.0, |sum, hours| sum + hours)
        };
        (sum(|member| member.committed), sum(|member| member.available))
    }

    /// The share of all hours that is asked.
    pub fn ratio(&self) -> f64 {
        let (committed, available) = self.totals();
        ratio(committed, available)
    }
}

row! {
    struct MemberRow {
        sprint_id: SprintId,
        resource_id: ResourceId,
        name: String,
        units: i64,
        calendar_id: Option<CalendarId>,
    }
}

row! {
    struct DemandRow {
        sprint_id: SprintId,
        resource_id: ResourceId,
        units: i64,
        calendar_id: Option<CalendarId>,
        first_day: Option<i32>,
        last_day: Option<i32>,
    }
}

/// The calendars that capacity is counted on.
struct Working {
    of_projects: HashMap<ProjectId, (Calendar, Option<CalendarId>)>,
    own: HashMap<CalendarId, Calendar>,
    hours: HashMap<CalendarId, f64>,
}

impl Working {
    fn hours(&self, calendar: Option<CalendarId>) -> f64 {
        calendar.and_then(|id| self.hours.get(&id)).copied().unwrap_or(USUAL_HOURS)
    }
}

/// How much of a team each of some sprints uses.
pub async fn capacities(db: &dyn Read, sprints: &[SprintRow]) -> Result<HashMap<SprintId, SprintCapacity>> {
    let ids: Vec<SprintId> = sprints.iter().map(|sprint| sprint.id).collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let members = members(db, &ids).await?;
    let demands = demands(db, &ids).await?;
    let working = working(db, sprints, &members, &demands).await?;
    let of = |sprint: &SprintRow| {
        let own = members.iter().filter(|member| member.sprint_id == sprint.id);
        let asked: Vec<&DemandRow> = demands.iter().filter(|row| row.sprint_id == sprint.id).collect();
        (sprint.id, capacity(sprint, own, &asked, &working))
    };
    Ok(sprints.iter().map(of).collect())
}

fn capacity<'a>(
    sprint: &SprintRow,
    members: impl Iterator<Item = &'a MemberRow>,
    demands: &[&DemandRow],
    working: &Working,
) -> SprintCapacity {
    let (project, base) = working.of_projects.get(&sprint.project_id).cloned().unwrap_or_default();
    let span = (day(sprint.start_date), day(sprint.finish_date));
    let hours_per_day = working.hours(base);
    let whole = worked(&project, None, span);
    let of = |member: &MemberRow| {
        let own = member.calendar_id.and_then(|id| working.own.get(&id));
        let hours = if own.is_some() { working.hours(member.calendar_id) } else { hours_per_day };
        let asked = demands.iter().filter(|row| row.resource_id == member.resource_id);
        let of_task = |row: &DemandRow| row.calendar_id.and_then(|id| working.own.get(&id));
        let committed =
            |row: &&DemandRow| row.units * worked(of_task(row).unwrap_or(&project), own, within(row, span));
        let committed: i64 = asked.map(committed).sum();
        let days = worked(&project, own, span);
        MemberHours {
            member: member.resource_id,
            name: member.name.clone(),
            committed: committed as f64 * hours / 100.0,
            available: (member.units * days) as f64 * hours / 100.0,
            days_off: whole - days,
        }
    };
    SprintCapacity { members: members.map(of).collect(), working_days: whole, hours_per_day }
}

/// The part of a task's span that lies in the sprint; the whole sprint for a task without dates.
fn within(row: &DemandRow, (first, last): (Day, Day)) -> (Day, Day) {
    match row.first_day.zip(row.last_day) {
        Some((start, finish)) => (Day(start).max(first), Day(finish).min(last)),
        None => (first, last),
    }
}

/// The days of a span that the project or the task works, and the member too if they have a calendar of their own.
fn worked(base: &Calendar, own: Option<&Calendar>, (first, last): (Day, Day)) -> i64 {
    let works = |day: &Day| base.is_working(*day) && own.is_none_or(|own| own.is_working(*day));
    (first.0..=last.0).map(Day).filter(works).count() as i64
}

async fn working(
    db: &dyn Read,
    sprints: &[SprintRow],
    members: &[MemberRow],
    demands: &[DemandRow],
) -> Result<Working> {
    let mut ids: Vec<ProjectId> = sprints.iter().map(|sprint| sprint.project_id).collect();
    ids.sort_unstable();
    ids.dedup();
    let inputs = projects(db, &ids).await?;
    let mut found = composed(db, &inputs).await?;
    let of_projects = inputs
        .iter()
        .map(|input| (input.id, (found.remove(&input.id).unwrap_or_default(), input.calendar_id)));
    let of_projects: HashMap<_, _> = of_projects.collect();
    let of_tasks = demands.iter().filter_map(|row| row.calendar_id);
    let mut own: Vec<CalendarId> =
        members.iter().filter_map(|member| member.calendar_id).chain(of_tasks).collect();
    own.sort_unstable();
    own.dedup();
    let bases = of_projects.values().filter_map(|(_, base)| *base);
    let timed: Vec<CalendarId> = own.iter().copied().chain(bases).collect();
    Ok(Working {
        own: calendars(db, &own).await?.into_iter().collect(),
        hours: hours(db, &timed).await?.into_iter().collect(),
        of_projects,
    })
}

/// Who is on the roster of the project of each sprint or allocated to one of its tasks, by name.
async fn members(db: &dyn Read, sprints: &[SprintId]) -> Result<Vec<MemberRow>> {
    let select = "SELECT s.id AS sprint_id, r.id AS resource_id, r.name,
            COALESCE(x.units_override, r.max_units) AS units, r.calendar_id
         FROM sprints s JOIN resources r ON r.deletion_id IS NULL
         LEFT JOIN project_resources x
            ON x.resource_id = r.id AND x.project_id = s.project_id AND x.deletion_id IS NULL
         WHERE s.id IN (:sprints) AND (x.id IS NOT NULL OR r.id IN (
            SELECT a.resource_id FROM tasks t JOIN task_resources a ON a.task_id = t.id AND a.deletion_id IS NULL
            WHERE t.sprint_id = s.id AND t.deletion_id IS NULL))
         ORDER BY r.name, r.id";
    db.all(sql!(select, sprints = list(sprints.iter().copied()))).await
}

/// What the tasks of each sprint ask of whom, and when. Work that waits for a decision asks nothing.
async fn demands(db: &dyn Read, sprints: &[SprintId]) -> Result<Vec<DemandRow>> {
    let select = "SELECT t.sprint_id, a.resource_id, a.units, t.calendar_id,
            COALESCE(d.scheduled_start, d.early_start) AS first_day, d.early_finish AS last_day
         FROM tasks t JOIN task_resources a ON a.task_id = t.id AND a.deletion_id IS NULL
         LEFT JOIN task_schedule d ON d.task_id = t.id
         WHERE t.sprint_id IN (:sprints) AND t.deletion_id IS NULL AND NOT t.sprint_pending";
    db.all(sql!(select, sprints = list(sprints.iter().copied()))).await
}

/// The hours of a day of some calendars.
async fn hours(db: &dyn Read, calendars: &[CalendarId]) -> Result<Vec<(CalendarId, f64)>> {
    let select = "SELECT id, hours_per_day FROM calendars WHERE id IN (:ids)";
    db.all(sql!(select, ids = list(calendars.iter().copied()))).await
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, NaiveDate};
    use planwright_domain::ids::UserId;
    use planwright_engine::CalendarException;
    use uuid::Uuid;

    use super::*;

    fn sprint() -> SprintRow {
        let date = |day| NaiveDate::from_ymd_opt(2026, 1, day).unwrap();
        let (nil, now) = (Uuid::nil(), DateTime::default());
        SprintRow::fresh(SprintId(nil), ProjectId(nil), "1".into(), (date(5), date(16)), UserId(nil), now)
    }

    fn member(calendar: Option<CalendarId>) -> MemberRow {
        let (sprint_id, resource_id) = (SprintId(Uuid::nil()), ResourceId(Uuid::nil()));
        MemberRow { sprint_id, resource_id, name: "Mara".into(), units: 100, calendar_id: calendar }
    }

    fn asked(units: i64, days: Option<(u32, u32)>) -> DemandRow {
        let place = |date| day(NaiveDate::from_ymd_opt(2026, 1, date).unwrap()).0;
        let (sprint_id, resource_id) = (SprintId(Uuid::nil()), ResourceId(Uuid::nil()));
        let (first_day, last_day) = (days.map(|(first, _)| place(first)), days.map(|(_, last)| place(last)));
        DemandRow { sprint_id, resource_id, units, calendar_id: None, first_day, last_day }
    }

    fn found(member: &MemberRow, demands: &[DemandRow], own: Option<Calendar>) -> SprintCapacity {
        let working = Working {
            of_projects: HashMap::new(),
            own: own.into_iter().map(|own| (CalendarId(Uuid::nil()), own)).collect(),
            hours: HashMap::from([(CalendarId(Uuid::nil()), 6.0)]),
        };
        capacity(&sprint(), std::iter::once(member), &demands.iter().collect::<Vec<_>>(), &working)
    }

    #[test]
    fn a_task_asks_for_the_working_days_that_lie_in_the_sprint() {
        let capacity = found(&member(None), &[asked(50, Some((14, 20))), asked(100, None)], None);
        let member = &capacity.members[0];
        assert_eq!((capacity.working_days, member.available), (10, 80.0));
        assert_eq!(member.committed, 3.0 * 4.0 + 10.0 * 8.0);
        assert_eq!(
            (member.ratio(), member.is_over(), label(member.ratio())),
            (1.15, true, CapacityLabel::OverCapacity)
        );
    }

    #[test]
    fn days_off_count_for_neither_side() {
        let off = CalendarException {
            first: day(sprint().start_date),
            last: day(sprint().start_date),
            working: false,
        };
        let own = Calendar { exceptions: vec![off], ..Calendar::default() };
        let capacity = found(&member(Some(CalendarId(Uuid::nil()))), &[asked(100, None)], Some(own));
        let member = &capacity.members[0];
        assert_eq!((member.committed, member.available, member.days_off), (54.0, 54.0, 1));
    }

    #[test]
    fn work_for_somebody_without_hours_is_too_much() {
        assert_eq!((ratio(0.0, 0.0), label(ratio(1.0, 0.0))), (0.0, CapacityLabel::OverCapacity));
        assert_eq!(
            [0.89, 0.9, 1.0].map(label),
            [CapacityLabel::OnTrack, CapacityLabel::AtRisk, CapacityLabel::AtRisk]
        );
    }
}
