//! What waits for its second step: a sign-in whose password was right, or an authenticator that was asked something. The word
//! that continues it is random, good for five minutes, and stored as a hash.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::Duration;
use planwright_domain::ids::UserId;
use planwright_domain::words::ChallengeKind;
use planwright_store::{Result, Tx};
use planwright_web::{ApiError, ApiResult, App, token};

use super::ceremonies::Asked;
use super::model::{ChallengeRow, PasskeyOptions};
use super::{commands, queries, rules};
use crate::people::PersonRow;

/// What the answer to an authenticator is sealed for.
fn purpose(token_hash: &str) -> String {
    format!("passkey ceremony {token_hash}")
}

/// Notes that a sign-in waits for its second factor. The answer is the word that continues it.
pub async fn begin_sign_in(tx: &mut Tx, user: UserId, remember: bool) -> Result<String> {
    let word = token::random();
    let row = ChallengeRow { user_id: Some(user), sealed_state: String::new(), remember };
    let expires_at = tx.now() + Duration::seconds(rules::PATIENCE_SECONDS);
    queries::insert_challenge(tx, ChallengeKind::SignIn, &token::hash(&word), &row, expires_at).await?;
    Ok(word)
}

/// The answer to somebody whose password is right and who has to show a second factor.
pub async fn ask(app: &App, person: &PersonRow, remember: bool) -> ApiResult<ApiError> {
    let mut tx = app.db.begin().await?;
    let challenge = begin_sign_in(&mut tx, person.id, remember).await?;
    let methods = methods(&tx, person.id).await?;
    tx.commit().await?;
    let detail = "The password is right. Now show your second factor.";
    Ok(ApiError::unauthenticated(detail)
        .with_code("second_factor_required")
        .with("challenge", challenge)
        .with("methods", methods)
        .with("expires_in", rules::PATIENCE_SECONDS))
}

/// With what a person can go on.
async fn methods(tx: &Tx, user: UserId) -> Result<Vec<&'static str>> {
    let standing = queries::standing(tx, user).await?;
    let has_passkeys = !queries::passkeys(tx, user).await?.is_empty();
    let known = [
        ("totp", standing.totp_since.is_some()),
        ("recovery_code", standing.recovery_codes_left > 0),
        ("passkey", has_passkeys),
    ];
    Ok(known.into_iter().filter_map(|(name, is_known)| is_known.then_some(name)).collect())
}

/// Notes that an authenticator was asked something.
pub async fn begin_passkey(
    app: &App,
    tx: &mut Tx,
    kind: ChallengeKind,
    user: Option<UserId>,
    asked: Asked,
) -> ApiResult<PasskeyOptions> {
    let word = token::random();
    let hash = token::hash(&word);
    let sealed_state = app.sealer.seal_text(&purpose(&hash), &STANDARD.encode(&asked.state))?;
    let row = ChallengeRow { user_id: user, sealed_state, remember: false };
    let expires_at = tx.now() + Duration::seconds(rules::PATIENCE_SECONDS);
    queries::insert_challenge(tx, kind, &hash, &row, expires_at).await?;
    Ok(PasskeyOptions { challenge: word, public_key: asked.options })
}

/// Asks for a signature of any passkey, of one person if they are known.
pub async fn ask_for_signature(app: &App, tx: &mut Tx, user: Option<UserId>) -> ApiResult<PasskeyOptions> {
    let asked = commands::relying_party(app)?.ask_for_signature()?;
    begin_passkey(app, tx, ChallengeKind::Passkey, user, asked).await
}

/// What an authenticator was asked, if it was asked a short while ago. It is used up, whatever follows.
pub async fn take_passkey(
    app: &App,
    tx: &mut Tx,
    kind: ChallengeKind,
    word: &str,
) -> ApiResult<Option<(Option<UserId>, Vec<u8>)>> {
    let hash = token::hash(word);
    let Some(row) = queries::attempt(tx, kind, &hash).await? else { return Ok(None) };
    queries::delete_challenge(tx, &hash).await?;
    let state = app.sealer.open_text(&purpose(&hash), &row.sealed_state)?;
    let state = STANDARD.decode(state).map_err(|error| ApiError::unexpected(error.into()))?;
    Ok(Some((row.user_id, state)))
}
