//! Private databases of tests on the server: how they are created and dropped.

use planwright_domain::Clock;
use planwright_store::migrate::{self, MigrationState};
use planwright_store::{Db, Location, OwnDatabase, sql};

use crate::scratch::server;

fn open(url: String) -> Db {
    Db::open(&Location::Server { url, connections: 1 }, Clock::machine()).unwrap()
}

async fn is_there(server: &str, url: &str) -> bool {
    let name = url.rsplit('/').next().unwrap();
    let count = sql!("SELECT COUNT(*) FROM pg_database WHERE CAST(datname AS TEXT) = :name", name = name);
    open(server.to_owned()).count(count).await.unwrap() == 1
}

#[tokio::test]
#[cfg_attr(test, ignore = "needs PostgreSQL")]
async fn a_copy_holds_what_the_original_holds_and_both_go_with_their_values() {
    let server = server().expect("PLANWRIGHT_TEST_POSTGRES_URL names the server");
    let original = OwnDatabase::migrated(&server).await.unwrap();
    let db = open(original.url());
    assert_eq!(migrate::state(&db).await, MigrationState::InSync);
    let mut tx = db.begin().await.unwrap();
    tx.run(sql!("UPDATE workspace SET name = 'Bridges'")).await.unwrap();
    tx.commit().await.unwrap();
    let copy = original.copy().await.unwrap();
    let name: Option<String> = open(copy.url()).scalar(sql!("SELECT name FROM workspace")).await.unwrap();
    assert_eq!(name.as_deref(), Some("Bridges"));
    let urls = [original.url(), copy.url()];
    drop((original, copy));
    for url in urls {
        assert!(!is_there(&server, &url).await, "{url} was not dropped");
    }
}

#[tokio::test]
#[cfg_attr(test, ignore = "needs PostgreSQL")]
async fn processes_that_want_a_migrated_database_at_once_all_get_one() {
    let server = server().expect("PLANWRIGHT_TEST_POSTGRES_URL names the server");
    let all = futures_util::future::join_all((0..4).map(|_| OwnDatabase::migrated(&server))).await;
    for own in all {
        assert_eq!(migrate::state(&open(own.unwrap().url())).await, MigrationState::InSync);
    }
}
