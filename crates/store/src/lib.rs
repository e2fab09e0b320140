//! One database, two engines: SQLite embedded in the process, or PostgreSQL beside it, behind one SQL text.
//! This is the only crate that names a database driver; it knows tables of its own (history, outbox, deletions) and no rule of planning.

pub mod backup;
pub mod database;
pub mod deletion;
pub mod dialect;
mod engine;
pub mod error;
pub mod history;
pub mod migrate;
pub mod outbox;
mod own_database;
pub mod page;
mod postgres;
pub mod record;
pub mod row;
pub mod seal;
pub mod sql;
mod sqlite;
pub mod transaction;
pub mod transfer;
pub mod value;
mod vocabulary;

pub use database::{Connections, Db, Location, Read};
pub use engine::Engine;
pub use error::StoreError;
pub use own_database::OwnDatabase;
pub use page::Slice;
pub use record::{Record, Tracked};
pub use row::{FromRow, Reader};
pub use sql::Sql;
pub use transaction::Tx;
pub use value::{FromValue, ToValue, Value};

/// What every query returns.
pub type Result<T> = std::result::Result<T, StoreError>;
