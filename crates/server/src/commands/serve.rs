//! `planwright serve` and `planwright worker`: start, run until told to stop, finish what is running.
//! The first start makes the first user; `--demo` adds a sample plan.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use planwright_accounts::passwords;
use planwright_accounts::people::{self, NewPerson};
use planwright_domain::{Clock, Role};
use planwright_exchange::{ImportOptions, import_document};
use planwright_outbound::live::Hub;
use planwright_store::migrate::MigrationState;
use planwright_store::{Db, StoreError, sql};
use planwright_web::limited;
use planwright_web::limits::Limit;
use tokio::net::TcpListener;
use tokio::sync::watch;

use super::user;
use crate::telemetry::{self, Figures};
use crate::{Server, Settings, assemble, listener, otlp};

/// How long running requests and jobs get to finish after the signal to stop.
const GRACE: Duration = Duration::from_secs(20);

/// Flags of `serve`.
#[derive(Args, Debug)]
pub struct Serve {
    /// Address and port to listen on
    #[arg(long)]
    listen: Option<String>,
    /// Add a sample plan; also use a known password if only this machine can reach the server
    #[arg(long)]
    demo: bool,
}

impl Serve {
    /// The settings that flags override.
    pub fn flags(&self) -> HashMap<&'static str, String> {
        self.listen.iter().map(|listen| ("SVC_LISTEN", listen.clone())).collect()
    }

    /// Runs the command.
    pub async fn run(self, settings: &Settings) -> anyhow::Result<u8> {
        let pipeline = otlp::begin(settings).await?;
        telemetry::start_log(settings, pipeline.as_deref())?;
        let recorded = Figures::start()?;
        let (db, state) = ready_database(settings).await?;
        let listen = settings.text("SVC_LISTEN");
        let listener = listen_at("SVC_LISTEN", &listen).await?;
        let address = listener.local_addr()?;
        // A password that everybody knows is for those alone who sit at this machine.
        let known_password = self.demo && address.ip().is_loopback();
        let sign_in = first_user(settings, &db, known_password).await?;
        let server = Server::assemble(settings, db, state)?;
        if self.demo {
            add_sample(&server, settings).await?;
        }
        let (stop, stopped) = watch::channel(false);
        let hub = server.app.get::<Hub>().clone();
        let worker = settings.truth("SVC_WORKER")?.then(|| tokio::spawn(server.worker.run(stopped.clone())));
        let db = server.app.db.clone();
        let figures = Figures::of(recorded.clone(), settings, db.clone());
        if let Some(pipeline) = &pipeline {
            pipeline.send_figures(&recorded);
            tokio::spawn(otlp::refresh(figures.clone()));
        }
        let figures = metrics_route(figures);
        let router = match settings.given("SVC_METRICS_LISTEN") {
            None => server.router.merge(limited(figures, server.app.clone(), Limit::Metrics)),
            Some(listen) => {
                let listener = listen_at("SVC_METRICS_LISTEN", &listen).await?;
                tokio::spawn(listener::serve(listener, figures, server.bounds, stopped.clone()));
                server.router
            }
        };
        announce(address, sign_in.as_ref());
        let mut serving = tokio::spawn(listener::serve(listener, router, server.bounds, stopped));
        tokio::select! {
            () = told_to_stop() => {}
            ended = &mut serving => ended.context("serving")?,
        }
        tracing::info!("stopping");
        let _ = stop.send(true);
        let finish = async {
            hub.close().await;
            let _ = serving.await;
            if let Some(worker) = worker {
                let _ = worker.await;
            }
        };
        if tokio::time::timeout(GRACE, finish).await.is_err() {
            tracing::warn!("some requests or jobs did not finish in time");
        }
        settle(&db).await;
        otlp::finish(pipeline).await;
        Ok(0)
    }
}

async fn listen_at(setting: &str, address: &str) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.with_context(|| format!("{setting}: cannot listen on {address}"))
}

/// `/metrics` in the text format of Prometheus.
fn metrics_route(figures: Figures) -> axum::Router {
    let answer =
        async move || ([(http::header::CONTENT_TYPE, "text/plain; version=0.0.4")], figures.text().await);
    axum::Router::new().route("/metrics", axum::routing::get(answer))
}

/// Runs jobs without serving.
pub async fn work_only(settings: &Settings) -> anyhow::Result<u8> {
    let pipeline = otlp::begin(settings).await?;
    telemetry::start_log(settings, pipeline.as_deref())?;
    let (db, state) = ready_database(settings).await?;
    let server = Server::assemble(settings, db, state)?;
    let (stop, stopped) = watch::channel(false);
    let db = server.app.db.clone();
    let worker = tokio::spawn(server.worker.run(stopped));
    told_to_stop().await;
    let _ = stop.send(true);
    let _ = tokio::time::timeout(GRACE, worker).await;
    settle(&db).await;
    otlp::finish(pipeline).await;
    Ok(0)
}

async fn ready_database(settings: &Settings) -> anyhow::Result<(Db, MigrationState)> {
    let db = assemble::open_database(settings, Clock::machine())?;
    let state = assemble::migrate_at_start(settings, &db).await?;
    if state != MigrationState::InSync {
        tracing::warn!(?state, "the schema of the database is not the one of this binary");
    }
    Ok((db, state))
}

/// The sample plan, unless somebody has plans here already.
async fn add_sample(server: &Server, settings: &Settings) -> anyhow::Result<()> {
    let db = &server.app.db;
    if db.count(sql!("SELECT COUNT(*) FROM programs")).await? > 0 {
        return Ok(());
    }
    let owner = people::by_username(db, &settings.text("SVC_ADMIN_USERNAME")).await?;
    let owner = owner.context("the sample needs the first user as its owner")?;
    let sample = planwright_exchange::samples::sample("software-launch").context("the sample is bundled")?;
    let options = ImportOptions { is_sample: true, ..ImportOptions::default() };
    let imported = import_document(db, owner.id, sample.text.as_bytes(), options).await?;
    println!("the sample plan is there: program {}, {} tasks", imported.program, imported.tasks);
    Ok(())
}

/// The name and password to print once.
struct SignIn {
    username: String,
    password: String,
}

/// The password that the settings choose, if they do.
fn given_password(settings: &Settings, username: &str, email: &str) -> anyhow::Result<Option<String>> {
    let (setting, password) = match settings.given("SVC_ADMIN_PASSWORD_FILE") {
        Some(path) => {
            let text = std::fs::read_to_string(&path);
            let text = text.with_context(|| format!("SVC_ADMIN_PASSWORD_FILE: reading {path}"))?;
            ("SVC_ADMIN_PASSWORD_FILE", Some(text.trim().to_owned()))
        }
        None => ("SVC_ADMIN_PASSWORD", settings.given("SVC_ADMIN_PASSWORD")),
    };
    if let Some(password) = &password {
        user::check_password(password, username, email).context(setting)?;
    }
    Ok(password)
}

async fn first_user(settings: &Settings, db: &Db, known_password: bool) -> anyhow::Result<Option<SignIn>> {
    if people::count(db).await? > 0 {
        return Ok(None);
    }
    let (username, email) = (settings.text("SVC_ADMIN_USERNAME"), settings.text("SVC_ADMIN_EMAIL"));
    let given = given_password(settings, &username, &email)?;
    let shown = given.is_none();
    let password = given.unwrap_or_else(|| match known_password {
        true => "planwright-demo".to_owned(),
        false => planwright_web::token::random()[..20].to_owned(),
    });
    let person = NewPerson {
        first_name: String::new(),
        last_name: String::new(),
        username: username.clone(),
        email,
        password_hash: Some(passwords::hash(&password)?),
        workspace_role: Role::Owner,
    };
    match people::add(db, &person).await {
        // Another node has started in the same moment, and tells its own password.
        Err(StoreError::Duplicate(_)) => Ok(None),
        added => Ok(added.map(|_| shown.then_some(SignIn { username, password }))?),
    }
}

fn announce(address: SocketAddr, sign_in: Option<&SignIn>) {
    println!("planwright is listening on http://{address}/");
    if let Some(SignIn { username, password }) = sign_in {
        println!("sign in as {username} with the password {password} (shown only now)");
    }
}

/// Leaves all data in the database file itself.
async fn settle(db: &Db) {
    if let Err(error) = db.settle().await {
        tracing::warn!(%error, "the write-ahead log is still there; the next start copies it into the database");
    }
}

async fn told_to_stop() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        let terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate());
        match terminate {
            Ok(mut terminate) => {
                tokio::select! { _ = interrupt => {}, _ = terminate.recv() => {} }
            }
            Err(_) => drop(interrupt.await),
        }
    }
    #[cfg(not(unix))]
    drop(interrupt.await);
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use planwright_domain::Clock;

    use super::*;

    #[test]
    fn a_weak_first_password_is_refused_by_the_name_of_its_setting() {
        let home = tempfile::tempdir().unwrap();
        let settings = |password: &str| {
            let flags = HashMap::from([("SVC_ADMIN_PASSWORD", password.to_owned())]);
            Settings::load(home.path().to_owned(), &flags, |_| None).unwrap()
        };
        let refused = given_password(&settings("password1234"), "admin", "").unwrap_err();
        assert!(format!("{refused:#}").starts_with("SVC_ADMIN_PASSWORD: this password is too weak"));
        let given = given_password(&settings("battery-staple-horse"), "admin", "").unwrap();
        assert_eq!(given.as_deref(), Some("battery-staple-horse"));
    }

    #[tokio::test]
    async fn of_two_nodes_that_start_at_once_one_adds_the_first_person() {
        let home = tempfile::tempdir().unwrap();
        let settings = Settings::load(home.path().to_owned(), &HashMap::new(), |_| None).unwrap();
        let db = assemble::open_database(&settings, Clock::machine()).unwrap();
        planwright_store::migrate::apply(&db).await.unwrap();
        let (one, other) = tokio::join!(first_user(&settings, &db, false), first_user(&settings, &db, false));
        let told = [one.unwrap(), other.unwrap()].into_iter().flatten().count();
        assert_eq!((told, people::count(&db).await.unwrap()), (1, 1));
    }
}
