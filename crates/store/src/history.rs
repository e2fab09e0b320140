//! History rows: what changed, by whom, when, and the old and the new value of each field. They are written in the
//! transaction of the change and never changed later. They are only deleted when a person erases their own data.

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use planwright_domain::ids::{ProgramId, ProjectId, UserId};
use planwright_domain::words::ChangeKind;
use serde_json::{Map, Value as Json};
use uuid::Uuid;

use crate::{Result, ToValue, Tx, Value, audit, sql};

/// One change of one row.
#[derive(Clone, Debug)]
pub struct Change {
    /// The table, in the singular: `task`, `project`.
    pub entity: &'static str,
    /// The row.
    pub id: Uuid,
    /// What happened to it.
    pub kind: ChangeKind,
    /// The person who did it. Null for the system.
    pub actor: Option<UserId>,
    /// The project it belongs to.
    pub project: Option<ProjectId>,
    /// The program it belongs to.
    pub program: Option<ProgramId>,
    /// The row's version after the change.
    pub version: i64,
    /// `{field: [old, new]}`.
    pub fields: Map<String, Json>,
    /// When it happened, if that was before this transaction: only what an import tells of the past has this.
    pub at: Option<DateTime<Utc>>,
}

impl Change {
    /// A change without a project or program. Set the fields that apply with struct update syntax.
    pub fn of(
        entity: &'static str,
        id: impl Into<Uuid>,
        kind: ChangeKind,
        actor: impl Into<Option<UserId>>,
    ) -> Self {
        Self {
            entity,
            id: id.into(),
            kind,
            actor: actor.into(),
            project: None,
            program: None,
            version: 1,
            fields: Map::new(),
            at: None,
        }
    }

    /// Every field of a row that was created or deleted.
    pub fn whole(self, row: &impl serde::Serialize) -> Self {
        self.whole_fields(object_of(row))
    }

    /// The same for fields by their names.
    pub fn whole_fields(self, fields: Map<String, Json>) -> Self {
        let went = self.kind == ChangeKind::Deleted;
        let mut change = self.between_fields(&Map::new(), fields);
        for sides in change.fields.values_mut().filter_map(Json::as_array_mut).filter(|_| went) {
            sides.reverse();
        }
        change
    }

    /// The fields in which two serialised rows differ.
    pub fn between(self, old: &impl serde::Serialize, new: &impl serde::Serialize) -> Self {
        self.between_fields(&object_of(old), object_of(new))
    }

    /// The fields in which two rows differ, by their names.
    pub fn between_fields(mut self, old: &Map<String, Json>, new: Map<String, Json>) -> Self {
        for (field, value) in new {
            let before = old.get(&field).cloned().unwrap_or(Json::Null);
            if before != value {
                self.fields.insert(field, Json::Array(vec![before, value]));
            }
        }
        self
    }
}

/// A row by the names of its fields. A row that is no object has none.
fn object_of(row: &impl serde::Serialize) -> Map<String, Json> {
    match serde_json::to_value(row) {
        Ok(Json::Object(fields)) => fields,
        _ => Map::new(),
    }
}

impl Tx {
    /// Writes a change into the history.
    pub async fn record(&mut self, change: Change) -> Result<()> {
        self.record_each(vec![change]).await
    }

    /// Writes many changes into the history, as one bulk write.
    pub fn record_each(&mut self, changes: Vec<Change>) -> BoxFuture<'_, Result<()>> {
        Box::pin(async move {
            let text =
            "INSERT INTO history (id, at, entity, entity_id, kind, actor_id, project_id, program_id, version, fields)
             VALUES (:id, :at, :entity, :entity_id, :kind, :actor, :project, :program, :version, :fields)";
            let lines: Vec<_> = changes.iter().filter_map(audit::of_change).collect();
            self.audit_each(lines).await?;
            let rows: Vec<_> = changes.into_iter().map(|change| self.recording(change)).collect();
            self.run_rows(text, rows).await.map(drop)
        })
    }

    /// Removes the history and the deletions of one kind of a person's own rows. Nothing else may be removed there.
    /// It is for data that concerns only this person and that they want erased.
    pub async fn forget(&mut self, entity: &'static str, person: UserId) -> Result<()> {
        let history = "DELETE FROM history WHERE entity = :entity AND actor_id = :person";
        self.run(sql!(history, entity = entity, person = person)).await?;
        let deletions = "DELETE FROM deletions WHERE entity = :entity AND actor_id = :person";
        self.run(sql!(deletions, entity = entity, person = person)).await.map(drop)
    }

    fn recording(&self, change: Change) -> Vec<(&'static str, Value)> {
        vec![
            ("id", self.mint::<Uuid>().to_value()),
            ("at", change.at.unwrap_or(self.now()).to_value()),
            ("entity", change.entity.to_value()),
            ("entity_id", change.id.to_value()),
            ("kind", change.kind.to_value()),
            ("actor", change.actor.to_value()),
            ("project", change.project.to_value()),
            ("program", change.program.to_value()),
            ("version", change.version.to_value()),
            ("fields", Json::Object(change.fields).to_value()),
        ]
    }
}
