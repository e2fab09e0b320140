//! The program is killed again and again while people write, follow and receive, and nothing may get lost or told twice.
//! It runs as processes of its own: one on SQLite, two that share PostgreSQL and Redis.
//! The seed of its choices is printed; `PLANWRIGHT_CHAOS_SEED` repeats them.

mod chance;
mod followers;
mod receivers;
#[path = "../../../../../tests/api/request.rs"]
mod request;
mod verdict;
mod writers;

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use planwright_store::OwnDatabase;
use serde_json::{Value, json};
use tokio::sync::watch;

use chance::Chance;
use followers::{Follower, Told, Way};
use receivers::{Harm, Receiver};
use verdict::Endpoint;
use writers::{Ledger, Writer};

use crate::client::Session;
use crate::fleet::Fleet;
use crate::postgres_url;

const KILLS: usize = 7;
const WRITERS: usize = 4;
/// What was under way when a node was killed is taken again after its lease: half a minute and the patience for a call.
const LAST_DELIVERY: Duration = Duration::from_secs(75);
const LAST_EVENT: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_or_told_twice_when_the_process_is_killed_on_sqlite() {
    chaos(1, &[]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[cfg_attr(test, ignore = "needs PostgreSQL and Redis")]
async fn nothing_is_lost_or_told_twice_when_one_of_two_nodes_is_killed_on_postgres() {
    let database = OwnDatabase::empty(&postgres_url()).await.expect("a database can be made");
    let redis =
        std::env::var("PLANWRIGHT_TEST_REDIS_URL").expect("PLANWRIGHT_TEST_REDIS_URL names the server");
    chaos(2, &[("SVC_DATABASE_URL", database.url()), ("SVC_REDIS_URL", redis)]).await;
}

async fn chaos(nodes: usize, shared: &[(&'static str, String)]) {
    let mut chance = Chance::begin();
    let fleet = Fleet::start(nodes, shared).await;
    let stage = Stage::set(&fleet, &mut chance).await;
    let followers = stage.follow(&mut chance);
    let (stop, stopped) = watch::channel(false);
    let writers: Vec<_> = (0..WRITERS).map(|place| stage.writer(place, &mut chance)).collect();
    let writers: Vec<_> =
        writers.into_iter().map(|writer| tokio::spawn(writer.write(stopped.clone()))).collect();
    for _ in 0..KILLS {
        tokio::time::sleep(chance.between(Duration::from_millis(300), Duration::from_secs(5))).await;
        let pause = chance.between(Duration::ZERO, Duration::from_secs(1));
        fleet.kill_and_restart(chance.below(nodes), pause).await;
        stage.move_the_mover().await;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    stop.send_replace(true);
    let mut ledgers = Vec::new();
    for writer in writers {
        ledgers.push(writer.await.expect("a writer ends in order"));
    }
    stage.settle().await;
    stage.judge(&ledgers, &followers).await;
    assert_eq!(fleet.complaints(), Vec::<String>::new());
}

/// A project with its subscriptions, and somebody who may do everything in it.
struct Stage {
    session: Session,
    addresses: Vec<SocketAddr>,
    project: String,
    endpoints: Vec<Endpoint>,
    mover: [Receiver; 2],
}

impl Stage {
    async fn set(fleet: &Fleet, chance: &mut Chance) -> Self {
        let addresses = fleet.addresses();
        let address = addresses[0];
        let session = Session::sign_in(address).await;
        let program = session.ask(address, "POST", "/api/v1/programs/", json!({"name": "Crossing"})).await;
        let program = id(&program.expect(201));
        let request = json!({"name": "Bridge", "start_date": "2026-01-05", "program": program});
        let project = id(&session.ask(address, "POST", "/api/v1/projects/", request).await.expect(201));
        let (of_project, of_program) =
            (format!("/api/v1/projects/{project}"), format!("/api/v1/programs/{program}"));
        let mut endpoints = Vec::new();
        let willing = Receiver::at("127.0.0.1", Harm::None, chance.fork()).await;
        let chosen = json!(verdict::JUDGED);
        endpoints.push(Endpoint::add(&session, address, &of_project, &willing, Value::Null).await);
        for harm in [Harm::None, Harm::Fails, Harm::Hangs, Harm::Resets, Harm::Redirects, Harm::ClosesEarly] {
            let receiver = Receiver::at("127.0.0.1", harm, chance.fork()).await;
            let place = if harm == Harm::None { &of_program } else { &of_project };
            endpoints.push(Endpoint::add(&session, address, place, &receiver, chosen.clone()).await);
        }
        let one = Receiver::at("127.0.0.1", Harm::None, chance.fork()).await;
        let other = Receiver::at("127.0.0.2", Harm::Resets, chance.fork()).await;
        let mut moving = Endpoint::add(&session, address, &of_project, &one, chosen).await;
        moving.receivers.push(other.clone());
        endpoints.push(moving);
        Self { session, addresses, project, endpoints, mover: [one, other] }
    }

    fn writer(&self, place: usize, chance: &mut Chance) -> Writer {
        Writer {
            name: format!("Writer {place}:"),
            session: self.session.clone(),
            addresses: self.addresses.clone(),
            project: self.project.clone(),
            chance: chance.fork(),
        }
    }

    fn follow(&self, chance: &mut Chance) -> Vec<Arc<Mutex<Told>>> {
        let begin = |way| {
            let follower = Follower {
                way,
                session: self.session.clone(),
                addresses: self.addresses.clone(),
                project: self.project.clone(),
                chance: chance.fork(),
            };
            follower.begin()
        };
        [Way::Socket, Way::Stream, Way::Socket, Way::Stream].map(begin).into()
    }

    /// The subscription goes to the other address from here on, and where it went before nobody answers.
    async fn move_the_mover(&self) {
        let endpoint = self.endpoints.last().expect("the mover is the last");
        let shown = self.session.ask(self.addresses[0], "GET", &endpoint.path, Value::Null).await.expect(200);
        let [one, other] = &self.mover;
        let (from, to) = if shown["url"] == one.url() { (one, other) } else { (other, one) };
        to.heal();
        let request = json!({"url": to.url()});
        self.session.ask(self.addresses[0], "PATCH", &endpoint.path, request).await.expect(200);
        from.becomes(Harm::Resets);
    }

    /// Heals every receiver, has sent again what still waits, and waits until everything has arrived.
    async fn settle(&self) {
        self.endpoints.iter().flat_map(|endpoint| &endpoint.receivers).for_each(Receiver::heal);
        let until = Instant::now() + LAST_DELIVERY;
        loop {
            let mut waiting = Vec::new();
            for endpoint in &self.endpoints {
                waiting.extend(endpoint.send_again(&self.session, self.addresses[0]).await);
            }
            if waiting.is_empty() {
                return;
            }
            assert!(Instant::now() < until, "these did not arrive: {waiting:#?}");
            tokio::time::sleep(Duration::from_secs(2)).await;
        }
    }

    async fn judge(&self, ledgers: &[Ledger], followers: &[Arc<Mutex<Told>>]) {
        let surprises: Vec<&String> = ledgers.iter().flat_map(|ledger| &ledger.surprises).collect();
        assert!(surprises.is_empty(), "{surprises:?}");
        let unknown: usize = ledgers.iter().map(|ledger| ledger.unknown).sum();
        let done: usize = ledgers.iter().map(|ledger| ledger.done.len()).sum();
        println!("{done} writes were acknowledged, of {unknown} nobody knows");
        assert!(done >= 30, "the writers hardly wrote");
        let mut told: Option<BTreeSet<writers::Deed>> = None;
        for endpoint in &self.endpoints {
            let rows = endpoint.rows(&self.session, self.addresses[0]).await;
            endpoint.judge(&rows);
            let deeds = verdict::deeds(&rows);
            for deed in ledgers.iter().flat_map(|ledger| &ledger.done) {
                assert!(deeds.contains(deed), "{} has no delivery of {deed:?}", endpoint.path);
            }
            assert_eq!(told.get_or_insert_with(|| deeds.clone()), &deeds, "all were told the same");
        }
        let told = told.expect("there are endpoints");
        verdict::happened(&self.session, self.addresses[0], &self.project, &told).await;
        self.judge_followers(ledgers, followers).await;
    }

    async fn judge_followers(&self, ledgers: &[Ledger], followers: &[Arc<Mutex<Told>>]) {
        let newest = verdict::newest(&self.session, self.addresses[0], &self.project).await;
        let until = Instant::now() + LAST_EVENT;
        let is_there =
            |told: &Arc<Mutex<Told>>| told.lock().expect("nobody panics while holding it").last >= newest;
        while !followers.iter().all(is_there) {
            assert!(Instant::now() < until, "a follower was not told everything up to {newest}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let mut first = None;
        for follower in followers {
            let told = follower.lock().expect("nobody panics while holding it");
            println!("a follower came back {} times and was told {} events", told.returns, told.last);
            assert_eq!(told.faults, Vec::<String>::new());
            assert!(told.returns > 0, "nobody ever had to come back");
            assert_eq!(
                first.get_or_insert_with(|| told.events.clone()),
                &told.events,
                "all were told the same"
            );
        }
        let events = first.expect("there are followers");
        for (event, task, _) in ledgers.iter().flat_map(|ledger| &ledger.done) {
            let name = event.replace('.', "_");
            let is_it = |(told, carried): &(Value, Value)| *told == name && carried["id"] == *task;
            assert!(events.values().any(is_it), "no follower was told of {name} {task}");
        }
    }
}

fn id(body: &Value) -> String {
    body["id"].as_str().unwrap_or_else(|| panic!("there is no id: {body}")).to_owned()
}
