//! Writes what agents asked for into the chain. Requests that end at the same moment are written as one transaction, so that
//! reads of agents do not wait for each other one by one.

use std::collections::HashMap;

use planwright_domain::ids::{ProjectId, TokenId};
use planwright_store::value::list;
use planwright_store::{Db, Read, Result, StoreError, Tx, sql};
use planwright_web::agent_log::{AgentRequest, NOT_VISIBLE, Recording, Records};
use tokio::sync::{mpsc, oneshot};
use uuid::Uuid;

use crate::chain::{ActionRecord, Link, SCHEMA_VERSION, payload_hash};
use crate::queries;

/// The most requests of one transaction.
const MOST: usize = 200;
/// Requests that wait to be written. More of them wait before they queue.
const QUEUE: usize = 1000;

/// The queue of the task that writes.
#[derive(Debug)]
pub struct Recorder(mpsc::Sender<Waiting>);

#[derive(Debug)]
struct Waiting {
    request: AgentRequest,
    done: oneshot::Sender<bool>,
}

impl Recorder {
    /// Starts the task that writes. It ends when the recorder is dropped.
    pub fn start(db: Db) -> Self {
        let (sender, receiver) = mpsc::channel(QUEUE);
        tokio::spawn(write_all(db, receiver));
        Self(sender)
    }
}

impl Records for Recorder {
    fn record(&self, request: AgentRequest) -> Recording<'_> {
        Box::pin(async move {
            let (done, written) = oneshot::channel();
            let is_queued = self.0.send(Waiting { request, done }).await.is_ok();
            is_queued && written.await.unwrap_or(false)
        })
    }
}

async fn write_all(db: Db, mut queue: mpsc::Receiver<Waiting>) {
    let mut batch = Vec::new();
    while queue.recv_many(&mut batch, MOST).await > 0 {
        let (requests, answers): (Vec<_>, Vec<_>) =
            batch.drain(..).map(|waiting: Waiting| (waiting.request, waiting.done)).unzip();
        let written = write(&db, &requests).await;
        if let Err(error) = &written {
            tracing::error!(%error, "what agents asked for cannot be written");
        }
        for answer in answers {
            // Nobody waits any more when the agent has gone.
            let _ = answer.send(written.is_ok());
        }
    }
}

/// Writes requests as the next records of the chain. Another node may have the chain; then it is tried again.
async fn write(db: &Db, requests: &[AgentRequest]) -> Result<()> {
    let mut left = 5;
    loop {
        match write_once(db, requests).await {
            Err(error) if left > 0 && error.is_worth_another_try() => left -= 1,
            Err(StoreError::Duplicate(_)) if left > 0 => left -= 1,
            done => return done,
        }
    }
}

async fn write_once(db: &Db, requests: &[AgentRequest]) -> Result<()> {
    let mut tx = db.begin().await?;
    let mut link = queries::lock_end(&mut tx).await?;
    let prefixes = queries::prefixes(&tx, requests.iter().map(|request| request.token)).await?;
    let projects = projects_of(&tx, requests).await?;
    let mut records = Vec::with_capacity(requests.len());
    for request in requests {
        let record = record(&tx, request, &link, &prefixes, &projects);
        link = Link { sequence: record.sequence, record_hash: record.record_hash.clone() };
        records.push(record);
    }
    tx.insert_each(records.iter().map(|record| (record, Vec::new())).collect()).await?;
    queries::set_end(&mut tx, &link).await?;
    tx.commit().await
}

/// The projects of the tasks that requests name.
async fn projects_of(db: &dyn Read, requests: &[AgentRequest]) -> Result<HashMap<Uuid, ProjectId>> {
    let tasks = requests.iter().filter(|request| request.object_type == "tasks");
    let ids: Vec<Uuid> = tasks.filter_map(|request| request.object_id.parse().ok()).collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let select = "SELECT id, project_id FROM tasks WHERE id IN (:ids)";
    let rows: Vec<(Uuid, ProjectId)> = db.all(sql!(select, ids = list(ids))).await?;
    Ok(rows.into_iter().collect())
}

fn record(
    tx: &Tx,
    request: &AgentRequest,
    after: &Link,
    prefixes: &HashMap<TokenId, String>,
    projects: &HashMap<Uuid, ProjectId>,
) -> ActionRecord {
    let of_object = || request.object_id.parse().ok().and_then(|id: Uuid| projects.get(&id).copied());
    // Whoever may not see something must not learn from their own record where it is.
    let is_hidden = request.refusal.as_ref().is_some_and(|refusal| refusal.constraint == NOT_VISIBLE);
    let project = if is_hidden { None } else { request.project.or_else(of_object) };
    let (verdict, reason, constraint) = match &request.refusal {
        None => ("allowed", "", ""),
        Some(refusal) => ("refused", refusal.reason.as_str(), refusal.constraint.as_str()),
    };
    let mut record = ActionRecord {
        id: tx.mint(),
        sequence: after.sequence + 1,
        schema_version: SCHEMA_VERSION,
        actor_kind: "mcp_token".to_owned(),
        actor_token_prefix: prefixes.get(&request.token).cloned().unwrap_or_default(),
        principal_id: request.principal,
        action: format!("{} {}", request.method, request.route),
        method: request.method.clone(),
        object_type: request.object_type.clone(),
        object_id: request.object_id.clone(),
        project_id: project,
        capability_used: "mcp:read".to_owned(),
        verdict: verdict.to_owned(),
        refusal_reason: reason.to_owned(),
        refusal_constraint: constraint.to_owned(),
        engine_version: env!("CARGO_PKG_VERSION").to_owned(),
        payload_hash: payload_hash(&request.method, &request.path, &request.query),
        record_hash: String::new(),
        summary: format!("{}: {verdict}", request.summary),
        source_ip: request.address.clone(),
        occurred_at: request.at,
    };
    record.record_hash = record.hash_after(&after.record_hash);
    record
}
