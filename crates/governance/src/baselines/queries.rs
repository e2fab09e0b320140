//! Every statement about baselines; single baselines are written through edits.

use chrono::NaiveDate;
use planwright_domain::ids::{BaselineId, CalendarId, ProjectId, TaskId};
use planwright_store::record::{Record, select_list};
use planwright_store::{Read, Result, Sql, Tx, row, sql};

use super::model::{BaselineRow, CountedRow, KeptRow};
use crate::money::HOURLY_COST;

const LIVE: &str = "FROM baselines b WHERE b.deletion_id IS NULL";

/// The columns of a baseline with what is counted in it.
pub fn columns() -> String {
    let kept = "FROM baseline_tasks x WHERE x.baseline_id = b.id";
    format!(
        "SELECT (SELECT COUNT(*) {kept}) AS task_count,
            (SELECT COUNT(*) {kept} AND (x.start_date IS NULL OR x.finish_date IS NULL)) AS undated_count, {}",
        BaselineRow::select_list("b")
    )
}

/// The baselines of a project.
pub fn of_project(project: ProjectId) -> Sql {
    sql!(format!("{LIVE} AND b.project_id = :project"), project = project)
}

/// One baseline with what is counted in it.
pub async fn counted(db: &dyn Read, baseline: BaselineId) -> Result<CountedRow> {
    db.one(sql!(format!("{} {LIVE} AND b.id = :id", columns()), id = baseline)).await
}

/// The names of the baselines of a project, and how many it ever had.
pub async fn names(db: &dyn Read, project: ProjectId) -> Result<(Vec<String>, i64)> {
    let all: Vec<(String, bool)> = db
        .all(sql!(
            "SELECT name, deletion_id IS NULL AS is_live FROM baselines WHERE project_id = :project ORDER BY id",
            project = project
        ))
        .await?;
    let ever = i64::try_from(all.len()).unwrap_or(i64::MAX);
    Ok((all.into_iter().filter(|(_, is_live)| *is_live).map(|(name, _)| name).collect(), ever))
}

/// The active baseline of a project.
pub async fn active(db: &dyn Read, project: ProjectId) -> Result<Option<BaselineRow>> {
    let columns = BaselineRow::select_list("b");
    let select =
        format!("SELECT {columns} {LIVE} AND b.project_id = :project AND b.is_active ORDER BY b.id LIMIT 1");
    db.maybe(sql!(select, project = project)).await
}

/// What a baseline kept, in the order of the outline as it is now; rows that are gone come last.
pub async fn kept(db: &dyn Read, baseline: BaselineId) -> Result<Vec<KeptRow>> {
    let order = "ORDER BY s.outline_order ASC NULLS LAST, t.short_id, t.id";
    db.all(sql!(format!("{} {order}", keeping()), baseline = baseline)).await
}

/// What a baseline kept of one task.
pub async fn kept_of(db: &dyn Read, baseline: BaselineId, task: TaskId) -> Result<Option<KeptRow>> {
    db.maybe(sql!(format!("{} AND x.task_id = :task", keeping()), baseline = baseline, task = task)).await
}

fn keeping() -> String {
    // Imported baselines know no names.
    let columns =
        select_list::<KeptRow>("x").replace("x.task_name", "COALESCE(x.task_name, t.name) AS task_name");
    format!(
        "SELECT {columns} FROM baseline_tasks x JOIN tasks t ON t.id = x.task_id
         LEFT JOIN task_schedule s ON s.task_id = x.task_id AND t.deletion_id IS NULL
         WHERE x.baseline_id = :baseline"
    )
}

row! {
    /// A task as a baseline keeps it. Days count from 1970-01-01.
    pub struct CurrentRow {
        pub id: TaskId,
        pub name: String,
        pub start_day: Option<i32>,
        pub finish_day: Option<i32>,
        pub duration: i64,
        pub story_points: Option<i64>,
        pub actual_start: Option<NaiveDate>,
        pub actual_finish: Option<NaiveDate>,
        /// What an hour of those who are allocated costs, in ten thousandths. None for summaries.
        pub hourly_cost: Option<i64>,
        pub is_leaf: bool,
    }
}

/// Every live task of a project, or one of them, with the dates that the schedule gives it.
pub async fn current(db: &dyn Read, project: ProjectId, only: Option<TaskId>) -> Result<Vec<CurrentRow>> {
    let select = format!(
        "SELECT t.id, t.name, COALESCE(s.scheduled_start, s.early_start) AS start_day, s.early_finish AS finish_day,
            CASE WHEN s.is_phase THEN COALESCE(s.rolled_duration, t.duration) ELSE t.duration END AS duration,
            t.story_points, t.actual_start, t.actual_finish,
            CASE WHEN s.is_phase THEN NULL ELSE {HOURLY_COST} END AS hourly_cost,
            NOT t.is_recurring AND NOT t.is_subtask AND NOT COALESCE(s.is_phase, FALSE) AS is_leaf
         FROM tasks t LEFT JOIN task_schedule s ON s.task_id = t.id
         WHERE t.project_id = :project AND t.deletion_id IS NULL"
    );
    db.all(sql!(select, project = project).when("AND t.id = :task", "task", only)).await
}

/// Keeps tasks in a baseline.
pub async fn keep(tx: &mut Tx, rows: &[KeptRow]) -> Result<()> {
    tx.insert_each(rows.iter().map(|row| (row, Vec::new())).collect()).await
}

/// What a calendar says: its working days and its hours of a day.
pub async fn calendar(db: &dyn Read, calendar: CalendarId) -> Result<Option<(i64, f64)>> {
    db.maybe(sql!("SELECT working_days, hours_per_day FROM calendars WHERE id = :id", id = calendar)).await
}

/// How many active people of a project have a task in it, by themselves or through a resource.
pub async fn people_with_tasks(db: &dyn Read, project: ProjectId) -> Result<i64> {
    let select = "SELECT COUNT(*) FROM users u WHERE u.is_active = TRUE AND (
            EXISTS (SELECT 1 FROM tasks t WHERE t.project_id = :project AND t.deletion_id IS NULL AND t.assignee_id = u.id)
            OR EXISTS (SELECT 1 FROM task_resources a JOIN resources r ON r.id = a.resource_id AND r.deletion_id IS NULL
                JOIN tasks t ON t.id = a.task_id AND t.deletion_id IS NULL
                WHERE a.deletion_id IS NULL AND t.project_id = :project AND r.user_id = u.id))";
    db.count(sql!(select, project = project)).await
}
