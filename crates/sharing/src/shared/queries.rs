//! The statements of the pictures: what is on the board and in the plan of a project, without a caller. Nothing here reads an
//! id that leaves.

use planwright_domain::ids::ProjectId;
use planwright_domain::words::TaskStatus;
use planwright_plan::tasks::ON_BOARD;
use planwright_store::value::list;
use planwright_store::{Read, Result, row, sql};
use serde_json::Value as Json;

use super::model::{SharedDependency, SharedProject, SharedTaskRow};

const COLUMNS: &str = "SELECT t.short_id, t.name, s.outline AS wbs_path, COALESCE(s.rolled_duration, t.duration) AS duration,
        t.planned_start, s.early_start, s.early_finish, s.scheduled_start, t.actual_finish, t.is_milestone,
        COALESCE(s.is_critical, FALSE) AS is_critical, COALESCE(s.rolled_percent, t.percent_complete) AS percent_complete,
        COALESCE(s.rolled_status, t.status) AS status, u.username, u.first_name, u.last_name";

/// Whether a project is neither in the trash nor in a program that is.
pub async fn is_live(db: &dyn Read, project: ProjectId) -> Result<bool> {
    let select = "SELECT COUNT(*) FROM projects p LEFT JOIN programs g ON g.id = p.program_id
         WHERE p.id = :project AND p.deletion_id IS NULL AND g.deletion_id IS NULL";
    Ok(db.count(sql!(select, project = project)).await? == 1)
}

row! {
    /// What pictures of a project are made from, as numbers that every change raises.
    #[derive(PartialEq, Eq)]
    pub struct Versions {
        /// Tasks, their dates and their links.
        pub plan: i64,
        /// The project itself.
        pub project: i64,
        /// The columns of its board.
        pub board: i64,
    }
}

row! {
    /// A person as pictures name people.
    #[derive(PartialEq, Eq)]
    pub struct Person {
        pub username: String,
        pub first_name: String,
        pub last_name: String,
    }
}

/// The versions of what pictures of a project are made from.
pub async fn versions(db: &dyn Read, project: ProjectId) -> Result<Versions> {
    let select = "SELECT p.change_counter AS plan, p.change_number AS project,
            COALESCE((SELECT b.change_number FROM board_configs b WHERE b.project_id = p.id), 0) AS board
         FROM projects p WHERE p.id = :project";
    db.one(sql!(select, project = project)).await
}

/// The people who have tasks in a project.
pub async fn people(db: &dyn Read, project: ProjectId) -> Result<Vec<Person>> {
    let select = "SELECT u.username, u.first_name, u.last_name FROM users u
         WHERE u.id IN (SELECT t.assignee_id FROM tasks t WHERE t.project_id = :project AND t.deletion_id IS NULL)
         ORDER BY u.id";
    db.all(sql!(select, project = project)).await
}

/// The project of a picture.
pub async fn project(db: &dyn Read, project: ProjectId) -> Result<SharedProject> {
    let select = "SELECT p.name, p.code AS short_id FROM projects p WHERE p.id = :project";
    db.one(sql!(select, project = project)).await
}

/// The columns of the board as somebody arranged them, if anybody did.
pub async fn columns(db: &dyn Read, project: ProjectId) -> Result<Option<Json>> {
    let select = "SELECT b.project_id, b.columns FROM board_configs b WHERE b.project_id = :project";
    let found: Option<(ProjectId, Json)> = db.maybe(sql!(select, project = project)).await?;
    Ok(found.map(|(_, columns)| columns))
}

/// The tasks on the board with one of these statuses, in the order of the plan; one more than `most` where there are more.
pub async fn cards(
    db: &dyn Read,
    project: ProjectId,
    statuses: Vec<TaskStatus>,
    most: usize,
) -> Result<Vec<SharedTaskRow>> {
    let select = format!(
        "{COLUMNS} FROM tasks t LEFT JOIN task_schedule s ON s.task_id = t.id
         LEFT JOIN users u ON u.id = t.assignee_id
         WHERE {ON_BOARD} AND t.status IN (:statuses)
         ORDER BY s.outline_order ASC NULLS LAST, t.id LIMIT :most"
    );
    db.all(sql!(select, project = project, statuses = list(statuses), most = limit(most))).await
}

/// The rows of the plan in the order of the outline; one more than `most` where there are more.
pub async fn tasks(db: &dyn Read, project: ProjectId, most: usize) -> Result<Vec<SharedTaskRow>> {
    let select = format!(
        "{COLUMNS} FROM tasks t JOIN task_schedule s ON s.task_id = t.id LEFT JOIN users u ON u.id = t.assignee_id
         WHERE t.project_id = :project AND t.deletion_id IS NULL AND NOT t.is_subtask AND s.outline IS NOT NULL
         ORDER BY s.outline_order, t.id LIMIT :most"
    );
    db.all(sql!(select, project = project, most = limit(most))).await
}

/// The links inside the project, the oldest first; at most ten for each row that a schedule shows.
pub async fn dependencies(db: &dyn Read, project: ProjectId, most: usize) -> Result<Vec<SharedDependency>> {
    let select = "SELECT a.short_id AS predecessor_short_id, b.short_id AS successor_short_id, d.dep_type, d.lag
         FROM dependencies d
         JOIN tasks a ON a.id = d.predecessor_id AND a.deletion_id IS NULL
         JOIN tasks b ON b.id = d.successor_id AND b.deletion_id IS NULL
         WHERE d.predecessor_project_id = :project AND d.successor_project_id = :project AND d.deletion_id IS NULL
         ORDER BY d.created_at, d.id LIMIT :most";
    db.all(sql!(select, project = project, most = limit(most.saturating_mul(10)))).await
}

fn limit(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX).saturating_add(1)
}
