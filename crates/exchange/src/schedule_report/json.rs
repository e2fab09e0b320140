//! Tells an outcome to programs. Rows stand in outline order, references carry their project.

use planwright_engine::{Day, FinishForecast, LagCalendar, LagUnit, Link, LinkKind, Progress, TaskForecast};
use serde_json::{Map, Value, json};

use super::forecast::{BARS, PERCENTILES};
use super::outcome::Outcome;

pub(super) fn text(outcome: &Outcome<'_>) -> String {
    format!("{:#}\n", object(outcome))
}

pub(super) fn object(outcome: &Outcome<'_>) -> Value {
    let (subject, schedule) = (outcome.subject, &outcome.schedule);
    let likely = outcome.simulation.as_ref().and_then(|simulation| simulation.finish.as_ref());
    let simulated = outcome.simulated();
    json!({
        "program": subject.name,
        "start": day(schedule.start),
        "finish": day(schedule.finish),
        "critical_path": subject.references(&schedule.critical_path),
        "longest_path": subject.references(&outcome.longest_path()),
        "simulation": simulated.map(|run| json!({"runs": run.runs, "seed": run.seed})),
        "forecast": forecast(likely, schedule.finish),
        "projects": (0..subject.projects.len()).map(|index| project(outcome, index)).collect::<Vec<_>>(),
        "links": (0..subject.network.links.len()).map(|index| tie(outcome, index)).collect::<Vec<_>>(),
        "conflicts": schedule.conflicts.iter().map(|conflict| json!({
            "task": subject.reference(conflict.task),
            "kind": conflict.kind.to_string(),
            "wanted": conflict.wanted.to_string(),
            "expected": conflict.expected.to_string(),
        })).collect::<Vec<_>>(),
        "faults": outcome.faults(),
        "remarks": outcome.remarks(),
    })
}

fn project(outcome: &Outcome<'_>, index: usize) -> Value {
    let project = &outcome.subject.projects[index];
    let dates = outcome.schedule.projects.get(index).copied().unwrap_or_default();
    json!({
        "slug": project.slug,
        "name": project.name,
        "lag_calendar": project.lags,
        "start": day(dates.start),
        "finish": day(dates.finish),
        "forecast": forecast(outcome.forecast_of(index), dates.finish),
        "not_scheduled": project.left_out,
        "tasks": outcome.rows_of(index).map(|place| row(outcome, place)).collect::<Vec<_>>(),
    })
}

fn row(outcome: &Outcome<'_>, place: usize) -> Value {
    let row = &outcome.subject.rows[place];
    let mut object = Map::new();
    object.insert("wbs_path".to_owned(), json!(row.path));
    object.insert("name".to_owned(), json!(row.name));
    object.insert("is_summary".to_owned(), json!(row.is_summary));
    object.insert("is_milestone".to_owned(), json!(row.is_milestone));
    let Some(dates) = outcome.schedule.tasks[place] else {
        object.insert("is_scheduled".to_owned(), json!(false));
        return Value::Object(object);
    };
    let progress = match dates.progress {
        Progress::NotStarted => "not_started",
        Progress::InProgress => "in_progress",
        Progress::Complete => "complete",
    };
    for (key, value) in [
        ("is_scheduled", json!(true)),
        ("early_start", day(Some(dates.early_start))),
        ("early_finish", day(Some(dates.early_finish))),
        ("late_start", day(Some(dates.late_start))),
        ("late_finish", day(Some(dates.late_finish))),
        ("scheduled_start", day(Some(dates.scheduled_start))),
        ("total_float", json!(dates.total_float)),
        ("program_total_float", json!(dates.program_total_float)),
        ("free_float", json!(dates.free_float)),
        ("is_critical", json!(dates.critical)),
        ("is_program_critical", json!(dates.program_critical)),
        ("on_longest_path", json!(dates.on_longest_path)),
        ("remaining_duration", json!(dates.remaining_duration)),
        ("progress", json!(progress)),
        ("deadline", day(outcome.subject.network.tasks[place].deadline.filter(|_| !row.is_summary))),
    ] {
        object.insert(key.to_owned(), value);
    }
    if let Some(told) = outcome.simulated().and_then(|simulation| simulation.tasks[place]) {
        insert_forecast(&mut object, &told);
    }
    Value::Object(object)
}

/// What the runs say about a row.
pub(super) fn insert_forecast(row: &mut Map<String, Value>, forecast: &TaskForecast) {
    for (key, value) in [
        ("mean_remaining", forecast.mean_remaining),
        ("sd_remaining", forecast.sd_remaining),
        ("criticality_index", forecast.criticality),
        ("sensitivity", forecast.sensitivity),
        ("schedule_sensitivity", forecast.schedule_sensitivity),
    ] {
        row.insert(key.to_owned(), json!(value));
    }
    if let Some(share) = forecast.deadline_met {
        row.insert("deadline_met".to_owned(), json!(share));
    }
}

/// A link, and what it does in this schedule.
fn tie(outcome: &Outcome<'_>, index: usize) -> Value {
    let [predecessor, successor] = outcome.subject.link(index);
    let mut object = link(&outcome.subject.network.links[index]);
    object.insert("predecessor".to_owned(), json!(predecessor));
    object.insert("successor".to_owned(), json!(successor));
    let result = outcome.schedule.links.get(index).copied().unwrap_or_default();
    object.insert("driving".to_owned(), json!(result.driving));
    object.insert("slack".to_owned(), json!(result.slack));
    Value::Object(object)
}

/// Kind and lag of a link.
pub(super) fn link(link: &Link) -> Map<String, Value> {
    let unit = match link.lag_unit {
        LagUnit::Percent => "percent",
        LagUnit::Elapsed => "elapsed",
        LagUnit::Working if link.lag_calendar == Some(LagCalendar::Elapsed) => "elapsed",
        LagUnit::Working => "working",
    };
    let mut object = Map::new();
    object.insert("type".to_owned(), json!(kind(link.kind)));
    object.insert("lag".to_owned(), json!(link.lag));
    object.insert("lag_unit".to_owned(), json!(unit));
    object
}

pub(super) fn kind(kind: LinkKind) -> &'static str {
    match kind {
        LinkKind::FinishToStart => "FS",
        LinkKind::StartToStart => "SS",
        LinkKind::FinishToFinish => "FF",
        LinkKind::StartToFinish => "SF",
    }
}

/// Percentiles, mean and spread, how sure the computed date is, and the runs by stretches of days.
pub(super) fn forecast(forecast: Option<&FinishForecast>, finish: Option<Day>) -> Value {
    let Some(forecast) = forecast else { return Value::Null };
    let mut object = Map::new();
    for percent in PERCENTILES {
        object.insert(format!("p{percent}"), day(Some(forecast.percentile(f64::from(percent)))));
    }
    object.insert("mean_days".to_owned(), json!(forecast.mean_days));
    object.insert("sd_days".to_owned(), json!(forecast.sd_days));
    object.insert("finish_confidence".to_owned(), json!(finish.map(|finish| forecast.confidence(finish))));
    let bars = forecast.histogram(BARS).into_iter();
    let bars = bars.map(|(from, runs)| json!({"from": from.to_string(), "runs": runs}));
    object.insert("histogram".to_owned(), bars.collect());
    Value::Object(object)
}

pub(super) fn day(day: Option<Day>) -> Value {
    day.map_or(Value::Null, |day| Value::String(day.to_string()))
}
