//! The statements about milestones that sprints aim at.

use planwright_domain::ids::{MilestoneForecastId, ProjectId, SprintId, TaskId};
use planwright_domain::words::ForecastConfidence;
use planwright_store::value::list;
use planwright_store::{Read, Result, Tx, sql};

use super::forecast::Forecast;
use super::model::ListedMilestone;

/// The milestones of a project by date and name.
pub async fn of_project(db: &dyn Read, project: ProjectId) -> Result<Vec<ListedMilestone>> {
    let select = "SELECT t.id, t.name, d.outline, d.early_finish, EXISTS (
                SELECT 1 FROM sprints s WHERE s.target_milestone_id = t.id AND s.deletion_id IS NULL
                  AND s.state <> 'CANCELLED') AS is_bound, c.confidence
         FROM tasks t LEFT JOIN task_schedule d ON d.task_id = t.id
         LEFT JOIN milestone_chances c ON c.task_id = t.id
         WHERE t.project_id = :project AND t.deletion_id IS NULL AND t.is_milestone
         ORDER BY d.early_finish ASC NULLS LAST, t.name, t.id";
    db.all(sql!(select, project = project)).await
}

/// The unfinished tasks that a milestone waits for and that are in none of some sprints.
pub async fn unmodeled(db: &dyn Read, milestone: TaskId, sprints: &[SprintId]) -> Result<Vec<TaskId>> {
    let select = "SELECT DISTINCT t.id FROM dependencies d
         JOIN tasks t ON t.id = d.predecessor_id AND t.deletion_id IS NULL AND t.status <> 'COMPLETE'
         WHERE d.successor_id = :milestone AND d.deletion_id IS NULL AND NOT d.pending_acceptance
           AND (t.sprint_id IS NULL OR t.sprint_id NOT IN (:sprints)) ORDER BY t.id";
    db.scalars(sql!(select, milestone = milestone, sprints = list(sprints.iter().copied()))).await
}

/// What is kept of a forecast beside its dates.
pub struct Kept {
    /// The milestone.
    pub milestone: TaskId,
    /// The sprint at whose close it was taken.
    pub sprint: SprintId,
    /// The day that the schedule gave it.
    pub cpm_finish: Option<chrono::NaiveDate>,
    /// How sure it is.
    pub confidence: ForecastConfidence,
    /// Whether the milestone waits for tasks in none of its sprints.
    pub unmodeled: bool,
    /// Whether a sprint holds other points than when it was bound.
    pub drifted: bool,
}

/// Keeps a forecast.
pub async fn keep(tx: &mut Tx, project: ProjectId, kept: &Kept, forecast: &Forecast) -> Result<()> {
    let id: MilestoneForecastId = tx.mint();
    tx.run(sql!(
        "INSERT INTO milestone_forecasts (id, project_id, milestone_id, sprint_id, cpm_finish, p50, p80, p95,
            velocity_low, velocity_high, confidence, unmodeled_dependency, binding_drifted, taken_at)
         VALUES (:id, :project, :milestone, :sprint, :cpm, :p50, :p80, :p95, :low, :high, :confidence, :unmodeled,
            :drifted, :now)",
        id = id,
        project = project,
        milestone = kept.milestone,
        sprint = kept.sprint,
        cpm = kept.cpm_finish,
        p50 = forecast.p50,
        p80 = forecast.p80,
        p95 = forecast.p95,
        low = forecast.band.map(|band| band.0),
        high = forecast.band.map(|band| band.1),
        confidence = kept.confidence,
        unmodeled = kept.unmodeled,
        drifted = kept.drifted,
        now = tx.now(),
    ))
    .await
    .map(drop)
}
