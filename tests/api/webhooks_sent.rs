//! What is sent to subscriptions: bodies, signatures and numbers.
//! Receivers that do not take it are in `webhooks_troubled.rs`, and who may keep subscriptions in `webhooks.rs`.

use std::time::Duration as Wait;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::Duration;
use planwright_domain::ids::ProjectId;
use planwright_testkit::both_engines;
use serde_json::json;

use crate::bridges::Bridges;
use crate::receiver::{Mood, Receiver};
use crate::subscribed::{SECRET, Subscribed, add_task, is_signed, mac, sequences, subscribe};

both_engines! {
    async fn an_event_is_delivered_with_its_number_and_its_signatures(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let mara = app.person("mara").await;
        let receiver = Receiver::willing().await;
        let hook = Subscribed::to(app, &mara, &receiver, json!({})).await;
        let task = add_task(&mara, hook.project, "Survey & <soil>").await;
        app.run_jobs().await;
        let received = receiver.received();
        assert_eq!(received.len(), 1);
        let first = &received[0];
        assert_eq!(first.path, "/hook?team=7");
        assert_eq!(first.header("x-svc-event"), "task.created");
        assert_eq!(first.header("x-svc-webhook-sequence"), "1");
        assert_eq!(first.header("content-type"), "application/json");
        assert!(is_signed(first, SECRET));
        let dated = format!("{}.{}", app.clock.now().timestamp(), String::from_utf8_lossy(&first.body));
        let digits: String = mac(SECRET.as_bytes(), dated.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        let expected = format!("t={},v1={digits}", app.clock.now().timestamp());
        assert_eq!(first.header("x-svc-signature-v2"), expected);
        let body = first.json();
        assert_eq!((&body["id"], &body["name"]), (&json!(task), &json!("Survey & <soil>")));
        assert_eq!(body["_meta"], json!({"sequence": 1}));
        let told = format!("{}.{}.{}", first.header("webhook-id"), first.header("webhook-timestamp"),
            String::from_utf8_lossy(&first.body));
        let expected = format!("v1,{}", STANDARD.encode(mac(SECRET.as_bytes(), told.as_bytes())));
        assert_eq!(first.header("webhook-signature"), expected);
        assert_eq!(first.header("webhook-timestamp"), app.clock.now().timestamp().to_string());
        let deliveries = hook.deliveries(&mara).await;
        assert_eq!(deliveries.len(), 1);
        let delivery = &deliveries[0];
        assert_eq!(delivery["id"], first.header("x-svc-delivery"));
        assert_eq!(delivery["id"], first.header("webhook-id"));
        assert_eq!(delivery["payload"], body);
        assert_eq!((&delivery["status"], &delivery["response_status"]), (&json!("success"), &json!(204)));
        assert_eq!((&delivery["sequence_number"], &delivery["attempt_count"]), (&json!(1), &json!(1)));
        assert_eq!(delivery["event_type"], "task.created");
        assert!(delivery["completed_at"].is_string());
    }

    async fn a_rotated_secret_signs_from_then_on_and_the_prefix_is_a_setting(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1", "SVC_IDENTIFIER_PREFIX" = "acme") {
        let mara = app.person("mara").await;
        let receiver = Receiver::willing().await;
        let hook = Subscribed::to(app, &mara, &receiver, json!({})).await;
        let other = "another secret, of more than thirty-two characters";
        mara.patch(&hook.path, json!({"secret": other})).await.expect(200);
        add_task(&mara, hook.project, "Survey").await;
        app.run_jobs().await;
        let received = receiver.received();
        let digits: String = mac(other.as_bytes(), &received[0].body).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(received[0].header("x-acme-signature"), format!("sha256={digits}"));
        assert_eq!(received[0].header("x-acme-event"), "task.created");
        assert_eq!(received[0].header("x-svc-event"), "");
    }

    async fn a_chat_message_has_one_attachment_and_its_number(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let mara = app.person("mara").await;
        let receiver = Receiver::willing().await;
        let hook = Subscribed::to(app, &mara, &receiver, json!({"format": "slack"})).await;
        add_task(&mara, hook.project, "Survey").await;
        app.run_jobs().await;
        let received = receiver.received();
        let body = received[0].json();
        assert_eq!(body["text"], "*Task created* — Survey");
        assert_eq!(body["attachments"].as_array().map(Vec::len), Some(1));
        assert_eq!(body["_meta"]["sequence"], 1);
        assert!(is_signed(&received[0], SECRET));
    }

    async fn only_what_was_asked_for_is_delivered_and_nothing_while_paused(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let mara = app.person("mara").await;
        let (picky, curious) = (Receiver::willing().await, Receiver::willing().await);
        let hook = Subscribed::to(app, &mara, &picky, json!({"events": ["task.deleted"]})).await;
        let all = subscribe(&mara, hook.project, &curious, json!({"events": ["task.created", "task.updated"]})).await;
        let task = add_task(&mara, hook.project, "Survey").await;
        mara.patch(&all, json!({"is_active": false})).await.expect(200);
        app.run_jobs().await;
        mara.patch(&format!("/api/v1/tasks/{task}/"), json!({"name": "Soil survey"})).await.expect(200);
        app.run_jobs().await;
        mara.patch(&all, json!({"is_active": true})).await.expect(200);
        mara.delete(&format!("/api/v1/tasks/{task}/")).await.expect(204);
        app.run_jobs().await;
        assert_eq!(curious.received().len(), 0, "it was paused when its events were handed out");
        let received = picky.received();
        assert_eq!(received.len(), 1);
        assert_eq!((received[0].header("x-svc-event"), received[0].sequence()), ("task.deleted", 1));
    }

    async fn a_program_hears_of_its_projects_once_and_numbers_are_its_own(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        app.run_jobs().await;
        let (of_project, of_program) = (Receiver::willing().await, Receiver::willing().await);
        let project: ProjectId = plan.project.parse().unwrap();
        subscribe(&owner, project, &of_project, json!({"events": ["task.updated", "task.created"]})).await;
        let request = json!({"url": of_program.url(), "secret": SECRET, "events": ["task.created"]});
        owner.post(&format!("/api/v1/programs/{}/webhooks/", plan.program), request).await.expect(201);
        owner.patch(&format!("/api/v1/tasks/{}/", plan.task), json!({"name": "Soil survey"})).await.expect(200);
        add_task(&owner, project, "Pour").await;
        let elsewhere = app.project(&owner, "Tunnel").await;
        add_task(&owner, elsewhere, "Dig").await;
        app.run_jobs().await;
        assert_eq!(sequences(&of_project.received()), [1, 2]);
        let heard = of_program.received();
        assert_eq!(heard.len(), 1);
        assert_eq!((heard[0].sequence(), &heard[0].json()["name"]), (1, &json!("Pour")));
    }

    async fn numbers_have_no_gap_when_many_write_at_once(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let mara = app.person("mara").await;
        let receiver = Receiver::that(Mood::Dawdles(Wait::from_millis(3))).await;
        let hook = Subscribed::to(app, &mara, &receiver, json!({})).await;
        let other = app.project(&mara, "Tunnel").await;
        let write = async |project: ProjectId| {
            for place in 0..8 {
                add_task(&mara, project, &format!("Task {place}")).await;
                app.run_jobs().await;
            }
        };
        let test = async {
            for _ in 0..8 {
                mara.post(&format!("{}test/", hook.path), json!({})).await.expect(202);
            }
        };
        tokio::join!(write(hook.project), write(hook.project), write(other), test, app.run_jobs());
        app.run_jobs().await;
        let expected: Vec<i64> = (1..=24).collect();
        let received = receiver.received();
        assert_eq!(sequences(&received), expected);
        assert!(received.iter().all(|one| one.json()["_meta"]["sequence"] == one.sequence()));
        let listed: Vec<i64> =
            hook.deliveries(&mara).await.iter().map(|row| row["sequence_number"].as_i64().unwrap()).collect();
        assert_eq!(listed, expected.into_iter().rev().collect::<Vec<i64>>(), "newest first");
    }

    async fn numbers_go_on_when_old_deliveries_are_forgotten(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let mut mara = app.person("mara").await;
        let receiver = Receiver::willing().await;
        let hook = Subscribed::to(app, &mara, &receiver, json!({})).await;
        for name in ["Survey", "Drawing"] {
            add_task(&mara, hook.project, name).await;
        }
        app.run_jobs().await;
        app.later(Duration::days(6));
        app.run_jobs().await;
        mara.sign_in_again().await;
        assert_eq!(hook.deliveries(&mara).await.len(), 2);
        app.later(Duration::days(2));
        app.run_jobs().await;
        mara.sign_in_again().await;
        assert_eq!(hook.deliveries(&mara).await.len(), 0);
        add_task(&mara, hook.project, "Pour").await;
        app.run_jobs().await;
        assert_eq!(sequences(&receiver.received()), [1, 2, 3]);
    }

    async fn a_test_delivery_takes_a_number_like_any_other(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let mara = app.person("mara").await;
        let receiver = Receiver::willing().await;
        let hook = Subscribed::to(app, &mara, &receiver, json!({})).await;
        let asked = mara.post(&format!("{}test/", hook.path), json!({})).await.expect(202);
        app.run_jobs().await;
        let received = receiver.received();
        assert_eq!(asked["delivery_id"], received[0].header("x-svc-delivery"));
        assert_eq!(received[0].header("x-svc-event"), "ping");
        let id = hook.path.trim_end_matches('/').rsplit('/').next().unwrap();
        assert_eq!(received[0].json(), json!({"event": "ping", "webhook_id": id, "_meta": {"sequence": 1}}));
        add_task(&mara, hook.project, "Survey").await;
        app.run_jobs().await;
        assert_eq!(sequences(&receiver.received()), [1, 2]);
    }

    async fn deliveries_are_walked_by_cursor(app: &TestApp, "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let mara = app.person("mara").await;
        let receiver = Receiver::willing().await;
        let hook = Subscribed::to(app, &mara, &receiver, json!({})).await;
        for place in 0..5 {
            add_task(&mara, hook.project, &format!("Task {place}")).await;
        }
        app.run_jobs().await;
        let mut path = format!("{}deliveries/?page_size=2", hook.path);
        let mut seen = Vec::new();
        loop {
            let page = mara.get(&path).await.expect(200);
            assert!(page.json.get("count").is_none());
            seen.extend(page.results().iter().map(|row| row["sequence_number"].as_i64().unwrap()));
            if seen.len() == 2 {
                add_task(&mara, hook.project, "Meanwhile").await;
                app.run_jobs().await;
            }
            match page["next"].as_str() {
                Some(next) => path = next.trim_start_matches("http://test.local").to_owned(),
                None => break,
            }
        }
        assert_eq!(seen, [5, 4, 3, 2, 1]);
        mara.get(&format!("{}deliveries/?cursor=x", hook.path)).await.expect(400);
    }
}
