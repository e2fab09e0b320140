//! A provider of identities on a port of its own: it describes itself, signs ID tokens with ECDSA and answers for people, and
//! misbehaves as a test wants it to. It speaks just enough of OpenID Connect and of GitHub's interface.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::digest::{SHA256, digest};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value as Json, json};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};

use crate::request::Request;

/// What a provider does wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Fault {
    /// Nothing.
    #[default]
    None,
    /// It signs with a key that it does not publish.
    UnknownKey,
    /// It says that nothing is signed.
    NoAlgorithm,
    /// It signs with the secret of the client.
    SharedSecret,
    /// It changes the token after it was signed.
    BrokenSignature,
    /// It refuses the code.
    RefusesCode,
    /// It describes itself as somebody else.
    OtherIssuer,
}

/// What is known at the provider.
struct Known {
    fault: Fault,
    /// The claims of the next ID token, over the usual ones.
    claims: HashMap<String, Json>,
    /// What the page about the person says; none where there is no such page.
    about: Option<Json>,
    /// The challenge and the nonce of each code.
    codes: HashMap<String, (String, String)>,
    keys: Vec<(String, EcdsaKeyPair)>,
    /// Membership of the organisation at GitHub.
    is_in_organisation: bool,
    /// Addresses at GitHub.
    addresses: Json,
    /// How often it was asked for its keys.
    asked_for_keys: usize,
}

/// A provider.
pub(crate) struct IdentityProvider {
    pub(crate) issuer: String,
    known: Arc<Mutex<Known>>,
    /// The second that it takes for now.
    now: i64,
}

fn key() -> EcdsaKeyPair {
    let random = SystemRandom::new();
    let document =
        EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).expect("a key can be made");
    EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref(), &random)
        .expect("it can be read")
}

impl IdentityProvider {
    /// One that behaves, and takes this second for now.
    pub(crate) async fn start(now: i64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let issuer = format!("http://127.0.0.1:{}", listener.local_addr().expect("it has an address").port());
        let known = Known {
            fault: Fault::None,
            claims: HashMap::new(),
            about: None,
            codes: HashMap::new(),
            keys: vec![("first".to_owned(), key())],
            is_in_organisation: true,
            addresses: json!([{"email": "ona@example.org", "primary": true, "verified": true}]),
            asked_for_keys: 0,
        };
        let known = Arc::new(Mutex::new(known));
        let (shared, named) = (known.clone(), issuer.clone());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, named.clone(), now, shared.clone()));
            }
        });
        Self { issuer, known, now }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().expect("no test panics while it holds this")
    }

    /// What it does wrong from now on.
    pub(crate) fn does(&self, fault: Fault) {
        self.known().fault = fault;
    }

    /// What its next ID tokens say differently; null leaves a claim out.
    pub(crate) fn claims(&self, claims: Json) {
        let claims = claims.as_object().expect("claims are an object").clone();
        self.known().claims = claims.into_iter().collect();
    }

    /// What its page about the person says.
    pub(crate) fn says_of_person(&self, about: Json) {
        self.known().about = Some(about);
    }

    /// Whether people are in its organisation, and what their addresses are (GitHub).
    pub(crate) fn has_on_github(&self, is_in_organisation: bool, addresses: Json) {
        let mut known = self.known();
        (known.is_in_organisation, known.addresses) = (is_in_organisation, addresses);
    }

    /// Signs with a new key from now on, and publishes it.
    pub(crate) fn rotates(&self) {
        let mut known = self.known();
        let name = format!("key {}", known.keys.len());
        known.keys.push((name, key()));
    }

    /// How often it was asked for its keys.
    pub(crate) fn asked_for_keys(&self) -> usize {
        self.known().asked_for_keys
    }

    /// What a browser does that was sent here: the person agrees, and gets the address to go back to.
    pub(crate) fn agree(&self, location: &str) -> String {
        let asked = query_of(location);
        assert_eq!(asked["response_type"], "code", "{location}");
        assert_eq!(asked["code_challenge_method"], "S256");
        assert!(asked["scope"].split('+').any(|scope| scope == "openid"));
        let code = format!("code-{}", self.known().codes.len());
        self.known().codes.insert(code.clone(), (asked["code_challenge"].clone(), asked["nonce"].clone()));
        format!("code={code}&state={}", asked["state"])
    }

    /// The second that it takes for now.
    pub(crate) fn now(&self) -> i64 {
        self.now
    }
}

/// The fields of a query as they are written; values that matter to tests need no decoding.
pub(crate) fn query_of(location: &str) -> HashMap<String, String> {
    let (_, query) = location.split_once('?').expect("there is a query");
    query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect()
}

async fn serve(mut stream: TcpStream, issuer: String, now: i64, known: Arc<Mutex<Known>>) {
    let Some(request) = Request::read(&mut stream).await else { return };
    let (status, body) = {
        let mut known = known.lock().expect("no test panics while it holds this");
        answer(&request, &issuer, now, &mut known)
    };
    let body = body.to_string();
    let head = format!(
        "HTTP/1.1 {status} So\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    // The caller may be gone by now, which is its own affair.
    let _ = stream.write_all(format!("{head}{body}").as_bytes()).await;
}

fn answer(request: &Request, issuer: &str, now: i64, known: &mut Known) -> (u16, Json) {
    let path = request.path.split('?').next().unwrap_or_default();
    match path {
        "/.well-known/openid-configuration" => (200, description(issuer, known)),
        "/keys" => {
            known.asked_for_keys += 1;
            (200, json!({"keys": known.keys.iter().map(published).collect::<Vec<_>>()}))
        }
        "/token" => exchange(request, issuer, now, known),
        "/about" => (200, known.about.clone().unwrap_or_default()),
        "/login/oauth/access_token" => match known.fault {
            Fault::RefusesCode => (200, json!({"error": "bad_verification_code"})),
            _ => (200, json!({"access_token": "gho_1", "token_type": "bearer"})),
        },
        "/api/v3/meta" => (200, json!({})),
        _ if request.header("authorization") != "Bearer gho_1" => (401, json!({})),
        "/api/v3/user" => (200, json!({"id": 7, "login": "ona", "name": "Ona Li"})),
        "/api/v3/user/emails" => (200, known.addresses.clone()),
        "/api/v3/user/memberships/orgs/acme" if known.is_in_organisation => (200, json!({"state": "active"})),
        _ => (404, json!({})),
    }
}

fn description(issuer: &str, known: &Known) -> Json {
    let named = if known.fault == Fault::OtherIssuer { "http://127.0.0.1:1" } else { issuer };
    let mut described = json!({
        "issuer": named,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/keys"),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["ES256"],
    });
    if known.about.is_some() {
        described["userinfo_endpoint"] = json!(format!("{issuer}/about"));
    }
    described
}

fn published((name, key): &(String, EcdsaKeyPair)) -> Json {
    let point = key.public_key().as_ref();
    let (x, y) = (URL_SAFE_NO_PAD.encode(&point[1..33]), URL_SAFE_NO_PAD.encode(&point[33..65]));
    json!({"kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": name, "x": x, "y": y})
}

fn exchange(request: &Request, issuer: &str, now: i64, known: &mut Known) -> (u16, Json) {
    let form = query_of(&format!("?{}", String::from_utf8_lossy(&request.body)));
    let expected =
        format!("Basic {}", STANDARD.encode("planwright:a secret of the client".replace(' ', "+")));
    if request.header("authorization") != expected {
        return (401, json!({"error": "invalid_client"}));
    }
    let Some((challenge, nonce)) = known.codes.remove(&form["code"]) else {
        return (400, json!({"error": "invalid_grant"}));
    };
    let shown = URL_SAFE_NO_PAD.encode(digest(&SHA256, form["code_verifier"].as_bytes()));
    if shown != challenge || known.fault == Fault::RefusesCode {
        return (400, json!({"error": "invalid_grant"}));
    }
    let mut claims = json!({
        "iss": issuer, "aud": "planwright", "sub": "subject-1", "nonce": nonce, "iat": now, "exp": now + 300,
        "email": "ona@example.org", "email_verified": true, "name": "Ona Maria Li",
    });
    for (claim, value) in &known.claims {
        match value {
            Json::Null => drop(claims.as_object_mut().expect("claims are an object").remove(claim)),
            value => claims[claim] = value.clone(),
        }
    }
    (200, json!({"access_token": "access", "token_type": "Bearer", "id_token": signed(&claims, known)}))
}

fn signed(claims: &Json, known: &Known) -> String {
    let (name, own) = known.keys.last().expect("there is a key");
    let stranger = key();
    let signing = if known.fault == Fault::UnknownKey { &stranger } else { own };
    let algorithm = match known.fault {
        Fault::NoAlgorithm => "none",
        Fault::SharedSecret => "HS256",
        _ => "ES256",
    };
    let part = |value: Json| URL_SAFE_NO_PAD.encode(value.to_string());
    let mut text =
        format!("{}.{}", part(json!({"alg": algorithm, "kid": name, "typ": "JWT"})), part(claims.clone()));
    let signature = match known.fault {
        Fault::NoAlgorithm => String::new(),
        Fault::SharedSecret => {
            let secret = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, b"a secret of the client");
            URL_SAFE_NO_PAD.encode(ring::hmac::sign(&secret, text.as_bytes()))
        }
        _ => {
            URL_SAFE_NO_PAD.encode(signing.sign(&SystemRandom::new(), text.as_bytes()).expect("it can sign"))
        }
    };
    if known.fault == Fault::BrokenSignature {
        let mut changed = claims.clone();
        changed["sub"] = json!("somebody else");
        text = format!("{}.{}", text.split('.').next().unwrap_or_default(), part(changed));
    }
    format!("{text}.{signature}")
}
