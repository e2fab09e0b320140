//! `planwright backup` and `planwright restore`: their flags and what they print.
//! What they do is in `crate::backup`.

use std::path::PathBuf;

use clap::Args;
use planwright_store::migrate::MigrationState;

use super::say;
use crate::Settings;
use crate::backup::{self, Manifest};

/// Flags of `backup`.
#[derive(Args, Debug)]
pub struct Backup {
    /// The directory to write; it must not exist yet
    directory: PathBuf,
    /// Check an existing backup instead: read all files, compare checksums, check the database
    #[arg(long)]
    verify: bool,
}

/// Flags of `restore`.
#[derive(Args, Debug)]
pub struct Restore {
    /// A directory that `backup` has written
    directory: PathBuf,
    /// Replace the existing database; it is kept under another name
    #[arg(long)]
    force: bool,
}

impl Backup {
    /// Runs the command.
    pub async fn run(self, settings: &Settings) -> anyhow::Result<u8> {
        let shown = self.directory.display();
        if !self.verify {
            backup::make(settings, &self.directory).await?;
            say!("backed up to {shown}");
            if let Some(bucket) = backup::bucket(settings) {
                say!(
                    "the uploaded files are in the bucket {bucket} and not in this backup; keep versions of them there"
                );
            }
            return Ok(0);
        }
        match backup::verify(&self.directory)? {
            Some(Manifest { made_at, version, files, .. }) => say!(
                "{shown} is complete: {} files, made at {} by version {version}",
                files.len(),
                made_at.format("%Y-%m-%d %H:%M:%S UTC")
            ),
            None => say!("{shown} has an undamaged database; it is too old to have checksums of its files"),
        }
        Ok(0)
    }
}

impl Restore {
    /// Runs the command.
    pub async fn run(self, settings: &Settings) -> anyhow::Result<u8> {
        let restored = backup::restore::restore(settings, &self.directory, self.force, &|_| {}).await?;
        if !restored.has_manifest {
            say!("the backup has no checksums; only its database was checked");
        }
        let state = serde_json::to_value(restored.migrations)?;
        say!(
            "restored from {}; the schema is {}",
            self.directory.display(),
            state.as_str().unwrap_or_default()
        );
        if restored.migrations == MigrationState::Behind {
            say!("the next start updates the schema");
        }
        if let Some(kept) = restored.kept {
            say!("the old database is kept as {}; delete it when you no longer need it", kept.display());
        }
        Ok(u8::from(matches!(restored.migrations, MigrationState::Unknown | MigrationState::Ahead)))
    }
}
