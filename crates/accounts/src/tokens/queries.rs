//! Every statement about personal tokens.
//! A token is always looked for together with its owner, so nobody reaches another's.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{TokenId, UserId};
use planwright_domain::words::Word;
use planwright_store::dialect::{contains, pattern};
use planwright_store::value::list;
use planwright_store::{Read, Result, Sql, Tx, sql};
use planwright_web::token;

use super::model::{TokenRow, Unrevoked};
use super::rules::Wanted;

/// The columns of a [`TokenRow`].
pub const COLUMNS: &str =
    "SELECT t.id, t.name, t.token_prefix, t.scopes, t.created_at, t.last_used_at, t.expires_at,
    t.revoked_at";

/// The tokens of a person whose name contains the text.
pub fn owned(db: &impl Read, owner: UserId, search: Option<&str>) -> Sql {
    let condition = format!("AND {}", contains(db.engine(), "t.name", "search"));
    sql!("FROM api_tokens t WHERE t.owner_id = :owner", owner = owner).when(
        &condition,
        "search",
        search.map(pattern),
    )
}

/// One token of a person.
pub async fn find(db: &impl Read, owner: UserId, id: TokenId) -> Result<Option<TokenRow>> {
    let from = "FROM api_tokens t WHERE t.owner_id = :owner AND t.id = :id";
    db.maybe(sql!(format!("{COLUMNS} {from}"), owner = owner, id = id)).await
}

/// How many tokens of a person work at an instant.
pub async fn count_active(db: &impl Read, owner: UserId, now: DateTime<Utc>) -> Result<i64> {
    db.count(sql!(
        "SELECT COUNT(*) FROM api_tokens
         WHERE owner_id = :owner AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now)",
        owner = owner,
        now = now
    ))
    .await
}

/// The tokens of a person that are not revoked.
pub async fn unrevoked(db: &impl Read, owner: UserId) -> Result<Vec<Unrevoked>> {
    let select = "SELECT id, token_prefix FROM api_tokens
                  WHERE owner_id = :owner AND revoked_at IS NULL ORDER BY id";
    db.all(sql!(select, owner = owner)).await
}

/// Locks a person until the transaction ends, so that tokens minted at once are counted one after another.
pub async fn take_turn(tx: &mut Tx, owner: UserId) -> Result<()> {
    let touch = "UPDATE users SET server_version = server_version WHERE id = :id";
    tx.run(sql!(touch, id = owner)).await.map(drop)
}

/// Adds a token of which only the hash is kept.
pub async fn insert(tx: &mut Tx, owner: UserId, wanted: &Wanted, secret: &str) -> Result<TokenRow> {
    let row = TokenRow {
        id: tx.mint(),
        name: wanted.name.clone(),
        token_prefix: token::shown_part(secret),
        scopes: serde_json::json!([wanted.scope.as_str()]),
        created_at: tx.now(),
        last_used_at: None,
        expires_at: wanted.expires_at,
        revoked_at: None,
    };
    let statement = sql!(
        "INSERT INTO api_tokens (id, owner_id, name, token_prefix, token_hash, scopes, status_map, created_by,
            created_at, expires_at)
         VALUES (:id, :owner, :name, :prefix, :hash, :scopes, '{}', :owner, :now, :expires)",
        id = row.id,
        owner = owner,
        name = &row.name,
        prefix = &row.token_prefix,
        hash = token::hash(secret),
        scopes = &row.scopes,
        now = row.created_at,
        expires = row.expires_at
    );
    tx.run(statement).await?;
    Ok(row)
}

/// Revokes tokens of a person; returns how many were not revoked before.
pub async fn revoke(tx: &mut Tx, owner: UserId, ids: Vec<TokenId>) -> Result<u64> {
    let statement = sql!(
        "UPDATE api_tokens SET revoked_at = :now
         WHERE owner_id = :owner AND id IN (:ids) AND revoked_at IS NULL",
        now = tx.now(),
        owner = owner,
        ids = list(ids)
    );
    tx.run(statement).await
}
