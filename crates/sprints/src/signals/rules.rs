//! What is set when nothing is, and when a proposal is decided: pure.

use chrono::{DateTime, TimeDelta, Utc};
use planwright_domain::ids::UserId;
use planwright_domain::words::{BallotChoice, CeilingProposalStatus, Signal, SignalAudience};
use planwright_plan::sprints::velocity_gate::DEFAULT_AUDIENCE;

use super::model::{CeilingProposal, CeilingVote, ProposalRow, SignalPair, VoteRow};

/// How long people can vote.
pub const OPEN_HOURS: i64 = 72;

/// What holds for a figure of which nobody has said anything.
pub fn default_of(signal: Signal) -> SignalPair {
    let ceiling = match signal {
        Signal::ThroughputRollup => SignalAudience::ProgramShared,
        Signal::Velocity | Signal::Pulse | Signal::FlowMetrics => SignalAudience::Team,
    };
    SignalPair { audience: DEFAULT_AUDIENCE, ceiling }
}

/// How many have to approve: more than half of those who may vote.
pub fn threshold(eligible: i64) -> i64 {
    eligible / 2 + 1
}

/// Where a proposal stands at a moment. This is the one place that knows when it has run out.
pub fn standing(row: &ProposalRow, now: DateTime<Utc>) -> CeilingProposalStatus {
    match row.status {
        CeilingProposalStatus::Open if row.expires_at <= now => CeilingProposalStatus::Expired,
        status => status,
    }
}

/// What the votes decide; nothing as long as both ends are possible.
pub fn verdict(votes: &[VoteRow], eligible: &[UserId]) -> Option<CeilingProposalStatus> {
    let (approve, reject) = counts(votes, eligible);
    let (all, needed) = (eligible.len() as i64, threshold(eligible.len() as i64));
    match () {
        () if approve >= needed => Some(CeilingProposalStatus::Ratified),
        () if reject > all - needed => Some(CeilingProposalStatus::Rejected),
        () => None,
    }
}

/// How many of those who may vote are for and against.
fn counts(votes: &[VoteRow], eligible: &[UserId]) -> (i64, i64) {
    let of = |choice: BallotChoice| {
        votes.iter().filter(|vote| vote.choice == choice && eligible.contains(&vote.voter_id)).count() as i64
    };
    (of(BallotChoice::Approve), of(BallotChoice::Reject))
}

/// When it is over in the end.
pub fn expiry(now: DateTime<Utc>) -> DateTime<Utc> {
    now + TimeDelta::hours(OPEN_HOURS)
}

/// A proposal for the eyes of a person.
pub fn shown(
    row: ProposalRow,
    votes: &[VoteRow],
    eligible: &[UserId],
    reader: UserId,
    now: DateTime<Utc>,
) -> CeilingProposal {
    let status = standing(&row, now);
    let may_vote = eligible.contains(&reader);
    let (approve_count, reject_count) = counts(votes, eligible);
    let told = votes.iter().filter(|_| may_vote).map(|vote| CeilingVote {
        voter: vote.voter_id,
        choice: vote.choice,
        created_at: vote.created_at,
    });
    CeilingProposal {
        id: row.id,
        signal: row.signal,
        from_ceiling: row.from_ceiling,
        to_ceiling: row.to_ceiling,
        status,
        proposed_by: row.proposed_by,
        created_at: row.created_at,
        expires_at: row.expires_at,
        resolved_at: row.resolved_at.or((status == CeilingProposalStatus::Expired).then_some(row.expires_at)),
        approve_count,
        reject_count,
        eligible_count: eligible.len() as i64,
        threshold: threshold(eligible.len() as i64),
        your_vote: votes.iter().find(|vote| vote.voter_id == reader).map(|vote| vote.choice),
        can_vote: may_vote && status == CeilingProposalStatus::Open,
        votes: told.collect(),
    }
}

#[cfg(test)]
mod tests {
    use planwright_domain::ids::{CeilingProposalId, ProjectId};
    use uuid::Uuid;

    use super::*;

    fn person(number: u128) -> UserId {
        UserId(Uuid::from_u128(number))
    }

    fn vote(number: u128, choice: BallotChoice) -> VoteRow {
        VoteRow {
            proposal_id: CeilingProposalId(Uuid::nil()),
            voter_id: person(number),
            choice,
            created_at: Default::default(),
        }
    }

    #[test]
    fn more_than_half_of_the_team_decide_and_votes_of_people_who_left_do_not_count() {
        let four: Vec<UserId> = (1..=4).map(person).collect();
        let (yes, no) = (BallotChoice::Approve, BallotChoice::Reject);
        let after = |votes: &[VoteRow]| verdict(votes, &four);
        assert_eq!(after(&[vote(1, yes), vote(2, yes)]), None);
        assert_eq!(after(&[vote(1, yes), vote(2, yes), vote(3, yes)]), Some(CeilingProposalStatus::Ratified));
        assert_eq!(after(&[vote(1, no)]), None);
        assert_eq!(after(&[vote(1, no), vote(2, no)]), Some(CeilingProposalStatus::Rejected));
        assert_eq!(after(&[vote(1, yes), vote(2, yes), vote(9, yes)]), None);
        assert_eq!(verdict(&[vote(1, yes)], &[person(1)]), Some(CeilingProposalStatus::Ratified));
    }

    #[test]
    fn a_proposal_runs_out_by_itself() {
        let now = DateTime::<Utc>::default();
        let row = ProposalRow {
            id: CeilingProposalId(Uuid::nil()),
            project_id: ProjectId(Uuid::nil()),
            signal: Signal::Velocity,
            from_ceiling: SignalAudience::Team,
            to_ceiling: SignalAudience::TeamSmPm,
            status: CeilingProposalStatus::Open,
            proposed_by: None,
            created_at: now,
            expires_at: expiry(now),
            resolved_at: None,
            server_version: 1,
        };
        assert_eq!(standing(&row, now + TimeDelta::hours(71)), CeilingProposalStatus::Open);
        assert_eq!(standing(&row, now + TimeDelta::hours(72)), CeilingProposalStatus::Expired);
        let ratified = ProposalRow { status: CeilingProposalStatus::Ratified, ..row };
        assert_eq!(standing(&ratified, now + TimeDelta::hours(99)), CeilingProposalStatus::Ratified);
    }
}
