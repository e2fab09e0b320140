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
        self.run(sql!(
            "INSERT INTO deletions (id, at, entity, root_id, actor_id, project_id)
             VALUES (:id, :at, :entity, :root, :actor, :project)",
            id = id,
            at = self.now(),
            entity = entity,
            root = root.into(),
            actor = actor,
            project = project,
        ))
        .await?;
        Ok(id)
    }
}
