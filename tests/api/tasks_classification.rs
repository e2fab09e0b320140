//! Governance and delivery of whole subtrees, how they are undone, and the sweep of seeded rows that nobody touched.

use planwright_domain::Role;
use planwright_store::sql;
use planwright_testkit::{Answer, Person, TestApp, both_engines};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::site::{Site, TASKS, ids, project_path, task_path, text};

/// A phase with three rows in it, the last of them a milestone; all of them governed as the phase is.
struct Tree {
    root: String,
    a: String,
    b: String,
    gate: String,
}

/// Classifies a subtree as the owner.
async fn classify(site: &Site<'_>, request: Value) -> Answer {
    site.owner.patch(&site.at("tasks/classification/"), request).await
}

async fn tree(site: &Site<'_>) -> Tree {
    let root = site.task("P", 1).await;
    let (a, b) = (site.under(&root, "A", 2).await, site.under(&root, "B", 2).await);
    let gate = site.create(json!({"name": "M", "is_milestone": true, "parent_id": root})).await.id();
    let all = json!({"subtree": root, "cascade": true, "governance_class": "hybrid",
        "preserve_governance_overrides": false, "skip_milestones": false});
    classify(site, all).await.expect(200);
    Tree { root, a, b, gate }
}

/// Governance, whether it is inherited, and delivery of a task.
async fn axes(site: &Site<'_>, id: &str) -> (String, bool, String) {
    let task = site.read(id).await;
    let inherited = task["parent_governance_inherited"].as_bool().unwrap();
    (text(&task["governance_class"]).to_owned(), inherited, text(&task["delivery_mode"]).to_owned())
}

/// What a test expects of the axes of a task.
fn axes_are(governance: &str, inherited: bool, delivery: &str) -> (String, bool, String) {
    (governance.to_owned(), inherited, delivery.to_owned())
}

both_engines! {
    async fn a_cascade_writes_both_axes_on_the_whole_subtree(app: &TestApp) {
        let site = Site::new(app).await;
        let tree = tree(&site).await;
        site.hush().await;
        let request = json!({"subtree": tree.root, "cascade": true, "governance_class": "gated", "delivery_mode": "scrum"});
        let done = classify(&site, request).await.expect(200);
        assert_eq!((&done["subtree"], &done["matched"]), (&json!(tree.root), &json!(4)));
        let governance = json!({"requested": "gated", "applied": 3, "unchanged": 0, "overrides_kept": 0, "has_inherit_bit": true});
        assert_eq!(done["governance"], governance);
        let delivery = json!({"requested": "scrum", "applied": 3, "unchanged": 0, "overrides_kept": null, "has_inherit_bit": false});
        assert_eq!(done["delivery_mode"], delivery);
        assert_eq!(ids(&done["skipped"]), std::slice::from_ref(&tree.gate));
        assert_eq!(done["skipped"][0]["code"], "milestone_gate");
        assert_eq!(done["skipped"][0]["axes"].as_array().unwrap().len(), 2);
        assert_eq!(axes(&site, &tree.root).await, axes_are("gated", false, "scrum"));
        assert_eq!(axes(&site, &tree.a).await, axes_are("gated", true, "scrum"));
        assert_eq!(axes(&site, &tree.gate).await, axes_are("hybrid", true, "milestone"));
        let told = site.payloads("tasks_bulk_mutated").await;
        assert_eq!((told.len(), told[0]["task_ids"].as_array().unwrap().len()), (1, 3));
        assert_eq!(site.payloads("schedule.recalculated").await.len(), 1);
    }

    async fn without_a_cascade_only_the_named_task_is_written(app: &TestApp) {
        let site = Site::new(app).await;
        let tree = tree(&site).await;
        let request = json!({"subtree": tree.root, "cascade": false, "governance_class": "gated"});
        let done = classify(&site, request).await.expect(200);
        assert_eq!((&done["matched"], &done["governance"]["applied"]), (&json!(1), &json!(1)));
        assert!(done.json.as_object().unwrap().get("delivery_mode").is_none(), "an axis that was not sent is absent");
        assert_eq!(axes(&site, &tree.root).await, axes_are("gated", false, "waterfall"));
        assert_eq!(axes(&site, &tree.a).await, axes_are("hybrid", true, "waterfall"));
        let only = classify(&site, json!({"subtree": tree.a, "cascade": false, "delivery_mode": "kanban"})).await.expect(200);
        assert!(only.json.as_object().unwrap().get("governance").is_none());
        assert_eq!(axes(&site, &tree.a).await, axes_are("hybrid", true, "kanban"));
    }

    async fn a_row_with_governance_of_its_own_keeps_it_unless_told_otherwise(app: &TestApp) {
        let site = Site::new(app).await;
        let tree = tree(&site).await;
        classify(&site, json!({"subtree": tree.a, "cascade": false, "governance_class": "flow"})).await.expect(200);
        let request = json!({"subtree": tree.root, "cascade": true, "governance_class": "gated", "delivery_mode": "kanban"});
        let done = classify(&site, request.clone()).await.expect(200);
        assert_eq!((&done["governance"]["applied"], &done["governance"]["overrides_kept"]), (&json!(2), &json!(1)));
        assert_eq!(done["delivery_mode"]["applied"], 3);
        assert_eq!(axes(&site, &tree.a).await, axes_are("flow", false, "kanban"), "it still receives the delivery");
        assert_eq!(axes(&site, &tree.b).await, axes_are("gated", true, "kanban"));
        let mut all = request;
        all["preserve_governance_overrides"] = json!(false);
        let done = classify(&site, all).await.expect(200);
        assert_eq!((&done["governance"]["applied"], &done["governance"]["overrides_kept"]), (&json!(1), &json!(0)));
        assert_eq!(axes(&site, &tree.a).await, axes_are("gated", true, "kanban"));
    }

    async fn milestones_may_take_governance_and_never_take_delivery(app: &TestApp) {
        let site = Site::new(app).await;
        let tree = tree(&site).await;
        let request = json!({"subtree": tree.root, "cascade": true, "governance_class": "gated", "delivery_mode": "scrum", "skip_milestones": false});
        let done = classify(&site, request).await.expect(200);
        assert_eq!((&done["governance"]["applied"], &done["delivery_mode"]["applied"]), (&json!(4), &json!(3)));
        assert_eq!(ids(&done["skipped"]), std::slice::from_ref(&tree.gate));
        assert_eq!(done["skipped"][0]["axes"].as_array().unwrap().len(), 1);
        assert_eq!(axes(&site, &tree.gate).await, axes_are("gated", true, "milestone"));
        assert_eq!(site.read(&tree.gate).await["duration"], 0);
        let alone = json!({"subtree": tree.gate, "cascade": false, "delivery_mode": "scrum"});
        let done = classify(&site, alone).await.expect(200);
        assert_eq!((&done["delivery_mode"]["applied"], ids(&done["skipped"]).len()), (&json!(0), 1));
        let spread = json!({"subtree": tree.root, "cascade": true, "delivery_mode": "milestone"});
        assert!(classify(&site, spread).await.expect(400)["delivery_mode"].is_array());
    }

    async fn the_same_classification_again_writes_nothing(app: &TestApp) {
        let site = Site::new(app).await;
        let tree = tree(&site).await;
        let request = json!({"subtree": tree.root, "cascade": true, "governance_class": "gated", "delivery_mode": "scrum"});
        classify(&site, request.clone()).await.expect(200);
        let before = site.tasks().await;
        site.hush().await;
        let again = classify(&site, request).await.expect(200);
        for axis in ["governance", "delivery_mode"] {
            assert_eq!((&again[axis]["applied"], &again[axis]["unchanged"]), (&json!(0), &json!(3)), "{axis}");
        }
        assert!(site.announced_names().await.is_empty());
        assert_eq!(site.tasks().await, before);
    }

    async fn a_classification_says_what_is_wrong_with_it(app: &TestApp) {
        let site = Site::new(app).await;
        let tree = tree(&site).await;
        let elsewhere = app.project(&site.owner, "Tunnel").await;
        let foreign = site.owner.post(TASKS, json!({"name": "F", "project": elsewhere})).await.expect(201).id();
        classify(&site, json!({"subtree": tree.root, "cascade": true})).await.expect(400);
        assert!(classify(&site, json!({"governance_class": "flow"})).await.expect(400)["subtree"].is_array());
        assert!(classify(&site, json!({"subtree": "P", "governance_class": "flow"})).await.expect(400)["subtree"].is_array());
        let wrong = json!({"subtree": tree.root, "governance_class": "loose", "delivery_mode": "carrier"});
        let refused = classify(&site, wrong).await.expect(400);
        assert!(refused["governance_class"].is_array() && refused["delivery_mode"].is_array(), "{}", refused.text);
        for unknown in [foreign, app.clock.mint::<Uuid>().to_string()] {
            classify(&site, json!({"subtree": unknown, "cascade": true, "governance_class": "flow"})).await.expect(404);
        }
        assert_eq!(axes(&site, &tree.root).await, axes_are("hybrid", false, "waterfall"));
    }

    async fn who_cannot_edit_every_row_writes_none(app: &TestApp) {
        let site = Site::new(app).await;
        let (viewer, member) = (site.person("vic", 1).await, site.person("mia", 100).await);
        let resources = site.person("rob", 200).await;
        let tree = tree(&site).await;
        site.change(&tree.a, json!({"assignee": member.id})).await;
        let path = site.at("tasks/classification/");
        let all = json!({"subtree": tree.root, "cascade": true, "governance_class": "gated"});
        for person in [&viewer, &member, &resources] {
            person.patch(&path, all.clone()).await.expect(403);
        }
        app.person("sue").await.patch(&path, all).await.expect(404);
        assert_eq!(axes(&site, &tree.a).await, axes_are("hybrid", true, "waterfall"));
        let own = json!({"subtree": tree.a, "cascade": true, "governance_class": "gated"});
        member.patch(&path, own.clone()).await.expect(200);
        assert_eq!(axes(&site, &tree.a).await, axes_are("gated", false, "waterfall"));
        site.change(&tree.b, json!({"assignee": resources.id})).await;
        resources.patch(&path, json!({"subtree": tree.b, "cascade": true, "governance_class": "gated"})).await.expect(403);
    }

    async fn a_classification_is_undone_except_for_what_was_changed_since(app: &TestApp) {
        let site = Site::new(app).await;
        let member = site.person("mia", 100).await;
        let tree = tree(&site).await;
        let request = json!({"subtree": tree.root, "cascade": true, "governance_class": "gated", "delivery_mode": "scrum"});
        let done = classify(&site, request).await.expect(200);
        site.change(&tree.b, json!({"name": "B2"})).await;
        let all = "/api/v1/cascade-classification-operations/";
        let one = format!("{all}{}/", text(&done["operation_id"]));
        let listed = site.owner.get(&format!("{all}?project={}", site.project)).await.expect(200);
        assert!(ids(&listed["results"]).contains(&text(&done["operation_id"]).to_owned()));
        assert_eq!(site.owner.get(&one).await.expect(200)["subtree_id"], json!(tree.root));
        member.post(&format!("{one}undo/"), json!({})).await.expect(403);
        let undone = site.owner.post(&format!("{one}undo/"), json!({})).await.expect(200);
        assert_eq!((&undone["undo"]["reverted"], &undone["undo"]["kept"]), (&json!(2), &json!(1)));
        assert_eq!(undone["status"], "undone");
        assert_eq!(axes(&site, &tree.root).await, axes_are("hybrid", false, "waterfall"));
        assert_eq!(axes(&site, &tree.a).await, axes_are("hybrid", true, "waterfall"));
        assert_eq!(axes(&site, &tree.b).await, axes_are("gated", true, "scrum"));
        site.owner.post(&format!("{one}undo/"), json!({})).await.expect(400);
    }

    async fn a_plan_with_a_cycle_in_it_cannot_be_classified(app: &TestApp) {
        let site = Site::new(app).await;
        let tree = tree(&site).await;
        let other = site.task("Z", 1).await;
        let mut tx = app.app.db.begin().await.unwrap();
        for (from, to) in [(&tree.a, &other), (&other, &tree.a)] {
            let id: Uuid = tx.mint();
            let statement = sql!(
                "INSERT INTO dependencies (id, predecessor_id, successor_id, predecessor_project_id, successor_project_id,
                    dep_type, lag, pending_acceptance, is_driving, created_at, server_version)
                 VALUES (:id, :from, :to, :project, :project, 'FS', 0, FALSE, FALSE, :now, 1)",
                id = id,
                from = from.parse::<Uuid>().unwrap(),
                to = to.parse::<Uuid>().unwrap(),
                project = site.project.parse::<Uuid>().unwrap(),
                now = tx.now()
            );
            tx.run(statement).await.unwrap();
        }
        tx.commit().await.unwrap();
        let request = json!({"subtree": tree.root, "cascade": true, "governance_class": "gated"});
        assert_eq!(classify(&site, request).await.expect(400)["code"], "cyclic_dependency");
        assert_eq!(axes(&site, &tree.a).await, axes_are("hybrid", true, "waterfall"));
    }
}

/// Imports a program of one project with these tasks; returns the project.
async fn imported(app: &TestApp, owner: &Person<'_>, tasks: Value) -> String {
    let document = json!({
        "schema_version": "2.0", "program": {"slug": "bridges", "name": "Bridges", "methodology": "WATERFALL"},
        "projects": [{"slug": "north", "name": "North", "methodology": "WATERFALL", "start_date": "2026-01-05", "tasks": tasks}],
    });
    owner.post("/api/v1/programs/import/", document).await.expect(202);
    app.run_jobs().await;
    let projects = owner.get("/api/v1/projects/").await.expect(200);
    text(&projects.results()[0]["id"]).to_owned()
}

/// The tasks of a project by their names.
async fn of_project(owner: &Person<'_>, project: &str) -> Vec<Value> {
    let list = format!("{TASKS}?project={project}&ordering=wbs_path&page_size=500");
    owner.get(&list).await.expect(200).results().clone()
}

both_engines! {
    async fn more_than_two_thousand_tasks_are_not_classified_at_once(app: &TestApp) {
        let owner = app.person("ona").await;
        let mut tasks = vec![json!({"wbs_path": "1", "name": "P"})];
        tasks.extend((1..=2000).map(|at| json!({"wbs_path": format!("1.{at}"), "name": "T"})));
        let project = imported(app, &owner, json!(tasks)).await;
        let before = of_project(&owner, &project).await;
        let root = text(&before[0]["id"]).to_owned();
        let path = format!("/api/v1/projects/{project}/tasks/classification/");
        let request = json!({"subtree": root, "cascade": true, "governance_class": "hybrid"});
        let refused = owner.patch(&path, request).await.expect(400);
        assert_eq!((&refused["code"], &refused["matched"], &refused["max"]), (&json!("subtree_too_large"), &json!(2001), &json!(2000)));
        assert_eq!(of_project(&owner, &project).await, before);
        let alone = json!({"subtree": root, "cascade": false, "governance_class": "hybrid"});
        assert_eq!(owner.patch(&path, alone).await.expect(200)["matched"], 1);
        assert_eq!(of_project(&owner, &project).await[1], before[1]);
    }

    async fn a_seeded_row_is_untouched_until_a_person_writes_it(app: &TestApp) {
        let owner = app.person("ona").await;
        let rows = json!([{"wbs_path": "1", "name": "A", "duration": 2}, {"wbs_path": "2", "name": "B"}]);
        let project = imported(app, &owner, rows).await;
        let tasks = of_project(&owner, &project).await;
        assert_eq!((&tasks[0]["source_kind"], &tasks[0]["is_untouched_seed"]), (&json!("seed_import"), &json!(true)));
        assert_eq!((&tasks[0]["seeded_at"], &tasks[0]["edited_at"]), (&json!("2026-01-05T08:00:00Z"), &Value::Null));
        owner.post(&format!("/api/v1/projects/{project}/schedule/"), json!({})).await.expect(202);
        app.run_jobs().await;
        assert_eq!(of_project(&owner, &project).await, tasks, "a recalculation is no edit");
        let path = task_path(text(&tasks[0]["id"]));
        let touched = owner.lenient().patch(&path, json!({"duration": 3, "source_kind": "hand", "seeded_at": null})).await.expect(200);
        assert_eq!((&touched["is_untouched_seed"], &touched["source_kind"]), (&json!(false), &json!("seed_import")));
        assert_eq!((&touched["seeded_at"], &touched["edited_at"]), (&tasks[0]["seeded_at"], &json!("2026-01-05T08:00:00Z")));
        assert_eq!(of_project(&owner, &project).await[1]["is_untouched_seed"], true);
    }

    async fn the_sweep_deletes_untouched_rows_of_any_age_and_nothing_else(app: &TestApp) {
        let mut owner = app.person("ona").await;
        let rows = json!([
            {"wbs_path": "1", "name": "P"}, {"wbs_path": "1.1", "name": "edited"}, {"wbs_path": "2", "name": "untouched"},
            {"wbs_path": "3", "name": "linked"},
        ]);
        let project = imported(app, &owner, rows).await;
        app.later(chrono::Duration::days(40));
        owner.sign_in_again().await;
        let tasks = of_project(&owner, &project).await;
        owner.patch(&task_path(text(&tasks[1]["id"])), json!({"name": "kept"})).await.expect(200);
        owner.post(TASKS, json!({"name": "by hand", "project": project})).await.expect(201);
        let sweep = format!("{TASKS}delete-untouched-seeded/");
        app.run_jobs().await;
        let ignored = json!({"project": project, "ids": [tasks[1]["id"]], "window": 7});
        assert_eq!(owner.lenient().post(&sweep, ignored).await.expect(200).json, json!({"deleted": 3}));
        let left = of_project(&owner, &project).await;
        let mut names: Vec<&str> = left.iter().map(|task| text(&task["name"])).collect();
        names.sort();
        assert_eq!(names, ["by hand", "kept"]);
        crate::site::check_outline(&left);
        assert_eq!(owner.post(&sweep, json!({"project": project})).await.expect(200)["deleted"], 0);
    }

    async fn only_managers_sweep_and_only_projects_they_are_in(app: &TestApp) {
        let owner = app.person("ona").await;
        let project = imported(app, &owner, json!([{"wbs_path": "1", "name": "A"}])).await;
        let sweep = format!("{TASKS}delete-untouched-seeded/");
        let people = [("vic", Role::Viewer, 403), ("mia", Role::Member, 403), ("rob", Role::ResourceManager, 403),
            ("pam", Role::ProjectManager, 200)];
        for (name, role, status) in people {
            let person = app.person(name).await;
            owner.let_in(&project_path(&project), &person, role).await;
            let done = person.post(&sweep, json!({"project": project})).await.expect(status);
            assert!(status == 403 || done["deleted"] == 1, "{}", done.text);
        }
        app.person("sue").await.post(&sweep, json!({"project": project})).await.expect(404);
        for wrong in [json!({}), json!({"project": "no-uuid"}), json!({"project": null})] {
            owner.post(&sweep, wrong).await.expect(400);
        }
        owner.post(&sweep, json!({"project": app.clock.mint::<Uuid>()})).await.expect(404);
    }
}
