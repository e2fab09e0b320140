//! How rows without governance of their own follow the row above them, and what becomes of a task in a sprint that gets
//! rows below it. What a classification writes is in `tasks_classification.rs`.

use planwright_testkit::both_engines;
use serde_json::{Value, json};

use crate::site::{Site, task_path, text};

/// How a task is governed, and whether as the row above it.
async fn governed(site: &Site<'_>, id: &str) -> (String, bool) {
    let task = site.read(id).await;
    (text(&task["governance_class"]).to_owned(), task["parent_governance_inherited"] == true)
}

fn inherits(class: &str) -> (String, bool) {
    (class.to_owned(), true)
}

fn own(class: &str) -> (String, bool) {
    (class.to_owned(), false)
}

both_engines! {
    async fn a_new_row_is_governed_as_the_one_above_it_unless_it_says_otherwise(app: &TestApp) {
        let site = Site::new(app).await;
        let root = site.create(json!({"name": "P", "governance_class": "gated"})).await.id();
        assert_eq!(governed(&site, &root).await, own("gated"));
        let child = site.under(&root, "A", 1).await;
        let other = json!({"name": "B", "parent_id": root, "governance_class": "gated"});
        let other = site.create(other).await.id();
        let drawer = site.create(json!({"name": "S", "parent_id": child, "is_subtask": true})).await.id();
        assert_eq!(governed(&site, &child).await, inherits("gated"));
        assert_eq!(governed(&site, &other).await, own("gated"));
        assert_eq!(governed(&site, &drawer).await, inherits("gated"));
        let made = site.bulk(json!({"operations": [{"op": "create", "data": {"name": "C", "parent_id": root}}]})).await;
        assert_eq!(made["applied"][0]["task"]["parent_governance_inherited"], true, "{}", made.text);
        assert_eq!(made["applied"][0]["task"]["governance_class"], "gated");
        assert_eq!(governed(&site, &site.task("Q", 1).await).await, own("flow"));
    }

    async fn what_inherits_follows_the_row_above_it(app: &TestApp) {
        let site = Site::new(app).await;
        let root = site.task("P", 1).await;
        let child = site.under(&root, "A", 1).await;
        let below = site.under(&child, "A1", 1).await;
        let apart = site.create(json!({"name": "B", "parent_id": root, "governance_class": "flow"})).await.id();
        let under_apart = site.under(&apart, "B1", 1).await;
        let changed = site.change(&root, json!({"governance_class": "hybrid"})).await;
        assert_eq!(changed["server_version"], 2);
        assert_eq!(governed(&site, &child).await, inherits("hybrid"));
        assert_eq!(governed(&site, &below).await, inherits("hybrid"));
        assert_eq!(governed(&site, &apart).await, own("flow"));
        assert_eq!(governed(&site, &under_apart).await, inherits("flow"));
        let told = site.owner.get(&site.at(&format!("tasks/{below}/history/"))).await.expect(200);
        assert_eq!(told["results"][0]["diff"][0]["new"], "hybrid", "{}", told.text);
        let batch = json!({"operations": [
            {"op": "update", "id": root, "data": {"governance_class": "gated"}},
            {"op": "update", "id": below, "data": {"name": "A2"}},
            {"op": "update", "id": child, "data": {"governance_class": "flow"}},
        ]});
        site.bulk(batch).await;
        assert_eq!(governed(&site, &child).await, own("flow"));
        assert_eq!(governed(&site, &below).await, inherits("flow"));
        assert_eq!(site.read(&below).await["name"], "A2");
    }

    async fn a_row_that_is_moved_takes_the_governance_of_its_new_place(app: &TestApp) {
        let site = Site::new(app).await;
        let strict = site.create(json!({"name": "P", "governance_class": "gated"})).await.id();
        let loose = site.create(json!({"name": "Q", "governance_class": "hybrid"})).await.id();
        let child = site.under(&strict, "A", 1).await;
        let below = site.under(&child, "A1", 1).await;
        let apart = site.create(json!({"name": "B", "parent_id": strict, "governance_class": "flow"})).await.id();
        let mut versions = 1;
        for (row, to) in [(&child, &loose), (&apart, &loose)] {
            let path = site.at(&format!("tasks/{row}/reparent/"));
            site.owner.post(&path, json!({"new_parent_id": to})).await.expect(200);
        }
        versions += 1;
        assert_eq!(governed(&site, &child).await, inherits("hybrid"));
        assert_eq!(governed(&site, &below).await, inherits("hybrid"));
        assert_eq!(governed(&site, &apart).await, own("flow"));
        assert_eq!(site.read(&below).await["server_version"], versions);
        let path = site.at(&format!("tasks/{child}/reparent/"));
        site.owner.post(&path, json!({"new_parent_id": null})).await.expect(200);
        assert_eq!(governed(&site, &child).await, own("hybrid"), "at the top there is nobody to follow");
        assert_eq!(governed(&site, &below).await, inherits("hybrid"));
    }

    async fn a_cascade_reaches_rows_that_nobody_classified(app: &TestApp) {
        let site = Site::new(app).await;
        let root = site.task("P", 1).await;
        let child = site.under(&root, "A", 1).await;
        let below = site.under(&child, "A1", 1).await;
        let request = json!({"subtree": root, "cascade": true, "governance_class": "gated"});
        let done = site.owner.patch(&site.at("tasks/classification/"), request).await.expect(200);
        assert_eq!((&done["governance"]["applied"], &done["governance"]["overrides_kept"]), (&json!(3), &json!(0)));
        assert_eq!(governed(&site, &below).await, inherits("gated"));
    }

    async fn a_document_that_says_nothing_of_governance_inherits_it_and_gives_it_back(app: &TestApp) {
        let owner = app.person("ona").await;
        let document = json!({
            "schema_version": "2.0",
            "program": {"slug": "roads", "name": "Roads", "methodology": "HYBRID"},
            "projects": [{
                "slug": "north", "name": "North", "methodology": "HYBRID", "start_date": "2026-01-05",
                "tasks": [
                    {"wbs_path": "1", "name": "P", "governance_class": "gated"},
                    {"wbs_path": "1.1", "name": "A"},
                    {"wbs_path": "1.2", "name": "B", "governance_class": "flow"},
                    {"wbs_path": "1.2.1", "name": "B1"},
                    {"wbs_path": "2", "name": "Q"},
                ],
            }],
        });
        let accepted = owner.post("/api/v1/programs/import/", document).await.expect(202);
        app.run_jobs().await;
        let list = "/api/v1/tasks/?ordering=wbs_path&page_size=500";
        let tasks = owner.get(list).await.expect(200).results().clone();
        let told: Vec<(&str, bool)> = tasks
            .iter()
            .map(|task| (text(&task["governance_class"]), task["parent_governance_inherited"] == true))
            .collect();
        assert_eq!(told, [("gated", false), ("gated", true), ("flow", false), ("flow", true), ("flow", false)]);
        let export = format!("/api/v1/programs/{}/export/", text(&accepted["program_id"]));
        let exported = owner.get(&export).await.expect(200);
        let rows = exported["projects"][0]["tasks"].as_array().unwrap();
        let said: Vec<&Value> = rows.iter().map(|row| &row["governance_class"]).collect();
        let usual = &Value::Null;
        assert_eq!(said, [&json!("gated"), &Value::Null, &json!("flow"), &Value::Null, usual]);
    }

    async fn a_task_in_a_sprint_that_becomes_a_phase_is_warned_of(app: &TestApp) {
        let site = Site::new(app).await;
        let sprint = site.sprint("2026-01-05", "2026-01-16").await;
        let id = site.create(json!({"name": "A", "sprint": sprint})).await.id();
        let drawer = site.create(json!({"name": "S", "parent_id": id, "is_subtask": true})).await;
        assert!(drawer["warnings"].is_null(), "{}", drawer.text);
        let first = site.create(json!({"name": "A1", "parent_id": id})).await;
        assert_eq!(first["warnings"][0]["rule"], "phase_in_sprint", "{}", first.text);
        let second = site.create(json!({"name": "A2", "parent_id": id})).await;
        assert!(second["warnings"].is_null(), "it is one already: {}", second.text);
        let other = site.create(json!({"name": "B", "sprint": sprint})).await.id();
        let path = site.at(&format!("tasks/{}/reparent/", second.id()));
        let moved = site.owner.post(&path, json!({"new_parent_id": other})).await.expect(200);
        assert_eq!(moved["warning"], "phase_in_sprint", "{}", moved.text);
        let again = site.owner.patch(&task_path(&id), json!({"sprint": null})).await.expect(200);
        assert!(again["sprint"].is_null());
        assert_eq!(site.refuse(&id, json!({"sprint": sprint})).await["code"], "phase_in_sprint_forbidden");
    }
}

both_engines! {
    async fn a_batch_does_not_pretend_to_move_a_row(app: &TestApp) {
        let site = Site::new(app).await;
        let (phase, id) = (site.task("P", 1).await, site.task("A", 1).await);
        let to = |parent: Value| json!({"op": "update", "id": id, "data": {"parent_id": parent, "name": "B"}});
        let refused = site.bulk(json!({"operations": [to(json!(phase))]})).await;
        assert_eq!(refused["rejected"][0]["code"], "invalid", "{}", refused.text);
        assert!(refused["rejected"][0]["errors"]["parent_id"].is_array(), "{}", refused.text);
        let same = site.bulk(json!({"operations": [to(Value::Null)]})).await;
        assert_eq!(same["applied"][0]["outcome"], "updated", "where it stands it may stay: {}", same.text);
    }
}
