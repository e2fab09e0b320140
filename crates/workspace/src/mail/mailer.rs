//! Handing messages over: to a mail server, or into a directory when none is configured. Settings that the Owner wrote
//! come before those of the environment. Which failures are worth another attempt is decided here.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Context;
use chrono::{DateTime, Utc};
use lettre::message::Mailbox;
use lettre::transport::smtp;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use planwright_domain::words::MailSecurity;
use planwright_jobs::JobError;
use planwright_jobs::mail::Mail;
use planwright_store::seal::Sealer;
use planwright_web::App;
use tokio::sync::Mutex;
use tokio::time::Instant;
use uuid::Uuid;

use super::administration::model::MailSettingsRow;
use super::administration::{queries, rules};
use super::letter;
use super::settings::{MailSettings, Way};

/// How long a mail server may take to answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long a server may take to say whether it takes mail at all.
pub(super) const PROBE_PATIENCE: Duration = Duration::from_secs(10);

/// How long a server may take for one letter, whatever it does.
const LONGEST_LETTER: Duration = Duration::from_secs(60);

/// What the password of a mail server is sealed for: the one row of its table.
pub(super) const SEALED_FOR: &str = "mail_settings.password:1";

/// A mail server.
pub(super) type Server = AsyncSmtpTransport<Tokio1Executor>;

/// Sends mail.
pub struct Mailer {
    from: Mailbox,
    frontend_url: String,
    certificates: Option<Vec<u8>>,
    outlet: Outlet,
    /// When the next letter may leave, if letters are counted.
    next: Mutex<Option<Instant>>,
}

/// Where messages are handed over.
enum Outlet {
    /// A file for each.
    Files { directory: PathBuf, written: AtomicU64 },
    /// A mail server.
    Server(Box<Server>),
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
        let MailSettings { from, frontend_url, certificates, .. } = settings;
        Ok(Self { from, frontend_url, certificates, outlet, next: Mutex::new(None) })
    }

    /// What the health page calls it.
    pub fn kind(&self) -> &'static str {
        match self.outlet {
            Outlet::Files { .. } => "files",
            Outlet::Server(_) => "smtp",
        }
    }

    /// Whether the environment names a mail server.
    pub(super) fn has_server(&self) -> bool {
        matches!(self.outlet, Outlet::Server(_))
    }

    /// The sender that the environment names.
    pub(super) fn sender(&self) -> &Mailbox {
        &self.from
    }

    /// What links in letters begin with; empty when the operator set nothing.
    pub(super) fn frontend_url(&self) -> &str {
        &self.frontend_url
    }

    /// Whether mail could be handed over now, without sending any: what it reached, or why it could not.
    pub async fn probe(&self) -> anyhow::Result<String> {
        match &self.outlet {
            Outlet::Files { directory, .. } => Ok(format!("files in {}", directory.display())),
            Outlet::Server(server) => {
                let asked = tokio::time::timeout(PROBE_PATIENCE, server.test_connection()).await;
                match asked.context("the mail server is silent")? {
                    Ok(true) => Ok("the mail server answers".to_owned()),
                    Ok(false) => anyhow::bail!("the mail server answers but accepts no mail"),
                    Err(error) => anyhow::bail!("the mail server cannot be reached: {error}"),
                }
            }
        }
    }

    /// The mail server that written settings name.
    pub(super) fn server_of(&self, sealer: &Sealer, row: &MailSettingsRow) -> anyhow::Result<Server> {
        let host = row.host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let port = u16::try_from(row.port).context("the port of the mail server")?;
        let mut builder = Server::builder_dangerous(&host).port(port).timeout(Some(PATIENCE));
        builder = builder.tls(match row.security {
            MailSecurity::None => Tls::None,
            MailSecurity::Tls => Tls::Required(self.encryption(host)?),
            MailSecurity::Ssl => Tls::Wrapper(self.encryption(host)?),
        });
        if let Some(sealed) = &row.password_sealed {
            let password = sealer.open_text(SEALED_FOR, sealed).context("the password of the mail server")?;
            builder = builder.credentials(Credentials::new(row.username.clone(), password));
        }
        Ok(builder.build())
    }

    fn encryption(&self, host: String) -> anyhow::Result<TlsParameters> {
        let mut builder = TlsParameters::builder(host);
        if let Some(pem) = &self.certificates {
            builder = builder.add_root_certificate(Certificate::from_pem(pem).context("SVC_EGRESS_CA_FILE")?);
        }
        Ok(builder.build_rustls()?)
    }

    /// Sends one mail by the settings in force.
    pub async fn send(&self, app: &App, mail: &Mail) -> Result<(), JobError> {
        let row = queries::find(&app.db).await?;
        let (now, id) = (app.clock.now(), app.clock.mint::<Uuid>());
        let from = row.as_ref().map_or_else(|| self.from.clone(), |row| rules::sender(row, &self.from));
        let reply_to = row.as_ref().and_then(|row| row.reply_to.parse().ok());
        let message = letter::write((&from, reply_to), mail, now, id).map_err(JobError::Fail)?;
        let Some(row) = row.filter(MailSettingsRow::is_in_force) else {
            return self.hand_over(message, now, id).await;
        };
        self.wait_for_turn(row.throttle_per_min).await;
        let server = self.server_of(&app.sealer, &row).map_err(JobError::Fail)?;
        self.send_in_time(&server, message).await
    }

    /// Hands a message to a server. One that falls silent does not hold the letter for ever.
    async fn send_in_time(&self, server: &Server, message: Message) -> Result<(), JobError> {
        let silent = |_| JobError::Retry(anyhow::anyhow!("the mail server fell silent"));
        let sent = tokio::time::timeout(LONGEST_LETTER, server.send(message)).await.map_err(silent)?;
        sent.map(drop).map_err(refusal)
    }

    /// Hands a message over as the environment says.
    async fn hand_over(&self, message: Message, now: DateTime<Utc>, id: Uuid) -> Result<(), JobError> {
        match &self.outlet {
            Outlet::Server(server) => self.send_in_time(server, message).await,
            Outlet::Files { directory, written } => {
                let number = written.fetch_add(1, Ordering::Relaxed);
                let path = directory.join(file_name(now, number, id));
                put_down(path, message).await.map_err(JobError::Retry)
            }
        }
    }

    /// Waits until the next letter may leave, so that no more leave in a minute than the settings say.
    async fn wait_for_turn(&self, per_minute: i64) {
        let Some(pause) = u32::try_from(per_minute).ok().filter(|number| *number > 0) else { return };
        let mut next = self.next.lock().await;
        if let Some(at) = *next {
            tokio::time::sleep_until(at).await;
        }
        *next = Some(Instant::now() + Duration::from_secs(60) / pause);
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
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(directory)?;
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
