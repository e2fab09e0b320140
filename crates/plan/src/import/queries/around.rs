//! Statements about what stands around imported tasks: calendars that count too, fields, values, criteria, recurrence.

use chrono::NaiveDate;
use planwright_domain::custom_fields::StoredValue;
use planwright_domain::ids::{CalendarId, CriterionId, CustomFieldId, ProjectId, RecurrenceRuleId, TaskId};
use planwright_domain::words::{CalendarLayer, FieldType};
use planwright_store::{Read, Result, row, sql};
use uuid::Uuid;

use crate::import::ids::Ids;
use crate::import::model::{ImportedCriterion, ImportedField, ImportedRecurrence};
use crate::import::slices::Slices;

row! {
    /// A field of a project as an import compares it.
    pub(in crate::import) struct FieldRow {
        pub(in crate::import) id: CustomFieldId,
        pub(in crate::import) name_key: String,
        pub(in crate::import) field_type: FieldType,
        pub(in crate::import) place: i64,
    }
}

/// Lets the days off of calendars count in a project, in their order.
pub(in crate::import) async fn insert_layers(
    to: &mut Slices<'_>,
    project: ProjectId,
    layers: &[(CalendarId, CalendarLayer)],
) -> Result<()> {
    let (mut rows, clock) = (Vec::with_capacity(layers.len()), to.clock().clone());
    for (place, (calendar, role)) in layers.iter().enumerate() {
        rows.push(sql!(
            "INSERT INTO project_calendar_layers (id, project_id, calendar_id, role, sort_order)
             VALUES (:id, :project, :calendar, :role, :place)
             ON CONFLICT (project_id, calendar_id) DO NOTHING",
            id = clock.mint::<Uuid>(),
            project = project,
            calendar = *calendar,
            role = *role,
            place = place as i64,
        ));
    }
    to.run_each(Box::new(rows.into_iter())).await
}

/// The fields of a project.
pub(in crate::import) async fn fields(db: &dyn Read, project: ProjectId) -> Result<Vec<FieldRow>> {
    let select = "SELECT id, name_key, field_type, place FROM custom_fields
         WHERE project_id = :project AND deletion_id IS NULL ORDER BY place, id";
    db.all(sql!(select, project = project)).await
}

/// Adds fields to a project, behind the last place.
pub(in crate::import) async fn insert_fields(
    to: &mut Slices<'_>,
    project: ProjectId,
    ids: &[CustomFieldId],
    fields: &[ImportedField],
    last: i64,
) -> Result<()> {
    if fields.is_empty() {
        return Ok(());
    }
    let (now, number) = (to.now(), to.tx().await?.next_change_number(Some(project.0)).await?);
    let rows = ids.iter().zip(fields).enumerate().map(|(at, (id, field))| {
        sql!(
            "INSERT INTO custom_fields (id, project_id, name, name_key, field_type, is_required, options, place,
                show_on_card, created_at, updated_at, server_version, change_number)
             VALUES (:id, :project, :name, :key, :type, :required, :options, :place, :on_card, :now, :now, 1, :number)",
            id = *id,
            project = project,
            name = &field.name,
            key = field.name.to_lowercase(),
            type = field.kind,
            required = field.is_required,
            options = &field.options,
            place = last + at as i64 + 1,
            on_card = field.show_on_card,
            now = now,
            number = number,
        )
    });
    to.run_each(Box::new(rows)).await
}

/// Notes what tasks say in fields.
pub(in crate::import) async fn insert_values(
    to: &mut Slices<'_>,
    values: Vec<(TaskId, CustomFieldId, &StoredValue)>,
) -> Result<()> {
    let rows = values.into_iter().map(|(task, field, value)| {
        sql!(
            "INSERT INTO custom_field_values (task_id, field_id, value, as_number, as_text)
             VALUES (:task, :field, :value, :number, :text)",
            task = task,
            field = field,
            value = &value.value,
            number = value.as_number,
            text = value.as_text.as_deref(),
        )
    });
    to.run_each(Box::new(rows)).await
}

/// Adds conditions to tasks.
pub(in crate::import) async fn insert_criteria(
    to: &mut Slices<'_>,
    ids: &mut Ids,
    criteria: Vec<(TaskId, i64, &ImportedCriterion)>,
) -> Result<()> {
    let now = to.now();
    let rows = criteria.into_iter().map(|(task, position, criterion)| {
        let [given, when, then] = &criterion.scenario;
        sql!(
            "INSERT INTO acceptance_criteria (id, task_id, text, given_text, when_text, then_text, met, met_at,
                position, created_at, server_version, change_number)
             VALUES (:id, :task, :text, :given, :when, :then, :met, :met_at, :position, :now, 1, 1)",
            id = ids.next::<CriterionId>(),
            task = task,
            text = &criterion.text,
            given = given,
            when = when,
            then = then,
            met = criterion.met,
            met_at = criterion.met.then(|| criterion.met_at.unwrap_or(now)),
            position = position,
            now = now,
        )
    });
    to.run_each(Box::new(rows)).await
}

/// Adds rules by which tasks come back.
pub(in crate::import) async fn insert_rules(
    to: &mut Slices<'_>,
    project: ProjectId,
    rules: &[(TaskId, RecurrenceRuleId, &ImportedRecurrence)],
) -> Result<()> {
    if rules.is_empty() {
        return Ok(());
    }
    let (now, number) = (to.now(), to.tx().await?.next_change_number(Some(project.0)).await?);
    let rows = rules.iter().map(|(task, id, rule)| {
        sql!(
            "INSERT INTO recurrence_rules (id, project_id, task_id, frequency, every, weekdays, day_of_month,
                time_of_day, timezone, end_type, end_date, end_count, inherit_assignee, inherit_subtasks,
                inherit_attachments, inherit_morning_notification, begun_on, generated_through, occurrence_count,
                created_at, server_version, change_number)
             VALUES (:id, :project, :task, :frequency, :every, :weekdays, :day_of_month,
                :time_of_day, :timezone, :end_type, :end_date, :end_count, :assignee, :subtasks,
                :attachments, :notice, :begun_on, :generated_through, :count, :now, 1, :number)",
            id = *id,
            project = project,
            task = *task,
            frequency = rule.frequency,
            every = rule.every,
            weekdays = rule.weekdays,
            day_of_month = rule.day_of_month,
            time_of_day = &rule.time_of_day,
            timezone = &rule.timezone,
            end_type = rule.end_type,
            end_date = rule.end_date,
            end_count = rule.end_count,
            assignee = rule.inherit_assignee,
            subtasks = rule.inherit_subtasks,
            attachments = rule.inherit_attachments,
            notice = rule.inherit_morning_notification,
            begun_on = rule.begun_on,
            generated_through = rule.generated_through,
            count = rule.occurrence_count,
            now = now,
            number = number,
        )
    });
    to.run_each(Box::new(rows)).await
}

/// Notes which tasks rules have made, so that none of them makes the same day again.
pub(in crate::import) async fn insert_occurrences(
    to: &mut Slices<'_>,
    occurrences: Vec<(RecurrenceRuleId, NaiveDate, TaskId, TaskId)>,
) -> Result<()> {
    let rows = occurrences.into_iter().map(|(rule, on, template, task)| {
        sql!(
            "INSERT INTO recurrence_occurrences (rule_id, on_date, template_id, task_id)
             VALUES (:rule, :on, :template, :task) ON CONFLICT (rule_id, on_date) DO NOTHING",
            rule = rule,
            on = on,
            template = template,
            task = task,
        )
    });
    to.run_each(Box::new(rows)).await
}
