//! What has to hold in the end: of every subscription, of what its receivers saw, and of the plan itself.
//! It only looks and compares.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};

use super::receivers::Receiver;
use super::writers::Deed;
use crate::client::Session;

/// The events that writers cause on purpose; what follows from them is not foreseen.
pub(crate) const JUDGED: [&str; 3] = ["task.created", "task.updated", "task.deleted"];

/// A subscription with those it leads to.
pub(crate) struct Endpoint {
    /// Where it is.
    pub(crate) path: String,
    /// All that it ever led to.
    pub(crate) receivers: Vec<Receiver>,
}

impl Endpoint {
    /// Subscribes below a project or program, to some events or to all.
    pub(crate) async fn add(
        session: &Session,
        address: SocketAddr,
        place: &str,
        receiver: &Receiver,
        events: Value,
    ) -> Self {
        let mut request = json!({"url": receiver.url()});
        if !events.is_null() {
            request["events"] = events;
        }
        let all = format!("{place}/webhooks/");
        let made = session.ask(address, "POST", &all, request).await.expect(201);
        Self { path: format!("{all}{}/", super::id(&made)), receivers: vec![receiver.clone()] }
    }

    /// All its deliveries, oldest first.
    pub(crate) async fn rows(&self, session: &Session, address: SocketAddr) -> Vec<Value> {
        let mut rows = Vec::new();
        let mut next = format!("{}deliveries/?page_size=200", self.path);
        loop {
            let page = session.ask(address, "GET", &next, Value::Null).await.expect(200);
            rows.extend(page["results"].as_array().expect("a page has results").iter().cloned());
            let Some(url) = page["next"].as_str() else { break };
            next = url[url.find("/api/").expect("it leads here")..].to_owned();
        }
        rows.reverse();
        rows
    }

    /// Makes due at once what still waits; says what that is.
    pub(crate) async fn send_again(&self, session: &Session, address: SocketAddr) -> Vec<String> {
        let rows = self.rows(session, address).await;
        let waiting: Vec<Value> = rows.into_iter().filter(|row| row["status"] != "success").collect();
        for row in &waiting {
            let path = format!("{}deliveries/{}/redeliver/", self.path, super::id(row));
            session.ask(address, "POST", &path, json!({})).await.expect(202);
        }
        waiting
            .iter()
            .map(|row| format!("{} {} {}", self.path, row["sequence_number"], row["status"]))
            .collect()
    }

    /// Numbers are contiguous, and what the receivers saw is what the rows say.
    pub(crate) fn judge(&self, rows: &[Value]) {
        let numbers: Vec<i64> = rows.iter().filter_map(|row| row["sequence_number"].as_i64()).collect();
        assert_eq!(numbers, (1..=rows.len() as i64).collect::<Vec<_>>(), "{}", self.path);
        let by_id: BTreeMap<&str, &Value> =
            rows.iter().filter_map(|row| Some((row["id"].as_str()?, row))).collect();
        let mut bodies: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        let mut taken = BTreeSet::new();
        let received: Vec<_> = self.receivers.iter().flat_map(Receiver::received).collect();
        for one in &received {
            let request = &one.request;
            assert_eq!(request.path, "/hook", "a redirect was followed");
            let delivery = request.header("x-svc-delivery");
            let row = by_id.get(delivery);
            let row = row.unwrap_or_else(|| panic!("{delivery} was sent and is no delivery"));
            assert_eq!(
                (&row["sequence_number"], &row["event_type"]),
                (&json!(request.sequence()), &json!(request.header("x-svc-event")))
            );
            let body = bodies.entry(delivery.to_owned()).or_insert_with(|| request.body.clone());
            assert_eq!(body, &request.body, "a delivery was sent with two bodies");
            if one.taken {
                taken.insert(request.sequence());
            }
        }
        let missing: Vec<&i64> = numbers.iter().filter(|number| !taken.contains(number)).collect();
        assert!(missing.is_empty(), "{} did not get {missing:?}", self.path);
        println!("{}: {} deliveries, {} requests", self.path, rows.len(), received.len());
    }
}

/// What deliveries tell of the writers' doing; each may be told once.
pub(crate) fn deeds(rows: &[Value]) -> BTreeSet<Deed> {
    let mut deeds = BTreeSet::new();
    for row in rows {
        let (Some(event), Some(task)) = (row["event_type"].as_str(), row["payload"]["id"].as_str()) else {
            continue;
        };
        if !JUDGED.contains(&event) {
            continue;
        }
        let name = row["payload"]["name"].as_str().filter(|_| event != "task.deleted").map(str::to_owned);
        let deed = (event.to_owned(), task.to_owned(), name);
        assert!(deeds.insert(deed.clone()), "{deed:?} is told twice");
    }
    deeds
}

/// What was told happened, and what happened was told, whether it was acknowledged or not.
pub(crate) async fn happened(session: &Session, address: SocketAddr, project: &str, told: &BTreeSet<Deed>) {
    let mut living = BTreeMap::new();
    for page in 1.. {
        let path = format!("/api/v1/tasks/?project={project}&page_size=500&page={page}");
        let answer = session.ask(address, "GET", &path, Value::Null).await.expect(200);
        for task in answer["results"].as_array().expect("a page has results") {
            living.insert(super::id(task), task["name"].as_str().unwrap_or_default().to_owned());
        }
        if answer["next"].is_null() {
            break;
        }
    }
    let tasks = |event: &str| -> BTreeSet<&str> {
        told.iter().filter(|deed| deed.0 == event).map(|deed| deed.1.as_str()).collect()
    };
    let (created, deleted) = (tasks("task.created"), tasks("task.deleted"));
    let expected: BTreeSet<&str> = created.difference(&deleted).copied().collect();
    assert_eq!(living.keys().map(String::as_str).collect::<BTreeSet<_>>(), expected);
    for (task, name) in &living {
        let is_named = |deed: &Deed| deed.1 == *task && deed.2.as_ref() == Some(name);
        assert!(told.iter().any(is_named), "nobody was told that {task} is called {name}");
    }
}

/// Where the log of the project stands.
pub(crate) async fn newest(session: &Session, address: SocketAddr, project: &str) -> i64 {
    let path = format!("/api/v1/projects/{project}/events/stream");
    // A number that was never given is answered with the newest.
    let line = session.stream(address, &path, i64::from(u32::MAX)).await.expect("the server is there");
    let mut lines = BufReader::new(line).lines();
    while let Some(line) = lines.next_line().await.expect("the stream can be read") {
        if let Some(id) = line.strip_prefix("id: ") {
            return id.parse().expect("it is a number");
        }
    }
    panic!("the stream does not say where it stands");
}
