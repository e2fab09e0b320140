//! `/api/v1/projects/{id}/monte-carlo/`: run, latest, history.
//! A run is recorded when a Resource Manager or above asked for it; it never touches a task. Trying a change is `whatif.rs`.

use axum::extract::State;
use planwright_domain::Role;
use planwright_domain::access::may;
use planwright_domain::words::AttributionAudience;
use planwright_engine as engine;
use planwright_plan::Edit;
use planwright_web::limits::Limit;
use planwright_web::{ApiError, ApiResult, App, Body, Json, ProjectScope, Query, Routes, says};

use super::answer::{self, Material};
use super::inputs::{Simulated, Wish};
use super::model::*;
use super::{drivers, inputs, milestones, queries};

const RUN: &str = "/api/v1/projects/{id}/monte-carlo/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .post(
            RUN,
            run,
            says("Simulate a project. No task is changed.").also_answers(&[402]).limit(Limit::MonteCarlo),
        )
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
    Body(request): Body<MonteCarloRequest>,
) -> ApiResult<Json<MonteCarloRun>> {
    let wish = Wish::of(&app, request.n_simulations, request.seed)?;
    let material = inputs::material(&app, scope.project).await?;
    let mut outcome = simulate(&app, material, wish).await?;
    outcome.milestones = milestones::named(&app.db, outcome.milestones).await?;
    keep(&app, &scope, &mut outcome).await?;
    Ok(Json(outcome))
}

/// The engine works off the async threads, on all cores.
async fn simulate(app: &App, material: Simulated, wish: Wish) -> ApiResult<MonteCarloRun> {
    let now = app.clock.now();
    let work = move || {
        let Simulated { mut plan, pending, risks } = material;
        let schedule = engine::schedule(&plan.network);
        let dates = milestones::compared(&mut plan, &schedule);
        let (_, runs_reduced) = wish.runs_for(plan.network.tasks.len());
        let simulation = engine::simulate(&plan.network, &wish.options_for(plan.network.tasks.len(), &risks));
        let material = Material { plan: &plan, schedule: &schedule, simulation: &simulation, pending, now };
        let milestones = milestones::chances(&plan, dates, &simulation);
        let risks_counted = risks.events.len() as i64;
        MonteCarloRun { runs_reduced, risks_counted, milestones, ..answer::answer(&material) }
    };
    planwright_web::off_thread(work).await
}

/// Notes a run: as the newest one whoever asked for it, and for good when a Resource Manager or above did.
async fn keep(app: &App, scope: &ProjectScope<may::Simulate>, outcome: &mut MonteCarloRun) -> ApiResult<()> {
    let mut edit = Edit::begin(app, scope).await?;
    let recording = queries::recording(&edit, scope.project).await?;
    let id = (recording.enabled && scope.role >= Role::ResourceManager && !scope.actor.is_guest)
        .then(|| edit.mint());
    outcome.run_id = id;
    let kept = serde_json::to_value(&*outcome).map_err(anyhow::Error::from)?;
    if let Some(id) = id {
        let run = (outcome.runs, outcome.seed, &kept);
        queries::record(&mut edit, id, scope.project, scope.actor.id, run, recording.cap).await?;
    }
    queries::keep_latest(&mut edit, scope.project, outcome, &kept).await?;
    Ok(edit.commit().await?)
}

async fn latest(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
) -> ApiResult<Json<MonteCarloRun>> {
    let run = super::latest_run(&app.db, scope.project, app.clock.now()).await?;
    Ok(Json(run.ok_or_else(ApiError::not_found)?))
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
    Ok(Json(MonteCarloHistory {
        results,
        cap: recording.cap,
        enabled: recording.enabled,
        has_latest: super::has_latest_run(&app.db, scope.project, app.clock.now()).await?,
        has_drivers: drivers::has_any(&app.db, scope.project).await?,
    }))
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
            distribution: expand.then_some(RecordedDistribution {
                histogram_buckets: run.histogram_buckets,
                confidence_curve: run.confidence_curve,
                sensitivity: run.sensitivity,
            }),
        });
    }
    entries.reverse();
    Ok(entries)
}
