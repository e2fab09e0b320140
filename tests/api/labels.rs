//! Labels: those of a project, those on a task, and what a program sees of them.

use planwright_testkit::both_engines;
use serde_json::{Value, json};

use crate::site::Site;

fn names(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| row["name"].as_str().unwrap()).collect()
}

both_engines! {
    async fn a_label_is_added_changed_and_deleted_and_everybody_hears_of_it(app: &TestApp) {
        let site = Site::new(app).await;
        let owner = &site.owner;
        let all = site.at("labels/");
        let made = owner.post(&all, json!({"name": " Risky ", "color": "rose"})).await.expect(201);
        assert_eq!((&made["name"], &made["color"], &made["position"]), (&json!("Risky"), &json!("rose"), &json!(0)));
        let second = owner.post(&all, json!({"name": "Calm"})).await.expect(201);
        assert_eq!((&second["color"], &second["position"]), (&json!("slate"), &json!(1)), "behind the first");
        let one = format!("{all}{}/", made.id());
        let renamed = owner.patch(&one, json!({"name": "Hot"})).await.expect(200);
        assert_eq!((&renamed["name"], &renamed["server_version"]), (&json!("Hot"), &json!(2)));
        owner.put(&one, json!({"color": "teal"})).await.expect(400);
        let replaced = owner.put(&one, json!({"name": "Hot", "color": "teal"})).await.expect(200);
        assert_eq!(replaced.header("etag"), "\"v3\"");
        assert_eq!(owner.get(&one).await.expect(200).json, replaced.json);
        owner.with_header("if-match", "\"v2\"").delete(&one).await.expect(412);
        let told: Vec<String> = app.told("label_").await.into_iter().map(|event| event.1).collect();
        assert_eq!(told, ["label_created", "label_created", "label_updated", "label_updated"]);
        owner.delete(&one).await.expect(204);
        owner.get(&one).await.expect(404);
        assert_eq!(names(owner.get(&all).await.expect(200).results()), ["Calm"]);
        owner.post(&all, json!({"name": "hot"})).await.expect(201);
        let history = owner.get(&site.at("history/?entity=label")).await.expect(200);
        assert_eq!(history["count"], 6);
    }

    async fn names_are_unique_without_regard_to_case_and_there_are_at_most_fifty(app: &TestApp) {
        let site = Site::new(app).await;
        let owner = &site.owner;
        let all = site.at("labels/");
        let made = owner.post(&all, json!({"name": "Übung"})).await.expect(201);
        let twice = owner.post(&all, json!({"name": "übung"})).await.expect(400);
        assert!(twice["name"][0].as_str().unwrap().contains("exists"), "{}", twice.text);
        owner.patch(&format!("{all}{}/", made.id()), json!({"name": "ÜBUNG"})).await.expect(200);
        for at in 1..50 {
            owner.post(&all, json!({"name": format!("Label {at}")})).await.expect(201);
        }
        owner.post(&all, json!({"name": "One more"})).await.expect(400);
        owner.post(&all, json!({"name": "x".repeat(51)})).await.expect(400);
    }

    async fn a_task_gets_labels_and_loses_them_and_its_version_rises_only_when_something_changes(app: &TestApp) {
        let site = Site::new(app).await;
        let owner = &site.owner;
        let all = site.at("labels/");
        let made = owner.post(&all, json!({"name": "Wet"})).await.expect(201);
        let task = site.task("Dig", 1).await;
        let on_task = site.at(&format!("tasks/{task}/labels/"));
        let chips = owner.post(&on_task, json!({"label_id": made.id()})).await.expect(200);
        assert_eq!(names(chips.json.as_array().unwrap()), ["Wet"]);
        owner.post(&format!("{on_task}{}/", made.id()), json!({})).await.expect(200);
        let shown = owner.get(&format!("/api/v1/tasks/{task}/")).await.expect(200);
        assert_eq!((names(shown["labels"].as_array().unwrap()), &shown["server_version"]), (vec!["Wet"], &json!(2)));
        assert_eq!(owner.get(&format!("{all}{}/", made.id())).await.expect(200)["task_count"], 1);
        let told = app.told("task_updated").await;
        assert_eq!((told.len(), &told[0].3["changed_fields"]), (1, &json!(["labels"])));
        let hooks = app.told("task.updated").await;
        assert_eq!((hooks.len(), &hooks[0].3["changed_fields"]), (1, &json!(["labels"])));
        assert_eq!((&hooks[0].3["id"], &hooks[0].3["name"]), (&json!(task), &json!("Dig")));
        owner.delete(&format!("{on_task}{}/", made.id())).await.expect(204);
        owner.delete(&on_task).await.expect(204);
        let shown = owner.get(&format!("/api/v1/tasks/{task}/")).await.expect(200);
        assert_eq!((&shown["labels"], &shown["server_version"]), (&json!([]), &json!(3)));
        let foreign = json!({"label_id": task});
        assert!(owner.post(&on_task, foreign.clone()).await.expect(400)["label_id"].is_array());
        let by_address = format!("{on_task}{}/", made.id());
        assert!(owner.post(&by_address, foreign).await.expect(400)["label_id"].is_array());
    }

    async fn members_add_labels_and_put_them_on_their_own_tasks_and_managers_do_the_rest(app: &TestApp) {
        let site = Site::new(app).await;
        let owner = &site.owner;
        let (viewer, member) = (site.person("viewer", 1).await, site.person("member", 100).await);
        let (scheduler, manager) = (site.person("scheduler", 200).await, site.person("manager", 300).await);
        let all = site.at("labels/");
        viewer.post(&all, json!({"name": "V"})).await.expect(403);
        let made = member.post(&all, json!({"name": "M"})).await.expect(201);
        let one = format!("{all}{}/", made.id());
        member.patch(&one, json!({"name": "N"})).await.expect(403);
        scheduler.delete(&one).await.expect(403);
        let task = site.task("Dig", 1).await;
        let on_task = site.at(&format!("tasks/{task}/labels/"));
        let label = json!({"label_id": made.id()});
        scheduler.post(&on_task, label.clone()).await.expect(403);
        member.post(&on_task, label.clone()).await.expect(403);
        owner.patch(&format!("/api/v1/tasks/{task}/"), json!({"assignee": member.id})).await.expect(200);
        member.post(&on_task, label).await.expect(200);
        manager.delete(&one).await.expect(204);
        assert_eq!(owner.get(&format!("/api/v1/tasks/{task}/")).await.expect(200)["labels"], json!([]));
    }

    async fn a_program_lists_its_labels_by_name_and_the_tasks_that_carry_them(app: &TestApp) {
        let owner = app.person("owner").await;
        let program = owner.post("/api/v1/programs/", json!({"name": "All"})).await.expect(201).id();
        let mut tasks = Vec::new();
        for (name, label) in [("North", "Wet"), ("South", "WET")] {
            let body = json!({"name": name, "start_date": "2026-01-05", "program": program});
            let project = owner.post("/api/v1/projects/", body).await.expect(201).id();
            let task = owner.post("/api/v1/tasks/", json!({"project": project, "name": format!("Dig {name}")})).await.expect(201).id();
            let made = owner.post(&format!("/api/v1/projects/{project}/labels/"), json!({"name": label})).await.expect(201).id();
            owner.post(&format!("/api/v1/projects/{project}/tasks/{task}/labels/"), json!({"label_id": made})).await.expect(200);
            tasks.push(task);
        }
        let catalog = owner.get(&format!("/api/v1/programs/{program}/label-catalog/")).await.expect(200);
        assert_eq!(catalog.json, json!([{"name": "Wet", "color": "slate", "project_count": 2, "task_count": 2}]));
        let labelled = owner.get(&format!("/api/v1/programs/{program}/label-tasks/?labels=wet")).await.expect(200);
        assert_eq!(names(labelled.results()), ["Dig North", "Dig South"]);
        assert_eq!(labelled.results()[0]["project"]["name"], "North");
        assert_eq!(labelled.results()[0]["labels"][0]["name"], "Wet");
        let none = owner.get(&format!("/api/v1/programs/{program}/label-tasks/?labels=dry")).await.expect(200);
        assert_eq!(none["count"], 0);
    }
}
