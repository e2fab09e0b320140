//! Measures how fast events reach others: sockets that follow a project, and receivers of webhooks, on SQLite and on
//! PostgreSQL. This file has the measures with bars and order. The clients are in the other files of the folder.

mod receiver;
mod socket;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use xtask::running_server::{PASSWORD, RunningServer, USERNAME};
use xtask::services::Services;
use xtask::workspace::Workspace;

use super::api::session::{Session, list, text};
use super::load::{Load, milliseconds};
use super::table::Table;
use super::{memory, release};
use receiver::{Mood, Receiver};
use socket::Socket;

const HEAD: [&str; 5] = ["measure", "on", "bar", "result", "reached"];

const MANY: usize = 1000;
/// Threads that read what many are told.
const READERS: usize = 2;
const PATIENCE: Duration = Duration::from_secs(60);
/// As many tasks as one request may write.
const BATCH: usize = 500;
/// Subscriptions that hear of each of them.
const SUBSCRIPTIONS: usize = 20;

/// Builds the release binary and measures it on both databases; nothing when there is no server crate.
pub(crate) fn measure(workspace: &Workspace) -> Result<Table> {
    release::on_both_databases(workspace, Table::new(&HEAD), measure_on)
}

fn measure_on(
    database: &str,
    binary: &Path,
    scratch: &Path,
    services: Option<&Services>,
    table: &mut Table,
) -> Result<()> {
    let server =
        RunningServer::start_on(binary, scratch, services, &[("SVC_EGRESS_ALLOWLISTED_HOSTS", "127.0.0.1")])?;
    let mut stage = Stage::set(&server)?;
    let mut add = |name: &str, bar: &str, result: String, reached: bool| {
        let reached = if reached { "yes" } else { "no" };
        eprintln!("{database}: {name}: {result}");
        table.add([name, database, bar, &result, reached].map(str::to_owned));
    };
    let mut one = vec![stage.socket()?];
    let load = stage.tell(&mut one, 200)?;
    add("PATCH sent to event read, one subscriber", "≤ 5 ms", shown(&load), within(&load, 50, 5.0));
    let (mut many, each) = stage.crowd()?;
    add("memory of an idle socket, over 1 000", "≤ 20 kB", format!("{each:.1} kB"), each <= 20.0);
    let load = stage.tell(&mut many, 50)?;
    let name = "PATCH sent to event read by the last of 1 000 subscribers";
    add(name, "≤ 50 ms", shown(&load), within(&load, 50, 50.0));
    drop((one, many));
    let receiver = Receiver::start(Mood::Willing)?;
    stage.subscribe(&receiver, "task.updated")?;
    let load = stage.send(&receiver, 200)?;
    add("PATCH sent to first attempt of its webhook", "p95 ≤ 200 ms", shown(&load), within(&load, 95, 200.0));
    let hanging = Receiver::start(Mood::Hanging)?;
    for _ in 0..3 {
        stage.subscribe(&hanging, "task.updated")?;
    }
    let load = stage.send(&receiver, 200)?;
    let name = "the same while another receiver hangs";
    add(name, "p95 ≤ 200 ms", shown(&load), within(&load, 95, 200.0));
    let rate = stage.deliver()?;
    add("deliveries to a local receiver", "≥ 2 000/s", format!("{rate:.0}/s"), rate >= 2000.0);
    Ok(())
}

fn shown(load: &Load) -> String {
    let [middle, late, worst] = [50, 95, 99].map(|percent| milliseconds(load.percentile(percent)));
    format!("p50 {middle}, p95 {late}, p99 {worst}, of {}", load.latencies.len())
}

fn within(load: &Load, percent: usize, limit: f64) -> bool {
    load.percentile(percent).as_secs_f64() * 1000.0 <= limit
}

/// A server with a project that has one task, and somebody who is signed in.
struct Stage<'a> {
    server: &'a RunningServer,
    session: Session,
    project: String,
    task: String,
    round: usize,
}

impl<'a> Stage<'a> {
    fn set(server: &'a RunningServer) -> Result<Self> {
        let mut session = Session::sign_in(server.address, USERNAME, PASSWORD)?;
        let wish = json!({"name": "Told", "start_date": "2026-01-05"});
        let project = text(&session.post("/api/v1/projects/", &wish, 201)?, "id")?.to_owned();
        let wish = json!({"project": project, "name": "Survey", "duration": 1});
        let task = text(&session.post("/api/v1/tasks/", &wish, 201)?, "id")?.to_owned();
        Ok(Self { server, session, project, task, round: 0 })
    }

    fn socket(&mut self) -> Result<Socket> {
        let answer = self.session.post("/api/v1/ws/ticket/", &json!({}), 200)?;
        let ticket = text(&answer, "ticket")?;
        // With a number nothing is missed between the answer to the handshake and the place among those who follow.
        let path = format!("/ws/v1/projects/{}/?ticket={ticket}&since=0", self.project);
        Socket::open(self.server.address, &path)
    }

    /// Many sockets, and what each adds to the memory of the server, in units of 1 000 bytes.
    fn crowd(&mut self) -> Result<(Vec<Socket>, f64)> {
        let rest = || std::thread::sleep(Duration::from_secs(2));
        rest();
        let before =
            memory::resident_kibibytes(self.server).context("the memory of a process is not known here")?;
        let sockets = (0..MANY).map(|_| self.socket()).collect::<Result<Vec<_>>>()?;
        rest();
        let after =
            memory::resident_kibibytes(self.server).context("the memory of a process is not known here")?;
        Ok((sockets, (after - before) * 1.024 / MANY as f64))
    }

    /// The next change of the task: its request, and the text by which it is known again.
    fn change(&mut self) -> (super::client::Request, String) {
        self.round += 1;
        let name = format!("Round {}", self.round);
        let path = format!("/api/v1/tasks/{}/", self.task);
        (self.session.writing("PATCH", &path, &json!({"name": name})), format!("\"{name}\""))
    }

    /// Changes the task again and again; each time until the last of all sockets has read of it.
    fn tell(&mut self, sockets: &mut [Socket], times: usize) -> Result<Load> {
        // The first rounds also read what was told before.
        for _ in 0..3 {
            self.tell_once(sockets)?;
        }
        Load::repeat(times, PATIENCE, |_| self.tell_once(sockets))
    }

    fn tell_once(&mut self, sockets: &mut [Socket]) -> Result<Duration> {
        let (request, _) = self.change();
        let path = format!("/api/v1/tasks/{}/", self.task);
        let next = self.session.get(&path)?["server_version"].as_i64().context("a task has a version")? + 1;
        let event = format!("\"version\":{next},");
        let share = sockets.len().div_ceil(READERS);
        let session = &mut self.session;
        std::thread::scope(|scope| {
            let read = |own: &mut [Socket]| -> Result<Instant> {
                own.iter_mut().try_for_each(|socket| socket.until(&event))?;
                Ok(Instant::now())
            };
            let readers: Vec<_> =
                sockets.chunks_mut(share).map(|own| scope.spawn(move || read(own))).collect();
            let sent = Instant::now();
            session.timed(&request, 200)?;
            let mut last = sent;
            for reader in readers {
                last = last.max(reader.join().unwrap_or_else(|_| bail!("a reader panicked"))?);
            }
            Ok(last - sent)
        })
    }

    fn subscribe(&mut self, receiver: &Receiver, event: &str) -> Result<()> {
        let path = format!("/api/v1/projects/{}/webhooks/", self.project);
        let wish = json!({"url": receiver.url(), "events": [event]});
        self.session.post(&path, &wish, 201).map(drop)
    }

    /// Changes the task again and again, and waits each time until the receiver has been told.
    fn send(&mut self, receiver: &Receiver, times: usize) -> Result<Load> {
        let mut send_once = |_| {
            let (request, name) = self.change();
            let sent = Instant::now();
            self.session.timed(&request, 200)?;
            loop {
                if let Some(at) = receiver.came(&name) {
                    receiver.forget();
                    return Ok(at.saturating_duration_since(sent));
                }
                if sent.elapsed() > PATIENCE {
                    bail!("a webhook was not sent");
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        };
        Load::repeat(times, PATIENCE, &mut send_once)
    }

    /// Many subscriptions hear of many new tasks: how many deliveries arrive in a second, from the first to the last.
    fn deliver(&mut self) -> Result<f64> {
        let receiver = Receiver::start(Mood::Willing)?;
        for _ in 0..SUBSCRIPTIONS {
            self.subscribe(&receiver, "task.created")?;
        }
        let create = |row| json!({"op": "create", "data": {"name": format!("New {row}"), "duration": 1}});
        let operations: Vec<Value> = (0..BATCH).map(create).collect();
        let path = format!("/api/v1/projects/{}/tasks/bulk/", self.project);
        let answer = self.session.post(&path, &json!({"operations": operations}), 207)?;
        let applied = list(&answer, "applied")?.len();
        if applied != BATCH {
            bail!("the batch wrote {applied} tasks");
        }
        let begun = Instant::now();
        while receiver.count() < BATCH * SUBSCRIPTIONS {
            if begun.elapsed() > PATIENCE {
                bail!("{} of {} deliveries came", receiver.count(), BATCH * SUBSCRIPTIONS);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let (first, last) = receiver.span().context("something came")?;
        Ok(receiver.count() as f64 / (last - first).as_secs_f64())
    }
}
