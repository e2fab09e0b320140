//! Bringing a backup back so that a crash at any moment leaves one whole installation: the old one or the new one.
//!
//! Everything is read, checked and written beside the old first. One renaming of the database file is the moment in which
//! the new one takes over; what is left to do after it is noted before it, and every start finishes it.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use planwright_domain::Clock;
use planwright_store::backup::beside;
use planwright_store::database::Location;
use planwright_store::migrate::{self, MigrationState};
use planwright_store::{Db, sql};
use serde::{Deserialize, Serialize};

use super::{DATABASE, DUMP, directories, directory, manifest, postgres};
use crate::in_use::InUse;
use crate::{Settings, assemble, private, secrets};

/// What the new database is called until it takes over.
const NEW: &str = ".restoring";
/// The directory of all that is put in place after that.
const STAGED: &str = "restoring";
/// The file in it that says that everything is there.
const READY: &str = "ready.json";

/// What a restore has done.
#[derive(Debug)]
pub struct Restored {
    /// How the schema stands to this binary.
    pub migrations: MigrationState,
    /// Where the old database is kept, if there was one.
    pub kept: Option<PathBuf>,
    /// Whether the backup said by itself what it holds.
    pub has_manifest: bool,
}

/// What is noted before the new database takes over.
#[derive(Serialize, Deserialize)]
struct Ready {
    /// Ends the names of what is kept of the old installation.
    kept_as: String,
}

/// Brings a backup back. `reached` is told of every step, so that a test can end the process there.
pub async fn restore(
    settings: &Settings,
    backup: &Path,
    force: bool,
    reached: &dyn Fn(&str),
) -> anyhow::Result<Restored> {
    let manifest = manifest::verify(backup)?;
    reached("the backup was checked");
    private::directory(&settings.data_dir)?;
    let kept = match assemble::location(settings)? {
        Location::File(path) => {
            let place = Place { settings, database: path, clock: Clock::machine() };
            place.restore(backup, force, reached).await?
        }
        Location::Server { url, .. } => {
            restore_server(settings, backup, &url, force).await?;
            put_rest_in_place(backup, settings, None)?;
            None
        }
    };
    let db = assemble::open_database(settings, Clock::machine())?;
    let migrations = migrate::state(&db).await;
    Ok(Restored { migrations, kept, has_manifest: manifest.is_some() })
}

async fn restore_server(settings: &Settings, backup: &Path, url: &str, force: bool) -> anyhow::Result<()> {
    ensure!(
        backup.join(DUMP).is_file(),
        "{} contains an SQLite database; restore it without SVC_DATABASE_URL, then use planwright move",
        backup.display()
    );
    let db = assemble::open_database(settings, Clock::machine())?;
    let others = db.others_connected().await?;
    ensure!(others == 0, "{others} others are connected to the database; stop every node first");
    drop(db);
    postgres::restore(url, &backup.join(DUMP), force)
}

/// An installation with a database file.
struct Place<'a> {
    settings: &'a Settings,
    database: PathBuf,
    clock: Clock,
}

impl Place<'_> {
    async fn restore(
        &self,
        backup: &Path,
        force: bool,
        reached: &dyn Fn(&str),
    ) -> anyhow::Result<Option<PathBuf>> {
        ensure!(
            backup.join(DATABASE).is_file(),
            "{} contains a dump of PostgreSQL; SVC_DATABASE_URL must name a server",
            backup.display()
        );
        let is_there = std::fs::metadata(&self.database).is_ok_and(|file| file.len() > 0);
        if is_there && !force {
            bail!("{} already exists; --force replaces it", self.database.display());
        }
        let lock = InUse::alone(&self.database)?;
        finish_interrupted(self.settings, &self.database)?;
        reached("the installation is ours alone");
        let ready = self.stage(backup, reached)?;
        let kept = match is_there {
            true => Some(self.keep_old(&ready, reached)?),
            false => None,
        };
        self.take_over(&ready, reached)?;
        finish_interrupted(self.settings, &self.database)?;
        reached("the rest is in place");
        if let Err(error) = opens(&self.database, &self.clock).await {
            let Some(kept) = &kept else { return Err(error) };
            return Err(self.put_back(kept, &ready, error));
        }
        drop(lock);
        Ok(kept)
    }

    fn new_database(&self) -> PathBuf {
        beside(&self.database, NEW)
    }

    fn staged(&self) -> PathBuf {
        self.settings.data_dir.join(STAGED)
    }

    /// Writes everything of the backup beside what is there, and checks what was written.
    fn stage(&self, backup: &Path, reached: &dyn Fn(&str)) -> anyhow::Result<Ready> {
        let (new, staged) = (self.new_database(), self.staged());
        forget_staged(&staged)?;
        directory::remove(&new)?;
        reached("leftovers are gone");
        directory::copy_file(&backup.join(DATABASE), &new)?;
        reached("the new database is written");
        let (given, written) = (manifest::checksum(&backup.join(DATABASE))?, manifest::checksum(&new)?);
        ensure!(given == written, "{} was written incorrectly", new.display());
        manifest::check_database(&new)?;
        reached("the new database is checked");
        private::directory(&staged)?;
        let key = backup.join(secrets::FILE);
        if key.exists() {
            directory::copy_file(&key, &staged.join(secrets::FILE))?;
        }
        for (name, _) in directories(self.settings) {
            directory::copy(&backup.join(name), &staged.join(name))?;
        }
        reached("the rest is written");
        let kept_as = self.clock.now().format(".before-%Y%m%dT%H%M%S%3fZ").to_string();
        Ok(Ready { kept_as })
    }

    /// Gives the old database, with all that its log holds, a second name.
    fn keep_old(&self, ready: &Ready, reached: &dyn Fn(&str)) -> anyhow::Result<PathBuf> {
        let kept = beside(&self.database, &ready.kept_as);
        let settled = planwright_store::backup::settle(&self.database);
        reached("the old database is in one file");
        directory::keep_as(&self.database, &kept)?;
        if settled.is_err() {
            // It cannot be opened. Its log goes with it, since the new database must not find one.
            let log = beside(&self.database, "-wal");
            if log.exists() {
                std::fs::rename(&log, beside(&kept, "-wal"))?;
            }
        }
        for ending in ["-wal", "-shm"] {
            directory::remove(&beside(&self.database, ending))?;
        }
        reached("the old database has a second name");
        Ok(kept)
    }

    /// From here on the new database is the one.
    fn take_over(&self, ready: &Ready, reached: &dyn Fn(&str)) -> anyhow::Result<()> {
        private::replace(&self.staged().join(READY), &serde_json::to_string(ready)?)?;
        directory::sync(&self.staged())?;
        directory::sync(&self.settings.data_dir)?;
        reached("what is left to do is noted");
        std::fs::rename(self.new_database(), &self.database)
            .with_context(|| format!("writing {}", self.database.display()))?;
        directory::sync(self.database.parent().unwrap_or(Path::new(".")))?;
        reached("the new database has taken over");
        Ok(())
    }

    /// The old database again, because the new one does not open.
    fn put_back(&self, kept: &Path, ready: &Ready, error: anyhow::Error) -> anyhow::Error {
        let put_back = || -> anyhow::Result<()> {
            for ending in ["-wal", "-shm"] {
                directory::remove(&beside(&self.database, ending))?;
            }
            std::fs::rename(kept, &self.database)?;
            let key = self.settings.data_dir.join(secrets::FILE);
            let old_key = beside(&key, &ready.kept_as);
            if old_key.exists() {
                std::fs::rename(old_key, key)?;
            }
            Ok(())
        };
        match put_back() {
            Ok(()) => error.context("the new database does not open, and the old one was restored"),
            Err(second) => error.context(format!(
                "the new database does not open; the old one is {} and could not be restored: {second:#}",
                kept.display()
            )),
        }
    }
}

/// Whether a database that is in its place can be used.
async fn opens(database: &Path, clock: &Clock) -> anyhow::Result<()> {
    let db = Db::open(&Location::File(database.to_owned()), clock.clone())?;
    db.count(sql!("SELECT COUNT(*) FROM users")).await?;
    db.settle().await?;
    Ok(())
}

/// Does what a restore that was interrupted has left to do, if its new database has taken over. The caller is alone.
pub fn finish_interrupted(settings: &Settings, database: &Path) -> anyhow::Result<()> {
    let data_dir = &settings.data_dir;
    let staged = data_dir.join(STAGED);
    if !is_unfinished(data_dir, database) {
        return Ok(());
    }
    let text = std::fs::read_to_string(staged.join(READY))?;
    let ready: Ready = serde_json::from_str(&text).context("reading the remaining steps of a restore")?;
    put_rest_in_place(&staged, settings, Some(&ready.kept_as))?;
    forget_staged(&staged)
}

/// Whether a restore was interrupted after its new database had taken over.
pub fn is_unfinished(data_dir: &Path, database: &Path) -> bool {
    data_dir.join(STAGED).join(READY).exists() && !beside(database, NEW).exists()
}

/// The secret and the directories; the secret that was there is kept under a second name.
fn put_rest_in_place(from: &Path, settings: &Settings, kept_as: Option<&str>) -> anyhow::Result<()> {
    let data_dir = &settings.data_dir;
    let (new, key) = (from.join(secrets::FILE), data_dir.join(secrets::FILE));
    if new.exists() {
        let text = std::fs::read_to_string(&new).context("reading the secret of the backup")?;
        if let (Ok(old), Some(kept_as)) = (std::fs::read_to_string(&key), kept_as)
            && old != text
        {
            private::replace(&beside(&key, kept_as), &old)?;
        }
        private::replace(&key, &text)?;
    }
    for (name, place) in directories(settings) {
        directory::copy(&from.join(name), &place)?;
    }
    directory::sync(data_dir)
}

/// Takes the staged directory away. The note goes first: without it, what is left of the directory means nothing.
fn forget_staged(staged: &Path) -> anyhow::Result<()> {
    if !staged.exists() {
        return Ok(());
    }
    directory::remove(&staged.join(READY))?;
    directory::sync(staged)?;
    std::fs::remove_dir_all(staged).with_context(|| format!("removing {}", staged.display()))
}
