//! Reads a project: its own fields, labels, sprints, baselines and forecast history.

use std::collections::HashMap;

use chrono::NaiveDate;
use planwright_domain::words::{Lifecycle, Withheld, Word};

use super::shared::{HOURS, is_hours};
use super::{ANY_LENGTH, MAX_LIST, NAME_LENGTH, around, history, settings, task, task_reference, week_of};
use crate::seed::cursor::{At, Fields, Keys};
use crate::seed::model::{
    Baseline, BaselineCalendar, BaselineTask, ForecastHistory, KeptOfTask, Label, Percentile, Project,
    Sprint, SprintRecord,
};
use crate::seed::scalars;
use crate::seed::workweek::WorkWeek;

const MAX_TASKS: usize = 20_000;
const MAX_DEPENDENCIES: usize = 50_000;
/// What a task was to cost.
const MAX_BUDGET: f64 = 1e12;
const BUDGETS: &str = "from 0 to 1000000000000";
/// Points of a task, and sums of them over a sprint.
pub(super) const MAX_POINTS: u32 = 1_000_000;

const PROJECT: Keys = Keys {
    required: &["slug", "name", "methodology", "start_date"],
    optional: &[
        "description",
        "calendar",
        "code",
        "default_view",
        "estimation_mode",
        "agile_features",
        "forecast_history",
        "board_columns",
        "labels",
        "tasks",
        "dependencies",
        "sprints",
        "baselines",
        "risks",
        "status_date",
        "lag_calendar",
    ],
    since_2_1: &["roster", "overlays", "custom_fields", "lifecycle", "settings", "withheld"],
};

pub(super) fn project(at: At<'_>, weeks: &HashMap<String, WorkWeek>) -> Option<Project> {
    let fields = at.fields(&PROJECT)?;
    let slug = fields.slug("slug").unwrap_or_default();
    let calendar = fields.slug("calendar");
    let week = week_of(weeks, calendar.as_deref());
    // What a project is run like follows from its methodology; the flag is only checked for its type.
    fields.flag("agile_features");
    let mut tasks = fields.list("tasks", MAX_TASKS, |at| task::task(at, &slug, &week));
    task::couple_milestones(&mut tasks);
    Some(Project {
        is_draft: fields.word("lifecycle") == Some(Lifecycle::Draft),
        settings: fields.at("settings").and_then(settings::project).unwrap_or_default(),
        name: fields.name("name", NAME_LENGTH).unwrap_or_default(),
        methodology: fields.word("methodology").unwrap_or_default(),
        start_date: fields.date("start_date", Some(&week)).unwrap_or_default(),
        status_date: fields.date("status_date", Some(&week)),
        description: fields.text("description", ANY_LENGTH),
        lag_calendar: fields.word("lag_calendar"),
        code: code(&fields),
        default_view: fields.word("default_view"),
        estimation_mode: fields.word("estimation_mode").unwrap_or_default(),
        forecast_history: fields.at("forecast_history").and_then(|at| forecast_history(at, &week)),
        board_columns: fields.list("board_columns", MAX_LIST, |at| at.text(NAME_LENGTH)),
        labels: fields.list("labels", MAX_LIST, label),
        dependencies: fields.list("dependencies", MAX_DEPENDENCIES, |at| task::dependency(at, &slug)),
        sprints: fields.list("sprints", MAX_LIST, |at| sprint(at, &week)),
        baselines: fields.list("baselines", MAX_LIST, |at| baseline(at, &slug, &week)),
        risks: fields.list("risks", MAX_LIST, |at| history::risk(at, Some(&slug), &week)),
        roster: fields.at("roster").map(|_| fields.list("roster", MAX_LIST, around::roster_entry)),
        overlays: fields.list("overlays", MAX_LIST, around::overlay),
        custom_fields: fields.list("custom_fields", MAX_LIST, around::custom_field),
        withheld: fields.list("withheld", Withheld::ALL.len(), |at| at.word()),
        slug,
        calendar,
        tasks,
    })
}

fn code(fields: &Fields<'_>) -> String {
    let shape = "a code (A-Z, 0-9, inner hyphens, at most 12 characters)";
    fields.at("code").and_then(|at| at.shaped(scalars::is_code, shape).map(str::to_owned)).unwrap_or_default()
}

const LABEL: Keys = Keys { required: &["slug", "name", "color"], optional: &["position"], ..Keys::NONE };

fn label(at: At<'_>) -> Option<Label> {
    let fields = at.fields(&LABEL)?;
    Some(Label {
        slug: fields.slug("slug")?,
        name: fields.name("name", 50)?,
        color: fields.word("color")?,
        position: fields.count("position", 32_767),
    })
}

const SPRINT: Keys = Keys {
    required: &["slug", "name", "state", "start_date", "finish_date"],
    optional: &[
        "goal",
        "notes",
        "committed_points",
        "completed_points",
        "capacity_points",
        "target_milestone",
    ],
    since_2_1: &[
        "goal_outcome",
        "wip_limit",
        "exclude_from_velocity",
        "committed_task_count",
        "completed_task_count",
        "begun_on",
        "activated_at",
        "closed_at",
    ],
};

fn sprint(at: At<'_>, week: &WorkWeek) -> Option<Sprint> {
    let fields = at.fields(&SPRINT)?;
    let start_date = fields.date("start_date", Some(week));
    let finish_date = fields.date("finish_date", Some(week));
    if let (Some(start), Some(finish)) = (start_date, finish_date)
        && finish <= start
    {
        fields.add("finish_date", "must be later than start_date");
    }
    Some(Sprint {
        slug: fields.slug("slug")?,
        name: fields.name("name", NAME_LENGTH)?,
        state: fields.word("state")?,
        start_date: start_date?,
        finish_date: finish_date?,
        goal: fields.text("goal", ANY_LENGTH),
        notes: fields.text("notes", ANY_LENGTH),
        committed_points: fields.count("committed_points", MAX_POINTS),
        completed_points: fields.count("completed_points", MAX_POINTS),
        capacity_points: fields.count("capacity_points", MAX_POINTS),
        target_milestone: fields.wbs_path("target_milestone"),
        record: sprint_record(&fields),
    })
}

fn sprint_record(fields: &Fields<'_>) -> SprintRecord {
    SprintRecord {
        goal_outcome: fields.word("goal_outcome"),
        wip_limit: fields.integer("wip_limit", 1..=32_767).and_then(|limit| u32::try_from(limit).ok()),
        exclude_from_velocity: fields.flag("exclude_from_velocity").unwrap_or_default(),
        committed_task_count: fields.count("committed_task_count", MAX_POINTS),
        completed_task_count: fields.count("completed_task_count", MAX_POINTS),
        begun_on: fields.date("begun_on", None),
        activated_at: fields.timestamp("activated_at"),
        closed_at: fields.timestamp("closed_at"),
    }
}

const BASELINE: Keys = Keys {
    required: &["name", "tasks"],
    optional: &["is_active", "captured_at"],
    since_2_1: &["calendar", "working_days", "hours_per_day"],
};

fn baseline(at: At<'_>, home: &str, week: &WorkWeek) -> Option<Baseline> {
    let fields = at.fields(&BASELINE)?;
    Some(Baseline {
        name: fields.name("name", NAME_LENGTH)?,
        tasks: fields.list("tasks", MAX_TASKS, |at| baseline_task(at, home, week)),
        is_active: fields.flag("is_active").unwrap_or_default(),
        captured_at: fields.timestamp("captured_at"),
        calendar: BaselineCalendar {
            calendar: fields.slug("calendar"),
            working_days: fields.integer("working_days", 0..=127).and_then(|days| u8::try_from(days).ok()),
            hours_per_day: fields.number("hours_per_day", is_hours, HOURS),
        },
    })
}

const BASELINE_TASK: Keys = Keys {
    required: &["task"],
    optional: &["start", "finish", "duration", "story_points"],
    since_2_1: &["name", "actual_start", "actual_finish", "budget", "is_leaf"],
};

fn baseline_task(at: At<'_>, home: &str, week: &WorkWeek) -> Option<BaselineTask> {
    let fields = at.fields(&BASELINE_TASK)?;
    let (start, finish) = (fields.date("start", Some(week)), fields.date("finish", Some(week)));
    check_order(&fields, "start", start, "finish", finish);
    Some(BaselineTask {
        task: task_reference(&fields.at("task")?, Some(home))?,
        start,
        finish,
        duration: fields.count("duration", task::MAX_DURATION),
        story_points: fields.count("story_points", MAX_POINTS),
        kept: KeptOfTask {
            name: fields.name("name", NAME_LENGTH),
            actual_start: fields.date("actual_start", None),
            actual_finish: fields.date("actual_finish", None),
            budget: fields.number("budget", |budget| (0.0..=MAX_BUDGET).contains(&budget), BUDGETS),
            is_leaf: fields.flag("is_leaf"),
        },
    })
}

/// Notes a pair of dates that stand in the wrong order.
pub(super) fn check_order(
    fields: &Fields<'_>,
    first_key: &str,
    first: Option<NaiveDate>,
    last_key: &str,
    last: Option<NaiveDate>,
) {
    if let (Some(first), Some(last)) = (first, last)
        && last < first
    {
        fields.add(last_key, format_args!("must not be before {first_key}"));
    }
}

const FORECAST_HISTORY: Keys = Keys {
    required: &["days", "commitment_finish", "cpm_start", "cpm_end"],
    optional: &[
        "p50_start",
        "p50_end",
        "p80_start",
        "p80_end",
        "p95_start",
        "p95_end",
        "mc_iterations",
        "completion_ratio",
    ],
    ..Keys::NONE
};

fn forecast_history(at: At<'_>, week: &WorkWeek) -> Option<ForecastHistory> {
    let fields = at.fields(&FORECAST_HISTORY)?;
    let date = |key: &str| fields.date(key, Some(week));
    let percentile = |start: &str, end: &str| Percentile { start: date(start), end: date(end) };
    Some(ForecastHistory {
        days: fields.integer("days", 1..=365).and_then(|days| u32::try_from(days).ok()).unwrap_or(1),
        commitment_finish: date("commitment_finish").unwrap_or_default(),
        computed: (date("cpm_start").unwrap_or_default(), date("cpm_end").unwrap_or_default()),
        percentiles: [
            percentile("p50_start", "p50_end"),
            percentile("p80_start", "p80_end"),
            percentile("p95_start", "p95_end"),
        ],
        mc_iterations: fields.count("mc_iterations", 1_000_000),
        completion_ratio: fields.number("completion_ratio", |r| (0.0..=1.0).contains(&r), "from 0 to 1"),
    })
}
