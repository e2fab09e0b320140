//! A rule on the wire and in storage, what a caller may say of one, and the rows it is expanded from.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::{ProjectId, RecurrenceRuleId, TaskId, UserId};
use planwright_domain::words::*;
use planwright_store::{Read, Result, record, row, tracked};
use planwright_web::input::{Int, Name, Patch, TimeZone};
use planwright_web::{Resource, body, input};
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use super::queries;

record! {
    /// A rule as it is stored.
    pub struct RuleRow in recurrence_rules {
        /// The rule.
        #[serde(skip)]
        pub id: RecurrenceRuleId,
        /// The project of its template.
        #[serde(skip)]
        pub project_id: ProjectId,
        /// Its template.
        #[serde(rename = "task")]
        pub task_id: TaskId,
        /// The unit it counts in.
        pub frequency: RecurrenceFrequency,
        /// The distance from one task to the next, in units of the frequency.
        #[serde(rename = "interval")]
        pub every: i64,
        /// A bit for each weekday, Monday first.
        pub weekdays: i64,
        /// The day of the month. A shorter month uses its last day.
        pub day_of_month: Option<i64>,
        /// When on the day.
        pub time_of_day: String,
        /// The time zone of that day.
        pub timezone: String,
        /// How it ends.
        pub end_type: RecurrenceEnd,
        /// The last day.
        pub end_date: Option<NaiveDate>,
        /// How many tasks it makes in all.
        pub end_count: Option<i64>,
        /// Whether the tasks it makes are assigned like their template.
        pub inherit_assignee: bool,
        /// Whether they get its subtasks.
        pub inherit_subtasks: bool,
        /// Whether they get its attachments.
        pub inherit_attachments: bool,
        /// Whether they are told of in the morning.
        pub inherit_morning_notification: bool,
        /// The day it counts from when its template has no planned start.
        #[serde(skip)]
        pub begun_on: NaiveDate,
        /// The last day that was looked at.
        #[serde(skip)]
        pub generated_through: Option<NaiveDate>,
        /// How many tasks it has made.
        pub occurrence_count: i64,
        /// When somebody made it.
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        /// Rises with every change that a person makes.
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! { RuleRow as "recurrence_rule" }

impl Resource for RuleRow {
    type Container = ProjectId;

    fn container(&self) -> ProjectId {
        self.project_id
    }

    async fn find(db: &dyn Read, id: Uuid) -> Result<Option<Self>> {
        queries::find(db, RecurrenceRuleId(id)).await
    }
}

impl RuleRow {
    /// A rule of which nothing is known but its template: every day, for ever.
    pub fn fresh(id: RecurrenceRuleId, project: ProjectId, task: TaskId, now: DateTime<Utc>) -> Self {
        Self {
            id,
            project_id: project,
            task_id: task,
            frequency: RecurrenceFrequency::Daily,
            every: 1,
            weekdays: 0,
            day_of_month: None,
            time_of_day: "09:00:00".to_owned(),
            timezone: "UTC".to_owned(),
            end_type: RecurrenceEnd::Never,
            end_date: None,
            end_count: None,
            inherit_assignee: true,
            inherit_subtasks: false,
            inherit_attachments: false,
            inherit_morning_notification: false,
            begun_on: now.date_naive(),
            generated_through: None,
            occurrence_count: 0,
            created_at: now,
            server_version: 1,
        }
    }
}

row! {
    /// What a template gives to the tasks that are made from it, and what is asked of it.
    pub struct Template {
        /// Its project.
        pub project_id: ProjectId,
        /// Its name.
        pub name: String,
        /// Its notes.
        pub notes: String,
        /// What kind of row it is.
        pub r#type: TaskType,
        /// Its duration.
        pub duration: i64,
        /// How that is shown.
        pub duration_unit: DurationUnit,
        /// How strictly it is governed.
        pub governance_class: GovernanceClass,
        /// How it is delivered.
        pub delivery_mode: DeliveryMode,
        /// Its points.
        pub story_points: Option<i64>,
        /// Who does it.
        pub assignee_id: Option<UserId>,
        /// Its colour.
        pub color: Option<String>,
        /// The day it begins.
        pub planned_start: Option<NaiveDate>,
        /// Whether it is a milestone.
        pub is_milestone: bool,
        /// Whether it takes no part in the schedule since it comes back.
        pub is_recurring: bool,
        /// How many rows stand below it, drawer subtasks not counted.
        pub below: i64,
        /// Whether it stands in a sprint.
        pub in_sprint: bool,
        /// Its version.
        pub server_version: i64,
    }
}

/// A recurrence rule of a task.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskRecurrenceRule {
    pub id: RecurrenceRuleId,
    pub server_version: i64,
    /// The template.
    pub task: TaskId,
    pub frequency: RecurrenceFrequency,
    pub interval: i64,
    /// The sum of one number for each weekday: Monday is 1, Tuesday 2, and so on to Sunday 64.
    pub weekdays: i64,
    /// The day of the month. A shorter month uses its last day.
    pub day_of_month: Option<i64>,
    #[schemars(extend("format" = "time"))]
    pub time_of_day: String,
    pub timezone: String,
    pub end_type: RecurrenceEnd,
    pub end_date: Option<NaiveDate>,
    pub end_count: Option<i64>,
    pub inherit_assignee: bool,
    pub inherit_subtasks: bool,
    pub inherit_attachments: bool,
    pub inherit_morning_notification: bool,
    /// The last day for which tasks were created.
    pub generated_through: Option<NaiveDate>,
    /// The number of tasks that were created.
    pub occurrence_count: i64,
}

impl From<RuleRow> for TaskRecurrenceRule {
    fn from(row: RuleRow) -> Self {
        Self {
            id: row.id,
            server_version: row.server_version,
            task: row.task_id,
            frequency: row.frequency,
            interval: row.every,
            weekdays: row.weekdays,
            day_of_month: row.day_of_month,
            time_of_day: row.time_of_day,
            timezone: row.timezone,
            end_type: row.end_type,
            end_date: row.end_date,
            end_count: row.end_count,
            inherit_assignee: row.inherit_assignee,
            inherit_subtasks: row.inherit_subtasks,
            inherit_attachments: row.inherit_attachments,
            inherit_morning_notification: row.inherit_morning_notification,
            generated_through: row.generated_through,
            occurrence_count: row.occurrence_count,
        }
    }
}

input! {
    /// Which rules a list shows.
    pub struct RuleFilter {
        /// Only rules in this project.
        pub project: Patch<ProjectId>,
        /// The rule of this template.
        pub task: Patch<TaskId>,
    }
}

body! {
    /// A recurrence rule.
    pub struct TaskRecurrenceRuleRequest;
    /// Some fields of a recurrence rule.
    pub struct PatchedTaskRecurrenceRuleRequest;
    required {
        /// The template. It cannot be changed later.
        task: TaskId,
    }
    optional {
        /// The unit to count in.
        frequency: RecurrenceFrequency,
        /// The distance from one task to the next, in units of the frequency.
        interval: Int<1, 365>,
        /// The sum of one number for each weekday: Monday is 1, Tuesday 2, and so on to Sunday 64.
        weekdays: Int<0, 127>,
        /// The day of the month. A shorter month uses its last day.
        day_of_month: Option<Int<1, 31>>,
        /// When on the day, as `09:00`.
        time_of_day: Name<1, 15>,
        /// The time zone of that day.
        timezone: TimeZone,
        /// How it ends.
        end_type: RecurrenceEnd,
        /// The last day, for `ON_DATE`.
        end_date: Option<NaiveDate>,
        /// The total number of tasks, for `AFTER_N`.
        end_count: Option<Int<0, 2_147_483_647>>,
        /// Whether the tasks have the assignee of their template.
        inherit_assignee: bool,
        /// Stored, but without effect. Nothing is copied yet.
        inherit_subtasks: bool,
        /// Stored, but without effect. Nothing is copied yet.
        inherit_attachments: bool,
        /// Stored, but without effect. Nobody is notified yet.
        inherit_morning_notification: bool,
    }
}
