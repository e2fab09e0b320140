//! Every statement about rules and what they make.
//! Rows of tasks are written under a plan lock, whose number they are stamped with.

use chrono::NaiveDate;
use planwright_domain::ids::{DeletionId, ProjectId, RecurrenceRuleId, TaskId};
use planwright_plan::schedule::PlanLock;
use planwright_store::{Read, Result, Sql, Tx, sql};
use planwright_web::Actor;

use super::model::{RuleFilter, RuleRow, Template};

/// The select list of a [`RuleRow`].
pub(super) const COLUMNS: &str = "SELECT r.id, r.project_id, r.task_id, r.frequency, r.every, r.weekdays,
    r.day_of_month, r.time_of_day, r.timezone, r.end_type, r.end_date, r.end_count, r.inherit_assignee,
    r.inherit_subtasks, r.inherit_attachments, r.inherit_morning_notification, r.begun_on, r.generated_through,
    r.occurrence_count, r.server_version";

const LIVE: &str = "FROM recurrence_rules r
    JOIN tasks t ON t.id = r.task_id AND t.deletion_id IS NULL
    JOIN projects p ON p.id = r.project_id AND p.deletion_id IS NULL";

/// The rules in a caller's projects.
pub(super) fn visible(actor: &Actor, filter: &RuleFilter) -> Sql {
    let from = format!(
        "{LIVE} JOIN project_members m ON m.project_id = r.project_id AND m.user_id = :me AND m.deletion_id IS NULL
         WHERE r.deletion_id IS NULL{}",
        actor.sees_projects()
    );
    sql!(from, me = actor.id)
        .when("AND r.project_id = :project", "project", filter.project.as_given().copied())
        .when("AND r.task_id = :task", "task", filter.task.as_given().copied())
}

/// One of them.
pub(super) async fn find_visible(
    db: &impl Read,
    actor: &Actor,
    id: RecurrenceRuleId,
) -> Result<Option<RuleRow>> {
    use planwright_web::Patch::Absent;
    let from = visible(actor, &RuleFilter { project: Absent, task: Absent });
    db.maybe(from.push(" AND r.id = :id").bind("id", id).wrap(&format!("{COLUMNS} "), "")).await
}

/// A rule whose template and project are live.
pub(super) async fn find(db: &impl Read, id: RecurrenceRuleId) -> Result<Option<RuleRow>> {
    let select = format!("{COLUMNS} {LIVE} WHERE r.deletion_id IS NULL AND r.id = :id");
    db.maybe(sql!(select, id = id)).await
}

/// The rules that have not looked as far ahead as a day, in projects that may be written.
pub(super) async fn behind(db: &impl Read, day: NaiveDate) -> Result<Vec<RecurrenceRuleId>> {
    let select = format!(
        "SELECT r.id {LIVE} WHERE r.deletion_id IS NULL AND p.archived_at IS NULL
            AND (r.generated_through IS NULL OR r.generated_through < :day) ORDER BY r.id"
    );
    db.scalars(sql!(select, day = day)).await
}

/// A live task as a template.
pub(super) async fn template(db: &impl Read, task: TaskId) -> Result<Option<Template>> {
    db.maybe(sql!(
        "SELECT t.project_id, t.name, t.notes, t.type, t.duration, t.duration_unit, t.governance_class,
            t.delivery_mode, t.story_points, t.assignee_id, t.color, t.planned_start, t.is_milestone,
            t.is_recurring, t.sprint_id IS NOT NULL AS in_sprint, t.server_version,
            (SELECT COUNT(*) FROM tasks c
             WHERE c.parent_id = t.id AND NOT c.is_subtask AND c.deletion_id IS NULL) AS below
         FROM tasks t WHERE t.id = :task AND t.deletion_id IS NULL",
        task = task
    ))
    .await
}

/// Adds a rule.
pub(super) async fn insert(tx: &mut Tx, row: &RuleRow, counter: i64) -> Result<()> {
    let statement = sql!(
        "INSERT INTO recurrence_rules (id, project_id, task_id, frequency, every, weekdays, day_of_month,
            time_of_day, timezone, end_type, end_date, end_count, inherit_assignee, inherit_subtasks,
            inherit_attachments, inherit_morning_notification, begun_on, generated_through, occurrence_count,
            change_number, created_at, server_version)
         VALUES (:id, :project, :task, :frequency, :every, :weekdays, :day_of_month,
            :time_of_day, :timezone, :end_type, :end_date, :end_count, :assignee, :subtasks,
            :attachments, :morning, :begun_on, :through, :count, :counter, :now, :version)",
        id = row.id,
        project = row.project_id,
        task = row.task_id,
        begun_on = row.begun_on,
        now = tx.now(),
    );
    tx.run(with_fields(statement, row, counter)).await.map(drop)
}

/// Writes the fields of a rule.
pub(super) async fn update(tx: &mut Tx, row: &RuleRow, counter: i64) -> Result<()> {
    let statement = sql!(
        "UPDATE recurrence_rules SET frequency = :frequency, every = :every, weekdays = :weekdays,
            day_of_month = :day_of_month, time_of_day = :time_of_day, timezone = :timezone, end_type = :end_type,
            end_date = :end_date, end_count = :end_count, inherit_assignee = :assignee,
            inherit_subtasks = :subtasks, inherit_attachments = :attachments,
            inherit_morning_notification = :morning, generated_through = :through, occurrence_count = :count,
            change_number = :counter, server_version = :version WHERE id = :id",
        id = row.id,
    );
    tx.run(with_fields(statement, row, counter)).await.map(drop)
}

fn with_fields(statement: Sql, row: &RuleRow, counter: i64) -> Sql {
    statement
        .bind("frequency", row.frequency)
        .bind("every", row.every)
        .bind("weekdays", row.weekdays)
        .bind("day_of_month", row.day_of_month)
        .bind("time_of_day", &row.time_of_day)
        .bind("timezone", &row.timezone)
        .bind("end_type", row.end_type)
        .bind("end_date", row.end_date)
        .bind("end_count", row.end_count)
        .bind("assignee", row.inherit_assignee)
        .bind("subtasks", row.inherit_subtasks)
        .bind("attachments", row.inherit_attachments)
        .bind("morning", row.inherit_morning_notification)
        .bind("through", row.generated_through)
        .bind("count", row.occurrence_count)
        .bind("counter", counter)
        .bind("version", row.server_version)
}

/// Takes a rule away.
pub(super) async fn delete(tx: &mut Tx, row: &RuleRow, deletion: DeletionId, counter: i64) -> Result<()> {
    tx.run(sql!(
        "UPDATE recurrence_rules SET deletion_id = :deletion, change_number = :counter,
            server_version = server_version + 1 WHERE id = :id",
        deletion = deletion,
        counter = counter,
        id = row.id
    ))
    .await
    .map(drop)
}

/// Takes a template out of the schedule, or returns it.
pub(super) async fn set_recurring(tx: &mut Tx, task: TaskId, recurring: bool, counter: i64) -> Result<()> {
    tx.run(sql!(
        "UPDATE tasks SET is_recurring = :recurring, edited_at = :now, change_number = :counter,
            server_version = server_version + 1 WHERE id = :task",
        recurring = recurring,
        now = tx.now(),
        counter = counter,
        task = task
    ))
    .await
    .map(drop)
}

/// The days from one on for which nothing is to be made: the rule made a task, or a rule before it made one that is there.
pub(super) async fn taken(db: &impl Read, rule: &RuleRow, from: NaiveDate) -> Result<Vec<NaiveDate>> {
    db.scalars(sql!(
        "SELECT o.on_date FROM recurrence_occurrences o JOIN tasks t ON t.id = o.task_id
         WHERE o.template_id = :template AND o.on_date >= :from
           AND (o.rule_id = :rule OR t.deletion_id IS NULL)",
        template = rule.task_id,
        from = from,
        rule = rule.id
    ))
    .await
}

/// Gives out so many short ids of a project and returns the first of their numbers.
async fn next_numbers(tx: &mut Tx, project: ProjectId, how_many: usize) -> Result<i64> {
    let how_many = i64::try_from(how_many).unwrap_or(i64::MAX);
    let last = tx
        .count(sql!(
            "UPDATE projects SET short_id_counter = short_id_counter + :how_many WHERE id = :project
             RETURNING short_id_counter",
            how_many = how_many,
            project = project
        ))
        .await?;
    Ok(last - how_many + 1)
}

/// Adds a task for each day, without a place in the outline.
pub(super) async fn insert_occurrences(
    tx: &mut Tx,
    rule: &RuleRow,
    template: &Template,
    days: &[(TaskId, NaiveDate)],
    lock: &PlanLock,
) -> Result<()> {
    let first = next_numbers(tx, rule.project_id, days.len()).await?;
    let now = tx.now();
    let counter = lock.counter(rule.project_id);
    let rows = (first..).zip(days).map(|(number, (id, day))| {
        sql!(
            "INSERT INTO tasks (id, project_id, position, has_place, short_id, name, notes, type, status,
                status_changed_at, duration, duration_unit, structure_role, percent_complete, planned_start,
                is_milestone, story_points, remaining_points, assignee_id, dor, governance_class,
                parent_governance_inherited, delivery_mode, is_subtask, is_recurring, color, blocked_reason,
                source_kind, source_version, created_at, server_version, change_number)
             VALUES (:id, :project, 0, FALSE, :short_id, :name, :notes, :type, 'NOT_STARTED',
                :now, :duration, :unit, 'work', 0, :day,
                FALSE, :points, :points, :assignee, 'idea', :governance,
                FALSE, :delivery, FALSE, TRUE, :color, '',
                'hand', '', :now, 1, :counter)",
            id = *id,
            project = rule.project_id,
            short_id = format!("{number:08X}"),
            name = &template.name,
            notes = &template.notes,
            type = template.r#type,
            now = now,
            duration = template.duration,
            unit = template.duration_unit,
            day = *day,
            points = template.story_points,
            assignee = template.assignee_id.filter(|_| rule.inherit_assignee),
            governance = template.governance_class,
            delivery = template.delivery_mode,
            color = template.color.clone(),
            counter = counter,
        )
    });
    let rows = rows.collect();
    tx.run_each(rows).await?;
    let rows = days.iter().map(|(id, day)| {
        sql!(
            "INSERT INTO recurrence_occurrences (rule_id, on_date, template_id, task_id)
             VALUES (:rule, :day, :template, :task)",
            rule = rule.id,
            day = *day,
            template = rule.task_id,
            task = *id,
        )
    });
    tx.run_each(rows.collect()).await.map(drop)
}

/// Notes how far a rule has looked ahead, unless somebody changed it since it was read; no version rises.
pub(super) async fn note_expanded(tx: &mut Tx, rule: &RuleRow, through: NaiveDate, made: i64) -> Result<()> {
    tx.run(sql!(
        "UPDATE recurrence_rules SET generated_through = :through, occurrence_count = occurrence_count + :made
         WHERE id = :id AND server_version = :version",
        through = through,
        made = made,
        id = rule.id,
        version = rule.server_version
    ))
    .await
    .map(drop)
}
