//! Making a backup: all of it under another name first, checked, and named last.
//! A backup that has its name is whole; one that was interrupted is a hidden directory beside it.

use std::path::Path;

use anyhow::{Context, bail};
use planwright_domain::Clock;
use planwright_store::database::Location;
use planwright_store::{Db, sql};

use super::{DATABASE, DUMP, directories, directory, manifest, postgres};
use crate::{Settings, assemble, private, secrets};

/// What the hidden directory of an unfinished backup begins with.
const UNFINISHED: &str = ".planwright-backup-";

/// Copies the whole installation into a directory that must not exist yet.
pub async fn make(settings: &Settings, target: &Path) -> anyhow::Result<()> {
    if target.exists() {
        bail!("{} already exists", target.display());
    }
    let clock = Clock::machine();
    let db = assemble::open_existing(settings, clock.clone())?;
    let parent = target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !parent.exists() {
        private::directory(parent).with_context(|| format!("making {}", parent.display()))?;
    }
    let unfinished = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(parent);
    let unfinished = unfinished.with_context(|| format!("creating a directory in {}", parent.display()))?;
    let made_at = clock.now();
    fill(settings, &db, unfinished.path()).await?;
    manifest::write(unfinished.path(), made_at, newest_step(&db).await?)?;
    manifest::verify(unfinished.path()).context("the backup differs from what was written")?;
    directory::sync(unfinished.path())?;
    std::fs::rename(unfinished.keep(), target).with_context(|| format!("making {}", target.display()))?;
    directory::sync(parent)
}

async fn fill(settings: &Settings, db: &Db, into: &Path) -> anyhow::Result<()> {
    match assemble::location(settings)? {
        Location::File(_) => {
            let copy = into.join(DATABASE);
            planwright_store::backup::copy_to(db, &copy).await?;
            private::tighten(&copy)?;
            std::fs::File::options().write(true).open(&copy)?.sync_all()?;
        }
        Location::Server { url, .. } => {
            postgres::dump(&url, &into.join(DUMP))?;
            private::tighten(&into.join(DUMP))?;
        }
    }
    let key = settings.data_dir.join(secrets::FILE);
    if key.exists() {
        directory::copy_file(&key, &into.join(secrets::FILE))?;
    }
    // After the database: a file that comes in between belongs to no row of the copy, and no row lacks its file.
    for (name, place) in directories(settings) {
        directory::copy(&place, &into.join(name))?;
    }
    Ok(())
}

/// The bucket of the uploaded files, which a backup does not contain. `None` if they are in a directory.
pub fn bucket(settings: &Settings) -> Option<String> {
    let is_bucket = settings.text("SVC_DEFAULT_FILE_STORAGE").trim() == "s3";
    is_bucket.then(|| settings.text("SVC_S3_BUCKET").to_owned())
}

async fn newest_step(db: &Db) -> anyhow::Result<String> {
    let newest: Option<String> =
        db.scalar(sql!("SELECT name FROM migrations ORDER BY number DESC LIMIT 1")).await?;
    newest.context("the database has no schema yet")
}
