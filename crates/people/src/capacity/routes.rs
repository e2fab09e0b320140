//! Utilization, heat map and summary of the people of a project.
//! Work in other projects counts and is not named.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use axum::extract::State;
use chrono::{Datelike, Days, NaiveDate};
use planwright_domain::access::may;
use planwright_domain::ids::{CalendarId, ProjectId, ResourceId, UserId};
use planwright_domain::person;
use planwright_domain::words::{HeatmapGrouping, ResourceKind};
use planwright_engine::Day;
use planwright_plan::schedule::network::{date, day};
use planwright_plan::tasks::rules::units_text;
use planwright_store::Read;
use planwright_web::{ApiError, ApiResult, App, Json, ProjectScope, Query, Routes, says};

use super::gather::{Loads, gather};
use super::load::{Window, band, percent};
use super::model::*;
use super::queries::{self, NamedDemandRow, PersonRow};

const UTILIZATION: &str = "/api/v1/projects/{id}/utilization/";
const HEATMAP: &str = "/api/v1/projects/{id}/resources/heatmap/";
const SUMMARY: &str = "/api/v1/projects/{id}/resources/summary/";

/// How far a page of loads looks back and ahead.
const REACH_DAYS: u64 = 56;

/// How many days a page of loads shows at most.
const LONGEST_WINDOW_DAYS: usize = 1098;

/// How many weeks the summary looks ahead, and a heat map unless said otherwise.
const WEEKS: i64 = 8;

/// Below which load, in percent, somebody has time to spare.
const UNDER_UTILIZED: i64 = 50;

/// The routes of this file.
pub fn table() -> Routes {
    let of = |summary| says(summary).also_answers(&[409]);
    Routes::new()
        .get(UTILIZATION, utilization, of("How much of the capacity of each resource is used on each day."))
        .get(HEATMAP, heatmap, of("How much of the capacity of each resource is used in each week."))
        .get(
            SUMMARY,
            summary,
            of("Get a summary of the load of the people of a project in the next eight weeks."),
        )
}

type Planner = ProjectScope<may::ReadCapacity>;

async fn utilization(
    State(app): State<App>,
    scope: Planner,
    Query(query): Query<UtilizationQuery>,
) -> ApiResult<Json<Utilization>> {
    let span = computed_span(&app.db, scope.project).await?;
    let window = asked(&query, span, app.clock.today())?;
    let people = queries::people(&app.db, scope.project).await?;
    let ids: Vec<ResourceId> = people.iter().map(|person| person.id).collect();
    let named = by_resource(queries::named_demands(&app.db, scope.project, &ids, window).await?);
    let loads = gather(&app.db, scope.project, people, window).await?;
    let hours = hours(&app.db, &loads).await?;
    Ok(Json(Utilization {
        project_id: scope.project,
        window: UtilizationWindow { start: date(window.first.0), end: date(window.last.0) },
        resources: (0..loads.people.len()).map(|place| of_person(&loads, &named, place, &hours)).collect(),
        unassigned_task_count: queries::count_unassigned(&app.db, scope.project).await?,
    }))
}

async fn heatmap(
    State(app): State<App>,
    scope: Planner,
    Query(query): Query<HeatmapQuery>,
) -> ApiResult<Json<ResourceHeatmap>> {
    computed_span(&app.db, scope.project).await?;
    let weeks = query.weeks.given().map_or(WEEKS, i64::from);
    let (window, names) = whole_weeks(query.start.given().unwrap_or_else(|| app.clock.today()), weeks);
    let people = queries::people(&app.db, scope.project).await?;
    let loads = gather(&app.db, scope.project, people, window).await?;
    let grouping = query.group_by.given().unwrap_or(HeatmapGrouping::None);
    let name = queries::project_name(&app.db, scope.project).await?;
    let mut resources: Vec<HeatmapRow> =
        (0..loads.people.len()).map(|place| heat_of(&loads, place, grouping, &name)).collect();
    resources.sort_by(|one, other| one.group.cmp(&other.group));
    Ok(Json(ResourceHeatmap { weeks: names, resources }))
}

async fn summary(State(app): State<App>, scope: Planner) -> ApiResult<Json<ResourceSummary>> {
    computed_span(&app.db, scope.project).await?;
    let (window, _) = whole_weeks(app.clock.today(), WEEKS);
    let people = queries::people(&app.db, scope.project).await?;
    Ok(Json(summed(&gather(&app.db, scope.project, people, window).await?)))
}

/// The span of a plan that has been computed.
async fn computed_span(db: &dyn Read, project: ProjectId) -> ApiResult<Window> {
    let span = queries::computed_span(db, project).await?;
    let (first, last) = span.ok_or_else(|| ApiError::conflict("The project has no computed schedule."))?;
    Ok(Window { first: Day(first), last: Day(last) })
}

/// The window that a query asks for: eight weeks around today within the plan where it says nothing.
fn asked(query: &UtilizationQuery, span: Window, today: NaiveDate) -> ApiResult<Window> {
    let within = |date: Option<NaiveDate>| day(date.unwrap_or(today)).clamp(span.first, span.last);
    let first = query
        .start
        .as_given()
        .map_or_else(|| within(today.checked_sub_days(Days::new(REACH_DAYS))), |start| day(*start));
    let last = query
        .end
        .as_given()
        .map_or_else(|| within(today.checked_add_days(Days::new(REACH_DAYS))).max(first), |end| day(*end));
    let window = Window { first, last };
    match () {
        () if first > last => Err(ApiError::invalid_field("start", "Must not be after end.")),
        () if window.len() > LONGEST_WINDOW_DAYS => {
            let message = format!("A window has at most {LONGEST_WINDOW_DAYS} days.");
            Err(ApiError::invalid_field("end", message))
        }
        () => Ok(window),
    }
}

/// Whole weeks from that of a day on, with their names.
fn whole_weeks(from: NaiveDate, weeks: i64) -> (Window, Vec<String>) {
    let first = day(from).plus(-(from.weekday().num_days_from_monday() as i32));
    let last = first.plus(weeks as i32 * 7 - 1);
    let name = |week: i64| {
        let monday = date(first.plus(week as i32 * 7).0)?.iso_week();
        Some(format!("{:04}-W{:02}", monday.year(), monday.week()))
    };
    (Window { first, last }, (0..weeks).map(|week| name(week).unwrap_or_default()).collect())
}

/// The hours of a day of each calendar that anybody works on.
async fn hours(db: &dyn Read, loads: &Loads) -> ApiResult<HashMap<CalendarId, f64>> {
    let ids: Vec<CalendarId> =
        loads.people.iter().filter_map(|person| person.calendar_id).chain(loads.calendar).collect();
    Ok(queries::hours(db, &ids).await?.into_iter().collect())
}

fn differs(loads: &Loads, person: &PersonRow) -> bool {
    person.calendar_id.is_some_and(|own| Some(own) != loads.calendar)
}

fn by_resource(rows: Vec<NamedDemandRow>) -> HashMap<ResourceId, Vec<NamedDemandRow>> {
    let mut sorted: HashMap<ResourceId, Vec<NamedDemandRow>> = HashMap::new();
    for row in rows {
        sorted.entry(row.resource_id).or_default().push(row);
    }
    sorted
}

fn of_person(
    loads: &Loads,
    named: &HashMap<ResourceId, Vec<NamedDemandRow>>,
    place: usize,
    hours: &HashMap<CalendarId, f64>,
) -> ResourceUtilization {
    let person = &loads.people[place];
    let calendar = person.calendar_id.or(loads.calendar);
    let hours_per_day = calendar.and_then(|id| hours.get(&id).copied()).unwrap_or(8.0);
    let capacity = person.units_override.unwrap_or(person.max_units);
    let asked = loads.window.days().filter(|day| loads.usage.used(place, *day) > 0);
    let mut days: BTreeMap<Day, Vec<LoadingTask>> = asked.map(|day| (day, Vec::new())).collect();
    for row in named.get(&person.id).into_iter().flatten() {
        for day in loads.days(place, row) {
            let (id, name) = (row.task_id, row.task_name.clone());
            days.entry(day).or_default().push(LoadingTask { id, name, units: units_text(row.units) });
        }
    }
    let load = |(day, tasks): (Day, Vec<LoadingTask>)| {
        let (here, all) = (loads.here.used(place, day), loads.usage.used(place, day));
        let load_pct = percent(here, capacity).max(percent(all, person.max_units));
        let in_hours = |units: i64| hours_per_day * units as f64 / 100.0;
        let load = DayLoad {
            hours: in_hours(here),
            hours_elsewhere: in_hours(all - here),
            tasks,
            load_pct,
            load_band: band(load_pct),
            overallocated: here > capacity || all > person.max_units,
        };
        Some((date(day.0)?, load))
    };
    let days: BTreeMap<NaiveDate, DayLoad> = days.into_iter().filter_map(load).collect();
    ResourceUtilization {
        resource_id: person.id,
        resource_name: person.name.clone(),
        max_units: units_text(capacity),
        hours_per_day,
        calendar_id: person.calendar_id,
        calendar_differs_from_project: differs(loads, person),
        overallocated: days.values().any(|day| day.overallocated),
        days,
    }
}

fn heat_of(loads: &Loads, place: usize, grouping: HeatmapGrouping, project: &str) -> HeatmapRow {
    let person = &loads.people[place];
    HeatmapRow {
        id: person.id,
        name: person.name.clone(),
        initials: person::initials(&person.name),
        job_role: person.job_role.clone(),
        color: person::color(person.user_id.unwrap_or(UserId(person.id.0))),
        calendar_differs_from_project: differs(loads, person),
        group: match grouping {
            HeatmapGrouping::None => None,
            HeatmapGrouping::Project => Some(project.to_owned()),
            HeatmapGrouping::Role => Some(person.job_role.clone()),
        },
        util: loads.usage.weekly(place),
    }
}

fn summed(loads: &Loads) -> ResourceSummary {
    let mut averages = Vec::with_capacity(loads.people.len());
    let (mut over, mut weeks, mut under) = (0, BTreeSet::new(), Vec::new());
    for (place, person) in loads.people.iter().enumerate() {
        let weekly = loads.usage.weekly(place);
        let average = percent(weekly.iter().sum(), 100 * weekly.len() as i64);
        averages.push(average);
        let days: Vec<Day> = loads.usage.overloaded(place).collect();
        over += i64::from(!days.is_empty());
        weeks.extend(days.iter().map(|day| (day.0 - loads.window.first.0) / 7));
        if average < UNDER_UTILIZED && person.kind != ResourceKind::Equipment {
            under.push(person.name.clone());
        }
    }
    let of_kind = |kind: ResourceKind| loads.people.iter().filter(|one| one.kind == kind).count() as i64;
    let contractors = of_kind(ResourceKind::Contractor);
    ResourceSummary {
        avg_utilization_pct: percent(averages.iter().sum(), 100 * averages.len() as i64),
        over_allocated_count: over,
        over_allocated_weeks: weeks.len() as i64,
        under_utilized_count: under.len() as i64,
        under_utilized_names: under,
        headcount: of_kind(ResourceKind::Person) + contractors,
        contractor_count: contractors,
    }
}

#[cfg(test)]
mod tests {
    use planwright_web::Patch;

    use super::*;

    fn on(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn a_window_is_eight_weeks_around_today_within_the_plan() {
        let span = Window { first: day(on("2026-01-05")), last: day(on("2026-12-31")) };
        let nothing = UtilizationQuery { start: Patch::Absent, end: Patch::Absent };
        let told = |query: &UtilizationQuery, today: &str| {
            let window = asked(query, span, on(today)).unwrap();
            (date(window.first.0).unwrap().to_string(), date(window.last.0).unwrap().to_string())
        };
        assert_eq!(told(&nothing, "2026-01-12"), ("2026-01-05".into(), "2026-03-09".into()));
        assert_eq!(told(&nothing, "2026-06-01"), ("2026-04-06".into(), "2026-07-27".into()));
        let turned =
            UtilizationQuery { start: Patch::Set(on("2026-02-02")), end: Patch::Set(on("2026-02-01")) };
        assert!(asked(&turned, span, on("2026-01-12")).is_err());
        let long =
            UtilizationQuery { start: Patch::Set(on("2026-02-02")), end: Patch::Set(on("2036-02-01")) };
        assert!(asked(&long, span, on("2026-01-12")).is_err());
    }

    #[test]
    fn weeks_begin_on_mondays_and_carry_the_names_of_their_year() {
        let (window, names) = whole_weeks(on("2026-12-31"), 2);
        assert_eq!(names, ["2026-W53", "2027-W01"]);
        assert_eq!((date(window.first.0), window.len()), (Some(on("2026-12-28")), 14));
    }
}
