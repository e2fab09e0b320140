//! Tokens of projects and programs on the wire and in storage.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{ProgramId, ProjectId, TokenId, UserId};
use planwright_domain::words::TokenScope;
use planwright_store::row;
use planwright_web::input;
use planwright_web::input::{Name, Patch};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value as Json};

row! {
    /// A token as it is stored, without its hash.
    pub struct ContainerTokenRow {
        pub id: TokenId,
        pub project_id: Option<ProjectId>,
        pub program_id: Option<ProgramId>,
        pub name: String,
        pub token_prefix: String,
        pub status_map: Json,
        pub created_by: UserId,
        pub created_at: DateTime<Utc>,
        pub last_used_at: Option<DateTime<Utc>>,
        pub expires_at: Option<DateTime<Utc>>,
        pub revoked_at: Option<DateTime<Utc>>,
    }
}

/// A token of a project or program.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProjectApiToken {
    pub id: TokenId,
    /// The project, if it is a token of one project.
    pub project: Option<ProjectId>,
    /// The program, if it is a token of all its projects.
    pub program: Option<ProgramId>,
    pub name: String,
    /// The first eight characters, so that people can tell tokens apart.
    pub token_prefix: String,
    /// What the statuses of the other system mean here.
    pub status_map: Json,
    /// The scopes. Always the same one: the token pushes work into its place.
    pub scopes: Vec<TokenScope>,
    pub created_by: UserId,
    pub created_at: DateTime<Utc>,
    /// When it was used last, to the minute.
    pub last_used_at: Option<DateTime<Utc>>,
    /// The time at which it expires.
    pub expires_at: Option<DateTime<Utc>>,
    pub revoked_at: Option<DateTime<Utc>>,
    /// Whether it was revoked.
    pub is_revoked: bool,
    /// Whether it has expired.
    pub is_expired: bool,
}

impl ProjectApiToken {
    /// A row as it stands at an instant.
    pub fn of(row: ContainerTokenRow, now: DateTime<Utc>) -> Self {
        Self {
            id: row.id,
            project: row.project_id,
            program: row.program_id,
            name: row.name,
            token_prefix: row.token_prefix,
            status_map: row.status_map,
            scopes: vec![TokenScope::LegacyFull],
            created_by: row.created_by,
            created_at: row.created_at,
            last_used_at: row.last_used_at,
            expires_at: row.expires_at,
            revoked_at: row.revoked_at,
            is_revoked: row.revoked_at.is_some(),
            is_expired: row.expires_at.is_some_and(|at| at <= now),
        }
    }
}

/// A new token with the token itself, which is never shown again.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MintedProjectApiToken {
    /// The token as every later answer shows it.
    #[serde(flatten)]
    pub shown: ProjectApiToken,
    /// The token itself.
    pub token: String,
}

input! {
    /// A new token of a project or program.
    pub struct ProjectApiTokenRequest {
        /// The name.
        pub name: Name<1, 128>,
        /// What the statuses of the other system mean here: an object from their names to statuses of tasks.
        pub status_map: Patch<Map<String, Json>>,
        /// The scopes. Only `legacy:full` is possible.
        pub scopes: Patch<Vec<TokenScope>>,
        /// The time at which it expires.
        pub expires_at: Patch<Option<DateTime<Utc>>>,
    }
}
