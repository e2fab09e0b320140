//! Queued recalculations: asked for, read, cancelled, run again after a crash, forgotten.

use chrono::Duration;
use planwright_domain::Role;
use planwright_store::sql;
use planwright_testkit::{Answer, Person, both_engines};
use serde_json::{Value as Json, json};
use uuid::Uuid;

use crate::bridges::Bridges;

async fn ask(person: &Person<'_>, plan: &Bridges) -> String {
    let queued =
        person.post(&format!("/api/v1/projects/{}/schedule/", plan.project), json!({})).await.expect(202);
    assert_eq!(queued["queued"], true);
    queued["run"].as_str().unwrap().to_owned()
}

async fn run(person: &Person<'_>, id: &str) -> Answer {
    person.get(&format!("/api/v1/task-runs/{id}/")).await.expect(200)
}

async fn cancel(person: &Person<'_>, plan: &Bridges, id: &str) -> Answer {
    person.post(&format!("/api/v1/projects/{}/task-runs/{id}/cancel/", plan.project), json!({})).await
}

fn uuid(text: &str) -> Uuid {
    text.parse().unwrap()
}

both_engines! {
    async fn a_run_asked_for_by_hand_waits_runs_and_tells_what_came_of_it(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        let id = ask(&owner, &plan).await;
        let waiting = run(&owner, &id).await;
        assert_eq!(waiting["status"], "pending");
        assert_eq!(waiting["reason"], "manual");
        assert_eq!(waiting["initiated_by"], json!(owner.id));
        assert_eq!(waiting["started_at"], Json::Null);
        assert!(uuid(waiting["celery_task_id"].as_str().unwrap()).get_version_num() == 7);
        let active = owner.get("/api/v1/task-runs/active/").await.expect(200);
        assert_eq!(active["count"], 1);
        app.run_jobs().await;
        let done = run(&owner, &id).await;
        assert_eq!((done["status"].as_str(), done["progress_pct"].as_i64()), (Some("success"), Some(100)));
        assert_eq!(done["result_summary"]["project_finish"], "2026-01-14");
        assert_eq!(done["result_summary"]["critical_path"].as_array().unwrap().len(), 2);
        assert!(done["started_at"].is_string() && done["completed_at"].is_string());
        assert_eq!(owner.get("/api/v1/task-runs/active/").await.expect(200)["count"], 0);
        let below = format!("/api/v1/projects/{}/scheduler-runs/", plan.project);
        let listed = owner.get(&below).await.expect(200);
        assert_eq!(listed["results"][0]["initiated_by_username"], "owner");
        let one = owner.get(&format!("{below}{id}/")).await.expect(200);
        assert_eq!(one.json, listed["results"][0]);
    }

    async fn while_one_run_waits_another_wish_finds_it(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        let other = Bridges::of(app, &owner).await;
        let first = ask(&owner, &plan).await;
        assert_eq!(ask(&owner, &plan).await, first);
        assert_ne!(ask(&owner, &other).await, first);
        app.run_jobs().await;
        assert_ne!(ask(&owner, &plan).await, first);
        app.run_jobs().await;
        let all = owner.get(&format!("/api/v1/projects/{}/task-runs/", plan.project)).await.expect(200);
        assert_eq!(all["count"], 2);
    }

    async fn a_change_of_a_large_plan_is_a_run_with_its_reason(app: &TestApp, "SVC_INLINE_SCHEDULE_MAX_TASKS" = "1") {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        let path = format!("/api/v1/projects/{}/", plan.project);
        let before = owner.get(&format!("{path}task-runs/")).await.expect(200)["count"].as_i64().unwrap();
        app.later(Duration::seconds(1));
        owner.patch(&path, json!({"start_date": "2026-02-02"})).await.expect(200);
        let waiting = owner.get(&format!("{path}task-runs/?status=pending")).await.expect(200);
        assert_eq!(waiting["count"], 1);
        assert_eq!(waiting["results"][0]["initiated_by"], Json::Null);
        app.run_jobs().await;
        let after = owner.get(&format!("{path}scheduler-runs/?status=success&status=failed")).await.expect(200);
        assert_eq!(after["count"], before + 1);
        assert_eq!(after["results"][0]["result_summary"]["project_finish"], "2026-02-11");
    }

    async fn a_cancelled_run_is_told_of(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        let id = ask(&owner, &plan).await;
        cancel(&owner, &plan, &id).await.expect(202);
        let cancelled = app.told("task_run_").await;
        let expected = ["socket", "task_run_cancelled", plan.project.as_str()].map(str::to_owned);
        let [channel, name, project] = expected;
        assert_eq!(cancelled, [(channel, name, project, json!({"task_run_id": id}))]);
    }

    async fn a_cancelled_run_that_waits_never_begins(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        let id = ask(&owner, &plan).await;
        let stopped = cancel(&owner, &plan, &id).await.expect(202);
        assert_eq!(stopped["status"], "cancelled");
        app.run_jobs().await;
        let kept = run(&owner, &id).await;
        assert_eq!((kept["status"].as_str(), &kept["started_at"]), (Some("cancelled"), &Json::Null));
        let twice = cancel(&owner, &plan, &id).await.expect(409);
        assert_eq!(twice["code"], "run_not_active");
    }

    async fn a_run_that_is_told_to_stop_writes_no_dates(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        let id = ask(&owner, &plan).await;
        // The worker that began it died; the job is still there and will be taken by another one.
        app.write(sql!("UPDATE task_runs SET status = 'running' WHERE id = :id", id = uuid(&id))).await;
        app.write(sql!("UPDATE task_schedule SET early_start = NULL")).await;
        let asked = cancel(&owner, &plan, &id).await.expect(202);
        assert_eq!((asked["status"].as_str(), asked["progress_msg"].as_str()), (Some("running"), Some("Asked to stop")));
        app.run_jobs().await;
        assert_eq!(run(&owner, &id).await["status"], "cancelled");
        let task = owner.get(&format!("/api/v1/tasks/{}/", plan.task)).await.expect(200);
        assert_eq!(task["early_start"], Json::Null);
    }

    async fn a_run_whose_worker_died_is_run_again_by_its_job(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        let id = ask(&owner, &plan).await;
        app.write(sql!("UPDATE task_runs SET status = 'running' WHERE id = :id", id = uuid(&id))).await;
        app.run_jobs().await;
        assert_eq!(run(&owner, &id).await["status"], "success");
    }

    async fn a_run_waits_while_another_one_of_its_project_is_under_way(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        let first = ask(&owner, &plan).await;
        app.write(sql!("UPDATE task_runs SET status = 'running' WHERE id = :id", id = uuid(&first))).await;
        app.write(sql!("UPDATE jobs SET lease_until = '2026-01-05T08:05:00.000000Z', lease_owner = id
            WHERE kind = 'recalculate'")).await;
        let second = ask(&owner, &plan).await;
        assert_ne!(second, first);
        app.run_jobs().await;
        assert_eq!(run(&owner, &second).await["status"], "pending");
        app.later(Duration::minutes(10));
        let mut owner = owner;
        owner.sign_in_again().await;
        app.run_jobs().await;
        for id in [first, second] {
            assert_eq!(run(&owner, &id).await["status"], "success");
        }
    }

    async fn a_run_without_a_job_is_found_and_fails(app: &TestApp) {
        let mut owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        let viewer = app.person("viewer").await;
        plan.let_in(&owner, &viewer, Role::Viewer).await;
        let id = ask(&owner, &plan).await;
        app.write(sql!("DELETE FROM jobs WHERE kind = 'recalculate'")).await;
        app.later(Duration::hours(2));
        owner.sign_in_again().await;
        app.run_jobs().await;
        let failed = run(&owner, &id).await;
        assert_eq!(failed["status"], "failed");
        assert_eq!(failed["error_detail"], "Its job ended without a result.");
        let mut viewer = viewer;
        viewer.sign_in_again().await;
        assert_eq!(run(&viewer, &id).await["error_detail"], "The recalculation failed.");
    }

    async fn a_run_that_fails_keeps_why_and_can_be_tried_again(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        let id = ask(&owner, &plan).await;
        app.write(sql!("UPDATE tasks SET type = 'riddle' WHERE name = 'Survey'")).await;
        app.run_jobs().await;
        let failed = run(&owner, &id).await;
        assert_eq!((failed["status"].as_str(), failed["progress_msg"].as_str()), (Some("failed"), Some("Failed")));
        assert!(failed["error_detail"].as_str().unwrap().contains("riddle"), "{}", failed.text);
        assert!(failed["completed_at"].is_string());
        app.write(sql!("UPDATE tasks SET type = 'task' WHERE name = 'Survey'")).await;
        let dead = app.app.db.scalar(sql!("SELECT id FROM failed_jobs")).await.unwrap().unwrap();
        let mut tx = app.app.db.begin().await.unwrap();
        assert!(planwright_jobs::dead::requeue(&mut tx, dead, owner.id, Duration::zero()).await.unwrap());
        tx.commit().await.unwrap();
        app.run_jobs().await;
        let done = run(&owner, &id).await;
        assert_eq!((done["status"].as_str(), done["error_detail"].as_str()), (Some("success"), Some("")));
    }

    async fn a_run_that_is_cancelled_while_it_is_taken_ends_one_way_only(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        for _ in 0..5 {
            let id = ask(&owner, &plan).await;
            let (_, answer) = tokio::join!(app.run_jobs(), cancel(&owner, &plan, &id));
            let expected = match answer.status {
                202 => "cancelled",
                409 => "success",
                _ => panic!("{}", answer.text),
            };
            assert_eq!(run(&owner, &id).await["status"], expected);
        }
    }

    async fn runs_are_forgotten_after_thirty_days(app: &TestApp) {
        let mut owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        let id = ask(&owner, &plan).await;
        app.run_jobs().await;
        app.later(Duration::days(29));
        app.run_jobs().await;
        owner.sign_in_again().await;
        run(&owner, &id).await;
        app.later(Duration::days(2));
        app.run_jobs().await;
        owner.sign_in_again().await;
        owner.get(&format!("/api/v1/task-runs/{id}/")).await.expect(404);
    }

    async fn only_members_see_runs_and_only_who_manages_cancels_them(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        let (viewer, scheduler, outsider) =
            (app.person("viewer").await, app.person("scheduler").await, app.person("outsider").await);
        plan.let_in(&owner, &viewer, Role::Viewer).await;
        plan.let_in(&owner, &scheduler, Role::ResourceManager).await;
        let other = Bridges::of(app, &owner).await;
        viewer.post(&format!("/api/v1/projects/{}/schedule/", plan.project), json!({})).await.expect(403);
        let id = ask(&scheduler, &plan).await;
        assert_eq!(run(&viewer, &id).await["status"], "pending");
        outsider.get(&format!("/api/v1/task-runs/{id}/")).await.expect(404);
        assert_eq!(outsider.get("/api/v1/task-runs/").await.expect(200)["count"], 0);
        cancel(&scheduler, &plan, &id).await.expect(403);
        cancel(&owner, &other, &id).await.expect(404);
        cancel(&owner, &plan, &id).await.expect(202);
    }

    async fn runs_are_filtered_by_where_they_stand_and_when_they_began(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        ask(&owner, &plan).await;
        app.run_jobs().await;
        let below = format!("/api/v1/projects/{}/scheduler-runs/", plan.project);
        let count = async |query: &str| owner.get(&format!("{below}?{query}")).await.expect(200)["count"].clone();
        assert_eq!(count("status=success").await, 1);
        assert_eq!(count("status=pending&status=running").await, 0);
        assert_eq!(count("started_after=2026-01-05T00:00:00Z&ordering=-created_at").await, 1);
        assert_eq!(count("started_before=2026-01-05T00:00:00Z").await, 0);
        owner.get(&format!("{below}?status=gone")).await.expect(400);
        owner.get(&format!("{below}?ordering=status")).await.expect(400);
    }
}
