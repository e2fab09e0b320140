//! The backlog of a program: items, and the tasks that they become.

use futures_util::future::join;
use planwright_domain::Role;
use planwright_testkit::{Person, TestApp, both_engines};
use serde_json::json;

use crate::site::task_path;

/// A program with a project in it.
struct Place<'a> {
    owner: Person<'a>,
    program: String,
    project: String,
}

impl<'a> Place<'a> {
    async fn new(app: &'a TestApp) -> Self {
        let owner = app.person("ona").await;
        let program = owner.post("/api/v1/programs/", json!({"name": "City"})).await.expect(201).id();
        let request = json!({"name": "Bridge", "start_date": "2026-01-05", "program": program});
        let project = owner.post("/api/v1/projects/", request).await.expect(201).id();
        Self { owner, program, project }
    }

    fn items(&self) -> String {
        format!("/api/v1/programs/{}/backlog-items/", self.program)
    }

    fn pull(&self, item: &str) -> String {
        format!("{}{item}/pull/", self.items())
    }
}

both_engines! {
    async fn an_item_is_proposed_found_and_changed(app: &TestApp) {
        let place = Place::new(app).await;
        let (owner, items) = (&place.owner, place.items());
        let request = json!({"title": "Pay by phone", "item_type": "feature", "tags": ["Web", "100%"], "story_points": 5});
        let made = owner.post(&items, request).await.expect(201);
        assert_eq!((&made["status"], &made["created_by"]), (&json!("proposed"), &json!(owner.id)));
        owner.post(&items, json!({"title": "Fix the gate", "item_type": "bug", "priority_rank": 1})).await.expect(201);
        let titles = async |query: &str| {
            let list = owner.get(&format!("{items}{query}")).await.expect(200);
            list.results().iter().map(|row| row["title"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(titles("").await, ["Fix the gate", "Pay by phone"], "by rank, those without one last");
        assert_eq!(titles("?item_type=bug").await, ["Fix the gate"]);
        assert_eq!(titles("?q=phone").await, ["Pay by phone"]);
        assert_eq!(titles("?tags=web,api").await, ["Pay by phone"]);
        assert_eq!(titles("?tags=100%25").await, ["Pay by phone"]);
        assert_eq!(titles("?tags=we").await, [""; 0]);
        assert_eq!(titles("?status=archived").await, [""; 0]);
        owner.get(&format!("{items}?tags=1,2,3,4,5,6,7,8,9,10,11")).await.expect(400);
        let one = format!("{items}{}/", made.id());
        let archived = owner.patch(&one, json!({"status": "archived", "story_points": null})).await.expect(200);
        assert_eq!((&archived["server_version"], &archived["story_points"]), (&json!(2), &json!(null)));
        assert_eq!(titles("?status=archived").await, ["Pay by phone"]);
        let wrong = owner.patch(&one, json!({"status": "pulled"})).await.expect(400);
        assert!(wrong["status"].is_array(), "{}", wrong.text);
        owner.put(&one, json!({"description": "No title"})).await.expect(400);
        owner.post(&place.pull(&made.id()), json!({"project_id": place.project})).await.expect(409);
        owner.delete(&one).await.expect(204);
        owner.get(&one).await.expect(404);
    }

    async fn a_pulled_item_is_a_task_with_labels_until_the_task_goes(app: &TestApp) {
        let place = Place::new(app).await;
        let owner = &place.owner;
        let labels = format!("/api/v1/projects/{}/labels/", place.project);
        owner.post(&labels, json!({"name": "web", "color": "rose"})).await.expect(201);
        let request = json!({"title": "Sweep", "item_type": "chore", "tags": ["Web", "Yard"], "description": "All of it"});
        let item = owner.post(&place.items(), request).await.expect(201).id();
        let pulled = owner.post(&place.pull(&item), json!({"project_id": place.project})).await.expect(201);
        let task = &pulled["task"];
        assert_eq!((&task["name"], &task["type"], &task["status"]), (&json!("Sweep"), &json!("tech_debt"), &json!("BACKLOG")));
        assert_eq!((&task["notes"], &task["duration"]), (&json!("All of it"), &json!(1)));
        let names: Vec<_> = task["labels"].as_array().unwrap().iter().map(|label| &label["name"]).collect();
        assert_eq!(names, ["web", "Yard"], "the label that was there, and a new one");
        let shown = &pulled["backlog_item"];
        assert_eq!((&shown["status"], &shown["pulled_task"], &shown["pulled_task_project_name"]), (&json!("pulled"), &task["id"], &json!("Bridge")));
        assert_eq!((&shown["server_version"], &shown["pulled_by"]), (&json!(2), &json!(owner.id)));
        let again = owner.post(&place.pull(&item), json!({"project_id": place.project})).await.expect(409);
        assert_eq!((&again["code"], &again["task_id"]), (&json!("already_pulled"), &task["id"]));
        let one = format!("{}{item}/", place.items());
        owner.patch(&one, json!({"status": "proposed"})).await.expect(400);
        let path = task_path(task["id"].as_str().unwrap());
        owner.delete(&path).await.expect(204);
        let proposed = owner.get(&one).await.expect(200);
        assert_eq!((&proposed["status"], &proposed["pulled_task"], &proposed["pulled_at"]), (&json!("proposed"), &json!(null), &json!(null)));
        assert_eq!(owner.get(&place.items()).await.expect(200)["count"], 1);
        owner.post(&format!("{path}restore/"), json!({})).await.expect(200);
        assert_eq!(owner.get(&one).await.expect(200)["status"], "pulled");
        owner.delete(&path).await.expect(204);
        let second = owner.post(&place.pull(&item), json!({"project_id": place.project})).await.expect(201);
        assert_ne!(second["task"]["id"], task["id"]);
        let history = owner.get(&format!("/api/v1/programs/{}/", place.program)).await.expect(200);
        assert!(history["id"].is_string());
    }

    async fn of_two_pulls_at_once_one_makes_a_task(app: &TestApp) {
        let place = Place::new(app).await;
        let owner = &place.owner;
        let request = json!({"name": "Tower", "start_date": "2026-01-05", "program": place.program});
        let tower = owner.post("/api/v1/projects/", request).await.expect(201).id();
        for round in 0..5 {
            let item = owner.post(&place.items(), json!({"title": format!("Item {round}")})).await.expect(201).id();
            let (path, into) = (place.pull(&item), |project: &str| json!({"project_id": project}));
            let (one, other) = join(owner.post(&path, into(&place.project)), owner.post(&path, into(&tower))).await;
            let mut statuses = [one.status, other.status];
            statuses.sort_unstable();
            assert_eq!(statuses, [201, 409], "{} {}", one.text, other.text);
        }
        let tasks = owner.get("/api/v1/tasks/").await.expect(200);
        assert_eq!(tasks["count"], 5);
    }

    async fn an_item_goes_where_the_caller_writes_the_plan(app: &TestApp) {
        let place = Place::new(app).await;
        let owner = &place.owner;
        let program = format!("/api/v1/programs/{}/", place.program);
        let project = format!("/api/v1/projects/{}/", place.project);
        let (mara, vera, stranger) = (app.person("mara").await, app.person("vera").await, app.person("sid").await);
        owner.let_in(&program, &mara, Role::Member).await;
        owner.let_in(&program, &vera, Role::Viewer).await;
        let item = mara.post(&place.items(), json!({"title": "Paint"})).await.expect(201).id();
        vera.get(&place.items()).await.expect(200);
        vera.post(&place.items(), json!({"title": "No"})).await.expect(403);
        stranger.get(&place.items()).await.expect(404);
        let into = json!({"project_id": place.project});
        let unseen = mara.post(&place.pull(&item), into.clone()).await.expect(400);
        assert!(unseen["project_id"].is_array(), "{}", unseen.text);
        owner.let_in(&project, &mara, Role::Viewer).await;
        mara.post(&place.pull(&item), into.clone()).await.expect(403);
        let elsewhere = app.project(owner, "Elsewhere").await;
        let foreign = owner.post(&place.pull(&item), json!({"project_id": elsewhere})).await.expect(400);
        assert!(foreign["project_id"].is_array(), "{}", foreign.text);
        let epic = mara.post(&place.items(), json!({"title": "Epic", "item_type": "epic"})).await.expect(201).id();
        owner.post(&place.pull(&epic), into.clone()).await.expect(201);
        owner.post(&place.pull(&item), into).await.expect(201);
        let seen = vera.get(&format!("{}{item}/", place.items())).await.expect(200);
        assert!(seen["pulled_task"].is_string());
        assert_eq!(seen["pulled_task_project_name"], json!(null), "she is no member of the project");
    }
}
