//! All ways in which a transaction can end, on both engines.

use std::collections::BTreeSet;

use planwright_store::value::ToValue;
use planwright_store::{Db, Read, StoreError, sql};

use crate::scratch::{Scratch, migrated_databases};

const RENAME: &str = "UPDATE workspace SET name = :name WHERE id = 1";

async fn name(db: &Db) -> String {
    db.scalar(sql!("SELECT name FROM workspace")).await.unwrap().unwrap()
}

#[tokio::test]
async fn a_commit_is_seen_and_a_drop_is_not() {
    for Scratch { db, .. } in &migrated_databases().await {
        let mut tx = db.begin().await.unwrap();
        tx.run(sql!(RENAME, name = "kept")).await.unwrap();
        tx.commit().await.unwrap();
        let mut tx = db.begin().await.unwrap();
        tx.run(sql!(RENAME, name = "lost")).await.unwrap();
        drop(tx);
        assert_eq!(name(db).await, "kept");
    }
}

#[tokio::test]
async fn a_cancelled_request_leaves_no_transaction_behind() {
    for Scratch { db, .. } in &migrated_databases().await {
        for stop_after_polls in 0..40 {
            let work = async {
                let mut tx = db.begin().await?;
                tx.run(sql!(RENAME, name = "cancelled")).await?;
                tx.run(sql!(RENAME, name = "cancelled twice")).await?;
                tokio::time::sleep(std::time::Duration::from_secs(60)).await;
                tx.commit().await
            };
            let wait = std::time::Duration::from_micros(25 * stop_after_polls);
            let _ = tokio::time::timeout(wait, work).await;
        }
        let mut tx = db.begin().await.unwrap();
        tx.run(sql!(RENAME, name = "afterwards")).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(name(db).await, "afterwards");
    }
}

#[tokio::test]
async fn a_panic_in_the_middle_rolls_back() {
    for Scratch { db, .. } in &migrated_databases().await {
        let inner = db.clone();
        let panicked = tokio::spawn(async move {
            let mut tx = inner.begin().await.unwrap();
            tx.run(sql!(RENAME, name = "panicked")).await.unwrap();
            panic!("on purpose");
        });
        assert!(panicked.await.is_err());
        let tx = db.begin().await.unwrap();
        drop(tx);
        assert_eq!(name(db).await, "Workspace");
    }
}

#[tokio::test]
async fn a_failed_statement_is_told_apart_by_what_can_be_done() {
    for Scratch { db, .. } in &migrated_databases().await {
        let duplicate = async |id: i64| {
            let mut tx = db.begin().await.unwrap();
            let statement = "INSERT INTO job_schedules (kind, next_run_at) VALUES (:kind, :at)";
            let first = tx.run(sql!(statement, kind = format!("k{id}"), at = tx.now())).await;
            let second = tx.run(sql!(statement, kind = format!("k{id}"), at = tx.now())).await;
            (first, second)
        };
        let (first, second) = duplicate(1).await;
        assert!(first.is_ok());
        assert!(matches!(second, Err(StoreError::Duplicate(_))), "{second:?}");
        let wrong = db.count(sql!("SELECT COUNT(*) FROM nowhere")).await;
        assert!(matches!(wrong, Err(StoreError::Unexpected(_))), "{wrong:?}");
    }
}

#[tokio::test]
async fn rows_that_are_there_are_changed_and_others_are_added_at_once() {
    let text = "INSERT INTO job_schedules (kind, next_run_at) VALUES (:kind, :at)
         ON CONFLICT (kind) DO UPDATE SET next_run_at = excluded.next_run_at";
    for Scratch { db, .. } in &migrated_databases().await {
        let mut tx = db.begin().await.unwrap();
        let (first, later) = (tx.now(), tx.now() + chrono::Duration::hours(1));
        let row = |number: i64, at: chrono::DateTime<chrono::Utc>| {
            vec![("kind", format!("upserted {number:02}").to_value()), ("at", at.to_value())]
        };
        assert_eq!(tx.upsert_rows(text, (0..10).map(|number| row(number, first))).await.unwrap(), 10);
        assert_eq!(tx.upsert_rows(text, (5..15).map(|number| row(number, later))).await.unwrap(), 10);
        let select = "SELECT next_run_at FROM job_schedules WHERE kind LIKE 'upserted %' ORDER BY kind";
        let found: Vec<chrono::DateTime<chrono::Utc>> = tx.scalars(sql!(select)).await.unwrap();
        let wanted: Vec<_> = (0..15).map(|number| if number < 5 { first } else { later }).collect();
        assert_eq!(found, wanted);
    }
}

#[tokio::test]
async fn both_engines_end_with_the_golden_schema() {
    for Scratch { db, .. } in &migrated_databases().await {
        let columns: Vec<(String, String, String, bool)> =
            db.all(db.engine().schema_listing()).await.unwrap();
        let indexes: Vec<String> = db.scalars(db.engine().index_listing()).await.unwrap();
        let mut listing = String::new();
        for (table, column, kind, required) in columns {
            let kind = kind.replace("TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ");
            listing += &format!("{table}.{column} {kind}{}\n", if required { " NOT NULL" } else { "" });
        }
        listing += "\n";
        listing += &indexes.join("\n");
        insta::assert_snapshot!("schema", listing);
    }
}

/// The versioned tables that offline clients do not read, with the reason.
const NOT_NUMBERED: [(&str, &str); 4] = [
    ("deletion_moves", "it keeps where tasks stood before a deletion, for its restore alone"),
    ("users", "people change their profiles outside of any project or program"),
    ("webhooks", "machines listen to them; people set them up online"),
    ("workspace", "its settings are read by whoever is online"),
];

#[tokio::test]
async fn every_versioned_table_has_the_number_of_its_last_change() {
    for Scratch { db, .. } in &migrated_databases().await {
        let columns: Vec<(String, String, String, bool)> =
            db.all(db.engine().schema_listing()).await.unwrap();
        let with = |wanted: &str| -> BTreeSet<&str> {
            columns.iter().filter(|column| column.1 == wanted).map(|column| column.0.as_str()).collect()
        };
        let (versioned, numbered) = (with("server_version"), with("change_number"));
        let without: Vec<&str> = versioned.difference(&numbered).copied().collect();
        assert_eq!(without, NOT_NUMBERED.map(|(table, _)| table), "offline clients would miss their changes");
    }
}

#[tokio::test]
async fn values_of_every_kind_come_back_as_they_went_in() {
    for Scratch { db, .. } in &migrated_databases().await {
        let mut tx = db.begin().await.unwrap();
        let (id, now) = (tx.mint::<uuid::Uuid>(), tx.now());
        let insert = "INSERT INTO calendars (id, name, working_days, hours_per_day, timezone, created_at, server_version)
                      VALUES (:id, :name, :days, :hours, 'UTC', :now, 1)";
        tx.run(sql!(insert, id = id, name = "Übung 日", days = 31i64, hours = 7.5, now = now)).await.unwrap();
        tx.run(sql!(
            "INSERT INTO calendar_exceptions (id, calendar_id, exc_start, exc_end, description, working)
             VALUES (:id, :id, :day, :day, '', :working)",
            id = id,
            day = now.date_naive(),
            working = true
        ))
        .await
        .unwrap();
        let back: (uuid::Uuid, String, i64, f64, chrono::DateTime<chrono::Utc>) = tx
            .one(sql!(
                "SELECT id, name, working_days, hours_per_day, created_at FROM calendars WHERE id = :id",
                id = id
            ))
            .await
            .unwrap();
        assert_eq!(back, (id, "Übung 日".to_owned(), 31, 7.5, now));
        let exception: (chrono::NaiveDate, bool, Option<uuid::Uuid>) = tx
            .one(sql!(
                "SELECT e.exc_start, e.working, c.deletion_id FROM calendar_exceptions e
                       JOIN calendars c ON c.id = e.calendar_id WHERE e.id = :id",
                id = id
            ))
            .await
            .unwrap();
        assert_eq!(exception, (now.date_naive(), true, None));
    }
}
