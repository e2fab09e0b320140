//! Tokens of a project or program end with it, for good: what comes back from the trash does not open its doors again by itself.

use planwright_domain::ids::{TokenId, UserId};
use planwright_domain::words::{AuditKind, TokenEvent};
use planwright_store::audit::Audited;
use planwright_store::{Result, ToValue, Tx, sql};
use planwright_web::ProjectOrProgram;
use serde_json::json;
use uuid::Uuid;

/// Revokes the tokens of a place, each with its line in the trail.
pub(super) async fn revoke(tx: &mut Tx, actor: UserId, place: ProjectOrProgram) -> Result<()> {
    let column = place.column();
    let select = format!(
        "SELECT id, token_prefix FROM api_tokens
         WHERE {column} = :place AND owner_id IS NULL AND revoked_at IS NULL ORDER BY id"
    );
    let tokens: Vec<(TokenId, String)> = tx.all(sql!(select, place = place.uuid())).await?;
    if tokens.is_empty() {
        return Ok(());
    }
    let update = format!(
        "UPDATE api_tokens SET revoked_at = :now WHERE {column} = :place AND owner_id IS NULL AND revoked_at IS NULL"
    );
    tx.run(sql!(update, now = tx.now(), place = place.uuid())).await?;
    let detail = json!({ "reason": "place_deleted" });
    let mut lines = Vec::with_capacity(tokens.len());
    for (token, prefix) in tokens {
        lines.push(vec![
            ("id", tx.mint::<Uuid>().to_value()),
            ("token_id", token.to_value()),
            (column, place.uuid().to_value()),
            ("token_prefix", prefix.clone().to_value()),
            ("actor_id", actor.to_value()),
            ("action", TokenEvent::Revoked.to_value()),
            ("detail", detail.clone().to_value()),
            ("created_at", tx.now().to_value()),
        ]);
        let metadata =
            json!({ "project": place.project(), "program": place.program(), "detail": detail.clone() });
        let (kind, target, actor) = (AuditKind::TokenRevoked, Some(token.0), Some(actor));
        tx.audit(Audited { kind, actor, target_type: "api_token", target, label: prefix, metadata }).await?;
    }
    let insert = format!(
        "INSERT INTO api_token_audit (id, token_id, {column}, token_prefix, actor_id, action, detail, created_at)
         VALUES (:id, :token_id, :{column}, :token_prefix, :actor_id, :action, :detail, :created_at)"
    );
    tx.run_rows(&insert, lines).await.map(drop)
}
