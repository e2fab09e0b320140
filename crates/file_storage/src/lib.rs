//! Where the bytes of files are: in a directory, or in a bucket that speaks S3, under random keys. A file is written into a
//! directory beside it first and gets its key when it is complete, so that nothing half-written is ever found.

mod bucket;
mod directory;
mod failure;
mod incoming;
mod listing;
mod settings;

use std::path::PathBuf;
use std::time::SystemTime;

use bytes::Bytes;
use futures_util::stream::{BoxStream, TryStreamExt};

use bucket::Bucket;
use directory::Directory;

pub use bucket::BucketSettings;
pub use failure::{StorageFailure, StorageResult};
pub use incoming::Incoming;
pub use settings::{StorageSettings, directory};

/// The place of complete files.
#[derive(Clone, Debug)]
enum Place {
    Directory(Directory),
    Bucket(Bucket),
}

/// The files of an installation.
#[derive(Clone, Debug)]
pub struct FileStorage {
    /// The directory of files that are not complete yet.
    incoming: PathBuf,
    place: Place,
}

/// A complete file, opened.
#[derive(Debug)]
pub struct StoredFile {
    /// Its size in bytes.
    pub size: u64,
    source: Source,
}

#[derive(Debug)]
enum Source {
    File(tokio::fs::File),
    Object { bucket: Bucket, key: String },
}

impl FileStorage {
    /// The files of a directory, which is made when the first file comes.
    pub fn in_directory(root: PathBuf) -> Self {
        let directory = Directory::at(root);
        Self { incoming: directory.incoming(), place: Place::Directory(directory) }
    }

    /// The files where the settings say.
    ///
    /// # Errors
    /// A bucket whose settings cannot be used, such as an address that is none.
    pub fn from_settings(settings: StorageSettings) -> anyhow::Result<Self> {
        let Some(bucket) = settings.bucket else { return Ok(Self::in_directory(settings.directory)) };
        let incoming = Directory::at(settings.directory).incoming();
        Ok(Self { incoming, place: Place::Bucket(Bucket::open(&bucket)?) })
    }

    /// Begins a file.
    pub async fn begin(&self) -> StorageResult<Incoming> {
        Ok(Incoming::create(&self.incoming).await?)
    }

    /// Keeps a complete file, and returns its key.
    pub async fn keep(&self, mut incoming: Incoming) -> StorageResult<String> {
        let key = key();
        match &self.place {
            Place::Directory(directory) => directory.keep(&mut incoming, &key).await?,
            Place::Bucket(bucket) => bucket.keep(&mut incoming, &key).await?,
        }
        Ok(key)
    }

    /// Opens a file. `None` if it is not there.
    pub async fn open(&self, key: &str) -> StorageResult<Option<StoredFile>> {
        match &self.place {
            Place::Directory(directory) => {
                let Some(file) = directory.open(key).await? else { return Ok(None) };
                let size = file.metadata().await?.len();
                Ok(Some(StoredFile { size, source: Source::File(file) }))
            }
            Place::Bucket(bucket) => {
                let source = |size| StoredFile {
                    size,
                    source: Source::Object { bucket: bucket.clone(), key: key.to_owned() },
                };
                Ok(bucket.size(key).await?.map(source))
            }
        }
    }

    /// Deletes a file; one that is not there is deleted already.
    pub async fn delete(&self, key: &str) -> StorageResult<()> {
        match &self.place {
            Place::Directory(directory) => Ok(directory.delete(key).await?),
            Place::Bucket(bucket) => bucket.delete(key).await,
        }
    }

    /// The keys of complete files that were written before a time. What has another name was put there by somebody else and is
    /// none of them.
    pub async fn written_before(&self, before: SystemTime) -> StorageResult<Vec<String>> {
        let mut keys = match &self.place {
            Place::Directory(directory) => directory.written_before(before).await?,
            Place::Bucket(bucket) => bucket.written_before(before).await?,
        };
        keys.retain(|key| is_key(key));
        Ok(keys)
    }

    /// Removes files that were begun before a time and never completed, and returns how many.
    pub async fn remove_incomplete(&self, before: SystemTime) -> StorageResult<usize> {
        Ok(incoming::remove_before(&self.incoming, before).await?)
    }

    /// Whether a file has these bytes.
    async fn reads(&self, key: &str, bytes: &[u8]) -> StorageResult<bool> {
        let Some(file) = self.open(key).await? else { return Ok(false) };
        let length = file.size;
        let pieces: Vec<Bytes> = file.pieces(0, length).await?.try_collect().await?;
        Ok(pieces.concat() == bytes)
    }

    /// Says where the files are, after writing, reading, listing and deleting one there.
    ///
    /// # Errors
    /// Whatever prevents one of the four.
    pub async fn probe(&self) -> StorageResult<String> {
        let mut incoming = self.begin().await?;
        incoming.write(b"planwright").await?;
        let key = self.keep(incoming).await?;
        let found = self.reads(&key, b"planwright").await?;
        // The sweep of old files needs a list.
        self.written_before(SystemTime::UNIX_EPOCH).await?;
        self.delete(&key).await?;
        match (found, &self.place) {
            (false, _) => Err(StorageFailure::lost(&key)),
            (true, Place::Directory(directory)) => Ok(directory.shown()),
            (true, Place::Bucket(bucket)) => Ok(bucket.shown()),
        }
    }
}

impl StoredFile {
    /// The bytes of the file from a place on, piece by piece. `first` and `length` are in bytes and inside the file.
    pub async fn pieces(
        self,
        first: u64,
        length: u64,
    ) -> StorageResult<BoxStream<'static, std::io::Result<Bytes>>> {
        match self.source {
            Source::File(file) => Ok(directory::pieces(file, first, length).await?),
            Source::Object { bucket, key } => bucket.pieces(&key, first, length).await,
        }
    }
}

/// A new key: nobody guesses it, and no folder gets too large.
fn key() -> String {
    let name = incoming::random_name();
    format!("{}/{name}", &name[..2])
}

/// Whether a name has the form of our keys.
fn is_key(name: &str) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    name.split_once('/').is_some_and(|(folder, name)| {
        folder.len() == 2
            && name.len() == incoming::NAME_LENGTH
            && name.starts_with(folder)
            && name.bytes().all(is_digit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_named_here_has_the_form_of_a_key() {
        let own = key();
        assert!(is_key(&own), "{own}");
        let foreign = [
            format!("team-b/{own}"),
            own.to_uppercase() + "x",
            own.replace('/', "/0"),
            format!("zz/{}", &own[3..]),
            "photos/2026.png".to_owned(),
            String::new(),
        ];
        assert!(!foreign.iter().any(|name| is_key(name)), "{foreign:?}");
    }
}
