//! Every statement about the activity of a board. It reads the history of tasks.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{ProjectId, SprintId, TaskId};
use planwright_domain::words::{BoardEventType, ChangeKind, ScopeChangeStatus};
use planwright_store::value::list;
use planwright_store::{Read, Result, Sql, sql};

use super::model::{ActivityQuery, ActivityRow};

/// What stands for any id in a pattern.
const ANY_ID: &str = "____________________________________";

const NEWEST_FIRST: &str = " ORDER BY h.at DESC, h.id DESC";

/// The newest changes that a query asks for.
pub async fn page(
    db: &dyn Read,
    project: ProjectId,
    query: &ActivityQuery,
    most: i64,
) -> Result<Vec<ActivityRow>> {
    db.all(asked(project, query).push(NEWEST_FIRST).push(" LIMIT :most").bind("most", most)).await
}

/// The changes that a query asks for, from the newest one to all of a moment.
pub async fn until(
    db: &dyn Read,
    project: ProjectId,
    query: &ActivityQuery,
    last: DateTime<Utc>,
) -> Result<Vec<ActivityRow>> {
    db.all(asked(project, query).when("AND h.at >= :last", "last", Some(last)).push(NEWEST_FIRST)).await
}

fn asked(project: ProjectId, query: &ActivityQuery) -> Sql {
    let select = sql!(
        "SELECT h.id, h.at, h.kind, h.actor_id, u.username, h.fields, h.entity = 'task_comment' AS is_comment,
            COALESCE(c.task_id, h.entity_id) AS task_id, t.name AS task_name, t.sprint_id
         FROM history h LEFT JOIN users u ON u.id = h.actor_id
         LEFT JOIN task_comments c ON c.id = h.entity_id AND h.entity = 'task_comment'
         LEFT JOIN tasks t ON t.id = COALESCE(c.task_id, h.entity_id)
         WHERE h.project_id = :project
           AND (h.entity = 'task' OR (h.entity = 'task_comment' AND h.kind = :created))",
        project = project,
        created = ChangeKind::Created
    );
    let select = select
        .when("AND h.at < :until", "until", query.until.as_given().copied())
        .when("AND h.at >= :since", "since", query.since.as_given().copied())
        .when("AND h.actor_id = :actor", "actor", query.actor.as_given().copied());
    let select = match query.sprint.as_given() {
        Some(sprint) => concerning(select, *sprint),
        None => select,
    };
    match query.r#type.as_given() {
        Some(kind) => of_type(select, *kind),
        None => select,
    }
}

/// Only changes of tasks in a sprint, or of which tasks are in it.
fn concerning(select: Sql, sprint: SprintId) -> Sql {
    let moved = |old: &str, new: &str| format!("%\"sprint\":[{old},{new}]%");
    let (named, any) = (format!("\"{sprint}\""), format!("\"{ANY_ID}\""));
    select
        .push(
            " AND (t.sprint_id = :sprint OR h.fields LIKE :came OR h.fields LIKE :left OR h.fields LIKE :moved_in
                OR h.fields LIKE :moved_out)",
        )
        .bind("sprint", sprint)
        .bind("came", moved("null", &named))
        .bind("left", moved(&named, "null"))
        .bind("moved_in", moved(&any, &named))
        .bind("moved_out", moved(&named, &any))
}

fn of_type(select: Sql, kind: BoardEventType) -> Sql {
    let moved = |old: &str, new: &str| Some(format!("%\"sprint\":[{old},{new}]%"));
    let any = format!("\"{ANY_ID}\"");
    let like = "AND h.fields LIKE :kind_of_move";
    let entity = if kind == BoardEventType::CommentAdded { "task_comment" } else { "task" };
    let select = select.when("AND h.entity = :entity", "entity", Some(entity));
    match kind {
        BoardEventType::TaskCreated => select.when("AND h.kind = :kind", "kind", Some(ChangeKind::Created)),
        BoardEventType::TaskDeleted => select.when("AND h.kind = :kind", "kind", Some(ChangeKind::Deleted)),
        BoardEventType::TaskUpdated => select
            .when("AND h.kind = :kind", "kind", Some(ChangeKind::Updated))
            .when("AND h.fields NOT LIKE :kind_of_move", "kind_of_move", Some("%\"sprint\":[%".to_owned())),
        BoardEventType::EnteredSprint => select
            .when("AND h.kind = :kind", "kind", Some(ChangeKind::Updated))
            .when(like, "kind_of_move", moved("null", &any)),
        BoardEventType::ExitedSprint => select.when(like, "kind_of_move", moved(&any, "null")),
        BoardEventType::MovedSprint => select.when(like, "kind_of_move", moved(&any, &any)),
        BoardEventType::CommentAdded => select,
    }
}

/// The last decision about each of some tasks in the sprint that it is in.
pub async fn scope_statuses(
    db: &dyn Read,
    tasks: &[TaskId],
) -> Result<Vec<((TaskId, SprintId), ScopeChangeStatus)>> {
    if tasks.is_empty() {
        return Ok(Vec::new());
    }
    let select = "SELECT c.task_id, c.sprint_id, c.status FROM sprint_scope_changes c
         WHERE c.task_id IN (:tasks) AND c.deletion_id IS NULL ORDER BY c.added_at, c.id";
    let rows: Vec<(TaskId, SprintId, ScopeChangeStatus)> =
        db.all(sql!(select, tasks = list(tasks.iter().copied()))).await?;
    Ok(rows.into_iter().map(|(task, sprint, status)| ((task, sprint), status)).collect())
}
