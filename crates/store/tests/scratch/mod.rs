//! Fresh databases for the tests of this crate: a file, and a schema of its own on the server when there is one.

use planwright_domain::Clock;
use planwright_store::{Db, Location};

/// A database and the directory it lives in.
pub struct Scratch {
    pub db: Db,
    _directory: tempfile::TempDir,
}

/// One empty database for each engine that is there.
pub async fn empty_databases() -> Vec<Scratch> {
    let mut all = Vec::new();
    let directory = tempfile::tempdir().unwrap();
    let file = Location::File(directory.path().join("test.db"));
    all.push(Scratch { db: Db::open(&file, Clock::machine()).unwrap(), _directory: directory });
    if let Ok(url) = std::env::var("PLANWRIGHT_TEST_POSTGRES_URL") {
        let name = format!("t{}", Clock::machine().mint::<uuid::Uuid>().simple());
        let server = Location::Server { url: url.clone(), connections: 1 };
        let admin = Db::open(&server, Clock::machine()).unwrap();
        planwright_store::database::create_schema(&admin, &name).await.unwrap();
        let url = format!("{url}?options=-c%20search_path%3D{name}");
        let server = Location::Server { url, connections: 4 };
        all.push(Scratch {
            db: Db::open(&server, Clock::machine()).unwrap(),
            _directory: tempfile::tempdir().unwrap(),
        });
    } else {
        assert!(
            std::env::var("PLANWRIGHT_TEST_SERVICES").is_err(),
            "the tests were promised a PostgreSQL server"
        );
    }
    all
}
