//! Every statement about tokens of projects and programs. A token is always looked for together with its place.

use planwright_domain::ids::{TokenId, UserId};
use planwright_domain::words::{TokenScope, Word};
use planwright_store::dialect::{contains, pattern};
use planwright_store::{Read, Result, Sql, Tx, sql};
use planwright_web::{ProjectOrProgram, token};
use serde_json::json;

use super::model::ContainerTokenRow;
use super::rules::Wanted;

/// The columns of [`ContainerTokenRow`].
pub(super) const COLUMNS: &str =
    "SELECT t.id, t.project_id, t.program_id, t.name, t.token_prefix, t.status_map,
    t.created_by, t.created_at, t.last_used_at, t.expires_at, t.revoked_at";

/// The tokens of a place whose name contains the text.
pub(super) fn of_place(db: &dyn Read, place: ProjectOrProgram, search: Option<&str>) -> Sql {
    let condition = format!("AND {}", contains(db.engine(), "t.name", "search"));
    let from = format!("FROM api_tokens t WHERE t.{} = :place AND t.owner_id IS NULL", place.column());
    sql!(from, place = place.uuid()).when(&condition, "search", search.map(pattern))
}

/// One token of a place.
pub(super) async fn find(
    db: &dyn Read,
    place: ProjectOrProgram,
    id: TokenId,
) -> Result<Option<ContainerTokenRow>> {
    let from = of_place(db, place, None).push(" AND t.id = :id").bind("id", id);
    db.maybe(from.wrap(&format!("{COLUMNS} "), "")).await
}

/// Adds a token of which only the hash is kept.
pub(super) async fn insert(
    tx: &mut Tx,
    place: ProjectOrProgram,
    creator: UserId,
    wanted: &Wanted,
    secret: &str,
) -> Result<ContainerTokenRow> {
    let row = ContainerTokenRow {
        id: tx.mint(),
        project_id: place.project(),
        program_id: place.program(),
        name: wanted.name.clone(),
        token_prefix: token::shown_part(secret),
        status_map: json!(wanted.status_map),
        created_by: creator,
        created_at: tx.now(),
        last_used_at: None,
        expires_at: wanted.expires_at,
        revoked_at: None,
    };
    let statement = sql!(
        "INSERT INTO api_tokens (id, project_id, program_id, name, token_prefix, token_hash, scopes, status_map,
            created_by, created_at, expires_at)
         VALUES (:id, :project, :program, :name, :prefix, :hash, :scopes, :statuses, :creator, :now, :expires)",
        id = row.id,
        project = row.project_id,
        program = row.program_id,
        name = &row.name,
        prefix = &row.token_prefix,
        hash = token::hash(secret),
        scopes = json!([TokenScope::LegacyFull.as_str()]),
        statuses = row.status_map.clone(),
        creator = creator,
        now = row.created_at,
        expires = row.expires_at,
    );
    tx.run(statement).await?;
    Ok(row)
}

/// Revokes a token; false when it was revoked before.
pub(super) async fn revoke(tx: &mut Tx, id: TokenId) -> Result<bool> {
    let update = "UPDATE api_tokens SET revoked_at = :now WHERE id = :id AND revoked_at IS NULL";
    Ok(tx.run(sql!(update, now = tx.now(), id = id)).await? == 1)
}
