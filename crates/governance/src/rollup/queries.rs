//! Every statement of the key figures of a program, besides what is counted for any project.

use chrono::NaiveDate;
use planwright_domain::ids::{BaselineId, ProgramId, ProjectId, UserId};
use planwright_domain::words::Health;
use planwright_store::value::list;
use planwright_store::{Read, Result, row, sql};

row! {
    /// A project that is counted.
    pub struct ProjectRow {
        pub id: ProjectId,
        pub health: Health,
    }
}

/// The projects of a program that are counted for somebody: no drafts, none in the archive, no private project of others.
pub async fn projects(db: &impl Read, program: ProgramId, person: UserId) -> Result<Vec<ProjectRow>> {
    let select = "SELECT p.id, p.health FROM projects p
         WHERE p.program_id = :program AND p.deletion_id IS NULL AND p.lifecycle = 'active' AND p.archived_at IS NULL
           AND (p.visibility <> 'PRIVATE' OR p.id IN (
               SELECT m.project_id FROM project_members m WHERE m.user_id = :person AND m.deletion_id IS NULL))
         ORDER BY p.id";
    db.all(sql!(select, program = program, person = person)).await
}

/// When tasks were finished, and when they were to be, by project.
pub async fn finished(
    db: &impl Read,
    projects: &[ProjectId],
) -> Result<Vec<(ProjectId, NaiveDate, NaiveDate)>> {
    let select = "SELECT t.project_id, t.actual_finish, k.finish_date FROM tasks t
         JOIN baselines b ON b.project_id = t.project_id AND b.is_active AND b.deletion_id IS NULL
         JOIN baseline_tasks k ON k.baseline_id = b.id AND k.task_id = t.id
         WHERE t.project_id IN (:projects) AND t.deletion_id IS NULL
           AND t.actual_finish IS NOT NULL AND k.finish_date IS NOT NULL";
    db.all(sql!(select, projects = list(projects.iter().copied()))).await
}

/// The severities of the risks that are open or worked on, added up by project.
pub async fn risk_scores(db: &impl Read, projects: &[ProjectId]) -> Result<Vec<(ProjectId, i64)>> {
    let select = "SELECT r.project_id, CAST(SUM(r.probability * r.impact) AS BIGINT) AS score FROM risks r
         WHERE r.project_id IN (:projects) AND r.deletion_id IS NULL AND r.status IN ('OPEN', 'MITIGATING')
         GROUP BY r.project_id";
    db.all(sql!(select, projects = list(projects.iter().copied()))).await
}

/// The day of the newest forecast that each project reaches with a chance of 80 percent.
pub async fn forecasts(db: &impl Read, projects: &[ProjectId]) -> Result<Vec<(ProjectId, NaiveDate)>> {
    let select = "SELECT f.project_id, f.mc_p80_finish FROM forecast_snapshots f
         WHERE f.project_id IN (:projects) AND f.mc_p80_finish IS NOT NULL AND f.captured_at = (
             SELECT MAX(n.captured_at) FROM forecast_snapshots n
             WHERE n.project_id = f.project_id AND n.mc_p80_finish IS NOT NULL)";
    db.all(sql!(select, projects = list(projects.iter().copied()))).await
}

/// The active baselines that have costs, each with its project and its hours of a working day.
pub async fn costly_baselines(
    db: &impl Read,
    projects: &[ProjectId],
) -> Result<Vec<(ProjectId, BaselineId, Option<f64>)>> {
    let select = "SELECT project_id, id, hours_per_day FROM baselines
         WHERE project_id IN (:projects) AND is_active AND deletion_id IS NULL AND budget IS NOT NULL ORDER BY id";
    db.all(sql!(select, projects = list(projects.iter().copied()))).await
}

/// The last day of the active baseline of each project.
pub async fn baseline_finishes(
    db: &impl Read,
    projects: &[ProjectId],
) -> Result<Vec<(ProjectId, NaiveDate)>> {
    let select = "SELECT b.project_id, MAX(k.finish_date) AS finish FROM baselines b
         JOIN baseline_tasks k ON k.baseline_id = b.id AND k.finish_date IS NOT NULL
         WHERE b.project_id IN (:projects) AND b.is_active AND b.deletion_id IS NULL GROUP BY b.project_id";
    db.all(sql!(select, projects = list(projects.iter().copied()))).await
}
