//! How passwords are kept: Argon2id, and the two ways to call it.
//! Which passwords are good enough is in `rules.rs`.

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use planwright_domain::Entropy;
use tokio::sync::Semaphore;

/// Each computation takes 19 MiB and a core; more at once than this would only make all of them slower.
static TURNS: Semaphore = Semaphore::const_new(8);

/// Memory in KiB, passes and lanes: the second recommendation of RFC 9106 scaled to small servers (OWASP 2024).
fn hasher() -> Argon2<'static> {
    let params = Params::new(19 * 1024, 2, 1, None).unwrap_or_default();
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// The hash that is stored. It takes tens of milliseconds of one core, on purpose; handlers call [`hash_aside`].
pub fn hash(password: &str) -> anyhow::Result<String> {
    let hashed = hasher().hash_password_with_salt(password.as_bytes(), &Entropy.bytes::<16>());
    let hash: PasswordHash = hashed.map_err(|error| anyhow::anyhow!("{error}"))?;
    Ok(hash.to_string())
}

/// Whether the password is the one that was hashed; handlers call [`matches_aside`].
pub fn matches(password: &str, hash: &str) -> bool {
    hasher().verify_password(password.as_bytes(), hash).is_ok()
}

/// [`hash`], off the async threads.
pub async fn hash_aside(password: String) -> anyhow::Result<String> {
    aside(move || hash(&password)).await?
}

/// [`matches`], off the async threads. Without a hash it takes as long and is false, so that nobody learns from the time
/// whether there is somebody of a name.
pub async fn matches_aside(password: String, stored: Option<String>) -> anyhow::Result<bool> {
    aside(move || match stored {
        Some(stored) => Ok(matches(&password, &stored)),
        None => hash(&password).map(|_| false),
    })
    .await?
}

async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> anyhow::Result<T> {
    let turn = TURNS.acquire().await?;
    // The turn moves along: a caller who goes away does not make the computation stop.
    let work = move || {
        let done = work();
        drop(turn);
        done
    };
    Ok(tokio::task::spawn_blocking(work).await?)
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

    #[test]
    fn nothing_matches_when_there_is_no_hash() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let outcome = runtime.block_on(matches_aside("anything".into(), None));
        assert!(!outcome.unwrap());
    }
}
