//! Files on their way in, each under a random name in one local directory. What is not kept is removed, at the latest by
//! the sweep.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use planwright_domain::{Entropy, hex};
use tokio::fs::{self, File};
use tokio::io::AsyncWriteExt;

/// A file on its way in. Dropped before it is kept, it is gone.
#[derive(Debug)]
pub struct Incoming {
    pub(crate) file: File,
    path: PathBuf,
    has_moved: bool,
}

/// Makes a folder that only the owner of the process can look into, with those above it.
pub(crate) async fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    builder.mode(0o700);
    builder.create(folder).await
}

impl Incoming {
    pub(crate) async fn create(folder: &Path) -> io::Result<Self> {
        make_private(folder).await?;
        let path = folder.join(random_name());
        let file = fs::OpenOptions::new().write(true).read(true).create_new(true).open(&path).await?;
        Ok(Self { file, path, has_moved: false })
    }

    /// Writes a piece.
    pub async fn write(&mut self, piece: &[u8]) -> io::Result<()> {
        self.file.write_all(piece).await
    }

    /// Writes out what is still on its way, so that another reader of the file finds all of it.
    pub async fn flush(&mut self) -> io::Result<()> {
        self.file.flush().await
    }

    /// Where the file is until it is kept.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Moves the file to its place in the same file system.
    pub(crate) async fn move_to(&mut self, path: &Path) -> io::Result<()> {
        self.file.sync_all().await?;
        fs::rename(&self.path, path).await?;
        self.has_moved = true;
        Ok(())
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        if !self.has_moved
            && let Err(error) = std::fs::remove_file(&self.path)
        {
            tracing::warn!(%error, "a file that was not kept could not be removed; it is swept later");
        }
    }
}

/// Removes the files of the directory that were last written before a time, and returns how many.
pub(crate) async fn remove_before(folder: &Path, before: SystemTime) -> io::Result<usize> {
    let mut removed = 0;
    let Some(mut files) = read_dir(folder).await? else { return Ok(removed) };
    while let Some(file) = files.next_entry().await? {
        let about = file.metadata().await?;
        // A directory or a link was put here by somebody else.
        if about.is_file() && about.modified()? < before {
            fs::remove_file(file.path()).await?;
            removed += 1;
        }
    }
    Ok(removed)
}

/// The entries of a directory. `None` if there is none.
pub(crate) async fn read_dir(path: &Path) -> io::Result<Option<fs::ReadDir>> {
    match fs::read_dir(path).await {
        Ok(entries) => Ok(Some(entries)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// How many hexadecimal digits a random name has.
pub(crate) const NAME_LENGTH: usize = 40;

pub(crate) fn random_name() -> String {
    hex(&Entropy.bytes::<{ NAME_LENGTH / 2 }>())
}
