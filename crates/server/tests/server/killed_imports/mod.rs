//! The program is killed in each phase of an import. Afterwards nobody sees a part of the plan, and the import goes on by itself
//! until the plan is there once. It runs as processes of its own, on both databases.

mod plans;

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use planwright_store::OwnDatabase;
use serde_json::{Value, json};

use plans::{FILE_ROWS, TASKS};

use crate::client::Session;
use crate::fleet::Fleet;
use crate::postgres_url;

/// What was under way is begun again after its lease of a minute.
const PATIENCE: Duration = Duration::from_secs(300);

const LISTS: [&str; 6] = ["projects", "tasks", "dependencies", "resources", "calendars", "skills"];

/// When the process is killed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum When {
    Accepted,
    During(&'static str),
    Ended,
}

const DOCUMENT: [When; 7] = [
    When::Accepted,
    When::During("tasks"),
    When::During("surroundings"),
    When::During("links"),
    When::During("dates"),
    When::During("history"),
    When::Ended,
];

const FILE: [When; 3] = [When::Accepted, When::During("tasks"), When::Ended];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_import_that_is_killed_in_any_phase_comes_in_once_and_whole_on_sqlite() {
    let documents = DOCUMENT.map(|when| of_document(when, &[]));
    let files = FILE.map(|when| of_file(when, &[]));
    tokio::join!(join_all(documents), join_all(files));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[cfg_attr(test, ignore = "needs PostgreSQL")]
async fn an_import_that_is_killed_in_any_phase_comes_in_once_and_whole_on_postgres() {
    let documents = DOCUMENT.map(async |when| {
        let database = migrated_database().await;
        of_document(when, &[("SVC_DATABASE_URL", database.url())]).await;
    });
    let files = FILE.map(async |when| {
        let database = migrated_database().await;
        of_file(when, &[("SVC_DATABASE_URL", database.url())]).await;
    });
    tokio::join!(join_all(documents), join_all(files));
}

async fn migrated_database() -> OwnDatabase {
    OwnDatabase::migrated(&postgres_url()).await.expect("a database can be made")
}

async fn of_document(when: When, database: &[(&'static str, String)]) {
    let stage = Stage::set(database).await;
    let before = stage.found().await;
    let queued = stage.ask("POST", "/api/v1/programs/import/", plans::document()).await;
    let (program, import) = (text(&queued["program_id"]), text(&queued["import_request_id"]));
    let path = format!("/api/v1/programs/{program}/import/jobs/{import}/");
    stage.kill(when, &path, "success", before).await;
    let mut after = before;
    for (at, more) in [1, TASKS, TASKS - 1, 1, 1, 1].into_iter().enumerate() {
        after[at] += more as i64;
    }
    assert_eq!(stage.found().await, after, "killed when {when:?}");
    let last = stage.ask("GET", "/api/v1/tasks/?ordering=-early_finish&page_size=1", Value::Null).await;
    assert_eq!(text(&last["results"][0]["early_finish"]), plans::FINISH, "killed when {when:?}");
    assert_eq!(stage.fleet.complaints(), Vec::<String>::new(), "killed when {when:?}");
}

async fn of_file(when: When, database: &[(&'static str, String)]) {
    let stage = Stage::set(database).await;
    let request = json!({"name": "Bridge", "start_date": "2026-01-05"});
    let project = text(&stage.ask("POST", "/api/v1/projects/", request).await["id"]).to_owned();
    let before = stage.found().await;
    let at = format!("/api/v1/projects/{project}");
    let queued = stage.session.upload(stage.address, &format!("{at}/import/csv/"), &plans::file()).await;
    let import = text(&queued["import_request_id"]).to_owned();
    stage.kill(when, &format!("{at}/import/csv/{import}/"), "done", before).await;
    let mut after = before;
    after[1] += FILE_ROWS as i64;
    after[2] += FILE_ROWS as i64 - 1;
    assert_eq!(stage.found().await, after, "killed when {when:?}");
    let undone = stage.ask("POST", &format!("{at}/imports/{import}/undo/"), json!({})).await;
    assert_eq!(undone["undo"], json!({"deleted": FILE_ROWS, "kept": 0}), "killed when {when:?}");
    assert_eq!(stage.found().await, before, "killed when {when:?}");
    assert_eq!(stage.fleet.complaints(), Vec::<String>::new(), "killed when {when:?}");
}

/// A process with somebody who may do everything.
struct Stage {
    fleet: Fleet,
    address: SocketAddr,
    session: Session,
}

impl Stage {
    async fn set(database: &[(&'static str, String)]) -> Self {
        let fleet = Fleet::start(1, database).await;
        let address = fleet.addresses()[0];
        let session = Session::sign_in(address).await;
        Self { fleet, address, session }
    }

    async fn ask(&self, method: &str, path: &str, body: Value) -> Value {
        let answer = self.session.ask(self.address, method, path, body).await;
        assert!(answer.status < 300, "{method} {path}: {answer:?}");
        answer.body
    }

    /// How much a person finds of everything that an import brings.
    async fn found(&self) -> [i64; LISTS.len()] {
        let mut counts = [0; LISTS.len()];
        for (count, list) in counts.iter_mut().zip(LISTS) {
            let page = self.ask("GET", &format!("/api/v1/{list}/?page_size=1"), Value::Null).await;
            *count = page["count"].as_i64().expect("a list is counted");
        }
        counts
    }

    /// Kills the process at that moment, and waits until the import is done. Nobody finds anything of it before.
    async fn kill(&self, when: When, path: &str, done: &str, before: [i64; LISTS.len()]) {
        let until = Instant::now() + PATIENCE;
        loop {
            if when == When::Accepted {
                break;
            }
            let row = self.ask("GET", path, Value::Null).await;
            let has_ended = text(&row["status"]) == done;
            let is_now = matches!(when, When::During(phase) if row["progress"]["phase"] == *phase);
            if has_ended || is_now {
                println!("killed when {when:?}: the import is {row}");
                break;
            }
            assert!(Instant::now() < until, "{when:?} never comes: {row}");
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        self.fleet.kill_and_restart(0, Duration::ZERO).await;
        loop {
            let found = self.found().await;
            let row = self.ask("GET", path, Value::Null).await;
            match text(&row["status"]) {
                status if status == done => return,
                "pending" | "running" | "dispatched" => {
                    assert_eq!(found, before, "killed when {when:?}: {row}");
                }
                other => panic!("killed when {when:?}, it is {other}: {row}"),
            }
            assert!(Instant::now() < until, "killed when {when:?}, it does not go on: {row}");
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("there is no text: {value}"))
}
