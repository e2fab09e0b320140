//! Every statement that brings tasks back with what their deletion took.
//! What is in the trash is listed by `deletion_queries.rs`.

use std::collections::{BTreeSet, HashSet};

use planwright_domain::ids::{DeletionId, ProjectId, TaskId};
use planwright_store::value::list;
use planwright_store::{Read, Result, Tx, row, sql};

use crate::dependencies::queries::{LINK_ROW, LinkRow};
use crate::schedule::PlanLock;

/// Puts rows below another, where they stood in their order.
pub(super) async fn move_below(
    tx: &mut Tx,
    lock: &PlanLock,
    project: ProjectId,
    rows: &[Moved],
    parent: TaskId,
) -> Result<()> {
    let counter = lock.counter(project);
    let statements = rows.iter().map(|row| {
        sql!(
            "UPDATE tasks SET parent_id = :parent, is_subtask = :subtask, server_version = server_version + 1,
                change_number = :counter
             WHERE id = :id",
            parent = parent,
            subtask = row.is_subtask,
            counter = counter,
            id = row.id
        )
    });
    tx.run_each(statements.collect()).await.map(drop)
}

row! {
    /// A row that a deletion moved up and that nobody touched since.
    pub(super) struct Moved {
        pub(super) id: TaskId,
        pub(super) server_version: i64,
        /// Whether it was a drawer subtask; with rows below it, which came meanwhile, it can be one no more.
        pub(super) is_subtask: bool,
    }
}

/// The rows that a deletion moved up and that nobody touched since.
pub(super) async fn moves_to_undo(
    db: &dyn Read,
    act: DeletionId,
    parent: Option<TaskId>,
) -> Result<Vec<Moved>> {
    let base = "SELECT t.id, t.server_version, (m.was_subtask AND NOT EXISTS (SELECT 1 FROM tasks c
            WHERE c.parent_id = t.id AND c.deletion_id IS NULL)) AS is_subtask
         FROM deletion_moves m JOIN tasks t ON t.id = m.task_id AND t.deletion_id IS NULL
         WHERE m.act_id = :act AND t.server_version = m.server_version";
    let select = match parent {
        Some(parent) => sql!(format!("{base} AND t.parent_id = :parent"), act = act, parent = parent),
        None => sql!(format!("{base} AND t.parent_id IS NULL"), act = act),
    };
    db.all(select).await
}

row! {
    /// What stands right above a row, and whether that takes it.
    struct Above {
        parent_id: Option<TaskId>,
        takes_subtasks: bool,
        takes_tasks: bool,
        is_phase: bool,
    }
}

/// Where a row that comes back stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    /// The row above it.
    pub(super) parent: Option<TaskId>,
    /// Whether it is a drawer subtask there.
    pub(super) is_subtask: bool,
}

/// The place of a row that comes back: below the nearest row above it that is there and takes it.
pub(super) async fn place_of(db: &dyn Read, task: TaskId) -> Result<Place> {
    let above = "SELECT t.parent_id,
            COALESCE(p.deletion_id IS NULL AND NOT p.is_milestone AND NOT p.is_subtask, TRUE) AS takes_subtasks,
            COALESCE(p.has_place AND NOT p.is_recurring, TRUE) AS takes_tasks,
            EXISTS (SELECT 1 FROM tasks c
                WHERE c.parent_id = t.parent_id AND c.deletion_id IS NULL AND NOT c.is_subtask) AS is_phase
         FROM tasks t LEFT JOIN tasks p ON p.id = t.parent_id WHERE t.id = :task";
    let select = "SELECT is_subtask FROM tasks WHERE id = :task";
    let is_subtask = db.scalar(sql!(select, task = task)).await?.unwrap_or(false);
    let (mut at, mut passed) = (task, HashSet::new());
    // Rows that contain each other, which only a broken plan has, lead to the top.
    while passed.insert(at) {
        let row: Above = db.one(sql!(above, task = at)).await?;
        match row.parent_id {
            None => break,
            Some(parent) if row.takes_subtasks && (is_subtask || row.takes_tasks) => {
                return Ok(Place { parent: Some(parent), is_subtask: is_subtask && !row.is_phase });
            }
            Some(parent) => at = parent,
        }
    }
    Ok(Place { parent: None, is_subtask: false })
}

/// The rows that an act took.
pub(super) async fn rows_of_act(db: &dyn Read, act: DeletionId) -> Result<Vec<TaskId>> {
    db.scalars(sql!("SELECT id FROM tasks WHERE deletion_id = :act ORDER BY id", act = act)).await
}

/// Brings back the rows that an act took.
pub(super) async fn give_rows(
    tx: &mut Tx,
    lock: &PlanLock,
    act: DeletionId,
    project: ProjectId,
) -> Result<()> {
    let update = "UPDATE tasks SET deletion_id = NULL, server_version = server_version + 1,
                  change_number = :counter WHERE deletion_id = :act";
    tx.run(sql!(update, act = act, counter = lock.counter(project))).await.map(drop)
}

/// Links that an act took with rows, and those of acts taken back before that waited for these rows.
const LOST: &str =
    "WHERE (d.deletion_id = :act OR ((d.predecessor_id IN (:rows) OR d.successor_id IN (:rows))
        AND d.deletion_id IN (SELECT x.id FROM deletions x
            WHERE x.entity = 'task' AND x.restored_at IS NOT NULL)))";

/// The projects of the links that may come back with rows.
pub(super) async fn linked_projects(
    db: &dyn Read,
    act: DeletionId,
    rows: &[TaskId],
) -> Result<BTreeSet<ProjectId>> {
    let select = sql!(format!("{LINK_ROW} {LOST}"), act = act, rows = list(rows.iter().copied()));
    let links: Vec<LinkRow> = db.all(select).await?;
    Ok(links.iter().flat_map(LinkRow::projects).collect())
}

/// The links that may come back with rows: both ends are there, and no such link was made meanwhile.
pub(super) async fn lost_links(db: &dyn Read, act: DeletionId, rows: &[TaskId]) -> Result<Vec<LinkRow>> {
    let fits =
        "AND (SELECT COUNT(*) FROM tasks t JOIN projects p ON p.id = t.project_id AND p.deletion_id IS NULL
                WHERE t.id IN (d.predecessor_id, d.successor_id) AND t.deletion_id IS NULL) = 2
           AND NOT EXISTS (SELECT 1 FROM dependencies o WHERE o.predecessor_id = d.predecessor_id
                AND o.successor_id = d.successor_id AND o.dep_type = d.dep_type AND o.deletion_id IS NULL)
         ORDER BY d.id DESC";
    let select = sql!(format!("{LINK_ROW} {LOST} {fits}"), act = act, rows = list(rows.iter().copied()));
    let mut links: Vec<LinkRow> = db.all(select).await?;
    let mut kept = HashSet::new();
    links.retain(|link| kept.insert((link.predecessor_id, link.successor_id, link.dep_type)));
    Ok(links)
}

/// Notes that an act was taken back.
pub(super) async fn close(tx: &mut Tx, act: DeletionId) -> Result<()> {
    let update = "UPDATE deletions SET restored_at = :now WHERE id = :act";
    tx.run(sql!(update, now = tx.now(), act = act)).await.map(drop)
}

/// Puts a row that came back into its place.
pub(super) async fn put(
    tx: &mut Tx,
    lock: &PlanLock,
    project: ProjectId,
    task: TaskId,
    place: Place,
) -> Result<()> {
    let update = "UPDATE tasks SET parent_id = :parent, is_subtask = :subtask, change_number = :counter
         WHERE id = :task";
    tx.run(sql!(
        update,
        parent = place.parent,
        subtask = place.is_subtask,
        counter = lock.counter(project),
        task = task
    ))
    .await
    .map(drop)
}
