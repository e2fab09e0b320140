//! Every statement of My Work. Each says who does a task and which projects the person sees.

use chrono::NaiveDate;
use planwright_domain::ids::UserId;
use planwright_plan::schedule::network::day;
use planwright_store::dialect::{contains, pattern};
use planwright_store::record::select_list;
use planwright_store::{Read, Result, Sql, sql};
use planwright_web::{Actor, ApiError, ApiResult};

use super::model::*;

/// The open tasks that a person is the assignee of, or that a resource of theirs is allocated to.
/// Phases are left out, since their rows below are the work; so is the backlog.
const MINE: &str = "FROM tasks t
     JOIN projects p ON p.id = t.project_id AND p.deletion_id IS NULL AND p.archived_at IS NULL
     LEFT JOIN programs g ON g.id = p.program_id AND g.deletion_id IS NULL
     LEFT JOIN task_schedule s ON s.task_id = t.id
     LEFT JOIN sprints x ON x.id = t.sprint_id AND x.deletion_id IS NULL
     WHERE t.deletion_id IS NULL AND t.status <> 'COMPLETE' AND t.status <> 'BACKLOG'
       AND NOT COALESCE(s.is_phase, FALSE)
       AND t.id IN (SELECT o.id FROM tasks o WHERE o.assignee_id = :me UNION
            SELECT a.task_id FROM task_resources a JOIN resources r ON r.id = a.resource_id AND r.deletion_id IS NULL
            WHERE r.user_id = :me AND a.deletion_id IS NULL)";

/// Whether a task is due today or was before, by the same order of days as the rule.
const IS_DUE: &str = "(CASE WHEN t.actual_finish IS NOT NULL THEN t.actual_finish <= :today
      WHEN t.deadline IS NOT NULL THEN t.deadline <= :today
      WHEN s.early_finish IS NOT NULL THEN s.early_finish <= :day ELSE COALESCE(x.finish_date <= :today, FALSE) END)";

fn mine(actor: &Actor) -> Sql {
    actor.in_visible_projects(Sql::new(MINE), "t.project_id").bind("me", actor.id)
}

/// Those of them whose name contains a text, if one is asked for.
fn asked(db: &dyn Read, actor: &Actor, query: &MyWorkQuery) -> Sql {
    let named = format!("AND {}", contains(db.engine(), "t.name", "search"));
    let search = query.search.as_given().filter(|text| !text.is_empty()).map(|text| pattern(text));
    mine(actor).when(&named, "search", search)
}

/// The keys of the requested order.
///
/// # Errors
/// 400 for a field that is none of those.
pub fn order(query: &MyWorkQuery) -> ApiResult<String> {
    let usual = || {
        format!(
            "CASE WHEN {IS_DUE} THEN 0 WHEN x.state = 'ACTIVE' THEN 1 ELSE 2 END,
             CASE WHEN t.deadline IS NULL THEN 1 ELSE 0 END, t.deadline,
             COALESCE(s.early_finish, 2147483647), t.name, t.id"
        )
    };
    let Some(keys) = query.ordering.as_given().filter(|keys| !keys.is_empty()) else { return Ok(usual()) };
    let columns: Vec<String> = keys.split(',').map(|key| column(key.trim())).collect::<ApiResult<_>>()?;
    Ok(format!("{}, t.id", columns.join(", ")))
}

/// The column of one key of an order.
fn column(key: &str) -> ApiResult<String> {
    let (name, way) = key.strip_prefix('-').map_or((key, ""), |name| (name, " DESC"));
    let column = match name {
        "name" => "t.name",
        "project_name" => "p.name",
        "status" => "t.status",
        "story_points" => "COALESCE(t.story_points, 0)",
        _ => {
            let choices = "Choose from: name, project_name, status, story_points.";
            let problem = format!("\"{name}\" is not a valid choice. {choices}");
            return Err(ApiError::invalid_field("ordering", problem));
        }
    };
    Ok(format!("{column}{way}"))
}

/// A window of the tasks of a person.
pub async fn tasks(
    db: &dyn Read,
    actor: &Actor,
    query: &MyWorkQuery,
    today: NaiveDate,
    (order, limit, offset): (String, i64, i64),
) -> Result<Vec<MyWorkRow>> {
    let select =
        "SELECT t.id, t.short_id, t.name, t.project_id, p.name AS project_name, p.code AS project_code,
            g.id AS program_id, g.name AS program_name, g.color AS program_color, x.id AS sprint_id,
            x.name AS sprint_name, x.state AS sprint_state, x.finish_date AS sprint_finish, t.sprint_pending,
            t.status, t.story_points, t.remaining_points, t.deadline, t.actual_finish, s.early_finish,
            COALESCE(s.is_critical, FALSE) AS is_critical, COALESCE(t.assignee_id = :me, FALSE) AS is_own,
            t.blocked_reason, t.blocker_type, t.blocked_since, t.server_version ";
    let order = format!(" ORDER BY {order} LIMIT :limit OFFSET :offset");
    let select = asked(db, actor, query).wrap(select, &order).bind("today", today).bind("day", day(today).0);
    db.all(select.bind("limit", limit).bind("offset", offset)).await
}

/// What all tasks of the list add up to.
pub async fn sums(db: &dyn Read, actor: &Actor, query: &MyWorkQuery, today: NaiveDate) -> Result<MyWorkSums> {
    let select = format!(
        "SELECT COUNT(*) AS tasks, COALESCE(MAX(t.server_version), 0) AS high_water,
            COUNT(CASE WHEN {IS_DUE} THEN 1 END) AS due_today "
    );
    db.one(asked(db, actor, query).wrap(&select, "").bind("today", today).bind("day", day(today).0)).await
}

/// What stands out among all tasks of a person.
pub async fn signals(db: &dyn Read, actor: &Actor, today: NaiveDate) -> Result<SignalSums> {
    let select = "SELECT COUNT(*) AS open_tasks, COUNT(CASE WHEN s.is_critical THEN 1 END) AS critical,
            COUNT(CASE WHEN s.early_finish < :day OR t.deadline < :today THEN 1 END) AS overdue,
            COUNT(t.blocked_since) AS blocked, MAX(s.early_finish) AS last_finish,
            CAST(COALESCE(SUM(CASE WHEN x.state = 'ACTIVE' THEN t.story_points END), 0) AS BIGINT) AS sprint_points,
            CAST(COALESCE(SUM(CASE WHEN x.state = 'ACTIVE' THEN COALESCE(t.remaining_points, t.story_points) END), 0)
                AS BIGINT) AS sprint_remaining,
            COUNT(CASE WHEN s.scheduled_start <= :day AND s.early_finish >= :day THEN 1 END) AS running_today ";
    db.one(mine(actor).wrap(select, "").bind("today", today).bind("day", day(today).0)).await
}

/// The sprints that run and hold open tasks of a person, the first to end first.
pub async fn running(db: &dyn Read, actor: &Actor) -> Result<Vec<RunningRow>> {
    let select = "SELECT x.id, x.name, p.id AS project_id, p.name AS project_name, x.finish_date,
            COUNT(*) AS task_count ";
    let order = " AND x.state = 'ACTIVE' GROUP BY x.id, x.name, p.id, p.name, x.finish_date
         ORDER BY x.finish_date, x.id LIMIT 200";
    db.all(mine(actor).wrap(select, order)).await
}

/// What a person promised in retrospectives and nobody made a task of, the newest first.
pub async fn promised(db: &dyn Read, actor: &Actor) -> Result<Vec<MyRetroActionItem>> {
    let select =
        "SELECT a.id, a.text, a.project_id, p.name AS project_name, a.sprint_id, x.name AS sprint_name,
            a.story_points
         FROM retro_actions a JOIN sprints x ON x.id = a.sprint_id AND x.deletion_id IS NULL
         JOIN projects p ON p.id = a.project_id AND p.archived_at IS NULL
         WHERE a.assignee_id = :me AND a.deletion_id IS NULL AND a.promoted_task_id IS NULL";
    let select = actor.in_visible_projects(sql!(select, me = actor.id), "a.project_id");
    db.all(select.push(" ORDER BY a.created_at DESC, a.id LIMIT 200")).await
}

/// What is open for a person in their trackers, in the order of those.
pub async fn elsewhere(db: &dyn Read, person: UserId) -> Result<Vec<WorkElsewhere>> {
    let columns = select_list::<WorkElsewhere>("i");
    let select = format!(
        "SELECT {columns} FROM external_items i WHERE i.user_id = :person ORDER BY i.position, i.id LIMIT 100"
    );
    db.all(sql!(select, person = person)).await
}

/// The trackers of a person.
pub async fn trackers(db: &dyn Read, person: UserId) -> Result<Vec<ConnectedTracker>> {
    let select = "SELECT source, status, last_synced_at FROM external_connections
         WHERE user_id = :person ORDER BY source";
    db.all(sql!(select, person = person)).await
}
