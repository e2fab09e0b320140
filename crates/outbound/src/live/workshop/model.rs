//! The types of a workshop in answers and in the database.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{ProjectId, UserId};
use planwright_domain::person::display_name;
use planwright_store::row;
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use super::rules;

/// A session in which several people work on a plan at once.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WorkshopSession {
    id: Uuid,
    project_id: ProjectId,
    /// The person who began it.
    started_by_id: Option<UserId>,
    started_at: DateTime<Utc>,
    /// The time at which it ended. Null while it is running.
    ended_at: Option<DateTime<Utc>>,
    /// Everybody who has taken part, in the order in which they joined.
    participants: Vec<WorkshopParticipant>,
}

/// A participant of a workshop, also one who has left.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WorkshopParticipant {
    /// Their number in the session, from 1.
    id: i64,
    user_id: UserId,
    display_name: String,
    joined_at: DateTime<Utc>,
    /// The time at which the person left. Null while the person is there.
    left_at: Option<DateTime<Utc>>,
    /// Their colour, from 0 to 7.
    color_index: i64,
}

row! {
    /// A session as it is stored.
    pub struct SessionRow {
        /// Its id.
        pub id: Uuid,
        /// Its project.
        pub project_id: ProjectId,
        /// The person who began it.
        pub started_by_id: Option<UserId>,
        /// The time.
        pub started_at: DateTime<Utc>,
        /// When it ended.
        pub ended_at: Option<DateTime<Utc>>,
    }
}

row! {
    /// A participant as they are stored.
    pub struct ParticipantRow {
        /// Their number in the session.
        pub number: i64,
        /// Who it is.
        pub user_id: UserId,
        /// Their first name.
        pub first_name: String,
        /// Their last name.
        pub last_name: String,
        /// The user name.
        pub username: String,
        /// When they joined.
        pub joined_at: DateTime<Utc>,
        /// When they left.
        pub left_at: Option<DateTime<Utc>>,
    }
}

impl WorkshopSession {
    /// A session with its participants.
    pub fn shown(row: SessionRow, participants: Vec<ParticipantRow>) -> Self {
        Self {
            id: row.id,
            project_id: row.project_id,
            started_by_id: row.started_by_id,
            started_at: row.started_at,
            ended_at: row.ended_at,
            participants: participants.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<ParticipantRow> for WorkshopParticipant {
    fn from(row: ParticipantRow) -> Self {
        Self {
            id: row.number,
            user_id: row.user_id,
            display_name: display_name(&row.first_name, &row.last_name, &row.username),
            joined_at: row.joined_at,
            left_at: row.left_at,
            color_index: rules::color(row.number),
        }
    }
}
