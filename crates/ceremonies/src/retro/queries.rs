//! Every statement about retrospectives and their action items; single rows are written through edits.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::{ProjectId, RetroActionId, RetroId, SprintId, TaskId, UserId};
use planwright_domain::words::{RetroVisibility, TaskStatus};
use planwright_store::{Read, Record, Result, row, sql};

use super::model::{ActionRow, RetroRow, ShownActionRow};

/// The retrospective of a sprint.
pub async fn of_sprint(db: &dyn Read, sprint: SprintId) -> Result<Option<RetroRow>> {
    let columns = RetroRow::select_list("r");
    let select =
        format!("SELECT {columns} FROM retros r WHERE r.sprint_id = :sprint AND r.deletion_id IS NULL");
    db.maybe(sql!(select, sprint = sprint)).await
}

/// The retrospective of the last completed sprint that finished before a day.
pub async fn prior(db: &dyn Read, project: ProjectId, before: NaiveDate) -> Result<Option<RetroRow>> {
    let columns = RetroRow::select_list("r");
    let select = format!(
        "SELECT {columns} FROM retros r WHERE r.deletion_id IS NULL AND r.sprint_id = (
             SELECT s.id FROM sprints s WHERE s.project_id = :project AND s.deletion_id IS NULL
                 AND s.state = 'COMPLETED' AND s.finish_date < :before
             ORDER BY s.finish_date DESC, s.id DESC LIMIT 1)"
    );
    db.maybe(sql!(select, project = project, before = before)).await
}

const SHOWN: &str = "FROM retro_actions a LEFT JOIN users u ON u.id = a.assignee_id
    LEFT JOIN tasks t ON t.id = a.promoted_task_id AND t.deletion_id IS NULL WHERE a.deletion_id IS NULL";

fn shown() -> String {
    let action = ActionRow::select_list("a");
    format!("SELECT u.username AS assignee_username, t.id AS live_task_id, {action} {SHOWN}")
}

/// The action items of a retrospective, in their order.
pub async fn actions(db: &dyn Read, retro: RetroId) -> Result<Vec<ShownActionRow>> {
    db.all(sql!(format!("{} AND a.retro_id = :retro ORDER BY a.position, a.id", shown()), retro = retro))
        .await
}

/// One action item.
pub async fn action(db: &dyn Read, id: RetroActionId) -> Result<ShownActionRow> {
    db.one(sql!(format!("{} AND a.id = :id", shown()), id = id)).await
}

row! {
    /// An action item of an earlier retrospective that is not done.
    pub struct CarriedRow {
        pub action_item_id: RetroActionId,
        pub text: String,
        pub from_retro_id: RetroId,
        pub from_sprint_id: SprintId,
        pub from_sprint_short_id: String,
        pub team_visibility: RetroVisibility,
        pub promoted_task_id: Option<TaskId>,
        pub promoted_task_status: Option<TaskStatus>,
        pub promoted_task_short_id: Option<String>,
        pub created_at: DateTime<Utc>,
        pub assignee_id: Option<UserId>,
        pub assignee_username: Option<String>,
        pub story_points: Option<i64>,
    }
}

/// What the retrospectives of the last two completed sprints that have one still want done.
pub async fn carried(db: &dyn Read, project: ProjectId) -> Result<Vec<CarriedRow>> {
    let select = "SELECT a.id AS action_item_id, a.text, l.retro_id AS from_retro_id, l.sprint_id AS from_sprint_id,
            l.short_id AS from_sprint_short_id, l.team_visibility, t.id AS promoted_task_id,
            t.status AS promoted_task_status, t.short_id AS promoted_task_short_id, a.created_at, a.assignee_id,
            u.username AS assignee_username, a.story_points
         FROM (SELECT r.id AS retro_id, r.team_visibility, s.id AS sprint_id, s.short_id, s.finish_date
               FROM retros r JOIN sprints s ON s.id = r.sprint_id AND s.deletion_id IS NULL
               WHERE s.project_id = :project AND s.state = 'COMPLETED' AND r.deletion_id IS NULL
                   AND (r.created_by IS NOT NULL OR EXISTS (
                       SELECT 1 FROM retro_actions x WHERE x.retro_id = r.id AND x.deletion_id IS NULL))
               ORDER BY s.finish_date DESC, s.id DESC LIMIT 2) l
         JOIN retro_actions a ON a.retro_id = l.retro_id AND a.deletion_id IS NULL
         LEFT JOIN tasks t ON t.id = a.promoted_task_id AND t.deletion_id IS NULL
         LEFT JOIN users u ON u.id = a.assignee_id
         WHERE t.id IS NULL OR t.status <> 'COMPLETE'
         ORDER BY l.finish_date DESC, l.sprint_id DESC, a.position, a.id";
    db.all(sql!(select, project = project)).await
}
