//! The timer of a person: start, stop, what is logged of it, and two starts at once.

use chrono::Duration;
use futures_util::future::join_all;
use planwright_store::sql;
use planwright_testkit::both_engines;
use serde_json::json;

use crate::site::Site;
use crate::time_entries::log;

const TIMER: &str = "/api/v1/me/timer/";
const START: &str = "/api/v1/me/timer/start";
const STOP: &str = "/api/v1/me/timer/stop";

both_engines! {
    async fn a_timer_is_started_watched_and_stopped(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("Survey", 3).await;
        let mut mara = site.person("mara", 100).await;
        assert_eq!(mara.get(TIMER).await.expect(200).json, json!({"active": false}));
        assert!(mara.post(STOP, json!({})).await.expect(409)["detail"].is_string());
        let started = mara.post(START, json!({"task": task, "note": "Pegs"})).await.expect(201);
        assert_eq!(started["finalized_entry"], json!(null));
        assert_eq!((&started["active_timer"]["active"], &started["active_timer"]["elapsed_seconds"]), (&json!(true), &json!(0)));
        app.later(Duration::seconds(150));
        mara.sign_in_again().await;
        let seen = mara.get(TIMER).await.expect(200);
        assert_eq!(
            (&seen["task"], &seen["task_name"], &seen["project"], &seen["elapsed_seconds"], &seen["stale"], &seen["note"]),
            (&json!(task), &json!("Survey"), &json!(site.project), &json!(150), &json!(false), &json!("Pegs"))
        );
        let entry = mara.post(STOP, json!({})).await.expect(201);
        assert_eq!(
            (&entry["minutes"], &entry["source"], &entry["note"], &entry["entry_date"]),
            (&json!(3), &json!("timer"), &json!("Pegs"), &json!("2026-01-05"))
        );
        mara.post(STOP, json!({})).await.expect(409);
        assert_eq!(mara.get(&log(&task)).await.expect(200)["results"], json!([entry.json]));
    }

    async fn a_second_start_stops_and_logs_the_first(app: &TestApp) {
        let site = Site::new(app).await;
        let (dig, pour) = (site.task("Dig", 3).await, site.task("Pour", 3).await);
        let mut mara = site.person("mara", 100).await;
        mara.post(START, json!({"task": dig})).await.expect(201);
        app.later(Duration::minutes(20));
        mara.sign_in_again().await;
        let second = mara.post(START, json!({"task": pour})).await.expect(201);
        let logged = &second["finalized_entry"];
        assert_eq!((&logged["task"], &logged["minutes"], &logged["source"]), (&json!(dig), &json!(20), &json!("timer")));
        assert_eq!(mara.get(TIMER).await.expect(200)["task"], json!(pour));
    }

    async fn a_forgotten_timer_is_stale_and_logs_no_more_than_it_may_run(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("Survey", 3).await;
        let mut mara = site.person("mara", 100).await;
        mara.post(START, json!({"task": task})).await.expect(201);
        app.later(Duration::minutes(599));
        mara.sign_in_again().await;
        assert_eq!(mara.get(TIMER).await.expect(200)["stale"], false);
        app.later(Duration::days(90));
        mara.sign_in_again().await;
        assert_eq!(mara.get(TIMER).await.expect(200)["stale"], true);
        let entry = mara.post(STOP, json!({})).await.expect(201);
        assert_eq!((&entry["minutes"], &entry["entry_date"]), (&json!(600), &json!("2026-01-05")), "the day on which it began");
    }

    async fn how_long_a_timer_may_run_is_a_setting(app: &TestApp, "TIMETRACKING_TIMER_MAX_MINUTES" = "2") {
        let site = Site::new(app).await;
        let task = site.task("Survey", 3).await;
        let mut mara = site.person("mara", 100).await;
        mara.post(START, json!({"task": task})).await.expect(201);
        app.later(Duration::minutes(3));
        mara.sign_in_again().await;
        assert_eq!(mara.get(TIMER).await.expect(200)["stale"], true);
        assert_eq!(mara.post(STOP, json!({})).await.expect(201)["minutes"], 2);
    }

    async fn a_refused_start_leaves_the_running_timer_alone(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("Survey", 3).await;
        let phase = site.task("Build", 3).await;
        site.under(&phase, "Dig", 3).await;
        let (mara, vera, otto) = (site.person("mara", 100).await, site.person("vera", 1).await, app.person("otto").await);
        let started = mara.post(START, json!({"task": task})).await.expect(201);
        let refused = mara.post(START, json!({"task": phase})).await.expect(400);
        assert_eq!(refused["code"], "time_log_on_phase");
        mara.post(START, json!({})).await.expect(400);
        mara.post(START, json!({"task": task, "note": "x".repeat(501)})).await.expect(400);
        assert_eq!(mara.get(TIMER).await.expect(200)["id"], started["active_timer"]["id"]);
        vera.post(START, json!({"task": task})).await.expect(403);
        let foreign = otto.post(START, json!({"task": task})).await.expect(400);
        let absent = otto.post(START, json!({"task": mara.id})).await.expect(400);
        assert_eq!(foreign.text, absent.text);
    }

    async fn starts_at_once_on_two_nodes_leave_one_timer(app: &TestApp) {
        let site = Site::new(app).await;
        let (dig, pour) = (site.task("Dig", 3).await, site.task("Pour", 3).await);
        let mara = site.person("mara", 100).await;
        let node = app.another_node(&[]).await;
        let there = node.known(mara.id, "mara");
        for round in 1..=5 {
            let starts = [
                mara.post(START, json!({"task": dig})), there.post(START, json!({"task": pour})),
                mara.post(START, json!({"task": pour})), there.post(START, json!({"task": dig})),
            ];
            let answers: Vec<_> = join_all(starts).await.into_iter().map(|answer| answer.expect(201)).collect();
            let first = answers.iter().filter(|answer| answer["finalized_entry"].is_null()).count();
            assert_eq!(first, usize::from(round == 1), "each start but the very first stops another");
            let running = sql!("SELECT COUNT(*) FROM timers");
            assert_eq!(app.app.db.count(running).await.unwrap(), 1);
            let entries = sql!("SELECT COUNT(*) FROM time_entries");
            assert_eq!(app.app.db.count(entries).await.unwrap(), round * 4 - 1);
        }
        let stops = join_all([mara.post(STOP, json!({})), there.post(STOP, json!({}))]).await;
        let mut statuses: Vec<u16> = stops.iter().map(|answer| answer.status).collect();
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 409]);
    }
}
