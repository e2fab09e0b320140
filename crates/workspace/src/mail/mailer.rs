//! Handing messages over: to a mail server, or into a directory when none is configured.
//! Which failures are worth another attempt is decided here; when that attempt is made, by the queue.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Context;
use chrono::{DateTime, Utc};
use lettre::message::Mailbox;
use lettre::transport::smtp;
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use planwright_jobs::JobError;
use planwright_jobs::mail::Mail;
use uuid::Uuid;

use super::letter;
use super::settings::{MailSettings, Way};

/// How long a mail server may take to answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// Sends mail.
pub struct Mailer {
    from: Mailbox,
    outlet: Outlet,
}

/// Where messages are handed over.
enum Outlet {
    /// A file for each.
    Files { directory: PathBuf, written: AtomicU64 },
    /// A mail server.
    Server(Box<AsyncSmtpTransport<Tokio1Executor>>),
}

impl Mailer {
    /// A mailer for the settings; no connection is made yet.
    pub fn new(settings: MailSettings) -> anyhow::Result<Self> {
        let outlet = match settings.way {
            Way::Directory(directory) => Outlet::Files { directory, written: AtomicU64::new(0) },
            Way::Server(url) => {
                let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(&url)
                    .context("SVC_MAIL_URL: it must look like smtp://user:password@host:587 or smtps://…")?;
                Outlet::Server(Box::new(builder.timeout(Some(PATIENCE)).build()))
            }
        };
        Ok(Self { from: settings.from, outlet })
    }

    /// What the health page calls it.
    pub fn kind(&self) -> &'static str {
        match self.outlet {
            Outlet::Files { .. } => "files",
            Outlet::Server(_) => "smtp",
        }
    }

    /// Whether mail could be handed over now, without sending any: what it reached, or why it could not.
    pub async fn probe(&self) -> anyhow::Result<String> {
        match &self.outlet {
            Outlet::Files { directory, .. } => Ok(format!("files in {}", directory.display())),
            Outlet::Server(server) => match server.test_connection().await {
                Ok(true) => Ok("the mail server answers".to_owned()),
                Ok(false) => anyhow::bail!("the mail server answers but accepts no mail"),
                Err(error) => anyhow::bail!("the mail server cannot be reached: {error}"),
            },
        }
    }

    /// Sends one mail, dated now and known by the id.
    pub async fn send(&self, mail: &Mail, now: DateTime<Utc>, id: Uuid) -> Result<(), JobError> {
        let message = letter::write(&self.from, mail, now, id).map_err(JobError::Fail)?;
        match &self.outlet {
            Outlet::Server(server) => server.send(message).await.map(drop).map_err(refusal),
            Outlet::Files { directory, written } => {
                let number = written.fetch_add(1, Ordering::Relaxed);
                let path = directory.join(file_name(now, number, id));
                put_down(path, message).await.map_err(JobError::Retry)
            }
        }
    }
}

/// What a server refuses for good, or cannot be asked for, stays refused; anything else may pass.
fn refusal(error: smtp::Error) -> JobError {
    let lasting = error.is_permanent() || error.is_client();
    let error = anyhow::anyhow!("the mail server did not accept the mail: {error}");
    if lasting { JobError::Fail(error) } else { JobError::Retry(error) }
}

/// Sorts by time, then by the order of writing, and never meets a name of another process.
fn file_name(now: DateTime<Utc>, number: u64, id: Uuid) -> String {
    let unique = id.simple().to_string();
    format!("{}-{number:06}-{}.eml", now.format("%Y%m%dT%H%M%S%.6fZ"), &unique[20..])
}

async fn put_down(path: PathBuf, message: Message) -> anyhow::Result<()> {
    let content = message.formatted();
    let shown = path.display().to_string();
    let work = move || write_whole(&path, &content);
    let written = tokio::task::spawn_blocking(work).await.context("writing a mail was interrupted")?;
    written.with_context(|| format!("the mail cannot be written to {shown}"))
}

/// Whoever reads the directory sees whole mails only, and only the owner of the directory may read them.
fn write_whole(path: &Path, content: &[u8]) -> std::io::Result<()> {
    use std::io::Write;
    if let Some(directory) = path.parent() {
        std::fs::create_dir_all(directory)?;
    }
    let unfinished = path.with_extension("part");
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&unfinished)?;
    file.write_all(content)?;
    file.sync_all()?;
    std::fs::rename(&unfinished, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_sort_by_time_and_then_by_order() {
        let now = DateTime::UNIX_EPOCH;
        let later = now + chrono::Duration::microseconds(1);
        let names = [
            file_name(now, 9, Uuid::from_u128(9)),
            file_name(now, 10, Uuid::from_u128(1)),
            file_name(later, 11, Uuid::from_u128(1)),
        ];
        assert!(names.is_sorted());
        assert_eq!(names[0], "19700101T000000.000000Z-000009-000000000009.eml");
    }
}
