//! The whole program in the process of a test, used over its HTTP interface: a router, a clock that the test moves,
//! people as clients. Every test runs on SQLite and on PostgreSQL. At its end there may be no failed job and no
//! unsent event.

mod answer;
mod database;
mod documented;
mod operations;
mod outage;
mod payloads;
mod person;
mod rows;
mod served;
mod template;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Body;
use chrono::{DateTime, Duration, Utc};
use http::{HeaderMap, Method, Request};
use planwright_accounts::people::{self, NewPerson};
use planwright_domain::ids::{ProjectId, SessionId};
use planwright_domain::{Clock, Role};
use planwright_jobs::Worker;
use planwright_plan::containers::{self, NewProject};
use planwright_server::listener::Bounds;
use planwright_server::{Server, Settings, assemble};
use planwright_store::Db;
use planwright_store::migrate::MigrationState;
use planwright_web::App;
use tower::ServiceExt;

use crate::database::TestDatabase;

pub use answer::Answer;
pub use database::{Engine, redis_url};
pub use operations::{DOCUMENT_FILE, Operation, document, operations};
pub use outage::Line;
pub use person::Person;
pub use rows::Told;
pub use served::Served;
pub use template::Template;

/// The time at which the clock of every test starts: a Monday morning.
pub fn monday() -> DateTime<Utc> {
    DateTime::from_timestamp(1_767_600_000, 0).unwrap_or_default()
}

/// The program under test.
pub struct TestApp {
    /// The state of the handlers.
    pub app: App,
    /// Their clock. It does not move until a test moves it.
    pub clock: Clock,
    /// The directory of this installation.
    pub directory: Arc<tempfile::TempDir>,
    router: Router,
    bounds: Bounds,
    worker: Worker<App>,
    database: TestDatabase,
}

impl TestApp {
    /// Starts the program on an engine.
    pub async fn start(engine: Engine) -> Self {
        Self::start_with(engine, &[]).await
    }

    /// Starts the program with some settings changed.
    pub async fn start_with(engine: Engine, changed: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory can be made");
        let database = TestDatabase::fresh(engine, directory.path()).await;
        Self::start_at(database, directory, changed).await
    }

    /// Another node of the same installation: the same database, directory and clock, and nothing else in common.
    pub async fn another_node(&self, changed: &[(&str, &str)]) -> Self {
        Self::assemble(self.database.clone(), self.directory.clone(), self.clock.clone(), changed).await
    }

    /// Starts the program on PostgreSQL behind a proxy that the test can interrupt.
    pub async fn start_behind_a_line() -> (Self, Line) {
        let directory = tempfile::tempdir().expect("a temporary directory can be made");
        let mut database = TestDatabase::fresh(Engine::Postgres, directory.path()).await;
        let line = database.move_behind_a_line().await;
        (Self::start_at(database, directory, &[]).await, line)
    }

    async fn start_at(
        database: TestDatabase,
        directory: tempfile::TempDir,
        changed: &[(&str, &str)],
    ) -> Self {
        Self::assemble(database, Arc::new(directory), Clock::standing_at(monday()), changed).await
    }

    async fn assemble(
        database: TestDatabase,
        directory: Arc<tempfile::TempDir>,
        clock: Clock,
        changed: &[(&str, &str)],
    ) -> Self {
        let db = Db::open(&database.location, clock.clone()).expect("the test database opens");
        let changed: HashMap<&str, &str> = changed.iter().copied().collect();
        let known = |name: &str| (name == "SVC_ALLOWED_HOSTS").then_some("test.local");
        let environment = |name: &str| changed.get(name).copied().or_else(|| known(name)).map(str::to_owned);
        let settings = Settings::load(directory.path().to_owned(), &HashMap::new(), environment);
        let settings = settings.expect("the settings of a test are right");
        let server = Server::assemble(&settings, db, MigrationState::InSync);
        let Server { app, router, bounds, .. } = server.expect("the program can be put together");
        let worker = Worker::new(app.db.clone(), app.clone(), assemble::jobs(), payloads::react);
        Self { app, clock, directory, router, bounds, worker, database }
    }

    /// Adds a person and returns them as a client; the password is `<name>-password-1`.
    pub async fn person(&self, name: &str) -> Person<'_> {
        self.person_ranked(name, Role::Member).await
    }

    /// A workspace owner, as the first user is.
    pub async fn admin(&self) -> Person<'_> {
        self.person_ranked("admin", Role::Owner).await
    }

    /// Adds a person with a rank in the workspace.
    pub async fn person_ranked(&self, name: &str, workspace_role: Role) -> Person<'_> {
        let hash = password_hash(&format!("{name}-password-1"));
        let person = NewPerson {
            first_name: String::new(),
            last_name: String::new(),
            username: name.to_owned(),
            email: format!("{name}@example.test"),
            password_hash: Some(hash),
            workspace_role,
        };
        let id = people::add(&self.app.db, &person).await.expect("the person is new");
        self.begin_session(id, SessionId(id.0)).await;
        Person::new(self, id, name)
    }

    /// Adds a project that begins on the Monday of the test and is owned by the person; returns its id.
    pub async fn project(&self, owner: &Person<'_>, name: &str) -> ProjectId {
        let mut tx = self.app.db.begin().await.expect("a transaction begins");
        let new = NewProject::named(name, monday().date_naive());
        let project =
            containers::create_project(&mut tx, owner.id, new).await.expect("the project is created");
        tx.commit().await.expect("the project is kept");
        project
    }

    /// Somebody without a credential.
    pub fn anonymous(&self) -> Person<'_> {
        Person::anonymous(self)
    }

    /// Sends a request without changes.
    pub async fn send(&self, method: Method, path: &str, headers: HeaderMap, body: Vec<u8>) -> Answer {
        let mut request = Request::builder()
            .method(method.clone())
            .uri(path)
            .body(Body::from(body))
            .unwrap_or_else(|error| panic!("{method} {path}: {error}"));
        *request.headers_mut() = headers;
        request.headers_mut().entry("host").or_insert(http::HeaderValue::from_static("test.local"));
        let response = self.router.clone().oneshot(request).await.unwrap_or_else(|never| match never {});
        documented::check(&method, path, response.status().as_u16());
        Answer::read(format!("{method} {path}"), response).await
    }

    /// Moves the clock forward.
    pub fn later(&self, by: Duration) {
        self.clock.advance(by);
    }

    /// Runs every due job and sends every event.
    pub async fn run_jobs(&self) {
        self.worker.run_due().await.expect("the queue can be reached");
    }

    /// The mails that were sent so far, oldest first, as the files they were written to.
    pub fn sent_mail(&self) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.directory.path().join("mail")) else { return Vec::new() };
        let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        paths.into_iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect()
    }

    /// Ends the test: no failed job and no unsent event may be left, and what is kept of projects is what their rows say.
    pub async fn finish(self) {
        self.run_jobs().await;
        let dead = planwright_jobs::dead::count(&self.app.db).await.expect("the dead letters can be counted");
        assert_eq!(dead, 0, "jobs failed during the test");
        let waiting =
            planwright_store::outbox::waiting(&self.app.db).await.expect("the outbox can be counted");
        assert_eq!(waiting, 0, "events were not handed out");
        self.kept_standings().await;
    }
}

/// The hash of a password, made once in a process: it takes longer than most requests, and that is its purpose.
fn password_hash(password: &str) -> String {
    static HASHES: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());
    let mut hashes = HASHES.lock().unwrap_or_else(PoisonError::into_inner);
    let make = || planwright_accounts::passwords::hash(password).expect("a password can be hashed");
    hashes.entry(password.to_owned()).or_insert_with(make).clone()
}

/// Declares tests that run on both engines: `both_engines! { async fn a_sentence(app: &TestApp) { … } }`.
#[macro_export]
macro_rules! both_engines {
    ($($(#[$meta:meta])* async fn $name:ident($app:ident: &TestApp $(, $setting:literal = $value:literal)*) $body:block)*) => {
        $crate::each_engine! {$(
            $(#[$meta])*
            async fn $name(engine: Engine) {
                async fn body($app: &$crate::TestApp) $body
                let app = $crate::TestApp::start_with(engine, &[$(($setting, $value)),*]).await;
                body(&app).await;
                app.finish().await;
            }
        )*}
    };
}

/// Declares tests that start the program themselves on each engine. Those on PostgreSQL are ignored unless somebody asks for them,
/// as `cargo xtask test` does. `each_engine! { async fn a_sentence(engine: Engine) { … } }`.
#[macro_export]
macro_rules! each_engine {
    ($($(#[$meta:meta])* async fn $name:ident($engine:ident: Engine) $body:block)*) => {$(
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            async fn on($engine: $crate::Engine) $body

            #[tokio::test]
            $(#[$meta])*
            async fn on_sqlite() {
                on($crate::Engine::Sqlite).await;
            }

            #[tokio::test]
            #[cfg_attr(test, ignore = "needs PostgreSQL")]
            $(#[$meta])*
            async fn on_postgres() {
                on($crate::Engine::Postgres).await;
            }
        }
    )*};
}
