//! Databases for the tests of this crate: a file, and one on the server if there is a server.

use std::path::PathBuf;

use planwright_domain::Clock;
use planwright_store::{Db, Location, OwnDatabase};
use rusqlite::functions::FunctionFlags;

/// A database and what it lives in.
pub struct Scratch {
    pub db: Db,
    home: Home,
}

enum Home {
    Directory(tempfile::TempDir),
    Server(OwnDatabase),
}

impl Scratch {
    /// The file, if it is one.
    pub fn file(&self) -> Option<PathBuf> {
        match &self.home {
            Home::Directory(directory) => Some(directory.path().join(FILE)),
            Home::Server(_) => None,
        }
    }

    /// Runs a script in one transaction with the driver alone. The functions of the program do nothing there.
    pub async fn run_script(&self, script: String) {
        let script = format!("BEGIN; {script}; COMMIT");
        match &self.home {
            Home::Directory(directory) => {
                let connection = rusqlite::Connection::open(directory.path().join(FILE)).unwrap();
                for name in ["search_plain", "search_terms_of"] {
                    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_INNOCUOUS;
                    connection.create_scalar_function(name, 1, flags, |_| Ok("[]")).unwrap();
                }
                connection.execute_batch(&script).unwrap();
            }
            Home::Server(own) => {
                let (client, connection) =
                    tokio_postgres::connect(&own.url(), tokio_postgres::NoTls).await.unwrap();
                let connection = tokio::spawn(connection);
                client.batch_execute(&script).await.unwrap();
                drop(client);
                connection.await.unwrap().unwrap();
            }
        }
    }
}

const FILE: &str = "test.db";

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

/// The address of the test server.
pub fn server() -> Option<String> {
    std::env::var("PLANWRIGHT_TEST_POSTGRES_URL").ok()
}

fn on_file() -> Scratch {
    let directory = tempfile::tempdir().unwrap();
    let file = Location::File(directory.path().join(FILE));
    Scratch { db: open(&file), home: Home::Directory(directory) }
}

fn on_server(own: OwnDatabase) -> Scratch {
    let location = Location::Server { url: own.url(), connections: 4 };
    Scratch { db: open(&location), home: Home::Server(own) }
}

fn open(location: &Location) -> Db {
    Db::open(location, Clock::machine()).unwrap()
}
