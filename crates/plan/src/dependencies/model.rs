//! Links on the wire and in storage.
//! What a link means for dates is in the engine.

use chrono::{DateTime, Utc};
use planwright_domain::Role;
use planwright_domain::access::{self, Action};
use planwright_domain::ids::{DependencyId, ProgramId, ProjectId, TaskId, UserId};
use planwright_domain::words::DependencyType;
use planwright_store::record::Numbered;
use planwright_store::{record, row, tracked};
use planwright_web::input::{Int, Patch};
use planwright_web::{body, input};
use schemars::JsonSchema;
use serde::Serialize;

use crate::cards::{Cards, ExternalTaskCard};

record! {
    /// A link as it is stored.
    pub struct DependencyRow in dependencies {
        #[serde(skip)]
        pub id: DependencyId,
        #[serde(rename = "predecessor")]
        pub predecessor_id: TaskId,
        #[serde(rename = "successor")]
        pub successor_id: TaskId,
        #[serde(skip)]
        pub predecessor_project_id: ProjectId,
        #[serde(skip)]
        pub successor_project_id: ProjectId,
        pub dep_type: DependencyType,
        pub lag: i64,
        pub pending_acceptance: bool,
        pub accepted_by: Option<UserId>,
        pub accepted_at: Option<DateTime<Utc>>,
        #[serde(skip)]
        pub is_driving: bool,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! {
    DependencyRow as "dependency" {
        const NUMBERED: Numbered = Numbered::InPlan;
    }
}

row! {
    /// A task as an end of a link, with what the caller is where it belongs.
    pub struct LinkEnd {
        pub id: TaskId,
        pub name: String,
        pub short_id: String,
        pub project_id: ProjectId,
        pub program_id: Option<ProgramId>,
        pub archived: bool,
        pub role: Option<Role>,
        pub in_program: bool,
    }
}

impl LinkEnd {
    /// Whether the caller may know of the task: as a member of its project or of its program.
    pub fn is_readable(&self) -> bool {
        self.role.is_some() || self.in_program
    }

    /// Whether the caller manages links in the task's project.
    pub fn is_managed(&self) -> bool {
        self.role.is_some_and(|role| access::allows(Action::ManageLinks, role))
    }
}

/// A row on a cycle.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CycleStep {
    /// The row.
    pub id: TaskId,
    /// Its name; empty when the caller may not read its project.
    pub name: String,
    /// Its short id; empty when the caller may not read its project.
    pub hex_id: String,
}

/// A link between two tasks.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Dependency {
    pub id: DependencyId,
    pub predecessor: TaskId,
    pub successor: TaskId,
    pub dep_type: DependencyType,
    /// The lag in days. A setting of the project says which calendar counts them.
    pub lag: i64,
    /// Whether the other project has not accepted the link yet. Until then it has no effect.
    pub pending_acceptance: bool,
    pub accepted_by: Option<UserId>,
    pub accepted_at: Option<DateTime<Utc>>,
    /// Whether the link is driving: the predecessor cannot slip by one day without moving the successor.
    pub is_driving: bool,
    /// The predecessor, if it is in another project than the successor.
    pub predecessor_card: Option<ExternalTaskCard>,
    /// The successor, if it is in another project than the predecessor.
    pub successor_card: Option<ExternalTaskCard>,
    pub server_version: i64,
}

impl DependencyRow {
    /// Whether its ends are in two projects.
    pub fn crosses(&self) -> bool {
        self.predecessor_project_id != self.successor_project_id
    }

    /// The link on the wire; the cards are those of the ends of links that cross projects.
    pub fn shown(self, cards: &Cards) -> Dependency {
        Dependency {
            id: self.id,
            predecessor: self.predecessor_id,
            successor: self.successor_id,
            dep_type: self.dep_type,
            lag: self.lag,
            pending_acceptance: self.pending_acceptance,
            accepted_by: self.accepted_by,
            accepted_at: self.accepted_at,
            is_driving: self.is_driving,
            predecessor_card: cards.get(self.predecessor_id).filter(|_| self.crosses()),
            successor_card: cards.get(self.successor_id).filter(|_| self.crosses()),
            server_version: self.server_version,
        }
    }
}

/// The longest lag or lead of a link, in days.
pub const LONGEST_LAG: i64 = 36_525;

/// The lag of a link, in days; below zero it is a lead.
pub type Lag = Int<{ -LONGEST_LAG }, LONGEST_LAG>;

body! {
    /// All fields of a link.
    pub struct DependencyRequest;
    /// Some fields of a link.
    pub struct PatchedDependencyRequest;
    required {
        /// The predecessor.
        predecessor: TaskId,
        /// The successor.
        successor: TaskId,
    }
    optional {
        /// Which ends it ties; from finish to start unless said otherwise.
        dep_type: DependencyType,
        /// The lag in days. A negative lag is a lead.
        lag: Lag,
    }
}

/// A link that somebody wants to be there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewLink {
    /// The predecessor.
    pub predecessor: TaskId,
    /// The successor.
    pub successor: TaskId,
    /// Which ends it ties.
    pub dep_type: DependencyType,
    /// Days between the ends, within [`LONGEST_LAG`].
    pub lag: i64,
}

impl From<DependencyRequest> for NewLink {
    fn from(request: DependencyRequest) -> Self {
        Self {
            predecessor: request.predecessor,
            successor: request.successor,
            dep_type: request.dep_type.given().unwrap_or(DependencyType::FinishToStart),
            lag: request.lag.given().map_or(0, i64::from),
        }
    }
}

input! {
    /// Which links a list shows.
    pub struct DependencyFilter {
        /// Only links whose predecessor is in this project.
        pub project: Patch<ProjectId>,
        /// Only links of this type.
        pub dep_type: Patch<DependencyType>,
        /// Only links from or to this task.
        pub task: Patch<TaskId>,
        /// Links that wait for this project to accept them.
        pub pending_for_project: Patch<ProjectId>,
    }
}
