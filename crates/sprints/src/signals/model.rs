//! Audiences, ceilings and proposals, on the wire and in storage.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{CeilingProposalId, ProjectId, UserId};
use planwright_domain::words::{BallotChoice, CeilingProposalStatus, ChangeKind, Signal, SignalAudience};
use planwright_store::{record, row, tracked};
use planwright_web::{Resource, input};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};

row! {
    /// What is set of one figure.
    pub struct SignalRow {
        pub signal: Signal,
        pub audience: SignalAudience,
        pub ceiling: SignalAudience,
    }
}

/// How far a figure is shown, and how far it may be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SignalPair {
    pub audience: SignalAudience,
    pub ceiling: SignalAudience,
}

record! {
    /// A proposal to raise a ceiling, as it is stored. An open one that has run out is over, whatever stands here.
    pub struct ProposalRow in ceiling_proposals {
        #[serde(skip)]
        pub id: CeilingProposalId,
        #[serde(skip)]
        pub project_id: ProjectId,
        pub signal: Signal,
        pub from_ceiling: SignalAudience,
        pub to_ceiling: SignalAudience,
        pub status: CeilingProposalStatus,
        #[serde(skip)]
        pub proposed_by: Option<UserId>,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub expires_at: DateTime<Utc>,
        #[serde(skip)]
        pub resolved_at: Option<DateTime<Utc>>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! {
    ProposalRow as "ceiling_proposal" {
        const ON_DELETE: planwright_store::record::OnDelete = planwright_store::record::OnDelete::Remove;

        fn event(kind: ChangeKind) -> Option<SocketEvent> {
            match kind {
                ChangeKind::Created => Some(SocketEvent::CeilingProposalOpened),
                ChangeKind::Updated => Some(SocketEvent::CeilingProposalResolved),
                ChangeKind::Deleted | ChangeKind::Restored => None,
            }
        }

        fn payload(&self) -> Json {
            json!({ "id": self.id, "signal": self.signal })
        }
    }
}

impl Resource for ProposalRow {
    type Container = ProjectId;

    fn container(&self) -> ProjectId {
        self.project_id
    }
}

row! {
    /// A vote.
    pub struct VoteRow {
        pub proposal_id: CeilingProposalId,
        pub voter_id: UserId,
        pub choice: BallotChoice,
        pub created_at: DateTime<Utc>,
    }
}

/// A vote, as those see it who may vote.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CeilingVote {
    pub voter: UserId,
    pub choice: BallotChoice,
    pub created_at: DateTime<Utc>,
}

/// A proposal to let more people see a figure.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CeilingProposal {
    pub id: CeilingProposalId,
    pub signal: Signal,
    pub from_ceiling: SignalAudience,
    pub to_ceiling: SignalAudience,
    pub status: CeilingProposalStatus,
    pub proposed_by: Option<UserId>,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    pub resolved_at: Option<DateTime<Utc>>,
    pub approve_count: i64,
    pub reject_count: i64,
    /// How many may vote.
    pub eligible_count: i64,
    /// How many have to approve.
    pub threshold: i64,
    pub your_vote: Option<BallotChoice>,
    pub can_vote: bool,
    /// Empty for those who may not vote.
    pub votes: Vec<CeilingVote>,
}

/// Who sees which figure of the team.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SignalPrivacyPolicy {
    pub signals: BTreeMap<String, SignalPair>,
    /// The smallest audience that contains the caller.
    pub requester_tier: Option<SignalAudience>,
    pub can_set_audience: bool,
    pub can_raise_ceiling: bool,
    pub can_vote: bool,
    pub open_proposals: BTreeMap<String, CeilingProposal>,
}

input! {
    /// How far a figure is to be shown.
    pub struct PatchedSetAudienceRequest {
        /// The figure.
        pub signal: Signal,
        /// Who is to see it; at most the ceiling.
        pub audience: SignalAudience,
    }
}

input! {
    /// How far a figure may be shown.
    pub struct RaiseCeilingRequest {
        /// The figure.
        pub signal: Signal,
        /// The new ceiling. A lower one holds at once, a higher one once the team has voted for it.
        pub ceiling: SignalAudience,
    }
}

input! {
    /// A vote.
    pub struct CeilingVoteRequestRequest {
        /// For or against.
        pub choice: BallotChoice,
    }
}
