//! The two signed tokens (JWT, HS256) of a sign-in, with the claims of the contract: a short one for requests, and
//! one that renews it. The code that checks a token asks the database whether the sign-in is still active.

use chrono::{DateTime, Duration, Utc};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use planwright_domain::ids::{SessionId, UserId};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The maximum lifetime of an access token, in minutes (contract 1, rule 1).
pub const ACCESS_MINUTES: i64 = 15;

/// Signs and checks the tokens of sign-ins.
#[derive(Clone)]
pub struct SessionTokens {
    encoding: EncodingKey,
    decoding: DecodingKey,
}

/// The claims of an access token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// Whose it is.
    pub user: UserId,
    /// The sign-in that it belongs to.
    pub session: SessionId,
    /// When it ends.
    pub ends_at: DateTime<Utc>,
}

/// The claims of a refresh token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refresh {
    /// Its row.
    pub id: Uuid,
    /// Whose it is.
    pub user: UserId,
    /// Whether the sign-in continues after the browser is closed. `None` for older tokens without this choice.
    pub remember: Option<bool>,
    /// When it ends.
    pub ends_at: DateTime<Utc>,
}

#[derive(Serialize, Deserialize)]
struct AccessClaims {
    token_type: String,
    exp: i64,
    iat: i64,
    jti: String,
    user_id: UserId,
    sid: SessionId,
}

#[derive(Serialize, Deserialize)]
struct RefreshClaims {
    token_type: String,
    exp: i64,
    iat: i64,
    jti: Uuid,
    user_id: UserId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    remember: Option<bool>,
}

const ACCESS: &str = "access";
const REFRESH: &str = "refresh";

impl SessionTokens {
    /// With the signing key of the installation.
    pub fn new(key: &[u8]) -> Self {
        Self { encoding: EncodingKey::from_secret(key), decoding: DecodingKey::from_secret(key) }
    }

    /// An access token of a session with this end. It is valid for a quarter of an hour, but not longer than the
    /// session.
    pub fn access(
        &self,
        user: UserId,
        session: SessionId,
        session_ends_at: DateTime<Utc>,
        now: DateTime<Utc>,
        id: Uuid,
    ) -> anyhow::Result<String> {
        self.sign(&AccessClaims {
            token_type: ACCESS.into(),
            exp: (now + Duration::minutes(ACCESS_MINUTES)).min(session_ends_at).timestamp(),
            iat: now.timestamp(),
            jti: id.simple().to_string(),
            user_id: user,
            sid: session,
        })
    }

    /// A refresh token.
    pub fn refresh(&self, token: Refresh, now: DateTime<Utc>) -> anyhow::Result<String> {
        self.sign(&RefreshClaims {
            token_type: REFRESH.into(),
            exp: token.ends_at.timestamp(),
            iat: now.timestamp(),
            jti: token.id,
            user_id: token.user,
            remember: token.remember,
        })
    }

    /// The claims of an access token, if it is ours and still valid.
    pub fn check_access(&self, token: &str, now: DateTime<Utc>) -> Option<Access> {
        self.read_access(token).filter(|access| now < access.ends_at)
    }

    /// The claims of an access token, if it is ours. It may have expired.
    pub fn read_access(&self, token: &str) -> Option<Access> {
        let claims: AccessClaims = self.read(token)?;
        let access = Access {
            user: claims.user_id,
            session: claims.sid,
            ends_at: DateTime::from_timestamp(claims.exp, 0)?,
        };
        (claims.token_type == ACCESS).then_some(access)
    }

    /// The claims of a refresh token, if it is ours. It may have expired and can still be compared with its session.
    pub fn read_refresh(&self, token: &str) -> Option<Refresh> {
        let claims: RefreshClaims = self.read(token)?;
        let refresh = Refresh {
            id: claims.jti,
            user: claims.user_id,
            remember: claims.remember,
            ends_at: DateTime::from_timestamp(claims.exp, 0)?,
        };
        (claims.token_type == REFRESH).then_some(refresh)
    }

    fn sign(&self, claims: &impl Serialize) -> anyhow::Result<String> {
        Ok(jsonwebtoken::encode(&Header::new(Algorithm::HS256), claims, &self.encoding)?)
    }

    fn read<Claims: DeserializeOwned>(&self, token: &str) -> Option<Claims> {
        let mut validation = Validation::new(Algorithm::HS256);
        // The library would ask the machine's clock; ours is a parameter.
        validation.validate_exp = false;
        Some(jsonwebtoken::decode::<Claims>(token, &self.decoding, &validation).ok()?.claims)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USER: UserId = UserId(Uuid::from_u128(7));
    const SESSION: SessionId = SessionId(Uuid::from_u128(8));

    fn now() -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + Duration::days(20_000)
    }

    fn after(seconds: i64) -> DateTime<Utc> {
        now() + Duration::seconds(seconds)
    }

    #[test]
    fn an_access_token_is_good_for_fifteen_minutes_and_only_with_its_key() {
        let tokens = SessionTokens::new(b"key");
        let token = tokens.access(USER, SESSION, after(86_400), now(), Uuid::nil()).unwrap();
        let said = Access { user: USER, session: SESSION, ends_at: after(900) };
        assert_eq!(tokens.check_access(&token, after(899)), Some(said));
        assert_eq!(tokens.check_access(&token, after(900)), None);
        assert_eq!(tokens.read_access(&token), Some(said));
        assert_eq!(SessionTokens::new(b"other").check_access(&token, now()), None);
        assert_eq!(tokens.check_access("no.token.at-all", now()), None);
    }

    #[test]
    fn an_access_token_does_not_outlive_its_session() {
        let tokens = SessionTokens::new(b"key");
        let token = tokens.access(USER, SESSION, after(60), now(), Uuid::nil()).unwrap();
        assert_eq!(tokens.read_access(&token).unwrap().ends_at, after(60));
    }

    #[test]
    fn a_refresh_token_carries_the_choice_and_is_no_access_token() {
        let tokens = SessionTokens::new(b"key");
        for remember in [Some(true), Some(false), None] {
            let said = Refresh { id: Uuid::from_u128(9), user: USER, remember, ends_at: after(60) };
            let token = tokens.refresh(said, now()).unwrap();
            assert_eq!(tokens.read_refresh(&token), Some(said));
            assert_eq!(tokens.read_access(&token), None);
        }
        let access = tokens.access(USER, SESSION, after(60), now(), Uuid::nil()).unwrap();
        assert_eq!(tokens.read_refresh(&access), None);
    }
}
