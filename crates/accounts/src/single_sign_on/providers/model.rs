//! Providers of identities on the wire and in storage.

use chrono::{DateTime, Utc};
use planwright_domain::Role;
use planwright_domain::ids::{SsoProviderId, UserId};
use planwright_store::record::OnDelete;
use planwright_store::{record, row, tracked};
use planwright_web::input::{Int, Name, Patch, Secret};
use planwright_web::scope::Workspace;
use planwright_web::{Resource, input};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value as Json};

record! {
    /// A provider as it is stored.
    pub struct SsoProviderRow in sso_providers {
        #[serde(skip)]
        pub id: SsoProviderId,
        pub slug: String,
        pub display_name: String,
        pub enabled: bool,
        pub client_id: String,
        /// The secret, sealed with the id of the row; blank if there is none.
        #[serde(skip)]
        pub sealed_secret: String,
        pub server_url: String,
        pub github_org: String,
        pub allowed_email_domains: Json,
        pub auto_create_members: bool,
        pub default_role: Role,
        /// Who wrote it last. It vouches for addresses of people below their rank.
        pub kept_by: Option<UserId>,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub updated_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

// A deleted provider cannot be restored: who its people are here is forgotten with it.
tracked! {
    SsoProviderRow as "sso_provider" {
        const ON_DELETE: OnDelete = OnDelete::Remove;
    }
}

impl Resource for SsoProviderRow {
    type Container = Workspace;

    fn container(&self) -> Workspace {
        Workspace
    }
}

impl SsoProviderRow {
    /// A provider of which nothing is known yet.
    pub fn fresh(id: SsoProviderId, slug: &str, name: &str, now: DateTime<Utc>) -> Self {
        Self {
            id,
            slug: slug.to_owned(),
            display_name: name.to_owned(),
            enabled: false,
            client_id: String::new(),
            sealed_secret: String::new(),
            server_url: String::new(),
            github_org: String::new(),
            allowed_email_domains: Json::Array(Vec::new()),
            auto_create_members: false,
            default_role: Role::Member,
            kept_by: None,
            created_at: now,
            updated_at: now,
            server_version: 1,
        }
    }

    /// The domains whose people may sign in, in lower case.
    pub fn domains(&self) -> Vec<String> {
        let list = self.allowed_email_domains.as_array().into_iter().flatten();
        list.filter_map(Json::as_str).map(str::to_owned).collect()
    }

    /// What its secret is sealed for.
    pub fn purpose(&self) -> String {
        format!("sso provider {}", self.id)
    }
}

row! {
    /// How many people a provider signs in, and how many of them have no other way in.
    #[derive(Copy, Default)]
    pub struct LinkedRow {
        pub linked: i64,
        pub locked_out: i64,
    }
}

input! {
    /// A provider, or some fields of one.
    pub struct SsoProviderWriteRequest {
        /// Which provider it is: `generic`, `google`, `entra`, `gitlab`, `keycloak`, `authentik`, `zitadel`, `okta`, `auth0` or
        /// `github`; with `-` and more letters where there are several of a kind. It never changes.
        pub slug: Patch<Name<1, 40>>,
        /// What people see on the button.
        pub display_name: Patch<Name<0, 80>>,
        /// The id of this installation at the provider.
        pub client_id: Patch<Name<0, 255>>,
        /// The secret that belongs to it. It is never shown.
        pub client_secret: Patch<Secret<1, 1024>>,
        /// The issuer; a tenant or domain is enough for `entra`, `okta` and `auth0`. It stays as it is once people are linked.
        pub server_url: Patch<Name<0, 2048>>,
        /// Only members of this GitHub organisation may sign in.
        pub github_org: Patch<Name<0, 39>>,
        /// Whether people may sign in with it.
        pub enabled: Patch<bool>,
        /// Only people with an address in one of these domains may sign in.
        pub allowed_email_domains: Patch<Vec<Name<1, 253>>>,
        /// Whether people who have no account yet get one.
        pub auto_create_members: Patch<bool>,
        /// The rank of those: 100 or 300.
        pub default_role: Patch<Int<0, 1000>>,
        /// Passwords stay possible. This cannot be written.
        pub allow_password_signin: Patch<bool>,
    }
}

/// A provider of identities.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SsoProviderRead {
    /// Which provider it is.
    pub slug: String,
    /// `openid_connect` or `github`.
    pub provider: &'static str,
    /// How its address is known: `free`, `fixed`, `derived` or `oauth`.
    pub kind: &'static str,
    pub display_name: String,
    pub enabled: bool,
    pub client_id: String,
    /// The issuer.
    pub server_url: String,
    pub github_org: String,
    /// What is asked for at the provider.
    pub scopes: Vec<&'static str>,
    pub allowed_email_domains: Vec<String>,
    pub auto_create_members: bool,
    /// The rank of people who are added.
    pub default_role: i64,
    /// Always true.
    pub allow_password_signin: bool,
    /// Always false.
    pub allow_password_signin_enforced: bool,
    /// Whether a secret is stored.
    pub secret_set: bool,
    /// The address to register at the provider.
    pub redirect_uri: String,
    /// How many people sign in with it.
    pub linked_account_count: i64,
    /// How many of them could not sign in without it.
    pub locked_out_account_count: i64,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub server_version: i64,
}

/// Whether a provider works.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct SsoTestConnectionResponse {
    pub ok: bool,
    /// The issuer that answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issuer: Option<String>,
    /// The addresses that it named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endpoints: Option<Map<String, Json>>,
    /// What is wrong: `no_issuer`, `provider_unreachable`, `invalid_id_token`, `jwks_unreachable`, `jwks_empty` or
    /// `github_unreachable`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<&'static str>,
    /// The same as a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

input! {
    /// Whether people may lose their only way in.
    pub struct RemovalQuery {
        /// Delete it although people have no other way in.
        pub confirm_lockout: Patch<bool>,
    }
}
