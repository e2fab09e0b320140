//! Workshops: begun and ended by those who may, and what their participants say to each other.

use planwright_testkit::both_engines;
use serde_json::{Value, json};

use crate::site::Site;
use crate::sockets::{Socket, ticket};

both_engines! {
    async fn a_workshop_is_begun_shown_and_ended(app: &TestApp) {
        let site = Site::new(app).await;
        let (mara, boss) = (site.person("mara", 100).await, site.person("boss", 300).await);
        mara.post(&site.at("workshop/start/"), json!({})).await.expect(403);
        mara.get(&site.at("workshop/current/")).await.expect(404);
        mara.post(&site.at("workshop/end/"), json!({})).await.expect(404);
        let begun = boss.post(&site.at("workshop/start/"), json!({})).await.expect(201);
        assert_eq!(begun["project_id"], site.project);
        assert_eq!(begun["started_by_id"], json!(boss.id));
        assert_eq!(begun["ended_at"], Value::Null);
        assert_eq!(begun["participants"], json!([]));
        site.owner.post(&site.at("workshop/start/"), json!({})).await.expect(409);
        assert_eq!(mara.get(&site.at("workshop/current/")).await.expect(200).json, begun.json);
        mara.post(&site.at("workshop/end/"), json!({})).await.expect(403);
        mara.post(&site.at("workshop/force-end/"), json!({})).await.expect(403);
        let ended = boss.post(&site.at("workshop/end/"), json!({})).await.expect(200);
        assert_eq!(ended["id"], begun["id"]);
        assert!(ended["ended_at"].is_string());
        boss.post(&site.at("workshop/force-end/"), json!({})).await.expect(404);
        boss.post(&site.at("workshop/start/"), json!({})).await.expect(201);
        site.owner.post(&site.at("workshop/force-end/"), json!({})).await.expect(200);
    }

    async fn what_is_said_reaches_the_others_and_is_signed_by_the_server(app: &TestApp) {
        let site = Site::new(app).await;
        let (mara, noa) = (site.person("mara", 100).await, site.person("noa", 100).await);
        site.owner.post(&site.at("workshop/start/"), json!({})).await.expect(201);
        let served = app.serve().await;
        let mut ona = Socket::workshop(served.address, &site.project, &site.owner).await;
        let mut said_by = Socket::workshop(served.address, &site.project, &mara).await;
        let mut heard_by = Socket::workshop(served.address, &site.project, &noa).await;
        said_by.until("participant_joined").await;
        let shown = mara.get(&site.at("workshop/current/")).await.expect(200);
        let colors: Vec<_> = shown["participants"].as_array().unwrap().iter()
            .map(|one| (one["id"].clone(), one["color_index"].clone(), one["left_at"].clone())).collect();
        assert_eq!(colors, [0, 1, 2].map(|place| (json!(place + 1), json!(place), Value::Null)));
        said_by.say(json!({"type": "task_delete", "task_id": "x"})).await;
        said_by.say("not JSON").await;
        said_by.say(json!({"type": "cursor", "x": "left"})).await;
        said_by.say(json!({"type": "cursor", "pad": "x".repeat(5000)})).await;
        said_by.say(json!({"type": "cursor_move", "x": 3, "y": 4.5, "user_id": site.owner.id})).await;
        let told = heard_by.next().await;
        let payload = json!({"x": 3, "y": 4.5, "user_id": mara.id, "display_name": "mara"});
        assert_eq!(told, json!({"protocol_version": 1, "event_type": "cursor_move", "payload": payload}));
        assert_eq!(ona.until("cursor_move").await["payload"], payload);
        assert!(said_by.rest().await.is_empty(), "nobody hears themselves");
        drop(said_by);
        assert_eq!(heard_by.until("participant_left").await["payload"]["user_id"], json!(mara.id));
        let shown = noa.get(&site.at("workshop/current/")).await.expect(200);
        assert!(shown["participants"][1]["left_at"].is_string());
        let again = Socket::workshop(served.address, &site.project, &mara).await;
        let shown = noa.get(&site.at("workshop/current/")).await.expect(200);
        assert_eq!(shown["participants"].as_array().unwrap().len(), 3);
        assert_eq!(shown["participants"][1]["left_at"], Value::Null);
        drop(again);
        served.stop().await;
    }

    async fn nobody_floods_a_workshop(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = site.person("mara", 100).await;
        site.owner.post(&site.at("workshop/start/"), json!({})).await.expect(201);
        let served = app.serve().await;
        let mut heard_by = Socket::workshop(served.address, &site.project, &site.owner).await;
        let mut said_by = Socket::workshop(served.address, &site.project, &mara).await;
        let path = format!("/ws/v1/projects/{}/workshop/?ticket={}", site.project, ticket(&mara).await);
        let mut also_by = Socket::at(served.address, &path).await;
        // Whoever takes part by two connections may not say twice as much.
        for place in 0..100 {
            said_by.say(json!({"type": "cursor_move", "x": place, "y": 0})).await;
            also_by.say(json!({"type": "cursor_move", "x": place, "y": 1})).await;
        }
        let heard = heard_by.rest().await.iter().filter(|told| told["event_type"] == "cursor_move").count();
        assert!((60..=120).contains(&heard), "{heard} of 200 messages were passed on");
        served.stop().await;
    }

    async fn a_workshop_that_is_over_lets_everybody_go(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = site.person("mara", 100).await;
        let served = app.serve().await;
        let mut board = Socket::board(served.address, &site.project, &mara).await;
        let begun = site.owner.post(&site.at("workshop/start/"), json!({})).await.expect(201);
        let session = json!({"session_id": begun["id"]});
        assert_eq!(board.until("workshop_started").await["payload"], session);
        let mut workshop = Socket::workshop(served.address, &site.project, &mara).await;
        site.owner.post(&site.at("workshop/end/"), json!({})).await.expect(200);
        assert_eq!(board.until("workshop_ended").await["payload"], session);
        assert_eq!(workshop.code().await, Some(4004));
        let path = format!("/ws/v1/projects/{}/workshop/?ticket={}", site.project, ticket(&mara).await);
        assert_eq!(Socket::at(served.address, &path).await.code().await, Some(4004));
        served.stop().await;
    }
}
