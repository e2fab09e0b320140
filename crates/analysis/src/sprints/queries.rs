//! Every statement about the past of a sprint.

use planwright_domain::ids::{ProjectId, SprintId};
use planwright_plan::sprints::SprintRow;
use planwright_plan::sprints::load::IS_WORK;
use planwright_plan::tasks::transitions::{self, Transition};
use planwright_store::record::select_list;
use planwright_store::{Read, Result, sql};

use super::replay::{TaskNow, Waiting};

/// The tasks of the board of a project, as `t`: no phases, epics, subtasks or milestones.
pub fn board() -> String {
    format!(
        "FROM tasks t LEFT JOIN task_schedule s ON s.task_id = t.id
         WHERE t.project_id = :project AND {IS_WORK} AND NOT t.is_milestone AND NOT COALESCE(s.is_phase, FALSE)"
    )
}

/// The live tasks that are or were in a sprint, as `x.id`.
const CONCERNED: &str = "SELECT t.id FROM tasks t WHERE t.sprint_id = :sprint AND t.deletion_id IS NULL
     UNION SELECT y.task_id FROM task_transitions y WHERE y.old_sprint_id = :sprint";

/// The tasks that are or were in a sprint. Epics, subtasks and work that was done before it began do not count.
pub async fn tasks_of(db: &dyn Read, sprint: &SprintRow) -> Result<Vec<TaskNow>> {
    let select = format!(
        "SELECT t.id, t.status, t.sprint_id, t.story_points, COALESCE(t.remaining_points, t.story_points) AS remaining,
            t.created_at, t.source_kind = 'seed_import' AS is_imported, t.actual_finish
         FROM tasks t WHERE t.id IN ({CONCERNED}) AND {IS_WORK}
           AND (t.status <> 'COMPLETE' OR t.actual_finish IS NULL OR t.actual_finish >= :begun)"
    );
    let begun = sprint.begun_on.unwrap_or(sprint.start_date);
    db.all(sql!(select, sprint = sprint.id, begun = begun)).await
}

/// The moves of the tasks that are or were in a sprint, in order of time.
pub async fn transitions_of(db: &dyn Read, sprint: SprintId) -> Result<Vec<Transition>> {
    let select = format!(
        "SELECT {} FROM task_transitions x WHERE x.task_id IN ({CONCERNED}) ORDER BY x.at, x.id",
        transitions::COLUMNS
    );
    db.all(sql!(select, sprint = sprint)).await
}

/// When which task waited in a sprint for a decision.
pub async fn waits_of(db: &dyn Read, sprint: SprintId) -> Result<Vec<Waiting>> {
    let select = "SELECT c.task_id, c.added_at, c.decided_at FROM sprint_scope_changes c
         WHERE c.sprint_id = :sprint AND c.deletion_id IS NULL";
    db.all(sql!(select, sprint = sprint)).await
}

/// The sprint of a project that runs.
pub async fn active_sprint(db: &dyn Read, project: ProjectId) -> Result<Option<SprintRow>> {
    let select = format!(
        "SELECT {} FROM sprints s WHERE s.project_id = :project AND s.state = 'ACTIVE' AND s.deletion_id IS NULL
         ORDER BY s.start_date, s.id LIMIT 1",
        select_list::<SprintRow>("s")
    );
    db.maybe(sql!(select, project = project)).await
}
