//! Every statement that reads tasks; none writes them.
//! The caller's membership is part of each statement, so a task of a foreign project is never found.

use std::collections::HashMap;

use planwright_domain::ids::*;
use planwright_domain::words::TaskStatus;
use planwright_store::dialect::{contains, pattern};
use planwright_store::page::Listing;
use planwright_store::value::list;
use planwright_store::{Read, Result, Sql, row, sql};

use planwright_web::{Actor, ApiError, ApiResult};

use super::model::{TaskFilter, TaskRow};
use crate::schedule::network::day;

/// The select list of a [`TaskRow`].
pub const COLUMNS: &str = "SELECT t.id, t.project_id, p.code AS project_code, p.estimation_mode, p.prioritization_model,
    p.archived_at IS NOT NULL AS archived, m.role AS my_role, t.parent_id, t.short_id, t.name, t.notes, t.type,
    t.status, t.status_changed_at, t.duration, t.duration_unit, t.structure_role, t.percent_complete,
    t.planned_start, t.actual_start, t.actual_finish, t.is_milestone, t.optimistic_duration,
    t.most_likely_duration, t.pessimistic_duration, t.estimate_status, t.story_points, t.remaining_points,
    t.assignee_id, t.sprint_id, t.sprint_rank, t.priority_rank, t.parent_epic_id, t.dor, t.governance_class,
    t.parent_governance_inherited, t.delivery_mode, t.is_subtask, t.is_recurring, t.blocked_reason, t.blocker_type,
    t.blocking_task_id, t.blocked_since, t.blocked_by_id, t.business_value, t.time_criticality, t.risk_reduction,
    t.job_size, t.reach, t.impact, t.confidence, t.effort, t.value, t.effort_estimate, t.source_kind, t.source_id,
    t.source_version, t.seeded_at, t.edited_at, t.server_version, s.outline, s.is_summary, s.is_phase,
    s.early_start, s.early_finish, s.late_start, s.late_finish, s.scheduled_start, s.total_float, s.free_float,
    s.is_critical, s.remaining_duration, s.rolled_duration, s.rolled_percent, s.rolled_status,
    s.rolled_assignee_id, s.rolled_optimistic, s.rolled_most_likely, s.rolled_pessimistic, s.issue";

/// Where a row stands: a phase where its leaves stand.
pub(super) const STATUS: &str =
    "(CASE WHEN s.is_phase THEN COALESCE(s.rolled_status, t.status) ELSE t.status END)";

const NARROW: &str = "FROM tasks t WHERE t.deletion_id IS NULL";

const VISIBLE: &str = "FROM tasks t
    JOIN projects p ON p.id = t.project_id AND p.deletion_id IS NULL
    JOIN project_members m ON m.project_id = t.project_id AND m.user_id = :me AND m.deletion_id IS NULL
    LEFT JOIN task_schedule s ON s.task_id = t.id
    WHERE t.deletion_id IS NULL";

/// The change that a project stands at, if the caller is a member.
pub async fn change_of(db: &impl Read, actor: &Actor, project: ProjectId) -> Result<Option<i64>> {
    let select = "SELECT p.change_counter FROM projects p
         JOIN project_members m ON m.project_id = p.id AND m.user_id = :me AND m.deletion_id IS NULL
         WHERE p.id = :project AND p.deletion_id IS NULL";
    db.scalar(sql!(select, me = actor.id, project = project).push(actor.sees_projects())).await
}

/// Whether a list has to look at what the engine computed to know its rows or their order.
fn looks_at_dates(filter: &TaskFilter, ordering: Option<&str>) -> bool {
    let ordered = ordering.is_some_and(|keys| keys.contains("wbs_path") || keys.contains("early_start"));
    let filtered = [
        filter.status.is_given(),
        filter.is_critical.is_given(),
        filter.start__gte.is_given(),
        filter.finish__lte.is_given(),
    ];
    ordered || filtered.contains(&true)
}

/// The tasks that the caller sees, as they are counted and ordered, and as they are shown; how many there are may be known.
pub fn listed(
    db: &impl Read,
    actor: &Actor,
    filter: &TaskFilter,
    search: Option<&str>,
    ordering: Option<&str>,
    count: Option<i64>,
) -> ApiResult<Listing> {
    let wide = Sql::new(VISIBLE).push(actor.sees_projects());
    let wide = narrowed(wide.bind("me", actor.id), db, filter, search)?;
    match looks_at_dates(filter, ordering) {
        true => Ok(Listing { count, ..wide.into() }),
        false => {
            let narrow = Sql::new(NARROW).push(&seen_by(actor, filter)).bind("me", actor.id);
            Ok(Listing { narrow: narrowed(narrow, db, filter, search)?, wide: Some(wide), count })
        }
    }
}

/// The membership, asked for once a statement and not once a row.
fn seen_by(actor: &Actor, filter: &TaskFilter) -> String {
    let mine = format!(
        "FROM projects p JOIN project_members m ON m.project_id = p.id AND m.user_id = :me AND m.deletion_id IS NULL
         WHERE p.deletion_id IS NULL{}",
        actor.sees_projects()
    );
    match filter.project.is_given() {
        true => format!(" AND EXISTS (SELECT 1 {mine} AND p.id = :project)"),
        false => format!(" AND t.project_id IN (SELECT p.id {mine})"),
    }
}

/// Narrows a list of tasks by a filter and a text in the name; an id that is none is a 400.
fn narrowed(tasks: Sql, db: &impl Read, filter: &TaskFilter, search: Option<&str>) -> ApiResult<Sql> {
    let given = |name: &str| format!("AND {name}");
    let named = given(&contains(db.engine(), "t.name", "search"));
    let mut from = tasks
        .when("AND t.project_id = :project", "project", filter.project.as_given().copied())
        .when(
            "AND t.short_id = :short_id",
            "short_id",
            filter.short_id.as_given().map(|id| id.to_uppercase()),
        )
        .when(&given(&format!("{STATUS} = :status")), "status", filter.status.as_given().copied())
        .when("AND t.type = :type", "type", filter.r#type.as_given().copied())
        .when(
            "AND COALESCE(s.is_critical, FALSE) = :critical",
            "critical",
            filter.is_critical.as_given().copied(),
        )
        .when("AND t.is_subtask = :subtask", "subtask", filter.is_subtask.as_given().copied())
        .when("AND t.parent_id = :parent AND t.is_subtask", "parent", filter.parent.as_given().copied())
        .when("AND s.early_finish >= :from", "from", filter.start__gte.as_given().map(|date| day(*date).0))
        .when("AND s.early_start <= :until", "until", filter.finish__lte.as_given().map(|date| day(*date).0))
        .when(&named, "search", search.map(pattern));
    from = match filter.sprint.as_given().map(|sprint| sprint.as_str()) {
        None => from,
        Some("none") => from.push(" AND t.sprint_id IS NULL"),
        Some(id) => from.push(" AND t.sprint_id = :sprint").bind("sprint", id_in::<SprintId>("sprint", id)?),
    };
    if filter.mine.as_given() == Some(&true) {
        from = from.push(
            " AND (t.assignee_id = :me OR EXISTS (SELECT 1 FROM task_resources a
                JOIN resources r ON r.id = a.resource_id AND r.deletion_id IS NULL
                WHERE a.task_id = t.id AND a.deletion_id IS NULL AND r.user_id = :me))",
        );
    }
    if let Some(labels) = filter.labels.as_given() {
        let ids = labels
            .split(',')
            .map(|id| id_in::<LabelId>("labels", id.trim()))
            .collect::<ApiResult<Vec<_>>>()?;
        from = from
            .push(
                " AND EXISTS (SELECT 1 FROM task_labels l WHERE l.task_id = t.id AND l.label_id IN (:labels))",
            )
            .bind("labels", list(ids));
    }
    Ok(from)
}

fn id_in<T: std::str::FromStr>(parameter: &str, text: &str) -> ApiResult<T> {
    text.parse().map_err(|_| ApiError::invalid_field(parameter, format!("\"{text}\" is not a valid UUID.")))
}

/// One task, if the caller sees it.
pub async fn find(db: &impl Read, actor: &Actor, id: TaskId) -> Result<Option<TaskRow>> {
    let consent = actor.sees_projects();
    db.maybe(sql!(format!("{COLUMNS} {VISIBLE} AND t.id = :id{consent}"), me = actor.id, id = id)).await
}

/// Those of some tasks that the caller sees.
pub async fn find_all(db: &impl Read, actor: &Actor, ids: &[TaskId]) -> Result<Vec<TaskRow>> {
    let select = format!("{COLUMNS} {VISIBLE} AND t.id IN (:ids){}", actor.sees_projects());
    db.all(sql!(select, me = actor.id, ids = list(ids.iter().copied()))).await
}

/// Whether the caller sees a task.
pub async fn sees(db: &impl Read, actor: &Actor, id: TaskId) -> Result<bool> {
    let consent = actor.sees_projects();
    let count = format!("SELECT COUNT(*) {VISIBLE} AND t.id = :id{consent}");
    Ok(db.count(sql!(count, me = actor.id, id = id)).await? > 0)
}

row! {
    /// A task that search found.
    pub struct Hit {
        pub id: TaskId,
        pub name: String,
        pub status: TaskStatus,
        pub short_id: String,
    }
}

/// Tasks of a project whose name or notes contain the text, those with it in the name first.
pub async fn search(db: &impl Read, project: ProjectId, text: &str) -> Result<Vec<Hit>> {
    let in_name = contains(db.engine(), "t.name", "text");
    let in_notes = contains(db.engine(), "t.notes", "text");
    let select = format!(
        "SELECT t.id, t.name, {STATUS} AS status, t.short_id FROM tasks t
         LEFT JOIN task_schedule s ON s.task_id = t.id WHERE t.project_id = :project AND t.deletion_id IS NULL AND ({in_name} OR {in_notes})
         ORDER BY CASE WHEN {in_name} THEN 0 ELSE 1 END, t.name, t.id LIMIT 500"
    );
    db.all(sql!(select, project = project).bind("text", pattern(text))).await
}

/// Tasks by id, as search shows them.
pub async fn hits(db: &impl Read, tasks: &[TaskId]) -> Result<HashMap<TaskId, Hit>> {
    if tasks.is_empty() {
        return Ok(HashMap::new());
    }
    let select = format!(
        "SELECT t.id, t.name, {STATUS} AS status, t.short_id FROM tasks t
         LEFT JOIN task_schedule s ON s.task_id = t.id WHERE t.id IN (:ids) AND t.deletion_id IS NULL"
    );
    let rows: Vec<Hit> = db.all(sql!(select, ids = list(tasks.iter().copied()))).await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}
