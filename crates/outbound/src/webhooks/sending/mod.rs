//! Sending: claims due deliveries with a lease and sends many of them at the same time. Each endpoint gets a few at a
//! time, and fewer while it has problems, so a slow receiver does not delay the others.

pub mod post;

use crate::webhooks::model::WebhookRow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::time::Duration as Wait;

use chrono::Duration;
use planwright_domain::Entropy;
use planwright_domain::ids::{DeliveryId, JobId, WebhookId};
use planwright_domain::words::WebhookDeliveryStatus;
use planwright_jobs::errands::Errands;
use planwright_jobs::{Claimed, Round, dead};
use planwright_store::{Result, StoreError, Tx};
use planwright_web::{App, Resource};
use tokio::sync::{Mutex, watch};
use tokio::task::{Id, JoinError, JoinSet};
use uuid::Uuid;

use super::deliveries::model::{DeadDelivery, Recipient, Taken};
use super::deliveries::rules::{self, Attempt};
use super::deliveries::{DELIVER, queries};
use planwright_egress::Egress;

/// The maximum number of deliveries that this process sends at the same time.
const MOST: usize = 512;
/// The maximum to one endpoint.
const MOST_TO_ONE: usize = 32;
/// The maximum to an endpoint whose last attempt failed.
const MOST_TO_TROUBLED: usize = 2;
/// The maximum number of webhooks in one round.
const LOOK: i64 = 64;
/// The time after the time limit of a call until its delivery is claimed again, in seconds.
const MARGIN_SECONDS: i64 = 30;
/// How long a round waits for an answer before it looks for new deliveries.
const TICK: Wait = Wait::from_millis(20);

/// The sender of this process.
#[derive(Default)]
pub struct Sending(Mutex<State>);

#[derive(Default)]
struct State {
    /// Its name in claimed deliveries.
    sender: Option<Uuid>,
    running: JoinSet<Attempt>,
    places: HashMap<Id, Underway>,
    /// Finished attempts that are not written yet.
    ended: Vec<(Underway, Attempt)>,
    /// The number of running deliveries by endpoint.
    busy: HashMap<String, usize>,
    troubled: HashSet<String>,
    /// The signal for new deliveries. `None` if there is no signal.
    bell: Option<Option<watch::Receiver<()>>>,
}

/// A claimed delivery with its receiver.
#[derive(Clone)]
struct Underway {
    to: Recipient,
    delivery: Taken,
}

impl Sending {
    /// One round: writes finished attempts, claims due deliveries, waits a moment for answers. True while there is
    /// something to do.
    pub async fn round(&self, app: &App, how: Round) -> Result<bool> {
        let mut state = self.0.lock().await;
        let mut did = state.write_down(app).await?;
        if how == Round::Work {
            did |= state.take(app).await?;
        }
        if state.running.is_empty() {
            return Ok(did || !state.ended.is_empty());
        }
        let State { running, bell, .. } = &mut *state;
        let bell = bell.get_or_insert_with(|| app.db.context::<Errands>().map(Errands::listen));
        let ended = tokio::select! {
            ended = running.join_next_with_id() => ended,
            () = called(bell.as_mut()) => None,
            () = tokio::time::sleep(TICK) => None,
        };
        if let Some(ended) = ended {
            state.note(ended);
        }
        while let Some(ended) = state.running.try_join_next_with_id() {
            state.note(ended);
        }
        Ok(true)
    }
}

/// Waits for the signal.
async fn called(bell: Option<&mut watch::Receiver<()>>) {
    match bell {
        Some(bell) => {
            if bell.changed().await.is_err() {
                // A bell that is gone rings no more.
                std::future::pending().await
            }
        }
        None => std::future::pending().await,
    }
}

impl State {
    /// Claims due deliveries, up to the maximum, and begins to send them.
    async fn take(&mut self, app: &App) -> Result<bool> {
        let mut room = MOST.saturating_sub(self.running.len());
        let full = self.busy.keys().filter(|endpoint| self.room_at(endpoint) == 0).cloned().collect();
        let due = match room {
            0 => Vec::new(),
            _ => queries::due(&app.db, full, LOOK).await?,
        };
        if due.is_empty() {
            return Ok(false);
        }
        let sender = *self.sender.get_or_insert_with(|| app.clock.mint());
        let lease = Duration::from_std(app.get::<Egress>().patience)
            .map_err(|error| StoreError::Unexpected(error.into()))?
            + Duration::seconds(MARGIN_SECONDS);
        let mut planned: HashMap<&str, usize> = HashMap::new();
        let mut taken: Vec<(Recipient, Vec<Taken>)> = Vec::new();
        let mut tx = app.db.begin().await?;
        for webhook in &due {
            let planned = planned.entry(&webhook.endpoint).or_default();
            let most = self.room_at(&webhook.endpoint).saturating_sub(*planned).min(room);
            if most == 0 {
                continue;
            }
            let deliveries = queries::take(&mut tx, sender, webhook.id, most, lease).await?;
            *planned += deliveries.len();
            room -= deliveries.len();
            if let Some(to) = queries::recipient(&tx, webhook.id).await? {
                taken.push((to, deliveries));
            }
        }
        tx.commit().await?;
        let took = taken.iter().any(|(_, deliveries)| !deliveries.is_empty());
        for (to, deliveries) in taken {
            deliveries
                .into_iter()
                .for_each(|delivery| self.begin(app, Underway { to: to.clone(), delivery }));
        }
        Ok(took)
    }

    /// How many more deliveries an endpoint may get.
    fn room_at(&self, endpoint: &str) -> usize {
        let most = if self.troubled.contains(endpoint) { MOST_TO_TROUBLED } else { MOST_TO_ONE };
        most.saturating_sub(self.busy.get(endpoint).copied().unwrap_or_default())
    }

    fn begin(&mut self, app: &App, underway: Underway) {
        if !underway.to.is_active {
            return self.ended.push((underway, Attempt::paused()));
        }
        *self.busy.entry(underway.to.endpoint.clone()).or_default() += 1;
        let (app, work) = (app.clone(), underway.clone());
        let task = self.running.spawn(async move { post::attempt(&app, &work.to, &work.delivery).await });
        self.places.insert(task.id(), underway);
    }

    /// Records that an attempt ended. An attempt that panicked is a failure.
    fn note(&mut self, ended: std::result::Result<(Id, Attempt), JoinError>) {
        let (id, attempt) = match ended {
            Ok(ended) => ended,
            Err(error) => (error.id(), Attempt::failed("It could not be sent.".to_owned())),
        };
        let Some(underway) = self.places.remove(&id) else { return };
        let endpoint = &underway.to.endpoint;
        match attempt.failure {
            Some(_) => self.troubled.insert(endpoint.clone()),
            None => self.troubled.remove(endpoint),
        };
        if let Some(busy) = self.busy.get_mut(endpoint) {
            *busy -= 1;
            if *busy == 0 {
                self.busy.remove(endpoint);
            }
        }
        self.ended.push((underway, attempt));
    }

    /// Writes what ended: all that arrived in one transaction, what did not in one for each subscription. What cannot be
    /// written now stays for the next round.
    async fn write_down(&mut self, app: &App) -> Result<bool> {
        let (Some(sender), false) = (self.sender, self.ended.is_empty()) else { return Ok(false) };
        let (arrived, mut failed): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.ended).into_iter().partition(|(_, attempt)| attempt.failure.is_none());
        if let Err(error) = write_arrived(app, sender, &arrived).await {
            self.ended.extend(arrived);
            self.ended.extend(failed);
            return Err(error);
        }
        while let Some(webhook) = failed.first().map(|(underway, _)| underway.to.id) {
            let (own, others) = failed.into_iter().partition(|(underway, _)| underway.to.id == webhook);
            failed = others;
            if let Err(error) = write_of_one(app, sender, webhook, &own).await {
                self.ended.extend(own);
                self.ended.extend(failed);
                return Err(error);
            }
        }
        Ok(true)
    }
}

/// Writes deliveries that arrived. Nobody else writes on one while its sender holds it, so no subscription is held.
async fn write_arrived(app: &App, sender: Uuid, arrived: &[(Underway, Attempt)]) -> Result<()> {
    let mut by_answer: BTreeMap<i64, Vec<DeliveryId>> = BTreeMap::new();
    for (underway, attempt) in arrived {
        by_answer.entry(attempt.response_status.unwrap_or_default()).or_default().push(underway.delivery.id);
    }
    if by_answer.is_empty() {
        return Ok(());
    }
    let webhooks: BTreeSet<WebhookId> = arrived.iter().map(|(underway, _)| underway.to.id).collect();
    let mut tx = app.db.begin().await?;
    let mut written = 0;
    for (answer, ids) in by_answer {
        written += queries::settle_arrived(&mut tx, sender, &ids, answer).await?;
    }
    queries::note_success(&mut tx, &Vec::from_iter(webhooks)).await?;
    tx.commit().await?;
    count(WebhookDeliveryStatus::Success, written);
    Ok(())
}

/// Writes failed attempts of one webhook. If it was deleted in the meantime, there is nothing to write.
async fn write_of_one(
    app: &App,
    sender: Uuid,
    webhook: WebhookId,
    ended: &[(Underway, Attempt)],
) -> Result<()> {
    let mut tx = app.db.begin().await?;
    if WebhookRow::lock(&tx, webhook.0).await?.is_some() {
        for (underway, attempt) in ended {
            write_attempt(&mut tx, sender, underway, attempt).await?;
        }
    }
    tx.commit().await
}

async fn write_attempt(tx: &mut Tx, sender: Uuid, underway: &Underway, attempt: &Attempt) -> Result<()> {
    let Underway { to, delivery } = underway;
    let chance = u16::from_be_bytes(Entropy.bytes());
    let verdict = rules::verdict(attempt, delivery.attempt_count, tx.now(), chance);
    if !queries::settle(tx, sender, delivery.id, &verdict, attempt).await? {
        return Ok(());
    }
    count(verdict.status, 1);
    match (verdict.status, &attempt.failure) {
        (WebhookDeliveryStatus::Failed, Some(why)) if !attempt.is_last => {
            queries::note_failure(tx, to.id, why).await?;
            bury(tx, underway, verdict.attempt_count, why).await
        }
        (WebhookDeliveryStatus::Pending, Some(why)) => queries::note_attempt(tx, to.id, why).await,
        _ => Ok(()),
    }
}

fn count(status: WebhookDeliveryStatus, attempts: u64) {
    let result = match status {
        WebhookDeliveryStatus::Success => "arrived",
        WebhookDeliveryStatus::Pending => "again",
        WebhookDeliveryStatus::Failed => "failed",
    };
    metrics::counter!("planwright_webhook_attempts_total", "result" => result).increment(attempts);
}

/// Adds a failed job. If an administrator requeues it, the delivery is sent again.
async fn bury(tx: &mut Tx, underway: &Underway, attempts: i64, why: &str) -> Result<()> {
    let dead = DeadDelivery { delivery: underway.delivery.id, webhook: underway.to.id };
    let payload = serde_json::to_value(dead).map_err(|error| StoreError::Unexpected(error.into()))?;
    let job = Claimed {
        id: tx.mint::<JobId>(),
        kind: DELIVER.to_owned(),
        payload,
        project_id: underway.to.project_id,
        attempts,
        created_at: underway.delivery.created_at,
    };
    dead::bury(tx, &job, why).await
}
