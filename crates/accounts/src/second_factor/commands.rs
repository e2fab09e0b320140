//! What changes the second factors of a person and what accepts a code: rows, history, sessions and recovery codes together.
//! Who may ask for it is decided by the routes.

use planwright_domain::Entropy;
use planwright_domain::ids::{SessionId, UserId};
use planwright_store::{Db, Result, Tx};
use planwright_web::limits::Limit;
use planwright_web::{ApiError, ApiResult, App, count_in_handler};
use serde_json::json;
use uuid::Uuid;

use super::ceremonies::{Claimed, RelyingParty, StoredKey};
use super::model::{PasskeyRow, TotpRow, TotpSetup};
use super::{queries, rules};
use crate::letters::{self, Changed};
use crate::settings::AccountSettings;
use crate::{people, sign_in};

/// With what somebody proved that it is they, as the audit tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// The password.
    Password,
    /// A code of an app.
    Totp,
    /// A recovery code.
    RecoveryCode,
    /// A passkey.
    Passkey,
}

impl Means {
    /// The spelling in the audit and in answers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Means::Password => "password",
            Means::Totp => "totp",
            Means::RecoveryCode => "recovery_code",
            Means::Passkey => "passkey",
        }
    }
}

/// Counts a try of a person, whatever address it comes from, so that nobody who knows the password can try all codes.
pub async fn count_try(app: &App, user: UserId) -> ApiResult<()> {
    count_in_handler(app, Limit::SecondFactorAccount, &user.to_string()).await
}

/// Uses a code of a person up; none if it is wrong, or was used before.
pub async fn accept(app: &App, tx: &mut Tx, user: UserId, code: &str) -> ApiResult<Option<Means>> {
    let code = rules::plain(code);
    if rules::is_of_app(&code) {
        let Some(row) = queries::totp(tx, user).await?.filter(|row| row.confirmed_at.is_some()) else {
            return Ok(None);
        };
        return Ok(accept_of_app(app, tx, &row, &code).await?.then_some(Means::Totp));
    }
    let hash = rules::hash_of(user, &code);
    let unused = queries::unused_codes(tx, user).await?;
    let unused_before = unused.len();
    let found = unused.into_iter().fold(None, |found, (id, known)| match rules::is_same(&known, &hash) {
        true => Some(id),
        false => found,
    });
    let Some(id) = found else { return Ok(None) };
    if !queries::use_code(tx, id).await? {
        return Ok(None);
    }
    let left = unused_before - 1;
    if left <= rules::FEW_RECOVERY_CODES {
        letters::tell(tx, user, Changed::FewRecoveryCodes(left)).await?;
    }
    Ok(Some(Means::RecoveryCode))
}

/// Whether an app made a code that was not used before. It is used up.
pub async fn accept_of_app(app: &App, tx: &mut Tx, row: &TotpRow, code: &str) -> ApiResult<bool> {
    let secret = app.sealer.open_text(&TotpRow::purpose(row.id), &row.sealed_secret)?;
    let secret = base32(&secret)?;
    let totp = rules::totp(&secret, "")?;
    match rules::step_of(&totp, &rules::plain(code), tx.now()) {
        Some(step) => Ok(queries::use_step(tx, row.id, step).await?),
        None => Ok(false),
    }
}

fn base32(text: &str) -> anyhow::Result<Vec<u8>> {
    let secret = totp_rs::Secret::try_from_base32(text);
    Ok(secret.map_err(|error| anyhow::anyhow!("{error}"))?.as_bytes().to_vec())
}

/// Makes the secret of an app, which counts once the app has shown a code of it.
pub async fn begin_totp(app: &App, tx: &mut Tx, user: UserId, username: &str) -> ApiResult<TotpSetup> {
    let secret: [u8; rules::SECRET_BYTES] = Entropy.bytes();
    let totp = rules::totp(&secret, username)?;
    let shown = totp.secret().to_base32();
    let id = tx.mint::<Uuid>();
    let sealed_secret = app.sealer.seal_text(&TotpRow::purpose(id), &shown)?;
    queries::delete_totp(tx, user).await?;
    let last_step = rules::step_before(tx.now());
    queries::insert_totp(tx, user, &TotpRow { id, sealed_secret, confirmed_at: None }, last_step).await?;
    let otpauth_uri = totp.to_url().map_err(|error| anyhow::anyhow!("{error}"))?;
    let qr_svg = rules::picture(&otpauth_uri)?;
    Ok(TotpSetup { secret: shown, otpauth_uri, qr_svg })
}

/// Notes that a person has one more factor. With the first one their other sign-ins end, since none of those has shown it,
/// and they get recovery codes.
pub async fn added(
    tx: &mut Tx,
    user: UserId,
    session: Option<SessionId>,
    means: Means,
) -> ApiResult<Vec<String>> {
    let is_first = queries::secure(tx, user).await?;
    people::record(tx, user, Some(user), "second_factor", json!([null, means.as_str()])).await?;
    letters::tell(tx, user, Changed::FactorAdded(means)).await?;
    if let Some(session) = session {
        queries::confirm(tx, session, true).await?;
    }
    if !is_first {
        return Ok(Vec::new());
    }
    sign_in::queries::revoke_others(tx, user, session).await?;
    queries::delete_challenges_of(tx, user).await?;
    new_codes(tx, user).await
}

/// Replaces the recovery codes of a person who asked for it.
pub async fn renew_codes(tx: &mut Tx, user: UserId) -> ApiResult<Vec<String>> {
    letters::tell(tx, user, Changed::NewRecoveryCodes).await?;
    new_codes(tx, user).await
}

async fn new_codes(tx: &mut Tx, user: UserId) -> ApiResult<Vec<String>> {
    let codes: Vec<String> = (0..rules::RECOVERY_CODES).map(|_| rules::recovery_code()).collect();
    let hashes = codes.iter().map(|code| rules::hash_of(user, &rules::plain(code))).collect();
    queries::write_codes(tx, user, hashes).await?;
    people::record(tx, user, Some(user), "recovery_codes", json!([null, null])).await?;
    Ok(codes)
}

/// Notes that a person has one factor less. The last one takes the recovery codes along.
pub async fn removed(tx: &mut Tx, user: UserId, means: Means) -> ApiResult<()> {
    let standing = queries::standing(tx, user).await?;
    let is_last = standing.totp_since.is_none() && queries::passkeys(tx, user).await?.is_empty();
    if is_last && standing.is_required {
        let detail = "The workspace wants a second factor. Add another one before you remove this one.";
        return Err(ApiError::conflict(detail).with_code("second_factor_required"));
    }
    if is_last {
        queries::unsecure(tx, user).await?;
        queries::write_codes(tx, user, Vec::new()).await?;
    }
    people::record(tx, user, Some(user), "second_factor", json!([means.as_str(), null])).await?;
    Ok(letters::tell(tx, user, Changed::FactorRemoved { means, is_last }).await?)
}

/// Removes all factors of a person and ends their sign-ins; false if they had none.
pub async fn reset(tx: &mut Tx, user: UserId, by: Option<UserId>) -> Result<bool> {
    let had_one = queries::unsecure(tx, user).await?;
    queries::delete_totp(tx, user).await?;
    queries::delete_passkeys(tx, user).await?;
    queries::write_codes(tx, user, Vec::new()).await?;
    sign_in::queries::revoke_all(tx, user).await?;
    people::record(tx, user, by, "second_factor", json!(["all", null])).await?;
    if had_one {
        letters::tell(tx, user, Changed::FactorsReset { by_administrator: by.is_some() }).await?;
    }
    Ok(had_one)
}

/// The same for whoever runs the program.
pub async fn reset_by_operator(db: &Db, user: UserId) -> Result<bool> {
    let mut tx = db.begin().await?;
    let had_one = reset(&mut tx, user, None).await?;
    tx.commit().await?;
    Ok(had_one)
}

/// Whom passkeys are made for, where the address of this installation allows any.
pub fn relying_party(app: &App) -> ApiResult<RelyingParty> {
    let detail =
        "Passkeys need an address with a name and HTTPS, or localhost. The operator sets SVC_PUBLIC_URL.";
    let found = RelyingParty::at(&app.get::<AccountSettings>().frontend_url);
    found.ok_or_else(|| ApiError::conflict(detail).with_code("passkeys_unavailable"))
}

/// The passkey that signed, once its signature was checked. It is noted that it was used.
pub async fn signed_by(
    app: &App,
    tx: &mut Tx,
    state: &[u8],
    claimed: &Claimed,
) -> ApiResult<Option<PasskeyRow>> {
    let found = queries::passkey_called(tx, &claimed.credential_id).await?;
    let Some(row) = found.filter(|row| row.user_id == claimed.user) else { return Ok(None) };
    let key = StoredKey {
        credential_id: row.credential_id.clone(),
        public_key: row.public_key.clone(),
        counter_state: row.counter_state.clone(),
    };
    let Some(after) = relying_party(app)?.check(state, claimed, &key) else { return Ok(None) };
    Ok(queries::use_passkey(tx, row.id, &key, &after).await?.then_some(row))
}
