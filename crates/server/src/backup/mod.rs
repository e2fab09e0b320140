//! Everything of an installation in one directory, and back: what `planwright backup` and `planwright restore` do.
//! An embedded database is copied while the server runs; PostgreSQL goes through its own `pg_dump` and `pg_restore`.

mod directory;
mod make;
mod manifest;
mod postgres;
pub mod restore;

pub use make::{bucket, make};
pub use manifest::{Manifest, verify};

use std::path::PathBuf;

use crate::Settings;

/// The copy of an embedded database.
const DATABASE: &str = "planwright.db";
/// What `pg_dump` wrote.
const DUMP: &str = "postgres.dump";
/// Directories that a backup takes along: their names in it, and where they are in an installation.
fn directories(settings: &Settings) -> [(&'static str, PathBuf); 3] {
    let here = |name: &str| settings.data_dir.join(name);
    let uploads = planwright_file_storage::directory(|name| settings.text(name), &settings.data_dir);
    [("attachments", uploads), ("files", here("files")), ("mail", here("mail"))]
}
