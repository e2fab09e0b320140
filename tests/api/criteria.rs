//! Acceptance criteria: who ticked them, what tasks show of them, and when a task is ready.

use planwright_testkit::both_engines;
use serde_json::json;
use uuid::Uuid;

use crate::site::{Site, task_path};

const CRITERIA: &str = "/api/v1/acceptance-criteria/";

both_engines! {
    async fn a_criterion_is_ticked_and_the_server_notes_by_whom_and_when(app: &TestApp) {
        let site = Site::new(app).await;
        let member = site.person("mara", 100).await;
        let task = site.task("Dig", 1).await;
        let request = json!({"task": task, "text": "The pit is dry", "given": "rain", "when": "pumped", "then": "dry"});
        let made = member.post(CRITERIA, request).await.expect(201);
        assert_eq!((&made["met"], &made["position"], &made["when"]), (&json!(false), &json!(0), &json!("pumped")));
        let second = member.post(CRITERIA, json!({"task": task, "text": "The pit is deep"})).await.expect(201);
        assert_eq!(second["position"], 1, "behind the first");
        let one = format!("{CRITERIA}{}/", made.id());
        let met = member.patch(&one, json!({"met": true})).await.expect(200);
        assert_eq!((&met["met_by_name"], met["met_at"].is_string()), (&json!("mara"), true));
        let again = site.owner.patch(&one, json!({"met": true})).await.expect(200);
        assert_eq!((&again["met_by_name"], &again["met_at"]), (&met["met_by_name"], &met["met_at"]));
        let open = site.owner.patch(&one, json!({"met": false})).await.expect(200);
        assert_eq!((&open["met_by_name"], &open["met_at"], &open["server_version"]), (&json!(null), &json!(null), &json!(3)));
        assert_eq!(member.get(&one).await.expect(200).json, open.json);
        member.put(&one, json!({"task": task, "text": "The pit is clean"})).await.expect(200);
        let told = app.told("task_updated").await;
        assert_eq!(told.len(), 5, "each write is told, and one that changes nothing is not");
        assert_eq!((&told[0].3["id"], &told[0].3["changed_fields"]), (&json!(task), &json!(["acceptance_criteria"])));
        let list = member.get(&format!("{CRITERIA}?task={task}")).await.expect(200);
        assert_eq!((&list["count"], &list["results"][0]["text"]), (&json!(2), &json!("The pit is clean")));
        member.delete(&one).await.expect(204);
        member.get(&one).await.expect(404);
        let history = site.owner.get(&site.at("history/?entity=acceptance_criterion")).await.expect(200);
        assert_eq!(history["count"], 6);
    }

    async fn a_criterion_stays_with_its_task_and_a_stranger_sees_neither(app: &TestApp) {
        let site = Site::new(app).await;
        let (viewer, stranger) = (site.person("vera", 1).await, app.person("stranger").await);
        let (task, other) = (site.task("Dig", 1).await, site.task("Fill", 1).await);
        let made = site.owner.post(CRITERIA, json!({"task": task, "text": "Deep"})).await.expect(201);
        let one = format!("{CRITERIA}{}/", made.id());
        let moved = site.owner.patch(&one, json!({"task": other})).await.expect(400);
        assert!(moved["task"].is_array(), "{}", moved.text);
        viewer.get(&one).await.expect(200);
        viewer.patch(&one, json!({"met": true})).await.expect(403);
        viewer.post(CRITERIA, json!({"task": task, "text": "Wide"})).await.expect(403);
        stranger.get(&one).await.expect(404);
        stranger.patch(&one, json!({"met": true})).await.expect(404);
        assert_eq!(stranger.get(CRITERIA).await.expect(200)["count"], 0);
        let unseen = stranger.post(CRITERIA, json!({"task": task, "text": "Wide"})).await.expect(400);
        assert!(unseen["task"].is_array(), "{}", unseen.text);
        let wrong = site.owner.post(CRITERIA, json!({"task": Uuid::nil(), "text": "", "given": []})).await.expect(400);
        assert!(wrong["text"].is_array() && wrong["given"].is_array(), "{}", wrong.text);
        site.owner.delete(&task_path(&task)).await.expect(204);
        site.owner.get(&one).await.expect(404);
        site.owner.post(&format!("{}restore/", task_path(&task)), json!({})).await.expect(200);
        site.owner.get(&one).await.expect(200);
        site.owner.post(&site.at("archive/"), json!({})).await.expect(200);
        site.owner.patch(&one, json!({"met": true})).await.expect(403);
        site.owner.post(CRITERIA, json!({"task": task, "text": "Late"})).await.expect(403);
    }

    async fn a_task_is_ready_when_it_has_points_and_all_its_criteria_are_met(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.create(json!({"name": "Share", "type": "story", "status": "BACKLOG"})).await.id();
        let blockers = async || site.read(&task).await["dor_blockers"].clone();
        assert_eq!(blockers().await, json!(["unestimated", "no_acceptance_criteria"]));
        let refused = site.refuse(&task, json!({"dor": "ready"})).await;
        assert_eq!(refused["dor"].as_array().unwrap().len(), 2, "{}", refused.text);
        let born_ready = site.with_project(json!({"name": "Born ready", "dor": "ready", "story_points": 1}));
        site.owner.post("/api/v1/tasks/", born_ready).await.expect(400);
        let made = site.owner.post(CRITERIA, json!({"task": task, "text": "A link opens"})).await.expect(201);
        assert_eq!(blockers().await, json!(["unestimated", "acceptance_criteria_unmet"]));
        site.refuse(&task, json!({"dor": "ready", "story_points": 3})).await;
        site.owner.patch(&format!("{CRITERIA}{}/", made.id()), json!({"met": true})).await.expect(200);
        let ready = site.change(&task, json!({"dor": "ready", "story_points": 3})).await;
        assert_eq!((&ready["dor"], &ready["dor_blockers"]), (&json!("ready"), &json!([])));
    }

    async fn a_task_shows_its_criteria_and_a_list_of_tasks_how_many_there_are(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("Dig", 1).await;
        for (position, text) in [(2, "Last"), (1, "First")] {
            let request = json!({"task": task, "text": text, "position": position, "met": position == 1});
            site.owner.post(CRITERIA, request).await.expect(201);
        }
        let shown = site.read(&task).await;
        let texts: Vec<&str> = shown["acceptance_criteria"].as_array().unwrap().iter()
            .map(|row| row["text"].as_str().unwrap()).collect();
        assert_eq!(texts, ["First", "Last"]);
        assert_eq!(shown["acceptance_criteria"][0]["met_by_name"], "ona");
        let rows = site.tasks().await;
        assert_eq!((&rows[0]["criteria_total"], &rows[0]["criteria_met_count"]), (&json!(2), &json!(1)));
        assert_eq!(rows[0]["acceptance_criteria"], json!([]), "they are shown where one task is read");
        let answer = site.change(&task, json!({"name": "Dig deep"})).await;
        assert_eq!(answer["acceptance_criteria"].as_array().unwrap().len(), 2);
    }

    async fn criteria_come_back_with_their_project(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("Dig", 1).await;
        let made = site.owner.post(CRITERIA, json!({"task": task, "text": "Deep"})).await.expect(201);
        let one = format!("{CRITERIA}{}/", made.id());
        site.owner.delete(&site.at("")).await.expect(204);
        site.owner.get(&one).await.expect(404);
        site.owner.post(&site.at("restore/"), json!({})).await.expect(200);
        site.owner.get(&one).await.expect(200);
    }
}
