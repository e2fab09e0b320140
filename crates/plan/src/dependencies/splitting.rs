//! The links of a row that becomes two, and of two rows that become one again. Whoever splits a row decides on its links
//! as well, so nobody is asked whether they may write links; none of these moves can close a cycle.

use std::collections::HashMap;

use planwright_domain::ids::{TaskId, UserId};
use planwright_domain::words::DependencyType;
use planwright_store::record::select_list;
use planwright_store::{Read, Result, Tx, sql};
use planwright_web::ApiResult;

use super::commands::{hold, rewrite, with_ends, write_new};
use super::model::DependencyRow;
use super::queries;
use crate::schedule::PlanLock;
use crate::tasks::write::Board;

/// The live links of a task.
pub async fn of_task(db: &dyn Read, task: TaskId) -> Result<Vec<DependencyRow>> {
    let select = format!(
        "SELECT {} FROM dependencies d WHERE d.deletion_id IS NULL
            AND (d.predecessor_id = :task OR d.successor_id = :task) ORDER BY d.id",
        select_list::<DependencyRow>("d")
    );
    db.all(sql!(select, task = task)).await
}

/// Ties a link to other rows of the same projects.
pub async fn reattach(
    tx: &mut Tx,
    lock: &mut PlanLock,
    actor: UserId,
    row: DependencyRow,
    [predecessor, successor]: [TaskId; 2],
) -> ApiResult<()> {
    let moved = DependencyRow { predecessor_id: predecessor, successor_id: successor, ..row.clone() };
    let link = with_ends(tx, actor, row).await?;
    let moved = with_ends(tx, actor, moved).await?;
    hold(tx, lock, [moved.predecessor.project_id, moved.successor.project_id]).await?;
    rewrite(tx, lock, actor, &link, (moved.row, [moved.predecessor, moved.successor])).await
}

/// Lets a row of a project begin when another one of it is finished.
pub async fn tie(
    tx: &mut Tx,
    lock: &mut PlanLock,
    actor: UserId,
    [predecessor, successor]: [TaskId; 2],
) -> ApiResult<()> {
    let ends: HashMap<_, _> = queries::ends(tx, actor, [predecessor, successor]).await?;
    let Some(project) = ends.get(&predecessor).map(|end| end.project_id) else { return Ok(()) };
    hold(tx, lock, [project]).await?;
    let row = DependencyRow {
        id: tx.mint(),
        predecessor_id: predecessor,
        successor_id: successor,
        predecessor_project_id: project,
        successor_project_id: project,
        dep_type: DependencyType::FinishToStart,
        lag: 0,
        pending_acceptance: false,
        accepted_by: None,
        accepted_at: None,
        is_driving: false,
        created_at: tx.now(),
        server_version: 1,
    };
    Ok(write_new(tx, lock, actor, &[&row], &ends, Board::EachRow).await?)
}
