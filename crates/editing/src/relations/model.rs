//! Relations on the wire and in storage.
//! They move no dates and may lead in circles.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{ProjectId, TaskId, UserId};
use planwright_domain::words::RelationKind;
use planwright_plan::cards::{Cards, ExternalTaskCard};
use planwright_store::row;
use planwright_web::input;
use planwright_web::input::{Name, Patch};
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

row! {
    /// A relation as it is stored, with the projects of its ends.
    pub struct RelationRow {
        pub id: Uuid,
        pub source_id: TaskId,
        pub target_id: TaskId,
        pub source_project_id: ProjectId,
        pub target_project_id: ProjectId,
        pub relation_type: RelationKind,
        pub note: String,
        pub created_by: Option<UserId>,
        pub created_at: DateTime<Utc>,
        pub server_version: i64,
    }
}

/// A cross-reference from one task to another.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskRelation {
    pub id: Uuid,
    pub source: TaskId,
    pub target: TaskId,
    pub relation_type: RelationKind,
    /// Why they are related.
    pub note: String,
    pub created_by: Option<UserId>,
    pub created_at: DateTime<Utc>,
    /// The source, when it is in another project than the target.
    pub source_card: Option<ExternalTaskCard>,
    /// The target, when it is in another project than the source.
    pub target_card: Option<ExternalTaskCard>,
    pub server_version: i64,
}

impl RelationRow {
    /// Whether its ends are in two projects.
    pub fn crosses(&self) -> bool {
        self.source_project_id != self.target_project_id
    }

    /// The relation on the wire; the cards are those of the ends of relations that cross projects.
    pub fn shown(self, cards: &Cards) -> TaskRelation {
        TaskRelation {
            source_card: cards.get(self.source_id).filter(|_| self.crosses()),
            target_card: cards.get(self.target_id).filter(|_| self.crosses()),
            id: self.id,
            source: self.source_id,
            target: self.target_id,
            relation_type: self.relation_type,
            note: self.note,
            created_by: self.created_by,
            created_at: self.created_at,
            server_version: self.server_version,
        }
    }
}

/// The note of a relation.
pub type Note = Name<0, 280>;

input! {
    /// A new relation, or all of one.
    pub struct TaskRelationRequest {
        /// The task that has it.
        pub source: TaskId,
        /// The other task.
        pub target: TaskId,
        /// What it says; that they belong together unless said otherwise.
        pub relation_type: Patch<RelationKind>,
        /// Why.
        pub note: Patch<Note>,
    }
}

input! {
    /// Some fields of a relation, of which only the note can change.
    pub struct PatchedTaskRelationRequest {
        /// The task that has it.
        pub source: Patch<TaskId>,
        /// The other task.
        pub target: Patch<TaskId>,
        /// What it says.
        pub relation_type: Patch<RelationKind>,
        /// Why.
        pub note: Patch<Note>,
    }
}

impl From<TaskRelationRequest> for PatchedTaskRelationRequest {
    fn from(whole: TaskRelationRequest) -> Self {
        Self {
            source: Patch::Set(whole.source),
            target: Patch::Set(whole.target),
            relation_type: whole.relation_type,
            note: whole.note,
        }
    }
}

input! {
    /// Which relations a list shows.
    pub struct RelationFilter {
        /// Relations of this task, from it or to it.
        pub task: Patch<TaskId>,
        /// Relations whose source is in this project.
        pub project: Patch<ProjectId>,
        /// Relations that say this.
        pub relation_type: Patch<RelationKind>,
    }
}
