//! Every statement about public links. A link has no mark of deletion: a revoked one stays, so that its address is told apart
//! from one that never was.

use planwright_domain::ids::{ProjectId, ShareLinkId};
use planwright_domain::words::SharedContent;
use planwright_store::record::select_list;
use planwright_store::{Read, Result, Tx, sql};

use super::model::{SeenLinkRow, ShareLinkRow};

const SEEN: &str = "SELECT l.id, l.content_kind, l.token_prefix, l.label, l.show_assignees, l.show_milestone_dates, l.created_at,
        l.expires_at, l.revoked_at, l.access_count, l.last_accessed_at, u.username, u.first_name, u.last_name
     FROM share_links l LEFT JOIN users u ON u.id = l.created_by";

/// The links of a project that nobody has revoked, the newest first.
pub async fn of_project(db: &dyn Read, project: ProjectId) -> Result<Vec<SeenLinkRow>> {
    let listed =
        "WHERE l.project_id = :project AND l.revoked_at IS NULL ORDER BY l.created_at DESC, l.id DESC";
    db.all(sql!(format!("{SEEN} {listed}"), project = project)).await
}

/// How many links of a project nobody has revoked.
pub async fn count_unrevoked(db: &dyn Read, project: ProjectId) -> Result<i64> {
    let select = "SELECT COUNT(*) FROM share_links WHERE project_id = :project AND revoked_at IS NULL";
    db.count(sql!(select, project = project)).await
}

/// One link as it is shown.
pub async fn seen(db: &dyn Read, id: ShareLinkId) -> Result<SeenLinkRow> {
    db.one(sql!(format!("{SEEN} WHERE l.id = :id"), id = id)).await
}

/// The link of a token, if it shows this kind of picture.
pub async fn by_hash(db: &dyn Read, hash: &str, kind: SharedContent) -> Result<Option<ShareLinkRow>> {
    let columns = select_list::<ShareLinkRow>("l");
    let select =
        format!("SELECT {columns} FROM share_links l WHERE l.token_hash = :hash AND l.content_kind = :kind");
    db.maybe(sql!(select, hash = hash, kind = kind)).await
}

/// Notes that a picture was sent.
pub async fn count_access(tx: &mut Tx, id: ShareLinkId) -> Result<()> {
    let update =
        "UPDATE share_links SET access_count = access_count + 1, last_accessed_at = :now WHERE id = :id";
    tx.run(sql!(update, now = tx.now(), id = id)).await.map(drop)
}
