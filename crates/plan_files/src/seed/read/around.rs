//! Reads what documents from version 2.1 on hold besides the plan itself.
//! Whether a value suits its field is not looked at here.

use std::collections::BTreeMap;

use chrono::{NaiveDate, NaiveTime};
use planwright_domain::words::{CalendarLayer, FieldType, RecurrenceEnd, RecurrenceFrequency};
use serde_json::Value;

use super::shared::{UNITS, is_units};
use super::{ANY_LENGTH, MAX_LIST, NAME_LENGTH};
use crate::seed::cursor::{At, Fields, Keys};
use crate::seed::model::{
    Around, Blocker, Criterion, CustomField, Overlay, Recurrence, RosterEntry, Scores, Skill,
};
use crate::seed::scalars;
use crate::seed::workweek::WorkWeek;

/// How long the name of a field may be, and how many choices it may have; the interface sets the same bounds.
const FIELD_NAME_LENGTH: usize = 64;
const MAX_OPTIONS: usize = 50;

/// The keys of a task that this file reads.
pub(super) const OF_TASK: &[&str] = &[
    "deadline",
    "constraint_type",
    "constraint_date",
    "blocked",
    "calendar",
    "criteria",
    "field_values",
    "occurrence",
    "recurrence",
    "scores",
    "skills",
];

/// What stands around a task.
pub(super) fn of_task(fields: &Fields<'_>, week: &WorkWeek) -> Around {
    Around {
        criteria: fields.list("criteria", MAX_LIST, criterion),
        skills: fields.list("skills", MAX_LIST, |at| skill(at, &REQUIREMENT, "min_proficiency")),
        field_values: fields.at("field_values").map(values).unwrap_or_default(),
        recurrence: fields.at("recurrence").and_then(recurrence),
        occurrence: fields.at("occurrence").and_then(|at| occurrence(at, week)),
        scores: fields.at("scores").map(scores).unwrap_or_default(),
        blocked: fields.at("blocked").and_then(blocker),
    }
}

const SKILL: Keys = Keys { required: &["skill"], optional: &["category", "proficiency"], ..Keys::NONE };
const REQUIREMENT: Keys =
    Keys { required: &["skill"], optional: &["category", "min_proficiency"], ..Keys::NONE };

/// A skill that a resource has.
pub(super) fn owned_skill(at: At<'_>) -> Option<Skill> {
    skill(at, &SKILL, "proficiency")
}

fn skill(at: At<'_>, keys: &Keys, level: &str) -> Option<Skill> {
    let fields = at.fields(keys)?;
    Some(Skill {
        name: fields.name("skill", 120)?,
        category: fields.text("category", 60),
        proficiency: fields.integer(level, 1..=3).and_then(|level| u8::try_from(level).ok()).unwrap_or(1),
    })
}

const ROSTER: Keys =
    Keys { required: &["resource"], optional: &["role_title", "units", "notes"], ..Keys::NONE };

/// A resource on the roster.
pub(super) fn roster_entry(at: At<'_>) -> Option<RosterEntry> {
    let fields = at.fields(&ROSTER)?;
    Some(RosterEntry {
        resource: fields.slug("resource")?,
        role_title: fields.text("role_title", NAME_LENGTH),
        units: fields.number("units", is_units, UNITS),
        notes: fields.text("notes", ANY_LENGTH),
    })
}

const OVERLAY: Keys = Keys { required: &["calendar"], optional: &["role"], ..Keys::NONE };

/// A calendar whose days off count too.
pub(super) fn overlay(at: At<'_>) -> Option<Overlay> {
    let fields = at.fields(&OVERLAY)?;
    let role = fields.word("role");
    Some(Overlay { calendar: fields.slug("calendar")?, role: role.unwrap_or(CalendarLayer::Holidays) })
}

const CUSTOM_FIELD: Keys = Keys {
    required: &["slug", "name", "field_type"],
    optional: &["required", "show_on_card", "options"],
    ..Keys::NONE
};
const OPTION: Keys = Keys { required: &["value"], optional: &["label"], ..Keys::NONE };

/// A field that the project adds to its tasks.
pub(super) fn custom_field(at: At<'_>) -> Option<CustomField> {
    let fields = at.fields(&CUSTOM_FIELD)?;
    let kind: Option<FieldType> = fields.word("field_type");
    let options = fields.list("options", MAX_OPTIONS, |at| {
        let option = at.fields(&OPTION)?;
        let value = option.name("value", NAME_LENGTH)?;
        let label = option.name("label", NAME_LENGTH).unwrap_or_else(|| value.clone());
        Some((value, label))
    });
    if let Some(kind) = kind {
        let is_choice = matches!(kind, FieldType::SingleSelect | FieldType::MultiSelect);
        match (is_choice, options.is_empty()) {
            (true, true) => fields.add("options", "must have at least one item"),
            (false, false) => fields.add("options", "must be left out, because the field has no choices"),
            _ => {}
        }
    }
    Some(CustomField {
        slug: fields.slug("slug")?,
        name: fields.name("name", FIELD_NAME_LENGTH)?,
        kind: kind?,
        is_required: fields.flag("required").unwrap_or_default(),
        show_on_card: fields.flag("show_on_card").unwrap_or_default(),
        options,
    })
}

const CRITERION: Keys =
    Keys { required: &[], optional: &["text", "given", "when", "then", "met", "met_at"], ..Keys::NONE };

fn criterion(at: At<'_>) -> Option<Criterion> {
    let path = at.clone();
    let fields = at.fields(&CRITERION)?;
    let text = fields.text("text", ANY_LENGTH);
    let scenario = ["given", "when", "then"].map(|key| fields.text(key, ANY_LENGTH));
    if text.trim().is_empty() && scenario.iter().all(|part| part.trim().is_empty()) {
        path.add("needs a text, or given, when and then");
    }
    Some(Criterion {
        text,
        scenario,
        met: fields.flag("met").unwrap_or_default(),
        met_at: fields.timestamp("met_at"),
    })
}

/// Values by the slugs of their fields.
fn values(at: At<'_>) -> BTreeMap<String, Value> {
    let Value::Object(map) = at.value else {
        at.add("must be an object");
        return BTreeMap::new();
    };
    let (slugs, others): (Vec<_>, Vec<_>) = map.iter().partition(|(key, _)| scalars::is_slug(key));
    for (key, _) in others {
        at.add(format_args!("has the key \"{key:.60}\", which is not a slug"));
    }
    let said = slugs.into_iter().filter(|(_, value)| !value.is_null());
    said.map(|(key, value)| (key.clone(), value.clone())).collect()
}

const SCORES: Keys = Keys {
    required: &[],
    optional: &[
        "business_value",
        "time_criticality",
        "risk_reduction",
        "job_size",
        "reach",
        "value",
        "priority_rank",
        "impact",
        "confidence",
        "effort",
        "effort_estimate",
    ],
    ..Keys::NONE
};

fn scores(at: At<'_>) -> Scores {
    let Some(fields) = at.fields(&SCORES) else { return Scores::default() };
    let whole = |key: &&'static str| {
        let highest = if *key == "priority_rank" { i64::MAX } else { 2_147_483_647 };
        fields.integer(key, 0..=highest).map(|number| (*key, number))
    };
    let fractional = |key: &&'static str| {
        let fits = |number: f64| (0.0..=1e9).contains(&number);
        fields.number(key, fits, "from 0 to 1000000000").map(|number| (*key, number))
    };
    Scores {
        whole: Scores::WHOLE.iter().filter_map(whole).collect(),
        fractional: Scores::FRACTIONAL.iter().filter_map(fractional).collect(),
    }
}

const BLOCKER: Keys = Keys { required: &[], optional: &["reason", "type", "since"], ..Keys::NONE };

fn blocker(at: At<'_>) -> Option<Blocker> {
    let path = at.clone();
    let fields = at.fields(&BLOCKER)?;
    let reason = fields.text("reason", ANY_LENGTH);
    let kind = fields.word("type");
    if reason.trim().is_empty() && kind.is_none() {
        path.add("needs a reason or a type");
    }
    Some(Blocker { reason, kind, since: fields.timestamp("since") })
}

const OCCURRENCE: Keys = Keys { required: &["template", "on"], ..Keys::NONE };

fn occurrence(at: At<'_>, week: &WorkWeek) -> Option<(String, NaiveDate)> {
    let fields = at.fields(&OCCURRENCE)?;
    Some((fields.wbs_path("template")?, fields.date("on", Some(week))?))
}

const RECURRENCE: Keys = Keys {
    required: &["frequency", "begins"],
    optional: &[
        "interval",
        "weekdays",
        "day_of_month",
        "time_of_day",
        "timezone",
        "end_type",
        "end_date",
        "end_count",
        "inherit_assignee",
        "inherit_subtasks",
        "inherit_attachments",
        "inherit_morning_notification",
        "generated_through",
        "occurrence_count",
    ],
    ..Keys::NONE
};

/// Offsets are taken literally: a rule counts days of a calendar, and not working days.
fn recurrence(at: At<'_>) -> Option<Recurrence> {
    let fields = at.fields(&RECURRENCE)?;
    let count = |key: &str, highest| fields.count(key, highest);
    let small = |key: &str, range| fields.integer(key, range).and_then(|number| u8::try_from(number).ok());
    let flag = |key: &str, usual| fields.flag(key).unwrap_or(usual);
    let rule = Recurrence {
        frequency: fields.word("frequency")?,
        every: fields.integer("interval", 1..=365).and_then(|n| u32::try_from(n).ok()).unwrap_or(1),
        weekdays: small("weekdays", 0..=127).unwrap_or_default(),
        day_of_month: small("day_of_month", 1..=31),
        time_of_day: time_of_day(&fields),
        timezone: time_zone(&fields),
        end_type: fields.word("end_type").unwrap_or(RecurrenceEnd::Never),
        end_date: fields.date("end_date", None),
        end_count: count("end_count", 32_767),
        inherits: [
            flag("inherit_assignee", true),
            flag("inherit_subtasks", false),
            flag("inherit_attachments", false),
            flag("inherit_morning_notification", false),
        ],
        begins: fields.date("begins", None)?,
        generated_through: fields.date("generated_through", None),
        occurrence_count: count("occurrence_count", i32::MAX as u32).unwrap_or_default(),
    };
    let missing = [
        ("weekdays", rule.frequency == RecurrenceFrequency::Weekly && rule.weekdays == 0),
        ("day_of_month", rule.frequency == RecurrenceFrequency::Monthly && rule.day_of_month.is_none()),
        ("end_date", rule.end_type == RecurrenceEnd::OnDate && rule.end_date.is_none()),
        ("end_count", rule.end_type == RecurrenceEnd::AfterN && rule.end_count.unwrap_or_default() == 0),
    ];
    for (key, _) in missing.into_iter().filter(|(_, is_missing)| *is_missing) {
        fields.add(key, "is required by the rule");
    }
    Some(rule)
}

fn time_of_day(fields: &Fields<'_>) -> String {
    let usual = || "09:00:00".to_owned();
    let Some(at) = fields.at("time_of_day") else { return usual() };
    let parse = |text: &str| NaiveTime::parse_from_str(text, "%H:%M:%S").is_ok();
    at.shaped(parse, "a time of day HH:MM:SS").map_or_else(usual, str::to_owned)
}

fn time_zone(fields: &Fields<'_>) -> String {
    let usual = || "UTC".to_owned();
    let Some(at) = fields.at("timezone") else { return usual() };
    at.shaped(is_time_zone, "a time zone such as Europe/Berlin").map_or_else(usual, str::to_owned)
}

/// Whether a text names a time zone.
pub(super) fn is_time_zone(text: &str) -> bool {
    text.parse::<chrono_tz::Tz>().is_ok()
}
