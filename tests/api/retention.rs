//! How long rows are kept: policies, what they would delete, runs by hand and by the clock. And figures for Prometheus.

use chrono::Duration;
use planwright_domain::Role;
use planwright_testkit::{Answer, Person, both_engines};
use serde_json::{Value, json};

use crate::site::{Site, text};

const RETENTION: &str = "/api/v1/health/retention/";

const NOTIFICATIONS: &str = "SVC_NOTIFICATION_RETENTION_DAYS";

fn policy(answer: &Answer, key: &str) -> Value {
    answer["policies"].as_array().unwrap().iter().find(|row| row["key"] == key).unwrap().clone()
}

both_engines! {
    async fn a_policy_is_changed_thought_of_counted_and_run(app: &TestApp) {
        let site = Site::new(app).await;
        site.task("Dig", 3).await;
        let mut admin = app.person_ranked("boss", Role::ProjectManager).await;
        app.person("mara").await.get(RETENTION).await.expect(403);
        let before = admin.get(RETENTION).await.expect(200);
        let history = policy(&before, "HISTORY_RETENTION_DAYS");
        assert_eq!((&history["value"], &history["enabled"], text(&history["unit"])), (&json!(90), &json!(false), "days"));
        let rows = history["row_count"].as_i64().unwrap();
        assert!(rows > 0);
        let wrong = json!({"policies": [{"key": "HISTORY_RETENTION_DAYS", "value": 0, "enabled": true}]});
        admin.patch(RETENTION, wrong).await.expect(400);
        admin.patch(RETENTION, json!({"schedule": {"time_of_day_utc": "noon"}})).await.expect(400);
        let wanted = json!({"policies": [{"key": "HISTORY_RETENTION_DAYS", "value": 5, "enabled": true}],
            "schedule": {"frequency": "off"}});
        let after = admin.patch(RETENTION, wanted).await.expect(200);
        assert_eq!(policy(&after, "HISTORY_RETENTION_DAYS")["value"], 5);
        assert_eq!(after["schedule"]["frequency"], "off");
        app.later(Duration::days(6));
        admin.sign_in_again().await;
        let impact = format!("{RETENTION}impact/?key=HISTORY_RETENTION_DAYS&value=");
        assert!(admin.get(&format!("{impact}5")).await.expect(200)["eligible_rows"].as_i64().unwrap() >= rows);
        assert_eq!(admin.get(&format!("{impact}7")).await.expect(200)["eligible_rows"], 0);
        admin.get(&format!("{RETENTION}impact/")).await.expect(400);
        let runs = format!("{RETENTION}runs/");
        admin.post(&runs, json!({"dry_run": true})).await.expect(202);
        admin.post(&runs, json!({})).await.expect(409);
        app.run_jobs().await;
        let counted = admin.get(RETENTION).await.expect(200);
        let run = &counted["runs"][0];
        assert_eq!((text(&run["trigger"]), text(&run["state"])), ("dry_run", "ok"), "{run}");
        assert!(run["tables"]["HISTORY_RETENTION_DAYS"].as_i64().unwrap() >= rows);
        assert!(policy(&counted, "HISTORY_RETENTION_DAYS")["row_count"].as_i64().unwrap() >= rows, "nothing is gone");
        admin.post(&runs, json!({})).await.expect(202);
        app.run_jobs().await;
        let done = admin.get(RETENTION).await.expect(200);
        assert_eq!(text(&done["runs"][0]["state"]), "ok");
        assert!(policy(&done, "HISTORY_RETENTION_DAYS")["row_count"].as_i64().unwrap() < rows);
    }

    async fn a_run_begins_by_the_clock_and_takes_projects_out_of_the_trash(app: &TestApp) {
        let site = Site::new(app).await;
        let mut admin = app.person_ranked("boss", Role::ProjectManager).await;
        site.owner.delete(&site.at("")).await.expect(204);
        let wanted = json!({"policies": [{"key": "SVC_PROJECT_SOFT_DELETE_RETENTION_DAYS", "value": 2, "enabled": true}],
            "schedule": {"frequency": "daily", "time_of_day_utc": "07:00:00"}});
        admin.patch(RETENTION, wanted).await.expect(200);
        app.run_jobs().await;
        app.later(Duration::days(3));
        app.run_jobs().await;
        app.run_jobs().await;
        admin.sign_in_again().await;
        let state = admin.get(RETENTION).await.expect(200);
        assert_eq!(text(&state["runs"][0]["trigger"]), "scheduled", "{}", state.text);
        assert_eq!(state["runs"][0]["tables"]["SVC_PROJECT_SOFT_DELETE_RETENTION_DAYS"], 1);
        let mut owner = app.known(site.owner.id, "ona");
        owner.sign_in_again().await;
        owner.post(&site.at("restore/"), json!({})).await.expect(404);
    }

    async fn figures_of_failed_jobs_and_mail_are_for_prometheus(app: &TestApp) {
        let admin = app.person_ranked("boss", Role::ProjectManager).await;
        crate::mail::send(app, "nobody", "Hello", "Good morning.").await;
        let waiting = admin.get("/api/v1/health/email/").await.expect(200);
        assert!(waiting.text.contains("planwright_mail_waiting 1\n"), "{}", waiting.text);
        app.run_jobs().await;
        let email = admin.get("/api/v1/health/email/").await.expect(200);
        assert!(email.text.contains("planwright_mail_failed 1\n"), "{}", email.text);
        let dead = admin.get("/api/v1/health/dead-letter/").await.expect(200);
        assert!(dead.text.contains("planwright_failed_jobs{status=\"dead\"} 1\n"), "{}", dead.text);
        assert!(dead.header("content-type").starts_with("text/plain; version=0.0.4"));
        app.person("mara").await.get("/api/v1/health/email/").await.expect(403);
        admin.post("/api/v1/admin/failed-tasks/drop-all/", json!({})).await.expect(200);
    }

    async fn an_answer_to_a_batch_is_kept_as_long_as_the_policy_says(app: &TestApp) {
        const BATCHES: &str = "SVC_SYNC_BATCH_RETENTION_HOURS";
        let site = Site::new(app).await;
        let mut admin = app.person_ranked("boss", Role::ProjectManager).await;
        let batch = json!({"client_batch_id": "0197a000-0000-7000-8000-000000000001",
            "changes": {"tasks": {"created": [{"id": "0197a000-0000-7000-8000-000000000002", "name": "Dig"}]}}});
        site.owner.post(&site.at("sync/"), batch.clone()).await.expect(200);
        let wanted = json!({"policies": [{"key": BATCHES, "value": 2, "enabled": true}], "schedule": {"frequency": "off"}});
        assert_eq!(policy(&admin.patch(RETENTION, wanted).await.expect(200), BATCHES)["row_count"], 1);
        let runs = format!("{RETENTION}runs/");
        let deleted = async |admin: &Person<'_>| {
            admin.post(&runs, json!({})).await.expect(202);
            app.run_jobs().await;
            admin.get(RETENTION).await.expect(200)["runs"][0]["tables"][BATCHES].clone()
        };
        assert_eq!(deleted(&admin).await, 0);
        assert_eq!(site.owner.post(&site.at("sync/"), batch).await.expect(200).header("idempotent-replay"), "true");
        app.later(Duration::hours(3));
        admin.sign_in_again().await;
        assert_eq!(deleted(&admin).await, 1);
    }

    async fn old_notifications_are_deleted_and_new_ones_stay(app: &TestApp) {
        let site = Site::new(app).await;
        let mut admin = app.person_ranked("boss", Role::ProjectManager).await;
        let mut mara = site.person("mara", 100).await;
        let task = site.task("Dig", 1).await;
        site.change(&task, json!({"assignee": mara.id})).await;
        site.hush().await;
        let usual = policy(&admin.get(RETENTION).await.expect(200), NOTIFICATIONS);
        assert_eq!((&usual["value"], &usual["enabled"], &usual["row_count"]), (&json!(365), &json!(true), &json!(1)));
        app.later(Duration::days(40));
        admin.sign_in_again().await;
        let mut owner = site.owner;
        owner.sign_in_again().await;
        let comments = format!("/api/v1/projects/{}/tasks/{task}/comments/", site.project);
        owner.post(&comments, json!({"body": "@mara"})).await.expect(201);
        app.run_jobs().await;
        let wanted = json!({"policies": [{"key": NOTIFICATIONS, "value": 30, "enabled": true}], "schedule": {"frequency": "off"}});
        admin.patch(RETENTION, wanted).await.expect(200);
        admin.post(&format!("{RETENTION}runs/"), json!({})).await.expect(202);
        app.run_jobs().await;
        let done = admin.get(RETENTION).await.expect(200);
        assert_eq!(done["runs"][0]["tables"][NOTIFICATIONS], 1, "{}", done.text);
        mara.sign_in_again().await;
        let left = mara.get("/api/v1/me/notifications/").await.expect(200);
        assert_eq!((left.results().len(), text(&left.results()[0]["event_type"])), (1, "mention_individual"));
    }
}
