//! Every statement of simulation: what it needs beside the plan, and the recorded runs.
//! The plan itself is read by `schedule/network.rs`.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::{ProjectId, TaskId, UserId};
use planwright_domain::words::AttributionAudience;
use planwright_plan::schedule::network::CompletedSprint;
use planwright_store::value::list;
use planwright_store::{Read, Result, Tx, row, sql};
use serde_json::Value as Json;
use uuid::Uuid;

use super::model::MonteCarloRun;

row! {
    /// The settings of recording in force for a project.
    pub struct Recording {
        pub enabled: bool,
        pub cap: i64,
        pub audience: AttributionAudience,
    }
}

/// More runs than this are not kept, whatever a setting says.
const MOST_KEPT: i64 = 500;

/// The settings of recording: the project's own, else its program's, else the workspace's.
pub async fn recording(db: &dyn Read, project: ProjectId) -> Result<Recording> {
    let found: Recording = db.one(sql!(
        "SELECT COALESCE(p.mc_history_enabled, g.mc_history_enabled, w.mc_history_enabled) AS enabled,
            COALESCE(p.mc_history_retention_cap, g.mc_history_retention_cap, w.mc_history_retention_cap) AS cap,
            COALESCE(p.mc_history_attribution_audience, g.mc_history_attribution_audience,
                w.mc_history_attribution_audience) AS audience
         FROM projects p LEFT JOIN programs g ON g.id = p.program_id AND g.deletion_id IS NULL
         JOIN workspace w ON w.id = 1 WHERE p.id = :project",
        project = project
    ))
    .await?;
    Ok(Recording { cap: found.cap.clamp(0, MOST_KEPT), ..found })
}

/// The tasks whose estimates wait for approval where only approved ones count.
pub async fn pending_estimates(db: &dyn Read, project: ProjectId) -> Result<Vec<TaskId>> {
    let select = "SELECT t.id FROM tasks t JOIN projects p ON p.id = t.project_id
         WHERE t.project_id = :project AND t.deletion_id IS NULL AND t.estimate_status = 'pending'
           AND p.estimation_mode = 'suggest_approve'";
    db.scalars(sql!(select, project = project)).await
}

/// The ends of the links in force that lead from one of these projects to another.
pub async fn links_between(db: &dyn Read, projects: &[ProjectId]) -> Result<Vec<(ProjectId, ProjectId)>> {
    let select = "SELECT DISTINCT d.predecessor_project_id, d.successor_project_id FROM dependencies d
         WHERE d.successor_project_id IN (:projects) AND d.predecessor_project_id IN (:projects)
           AND d.predecessor_project_id <> d.successor_project_id AND d.deletion_id IS NULL
           AND NOT d.pending_acceptance";
    db.all(sql!(select, projects = list(projects.iter().copied()))).await
}

/// The names of some tasks.
pub async fn names(db: &dyn Read, tasks: &[TaskId]) -> Result<HashMap<TaskId, String>> {
    let select = "SELECT id, name FROM tasks WHERE id IN (:ids)";
    let rows: Vec<(TaskId, String)> = db.all(sql!(select, ids = list(tasks.iter().copied()))).await?;
    Ok(rows.into_iter().collect())
}

/// The last eight completed sprints of each project, newest first.
pub async fn past_sprints(
    db: &dyn Read,
    projects: &[ProjectId],
) -> Result<HashMap<ProjectId, Vec<CompletedSprint>>> {
    let select = "SELECT x.project_id, x.start_date, x.finish_date, x.completed_points FROM (
             SELECT s.project_id, s.start_date, s.finish_date, s.completed_points, ROW_NUMBER() OVER (
                 PARTITION BY s.project_id ORDER BY s.finish_date DESC, s.id DESC) AS place
             FROM sprints s
             WHERE s.project_id IN (:projects) AND s.deletion_id IS NULL AND s.state = 'COMPLETED'
               AND s.completed_points IS NOT NULL AND NOT s.exclude_from_velocity) AS x
         WHERE x.place <= 8 ORDER BY x.project_id, x.place";
    let rows: Vec<(ProjectId, NaiveDate, NaiveDate, i64)> =
        db.all(sql!(select, projects = list(projects))).await?;
    let mut past: HashMap<ProjectId, Vec<CompletedSprint>> = HashMap::new();
    for (project, start, finish, points) in rows {
        past.entry(project).or_default().push(CompletedSprint { start, finish, points });
    }
    Ok(past)
}

/// Records a run and drops the oldest ones above the cap.
pub async fn record(
    tx: &mut Tx,
    id: Uuid,
    project: ProjectId,
    by: UserId,
    run: (i64, i64, &Json),
    cap: i64,
) -> Result<()> {
    let (runs, seed, result) = run;
    tx.run(sql!(
        "INSERT INTO simulations (id, project_id, taken_at, triggered_by, n_simulations, seed, result)
         VALUES (:id, :project, :now, :by, :runs, :seed, :result)",
        id = id,
        project = project,
        now = tx.now(),
        by = by,
        runs = runs,
        seed = seed.to_string(),
        result = result,
    ))
    .await?;
    tx.run(sql!(
        "DELETE FROM simulations WHERE project_id = :project AND id NOT IN (
            SELECT id FROM simulations WHERE project_id = :project ORDER BY taken_at DESC, id DESC LIMIT :cap)",
        project = project,
        cap = cap
    ))
    .await
    .map(drop)
}

/// Keeps a run as the newest one, whoever asked for it, with its days and the chances of its milestones.
pub async fn keep_latest(tx: &mut Tx, project: ProjectId, run: &MonteCarloRun, result: &Json) -> Result<()> {
    let statement = sql!(
        "INSERT INTO latest_simulations (project_id, taken_at, result, p50_finish, p80_finish, p95_finish)
         VALUES (:project, :now, :result, :p50, :p80, :p95)
         ON CONFLICT (project_id) DO UPDATE SET taken_at = excluded.taken_at, result = excluded.result,
            p50_finish = excluded.p50_finish, p80_finish = excluded.p80_finish, p95_finish = excluded.p95_finish",
        project = project,
        now = tx.now(),
        result = result,
        p50 = run.p50,
        p80 = run.p80,
        p95 = run.p95,
    );
    tx.run(statement).await?;
    tx.run(sql!("DELETE FROM milestone_chances WHERE project_id = :project", project = project)).await?;
    let insert = "INSERT INTO milestone_chances (task_id, project_id, confidence) VALUES (:task, :project, :confidence)";
    let chances = run.milestones.iter().map(|milestone| {
        sql!(insert, task = milestone.task_id, project = project, confidence = milestone.confidence)
    });
    tx.run_each(chances.collect()).await.map(drop)
}

/// The newest run, if it is not older than that.
pub async fn latest(db: &dyn Read, project: ProjectId, since: DateTime<Utc>) -> Result<Option<Json>> {
    let select = "SELECT result FROM latest_simulations WHERE project_id = :project AND taken_at >= :since";
    db.scalar(sql!(select, project = project, since = since)).await
}

/// Whether there is a run: one that is not older than that, or a recorded one.
pub async fn has_run(db: &dyn Read, project: ProjectId, since: DateTime<Utc>) -> Result<bool> {
    let select =
        "SELECT (SELECT COUNT(*) FROM latest_simulations WHERE project_id = :project AND taken_at >= :since)
         + (SELECT COUNT(*) FROM simulations WHERE project_id = :project)";
    Ok(db.count(sql!(select, project = project, since = since)).await? > 0)
}

row! {
    /// A recorded simulation.
    pub struct Recorded {
        pub id: Uuid,
        pub taken_at: DateTime<Utc>,
        pub n_simulations: i64,
        pub username: Option<String>,
        pub result: Json,
    }
}

/// The recorded runs, newest first.
pub async fn recorded(db: &dyn Read, project: ProjectId, most: i64) -> Result<Vec<Recorded>> {
    let select = "SELECT s.id, s.taken_at, s.n_simulations, u.username, s.result FROM simulations s
         LEFT JOIN users u ON u.id = s.triggered_by
         WHERE s.project_id = :project ORDER BY s.taken_at DESC, s.id DESC LIMIT :most";
    db.all(sql!(select, project = project, most = most)).await
}
