//! What stands around the rows of a document: rosters, skills, own fields, criteria and recurrence.

use std::collections::HashSet;

use planwright_domain::custom_fields::stored;
use planwright_plan::import::model::*;
use planwright_plan_files::seed::model::{CustomField, Recurrence, RosterEntry, Scores, Skill, Task};
use serde_json::json;

use super::{Places, hundredths};

/// A skill, whoever has it or asks for it.
pub(super) fn skill(skill: &Skill) -> ImportedSkill {
    let Skill { name, category, proficiency } = skill.clone();
    ImportedSkill { name, category, proficiency: proficiency.into() }
}

/// The roster of a project: what the document lists, and everybody else who works in it.
pub(super) fn roster(
    places: &Places<'_>,
    listed: Option<&[RosterEntry]>,
    working: &[usize],
) -> Vec<ImportedRosterEntry> {
    let entry = |entry: &RosterEntry| {
        Some(ImportedRosterEntry {
            resource: places.resource(&entry.resource)?,
            role_title: entry.role_title.clone(),
            units: entry.units.map(hundredths),
            notes: entry.notes.clone(),
        })
    };
    let mut roster: Vec<ImportedRosterEntry> = listed.unwrap_or_default().iter().filter_map(entry).collect();
    let there: HashSet<usize> = roster.iter().map(|entry| entry.resource).collect();
    let others = working.iter().filter(|resource| !there.contains(resource));
    roster.extend(others.map(|resource| ImportedRosterEntry::of(*resource)));
    roster
}

/// A field of the project.
pub(super) fn custom_field(field: &CustomField) -> ImportedField {
    let options = field.options.iter().map(|(value, label)| json!({ "value": value, "label": label }));
    ImportedField {
        name: field.name.clone(),
        kind: field.kind,
        is_required: field.is_required,
        show_on_card: field.show_on_card,
        options: options.collect(),
    }
}

/// What stands around a row.
pub(super) fn of_task(places: &Places<'_>, place: usize, task: &Task) -> ImportedAround {
    let fields = &places.document.projects[place].custom_fields;
    let said = fields.iter().enumerate().filter_map(|(at, field)| {
        let choices: Vec<&str> = field.options.iter().map(|(value, _)| value.as_str()).collect();
        let value = task.around.field_values.get(&field.slug)?;
        stored(field.kind, &choices, &HashSet::new(), value).ok().map(|value| (at, value))
    });
    let criteria = task.around.criteria.iter().map(|criterion| ImportedCriterion {
        text: criterion.text.clone(),
        scenario: criterion.scenario.clone(),
        met: criterion.met,
        met_at: criterion.met_at,
    });
    let blocked = task.around.blocked.as_ref();
    ImportedAround {
        criteria: criteria.collect(),
        skills: task.around.skills.iter().map(skill).collect(),
        values: said.collect(),
        recurrence: task.around.recurrence.as_ref().map(recurrence),
        occurrence: task
            .around
            .occurrence
            .as_ref()
            .and_then(|(template, on)| Some((places.task_in(place, template)?, *on))),
        scores: scores(&task.around.scores),
        blocked_reason: blocked.map(|blocked| blocked.reason.clone()).unwrap_or_default(),
        blocker_type: blocked.and_then(|blocked| blocked.kind),
        blocked_since: blocked.and_then(|blocked| blocked.since),
    }
}

fn recurrence(rule: &Recurrence) -> ImportedRecurrence {
    let [inherit_assignee, inherit_subtasks, inherit_attachments, inherit_morning_notification] =
        rule.inherits;
    ImportedRecurrence {
        frequency: rule.frequency,
        every: rule.every.into(),
        weekdays: rule.weekdays.into(),
        day_of_month: rule.day_of_month.map(i64::from),
        time_of_day: rule.time_of_day.clone(),
        timezone: rule.timezone.clone(),
        end_type: rule.end_type,
        end_date: rule.end_date,
        end_count: rule.end_count.map(i64::from),
        inherit_assignee,
        inherit_subtasks,
        inherit_attachments,
        inherit_morning_notification,
        begun_on: rule.begins,
        generated_through: rule.generated_through,
        occurrence_count: rule.occurrence_count.into(),
    }
}

fn scores(scores: &Scores) -> ImportedScores {
    let whole = |key: &str| scores.whole.get(key).copied();
    let fractional = |key: &str| scores.fractional.get(key).copied();
    ImportedScores {
        priority_rank: whole("priority_rank"),
        business_value: whole("business_value"),
        time_criticality: whole("time_criticality"),
        risk_reduction: whole("risk_reduction"),
        job_size: whole("job_size"),
        reach: whole("reach"),
        value: whole("value"),
        impact: fractional("impact"),
        confidence: fractional("confidence"),
        effort: fractional("effort"),
        effort_estimate: fractional("effort_estimate"),
    }
}
