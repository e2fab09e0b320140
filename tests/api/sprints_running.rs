//! Sprints that begin, take in work, close and are cancelled.

use planwright_testkit::{Answer, both_engines};
use serde_json::{Value, json};

use crate::site::{Site, ids};
use crate::sprints::{sprint_path, two_weeks};

impl Site<'_> {
    /// A planned sprint of two weeks; returns its id.
    pub async fn plan_sprint(&self, name: &str) -> String {
        self.owner.post(&self.at("sprints/"), two_weeks(name)).await.expect(201).id()
    }

    /// An action on a sprint as the owner.
    pub async fn act(&self, sprint: &str, action: &str, body: Value) -> Answer {
        self.owner.post(&format!("{}{action}/", sprint_path(sprint)), body).await
    }

    /// A running sprint of two weeks that holds tasks with these points; returns its id and theirs.
    pub async fn running(&self, name: &str, points: &[i64]) -> (String, Vec<String>) {
        let sprint = self.plan_sprint(name).await;
        let mut tasks = Vec::new();
        for (at, points) in points.iter().enumerate() {
            let request = json!({"name": format!("{name} {at}"), "sprint": sprint, "story_points": points});
            tasks.push(self.create(request).await.id());
        }
        self.act(&sprint, "activate", json!({})).await.expect(200);
        (sprint, tasks)
    }

    /// A sprint as the owner sees it.
    pub async fn read_sprint(&self, sprint: &str) -> Answer {
        self.owner.get(&sprint_path(sprint)).await.expect(200)
    }
}

both_engines! {
    async fn a_sprint_that_begins_promises_what_it_holds_and_only_one_runs_at_a_time(app: &TestApp) {
        let site = Site::new(app).await;
        let sprint = site.plan_sprint("First").await;
        let second = site.create(json!({"name": "B", "sprint": sprint, "story_points": 5, "priority_rank": 2})).await.id();
        let first = site.create(json!({"name": "A", "sprint": sprint, "story_points": 3, "priority_rank": 1})).await.id();
        site.create(json!({"name": "Elsewhere", "story_points": 8})).await;
        site.hush().await;
        let begun = site.act(&sprint, "activate", json!({})).await.expect(200);
        assert_eq!((&begun["state"], &begun["committed_points"], &begun["committed_task_count"]), (&json!("ACTIVE"), &json!(8), &json!(2)));
        assert!(begun["activated_at"].is_string() && begun["warnings"] == json!([]), "{}", begun.text);
        assert_eq!((&site.read(&first).await["sprint_rank"], &site.read(&second).await["sprint_rank"]), (&json!(1), &json!(2)));
        assert_eq!(site.payloads("sprint_activated").await, [json!({"id": sprint})]);
        let hook = site.payloads("sprint.activated").await;
        assert_eq!((&hook[0]["committed_points"], &hook[0]["state"]), (&json!(8), &json!("ACTIVE")));
        let other = site.plan_sprint("Second").await;
        let refused = site.act(&other, "activate", json!({})).await.expect(409);
        assert_eq!(refused["conflicting_sprint_id"], json!(sprint));
        site.act(&sprint, "activate", json!({})).await.expect(400);
        site.owner.delete(&sprint_path(&sprint)).await.expect(400);
    }

    async fn work_that_comes_into_a_running_sprint_waits_for_a_decision(app: &TestApp) {
        let site = Site::new(app).await;
        let (sprint, _) = site.running("First", &[3]).await;
        site.hush().await;
        let late = site.create(json!({"name": "Late", "story_points": 5})).await.id();
        let linked = site.change(&late, json!({"sprint": sprint})).await;
        assert_eq!((&linked["sprint_pending"], &linked["sprint_scope_changes"][0]["status"]), (&json!(true), &json!("pending")));
        assert_eq!(site.payloads("sprint_scope_changed").await, [json!({"sprint_id": sprint, "task_id": late})]);
        let held = site.read_sprint(&sprint).await;
        assert_eq!((&held["pending_count"], &held["committed_points"]), (&json!(1), &json!(3)));
        let listed = site.owner.get(&format!("{}scope-changes/", sprint_path(&sprint))).await.expect(200);
        assert_eq!((&listed["summary"]["total"], &listed["events"][0]["item_name"]), (&json!(1), &json!("Late")));
        let left = site.change(&late, json!({"sprint": null})).await;
        assert_eq!((&left["sprint_pending"], &left["sprint"]), (&json!(false), &Value::Null));
        let listed = site.owner.get(&format!("{}scope-changes/", sprint_path(&sprint))).await.expect(200);
        assert_eq!(listed["events"][0]["status"], "rejected");
    }

    async fn every_way_of_writing_tasks_notes_what_comes_into_a_running_sprint(app: &TestApp) {
        let site = Site::new(app).await;
        let (sprint, _) = site.running("First", &[]).await;
        let put = site.task("Put", 1).await;
        let batched = site.task("Batched", 1).await;
        site.owner.put(&crate::site::task_path(&put), json!({"name": "Put", "project": site.project, "sprint": sprint})).await.expect(200);
        let operations = json!({"operations": [
            {"op": "update", "id": batched, "data": {"sprint": sprint}},
            {"op": "create", "data": {"name": "Made", "sprint": sprint}},
        ]});
        site.bulk(operations).await;
        site.create(json!({"name": "Created", "sprint": sprint})).await;
        let listed = site.owner.get(&format!("{}scope-changes/", sprint_path(&sprint))).await.expect(200);
        assert_eq!(listed["summary"]["total"], 4, "{}", listed.text);
        let pending = site.tasks().await.iter().filter(|task| task["sprint_pending"] == true).count();
        assert_eq!(pending, 4);
    }

    async fn a_subtask_of_a_promised_task_is_noted_and_does_not_wait(app: &TestApp) {
        let site = Site::new(app).await;
        let (sprint, tasks) = site.running("First", &[3]).await;
        let request = json!({"name": "Part", "parent_id": tasks[0], "is_subtask": true});
        let part = site.create(request).await;
        assert_eq!((&part["sprint_pending"], &part["sprint"]), (&json!(false), &Value::Null));
        let listed = site.owner.get(&format!("{}scope-changes/", sprint_path(&sprint))).await.expect(200);
        assert_eq!((&listed["summary"]["total"], &listed["events"][0]["item_name"]), (&json!(1), &json!("Part")));
    }

    async fn accepted_work_belongs_to_the_sprint_and_rejected_work_leaves_it(app: &TestApp) {
        let site = Site::new(app).await;
        let (sprint, _) = site.running("First", &[3]).await;
        let mut late = Vec::new();
        for name in ["A", "B", "C"] {
            late.push(site.create(json!({"name": name, "sprint": sprint, "story_points": 2})).await.id());
        }
        let all = format!("{}scope-changes/", sprint_path(&sprint));
        let waiting = ids(&site.owner.get(&all).await.expect(200)["events"]);
        site.hush().await;
        let one = site.owner.post(&format!("/api/v1/scope-changes/{}/accept/", waiting[2]), json!({"goal_impact": "None"})).await.expect(200);
        assert_eq!((&one["status"], &one["pending_count"], &one["task"]), (&json!("accepted"), &json!(2), &json!(late[0])));
        assert_eq!(site.payloads("sprint_scope_changed").await, [json!({"sprint_id": sprint, "task_id": late[0]})]);
        let hooks = site.payloads("sprint.scope_changed").await;
        assert_eq!((&hooks[0]["task"], &hooks[0]["status"], &hooks[0]["goal_impact"]), (&json!(late[0]), &json!("accepted"), &json!("None")));
        site.hush().await;
        let some = site.owner.post(&format!("{all}reject/"), json!({"ids": [waiting[1]]})).await.expect(200);
        assert_eq!((&some["rejected"][0]["task"], &some["pending_count"]), (&json!(late[1]), &json!(1)));
        assert_eq!(site.payloads("sprint.scope_changed").await, [] as [Value; 0], "a rejection is no news for others");
        assert_eq!(site.read(&late[1]).await["sprint"], Value::Null);
        let rest = site.owner.post(&format!("{all}accept/"), json!({})).await.expect(200);
        assert_eq!((rest["accepted"].as_array().unwrap().len(), &rest["pending_count"]), (1, &json!(0)));
        let again = site.owner.post(&format!("{all}accept/"), json!({"ids": waiting})).await.expect(200);
        assert_eq!(again["accepted"].as_array().unwrap().len(), 2, "what was rejected stays rejected");
        site.owner.post(&format!("{all}accept/"), json!({"ids": [sprint]})).await.expect(400);
        assert_eq!(site.read(&late[0]).await["sprint_pending"], false);
        assert_eq!(site.read_sprint(&sprint).await["pending_count"], 0);
    }

    async fn only_managers_and_those_with_a_facet_decide_on_scope(app: &TestApp) {
        let site = Site::new(app).await;
        let (sprint, _) = site.running("First", &[]).await;
        let member = site.person("mara", 100).await;
        let scheduler = site.person("rolf", 200).await;
        site.create(json!({"name": "Late", "sprint": sprint})).await;
        let accept = format!("{}scope-changes/accept/", sprint_path(&sprint));
        for person in [&member, &scheduler] {
            let refused = person.post(&accept, json!({})).await.expect(403);
            assert_eq!(refused["code"], "scope_accept_forbidden");
        }
        site.give_facet(&member, json!({"is_product_owner": true})).await;
        member.post(&accept, json!({})).await.expect(200);
    }

    async fn a_sprint_closes_with_what_is_done_and_sends_the_rest_on(app: &TestApp) {
        let site = Site::new(app).await;
        let (sprint, tasks) = site.running("First", &[3, 5, 2]).await;
        let next = site.plan_sprint("Second").await;
        site.change(&tasks[0], json!({"status": "COMPLETE"})).await;
        site.change(&tasks[1], json!({"status": "IN_PROGRESS"})).await;
        site.hush().await;
        let answer = site.act(&sprint, "close", json!({"carry_over_to": next})).await.expect(202);
        assert_eq!((&answer["queued"], answer["request_id"].is_string()), (&json!(true), true));
        let names = site.announced_names().await;
        for event in ["sprint_closed", "sprint.closed", "tasks_bulk_mutated", "task.updated"] {
            assert!(names.iter().any(|name| name == event), "{event} is missing in {names:?}");
        }
        assert!(!names.iter().any(|name| name == "task_updated"), "the board hears of all at once");
        let hook = site.payloads("sprint.closed").await;
        assert_eq!((&hook[0]["velocity_suppressed"], &hook[0]["completed_points"]), (&json!(true), &Value::Null));
        let closed = site.read_sprint(&sprint).await;
        assert_eq!((&closed["state"], &closed["goal_outcome"]), (&json!("COMPLETED"), &json!("MISSED")));
        assert_eq!(closed["completed_points"], Value::Null, "the owner does not see the velocity of the team");
        let member = site.person("mara", 100).await;
        let seen = member.get(&sprint_path(&sprint)).await.expect(200);
        assert_eq!((&seen["completed_points"], &seen["completion_ratio_points"]), (&json!(3), &json!(0.3)));
        let carried = site.read(&tasks[1]).await;
        assert_eq!((&carried["sprint"], &carried["status"], &carried["sprint_rank"]), (&json!(next), &json!("IN_PROGRESS"), &Value::Null));
        assert_eq!((&carried["sprint_pending"], &carried["server_version"]), (&json!(false), &json!(3)));
        let done = site.read(&tasks[0]).await;
        assert_eq!((&done["sprint"], &done["sprint_rank"]), (&json!(sprint), &Value::Null));
        let frozen = site.refuse(&tasks[0], json!({"status": "IN_PROGRESS"})).await;
        assert!(frozen["status"].is_array(), "{}", frozen.text);
        let late = site.refuse(&tasks[2], json!({"sprint": sprint})).await;
        assert!(late["sprint"].is_array(), "{}", late.text);
        let request = site.owner.get(&format!("{}close-request/", sprint_path(&sprint))).await.expect(200);
        assert_eq!((&request["status"], &request["terminal"]), (&json!("completed"), &json!(true)));
        site.owner.get(&format!("{}close-request/", sprint_path(&next))).await.expect(404);
        site.act(&sprint, "close", json!({})).await.expect(400);
        let history = site.owner.get(&site.at(&format!("tasks/{}/history/", tasks[1]))).await.expect(200);
        assert!(history.text.contains("sprint"), "{}", history.text);
    }

    async fn unfinished_tasks_go_to_the_backlog_unless_they_are_sent_elsewhere(app: &TestApp) {
        let site = Site::new(app).await;
        let (sprint, tasks) = site.running("First", &[3]).await;
        site.act(&sprint, "close", json!({"carry_over_to": "later"})).await.expect(400);
        site.act(&sprint, "close", json!({"carry_over_to": sprint})).await.expect(400);
        site.act(&sprint, "close", json!({})).await.expect(202);
        let task = site.read(&tasks[0]).await;
        assert_eq!((&task["sprint"], &task["status"]), (&Value::Null, &json!("BACKLOG")));
        let (other, tasks) = site.running("Second", &[3]).await;
        site.act(&other, "close", json!({"carry_over_to": "none"})).await.expect(202);
        let task = site.read(&tasks[0]).await;
        assert_eq!((&task["sprint"], &task["status"]), (&json!(other), &json!("NOT_STARTED")));
    }

    async fn a_verdict_that_a_person_gave_is_kept_at_the_close(app: &TestApp) {
        let site = Site::new(app).await;
        let (sprint, _) = site.running("First", &[3]).await;
        site.owner.patch(&sprint_path(&sprint), json!({"goal_outcome": "MET"})).await.expect(200);
        site.act(&sprint, "close", json!({})).await.expect(202);
        assert_eq!(site.read_sprint(&sprint).await["goal_outcome"], "MET");
    }

    async fn undecided_work_is_carried_or_rejected_and_never_left_waiting(app: &TestApp) {
        let site = Site::new(app).await;
        let (sprint, _) = site.running("First", &[3]).await;
        let late = site.create(json!({"name": "Late", "sprint": sprint, "story_points": 5})).await.id();
        let done = site.create(json!({"name": "Done", "sprint": sprint, "story_points": 8})).await.id();
        site.change(&done, json!({"status": "COMPLETE"})).await;
        let next = site.plan_sprint("Second").await;
        let member = site.person("mara", 100).await;
        let close = format!("{}close/", sprint_path(&sprint));
        let refused = member.post(&close, json!({"pending_disposition": "reject"})).await.expect(403);
        assert_eq!(refused["code"], "scope_accept_forbidden");
        let answer = member.post(&close, json!({"carry_over_to": next})).await.expect(202);
        assert_eq!((&answer["scope_pending_on_close"]["pending_count"], &answer["scope_pending_on_close"]["code"]), (&json!(2), &json!("scope_pending_on_close")));
        let seen = member.get(&sprint_path(&sprint)).await.expect(200);
        assert_eq!((&seen["completed_points"], &seen["pending_count"]), (&json!(0), &json!(0)), "what nobody accepted does not count");
        let task = site.read(&late).await;
        assert_eq!((&task["sprint"], &task["sprint_pending"]), (&json!(next), &json!(true)));
        let statuses: Vec<&str> = task["sprint_scope_changes"].as_array().unwrap().iter().map(|row| row["status"].as_str().unwrap()).collect();
        assert_eq!(statuses, ["rejected", "pending"]);
        let begun = site.act(&next, "activate", json!({})).await.expect(200);
        assert_eq!(begun["committed_points"], 3, "what waits is not promised");
        let answer = site.act(&next, "close", json!({"pending_disposition": "reject", "carry_over_to": "none"})).await.expect(202);
        assert_eq!(answer["scope_pending_on_close"]["pending_count"], 1);
        let task = site.read(&late).await;
        assert_eq!((&task["sprint"], &task["sprint_pending"]), (&Value::Null, &json!(false)));
    }

    async fn work_that_was_done_before_a_sprint_began_is_neither_promised_nor_completed(app: &TestApp) {
        let site = Site::new(app).await;
        let sprint = site.plan_sprint("First").await;
        let old = site.create(json!({"name": "Old", "story_points": 5})).await.id();
        site.change(&old, json!({"status": "COMPLETE", "actual_start": "2025-12-01", "actual_finish": "2025-12-02", "sprint": sprint})).await;
        site.create(json!({"name": "New", "story_points": 3, "sprint": sprint})).await;
        let begun = site.act(&sprint, "activate", json!({})).await.expect(200);
        assert_eq!((&begun["committed_points"], &begun["committed_task_count"]), (&json!(3), &json!(1)));
        site.act(&sprint, "close", json!({})).await.expect(202);
        let member = site.person("mara", 100).await;
        assert_eq!(member.get(&sprint_path(&sprint)).await.expect(200)["completed_points"], 0);
    }

    async fn a_planned_or_running_sprint_can_be_cancelled(app: &TestApp) {
        let site = Site::new(app).await;
        let planned = site.plan_sprint("Never").await;
        let task = site.create(json!({"name": "A", "sprint": planned})).await.id();
        site.hush().await;
        let cancelled = site.act(&planned, "cancel", json!({})).await.expect(200);
        assert_eq!(cancelled["state"], "CANCELLED");
        assert_eq!(site.payloads("sprint_cancelled").await, [json!({"id": planned})]);
        assert_eq!(site.read(&task).await["sprint"], json!(planned));
        site.act(&planned, "cancel", json!({})).await.expect(400);
        site.owner.delete(&sprint_path(&planned)).await.expect(204);
        let (running, tasks) = site.running("Stopped", &[3]).await;
        let next = site.plan_sprint("Next").await;
        site.act(&running, "cancel", json!({"carry_over_to": next})).await.expect(200);
        assert_eq!(site.read(&tasks[0]).await["sprint"], json!(next));
        site.act(&next, "activate", json!({})).await.expect(200);
    }

    async fn a_large_sprint_closes_at_once_and_tells_other_services_of_every_task(app: &TestApp) {
        let site = Site::new(app).await;
        let (sprint, _) = site.running("First", &[]).await;
        let next = site.plan_sprint("Second").await;
        let row = |at: usize| json!({"op": "create", "data": {"name": format!("T{at}"), "sprint": sprint, "story_points": 3}});
        site.bulk(json!({"operations": (0..500).map(row).collect::<Vec<Value>>()})).await;
        site.owner.post(&format!("{}scope-changes/accept/", sprint_path(&sprint)), json!({})).await.expect(200);
        site.hush().await;
        site.act(&sprint, "close", json!({"carry_over_to": next})).await.expect(202);
        assert_eq!(site.payloads("tasks_bulk_mutated").await[0]["task_ids"].as_array().unwrap().len(), 500);
        assert_eq!(site.payloads("task.updated").await.len(), 500);
    }
}
