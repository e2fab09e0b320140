//! Runs that delete old rows, block by block, and the look at the clock that begins them.

use chrono::Duration;
use planwright_domain::words::{PurgeOnFailure, PurgeState, PurgeTrigger, RetentionKey, Word};
use planwright_jobs::{JobError, NewJob, Registry, queue};
use planwright_store::{Result, Tx};
use planwright_web::App;
use serde_json::{Map, json};
use uuid::Uuid;

use super::model::{Purge, ScheduleRow, WrittenPolicy};
use super::queries;
use super::rules::{self, RetentionDefaults};

/// The kind of job of a run.
const PURGE: &str = "purge_old_rows";

/// How often the clock is looked at, in minutes.
const LOOK_MINUTES: i64 = 5;

pub(super) fn registry() -> Registry<App> {
    Registry::default().on(PURGE, async |app: App, purge: Purge| run(&app, purge.run).await).every(
        "look_for_retention",
        Duration::minutes(LOOK_MINUTES),
        begin_if_due,
    )
}

/// Begins a run; its job starts after the commit.
pub(super) async fn begin(tx: &mut Tx, trigger: PurgeTrigger) -> Result<Uuid> {
    let run = queries::begin(tx, trigger).await?;
    queue::enqueue(tx, NewJob::new(PURGE, &Purge { run })?.once(format!("{PURGE}:{run}"))).await?;
    Ok(run)
}

async fn begin_if_due(app: App) -> std::result::Result<(), JobError> {
    let mut tx = app.db.begin().await?;
    let schedule = queries::lock_schedule(&tx).await?;
    if rules::is_due(&schedule, tx.now()) && !queries::is_running(&tx).await? {
        let ran = ScheduleRow { last_run_at: Some(tx.now()), ..schedule };
        queries::keep_schedule(&mut tx, &ran).await?;
        begin(&mut tx, PurgeTrigger::Scheduled).await?;
    }
    tx.commit().await.map_err(JobError::from)
}

/// Does a run. A second time it deletes what is left, and ends the run.
async fn run(app: &App, id: Uuid) -> std::result::Result<(), JobError> {
    let Some(row) = queries::run(&app.db, id).await? else { return Ok(()) };
    if row.state != PurgeState::Running {
        return Ok(());
    }
    let written = queries::policies(&app.db).await?;
    let stops = queries::schedule(&app.db).await?.on_failure == PurgeOnFailure::Stop;
    let (mut tables, mut rows, mut errors) = (Map::new(), 0, Vec::new());
    for key in RetentionKey::ALL {
        let policy = app.get::<RetentionDefaults>().in_force(*key, &written);
        if !policy.enabled {
            continue;
        }
        match purge(app, &policy, row.run_trigger == PurgeTrigger::DryRun).await {
            Ok(count) => {
                rows += count;
                tables.insert(key.as_str().to_owned(), json!(count));
            }
            Err(error) => errors.push(format!("{}: {error}", key.as_str())),
        }
        if stops && !errors.is_empty() {
            break;
        }
    }
    let state = match (errors.is_empty(), tables.is_empty()) {
        (true, _) => PurgeState::Ok,
        (false, false) => PurgeState::Partial,
        (false, true) => PurgeState::Failed,
    };
    let mut tx = app.db.begin().await?;
    queries::end(&mut tx, id, state, json!(tables), rows, &errors.join("\n")).await?;
    queries::forget_runs(&mut tx).await?;
    tx.commit().await.map_err(JobError::from)
}

/// Deletes or counts the rows of one kind, each block in a transaction of its own.
async fn purge(app: &App, policy: &WrittenPolicy, only_counts: bool) -> Result<i64> {
    let before = rules::cutoff(policy.key, policy.value, app.clock.now());
    if only_counts {
        return queries::count_before(&app.db, policy.key, before).await;
    }
    let mut rows = 0;
    loop {
        let mut tx = app.db.begin().await?;
        let deleted = queries::delete_before(&mut tx, policy.key, before).await?;
        tx.commit().await?;
        rows += i64::try_from(deleted).unwrap_or(i64::MAX);
        if !queries::is_full(deleted) {
            return Ok(rows);
        }
    }
}
