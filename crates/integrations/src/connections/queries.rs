//! Every statement about connections and what is read through them. Both are always looked for together with their person.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{ConnectionId, UserId};
use planwright_domain::words::ConnectionStatus;
use planwright_store::dialect::{contains, pattern};
use planwright_store::record::select_list;
use planwright_store::{Read, Result, Sql, Tx, sql};

use super::model::{ConnectionRow, ItemRow};

fn select(which: &str) -> String {
    format!("SELECT {} FROM external_connections c WHERE {which}", select_list::<ConnectionRow>("c"))
}

/// The connection of a person.
pub async fn of_person(db: &dyn Read, person: UserId, source: &str) -> Result<Option<ConnectionRow>> {
    let which = select("c.user_id = :person AND c.source = :source");
    db.maybe(sql!(which, person = person, source = source)).await
}

/// A connection.
pub async fn find(db: &dyn Read, id: ConnectionId) -> Result<Option<ConnectionRow>> {
    db.maybe(sql!(select("c.id = :id"), id = id)).await
}

/// The connections of a person that nobody tried to read since a moment.
pub async fn stale(db: &dyn Read, person: UserId, since: DateTime<Utc>) -> Result<Vec<ConnectionId>> {
    let select = "SELECT id FROM external_connections
         WHERE user_id = :person AND (pulled_at IS NULL OR pulled_at < :since) AND status = :connected";
    let connected = ConnectionStatus::Connected;
    db.scalars(sql!(select, person = person, since = since, connected = connected)).await
}

/// Keeps a connection in place of that which the person had, whose items go.
pub async fn replace(tx: &mut Tx, row: &ConnectionRow) -> Result<()> {
    remove(tx, row.user_id, &row.source).await?;
    tx.insert(row, Vec::new()).await
}

/// Removes the connection of a person with its items; false if there is none.
pub async fn remove(tx: &mut Tx, person: UserId, source: &str) -> Result<bool> {
    let items = "DELETE FROM external_items WHERE connection_id IN
         (SELECT id FROM external_connections WHERE user_id = :person AND source = :source)";
    tx.run(sql!(items, person = person, source = source)).await?;
    let delete = "DELETE FROM external_connections WHERE user_id = :person AND source = :source";
    Ok(tx.run(sql!(delete, person = person, source = source)).await? == 1)
}

/// Notes that a person asked for a pull.
pub async fn note_request(tx: &mut Tx, id: ConnectionId) -> Result<()> {
    let update = "UPDATE external_connections SET requested_at = :now WHERE id = :id";
    tx.run(sql!(update, now = tx.now(), id = id)).await.map(drop)
}

/// Notes how a pull went. Whether it came to its end decides on the time when the tracker was read last.
pub async fn note_pull(
    tx: &mut Tx,
    id: ConnectionId,
    status: ConnectionStatus,
    is_whole: bool,
) -> Result<()> {
    let synced = if is_whole { ", last_synced_at = :now" } else { "" };
    let update =
        format!("UPDATE external_connections SET status = :status, pulled_at = :now{synced} WHERE id = :id");
    tx.run(sql!(update, status = status, now = tx.now(), id = id)).await.map(drop)
}

/// The items of a connection.
pub async fn items(db: &dyn Read, connection: ConnectionId) -> Result<Vec<ItemRow>> {
    let columns = select_list::<ItemRow>("i");
    let select = format!("SELECT {columns} FROM external_items i WHERE i.connection_id = :connection");
    db.all(sql!(select, connection = connection)).await
}

/// Replaces the items of a connection.
pub async fn replace_items(tx: &mut Tx, connection: ConnectionId, rows: &[ItemRow]) -> Result<()> {
    let delete = "DELETE FROM external_items WHERE connection_id = :connection";
    tx.run(sql!(delete, connection = connection)).await?;
    tx.insert_each(rows.iter().map(|row| (row, Vec::new())).collect()).await
}

/// The items of a person whose key or title contains the text.
fn open(db: &dyn Read, person: UserId, search: Option<&str>) -> Sql {
    let [key, title] = ["i.external_id", "i.title"].map(|column| contains(db.engine(), column, "search"));
    sql!("FROM external_items i WHERE i.user_id = :person", person = person).when(
        &format!("AND ({key} OR {title})"),
        "search",
        search.map(pattern),
    )
}

/// How many of them there are.
pub async fn count_open(db: &dyn Read, person: UserId, search: Option<&str>) -> Result<i64> {
    db.count(open(db, person, search).wrap("SELECT COUNT(*) ", "")).await
}

/// Some of them, in the order of `keys`.
pub async fn page_of_open(
    db: &dyn Read,
    person: UserId,
    search: Option<&str>,
    keys: &str,
    (most, skipped): (i64, i64),
) -> Result<Vec<ItemRow>> {
    let columns = format!("SELECT {} ", select_list::<ItemRow>("i"));
    let order = format!(" ORDER BY {keys} LIMIT :most OFFSET :skipped");
    let page = open(db, person, search).wrap(&columns, &order);
    db.all(page.bind("most", most).bind("skipped", skipped)).await
}
