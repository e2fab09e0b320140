//! Every statement of the log of agents.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use planwright_domain::ids::{ProgramId, ProjectId, TokenId};
use planwright_store::record::{Record, select_list};
use planwright_store::value::list;
use planwright_store::{Read, Result, Sql, Tx, row, sql};
use planwright_web::Actor;
use uuid::Uuid;

use crate::chain::{ActionRecord, Link};

row! {
    struct EndRow {
        sequence: i64,
        record_hash: String,
    }
}

row! {
    struct PrunedRow {
        pruned_sequence: i64,
        pruned_hash: String,
    }
}

/// The end of the chain, locked until the transaction ends.
pub(crate) async fn lock_end(tx: &mut Tx) -> Result<Link> {
    let genesis = Link::genesis();
    let first = "INSERT INTO agent_chain (id, sequence, record_hash, pruned_sequence, pruned_hash)
                 VALUES (1, 0, :hash, 0, :hash) ON CONFLICT (id) DO NOTHING";
    tx.run(sql!(first, hash = genesis.record_hash.clone())).await?;
    let select =
        format!("SELECT sequence, record_hash FROM agent_chain WHERE id = 1 {}", tx.engine().row_lock());
    let row: EndRow = tx.one(sql!(select)).await?;
    Ok(Link { sequence: row.sequence, record_hash: row.record_hash })
}

/// Sets the end of the chain.
pub(crate) async fn set_end(tx: &mut Tx, end: &Link) -> Result<()> {
    let update = "UPDATE agent_chain SET sequence = :sequence, record_hash = :hash WHERE id = 1";
    tx.run(sql!(update, sequence = end.sequence, hash = &end.record_hash)).await.map(drop)
}

/// The end of the chain as it is stored. `None` if no agent ever asked for anything.
pub(crate) async fn end(db: &dyn Read) -> Result<Option<Link>> {
    let row: Option<EndRow> =
        db.maybe(sql!("SELECT sequence, record_hash FROM agent_chain WHERE id = 1")).await?;
    Ok(row.map(|row| Link { sequence: row.sequence, record_hash: row.record_hash }))
}

/// The last record that was pruned, from which the chain goes on; the genesis if none was.
pub(crate) async fn checkpoint(db: &dyn Read) -> Result<Link> {
    let select = "SELECT pruned_sequence, pruned_hash FROM agent_chain WHERE id = 1";
    let row: Option<PrunedRow> = db.maybe(sql!(select)).await?;
    Ok(row.map_or_else(Link::genesis, |row| Link {
        sequence: row.pruned_sequence,
        record_hash: row.pruned_hash,
    }))
}

/// The next records after a place of the chain.
pub(crate) async fn after(db: &dyn Read, sequence: i64, most: i64) -> Result<Vec<ActionRecord>> {
    let columns = select_list::<ActionRecord>("a");
    let select = format!(
        "SELECT {columns} FROM agent_actions a WHERE a.sequence > :after ORDER BY a.sequence LIMIT :most"
    );
    db.all(sql!(select, after = sequence, most = most)).await
}

/// Removes the records before a day, except for the last one; the checkpoint is the last of them. Answers how many went.
pub(crate) async fn prune(tx: &mut Tx, before: DateTime<Utc>) -> Result<u64> {
    lock_end(tx).await?;
    let last = "SELECT sequence, record_hash FROM agent_actions WHERE occurred_at < :before
                ORDER BY sequence DESC LIMIT 1";
    let Some(last): Option<EndRow> = tx.maybe(sql!(last, before = before)).await? else { return Ok(0) };
    let update = "UPDATE agent_chain SET pruned_sequence = :sequence, pruned_hash = :hash WHERE id = 1";
    tx.run(sql!(update, sequence = last.sequence, hash = last.record_hash)).await?;
    tx.run(sql!("DELETE FROM agent_actions WHERE sequence <= :sequence", sequence = last.sequence)).await
}

/// The prefixes of tokens.
pub(crate) async fn prefixes(
    db: &dyn Read,
    tokens: impl Iterator<Item = TokenId>,
) -> Result<HashMap<TokenId, String>> {
    let select = "SELECT id, token_prefix FROM api_tokens WHERE id IN (:ids)";
    let rows: Vec<(TokenId, String)> = db.all(sql!(select, ids = list(tokens))).await?;
    Ok(rows.into_iter().collect())
}

/// What a list of records is narrowed by.
#[derive(Default)]
pub(crate) struct Narrowing {
    pub(crate) verdict: Option<String>,
    pub(crate) constraint: Option<String>,
    pub(crate) project: Option<ProjectId>,
    pub(crate) program: Option<ProgramId>,
    pub(crate) since: Option<DateTime<Utc>>,
}

/// The records that the caller sees: those of their own agents, and those of the projects that they belong to.
pub(crate) fn visible(actor: &Actor, by: Narrowing) -> Sql {
    let own = sql!("FROM agent_actions a WHERE (a.principal_id = :me OR (TRUE", me = actor.id);
    actor
        .in_visible_projects(own, "a.project_id")
        .push("))")
        .when("AND a.verdict = :verdict", "verdict", by.verdict)
        .when("AND a.refusal_constraint = :constraint", "constraint", by.constraint)
        .when("AND a.project_id = :project", "project", by.project)
        .when(
            "AND a.project_id IN (SELECT x.id FROM projects x WHERE x.program_id = :program)",
            "program",
            by.program,
        )
        .when("AND a.occurred_at >= :since", "since", by.since)
}

/// The select list of a record.
pub(crate) fn columns() -> String {
    format!("SELECT {} ", ActionRecord::select_list("a"))
}

/// One record, if the caller sees it.
pub(crate) async fn find(db: &dyn Read, actor: &Actor, id: Uuid) -> Result<Option<ActionRecord>> {
    let from = visible(actor, Narrowing::default()).push(" AND a.id = :id").bind("id", id);
    db.maybe(from.wrap(&columns(), "")).await
}
