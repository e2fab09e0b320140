//! Rosters on the wire and in storage.

use chrono::{DateTime, Utc};
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{ProjectId, ResourceId, RosterEntryId, TaskId};
use planwright_domain::words::ChangeKind;
use planwright_store::{record, row, tracked};
use planwright_web::input::{LongText, Name, Patch};
use planwright_web::{Resource as Named, body, input};
use schemars::JsonSchema;
use serde::Serialize;

use crate::catalog::model::{MaxUnits, Resource};

record! {
    /// The place of a resource on a roster, as it is stored.
    pub struct RosterRow in project_resources {
        #[serde(skip)]
        pub id: RosterEntryId,
        #[serde(skip)]
        pub project_id: ProjectId,
        #[serde(rename = "resource")]
        pub resource_id: ResourceId,
        pub role_title: String,
        pub units_override: Option<i64>,
        pub notes: String,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! {
    RosterRow as "project_resource" {
        fn event(_: ChangeKind) -> Option<SocketEvent> {
            Some(SocketEvent::RosterChanged)
        }

        fn payload(&self) -> serde_json::Value {
            serde_json::json!({ "resource_id": self.resource_id })
        }
    }
}

impl Named for RosterRow {
    type Container = ProjectId;

    fn container(&self) -> ProjectId {
        self.project_id
    }
}

impl RosterRow {
    /// A resource that comes onto a roster with its whole capacity.
    pub fn fresh(
        id: RosterEntryId,
        project_id: ProjectId,
        resource_id: ResourceId,
        now: DateTime<Utc>,
    ) -> Self {
        Self {
            id,
            project_id,
            resource_id,
            role_title: String::new(),
            units_override: None,
            notes: String::new(),
            created_at: now,
            server_version: 1,
        }
    }
}

/// A resource on the roster of a project.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProjectResource {
    pub id: RosterEntryId,
    pub server_version: i64,
    pub project: ProjectId,
    pub resource: ResourceId,
    pub resource_detail: Resource,
    /// The role in the project.
    pub role_title: String,
    /// The capacity in the project. Null means its whole capacity.
    pub units_override: Option<String>,
    /// The capacity that counts in the project.
    pub effective_max_units: String,
    pub notes: String,
}

body! {
    /// All fields of a roster entry.
    pub struct ProjectResourceRequest;
    /// Some fields of a roster entry.
    pub struct PatchedProjectResourceRequest;
    required {
        /// The project. It cannot be changed later.
        project: ProjectId,
        /// The resource. It cannot be changed later.
        resource: ResourceId,
    }
    optional {
        /// The role in the project.
        role_title: Name<0, 120>,
        /// The capacity in the project. Null means its whole capacity.
        units_override: Option<MaxUnits>,
        /// Notes.
        notes: LongText<0, 10000>,
    }
}

input! {
    /// Which places on rosters a list shows.
    pub struct RosterFilter {
        /// Only those of this project.
        pub project: Patch<ProjectId>,
    }
}

input! {
    /// How a resource leaves a roster.
    pub struct RosterRemovalQuery {
        /// Whether the allocations of the resource in the project are removed too.
        pub force: Patch<bool>,
    }
}

row! {
    /// A task that keeps a resource on a roster.
    pub struct KeepingTask {
        pub id: TaskId,
        pub name: String,
    }
}
