//! Whether what stands around the plan fits together: rosters, calendars that count too, own fields, recurrence.

use std::collections::{HashMap, HashSet};

use planwright_domain::custom_fields::stored;
use planwright_domain::skills::normalized;
use planwright_domain::words::FieldType;

use super::names::{Names, duplicates};
use crate::seed::model::{CustomField, Project, Skill, Task};
use crate::seed::outline::Outline;
use crate::seed::problems::{Problems, quoted};

/// How many fields a project may have; the interface sets the same bound.
const MOST_FIELDS: usize = 32;

/// Notes skills that a list has twice.
pub(super) fn skills(skills: &[Skill], at: &str, problems: &mut Problems) {
    let names: Vec<String> = skills.iter().map(|skill| normalized(&skill.name)).collect();
    duplicates(names.iter().map(String::as_str), at, ".skill", problems);
}

/// Notes what does not fit together in a project.
pub(super) fn project(project: &Project, at: &str, names: &Names<'_>, problems: &mut Problems) {
    let roster = project.roster.as_deref().unwrap_or_default();
    for (place, entry) in roster.iter().enumerate() {
        names.resource(&entry.resource, &format!("{at}.roster[{place}].resource"), problems);
    }
    let resources = roster.iter().map(|entry| entry.resource.as_str());
    duplicates(resources, &format!("{at}.roster"), ".resource", problems);
    for (place, overlay) in project.overlays.iter().enumerate() {
        names.calendar(&overlay.calendar, &format!("{at}.overlays[{place}].calendar"), problems);
    }
    if !project.overlays.is_empty() && names.working_days(project) == 0 {
        problems.add(&format!("{at}.overlays"), "must leave a working weekday");
    }
    let calendars = project.overlays.iter().map(|overlay| overlay.calendar.as_str());
    duplicates(calendars, &format!("{at}.overlays"), ".calendar", problems);
    custom_fields(&project.custom_fields, at, problems);
    let fields: HashMap<&str, &CustomField> =
        project.custom_fields.iter().map(|field| (field.slug.as_str(), field)).collect();
    let outline = Outline::of(project.tasks.iter().map(|task| task.wbs_path.as_str()));
    let paths: HashSet<&str> = project.tasks.iter().map(|task| task.wbs_path.as_str()).collect();
    for (row, task) in project.tasks.iter().enumerate() {
        let at = format!("{at}.tasks[{row}]");
        skills(&task.around.skills, &format!("{at}.skills"), problems);
        values(task, &fields, &at, problems);
        recurrence(task, outline.has_children(row), &paths, &at, problems);
    }
}

fn custom_fields(fields: &[CustomField], at: &str, problems: &mut Problems) {
    let list = format!("{at}.custom_fields");
    duplicates(fields.iter().map(|field| field.slug.as_str()), &list, ".slug", problems);
    let names: Vec<String> = fields.iter().map(|field| field.name.to_lowercase()).collect();
    duplicates(names.iter().map(String::as_str), &list, ".name", problems);
    for (place, field) in fields.iter().enumerate() {
        let options = field.options.iter().map(|(value, _)| value.as_str());
        duplicates(options, &format!("{list}[{place}].options"), ".value", problems);
    }
    if fields.len() > MOST_FIELDS {
        problems.add(&list, format_args!("must have at most {MOST_FIELDS} items, not {}", fields.len()));
    }
}

fn values(task: &Task, fields: &HashMap<&str, &CustomField>, at: &str, problems: &mut Problems) {
    for (slug, value) in &task.around.field_values {
        let at = format!("{at}.field_values.{slug}");
        let Some(field) = fields.get(slug.as_str()) else {
            problems.add(&at, format_args!("no field has the slug {}", quoted(slug)));
            continue;
        };
        if field.kind == FieldType::User {
            problems.add(&at, "names a person, and a document cannot say who that is here");
            continue;
        }
        let choices: Vec<&str> = field.options.iter().map(|(value, _)| value.as_str()).collect();
        if let Err(message) = stored(field.kind, &choices, &HashSet::new(), value) {
            let message = message.trim_end_matches('.').replacen("Must", "must", 1).replacen("May", "may", 1);
            problems.add(&at, message);
        }
    }
}

fn recurrence(task: &Task, is_phase: bool, paths: &HashSet<&str>, at: &str, problems: &mut Problems) {
    if task.around.recurrence.is_some() && (is_phase || task.is_milestone) {
        problems.add(&format!("{at}.recurrence"), "a phase or a milestone cannot come back");
    }
    let Some((template, _)) = &task.around.occurrence else { return };
    let at = format!("{at}.occurrence.template");
    if task.around.recurrence.is_some() {
        problems.add(&at, "a task that a rule made cannot have a rule of its own");
    }
    if !paths.contains(template.as_str()) {
        problems.add(&at, format_args!("no task is at {}", quoted(template)));
    }
}
