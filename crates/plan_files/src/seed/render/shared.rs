//! Writes what the projects of a document share, and risks and events.

use planwright_domain::words::Word;
use serde_json::Value;

use super::object::{Object, day, numeral};
use super::task::estimate;
use super::{around, settings};
use crate::seed::model::{Account, Calendar, CalendarException, DELAY_KEYS, Event, Program, Resource, Risk};

pub(super) fn program(program: &Program) -> Value {
    let mut object = Object::new();
    object.put("slug", program.slug.as_str());
    object.put("name", program.name.as_str());
    object.put("methodology", program.methodology.as_str());
    object.put_text("description", &program.description);
    object.put_some("color", program.color.as_deref());
    object.put_some("lead", program.lead.as_deref());
    let policies = &program.policies;
    object.put_some("risk_slip_propagation", policies.slip_propagation.map(Word::as_str));
    object.put_some("risk_escalation_days", policies.escalation_days);
    object.put_some("rollup_aggregation_policy", policies.aggregation.map(Word::as_str));
    object.put_some("rollup_enabled_kpis", policies.figures.clone());
    object.put_some("settings", settings::program(&program.settings));
    object.finish()
}

pub(super) fn account(account: &Account) -> Value {
    let mut object = Object::new();
    object.put("slug", account.slug.as_str());
    object.put("username", account.username.as_str());
    object.put_some("email", account.email.as_deref());
    object.put_text("display_name", &account.display_name);
    object.put_word("role", account.role);
    object.finish()
}

pub(super) fn calendar(calendar: &Calendar) -> Value {
    let mut object = Object::new();
    object.put("slug", calendar.slug.as_str());
    object.put("name", calendar.name.as_str());
    object.put_number("working_days", f64::from(calendar.working_days), 31.0);
    object.put_number("hours_per_day", calendar.hours_per_day, 8.0);
    if calendar.timezone != "UTC" {
        object.put_text("timezone", &calendar.timezone);
    }
    object.put_list("exceptions", &calendar.exceptions, exception);
    object.finish()
}

fn exception(exception: &CalendarException) -> Value {
    let mut object = Object::new();
    object.put("exc_start", day(exception.start));
    object.put("exc_end", day(exception.end));
    object.put_text("description", &exception.description);
    object.put_flag("working", exception.working);
    object.finish()
}

pub(super) fn resource(resource: &Resource) -> Value {
    let mut object = Object::new();
    object.put("slug", resource.slug.as_str());
    object.put("name", resource.name.as_str());
    object.put_some("email", resource.email.as_deref());
    object.put_text("job_role", &resource.job_role);
    object.put_number("max_units", resource.max_units, 1.0);
    object.put_some("calendar", resource.calendar.as_deref());
    object.put_some("account", resource.account.as_deref());
    object.put_some("kind", resource.kind.map(Word::as_str));
    object.put_list("skills", &resource.skills, |skill| around::skill(skill, "proficiency"));
    object.put_some("hourly_rate", resource.hourly_rate.map(numeral));
    object.finish()
}

/// Writes a risk of the project `home`, or of the program.
pub(super) fn risk(risk: &Risk, home: Option<&str>) -> Value {
    let mut object = Object::new();
    object.put("slug", risk.slug.as_str());
    object.put("title", risk.title.as_str());
    object.put("status", risk.status.as_str());
    object.put("probability", risk.probability);
    object.put("impact", risk.impact);
    object.put_text("description", &risk.description);
    object.put_some("likelihood_percent", risk.likelihood_percent);
    for (key, days) in DELAY_KEYS.into_iter().zip(risk.delay_days) {
        object.put_some(key, days);
    }
    object.put_some_word("category", risk.category);
    object.put_some_word("response", risk.response);
    object.put_date("mitigation_due_date", risk.mitigation_due_date);
    object.put_text("trigger", &risk.trigger);
    object.put_text("contingency", &risk.contingency);
    object.put_text("notes", &risk.notes);
    object.put_some("owner", risk.owner.as_deref());
    object.put_list("tasks", &risk.tasks, |task| {
        Value::from(home.map_or_else(|| task.to_string(), |home| task.spelled_in(home)))
    });
    object.finish()
}

pub(super) fn event(event: &Event) -> Value {
    let mut object = Object::new();
    object.put_time("at", Some(event.at));
    object.put("action", event.action.as_str());
    object.put_some("actor", event.actor.as_deref());
    object.put_some("target", event.target.as_deref());
    object.put_some("from", event.from.as_deref());
    object.put_some("to", event.to.as_deref());
    object.put_some("goal_impact", event.goal_impact.as_deref());
    object.put_some("points", event.points);
    object.put_some("remaining_points", event.remaining_points);
    object.put_some("estimate", event.estimate.as_ref().map(estimate));
    object.put_some("assignee", event.assignee.as_deref());
    object.put_text("body", &event.body);
    object.put_some_word("goal_outcome", event.goal_outcome);
    object.finish()
}
