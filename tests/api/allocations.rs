//! Allocations: who works on a task and how much, and how the task and its people hear of it.

use planwright_testkit::both_engines;
use serde_json::{Value, json};

use crate::site::Site;

const ALLOCATIONS: &str = "/api/v1/task-resources/";

async fn resource(site: &Site<'_>, name: &str) -> String {
    site.owner.post("/api/v1/resources/", json!({"name": name})).await.expect(201).id()
}

both_engines! {
    async fn an_allocation_is_made_changed_and_taken_back(app: &TestApp) {
        let site = Site::new(app).await;
        let scheduler = site.person("sue", 200).await;
        let (task, mara) = (site.task("Dig", 2).await, resource(&site, "Mara").await);
        let version = site.read(&task).await["server_version"].as_i64().unwrap();
        site.hush().await;
        let made = scheduler.post(ALLOCATIONS, json!({"task": task, "resource": mara})).await.expect(201);
        assert_eq!((&made["units"], &made["resource_name"]), (&json!("1.00"), &json!("Mara")));
        assert_eq!(made["warnings"], json!([]));
        let told: Vec<(String, Value)> = site.announced().await;
        assert!(told.contains(&("roster_changed".to_owned(), json!({"resource_id": mara}))), "{told:?}");
        assert!(told.contains(&("assignment_created".to_owned(), json!({"id": made.id(), "task_id": task}))), "{told:?}");
        let shown = site.read(&task).await;
        assert_eq!(shown["assignments"], json!([{"resource_id": mara, "resource_name": "Mara", "units": "1.00"}]));
        assert_eq!(shown["server_version"], version + 1, "the task shows its allocations");
        assert_eq!(shown["assignee"], Value::Null);
        let one = format!("{ALLOCATIONS}{}/", made.id());
        site.hush().await;
        let changed = scheduler.patch(&one, json!({"units": "0.25"})).await.expect(200);
        assert_eq!((&changed["units"], changed.header("etag")), (&json!("0.25"), "\"v2\""));
        scheduler.delete(&one).await.expect(204);
        let told: Vec<String> = site.announced().await.into_iter().map(|(name, _)| name).collect();
        assert_eq!(told, ["assignment_updated", "task_updated", "task.updated", "assignment_deleted", "task_updated", "task.updated"]);
        assert_eq!(site.read(&task).await["assignments"], json!([]));
        let history = site.owner.get(&site.at(&format!("tasks/{task}/history/"))).await;
        assert_eq!(history.status, 200);
    }

    async fn what_cannot_be_allocated_is_refused_by_field(app: &TestApp) {
        let site = Site::new(app).await;
        let (task, mara) = (site.task("Dig", 2).await, resource(&site, "Mara").await);
        let phase = site.task("Phase", 1).await;
        site.under(&phase, "Child", 1).await;
        let ask = async |body: Value| site.owner.post(ALLOCATIONS, body).await;
        assert!(ask(json!({"task": phase, "resource": mara})).await.expect(400)["task"].is_array());
        for units in ["0", "2.01", "-1", "0.001", "many"] {
            let refused = ask(json!({"task": task, "resource": mara, "units": units})).await.expect(400);
            assert!(refused["units"].is_array(), "{units}: {}", refused.text);
        }
        ask(json!({"task": task, "resource": mara, "units": 2.0})).await.expect(201);
        assert!(ask(json!({"task": task, "resource": mara})).await.expect(400)["non_field_errors"].is_array());
        let nobody = "0198aaaa-0000-7000-8000-000000000000";
        assert!(ask(json!({"task": task, "resource": nobody})).await.expect(400)["resource"].is_array());
        assert!(ask(json!({"task": nobody, "resource": mara})).await.expect(400)["task"].is_array());
        assert!(ask(json!({})).await.expect(400)["task"].is_array());
    }

    async fn resource_managers_allocate_members_only_read_and_others_see_nothing(app: &TestApp) {
        let site = Site::new(app).await;
        let (member, stranger) = (site.person("mia", 100).await, app.person("zoe").await);
        let (task, mara) = (site.task("Dig", 2).await, resource(&site, "Mara").await);
        let body = json!({"task": task, "resource": mara});
        member.post(ALLOCATIONS, body.clone()).await.expect(403);
        let made = site.owner.post(ALLOCATIONS, body).await.expect(201);
        let one = format!("{ALLOCATIONS}{}/", made.id());
        assert!(member.get(&one).await.expect(200).json.get("warnings").is_none());
        member.patch(&one, json!({"units": "0.5"})).await.expect(403);
        member.delete(&one).await.expect(403);
        stranger.get(&one).await.expect(404);
        assert_eq!(stranger.get(ALLOCATIONS).await.expect(200)["count"], 0);
        assert_eq!(member.get(&format!("{ALLOCATIONS}?resource={mara}")).await.expect(200)["count"], 1);
        assert_eq!(member.get(&format!("{ALLOCATIONS}?task={task}")).await.expect(200)["count"], 1);
    }

    async fn owners_and_allocations_number_the_changes_of_the_project(app: &TestApp) {
        let site = Site::new(app).await;
        let (task, mara) = (site.task("Dig", 2).await, resource(&site, "Mara").await);
        app.put_on_roster(&site.project, &mara).await;
        site.change(&task, json!({"owners": [{"resource": mara, "units": "0.5"}]})).await;
        let numbers = |app: &planwright_testkit::TestApp| {
            let db = app.app.db.clone();
            async move {
                use planwright_store::sql;
                let rows: Vec<i64> = db.scalars(sql!("SELECT change_number FROM task_resources")).await.unwrap();
                rows[0]
            }
        };
        let first = numbers(app).await;
        assert!(first > 1, "an allocation by `owners` is numbered: {first}");
        site.change(&task, json!({"owners": [{"resource": mara, "units": "0.75"}]})).await;
        assert!(numbers(app).await > first);
    }
}
