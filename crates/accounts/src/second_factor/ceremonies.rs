//! What happens between an authenticator and this server (WebAuthn): making a passkey, and signing with it. Every passkey can be
//! found by its authenticator and asks its person for a PIN or a finger, so it is two factors by itself.

use anyhow::anyhow;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use planwright_domain::ids::UserId;
use serde_json::Value as Json;
use url::{Host, Url};
use uuid::Uuid;
use webauthn_rp::bin::{Decode, Encode};
use webauthn_rp::request::auth::AuthenticationVerificationOptions;
use webauthn_rp::request::register::{
    CredProtect, PublicKeyCredentialUserEntity, RegistrationVerificationOptions, UserHandle, Username,
};
use webauthn_rp::request::{AsciiDomain, PublicKeyCredentialDescriptor, RpId};
use webauthn_rp::response::register::{DynamicState, StaticState};
use webauthn_rp::response::{AuthTransports, CredentialId};
use webauthn_rp::{
    AuthenticatedCredential, DiscoverableAuthentication16, DiscoverableAuthenticationServerState,
    DiscoverableCredentialRequestOptions, PublicKeyCredentialCreationOptions, Registration,
    RegistrationServerState,
};

/// Whom passkeys are made for: the domain of the application, and the page that may ask for them.
#[derive(Clone, Debug)]
pub struct RelyingParty {
    id: RpId,
    origin: String,
}

/// What a browser is asked, and what has to be known to check its answer.
#[derive(Debug)]
pub struct Asked {
    /// For `navigator.credentials`, in its JSON form.
    pub options: Json,
    /// What the answer is checked with.
    pub state: Vec<u8>,
}

/// A passkey as it is stored: texts of base64.
#[derive(Clone, Debug)]
pub struct StoredKey {
    /// What its authenticator calls it.
    pub credential_id: String,
    /// The public half.
    pub public_key: String,
    /// Its counter and its flags.
    pub counter_state: String,
}

/// What a signed answer says about itself, before it is checked.
#[derive(Debug)]
pub struct Claimed {
    /// What the authenticator calls the passkey.
    pub credential_id: String,
    /// Whose it says it is.
    pub user: UserId,
    answer: DiscoverableAuthentication16,
}

impl RelyingParty {
    /// The one for an application at this address. Browsers make passkeys for domains under HTTPS only, and for `localhost`.
    pub fn at(address: &str) -> Option<Self> {
        let url = Url::parse(address).ok()?;
        let Some(Host::Domain(domain)) = url.host() else { return None };
        let is_local = domain == "localhost" || domain.ends_with(".localhost");
        if url.scheme() != "https" && !is_local {
            return None;
        }
        let id = RpId::Domain(AsciiDomain::try_from(domain.to_owned()).ok()?);
        Some(Self { id, origin: url.origin().ascii_serialization() })
    }

    /// Asks for a new passkey; the authenticator makes none where it knows one of these.
    pub fn ask_for_new(&self, user: UserId, username: &str, known: &[String]) -> anyhow::Result<Asked> {
        let handle = handle(user)?;
        let name = Username::try_from(username)
            .or_else(|_| Username::try_from(user.0.to_string()))
            .map_err(|error| anyhow!("{error}"))?;
        let entity = PublicKeyCredentialUserEntity { name, id: &handle, display_name: None };
        let known = known.iter().filter_map(|id| URL_SAFE_NO_PAD.decode(id).ok());
        let descriptor = |id| {
            let id = CredentialId::<Vec<u8>>::decode(id).ok()?;
            Some(PublicKeyCredentialDescriptor { id, transports: AuthTransports::decode(0).ok()? })
        };
        let known = known.filter_map(descriptor).collect();
        let mut options = PublicKeyCredentialCreationOptions::passkey(&self.id, entity, known);
        // Older keys do not know this extension, and the check of the flag in each answer does the same.
        options.extensions.cred_protect = CredProtect::None;
        let (server, client) = options.start_ceremony().map_err(|error| anyhow!("{error}"))?;
        let state = server.encode().map_err(|error| anyhow!("{error}"))?;
        Ok(Asked { options: public_key(serde_json::to_value(&client)?), state })
    }

    /// The passkey that an authenticator made, if its answer is right.
    pub fn take_new(&self, state: &[u8], answer: &[u8]) -> Option<StoredKey> {
        let server = RegistrationServerState::<16>::decode(state).ok()?;
        let answer = Registration::from_json_relaxed(answer);
        let answer = answer.inspect_err(|why| tracing::info!(%why, "a new passkey cannot be read")).ok()?;
        let origins = [self.origin.as_str()];
        let options = RegistrationVerificationOptions::<&str, &str> {
            allowed_origins: &origins,
            error_on_unsolicited_extensions: false,
            ..RegistrationVerificationOptions::default()
        };
        let made = server.verify(&self.id, &answer, &options);
        let made = made.inspect_err(|why| tracing::info!(%why, "a new passkey was refused")).ok()?;
        Some(StoredKey {
            credential_id: URL_SAFE_NO_PAD.encode(made.id().as_ref()),
            public_key: STANDARD.encode(made.static_state().encode().ok()?),
            counter_state: STANDARD.encode(made.dynamic_state().encode().ok()?),
        })
    }

    /// Asks for a signature of any passkey that the authenticator has for this domain.
    pub fn ask_for_signature(&self) -> anyhow::Result<Asked> {
        let options = DiscoverableCredentialRequestOptions::passkey(&self.id);
        let (server, client) = options.start_ceremony().map_err(|error| anyhow!("{error}"))?;
        let state = server.encode().map_err(|error| anyhow!("{error}"))?;
        Ok(Asked { options: public_key(serde_json::to_value(&client)?), state })
    }

    /// Checks a signature with the stored key that it claims. The answer is the next state of the key.
    pub fn check(&self, state: &[u8], claimed: &Claimed, key: &StoredKey) -> Option<String> {
        let server = DiscoverableAuthenticationServerState::decode(state).ok()?;
        let id = URL_SAFE_NO_PAD.decode(&key.credential_id).ok()?;
        let public_key = StaticState::decode(STANDARD.decode(&key.public_key).ok()?.as_slice()).ok()?;
        let counter = STANDARD.decode(&key.counter_state).ok()?.try_into().ok()?;
        let handle = handle(claimed.user).ok()?;
        let id = CredentialId::<&[u8]>::decode(id.as_slice()).ok()?;
        let counter = DynamicState::decode(counter).ok()?;
        let mut known = AuthenticatedCredential::new(id, &handle, public_key, counter).ok()?;
        let origins = [self.origin.as_str()];
        let options = AuthenticationVerificationOptions::<&str, &str> {
            allowed_origins: &origins,
            error_on_unsolicited_extensions: false,
            ..AuthenticationVerificationOptions::default()
        };
        let checked = server.verify(&self.id, &claimed.answer, &mut known, &options);
        checked.inspect_err(|why| tracing::info!(%why, "a signature of a passkey was refused")).ok()?;
        Some(STANDARD.encode(known.dynamic_state().encode().ok()?))
    }
}

/// What a signed answer claims; none if it cannot be read.
pub fn claimed(answer: &[u8]) -> Option<Claimed> {
    let answer = DiscoverableAuthentication16::from_json_relaxed(answer).ok()?;
    let credential_id = URL_SAFE_NO_PAD.encode(answer.raw_id().as_ref());
    let user = Uuid::from_slice(answer.response().user_handle().as_ref()).ok()?;
    Some(Claimed { credential_id, user: UserId(user), answer })
}

/// The name that authenticators keep for a person.
fn handle(user: UserId) -> anyhow::Result<UserHandle<16>> {
    UserHandle::decode(*user.0.as_bytes()).map_err(|error| anyhow!("{error}"))
}

/// What browsers take as `publicKey`.
fn public_key(mut options: Json) -> Json {
    match options.get_mut("publicKey") {
        Some(inner) => inner.take(),
        None => options,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passkeys_are_for_domains_under_https_and_for_this_machine() {
        for right in ["https://plan.example.org", "http://localhost:8080", "https://plan.example.org:8443/x"]
        {
            assert!(RelyingParty::at(right).is_some(), "{right}");
        }
        for wrong in ["http://plan.example.org", "http://127.0.0.1:8080", "https://[::1]", "plan"] {
            assert!(RelyingParty::at(wrong).is_none(), "{wrong}");
        }
        assert_eq!(
            RelyingParty::at("https://plan.example.org:8443/x").unwrap().origin,
            "https://plan.example.org:8443"
        );
    }

    #[test]
    fn a_new_passkey_is_asked_for_by_id_and_an_answer_that_is_none_is_refused() {
        let party = RelyingParty::at("http://localhost:8080").unwrap();
        let asked =
            party.ask_for_new(UserId(Uuid::from_u128(7)), "ann", &["AAAAAAAAAAAAAAAAAAAAAA".into()]).unwrap();
        assert_eq!(asked.options["rp"]["id"], "localhost");
        assert_eq!(asked.options["authenticatorSelection"]["userVerification"], "required");
        assert_eq!(asked.options["excludeCredentials"].as_array().map(Vec::len), Some(1));
        assert!(party.take_new(&asked.state, b"{}").is_none());
        let asked = party.ask_for_signature().unwrap();
        assert_eq!(asked.options["rpId"], "localhost");
        assert!(claimed(b"[]").is_none() && claimed(b"{\"id\":\"x\"}").is_none());
    }
}
