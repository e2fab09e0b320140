//! Reads risks and events.

use serde_json::Value;

use super::project::MAX_POINTS;
use super::task::estimate;
use super::{ANY_LENGTH, MAX_LIST, NAME_LENGTH, task_reference};
use crate::seed::cursor::{At, Fields, Keys};
use crate::seed::model::{DELAY_KEYS, Event, Risk};
use crate::seed::workweek::WorkWeek;

const RISK: Keys = Keys {
    required: &["slug", "title", "status", "probability", "impact"],
    optional: &[
        "category",
        "response",
        "mitigation_due_date",
        "trigger",
        "contingency",
        "notes",
        "owner",
        "tasks",
    ],
    since_2_1: &["description", "likelihood_percent", "delay_low_days", "delay_days", "delay_high_days"],
};

/// Reads a risk of the project `home`, or of the program, whose task references must name their project.
pub(super) fn risk(at: At<'_>, home: Option<&str>, week: &WorkWeek) -> Option<Risk> {
    let fields = at.fields(&RISK)?;
    let grade = |key: &str| fields.integer(key, 1..=5).and_then(|grade| u8::try_from(grade).ok());
    let (probability, impact) = (grade("probability"), grade("impact"));
    let delay_days = DELAY_KEYS.map(|key| fields.integer(key, 0..=3650));
    if !are_in_order(delay_days) {
        fields.add("delay_days", "must be there and between delay_low_days and delay_high_days");
    }
    Some(Risk {
        slug: fields.slug("slug")?,
        title: fields.name("title", 512)?,
        status: fields.word("status")?,
        probability: probability?,
        impact: impact?,
        description: fields.text("description", ANY_LENGTH),
        likelihood_percent: fields.integer("likelihood_percent", 1..=100),
        delay_days,
        category: fields.word("category"),
        response: fields.word("response"),
        mitigation_due_date: fields.date("mitigation_due_date", Some(week)),
        trigger: fields.text("trigger", ANY_LENGTH),
        contingency: fields.text("contingency", ANY_LENGTH),
        notes: fields.text("notes", ANY_LENGTH),
        owner: fields.slug("owner"),
        tasks: fields.list("tasks", MAX_LIST, |at| task_reference(&at, home)),
    })
}

/// Whether days are in the order fewest, most likely, most; without the most likely there are no others.
fn are_in_order([low, likely, high]: [Option<i64>; 3]) -> bool {
    let Some(likely) = likely else { return low.is_none() && high.is_none() };
    low.is_none_or(|low| low <= likely) && high.is_none_or(|high| high >= likely)
}

const EVENT: Keys = Keys {
    required: &["at", "action"],
    optional: &[
        "actor",
        "target",
        "from",
        "to",
        "goal_impact",
        "points",
        "remaining_points",
        "estimate",
        "assignee",
        "body",
        "goal_outcome",
    ],
    ..Keys::NONE
};

pub(super) fn event(at: At<'_>) -> Option<Event> {
    let fields = at.fields(&EVENT)?;
    Some(Event {
        at: fields.timestamp("at")?,
        action: fields.word("action")?,
        actor: fields.slug("actor"),
        target: fields.name("target", 512),
        from: plain_value(&fields, "from"),
        to: plain_value(&fields, "to"),
        goal_impact: plain_value(&fields, "goal_impact"),
        points: fields.count("points", MAX_POINTS),
        remaining_points: fields.count("remaining_points", MAX_POINTS),
        estimate: fields.at("estimate").and_then(estimate),
        assignee: fields.slug("assignee"),
        body: fields.text("body", 10_000),
        goal_outcome: fields.word("goal_outcome"),
    })
}

/// A value before or after: a text, or a number or flag that is kept as its text.
fn plain_value(fields: &Fields<'_>, key: &str) -> Option<String> {
    let at = fields.at(key)?;
    match at.value {
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Number(number) => Some(number.to_string()),
        _ => at.text(NAME_LENGTH),
    }
}
