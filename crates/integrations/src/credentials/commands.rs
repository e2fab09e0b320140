//! Keeping and removing credentials. A secret is tried out at its provider before anything is written.

use std::time::Duration;

use bytes::Bytes;
use planwright_domain::words::{AuditKind, Word};
use planwright_egress::Egress;
use planwright_plan::edit::Edit;
use planwright_store::audit::Audited;
use planwright_store::{Result, Tx};
use planwright_web::{Actor, ApiError, ApiResult, App};
use serde_json::json;

use super::model::{CredentialRow, CredentialUpsertRequest};
use super::providers::Known;
use super::rules::Wanted;
use super::{queries, rules};
use crate::settings::IntegrationSettings;

/// How long a provider may take.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// Tries a secret out and keeps it.
///
/// # Errors
/// 400 for wrong input, 422 when the provider does not take the secret or cannot be asked.
pub(super) async fn keep(
    app: &App,
    actor: &Actor,
    known: &Known,
    request: CredentialUpsertRequest,
) -> ApiResult<()> {
    let allowed = &app.get::<IntegrationSettings>().allowed_hosts;
    let wanted = rules::wanted(request, known, allowed, app.clock.now())?;
    try_out(app, known, &wanted).await?;
    let mut edit = Edit::locked(app, actor).await?;
    let before = queries::at_provider(&edit, actor.id, known.provider).await?;
    let mut row = CredentialRow {
        id: edit.mint(),
        user_id: actor.id,
        provider: known.provider,
        base_url: wanted.base_url,
        sealed_secret: String::new(),
        created_at: before.map_or(edit.now(), |before| before.created_at),
        updated_at: edit.now(),
        last_used_at: Some(edit.now()),
        expires_at: wanted.expires_at,
    };
    row.sealed_secret = app.sealer.seal_text(&row.purpose(), &wanted.secret)?;
    queries::replace(&mut edit, &row).await?;
    audit(&mut edit, actor, AuditKind::CredentialSaved, known).await?;
    Ok(edit.commit().await?)
}

async fn try_out(app: &App, known: &Known, wanted: &Wanted) -> ApiResult<()> {
    const CODE: &str = "provider_verification_failed";
    let (method, url) = known.probe(&wanted.base_url);
    let egress = app.get::<Egress>();
    let target = match egress.admit(&url).await {
        Ok(target) => target,
        Err(failure) => return rules::verdict(CODE, known.caller, Err(failure)),
    };
    if !egress.keeps_secrets(&target) {
        return Err(ApiError::invalid_field("base_url", "A secret is sent over https only."));
    }
    let headers = known.headers(&wanted.secret);
    let headers =
        headers.ok_or_else(|| ApiError::invalid_field("secret", "It has characters that no secret has."))?;
    let asked = egress.ask(method, &url, headers, Bytes::new(), PATIENCE).await;
    rules::verdict(CODE, known.caller, asked)
}

/// Removes a credential. A second time changes nothing.
pub(super) async fn remove(app: &App, actor: &Actor, known: &Known) -> ApiResult<()> {
    let mut edit = Edit::locked(app, actor).await?;
    if queries::remove(&mut edit, actor.id, known.provider).await? {
        audit(&mut edit, actor, AuditKind::CredentialRemoved, known).await?;
    }
    Ok(edit.commit().await?)
}

async fn audit(tx: &mut Tx, actor: &Actor, kind: AuditKind, known: &Known) -> Result<()> {
    let (target, label) = (Some(actor.id.0), known.provider.as_str().to_owned());
    let metadata = json!({ "provider": known.provider });
    tx.audit(Audited { kind, actor: Some(actor.id), target_type: "user", target, label, metadata }).await
}
