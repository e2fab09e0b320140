//! Records: structs whose fields are the columns of a table, each named once. The select list, the INSERT and the
//! UPDATE come from this list. Joins and conditions are written by hand.

use futures_util::future::BoxFuture;
use planwright_domain::events::SocketEvent;
use planwright_domain::words::ChangeKind;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use uuid::Uuid;

use crate::value::list;
use crate::{FromRow, Read, Result, Sql, ToValue, Tx, Value, sql};

/// Columns with the values for them.
pub type Columns = Vec<(&'static str, Value)>;

/// A struct that holds all the columns of a table that its writers set. Declared with [`record!`](crate::record!).
pub trait Record: FromRow + Send + Sync {
    /// The table.
    const TABLE: &'static str;

    /// The columns with their values.
    fn columns(&self) -> Columns;

    /// `a.x, a.y`: the select list, with the table called `alias`.
    fn select_list(alias: &str) -> String {
        select_list::<Self>(alias)
    }
}

/// A record with an identity and a version, whose changes are kept in the history.
pub trait Tracked: Record + Clone + Serialize {
    /// Its name in the history: the table in the singular.
    const ENTITY: &'static str;

    /// What happens to the row when it is deleted.
    const ON_DELETE: OnDelete = OnDelete::Mark;

    /// The counter that numbers its changes.
    const NUMBERED: Numbered = Numbered::InContainer;

    /// Its id.
    fn id(&self) -> Uuid;

    /// Its id as the table holds it, for a table that counts its rows.
    fn key(&self) -> Value {
        self.id().to_value()
    }

    /// Its version: how often people have written it, from 1.
    fn version(&self) -> i64;

    /// Sets the version.
    fn set_version(&mut self, version: i64);

    /// The event that followers of the project get. `None` if there is none.
    fn event(_kind: ChangeKind) -> Option<SocketEvent> {
        None
    }

    /// The payload of the event.
    fn payload(&self) -> Json {
        json!({ "id": self.id() })
    }

    /// Its table.
    const TRACKED: TrackedTable = TrackedTable {
        name: Self::TABLE,
        entity: Self::ENTITY,
        columns: Self::COLUMNS,
        on_delete: Self::ON_DELETE,
        numbered: Self::NUMBERED,
        event: Self::event,
    };

    /// What is written of it.
    fn image(&self) -> RowImage {
        RowImage {
            table: &Self::TRACKED,
            id: self.id(),
            key: self.key(),
            version: self.version(),
            columns: self.columns(),
            payload: self.payload(),
        }
    }

    /// Its fields by their names in the history.
    fn fields(&self) -> Map<String, Json> {
        match serde_json::to_value(self) {
            Ok(Json::Object(fields)) => fields,
            _ => Map::new(),
        }
    }
}

/// A table whose rows are tracked, as values: what is done to its rows is compiled once for all tables.
#[derive(Clone, Copy, Debug)]
pub struct TrackedTable {
    /// Its name.
    pub name: &'static str,
    /// The name of its rows in the history.
    pub entity: &'static str,
    /// Its columns.
    pub columns: &'static [&'static str],
    /// What happens to a row when it is deleted.
    pub on_delete: OnDelete,
    /// The counter that numbers the changes of its rows.
    pub numbered: Numbered,
    /// The event of a change, if there is one.
    pub event: fn(ChangeKind) -> Option<SocketEvent>,
}

/// A row of a tracked table, as values.
#[derive(Clone, Debug)]
pub struct RowImage {
    /// Its table.
    pub table: &'static TrackedTable,
    /// Its id.
    pub id: Uuid,
    /// Its id as the table holds it.
    pub key: Value,
    /// Its version.
    pub version: i64,
    /// The values of its columns.
    pub columns: Columns,
    /// The payload of the event of a change.
    pub payload: Json,
}

/// The counter that numbers the changes of a row. Offline clients read changes by these numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numbered {
    /// The counter of its project or program, or of the workspace.
    InContainer,
    /// The plan of its project, whose lock has a number: tasks and links.
    InPlan,
    /// Nothing: offline clients do not read it.
    Nowhere,
}

/// What happens to a row when it is deleted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnDelete {
    /// It stays, marked with its deletion, and can be restored.
    Mark,
    /// It is removed. Only the history remembers it.
    Remove,
}

/// The columns of a row type, each with the name its table has in the statement.
pub fn select_list<T: FromRow>(alias: &str) -> String {
    qualified(T::COLUMNS, alias)
}

/// `a.x, a.y`.
fn qualified(columns: &[&str], alias: &str) -> String {
    let named = |column: &&str| format!("{alias}.{}", column.trim_start_matches("r#"));
    columns.iter().map(named).collect::<Vec<_>>().join(", ")
}

/// `a, b`, for the columns of an `INSERT`.
pub fn names(columns: &Columns) -> String {
    columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

/// `:a, :b`, for its values.
pub fn binds(columns: &Columns) -> String {
    columns.iter().map(|(name, _)| format!(":{name}")).collect::<Vec<_>>().join(", ")
}

/// `a = :a, b = :b`, for an `UPDATE`.
pub fn assignments(columns: &Columns) -> String {
    columns.iter().map(|(name, _)| format!("{name} = :{name}")).collect::<Vec<_>>().join(", ")
}

/// Adds the values to a statement.
pub fn bind_all(sql: Sql, columns: Columns) -> Sql {
    columns.into_iter().fold(sql, |sql, (name, value)| sql.bind(name, value))
}

/// The `INSERT` of a row with these columns.
pub fn insertion(table: &str, columns: &Columns) -> String {
    format!("INSERT INTO {table} ({}) VALUES ({})", names(columns), binds(columns))
}

impl TrackedTable {
    /// Selects the row of an id that is not deleted.
    fn select_by_id(&self, id: Uuid, lock: &str) -> Sql {
        let live = match self.on_delete {
            OnDelete::Mark => " AND r.deletion_id IS NULL",
            OnDelete::Remove => "",
        };
        let columns = qualified(self.columns, "r");
        let select = format!("SELECT {columns} FROM {} r WHERE r.id = :id{live} {lock}", self.name);
        sql!(select, id = id)
    }
}

/// The live row of an id.
pub async fn find_live<T: Tracked>(db: &dyn Read, id: Uuid) -> Result<Option<T>> {
    db.maybe(T::TRACKED.select_by_id(id, "")).await
}

/// The existing row of an id, read again after it was locked. The lock ends with the transaction.
pub async fn lock_live<T: Tracked>(tx: &Tx, id: Uuid) -> Result<Option<T>> {
    tx.maybe(T::TRACKED.select_by_id(id, tx.engine().row_lock())).await
}

impl Tx {
    /// Adds a row. `more` has columns that the record does not have.
    pub fn insert<T: Record>(&mut self, row: &T, more: Columns) -> BoxFuture<'_, Result<()>> {
        self.insert_columns(T::TABLE, vec![with(row.columns(), more)])
    }

    /// Adds rows with one statement text, each with the same further columns.
    pub fn insert_each<T: Record>(&mut self, rows: Vec<(&T, Columns)>) -> BoxFuture<'_, Result<()>> {
        let rows = rows.into_iter().map(|(row, more)| with(row.columns(), more)).collect();
        self.insert_columns(T::TABLE, rows)
    }

    /// Adds rows of a table, each with the same columns.
    pub fn insert_columns(&mut self, table: &'static str, rows: Vec<Columns>) -> BoxFuture<'_, Result<()>> {
        Box::pin(async move {
            let Some(first) = rows.first() else { return Ok(()) };
            let text = insertion(table, first);
            self.run_rows(&text, rows).await.map(drop)
        })
    }

    /// Writes all columns of an existing row.
    pub fn update<T: Tracked>(&mut self, row: &T, more: Columns) -> BoxFuture<'_, Result<()>> {
        self.update_columns(T::TABLE, vec![(row.key(), with(row.columns(), more))])
    }

    /// Writes all columns of existing rows, with one statement text.
    pub fn update_each<T: Tracked>(&mut self, rows: Vec<(&T, Columns)>) -> BoxFuture<'_, Result<()>> {
        let rows = rows.into_iter().map(|(row, more)| (row.key(), with(row.columns(), more))).collect();
        self.update_columns(T::TABLE, rows)
    }

    /// Writes columns of existing rows of a table, each row by its id and with the same columns.
    pub fn update_columns(
        &mut self,
        table: &'static str,
        mut rows: Vec<(Value, Columns)>,
    ) -> BoxFuture<'_, Result<()>> {
        Box::pin(async move {
            rows.iter_mut().for_each(|(_, columns)| columns.retain(|(name, _)| *name != "id"));
            let Some((_, first)) = rows.first() else { return Ok(()) };
            let text = format!("UPDATE {table} SET {} WHERE id = :id", assignments(first));
            let rows: Vec<Columns> =
                rows.into_iter().map(|(key, columns)| with(columns, vec![("id", key)])).collect();
            self.run_rows(&text, rows).await.map(drop)
        })
    }

    /// Removes a row from its table permanently.
    pub async fn remove(&mut self, table: &'static TrackedTable, id: Uuid) -> Result<()> {
        let delete = format!("DELETE FROM {} WHERE id = :id", table.name);
        self.run(sql!(delete, id = id)).await.map(drop)
    }

    /// Locks rows until the transaction ends. A second transaction waits, and then finds them changed or deleted.
    /// They are locked in the order of their ids, so that there is no deadlock.
    pub async fn lock_rows(&mut self, table: &str, ids: impl IntoIterator<Item = Uuid>) -> Result<()> {
        let lock = self.engine().row_lock();
        let select = format!("SELECT id FROM {table} WHERE id IN (:ids) ORDER BY id {lock}");
        self.rows(sql!(select, ids = list(ids))).await.map(drop)
    }

    /// The next change number of a project or program, or of the workspace if none is given. It is the position of a
    /// change in the order that offline clients read. The counter is locked until the commit, so the number is taken
    /// as late as possible.
    pub async fn next_change_number(&mut self, container: Option<Uuid>) -> Result<i64> {
        let container = container.unwrap_or_default();
        // 1 is the number of everything that came with the container itself, by an import for example.
        let next = "INSERT INTO change_counters (container_id, counter) VALUES (:container, 2)
                    ON CONFLICT (container_id) DO UPDATE SET counter = change_counters.counter + 1
                    RETURNING counter";
        self.count(sql!(next, container = container)).await
    }
}

fn with(mut columns: Columns, more: Columns) -> Columns {
    columns.extend(more);
    columns
}

/// The values of one column for rows that are written with it, such as `deletion_id`.
pub fn column(name: &'static str, value: impl ToValue) -> Columns {
    vec![(name, value.to_value())]
}

/// How many names several lists hold together.
pub const fn total(lists: &[&[&str]]) -> usize {
    let (mut sum, mut list) = (0, 0);
    while list < lists.len() {
        sum += lists[list].len();
        list += 1;
    }
    sum
}

/// Several lists of names as one.
pub const fn joined<const N: usize>(lists: &[&[&'static str]]) -> [&'static str; N] {
    let mut all = [""; N];
    let (mut list, mut at) = (0, 0);
    while list < lists.len() {
        let mut item = 0;
        while item < lists[list].len() {
            all[at] = lists[list][item];
            at += 1;
            item += 1;
        }
        list += 1;
    }
    all
}

/// Declares a struct whose fields are columns. `in TABLE` makes it a [`Record`](crate::record::Record); `in TABLE as "entity"` says
/// that it has the fields `id` and `server_version` and makes the start of a [`Tracked`](crate::record::Tracked) record;
/// `and` adds the fields of another such struct.
#[macro_export]
macro_rules! record {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident $(in $table:ident)? {
            $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $type:ty),* $(,)?
        }
        $(and $(#[$inner_meta:meta])* $inner_vis:vis $inner:ident: $inner_type:ty)?
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize)]
        $vis struct $name {
            $($(#[$field_meta])* $field_vis $field: $type,)*
            $($(#[$inner_meta])* #[serde(flatten)] $inner_vis $inner: $inner_type,)?
        }

        impl $crate::FromRow for $name {
            const COLUMNS: &'static [&'static str] = {
                const LISTS: &[&[&str]] = &[
                    &[$(stringify!($field)),*],
                    $(<$inner_type as $crate::FromRow>::COLUMNS)?
                ];
                const ALL: [&str; $crate::record::total(LISTS)] = $crate::record::joined(LISTS);
                &ALL
            };

            fn read(reader: &mut $crate::Reader<'_>) -> $crate::Result<Self> {
                Ok(Self {
                    $($field: reader.take()?,)*
                    $($inner: <$inner_type as $crate::FromRow>::read(reader)?,)?
                })
            }
        }

        impl $name {
            /// Its columns with their values.
            #[allow(dead_code)]
            $vis fn columns(&self) -> $crate::record::Columns {
                #[allow(unused_mut)]
                let mut columns = vec![
                    $((
                        stringify!($field).trim_start_matches("r#"),
                        $crate::ToValue::to_value(self.$field.clone()),
                    ),)*
                ];
                $(columns.extend(self.$inner.columns());)?
                columns
            }
        }

        $(
            impl $crate::record::Record for $name {
                const TABLE: &'static str = stringify!($table);

                fn columns(&self) -> $crate::record::Columns {
                    $name::columns(self)
                }
            }
        )?
    };
}

/// Makes a record with the fields `id` and `server_version` a [`Tracked`](crate::record::Tracked) one:
/// `tracked! { LabelRow as "label" }`, with what differs from the usual in braces.
#[macro_export]
macro_rules! tracked {
    ($name:ident as $entity:literal $({ $($different:item)* })?) => {
        impl $crate::record::Tracked for $name {
            const ENTITY: &'static str = $entity;

            fn id(&self) -> uuid::Uuid {
                self.id.into()
            }

            fn version(&self) -> i64 {
                self.server_version
            }

            fn set_version(&mut self, version: i64) {
                self.server_version = version;
            }

            $($($different)*)?
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    record! {
        struct Inner { size: i64 }
    }

    record! {
        struct Outer in boxes { name: String }
        and inner: Inner
    }

    #[test]
    fn columns_and_binds_stand_in_the_same_order() {
        let outer = Outer { name: "a".into(), inner: Inner { size: 7 } };
        assert_eq!(Outer::COLUMNS, ["name", "size"]);
        assert_eq!(names(&outer.columns()), "name, size");
        assert_eq!(binds(&outer.columns()), ":name, :size");
        assert_eq!(assignments(&outer.columns()), "name = :name, size = :size");
        assert_eq!(
            insertion(Outer::TABLE, &outer.columns()),
            "INSERT INTO boxes (name, size) VALUES (:name, :size)"
        );
        assert_eq!(Outer::select_list("o"), "o.name, o.size");
    }
}
