//! One SQL text for two database engines: SQLite inside the process, or a PostgreSQL server. This is the only crate
//! that names a database driver. It has its own tables (history, outbox, deletions) and contains no rule of planning.

pub mod audit;
pub mod backup;
pub mod database;
pub mod deletion;
pub mod dialect;
mod engine;
pub mod error;
pub mod history;
mod letters;
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
pub mod words;
mod writer_turn;

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

/// The result of every query.
pub type Result<T> = std::result::Result<T, StoreError>;
