//! The caller: the credential of a request, resolved to a person whose account is active. Scopes decide what this
//! person may do.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts, Request};
use chrono::{DateTime, Utc};
use http::HeaderMap;
use http::header::AUTHORIZATION;
use http::request::Parts;
use planwright_domain::Role;
use planwright_domain::access::{self, Action};
use planwright_domain::ids::{SessionId, TokenId, UserId};
use planwright_domain::words::MemberStatus;
use planwright_store::{Read, row, sql};
use uuid::Uuid;

use crate::assurance::Assurance;
use crate::visible::{program_has_guests, project_has_guests};
use crate::{ApiError, ApiResult, App, token};

/// The person behind a request.
#[derive(Clone, Debug)]
pub struct Actor {
    /// Who it is.
    pub id: UserId,
    /// The user name.
    pub username: String,
    /// Their rank in the workspace.
    pub workspace_role: Role,
    /// Whether they are a guest of the workspace.
    pub is_guest: bool,
    /// The credential.
    pub credential: Credential,
    /// When the credential expires.
    pub ends_at: Option<DateTime<Utc>>,
    /// What the sign-in has shown.
    pub assurance: Assurance,
    /// The source of the request for events: the header `X-Source`, or `unknown`.
    pub source: String,
}

/// The person who got an answer, for the log line.
#[derive(Clone, Copy)]
pub(crate) struct Caller(pub(crate) UserId);

/// The credential of a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credential {
    /// An access token of a sign-in.
    Session(SessionId),
    /// A personal token that acts as its owner.
    PersonalToken(TokenId),
    /// A personal token that only reads, on the agent surface.
    AgentToken(TokenId),
    /// A token of a project or program, with which a machine pushes work into it.
    ContainerToken {
        /// The token.
        id: TokenId,
        /// Whether it was minted within the last hour, in which a machine may push more.
        is_new: bool,
    },
    /// None any more: a job finishes what the person asked for earlier.
    Background,
}

impl Actor {
    /// The person for whom a job finishes what was asked for in a request. Rights are those at the time of the job.
    ///
    /// # Errors
    /// 401 if the account is no longer active.
    pub async fn in_background(db: &dyn Read, id: UserId) -> ApiResult<Self> {
        holder(db, id, Credential::Background)
            .await?
            .ok_or_else(no_user)?
            .acting(Credential::Background, None)
    }

    /// Whether it is an agent with a read-only token, who needs consent at every level.
    pub fn is_agent(&self) -> bool {
        matches!(self.credential, Credential::AgentToken(_))
    }

    /// Whether a role lets this person through for an action. Guests come through for what is for guests.
    pub fn may(&self, action: Action, role: Role) -> bool {
        access::allows(action, role) && (!self.is_guest || access::is_for_guests(action))
    }

    /// The same person, read again in a transaction. 401 if the account or the credential is no longer active.
    pub async fn reload(&self, db: &dyn Read) -> ApiResult<Self> {
        let current = holder(db, self.id, self.credential).await?.ok_or_else(no_user)?;
        Ok(Self { source: self.source.clone(), ..current.acting(self.credential, self.ends_at)? })
    }

    /// A condition on `projects p` that hides projects without consent from agents, and those that have no guests from
    /// guests. It is empty for all others.
    pub fn sees_projects(&self) -> String {
        let mut condition = String::new();
        if self.is_agent() {
            condition += " AND COALESCE(p.mcp_enabled, TRUE)
              AND COALESCE((SELECT g.mcp_enabled FROM programs g WHERE g.id = p.program_id), TRUE)";
        }
        if self.is_guest {
            condition += &format!(" AND {}", project_has_guests("p"));
        }
        condition
    }

    /// The same for `programs p`.
    pub fn sees_programs(&self) -> String {
        let mut condition = String::new();
        if self.is_agent() {
            condition += " AND COALESCE(p.mcp_enabled, TRUE)";
        }
        if self.is_guest {
            condition += &format!(" AND {}", program_has_guests("p"));
        }
        condition
    }
}

/// The refusal of a token, with the reason for programs.
pub fn refused(detail: &str, reason: &str, constraint: &str) -> ApiError {
    let refusal = serde_json::json!({ "verdict": "refused", "reason": reason, "constraint": constraint });
    ApiError::forbidden(detail).with("refusal", refusal)
}

impl Credential {
    /// The session, if the credential is a session.
    pub fn session(self) -> Option<SessionId> {
        match self {
            Credential::Session(id) => Some(id),
            _ => None,
        }
    }

    /// The token, if the credential is a token.
    pub fn token(self) -> Option<TokenId> {
        match self {
            Credential::Session(_) | Credential::Background => None,
            Credential::PersonalToken(id) | Credential::AgentToken(id) => Some(id),
            Credential::ContainerToken { id, .. } => Some(id),
        }
    }
}

row! {
    /// A person, and whether the credential is still valid.
    struct Holder {
        id: UserId,
        username: String,
        workspace_role: Role,
        is_active: bool,
        status: MemberStatus,
        is_good: bool,
        is_secured: bool,
        is_waiting: bool,
        confirmed_at: Option<DateTime<Utc>>,
    }
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

const HOLDER: &str = "SELECT u.id, u.username, u.workspace_role, u.is_active, u.status,
        (s.id IS NOT NULL OR EXISTS
            (SELECT 1 FROM api_tokens t
             WHERE t.id = :credential AND t.owner_id = u.id AND t.revoked_at IS NULL)) AS is_good,
        u.second_factor_since IS NOT NULL AS is_secured,
        (COALESCE(s.has_second_factor, TRUE) = FALSE AND (u.second_factor_since IS NOT NULL OR EXISTS
            (SELECT 1 FROM sign_in_policy p WHERE p.second_factor_required = TRUE))) AS is_waiting,
        COALESCE(s.confirmed_at, s.created_at) AS confirmed_at
     FROM users u
        LEFT JOIN sessions s ON s.id = :credential AND s.user_id = u.id AND s.revoked_at IS NULL
     WHERE u.id = :id";
const TOKEN_BY_HASH: &str = "SELECT id, owner_id, scopes, expires_at, revoked_at, last_used_at
     FROM api_tokens WHERE token_hash = :hash";

/// The precision of `last_used_at` in seconds, so that not every use is a write.
const LAST_USED_PRECISION_SECONDS: i64 = 60;

/// The token of the `Authorization` header, if it has one.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

/// The person of the `Authorization` header. `None` without the header.
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

/// The maximum length of a source.
const LONGEST_SOURCE: usize = 64;

fn source_of(headers: &HeaderMap) -> String {
    let named = headers.get("x-source").and_then(|value| value.to_str().ok());
    let plain = |text: &&str| {
        (1..=LONGEST_SOURCE).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
    };
    named.filter(plain).unwrap_or("unknown").to_owned()
}

/// The person with this id and the state of the credential, in one statement.
async fn holder(db: &dyn Read, id: UserId, credential: Credential) -> ApiResult<Option<Holder>> {
    let shown = match credential {
        Credential::Session(id) => id.0,
        Credential::PersonalToken(id)
        | Credential::AgentToken(id)
        | Credential::ContainerToken { id, .. } => id.0,
        Credential::Background => Uuid::nil(),
    };
    Ok(db.maybe(sql!(HOLDER, id = id, credential = shown)).await?)
}

async fn by_access_token(app: &App, credential: &str) -> ApiResult<Actor> {
    let access = app.session_tokens.check_access(credential, app.clock.now()).ok_or_else(no_good)?;
    let shown = Credential::Session(access.session);
    let person = holder(&app.db, access.user, shown).await?.ok_or_else(no_user)?;
    person.acting(shown, Some(access.ends_at))
}

fn no_good() -> ApiError {
    let message = serde_json::json!([{
        "token_class": "AccessToken", "token_type": "access", "message": "Token is invalid or expired"
    }]);
    ApiError::unauthenticated("Given token not valid for any token type")
        .with_code("token_not_valid")
        .with("messages", message)
}

fn no_user() -> ApiError {
    ApiError::unauthenticated("User not found").with_code("user_not_found")
}

/// A credential that was checked once, for work that lasts longer than a request.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// Its holder.
    pub user: UserId,
    /// The credential.
    pub credential: Credential,
    /// The time at which it expires.
    pub ends_at: Option<DateTime<Utc>>,
}

/// The current state of a credential that was checked before.
#[derive(Debug)]
pub enum Worth {
    /// It is still valid.
    Good(Actor),
    /// It has ended. Its holder may use another one.
    Ended,
    /// The account of its holder is no longer active.
    ShutOut,
}

impl Shown {
    /// The credential of an actor.
    pub fn by(actor: &Actor) -> Self {
        Self { user: actor.id, credential: actor.credential, ends_at: actor.ends_at }
    }

    /// Its current state.
    pub async fn worth(&self, app: &App) -> ApiResult<Worth> {
        let Some(holder) = holder(&app.db, self.user, self.credential).await? else {
            return Ok(Worth::ShutOut);
        };
        if !holder.may_act() {
            return Ok(Worth::ShutOut);
        }
        let is_over = self.ends_at.is_some_and(|at| at <= app.clock.now());
        Ok(match holder.acting(self.credential, self.ends_at) {
            Ok(actor) if !is_over && !actor.assurance.is_waiting => Worth::Good(actor),
            Ok(_) | Err(_) => Worth::Ended,
        })
    }
}

async fn by_api_token(app: &App, credential: &str) -> ApiResult<Actor> {
    let wrong = || ApiError::unauthenticated("Invalid token.");
    let now = app.clock.now();
    let found: Option<TokenRow> = app.db.maybe(sql!(TOKEN_BY_HASH, hash = token::hash(credential))).await?;
    let row = found.ok_or_else(wrong)?;
    let good = row.revoked_at.is_none() && row.expires_at.is_none_or(|at| now < at);
    let owner = row.owner_id.filter(|_| good).ok_or_else(wrong)?;
    let shown = match row.scopes.contains("legacy:full") {
        true => Credential::PersonalToken(row.id),
        false => Credential::AgentToken(row.id),
    };
    let person = holder(&app.db, owner, shown).await?.ok_or_else(wrong)?;
    let actor = person.acting(shown, row.expires_at).map_err(|_| wrong())?;
    note_use(app, row.id, row.last_used_at).await?;
    Ok(actor)
}

/// Notes that a token is used, to the minute.
pub(crate) async fn note_use(app: &App, id: TokenId, last: Option<DateTime<Utc>>) -> ApiResult<()> {
    let now = app.clock.now();
    if last.is_some_and(|at| (now - at).num_seconds() < LAST_USED_PRECISION_SECONDS) {
        return Ok(());
    }
    let mut tx = app.db.begin().await?;
    tx.run(sql!("UPDATE api_tokens SET last_used_at = :now WHERE id = :id", now = now, id = id)).await?;
    Ok(tx.commit().await?)
}

impl Holder {
    fn may_act(&self) -> bool {
        self.is_active && self.status != MemberStatus::Deactivated
    }

    /// The person with this credential. 401 if the account or the credential is no longer active.
    fn acting(self, credential: Credential, ends_at: Option<DateTime<Utc>>) -> ApiResult<Actor> {
        if !self.may_act() {
            return Err(ApiError::unauthenticated("User is inactive").with_code("user_inactive"));
        }
        if !self.is_good && credential != Credential::Background {
            return Err(no_good());
        }
        Ok(Actor {
            id: self.id,
            username: self.username,
            workspace_role: self.workspace_role,
            is_guest: self.status == MemberStatus::Guest,
            credential,
            ends_at,
            assurance: Assurance {
                is_secured: self.is_secured,
                is_waiting: self.is_waiting,
                confirmed_at: self.confirmed_at,
            },
            source: "unknown".to_owned(),
        })
    }
}

impl FromRequestParts<App> for Actor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> ApiResult<Self> {
        let actor = parts.extensions.get::<Actor>().cloned();
        actor.ok_or_else(|| ApiError::unauthenticated("Authentication credentials were not provided."))
    }
}

/// The client address of a request, behind the trusted proxies.
#[derive(Clone, Copy, Debug)]
pub struct ClientAddress(pub Option<IpAddr>);

impl ClientAddress {
    /// The key that limits count by: the IPv4 address, or the first half of the IPv6 address, because a client can
    /// choose the second half freely.
    pub fn network(self) -> String {
        match self.0.map(|address| address.to_canonical()) {
            None => "unknown".to_owned(),
            Some(IpAddr::V4(address)) => address.to_string(),
            Some(IpAddr::V6(address)) => {
                let [a, b, c, d, ..] = address.segments();
                format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
            }
        }
    }

    /// Counts trusted proxies from the right of `X-Forwarded-For`. Everything further left was written by the caller.
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

/// The other end of the connection of a request.
pub(crate) fn peer_of(request: &Request) -> Option<SocketAddr> {
    request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0)
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
    fn addresses_of_one_half_of_ipv6_are_one_network() {
        let network = |text: &str| ClientAddress(Some(text.parse().unwrap())).network();
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
        assert_eq!(network("2001:db8:1:2::9"), network("2001:db8:1:2:3:4:5:6"));
        assert_ne!(network("2001:db8:1:3::9"), network("2001:db8:1:2::9"));
        assert_eq!(network("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(ClientAddress(None).network(), "unknown");
    }

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
