//! Connecting a tracker, asking for a pull, and taking the connection away.

use planwright_domain::words::AuditKind;
use planwright_egress::Egress;
use planwright_plan::edit::Edit;
use planwright_store::audit::Audited;
use planwright_store::{Result, Tx};
use planwright_web::{Actor, ApiError, ApiResult, App};
use serde_json::json;

use super::jira::{self, Jira};
use super::model::{ConnectionRow, ExternalConnectionUpsertRequest};
use super::{pulling, queries, rules};
use crate::credentials;
use crate::settings::IntegrationSettings;

/// Tries a connection out, keeps it, and has it read for the first time.
///
/// # Errors
/// 400 for wrong input, 422 when the tracker does not accept the secret or cannot be asked.
pub(super) async fn connect(
    app: &App,
    actor: &Actor,
    request: ExternalConnectionUpsertRequest,
) -> ApiResult<ConnectionRow> {
    let allowed = &app.get::<IntegrationSettings>().allowed_hosts;
    let of = (app.clock.mint(), actor.id, app.clock.now());
    let mut row = rules::wanted(&request, of, allowed)?;
    let secret: String = request.secret.into();
    try_out(app, &row, &secret).await?;
    row.sealed_secret = app.sealer.seal_text(&row.purpose(), &secret)?;
    let mut edit = Edit::locked(app, actor).await?;
    if let Some(before) = queries::of_person(&edit, actor.id, &row.source).await? {
        row.created_at = before.created_at;
    }
    queries::replace(&mut edit, &row).await?;
    pulling::request(&mut edit, row.id).await?;
    audit(&mut edit, actor, AuditKind::CredentialSaved, &row.source).await?;
    edit.commit().await?;
    Ok(row)
}

async fn try_out(app: &App, row: &ConnectionRow, secret: &str) -> ApiResult<()> {
    const CODE: &str = "source_verification_failed";
    let egress = app.get::<Egress>();
    let target = match egress.admit(&row.base_url).await {
        Ok(target) => target,
        Err(failure) => return credentials::verdict(CODE, jira::caller(row.deployment), Err(failure)),
    };
    if !egress.keeps_secrets(&target) {
        return Err(ApiError::invalid_field("base_url", "A secret is sent over https only."));
    }
    let tracker = Jira::of(egress, row, secret);
    let tracker =
        tracker.ok_or_else(|| ApiError::invalid_field("secret", "It has characters that no secret has."))?;
    credentials::verdict(CODE, jira::caller(row.deployment), tracker.myself().await)
}

/// Asks for a pull.
///
/// # Errors
/// 404 without a connection, 429 within a minute of the last request.
pub(super) async fn ask(app: &App, actor: &Actor, source: &str) -> ApiResult<()> {
    let mut edit = Edit::locked(app, actor).await?;
    let row = queries::of_person(&edit, actor.id, source).await?.ok_or_else(ApiError::not_found)?;
    rules::rested(&row, edit.now())?;
    queries::note_request(&mut edit, row.id).await?;
    pulling::request(&mut edit, row.id).await?;
    Ok(edit.commit().await?)
}

/// Takes a connection away with everything that was read through it. A second time changes nothing.
pub(super) async fn remove(app: &App, actor: &Actor, source: &str) -> ApiResult<()> {
    let mut edit = Edit::locked(app, actor).await?;
    if queries::remove(&mut edit, actor.id, source).await? {
        audit(&mut edit, actor, AuditKind::CredentialRemoved, source).await?;
    }
    Ok(edit.commit().await?)
}

async fn audit(tx: &mut Tx, actor: &Actor, kind: AuditKind, source: &str) -> Result<()> {
    let (target, label, metadata) = (Some(actor.id.0), source.to_owned(), json!({ "connection": source }));
    tx.audit(Audited { kind, actor: Some(actor.id), target_type: "user", target, label, metadata }).await
}
