//! Everything of an installation in one directory, and back: what `planwright backup` and `planwright restore` do.
//! An embedded database is copied while the server runs; PostgreSQL goes through its own `pg_dump` and `pg_restore`.

mod directory;
mod make;
mod manifest;
mod postgres;
pub mod restore;

pub use make::make;
pub use manifest::{Manifest, verify};

/// The copy of an embedded database.
const DATABASE: &str = "planwright.db";
/// What `pg_dump` wrote.
const DUMP: &str = "postgres.dump";
/// Directories of an installation that a backup takes along.
const DIRECTORIES: [&str; 2] = ["files", "mail"];
