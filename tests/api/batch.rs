//! Batches from within: what rows of one request do to each other, what is kept for taking them back, and the sweep.
//! The contract's own promises are in `tasks_batch.rs`.

use planwright_testkit::both_engines;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::bridges::Bridges;
use crate::site::{LINKS, Site, TASKS, ids, task_path, text};

fn update(id: &str, data: Value) -> Value {
    json!({"op": "update", "id": id, "data": data})
}

fn delete(id: &str) -> Value {
    json!({"op": "delete", "id": id})
}

fn create(data: Value) -> Value {
    json!({"op": "create", "data": data})
}

/// The codes of a bucket.
fn codes(bucket: &Value) -> Vec<&str> {
    bucket.as_array().expect("a bucket is an array").iter().map(|row| text(&row["code"])).collect()
}

/// The outcomes of what was applied.
fn outcomes(answer: &planwright_testkit::Answer) -> Vec<&str> {
    answer["applied"]
        .as_array()
        .expect("a bucket is an array")
        .iter()
        .map(|row| text(&row["outcome"]))
        .collect()
}

both_engines! {
    async fn rows_below_one_that_goes_take_its_place_also_those_that_the_batch_made(app: &TestApp) {
        let site = Site::new(app).await;
        let (first, phase) = (site.task("first", 1).await, site.task("P", 1).await);
        let inner = site.under(&phase, "Q", 1).await;
        site.under(&inner, "deep", 1).await;
        site.under(&phase, "low", 1).await;
        site.task("last", 1).await;
        let answer = site.bulk(json!({"operations": [
            create(json!({"name": "made", "parent_id": phase})), delete(&phase), delete(&inner), update(&first, json!({"name": "1st"})),
        ]})).await;
        assert_eq!(outcomes(&answer), ["created", "deleted", "deleted", "updated"]);
        assert_eq!(site.outline().await, ["1 1st", "2 deep", "3 low", "4 made", "5 last"]);
        assert_eq!(answer["applied"][0]["task"]["wbs_path"], "4");
        let trash = site.owner.get(&format!("{TASKS}trash/?project={}", site.project)).await.expect(200);
        assert_eq!(ids(&trash["results"]).len(), 2, "each row went by an act of its own");
        site.owner.post(&format!("{}restore/", task_path(&phase)), json!({})).await.expect(200);
        assert!(site.outline().await.contains(&"2.1 low".to_owned()), "{:?}", site.outline().await);
    }

    async fn nothing_is_put_below_a_row_that_went_before(app: &TestApp) {
        let site = Site::new(app).await;
        let phase = site.task("P", 1).await;
        let answer = site.bulk(json!({"operations": [
            delete(&phase), create(json!({"name": "A", "parent_id": phase})), create(json!({"name": "B", "blocking_task": phase})),
        ]})).await;
        assert_eq!(codes(&answer["rejected"]), ["invalid", "invalid"]);
        assert!(answer["rejected"][0]["errors"]["parent_id"].is_array(), "{}", answer.text);
        assert!(site.outline().await.is_empty());
    }

    async fn a_drawer_subtask_goes_and_comes_back_with_its_task(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("A", 2).await;
        let drawer = json!({"name": "S", "parent_id": task, "is_subtask": true});
        let (one, two) = (site.create(drawer.clone()).await.id(), site.create(drawer).await.id());
        let answer = site.bulk(json!({"operations": [
            delete(&task), delete(&one), update(&two, json!({"name": "gone"})),
        ]})).await;
        assert_eq!(outcomes(&answer), ["deleted", "deleted"]);
        assert_eq!(codes(&answer["rejected"]), ["not_found"]);
        assert!(site.tasks().await.is_empty());
        site.owner.post(&format!("{}restore/", task_path(&task)), json!({})).await.expect(200);
        assert_eq!(site.outline().await, ["1 A", "1.1 S", "1.2 S"]);
    }

    async fn a_row_becomes_a_phase_by_the_rows_before_it(app: &TestApp) {
        let site = Site::new(app).await;
        let (a, b) = (site.task("A", 1).await, site.task("B", 1).await);
        let child = site.under(&b, "C", 1).await;
        let done = json!({"status": "COMPLETE"});
        let answer = site.bulk(json!({"operations": [
            create(json!({"name": "below", "parent_id": a})), update(&a, done.clone()), delete(&child), update(&b, done),
        ]})).await;
        assert_eq!(outcomes(&answer), ["created", "deleted", "updated"]);
        assert_eq!(answer["rejected"][0]["errors"]["code"], "phase_status_rollup_locked");
        assert_eq!(site.read(&b).await["status"], "COMPLETE");
    }

    async fn a_milestone_of_the_batch_takes_no_rows_and_an_epic_does(app: &TestApp) {
        let site = Site::new(app).await;
        let [gate, epic]: [Uuid; 2] = std::array::from_fn(|_| app.clock.mint());
        let answer = site.bulk(json!({"operations": [
            {"op": "create", "id": gate, "data": {"name": "G", "is_milestone": true}},
            create(json!({"name": "A", "parent_id": gate})),
            {"op": "create", "id": epic, "data": {"name": "E", "type": "epic"}},
            create(json!({"name": "B", "parent_epic": epic})),
        ]})).await;
        assert_eq!(outcomes(&answer), ["created", "created", "created"]);
        assert_eq!(answer["rejected"][0]["errors"]["code"], "child_of_milestone");
        assert_eq!(answer["applied"][2]["task"]["parent_epic"], json!(epic));
    }

    async fn what_is_as_it_was_asked_to_be_stays_untouched(app: &TestApp) {
        let site = Site::new(app).await;
        let crane = site.resource("Crane", true).await;
        let owners = json!([{"resource": crane, "units": 0.5}]);
        let task = site.create(json!({"name": "A", "duration": 2, "owners": owners})).await.id();
        let said = json!({"name": "A", "duration": 2, "owners": owners});
        let again = json!({"operations": [{"op": "create", "id": task, "data": said}]});
        let answer = site.bulk(again).await;
        assert_eq!(outcomes(&answer), ["unchanged"]);
        assert_eq!((&answer["applied"][0]["task"]["server_version"], &answer["operation_id"]), (&json!(1), &Value::Null));
        let more = json!([{"resource": crane, "units": "0.75"}]);
        assert_eq!(outcomes(&site.bulk(json!({"operations": [update(&task, json!({"owners": more}))]})).await), ["updated"]);
        assert_eq!(site.read(&task).await["assignments"][0]["units"], "0.75");
    }

    async fn a_row_that_others_changed_since_its_base_is_a_conflict_of_that_row(app: &TestApp) {
        let site = Site::new(app).await;
        let (a, b) = (site.task("A", 1).await, site.task("B", 1).await);
        site.change(&a, json!({"name": "theirs"})).await;
        let answer = site.bulk(json!({"operations": [
            update(&a, json!({"name": "mine", "base_version": 1})), update(&b, json!({"name": "B2", "base_version": 1})),
        ]})).await;
        assert_eq!((codes(&answer["rejected"]), outcomes(&answer)), (vec!["conflict"], vec!["updated"]));
        assert_eq!(answer["rejected"][0]["errors"]["conflict_fields"], json!(["name"]));
        let apart = json!({"operations": [update(&a, json!({"duration": 3, "base_version": 1}))]});
        assert_eq!(outcomes(&site.bulk(apart).await), ["updated"]);
        assert_eq!(site.read(&a).await["name"], "theirs");
    }

    async fn every_row_is_told_to_webhooks_and_the_board_hears_once(app: &TestApp) {
        let site = Site::new(app).await;
        let (a, b) = (site.task("A", 1).await, site.task("B", 1).await);
        site.hush().await;
        site.bulk(json!({"operations": [
            update(&a, json!({"name": "A2", "assignee": site.owner.id})), delete(&b), create(json!({"name": "C"})),
        ]})).await;
        assert_eq!(site.announced_names().await, [
            "cpm_complete", "schedule.recalculated", "task.assigned", "task.created", "task.deleted", "task.updated",
            "task_dates_updated", "tasks_bulk_mutated",
        ]);
        let told = site.payloads("tasks_bulk_mutated").await;
        assert_eq!(told[0]["task_ids"].as_array().unwrap().len(), 3);
    }

    async fn what_is_no_row_of_this_plan_is_no_end_of_an_edge_unless_the_other_end_is(app: &TestApp) {
        let owner = app.person("ona").await;
        let plan = Bridges::of(app, &owner).await;
        let [survey, drawing]: [String; 2] = {
            let tasks = owner.get(&format!("{TASKS}?project={}&ordering=wbs_path", plan.project)).await.expect(200);
            ids(&tasks["results"]).try_into().unwrap()
        };
        let sister = json!({"name": "South", "program": plan.program, "start_date": "2026-01-05"});
        let sister = owner.post("/api/v1/projects/", sister).await.expect(201).id();
        let made: Uuid = app.clock.mint();
        let answer = owner.post(&format!("/api/v1/projects/{sister}/tasks/bulk/"), json!({
            "operations": [{"op": "create", "id": made, "data": {"name": "Build"}}],
            "dependencies": {"created": [
                {"predecessor": survey, "successor": drawing, "dep_type": "SS"},
                {"predecessor": drawing, "successor": made},
            ]}
        })).await.expect(207);
        assert_eq!(codes(&answer["dependencies"]["rejected"]), ["unresolved_endpoint"]);
        assert_eq!(answer["dependencies"]["applied"][0]["index"], 1);
        assert_eq!(answer["applied"][0]["task"]["early_start"], "2026-01-15", "eight days of the other project come first");
    }

    async fn a_circle_is_named_by_its_rows(app: &TestApp) {
        let site = Site::new(app).await;
        let (a, b) = (site.task("A", 1).await, site.task("B", 1).await);
        site.link(&a, &b).await;
        let answer = site.bulk(json!({
            "operations": [update(&a, json!({"name": "A2"}))],
            "dependencies": {"created": [{"predecessor": b, "successor": a}, {"predecessor": a, "successor": b}]}
        })).await;
        let rejected = &answer["dependencies"]["rejected"];
        assert_eq!(codes(rejected), ["cyclic_dependency", "conflict"]);
        assert_eq!(rejected[0]["offending"], json!([b, a, b]));
        assert_eq!(outcomes(&answer), ["updated"]);
        let links = site.owner.get(&format!("{LINKS}?project={}", site.project)).await.expect(200);
        assert_eq!(links["count"], 1);
    }

    async fn an_answer_of_five_hundred_rows_is_kept_for_whoever_sends_it_again(app: &TestApp) {
        let site = Site::new(app).await;
        let operations: Vec<Value> = (0..500).map(|_| create(json!({"name": "T", "notes": "n".repeat(600)}))).collect();
        let keyed = site.owner.with_header("idempotency-key", "many");
        let request = json!({"operations": operations});
        let first = keyed.post(&site.at("tasks/bulk/"), request.clone()).await.expect(207);
        assert!(first.text.len() > 1024 * 1024, "the answer has {} bytes", first.text.len());
        let again = keyed.post(&site.at("tasks/bulk/"), request).await.expect(207);
        assert_eq!(again.header("idempotent-replay"), "true");
        assert_eq!(first.text, again.text);
        let page = site.owner.get(&format!("{TASKS}?project={}&page_size=1", site.project)).await.expect(200);
        assert_eq!(page["count"], 500);
        assert_eq!(first["applied"][499]["task"]["wbs_path"], "500");
    }
}

both_engines! {
    async fn taking_a_paste_back_tells_what_it_deletes_and_leaves_what_hangs_below_it(app: &TestApp) {
        let site = Site::new(app).await;
        let [phase, below]: [Uuid; 2] = std::array::from_fn(|_| app.clock.mint());
        let answer = site.bulk(json!({"operations": [
            {"op": "create", "id": phase, "data": {"name": "P"}},
            {"op": "create", "id": below, "data": {"name": "A", "parent_id": phase}},
        ]})).await;
        let theirs = site.under(&phase.to_string(), "theirs", 1).await;
        let one = format!("/api/v1/paste-many-operations/{}/", text(&answer["operation_id"]));
        let shown = site.owner.get(&one).await.expect(200);
        let mut versions = json!({});
        versions[phase.to_string()] = json!(1);
        versions[below.to_string()] = json!(1);
        assert_eq!((&shown["created_task_versions"], &shown["result_summary"]["created"]), (&versions, &json!(2)));
        site.hush().await;
        let undone = site.owner.post(&format!("{one}undo/"), json!({})).await.expect(200);
        assert_eq!(undone["undo"], json!({"deleted": 2, "kept": 0}));
        assert_eq!(site.outline().await, ["1 theirs"]);
        assert_eq!(site.payloads("task.deleted").await.len(), 2);
        let told = site.payloads("tasks_bulk_mutated").await;
        assert!(told[0]["task_ids"].as_array().unwrap().contains(&json!(theirs)), "it moved up");
        assert_eq!(site.payloads("schedule.recalculated").await.len(), 1);
        let twice = site.owner.post(&format!("{one}undo/"), json!({})).await.expect(400);
        assert_eq!(twice["code"], "already_undone");
    }

    async fn operations_are_listed_for_members_newest_first(app: &TestApp) {
        let site = Site::new(app).await;
        let viewer = site.person("vic", 1).await;
        let mut made = Vec::new();
        for name in ["A", "B", "C"] {
            let answer = site.bulk(json!({"operations": [create(json!({"name": name}))]})).await;
            made.insert(0, text(&answer["operation_id"]).to_owned());
        }
        let all = "/api/v1/paste-many-operations/";
        assert_eq!(ids(&viewer.get(all).await.expect(200)["results"]), made);
        let other = app.project(&site.owner, "Other").await;
        let elsewhere = site.owner.get(&format!("{all}?project={other}")).await.expect(200);
        assert_eq!(elsewhere["count"], 0);
        let oldest = viewer.get(&format!("{all}?ordering=created_at&page_size=1")).await.expect(200);
        assert_eq!(oldest["count"], 3);
        let stranger = app.person("sue").await;
        assert_eq!(stranger.get(all).await.expect(200)["count"], 0);
        for person in [&viewer, &stranger] {
            let status = if person.name == "vic" { 403 } else { 404 };
            person.post(&format!("{all}{}/undo/", made[0]), json!({})).await.expect(status);
        }
        site.owner.get(&format!("/api/v1/cascade-classification-operations/{}/", made[0])).await.expect(404);
    }

    async fn the_sweep_leaves_what_was_edited_and_puts_it_where_its_task_was(app: &TestApp) {
        let owner = app.person("ona").await;
        let more: Vec<(String, &str)> = (0..40).map(|at| (format!("T{at}"), "task")).collect();
        let more: Vec<(&str, &str)> = more.iter().map(|(name, kind)| (name.as_str(), *kind)).collect();
        let plan = Bridges::with(app, &owner, &more).await;
        let drawer = json!({"name": "S", "project": plan.project, "parent_id": plan.task, "is_subtask": true});
        owner.post(TASKS, drawer).await.expect(201);
        app.run_jobs().await;
        let request = json!({"project": plan.project});
        let done = owner.post(&format!("{TASKS}delete-untouched-seeded/"), request).await.expect(200);
        assert_eq!(done.json, json!({"deleted": 42}));
        let left = owner.get(&format!("{TASKS}?project={}", plan.project)).await.expect(200);
        assert_eq!((&left["count"], &left.results()[0]["name"]), (&json!(1), &json!("S")));
        assert_eq!((&left.results()[0]["wbs_path"], &left.results()[0]["is_subtask"]), (&json!("1"), &json!(false)));
        let links = owner.get(&format!("{LINKS}?project={}", plan.project)).await.expect(200);
        assert_eq!(links["count"], 0);
        owner.post(&format!("{}restore/", task_path(&plan.task)), json!({})).await.expect(200);
        let back = owner.get(&task_path(&plan.task)).await.expect(200);
        assert_eq!(back["wbs_path"], "1");
    }
}
