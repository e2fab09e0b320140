//! Resources on the wire and in storage.
//! Capacities are hundredths of one full-time person in storage and decimals on the wire.

use chrono::{DateTime, Utc};
use planwright_domain::access::{self, Action, may};
use planwright_domain::ids::{
    AssignmentId, CalendarId, DeletionId, ProjectId, ResourceId, SkillId, TaskId, UserId,
};
use planwright_domain::words::{ResourceKind, SkillFit, TaskStatus};
use planwright_plan::calendars::{Library, LibraryScope};
use planwright_plan::tasks::rules::units_text;
use planwright_plan::tasks::write::request::Hundredths;
use planwright_store::{record, row, tracked};
use planwright_web::input::{Name, Patch};
use planwright_web::{Resource as Named, body, input};
use schemars::JsonSchema;
use serde::Serialize;

use crate::skills::model::ResourceSkill;

record! {
    /// A resource as it is stored.
    pub struct ResourceRow in resources {
        #[serde(skip)]
        pub id: ResourceId,
        pub name: String,
        pub email: String,
        pub job_role: String,
        pub kind: ResourceKind,
        pub max_units: i64,
        /// Hundredths of the currency for an hour of work.
        pub hourly_rate: Option<i64>,
        #[serde(rename = "calendar")]
        pub calendar_id: Option<CalendarId>,
        #[serde(rename = "user")]
        pub user_id: Option<UserId>,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! { ResourceRow as "resource" }

impl Named for ResourceRow {
    type Container = Library;

    fn container(&self) -> Library {
        Library
    }
}

impl ResourceRow {
    /// A resource of which nothing is known yet: one person with all of their time.
    pub fn fresh(id: ResourceId, now: DateTime<Utc>) -> Self {
        Self {
            id,
            name: String::new(),
            email: String::new(),
            job_role: String::new(),
            kind: ResourceKind::Person,
            max_units: 100,
            hourly_rate: None,
            calendar_id: None,
            user_id: None,
            created_at: now,
            server_version: 1,
        }
    }
}

record! {
    /// A resource with what the caller is to it.
    pub struct SeenRow {
        pub is_me: bool,
        pub is_deleted: bool,
    }
    and pub resource: ResourceRow
}

record! {
    /// A resource with the act of deletion that took it, if one did.
    pub struct EverRow {
        pub deletion_id: Option<DeletionId>,
    }
    and pub resource: ResourceRow
}

/// Somebody who reads the catalogue.
pub type Reader = LibraryScope<may::ReadResources>;

/// A resource of the catalogue.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Resource {
    pub id: ResourceId,
    pub server_version: i64,
    pub name: String,
    /// The e-mail address. Left out for callers who manage no project, except on their own row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// The linked account. It is left out if there is none, and for callers who may not see the e-mail address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    pub job_role: String,
    pub kind: ResourceKind,
    /// The calendar of the resource. Null means the calendars of its projects.
    pub calendar: Option<CalendarId>,
    /// The whole capacity. 1.00 is one person full time.
    pub max_units: String,
    /// What an hour of its work costs, in the currency of the workspace. It is left out if nobody said so, and for callers who may
    /// not see the e-mail address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hourly_rate: Option<String>,
    pub skills: Vec<ResourceSkill>,
    /// Whether it represents the caller: it is linked to the account of the caller, or to no account and has the
    /// e-mail address of the caller.
    pub is_me: bool,
    /// Whether it was removed from the catalogue.
    pub is_deleted: bool,
    /// How well its skills fit the task in the query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill_fit: Option<SkillFit>,
    /// The skills that this task requires and the resource does not have, or not well enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing_skills: Option<Vec<MissingSkill>>,
}

/// A skill that a task requires and a resource does not have, or not well enough.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MissingSkill {
    pub skill_id: SkillId,
    pub skill_name: String,
    /// The required proficiency, from 1.
    pub required: i64,
    pub required_label: String,
    /// The proficiency of the resource. Null if it does not have the skill.
    pub actual: Option<i64>,
    pub actual_label: Option<String>,
}

impl Resource {
    /// A row as the reader may see it.
    pub fn seen(row: SeenRow, skills: Vec<ResourceSkill>, reader: &Reader) -> Self {
        let SeenRow { is_me, is_deleted, resource } = row;
        let is_told = is_me || access::allows(Action::EditResources, reader.role);
        Self {
            id: resource.id,
            server_version: resource.server_version,
            name: resource.name,
            email: is_told.then_some(resource.email),
            user: resource.user_id.filter(|_| is_told),
            job_role: resource.job_role,
            kind: resource.kind,
            calendar: resource.calendar_id,
            max_units: units_text(resource.max_units),
            hourly_rate: resource.hourly_rate.filter(|_| is_told).map(units_text),
            skills,
            is_me,
            is_deleted,
            skill_fit: None,
            missing_skills: None,
        }
    }
}

/// A whole capacity, from 0.01 to 99.99.
pub type MaxUnits = Hundredths<1, 9999>;

/// What an hour costs, from 0.00 to 99999.99.
pub type HourlyRate = Hundredths<0, 9_999_999>;

body! {
    /// All fields of a resource.
    pub struct ResourceRequest;
    /// Some fields of a resource.
    pub struct PatchedResourceRequest;
    required {
        /// The name.
        name: Name<1, 255>,
    }
    optional {
        /// The e-mail address. Blank means none.
        email: Name<0, 254>,
        /// The job role.
        job_role: Name<0, 120>,
        /// A person unless said otherwise.
        kind: ResourceKind,
        /// The calendar of the resource. Null means the calendars of its projects.
        calendar: Option<CalendarId>,
        /// The whole capacity. The default is 1.00.
        max_units: MaxUnits,
        /// What an hour of its work costs, in the currency of the workspace. Null means that it is not known.
        hourly_rate: Option<HourlyRate>,
        /// The account of the resource. Null means no account.
        user: Option<UserId>,
    }
}

input! {
    /// Which resources a list shows.
    pub struct ResourceFilter {
        /// Only resources that are not on the roster of this project.
        pub exclude_project: Patch<ProjectId>,
        /// A task. Each resource then says how well its skills fit this task.
        pub task: Patch<TaskId>,
        /// Whether removed resources are included. Only for callers who may change the catalogue.
        pub include_deleted: Patch<bool>,
    }
}

row! {
    /// A task that a resource is allocated to.
    pub struct AssignmentRow {
        pub id: AssignmentId,
        pub task_id: TaskId,
        pub task_name: String,
        pub project_id: ProjectId,
        pub project_name: String,
        pub status: TaskStatus,
        pub percent_complete: f64,
        pub units: i64,
    }
}

/// A task that a resource is allocated to.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ResourceAssignment {
    pub id: AssignmentId,
    pub task: TaskId,
    pub task_name: String,
    pub project: ProjectId,
    pub project_name: String,
    pub status: TaskStatus,
    pub percent_complete: f64,
    /// The share of one full-time capacity.
    pub units: String,
}

impl From<AssignmentRow> for ResourceAssignment {
    fn from(row: AssignmentRow) -> Self {
        Self {
            id: row.id,
            task: row.task_id,
            task_name: row.task_name,
            project: row.project_id,
            project_name: row.project_name,
            status: row.status,
            percent_complete: row.percent_complete,
            units: units_text(row.units),
        }
    }
}
