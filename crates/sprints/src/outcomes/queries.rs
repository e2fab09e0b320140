//! The statements about outcomes.

use chrono::NaiveDate;
use planwright_domain::ids::{SprintId, SprintOutcomeId, TaskId};
use planwright_domain::words::{SprintTaskDisposition, TaskStatus};
use planwright_plan::sprints::load::IS_WORK;
use planwright_store::record::Record;
use planwright_store::value::list;
use planwright_store::{Read, Result, ToValue, Tx, row, sql};

use super::rows::OutcomeRow;

row! {
    /// A task of a sprint as its outcome shows it: as it was kept, or as it stands while the sprint runs.
    pub struct ItemRow {
        pub outcome_id: Option<SprintOutcomeId>,
        pub task_id: Option<TaskId>,
        pub task_short_id: String,
        pub task_title: String,
        pub story_points: Option<i64>,
        pub final_status: TaskStatus,
        pub disposition: Option<SprintTaskDisposition>,
        pub next_sprint_id: Option<SprintId>,
        pub next_sprint_name: Option<String>,
        pub was_pending: bool,
        pub review_note: String,
        pub flagged: bool,
        pub demo_ready: bool,
        pub demo_order: Option<i64>,
        pub presenter: String,
    }
}

/// What was kept of the tasks of a sprint when it closed.
pub async fn kept(db: &dyn Read, sprint: SprintId) -> Result<Vec<ItemRow>> {
    let select =
        "SELECT o.id AS outcome_id, o.task_id, o.task_short_id, o.task_title, o.story_points, o.final_status,
            o.disposition, o.next_sprint_id, n.name AS next_sprint_name, o.was_pending, o.review_note,
            o.flagged_to_backlog_task_id IS NOT NULL AS flagged, o.demo_ready, o.demo_order, o.presenter
         FROM sprint_task_outcomes o LEFT JOIN sprints n ON n.id = o.next_sprint_id AND n.deletion_id IS NULL
         WHERE o.sprint_id = :sprint AND o.deletion_id IS NULL ORDER BY o.task_short_id, o.id";
    db.all(sql!(select, sprint = sprint)).await
}

row! {
    /// A criterion of a task.
    pub struct CriterionRow {
        pub task_id: TaskId,
        pub id: uuid::Uuid,
        pub text: String,
        pub met: bool,
    }
}

/// The acceptance criteria of some tasks, in their order.
pub async fn criteria(db: &dyn Read, tasks: &[TaskId]) -> Result<Vec<CriterionRow>> {
    let select = "SELECT c.task_id, c.id, c.text, c.met FROM acceptance_criteria c
         WHERE c.task_id IN (:tasks) AND c.deletion_id IS NULL ORDER BY c.task_id, c.position, c.id";
    db.all(sql!(select, tasks = list(tasks.iter().copied()))).await
}

row! {
    /// The retrospective of a sprint.
    pub struct RetroRow {
        pub id: uuid::Uuid,
        pub has_notes: bool,
        pub actions: i64,
    }
}

/// The retrospective of a sprint in short.
pub async fn retro(db: &dyn Read, sprint: SprintId) -> Result<Option<RetroRow>> {
    let select = "SELECT r.id, r.notes <> '' AS has_notes, (SELECT COUNT(*) FROM retro_actions a
            WHERE a.retro_id = r.id AND a.deletion_id IS NULL) AS actions
         FROM retros r WHERE r.sprint_id = :sprint AND r.deletion_id IS NULL";
    db.maybe(sql!(select, sprint = sprint)).await
}

/// The tasks of a sprint as they stand now.
pub async fn standing(db: &dyn Read, sprint: SprintId) -> Result<Vec<ItemRow>> {
    let select = format!(
        "SELECT CAST(NULL AS UUID) AS outcome_id, t.id AS task_id, t.short_id AS task_short_id,
            t.name AS task_title, t.story_points, t.status AS final_status, CAST(NULL AS TEXT) AS disposition,
            CAST(NULL AS UUID) AS next_sprint_id, CAST(NULL AS TEXT) AS next_sprint_name,
            t.sprint_pending AS was_pending, '' AS review_note, FALSE AS flagged, FALSE AS demo_ready,
            CAST(NULL AS BIGINT) AS demo_order, '' AS presenter
         FROM tasks t WHERE t.sprint_id = :sprint AND {IS_WORK} ORDER BY t.short_id, t.id"
    );
    db.all(sql!(select, sprint = sprint)).await
}

row! {
    /// A task that came over from a sprint that is over.
    pub struct CarriedRow {
        pub task_id: TaskId,
        pub short_id: String,
        pub name: String,
        pub story_points: Option<i64>,
        pub status: TaskStatus,
        pub from_sprint_id: SprintId,
        pub from_sprint_name: String,
        pub was_pending: bool,
    }
}

/// The tasks in a sprint that came over from others.
pub async fn carried_into(db: &dyn Read, sprint: SprintId) -> Result<Vec<CarriedRow>> {
    let select =
        "SELECT t.id AS task_id, t.short_id, t.name, t.story_points, t.status, s.id AS from_sprint_id,
            s.name AS from_sprint_name, o.was_pending
         FROM sprint_task_outcomes o JOIN tasks t ON t.id = o.task_id AND t.deletion_id IS NULL
         JOIN sprints s ON s.id = o.sprint_id AND s.deletion_id IS NULL
         WHERE o.next_sprint_id = :sprint AND t.sprint_id = :sprint AND o.deletion_id IS NULL
         ORDER BY t.short_id, t.id";
    db.all(sql!(select, sprint = sprint)).await
}

row! {
    /// A milestone with its dates in the active baseline and now.
    pub struct SlipRow {
        pub id: TaskId,
        pub name: String,
        pub short_id: String,
        pub status: TaskStatus,
        pub actual_finish: Option<NaiveDate>,
        pub early_finish: Option<i32>,
        pub baseline_finish: Option<NaiveDate>,
    }
}

/// A live milestone beside the active baseline of its project.
pub async fn slip(db: &dyn Read, milestone: TaskId) -> Result<Option<SlipRow>> {
    let select = "SELECT t.id, t.name, t.short_id, t.status, t.actual_finish, d.early_finish,
            x.finish_date AS baseline_finish
         FROM tasks t LEFT JOIN task_schedule d ON d.task_id = t.id
         LEFT JOIN baselines b ON b.project_id = t.project_id AND b.is_active AND b.deletion_id IS NULL
         LEFT JOIN baseline_tasks x ON x.baseline_id = b.id AND x.task_id = t.id
         WHERE t.id = :milestone AND t.deletion_id IS NULL";
    Ok(db.all(sql!(select, milestone = milestone)).await?.into_iter().next())
}

/// What is demonstrated of a sprint, in its order.
pub async fn demonstrated(db: &dyn Read, sprint: SprintId) -> Result<Vec<OutcomeRow>> {
    let columns = OutcomeRow::select_list("o");
    let select = format!(
        "SELECT {columns} FROM sprint_task_outcomes o
         WHERE o.sprint_id = :sprint AND o.demo_ready AND o.deletion_id IS NULL
         ORDER BY o.demo_order ASC NULLS LAST, o.task_short_id, o.id"
    );
    db.all(sql!(select, sprint = sprint)).await
}

/// Puts what is demonstrated in another order; no version rises, since nothing else is said of it.
pub async fn place(tx: &mut Tx, ids: &[SprintOutcomeId], number: i64) -> Result<()> {
    let rows = ids.iter().enumerate().map(|(at, id)| {
        vec![
            ("demo_order", (at as i64 + 1).to_value()),
            ("change_number", number.to_value()),
            ("id", id.to_value()),
        ]
    });
    tx.update_rows("sprint_task_outcomes", "id", rows.collect()).await.map(drop)
}
