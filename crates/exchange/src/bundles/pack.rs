//! Packing an archive into a file of the storage, one piece at a time: no file of it has to fit into memory.
//! The same content gives the same bytes.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use axum::body::Bytes;
use flate2::{Compression, GzBuilder};
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use planwright_file_storage::{FileStorage, StorageResult};
use tokio::runtime::Handle;

use super::archive::{Archive, Content};

type Packing = tar::Builder<flate2::write::GzEncoder<File>>;

/// Packs an archive and keeps it: its key in the storage, and its size in bytes.
///
/// # Errors
/// When the storage is not available or full.
pub(super) async fn kept(archive: Archive, storage: &FileStorage) -> StorageResult<(String, u64)> {
    let incoming = storage.begin().await?;
    let path: PathBuf = incoming.path().to_owned();
    let (from, runtime) = (storage.clone(), Handle::current());
    let packing = tokio::task::spawn_blocking(move || packed(archive, &path, &from, &runtime));
    let size = packing.await.map_err(io::Error::other)??;
    Ok((storage.keep(incoming).await?, size))
}

fn packed(archive: Archive, path: &Path, storage: &FileStorage, runtime: &Handle) -> StorageResult<u64> {
    let file = OpenOptions::new().write(true).open(path)?;
    let packed = GzBuilder::new().mtime(0).write(file, Compression::default());
    let mut packing = tar::Builder::new(packed);
    for (name, content) in archive.files {
        match content {
            Content::Bytes(bytes) => append(&mut packing, &name, bytes.len() as u64, bytes.as_slice())?,
            Content::Written(incoming) => {
                let file = File::open(incoming.path())?;
                append(&mut packing, &name, file.metadata()?.len(), file)?;
            }
            Content::Stored(key) => {
                let Some(stored) = runtime.block_on(storage.open(&key))? else {
                    tracing::warn!(key, "a file that is not in the storage is left out of an archive");
                    continue;
                };
                let size = stored.size;
                let pieces = runtime.block_on(stored.pieces(0, size))?;
                append(&mut packing, &name, size, Pieces { pieces, piece: Bytes::new(), runtime })?;
            }
        }
    }
    let mut file = packing.into_inner()?.finish()?;
    file.flush()?;
    Ok(file.metadata()?.len())
}

fn append(packing: &mut Packing, name: &str, size: u64, content: impl Read) -> io::Result<()> {
    let mut header = tar::Header::new_gnu();
    header.set_size(size);
    header.set_mode(0o644);
    header.set_mtime(0);
    packing.append_data(&mut header, name, content)
}

/// The pieces of a stored file for who reads without waiting in between.
struct Pieces<'h> {
    pieces: BoxStream<'static, io::Result<Bytes>>,
    piece: Bytes,
    runtime: &'h Handle,
}

impl Read for Pieces<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.piece.is_empty() {
            match self.runtime.block_on(self.pieces.next()) {
                Some(piece) => self.piece = piece?,
                None => return Ok(0),
            }
        }
        let taken = self.piece.len().min(into.len());
        into[..taken].copy_from_slice(&self.piece.split_to(taken));
        Ok(taken)
    }
}
