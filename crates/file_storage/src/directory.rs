//! Complete files in a directory of this machine, or of a file system that several machines share.

use std::io;
use std::path::PathBuf;
use std::time::SystemTime;

use bytes::Bytes;
use futures_util::stream::{self, BoxStream, StreamExt};
use tokio::fs::{self, File};
use tokio::io::{AsyncReadExt, AsyncSeekExt, SeekFrom};

use crate::incoming::{Incoming, make_private, read_dir};

/// The folder of files that are not complete yet.
const INCOMING: &str = "incoming";
/// How many bytes are read at once.
const PIECE_BYTES: u64 = 64 * 1024;

/// The directory.
#[derive(Clone, Debug)]
pub(crate) struct Directory {
    root: PathBuf,
}

impl Directory {
    pub(crate) fn at(root: PathBuf) -> Self {
        Self { root }
    }

    pub(crate) fn incoming(&self) -> PathBuf {
        self.root.join(INCOMING)
    }

    pub(crate) fn shown(&self) -> String {
        self.root.display().to_string()
    }

    pub(crate) async fn keep(&self, incoming: &mut Incoming, key: &str) -> io::Result<()> {
        let path = self.root.join(key);
        if let Some(folder) = path.parent() {
            make_private(folder).await?;
        }
        incoming.move_to(&path).await
    }

    pub(crate) async fn open(&self, key: &str) -> io::Result<Option<File>> {
        match File::open(self.root.join(key)).await {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(crate) async fn delete(&self, key: &str) -> io::Result<()> {
        match fs::remove_file(self.root.join(key)).await {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    pub(crate) async fn written_before(&self, before: SystemTime) -> io::Result<Vec<String>> {
        let mut keys = Vec::new();
        let Some(mut folders) = read_dir(&self.root).await? else { return Ok(keys) };
        while let Some(folder) = folders.next_entry().await? {
            // Whatever a link leads to lies elsewhere.
            if folder.file_name() == INCOMING || !folder.file_type().await?.is_dir() {
                continue;
            }
            let Some(mut files) = read_dir(&folder.path()).await? else { continue };
            while let Some(file) = files.next_entry().await? {
                let about = file.metadata().await?;
                if about.is_file() && about.modified()? < before {
                    let (folder, name) = (folder.file_name(), file.file_name());
                    keys.push(format!("{}/{}", folder.to_string_lossy(), name.to_string_lossy()));
                }
            }
        }
        Ok(keys)
    }
}

/// The bytes of a file from a place on, piece by piece.
pub(crate) async fn pieces(
    mut file: File,
    first: u64,
    length: u64,
) -> io::Result<BoxStream<'static, io::Result<Bytes>>> {
    file.seek(SeekFrom::Start(first)).await?;
    let pieces = stream::try_unfold((file, length), async |(mut file, left)| {
        if left == 0 {
            return Ok(None);
        }
        let mut piece = vec![0; usize::try_from(left.min(PIECE_BYTES)).unwrap_or(1)];
        file.read_exact(&mut piece).await?;
        let left = left - piece.len() as u64;
        Ok(Some((Bytes::from(piece), (file, left))))
    });
    Ok(pieces.boxed())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::FileStorage;

    #[tokio::test]
    async fn a_file_is_found_when_it_is_complete_and_gone_when_it_is_not() {
        let directory = tempfile::tempdir().unwrap();
        let storage = FileStorage::in_directory(directory.path().join("files"));
        let (past, future) = (SystemTime::UNIX_EPOCH, SystemTime::UNIX_EPOCH + Duration::from_secs(1 << 40));
        assert!(storage.written_before(future).await.unwrap().is_empty());
        let mut first = storage.begin().await.unwrap();
        first.write(b"abc").await.unwrap();
        let path = first.path().to_owned();
        drop(first);
        assert!(!path.exists());
        let mut second = storage.begin().await.unwrap();
        second.write(b"abc").await.unwrap();
        let key = storage.keep(second).await.unwrap();
        assert_eq!(storage.open(&key).await.unwrap().unwrap().size, 3);
        assert_eq!(storage.written_before(future).await.unwrap(), std::slice::from_ref(&key));
        assert!(storage.written_before(past).await.unwrap().is_empty());
        storage.delete(&key).await.unwrap();
        storage.delete(&key).await.unwrap();
        assert!(storage.open(&key).await.unwrap().is_none());
    }

    #[tokio::test]
    async fn a_file_that_was_never_completed_is_removed_when_it_is_old() {
        let directory = tempfile::tempdir().unwrap();
        let storage = FileStorage::in_directory(directory.path().join("files"));
        let incoming = storage.begin().await.unwrap();
        let path = incoming.path().to_owned();
        std::mem::forget(incoming);
        let (past, future) = (SystemTime::UNIX_EPOCH, SystemTime::UNIX_EPOCH + Duration::from_secs(1 << 40));
        assert_eq!(storage.remove_incomplete(past).await.unwrap(), 0);
        assert!(path.exists());
        assert_eq!(storage.remove_incomplete(future).await.unwrap(), 1);
        assert!(!path.exists());
    }
}
