//! A new database for each test, copied from a migrated one: a file in its directory, or a database on the server that
//! `PLANWRIGHT_TEST_POSTGRES_URL` names.

use std::path::Path;
use std::sync::Arc;

use planwright_domain::Clock;
use planwright_store::{Db, Location, OwnDatabase, backup, migrate};
use tokio::sync::OnceCell;

use crate::Line;

/// The database engine of a test.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Engine {
    /// SQLite.
    Sqlite,
    /// A database server.
    Postgres,
}

pub(crate) const FILE: &str = "test.db";

/// The server of the tests. Tests that need it are ignored unless somebody asks for them.
fn postgres_url() -> String {
    std::env::var("PLANWRIGHT_TEST_POSTGRES_URL").expect("PLANWRIGHT_TEST_POSTGRES_URL names the server")
}

/// The Redis of the tests, with the same rule.
pub fn redis_url() -> String {
    std::env::var("PLANWRIGHT_TEST_REDIS_URL").expect("PLANWRIGHT_TEST_REDIS_URL names the server")
}

/// The database of a test; on a server it is dropped with the last of its nodes.
#[derive(Clone)]
pub(crate) struct TestDatabase {
    pub(crate) location: Location,
    own: Option<Arc<OwnDatabase>>,
}

/// A database that is not open, as a source of copies.
pub(crate) enum DatabaseTemplate {
    File(Vec<u8>),
    Server(Arc<OwnDatabase>),
}

impl TestDatabase {
    /// One with every migration applied.
    pub(crate) async fn fresh(engine: Engine, directory: &Path) -> Self {
        match engine {
            Engine::Sqlite => Self::on_file(directory, migrated_file().await),
            Engine::Postgres => {
                let own = OwnDatabase::migrated(&postgres_url()).await.expect("a database can be made");
                Self::on_server(own)
            }
        }
    }

    /// A copy of a template.
    pub(crate) async fn copied(original: &DatabaseTemplate, directory: &Path) -> Self {
        match original {
            DatabaseTemplate::File(content) => Self::on_file(directory, content),
            DatabaseTemplate::Server(own) => {
                Self::on_server(own.copy().await.expect("a database can be copied"))
            }
        }
    }

    /// The source of copies, in its current state.
    pub(crate) async fn template(&self, db: &Db, directory: &Path) -> DatabaseTemplate {
        match &self.own {
            None => DatabaseTemplate::File(content(db, directory).await),
            Some(own) => DatabaseTemplate::Server(own.clone()),
        }
    }

    fn on_file(directory: &Path, content: &[u8]) -> Self {
        let file = directory.join(FILE);
        std::fs::write(&file, content).expect("the directory can be written to");
        Self { location: Location::File(file), own: None }
    }

    fn on_server(own: OwnDatabase) -> Self {
        let location = Location::Server { url: own.url(), connections: 3 };
        Self { location, own: Some(Arc::new(own)) }
    }

    /// Connects to it through a proxy that can be interrupted.
    pub(crate) async fn move_behind_a_line(&mut self) -> Line {
        let Location::Server { url, .. } = &mut self.location else {
            panic!("only a server is reached over a line")
        };
        let (before, rest) = url.split_once('@').expect("the test URL names its user");
        let (host, after) = rest.split_once('/').expect("the test URL names its database");
        let line = Line::to(host.to_owned()).await;
        *url = format!("{before}@127.0.0.1:{}/{after}", line.port);
        line
    }
}

/// The content of a migrated file. It is created once in a process.
async fn migrated_file() -> &'static [u8] {
    static MIGRATED: OnceCell<Vec<u8>> = OnceCell::const_new();
    let make = async || {
        let directory = tempfile::tempdir().expect("a temporary directory can be made");
        let file = Location::File(directory.path().join(FILE));
        let db = Db::open(&file, Clock::machine()).expect("a database can be made");
        migrate::apply(&db).await.expect("the migrations apply");
        content(&db, directory.path()).await
    };
    MIGRATED.get_or_init(make).await
}

/// The content of a database file that is not open.
async fn content(db: &Db, directory: &Path) -> Vec<u8> {
    let copy = directory.join("copy.db");
    backup::copy_to(db, &copy).await.expect("a database can be copied");
    let content = std::fs::read(&copy).expect("the copy is there");
    std::fs::remove_file(copy).expect("the copy can be removed");
    content
}
