//! Operator pages: jobs that failed for good, and the health of the parts.

use planwright_domain::Role;
use planwright_jobs::NewJob;
use planwright_jobs::queue::enqueue;
use planwright_testkit::{TestApp, both_engines};
use serde_json::{Value as Json, json};

const FAILED: &str = "/api/v1/admin/failed-tasks/";

/// Enqueues a job that no code is registered for, and lets it fail.
async fn fail(app: &TestApp, kind: &'static str) {
    let mut tx = app.app.db.begin().await.unwrap();
    enqueue(&mut tx, NewJob::new(kind, &json!({"number": 1, "reset_token": "x"})).unwrap()).await.unwrap();
    tx.commit().await.unwrap();
    app.run_jobs().await;
}

fn part<'a>(page: &'a Json, key: &str) -> &'a Json {
    page["components"].as_array().unwrap().iter().find(|part| part["key"] == key).unwrap()
}

both_engines! {
    async fn a_failed_job_is_shown_without_its_secrets_and_dropped_with_a_note(app: &TestApp) {
        let boss = app.person_ranked("boss", Role::ProjectManager).await;
        fail(app, "unheard_of").await;
        let list = boss.get(FAILED).await.expect(200);
        assert_eq!(list["count"], 1);
        let row = &list.results()[0];
        assert_eq!(row["task_name"], "unheard_of");
        assert_eq!(row["status"], "dead");
        assert_eq!(row["kwargs"], json!({"number": 1, "reset_token": "(withheld)"}));
        assert_eq!(row["exception_type"], "PermanentFailure");
        assert!(row["exception_message"].as_str().unwrap().contains("no code is registered"));
        assert_eq!((&row["failure_count"], &row["resolved_at"]), (&json!(1), &json!(null)));
        let path = format!("{FAILED}{}/", row["id"].as_str().unwrap());
        assert_eq!(boss.get(&path).await.expect(200).json, *row);
        boss.post(&format!("{path}drop/"), json!({"note": "x".repeat(1001)})).await.expect(400);
        let dropped = boss.post(&format!("{path}drop/"), json!({"note": "Nobody misses it"})).await.expect(200);
        assert_eq!(dropped["status"], "dismissed");
        assert_eq!(dropped["resolution_note"], "Nobody misses it");
        assert_eq!(dropped["resolved_by_display"], "boss");
        boss.post(&format!("{path}drop/"), json!({})).await.expect(400);
        boss.post(&format!("{path}requeue/"), json!({})).await.expect(400);
        boss.get(&format!("{FAILED}01890000-0000-7000-8000-000000000000/")).await.expect(404);
    }

    async fn a_requeued_job_runs_again_after_its_pause(app: &TestApp) {
        let admin = app.admin().await;
        fail(app, "unheard_of").await;
        let list = admin.get(FAILED).await.expect(200);
        let path = format!("{FAILED}{}/requeue/", list.results()[0]["id"].as_str().unwrap());
        admin.post(&path, json!({"backoff_seconds": 86_401})).await.expect(400);
        let waiting = admin.post(&path, json!({"backoff_seconds": 60})).await.expect(200);
        assert_eq!(waiting["status"], "pending_retry");
        let dead = format!("{FAILED}?status=dead");
        app.run_jobs().await;
        assert_eq!(admin.get(&dead).await.expect(200)["count"], 0);
        app.later(chrono::Duration::seconds(60));
        app.run_jobs().await;
        let again = admin.get(&dead).await.expect(200);
        assert_eq!(again["count"], 1);
        let path = format!("{FAILED}{}/requeue/", again.results()[0]["id"].as_str().unwrap());
        assert_eq!(admin.post(&path, json!({})).await.expect(200)["status"], "retried");
        app.run_jobs().await;
        let outcome = admin.post(&format!("{FAILED}drop-all/"), json!({})).await.expect(200);
        assert_eq!(outcome.json, json!({"processed": 1, "matched": 1, "capped": false}));
    }

    async fn all_that_match_are_settled_at_once_but_not_more_than_allowed(
        app: &TestApp, "SVC_FAILED_TASK_BULK_ACTION_MAX" = "2"
    ) {
        let admin = app.admin().await;
        for _ in 0..3 {
            fail(app, "first_kind").await;
        }
        fail(app, "second_kind").await;
        let some = admin.post(&format!("{FAILED}drop_all/?task_name=first_kind"), json!({"note": "n"})).await.expect(200);
        assert_eq!(some.json, json!({"processed": 2, "matched": 3, "capped": true}));
        let all = admin.post(&format!("{FAILED}requeue_all/"), json!({"backoff_seconds": 3600})).await.expect(200);
        assert_eq!(all.json, json!({"processed": 2, "matched": 2, "capped": false}));
        let none = admin.post(&format!("{FAILED}requeue-all/"), json!({})).await.expect(200);
        assert_eq!(none.json, json!({"processed": 0, "matched": 0, "capped": false}));
    }

    async fn failed_jobs_are_filtered_searched_and_paged(app: &TestApp) {
        let admin = app.admin().await;
        fail(app, "first_kind").await;
        app.later(chrono::Duration::hours(1));
        let mut admin = admin;
        admin.sign_in_again().await;
        fail(app, "second_kind").await;
        let count = async |query: &str| admin.get(&format!("{FAILED}?{query}")).await.expect(200)["count"].clone();
        assert_eq!(admin.get(FAILED).await.results()[0]["task_name"], "second_kind");
        assert_eq!(admin.get(&format!("{FAILED}?ordering=task_name")).await.results()[0]["task_name"], "first_kind");
        assert_eq!(count("task_name=first_kind").await, 1);
        assert_eq!(count("search=SECOND").await, 1);
        assert_eq!(count("failed_after=2026-01-05T08:30:00Z").await, 1);
        assert_eq!(count("failed_before=2026-01-05T08:30:00Z").await, 1);
        assert_eq!(count("status=retried").await, 0);
        admin.get(&format!("{FAILED}?status=lost")).await.expect(400);
        admin.get(&format!("{FAILED}?failed_after=yesterday")).await.expect(400);
        admin.get(&format!("{FAILED}?page=2")).await.expect(404);
        admin.post(&format!("{FAILED}drop-all/"), json!({})).await.expect(200);
    }

    async fn operator_pages_are_for_administrators(app: &TestApp) {
        let member = app.person("mara").await;
        for path in [FAILED, "/api/v1/health/system/", "/health/system/", "/api/v1/health/beat/"] {
            member.get(path).await.expect(403);
            app.anonymous().get(path).await.expect(401);
        }
        for path in ["requeue-all/", "requeue_all/", "drop-all/", "drop_all/"] {
            member.post(&format!("{FAILED}{path}"), json!({})).await.expect(403);
        }
    }

    async fn the_program_is_well_while_a_worker_is_alive(app: &TestApp) {
        let admin = app.admin().await;
        let silent = admin.get("/api/v1/health/beat/").await.expect(503);
        assert_eq!(silent.json, json!({"last_heartbeat": null, "stale": true, "seconds_since": null, "stale_threshold_seconds": 120}));
        assert_eq!(part(&admin.get("/health/system/").await.expect(503).json, "workers")["status"], "crit");
        app.run_jobs().await;
        assert_eq!(admin.get("/api/v1/health/beat/").await.expect(200)["stale"], false);
        let page = admin.get("/api/v1/health/system/").await.expect(200);
        let twin = admin.get("/health/system").await.expect(200);
        assert_eq!((&page["generated_at"], &page["beat"]), (&twin["generated_at"], &twin["beat"]));
        assert_eq!(part(&page.json, "database")["status"], "ok");
        assert!(part(&page.json, "database")["figures"]["size_bytes"].as_i64().unwrap() > 0);
        assert_eq!(part(&page.json, "migrations")["figures"]["migration_state"], "in_sync");
        assert_eq!(part(&page.json, "queue")["figures"]["depth"], 0);
        assert_eq!(page["security"]["rate_limiting_enabled"], true);
        let scheduled = page["scheduled_tasks"].as_array().unwrap();
        let sweep = scheduled.iter().find(|task| task["name"] == "forget_idempotency_keys").unwrap();
        assert_eq!((&sweep["overdue"], sweep["last_run_at"].is_string()), (&json!(false), true));
        assert_eq!((&sweep["task"], &sweep["cadence"], &sweep["category"]), (&sweep["name"], &json!("every hour"), &json!("maintenance")));
        assert!(part(&page.json, "database")["meta"].as_str().unwrap().starts_with("engine "));
        let kept = json!({"key": "idempotency_keys", "label": "Answers for idempotency keys", "unit": "hours", "value": 24, "disabled": false});
        assert_eq!(page["retention"][0], kept);
        let telemetry = &page["telemetry"];
        assert_eq!((&telemetry["enabled"], &telemetry["service_name"], &telemetry["live"]), (&json!(false), &json!("planwright"), &json!(true)));
        app.later(chrono::Duration::seconds(121));
        admin.get("/api/v1/health/beat/").await.expect(503);
        admin.get("/api/v1/health/system/").await.expect(503);
    }

    async fn the_health_page_counts_what_failed_and_names_the_commonest_cause(app: &TestApp) {
        let admin = app.admin().await;
        fail(app, "first_kind").await;
        fail(app, "second_kind").await;
        app.later(chrono::Duration::seconds(30));
        let page = admin.get("/api/v1/health/system/").await.expect(200);
        let dead = &page["dead_letter"];
        assert_eq!((&dead["parked"], &dead["oldest_age_seconds"]), (&json!(2), &json!(30)));
        assert!(dead["top_cause"].as_str().unwrap().contains("no code is registered"));
        assert_eq!(dead["by_status"], json!({"dead": 2, "dismissed": 0, "pending_retry": 0, "retried": 0}));
        assert_eq!(part(&page.json, "dead_letter")["status"], "warn");
        admin.post(&format!("{FAILED}drop-all/"), json!({})).await.expect(200);
    }
}
