//! Allocations on the wire and in storage.
//! Units are hundredths of one full-time capacity in storage and decimals on the wire.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{AssignmentId, ResourceId, TaskId};
use planwright_domain::words::{AllocationWarningCode, ChangeKind};
use planwright_plan::tasks::rules::units_text;
use planwright_plan::tasks::write::request::Units;
use planwright_store::{record, tracked};
use planwright_web::input::Patch;
use planwright_web::{Resource, body, input};
use schemars::JsonSchema;
use serde::Serialize;

use crate::catalog::model::MissingSkill;
use planwright_plan::tasks::of_task::OfTask;

record! {
    /// An allocation as it is stored.
    pub struct AllocationRow in task_resources {
        #[serde(skip)]
        pub id: AssignmentId,
        #[serde(rename = "task")]
        pub task_id: TaskId,
        #[serde(rename = "resource")]
        pub resource_id: ResourceId,
        pub units: i64,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! {
    AllocationRow as "task_resource" {
        fn event(kind: ChangeKind) -> Option<SocketEvent> {
            Some(match kind {
                ChangeKind::Created | ChangeKind::Restored => SocketEvent::AssignmentCreated,
                ChangeKind::Updated => SocketEvent::AssignmentUpdated,
                ChangeKind::Deleted => SocketEvent::AssignmentDeleted,
            })
        }

        fn payload(&self) -> serde_json::Value {
            serde_json::json!({ "id": self.id, "task_id": self.task_id })
        }
    }
}

impl Resource for AllocationRow {
    type Container = OfTask;

    fn container(&self) -> OfTask {
        OfTask(self.task_id)
    }
}

record! {
    /// An allocation with the name of its resource.
    pub struct NamedAllocationRow {
        pub resource_name: String,
    }
    and pub row: AllocationRow
}

/// How much of a resource works on a task.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskResource {
    pub id: AssignmentId,
    pub server_version: i64,
    pub task: TaskId,
    pub resource: ResourceId,
    pub resource_name: String,
    /// The share of one full-time capacity.
    pub units: String,
    /// Warnings about this write. Left out of reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warnings: Option<Vec<AllocationWarning>>,
}

/// A warning about an allocation.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AllocationWarning {
    pub code: AllocationWarningCode,
    /// The same in words.
    pub detail: String,
    /// The number of days of the task on which the resource has more work than capacity, over all projects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub days: Option<i64>,
    /// The first of these days.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_day: Option<NaiveDate>,
    /// The skills that the task requires and the resource does not have, or not well enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing_skills: Option<Vec<MissingSkill>>,
}

impl TaskResource {
    /// An allocation as a read shows it.
    pub fn read(NamedAllocationRow { resource_name, row }: NamedAllocationRow) -> Self {
        Self {
            id: row.id,
            server_version: row.server_version,
            task: row.task_id,
            resource: row.resource_id,
            resource_name,
            units: units_text(row.units),
            warnings: None,
        }
    }
}

body! {
    /// All fields of an allocation.
    pub struct TaskResourceRequest;
    /// Some fields of an allocation.
    pub struct PatchedTaskResourceRequest;
    required {
        /// The task. It cannot be changed later.
        task: TaskId,
        /// The resource. It cannot be changed later.
        resource: ResourceId,
    }
    optional {
        /// The share of one full-time capacity, from 0.01 to 2.00. The default is 1.00.
        units: Units,
    }
}

input! {
    /// Which allocations a list shows.
    pub struct AllocationFilter {
        /// Only those of this task.
        pub task: Patch<TaskId>,
        /// Only those of this resource.
        pub resource: Patch<ResourceId>,
    }
}
