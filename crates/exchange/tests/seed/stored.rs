//! Documents that go through a database: what comes out goes in again as the same bytes, whatever was in them.

use planwright_domain::Clock;
use planwright_domain::ids::UserId;
use planwright_exchange::document_network::network;
use planwright_exchange::{ImportOptions, export_program, import_document};
use planwright_plan_files::seed::{Document, parse, render};
use planwright_store::{Db, Location, migrate, sql};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::arbitrary::document;
use super::today;

const USER: &str = "INSERT INTO users (id, username, email, first_name, last_name, is_active, joined_at,
        workspace_role, status, default_landing, role_context, hidden_views, schedule_in_deliver, dnd_enabled,
        timezone, date_format, server_version)
     VALUES (:id, :name, '', '', '', TRUE, :now, 100, 'active', 'auto', 'unified', '[]', FALSE, FALSE, 'UTC',
        'auto', 1)";

async fn add_user(db: &Db, name: &str) -> UserId {
    let mut tx = db.begin().await.expect("a transaction");
    let id: UserId = tx.mint();
    tx.run(sql!(USER, id = id, name = name, now = tx.now())).await.expect("a user");
    tx.commit().await.expect("a commit");
    id
}

/// Imports a document and exports what became of it, with the dates of every row.
async fn through(db: &Db, user: UserId, text: &str) -> (String, Vec<(i32, i32, i32)>) {
    let options = ImportOptions { replace: true, ..ImportOptions::default() };
    let imported = import_document(db, user, text.as_bytes(), options).await.expect("an import");
    let dates = db
        .all(sql!(
            "SELECT s.early_start, s.early_finish, s.total_float FROM tasks t
             JOIN projects p ON p.id = t.project_id JOIN task_schedule s ON s.task_id = t.id
             WHERE p.program_id = :program AND s.early_start IS NOT NULL
             ORDER BY s.early_start, s.early_finish, s.total_float",
            program = imported.program
        ))
        .await
        .expect("dates");
    (export_program(db, imported.program).await.expect("an export"), dates)
}

/// Dates of the rows that take part, as the engine computes the document alone.
fn computed(document: &Document) -> Vec<(i32, i32, i32)> {
    let schedule = planwright_engine::schedule(&network(document, None).network);
    let mut dates: Vec<_> = schedule
        .tasks
        .iter()
        .flatten()
        .map(|dates| (dates.early_start.0, dates.early_finish.0, dates.total_float))
        .collect();
    dates.sort_unstable();
    dates
}

#[test]
fn any_document_comes_out_of_the_database_as_it_went_in() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    let db = Db::open(&Location::File(folder.path().join("test.db")), Clock::machine()).expect("a database");
    let users = runtime.block_on(async {
        migrate::apply(&db).await.expect("the migrations");
        [add_user(&db, "x").await, add_user(&db, "plain").await]
    });
    let mut runner = TestRunner::new(ProptestConfig::with_cases(60));
    let outcome = runner.run(&document(), |document| {
        let text = render(&document);
        let (first, dates) = runtime.block_on(through(&db, users[0], &text));
        let again = parse(first.as_bytes(), today());
        prop_assert!(again.is_ok(), "{again:?}\n{first}");
        for user in users {
            let (second, moved) = runtime.block_on(through(&db, user, &first));
            prop_assert_eq!(&first, &second);
            prop_assert_eq!(&dates, &moved);
        }
        prop_assert_eq!(dates, computed(&again.expect("just looked at")));
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}
