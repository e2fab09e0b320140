//! Every statement about rules and what they make.
//! Rows of tasks are written under a plan lock, whose number they are stamped with.

use chrono::NaiveDate;
use planwright_domain::ids::{RecurrenceRuleId, TaskId};
use planwright_plan::schedule::PlanLock;
use planwright_plan::tasks::write::queries::reserve_short_ids;
use planwright_plan::tasks::write::{TaskRecord, short_id};
use planwright_store::record::{Record, column};
use planwright_store::{Read, Result, Sql, Tx, sql};
use planwright_web::Actor;

use super::model::{RuleFilter, RuleRow, Template};

/// The select list of a [`RuleRow`].
pub(super) fn columns() -> String {
    format!("SELECT {}", RuleRow::select_list("r"))
}

const LIVE: &str = "FROM recurrence_rules r
    JOIN tasks t ON t.id = r.task_id AND t.deletion_id IS NULL
    JOIN projects p ON p.id = r.project_id AND p.deletion_id IS NULL";

/// The rules in a caller's projects.
pub(super) fn visible(actor: &Actor, filter: &RuleFilter) -> Sql {
    let live = Sql::new(format!("{LIVE} WHERE r.deletion_id IS NULL"));
    actor
        .in_visible_projects(live, "r.project_id")
        .when("AND r.project_id = :project", "project", filter.project.as_given().copied())
        .when("AND r.task_id = :task", "task", filter.task.as_given().copied())
}

/// A rule whose template and project are live.
pub(super) async fn find(db: &dyn Read, id: RecurrenceRuleId) -> Result<Option<RuleRow>> {
    let select = format!("{} {LIVE} WHERE r.deletion_id IS NULL AND r.id = :id", columns());
    db.maybe(sql!(select, id = id)).await
}

/// The rules that have not looked as far ahead as a day, in projects that may be written.
pub(super) async fn behind(db: &dyn Read, day: NaiveDate) -> Result<Vec<RecurrenceRuleId>> {
    let select = format!(
        "SELECT r.id {LIVE} WHERE r.deletion_id IS NULL AND p.archived_at IS NULL
            AND (r.generated_through IS NULL OR r.generated_through < :day) ORDER BY r.id"
    );
    db.scalars(sql!(select, day = day)).await
}

/// A live task as a template.
pub(super) async fn template(db: &dyn Read, task: TaskId) -> Result<Option<Template>> {
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

/// The days from one on for which nothing is to be made: the rule made a task, or a rule before it made one that is there.
pub(super) async fn taken(db: &dyn Read, rule: &RuleRow, from: NaiveDate) -> Result<Vec<NaiveDate>> {
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

/// Adds a task for each day, without a place in the outline.
pub(super) async fn insert_occurrences(
    tx: &mut Tx,
    rule: &RuleRow,
    template: &Template,
    days: &[(TaskId, NaiveDate)],
    lock: &PlanLock,
) -> Result<()> {
    let first = reserve_short_ids(tx, rule.project_id, days.len()).await? + 1;
    let number = column("change_number", lock.counter(rule.project_id));
    let now = tx.now();
    let made = (first..).zip(days).map(|(number, (id, day))| TaskRecord {
        position: 0,
        has_place: false,
        short_id: short_id(number),
        name: template.name.clone(),
        notes: template.notes.clone(),
        r#type: template.r#type,
        duration: template.duration,
        duration_unit: template.duration_unit,
        planned_start: Some(*day),
        story_points: template.story_points,
        remaining_points: template.story_points,
        assignee_id: template.assignee_id.filter(|_| rule.inherit_assignee),
        governance_class: template.governance_class,
        delivery_mode: template.delivery_mode,
        is_recurring: true,
        color: template.color.clone(),
        edited_at: None,
        ..TaskRecord::fresh(*id, rule.project_id, now)
    });
    let made: Vec<TaskRecord> = made.collect();
    tx.insert_each(made.iter().map(|row| (row, number.clone())).collect()).await?;
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
