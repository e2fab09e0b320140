//! Writes a project with its labels, sprints, baselines and forecast history.

use planwright_domain::words::Word;
use serde_json::Value;

use super::object::{Object, day, numeral};
use super::{around, settings, shared, task};
use crate::seed::model::{Baseline, BaselineTask, ForecastHistory, Label, Project, Sprint};

pub(super) fn project(project: &Project) -> Value {
    let home = project.slug.as_str();
    let mut object = Object::new();
    object.put("slug", home);
    object.put("name", project.name.as_str());
    object.put("methodology", project.methodology.as_str());
    object.put("start_date", day(project.start_date));
    object.put_date("status_date", project.status_date);
    object.put_text("description", &project.description);
    object.put_some("calendar", project.calendar.as_deref());
    object.put_some_word("lag_calendar", project.lag_calendar);
    object.put_text("code", &project.code);
    object.put_some_word("default_view", project.default_view);
    object.put_word("estimation_mode", project.estimation_mode);
    object.put_some("forecast_history", project.forecast_history.as_ref().map(forecast_history));
    object.put_list("board_columns", &project.board_columns, |name| Value::from(name.as_str()));
    object.put_list("labels", &project.labels, label);
    object.put_list("tasks", &project.tasks, |row| task::task(row, home));
    object.put_list("dependencies", &project.dependencies, |link| task::dependency(link, home));
    object.put_list("sprints", &project.sprints, sprint);
    object.put_list("baselines", &project.baselines, |frozen| baseline(frozen, home));
    object.put_list("risks", &project.risks, |risk| shared::risk(risk, Some(home)));
    let roster = project.roster.as_ref().map(|roster| roster.iter().map(around::roster_entry).collect());
    object.put_some("roster", roster.map(Value::Array));
    object.put_list("overlays", &project.overlays, around::overlay);
    object.put_list("custom_fields", &project.custom_fields, around::custom_field);
    object.put_some("lifecycle", project.is_draft.then_some("draft"));
    object.put_some("settings", settings::project(&project.settings));
    object.put_list("withheld", &project.withheld, |word| Value::from(word.as_str()));
    object.finish()
}

fn label(label: &Label) -> Value {
    let mut object = Object::new();
    object.put("slug", label.slug.as_str());
    object.put("name", label.name.as_str());
    object.put("color", label.color.as_str());
    object.put_some("position", label.position);
    object.finish()
}

fn sprint(sprint: &Sprint) -> Value {
    let mut object = Object::new();
    object.put("slug", sprint.slug.as_str());
    object.put("name", sprint.name.as_str());
    object.put("state", sprint.state.as_str());
    object.put("start_date", day(sprint.start_date));
    object.put("finish_date", day(sprint.finish_date));
    object.put_text("goal", &sprint.goal);
    object.put_text("notes", &sprint.notes);
    object.put_some("committed_points", sprint.committed_points);
    object.put_some("completed_points", sprint.completed_points);
    object.put_some("capacity_points", sprint.capacity_points);
    object.put_some("target_milestone", sprint.target_milestone.as_deref());
    let record = &sprint.record;
    object.put_some("goal_outcome", record.goal_outcome.map(Word::as_str));
    object.put_some("wip_limit", record.wip_limit);
    object.put_flag("exclude_from_velocity", record.exclude_from_velocity);
    object.put_some("committed_task_count", record.committed_task_count);
    object.put_some("completed_task_count", record.completed_task_count);
    object.put_date("begun_on", record.begun_on);
    object.put_time("activated_at", record.activated_at);
    object.put_time("closed_at", record.closed_at);
    object.finish()
}

fn baseline(baseline: &Baseline, home: &str) -> Value {
    let mut object = Object::new();
    object.put("name", baseline.name.as_str());
    object.put("tasks", Value::Array(baseline.tasks.iter().map(|row| baseline_task(row, home)).collect()));
    object.put_flag("is_active", baseline.is_active);
    object.put_time("captured_at", baseline.captured_at);
    object.put_some("calendar", baseline.calendar.calendar.as_deref());
    object.put_some("working_days", baseline.calendar.working_days);
    object.put_some("hours_per_day", baseline.calendar.hours_per_day.map(numeral));
    object.finish()
}

fn baseline_task(row: &BaselineTask, home: &str) -> Value {
    let mut object = Object::new();
    object.put("task", row.task.spelled_in(home));
    object.put_date("start", row.start);
    object.put_date("finish", row.finish);
    object.put_some("duration", row.duration);
    object.put_some("story_points", row.story_points);
    object.put_some("name", row.kept.name.as_deref());
    object.put_date("actual_start", row.kept.actual_start);
    object.put_date("actual_finish", row.kept.actual_finish);
    object.put_some("budget", row.kept.budget.map(numeral));
    object.put_some("is_leaf", row.kept.is_leaf);
    object.finish()
}

fn forecast_history(history: &ForecastHistory) -> Value {
    let mut object = Object::new();
    object.put("days", history.days);
    object.put("commitment_finish", day(history.commitment_finish));
    object.put("cpm_start", day(history.computed.0));
    object.put("cpm_end", day(history.computed.1));
    let keys = [("p50_start", "p50_end"), ("p80_start", "p80_end"), ("p95_start", "p95_end")];
    for ((start, end), percentile) in keys.into_iter().zip(&history.percentiles) {
        object.put_date(start, percentile.start);
        object.put_date(end, percentile.end);
    }
    object.put_some("mc_iterations", history.mc_iterations);
    object.put_some("completion_ratio", history.completion_ratio.map(numeral));
    object.finish()
}
