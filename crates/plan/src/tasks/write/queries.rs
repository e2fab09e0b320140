//! Every statement that writing tasks needs: what is looked up, and the rows that are written.
//! Each row that is written carries the number of the change that wrote it.

use std::collections::{HashMap, HashSet};

use chrono::NaiveDate;
use planwright_domain::ids::*;
use planwright_domain::words::*;
use planwright_store::record::Record;
use planwright_store::value::list;
use planwright_store::{FromRow, Read, Result, Sql, ToValue, Tx, row, sql};

use super::record::TaskRecord;
use super::validate::{DurationEvent, Owner};
use crate::schedule::PlanLock;

/// A live row, whoever asks.
pub async fn record(db: &dyn Read, id: TaskId) -> Result<Option<TaskRecord>> {
    Ok(records(db, &[id]).await?.pop())
}

/// Gives rows other ranks to make room for those that somebody moves; no version rises, since nobody moved them.
pub async fn set_ranks(
    tx: &mut Tx,
    lock: &PlanLock,
    project: ProjectId,
    ranks: &[(TaskId, i64)],
) -> Result<()> {
    let counter = lock.counter(project);
    let rows = ranks.iter().map(|(id, rank)| {
        vec![("priority_rank", rank.to_value()), ("change_number", counter.to_value()), ("id", id.to_value())]
    });
    tx.update_rows("tasks", "id", rows.collect()).await.map(drop)
}

/// Live rows, whoever asks.
pub async fn records(db: &dyn Read, ids: &[TaskId]) -> Result<Vec<TaskRecord>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let columns = TaskRecord::select_list("t");
    let select = format!("SELECT {columns} FROM tasks t WHERE t.id IN (:ids) AND t.deletion_id IS NULL");
    db.all(sql!(select, ids = list(ids.iter().copied()))).await
}

row! {
    /// Where a row was found that may be deleted or elsewhere.
    pub struct Whereabouts {
        pub id: TaskId,
        pub project_id: ProjectId,
        pub deletion_id: Option<DeletionId>,
    }
}

/// Where rows are, deleted ones and those of other projects too.
pub async fn whereabouts(db: &dyn Read, ids: &[TaskId]) -> Result<HashMap<TaskId, Whereabouts>> {
    let select = "SELECT id, project_id, deletion_id FROM tasks WHERE id IN (:ids)";
    let rows: Vec<Whereabouts> = some_of(db, ids, select, |sql| sql).await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}

/// Asks for rows by id, and asks nothing when no id is given.
async fn some_of<I: ToValue + Copy, T: FromRow + Send>(
    db: &dyn Read,
    ids: &[I],
    text: &'static str,
    also: impl FnOnce(Sql) -> Sql,
) -> Result<Vec<T>> {
    match ids.is_empty() {
        true => Ok(Vec::new()),
        false => db.all(also(sql!(text, ids = list(ids.iter().copied())))).await,
    }
}

row! {
    /// What a write needs to know of its project.
    pub struct ProjectFacts {
        pub id: ProjectId,
        pub program_id: Option<ProgramId>,
        pub start_date: NaiveDate,
        pub estimation_mode: EstimationMode,
        pub board_cadence: BoardCadence,
        pub lifecycle: Lifecycle,
    }
}

/// What a write needs to know of its project.
pub async fn project_facts(db: &dyn Read, project: ProjectId) -> Result<ProjectFacts> {
    let select = "SELECT id, program_id, start_date, estimation_mode, board_cadence, lifecycle FROM projects
                  WHERE id = :project";
    db.one(sql!(select, project = project)).await
}

row! {
    /// What a write needs to know of a sprint.
    pub struct SprintFacts {
        pub id: SprintId,
        pub state: SprintState,
        pub start_date: NaiveDate,
        pub finish_date: NaiveDate,
        pub target_milestone_id: Option<TaskId>,
    }
}

/// Live sprints of a project.
pub async fn live_sprints(
    db: &dyn Read,
    project: ProjectId,
    ids: &[SprintId],
) -> Result<HashMap<SprintId, SprintFacts>> {
    let select = "SELECT id, state, start_date, finish_date, target_milestone_id FROM sprints
                  WHERE id IN (:ids) AND project_id = :project AND deletion_id IS NULL";
    let rows: Vec<SprintFacts> = some_of(db, ids, select, |sql| sql.bind("project", project)).await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}

row! {
    /// What a write needs to know of another row that it names.
    pub struct TaskFacts {
        pub id: TaskId,
        pub r#type: TaskType,
        pub parent_id: Option<TaskId>,
        pub has_place: bool,
        pub is_subtask: bool,
        pub is_milestone: bool,
        pub is_recurring: bool,
        pub governance_class: GovernanceClass,
        pub sprint_id: Option<SprintId>,
        pub sprint_pending: bool,
        pub structural_children: i64,
    }
}

/// Live rows of a project.
pub async fn facts(
    db: &dyn Read,
    project: ProjectId,
    ids: Vec<TaskId>,
) -> Result<HashMap<TaskId, TaskFacts>> {
    let select =
        "SELECT t.id, t.type, t.parent_id, t.has_place, t.is_subtask, t.is_milestone, t.is_recurring, t.governance_class,
            t.sprint_id, t.sprint_pending,
            (SELECT COUNT(*) FROM tasks c
             WHERE c.parent_id = t.id AND c.deletion_id IS NULL AND NOT c.is_subtask) AS structural_children
         FROM tasks t WHERE t.id IN (:ids) AND t.project_id = :project AND t.deletion_id IS NULL";
    let rows: Vec<TaskFacts> = some_of(db, &ids, select, |sql| sql.bind("project", project)).await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}

/// Live rows right below some that are governed as those are.
pub async fn inheriting(db: &dyn Read, parents: &[TaskId]) -> Result<Vec<TaskRecord>> {
    let columns = TaskRecord::select_list("t");
    let select = format!(
        "SELECT {columns} FROM tasks t
         WHERE t.parent_id IN (:ids) AND t.deletion_id IS NULL AND t.parent_governance_inherited"
    );
    db.all(sql!(select, ids = list(parents.iter().copied()))).await
}

/// How some rows are governed.
pub async fn governance(db: &dyn Read, ids: &[TaskId]) -> Result<HashMap<TaskId, GovernanceClass>> {
    let select = "SELECT id, governance_class FROM tasks WHERE id IN (:ids)";
    let rows: Vec<(TaskId, GovernanceClass)> = some_of(db, ids, select, |sql| sql).await?;
    Ok(rows.into_iter().collect())
}

row! {
    /// Who stands below a row.
    #[derive(Copy, Default)]
    pub struct Family {
        pub children: i64,
        pub structural: i64,
    }
}

/// Who stands below some rows.
pub async fn families(db: &dyn Read, ids: &[TaskId]) -> Result<HashMap<TaskId, Family>> {
    let select = "SELECT parent_id, COUNT(*), CAST(SUM(CASE WHEN is_subtask THEN 0 ELSE 1 END) AS BIGINT)
                  FROM tasks WHERE parent_id IN (:ids) AND deletion_id IS NULL GROUP BY parent_id";
    let rows: Vec<(TaskId, i64, i64)> = some_of(db, ids, select, |sql| sql).await?;
    Ok(rows.into_iter().map(|(id, children, structural)| (id, Family { children, structural })).collect())
}

row! {
    /// What the engine says of a row, which phases show and which dates of a write may lean on.
    pub struct Shown {
        pub task_id: TaskId,
        pub early_start: Option<i32>,
        pub early_finish: Option<i32>,
        pub rolled_duration: Option<i64>,
        pub rolled_percent: Option<f64>,
        pub rolled_status: Option<TaskStatus>,
        pub rolled_assignee_id: Option<UserId>,
        pub rolled_optimistic: Option<i64>,
        pub rolled_most_likely: Option<i64>,
        pub rolled_pessimistic: Option<i64>,
    }
}

impl Shown {
    /// What is known of a row that the engine has not seen.
    pub fn nothing(task: TaskId) -> Self {
        Self {
            task_id: task,
            early_start: None,
            early_finish: None,
            rolled_duration: None,
            rolled_percent: None,
            rolled_status: None,
            rolled_assignee_id: None,
            rolled_optimistic: None,
            rolled_most_likely: None,
            rolled_pessimistic: None,
        }
    }
}

/// What the engine says of some rows.
pub async fn shown(db: &dyn Read, ids: &[TaskId]) -> Result<HashMap<TaskId, Shown>> {
    let select =
        "SELECT task_id, early_start, early_finish, rolled_duration, rolled_percent, rolled_status, rolled_assignee_id,
            rolled_optimistic, rolled_most_likely, rolled_pessimistic
         FROM task_schedule WHERE task_id IN (:ids)";
    let rows: Vec<Shown> = some_of(db, ids, select, |sql| sql).await?;
    Ok(rows.into_iter().map(|row| (row.task_id, row)).collect())
}

/// Those of some resources that are on the roster of a project.
pub async fn roster(db: &dyn Read, project: ProjectId, ids: Vec<ResourceId>) -> Result<HashSet<ResourceId>> {
    if ids.is_empty() {
        return Ok(HashSet::new());
    }
    let select = "SELECT x.resource_id FROM project_resources x
         JOIN resources r ON r.id = x.resource_id AND r.deletion_id IS NULL
         WHERE x.project_id = :project AND x.deletion_id IS NULL AND x.resource_id IN (:ids)";
    Ok(db.scalars(sql!(select, project = project, ids = list(ids))).await?.into_iter().collect())
}

/// What some rows are allocated, in hundredths.
pub async fn allocated(db: &dyn Read, ids: &[TaskId]) -> Result<HashMap<(TaskId, ResourceId), i64>> {
    let select = "SELECT task_id, resource_id, units FROM task_resources
                  WHERE task_id IN (:ids) AND deletion_id IS NULL";
    let rows: Vec<(TaskId, ResourceId, i64)> = some_of(db, ids, select, |sql| sql).await?;
    Ok(rows.into_iter().map(|(task, resource, units)| ((task, resource), units)).collect())
}

/// The last position among the rows below one, or at the top.
pub async fn last_position(db: &dyn Read, project: ProjectId, parent: Option<TaskId>) -> Result<i64> {
    let base = "SELECT COALESCE(MAX(position), 0) FROM tasks WHERE deletion_id IS NULL AND has_place";
    let select = match parent {
        Some(parent) => sql!(format!("{base} AND parent_id = :parent"), parent = parent),
        None => sql!(format!("{base} AND parent_id IS NULL AND project_id = :project"), project = project),
    };
    db.count(select).await
}

/// The last position below each of some rows; those with nothing below them are missing.
pub async fn last_positions(db: &dyn Read, parents: &[TaskId]) -> Result<HashMap<TaskId, i64>> {
    let select = "SELECT parent_id, MAX(position) FROM tasks
                  WHERE parent_id IN (:ids) AND deletion_id IS NULL AND has_place GROUP BY parent_id";
    let rows: Vec<(TaskId, i64)> = some_of(db, parents, select, |sql| sql).await?;
    Ok(rows.into_iter().collect())
}

/// Reserves short ids, which tasks and sprints of a project share; returns the last one that was given out before.
pub async fn reserve_short_ids(tx: &mut Tx, project: ProjectId, how_many: usize) -> Result<i64> {
    let many = i64::try_from(how_many).unwrap_or(i64::MAX);
    let update = "UPDATE projects SET short_id_counter = short_id_counter + :many WHERE id = :project
                  RETURNING short_id_counter";
    Ok(tx.count(sql!(update, many = many, project = project)).await? - many)
}

row! {
    /// An allocation of a task.
    pub struct Allocation {
        pub id: AssignmentId,
        pub task_id: TaskId,
        pub resource_id: ResourceId,
        pub server_version: i64,
    }
}

/// The live allocations of some tasks.
pub async fn allocations(
    db: &dyn Read,
    tasks: &[TaskId],
) -> Result<HashMap<(TaskId, ResourceId), Allocation>> {
    let select = "SELECT id, task_id, resource_id, server_version FROM task_resources
                  WHERE task_id IN (:ids) AND deletion_id IS NULL";
    let rows: Vec<Allocation> = some_of(db, tasks, select, |sql| sql).await?;
    Ok(rows.into_iter().map(|row| ((row.task_id, row.resource_id), row)).collect())
}

/// Allocates resources; who is allocated already gets the new units.
pub async fn upsert_owners(tx: &mut Tx, project: ProjectId, owners: &[(TaskId, Owner)]) -> Result<()> {
    if owners.is_empty() {
        return Ok(());
    }
    let number = tx.next_change_number(Some(project.0)).await?;
    let now = tx.now();
    let statements = owners.iter().map(|(task, owner)| {
        sql!(
            "INSERT INTO task_resources (id, task_id, resource_id, units, created_at, server_version,
                change_number)
             VALUES (:id, :task, :resource, :units, :now, 1, :number)
             ON CONFLICT (task_id, resource_id) WHERE deletion_id IS NULL DO UPDATE
                SET units = excluded.units, server_version = task_resources.server_version + 1,
                    change_number = excluded.change_number",
            number = number,
            id = tx.mint::<AssignmentId>(),
            task = *task,
            resource = owner.resource,
            units = owner.units,
            now = now,
        )
    });
    tx.run_each(statements.collect()).await.map(drop)
}

/// Notes what changes of durations did.
pub async fn insert_duration_events(
    tx: &mut Tx,
    project: ProjectId,
    by: (UserId, &str),
    events: &[(TaskId, DurationEvent)],
) -> Result<()> {
    let now = tx.now();
    let statements = events.iter().map(|(task, event)| {
        sql!(
            "INSERT INTO duration_events (id, task_id, project_id, old_duration, new_duration,
                percent_complete_at_change, percent_complete_after, policy_applied, actor_id, actor_name, sprint_id,
                source, created_at)
             VALUES (:id, :task, :project, :old, :new, :percent, :after, :policy, :actor, :name, :sprint,
                'user_edit', :now)",
            id = tx.mint::<uuid::Uuid>(),
            task = *task,
            project = project,
            old = event.old_duration,
            new = event.new_duration,
            percent = event.percent_complete_at_change,
            after = event.percent_complete_after,
            policy = event.policy,
            actor = by.0,
            name = by.1,
            sprint = event.sprint,
            now = now,
        )
    });
    tx.run_each(statements.collect()).await.map(drop)
}

/// Lets a project begin earlier.
pub async fn start_project_earlier(tx: &mut Tx, project: ProjectId, start: NaiveDate) -> Result<()> {
    let update =
        "UPDATE projects SET start_date = :start, server_version = server_version + 1 WHERE id = :project";
    tx.run(sql!(update, start = start, project = project)).await.map(drop)
}

/// The version of a project.
pub async fn project_version(db: &dyn Read, project: ProjectId) -> Result<i64> {
    db.count(sql!("SELECT server_version FROM projects WHERE id = :project", project = project)).await
}

/// The drawer subtasks of rows, with the rows above them.
pub async fn subtasks(db: &dyn Read, tasks: &[TaskId]) -> Result<Vec<(TaskId, TaskId)>> {
    if tasks.is_empty() {
        return Ok(Vec::new());
    }
    let select = "SELECT parent_id, id FROM tasks
                  WHERE parent_id IN (:tasks) AND is_subtask AND deletion_id IS NULL";
    db.all(sql!(select, tasks = list(tasks.iter().copied()))).await
}
