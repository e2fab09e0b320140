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
    /// Check a backup that is there instead: read all of it, compare checksums, look into the database
    #[arg(long)]
    verify: bool,
}

/// Flags of `restore`.
#[derive(Args, Debug)]
pub struct Restore {
    /// A directory that `backup` wrote
    directory: PathBuf,
    /// Replace the database that is there; it is kept under another name
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
            return Ok(0);
        }
        match backup::verify(&self.directory)? {
            Some(Manifest { made_at, version, files, .. }) => say!(
                "{shown} is whole: {} files, made at {} by version {version}",
                files.len(),
                made_at.format("%Y-%m-%d %H:%M:%S UTC")
            ),
            None => say!("{shown} has a sound database; it is too old to have checksums of its files"),
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
            say!("the next start brings the schema up to date");
        }
        if let Some(kept) = restored.kept {
            say!("the database that was there is kept as {}; delete it when you are sure", kept.display());
        }
        Ok(u8::from(matches!(restored.migrations, MigrationState::Unknown | MigrationState::Ahead)))
    }
}
