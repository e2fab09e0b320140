//! Sign-ins that wait for the answer of their provider: of their state the database has only a hash, and what they are bound to
//! is sealed.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use chrono::Duration;
use planwright_web::{ApiError, ApiResult, App};
use sha2::{Digest, Sha256};

use super::super::open_id::Challenge;
use super::super::providers;
use super::super::providers::model::SsoProviderRow;
use super::queries::{self, WaitingRow};
use super::rules;

/// What challenges are sealed for.
const CHALLENGE: &str = "sso challenge";

/// Notes that a sign-in waits.
pub async fn remember(
    app: &App,
    provider: &SsoProviderRow,
    state: &str,
    challenge: &Challenge,
    redirect_uri: String,
) -> ApiResult<()> {
    let challenge = serde_json::to_vec(challenge).map_err(|error| ApiError::unexpected(error.into()))?;
    let mut tx = app.db.begin().await?;
    let waiting = WaitingRow {
        provider_id: provider.id,
        sealed_challenge: STANDARD.encode(app.sealer.seal(CHALLENGE, &challenge)?),
        redirect_uri,
        expires_at: tx.now() + Duration::seconds(rules::PATIENCE_SECONDS),
    };
    queries::insert_state(&mut tx, &hash(state), &waiting).await?;
    Ok(tx.commit().await?)
}

fn hash(state: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(state.as_bytes()))
}

/// The sign-in of a state, if it has not taken too long. Its state is used up, whatever follows.
pub async fn take(app: &App, state: &str) -> ApiResult<Option<(SsoProviderRow, WaitingRow)>> {
    let mut tx = app.db.begin().await?;
    let taken = queries::take_state(&mut tx, &hash(state)).await?;
    let now = tx.now();
    tx.commit().await?;
    let Some(waiting) = taken.filter(|waiting| waiting.expires_at > now) else { return Ok(None) };
    let provider = providers::queries::enabled_by_id(&app.db, waiting.provider_id).await?;
    Ok(provider.map(|provider| (provider, waiting)))
}

/// What a sign-in is bound to.
pub fn challenge(app: &App, waiting: &WaitingRow) -> ApiResult<Challenge> {
    let sealed =
        STANDARD.decode(&waiting.sealed_challenge).map_err(|error| ApiError::unexpected(error.into()))?;
    let challenge = serde_json::from_slice(&app.sealer.open(CHALLENGE, &sealed)?);
    challenge.map_err(|error| ApiError::unexpected(error.into()))
}
