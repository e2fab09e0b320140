//! Setting audiences and ceilings, and deciding on proposals.

use std::collections::BTreeMap;

use planwright_domain::ids::ProjectId;
use planwright_domain::words::{CeilingProposalStatus, ChangeKind, Signal, SignalAudience, Word};
use planwright_plan::Edit;
use planwright_store::history::Change;
use planwright_web::{ApiError, ApiResult};
use serde_json::{Map, json};

use super::model::{ProposalRow, SignalPair, VoteRow};
use super::{queries, rules};

/// Sets what holds for a figure, with its history.
pub async fn set(edit: &mut Edit, signal: Signal, before: SignalPair, after: SignalPair) -> ApiResult<()> {
    if before == after {
        return Ok(());
    }
    let project = edit.project()?;
    queries::set(edit, project, signal, after).await?;
    let fields = Map::from_iter([(signal.as_str().to_owned(), json!([before, after]))]);
    let change = Change::of("signal_privacy", project, ChangeKind::Updated, edit.grant.actor.id);
    let (project, program) = (Some(project), edit.grant.place.program);
    Ok(edit.record(Change { project, program, fields, ..change }).await?)
}

/// Lowers the ceiling of a figure at once; what is shown above it is no longer, and what was proposed is over.
pub async fn lower(
    edit: &mut Edit,
    signal: Signal,
    before: SignalPair,
    ceiling: SignalAudience,
) -> ApiResult<()> {
    set(edit, signal, before, SignalPair { audience: before.audience.min(ceiling), ceiling }).await?;
    for row in queries::open(edit, edit.project()?).await? {
        if row.signal == signal {
            end(edit, &row, CeilingProposalStatus::Superseded).await?;
        }
    }
    Ok(())
}

/// Shows every figure to the team alone, and lets it be shown no further.
pub async fn ratchet(edit: &mut Edit, pairs: BTreeMap<Signal, SignalPair>) -> ApiResult<()> {
    for (signal, before) in pairs {
        lower(edit, signal, before, SignalAudience::Team).await?;
    }
    Ok(())
}

/// Proposes a higher ceiling.
///
/// # Errors
/// 409 while another proposal for this figure is open.
pub async fn propose(
    edit: &mut Edit,
    signal: Signal,
    (from, to): (SignalAudience, SignalAudience),
) -> ApiResult<ProposalRow> {
    let (project, now) = (edit.project()?, edit.now());
    for row in queries::open(edit, project).await?.into_iter().filter(|row| row.signal == signal) {
        if rules::standing(&row, now) == CeilingProposalStatus::Open {
            return Err(ApiError::conflict("The team is voting on this figure already.")
                .with_code("proposal_already_open"));
        }
        end(edit, &row, CeilingProposalStatus::Expired).await?;
    }
    let row = ProposalRow {
        id: edit.mint(),
        project_id: project,
        signal,
        from_ceiling: from,
        to_ceiling: to,
        status: CeilingProposalStatus::Open,
        proposed_by: Some(edit.grant.actor.id),
        created_at: now,
        expires_at: rules::expiry(now),
        resolved_at: None,
        server_version: 1,
    };
    edit.create(&row).await?;
    Ok(row)
}

/// Refuses whatever is done about a proposal that is over.
pub fn is_open(edit: &Edit, row: &ProposalRow) -> ApiResult<()> {
    match rules::standing(row, edit.now()) {
        CeilingProposalStatus::Open => Ok(()),
        _ => Err(ApiError::conflict("The proposal is decided already.").with_code("proposal_closed")),
    }
}

/// Decides on a proposal if its votes do.
pub async fn count(edit: &mut Edit, row: ProposalRow, votes: &[VoteRow]) -> ApiResult<ProposalRow> {
    let project: ProjectId = row.project_id;
    let eligible = queries::eligible(edit, project).await?;
    let Some(verdict) = rules::verdict(votes, &eligible) else { return Ok(row) };
    if verdict == CeilingProposalStatus::Ratified {
        let before = queries::pairs(edit, project).await?.remove(&row.signal);
        let before = before.unwrap_or_else(|| rules::default_of(row.signal));
        set(edit, row.signal, before, SignalPair { ceiling: row.to_ceiling, ..before }).await?;
    }
    end(edit, &row, verdict).await
}

/// Ends a proposal.
pub async fn end(
    edit: &mut Edit,
    row: &ProposalRow,
    status: CeilingProposalStatus,
) -> ApiResult<ProposalRow> {
    let resolved_at = match status {
        CeilingProposalStatus::Expired => row.expires_at,
        _ => edit.now(),
    };
    let after = ProposalRow { status, resolved_at: Some(resolved_at), ..row.clone() };
    Ok(edit.update(row, after).await?.row)
}
