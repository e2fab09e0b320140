//! Every statement about personal tokens.
//! A token is always looked for together with its owner, so nobody reaches another's.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{TokenId, UserId};
use planwright_domain::words::Word;
use planwright_jobs::revoked;
use planwright_store::dialect::{contains, pattern};
use planwright_store::value::list;
use planwright_store::{Read, Record, Result, Sql, ToValue, Tx, sql};
use planwright_web::token;

use super::model::{TokenRow, Unrevoked};
use super::rules::Wanted;

/// The tokens of a person whose name contains the text.
pub fn owned(db: &dyn Read, owner: UserId, search: Option<&str>) -> Sql {
    let condition = format!("AND {}", contains(db.engine(), "t.name", "search"));
    sql!("FROM api_tokens t WHERE t.owner_id = :owner", owner = owner).when(
        &condition,
        "search",
        search.map(pattern),
    )
}

/// One token of a person.
pub async fn find(db: &dyn Read, owner: UserId, id: TokenId) -> Result<Option<TokenRow>> {
    let columns = TokenRow::select_list("t");
    let select = format!("SELECT {columns} FROM api_tokens t WHERE t.owner_id = :owner AND t.id = :id");
    db.maybe(sql!(select, owner = owner, id = id)).await
}

/// How many tokens of a person work at an instant.
pub async fn count_active(db: &dyn Read, owner: UserId, now: DateTime<Utc>) -> Result<i64> {
    db.count(sql!(
        "SELECT COUNT(*) FROM api_tokens
         WHERE owner_id = :owner AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now)",
        owner = owner,
        now = now
    ))
    .await
}

/// The tokens of a person that are not revoked.
pub async fn unrevoked(db: &dyn Read, owner: UserId) -> Result<Vec<Unrevoked>> {
    let select = "SELECT id, token_prefix, created_at FROM api_tokens
                  WHERE owner_id = :owner AND revoked_at IS NULL ORDER BY id";
    db.all(sql!(select, owner = owner)).await
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
    let more = vec![
        ("owner_id", owner.to_value()),
        ("token_hash", token::hash(secret).to_value()),
        ("status_map", "{}".to_value()),
        ("created_by", owner.to_value()),
    ];
    tx.insert(&row, more).await?;
    Ok(row)
}

/// Revokes tokens of a person; returns how many were not revoked before. What was opened with them is looked at again.
pub async fn revoke(tx: &mut Tx, owner: UserId, ids: Vec<TokenId>) -> Result<u64> {
    let statement = sql!(
        "UPDATE api_tokens SET revoked_at = :now
         WHERE owner_id = :owner AND id IN (:ids) AND revoked_at IS NULL",
        now = tx.now(),
        owner = owner,
        ids = list(ids)
    );
    let count = tx.run(statement).await?;
    revoked::announce(tx, owner).await?;
    Ok(count)
}
