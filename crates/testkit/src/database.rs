//! A fresh database for each test: a file in its directory, or a schema of its own on the test server.
//! The server is named by `PLANWRIGHT_TEST_POSTGRES_URL`; `PLANWRIGHT_TEST_SERVICES` makes its absence an error.

use std::path::Path;

use planwright_domain::Clock;
use planwright_store::{Db, Location};

use crate::Line;

/// Which engine a test runs on.
#[derive(Clone, Copy, Debug)]
pub enum Engine {
    /// Embedded.
    Sqlite,
    /// A server beside it.
    Postgres,
}

const URL: &str = "PLANWRIGHT_TEST_POSTGRES_URL";

impl Engine {
    /// Whether the server can be used; where it was promised, its absence fails the test.
    pub fn postgres_is_there() -> bool {
        let there = std::env::var(URL).is_ok();
        assert!(there || std::env::var("PLANWRIGHT_TEST_SERVICES").is_err(), "{URL} is not set");
        there
    }
}

/// Where the fresh database is.
pub(crate) async fn fresh(engine: Engine, directory: &Path) -> Location {
    let Engine::Postgres = engine else { return Location::File(directory.join("test.db")) };
    let url = std::env::var(URL).expect("the caller has asked whether PostgreSQL is there");
    let schema = format!("t{}", Clock::machine().mint::<uuid::Uuid>().simple());
    let server = Db::open(&Location::Server { url: url.clone(), connections: 1 }, Clock::machine());
    let server = server.expect("the test server's URL is right");
    planwright_store::database::create_schema(&server, &schema).await.expect("a schema can be made");
    let separator = if url.contains('?') { '&' } else { '?' };
    Location::Server { url: format!("{url}{separator}options=-c%20search_path%3D{schema}"), connections: 3 }
}

/// The same server, reached over a line that can be cut.
pub(crate) async fn behind_a_line(location: Location) -> (Location, Line) {
    let Location::Server { url, connections } = location else {
        panic!("only a server is reached over a line")
    };
    let (before, rest) = url.split_once('@').expect("the test URL names its user");
    let (host, after) = rest.split_once('/').expect("the test URL names its database");
    let line = Line::to(host.to_owned()).await;
    let url = format!("{before}@127.0.0.1:{}/{after}", line.port);
    (Location::Server { url, connections }, line)
}
