//! Writes what documents from version 2.1 on hold besides the plan itself.

use planwright_domain::words::{CalendarLayer, RecurrenceEnd, Word};
use serde_json::Value;

use super::object::{Object, day, numeral};
use crate::seed::model::{
    Around, Blocker, Criterion, CustomField, Overlay, Recurrence, RosterEntry, Scores, Skill,
};

/// What stands around a task.
pub(super) fn of_task(object: &mut Object, around: &Around) {
    object.put_list("criteria", &around.criteria, criterion);
    object.put_list("skills", &around.skills, |one| skill(one, "min_proficiency"));
    if !around.field_values.is_empty() {
        let values = around.field_values.iter().map(|(slug, value)| (slug.clone(), value.clone()));
        object.put("field_values", Value::Object(values.collect()));
    }
    object.put_some("recurrence", around.recurrence.as_ref().map(recurrence));
    object.put_some(
        "occurrence",
        around.occurrence.as_ref().map(|(template, on)| {
            let mut object = Object::new();
            object.put("template", template.as_str());
            object.put("on", day(*on));
            object.finish()
        }),
    );
    if !around.scores.is_empty() {
        object.put("scores", scores(&around.scores));
    }
    object.put_some("blocked", around.blocked.as_ref().map(blocker));
}

/// A skill with the key of its level.
pub(super) fn skill(skill: &Skill, level: &'static str) -> Value {
    let mut object = Object::new();
    object.put("skill", skill.name.as_str());
    object.put_text("category", &skill.category);
    object.put_number(level, f64::from(skill.proficiency), 1.0);
    object.finish()
}

/// A resource on the roster.
pub(super) fn roster_entry(entry: &RosterEntry) -> Value {
    let mut object = Object::new();
    object.put("resource", entry.resource.as_str());
    object.put_text("role_title", &entry.role_title);
    object.put_some("units", entry.units.map(numeral));
    object.put_text("notes", &entry.notes);
    object.finish()
}

/// A calendar whose days off count too.
pub(super) fn overlay(overlay: &Overlay) -> Value {
    let mut object = Object::new();
    object.put("calendar", overlay.calendar.as_str());
    let said = Some(overlay.role).filter(|role| *role != CalendarLayer::Holidays);
    object.put_some("role", said.map(Word::as_str));
    object.finish()
}

/// A field that the project adds to its tasks.
pub(super) fn custom_field(field: &CustomField) -> Value {
    let mut object = Object::new();
    object.put("slug", field.slug.as_str());
    object.put("name", field.name.as_str());
    object.put("field_type", field.kind.as_str());
    object.put_flag("required", field.is_required);
    object.put_flag("show_on_card", field.show_on_card);
    object.put_list("options", &field.options, |(value, label)| {
        let mut object = Object::new();
        object.put("value", value.as_str());
        object.put_some("label", Some(label.as_str()).filter(|label| label != value));
        object.finish()
    });
    object.finish()
}

fn criterion(criterion: &Criterion) -> Value {
    let mut object = Object::new();
    object.put_text("text", &criterion.text);
    for (key, part) in ["given", "when", "then"].into_iter().zip(&criterion.scenario) {
        object.put_text(key, part);
    }
    object.put_flag("met", criterion.met);
    object.put_time("met_at", criterion.met_at);
    object.finish()
}

fn scores(scores: &Scores) -> Value {
    let mut object = Object::new();
    scores.whole.iter().for_each(|(key, number)| object.put(key, *number));
    scores.fractional.iter().for_each(|(key, number)| object.put(key, numeral(*number)));
    object.finish()
}

fn blocker(blocker: &Blocker) -> Value {
    let mut object = Object::new();
    object.put_text("reason", &blocker.reason);
    object.put_some("type", blocker.kind.map(Word::as_str));
    object.put_time("since", blocker.since);
    object.finish()
}

fn recurrence(rule: &Recurrence) -> Value {
    let mut object = Object::new();
    object.put("frequency", rule.frequency.as_str());
    object.put_number("interval", f64::from(rule.every), 1.0);
    object.put_number("weekdays", f64::from(rule.weekdays), 0.0);
    object.put_some("day_of_month", rule.day_of_month);
    object.put_some("time_of_day", Some(rule.time_of_day.as_str()).filter(|time| *time != "09:00:00"));
    object.put_some("timezone", Some(rule.timezone.as_str()).filter(|zone| *zone != "UTC"));
    let end = Some(rule.end_type).filter(|end| *end != RecurrenceEnd::Never);
    object.put_some("end_type", end.map(Word::as_str));
    object.put_date("end_date", rule.end_date);
    object.put_some("end_count", rule.end_count);
    let [assignee, subtasks, attachments, notice] = rule.inherits;
    object.put_some("inherit_assignee", (!assignee).then_some(false));
    object.put_flag("inherit_subtasks", subtasks);
    object.put_flag("inherit_attachments", attachments);
    object.put_flag("inherit_morning_notification", notice);
    object.put("begins", day(rule.begins));
    object.put_date("generated_through", rule.generated_through);
    object.put_number("occurrence_count", f64::from(rule.occurrence_count), 0.0);
    object.finish()
}
