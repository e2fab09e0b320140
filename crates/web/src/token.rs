//! Opaque tokens: random text that is shown once and stored as a hash. API tokens have the prefix of the
//! installation. Refresh, reset and invite tokens do not.

use planwright_domain::{Entropy, hex};
use sha2::{Digest, Sha256};

/// The hash with which a token is stored and found.
pub fn hash(token: &str) -> String {
    hex(&Sha256::digest(token.as_bytes()))
}

/// A random token of 64 hexadecimal digits.
pub fn random() -> String {
    hex(&Entropy.bytes::<32>())
}

/// A random API token: the prefix, an underscore, 64 hexadecimal digits.
pub fn random_api_token(prefix: &str) -> String {
    format!("{prefix}_{}", random())
}

/// The first eight digits, which lists show so that people can tell tokens apart.
pub fn shown_part(token: &str) -> String {
    token.rsplit('_').next().unwrap_or(token).chars().take(8).collect()
}
