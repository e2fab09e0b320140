//! The board channel and the stream beside it: who gets in, what they are told, what they missed, when they are shut out.
//! List nodes are in `live_nodes.rs`, workshops in `live_workshops.rs`.

use std::time::Duration as Wait;

use chrono::Duration;
use http::Method;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::ProjectId;
use planwright_store::outbox::Event;
use planwright_store::sql;
use planwright_testkit::{TestApp, both_engines};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use uuid::Uuid;

use crate::site::{Site, task_path};
use crate::sockets::{Socket, board, ticket};

/// Says that something happened in a project, many times over.
async fn announce(app: &TestApp, project: &str, payloads: impl Iterator<Item = Value>) {
    let project: ProjectId = project.parse().unwrap();
    let mut tx = app.app.db.begin().await.unwrap();
    for payload in payloads {
        tx.emit(Event::Socket(SocketEvent::LabelUpdated), Some(project), None, payload).await.unwrap();
    }
    tx.commit().await.unwrap();
}

fn numbers(told: &[Value]) -> Vec<i64> {
    told.iter().filter_map(|event| event["seq"].as_i64()).collect()
}

both_engines! {
    async fn a_member_is_told_at_once_what_happens_to_a_task(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = site.person("mara", 100).await;
        let task = site.task("Survey", 3).await;
        let served = app.serve().await;
        let mut socket = Socket::board(served.address, &site.project, &mara).await;
        let changed = site.change(&task, json!({"name": "Long survey"})).await;
        let told = socket.until("task_updated").await;
        assert_eq!(told["protocol_version"], 1);
        assert!(told["seq"].as_i64().unwrap() > 0);
        let payload = &told["payload"];
        assert_eq!(payload["id"], task);
        assert_eq!(payload["changed_fields"], json!(["name"]));
        assert_eq!(payload["version"], changed["server_version"]);
        assert_eq!(payload["actor_id"], json!(site.owner.id));
        assert!(payload["ts"].is_string());
        served.stop().await;
    }

    async fn a_ticket_opens_one_socket_even_when_many_show_it_at_once(app: &TestApp) {
        let site = Site::new(app).await;
        let served = app.serve().await;
        let ticket = ticket(&site.owner).await;
        let path = board(&site.project, &ticket);
        let comers: Vec<_> = (0..8)
            .map(|_| {
                let (address, path) = (served.address, path.clone());
                tokio::spawn(async move {
                    let mut socket = Socket::at(address, &path).await;
                    match tokio::time::timeout(Wait::from_secs(2), socket.end()).await {
                        Ok((_, code)) => code,
                        Err(_) => Some(0),
                    }
                })
            })
            .collect();
        let mut codes = Vec::new();
        for comer in comers {
            codes.push(comer.await.unwrap());
        }
        codes.sort();
        assert_eq!(codes.first(), Some(&Some(0)), "nobody got in: {codes:?}");
        assert_eq!(codes[1..], [Some(4001); 7], "{codes:?}");
        served.stop().await;
    }

    async fn a_socket_says_with_its_code_why_it_does_not_open(app: &TestApp) {
        let site = Site::new(app).await;
        let vic = site.person("vic", 1).await;
        let mara = site.person("mara", 100).await;
        let outsider = app.person("outsider").await;
        let served = app.serve().await;
        let code = async |path: String| Socket::at(served.address, &path).await.code().await;
        assert_eq!(code(format!("/ws/v1/projects/{}/", site.project)).await, Some(4001));
        assert_eq!(code(board(&site.project, "made-up")).await, Some(4001));
        assert_eq!(code(board(&site.project, &ticket(&vic).await)).await, Some(4003));
        assert_eq!(code(board(&site.project, &ticket(&outsider).await)).await, Some(4003));
        assert_eq!(code(board(&Uuid::nil().to_string(), &ticket(&mara).await)).await, Some(4003));
        let workshop = |ticket: &str| format!("/ws/v1/projects/{}/workshop/?ticket={ticket}", site.project);
        assert_eq!(code(workshop("made-up")).await, Some(4001));
        assert_eq!(code(workshop(&ticket(&vic).await)).await, Some(4003));
        assert_eq!(code(workshop(&ticket(&mara).await)).await, Some(4004));
        let old = ticket(&mara).await;
        app.later(Duration::seconds(30));
        assert_eq!(code(board(&site.project, &old)).await, Some(4001));
        served.stop().await;
    }

    async fn whoever_comes_back_with_the_last_number_misses_nothing(app: &TestApp) {
        let site = Site::new(app).await;
        let served = app.serve().await;
        let task = site.task("Survey", 3).await;
        let mut socket = Socket::board(served.address, &site.project, &site.owner).await;
        site.change(&task, json!({"name": "First"})).await;
        let seen = socket.until("task_updated").await["seq"].as_i64().unwrap();
        drop(socket);
        for place in 0..20 {
            site.change(&task, json!({"name": format!("Change {place}")})).await;
        }
        let path = format!("{}&since={seen}", board(&site.project, &ticket(&site.owner).await));
        let mut socket = Socket::at(served.address, &path).await;
        for place in 20..40 {
            site.change(&task, json!({"name": format!("Change {place}")})).await;
        }
        let told = socket.rest().await;
        let got = numbers(&told);
        let expected: Vec<i64> = (seen + 1..).take(got.len()).collect();
        assert_eq!(got, expected);
        let updates = told.iter().filter(|event| event["event_type"] == "task_updated").count();
        assert_eq!(updates, 40);
        assert!(told.iter().any(|event| event["replayed"] == true));
        served.stop().await;
    }

    async fn whoever_was_away_for_too_long_is_told_to_read_everything_again(app: &TestApp) {
        let mut site = Site::new(app).await;
        announce(app, &site.project, (0..3).map(|id| json!({"id": id}))).await;
        app.run_jobs().await;
        let newest = sql!("SELECT MAX(last_seq) FROM live_logs");
        let newest = app.app.db.count(newest).await.unwrap();
        app.later(Duration::hours(25));
        site.owner.sign_in_again().await;
        app.run_jobs().await;
        let served = app.serve().await;
        let mut sockets = Vec::new();
        for since in ["0", "999999"] {
            let path = format!("{}&since={since}", board(&site.project, &ticket(&site.owner).await));
            let mut socket = Socket::at(served.address, &path).await;
            let told = socket.until("resync_required").await;
            assert_eq!(told["payload"], json!({"latest_seq": newest}));
            sockets.push(socket);
        }
        announce(app, &site.project, std::iter::once(json!({"id": 9}))).await;
        for socket in &mut sockets {
            assert_eq!(socket.until("label_updated").await["seq"], newest + 1);
        }
        served.stop().await;
    }

    async fn whoever_loses_their_place_is_shut_out_at_once_and_nobody_else_is(app: &TestApp) {
        let site = Site::new(app).await;
        let admin = app.admin().await;
        let served = app.serve().await;
        let mut members = Vec::new();
        for name in ["removed", "demoted", "deactivated", "promoted"] {
            let person = app.person(name).await;
            let request = json!({"user": person.id, "role": 100});
            let member = site.owner.post(&site.at("members/"), request).await.expect(201).id();
            let socket = Socket::board(served.address, &site.project, &person).await;
            members.push((person, site.at(&format!("members/{member}/")), socket));
        }
        site.owner.delete(&members[0].1).await.expect(204);
        site.owner.patch(&members[1].1, json!({"role": 1})).await.expect(200);
        admin.delete(&format!("/api/v1/workspace/members/{}/", members[2].0.id)).await.expect(204);
        site.owner.patch(&members[3].1, json!({"role": 200})).await.expect(200);
        for (person, _, socket) in &mut members[..3] {
            assert_eq!(socket.code().await, Some(4003), "{}", person.name);
        }
        announce(app, &site.project, std::iter::once(json!({"id": "last"}))).await;
        members[3].2.until("label_updated").await;
        served.stop().await;
    }

    async fn a_client_that_does_not_read_is_dropped_and_the_others_get_everything(app: &TestApp) {
        let site = Site::new(app).await;
        let (mara, slow) = (site.person("mara", 100).await, site.person("slow", 100).await);
        let served = app.serve().await;
        let mut asleep = Socket::narrow(served.address, &board(&site.project, &ticket(&slow).await)).await;
        asleep.until("presence_join").await;
        let mut awake = Socket::board(served.address, &site.project, &mara).await;
        let reading = tokio::spawn(async move {
            let mut got = 0;
            while got < 600 {
                got += usize::from(awake.next().await["event_type"] == "label_updated");
            }
        });
        for round in 0..3 {
            let large = (0..200).map(|place| json!({"id": format!("{} {}", round * 200 + place, "x".repeat(16_000))}));
            announce(app, &site.project, large).await;
        }
        reading.await.unwrap();
        let (got, code) = asleep.end().await;
        assert!(got < 600, "everything was kept for a client that does not read");
        assert!(matches!(code, Some(1013) | None), "{code:?}");
        served.stop().await;
    }

    async fn who_is_there_is_told_once_however_many_tabs_they_have(app: &TestApp) {
        let site = Site::new(app).await;
        let (mara, vic) = (site.person("mara", 100).await, site.person("vic", 1).await);
        let served = app.serve().await;
        let mut socket = Socket::board(served.address, &site.project, &site.owner).await;
        let first = Socket::board(served.address, &site.project, &mara).await;
        let second = Socket::at(served.address, &board(&site.project, &ticket(&mara).await)).await;
        // What else happened may still be on its way.
        let presence = |told: Vec<Value>| -> Vec<Value> {
            told.into_iter().filter(|event| event["event_type"].to_string().contains("presence")).collect()
        };
        let told = presence(socket.rest().await);
        let joined = json!({"user_id": mara.id, "display_name": "mara"});
        let expected = json!({"protocol_version": 1, "event_type": "presence_join", "payload": joined, "seq": null});
        assert_eq!(told, [expected]);
        let there = vic.get(&site.at("presence/")).await.expect(200);
        let ona = json!({"user_id": site.owner.id, "display_name": "ona"});
        assert_eq!(there.json, json!([joined, ona]));
        drop(first);
        assert!(presence(socket.rest().await).is_empty());
        drop(second);
        assert_eq!(socket.next().await["event_type"], "presence_leave");
        assert_eq!(vic.get(&site.at("presence/")).await.expect(200).json, json!([ona]));
        served.stop().await;
    }

    async fn a_person_says_where_they_are_and_everybody_hears_it(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = site.person("mara", 100).await;
        let dig = site.task("Dig", 3).await;
        let served = app.serve().await;
        let mut socket = Socket::board(served.address, &site.project, &site.owner).await;
        let mut other = Socket::board(served.address, &site.project, &mara).await;
        for noise in ["hello", r#"{"type":"presence_update","task_id":"dig"}"#, r#"{"type":"presence_update","field":"<b>"}"#] {
            other.say(noise).await;
        }
        other.say(json!({"type": "presence_update", "task_id": dig, "field": "name"})).await;
        let told = json!({"user_id": mara.id, "display_name": "mara", "task_id": dig, "field": "name"});
        for hears in [&mut socket, &mut other] {
            let event = hears.until("presence_update").await;
            assert_eq!((&event["payload"], &event["seq"]), (&told, &Value::Null));
        }
        other.say(json!({"type": "presence_update"})).await;
        let nowhere = socket.until("presence_update").await;
        assert_eq!((&nowhere["payload"]["task_id"], &nowhere["payload"]["field"]), (&Value::Null, &Value::Null));
        served.stop().await;
    }

    async fn a_node_that_shuts_down_says_goodbye(app: &TestApp) {
        let site = Site::new(app).await;
        let served = app.serve().await;
        let mut socket = Socket::board(served.address, &site.project, &site.owner).await;
        let mut stream = Events::open(&served, &site, None).await;
        let stopping = tokio::spawn(served.stop());
        assert_eq!(socket.code().await, Some(1001));
        drop(socket);
        stream.end().await;
        stopping.await.unwrap();
        assert_eq!(site.owner.get(&site.at("presence/")).await.expect(200).json, json!([]));
    }

    async fn the_stream_of_events_goes_on_where_it_broke_off(app: &TestApp) {
        let site = Site::new(app).await;
        let vic = site.person("vic", 1).await;
        vic.get(&site.at("events/stream")).await.expect(403);
        let served = app.serve().await;
        let mut stream = Events::open(&served, &site, None).await;
        let first = stream.until("id: ").await;
        announce(app, &site.project, std::iter::once(json!({"id": "one"}))).await;
        stream.until("event: label_updated").await;
        let told = stream.until("data: ").await;
        let told: Value = serde_json::from_str(told.trim_start_matches("data: ")).unwrap();
        assert_eq!(told["payload"], json!({"id": "one"}));
        drop(stream);
        announce(app, &site.project, (0..3).map(|id| json!({"id": id}))).await;
        let mut stream = Events::open(&served, &site, Some(told["seq"].to_string())).await;
        for expected in 0..3 {
            let again = stream.until("data: ").await;
            let again: Value = serde_json::from_str(again.trim_start_matches("data: ")).unwrap();
            assert_eq!(again["payload"], json!({"id": expected}));
            let seq = told["seq"].as_i64().unwrap() + expected + 1;
            assert_eq!(again["seq"], seq);
            assert_eq!(stream.until("id: ").await, format!("id: {seq}"));
        }
        assert!(first.starts_with("id: "), "{first}");
        let wrong = site.owner.with_header("last-event-id", "yesterday");
        wrong.get(&site.at("events/stream")).await.expect(400);
        served.stop().await;
    }

    async fn a_channel_ends_with_the_token_that_it_was_opened_with(app: &TestApp) {
        let site = Site::new(app).await;
        let end = app.clock.now() + Duration::seconds(2);
        let token = json!({"name": "short", "expires_at": end.to_rfc3339()});
        let minted = site.owner.post("/api/v1/me/api-tokens/", token).await.expect(201);
        let by_token = site.owner.with_token(minted["token"].as_str().unwrap());
        let served = app.serve().await;
        let mut socket = Socket::board(served.address, &site.project, &by_token).await;
        let mut stream = Events::opened_by(&served, &site, &by_token, None).await;
        assert_eq!(socket.code().await, Some(4001));
        stream.end().await;
        served.stop().await;
    }

    async fn a_channel_ends_when_the_sign_in_does_that_it_was_opened_with(app: &TestApp) {
        let site = Site::new(app).await;
        let served = app.serve().await;
        let mut socket = Socket::board(served.address, &site.project, &site.owner).await;
        let mut stream = Events::open(&served, &site, None).await;
        site.owner.post("/api/v1/auth/logout/all/", json!({})).await.expect(205);
        assert_eq!(socket.code().await, Some(4001));
        stream.end().await;
        served.stop().await;
    }

    async fn a_channel_is_looked_at_again_at_each_heartbeat(
        app: &TestApp,
        "SVC_LIVE_HEARTBEAT_SECONDS" = "1"
    ) {
        let site = Site::new(app).await;
        let served = app.serve().await;
        let mut socket = Socket::board(served.address, &site.project, &site.owner).await;
        let mut stream = Events::open(&served, &site, None).await;
        // Nobody is told of this, as when the node that did it died before it could tell.
        app.write(sql!("UPDATE sessions SET revoked_at = :now", now = app.clock.now())).await;
        assert_eq!(socket.code().await, Some(4001));
        stream.end().await;
        served.stop().await;
    }

    async fn pages_of_other_origins_open_no_socket(app: &TestApp, "SVC_PUBLIC_URL" = "https://plan.test") {
        let site = Site::new(app).await;
        let served = app.serve().await;
        let path = board(&site.project, &ticket(&site.owner).await);
        let handshake = async |origin: &str| {
            let mut line = TcpStream::connect(served.address).await.unwrap();
            let request = format!(
                "GET {path} HTTP/1.1\r\nHost: plan.test\r\nOrigin: {origin}\r\nConnection: Upgrade\r\n\
                 Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
            );
            line.write_all(request.as_bytes()).await.unwrap();
            let mut answer = [0; 12];
            line.read_exact(&mut answer).await.unwrap();
            String::from_utf8_lossy(&answer).into_owned()
        };
        assert_eq!(handshake("https://elsewhere.test").await, "HTTP/1.1 403");
        assert_eq!(handshake("https://plan.test").await, "HTTP/1.1 101");
        let plain = app.send(Method::GET, &path, http::HeaderMap::new(), Vec::new()).await.expect(400);
        assert!(plain.json["detail"].as_str().unwrap().contains("WebSocket"));
        served.stop().await;
    }

    async fn a_message_that_is_too_long_ends_the_connection(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = site.person("mara", 100).await;
        let served = app.serve().await;
        let mut socket = Socket::board(served.address, &site.project, &site.owner).await;
        socket.say(json!({"type": "heartbeat"})).await;
        let task = site.task("Survey", 3).await;
        assert_eq!(socket.until("task_created").await["payload"]["id"], task);
        for length in [17_000, 400_000] {
            let mut socket = Socket::board(served.address, &site.project, &mara).await;
            socket.say("x".repeat(length)).await;
            assert_eq!(socket.code().await, Some(1009), "{length}");
        }
        site.owner.get(&task_path(&task)).await.expect(200);
        served.stop().await;
    }
}

/// A stream of server-sent events, read line by line.
struct Events {
    line: TcpStream,
    read: String,
}

impl Events {
    async fn open(served: &planwright_testkit::Served, site: &Site<'_>, since: Option<String>) -> Self {
        Self::opened_by(served, site, &site.owner, since).await
    }

    async fn opened_by(
        served: &planwright_testkit::Served,
        site: &Site<'_>,
        person: &planwright_testkit::Person<'_>,
        since: Option<String>,
    ) -> Self {
        let mut line = TcpStream::connect(served.address).await.unwrap();
        let since = since.map(|id| format!("Last-Event-ID: {id}\r\n")).unwrap_or_default();
        let request = format!(
            "GET {} HTTP/1.1\r\nHost: test.local\r\nAuthorization: {}\r\n{since}\r\n",
            site.at("events/stream"),
            person.authorization()
        );
        line.write_all(request.as_bytes()).await.unwrap();
        let mut events = Self { line, read: String::new() };
        events.until("HTTP/1.1 200").await;
        events.until("content-type: text/event-stream").await;
        events
    }

    /// The next line that begins so.
    async fn until(&mut self, start: &str) -> String {
        loop {
            while let Some((line, rest)) = self.read.split_once('\n') {
                let (line, rest) = (line.trim_end().to_owned(), rest.to_owned());
                self.read = rest;
                if line.starts_with(start) {
                    return line;
                }
            }
            assert!(self.more().await, "the stream ended before {start:?}");
        }
    }

    /// Waits until the server ends the stream.
    async fn end(&mut self) {
        while self.more().await {}
    }

    async fn more(&mut self) -> bool {
        let mut buffer = [0; 4096];
        let reading = tokio::time::timeout(Wait::from_secs(20), self.line.read(&mut buffer));
        let count = reading.await.expect("something comes in time").unwrap_or(0);
        self.read.push_str(&String::from_utf8_lossy(&buffer[..count]));
        count > 0 && !self.read.ends_with("0\r\n\r\n")
    }
}
