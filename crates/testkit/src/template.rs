//! A template: a stopped installation with its database and files, which tests copy and start. The test that makes it
//! decides what it contains.

use std::path::Path;
use std::sync::Arc;

use chrono::{DateTime, Duration, Utc};
use planwright_domain::Clock;
use planwright_domain::ids::UserId;

use crate::database::{DatabaseTemplate, FILE, TestDatabase};
use crate::{Person, TestApp};

/// A stopped installation.
pub struct Template {
    database: DatabaseTemplate,
    directory: Arc<tempfile::TempDir>,
    now: DateTime<Utc>,
}

impl TestApp {
    /// Runs everything that is due, stops, and becomes a template.
    pub async fn into_template(self) -> Template {
        self.run_jobs().await;
        // Ids carry the time: those of copies come after all that are there.
        let now = self.clock.now() + Duration::minutes(1);
        let database = self.database.template(&self.app.db, self.directory.path()).await;
        Template { database, directory: self.directory, now }
    }

    /// An existing person, as a client.
    pub fn known(&self, id: UserId, name: &str) -> Person<'_> {
        Person::new(self, id, name)
    }
}

impl Template {
    /// Starts a copy with some settings changed.
    pub async fn start_with(&self, changed: &[(&str, &str)]) -> TestApp {
        let directory = tempfile::tempdir().expect("a temporary directory can be made");
        copy_files(self.directory.path(), directory.path());
        let database = TestDatabase::copied(&self.database, directory.path()).await;
        TestApp::assemble(database, Arc::new(directory), Clock::standing_at(self.now), changed).await
    }
}

/// Copies the files of an installation, such as its keys and what people put on tasks; the database has been copied in its own way.
fn copy_files(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("the directory can be read") {
        let entry = entry.expect("the directory can be read");
        let is_database = entry.file_name().to_string_lossy().starts_with(FILE);
        let copy = to.join(entry.file_name());
        if entry.path().is_dir() {
            std::fs::create_dir_all(&copy).expect("a directory can be made");
            copy_files(&entry.path(), &copy);
        } else if !is_database {
            std::fs::copy(entry.path(), copy).expect("a file can be copied");
        }
    }
}
