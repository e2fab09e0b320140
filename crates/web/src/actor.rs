//! Who asks: the credential of a request, resolved to a person who may still act.
//! What that person may do is decided by scopes.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use chrono::{DateTime, Utc};
use http::HeaderMap;
use http::header::AUTHORIZATION;
use http::request::Parts;
use planwright_domain::Role;
use planwright_domain::ids::{TokenId, UserId};
use planwright_domain::words::MemberStatus;
use planwright_store::{Read, row, sql};

use crate::{ApiError, ApiResult, App, token};

/// The person behind a request.
#[derive(Clone, Debug)]
pub struct Actor {
    /// Who it is.
    pub id: UserId,
    /// The name they sign in with.
    pub username: String,
    /// Their rank in the workspace.
    pub workspace_role: Role,
    /// What they showed.
    pub credential: Credential,
    /// Where their request comes from, as events tell it: the header `X-Source`, or `unknown`.
    pub source: String,
}

/// What a caller showed.
#[derive(Clone, Debug, PartialEq)]
pub enum Credential {
    /// An access token of a sign-in.
    Session,
    /// A personal token that acts as its owner.
    PersonalToken(TokenId),
    /// A personal token that only reads, on the agent surface.
    AgentToken(TokenId),
}

impl Actor {
    /// Whether it is an agent with a read-only token, who needs consent at every level.
    pub fn is_agent(&self) -> bool {
        matches!(self.credential, Credential::AgentToken(_))
    }

    /// The same person as they stand within a transaction; 401 when they may no longer act.
    pub async fn reload(&self, db: &impl Read) -> ApiResult<Self> {
        let user: Option<UserRow> = db.maybe(sql!(USER_BY_ID, id = self.id)).await?;
        let current = user.and_then(|user| active(user, self.credential.clone()));
        let gone = || ApiError::unauthenticated("User is inactive").with_code("user_inactive");
        Ok(Self { source: self.source.clone(), ..current.ok_or_else(gone)? })
    }

    /// A condition on `projects p` that hides from agents what has not consented to them; nothing for anybody else.
    pub fn sees_projects(&self) -> &'static str {
        if self.is_agent() {
            " AND COALESCE(p.mcp_enabled, TRUE)
              AND COALESCE((SELECT g.mcp_enabled FROM programs g WHERE g.id = p.program_id), TRUE)"
        } else {
            ""
        }
    }

    /// The same for `programs p`.
    pub fn sees_programs(&self) -> &'static str {
        if self.is_agent() { " AND COALESCE(p.mcp_enabled, TRUE)" } else { "" }
    }
}

/// The refusal of a token, with the reason for programs.
pub fn refused(detail: &str, reason: &str, constraint: &str) -> ApiError {
    let refusal = serde_json::json!({ "verdict": "refused", "reason": reason, "constraint": constraint });
    ApiError::forbidden(detail).with("refusal", refusal)
}

impl Credential {
    /// The token, when it is one.
    pub fn token(&self) -> Option<TokenId> {
        match self {
            Credential::Session => None,
            Credential::PersonalToken(id) | Credential::AgentToken(id) => Some(*id),
        }
    }
}

row! {
    struct UserRow { id: UserId, username: String, workspace_role: Role, is_active: bool, status: MemberStatus }
}

row! {
    struct TokenRow {
        id: TokenId,
        owner_id: Option<UserId>,
        scopes: String,
        expires_at: Option<DateTime<Utc>>,
        revoked_at: Option<DateTime<Utc>>,
        last_used_at: Option<DateTime<Utc>>,
    }
}

const USER_BY_ID: &str = "SELECT id, username, workspace_role, is_active, status FROM users WHERE id = :id";
const TOKEN_BY_HASH: &str = "SELECT id, owner_id, scopes, expires_at, revoked_at, last_used_at
     FROM api_tokens WHERE token_hash = :hash";

/// How stale `last_used_at` may get before a use is written down, in seconds; every use would be a write each.
const LAST_USED_PRECISION_SECONDS: i64 = 60;

/// The person that the `Authorization` header shows, or none when there is no header.
pub async fn authenticate(app: &App, headers: &HeaderMap) -> ApiResult<Option<Actor>> {
    let Some(header) = headers.get(AUTHORIZATION) else { return Ok(None) };
    let text = header.to_str().unwrap_or_default();
    let Some((scheme, credential)) = text.split_once(' ') else {
        return Err(ApiError::unauthenticated("The Authorization header must read \"Bearer <token>\".")
            .with_code("bad_authorization_header"));
    };
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Ok(None);
    }
    let credential = credential.trim();
    let is_api_token = credential.split_once('_').is_some_and(|(prefix, _)| prefix == app.settings.prefix);
    let actor = match is_api_token {
        true => by_api_token(app, credential).await?,
        false => by_access_token(app, credential).await?,
    };
    Ok(Some(Actor { source: source_of(headers), ..actor }))
}

/// The longest name of a source that is passed on.
const LONGEST_SOURCE: usize = 64;

fn source_of(headers: &HeaderMap) -> String {
    let named = headers.get("x-source").and_then(|value| value.to_str().ok());
    let plain = |text: &&str| {
        (1..=LONGEST_SOURCE).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
    };
    named.filter(plain).unwrap_or("unknown").to_owned()
}

async fn by_access_token(app: &App, credential: &str) -> ApiResult<Actor> {
    let Some(id) = app.access_tokens.check(credential, app.clock.now()) else {
        let message = serde_json::json!([{
            "token_class": "AccessToken", "token_type": "access", "message": "Token is invalid or expired"
        }]);
        return Err(ApiError::unauthenticated("Given token not valid for any token type")
            .with_code("token_not_valid")
            .with("messages", message));
    };
    let user: Option<UserRow> = app.db.maybe(sql!(USER_BY_ID, id = id)).await?;
    let user = user.ok_or_else(|| ApiError::unauthenticated("User not found").with_code("user_not_found"))?;
    active(user, Credential::Session)
        .ok_or_else(|| ApiError::unauthenticated("User is inactive").with_code("user_inactive"))
}

/// The person of that id, if they may still act; for credentials that an area hands out itself.
pub async fn of_user(app: &App, id: UserId) -> ApiResult<Option<Actor>> {
    let user: Option<UserRow> = app.db.maybe(sql!(USER_BY_ID, id = id)).await?;
    Ok(user.and_then(|user| active(user, Credential::Session)))
}

async fn by_api_token(app: &App, credential: &str) -> ApiResult<Actor> {
    let wrong = || ApiError::unauthenticated("Invalid token.");
    let now = app.clock.now();
    let found: Option<TokenRow> = app.db.maybe(sql!(TOKEN_BY_HASH, hash = token::hash(credential))).await?;
    let row = found.ok_or_else(wrong)?;
    let good = row.revoked_at.is_none() && row.expires_at.is_none_or(|at| now < at);
    let owner = row.owner_id.filter(|_| good).ok_or_else(wrong)?;
    let user: Option<UserRow> = app.db.maybe(sql!(USER_BY_ID, id = owner)).await?;
    let credential = match row.scopes.contains("legacy:full") {
        true => Credential::PersonalToken(row.id),
        false => Credential::AgentToken(row.id),
    };
    let actor = user.and_then(|user| active(user, credential)).ok_or_else(wrong)?;
    let stale = row.last_used_at.is_none_or(|at| (now - at).num_seconds() >= LAST_USED_PRECISION_SECONDS);
    if stale {
        let mut tx = app.db.begin().await?;
        tx.run(sql!("UPDATE api_tokens SET last_used_at = :now WHERE id = :id", now = now, id = row.id))
            .await?;
        tx.commit().await?;
    }
    Ok(actor)
}

fn active(user: UserRow, credential: Credential) -> Option<Actor> {
    let may_act = user.is_active && user.status != MemberStatus::Deactivated;
    may_act.then_some(Actor {
        id: user.id,
        username: user.username,
        workspace_role: user.workspace_role,
        credential,
        source: "unknown".to_owned(),
    })
}

impl FromRequestParts<App> for Actor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> ApiResult<Self> {
        let actor = parts.extensions.get::<Actor>().cloned();
        actor.ok_or_else(|| ApiError::unauthenticated("Authentication credentials were not provided."))
    }
}

/// The address a request came from, behind the trusted proxies.
#[derive(Clone, Copy, Debug)]
pub struct ClientAddress(pub Option<IpAddr>);

impl ClientAddress {
    /// Counts trusted proxies from the right of `X-Forwarded-For`; whatever stands further left was written by the caller.
    pub fn of(headers: &HeaderMap, peer: Option<SocketAddr>, proxies: usize) -> Self {
        let peer = peer.map(|address| address.ip());
        if proxies == 0 {
            return Self(peer);
        }
        let forwarded: Vec<&str> = headers
            .get_all("x-forwarded-for")
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .map(str::trim)
            .collect();
        let named = forwarded.len().checked_sub(proxies).or((!forwarded.is_empty()).then_some(0));
        Self(named.and_then(|at| forwarded[at].parse().ok()).or(peer))
    }
}

impl FromRequestParts<App> for ClientAddress {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0);
        Ok(Self::of(&parts.headers, peer, app.settings.proxies))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_trusted_proxies_wrote_is_believed() {
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", "6.6.6.6, 1.2.3.4".parse().unwrap());
        let peer = Some("10.0.0.1:80".parse().unwrap());
        let address = |proxies| ClientAddress::of(&headers, peer, proxies).0.unwrap().to_string();
        assert_eq!(address(0), "10.0.0.1");
        assert_eq!(address(1), "1.2.3.4");
        assert_eq!(address(2), "6.6.6.6");
    }
}
