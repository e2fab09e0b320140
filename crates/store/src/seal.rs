//! Encryption of stored secrets with an authenticated cipher (XChaCha20-Poly1305) and the key of the installation.
//! The purpose is part of the encryption, so a secret cannot be moved to another column.

use chacha20poly1305::XChaCha20Poly1305;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use planwright_domain::Entropy;
use sha2::{Digest, Sha256};

use crate::{Result, StoreError};

const NONCE_BYTES: usize = 24;

/// Seals and opens secrets, and makes fingerprints of them.
#[derive(Clone)]
pub struct Sealer {
    cipher: XChaCha20Poly1305,
    key: [u8; 32],
}

/// The size of a block of SHA-256, in bytes.
const BLOCK_BYTES: usize = 64;

impl Sealer {
    /// A sealer for a 32-byte key.
    pub fn new(key: &[u8; 32]) -> Self {
        Self { cipher: XChaCha20Poly1305::new(key.into()), key: *key }
    }

    /// What tells equal texts of a purpose apart from others and nothing else: without the key nobody can try out which text
    /// it was made of (HMAC-SHA256).
    pub fn fingerprint(&self, purpose: &str, text: &[u8]) -> String {
        let pad = |filler: u8| {
            let mut block = [filler; BLOCK_BYTES];
            block.iter_mut().zip(self.key).for_each(|(byte, key)| *byte ^= key);
            block
        };
        let length = (purpose.len() as u64).to_be_bytes();
        let inner = Sha256::new().chain_update(pad(0x36)).chain_update(length).chain_update(purpose);
        let inner = inner.chain_update(text).finalize();
        let outer = Sha256::new().chain_update(pad(0x5c)).chain_update(inner).finalize();
        outer.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The nonce and the sealed text.
    pub fn seal(&self, purpose: &str, secret: &[u8]) -> Result<Vec<u8>> {
        let nonce: [u8; NONCE_BYTES] = Entropy.bytes();
        let payload = Payload { msg: secret, aad: purpose.as_bytes() };
        let sealed = self.cipher.encrypt(&nonce.into(), payload);
        let sealed = sealed.map_err(|_| StoreError::Unexpected(anyhow::anyhow!("sealing failed")))?;
        Ok([nonce.as_slice(), &sealed].concat())
    }

    /// The secret, or an error when key, purpose or text differ from those it was sealed with.
    pub fn open(&self, purpose: &str, sealed: &[u8]) -> Result<Vec<u8>> {
        let wrong =
            || StoreError::Unexpected(anyhow::anyhow!("a sealed {purpose} does not open with this key"));
        let (nonce, text) = sealed.split_first_chunk::<NONCE_BYTES>().ok_or_else(wrong)?;
        let payload = Payload { msg: text, aad: purpose.as_bytes() };
        self.cipher.decrypt(&(*nonce).into(), payload).map_err(|_| wrong())
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

    #[test]
    fn a_fingerprint_depends_on_key_purpose_and_text() {
        let (one, other) = (Sealer::new(&[1; 32]), Sealer::new(&[2; 32]));
        let first = one.fingerprint("name", b"ann");
        assert_eq!((first.len(), &first), (64, &one.fingerprint("name", b"ann")));
        for different in [
            one.fingerprint("name", b"bob"),
            one.fingerprint("mail", b"ann"),
            one.fingerprint("nam", b"eann"),
            other.fingerprint("name", b"ann"),
        ] {
            assert_ne!(first, different);
        }
    }
}
