//! Providers with ID tokens (OpenID Connect Core 1.0 and Discovery 1.0): what they say of themselves, where people are sent, and
//! who they are. The library checks issuer, audience, expiry, nonce and signature; algorithms are pinned here.

use std::error::Error as _;
use std::sync::{MutexGuard, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Duration, Utc};
use openidconnect::core::{
    CoreAuthenticationFlow, CoreClient, CoreClientAuthMethod, CoreIdToken, CoreIdTokenVerifier,
    CoreJwsSigningAlgorithm, CoreProviderMetadata, CoreTokenResponse, CoreUserInfoClaims,
};
use openidconnect::{
    AccessTokenHash, AuthType, AuthorizationCode, ClaimsVerificationError, ClientId, ClientSecret, CsrfToken,
    DiscoveryError, IssuerUrl, Nonce, OAuth2TokenResponse, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl,
    RequestTokenError, Scope,
};
use serde_json::{Map, Value as Json, json};

use super::http_client::HttpClient;
use super::{Failure, Identity, ProviderMemory, Refusal};

/// How long keys and addresses of a provider are used before it is asked again.
const REMEMBERED: Duration = Duration::seconds(600);
/// By how much the clock of a provider may differ from ours.
const LEEWAY: Duration = Duration::seconds(60);

/// The shortest key of RSA that is believed, in bytes.
const LEAST_RSA_BYTES: usize = 256;

/// The only algorithms that are accepted: with a public key of the provider, never with a shared secret.
const ALGORITHMS: [CoreJwsSigningAlgorithm; 5] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
];

/// What a provider said of itself, and when.
#[derive(Clone)]
pub struct Known {
    metadata: CoreProviderMetadata,
    asked_at: DateTime<Utc>,
}

/// What is wrong with what a provider says of itself: a word for programs, and a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct Trouble {
    /// `provider_unreachable`, `invalid_id_token`, `jwks_unreachable` or `jwks_empty`.
    pub code: &'static str,
    /// The sentence.
    pub detail: String,
}

/// This installation at a provider.
#[derive(Clone, Copy, Debug)]
pub struct Client<'a> {
    /// The issuer.
    pub issuer: &'a str,
    /// The id of this installation there.
    pub id: &'a str,
    /// Its secret.
    pub secret: &'a str,
    /// Where people come back to.
    pub redirect_uri: &'a str,
}

/// What one sign-in is bound to.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Challenge {
    /// What the exchange of the code has to show (RFC 7636).
    pub verifier: String,
    /// What the ID token has to repeat.
    pub nonce: String,
}

impl ProviderMemory {
    fn entries(&self) -> MutexGuard<'_, std::collections::HashMap<String, Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, issuer: &str, now: DateTime<Utc>) -> Option<CoreProviderMetadata> {
        let entries = self.entries();
        entries
            .get(issuer)
            .filter(|known| now - known.asked_at < REMEMBERED)
            .map(|known| known.metadata.clone())
    }

    /// Forgets what providers said, since one of them was written anew.
    pub fn forget(&self) {
        self.entries().clear();
    }

    /// Keeps what a provider said.
    pub fn keep(&self, issuer: &str, metadata: &CoreProviderMetadata, now: DateTime<Utc>) {
        self.entries().insert(issuer.to_owned(), Known { metadata: metadata.clone(), asked_at: now });
    }
}

/// Asks a provider what it is: its addresses and its keys. Its issuer must be exactly the one that was asked.
pub async fn discover(http: &HttpClient, issuer: &str) -> Result<CoreProviderMetadata, Trouble> {
    let trouble = |code, detail: String| Trouble { code, detail };
    let url =
        IssuerUrl::new(issuer.to_owned()).map_err(|error| trouble("invalid_id_token", error.to_string()))?;
    let metadata = CoreProviderMetadata::discover_async(url, http).await;
    let metadata = metadata.map_err(|error| match error {
        DiscoveryError::Request(error) => trouble("provider_unreachable", error.to_string()),
        DiscoveryError::Response(status, _, detail) => {
            trouble("provider_unreachable", format!("{status}: {detail}."))
        }
        DiscoveryError::Validation(detail) => trouble("invalid_id_token", format!("{detail}.")),
        other => trouble("invalid_id_token", with_cause(&other)),
    })?;
    if let Some(address) = odd_address(&metadata) {
        return Err(trouble("invalid_id_token", format!("{address} is no address under HTTPS.")));
    }
    match metadata.jwks().keys().is_empty() {
        true => Err(trouble("jwks_empty", "The provider has no keys.".to_owned())),
        false => Ok(metadata),
    }
}

fn with_cause(error: &DiscoveryError<super::http_client::CallFailed>) -> String {
    match error.source() {
        Some(cause) => format!("{error}: {cause}."),
        None => format!("{error}."),
    }
}

/// The addresses of a provider, by their names in its document.
pub fn endpoints(metadata: &CoreProviderMetadata) -> Map<String, Json> {
    let mut found = Map::new();
    found.insert("authorization_endpoint".to_owned(), json!(metadata.authorization_endpoint().as_str()));
    found.insert("jwks_uri".to_owned(), json!(metadata.jwks_uri().as_str()));
    if let Some(url) = metadata.token_endpoint() {
        found.insert("token_endpoint".to_owned(), json!(url.as_str()));
    }
    if let Some(url) = metadata.userinfo_endpoint() {
        found.insert("userinfo_endpoint".to_owned(), json!(url.as_str()));
    }
    found
}

/// What a provider says of itself, from memory if it is fresh.
pub async fn metadata(
    http: &HttpClient,
    memory: &ProviderMemory,
    issuer: &str,
    now: DateTime<Utc>,
) -> Result<CoreProviderMetadata, Failure> {
    if let Some(metadata) = memory.find(issuer, now) {
        return Ok(metadata);
    }
    let metadata = discover(http, issuer).await.map_err(failure_of)?;
    memory.keep(issuer, &metadata, now);
    Ok(metadata)
}

fn failure_of(trouble: Trouble) -> Failure {
    match trouble.code {
        "provider_unreachable" => Failure::Unreachable(trouble.detail),
        _ => Failure::refused(Refusal::ProviderError, trouble.detail),
    }
}

/// The first address of a provider that no browser may be sent to: it is not of the kind that the issuer is of.
fn odd_address(metadata: &CoreProviderMetadata) -> Option<String> {
    let is_plain = metadata.issuer().url().scheme() == "http";
    let is_web = |url: &url::Url| url.scheme() == "https" || (is_plain && url.scheme() == "http");
    let mut known = vec![metadata.authorization_endpoint().url(), metadata.jwks_uri().url()];
    known.extend(metadata.token_endpoint().map(|endpoint| endpoint.url()));
    known.extend(metadata.userinfo_endpoint().map(|endpoint| endpoint.url()));
    known.into_iter().find(|url| !is_web(url)).map(ToString::to_string)
}

/// Where a browser is sent, and what the sign-in is bound to.
pub fn authorization(
    metadata: CoreProviderMetadata,
    client: Client<'_>,
    state: &str,
) -> Result<(String, Challenge), Failure> {
    let redirect = redirect(client)?;
    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    let state = CsrfToken::new(state.to_owned());
    let client = CoreClient::from_provider_metadata(metadata, ClientId::new(client.id.to_owned()), None)
        .set_redirect_uri(redirect);
    let (url, _, nonce) = client
        .authorize_url(CoreAuthenticationFlow::AuthorizationCode, || state, Nonce::new_random)
        .add_scope(Scope::new("profile".to_owned()))
        .add_scope(Scope::new("email".to_owned()))
        .set_pkce_challenge(challenge)
        .url();
    let challenge = Challenge { verifier: verifier.into_secret(), nonce: nonce.secret().clone() };
    Ok((url.into(), challenge))
}

fn redirect(client: Client<'_>) -> Result<RedirectUrl, Failure> {
    RedirectUrl::new(client.redirect_uri.to_owned())
        .map_err(|error| Failure::refused(Refusal::ProviderError, error))
}

/// Exchanges a code, and reads who it is. If the provider signs with a key that is not known, its keys are read once more.
pub async fn identify(
    http: &HttpClient,
    memory: &ProviderMemory,
    client: Client<'_>,
    code: String,
    challenge: Challenge,
    now: DateTime<Utc>,
) -> Result<Identity, Failure> {
    let Challenge { verifier, nonce } = challenge;
    let mut known = metadata(http, memory, client.issuer, now).await?;
    let answer = exchange(http, known.clone(), client, code, verifier).await?;
    let token = answer
        .extra_fields()
        .id_token()
        .ok_or_else(|| Failure::refused(Refusal::InvalidIdToken, "the answer has no ID token"))?;
    let nonce = Nonce::new(nonce);
    let mut claims = verified(&known, client, token, &nonce, &answer, now);
    if matches!(claims, Err(ClaimsVerificationError::SignatureVerification(_))) {
        known = discover(http, client.issuer).await.map_err(failure_of)?;
        memory.keep(client.issuer, &known, now);
        claims = verified(&known, client, token, &nonce, &answer, now);
    }
    let mut identity = claims.map_err(|error| Failure::refused(Refusal::InvalidIdToken, error))?;
    if identity.verified_email.is_none() {
        identity.verified_email = email_of(http, known, client, &answer, &identity.subject).await?;
    }
    Ok(identity)
}

async fn exchange(
    http: &HttpClient,
    metadata: CoreProviderMetadata,
    client: Client<'_>,
    code: String,
    verifier: String,
) -> Result<CoreTokenResponse, Failure> {
    let redirect = redirect(client)?;
    let auth_type = auth_type(&metadata);
    let (id, secret) = (ClientId::new(client.id.to_owned()), ClientSecret::new(client.secret.to_owned()));
    let client = CoreClient::from_provider_metadata(metadata, id, Some(secret))
        .set_redirect_uri(redirect)
        .set_auth_type(auth_type);
    let request = client
        .exchange_code(AuthorizationCode::new(code))
        .map_err(|error| Failure::refused(Refusal::ProviderError, error))?
        .set_pkce_verifier(PkceCodeVerifier::new(verifier));
    request.request_async(http).await.map_err(|error| match error {
        RequestTokenError::Request(error) => Failure::Unreachable(error.to_string()),
        RequestTokenError::ServerResponse(answer) => {
            Failure::refused(Refusal::ExchangeFailed, answer.error())
        }
        // The code was exchanged, and what came for it is no ID token that can be read.
        RequestTokenError::Parse(error, body) if has_id_token(&body) => {
            Failure::refused(Refusal::InvalidIdToken, error)
        }
        other => Failure::refused(Refusal::ExchangeFailed, other),
    })
}

fn has_id_token(body: &[u8]) -> bool {
    serde_json::from_slice::<Json>(body).is_ok_and(|answer| answer["id_token"].is_string())
}

/// In the header unless the provider reads the secret only from the body (Core, section 9).
fn auth_type(metadata: &CoreProviderMetadata) -> AuthType {
    let methods = metadata.token_endpoint_auth_methods_supported();
    let lists = |method: &CoreClientAuthMethod| methods.is_some_and(|methods| methods.contains(method));
    match lists(&CoreClientAuthMethod::ClientSecretPost) && !lists(&CoreClientAuthMethod::ClientSecretBasic) {
        true => AuthType::RequestBody,
        false => AuthType::BasicAuth,
    }
}

fn verified(
    metadata: &CoreProviderMetadata,
    client: Client<'_>,
    token: &CoreIdToken,
    nonce: &Nonce,
    answer: &CoreTokenResponse,
    now: DateTime<Utc>,
) -> Result<Identity, ClaimsVerificationError> {
    let keys =
        CoreClient::from_provider_metadata(metadata.clone(), ClientId::new(client.id.to_owned()), None);
    let verifier = keys
        .id_token_verifier()
        .set_allowed_algs(ALGORITHMS)
        .set_time_fn(move || now - LEEWAY)
        .set_issue_time_verifier_fn(move |issued| match issued > now + LEEWAY {
            true => Err("the ID token is from the future".to_owned()),
            false => Ok(()),
        });
    let claims = token.claims(&verifier, nonce)?;
    if let Some(expected) = claims.access_token_hash() {
        let other = |error: &dyn std::error::Error| ClaimsVerificationError::Other(error.to_string());
        let algorithm = token.signing_alg().map_err(|error| other(&error))?;
        let key = token.signing_key(&verifier).map_err(ClaimsVerificationError::SignatureVerification)?;
        let actual = AccessTokenHash::from_token(answer.access_token(), algorithm, key);
        if actual.map_err(|error| other(&error))? != *expected {
            return Err(ClaimsVerificationError::Other("the access token is another one".to_owned()));
        }
    }
    // OpenID Connect Core, section 3.1.3.7, step 5.
    if claims.authorized_party().is_some_and(|party| party.as_str() != client.id) {
        return Err(ClaimsVerificationError::Other("the ID token was made for another client".to_owned()));
    }
    check_more(token, &verifier, now).map_err(ClaimsVerificationError::Other)?;
    let is_verified = claims.email_verified() == Some(true);
    let name = claims.name().and_then(|name| name.get(None)).map(|name| name.to_string());
    Ok(Identity {
        issuer: claims.issuer().to_string(),
        subject: claims.subject().to_string(),
        verified_email: claims.email().filter(|_| is_verified).map(|email| email.to_string()),
        name: name.unwrap_or_default(),
    })
}

/// What the library leaves open: a token is not from the future by `nbf`, and a key of RSA has at least 2048 bits.
fn check_more(
    token: &CoreIdToken,
    verifier: &CoreIdTokenVerifier<'_>,
    now: DateTime<Utc>,
) -> Result<(), String> {
    let payload = token.to_string();
    let payload = payload.split('.').nth(1).and_then(|part| URL_SAFE_NO_PAD.decode(part).ok());
    let claims: Json = payload.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
    if claims["nbf"].as_f64().is_some_and(|from| from > (now + LEEWAY).timestamp() as f64) {
        return Err("the ID token is not good yet".to_owned());
    }
    let key = token.signing_key(verifier).map_err(|error| error.to_string())?;
    let modulus = serde_json::to_value(key).ok().and_then(|key| key["n"].as_str().map(str::to_owned));
    let bytes = modulus.and_then(|modulus| URL_SAFE_NO_PAD.decode(modulus).ok());
    match bytes.is_some_and(|bytes| bytes.iter().skip_while(|byte| **byte == 0).count() < LEAST_RSA_BYTES) {
        true => Err("the key of the provider is too short".to_owned()),
        false => Ok(()),
    }
}

/// The verified address from the page about the person, for providers that leave it out of the ID token. The page must be about
/// the same person.
async fn email_of(
    http: &HttpClient,
    metadata: CoreProviderMetadata,
    client: Client<'_>,
    answer: &CoreTokenResponse,
    subject: &str,
) -> Result<Option<String>, Failure> {
    if metadata.userinfo_endpoint().is_none() {
        return Ok(None);
    }
    let client = CoreClient::from_provider_metadata(metadata, ClientId::new(client.id.to_owned()), None);
    let subject = openidconnect::SubjectIdentifier::new(subject.to_owned());
    let request = client
        .user_info(answer.access_token().clone(), Some(subject))
        .map_err(|error| Failure::refused(Refusal::ProviderError, error))?;
    let claims: CoreUserInfoClaims = request.request_async(http).await.map_err(|error| match error {
        openidconnect::UserInfoError::Request(error) => Failure::Unreachable(error.to_string()),
        other => Failure::refused(Refusal::ProviderError, other),
    })?;
    let is_verified = claims.email_verified() == Some(true);
    Ok(claims.email().filter(|_| is_verified).map(|email| email.to_string()))
}
