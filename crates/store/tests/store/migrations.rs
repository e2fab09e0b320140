//! A new database and the four migration states, on both engines.

use planwright_store::migrate::{self, MIGRATIONS, MigrationState};
use planwright_store::{Db, StoreError, sql};

use crate::scratch::empty_databases;

async fn change(db: &Db, text: &'static str) {
    let mut tx = db.begin().await.unwrap();
    tx.run(sql!(text)).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_database_is_behind_in_sync_ahead_or_unknown() {
    for scratch in &empty_databases().await {
        let db = &scratch.db;
        assert_eq!(migrate::state(db).await, MigrationState::Behind);
        assert_eq!(migrate::apply(db).await.unwrap().len(), MIGRATIONS.len());
        assert_eq!(migrate::state(db).await, MigrationState::InSync);
        assert!(migrate::apply(db).await.unwrap().is_empty());
        change(
            db,
            "INSERT INTO migrations (number, name, checksum, applied_at)
             VALUES (9999, 'later', '', '2026-01-05T00:00:00.000000Z')",
        )
        .await;
        assert_eq!(migrate::state(db).await, MigrationState::Ahead);
        change(db, "UPDATE migrations SET checksum = 'changed' WHERE number = 100").await;
        assert_eq!(migrate::state(db).await, MigrationState::Unknown);
        let refused = migrate::apply(db).await;
        assert!(matches!(refused, Err(StoreError::Unexpected(error)) if error.to_string().contains("0100")));
    }
}

#[tokio::test]
async fn several_nodes_that_start_at_once_migrate_once() {
    for scratch in &empty_databases().await {
        let (one, two) = tokio::join!(migrate::apply(&scratch.db), migrate::apply(&scratch.db));
        assert_eq!(one.unwrap().len() + two.unwrap().len(), MIGRATIONS.len());
    }
}
