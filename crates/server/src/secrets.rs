//! Secrets of the installation: given by settings, or made once and kept in the data directory, readable by its owner only.
//! Losing the root secret signs everybody out and makes stored secrets unreadable, so `backup` takes it along.

use std::path::Path;

use anyhow::Context;
use sha2::{Digest, Sha256};

use crate::Settings;

/// The file that holds the root secret.
pub const FILE: &str = "secret_key";

/// The keys the program works with.
pub struct Secrets {
    /// Signs access tokens.
    pub jwt_signing_key: Vec<u8>,
    /// Seals secrets at rest.
    pub encryption_key: [u8; 32],
}

impl Secrets {
    /// Reads or makes them.
    pub fn load(settings: &Settings) -> anyhow::Result<Self> {
        let root = match settings.given("SECRET_KEY") {
            Some(key) if key.len() < 32 => anyhow::bail!("SECRET_KEY: at least 32 characters are needed"),
            Some(key) => key,
            None => kept(&settings.data_dir)?,
        };
        let jwt = settings.given("JWT_SIGNING_KEY").map(String::into_bytes);
        let encryption = settings.given("INTEGRATION_ENCRYPTION_KEY");
        Ok(Self {
            jwt_signing_key: jwt.unwrap_or_else(|| derive(&root, "access tokens").to_vec()),
            encryption_key: match encryption {
                Some(key) => derive(&key, "given encryption key"),
                None => derive(&root, "secrets at rest"),
            },
        })
    }
}

fn derive(root: &str, purpose: &str) -> [u8; 32] {
    Sha256::digest(format!("planwright\0{purpose}\0{root}")).into()
}

fn kept(data_dir: &Path) -> anyhow::Result<String> {
    let path = data_dir.join(FILE);
    if let Ok(key) = std::fs::read_to_string(&path) {
        return Ok(key.trim().to_owned());
    }
    let key = planwright_web::token::random();
    write_private(&path, &key).with_context(|| format!("writing {}", path.display()))?;
    Ok(key)
}

/// Writes a file that only its owner may read, and never over another one.
pub fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
