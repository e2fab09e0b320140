//! Passwords: hashing (Argon2id), checking, and the rules for new ones.
//! Where they are stored is in `people.rs`.

use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use argon2::{Algorithm, Argon2, Params, Version};
use planwright_domain::Entropy;

/// Memory in KiB, passes and lanes: the second recommendation of RFC 9106 scaled to small servers (OWASP 2024).
fn hasher() -> Argon2<'static> {
    let params = Params::new(19 * 1024, 2, 1, None).unwrap_or_default();
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// The hash that is stored. It takes tens of milliseconds of one core, on purpose; call it off the async threads.
pub fn hash(password: &str) -> anyhow::Result<String> {
    let salt = SaltString::encode_b64(&Entropy.bytes::<16>()).map_err(|error| anyhow::anyhow!("{error}"))?;
    let hash =
        hasher().hash_password(password.as_bytes(), &salt).map_err(|error| anyhow::anyhow!("{error}"))?;
    Ok(hash.to_string())
}

/// Whether the password is the one that was hashed.
pub fn matches(password: &str, hash: &str) -> bool {
    PasswordHash::new(hash).is_ok_and(|hash| hasher().verify_password(password.as_bytes(), &hash).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_password_matches_its_hash() {
        let hash = hash("correct horse").unwrap();
        assert!(matches("correct horse", &hash));
        assert!(!matches("correct hors", &hash));
        assert!(!matches("correct horse", "no hash at all"));
    }
}
