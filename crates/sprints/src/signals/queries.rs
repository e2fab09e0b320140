//! The statements about audiences, ceilings and proposals.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use planwright_domain::ids::{CeilingProposalId, ProjectId, UserId};
use planwright_domain::words::{BallotChoice, Signal, Word};
use planwright_store::record::Record;
use planwright_store::value::list;
use planwright_store::{Read, Result, Tx, sql};
use planwright_web::visible::project_is_open_to;

use super::model::{ProposalRow, SignalPair, SignalRow, VoteRow};
use super::rules::default_of;

/// How many resolved proposals a list shows.
const RESOLVED: i64 = 20;

/// What holds for every figure of a project.
pub async fn pairs(db: &dyn Read, project: ProjectId) -> Result<BTreeMap<Signal, SignalPair>> {
    let select = "SELECT signal, audience, ceiling FROM signal_audiences WHERE project_id = :project";
    let rows: Vec<SignalRow> = db.all(sql!(select, project = project)).await?;
    let mut pairs: BTreeMap<Signal, SignalPair> =
        Signal::ALL.iter().map(|signal| (*signal, default_of(*signal))).collect();
    for row in rows {
        pairs.insert(row.signal, SignalPair { audience: row.audience, ceiling: row.ceiling });
    }
    Ok(pairs)
}

/// Sets what holds for a figure.
pub async fn set(tx: &mut Tx, project: ProjectId, signal: Signal, pair: SignalPair) -> Result<()> {
    let upsert = "INSERT INTO signal_audiences (project_id, signal, audience, ceiling)
         VALUES (:project, :signal, :audience, :ceiling)
         ON CONFLICT (project_id, signal) DO UPDATE SET audience = excluded.audience, ceiling = excluded.ceiling";
    let SignalPair { audience, ceiling } = pair;
    tx.run(sql!(upsert, project = project, signal = signal, audience = audience, ceiling = ceiling))
        .await
        .map(drop)
}

/// Who may vote: those in the default team who still take part in the project.
pub async fn eligible(db: &dyn Read, project: ProjectId) -> Result<Vec<UserId>> {
    let select = format!(
        "SELECT DISTINCT x.user_id FROM team_members x JOIN users u ON u.id = x.user_id
         JOIN teams t ON t.id = x.team_id AND t.is_default
         JOIN projects p ON p.id = t.project_id AND {}
         JOIN project_members m ON m.project_id = t.project_id AND m.user_id = x.user_id
            AND m.deletion_id IS NULL AND m.role >= 100
         WHERE t.project_id = :project ORDER BY x.user_id",
        project_is_open_to("u", "p")
    );
    db.scalars(sql!(select, project = project)).await
}

/// Proposals that are stored as open.
pub async fn open(db: &dyn Read, project: ProjectId) -> Result<Vec<ProposalRow>> {
    let columns = ProposalRow::select_list("c");
    let select = format!(
        "SELECT {columns} FROM ceiling_proposals c WHERE c.project_id = :project AND c.status = 'open' ORDER BY c.id"
    );
    db.all(sql!(select, project = project)).await
}

/// The proposals of a project, newest first: those that are open and the last of the others.
pub async fn recent(db: &dyn Read, project: ProjectId, now: DateTime<Utc>) -> Result<Vec<ProposalRow>> {
    let columns = ProposalRow::select_list("c");
    let select = format!(
        "SELECT {columns} FROM ceiling_proposals c WHERE c.project_id = :project AND (
            (c.status = 'open' AND c.expires_at > :now) OR c.id IN (
                SELECT r.id FROM ceiling_proposals r
                WHERE r.project_id = :project AND (r.status <> 'open' OR r.expires_at <= :now)
                ORDER BY r.created_at DESC, r.id DESC LIMIT :most))
         ORDER BY c.created_at DESC, c.id DESC"
    );
    db.all(sql!(select, project = project, now = now, most = RESOLVED)).await
}

/// The votes on some proposals, in their order.
pub async fn votes(db: &dyn Read, proposals: &[CeilingProposalId]) -> Result<Vec<VoteRow>> {
    if proposals.is_empty() {
        return Ok(Vec::new());
    }
    let select = "SELECT proposal_id, voter_id, choice, created_at FROM ceiling_votes
         WHERE proposal_id IN (:proposals) ORDER BY created_at, voter_id";
    db.all(sql!(select, proposals = list(proposals.iter().copied()))).await
}

/// Casts a vote, or changes one.
pub async fn vote(
    tx: &mut Tx,
    proposal: CeilingProposalId,
    voter: UserId,
    choice: BallotChoice,
) -> Result<()> {
    let upsert = "INSERT INTO ceiling_votes (proposal_id, voter_id, choice, created_at)
         VALUES (:proposal, :voter, :choice, :now)
         ON CONFLICT (proposal_id, voter_id) DO UPDATE SET choice = excluded.choice, created_at = excluded.created_at";
    let now = tx.now();
    tx.run(sql!(upsert, proposal = proposal, voter = voter, choice = choice, now = now)).await.map(drop)
}
