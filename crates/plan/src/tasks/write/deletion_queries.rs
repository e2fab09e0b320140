//! Every statement that takes tasks away or brings them back.
//! Links and relations go and come with the act that took their end.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use planwright_domain::ids::{DeletionId, DependencyId, ProjectId, TaskId};
use planwright_domain::words::DependencyType;
use planwright_store::value::list;
use planwright_store::{Read, Result, Tx, row, sql};

use super::deletion_plan::Move;
use super::queries::records;
use super::record::TaskRecord;
use crate::schedule::Turn;

/// The most rows that one statement names.
const MOST_NAMED: usize = 4096;

/// Other projects that links of some tasks lead to or come from, whether those links are live or went with them.
pub(super) async fn linked_projects(
    db: &impl Read,
    project: ProjectId,
    tasks: &[TaskId],
) -> Result<Vec<ProjectId>> {
    let mut found: BTreeSet<ProjectId> = BTreeSet::new();
    for some in tasks.chunks(MOST_NAMED) {
        let projects: Vec<ProjectId> = db
            .scalars(sql!(
                "SELECT DISTINCT p.id FROM projects p JOIN dependencies d
                    ON p.id = d.successor_project_id OR p.id = d.predecessor_project_id
                 WHERE (d.predecessor_id IN (:tasks) OR d.successor_id IN (:tasks))
                   AND d.predecessor_project_id <> d.successor_project_id AND p.id <> :project
                   AND p.deletion_id IS NULL",
                tasks = list(some.iter().copied()),
                project = project
            ))
            .await?;
        found.extend(projects);
    }
    Ok(found.into_iter().collect())
}

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
pub(super) async fn below(db: &impl Read, rows: &[TaskId]) -> Result<Vec<Near>> {
    let mut found = Vec::new();
    for some in rows.chunks(MOST_NAMED) {
        let select = format!("{NEAR} AND parent_id IN (:rows)");
        found.extend(db.all(sql!(select, rows = list(some.iter().copied()))).await?);
    }
    Ok(found)
}

/// The live rows at the top of a project.
pub(super) async fn at_the_top(db: &impl Read, project: ProjectId) -> Result<Vec<Near>> {
    db.all(sql!(format!("{NEAR} AND parent_id IS NULL AND project_id = :project"), project = project)).await
}

/// Live rows in full, however many.
pub(super) async fn records_in_parts(db: &impl Read, rows: &[TaskId]) -> Result<Vec<TaskRecord>> {
    let mut found = Vec::new();
    for some in rows.chunks(MOST_NAMED) {
        found.extend(records(db, some).await?);
    }
    Ok(found)
}

row! {
    /// A row among its siblings.
    pub struct Sibling {
        pub id: TaskId,
        pub position: i64,
        pub is_subtask: bool,
    }
}

/// The live rows right below one, or at the top, in their order.
pub async fn children(db: &impl Read, project: ProjectId, parent: Option<TaskId>) -> Result<Vec<Sibling>> {
    let base = "SELECT id, position, is_subtask FROM tasks
                WHERE project_id = :project AND deletion_id IS NULL AND has_place";
    let select = match parent {
        Some(parent) => sql!(format!("{base} AND parent_id = :parent"), project = project, parent = parent),
        None => sql!(format!("{base} AND parent_id IS NULL"), project = project),
    };
    db.all(select.push(" ORDER BY position, id")).await
}

/// A row and its drawer subtasks, the row first.
pub(super) async fn rows_of(db: &impl Read, root: TaskId) -> Result<Vec<TaskRecord>> {
    let select = "SELECT id FROM tasks
                  WHERE deletion_id IS NULL AND (id = :root OR (parent_id = :root AND is_subtask))";
    let ids: Vec<TaskId> = db.scalars(sql!(select, root = root)).await?;
    let mut rows = records(db, &ids).await?;
    rows.sort_by_key(|row| (row.id != root, row.position, row.id));
    Ok(rows)
}

/// Marks rows as taken, each by its act.
pub(super) async fn take_rows(
    tx: &mut Tx,
    turn: &Turn,
    project: ProjectId,
    rows: &[(TaskId, DeletionId)],
) -> Result<()> {
    let counter = turn.counter(project);
    let statements = rows.iter().map(|(id, act)| {
        sql!(
            "UPDATE tasks SET deletion_id = :act, server_version = server_version + 1,
                changed_at_counter = :counter
             WHERE id = :id",
            act = *act,
            counter = counter,
            id = *id
        )
    });
    tx.run_each(statements.collect()).await.map(drop)
}

row! {
    struct Tie { id: DependencyId, predecessor_id: TaskId, successor_id: TaskId, successor_project_id: ProjectId }
}

/// Marks the links of rows as taken, by the act that takes their predecessor, else the one that takes their successor.
pub(super) async fn take_links(tx: &mut Tx, turn: &Turn, rows: &[(TaskId, DeletionId)]) -> Result<()> {
    let acts: HashMap<TaskId, DeletionId> = rows.iter().copied().collect();
    let mut ties: BTreeMap<DependencyId, (DeletionId, i64)> = BTreeMap::new();
    for some in rows.chunks(MOST_NAMED) {
        let found: Vec<Tie> = tx
            .all(sql!(
                "SELECT id, predecessor_id, successor_id, successor_project_id FROM dependencies
                 WHERE deletion_id IS NULL AND (predecessor_id IN (:rows) OR successor_id IN (:rows))",
                rows = list(some.iter().map(|(id, _)| *id))
            ))
            .await?;
        for tie in found {
            let act = acts.get(&tie.predecessor_id).or_else(|| acts.get(&tie.successor_id));
            let counter = turn.counter(tie.successor_project_id);
            ties.extend(act.map(|act| (tie.id, (*act, counter))));
        }
    }
    let statements = ties.into_iter().map(|(id, (act, counter))| {
        sql!(
            "UPDATE dependencies SET deletion_id = :act, server_version = server_version + 1,
                changed_at_counter = :counter
             WHERE id = :id",
            act = act,
            counter = counter,
            id = id
        )
    });
    tx.run_each(statements.collect()).await.map(drop)
}

/// Marks the relations of rows as taken.
pub(super) async fn take_relations(tx: &mut Tx, rows: &[(TaskId, DeletionId)]) -> Result<()> {
    let statements = rows.iter().map(|(id, act)| {
        sql!(
            "UPDATE task_relations SET deletion_id = :act, server_version = server_version + 1
             WHERE deletion_id IS NULL AND (source_id = :id OR target_id = :id)",
            act = *act,
            id = *id
        )
    });
    tx.run_each(statements.collect()).await.map(drop)
}

/// Puts rows below the nearest one above them that stays, as tasks of their own.
pub(super) async fn move_up(tx: &mut Tx, turn: &Turn, project: ProjectId, moves: &[Move]) -> Result<()> {
    let counter = turn.counter(project);
    let statements = moves.iter().map(|a_move| {
        sql!(
            "UPDATE tasks SET parent_id = :parent, is_subtask = FALSE, server_version = server_version + 1,
                changed_at_counter = :counter
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
    turn: &Turn,
    project: ProjectId,
    numbers: &[(TaskId, i64)],
) -> Result<()> {
    let counter = turn.counter(project);
    let statements = numbers.iter().map(|(id, position)| {
        sql!(
            "UPDATE tasks SET position = :position, changed_at_counter = :counter WHERE id = :id",
            position = *position,
            counter = counter,
            id = *id
        )
    });
    tx.run_each(statements.collect()).await.map(drop)
}

/// Puts rows below another, where they stood in their order.
pub async fn move_below(
    tx: &mut Tx,
    turn: &Turn,
    project: ProjectId,
    rows: &[TaskId],
    parent: Option<TaskId>,
) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    tx.run(sql!(
        "UPDATE tasks SET parent_id = :parent, server_version = server_version + 1, changed_at_counter = :counter
         WHERE id IN (:rows)",
        parent = parent,
        counter = turn.counter(project),
        rows = list(rows.iter().copied())
    ))
    .await
    .map(drop)
}

/// Numbers siblings from 1 in the order given; those that have their number stay untouched.
pub async fn number(tx: &mut Tx, turn: &Turn, project: ProjectId, order: &[TaskId]) -> Result<()> {
    let counter = turn.counter(project);
    let statements = (1i64..).zip(order).map(|(position, id)| {
        sql!(
            "UPDATE tasks SET position = :position, changed_at_counter = :counter
             WHERE id = :id AND position <> :position",
            position = position,
            counter = counter,
            id = *id
        )
    });
    tx.run_each(statements.collect()).await.map(drop)
}

/// Notes which rows an act moved up, and at which version they are then.
pub(super) async fn note_moves(
    tx: &mut Tx,
    moves: &[Move],
    acts: &HashMap<TaskId, DeletionId>,
) -> Result<()> {
    let noted = moves.iter().filter_map(|a_move| Some((a_move, *acts.get(&a_move.root)?)));
    let statements = noted.map(|(a_move, act)| {
        sql!(
            "INSERT INTO deletion_moves (act_id, task_id, server_version) VALUES (:act, :task, :version)",
            act = act,
            task = a_move.row.id,
            version = a_move.row.server_version + 1
        )
    });
    tx.run_each(statements.collect()).await.map(drop)
}

/// The rows that a deletion moved up and that nobody touched since.
pub(super) async fn moves_to_undo(
    db: &impl Read,
    act: DeletionId,
    parent: Option<TaskId>,
) -> Result<Vec<TaskId>> {
    let base = "SELECT t.id FROM deletion_moves m JOIN tasks t ON t.id = m.task_id AND t.deletion_id IS NULL
                WHERE m.act_id = :act AND t.server_version = m.server_version";
    let select = match parent {
        Some(parent) => sql!(format!("{base} AND t.parent_id = :parent"), act = act, parent = parent),
        None => sql!(format!("{base} AND t.parent_id IS NULL"), act = act),
    };
    db.scalars(select).await
}

/// The nearest live row above a deleted one.
pub(super) async fn nearest_live_ancestor(db: &impl Read, task: TaskId) -> Result<Option<TaskId>> {
    let above = "SELECT t.parent_id, COALESCE(p.deletion_id IS NULL, TRUE) FROM tasks t
                 LEFT JOIN tasks p ON p.id = t.parent_id WHERE t.id = :task";
    let mut at = task;
    loop {
        let (parent, is_live): (Option<TaskId>, bool) = db.one(sql!(above, task = at)).await?;
        match parent {
            Some(parent) if !is_live => at = parent,
            parent => return Ok(parent),
        }
    }
}

/// Brings back the rows that an act took; their ids.
pub(super) async fn give_rows(
    tx: &mut Tx,
    turn: &Turn,
    act: DeletionId,
    project: ProjectId,
) -> Result<Vec<TaskId>> {
    let rows = tx.scalars(sql!("SELECT id FROM tasks WHERE deletion_id = :act", act = act)).await?;
    let update = "UPDATE tasks SET deletion_id = NULL, server_version = server_version + 1,
                  changed_at_counter = :counter WHERE deletion_id = :act";
    tx.run(sql!(update, act = act, counter = turn.counter(project))).await?;
    Ok(rows)
}

row! {
    struct LostTie {
        id: DependencyId,
        predecessor_id: TaskId,
        successor_id: TaskId,
        dep_type: DependencyType,
        successor_project_id: ProjectId,
    }
}

/// Brings back the links that an act took with rows, and those of acts taken back before that waited for these rows:
/// where both ends are there, and no such link was made meanwhile.
pub(super) async fn give_links(tx: &mut Tx, turn: &Turn, act: DeletionId, rows: &[TaskId]) -> Result<()> {
    let select = "SELECT d.id, d.predecessor_id, d.successor_id, d.dep_type, d.successor_project_id
         FROM dependencies d
         WHERE (d.deletion_id = :act OR ((d.predecessor_id IN (:rows) OR d.successor_id IN (:rows))
                AND d.deletion_id IN (SELECT x.id FROM deletions x
                    WHERE x.entity = 'task' AND x.restored_at IS NOT NULL)))
           AND (SELECT COUNT(*) FROM tasks t JOIN projects p ON p.id = t.project_id AND p.deletion_id IS NULL
                WHERE t.id IN (d.predecessor_id, d.successor_id) AND t.deletion_id IS NULL) = 2
           AND NOT EXISTS (SELECT 1 FROM dependencies o WHERE o.predecessor_id = d.predecessor_id
                AND o.successor_id = d.successor_id AND o.dep_type = d.dep_type AND o.deletion_id IS NULL)
         ORDER BY d.id DESC";
    let ties: Vec<LostTie> = tx.all(sql!(select, act = act, rows = list(rows.iter().copied()))).await?;
    let mut given = HashSet::new();
    let statements = ties
        .into_iter()
        .filter(|tie| given.insert((tie.predecessor_id, tie.successor_id, tie.dep_type)))
        .map(|tie| {
            sql!(
                "UPDATE dependencies SET deletion_id = NULL, server_version = server_version + 1,
                    changed_at_counter = :counter
                 WHERE id = :id",
                counter = turn.counter(tie.successor_project_id),
                id = tie.id
            )
        })
        .collect();
    tx.run_each(statements).await.map(drop)
}

/// Brings back the relations that an act took and that have no double.
pub(super) async fn give_relations(tx: &mut Tx, act: DeletionId) -> Result<()> {
    let relations = "UPDATE task_relations SET deletion_id = NULL, server_version = server_version + 1
         WHERE deletion_id = :act
           AND (SELECT COUNT(*) FROM tasks t WHERE t.id IN (source_id, target_id) AND t.deletion_id IS NULL) = 2
           AND NOT EXISTS (SELECT 1 FROM task_relations o WHERE o.source_id = task_relations.source_id
                AND o.target_id = task_relations.target_id
                AND o.relation_type = task_relations.relation_type AND o.deletion_id IS NULL)";
    tx.run(sql!(relations, act = act)).await.map(drop)
}

/// Notes that an act was taken back.
pub(super) async fn close(tx: &mut Tx, act: DeletionId) -> Result<()> {
    let update = "UPDATE deletions SET restored_at = :now WHERE id = :act";
    tx.run(sql!(update, now = tx.now(), act = act)).await.map(drop)
}

/// Puts a row that came back below a row that is there.
pub(super) async fn put_below(
    tx: &mut Tx,
    turn: &Turn,
    project: ProjectId,
    task: TaskId,
    parent: Option<TaskId>,
) -> Result<()> {
    let update = "UPDATE tasks SET parent_id = :parent, changed_at_counter = :counter WHERE id = :task";
    tx.run(sql!(update, parent = parent, counter = turn.counter(project), task = task)).await.map(drop)
}

row! {
    /// A deleted task that can be brought back.
    pub struct Trashed {
        pub act: DeletionId,
        pub deleted_at: chrono::DateTime<chrono::Utc>,
        pub id: TaskId,
        pub project_id: ProjectId,
        pub name: String,
        pub r#type: planwright_domain::words::TaskType,
        pub status: planwright_domain::words::TaskStatus,
        pub assignee_id: Option<planwright_domain::ids::UserId>,
        pub outline: Option<String>,
        pub subtree_count: i64,
    }
}

const TRASHED: &str = "SELECT d.id AS act, d.at AS deleted_at, t.id, t.project_id, t.name, t.type, t.status,
        t.assignee_id, s.outline,
        (SELECT COUNT(*) FROM tasks x WHERE x.deletion_id = d.id AND x.id <> t.id) AS subtree_count
     FROM deletions d JOIN tasks t ON t.id = d.root_id AND t.deletion_id = d.id
     JOIN projects p ON p.id = t.project_id AND p.deletion_id IS NULL
     LEFT JOIN task_schedule s ON s.task_id = t.id
     WHERE d.entity = 'task' AND d.restored_at IS NULL AND d.at >= :since";

/// The deleted tasks of a project, the latest first.
pub async fn trashed(
    db: &impl Read,
    project: ProjectId,
    since: chrono::DateTime<chrono::Utc>,
    most: i64,
) -> Result<Vec<Trashed>> {
    let select = format!("{TRASHED} AND d.project_id = :project ORDER BY d.at DESC, d.id DESC LIMIT :most");
    db.all(sql!(select, since = since, project = project, most = most)).await
}

/// One deleted task.
pub async fn trashed_one(
    db: &impl Read,
    task: TaskId,
    since: chrono::DateTime<chrono::Utc>,
) -> Result<Option<Trashed>> {
    db.maybe(sql!(format!("{TRASHED} AND t.id = :task"), since = since, task = task)).await
}
