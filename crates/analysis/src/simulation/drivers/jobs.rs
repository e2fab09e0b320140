//! The job that finds what moves a finish: one simulation for the whole, and one without each cause.

use planwright_domain::ids::ProjectId;
use planwright_domain::words::{DriverAnalysisStatus, DriverKind};
use planwright_engine::{self as engine, Cause, SimulationOptions};
use planwright_jobs::{JobError, Registry};
use planwright_plan::schedule::network::date;
use planwright_web::{ApiError, ApiResult, App};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use uuid::Uuid;

use super::model::{AnalysisRow, Found, FoundDriver};
use super::queries;
use crate::simulation::inputs::{self, Simulated};

/// The kind of job that finds what moves a finish.
pub(super) const ANALYSE_DRIVERS: &str = "analyse_drivers";

/// So many causes are looked at; of the estimates those of the tasks that the finish depends on most.
const MOST_CAUSES: usize = 200;
/// So many tasks are scheduled in all simulations together at most, so that an analysis takes seconds.
const MOST_TASK_RUNS: usize = 400_000_000;
/// Fewer runs than this say nothing.
const FEWEST_RUNS: usize = 100;

/// Which analysis is made.
#[derive(Serialize, Deserialize)]
pub(super) struct AnalyseDrivers {
    pub(super) analysis: Uuid,
}

/// The jobs of this folder.
pub fn registry() -> Registry<App> {
    Registry::default()
        .on(ANALYSE_DRIVERS, async |app: App, job: AnalyseDrivers| run(&app, job.analysis).await)
}

async fn run(app: &App, id: Uuid) -> Result<(), JobError> {
    let Some(row) = queries::pending(&app.db, id).await? else { return Ok(()) };
    let (status, result, error) = match found(app, &row).await {
        Ok(found) => {
            let result = serde_json::to_value(found).map_err(|error| JobError::Fail(error.into()))?;
            (DriverAnalysisStatus::Completed, result, String::new())
        }
        Err(error) if error.is_refusal() => {
            let detail = error.body().get("message").or_else(|| error.body().get("detail"));
            let detail = detail.and_then(Json::as_str).unwrap_or("The plan cannot be simulated.");
            (DriverAnalysisStatus::Failed, Json::Null, detail.to_owned())
        }
        Err(error) => return Err(retry(error)),
    };
    let mut tx = app.db.begin().await?;
    queries::end(&mut tx, id, status, (&result, &error)).await?;
    Ok(tx.commit().await?)
}

fn retry(error: ApiError) -> JobError {
    JobError::Retry(anyhow::anyhow!("{error:?}"))
}

async fn found(app: &App, row: &AnalysisRow) -> ApiResult<Found> {
    let project: ProjectId = row.project_id;
    let material = inputs::material(app, project).await?;
    let seed = row.seed.parse::<u64>().unwrap_or_default();
    let (percent, runs) = (row.percentile as f64, usize::try_from(row.runs).unwrap_or_default());
    planwright_web::off_thread(move || analysed(&material, percent, runs, seed)).await
}

fn analysed(material: &Simulated, percent: f64, runs: usize, seed: u64) -> Found {
    let Simulated { plan, risks, .. } = material;
    let network = &plan.network;
    let options = |runs: usize| SimulationOptions {
        runs: u32::try_from(runs).unwrap_or(u32::MAX),
        seed,
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        risks: risks.events.clone(),
        ..SimulationOptions::default()
    };
    let whole = engine::simulate(network, &options(runs));
    let sensitivity = |node: usize| whole.tasks[node].as_ref().map_or(0.0, |task| task.sensitivity.abs());
    let (causes, left_out) = chosen(risks.events.len(), &estimated(material), sensitivity);
    let affordable = MOST_TASK_RUNS / (network.tasks.len().max(1) * (causes.len() + 1));
    let runs = runs.min(affordable.max(FEWEST_RUNS));
    let drivers = engine::drivers_among(network, &options(runs), 0, percent, &causes);
    let drivers = drivers.into_iter().map(|driver| {
        let (kind, id) = match driver.cause {
            Cause::Risk(at) => (DriverKind::Risk, risks.ids[at].0),
            Cause::Task(node) => (DriverKind::Task, plan.tasks[plan.of_node[node]].id.0),
        };
        FoundDriver { kind, id, days: driver.days.into() }
    });
    let finish = whole.projects.first().and_then(Option::as_ref);
    Found {
        finish: finish.and_then(|finish| date(finish.percentile(percent).0)),
        cpm_finish: engine::schedule(network).projects[0].finish.and_then(|day| date(day.0)),
        runs: i64::try_from(runs).unwrap_or(i64::MAX),
        drivers: drivers.collect(),
        left_out: i64::try_from(left_out).unwrap_or(i64::MAX),
    }
}

/// The tasks whose durations vary.
fn estimated(material: &Simulated) -> Vec<usize> {
    let tasks = material.plan.network.tasks.iter().enumerate();
    tasks.filter(|(_, task)| task.estimate.is_some()).map(|(node, _)| node).collect()
}

/// The causes that are looked at, and how many are not: all risks before estimates, and of these those on which the finish
/// depends most.
fn chosen(risks: usize, estimated: &[usize], sensitivity: impl Fn(usize) -> f64) -> (Vec<Cause>, usize) {
    let mut tasks = estimated.to_vec();
    tasks.sort_by(|a, b| sensitivity(*b).total_cmp(&sensitivity(*a)).then(a.cmp(b)));
    let all = (0..risks).map(Cause::Risk).chain(tasks.into_iter().map(Cause::Task));
    let causes: Vec<Cause> = all.take(MOST_CAUSES).collect();
    let left_out = risks + estimated.len() - causes.len();
    (causes, left_out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn risks_come_first_and_then_the_estimates_that_matter_most() {
        let matters = |node: usize| if node == 7 { 0.9 } else { 0.1 };
        let (causes, left_out) = chosen(1, &[3, 7], matters);
        assert_eq!(causes, [Cause::Risk(0), Cause::Task(7), Cause::Task(3)]);
        assert_eq!(left_out, 0);
        let many: Vec<usize> = (0..500).collect();
        let (causes, left_out) = chosen(20, &many, |_| 0.0);
        assert_eq!((causes.len(), left_out), (MOST_CAUSES, 320));
    }
}
