//! Statements about what ties imported tasks together: links that move dates, and relations that do not.

use planwright_domain::ids::{DependencyId, UserId};
use planwright_store::{Result, sql};
use uuid::Uuid;

use crate::import::Built;
use crate::import::ids::Ids;
use crate::import::model::{ImportedLink, ImportedRelation};
use crate::import::slices::Slices;

/// Adds links; those between two projects are accepted, since one person brings in both.
pub(in crate::import) async fn insert_dependencies(
    to: &mut Slices<'_>,
    ids: &mut Ids,
    creator: UserId,
    links: &[ImportedLink],
    built: &Built,
) -> Result<()> {
    let now = to.now();
    let rows = links.iter().map(|link| {
        let crosses = link.predecessor.project != link.successor.project;
        sql!(
            "INSERT INTO dependencies (id, predecessor_id, successor_id, predecessor_project_id,
                successor_project_id, dep_type, lag, pending_acceptance, accepted_by, accepted_at, is_driving,
                created_at, server_version)
             VALUES (:id, :predecessor, :successor, :predecessor_project,
                :successor_project, :type, :lag, FALSE, :accepted_by, :accepted_at, FALSE, :now, 1)",
            id = ids.next::<DependencyId>(),
            predecessor = built.task(link.predecessor),
            successor = built.task(link.successor),
            predecessor_project = built.projects[link.predecessor.project].id,
            successor_project = built.projects[link.successor.project].id,
            type = link.kind,
            lag = link.lag,
            accepted_by = crosses.then_some(creator),
            accepted_at = crosses.then_some(now),
            now = now,
        )
    });
    to.run_each(Box::new(rows)).await
}

/// Adds relations.
pub(in crate::import) async fn insert_relations(
    to: &mut Slices<'_>,
    ids: &mut Ids,
    creator: UserId,
    relations: &[ImportedRelation],
    built: &Built,
) -> Result<()> {
    let now = to.now();
    let rows = relations.iter().map(|relation| {
        sql!(
            "INSERT INTO task_relations (id, source_id, target_id, relation_type, note, created_by, created_at,
                server_version)
             VALUES (:id, :source, :target, :type, :note, :creator, :now, 1)",
            id = ids.next::<Uuid>(),
            source = built.task(relation.source),
            target = built.task(relation.target),
            type = relation.kind,
            note = &relation.note,
            creator = creator,
            now = now,
        )
    });
    to.run_each(Box::new(rows)).await
}
