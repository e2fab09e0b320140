//! Soft deletion: an act of deletion has an id, every row it takes carries that id, and a restore brings back exactly those.
//! Which rows belong to an act is decided by the area that deletes.

use planwright_domain::ids::{DeletionId, ProjectId, UserId};
use uuid::Uuid;

use crate::{Result, Tx, sql};

impl Tx {
    /// Opens an act of deletion whose root is the given row; mark rows with the id returned.
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

    /// Opens many acts of deletion in one go, each under an id that was minted for it, with its root.
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
