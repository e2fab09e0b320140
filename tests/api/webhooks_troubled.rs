//! Receivers that do not take what they are sent, senders that die, and how deliveries are repeated.
//! What arrives when all is well is in `webhooks_sent.rs`.

use std::time::{Duration as Wait, Instant};

use chrono::{DateTime, Duration, Utc};
use planwright_store::sql;
use planwright_testkit::{TestApp, both_engines};
use serde_json::{Value as Json, json};

use crate::receiver::{Mood, Receiver};
use crate::subscribed::{SECRET, Subscribed, add_task, is_signed, sequences, subscribe};

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
    async fn a_delivery_is_tried_six_times_fails_and_is_sent_again_on_request(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let mut mara = app.person("mara").await;
        let receiver = Receiver::that(Mood::Answers(500)).await;
        let hook = Subscribed::to(app, &mara, &receiver, json!({})).await;
        add_task(&mara, hook.project, "Survey").await;
        app.run_jobs().await;
        let first = mara.get(&hook.path).await.expect(200);
        assert_eq!(
            (&first["last_failure_reason"], first["last_failure_at"].is_string(), &first["consecutive_failures"]),
            (&json!("The receiver answered 500."), true, &json!(0)),
            "the first attempt says why"
        );
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
        mara.sign_in_again().await;
        let failed = hook.deliveries(&mara).await.remove(0);
        assert_eq!(failed["failure_reason"], "The receiver answered 500.");
        assert!(failed["last_attempt_at"].is_string(), "{failed}");
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
        let arrived = hook.deliveries(&mara).await.remove(0);
        assert_eq!((&arrived["status"], &arrived["failure_reason"]), (&json!("success"), &Json::Null));
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
        mara.sign_in_again().await;
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
}
