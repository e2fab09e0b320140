//! Every statement of the key figures of a program, besides what is counted for any project.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use planwright_domain::ids::{BaselineId, ProgramId, ProjectId};
use planwright_domain::words::Health;
use planwright_store::value::list;
use planwright_store::{Read, Result, row, sql};
use planwright_web::Actor;

use crate::standing::SIMULATED;

row! {
    /// A project that is counted.
    pub struct ProjectRow {
        pub id: ProjectId,
        pub health: Health,
    }
}

/// The projects of a program that are counted for somebody: no drafts, none in the archive, and only what they may know of.
pub async fn projects(db: &dyn Read, program: ProgramId, actor: &Actor) -> Result<Vec<ProjectRow>> {
    let select = "SELECT p.id, p.health FROM projects p
         WHERE p.program_id = :program AND p.deletion_id IS NULL AND p.lifecycle = 'active' AND p.archived_at IS NULL";
    db.all(actor.knowing_projects(sql!(select, program = program)).push(" ORDER BY p.id")).await
}

/// The severities of the risks that are open or worked on, added up by project.
pub async fn risk_scores(db: &dyn Read, projects: &[ProjectId]) -> Result<Vec<(ProjectId, i64)>> {
    let select = "SELECT r.project_id, CAST(SUM(r.probability * r.impact) AS BIGINT) AS score FROM risks r
         WHERE r.project_id IN (:projects) AND r.deletion_id IS NULL AND r.status IN ('OPEN', 'MITIGATING')
         GROUP BY r.project_id";
    db.all(sql!(select, projects = list(projects.iter().copied()))).await
}

/// The day that each project reaches with a chance of 80 percent: of its newest simulation, or of the newest forecast that was
/// written down, whichever is newer.
pub async fn forecasts(db: &dyn Read, projects: &[ProjectId]) -> Result<Vec<(ProjectId, NaiveDate)>> {
    let select = format!(
        "SELECT f.project_id, f.p80 FROM {SIMULATED} WHERE f.project_id IN (:projects) ORDER BY f.captured_at, f.p80"
    );
    let rows: Vec<(ProjectId, NaiveDate)> =
        db.all(sql!(select, projects = list(projects.iter().copied()))).await?;
    let newest: BTreeMap<ProjectId, NaiveDate> = rows.into_iter().collect();
    Ok(newest.into_iter().collect())
}

/// The active baselines that have costs, each with its project and its hours of a working day.
pub async fn costly_baselines(
    db: &dyn Read,
    projects: &[ProjectId],
) -> Result<Vec<(ProjectId, BaselineId, Option<f64>)>> {
    let select = "SELECT project_id, id, hours_per_day FROM baselines
         WHERE project_id IN (:projects) AND is_active AND deletion_id IS NULL AND budget IS NOT NULL ORDER BY id";
    db.all(sql!(select, projects = list(projects.iter().copied()))).await
}
