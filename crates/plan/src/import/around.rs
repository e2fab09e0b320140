//! What stands around imported tasks: criteria, skills they ask for, values in fields, and rules by which they come back.

use std::collections::HashMap;

use chrono::NaiveDate;
use planwright_domain::custom_fields::StoredValue;
use planwright_domain::ids::{CustomFieldId, DeletionId, ProjectId, RecurrenceRuleId, TaskId};
use planwright_store::Result;

use super::ids::Ids;
use super::model::{ImportedCriterion, ImportedRecurrence, ImportedTask};
use super::slices::Slices;
use super::{queries::around as queries, skills};

/// Brings in what stands around tasks that are there by now. `fields` are those that the values name by their places.
pub(super) async fn bring(
    to: &mut Slices<'_>,
    ids: &mut Ids,
    (project, hidden): (ProjectId, Option<DeletionId>),
    tasks: &[TaskId],
    fields: &[CustomFieldId],
    imported: &[ImportedTask],
) -> Result<()> {
    let rows: Vec<(TaskId, &ImportedTask)> = tasks.iter().copied().zip(imported).collect();
    queries::insert_criteria(to, ids, criteria(&rows)).await?;
    skills::of_tasks(to, ids, hidden, tasks, imported).await?;
    queries::insert_values(to, values(&rows, fields)).await?;
    let rules = rules(ids, &rows);
    queries::insert_rules(to, project, &rules).await?;
    queries::insert_occurrences(to, occurrences(&rows, tasks, &rules)).await
}

/// The conditions of each task, numbered from 1.
fn criteria<'a>(rows: &[(TaskId, &'a ImportedTask)]) -> Vec<(TaskId, i64, &'a ImportedCriterion)> {
    let of_task = |(id, task): &(TaskId, &'a ImportedTask)| {
        let id = *id;
        let criteria = task.around.criteria.iter().enumerate();
        criteria.map(move |(at, criterion)| (id, at as i64 + 1, criterion)).collect::<Vec<_>>()
    };
    rows.iter().flat_map(of_task).collect()
}

fn values<'a>(
    rows: &[(TaskId, &'a ImportedTask)],
    fields: &[CustomFieldId],
) -> Vec<(TaskId, CustomFieldId, &'a StoredValue)> {
    let of_task = |(id, task): &(TaskId, &'a ImportedTask)| {
        let values = task.around.values.iter();
        values.map(|(field, value)| (*id, fields[*field], value)).collect::<Vec<_>>()
    };
    rows.iter().flat_map(of_task).collect()
}

fn rules<'a>(
    ids: &mut Ids,
    rows: &[(TaskId, &'a ImportedTask)],
) -> Vec<(TaskId, RecurrenceRuleId, &'a ImportedRecurrence)> {
    let templates = rows.iter().filter_map(|(id, task)| Some((*id, task.around.recurrence.as_ref()?)));
    templates.map(|(id, rule)| (id, ids.next(), rule)).collect()
}

/// The tasks that rules have made; the rule of a template may be gone by now.
fn occurrences(
    rows: &[(TaskId, &ImportedTask)],
    tasks: &[TaskId],
    rules: &[(TaskId, RecurrenceRuleId, &ImportedRecurrence)],
) -> Vec<(RecurrenceRuleId, NaiveDate, TaskId, TaskId)> {
    let rules: HashMap<TaskId, RecurrenceRuleId> =
        rules.iter().map(|(template, rule, _)| (*template, *rule)).collect();
    let made = rows.iter().filter_map(|(id, task)| {
        let (template, on) = task.around.occurrence?;
        let template = tasks[template];
        Some((*rules.get(&template)?, on, template, *id))
    });
    made.collect()
}
