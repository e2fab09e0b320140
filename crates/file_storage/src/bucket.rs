//! Complete files in a bucket that speaks the S3 protocol. Large files are sent in parts, one at a time, so that memory
//! stays small; a file that is broken off has no key in the bucket.

use std::fmt;
use std::io::{self, SeekFrom};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use anyhow::Context;
use bytes::Bytes;
use futures_util::stream::{BoxStream, StreamExt, TryStreamExt};
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path;
use object_store::{
    ClientOptions, GetOptions, GetRange, MultipartUpload, ObjectStore, ObjectStoreExt, PutPayload,
    RetryConfig,
};
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use tokio::runtime::Handle;
use url::Url;

use crate::failure::{StorageFailure, StorageResult};
use crate::incoming::Incoming;
use crate::listing;

/// The size of a part. The protocol allows no part but the last to be smaller.
const PART_BYTES: usize = 5 << 20;
/// The maximum time for a connection.
const CONNECT_LIMIT: Duration = Duration::from_secs(5);
/// The maximum time in which nothing comes. A whole file may take longer, because its reader may be slow.
const READ_LIMIT: Duration = Duration::from_secs(60);
/// The maximum time for a request with all its retries.
const RETRY_LIMIT: Duration = Duration::from_secs(10);
/// How often a request is tried again.
const MOST_RETRIES: usize = 3;

/// Where a bucket is, and who may use it.
#[derive(Clone, Default)]
pub struct BucketSettings {
    /// Its name (`SVC_S3_BUCKET`).
    pub name: String,
    /// The address of the service (`SVC_S3_ENDPOINT`); blank means AWS.
    pub endpoint: String,
    /// The region (`SVC_S3_REGION`).
    pub region: String,
    /// The key id (`SVC_S3_ACCESS_KEY_ID`); blank means the role of this machine.
    pub access_key_id: String,
    /// The secret of the key (`SVC_S3_SECRET_ACCESS_KEY`).
    pub secret_access_key: String,
    /// The folder of all keys in the bucket (`SVC_S3_PREFIX`); blank means none.
    pub prefix: String,
    /// Whether the bucket is the first part of the host name (`SVC_S3_VIRTUAL_HOST`).
    pub is_virtual_host: bool,
}

impl fmt::Debug for BucketSettings {
    /// Without the secret.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("BucketSettings").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The bucket.
#[derive(Clone)]
pub(crate) struct Bucket {
    store: Arc<AmazonS3>,
    shown: String,
    prefix: String,
}

impl fmt::Debug for Bucket {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.shown)
    }
}

impl Bucket {
    pub(crate) fn open(settings: &BucketSettings) -> anyhow::Result<Self> {
        planwright_egress::choose_cryptography();
        let client = ClientOptions::new()
            .with_connect_timeout(CONNECT_LIMIT)
            .with_timeout_disabled()
            .with_read_timeout(READ_LIMIT);
        let retry =
            RetryConfig { max_retries: MOST_RETRIES, retry_timeout: RETRY_LIMIT, ..Default::default() };
        let mut builder = AmazonS3Builder::new()
            .with_client_options(client)
            .with_retry(retry)
            .with_bucket_name(&settings.name)
            .with_region(&settings.region)
            .with_virtual_hosted_style_request(settings.is_virtual_host);
        if !settings.endpoint.is_empty() {
            let endpoint = Url::parse(&settings.endpoint).context("SVC_S3_ENDPOINT is not an address")?;
            builder = builder.with_allow_http(endpoint.scheme() == "http").with_endpoint(&settings.endpoint);
        }
        if !settings.access_key_id.is_empty() {
            builder = builder
                .with_access_key_id(&settings.access_key_id)
                .with_secret_access_key(&settings.secret_access_key);
        }
        let store = builder.build().context("the settings SVC_S3_… cannot be used")?;
        let shown = format!("bucket {} at {}", settings.name, or(&settings.endpoint, "AWS"));
        Ok(Self { store: Arc::new(store), shown, prefix: settings.prefix.trim_matches('/').to_owned() })
    }

    pub(crate) fn shown(&self) -> String {
        self.shown.clone()
    }

    fn path(&self, key: &str) -> Path {
        match self.prefix.is_empty() {
            true => Path::from(key),
            false => Path::from(format!("{}/{key}", self.prefix)),
        }
    }

    pub(crate) async fn keep(&self, incoming: &mut Incoming, key: &str) -> StorageResult<()> {
        let path = self.path(key);
        let file = &mut incoming.file;
        tokio::io::AsyncWriteExt::flush(file).await?;
        let size = file.seek(SeekFrom::End(0)).await?;
        file.seek(SeekFrom::Start(0)).await?;
        if size <= PART_BYTES as u64 {
            let whole = part(file).await?;
            self.store.put(&path, whole.into()).await?;
            return Ok(());
        }
        let mut parts = Parts(Some(self.store.put_multipart(&path).await?));
        if let Some(upload) = &mut parts.0 {
            send(upload.as_mut(), file, size).await?;
        }
        parts.0 = None;
        Ok(())
    }

    /// The size of a file in bytes. `None` if it is not there.
    pub(crate) async fn size(&self, key: &str) -> StorageResult<Option<u64>> {
        match self.store.head(&self.path(key)).await {
            Ok(meta) => Ok(Some(meta.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) async fn delete(&self, key: &str) -> StorageResult<()> {
        match self.store.delete(&self.path(key)).await {
            Err(object_store::Error::NotFound { .. }) | Ok(()) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) async fn written_before(&self, before: SystemTime) -> StorageResult<Vec<String>> {
        let folder = (!self.prefix.is_empty()).then(|| format!("{}/", self.prefix));
        let start = folder.as_ref().map_or(0, String::len);
        let objects = listing::objects(&self.store, folder.as_deref()).await?;
        let old = objects.into_iter().filter(|object| SystemTime::from(object.last_modified) < before);
        Ok(old.filter_map(|object| Some(object.location.as_ref().get(start..)?.to_owned())).collect())
    }

    pub(crate) async fn pieces(
        &self,
        key: &str,
        first: u64,
        length: u64,
    ) -> StorageResult<BoxStream<'static, io::Result<Bytes>>> {
        if length == 0 {
            return Ok(futures_util::stream::empty().boxed());
        }
        let range = GetRange::Bounded(first..first + length);
        let options = GetOptions { range: Some(range), ..GetOptions::default() };
        let found = self.store.get_opts(&self.path(key), options).await?;
        Ok(found.into_stream().map_err(io::Error::other).boxed())
    }
}

/// An upload in parts. If it is dropped before its end, its parts are removed from the bucket.
struct Parts(Option<Box<dyn MultipartUpload>>);

impl Drop for Parts {
    fn drop(&mut self) {
        // Without a runtime the process ends, and the parts stay: as when it is killed.
        let (Some(mut upload), Ok(runtime)) = (self.0.take(), Handle::try_current()) else { return };
        runtime.spawn(async move {
            if let Err(error) = upload.abort().await {
                tracing::warn!(%error, "the parts of an upload that failed are left in the bucket");
            }
        });
    }
}

/// Sends a file part by part.
async fn send(upload: &mut dyn MultipartUpload, file: &mut File, size: u64) -> StorageResult<()> {
    let mut sent = 0;
    while sent < size {
        let next = part(file).await?;
        if next.is_empty() {
            return Err(StorageFailure::from(io::Error::from(io::ErrorKind::UnexpectedEof)));
        }
        sent += next.len() as u64;
        upload.put_part(PutPayload::from(next)).await?;
    }
    upload.complete().await?;
    Ok(())
}

/// The next part of a file; empty at its end.
async fn part(file: &mut File) -> io::Result<Bytes> {
    let mut part = Vec::new();
    file.take(PART_BYTES as u64).read_to_end(&mut part).await?;
    Ok(Bytes::from(part))
}

fn or<'a>(text: &'a str, otherwise: &'a str) -> &'a str {
    if text.is_empty() { otherwise } else { text }
}
