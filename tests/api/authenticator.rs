//! An authenticator in software: it makes passkeys (ES256) and signs with them, as phones and security keys do.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest::{SHA256, digest};
use ring::rand::{SecureRandom, SystemRandom};
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value as Json, json};

/// The flags of an answer: somebody was there, and proved by PIN or finger who they are.
const PRESENT: u8 = 0x01;
const VERIFIED: u8 = 0x04;
/// The answer has a new passkey.
const HAS_KEY: u8 = 0x40;

/// A passkey in its authenticator, with what a test may spoil.
pub(crate) struct Authenticator {
    key: EcdsaKeyPair,
    id: Vec<u8>,
    user_handle: String,
    counter: u32,
    /// The page that asks.
    pub(crate) origin: String,
    /// The domain that it asks for.
    pub(crate) domain: String,
    /// Whether the person proves who they are.
    pub(crate) verifies: bool,
}

impl Authenticator {
    /// One that has made no passkey yet.
    pub(crate) fn new(origin: &str, domain: &str) -> Self {
        let random = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).unwrap();
        let key =
            EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, document.as_ref(), &random).unwrap();
        let mut id = vec![0; 32];
        random.fill(&mut id).unwrap();
        let (origin, domain) = (origin.to_owned(), domain.to_owned());
        Self { key, id, user_handle: String::new(), counter: 0, origin, domain, verifies: true }
    }

    /// Makes the passkey that the options ask for. The answer is what a browser's `toJSON()` writes.
    pub(crate) fn make(&mut self, options: &Json) -> Json {
        self.user_handle = options["user"]["id"].as_str().unwrap().to_owned();
        let client = self.client_data("webauthn.create", options);
        let mut data = self.authenticator_data(HAS_KEY);
        data.extend([0; 16]);
        data.extend(u16::try_from(self.id.len()).unwrap().to_be_bytes());
        data.extend(&self.id);
        data.extend(self.cose_key());
        let mut attestation = vec![0xa3, 0x63];
        attestation.extend(b"fmt");
        attestation.push(0x64);
        attestation.extend(b"none");
        attestation.push(0x67);
        attestation.extend(b"attStmt");
        attestation.extend([0xa0, 0x68]);
        attestation.extend(b"authData");
        // CTAP2 wants the shortest form of a length.
        attestation.extend([0x58, u8::try_from(data.len()).unwrap()]);
        attestation.extend(&data);
        let id = encoded(&self.id);
        json!({
            "id": id, "rawId": id, "type": "public-key", "authenticatorAttachment": "platform",
            "clientExtensionResults": {},
            "response": {
                "clientDataJSON": encoded(&client), "attestationObject": encoded(&attestation), "transports": ["internal"],
            },
        })
    }

    /// Signs what the options ask for.
    pub(crate) fn sign(&mut self, options: &Json) -> Json {
        self.counter += 1;
        let client = self.client_data("webauthn.get", options);
        let data = self.authenticator_data(0);
        let signed = [data.as_slice(), digest(&SHA256, &client).as_ref()].concat();
        let signature = self.key.sign(&SystemRandom::new(), &signed).unwrap();
        let id = encoded(&self.id);
        json!({
            "id": id, "rawId": id, "type": "public-key", "authenticatorAttachment": "platform",
            "clientExtensionResults": {},
            "response": {
                "clientDataJSON": encoded(&client), "authenticatorData": encoded(&data),
                "signature": encoded(signature.as_ref()), "userHandle": self.user_handle,
            },
        })
    }

    /// Another authenticator that got hold of the counter as it was.
    pub(crate) fn turn_back(&mut self) {
        self.counter -= 2;
    }

    /// Says that the passkey is somebody else's.
    pub(crate) fn claim_to_be(&mut self, user: &uuid::Uuid) {
        self.user_handle = encoded(user.as_bytes());
    }

    fn client_data(&self, kind: &str, options: &Json) -> Vec<u8> {
        let said = json!({
            "type": kind, "challenge": options["challenge"], "origin": self.origin, "crossOrigin": false,
        });
        said.to_string().into_bytes()
    }

    fn authenticator_data(&self, more: u8) -> Vec<u8> {
        let verified = if self.verifies { VERIFIED } else { 0 };
        let mut data = digest(&SHA256, self.domain.as_bytes()).as_ref().to_vec();
        data.push(PRESENT | verified | more);
        data.extend(self.counter.to_be_bytes());
        data
    }

    fn cose_key(&self) -> Vec<u8> {
        let point = self.key.public_key().as_ref();
        let mut key = vec![0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20];
        key.extend(&point[1..33]);
        key.extend([0x22, 0x58, 0x20]);
        key.extend(&point[33..65]);
        key
    }
}

fn encoded(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
