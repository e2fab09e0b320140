//! `planwright doctor`: whether the installation is sound, and every setting with where it came from.
//! It changes nothing. Exit code 1 means that something needs attention.

use std::path::Path;

use anyhow::{Context, bail, ensure};
use clap::Args;
use planwright_domain::Clock;
use planwright_store::Db;
use planwright_store::backup::beside;
use planwright_store::database::Location;
use planwright_store::migrate::{self, MigrationState};
use planwright_web::limiter::{Limiter, RedisLimiter};
use planwright_workspace::mail::{MailSettings, Mailer};

use super::say;
use crate::settings::{KNOWN, unknown_variables};
use crate::{Settings, assemble, secrets};

/// Less free space than this needs attention.
const LITTLE_ROOM_BYTES: u64 = 256 << 20;
/// A write-ahead log larger than this has no working checkpoint.
const LARGE_LOG_BYTES: u64 = 256 << 20;

/// Flags of `doctor`.
#[derive(Args, Debug)]
pub struct Doctor {
    /// Print JSON for programs
    #[arg(long)]
    json: bool,
}

impl Doctor {
    /// Runs the command.
    pub async fn run(self, settings: &Settings) -> anyhow::Result<u8> {
        let checks = checks(settings).await;
        let sound = checks.iter().all(|(_, verdict)| verdict.is_ok());
        match self.json {
            true => print_json(settings, &checks)?,
            false => print_table(settings, &checks)?,
        }
        Ok(u8::from(!sound))
    }
}

type Verdict = anyhow::Result<String>;
type Check = (&'static str, Verdict);

async fn checks(settings: &Settings) -> Vec<Check> {
    let directory = &settings.data_dir;
    let mut checks = vec![("data directory", writable(directory))];
    if directory.is_dir() {
        checks.push(("free space", free_space(directory)));
        checks.push(("file storage", file_storage(settings).await));
    }
    match assemble::location(settings) {
        Ok(Location::File(path)) => {
            checks.push(("write-ahead log", log_size(&path)));
        }
        Ok(Location::Server { .. }) => {}
        Err(error) => checks.push(("database", Err(error))),
    }
    match assemble::open_existing(settings, Clock::machine()) {
        Ok(db) => checks.extend(database(settings, &db).await),
        Err(error) => checks.push(("database", Err(error))),
    }
    checks.push(("secrets", secrets::check(settings).map(|()| "present".into())));
    checks.push(("redis", redis(settings).await));
    checks.push(("mail", mail(settings).await));
    let unknown = unknown_variables(std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()));
    checks.extend(unknown.into_iter().map(|sentence| ("environment", Err(anyhow::anyhow!(sentence)))));
    checks
}

async fn database(settings: &Settings, db: &Db) -> Vec<Check> {
    if let Err(error) = assemble::reach(settings, db).await {
        return vec![("database", Err(error))];
    }
    let pages = match db.quick_check().await {
        Ok(faults) => match faults.first() {
            None => Ok(planwright_store::Read::engine(db).name().to_owned()),
            Some(fault) => {
                Err(anyhow::anyhow!("damaged: {fault} ({} faults); restore a backup", faults.len()))
            }
        },
        Err(error) => Err(error.into()),
    };
    let migrations = match migrate::state(db).await {
        MigrationState::InSync => Ok("in_sync".into()),
        MigrationState::Behind => Err(anyhow::anyhow!("behind: run planwright migrate, or start the server")),
        MigrationState::Ahead => Err(anyhow::anyhow!("ahead: this binary is older than the database")),
        MigrationState::Unknown => {
            Err(anyhow::anyhow!("unknown: the database cannot be read, or a migration was changed"))
        }
    };
    vec![("database", pages), ("migrations", migrations)]
}

/// Whether a file can be written there; the one that is tried has no name.
fn writable(directory: &Path) -> Verdict {
    let shown = directory.display();
    ensure!(directory.is_dir(), "there is no directory {shown}; planwright serve creates it");
    tempfile::tempfile_in(directory).with_context(|| format!("{shown} cannot be written to"))?;
    Ok(shown.to_string())
}

#[cfg(unix)]
fn free_space(directory: &Path) -> Verdict {
    let disk = rustix::fs::statvfs(directory)?;
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    let shown = format!("{} MB", free / 1_000_000);
    ensure!(free >= LITTLE_ROOM_BYTES, "{shown} left; writes will fail soon");
    Ok(shown)
}

#[cfg(not(unix))]
fn free_space(_: &Path) -> Verdict {
    Ok("not known on this system".into())
}

fn log_size(database: &Path) -> Verdict {
    let bytes = std::fs::metadata(beside(database, "-wal")).map_or(0, |file| file.len());
    let shown = format!("{} kB", bytes / 1_000);
    ensure!(bytes < LARGE_LOG_BYTES, "{shown}; a reader that never ends prevents its checkpoint");
    Ok(shown)
}

async fn redis(settings: &Settings) -> Verdict {
    let Some(url) = settings.given("SVC_REDIS_URL") else { return Ok("not used".into()) };
    let limiter = Limiter::Redis(RedisLimiter::at(&url).context("SVC_REDIS_URL")?);
    match limiter.is_reachable().await {
        Some(true) => Ok("answers".into()),
        _ => bail!("{} does not answer", settings.shown_text("SVC_REDIS_URL")),
    }
}

/// Writes, reads and deletes a file.
async fn file_storage(settings: &Settings) -> Verdict {
    Ok(assemble::file_storage(settings)?.probe().await?)
}

async fn mail(settings: &Settings) -> Verdict {
    let mail = MailSettings::from_settings(|name| settings.text(name), &settings.data_dir)?;
    Mailer::new(mail)?.probe().await
}

fn print_table(settings: &Settings, checks: &[Check]) -> anyhow::Result<()> {
    for (what, verdict) in checks {
        match verdict {
            Ok(detail) => say!("ok    {what}: {detail}"),
            Err(detail) => say!("FAIL  {what}: {detail:#}"),
        }
    }
    say!("");
    for known in KNOWN {
        say!(
            "{:<36} {:<32} [{}] {}",
            known.name,
            settings.shown(known),
            settings.source(known.name),
            known.about
        );
    }
    Ok(())
}

fn print_json(settings: &Settings, checks: &[Check]) -> anyhow::Result<()> {
    let checks: Vec<_> = checks
        .iter()
        .map(|(what, verdict)| {
            let detail = verdict.as_ref().map_or_else(|error| format!("{error:#}"), Clone::clone);
            serde_json::json!({ "check": what, "ok": verdict.is_ok(), "detail": detail })
        })
        .collect();
    let settings: Vec<_> = KNOWN
        .iter()
        .map(|known| {
            serde_json::json!({ "name": known.name, "value": settings.shown(known),
                "source": settings.source(known.name), "about": known.about })
        })
        .collect();
    let page = serde_json::json!({ "checks": checks, "settings": settings });
    say!("{}", serde_json::to_string_pretty(&page)?);
    Ok(())
}
