//! Secrets at rest: sealed with an authenticated cipher (XChaCha20-Poly1305) under the key of the installation.
//! The purpose is bound into the seal, so a secret cannot be moved to another column.

use chacha20poly1305::XChaCha20Poly1305;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use planwright_domain::Entropy;

use crate::{Result, StoreError};

const NONCE_BYTES: usize = 24;

/// Seals and opens secrets.
#[derive(Clone)]
pub struct Sealer(XChaCha20Poly1305);

impl Sealer {
    /// A sealer for a 32-byte key.
    pub fn new(key: &[u8; 32]) -> Self {
        Self(XChaCha20Poly1305::new(key.into()))
    }

    /// The nonce and the sealed text.
    pub fn seal(&self, purpose: &str, secret: &[u8]) -> Result<Vec<u8>> {
        let nonce: [u8; NONCE_BYTES] = Entropy.bytes();
        let payload = Payload { msg: secret, aad: purpose.as_bytes() };
        let sealed = self.0.encrypt(&nonce.into(), payload);
        let sealed = sealed.map_err(|_| StoreError::Unexpected(anyhow::anyhow!("sealing failed")))?;
        Ok([nonce.as_slice(), &sealed].concat())
    }

    /// The secret, or an error when key, purpose or text differ from those it was sealed with.
    pub fn open(&self, purpose: &str, sealed: &[u8]) -> Result<Vec<u8>> {
        let wrong =
            || StoreError::Unexpected(anyhow::anyhow!("a sealed {purpose} does not open with this key"));
        let (nonce, text) = sealed.split_first_chunk::<NONCE_BYTES>().ok_or_else(wrong)?;
        let payload = Payload { msg: text, aad: purpose.as_bytes() };
        self.0.decrypt(&(*nonce).into(), payload).map_err(|_| wrong())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_secret_opens_only_for_its_purpose_and_key() {
        let sealer = Sealer::new(&[7; 32]);
        let sealed = sealer.seal("webhook", b"secret").unwrap();
        assert_eq!(sealer.open("webhook", &sealed).unwrap(), b"secret");
        assert!(sealer.open("mail", &sealed).is_err());
        assert!(Sealer::new(&[8; 32]).open("webhook", &sealed).is_err());
        assert!(sealer.open("webhook", &sealed[..10]).is_err());
    }
}
