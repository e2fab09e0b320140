//! Every statement about deliveries: numbering and writing them, claiming those that are due, and storing results. A
//! claimed delivery belongs to its node until `due_at`, which is then the end of the lease.

use std::collections::BTreeSet;

use chrono::{DateTime, Duration, Utc};
use planwright_domain::events::WebhookEvent;
use planwright_domain::ids::{DeliveryId, WebhookId};
use planwright_domain::words::Word;
use planwright_jobs::errands;
use planwright_store::outbox::Waiting;
use planwright_store::page::{self, Key};
use planwright_store::value::list as values;
use planwright_store::{Db, Read, Result, ToValue, Tx, Value, sql};
use uuid::Uuid;

use super::model::{DeliveryRow, Due, Listener, NewDelivery, Numbered, Recipient, Taken};
use super::rules::{Attempt, MOST_FAILURES, Verdict};

const COLUMNS: &str = "SELECT d.id, d.event_type, d.sequence_number, d.body, d.status, d.response_status,
    d.attempt_count, d.created_at, d.completed_at, d.last_attempt_at, d.failure_reason, d.response_excerpt
    FROM webhook_deliveries d WHERE d.webhook_id = :webhook";

/// The deliveries of a webhook, newest first, after the one with this number.
pub async fn list(
    db: &dyn Read,
    webhook: WebhookId,
    after: Option<(i64, DeliveryId)>,
    size: i64,
) -> Result<Vec<DeliveryRow>> {
    let keys = (Key::descending("d.sequence_number"), Key::descending("d.id"));
    let after = after.map(|(sequence, id)| (Value::Int(sequence), Value::Uuid(id.0)));
    db.all(page::behind(sql!(COLUMNS, webhook = webhook), keys.0, keys.1, after, size)).await
}

/// One delivery of a subscription.
pub async fn find(db: &dyn Read, webhook: WebhookId, id: DeliveryId) -> Result<Option<DeliveryRow>> {
    db.maybe(sql!(COLUMNS, webhook = webhook).push(" AND d.id = :id").bind("id", id)).await
}

/// The active webhooks of the projects and programs of these events.
pub async fn listeners(db: &dyn Read, events: &[&Waiting]) -> Result<Vec<Listener>> {
    let projects: BTreeSet<Uuid> = events.iter().filter_map(|event| Some(event.project_id?.0)).collect();
    let programs: BTreeSet<Uuid> = events.iter().filter_map(|event| Some(event.program_id?.0)).collect();
    let select = "SELECT id, project_id, program_id, format, events FROM webhooks
                  WHERE is_active AND (project_id IN (:projects) OR program_id IN (:programs)) ORDER BY id";
    if projects.is_empty() && programs.is_empty() {
        return Ok(Vec::new());
    }
    db.all(sql!(select, projects = values(projects), programs = values(programs))).await
}

/// A lock that is taken before several webhooks are written, so that there is no deadlock.
pub async fn lock_numbering(tx: &mut Tx) -> Result<()> {
    tx.run(sql!("UPDATE webhook_turn SET taken = taken + 1 WHERE id = 1")).await.map(drop)
}

/// Reserves the numbers of the next deliveries of a webhook and returns the last one. `None` if it was deleted or
/// paused.
pub async fn number(tx: &mut Tx, webhook: WebhookId, deliveries: usize) -> Result<Option<i64>> {
    let statement = "UPDATE webhooks SET last_sequence = last_sequence + :deliveries
                     WHERE id = :id AND is_active RETURNING last_sequence";
    let deliveries = i64::try_from(deliveries).unwrap_or(i64::MAX);
    tx.scalar(sql!(statement, deliveries = deliveries, id = webhook)).await
}

/// Reserves the number of the next delivery of a webhook. `None` if it was deleted.
pub async fn number_one(tx: &mut Tx, webhook: WebhookId) -> Result<Option<Numbered>> {
    let statement = "UPDATE webhooks SET last_sequence = last_sequence + 1 WHERE id = :id
                     RETURNING id, format, last_sequence";
    tx.maybe(sql!(statement, id = webhook)).await
}

/// Writes deliveries that are due at once, and returns their ids.
pub async fn insert(tx: &mut Tx, new: Vec<NewDelivery>) -> Result<Vec<DeliveryId>> {
    if new.is_empty() {
        return Ok(Vec::new());
    }
    let now = tx.now();
    let ids: Vec<DeliveryId> = new.iter().map(|_| tx.mint()).collect();
    let text = "INSERT INTO webhook_deliveries (id, webhook_id, sequence_number, event_type, body, status,
                attempt_count, due_at, created_at)
         VALUES (:id, :webhook, :sequence, :event, :body, 'pending', 0, :due, :created)";
    let row = |(delivery, id): (NewDelivery, &DeliveryId)| {
        vec![
            ("id", id.to_value()),
            ("webhook", delivery.webhook.to_value()),
            ("sequence", delivery.sequence.to_value()),
            ("event", delivery.event.to_value()),
            ("body", delivery.body.to_value()),
            ("due", now.to_value()),
            ("created", now.to_value()),
        ]
    };
    tx.run_rows(text, new.into_iter().zip(&ids).map(row)).await?;
    errands::call_after(tx);
    Ok(ids)
}

/// Webhooks with due deliveries, the longest waiting first, without those at busy endpoints.
pub async fn due(db: &Db, busy: Vec<String>, most: i64) -> Result<Vec<Due>> {
    let now = db.clock.now();
    // The order says that an index is wanted: nearly all deliveries are due no more, and a search through them finds none.
    let any = "SELECT COUNT(*) FROM (SELECT 1 FROM webhook_deliveries WHERE due_at <= :now
                                     ORDER BY due_at LIMIT 1) AS found";
    if db.count(sql!(any, now = now)).await? == 0 {
        return Ok(Vec::new());
    }
    let select = "SELECT id, endpoint FROM (
            SELECT w.id, w.endpoint, (SELECT MIN(d.due_at) FROM webhook_deliveries d
                                      WHERE d.webhook_id = w.id AND d.due_at IS NOT NULL) AS oldest
            FROM webhooks w) AS waiting
        WHERE oldest <= :now AND NOT EXISTS (SELECT 1 FROM webhooks b WHERE b.id = waiting.id AND b.endpoint IN (:busy))
        ORDER BY oldest, id LIMIT :most";
    db.all(sql!(select, now = now, busy = values(busy), most = most)).await
}

/// Takes up to so many due deliveries of a subscription, oldest first, for as long as a lease. What a recalculation came to
/// waits for the changes that caused it.
pub async fn take(
    tx: &mut Tx,
    sender: Uuid,
    webhook: WebhookId,
    most: usize,
    lease: Duration,
) -> Result<Vec<Taken>> {
    let skip_locked = tx.engine().skip_locked();
    let statement = sql!(
        format!(
            "UPDATE webhook_deliveries SET due_at = :until, lease_owner = :sender
             WHERE id IN (SELECT id FROM webhook_deliveries d WHERE webhook_id = :webhook AND due_at <= :now
                            AND (event_type <> :follows OR NOT EXISTS (
                                SELECT 1 FROM webhook_deliveries e
                                WHERE e.webhook_id = d.webhook_id AND e.due_at IS NOT NULL
                                  AND e.sequence_number < d.sequence_number))
                          ORDER BY due_at, sequence_number LIMIT :most {skip_locked})
             RETURNING id, webhook_id, event_type, sequence_number, body, attempt_count, created_at"
        ),
        until = tx.now() + lease,
        follows = WebhookEvent::ScheduleRecalculated.as_str(),
        sender = sender,
        webhook = webhook,
        now = tx.now(),
        most = i64::try_from(most).unwrap_or(i64::MAX)
    );
    let mut taken: Vec<Taken> = tx.all(statement).await?;
    taken.sort_by_key(|delivery| delivery.sequence_number);
    Ok(taken)
}

/// The receiver of the deliveries of a webhook.
pub async fn recipient(db: &dyn Read, webhook: WebhookId) -> Result<Option<Recipient>> {
    let select =
        "SELECT id, project_id, url, endpoint, sealed_secret, is_active FROM webhooks WHERE id = :id";
    db.maybe(sql!(select, id = webhook)).await
}

/// Writes the result of a delivery. False if its sender has lost the lease.
pub async fn settle(
    tx: &mut Tx,
    sender: Uuid,
    id: DeliveryId,
    verdict: &Verdict,
    attempt: &Attempt,
) -> Result<bool> {
    let statement = sql!(
        "UPDATE webhook_deliveries SET status = :status, attempt_count = :attempts, response_status = :answer,
            due_at = :due, completed_at = :completed, lease_owner = NULL, last_attempt_at = :now,
            failure_reason = :why, response_excerpt = :excerpt
         WHERE id = :id AND lease_owner = :sender",
        status = verdict.status.as_str(),
        attempts = verdict.attempt_count,
        answer = attempt.response_status,
        due = verdict.due_at,
        completed = verdict.completed_at,
        now = tx.now(),
        why = attempt.failure.clone(),
        excerpt = attempt.excerpt.clone(),
        id = id,
        sender = sender
    );
    Ok(tx.run(statement).await? == 1)
}

/// Records that deliveries succeeded, all with the same answer. Deliveries whose lease was lost do not change.
/// Returns the number of written ones.
pub async fn settle_arrived(tx: &mut Tx, sender: Uuid, ids: &[DeliveryId], answer: i64) -> Result<u64> {
    let statement = sql!(
        "UPDATE webhook_deliveries SET status = 'success', attempt_count = attempt_count + 1,
            response_status = :answer, due_at = NULL, completed_at = :now, lease_owner = NULL, last_attempt_at = :now,
            failure_reason = NULL, response_excerpt = NULL
         WHERE id IN (:ids) AND lease_owner = :sender",
        answer = answer,
        now = tx.now(),
        ids = values(ids.iter().copied()),
        sender = sender
    );
    tx.run(statement).await
}

/// Resets the failures of webhooks after a success.
pub async fn note_success(tx: &mut Tx, webhooks: &[WebhookId]) -> Result<()> {
    let failing = "FROM webhooks WHERE id IN (:ids) AND consecutive_failures > 0";
    let ids = values(webhooks.iter().copied());
    if tx.count(sql!(format!("SELECT COUNT(*) {failing}"), ids = ids.clone())).await? == 0 {
        return Ok(());
    }
    // Whoever numbers deliveries holds several subscriptions as well; with the turn neither locks the other out.
    lock_numbering(tx).await?;
    let statement = "UPDATE webhooks SET consecutive_failures = 0
                     WHERE id IN (:ids) AND consecutive_failures > 0";
    tx.run(sql!(statement, ids = ids)).await.map(drop)
}

/// Records why a delivery has failed so far, so that the reason is visible before the last attempt.
pub async fn note_attempt(tx: &mut Tx, webhook: WebhookId, why: &str) -> Result<()> {
    let statement = "UPDATE webhooks SET last_failure_at = :now, last_failure_reason = :why WHERE id = :id";
    tx.run(sql!(statement, now = tx.now(), why = why, id = webhook)).await.map(drop)
}

/// Records that a delivery failed in all attempts, and switches its webhook off after too many in a row.
pub async fn note_failure(tx: &mut Tx, webhook: WebhookId, why: &str) -> Result<()> {
    let count = sql!(
        "UPDATE webhooks SET consecutive_failures = consecutive_failures + 1, last_failure_at = :now,
            last_failure_reason = :why
         WHERE id = :id",
        now = tx.now(),
        why = why,
        id = webhook
    );
    tx.run(count).await?;
    let switch_off = sql!(
        "UPDATE webhooks SET is_active = FALSE, disabled_at = :now, disabled_reason = :why
         WHERE id = :id AND is_active AND consecutive_failures >= :most",
        now = tx.now(),
        why = format!("{MOST_FAILURES} deliveries failed in a row. The last error: {why}"),
        id = webhook,
        most = MOST_FAILURES
    );
    tx.run(switch_off).await.map(drop)
}

const REVIVE: &str =
    "UPDATE webhook_deliveries SET due_at = :now, completed_at = NULL, response_status = NULL,
        attempt_count = CASE WHEN status = 'pending' THEN attempt_count ELSE 0 END, status = 'pending'
    WHERE webhook_id = :webhook AND lease_owner IS NULL";

/// Makes one delivery due at once, unless it is being sent now.
pub async fn revive(tx: &mut Tx, webhook: WebhookId, id: DeliveryId) -> Result<()> {
    let statement = sql!(REVIVE, now = tx.now(), webhook = webhook).push(" AND id = :id").bind("id", id);
    errands::call_after(tx);
    tx.run(statement).await.map(drop)
}

/// Makes every failed delivery due at once whose event was stored since then, and returns their number.
pub async fn revive_since(tx: &mut Tx, webhook: WebhookId, since: DateTime<Utc>) -> Result<u64> {
    let statement = sql!(REVIVE, now = tx.now(), webhook = webhook)
        .push(" AND status = 'failed' AND created_at >= :since")
        .bind("since", since);
    errands::call_after(tx);
    tx.run(statement).await
}

/// Deletes a maximum number of deliveries that ended before this time, and returns their number.
pub async fn prune(tx: &mut Tx, before: DateTime<Utc>, most: i64) -> Result<u64> {
    let statement = sql!(
        "DELETE FROM webhook_deliveries WHERE id IN (
            SELECT id FROM webhook_deliveries WHERE completed_at < :before ORDER BY completed_at LIMIT :most)",
        before = before,
        most = most
    );
    tx.run(statement).await
}
