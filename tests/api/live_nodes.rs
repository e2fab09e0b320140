//! List nodes of one installation: what happens on one is told on the others, with Redis at once, without it a little later.

use std::time::{Duration as Wait, Instant};

use chrono::Duration;
use planwright_store::sql;
use planwright_testkit::{Engine, TestApp, both_engines};
use serde_json::json;
use uuid::Uuid;

use crate::site::Site;
use crate::sockets::{Socket, board, ticket};

both_engines! {
    async fn what_another_node_did_is_found_in_the_log(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = site.person("mara", 100).await;
        let other = app.another_node(&[]).await;
        let (here, there) = (app.serve().await, other.serve().await);
        let mut socket = Socket::board(there.address, &site.project, &mara).await;
        let task = site.task("Survey", 3).await;
        for place in 0..5 {
            site.change(&task, json!({"name": format!("Change {place}")})).await;
        }
        let mut last = None;
        for _ in 0..5 {
            let seq = socket.until("task_updated").await["seq"].as_i64();
            assert!(seq > last);
            last = seq;
        }
        let opened = Socket::board(here.address, &site.project, &site.owner).await;
        let names = |answer: planwright_testkit::Answer| {
            let rows = answer.json.as_array().cloned().unwrap_or_default();
            rows.into_iter().map(|row| row["display_name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names(mara.get(&site.at("presence/")).await.expect(200)), ["mara", "ona"]);
        drop(opened);
        here.stop().await;
        there.stop().await;
    }

    async fn whoever_sat_on_a_node_that_died_is_gone_after_a_minute(app: &TestApp) {
        let mut site = Site::new(app).await;
        let mara = site.person("mara", 100).await;
        // What a node leaves behind that dies: it has no time to take anything away.
        let mut tx = app.app.db.begin().await.unwrap();
        let now = tx.now();
        let node = "INSERT INTO live_nodes (id, seen_at) VALUES (:id, :now)";
        tx.run(sql!(node, id = Uuid::nil(), now = now)).await.unwrap();
        let connection = "INSERT INTO live_connections (id, node_id, user_id, room_id) VALUES (:id, :id, :user, :room)";
        let room: Uuid = site.project.parse().unwrap();
        tx.run(sql!(connection, id = Uuid::nil(), user = mara.id, room = room)).await.unwrap();
        tx.commit().await.unwrap();
        let there = json!([{"user_id": mara.id, "display_name": "mara"}]);
        assert_eq!(site.owner.get(&site.at("presence/")).await.expect(200).json, there);
        app.later(Duration::minutes(2));
        site.owner.sign_in_again().await;
        assert_eq!(site.owner.get(&site.at("presence/")).await.expect(200).json, json!([]));
        app.run_jobs().await;
        let left = sql!("SELECT COUNT(*) FROM live_connections");
        assert_eq!(app.app.db.count(left).await.unwrap(), 0);
    }
}

#[tokio::test]
#[cfg_attr(test, ignore = "needs Redis")]
async fn nodes_hear_each_other_through_redis_and_lose_nothing_without_it() {
    let url = planwright_testkit::redis_url();
    let redis = [("SVC_REDIS_URL", url.as_str())];
    let app = TestApp::start_with(Engine::Sqlite, &redis).await;
    let site = Site::new(&app).await;
    let mara = site.person("mara", 100).await;
    let other = app.another_node(&redis).await;
    let (here, there) = (app.serve().await, other.serve().await);
    let mut near = Socket::board(here.address, &site.project, &site.owner).await;
    // What is only of the moment is heard by those who listen already.
    tokio::time::sleep(Wait::from_millis(300)).await;
    let mut far = Socket::board(there.address, &site.project, &mara).await;
    assert_eq!(near.until("presence_join").await["payload"]["user_id"], json!(mara.id));
    let task = site.task("Survey", 3).await;
    far.until("task_created").await;
    let begun = Instant::now();
    for place in 0..5 {
        site.change(&task, json!({"name": format!("Change {place}")})).await;
        near.until("task_updated").await;
        far.until("task_updated").await;
    }
    // Without Redis each would wait for the next look, a quarter of a second on average.
    assert!(begun.elapsed() < Wait::from_millis(700), "events come late: {:?}", begun.elapsed());
    site.owner.post(&site.at("workshop/start/"), json!({})).await.expect(201);
    let mut one = Socket::workshop(here.address, &site.project, &site.owner).await;
    tokio::time::sleep(Wait::from_millis(300)).await;
    let mut two = Socket::workshop(there.address, &site.project, &mara).await;
    one.until("participant_joined").await;
    two.say(json!({"type": "cursor_move", "x": 1, "y": 2})).await;
    assert_eq!(one.until("cursor_move").await["payload"]["user_id"], json!(mara.id));
    drop((one, two, near, far));
    here.stop().await;
    there.stop().await;
    app.finish().await;
}

#[tokio::test]
async fn channels_work_while_redis_is_away() {
    let redis = [("SVC_REDIS_URL", "redis://127.0.0.1:1/")];
    let app = TestApp::start_with(Engine::Sqlite, &redis).await;
    let site = Site::new(&app).await;
    let other = app.another_node(&redis).await;
    let (here, there) = (app.serve().await, other.serve().await);
    let mut far = Socket::at(there.address, &board(&site.project, &ticket(&site.owner).await)).await;
    far.until("presence_join").await;
    site.task("Survey", 3).await;
    far.until("task_created").await;
    drop(far);
    here.stop().await;
    there.stop().await;
    app.finish().await;
}
