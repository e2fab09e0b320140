//! Tells an outcome to programs. Rows stand in outline order, references carry their project.

use planwright_engine::{Day, FinishForecast, Progress};
use serde_json::{Map, Value, json};

use super::forecast::PERCENTILES;
use super::outcome::{Outcome, ProjectOutcome, RowOutcome};
use crate::seed::vocabulary::Word;

pub(super) fn text(outcome: &Outcome<'_>) -> String {
    let critical_path = outcome.critical_path.iter().map(|name| name.reference().to_string());
    let value = json!({
        "program": outcome.document.program.slug,
        "start": day(outcome.start),
        "finish": day(outcome.finish),
        "critical_path": critical_path.collect::<Vec<_>>(),
        "simulation": outcome.simulated.map(|(runs, seed)| json!({"runs": runs, "seed": seed})),
        "forecast": forecast(outcome.forecast.as_ref(), outcome.finish),
        "projects": outcome.projects.iter().map(project).collect::<Vec<_>>(),
        "remarks": outcome.remarks,
    });
    format!("{value:#}\n")
}

fn project(project: &ProjectOutcome<'_>) -> Value {
    json!({
        "slug": project.project.slug,
        "name": project.project.name,
        "lag_calendar": project.lag_calendar.as_str(),
        "start": day(project.start),
        "finish": day(project.finish),
        "forecast": forecast(project.forecast.as_ref(), project.finish),
        "not_scheduled": project.left_out,
        "tasks": project.rows.iter().map(row).collect::<Vec<_>>(),
    })
}

fn row(row: &RowOutcome<'_>) -> Value {
    let mut object = Map::new();
    object.insert("wbs_path".to_owned(), json!(row.task.wbs_path));
    object.insert("name".to_owned(), json!(row.task.name));
    object.insert("is_summary".to_owned(), json!(row.is_summary));
    object.insert("is_milestone".to_owned(), json!(row.task.is_milestone));
    let Some(dates) = row.dates else {
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
        ("free_float", json!(dates.free_float)),
        ("is_critical", json!(dates.critical)),
        ("on_longest_path", json!(dates.on_longest_path)),
        ("remaining_duration", json!(dates.remaining_duration)),
        ("progress", json!(progress)),
    ] {
        object.insert(key.to_owned(), value);
    }
    if let Some(forecast) = row.forecast {
        for (key, value) in [
            ("mean_remaining", forecast.mean_remaining),
            ("sd_remaining", forecast.sd_remaining),
            ("criticality_index", forecast.criticality),
            ("sensitivity", forecast.sensitivity),
            ("schedule_sensitivity", forecast.schedule_sensitivity),
        ] {
            object.insert(key.to_owned(), json!(value));
        }
    }
    Value::Object(object)
}

fn forecast(forecast: Option<&FinishForecast>, finish: Option<Day>) -> Value {
    let Some(forecast) = forecast else { return Value::Null };
    let mut object = Map::new();
    for percent in PERCENTILES {
        object.insert(format!("p{percent}"), day(Some(forecast.percentile(f64::from(percent)))));
    }
    object.insert("mean_days".to_owned(), json!(forecast.mean_days));
    object.insert("sd_days".to_owned(), json!(forecast.sd_days));
    object.insert("finish_confidence".to_owned(), json!(finish.map(|finish| forecast.confidence(finish))));
    Value::Object(object)
}

fn day(day: Option<Day>) -> Value {
    day.map_or(Value::Null, |day| Value::String(day.to_string()))
}
