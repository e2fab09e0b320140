//! Credentials on the wire and in storage.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{CredentialId, UserId};
use planwright_domain::words::{CredentialProvider, Word};
use planwright_store::record;
use planwright_web::input;
use planwright_web::input::{Name, Patch, Secret};
use schemars::JsonSchema;
use serde::Serialize;

use super::providers::Known;

record! {
    /// A credential as it is stored.
    pub struct CredentialRow in credentials {
        pub id: CredentialId,
        pub user_id: UserId,
        pub provider: CredentialProvider,
        pub base_url: String,
        pub sealed_secret: String,
        pub created_at: DateTime<Utc>,
        pub updated_at: DateTime<Utc>,
        pub last_used_at: Option<DateTime<Utc>>,
        pub expires_at: Option<DateTime<Utc>>,
    }
}

impl CredentialRow {
    /// What the secret is sealed for: nothing else, and no other row.
    pub fn purpose(&self) -> String {
        format!("credential {}", self.id)
    }
}

input! {
    /// A secret of another provider.
    pub struct CredentialUpsertRequest {
        /// The secret, such as a personal access token of the provider.
        pub secret: Secret<1, 4096>,
        /// Where the provider is, for those that people run themselves.
        pub base_url: Patch<Name<0, 512>>,
        /// When it ends. It is not used any more after that.
        pub expires_at: Patch<Option<DateTime<Utc>>>,
    }
}

/// What is known of a credential of the caller. The secret is never shown.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CredentialSummary {
    /// The provider.
    pub provider: String,
    /// How people call it.
    pub name: String,
    /// Whether there is a credential.
    pub exists: bool,
    /// Where the provider is; blank for its usual place.
    pub base_url: String,
    pub created_at: Option<DateTime<Utc>>,
    pub updated_at: Option<DateTime<Utc>>,
    /// When the provider was asked with it last.
    pub last_used_at: Option<DateTime<Utc>>,
    pub expires_at: Option<DateTime<Utc>>,
    /// Whether links to this provider can be read only with a credential.
    pub requires_credential: bool,
}

impl CredentialSummary {
    /// What is known of a credential, or that there is none.
    pub fn of(known: &Known, row: Option<&CredentialRow>) -> Self {
        Self {
            provider: known.provider.as_str().to_owned(),
            name: known.name.to_owned(),
            exists: row.is_some(),
            base_url: row.map(|row| row.base_url.clone()).unwrap_or_default(),
            created_at: row.map(|row| row.created_at),
            updated_at: row.map(|row| row.updated_at),
            last_used_at: row.and_then(|row| row.last_used_at),
            expires_at: row.and_then(|row| row.expires_at),
            requires_credential: known.requires_credential,
        }
    }
}
