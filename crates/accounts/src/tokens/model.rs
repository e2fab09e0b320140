//! Personal tokens on the wire and in storage.
//! The token itself is answered once, when it is minted; only its hash is stored.

use chrono::{DateTime, Utc};
use planwright_domain::ids::TokenId;
use planwright_domain::words::{TokenScope, Word};
use planwright_store::{record, row};
use planwright_web::input;
use planwright_web::input::{Name, Patch, Secret};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

record! {
    /// A personal token as it is stored, without its hash.
    pub struct TokenRow in api_tokens {
        pub id: TokenId,
        pub name: String,
        pub token_prefix: String,
        pub scopes: Json,
        pub created_at: DateTime<Utc>,
        pub last_used_at: Option<DateTime<Utc>>,
        pub expires_at: Option<DateTime<Utc>>,
        pub revoked_at: Option<DateTime<Utc>>,
    }
}

row! {
    /// As much of a token as its revocation needs.
    pub struct Unrevoked {
        pub id: TokenId,
        pub token_prefix: String,
        pub created_at: DateTime<Utc>,
    }
}

/// A personal access token of the caller.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MyApiToken {
    /// Its id.
    pub id: TokenId,
    /// The name that its owner chose.
    pub name: String,
    /// The first eight characters, so that people can tell tokens apart.
    pub token_prefix: String,
    /// The scopes.
    pub scopes: Vec<TokenScope>,
    /// The time at which it was created.
    pub created_at: DateTime<Utc>,
    /// When it was used last, to the minute.
    pub last_used_at: Option<DateTime<Utc>>,
    /// The time at which it expires.
    pub expires_at: Option<DateTime<Utc>>,
    /// When it was revoked.
    pub revoked_at: Option<DateTime<Utc>>,
    /// Whether it was revoked.
    pub is_revoked: bool,
    /// Whether it has expired.
    pub is_expired: bool,
}

impl MyApiToken {
    /// A row as it stands at an instant.
    pub fn of(row: TokenRow, now: DateTime<Utc>) -> Self {
        let listed = row.scopes.as_array().map(Vec::as_slice).unwrap_or_default();
        Self {
            id: row.id,
            name: row.name,
            token_prefix: row.token_prefix,
            scopes: listed.iter().filter_map(|scope| TokenScope::parse(scope.as_str()?)).collect(),
            created_at: row.created_at,
            last_used_at: row.last_used_at,
            expires_at: row.expires_at,
            revoked_at: row.revoked_at,
            is_revoked: row.revoked_at.is_some(),
            is_expired: row.expires_at.is_some_and(|at| at <= now),
        }
    }
}

/// A new personal access token, with the token itself. The token is never shown again.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MintedApiToken {
    /// The token as every later answer shows it.
    #[serde(flatten)]
    pub shown: MyApiToken,
    /// The token itself.
    pub token: String,
    /// A warning for its owner. Null if there is none.
    pub warning: Option<&'static str>,
}

impl MintedApiToken {
    /// A token with its secret; one that never expires is warned of.
    pub fn new(shown: MyApiToken, token: String) -> Self {
        let warning =
            "The token never expires. Revoke it when you no longer need it, or create one with expires_at.";
        Self { warning: shown.expires_at.is_none().then_some(warning), shown, token }
    }
}

input! {
    /// A new personal access token.
    pub struct MyApiTokenRequest {
        /// The name that its owner chose.
        pub name: Name<1, 128>,
        /// The scopes. `legacy:full` acts as its owner. `mcp:read` reads what agents may see.
        pub scopes: Patch<Vec<TokenScope>>,
        /// The time at which it expires. `mcp:read` must expire within a year.
        pub expires_at: Patch<Option<DateTime<Utc>>>,
        /// The password of the caller. It is required if the sign-in is more than ten minutes ago.
        pub current_password: Patch<Secret<1, 1024>>,
    }
}
