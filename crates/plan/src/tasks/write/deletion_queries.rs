//! Every statement that takes tasks away or brings them back.
//! Links and relations go and come with the act that took their end.

use std::collections::{BTreeMap, HashMap};

use planwright_domain::ids::{DeletionId, DependencyId, ProjectId, TaskId};
use planwright_store::value::list;
use planwright_store::{Read, Result, Tx, row, sql};

use super::deletion_plan::Move;
use super::queries::records;
use super::record::TaskRecord;
use crate::dependencies::queries::{LINK_ROW, LinkRow};
use crate::schedule::PlanLock;

/// The most rows that one statement names.
const MOST_NAMED: usize = 4096;

row! {
    /// A row near those that a deletion takes.
    #[derive(PartialEq)]
    pub struct Near {
        pub id: TaskId,
        pub parent_id: Option<TaskId>,
        pub position: i64,
        pub has_place: bool,
        pub is_subtask: bool,
        pub server_version: i64,
    }
}

const NEAR: &str = "SELECT id, parent_id, position, has_place, is_subtask, server_version FROM tasks
                    WHERE deletion_id IS NULL";

/// The live rows right below some.
pub(super) async fn below(db: &dyn Read, rows: &[TaskId]) -> Result<Vec<Near>> {
    let mut found = Vec::new();
    for some in rows.chunks(MOST_NAMED) {
        let select = format!("{NEAR} AND parent_id IN (:rows)");
        found.extend(db.all(sql!(select, rows = list(some.iter().copied()))).await?);
    }
    Ok(found)
}

/// The live rows at the top of a project.
pub(super) async fn at_the_top(db: &dyn Read, project: ProjectId) -> Result<Vec<Near>> {
    db.all(sql!(format!("{NEAR} AND parent_id IS NULL AND project_id = :project"), project = project)).await
}

/// Live rows in full, however many.
pub async fn records_in_parts(db: &dyn Read, rows: &[TaskId]) -> Result<Vec<TaskRecord>> {
    let mut found = Vec::new();
    for some in rows.chunks(MOST_NAMED) {
        found.extend(records(db, some).await?);
    }
    Ok(found)
}

/// Marks rows as taken, each by its act.
pub(super) async fn take_rows(
    tx: &mut Tx,
    lock: &PlanLock,
    project: ProjectId,
    rows: &[(TaskId, DeletionId)],
) -> Result<()> {
    let counter = lock.counter(project);
    let statements = rows.iter().map(|(id, act)| {
        sql!(
            "UPDATE tasks SET deletion_id = :act, server_version = server_version + 1,
                change_number = :counter
             WHERE id = :id",
            act = *act,
            counter = counter,
            id = *id
        )
    });
    tx.run_each(statements.collect()).await.map(drop)
}

/// The live links of rows.
pub(super) async fn links(db: &dyn Read, rows: &[TaskId]) -> Result<Vec<LinkRow>> {
    let mut links: BTreeMap<DependencyId, LinkRow> = BTreeMap::new();
    for some in rows.chunks(MOST_NAMED) {
        let found: Vec<LinkRow> = db
            .all(sql!(
                format!(
                    "{LINK_ROW} WHERE d.deletion_id IS NULL AND (d.predecessor_id IN (:rows) OR d.successor_id IN (:rows))"
                ),
                rows = list(some.iter().copied())
            ))
            .await?;
        links.extend(found.into_iter().map(|link| (link.id, link)));
    }
    Ok(links.into_values().collect())
}

/// Marks links as taken, by the act that takes their predecessor, else the one that takes their successor.
pub(super) async fn take_links(
    tx: &mut Tx,
    lock: &PlanLock,
    links: &[LinkRow],
    rows: &[(TaskId, DeletionId)],
) -> Result<()> {
    let acts: HashMap<TaskId, DeletionId> = rows.iter().copied().collect();
    let statements = links.iter().filter_map(|link| {
        let act = acts.get(&link.predecessor_id).or_else(|| acts.get(&link.successor_id))?;
        Some(sql!(
            "UPDATE dependencies SET deletion_id = :act, server_version = server_version + 1,
                change_number = :counter
             WHERE id = :id",
            act = *act,
            counter = lock.counter(link.successor_project_id),
            id = link.id
        ))
    });
    tx.run_each(statements.collect()).await.map(drop)
}

/// Puts rows below the nearest one above them that stays, as tasks of their own.
pub(super) async fn move_up(tx: &mut Tx, lock: &PlanLock, project: ProjectId, moves: &[Move]) -> Result<()> {
    let counter = lock.counter(project);
    let statements = moves.iter().map(|a_move| {
        sql!(
            "UPDATE tasks SET parent_id = :parent, is_subtask = FALSE, server_version = server_version + 1,
                change_number = :counter
             WHERE id = :id",
            parent = a_move.to,
            counter = counter,
            id = a_move.row.id
        )
    });
    tx.run_each(statements.collect()).await.map(drop)
}

/// Gives rows their numbers among their siblings.
pub(super) async fn renumber(
    tx: &mut Tx,
    lock: &PlanLock,
    project: ProjectId,
    numbers: &[(TaskId, i64)],
) -> Result<()> {
    let counter = lock.counter(project);
    let statements = numbers.iter().map(|(id, position)| {
        sql!(
            "UPDATE tasks SET position = :position, change_number = :counter WHERE id = :id",
            position = *position,
            counter = counter,
            id = *id
        )
    });
    tx.run_each(statements.collect()).await.map(drop)
}

/// Notes which rows an act moved up, at which version they are then, and which of them were drawer subtasks.
pub(super) async fn note_moves(
    tx: &mut Tx,
    moves: &[Move],
    acts: &HashMap<TaskId, DeletionId>,
) -> Result<()> {
    let noted = moves.iter().filter_map(|a_move| Some((a_move, *acts.get(&a_move.root)?)));
    let statements = noted.map(|(a_move, act)| {
        sql!(
            "INSERT INTO deletion_moves (act_id, task_id, server_version, was_subtask)
             VALUES (:act, :task, :version, :subtask)",
            act = act,
            task = a_move.row.id,
            version = a_move.row.server_version + 1,
            subtask = a_move.row.is_subtask
        )
    });
    tx.run_each(statements.collect()).await.map(drop)
}
