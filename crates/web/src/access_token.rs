//! Access tokens: short-lived JWTs (HS256) that name a user, with the claims of the contract.
//! Refresh tokens are opaque and belong to the accounts area.

use chrono::{DateTime, Duration, Utc};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use planwright_domain::ids::UserId;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// How long an access token is good for, in minutes (contract 1, rule 1).
pub const LIFETIME_MINUTES: i64 = 15;

/// Signs and checks access tokens.
#[derive(Clone)]
pub struct AccessTokens {
    encoding: EncodingKey,
    decoding: DecodingKey,
}

#[derive(Serialize, Deserialize)]
struct Claims {
    token_type: String,
    exp: i64,
    iat: i64,
    jti: String,
    user_id: UserId,
}

impl AccessTokens {
    /// With the signing key of the installation.
    pub fn new(key: &[u8]) -> Self {
        Self { encoding: EncodingKey::from_secret(key), decoding: DecodingKey::from_secret(key) }
    }

    /// A token for the user, good from now on.
    pub fn issue(&self, user_id: UserId, now: DateTime<Utc>, jti: Uuid) -> anyhow::Result<String> {
        let claims = Claims {
            token_type: "access".into(),
            exp: (now + Duration::minutes(LIFETIME_MINUTES)).timestamp(),
            iat: now.timestamp(),
            jti: jti.simple().to_string(),
            user_id,
        };
        Ok(jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &self.encoding)?)
    }

    /// The user a token names, if it is ours and still good.
    pub fn check(&self, token: &str, now: DateTime<Utc>) -> Option<UserId> {
        let mut validation = Validation::new(Algorithm::HS256);
        // The library would ask the machine's clock; ours is a parameter.
        validation.validate_exp = false;
        let claims = jsonwebtoken::decode::<Claims>(token, &self.decoding, &validation).ok()?.claims;
        (claims.token_type == "access" && now.timestamp() < claims.exp).then_some(claims.user_id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_good_for_fifteen_minutes_and_only_with_its_key() {
        let now = DateTime::UNIX_EPOCH + Duration::days(20_000);
        let tokens = AccessTokens::new(b"key");
        let user = UserId(Uuid::from_u128(7));
        let token = tokens.issue(user, now, Uuid::nil()).unwrap();
        assert_eq!(tokens.check(&token, now + Duration::seconds(899)), Some(user));
        assert_eq!(tokens.check(&token, now + Duration::seconds(900)), None);
        assert_eq!(AccessTokens::new(b"other").check(&token, now), None);
        assert_eq!(tokens.check("no.token.at-all", now), None);
    }
}
