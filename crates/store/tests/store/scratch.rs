//! Databases for the tests of this crate: a file, and one on the server if there is a server.

use planwright_domain::Clock;
use planwright_store::{Db, Location, OwnDatabase};

/// A database and what it lives in.
pub struct Scratch {
    pub db: Db,
    _directory: Option<tempfile::TempDir>,
    _own: Option<OwnDatabase>,
}

/// One empty database for each engine that is there.
pub async fn empty_databases() -> Vec<Scratch> {
    let mut all = vec![on_file()];
    if let Some(server) = server() {
        all.push(on_server(OwnDatabase::empty(&server).await.unwrap()));
    }
    all
}

/// One database for each engine that is there, with every migration applied.
pub async fn migrated_databases() -> Vec<Scratch> {
    let mut all = vec![on_file()];
    planwright_store::migrate::apply(&all[0].db).await.unwrap();
    if let Some(server) = server() {
        all.push(on_server(OwnDatabase::migrated(&server).await.unwrap()));
    }
    all
}

/// The address of the test server; where one was promised, its absence fails the test.
pub fn server() -> Option<String> {
    let server = std::env::var("PLANWRIGHT_TEST_POSTGRES_URL").ok();
    let promised = std::env::var("PLANWRIGHT_TEST_SERVICES").is_ok();
    assert!(server.is_some() || !promised, "the tests were promised a PostgreSQL server");
    server
}

fn on_file() -> Scratch {
    let directory = tempfile::tempdir().unwrap();
    let file = Location::File(directory.path().join("test.db"));
    Scratch { db: open(&file), _directory: Some(directory), _own: None }
}

fn on_server(own: OwnDatabase) -> Scratch {
    let location = Location::Server { url: own.url(), connections: 4 };
    Scratch { db: open(&location), _directory: None, _own: Some(own) }
}

fn open(location: &Location) -> Db {
    Db::open(location, Clock::machine()).unwrap()
}
