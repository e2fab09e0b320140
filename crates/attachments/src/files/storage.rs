//! Where the bytes of files are: a directory of the installation, under random keys. A file is written beside it first and
//! gets its key when it is complete, so that nothing half-written is ever found.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use planwright_domain::Entropy;
use tokio::fs::{self, File};
use tokio::io::AsyncWriteExt;

/// The largest file by default, in megabytes.
const MOST_MEGABYTES: u64 = 100;
/// The folder of files that are not complete yet.
const INCOMING: &str = "incoming";

/// How files are kept.
#[derive(Clone, Debug)]
pub struct FileSettings {
    /// The largest file, in bytes (`SVC_ATTACHMENT_MAX_MB`).
    pub most_bytes: u64,
    /// How many bytes the files of one project may have in all (`SVC_ATTACHMENTS_PROJECT_QUOTA_MB`); none is no limit.
    pub project_quota_bytes: Option<u64>,
    /// How many bytes all files may have (`SVC_ATTACHMENTS_QUOTA_MB`); none is no limit.
    pub quota_bytes: Option<u64>,
}

impl FileSettings {
    /// The settings as they were given; the message names the one that is wrong.
    pub fn from_settings(setting: impl Fn(&str) -> String) -> anyhow::Result<Self> {
        let megabytes = |name: &str| -> anyhow::Result<u64> {
            let text = setting(name);
            let parsed = text.trim().parse::<u64>().ok().filter(|size| *size <= 1 << 30);
            parsed.ok_or_else(|| anyhow::anyhow!("{name}: {text:?} is not a whole number of megabytes"))
        };
        let bytes = |size: u64| size << 20;
        let quota = |size: u64| (size > 0).then(|| bytes(size));
        let most = megabytes("SVC_ATTACHMENT_MAX_MB")?;
        Ok(Self {
            most_bytes: bytes(if most == 0 { MOST_MEGABYTES } else { most }),
            project_quota_bytes: quota(megabytes("SVC_ATTACHMENTS_PROJECT_QUOTA_MB")?),
            quota_bytes: quota(megabytes("SVC_ATTACHMENTS_QUOTA_MB")?),
        })
    }
}

/// The directory with its files.
#[derive(Clone, Debug)]
pub struct FileStorage {
    root: PathBuf,
}

/// A file on its way in. Dropped before it is kept, it is gone.
#[derive(Debug)]
pub struct Incoming {
    file: File,
    path: PathBuf,
    is_kept: bool,
}

impl FileStorage {
    /// The files below a directory, which is made when the first file comes.
    pub fn at(root: PathBuf) -> Self {
        Self { root }
    }

    /// Begins a file.
    pub async fn begin(&self) -> io::Result<Incoming> {
        let folder = self.root.join(INCOMING);
        fs::create_dir_all(&folder).await?;
        let path = folder.join(random_name());
        let file = fs::OpenOptions::new().write(true).read(true).create_new(true).open(&path).await?;
        Ok(Incoming { file, path, is_kept: false })
    }

    /// Keeps a complete file, and returns its key.
    pub async fn keep(&self, mut incoming: Incoming) -> io::Result<String> {
        incoming.file.sync_all().await?;
        let name = random_name();
        let folder = &name[..2];
        fs::create_dir_all(self.root.join(folder)).await?;
        let key = format!("{folder}/{name}");
        fs::rename(&incoming.path, self.root.join(&key)).await?;
        incoming.is_kept = true;
        Ok(key)
    }

    /// Opens a file. `None` if it is not there.
    pub async fn open(&self, key: &str) -> io::Result<Option<File>> {
        match File::open(self.root.join(key)).await {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Deletes a file; one that is not there is deleted already.
    pub async fn delete(&self, key: &str) -> io::Result<()> {
        match fs::remove_file(self.root.join(key)).await {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// The keys of files that were written before a time, those that are not complete included.
    pub async fn written_before(&self, before: SystemTime) -> io::Result<Vec<String>> {
        let mut keys = Vec::new();
        let Some(mut folders) = read_dir(&self.root).await? else { return Ok(keys) };
        while let Some(folder) = folders.next_entry().await? {
            let Some(mut files) = read_dir(&folder.path()).await? else { continue };
            while let Some(file) = files.next_entry().await? {
                if file.metadata().await?.modified()? < before {
                    let (folder, name) = (folder.file_name(), file.file_name());
                    keys.push(format!("{}/{}", folder.to_string_lossy(), name.to_string_lossy()));
                }
            }
        }
        Ok(keys)
    }
}

async fn read_dir(path: &Path) -> io::Result<Option<fs::ReadDir>> {
    match fs::read_dir(path).await {
        Ok(entries) => Ok(Some(entries)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

fn random_name() -> String {
    Entropy.bytes::<20>().iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Incoming {
    /// Writes a piece.
    pub async fn write(&mut self, piece: &[u8]) -> io::Result<()> {
        self.file.write_all(piece).await
    }

    /// Where the file is until it is kept.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        if !self.is_kept
            && let Err(error) = std::fs::remove_file(&self.path)
        {
            tracing::warn!(%error, "a file that was not kept could not be removed; it is swept later");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn a_file_is_found_when_it_is_complete_and_gone_when_it_is_not() {
        let directory = tempfile::tempdir().unwrap();
        let storage = FileStorage::at(directory.path().join("files"));
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
        assert!(storage.open(&key).await.unwrap().is_some());
        assert_eq!(storage.written_before(future).await.unwrap(), std::slice::from_ref(&key));
        assert!(storage.written_before(past).await.unwrap().is_empty());
        storage.delete(&key).await.unwrap();
        storage.delete(&key).await.unwrap();
        assert!(storage.open(&key).await.unwrap().is_none());
    }

    #[test]
    fn a_setting_that_is_no_number_is_named() {
        let read = |value: &'static str| FileSettings::from_settings(move |_| value.to_owned());
        assert_eq!(read("2").unwrap().most_bytes, 2 << 20);
        assert_eq!(read("0").unwrap().quota_bytes, None);
        assert!(read("much").unwrap_err().to_string().contains("SVC_ATTACHMENT_MAX_MB"));
    }
}
