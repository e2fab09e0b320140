//! Relations on the wire and in storage.
//! They move no dates and may lead in circles.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{ProjectId, TaskId, UserId};
use planwright_domain::words::RelationKind;
use planwright_plan::cards::{Cards, ExternalTaskCard};
use planwright_store::{record, tracked};
use planwright_web::input::{LongText, Patch};
use planwright_web::{body, input};
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

record! {
    /// A relation as it is stored.
    pub struct RelationRow in task_relations {
        #[serde(skip)]
        pub id: Uuid,
        #[serde(rename = "source")]
        pub source_id: TaskId,
        #[serde(rename = "target")]
        pub target_id: TaskId,
        pub relation_type: RelationKind,
        pub note: String,
        #[serde(skip)]
        pub created_by: Option<UserId>,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! { RelationRow as "task_relation" }

/// A relation from one task to another.
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
    /// The source, if it is in another project than the target.
    pub source_card: Option<ExternalTaskCard>,
    /// The target, if it is in another project than the source.
    pub target_card: Option<ExternalTaskCard>,
    pub server_version: i64,
}

impl RelationRow {
    /// A new relation.
    pub fn fresh(id: Uuid, now: DateTime<Utc>, creator: UserId, request: TaskRelationRequest) -> Self {
        Self {
            id,
            source_id: request.source,
            target_id: request.target,
            relation_type: request.relation_type.given().unwrap_or(RelationKind::RelatesTo),
            note: request.note.given().map(String::from).unwrap_or_default(),
            created_by: Some(creator),
            created_at: now,
            server_version: 1,
        }
    }

    /// The relation on the wire, with a card for each end when it crosses projects.
    pub fn shown(self, cards: &Cards, crosses: bool) -> TaskRelation {
        TaskRelation {
            source_card: cards.get(self.source_id).filter(|_| crosses),
            target_card: cards.get(self.target_id).filter(|_| crosses),
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
pub type Note = LongText<0, 280>;

body! {
    /// All fields of a relation.
    pub struct TaskRelationRequest;
    /// Some fields of a relation. Only the note can change.
    pub struct PatchedTaskRelationRequest;
    required {
        /// The source task.
        source: TaskId,
        /// The other task.
        target: TaskId,
    }
    optional {
        /// What it says; that they belong together unless said otherwise.
        relation_type: RelationKind,
        /// Why.
        note: Note,
    }
}

input! {
    /// Which relations a list shows.
    pub struct RelationFilter {
        /// Only relations from or to this task.
        pub task: Patch<TaskId>,
        /// Only relations whose source is in this project.
        pub project: Patch<ProjectId>,
        /// Only relations of this kind.
        pub relation_type: Patch<RelationKind>,
    }
}
