//! Rounds of planning poker on the wire and in storage.

use chrono::{DateTime, Utc};
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{PokerSessionId, ProjectId, SprintId, TaskId, UserId};
use planwright_domain::person::display_name;
use planwright_domain::words::{ChangeKind, PokerState};
use planwright_store::{record, row, tracked};
use planwright_web::input::{LongText, Patch};
use planwright_web::{Field, Problem, Resource, input};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};

use crate::of_sprint::OfSprint;

record! {
    /// A round as it is stored.
    pub struct PokerRow in poker_sessions {
        #[serde(skip)]
        pub id: PokerSessionId,
        #[serde(skip)]
        pub project_id: ProjectId,
        #[serde(skip)]
        pub sprint_id: SprintId,
        #[serde(rename = "task")]
        pub task_id: TaskId,
        pub state: PokerState,
        pub committed_points: Option<i64>,
        #[serde(skip)]
        pub started_by: UserId,
        #[serde(skip)]
        pub started_at: DateTime<Utc>,
        /// When a size was taken over, or the round was given up.
        #[serde(skip)]
        pub closed_at: Option<DateTime<Utc>>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! {
    PokerRow as "poker_session" {
        fn event(_: ChangeKind) -> Option<SocketEvent> {
            Some(SocketEvent::PokerSessionUpdated)
        }

        fn payload(&self) -> Json {
            json!({ "id": self.id, "task_id": self.task_id, "state": self.state })
        }
    }
}

impl Resource for PokerRow {
    type Container = OfSprint;

    fn container(&self) -> OfSprint {
        OfSprint(self.sprint_id)
    }
}

row! {
    /// A round with what is shown beside it.
    pub struct ShownPokerRow {
        pub task_name: String,
        pub starter_username: String,
        pub starter_first_name: String,
        pub starter_last_name: String,
        pub participant_count: i64,
    }
    and pub session: PokerRow
}

row! {
    /// A vote with its voter.
    pub struct VoteRow {
        pub session_id: PokerSessionId,
        pub voter_id: UserId,
        pub username: String,
        pub first_name: String,
        pub last_name: String,
        pub value: Option<i64>,
        pub comment: String,
    }
}

/// A person, as a round shows them.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PokerPerson {
    pub id: UserId,
    pub username: String,
    pub display_name: String,
}

/// The task of a round.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PokerTask {
    pub id: TaskId,
    pub name: String,
}

/// A vote without its voter.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OwnVote {
    /// The size; null for somebody who does not know.
    pub value: Option<i64>,
    pub comment: String,
}

/// A vote.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PokerVote {
    pub voter: PokerPerson,
    /// The size; null for somebody who does not know.
    pub value: Option<i64>,
    pub comment: String,
}

/// A round of planning poker.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PokerSession {
    pub id: PokerSessionId,
    pub task: PokerTask,
    pub state: PokerState,
    /// The size that was taken over.
    pub committed_points: Option<i64>,
    pub started_by: PokerPerson,
    pub started_at: DateTime<Utc>,
    /// Your own vote.
    pub my_vote: Option<OwnVote>,
    pub vote_count: usize,
    /// How many people may vote: the default team.
    pub participant_count: i64,
    /// The votes; empty until they are revealed.
    pub votes: Vec<PokerVote>,
    /// The sizes that can be voted for, by the estimation scale of the project.
    pub cards: Vec<i64>,
}

impl PokerSession {
    /// A round for the eyes of a person, with its own votes among `votes`.
    pub fn of(row: ShownPokerRow, votes: &[VoteRow], me: UserId, cards: &[i64]) -> Self {
        let own: Vec<&VoteRow> = votes.iter().filter(|vote| vote.session_id == row.session.id).collect();
        let mine = own.iter().find(|vote| vote.voter_id == me);
        let is_revealed = matches!(row.session.state, PokerState::Revealed | PokerState::Committed);
        let person = |id, username: &str, first: &str, last: &str| PokerPerson {
            id,
            username: username.to_owned(),
            display_name: display_name(first, last, username),
        };
        let shown = own.iter().filter(|_| is_revealed).map(|vote| PokerVote {
            voter: person(vote.voter_id, &vote.username, &vote.first_name, &vote.last_name),
            value: vote.value,
            comment: vote.comment.clone(),
        });
        let (first, last) = (&row.starter_first_name, &row.starter_last_name);
        Self {
            id: row.session.id,
            task: PokerTask { id: row.session.task_id, name: row.task_name },
            state: row.session.state,
            committed_points: row.session.committed_points,
            started_by: person(row.session.started_by, &row.starter_username, first, last),
            started_at: row.session.started_at,
            my_vote: mine.map(|vote| OwnVote { value: vote.value, comment: vote.comment.clone() }),
            vote_count: own.len(),
            participant_count: row.participant_count,
            votes: shown.collect(),
            cards: cards.to_vec(),
        }
    }
}

/// Every size of every scale.
const ALL_CARDS: [i64; 12] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 21];

/// A size that is on a card of some scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Card(pub i64);

impl Field for Card {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        let number = value.as_i64().or_else(|| value.as_str()?.parse().ok());
        let card = number.filter(|number| ALL_CARDS.contains(number));
        card.map(Self).ok_or_else(|| Problem::says(format!("Choose one of the cards: {ALL_CARDS:?}.")))
    }
}

#[schemars::for_document]
impl JsonSchema for Card {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "PokerCard".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "integer", "enum": ALL_CARDS })
    }
}

input! {
    /// A new round.
    pub struct OpenPokerRequest {
        /// The task whose size is asked for; one of the sprint.
        pub task: TaskId,
    }
}

input! {
    /// A vote.
    pub struct CastVoteRequest {
        /// The size; null for somebody who does not know.
        pub value: Option<Card>,
        /// Why.
        pub comment: Patch<LongText<0, 280>>,
    }
}

input! {
    /// The size that a task gets.
    pub struct CommitPokerRequest {
        /// A card of the estimation scale of the project.
        pub points: Card,
    }
}
