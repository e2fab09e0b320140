//! `/api/v1/auth/oidc/login/` and `callback/`: a browser goes to its provider and comes back. Failures lead to the client with a
//! word in `error`; only a provider that cannot be reached is answered with 502.

use axum::extract::State;
use axum::http::HeaderMap;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use planwright_domain::Entropy;
use planwright_egress::Egress;
use planwright_web::input::{Lenient, Name, Patch};
use planwright_web::limits::Limit;
use planwright_web::origin::ServerOrigin;
use planwright_web::reply::Found;
use planwright_web::{ApiError, ApiResult, App, Query, Routes, input, says};

use super::super::catalogue::Kind;
use super::super::http_client::HttpClient;
use super::super::open_id::{self, Challenge, Client};
use super::super::providers::commands::{known, redirect_uri, secret};
use super::super::providers::model::SsoProviderRow;
use super::super::{Failure, Identity, ProviderMemory, Refusal, github, providers};
use super::queries::WaitingRow;
use super::resolve::Entered;
use super::{resolve, rules, waiting};
use crate::second_factor;
use crate::settings::AccountSettings;
use crate::sign_in::model::Device;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(
            "/api/v1/auth/oidc/login/",
            login,
            says("Send a browser to a provider, to sign in there.")
                .public()
                .also_answers(&[502])
                .limit(Limit::OidcLogin),
        )
        .get(
            "/api/v1/auth/oidc/callback/",
            callback,
            says("Where a provider sends a browser back: set the refresh cookie and go on to the client.")
                .public()
                .acts_on_get()
                .also_answers(&[502])
                .limit(Limit::OidcCallback),
        )
}

input! {
    /// Which provider is meant.
    pub struct LoginQuery {
        /// Its slug. It can be left out where there is only one.
        pub provider: Patch<Lenient<Name<0, 40>>>,
    }
}

input! {
    /// What a provider says.
    pub struct CallbackQuery {
        /// The code to exchange.
        pub code: Patch<Lenient<Name<0, 4096>>>,
        /// Why there is none.
        pub error: Patch<Lenient<Name<0, 255>>>,
        /// The state of the sign-in.
        pub state: Patch<Lenient<Name<0, 255>>>,
        /// Who answers (RFC 9207).
        pub iss: Patch<Lenient<Name<0, 2048>>>,
    }
}

/// The text of a parameter; empty if there is none. `None` if nobody can have sent it in earnest: a browser is not left with an
/// error for programs.
fn text<const LONGEST: usize>(sent: &Patch<Lenient<Name<0, LONGEST>>>) -> Option<&str> {
    match sent.as_given() {
        None => Some(""),
        Some(Lenient(read)) => read.as_ref().ok().map(Name::as_str),
    }
}

async fn login(
    State(app): State<App>,
    origin: ServerOrigin,
    Query(query): Query<LoginQuery>,
) -> ApiResult<Found> {
    let Some(slug) = text(&query.provider) else { return Ok(refuse(&app, Refusal::NotConfigured)) };
    let Some(provider) = chosen(&app, slug).await? else { return Ok(refuse(&app, Refusal::NotConfigured)) };
    let back = redirect_uri(&origin);
    let state = URL_SAFE_NO_PAD.encode(Entropy.bytes::<32>());
    let (location, challenge) = match authorization(&app, &provider, &back, &state).await? {
        Ok(found) => found,
        Err(failure) => return failed(&app, &provider, failure),
    };
    waiting::remember(&app, &provider, &state, &challenge, back).await?;
    let cookie = rules::state_cookie(&app.settings.prefix, app.get::<AccountSettings>(), &state);
    Ok(Found { location, cookies: vec![cookie] })
}

/// The provider of a slug, or the only one there is.
async fn chosen(app: &App, slug: &str) -> ApiResult<Option<SsoProviderRow>> {
    let mut enabled = providers::queries::enabled(&app.db).await?;
    Ok(match slug.is_empty() {
        true if enabled.len() == 1 => enabled.pop(),
        true => None,
        false => enabled.into_iter().find(|row| row.slug == slug),
    })
}

async fn authorization(
    app: &App,
    provider: &SsoProviderRow,
    redirect_uri: &str,
    state: &str,
) -> ApiResult<Result<(String, Challenge), Failure>> {
    let client = Client { issuer: &provider.server_url, id: &provider.client_id, secret: "", redirect_uri };
    let kind = known(provider)?;
    if kind.kind == Kind::OAuth {
        return Ok(github::authorization(client, providers::scopes(kind, provider), state));
    }
    let memory = app.get::<ProviderMemory>();
    let metadata = open_id::metadata(&HttpClient(app.clone()), memory, client.issuer, app.clock.now()).await;
    Ok(metadata.and_then(|metadata| open_id::authorization(metadata, client, state)))
}

async fn callback(
    State(app): State<App>,
    headers: HeaderMap,
    device: Device,
    Query(query): Query<CallbackQuery>,
) -> ApiResult<Found> {
    let state = text(&query.state).unwrap_or_default().to_owned();
    let mut found = answered(&app, &headers, &device, query).await?;
    found.cookies.push(rules::cleared_state_cookie(&app.settings.prefix, &state));
    Ok(found)
}

/// Where the browser goes on, with the cookie of the session if somebody was signed in.
async fn answered(app: &App, headers: &HeaderMap, device: &Device, query: CallbackQuery) -> ApiResult<Found> {
    let (provider, waiting) = match begun(app, headers, &query).await? {
        Ok(begun) => begun,
        Err(refusal) => return Ok(refuse(app, refusal)),
    };
    let code = text(&query.code).unwrap_or_default().to_owned();
    match identity(app, &provider, &waiting, code).await?.and_then(Identity::checked) {
        Err(failure) => {
            if let Failure::Refused(refusal, _) = &failure {
                resolve::note_refusal(app, &provider, *refusal, device).await?;
            }
            failed(app, &provider, failure)
        }
        Ok(identity) => finish(app, &provider, &identity, device).await,
    }
}

/// The sign-in that an answer belongs to. Its state is used up, whatever follows.
async fn begun(
    app: &App,
    headers: &HeaderMap,
    query: &CallbackQuery,
) -> ApiResult<Result<(SsoProviderRow, WaitingRow), Refusal>> {
    if query.error.is_given() {
        return Ok(Err(Refusal::AccessDenied));
    }
    if providers::queries::enabled(&app.db).await?.is_empty() {
        return Ok(Err(Refusal::NotConfigured));
    }
    let has_code = text(&query.code).is_some_and(|code| !code.is_empty());
    let state = text(&query.state).filter(|state| has_code && !state.is_empty());
    let (Some(state), Some(issuer)) = (state, text(&query.iss)) else {
        return Ok(Err(Refusal::InvalidRequest));
    };
    if !rules::is_same_browser(headers, &app.settings.prefix, state) {
        return Ok(Err(Refusal::InvalidState));
    }
    let Some((provider, waiting)) = waiting::take(app, state).await? else {
        return Ok(Err(Refusal::InvalidState));
    };
    match query.iss.is_given() && issuer != provider.server_url {
        true => Ok(Err(Refusal::InvalidState)),
        false => Ok(Ok((provider, waiting))),
    }
}

async fn identity(
    app: &App,
    provider: &SsoProviderRow,
    waiting: &WaitingRow,
    code: String,
) -> ApiResult<Result<Identity, Failure>> {
    let secret = secret(app, provider)?;
    let challenge = waiting::challenge(app, waiting)?;
    let client = Client {
        issuer: &provider.server_url,
        id: &provider.client_id,
        secret: &secret,
        redirect_uri: &waiting.redirect_uri,
    };
    let memory = app.get::<ProviderMemory>();
    Ok(match known(provider)?.kind {
        Kind::OAuth => github::identify(app.get::<Egress>(), client, &provider.github_org, &code).await,
        _ => {
            open_id::identify(&HttpClient(app.clone()), memory, client, code, challenge, app.clock.now())
                .await
        }
    })
}

async fn finish(
    app: &App,
    provider: &SsoProviderRow,
    identity: &Identity,
    device: &Device,
) -> ApiResult<Found> {
    let signed_in = match resolve::sign_in(app, provider, identity, device).await {
        // Another sign-in of the same new person came first; now they are known.
        Err(error) if error.is_conflict() => resolve::sign_in(app, provider, identity, device).await?,
        other => other?,
    };
    let location = |refusal| rules::completion(&app.get::<AccountSettings>().frontend_url, refusal);
    Ok(match signed_in {
        Ok(Entered::SignedIn(signed_in)) => {
            Found { location: location(None), cookies: signed_in.cookie.into_iter().collect() }
        }
        Ok(Entered::Waits(word)) => {
            let cookies = vec![second_factor::cookie(app, &word)];
            Found { location: location(Some(Refusal::SecondFactor)), cookies }
        }
        Err(refusal) => {
            resolve::note_refusal(app, provider, refusal, device).await?;
            refuse(app, refusal)
        }
    })
}

/// Back to the client, with a word that says why.
fn refuse(app: &App, refusal: Refusal) -> Found {
    tracing::info!(target: "planwright::sign_in", reason = refusal.as_str(), "a sign-in with a provider was refused");
    let location = rules::completion(&app.get::<AccountSettings>().frontend_url, Some(refusal));
    Found { location, cookies: Vec::new() }
}

/// The cause goes to the log, since it may tell about the provider what strangers need not know.
fn failed(app: &App, provider: &SsoProviderRow, failure: Failure) -> ApiResult<Found> {
    match failure {
        Failure::Unreachable(why) => {
            tracing::warn!(provider = provider.slug, why, "a provider cannot be reached");
            Err(ApiError::bad_gateway("The identity provider cannot be reached."))
        }
        Failure::Refused(refusal, why) => {
            tracing::warn!(provider = provider.slug, why, "what a provider answered cannot be accepted");
            Ok(refuse(app, refusal))
        }
    }
}
