//! Invitations on the wire and in storage. The token of a link is nowhere but in the mail.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{InviteId, UserId};
use planwright_domain::words::InviteStatus;
use planwright_domain::{Role, person};
use planwright_store::record::OnDelete;
use planwright_store::{record, row, tracked};
use planwright_web::input::{Name, Patch, Secret};
use planwright_web::scope::Workspace;
use planwright_web::{ApiError, ApiResult, Input, Resource, input};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

record! {
    /// An invitation as it is stored.
    pub struct InviteRow in workspace_invites {
        #[serde(skip)]
        pub id: InviteId,
        pub email: String,
        /// The address without regard to case.
        #[serde(skip)]
        pub email_key: String,
        pub role: Role,
        pub status: InviteStatus,
        #[serde(skip)]
        pub token_hash: String,
        #[serde(skip)]
        pub invited_by: UserId,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        pub expires_at: DateTime<Utc>,
        #[serde(skip)]
        pub ended_at: Option<DateTime<Utc>>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

// An invitation is never deleted by hand: it is revoked, and forgotten some time after its end.
tracked! {
    InviteRow as "invite" {
        const ON_DELETE: OnDelete = OnDelete::Remove;
    }
}

impl Resource for InviteRow {
    type Container = Workspace;

    fn container(&self) -> Workspace {
        Workspace
    }
}

row! {
    /// An invitation in a list, with who sent it.
    pub struct ListedInvite {
        pub id: InviteId,
        pub email: String,
        pub role: Role,
        pub status: InviteStatus,
        pub created_at: DateTime<Utc>,
        pub expires_at: DateTime<Utc>,
        pub username: String,
        pub first_name: String,
        pub last_name: String,
        /// Whether its letter could not be delivered.
        pub is_undelivered: bool,
    }
}

/// An invitation into the workspace.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WorkspaceInvite {
    pub id: InviteId,
    /// The address that it went to.
    pub email: String,
    /// The rank that it gives, in words.
    pub role: &'static str,
    /// The rank that it gives.
    pub role_value: Role,
    pub status: InviteStatus,
    /// The initials of who sent it.
    pub invited_by: Option<String>,
    pub created_at: DateTime<Utc>,
    /// Until when it can be accepted.
    pub expires_at: DateTime<Utc>,
}

impl WorkspaceInvite {
    /// An invitation as it stands at an instant.
    pub fn of(row: ListedInvite, now: DateTime<Utc>) -> Self {
        let name = person::display_name(&row.first_name, &row.last_name, &row.username);
        let is_over = row.status == InviteStatus::Pending && row.expires_at <= now;
        Self {
            id: row.id,
            email: row.email,
            role: row.role.workspace_label(),
            role_value: row.role,
            status: match row.status {
                _ if is_over => InviteStatus::Expired,
                InviteStatus::Pending if row.is_undelivered => InviteStatus::Failed,
                status => status,
            },
            invited_by: Some(person::initials(&name)),
            created_at: row.created_at,
            expires_at: row.expires_at,
        }
    }
}

input! {
    /// Whom to invite.
    pub struct WorkspaceInviteCreateRequest {
        /// The address that the invitation goes to.
        pub email: Name<1, 254>,
        /// The rank: 100 Member or 300 Admin, below one's own. The default is 100.
        pub role: Patch<Role>,
    }
}

input! {
    /// The acceptance of an invitation.
    pub struct InviteAcceptRequest {
        /// The token of the link.
        pub token: Name<1, 128>,
        /// The user name of the new account. The default is the first part of the address.
        pub username: Patch<Name<0, 150>>,
        /// The password of the new account. If there is an account with this address, its password.
        pub password: Patch<Secret<0, 1024>>,
    }
}

impl InviteAcceptRequest {
    /// The acceptance with a chosen name and password.
    ///
    /// # Errors
    /// 400 when one of them is too long.
    pub fn chosen(token: &str, username: String, password: String) -> ApiResult<Self> {
        let fields = json!({ "token": token, "username": username, "password": password });
        let fields = fields.as_object().cloned().unwrap_or_default();
        Self::read(&fields).map_err(ApiError::invalid)
    }
}

/// Whom an invitation let in.
#[derive(Debug, Serialize, JsonSchema)]
pub struct InviteAccepted {
    /// A message for people.
    pub detail: &'static str,
    /// The name to sign in with.
    pub username: String,
}

/// That a mail will be sent again.
#[derive(Debug, Serialize, JsonSchema)]
pub struct InviteQueued {
    /// Always true.
    pub queued: bool,
}

/// How many mails will be sent again.
#[derive(Debug, Serialize, JsonSchema)]
pub struct InvitesRequeued {
    /// Their number.
    pub requeued: usize,
}
