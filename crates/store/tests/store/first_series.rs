//! Databases with the migrations from which the schema grew: whole ones are taken over with all their rows, others are
//! refused. The fixture has the texts of those migrations.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::sync::OnceLock;

use flate2::read::GzDecoder;
use planwright_store::migrate::{self, MigrationState, TOO_OLD};
use planwright_store::words::{Text, Words};
use planwright_store::{Db, Engine, Read, backup, sql, transfer};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::scratch::{Scratch, empty_databases, migrated_databases};

/// One migration of the series.
#[derive(Deserialize)]
struct Step {
    number: i64,
    name: String,
    text: String,
    #[serde(default)]
    sqlite: String,
    #[serde(default)]
    postgres: String,
}

fn steps() -> &'static [Step] {
    static STEPS: OnceLock<Vec<Step>> = OnceLock::new();
    STEPS.get_or_init(|| {
        let mut text = String::new();
        GzDecoder::new(&include_bytes!("first_series.json.gz")[..]).read_to_string(&mut text).unwrap();
        serde_json::from_str(&text).unwrap()
    })
}

/// What the program of that time ran on PostgreSQL after them.
const UPKEEP: &str =
    "ALTER TABLE task_schedule SET (fillfactor = 40); ALTER TABLE dependencies SET (fillfactor = 80);
                      ALTER TABLE projects SET (fillfactor = 50);";

/// Applies and records the first steps of the series as the program of that time did.
async fn apply_series(scratch: &Scratch, steps: &[Step]) {
    let mut script = "CREATE TABLE migrations (
        number BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at TIMESTAMPTZ NOT NULL);"
        .to_owned();
    for Step { number, name, text, sqlite, postgres } in steps {
        let of_engine = match scratch.db.engine() {
            Engine::Sqlite => sqlite,
            Engine::Postgres => postgres,
        };
        let checksum = planwright_domain::hex(&Sha256::digest([&text[..], sqlite, postgres].concat()));
        script += &format!(
            "{text}{of_engine}INSERT INTO migrations VALUES ({number}, '{name}', '{checksum}', '2026-01-05T00:00:00Z');\n"
        );
    }
    if scratch.db.engine() == Engine::Postgres {
        script += UPKEEP;
    }
    scratch.run_script(script).await;
}

/// An empty database with the whole series for each engine that is there.
async fn databases_of_the_series() -> Vec<Scratch> {
    let all = empty_databases().await;
    for scratch in &all {
        apply_series(scratch, steps()).await;
    }
    all
}

/// Puts a row into every table that has none. All ids are the same, so that all references hold.
async fn fill(db: &Db) {
    let columns: Vec<(String, String, String, bool)> = db.all(db.engine().schema_listing()).await.unwrap();
    let mut tables: Vec<&str> = columns.iter().map(|column| column.0.as_str()).collect();
    tables.dedup();
    tables.retain(|table| *table != "migrations");
    let mut tx = db.begin().await.unwrap();
    let (id, now) = (tx.mint::<uuid::Uuid>(), tx.now());
    while !tables.is_empty() {
        let mut waiting = Vec::new();
        for table in &tables {
            let of_table = columns.iter().filter(|column| column.0 == *table);
            let (names, values): (Vec<String>, Vec<&str>) =
                of_table.map(|(_, name, kind, _)| (format!("\"{name}\""), value_of(kind))).unzip();
            let insert = format!(
                "INSERT INTO {table} ({}) SELECT {} WHERE NOT EXISTS (SELECT 1 FROM {table})",
                names.join(", "),
                values.join(", ")
            );
            tx.run(sql!("SAVEPOINT before")).await.unwrap();
            // A row waits for those that it refers to.
            if tx.run(sql!(insert, id = id, now = now, day = now.date_naive())).await.is_err() {
                tx.run(sql!("ROLLBACK TO SAVEPOINT before")).await.unwrap();
                waiting.push(*table);
            }
        }
        assert!(waiting.len() < tables.len(), "no row fits into {waiting:?}");
        tables = waiting;
    }
    tx.commit().await.unwrap();
}

fn value_of(kind: &str) -> &'static str {
    match kind {
        "UUID" => ":id",
        "DATE" => ":day",
        "BIGINT" | "INTEGER" => "1",
        "DOUBLE PRECISION" => "0.5",
        "BOOLEAN" => "TRUE",
        "TEXT" => "'große Straße'",
        other if other.starts_with("TIMESTAMP") => ":now",
        other => panic!("there is no value for {other}"),
    }
}

async fn recorded(db: &Db) -> i64 {
    db.count(sql!("SELECT COUNT(*) FROM migrations")).await.unwrap()
}

/// Every row of every table.
async fn contents(db: &Db) -> Vec<String> {
    let columns: Vec<(String, String, String, bool)> = db.all(db.engine().schema_listing()).await.unwrap();
    let mut tables: Vec<String> = columns.into_iter().map(|column| column.0).collect();
    tables.dedup();
    tables.retain(|table| table != "migrations");
    tables.push("search_terms".to_owned());
    let mut all = Vec::new();
    for table in tables {
        let rows = db.rows(sql!(format!("SELECT * FROM {table}"))).await.unwrap();
        assert!(!rows.rows.is_empty(), "{table} has no row");
        all.push(format!("{table}: {rows:?}"));
    }
    all
}

/// Everything that the catalogue of the engine knows of the schema, a line each.
async fn schema(db: &Db) -> BTreeSet<String> {
    let select = match db.engine() {
        Engine::Sqlite => include_str!("schema.sqlite.sql"),
        Engine::Postgres => include_str!("schema.postgres.sql"),
    };
    let lines: Vec<String> = db.scalars(sql!(select)).await.unwrap();
    lines.iter().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[tokio::test]
async fn a_whole_series_becomes_the_schema_and_keeps_every_row() {
    let new = migrated_databases().await;
    for (old, new) in databases_of_the_series().await.iter().zip(&new) {
        fill(&old.db).await;
        let before = contents(&old.db).await;
        assert!(before.len() > 150);
        assert_eq!(migrate::state(&old.db).await, MigrationState::Behind);
        if let Some(file) = old.file() {
            old.db.settle().await.unwrap();
            let found = backup::inspect(&file).unwrap();
            assert!(
                !found.is_too_old && found.migrations == MigrationState::Behind && found.faults.is_empty()
            );
        }
        assert_eq!(migrate::apply(&old.db).await.unwrap(), ["0100_schema"]);
        assert_eq!(migrate::state(&old.db).await, MigrationState::InSync);
        assert!(migrate::apply(&old.db).await.unwrap().is_empty());
        assert_eq!(contents(&old.db).await, before);
        let (old_schema, new_schema) = (schema(&old.db).await, schema(&new.db).await);
        assert_eq!(old_schema.symmetric_difference(&new_schema).collect::<Vec<_>>(), [""; 0]);
        // A node of the version before stays in use while others are replaced: its steps are still recorded.
        assert_eq!(recorded(&old.db).await, 1 + steps().len() as i64);
        let words = Words::of("strasse").unwrap();
        let found = words.find(old.db.engine(), Text::TaskName, "SELECT t.id", "");
        assert_eq!(old.db.scalars::<uuid::Uuid>(found).await.unwrap().len(), 1);
    }
}

#[tokio::test]
async fn what_was_taken_over_can_move_to_the_other_engine() {
    let mut targets = empty_databases().await;
    targets.reverse();
    for (old, target) in databases_of_the_series().await.iter().zip(&targets) {
        fill(&old.db).await;
        migrate::apply(&old.db).await.unwrap();
        transfer::prepare(&target.db).await.unwrap();
        transfer::copy(&old.db, &target.db, &|_| {}).await.unwrap();
        assert!(transfer::compare(&old.db, &target.db).await.unwrap() > 150);
        transfer::finish(&target.db).await.unwrap();
        assert_eq!(migrate::state(&target.db).await, MigrationState::InSync);
    }
}

#[tokio::test]
async fn a_part_of_the_series_is_refused_and_stays_as_it_is() {
    for scratch in &empty_databases().await {
        apply_series(scratch, &steps()[..steps().len() - 1]).await;
        let before = schema(&scratch.db).await;
        assert_eq!(migrate::state(&scratch.db).await, MigrationState::Behind);
        assert_eq!(migrate::apply(&scratch.db).await.unwrap_err().to_string(), TOO_OLD);
        assert_eq!(schema(&scratch.db).await, before);
        assert_eq!(recorded(&scratch.db).await, steps().len() as i64 - 1);
        if let Some(file) = scratch.file() {
            scratch.db.settle().await.unwrap();
            let found = backup::inspect(&file).unwrap();
            assert!(found.is_too_old && found.migrations == MigrationState::Behind);
        }
    }
}

#[tokio::test]
async fn a_changed_series_is_unknown_and_refused() {
    for scratch in &databases_of_the_series().await {
        scratch.run_script("UPDATE migrations SET checksum = 'changed' WHERE number = 88".to_owned()).await;
        assert_eq!(migrate::state(&scratch.db).await, MigrationState::Unknown);
        let refused = migrate::apply(&scratch.db).await.unwrap_err();
        assert!(refused.to_string().contains("not those of planwright"), "{refused}");
        assert_eq!(recorded(&scratch.db).await, steps().len() as i64);
    }
}
