//! Encryption of stored secrets with an authenticated cipher (XChaCha20-Poly1305) and the key of the installation.
//! The purpose is part of the encryption, so a secret cannot be moved to another column.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chacha20poly1305::XChaCha20Poly1305;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use planwright_domain::{Entropy, hex};
use sha2::{Digest, Sha256};

use crate::{Result, StoreError};

const NONCE_BYTES: usize = 24;

/// How many bytes tell which key sealed a secret.
const KEY_ID_BYTES: usize = 8;

/// Seals and opens secrets, and makes fingerprints of them.
#[derive(Clone)]
pub struct Sealer {
    key: Key,
    former: Vec<Key>,
}

/// A key, and by what a sealed secret names it.
#[derive(Clone)]
struct Key {
    id: [u8; KEY_ID_BYTES],
    bytes: [u8; 32],
    cipher: XChaCha20Poly1305,
}

impl Key {
    fn new(bytes: &[u8; 32]) -> Self {
        let digest = Sha256::new().chain_update(b"the name of a key").chain_update(bytes).finalize();
        let mut id = [0; KEY_ID_BYTES];
        id.iter_mut().zip(digest).for_each(|(target, byte)| *target = byte);
        Self { id, bytes: *bytes, cipher: XChaCha20Poly1305::new(bytes.into()) }
    }

    fn open(&self, purpose: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let (nonce, text) = sealed.split_first_chunk::<NONCE_BYTES>()?;
        let payload = Payload { msg: text, aad: purpose.as_bytes() };
        self.cipher.decrypt(&(*nonce).into(), payload).ok()
    }
}

/// The size of a block of SHA-256, in bytes.
const BLOCK_BYTES: usize = 64;

impl Sealer {
    /// A sealer for a 32-byte key.
    pub fn new(key: &[u8; 32]) -> Self {
        Self { key: Key::new(key), former: Vec::new() }
    }

    /// The same that also opens what former keys sealed.
    pub fn with_former(mut self, keys: &[[u8; 32]]) -> Self {
        self.former.extend(keys.iter().map(Key::new));
        self
    }

    /// What tells equal texts of a purpose apart from others and nothing else: without the key nobody can try out which text
    /// it was made of (HMAC-SHA256).
    pub fn fingerprint(&self, purpose: &str, text: &[u8]) -> String {
        let pad = |filler: u8| {
            let mut block = [filler; BLOCK_BYTES];
            block.iter_mut().zip(self.key.bytes).for_each(|(byte, key)| *byte ^= key);
            block
        };
        let length = (purpose.len() as u64).to_be_bytes();
        let inner = Sha256::new().chain_update(pad(0x36)).chain_update(length).chain_update(purpose);
        let inner = inner.chain_update(text).finalize();
        let outer = Sha256::new().chain_update(pad(0x5c)).chain_update(inner).finalize();
        hex(&outer)
    }

    /// The name of the key, the nonce and the sealed text.
    pub fn seal(&self, purpose: &str, secret: &[u8]) -> Result<Vec<u8>> {
        let nonce: [u8; NONCE_BYTES] = Entropy.bytes();
        let payload = Payload { msg: secret, aad: purpose.as_bytes() };
        let sealed = self.key.cipher.encrypt(&nonce.into(), payload);
        let sealed = sealed.map_err(|_| StoreError::Unexpected(anyhow::anyhow!("sealing failed")))?;
        Ok([self.key.id.as_slice(), &nonce, &sealed].concat())
    }

    /// The secret, or an error when key, purpose or text differ from those it was sealed with.
    pub fn open(&self, purpose: &str, sealed: &[u8]) -> Result<Vec<u8>> {
        let mut keys = std::iter::once(&self.key).chain(&self.former);
        let named = sealed.split_first_chunk::<KEY_ID_BYTES>();
        let named = named.and_then(|(id, rest)| keys.clone().find(|key| key.id == *id)?.open(purpose, rest));
        // What was sealed before keys had names begins with its nonce.
        let opened = named.or_else(|| keys.find_map(|key| key.open(purpose, sealed)));
        opened.ok_or_else(|| {
            StoreError::Unexpected(anyhow::anyhow!("a sealed {purpose} does not open with any key"))
        })
    }

    /// A sealed text for a column of texts (base64).
    pub fn seal_text(&self, purpose: &str, secret: &str) -> Result<String> {
        Ok(STANDARD.encode(self.seal(purpose, secret.as_bytes())?))
    }

    /// The text that was sealed so.
    pub fn open_text(&self, purpose: &str, sealed: &str) -> Result<String> {
        let sealed = STANDARD.decode(sealed).map_err(|error| StoreError::Unexpected(error.into()))?;
        String::from_utf8(self.open(purpose, &sealed)?).map_err(|error| StoreError::Unexpected(error.into()))
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
    fn a_text_is_sealed_as_a_text() {
        let sealer = Sealer::new(&[7; 32]);
        let sealed = sealer.seal_text("mail", "grün").unwrap();
        assert_eq!(sealer.open_text("mail", &sealed).unwrap(), "grün");
        for wrong in ["no base64!", "", &sealed[..8]] {
            assert!(sealer.open_text("mail", wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_a_former_key_sealed_still_opens() {
        let (old, new) = (Sealer::new(&[7; 32]), Sealer::new(&[8; 32]));
        let sealed = old.seal("webhook", b"secret").unwrap();
        let both = new.clone().with_former(&[[9; 32], [7; 32]]);
        assert_eq!(both.open("webhook", &sealed).unwrap(), b"secret");
        assert!(both.open("mail", &sealed).is_err());
        let fresh = both.seal("webhook", b"secret").unwrap();
        assert_eq!(new.open("webhook", &fresh).unwrap(), b"secret", "the new key seals");
        assert!(old.open("webhook", &fresh).is_err());
        let without_name = &sealed[KEY_ID_BYTES..];
        assert_eq!(both.open("webhook", without_name).unwrap(), b"secret", "as secrets were sealed before");
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
