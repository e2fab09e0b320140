//! `/api/v1/projects/{id}/monte-carlo/`: run, latest, history.
//! A run is recorded when a Resource Manager or above asked for it; it never touches a task.

use std::collections::HashSet;

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::ProjectId;
use planwright_domain::words::AttributionAudience;
use planwright_domain::{Entropy, Role};
use planwright_engine::{self as engine, SimulationOptions, Velocity};
use planwright_store::Read;
use planwright_web::limits::Limit;
use planwright_web::{ApiError, ApiResult, App, Body, Json, ProjectScope, Query, Routes, says};
use serde_json::json;

use super::answer::{self, Material};
use super::model::*;
use super::queries;
use crate::schedule::{self, network};
use crate::settings::PlanSettings;

const RUN: &str = "/api/v1/projects/{id}/monte-carlo/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .post(RUN, run, says("Simulate a project; writes no task.").limit(Limit::MonteCarlo))
        .get(
            "/api/v1/projects/{id}/monte-carlo/latest/",
            latest,
            says("The latest recorded run.").agent_compute(),
        )
        .get("/api/v1/projects/{id}/monte-carlo/history/", history, says("The recorded runs, newest first."))
}

async fn run(
    State(app): State<App>,
    scope: ProjectScope<may::Simulate>,
    Body(wish): Body<MonteCarloRequest>,
) -> ApiResult<Json<MonteCarloRun>> {
    let settings = app.db.context::<PlanSettings>().copied().unwrap_or_default();
    let runs = wished_runs(&wish, &settings)?;
    let seed = match wish.seed.given() {
        Some(seed) => seed.0,
        None => i64::from_be_bytes(Entropy.bytes()) & LARGEST_SEED,
    };
    let plan = plan_to_simulate(&app, scope.project, &settings).await?;
    let pending = queries::pending_estimates(&app.db, scope.project).await?;
    let mut outcome = simulate(&app, plan, pending, runs, seed).await?;
    if scope.role >= Role::ResourceManager {
        record(&app, &scope, &mut outcome).await?;
    }
    Ok(Json(outcome))
}

fn capped(message: String) -> ApiError {
    let body = json!({ "error": "simulation_cap_exceeded", "tier": "community", "message": message });
    ApiError::payment_required(body.as_object().cloned().unwrap_or_default())
}

fn wished_runs(wish: &MonteCarloRequest, settings: &PlanSettings) -> ApiResult<i64> {
    match wish.n_simulations.as_given().copied() {
        None => Ok(settings.most_runs),
        Some(runs) if runs < 1 => Err(ApiError::bad_request("n_simulations must be at least 1.")),
        Some(runs) if runs > settings.most_runs => {
            Err(capped(format!("At most {} runs are made at a time.", settings.most_runs)))
        }
        Some(runs) => Ok(runs),
    }
}

async fn plan_to_simulate(
    app: &App,
    project: ProjectId,
    settings: &PlanSettings,
) -> ApiResult<network::Plan> {
    let mut together = schedule::queries::recalculated_together(&app.db, project).await?;
    let mut tasks = 0;
    for input in &together {
        tasks += schedule::queries::count_tasks(&app.db, input.id).await?;
    }
    if tasks > settings.most_simulated_tasks {
        return Err(capped(format!("At most {} tasks are simulated.", settings.most_simulated_tasks)));
    }
    // The answer is about the first project of the plan.
    together.sort_by_key(|input| input.id != project);
    let mut plan = network::load(&app.db, together, settings, app.clock.today()).await?;
    for (frame, input) in plan.projects.iter().enumerate() {
        plan.network.projects[frame].velocity = velocity(&app.db, input.id).await?;
    }
    Ok(plan)
}

async fn velocity(db: &impl Read, project: ProjectId) -> ApiResult<Option<Velocity>> {
    let sprints = queries::past_sprints(db, project).await?;
    let mut lengths: Vec<i64> =
        sprints.iter().map(|sprint| (sprint.finish_date - sprint.start_date).num_days() + 1).collect();
    lengths.sort_unstable();
    let Some(typical) = lengths.get(lengths.len() / 2) else { return Ok(None) };
    // Five of seven calendar days are worked in a typical week.
    let sprint_days = i32::try_from((typical * 5 + 3) / 7).unwrap_or(i32::MAX).max(1);
    let samples = sprints.iter().map(|sprint| sprint.completed_points as f64).collect();
    Ok(Some(Velocity { samples, sprint_days }))
}

/// The engine works off the async threads, on all cores.
async fn simulate(
    app: &App,
    mut plan: network::Plan,
    pending: Vec<planwright_domain::ids::TaskId>,
    runs: i64,
    seed: i64,
) -> ApiResult<MonteCarloRun> {
    let withheld: HashSet<_> = pending.iter().copied().collect();
    for (node, at) in plan.of_node.iter().enumerate() {
        if withheld.contains(&plan.tasks[*at].id) {
            plan.network.tasks[node].estimate = None;
        }
    }
    let now = app.clock.now();
    let work = move || {
        let options = SimulationOptions {
            runs: u32::try_from(runs).unwrap_or(u32::MAX),
            seed: seed.unsigned_abs(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            ..SimulationOptions::default()
        };
        let schedule = engine::schedule(&plan.network);
        let simulation = engine::simulate(&plan.network, &options);
        let pending = withheld.len() as i64;
        answer::answer(&Material { plan: &plan, schedule: &schedule, simulation: &simulation, pending, now })
    };
    tokio::task::spawn_blocking(work).await.map_err(|error| ApiError::unexpected(error.into()))
}

async fn record(
    app: &App,
    scope: &ProjectScope<may::Simulate>,
    outcome: &mut MonteCarloRun,
) -> ApiResult<()> {
    let recording = queries::recording(&app.db, scope.project).await?;
    if !recording.enabled {
        return Ok(());
    }
    let mut tx = app.db.begin().await?;
    let id = tx.mint();
    outcome.run_id = Some(id);
    let kept = serde_json::to_value(&*outcome).map_err(anyhow::Error::from)?;
    let run = (outcome.runs, outcome.seed, &kept);
    queries::record(&mut tx, id, scope.project, scope.actor.id, run, recording.cap).await?;
    Ok(tx.commit().await?)
}

async fn latest(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
) -> ApiResult<Json<MonteCarloRun>> {
    let run = queries::recorded(&app.db, scope.project, 1).await?.pop().ok_or_else(ApiError::not_found)?;
    let kept: MonteCarloRun = serde_json::from_value(run.result).map_err(anyhow::Error::from)?;
    Ok(Json(answer::from_history(kept, app.clock.now())))
}

async fn history(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    Query(query): Query<HistoryQuery>,
) -> ApiResult<Json<MonteCarloHistory>> {
    let recording = queries::recording(&app.db, scope.project).await?;
    let expand = query.expand.as_given().is_some_and(|expand| expand.as_str() == "distribution");
    let names_shown = match recording.audience {
        AttributionAudience::None => false,
        AttributionAudience::SchedulerPlus => scope.role >= Role::ResourceManager,
        AttributionAudience::AdminOwner => scope.role >= Role::ProjectManager,
    };
    let rows = queries::recorded(&app.db, scope.project, recording.cap).await?;
    let results = history_entries(rows, expand, names_shown)?;
    Ok(Json(MonteCarloHistory { results, cap: recording.cap, enabled: recording.enabled }))
}

fn history_entries(
    rows: Vec<queries::Recorded>,
    expand: bool,
    names_shown: bool,
) -> ApiResult<Vec<HistoryEntry>> {
    let mut entries: Vec<HistoryEntry> = Vec::with_capacity(rows.len());
    for row in rows.into_iter().rev() {
        let run: MonteCarloRun = serde_json::from_value(row.result).map_err(anyhow::Error::from)?;
        let since = |now: Option<chrono::NaiveDate>, before: Option<chrono::NaiveDate>| {
            now.zip(before).map(|(now, before)| (now - before).num_days())
        };
        let delta = entries.last().map(|before| PercentileDays {
            p50: since(run.p50, before.p50),
            p80: since(run.p80, before.p80),
            p95: since(run.p95, before.p95),
        });
        entries.push(HistoryEntry {
            id: row.id,
            taken_at: row.taken_at,
            p50: run.p50,
            p80: run.p80,
            p95: run.p95,
            cpm_finish: run.cpm_finish,
            n_simulations: row.n_simulations,
            task_count: run.forecast_diagnostic.tasks_total,
            status_date: run.status_date,
            delta,
            triggered_by_name: row.username.filter(|_| names_shown),
            distribution: expand.then_some(run.distribution),
        });
    }
    entries.reverse();
    Ok(entries)
}
