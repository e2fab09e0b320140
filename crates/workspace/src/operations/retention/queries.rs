//! Every statement about retention. What a key deletes is one table with one condition.

use chrono::{DateTime, Utc};
use planwright_domain::words::{PurgeState, PurgeTrigger, RetentionKey, Word};
use planwright_store::{Read, Result, Tx, sql};
use serde_json::Value as Json;
use uuid::Uuid;

use super::model::{RunRow, ScheduleRow, WrittenPolicy};

/// How many rows one statement deletes at most, so that nobody waits long for it.
const BLOCK: i64 = 5000;

/// How many runs are shown.
const SHOWN_RUNS: i64 = 20;

/// A table, what tells its rows that count, and the condition under which a row goes.
const fn place(key: RetentionKey) -> (&'static str, &'static str, &'static str) {
    match key {
        RetentionKey::History => ("history", "TRUE", "at < :before"),
        RetentionKey::TaskRuns => ("task_runs", "completed_at IS NOT NULL", "completed_at < :before"),
        RetentionKey::Webhooks => {
            ("webhook_deliveries", "completed_at IS NOT NULL", "completed_at < :before")
        }
        RetentionKey::Imports => ("seed_imports", "completed_at IS NOT NULL", "completed_at < :before"),
        RetentionKey::SyncBatches => ("sync_batches", "TRUE", "started_at < :before"),
        RetentionKey::DeletedProjects => {
            ("deletions", "entity = 'project' AND restored_at IS NULL", "at < :before")
        }
        RetentionKey::Audit => ("audit_events", "TRUE", "created_at < :before"),
        // Whoever was told that nothing changes on a task is not told again while that lasts, so the row is kept.
        RetentionKey::Notifications => (
            "notifications",
            "TRUE",
            "created_at < :before AND (kind <> 'task.stale' OR NOT EXISTS (SELECT 1 FROM tasks t
                WHERE t.id = notifications.task_id AND t.status = 'IN_PROGRESS' AND t.deletion_id IS NULL))",
        ),
    }
}

/// How many rows of a kind there are.
pub(super) async fn count(db: &dyn Read, key: RetentionKey) -> Result<i64> {
    let (table, counts, _) = place(key);
    db.count(sql!(format!("SELECT COUNT(*) FROM {table} WHERE {counts}"))).await
}

/// How many of them are from before then.
pub(super) async fn count_before(db: &dyn Read, key: RetentionKey, before: DateTime<Utc>) -> Result<i64> {
    let (table, counts, goes) = place(key);
    let select = format!("SELECT COUNT(*) FROM {table} WHERE {counts} AND {goes}");
    db.count(sql!(select, before = before)).await
}

/// Deletes a block of rows from before then; returns how many. A project of the trash stays in the database and cannot
/// be restored any more.
pub(super) async fn delete_before(tx: &mut Tx, key: RetentionKey, before: DateTime<Utc>) -> Result<u64> {
    let (table, counts, goes) = place(key);
    if key == RetentionKey::DeletedProjects {
        let mark = format!("UPDATE {table} SET entity = 'project_for_good' WHERE {counts} AND {goes}");
        return tx.run(sql!(mark, before = before)).await;
    }
    let (id, same) = match key {
        RetentionKey::SyncBatches => ("user_id, project_id, batch_id", "(user_id, project_id, batch_id)"),
        _ => ("id", "id"),
    };
    let delete = format!(
        "DELETE FROM {table} WHERE {same} IN (SELECT {id} FROM {table} WHERE {counts} AND {goes} LIMIT :most)"
    );
    tx.run(sql!(delete, before = before, most = BLOCK)).await
}

/// Whether a block was full, so that there may be more.
pub(super) fn is_full(deleted: u64) -> bool {
    deleted >= BLOCK as u64
}

/// The policies that somebody wrote.
pub(super) async fn policies(db: &dyn Read) -> Result<Vec<WrittenPolicy>> {
    db.all(sql!("SELECT key, value, enabled FROM retention_policies")).await
}

/// Writes a policy.
pub(super) async fn keep_policy(tx: &mut Tx, policy: &WrittenPolicy) -> Result<()> {
    let statement = sql!(
        "INSERT INTO retention_policies (key, value, enabled) VALUES (:key, :value, :enabled)
         ON CONFLICT (key) DO UPDATE SET value = excluded.value, enabled = excluded.enabled",
        key = policy.key.as_str(),
        value = policy.value,
        enabled = policy.enabled
    );
    tx.run(statement).await.map(drop)
}

/// When rows are deleted.
pub(super) async fn schedule(db: &dyn Read) -> Result<ScheduleRow> {
    db.one(sql!(
        "SELECT frequency, time_of_day_utc, day_of_week, on_failure, last_run_at FROM retention_schedule WHERE id = 1"
    ))
    .await
}

/// The same, locked until the transaction ends.
pub(super) async fn lock_schedule(tx: &Tx) -> Result<ScheduleRow> {
    let lock = tx.engine().row_lock();
    let select = "SELECT frequency, time_of_day_utc, day_of_week, on_failure, last_run_at
         FROM retention_schedule WHERE id = 1";
    tx.one(sql!(format!("{select} {lock}"))).await
}

/// Writes when rows are deleted.
pub(super) async fn keep_schedule(tx: &mut Tx, row: &ScheduleRow) -> Result<()> {
    let statement = sql!(
        "UPDATE retention_schedule SET frequency = :frequency, time_of_day_utc = :time, day_of_week = :day,
            on_failure = :failure, last_run_at = :last WHERE id = 1",
        frequency = row.frequency,
        time = &row.time_of_day_utc,
        day = row.day_of_week,
        failure = row.on_failure,
        last = row.last_run_at
    );
    tx.run(statement).await.map(drop)
}

/// Whether a run goes on.
pub(super) async fn is_running(db: &dyn Read) -> Result<bool> {
    Ok(db.count(sql!("SELECT COUNT(*) FROM purge_runs WHERE state = 'running'")).await? > 0)
}

/// Adds a run.
pub(super) async fn begin(tx: &mut Tx, trigger: PurgeTrigger) -> Result<Uuid> {
    let id: Uuid = tx.mint();
    let statement = sql!(
        "INSERT INTO purge_runs (id, started_at, run_trigger, state, tables, rows_deleted, error)
         VALUES (:id, :now, :trigger, 'running', '{}', 0, '')",
        id = id,
        now = tx.now(),
        trigger = trigger
    );
    tx.run(statement).await?;
    Ok(id)
}

/// One run.
pub(super) async fn run(db: &dyn Read, id: Uuid) -> Result<Option<RunRow>> {
    let select =
        "SELECT id, started_at, finished_at, run_trigger, state, tables, rows_deleted, error FROM purge_runs
         WHERE id = :id";
    db.maybe(sql!(select, id = id)).await
}

/// The last runs.
pub(super) async fn runs(db: &dyn Read) -> Result<Vec<RunRow>> {
    let select =
        "SELECT id, started_at, finished_at, run_trigger, state, tables, rows_deleted, error FROM purge_runs
         ORDER BY started_at DESC, id DESC LIMIT :most";
    db.all(sql!(select, most = SHOWN_RUNS)).await
}

/// Ends a run.
pub(super) async fn end(
    tx: &mut Tx,
    id: Uuid,
    state: PurgeState,
    tables: Json,
    rows: i64,
    error: &str,
) -> Result<()> {
    let statement = sql!(
        "UPDATE purge_runs SET finished_at = :now, state = :state, tables = :tables, rows_deleted = :rows, error = :error
         WHERE id = :id",
        now = tx.now(),
        state = state,
        tables = tables,
        rows = rows,
        error = error,
        id = id
    );
    tx.run(statement).await.map(drop)
}

/// Drops all runs but the last ones.
pub(super) async fn forget_runs(tx: &mut Tx) -> Result<()> {
    let delete = "DELETE FROM purge_runs WHERE state <> 'running' AND id NOT IN
         (SELECT id FROM purge_runs ORDER BY started_at DESC, id DESC LIMIT 100)";
    tx.run(sql!(delete)).await.map(drop)
}
