//! Reads what the capacity function needs: people, what tasks ask of them in all projects, and everybody's working days.

use std::collections::HashMap;

use planwright_domain::ids::{CalendarId, ProjectId, ResourceId, TaskId};
use planwright_engine::{Calendar, Day};
use planwright_plan::schedule::calendars::{calendars, composed};
use planwright_plan::schedule::queries::projects;
use planwright_store::{Read, Result};

use super::load::{Demand, Supply, Usage, Window, counted_days, usage, working_days};
use super::queries::{self, Asking, DemandRow, NamedDemandRow, PersonRow};

/// People in a window, with what is asked of them and what of them is used.
pub struct Loads {
    pub window: Window,
    pub people: Vec<PersonRow>,
    /// The calendar in force in the project, without its overlays.
    pub calendar: Option<CalendarId>,
    /// The place of the calendar of the project.
    home: usize,
    /// What all projects use.
    pub usage: Usage,
    /// What the project alone uses.
    pub here: Usage,
    working: Vec<Vec<bool>>,
    /// The places of calendars that people and tasks have of their own.
    own_calendars: HashMap<CalendarId, usize>,
    supplies: Vec<Supply>,
}

impl Loads {
    /// The days that count of what a task of the project asks of the resource at a place.
    pub fn days(&self, supply: usize, row: &NamedDemandRow) -> impl Iterator<Item = Day> {
        let span = Window { first: Day(row.first_day), last: Day(row.last_day) };
        let own = row.calendar_id.and_then(|id| self.own_calendars.get(&id).copied());
        let demand = Demand { supply, units: row.units, span, calendar: own.unwrap_or(self.home) };
        counted_days(self.window, &self.working, self.supplies[supply], demand)
    }
}

/// Gathers people as a project sees them.
pub async fn gather(
    db: &dyn Read,
    project: ProjectId,
    people: Vec<PersonRow>,
    window: Window,
) -> Result<Loads> {
    let ids: Vec<ResourceId> = people.iter().map(|person| person.id).collect();
    let rows = queries::demands(db, &ids, window, Asking::All).await?;
    gathered(db, project, people, window, rows).await
}

async fn gathered(
    db: &dyn Read,
    project: ProjectId,
    people: Vec<PersonRow>,
    window: Window,
    rows: Vec<DemandRow>,
) -> Result<Loads> {
    let mut wanted: Vec<ProjectId> = rows.iter().map(|row| row.project_id).chain([project]).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let inputs = projects(db, &wanted).await?;
    let calendar = inputs.iter().find(|input| input.id == project).and_then(|input| input.calendar_id);
    let mut of_projects = composed(db, &inputs).await?;
    let mut working: Vec<Vec<bool>> = Vec::new();
    let mut place_of_project = HashMap::new();
    for id in &wanted {
        place_of_project.insert(*id, working.len());
        working.push(working_days(&of_projects.remove(id).unwrap_or_default(), window));
    }
    let of_tasks = rows.iter().filter_map(|row| row.calendar_id);
    let mut own: Vec<CalendarId> =
        people.iter().filter_map(|person| person.calendar_id).chain(of_tasks).collect();
    own.sort_unstable();
    own.dedup();
    let mut place_of_calendar = HashMap::new();
    for (id, calendar) in read(db, &own).await? {
        place_of_calendar.insert(id, working.len());
        working.push(working_days(&calendar, window));
    }
    let supply = |person: &PersonRow| Supply {
        units: person.max_units,
        calendar: person.calendar_id.and_then(|id| place_of_calendar.get(&id).copied()),
    };
    let supplies: Vec<Supply> = people.iter().map(supply).collect();
    let place_of_person: HashMap<ResourceId, usize> =
        people.iter().enumerate().map(|(place, person)| (person.id, place)).collect();
    let placed = |row: &DemandRow| {
        let own = row.calendar_id.and_then(|id| place_of_calendar.get(&id));
        Some(Demand {
            supply: *place_of_person.get(&row.resource_id)?,
            units: row.units,
            span: Window { first: Day(row.first_day), last: Day(row.last_day) },
            calendar: *own.or(place_of_project.get(&row.project_id))?,
        })
    };
    let all: Vec<Demand> = rows.iter().filter_map(placed).collect();
    let home = place_of_project.get(&project).copied().unwrap_or_default();
    let own: Vec<Demand> = rows.iter().filter(|row| row.project_id == project).filter_map(placed).collect();
    let here: Vec<Supply> = people
        .iter()
        .zip(&supplies)
        .map(|(person, supply)| Supply { units: person.units_override.unwrap_or(supply.units), ..*supply })
        .collect();
    Ok(Loads {
        usage: usage(window, &working, home, &supplies, &all),
        here: usage(window, &working, home, &here, &own),
        window,
        people,
        calendar,
        home,
        working,
        own_calendars: place_of_calendar,
        supplies,
    })
}

async fn read(db: &dyn Read, ids: &[CalendarId]) -> Result<Vec<(CalendarId, Calendar)>> {
    if ids.is_empty() { Ok(Vec::new()) } else { calendars(db, ids).await }
}

/// The days of a task on which a resource has more open work than capacity, in all projects or in that of the task.
pub async fn overloaded_days(
    db: &dyn Read,
    project: ProjectId,
    task: TaskId,
    resource: ResourceId,
) -> Result<Vec<Day>> {
    let Some((first, last)) = queries::task_span(db, task).await? else { return Ok(Vec::new()) };
    let window = Window { first: Day(first), last: Day(last) };
    let Some(person) = queries::person(db, project, resource).await? else { return Ok(Vec::new()) };
    let rows = queries::demands(db, &[resource], window, Asking::Open).await?;
    let loads = gathered(db, project, vec![person], window, rows).await?;
    let mut days: Vec<Day> = loads.usage.overloaded(0).chain(loads.here.overloaded(0)).collect();
    days.sort_unstable();
    days.dedup();
    Ok(days)
}
