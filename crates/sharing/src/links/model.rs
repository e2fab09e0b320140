//! Public links: the row, the request, and how a link is shown. The token is shown once, when the link is made.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{ProjectId, ShareLinkId, UserId};
use planwright_domain::person;
use planwright_domain::words::SharedContent;
use planwright_store::record::OnDelete;
use planwright_store::{record, row, tracked};
use planwright_web::input::{Name, Patch};
use planwright_web::{Resource, input};
use schemars::JsonSchema;
use serde::Serialize;

record! {
    /// A public link as it is stored.
    pub struct ShareLinkRow in share_links {
        #[serde(skip)]
        pub id: ShareLinkId,
        #[serde(skip)]
        pub project_id: ProjectId,
        pub content_kind: SharedContent,
        #[serde(skip)]
        pub token_hash: String,
        pub token_prefix: String,
        pub label: String,
        pub show_assignees: bool,
        pub show_milestone_dates: bool,
        #[serde(skip)]
        pub created_by: Option<UserId>,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        pub expires_at: Option<DateTime<Utc>>,
        pub revoked_at: Option<DateTime<Utc>>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! {
    ShareLinkRow as "share_link" {
        // A revoked link stays, so that its address is told apart from one that never was.
        const ON_DELETE: OnDelete = OnDelete::Remove;
    }
}

impl Resource for ShareLinkRow {
    type Container = ProjectId;

    fn container(&self) -> ProjectId {
        self.project_id
    }
}

row! {
    /// A link with how often it was used and who made it.
    pub struct SeenLinkRow {
        pub id: ShareLinkId,
        pub content_kind: SharedContent,
        pub token_prefix: String,
        pub label: String,
        pub show_assignees: bool,
        pub show_milestone_dates: bool,
        pub created_at: DateTime<Utc>,
        pub expires_at: Option<DateTime<Utc>>,
        pub revoked_at: Option<DateTime<Utc>>,
        pub access_count: i64,
        pub last_accessed_at: Option<DateTime<Utc>>,
        pub username: Option<String>,
        pub first_name: Option<String>,
        pub last_name: Option<String>,
    }
}

input! {
    /// A new public link.
    pub struct ShareLinkCreateRequest {
        /// What it is for, in the list of links.
        pub label: Patch<Name<0, 120>>,
        /// Whether the picture names who does the work. False unless said otherwise.
        pub show_assignees: Patch<bool>,
        /// Whether the picture of a schedule has the dates of milestones. True unless said otherwise.
        pub show_milestone_dates: Patch<bool>,
        /// What it shows; the board unless said otherwise.
        pub content_kind: Patch<SharedContent>,
        /// When it ends by itself. It must be in the future.
        pub expires_at: Patch<Option<DateTime<Utc>>>,
    }
}

/// A public link.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ShareLink {
    pub id: ShareLinkId,
    pub content_kind: SharedContent,
    /// The first twelve characters of the token, to tell links apart.
    pub token_prefix: String,
    pub label: String,
    pub show_assignees: bool,
    pub show_milestone_dates: bool,
    /// The name of who made it.
    pub created_by: Option<String>,
    pub created_at: DateTime<Utc>,
    pub expires_at: Option<DateTime<Utc>>,
    pub revoked_at: Option<DateTime<Utc>>,
    /// How often the picture was sent. An answer that the reader had already does not count.
    pub access_count: i64,
    pub last_accessed_at: Option<DateTime<Utc>>,
    /// Whether it still works, as far as the link itself decides.
    pub is_active: bool,
    pub is_expired: bool,
}

impl ShareLink {
    /// How a link looks at a moment.
    pub fn of(row: SeenLinkRow, now: DateTime<Utc>) -> Self {
        let is_expired = row.expires_at.is_some_and(|at| at <= now);
        let name = |username: String| {
            let [first, last] = [row.first_name, row.last_name].map(Option::unwrap_or_default);
            person::display_name(&first, &last, &username)
        };
        Self {
            id: row.id,
            content_kind: row.content_kind,
            token_prefix: row.token_prefix,
            label: row.label,
            show_assignees: row.show_assignees,
            show_milestone_dates: row.show_milestone_dates,
            created_by: row.username.map(name),
            created_at: row.created_at,
            expires_at: row.expires_at,
            revoked_at: row.revoked_at,
            access_count: row.access_count,
            last_accessed_at: row.last_accessed_at,
            is_active: row.revoked_at.is_none() && !is_expired,
            is_expired,
        }
    }
}

/// A public link that was just made, with its token.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ShareLinkCreateResponse {
    #[serde(flatten)]
    pub link: ShareLink,
    /// The secret part of the address. It is shown only now.
    pub token: String,
    /// The path of the page that shows the picture.
    pub share_path: String,
}
