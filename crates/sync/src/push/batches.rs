//! The batches of a person: a batch is reserved before it is written, so that the same batch is not written twice, and
//! only some at a time. The answer is kept in the transaction of the rows.

use chrono::{DateTime, Duration, Utc};
use planwright_domain::ids::{ProjectId, UserId};
use planwright_store::{Read, StoreError, Tx, row, sql};
use planwright_web::{ApiError, ApiResult, App};
use serde_json::Value as Json;
use uuid::Uuid;

use super::model::SyncUploadResponse;

/// How long the answer to a batch is kept.
const KEPT_HOURS: i64 = 24;
/// After how long a batch that did not end may be written again: its node is gone.
const LEASE_SECONDS: i64 = 30;
/// How many batches of one person are written at the same time.
const MOST_AT_ONCE: i64 = 4;

/// A batch that is being written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Batch {
    pub(super) user: UserId,
    pub(super) project: ProjectId,
    pub(super) id: Uuid,
    started_at: DateTime<Utc>,
}

/// What is known of a batch.
pub(super) enum Reserved {
    /// It was written before, with this answer.
    Known(SyncUploadResponse),
    /// It is to be written now.
    Fresh(Batch),
}

row! {
    struct BatchRow {
        started_at: DateTime<Utc>,
        answer: Option<Json>,
    }
}

/// Reserves a batch, or finds its answer.
///
/// # Errors
/// 409 while it is being written, 429 while too many others are.
pub(super) async fn reserve(app: &App, user: UserId, project: ProjectId, id: Uuid) -> ApiResult<Reserved> {
    let mut tx = app.db.begin().await?;
    tx.lock_rows("users", [user.0]).await?;
    forget_old(&mut tx).await?;
    let batch = Batch { user, project, id, started_at: tx.now() };
    match find(&tx, &batch).await? {
        Some(BatchRow { answer: Some(answer), .. }) => {
            let answer =
                serde_json::from_value(answer).map_err(|error| ApiError::unexpected(error.into()))?;
            return Ok(Reserved::Known(answer));
        }
        Some(row) if row.started_at > lease_begin(&tx) => {
            return Err(ApiError::conflict(
                "This batch is being written at the moment. Send it again later.",
            ));
        }
        _ => {}
    }
    if count_running(&tx, user).await? >= MOST_AT_ONCE {
        return Err(ApiError::throttled(1));
    }
    begin(&mut tx, &batch).await?;
    tx.commit().await?;
    Ok(Reserved::Fresh(batch))
}

/// Gives a reservation up, so that the batch can be sent again at once.
pub(super) async fn release(app: &App, batch: &Batch) {
    let done = async {
        let mut tx = app.db.begin().await?;
        let delete =
            "DELETE FROM sync_batches WHERE user_id = :user AND project_id = :project AND batch_id = :id
                      AND started_at = :started AND answer IS NULL";
        let Batch { user, project, id, started_at } = *batch;
        tx.run(sql!(delete, user = user, project = project, id = id, started = started_at)).await?;
        tx.commit().await
    };
    if let Err(error) = done.await {
        // The lease ends it. Until then the client gets 409.
        tracing::warn!(batch = %batch.id, %error, "a batch that failed is still reserved");
    }
}

/// Keeps the answer with what it answers to.
///
/// # Errors
/// 409 if the batch took so long that it was written by another request.
pub(super) async fn keep(tx: &mut Tx, batch: &Batch, answer: &SyncUploadResponse) -> ApiResult<()> {
    let update = "UPDATE sync_batches SET answer = :answer WHERE user_id = :user AND project_id = :project
                  AND batch_id = :id AND started_at = :started AND answer IS NULL";
    let Batch { user, project, id, started_at } = *batch;
    let answer = serde_json::to_value(answer).map_err(|error| StoreError::Unexpected(error.into()))?;
    let statement =
        sql!(update, answer = &answer, user = user, project = project, id = id, started = started_at);
    match tx.run(statement).await? {
        1 => Ok(()),
        _ => Err(ApiError::conflict("This batch was written by another request in the meantime.")),
    }
}

fn lease_begin(tx: &Tx) -> DateTime<Utc> {
    tx.now() - Duration::seconds(LEASE_SECONDS)
}

async fn forget_old(tx: &mut Tx) -> planwright_store::Result<()> {
    let old = tx.now() - Duration::hours(KEPT_HOURS);
    tx.run(sql!("DELETE FROM sync_batches WHERE started_at < :old", old = old)).await.map(drop)
}

async fn find(db: &dyn Read, batch: &Batch) -> planwright_store::Result<Option<BatchRow>> {
    let select = "SELECT started_at, answer FROM sync_batches
                  WHERE user_id = :user AND project_id = :project AND batch_id = :id";
    db.maybe(sql!(select, user = batch.user, project = batch.project, id = batch.id)).await
}

async fn count_running(tx: &Tx, user: UserId) -> planwright_store::Result<i64> {
    let count =
        "SELECT COUNT(*) FROM sync_batches WHERE user_id = :user AND answer IS NULL AND started_at > :begin";
    tx.count(sql!(count, user = user, begin = lease_begin(tx))).await
}

async fn begin(tx: &mut Tx, batch: &Batch) -> planwright_store::Result<()> {
    let insert = "INSERT INTO sync_batches (user_id, project_id, batch_id, started_at)
                  VALUES (:user, :project, :id, :started)
                  ON CONFLICT (user_id, project_id, batch_id) DO UPDATE SET started_at = excluded.started_at";
    let Batch { user, project, id, started_at } = *batch;
    tx.run(sql!(insert, user = user, project = project, id = id, started = started_at)).await.map(drop)
}
