//! Secrets of the installation: given by settings, or made once and kept in the data directory, readable by its owner only.
//! Losing the root secret signs everybody out and makes stored secrets unreadable, so `backup` takes it along.

use std::path::Path;

use anyhow::Context;
use sha2::{Digest, Sha256};

use crate::{Settings, private};

/// The file that holds the root secret.
pub const FILE: &str = "secret_key";

/// What a key has to have at least: as much as the hash that signs with it.
const SHORTEST_BYTES: usize = 32;

/// The keys the program works with.
pub struct Secrets {
    /// Signs access tokens.
    pub jwt_signing_key: Vec<u8>,
    /// Seals secrets at rest.
    pub encryption_key: [u8; 32],
    /// Keys that sealed secrets before, which still open.
    pub former_keys: Vec<[u8; 32]>,
}

impl Secrets {
    /// Reads or makes them.
    pub fn load(settings: &Settings) -> anyhow::Result<Self> {
        let root = match settings.given("SECRET_KEY") {
            Some(key) => long_enough("SECRET_KEY", key)?,
            None => kept(&settings.data_dir)?,
        };
        let given = |name| settings.given(name).map(|key| long_enough(name, key)).transpose();
        let jwt = given("JWT_SIGNING_KEY")?.map(String::into_bytes);
        let encryption = given("INTEGRATION_ENCRYPTION_KEY")?;
        // Before there was a key of its own, the root secret sealed.
        let mut former_keys = vec![derive(&root, "secrets at rest")];
        for key in settings.list("SVC_FORMER_ENCRYPTION_KEYS") {
            former_keys
                .push(derive(&long_enough("SVC_FORMER_ENCRYPTION_KEYS", key)?, "given encryption key"));
        }
        Ok(Self {
            former_keys,
            jwt_signing_key: jwt.unwrap_or_else(|| derive(&root, "access tokens").to_vec()),
            encryption_key: match encryption {
                Some(key) => derive(&key, "given encryption key"),
                None => derive(&root, "secrets at rest"),
            },
        })
    }
}

/// Whether the root secret is there and good enough; nothing is made.
pub fn check(settings: &Settings) -> anyhow::Result<()> {
    let path = settings.data_dir.join(FILE);
    match settings.given("SECRET_KEY") {
        Some(key) => long_enough("SECRET_KEY", key).map(drop),
        None => {
            let key =
                std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
            long_enough(&path.display().to_string(), key.trim().to_owned()).map(drop)
        }
    }
}

fn derive(root: &str, purpose: &str) -> [u8; 32] {
    Sha256::digest(format!("planwright\0{purpose}\0{root}")).into()
}

fn kept(data_dir: &Path) -> anyhow::Result<String> {
    let path = data_dir.join(FILE);
    private::write_missing(&path, &planwright_web::token::random())
        .with_context(|| format!("writing {}", path.display()))?;
    let key = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    long_enough(&path.display().to_string(), key.trim().to_owned())
}

/// A key that could be guessed is refused, wherever it comes from.
fn long_enough(source: &str, key: String) -> anyhow::Result<String> {
    if key.len() < SHORTEST_BYTES {
        anyhow::bail!(
            "{source}: a key needs at least {SHORTEST_BYTES} bytes, and this one has {}",
            key.len()
        );
    }
    Ok(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_once_and_a_short_one_is_refused() {
        let home = tempfile::tempdir().unwrap();
        let made = kept(home.path()).unwrap();
        assert!(made.len() >= SHORTEST_BYTES);
        assert_eq!(kept(home.path()).unwrap(), made);
        for short in ["", "   \n", "0123456789012345678901234567890"] {
            private::replace(&home.path().join(FILE), short).unwrap();
            let refused = kept(home.path()).unwrap_err().to_string();
            assert!(refused.contains(FILE) && refused.contains("32 bytes"), "{refused}");
        }
    }
}
