//! Migrations of a database with data, and the four migration states, on both engines.

use planwright_store::migrate::{self, MIGRATIONS, MigrationState};
use planwright_store::words::{Text, Words};
use planwright_store::{Db, Engine, Read, StoreError, sql};

use crate::scratch::empty_databases;

/// Rows that were there before a later step, by the number of the step that made their table.
const SAMPLES: &[(i64, &str)] = &[
    (1, "INSERT INTO job_schedules (kind, next_run_at) VALUES ('sample', '2026-01-05T00:00:00.000000Z')"),
    (
        2,
        "INSERT INTO users (id, username, email, first_name, last_name, is_active, joined_at, workspace_role, status,
            default_landing, role_context, hidden_views, schedule_in_deliver, dnd_enabled, timezone, date_format,
            server_version)
         VALUES (:id, 'sample', '', '', '', TRUE, '2026-01-05T00:00:00.000000Z', 100, 'active', 'auto', 'unified',
            '[]', FALSE, FALSE, 'auto', 'auto', 1)",
    ),
    (
        3,
        "INSERT INTO calendars (id, name, working_days, hours_per_day, timezone, created_at, server_version)
         VALUES (:id, 'sample', 31, 8, 'UTC', '2026-01-05T00:00:00.000000Z', 1)",
    ),
];

#[tokio::test]
async fn every_step_keeps_the_rows_that_were_there_before_it() {
    for scratch in &empty_databases().await {
        let db = &scratch.db;
        for step in MIGRATIONS {
            migrate::apply_until(db, step.number).await.unwrap();
            if let Some((_, insert)) = SAMPLES.iter().find(|(number, _)| *number == step.number) {
                let mut tx = db.begin().await.unwrap();
                let id = tx.mint::<uuid::Uuid>();
                tx.run(sql!(*insert, id = id)).await.unwrap();
                tx.commit().await.unwrap();
            }
        }
        assert_eq!(migrate::state(db).await, MigrationState::InSync);
        for table in ["job_schedules", "users", "calendars"] {
            assert_eq!(db.count(sql!(format!("SELECT COUNT(*) FROM {table}"))).await.unwrap(), 1, "{table}");
        }
    }
}

/// Titles of items that were written before the letters of many languages were folded.
#[tokio::test]
async fn texts_of_before_are_found_by_plain_letters_after_the_step() {
    for scratch in &empty_databases().await {
        let db = &scratch.db;
        migrate::apply_until(db, 31).await.unwrap();
        let mut tx = db.begin().await.unwrap();
        let id = tx.mint::<uuid::Uuid>();
        let program = "INSERT INTO programs (id, name, description, code, methodology, health, visibility,
                risk_slip_propagation, risk_escalation_days, rollup_aggregation_policy, is_sample, created_at, updated_at,
                server_version)
             VALUES (:id, 'P', '', '', 'WATERFALL', 'ON_TRACK', 'PRIVATE', 'off', 7, 'worst', FALSE, :now, :now, 1)";
        let now = tx.now();
        tx.run(sql!(program, id = id, now = now)).await.unwrap();
        let item = "INSERT INTO backlog_items (id, program_id, title, description, item_type, status, tags, created_at,
                updated_at, server_version, change_number)
             VALUES (:id, :id, 'Łódź, große Straße', 'Ёлка', 'story', 'new', '[]', :now, :now, 1, 1)";
        tx.run(sql!(item, id = id, now = now)).await.unwrap();
        tx.commit().await.unwrap();
        let found = async |word: &str, text: Text| {
            let words = Words::of(word).unwrap();
            let ids: Vec<uuid::Uuid> =
                db.scalars(words.find(db.engine(), text, "SELECT i.id", "")).await.unwrap();
            ids.len()
        };
        // The statement of today asks a function that PostgreSQL does not have yet.
        let before = match db.engine() {
            Engine::Sqlite => found("lodz", Text::ItemTitle).await as i64,
            Engine::Postgres => {
                let count = "SELECT COUNT(*) FROM backlog_items i
                             WHERE search_words(i.title) @@ to_tsquery('simple', 'lodz')";
                db.count(sql!(count)).await.unwrap()
            }
        };
        assert_eq!(before, 0);
        migrate::apply(db).await.unwrap();
        for word in ["lodz", "ŁÓDŹ", "grosse", "STRASSE", "straße"] {
            assert_eq!(found(word, Text::ItemTitle).await, 1, "{word} on {:?}", db.engine());
        }
        assert_eq!(found("елка", Text::ItemDescription).await, 1);
        let misspelt = Words::of("strasze").unwrap().misspelt(db).await.unwrap().unwrap();
        let ids: Vec<uuid::Uuid> =
            db.scalars(misspelt.find(db.engine(), Text::ItemTitle, "SELECT i.id", "")).await.unwrap();
        assert_eq!(ids, [id], "a word of before is found with a wrong letter");
        assert_eq!(Words::of("nowhere").unwrap().misspelt(db).await.unwrap(), None);
    }
}

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
        migrate::apply_until(db, 2).await.unwrap();
        assert_eq!(migrate::state(db).await, MigrationState::Behind);
        assert_eq!(migrate::apply(db).await.unwrap().len(), MIGRATIONS.len() - 2);
        assert_eq!(migrate::state(db).await, MigrationState::InSync);
        assert!(migrate::apply(db).await.unwrap().is_empty());
        change(
            db,
            "INSERT INTO migrations (number, name, checksum, applied_at)
             VALUES (9999, 'later', '', '2026-01-05T00:00:00.000000Z')",
        )
        .await;
        assert_eq!(migrate::state(db).await, MigrationState::Ahead);
        change(db, "UPDATE migrations SET checksum = 'changed' WHERE number = 1").await;
        assert_eq!(migrate::state(db).await, MigrationState::Unknown);
        let refused = migrate::apply(db).await;
        assert!(matches!(refused, Err(StoreError::Unexpected(error)) if error.to_string().contains("0001")));
    }
}

#[tokio::test]
async fn several_nodes_that_start_at_once_migrate_once() {
    for scratch in &empty_databases().await {
        let (one, two) = tokio::join!(migrate::apply(&scratch.db), migrate::apply(&scratch.db));
        assert_eq!(one.unwrap().len() + two.unwrap().len(), MIGRATIONS.len());
    }
}
