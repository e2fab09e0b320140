//! The routes of signal privacy: read and set audiences, change ceilings, vote.

use std::collections::BTreeMap;

use axum::extract::State;
use planwright_domain::access::{Action, allows_with, may};
use planwright_domain::ids::CeilingProposalId;
use planwright_domain::words::{CeilingProposalStatus, Signal, SignalAudience, Word};
use planwright_plan::Edit;
use planwright_plan::edit;
use planwright_plan::sprints::velocity_gate::tier;
use planwright_store::{Read, Result};
use planwright_web::grant::facets_of;
use planwright_web::version::Precondition;
use planwright_web::{
    Accepted, Actor, ApiError, ApiResult, App, Body, Either, Grant, IgnoredBody, Item, Json, ProjectScope,
    Routes, says,
};

use super::model::*;
use super::{commands, queries, rules};

const POLICY: &str = "/api/v1/projects/{project_pk}/signal-privacy/";
const PROPOSALS: &str = "/api/v1/projects/{project_pk}/signal-privacy/ceiling-proposals/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(POLICY, show, says("Who sees which figure of the team."))
        .patch(POLICY, set_audience, says("Show a figure to more or to fewer people, up to its ceiling."))
        .post(
            "/api/v1/projects/{project_pk}/signal-privacy/raise-ceiling/",
            raise,
            says("Lower the ceiling of a figure, or propose a higher one to the team."),
        )
        .post(
            "/api/v1/projects/{project_pk}/signal-privacy/ratchet-down/",
            ratchet,
            says("Show all figures to the team alone, and let them be shown no further."),
        )
        .get(PROPOSALS, proposals, says("The open proposals, and the last ones that were decided."))
        .post(
            "/api/v1/projects/{project_pk}/signal-privacy/ceiling-proposals/{proposal_pk}/vote/",
            vote,
            says("Vote on a proposal; a later vote replaces an earlier one."),
        )
        .post(
            "/api/v1/projects/{project_pk}/signal-privacy/ceiling-proposals/{proposal_pk}/withdraw/",
            withdraw,
            says("Take a proposal back."),
        )
}

type Steward = ProjectScope<may::SetAudience>;

async fn show(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
) -> ApiResult<Json<SignalPrivacyPolicy>> {
    Ok(Json(policy(&app, &app.db, &scope).await?))
}

async fn set_audience(
    State(app): State<App>,
    scope: Steward,
    Body(request): Body<PatchedSetAudienceRequest>,
) -> ApiResult<Json<SignalPrivacyPolicy>> {
    let mut edit = Edit::locked(&app, &scope).await?;
    let before = pair(&edit, &scope, request.signal).await?;
    if request.audience > before.ceiling {
        return Err(ApiError::invalid_field(
            "audience",
            "It is above the ceiling; the team has to raise that first.",
        ));
    }
    let after = SignalPair { audience: request.audience, ..before };
    commands::set(&mut edit, request.signal, before, after).await?;
    let shown = policy(&app, &edit, &scope).await?;
    edit.commit().await?;
    Ok(Json(shown))
}

async fn raise(
    State(app): State<App>,
    scope: Steward,
    Body(request): Body<RaiseCeilingRequest>,
) -> ApiResult<Either<Accepted<CeilingProposal>, Json<SignalPrivacyPolicy>>> {
    let mut edit = Edit::locked(&app, &scope).await?;
    let before = pair(&edit, &scope, request.signal).await?;
    if request.ceiling > before.ceiling {
        let ceilings = (before.ceiling, request.ceiling);
        let row = commands::propose(&mut edit, request.signal, ceilings).await?;
        let shown = one(&edit, &edit.grant.actor, row).await?;
        edit.commit().await?;
        return Ok(Either::This(Accepted(shown)));
    }
    commands::lower(&mut edit, request.signal, before, request.ceiling).await?;
    let shown = policy(&app, &edit, &scope).await?;
    edit.commit().await?;
    Ok(Either::That(Json(shown)))
}

async fn ratchet(
    State(app): State<App>,
    scope: Steward,
    _: IgnoredBody,
) -> ApiResult<Json<SignalPrivacyPolicy>> {
    let mut edit = Edit::locked(&app, &scope).await?;
    let pairs = queries::pairs(&edit, scope.project).await?;
    commands::ratchet(&mut edit, pairs).await?;
    let shown = policy(&app, &edit, &scope).await?;
    edit.commit().await?;
    Ok(Json(shown))
}

async fn proposals(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
) -> ApiResult<Json<Vec<CeilingProposal>>> {
    let now = app.clock.now();
    let rows = queries::recent(&app.db, scope.project, now).await?;
    let eligible = queries::eligible(&app.db, scope.project).await?;
    let ids: Vec<CeilingProposalId> = rows.iter().map(|row| row.id).collect();
    let votes = queries::votes(&app.db, &ids).await?;
    let shown = rows.into_iter().map(|row| {
        let own: Vec<VoteRow> = votes.iter().filter(|vote| vote.proposal_id == row.id).cloned().collect();
        rules::shown(row, &own, &eligible, scope.actor.id, now)
    });
    Ok(Json(shown.collect()))
}

async fn vote(
    State(app): State<App>,
    item: Item<ProposalRow, may::TakePart>,
    Body(request): Body<CeilingVoteRequestRequest>,
) -> ApiResult<Json<CeilingProposal>> {
    let (mut edit, row) = edit::open_within(&app, item, Precondition::default()).await?;
    let voter = edit.grant.actor.id;
    if !queries::eligible(&edit, row.project_id).await?.contains(&voter) {
        return Err(ApiError::forbidden("The members of the default team vote."));
    }
    commands::is_open(&edit, &row)?;
    queries::vote(&mut edit, row.id, voter, request.choice).await?;
    let votes = queries::votes(&edit, &[row.id]).await?;
    let row = commands::count(&mut edit, row, &votes).await?;
    let shown = one(&edit, &edit.grant.actor, row).await?;
    edit.commit().await?;
    Ok(Json(shown))
}

async fn withdraw(
    State(app): State<App>,
    item: Item<ProposalRow, may::TakePart>,
    _: IgnoredBody,
) -> ApiResult<Json<CeilingProposal>> {
    let (mut edit, row) = edit::open_within(&app, item, Precondition::default()).await?;
    let grant = edit.grant.clone();
    if row.proposed_by != Some(grant.actor.id) {
        ProjectScope::<may::SetAudience>::of(&edit, &grant.actor, grant.project()?).await?;
    }
    commands::is_open(&edit, &row)?;
    let row = commands::end(&mut edit, &row, CeilingProposalStatus::Superseded).await?;
    let shown = one(&edit, &edit.grant.actor, row).await?;
    edit.commit().await?;
    Ok(Json(shown))
}

async fn pair(db: &dyn Read, scope: &Steward, signal: Signal) -> Result<SignalPair> {
    let found = queries::pairs(db, scope.project).await?.remove(&signal);
    Ok(found.unwrap_or_else(|| rules::default_of(signal)))
}

/// A proposal for the eyes of the caller.
async fn one(edit: &Edit, caller: &Actor, row: ProposalRow) -> ApiResult<CeilingProposal> {
    let votes = queries::votes(edit, &[row.id]).await?;
    let eligible = queries::eligible(edit, row.project_id).await?;
    Ok(rules::shown(row, &votes, &eligible, caller.id, edit.now()))
}

/// What holds, for the eyes of the caller.
async fn policy(app: &App, db: &dyn Read, grant: &Grant) -> ApiResult<SignalPrivacyPolicy> {
    let (now, me, project) = (app.clock.now(), grant.actor.id, grant.project()?);
    let pairs = queries::pairs(db, project).await?;
    let eligible = queries::eligible(db, project).await?;
    let facets = facets_of(db, project, me).await?;
    let may_set = allows_with(Action::SetAudience, grant.role, facets);
    let rows = queries::open(db, project).await?;
    let is_open = |row: &ProposalRow| rules::standing(row, now) == CeilingProposalStatus::Open;
    let rows: Vec<ProposalRow> = rows.into_iter().filter(is_open).collect();
    let ids: Vec<CeilingProposalId> = rows.iter().map(|row| row.id).collect();
    let votes = queries::votes(db, &ids).await?;
    let mut open_proposals = BTreeMap::new();
    for row in rows {
        let own: Vec<VoteRow> = votes.iter().filter(|vote| vote.proposal_id == row.id).cloned().collect();
        let name = row.signal.as_str().to_owned();
        open_proposals.insert(name, rules::shown(row, &own, &eligible, me, now));
    }
    let named = |(signal, pair): (Signal, SignalPair)| (signal.as_str().to_owned(), pair);
    let requester_tier: SignalAudience = tier(grant.role, facets);
    Ok(SignalPrivacyPolicy {
        signals: pairs.into_iter().map(named).collect(),
        requester_tier: Some(requester_tier),
        can_set_audience: may_set,
        can_raise_ceiling: may_set,
        can_vote: eligible.contains(&me),
        open_proposals,
    })
}
