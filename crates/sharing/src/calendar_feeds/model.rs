//! Calendar feeds on the wire and in storage. The secret is answered once, when the feed is made; only its hash is stored.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{CalendarFeedId, ProgramId, ProjectId, UserId};
use planwright_domain::words::FeedContent;
use planwright_store::record;
use planwright_web::input;
use planwright_web::input::{Name, Patch};
use schemars::JsonSchema;
use serde::Serialize;

record! {
    /// A calendar feed as it is stored.
    pub struct CalendarFeedRow in calendar_feeds {
        pub id: CalendarFeedId,
        pub user_id: UserId,
        pub name: String,
        pub content_kind: FeedContent,
        pub project_id: Option<ProjectId>,
        pub program_id: Option<ProgramId>,
        pub include_done: bool,
        pub token_hash: String,
        pub token_prefix: String,
        pub created_at: DateTime<Utc>,
        pub last_used_at: Option<DateTime<Utc>>,
    }
}

input! {
    /// A new calendar feed.
    pub struct CalendarFeedCreateRequest {
        /// What it shows.
        pub content_kind: FeedContent,
        /// The project whose milestones it shows.
        pub project: Patch<Option<ProjectId>>,
        /// The program whose milestones it shows, instead of one project.
        pub program: Patch<Option<ProgramId>>,
        /// Whether it shows what is done, too. False unless said otherwise.
        pub include_done: Patch<bool>,
        /// How calendar programs call it. Blank: the name of the project or program, or "My tasks".
        pub name: Patch<Name<0, 120>>,
    }
}

/// An address at which calendar programs read for the caller.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CalendarFeed {
    pub id: CalendarFeedId,
    /// How calendar programs call it.
    pub name: String,
    pub content_kind: FeedContent,
    /// The project whose milestones it shows.
    pub project: Option<ProjectId>,
    /// The program whose milestones it shows.
    pub program: Option<ProgramId>,
    /// Whether it shows what is done, too.
    pub include_done: bool,
    /// The first eight characters of the secret, to tell feeds apart.
    pub token_prefix: String,
    pub created_at: DateTime<Utc>,
    /// When a calendar program read it last, to the minute.
    pub last_used_at: Option<DateTime<Utc>>,
}

impl From<CalendarFeedRow> for CalendarFeed {
    fn from(row: CalendarFeedRow) -> Self {
        Self {
            id: row.id,
            name: row.name,
            content_kind: row.content_kind,
            project: row.project_id,
            program: row.program_id,
            include_done: row.include_done,
            token_prefix: row.token_prefix,
            created_at: row.created_at,
            last_used_at: row.last_used_at,
        }
    }
}

/// A calendar feed that was just made, with its address.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CalendarFeedCreateResponse {
    #[serde(flatten)]
    pub feed: CalendarFeed,
    /// The path of its address, with the secret. It is shown only now.
    pub feed_path: String,
}
