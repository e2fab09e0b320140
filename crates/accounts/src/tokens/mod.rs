//! Personal access tokens and what happened to them, at `/api/v1/me/api-tokens/` and `/api/v1/me/api-token-audit/`.
//! Tokens of projects and programs are not made here; recognising a token is done by the web crate.

pub mod audit;
pub mod model;
pub mod queries;
pub mod routes;
pub mod rules;

use chrono::{DateTime, Utc};
use planwright_domain::ids::UserId;
use planwright_domain::words::TokenEvent;
use planwright_store::{Result, Tx};
use planwright_web::Routes;

use audit::Entry;
use model::Unrevoked;

/// The routes of personal tokens.
pub fn routes() -> Routes {
    routes::table().and(audit::table())
}

/// Why a token or a calendar feed was revoked, as the audit tells it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Its owner did so.
    Owner,
    /// Its owner changed their password.
    PasswordChange,
    /// Its owner chose a new password with a reset link.
    PasswordReset,
    /// Its owner was deactivated.
    Offboarding,
}

impl Reason {
    /// The spelling in the trail.
    pub const fn as_str(self) -> &'static str {
        match self {
            Reason::Owner => "owner",
            Reason::PasswordChange => "password_change",
            Reason::PasswordReset => "password_reset",
            Reason::Offboarding => "offboarding",
        }
    }
}

/// Revokes every personal token of a person, each with its line in the trail.
pub async fn revoke_all(tx: &mut Tx, owner: UserId, by: Option<UserId>, reason: Reason) -> Result<()> {
    let revoked = queries::unrevoked(tx, owner).await?;
    revoke_these(tx, owner, by, reason, revoked).await
}

/// The same for those that were minted until a moment, by the system.
pub async fn revoke_minted_until(
    tx: &mut Tx,
    owner: UserId,
    until: DateTime<Utc>,
    reason: Reason,
) -> Result<()> {
    let unrevoked = queries::unrevoked(tx, owner).await?;
    let revoked = unrevoked.into_iter().filter(|token| token.created_at <= until).collect();
    revoke_these(tx, owner, None, reason, revoked).await
}

async fn revoke_these(
    tx: &mut Tx,
    owner: UserId,
    by: Option<UserId>,
    reason: Reason,
    revoked: Vec<Unrevoked>,
) -> Result<()> {
    if revoked.is_empty() {
        return Ok(());
    }
    queries::revoke(tx, owner, revoked.iter().map(|token| token.id).collect()).await?;
    let line = |token: Unrevoked| Entry {
        token_id: token.id,
        token_prefix: token.token_prefix,
        owner_id: owner,
        actor_id: by,
        action: TokenEvent::Revoked,
        source_ip: None,
        detail: serde_json::json!({ "reason": reason.as_str() }),
    };
    audit::insert(tx, &revoked.into_iter().map(line).collect::<Vec<_>>()).await
}
