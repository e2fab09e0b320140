//! What is sent to subscriptions: bodies, signatures and numbers, repetitions, and receivers that misbehave.
//! Who may keep subscriptions is tested in `webhooks.rs`.

use std::time::{Duration as Wait, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Duration, Utc};
use planwright_domain::ids::ProjectId;
use planwright_store::{Read, sql};
use planwright_testkit::{Person, TestApp, both_engines};
use ring::hmac;
use serde_json::{Value as Json, json};

use crate::bridges::Bridges;
use crate::receiver::{Mood, Received, Receiver};

const SECRET: &str = "a secret of more than thirty-two characters";

/// A project with a subscription to one of its receivers.
struct Subscribed {
    project: ProjectId,
    /// The path of the subscription.
    path: String,
}

impl Subscribed {
    async fn to(app: &TestApp, owner: &Person<'_>, receiver: &Receiver, wish: Json) -> Self {
        let project = app.project(owner, "Bridge").await;
        app.run_jobs().await;
        let path = subscribe(owner, project, receiver, wish).await;
        Self { project, path }
    }

    async fn deliveries(&self, reader: &Person<'_>) -> Vec<Json> {
        let page = reader.get(&format!("{}deliveries/?page_size=200", self.path)).await.expect(200);
        page.results().clone()
    }
}

async fn subscribe(owner: &Person<'_>, project: ProjectId, receiver: &Receiver, wish: Json) -> String {
    let mut body = json!({"url": receiver.url(), "secret": SECRET, "events": ["task.created"]});
    for (field, value) in wish.as_object().into_iter().flatten() {
        body[field] = value.clone();
    }
    let all = format!("/api/v1/projects/{project}/webhooks/");
    format!("{all}{}/", owner.post(&all, body).await.expect(201).id())
}

async fn add_task(person: &Person<'_>, project: ProjectId, name: &str) -> String {
    let body = json!({"project": project, "name": name, "duration": 1});
    person.post("/api/v1/tasks/", body).await.expect(201).id()
}

fn mac(key: &[u8], text: &[u8]) -> Vec<u8> {
    hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), text).as_ref().to_vec()
}

fn is_signed(received: &Received, secret: &str) -> bool {
    let digits: String = mac(secret.as_bytes(), &received.body).iter().map(|byte| format!("{byte:02x}")).collect();
    received.header("x-svc-signature") == format!("sha256={digits}")
}

fn sequences(received: &[Received]) -> Vec<i64> {
    let mut sequences: Vec<i64> = received.iter().map(Received::sequence).collect();
    sequences.sort_unstable();
    sequences
}

/// Lets the longest pause between two attempts pass, and runs what is due then.
async fn let_the_pause_pass(app: &TestApp) {
    app.later(Duration::seconds(530));
    app.run_jobs().await;
}

/// Takes the dead letters away, which a test that made some on purpose may not leave behind.
async fn drop_the_dead(app: &TestApp) -> i64 {
    let admin = app.admin().await;
    let dropped = admin.post("/api/v1/admin/failed-tasks/drop-all/", json!({})).await.expect(200);
    dropped["processed"].as_i64().unwrap()
}

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
        let wish = json!({"url": of_program.url(), "secret": SECRET, "events": ["task.created"]});
        owner.post(&format!("/api/v1/programs/{}/webhooks/", plan.program), wish).await.expect(201);
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

    async fn a_delivery_is_tried_six_times_fails_and_is_sent_again_on_request(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let mut mara = app.person("mara").await;
        let receiver = Receiver::that(Mood::Answers(500)).await;
        let hook = Subscribed::to(app, &mara, &receiver, json!({})).await;
        add_task(&mara, hook.project, "Survey").await;
        app.run_jobs().await;
        for (attempts, pause) in [(1, 30), (2, 60), (3, 120), (4, 240), (5, 480)] {
            assert_eq!(receiver.received().len(), attempts);
            app.later(Duration::seconds(pause) - Duration::milliseconds(1));
            app.run_jobs().await;
            assert_eq!(receiver.received().len(), attempts, "before {pause} s are over");
            app.later(Duration::milliseconds(pause * 100 + 1));
            app.run_jobs().await;
        }
        let_the_pause_pass(app).await;
        let received = receiver.received();
        assert_eq!(received.len(), 6);
        assert!(received.iter().all(|one| one.body == received[0].body && is_signed(one, SECRET)));
        assert!(received.iter().all(|one| one.header("x-svc-delivery") == received[0].header("x-svc-delivery")));
        mara.sign_in_again();
        let failed = hook.deliveries(&mara).await.remove(0);
        assert_eq!((&failed["status"], &failed["attempt_count"]), (&json!("failed"), &json!(6)));
        assert_eq!(failed["response_status"], 500);
        let shown = mara.get(&hook.path).await.expect(200);
        assert_eq!((&shown["consecutive_failures"], &shown["is_active"]), (&json!(1), &json!(true)));
        assert_eq!(shown["last_failure_reason"], "The receiver answered 500.");
        let letters = app.person_ranked("operator", planwright_domain::Role::Owner).await
            .get("/api/v1/admin/failed-tasks/").await.expect(200);
        assert_eq!(letters.results()[0]["task_name"], "deliver_webhook");
        assert_eq!(drop_the_dead(app).await, 1);
        receiver.becomes(Mood::Answers(200));
        let id = failed["id"].as_str().unwrap();
        let again = mara.post(&format!("{}deliveries/{id}/redeliver/", hook.path), json!({})).await.expect(202);
        assert_eq!((&again["status"], &again["attempt_count"]), (&json!("pending"), &json!(0)));
        app.run_jobs().await;
        let seventh = receiver.received().pop().unwrap();
        assert_eq!((seventh.header("x-svc-delivery"), seventh.sequence()), (id, 1));
        assert_eq!(seventh.body, received[0].body);
        assert_eq!(hook.deliveries(&mara).await[0]["status"], "success");
        assert_eq!(mara.get(&hook.path).await.expect(200)["consecutive_failures"], 0);
        let nowhere = format!("{}deliveries/{}/redeliver/", hook.path, crate::served::NOWHERE);
        mara.post(&nowhere, json!({})).await.expect(404);
    }

    async fn a_dead_letter_that_is_put_back_sends_its_delivery_again(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let mara = app.person("mara").await;
        let receiver = Receiver::that(Mood::Answers(404)).await;
        let hook = Subscribed::to(app, &mara, &receiver, json!({})).await;
        add_task(&mara, hook.project, "Survey").await;
        app.run_jobs().await;
        for _ in 0..5 {
            let_the_pause_pass(app).await;
        }
        receiver.becomes(Mood::Answers(200));
        let admin = app.admin().await;
        let requeued = admin.post("/api/v1/admin/failed-tasks/requeue-all/", json!({})).await.expect(200);
        assert_eq!(requeued["processed"], 1);
        app.run_jobs().await;
        assert_eq!(receiver.received().len(), 7);
        assert_eq!(sequences(&receiver.received()), [1; 7]);
    }

    async fn whatever_a_receiver_does_but_take_it_is_a_failure(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1", "SVC_WEBHOOK_TIMEOUT_SECONDS" = "1") {
        let mara = app.person("mara").await;
        let bystander = Receiver::willing().await;
        let receiver = Receiver::that(Mood::ClosesEarly).await;
        let hook = Subscribed::to(app, &mara, &receiver, json!({})).await;
        let moods = [
            (Mood::ClosesEarly, Json::Null),
            (Mood::Resets, Json::Null),
            (Mood::Hangs, Json::Null),
            (Mood::Redirects(bystander.url()), json!(302)),
            (Mood::Answers(503), json!(503)),
            (Mood::Answers(410), json!(410)),
        ];
        for (place, (mood, status)) in moods.into_iter().enumerate() {
            receiver.becomes(mood.clone());
            add_task(&mara, hook.project, "Survey").await;
            app.run_jobs().await;
            assert_eq!(receiver.received().len(), place + 1, "{mood:?}");
            let newest = hook.deliveries(&mara).await.remove(0);
            assert_eq!((&newest["status"], &newest["response_status"]), (&json!("pending"), &status), "{mood:?}");
            assert_eq!(newest["attempt_count"], 1, "{mood:?}");
        }
        assert_eq!(bystander.received().len(), 0, "a redirect is not followed");
        receiver.becomes(Mood::Answers(200));
        app.later(Duration::seconds(33));
        app.run_jobs().await;
        assert!(hook.deliveries(&mara).await.iter().all(|delivery| delivery["status"] == "success"));
    }

    async fn a_receiver_that_hangs_delays_nobody_else(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1", "SVC_WEBHOOK_TIMEOUT_SECONDS" = "4") {
        let mara = app.person("mara").await;
        let (slow, quick) = (Receiver::that(Mood::Hangs).await, Receiver::willing().await);
        let hook = Subscribed::to(app, &mara, &slow, json!({})).await;
        subscribe(&mara, hook.project, &quick, json!({})).await;
        for place in 0..12 {
            add_task(&mara, hook.project, &format!("Task {place}")).await;
        }
        let (all_ended, quick_has_all) = tokio::join!(
            async {
                app.run_jobs().await;
                Instant::now()
            },
            async {
                while quick.received().len() < 12 {
                    tokio::time::sleep(Wait::from_millis(5)).await;
                }
                Instant::now()
            }
        );
        assert!(all_ended - quick_has_all > Wait::from_secs(2), "the quick one had to wait");
        assert_eq!(sequences(&quick.received()), (1..=12).collect::<Vec<i64>>());
        slow.becomes(Mood::Answers(200));
        app.later(Duration::seconds(33));
        app.run_jobs().await;
        assert!(hook.deliveries(&mara).await.iter().all(|delivery| delivery["status"] == "success"));
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
        mara.sign_in_again();
        assert_eq!(hook.deliveries(&mara).await.len(), 2);
        app.later(Duration::days(2));
        app.run_jobs().await;
        mara.sign_in_again();
        assert_eq!(hook.deliveries(&mara).await.len(), 0);
        add_task(&mara, hook.project, "Pour").await;
        app.run_jobs().await;
        assert_eq!(sequences(&receiver.received()), [1, 2, 3]);
    }

    async fn a_sender_that_dies_is_replaced_and_sends_twice_under_one_number(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let mara = app.person("mara").await;
        let receiver = Receiver::willing().await;
        let hook = Subscribed::to(app, &mara, &receiver, json!({})).await;
        add_task(&mara, hook.project, "Survey").await;
        app.run_jobs().await;
        // As the row looks when its sender died between sending and writing that it did.
        let mut tx = app.app.db.begin().await.unwrap();
        let died = "UPDATE webhook_deliveries SET status = 'pending', completed_at = NULL, attempt_count = 0,
            lease_owner = :other, due_at = :until";
        let until: DateTime<Utc> = app.clock.now() + Duration::seconds(40);
        tx.run(sql!(died, other = app.clock.mint::<uuid::Uuid>(), until = until)).await.unwrap();
        tx.commit().await.unwrap();
        app.run_jobs().await;
        assert_eq!(receiver.received().len(), 1, "somebody else has it");
        app.later(Duration::seconds(41));
        app.run_jobs().await;
        let received = receiver.received();
        assert_eq!(sequences(&received), [1, 1]);
        assert_eq!(received[0].header("x-svc-delivery"), received[1].header("x-svc-delivery"));
        assert_eq!(received[0].body, received[1].body);
        assert_eq!(hook.deliveries(&mara).await[0]["status"], "success");
    }

    async fn a_name_that_leads_elsewhere_by_now_is_not_called(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let mara = app.person("mara").await;
        let receiver = Receiver::willing().await;
        let hook = Subscribed::to(app, &mara, &receiver, json!({})).await;
        // As when a name led to a public address while it was saved.
        let mut tx = app.app.db.begin().await.unwrap();
        tx.run(sql!("UPDATE webhooks SET url = :url", url = receiver.url_by_name())).await.unwrap();
        tx.commit().await.unwrap();
        add_task(&mara, hook.project, "Survey").await;
        app.run_jobs().await;
        assert_eq!(receiver.received().len(), 0);
        let delivery = hook.deliveries(&mara).await.remove(0);
        assert_eq!((&delivery["status"], &delivery["response_status"]), (&json!("pending"), &Json::Null));
        assert_eq!(delivery["attempt_count"], 1);
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

    async fn a_subscription_that_nobody_answers_is_switched_off_until_somebody_switches_it_on(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let mut mara = app.person("mara").await;
        let receiver = Receiver::that(Mood::Answers(500)).await;
        let hook = Subscribed::to(app, &mara, &receiver, json!({})).await;
        let begun = app.clock.now();
        for name in ["A", "B", "C", "D", "E"] {
            add_task(&mara, hook.project, name).await;
        }
        app.run_jobs().await;
        for _ in 0..5 {
            let_the_pause_pass(app).await;
        }
        assert_eq!(receiver.received().len(), 30);
        mara.sign_in_again();
        let off = mara.get(&hook.path).await.expect(200);
        assert_eq!((&off["is_active"], &off["consecutive_failures"]), (&json!(false), &json!(5)));
        assert!(off["disabled_at"].is_string() && off["disabled_reason"] != "");
        add_task(&mara, hook.project, "F").await;
        app.run_jobs().await;
        assert_eq!(hook.deliveries(&mara).await.len(), 5, "while it is off nothing is written for it");
        let redeliver = format!("{}deliveries/redeliver/", hook.path);
        mara.post(&redeliver, json!({"since": begun})).await.expect(409);
        receiver.becomes(Mood::Answers(200));
        let on = mara.patch(&hook.path, json!({"is_active": true})).await.expect(200);
        assert_eq!((&on["consecutive_failures"], &on["disabled_at"]), (&json!(0), &Json::Null));
        let later = begun + Duration::hours(1);
        assert_eq!(mara.post(&redeliver, json!({"since": later})).await.expect(202)["redelivered"], 0);
        assert_eq!(mara.post(&redeliver, json!({"since": begun})).await.expect(202)["redelivered"], 5);
        app.run_jobs().await;
        assert_eq!(receiver.received().len(), 35);
        assert!(hook.deliveries(&mara).await.iter().all(|delivery| delivery["status"] == "success"));
        assert_eq!(drop_the_dead(app).await, 5);
    }

    async fn what_waits_while_a_subscription_is_paused_fails_and_a_deleted_one_is_sent_nothing(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let mara = app.person("mara").await;
        let receiver = Receiver::that(Mood::Answers(500)).await;
        let hook = Subscribed::to(app, &mara, &receiver, json!({})).await;
        let gone = subscribe(&mara, hook.project, &receiver, json!({})).await;
        add_task(&mara, hook.project, "Survey").await;
        app.run_jobs().await;
        assert_eq!(receiver.received().len(), 2);
        mara.patch(&hook.path, json!({"is_active": false})).await.expect(200);
        mara.delete(&gone).await.expect(204);
        app.later(Duration::seconds(33));
        app.run_jobs().await;
        assert_eq!(receiver.received().len(), 2);
        let failed = hook.deliveries(&mara).await.remove(0);
        assert_eq!((&failed["status"], &failed["attempt_count"]), (&json!("failed"), &json!(1)));
        let left = app.app.db.count(sql!("SELECT COUNT(*) FROM webhook_deliveries")).await.unwrap();
        assert_eq!(left, 1);
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
