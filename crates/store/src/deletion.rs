//! Soft deletion: each deletion has an id, and every row that it deletes has this id. A restore brings back exactly
//! these rows. The area that deletes decides which rows belong to a deletion.

use planwright_domain::ids::{DeletionId, ProjectId, UserId};
use uuid::Uuid;

use crate::{Result, Tx, sql};

impl Tx {
    /// Begins a deletion whose root is the given row. Mark rows with the returned id.
    pub async fn begin_deletion(
        &mut self,
        entity: &'static str,
        root: impl Into<Uuid>,
        actor: Option<UserId>,
        project: Option<ProjectId>,
    ) -> Result<DeletionId> {
        let id: DeletionId = self.mint();
        self.begin_deletions(entity, &[(id, root.into())], actor, project).await?;
        Ok(id)
    }

    /// Begins many deletions at once, each with its id and its root.
    pub async fn begin_deletions(
        &mut self,
        entity: &'static str,
        acts: &[(DeletionId, Uuid)],
        actor: Option<UserId>,
        project: Option<ProjectId>,
    ) -> Result<()> {
        let at = self.now();
        let statements = acts.iter().map(|(id, root)| {
            sql!(
                "INSERT INTO deletions (id, at, entity, root_id, actor_id, project_id)
                 VALUES (:id, :at, :entity, :root, :actor, :project)",
                id = *id,
                at = at,
                entity = entity,
                root = *root,
                actor = actor,
                project = project,
            )
        });
        self.run_each(statements.collect()).await.map(drop)
    }
}
