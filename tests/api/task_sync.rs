//! Tasks that machines push with a token of the project or its program: by key, with their words for statuses, for people who
//! may not be there yet.

use planwright_testkit::{Person, both_engines};
use serde_json::{Value, json};

use crate::site::{Site, TASKS, task_path, text};

/// A machine with a token of the project.
pub(crate) async fn machine<'a>(site: &Site<'a>, more: Value) -> Person<'a> {
    let mut asked = json!({"name": "CI"});
    asked.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
    let minted = site.owner.post(&site.at("api-tokens/"), asked).await.expect(201);
    site.app.anonymous().with_token(text(&minted["token"]))
}

fn issue(key: &str, more: Value) -> Value {
    let mut body = json!({"source": "jira", "external_id": key});
    body.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
    body
}

both_engines! {
    async fn a_task_is_made_by_its_key_and_changed_by_it(app: &TestApp) {
        let site = Site::new(app).await;
        let machine = machine(&site, json!({"status_map": {"Shipped": "COMPLETE"}})).await;
        let path = site.at("task-sync/");
        let full = issue("A-1", json!({"name": "Pump", "description": "Loud", "status": "in progress",
            "story_points": 5, "external_url": "https://jira.example.org/browse/A-1"}));
        let made = machine.post(&path, full).await.expect(201);
        assert_eq!((&made["created"], &made["assignee_resolved"]), (&json!(true), &json!(false)));
        let id = text(&made["task_id"]).to_owned();
        let task = site.read(&id).await;
        assert_eq!((text(&task["name"]), text(&task["status"])), ("Pump", "IN_PROGRESS"));
        assert_eq!((text(&task["notes"]), &task["story_points"]), ("Loud", &json!(5)));
        assert_eq!(made["short_id"], task["short_id"]);
        site.hush().await;
        let again = machine.post(&path, issue("A-1", json!({"status": "shipped"}))).await.expect(200);
        assert_eq!((&again["created"], text(&again["task_id"])), (&json!(false), id.as_str()));
        let told = site.payloads("task.updated").await;
        assert_eq!((text(&told[0]["source"]), text(&told[0]["status"])), ("jira", "COMPLETE"));
        assert_eq!(told[0]["short_id"], made["short_id"], "what machines push is told with its number");
        let audit = site.owner.get(&site.at("api-token-audit/")).await.expect(200);
        let used = audit.results().iter().filter(|line| line["action"] == "used").count();
        assert_eq!(used, 1, "a token is noted once a day: {}", audit.text);
        let task = site.read(&id).await;
        assert_eq!((text(&task["status"]), text(&task["name"])), ("COMPLETE", "Pump"), "what is not said stays");
        site.hush().await;
        machine.post(&path, issue("A-1", json!({"status": "shipped"}))).await.expect(200);
        assert!(site.announced().await.is_empty(), "the same once more changes nothing");
        assert_eq!(site.read(&id).await["server_version"], task["server_version"]);
        let other = json!({"source": "gitlab", "external_id": "A-1"});
        let other = machine.post(&path, other).await.expect(201);
        let named = site.read(text(&other["task_id"])).await;
        assert_eq!((text(&named["name"]), text(&named["status"])), ("A-1", "BACKLOG"), "a key of another system");
        let history = site.owner.get(&site.at("history/?entity=task")).await.expect(200);
        assert!(history.text.contains("ona"), "who minted the token did it");
        site.owner.delete(&task_path(&id)).await.expect(204);
        machine.post(&path, issue("A-1", json!({}))).await.expect(201);
    }

    async fn machines_of_one_person_have_idempotency_keys_of_their_own(app: &TestApp) {
        let site = Site::new(app).await;
        let (first, second) = (machine(&site, json!({})).await, machine(&site, json!({"name": "Nightly"})).await);
        let [first, second] = [first, second].map(|machine| machine.with_header("idempotency-key", "run-1"));
        let path = site.at("task-sync/");
        first.post(&path, issue("A-1", json!({}))).await.expect(201);
        second.post(&path, issue("B-1", json!({}))).await.expect(201);
        let again = first.post(&path, issue("A-1", json!({}))).await.expect(201);
        assert_eq!(again.header("idempotent-replay"), "true");
        assert_eq!(site.tasks().await.len(), 2);
    }

    async fn everything_that_is_wrong_with_a_push_is_named_at_once(app: &TestApp) {
        let site = Site::new(app).await;
        let machine = machine(&site, json!({})).await;
        let path = site.at("task-sync/");
        let wrong = machine.post(&path, json!({"source": "Jira", "external_id": "x", "assignee_email": "nobody",
            "external_url": "javascript:alert(1)"})).await.expect(400);
        for field in ["source", "assignee_email", "external_url"] {
            assert!(wrong[field].is_array(), "{field}: {}", wrong.text);
        }
        let wrong = machine.post(&path, json!({"story_points": 1000, "name": "a\u{0}b"})).await.expect(400);
        for field in ["source", "external_id", "story_points", "name"] {
            assert!(wrong[field].is_array(), "{field}: {}", wrong.text);
        }
        let milestone = site.create(json!({"name": "End", "is_milestone": true, "duration": 0})).await.id();
        let rename = "UPDATE synced_tasks SET task_id = :task WHERE external_id = 'M'";
        machine.post(&path, issue("M", json!({}))).await.expect(201);
        let id: uuid::Uuid = milestone.parse().unwrap();
        app.write(planwright_store::sql!(rename, task = id)).await;
        let below = machine.post(&path, issue("B", json!({"parent_external_id": "M"}))).await.expect(400);
        assert!(below["parent_external_id"].is_array(), "{}", below.text);
    }

    async fn only_a_token_of_the_project_or_its_program_is_a_credential(app: &TestApp) {
        let site = Site::new(app).await;
        let program = site.owner.post("/api/v1/programs/", json!({"name": "Mills"})).await.expect(201).id();
        site.owner.patch(&site.at(""), json!({"program": program})).await.expect(200);
        let other = app.project(&site.owner, "Other").await;
        let (path, elsewhere) = (site.at("task-sync/"), format!("/api/v1/projects/{other}/task-sync/"));
        let all = format!("/api/v1/programs/{program}/api-tokens/");
        let minted = site.owner.post(&all, json!({"name": "CI"})).await.expect(201);
        let of_program = app.anonymous().with_token(text(&minted["token"]));
        let of_project = machine(&site, json!({})).await;
        let own = site.owner.post("/api/v1/me/api-tokens/", json!({"name": "mine"})).await.expect(201);
        let own = site.owner.with_token(text(&own["token"]));
        let push = issue("A-1", json!({}));
        of_program.post(&path, push.clone()).await.expect(201);
        of_project.post(&path, push.clone()).await.expect(200);
        let nowhere = "/api/v1/projects/00000000-0000-4000-8000-000000000000/task-sync/";
        let refused = of_project.post(&elsewhere, push.clone()).await.expect(401);
        assert_eq!(refused.text, of_project.post(nowhere, push.clone()).await.expect(401).text);
        of_program.post(&elsewhere, push.clone()).await.expect(401);
        for person in [&site.owner, &own, &app.anonymous(), &app.anonymous().with_token("svc_nothing")] {
            person.post(&path, push.clone()).await.expect(401);
            person.post(&site.at("acceptance-results/"), json!({})).await.expect(401);
        }
        of_project.get(TASKS).await.expect(401);
        // It is the place that counts: a project that leaves the program leaves its tokens.
        site.owner.patch(&site.at(""), json!({"program": null})).await.expect(200);
        of_program.post(&path, push.clone()).await.expect(401);
        site.owner.post(&site.at("archive/"), json!({})).await.expect(200);
        of_project.post(&path, push.clone()).await.expect(403);
        let listed = site.owner.get(&site.at("api-tokens/")).await.expect(200);
        let used = &listed.results()[0];
        assert!(used["last_used_at"].is_string(), "its last use is kept");
        let one = site.at(&format!("api-tokens/{}/", text(&used["id"])));
        site.owner.delete(&one).await.expect(204);
        of_project.post(&path, push).await.expect(401);
    }

    async fn tokens_end_with_their_place_and_with_their_time(app: &TestApp) {
        let site = Site::new(app).await;
        let soon = (app.clock.now() + chrono::Duration::hours(2)).to_rfc3339();
        let short = machine(&site, json!({"expires_at": soon})).await;
        let path = site.at("task-sync/");
        short.post(&path, issue("A-1", json!({}))).await.expect(201);
        app.later(chrono::Duration::hours(3));
        short.post(&path, issue("A-1", json!({}))).await.expect(401);
        let mut owner = app.known(site.owner.id, "ona");
        owner.sign_in_again().await;
        let minted = owner.post(&site.at("api-tokens/"), json!({"name": "CI"})).await.expect(201);
        let machine = app.anonymous().with_token(text(&minted["token"]));
        machine.post(&path, issue("A-2", json!({}))).await.expect(201);
        owner.delete(&site.at("")).await.expect(204);
        machine.post(&path, issue("A-2", json!({}))).await.expect(401);
        owner.post(&site.at("restore/"), json!({})).await.expect(200);
        machine.post(&path, issue("A-2", json!({}))).await.expect(401);
        let one = site.at(&format!("api-tokens/{}/", minted.id()));
        assert_eq!(owner.get(&one).await.expect(200)["is_revoked"], true);
        let audit = owner.get(&site.at("api-token-audit/")).await.expect(200);
        assert!(audit.text.contains("place_deleted"), "{}", audit.text);
    }

    async fn whoever_does_it_is_found_by_address_now_or_when_they_join(app: &TestApp) {
        let site = Site::new(app).await;
        let machine = machine(&site, json!({})).await;
        let (mia, path) = (site.person("mia", 100).await, site.at("task-sync/"));
        let address = async |person: &Person<'_>| text(&person.get("/api/v1/auth/me/").await.expect(200)["email"]).to_owned();
        let upper = address(&mia).await.to_uppercase();
        let made = machine.post(&path, issue("A-1", json!({"assignee_email": upper}))).await.expect(201);
        assert_eq!(made["assignee_resolved"], true);
        let id = text(&made["task_id"]).to_owned();
        assert_eq!(site.read(&id).await["assignee"], json!(mia.id));
        let late = app.person("late").await;
        let wish = json!({"assignee_email": address(&late).await});
        let again = machine.post(&path, issue("A-1", wish.clone())).await.expect(200);
        assert_eq!(again["assignee_resolved"], false, "the place is taken");
        let open = machine.post(&path, issue("A-2", wish)).await.expect(201);
        assert_eq!(open["assignee_resolved"], false, "no member yet");
        site.owner.let_in(&site.at(""), &late, planwright_domain::Role::Viewer).await;
        app.run_jobs().await;
        assert_eq!(site.read(text(&open["task_id"])).await["assignee"], json!(late.id));
        assert_eq!(site.read(&id).await["assignee"], json!(mia.id), "the place is still taken");
    }

    async fn rows_stand_below_their_parents_in_whatever_order_they_come(app: &TestApp) {
        let site = Site::new(app).await;
        let machine = machine(&site, json!({})).await;
        let path = site.at("task-sync/");
        for (key, parent) in [("C-1", "E"), ("C-2", "E"), ("E", ""), ("C-3", "E")] {
            let push = issue(key, json!({"parent_external_id": parent, "status": "todo"}));
            machine.post(&path, push).await.expect(201);
        }
        assert_eq!(site.outline().await, ["1 E", "1.1 C-1", "1.2 C-2", "1.3 C-3"]);
        let whole = issue("E", json!({"status": "done", "name": "Epic", "assignee_email": "x@example.test"}));
        machine.post(&path, whole).await.expect(200);
        assert_eq!(site.outline().await[0], "1 Epic");
        assert_eq!(site.tasks().await[0]["status"], "NOT_STARTED", "a phase computes its status");
    }

    async fn a_new_token_may_push_more_in_its_first_hour(app: &TestApp,
        "SVC_TASK_SYNC_STEADY_STATE_LIMIT" = "2", "SVC_TASK_SYNC_BACKFILL_LIMIT" = "4") {
        let site = Site::new(app).await;
        let machine = machine(&site, json!({})).await;
        let path = site.at("task-sync/");
        for number in 0..4 {
            machine.post(&path, issue(&format!("A-{number}"), json!({}))).await.expect(201);
        }
        let throttled = machine.post(&path, issue("A-9", json!({}))).await.expect(429);
        assert!(!throttled.header("retry-after").is_empty());
        app.later(chrono::Duration::minutes(61));
        for number in 0..2 {
            machine.post(&path, issue(&format!("A-{number}"), json!({}))).await.expect(200);
        }
        machine.post(&path, issue("A-0", json!({}))).await.expect(429);
    }

    async fn a_push_that_changes_nothing_costs_little_and_the_same_in_a_large_project(app: &TestApp,
        "SVC_RATE_LIMIT_ENABLED" = "false", "SVC_RATE_LIMIT_DISABLE_ACK" = "tests") {
        let site = Site::new(app).await;
        let machine = machine(&site, json!({})).await;
        let path = site.at("task-sync/");
        let cost = async |status: &str| {
            let before = app.app.db.statements();
            machine.post(&path, issue("A-0", json!({"status": status}))).await.expect(200);
            app.app.db.statements() - before
        };
        machine.post(&path, issue("A-0", json!({"status": "todo"}))).await.expect(201);
        let (changed, few) = (cost("doing").await, cost("doing").await);
        for number in 1..60 {
            machine.post(&path, issue(&format!("A-{number}"), json!({"status": "todo"}))).await.expect(201);
        }
        let many = cost("doing").await;
        println!("statements: {changed} for a push that changes a status, {few} for one that changes nothing");
        assert_eq!(few, many);
        assert!(few < changed, "{few} and {changed}");
    }

    async fn machines_say_which_acceptance_criteria_hold(app: &TestApp) {
        let site = Site::new(app).await;
        let machine = machine(&site, json!({})).await;
        let task = site.create(json!({"name": "Pump", "story_points": 3})).await.id();
        let mut criteria = Vec::new();
        for text in ["It runs", "It stops"] {
            let asked = json!({"task": task, "text": text});
            criteria.push(site.owner.post("/api/v1/acceptance-criteria/", asked).await.expect(201).id());
        }
        let path = site.at("acceptance-results/");
        let result = |id: &str, passed: bool| json!({"criterion_id": id, "passed": passed});
        let nobody = "00000000-0000-4000-8000-000000000000";
        let first = json!({"results": [result(&criteria[0], true), result(&criteria[1], false), result(nobody, true)]});
        site.hush().await;
        let answer = machine.post(&path, first).await.expect(200);
        assert_eq!((&answer["updated"], &answer["unchanged"], &answer["unknown"]), (&json!(1), &json!(1), &json!([nobody])));
        let expected = json!([{"task": task, "dor_ready": false, "criteria_met": 1, "criteria_total": 2}]);
        assert_eq!(answer["tasks"], expected);
        assert_eq!(site.payloads("task_updated").await.len(), 1);
        let answer = machine.post(&path, json!({"results": [result(&criteria[1], true)]})).await.expect(200);
        assert_eq!(answer["tasks"][0]["dor_ready"], true);
        let ticked = site.owner.get(&format!("/api/v1/acceptance-criteria/{}/", criteria[1])).await.expect(200);
        assert_eq!((&ticked["met"], text(&ticked["met_by_name"])), (&json!(true), "ona"));
        let twice = json!({"results": [result(&criteria[0], true), result(&criteria[0], false)]});
        machine.post(&path, twice).await.expect(400);
        machine.post(&path, json!({"results": []})).await.expect(400);
        machine.post(&path, json!({"results": [result("x", true)]})).await.expect(400);
        let many: Vec<Value> = (0..201).map(|_| result(nobody, true)).collect();
        machine.post(&path, json!({"results": many})).await.expect(400);
        // A criterion of another project is unknown here.
        let other = app.project(&site.owner, "Other").await;
        let asked = json!({"project": other, "name": "Far"});
        let far = site.owner.post(TASKS, asked).await.expect(201).id();
        let asked = json!({"task": far, "text": "Far"});
        let far = site.owner.post("/api/v1/acceptance-criteria/", asked).await.expect(201).id();
        let answer = machine.post(&path, json!({"results": [result(&far, true)]})).await.expect(200);
        assert_eq!(answer["unknown"], json!([far]));
    }
}
