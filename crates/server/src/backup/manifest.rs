//! What a backup says it holds, in `backup.json`: each file with its size and SHA-256, the schema, the version.
//! Checking a backup reads all of it and changes nothing.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use chrono::{DateTime, Utc};
use planwright_domain::hex;
use planwright_store::backup::inspect;
use planwright_store::migrate::{self, MigrationState};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{DATABASE, DUMP, directory, postgres};
use crate::private;

/// The file of it within a backup.
pub const FILE: &str = "backup.json";

/// The form that this version writes and reads.
const FORMAT: u32 = 1;

/// What a backup holds.
#[derive(Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// The form of this file.
    pub format: u32,
    /// When the backup was made.
    pub made_at: DateTime<Utc>,
    /// The version of the program that made it.
    pub version: String,
    /// The newest step of the schema, by name.
    pub schema: String,
    /// Every file but this one.
    pub files: Vec<Entry>,
}

/// A file of a backup.
#[derive(Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Where it is within the backup, with `/` between the parts.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
}

/// Writes what a directory holds into it.
pub fn write(backup: &Path, made_at: DateTime<Utc>, schema: String) -> anyhow::Result<()> {
    let mut files = Vec::new();
    for path in directory::files_below(backup)? {
        let (bytes, sha256) = checksum(&backup.join(&path))?;
        let path = path.to_str().context("the name of a file is not text")?.replace('\\', "/");
        files.push(Entry { path, bytes, sha256 });
    }
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let manifest = Manifest { format: FORMAT, made_at, version, schema, files };
    private::replace(&backup.join(FILE), &(serde_json::to_string_pretty(&manifest)? + "\n"))?;
    Ok(())
}

/// Reads all of a backup and says why it cannot be trusted, if it cannot. One of an older version has no list of files;
/// of that, only the database can be checked, and there is nothing to return.
pub fn verify(backup: &Path) -> anyhow::Result<Option<Manifest>> {
    ensure!(backup.is_dir(), "there is no backup at {}", backup.display());
    let manifest = match std::fs::read_to_string(backup.join(FILE)) {
        Ok(text) => Some(check_files(backup, &text)?),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(error).with_context(|| format!("reading {}", backup.join(FILE).display())),
    };
    let (database, dump) = (backup.join(DATABASE), backup.join(DUMP));
    match (database.is_file(), dump.is_file()) {
        (true, _) => check_database(&database)?,
        (false, true) => postgres::check_dump(&dump)?,
        (false, false) => bail!("{} contains neither {DATABASE} nor {DUMP}", backup.display()),
    }
    Ok(manifest)
}

/// Whether a database file is whole and of a schema that this binary can bring up to date.
pub fn check_database(path: &Path) -> anyhow::Result<()> {
    let found = inspect(path).with_context(|| format!("{} is not a database", path.display()))?;
    if let Some(fault) = found.faults.first() {
        bail!("{} is damaged: {fault} ({} faults in all)", path.display(), found.faults.len());
    }
    let refuse = |why: &str| bail!("{}: {why}", path.display());
    match found.migrations {
        _ if found.is_too_old => refuse(migrate::TOO_OLD),
        MigrationState::InSync | MigrationState::Behind => Ok(()),
        MigrationState::Ahead => refuse("its schema is newer than this binary; use a newer planwright"),
        MigrationState::Unknown => refuse("its schema is not one of planwright"),
    }
}

fn check_files(backup: &Path, text: &str) -> anyhow::Result<Manifest> {
    let manifest: Manifest = serde_json::from_str(text)
        .with_context(|| format!("{} cannot be read", backup.join(FILE).display()))?;
    ensure!(
        manifest.format == FORMAT,
        "this backup has format {}, and this binary reads format {FORMAT}",
        manifest.format
    );
    migrate::check_newest(&manifest.schema).context("the backup cannot be restored by this version")?;
    for entry in &manifest.files {
        let path = backup.join(&entry.path);
        let (bytes, sha256) = checksum(&path)?;
        ensure!(
            (bytes, &sha256) == (entry.bytes, &entry.sha256),
            "{} was changed after the backup was made: it has {bytes} bytes and the SHA-256 {sha256}, not {} and {}",
            path.display(),
            entry.bytes,
            entry.sha256
        );
    }
    Ok(manifest)
}

/// The size and the SHA-256 of a file.
pub fn checksum(path: &Path) -> anyhow::Result<(u64, String)> {
    let read = || -> std::io::Result<(u64, String)> {
        let mut file = std::fs::File::open(path)?;
        let (mut hash, mut bytes, mut buffer) = (Sha256::new(), 0, vec![0; 1 << 16]);
        loop {
            match file.read(&mut buffer)? {
                0 => break,
                length => {
                    hash.update(&buffer[..length]);
                    bytes += length as u64;
                }
            }
        }
        Ok((bytes, hex(&hash.finalize())))
    };
    read().with_context(|| format!("reading {}", path.display()))
}
