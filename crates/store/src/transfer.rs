//! Copies a whole database into an empty one of either engine, table by table, so that an interrupted copy can
//! continue. The caller takes care of secrets and files, and of writes in the meantime.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use crate::database::Backend;
use crate::value::{FromValue, Value};
use crate::{Db, Read, Result, Sql, StoreError, Tx, migrate, row, sql};

/// The table in the target that lists the copied tables. While it exists, the copy is not complete.
const PROGRESS: &str = "move_progress";
/// Filled by the migrations of the target.
const MIGRATIONS: &str = "migrations";
/// The number of rows that are copied at once.
const CHUNK: i64 = 2_000;

/// The content of a table: the number of rows, and a sum of their hashes that does not depend on their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// How many rows.
    pub rows: i64,
    /// The sum, in hexadecimal.
    pub checksum: String,
}

/// A table that was copied.
#[derive(Debug)]
pub struct Copied {
    /// Its name.
    pub table: String,
    /// The content.
    pub contents: Contents,
    /// Whether an earlier, interrupted copy has already copied it.
    pub was_there: bool,
}

row! {
    struct Column { table_name: String, column_name: String, column_type: String }
}

row! {
    struct Reference { child: String, parent: String }
}

row! {
    struct SelfReference { table_name: String, constraint_name: String }
}

row! {
    struct Progress { table_name: String, rows: i64, checksum: String }
}

/// A table with its columns in the order of their names.
struct Table {
    name: String,
    columns: Vec<(String, Kind)>,
}

/// What a column holds. SQLite keeps some of these as others.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    Truth,
    Date,
    Time,
    Float,
    Id,
    Bytes,
    Plain,
}

impl Kind {
    fn of(column_type: &str) -> Self {
        match column_type {
            "BOOLEAN" => Kind::Truth,
            "DATE" => Kind::Date,
            "UUID" => Kind::Id,
            "BYTEA" | "BLOB" => Kind::Bytes,
            "DOUBLE PRECISION" | "REAL" => Kind::Float,
            other if other.starts_with("TIMESTAMP") => Kind::Time,
            _ => Kind::Plain,
        }
    }

    /// The value as both engines take it.
    fn read(self, value: Value) -> Result<Value> {
        Ok(match (self, value) {
            (_, Value::Null) => Value::Null,
            (Kind::Truth, value) => Value::Bool(bool::from_value(value)?),
            (Kind::Date, value) => Value::Date(FromValue::from_value(value)?),
            (Kind::Time, value) => Value::Time(FromValue::from_value(value)?),
            (Kind::Float, value) => Value::Float(f64::from_value(value)?),
            (Kind::Id, value) => Value::Uuid(FromValue::from_value(value)?),
            (Kind::Bytes, value) => Value::Bytes(FromValue::from_value(value)?),
            (Kind::Plain, value) => value,
        })
    }
}

/// Whether a copy into this database was begun and not finished.
pub async fn is_unfinished(db: &dyn Read) -> Result<bool> {
    let columns: Vec<Column> = db.all(db.engine().schema_listing()).await?;
    Ok(columns.iter().any(|column| column.table_name == PROGRESS))
}

/// Prepares a database as target: it must be empty, or an earlier copy into it was interrupted.
pub async fn prepare(to: &Db) -> Result<()> {
    let columns: Vec<Column> = to.all(to.engine().schema_listing()).await?;
    if columns.iter().all(|column| column.table_name != PROGRESS) {
        if !columns.is_empty() {
            return Err(StoreError::Unexpected(anyhow::anyhow!("the target is not empty")));
        }
        let mut tx = to.begin().await?;
        let create = format!(
            "CREATE TABLE {PROGRESS} (table_name TEXT NOT NULL PRIMARY KEY, rows BIGINT NOT NULL, checksum TEXT NOT NULL)"
        );
        tx.run(Sql::new(create)).await?;
        tx.commit().await?;
    }
    migrate::apply(to).await?;
    defer(to, true).await
}

/// Copies every table that is not copied yet. `told` is called for each.
pub async fn copy(from: &Db, to: &Db, told: &(dyn Fn(&Copied) + Sync)) -> Result<()> {
    let select = format!("SELECT table_name, rows, checksum FROM {PROGRESS}");
    let there: Vec<Progress> = to.all(Sql::new(select)).await?;
    for table in tables(from).await? {
        let copied = match there.iter().find(|done| done.table_name == table.name) {
            Some(Progress { rows, checksum, .. }) => {
                let contents = Contents { rows: *rows, checksum: checksum.clone() };
                Copied { table: table.name, contents, was_there: true }
            }
            None => {
                let contents = copy_table(from, to, &table).await?;
                Copied { table: table.name, contents, was_there: false }
            }
        };
        told(&copied);
    }
    Ok(())
}

/// Reads both databases again and compares every table; an error names the first that differs. Returns how many are equal.
pub async fn compare(from: &Db, to: &Db) -> Result<usize> {
    let tables = tables(from).await?;
    for table in &tables {
        let (one, other) = (contents(from, table).await?, contents(to, table).await?);
        if one != other {
            return Err(StoreError::Unexpected(anyhow::anyhow!(
                "the table {} differs: {} rows with the checksum {} here, {} with {} there",
                table.name,
                one.rows,
                one.checksum,
                other.rows,
                other.checksum
            )));
        }
    }
    Ok(tables.len())
}

/// Ends the copy. From now on the target is a normal database.
pub async fn finish(to: &Db) -> Result<()> {
    defer(to, false).await?;
    let mut tx = to.begin().await?;
    tx.run(Sql::new(format!("DROP TABLE {PROGRESS}"))).await?;
    tx.commit().await?;
    to.look_anew().await?;
    to.settle().await
}

/// Rows may refer to later rows of their own table, so references are checked at the commit. PostgreSQL needs this in
/// the constraints. SQLite can set it in each transaction.
async fn defer(to: &Db, deferred: bool) -> Result<()> {
    let Backend::Postgres(_) = &to.backend else { return Ok(()) };
    let own = "SELECT CAST(c.relname AS TEXT) AS table_name, CAST(k.conname AS TEXT) AS constraint_name
               FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
               JOIN pg_namespace n ON n.oid = k.connamespace
               WHERE k.contype = 'f' AND k.conrelid = k.confrelid AND n.nspname = current_schema()";
    let found: Vec<SelfReference> = to.all(sql!(own)).await?;
    let state = if deferred { "DEFERRABLE" } else { "NOT DEFERRABLE" };
    let mut tx = to.begin().await?;
    for SelfReference { table_name, constraint_name } in found {
        let alter = format!("ALTER TABLE {table_name} ALTER CONSTRAINT {constraint_name} {state}");
        tx.run(Sql::new(alter)).await?;
    }
    tx.commit().await
}

async fn copy_table(from: &Db, to: &Db, table: &Table) -> Result<Contents> {
    let mut tx = to.begin().await?;
    let later = match &to.backend {
        Backend::Sqlite(_) => "PRAGMA defer_foreign_keys = ON",
        Backend::Postgres(_) => "SET CONSTRAINTS ALL DEFERRED",
    };
    tx.run(Sql::new(later)).await?;
    // Migrations put a row into some tables.
    tx.run(Sql::new(format!("DELETE FROM {}", table.name))).await?;
    let insert = format!(
        "INSERT INTO {} ({}) VALUES ({})",
        table.name,
        table.columns.iter().map(|(name, _)| format!("\"{name}\"")).collect::<Vec<_>>().join(", "),
        table.columns.iter().map(|(name, _)| format!(":{name}")).collect::<Vec<_>>().join(", "),
    );
    let mut sum = Sum::default();
    while let Some(rows) = chunk(from, table, sum.rows).await? {
        rows.iter().for_each(|row| sum.add(row));
        tx.run_values(insert.clone(), rows).await?;
    }
    let contents = sum.contents();
    note(&mut tx, &table.name, &contents).await?;
    tx.commit().await?;
    Ok(contents)
}

async fn note(tx: &mut Tx, table: &str, contents: &Contents) -> Result<()> {
    let insert = "INSERT INTO move_progress (table_name, rows, checksum) VALUES (:table, :rows, :checksum)";
    tx.run(sql!(insert, table = table, rows = contents.rows, checksum = &contents.checksum)).await.map(drop)
}

async fn contents(db: &Db, table: &Table) -> Result<Contents> {
    let mut sum = Sum::default();
    while let Some(rows) = chunk(db, table, sum.rows).await? {
        rows.iter().for_each(|row| sum.add(row));
    }
    Ok(sum.contents())
}

/// The next rows of a table that does not change. Empty if there are no more.
async fn chunk(db: &Db, table: &Table, after: i64) -> Result<Option<Vec<Vec<Value>>>> {
    let place = match &db.backend {
        Backend::Sqlite(_) => "rowid",
        Backend::Postgres(_) => "ctid",
    };
    let columns = table.columns.iter().map(|(name, _)| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
    let select = format!("SELECT {columns} FROM {} ORDER BY {place} LIMIT :most OFFSET :after", table.name);
    let found = db.rows(sql!(select, most = CHUNK, after = after)).await?;
    if found.rows.is_empty() {
        return Ok(None);
    }
    let read = |row: Vec<Value>| {
        row.into_iter().zip(&table.columns).map(|(value, (_, kind))| kind.read(value)).collect()
    };
    found.rows.into_iter().map(read).collect::<Result<_>>().map(Some)
}

/// The tables, each after those that it refers to.
async fn tables(db: &Db) -> Result<Vec<Table>> {
    let columns: Vec<Column> = db.all(db.engine().schema_listing()).await?;
    let mut found: BTreeMap<String, Vec<(String, Kind)>> = BTreeMap::new();
    for column in columns {
        let kind = Kind::of(&column.column_type);
        found.entry(column.table_name).or_default().push((column.column_name, kind));
    }
    found.remove(MIGRATIONS);
    found.remove(PROGRESS);
    let references = match &db.backend {
        Backend::Sqlite(_) => {
            "SELECT m.name AS child, f.\"table\" AS parent FROM sqlite_master m
             JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table'"
        }
        Backend::Postgres(_) => {
            "SELECT CAST(c.relname AS TEXT) AS child, CAST(p.relname AS TEXT) AS parent FROM pg_constraint k
             JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class p ON p.oid = k.confrelid
             JOIN pg_namespace n ON n.oid = k.connamespace
             WHERE k.contype = 'f' AND n.nspname = current_schema()"
        }
    };
    let references: Vec<Reference> = db.all(sql!(references)).await?;
    let mut ordered: Vec<Table> = Vec::with_capacity(found.len());
    while !found.is_empty() {
        let waits = |name: &str| {
            let mut parents = references.iter().filter(|reference| reference.child == name);
            parents.any(|reference| reference.parent != name && found.contains_key(&reference.parent))
        };
        let next: Vec<String> = found.keys().filter(|name| !waits(name)).cloned().collect();
        if next.is_empty() {
            return Err(StoreError::Unexpected(anyhow::anyhow!(
                "the tables refer to one another in a circle"
            )));
        }
        for name in next {
            let mut columns = found.remove(&name).unwrap_or_default();
            columns.sort_by(|one, other| one.0.cmp(&other.0));
            ordered.push(Table { name, columns });
        }
    }
    Ok(ordered)
}

/// Collects rows.
#[derive(Default)]
struct Sum {
    rows: i64,
    hashes: u128,
}

impl Sum {
    fn add(&mut self, row: &[Value]) {
        let hash = Sha256::digest(format!("{row:?}"));
        let first = hash.iter().take(16).fold(0, |number: u128, byte| number << 8 | u128::from(*byte));
        self.hashes = self.hashes.wrapping_add(first);
        self.rows += 1;
    }

    fn contents(&self) -> Contents {
        Contents { rows: self.rows, checksum: format!("{:032x}", self.hashes) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_rows_does_not_matter_and_every_value_does() {
        let sum = |rows: &[i64]| {
            let mut sum = Sum::default();
            rows.iter().for_each(|number| sum.add(&[Value::Int(*number), Value::Null]));
            sum.contents()
        };
        assert_eq!(sum(&[1, 2, 3]), sum(&[3, 1, 2]));
        assert_ne!(sum(&[1, 2, 3]), sum(&[1, 2, 4]));
        assert_ne!(sum(&[1, 1]), sum(&[1]));
    }

    #[test]
    fn what_sqlite_keeps_as_something_else_is_read_as_what_it_is() {
        assert_eq!(Kind::of("BOOLEAN").read(Value::Int(1)).unwrap(), Value::Bool(true));
        assert_eq!(Kind::of("TIMESTAMP WITH TIME ZONE"), Kind::Time);
        let day = Kind::of("DATE").read(Value::Text("2026-01-05".into())).unwrap();
        assert_eq!(day, Value::Date(chrono::NaiveDate::from_ymd_opt(2026, 1, 5).unwrap()));
        assert_eq!(Kind::of("DOUBLE PRECISION").read(Value::Int(2)).unwrap(), Value::Float(2.0));
        assert_eq!(Kind::of("DATE").read(Value::Null).unwrap(), Value::Null);
        assert!(Kind::of("DATE").read(Value::Text("soon".into())).is_err());
    }
}
