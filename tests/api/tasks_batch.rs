//! Batch writes: every row in exactly one bucket, ids of the client's own, edges between rows of one request, one
//! recalculation and one event for all of it, and the undoing of a paste.

use planwright_testkit::{Answer, both_engines};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::site::{LINKS, Site, TASKS, ids, task_path, text};

/// A row that creates a task under an id.
fn create(id: &str, name: &str, duration: i64) -> Value {
    json!({"op": "create", "id": id, "data": {"name": name, "duration": duration}})
}

/// A link from the end of one task to the start of another.
fn edge(predecessor: &str, successor: &str) -> Value {
    json!({"predecessor": predecessor, "successor": successor, "dep_type": "FS", "lag": 0})
}

/// Fresh ids.
fn fresh<const N: usize>(site: &Site<'_>) -> [String; N] {
    std::array::from_fn(|_| site.app.clock.mint::<Uuid>().to_string())
}

/// Index and code of every problem in a bucket.
fn problems(bucket: &Value) -> Vec<(u64, String)> {
    let rows = bucket.as_array().expect("a bucket is an array");
    let problem = |row: &Value| {
        assert!(row["message"].is_string(), "{row}");
        (row["index"].as_u64().unwrap(), text(&row["code"]).to_owned())
    };
    rows.iter().map(problem).collect()
}

/// Index and outcome of what was applied.
fn outcomes(answer: &Answer) -> Vec<(u64, String)> {
    let rows = answer["applied"].as_array().expect("a bucket is an array");
    rows.iter().map(|row| (row["index"].as_u64().unwrap(), text(&row["outcome"]).to_owned())).collect()
}

/// What a test expects of a bucket.
fn rows(expected: &[(u64, &str)]) -> Vec<(u64, String)> {
    expected.iter().map(|(index, word)| (*index, (*word).to_owned())).collect()
}

both_engines! {
    async fn rows_and_edges_of_one_request_become_a_scheduled_plan(app: &TestApp) {
        let site = Site::new(app).await;
        let [a, b] = fresh(&site);
        let answer = site.bulk(json!({
            "operations": [create(&a, "A", 3), {"op": "create", "data": {"name": "C", "parent_id": a}}, create(&b, "B", 2)],
            "dependencies": {"created": [edge(&a, &b)]}
        })).await;
        assert_eq!(outcomes(&answer), rows(&[(0, "created"), (1, "created"), (2, "created")]));
        assert_eq!((&answer["rejected"], &answer["skipped"]), (&json!([]), &json!([])));
        assert_eq!((&answer["applied"][0]["id"], &answer["applied"][0]["op"]), (&json!(a), &json!("create")));
        assert_eq!(answer["applied"][1]["task"]["wbs_path"], "1.1");
        let link = &answer["dependencies"]["applied"][0];
        assert_eq!((&link["index"], &link["predecessor"], &link["successor"]), (&json!(0), &json!(a), &json!(b)));
        assert_eq!((&link["pending_acceptance"], &answer["dependencies"]["rejected"]), (&json!(false), &json!([])));
        let stored = site.owner.get(&format!("{LINKS}{}/", text(&link["id"]))).await.expect(200);
        assert_eq!((&stored["dep_type"], &stored["lag"]), (&json!("FS"), &json!(0)));
        assert_eq!(site.window(&b).await, "2026-01-06 to 2026-01-07", "A is a phase of one day");
        let told = &answer["applied"][2]["task"];
        assert_eq!(told["early_start"], "2026-01-06", "the answer has the new dates");
    }

    async fn every_row_stands_in_exactly_one_bucket(app: &TestApp) {
        let site = Site::new(app).await;
        let (kept, gone) = (site.task("kept", 1).await, site.task("gone", 1).await);
        site.owner.delete(&task_path(&gone)).await.expect(204);
        let [fresh_id, unknown] = fresh(&site);
        let answer = site.bulk(json!({"operations": [
            create(&fresh_id, "new", 1), create("no-uuid", "A", 1), create(&gone, "again", 1),
            {"op": "update", "id": unknown, "data": {"name": "A"}}, {"op": "update", "data": {"name": "A"}},
            {"op": "update", "id": "neither", "data": {}}, {"op": "update", "id": kept, "data": {"name": "renamed"}},
            {"op": "update", "id": Uuid::nil(), "data": {"name": "A"}}, {"op": "delete"},
            {"op": "create", "data": {"name": "A", "duration": -1}},
        ]})).await;
        assert_eq!(outcomes(&answer), rows(&[(0, "created"), (6, "updated")]));
        let rejected = [(1, "malformed_id"), (3, "not_found"), (4, "invalid"), (5, "malformed_id"), (7, "not_found"),
            (8, "invalid"), (9, "invalid")];
        assert_eq!(problems(&answer["rejected"]), rows(&rejected));
        assert_eq!(problems(&answer["skipped"]), rows(&[(2, "tombstoned")]));
        let why = text(&answer["rejected"][6]["message"]);
        assert!(why.contains("duration"), "the field is named: {why}");
        assert_eq!(site.outline().await, ["1 renamed", "2 new"]);
        site.owner.get(&task_path(&gone)).await.expect(404);
    }

    async fn a_broken_tenth_row_leaves_the_other_nine(app: &TestApp) {
        let site = Site::new(app).await;
        let mut operations: Vec<Value> =
            (1..=11).map(|at| json!({"op": "create", "data": {"name": format!("T{at}")}})).collect();
        operations[9] = json!({"op": "create", "data": {"name": "", "optimistic_duration": 3, "status": "DONE"}});
        operations[10] = json!({"op": "create", "data": {"name": "M", "is_milestone": true, "duration": 2}});
        let answer = site.bulk(json!({"operations": operations})).await;
        assert_eq!(outcomes(&answer).len(), 9);
        assert_eq!(problems(&answer["rejected"]), rows(&[(9, "invalid"), (10, "invalid")]));
        assert_eq!(site.tasks().await.len(), 9);
    }

    async fn a_row_whose_parent_was_refused_is_refused_too(app: &TestApp) {
        let site = Site::new(app).await;
        let [parent, later, child] = fresh(&site);
        let answer = site.bulk(json!({"operations": [
            create(&parent, "", 1),
            {"op": "create", "data": {"name": "A", "parent_id": parent}},
            {"op": "create", "data": {"name": "B", "parent_id": later}},
            create(&later, "L", 1),
            {"op": "create", "id": child, "data": {"name": "C", "parent_id": later}},
            {"op": "create", "data": {"name": "D", "parent_id": "no-uuid"}},
        ]})).await;
        assert_eq!(outcomes(&answer), rows(&[(3, "created"), (4, "created")]));
        let codes = problems(&answer["rejected"]);
        assert_eq!(codes.iter().map(|(index, _)| *index).collect::<Vec<_>>(), [0, 1, 2, 5]);
        assert_eq!(codes[3].1, "malformed_id");
        assert_eq!(site.outline().await, ["1 L", "1.1 C"]);
    }

    async fn creating_what_exists_changes_it_in_its_place(app: &TestApp) {
        let site = Site::new(app).await;
        let (first, other) = (site.task("A", 1).await, site.task("B", 1).await);
        let short = site.read(&first).await["short_id"].clone();
        let answer = site.bulk(json!({"operations": [create(&first, "A2", 4)]})).await;
        assert_eq!(outcomes(&answer), rows(&[(0, "updated")]));
        let task = &answer["applied"][0]["task"];
        assert_eq!((&task["name"], &task["short_id"], &task["server_version"]), (&json!("A2"), &short, &json!(2)));
        let member = site.person("mia", 100).await;
        site.change(&other, json!({"assignee": member.id})).await;
        let request = json!({"operations": [create(&first, "A3", 1), create(&other, "B2", 1), {"op": "create", "data": {"name": "new"}}]});
        let answer = member.post(&site.at("tasks/bulk/"), request).await.expect(207);
        assert_eq!(problems(&answer["rejected"]), rows(&[(0, "forbidden")]));
        assert_eq!(outcomes(&answer), rows(&[(1, "updated"), (2, "created")]));
        assert_eq!(site.outline().await, ["1 A2", "2 B2", "3 new"]);
    }

    async fn an_id_that_is_used_elsewhere_is_unavailable_and_tells_nothing(app: &TestApp) {
        let site = Site::new(app).await;
        let stranger = app.person("sue").await;
        let elsewhere = app.project(&stranger, "Tunnel").await;
        let secret = stranger.post(TASKS, json!({"name": "Secret", "project": elsewhere})).await.expect(201).id();
        let [unknown] = fresh(&site);
        let answer = site.bulk(json!({"operations": [
            create(&secret, "Grab", 1), {"op": "create", "data": {"name": "child", "parent_id": secret}},
        ]})).await;
        assert_eq!(answer["applied"], json!([]));
        assert_eq!(problems(&answer["rejected"])[0], (0, "id_unavailable".to_owned()));
        assert!(!answer.text.contains("Secret") && !answer.text.contains("Tunnel"), "{}", answer.text);
        let ask = async |op: &str, id: &str| {
            let answer = site.bulk(json!({"operations": [{"op": op, "id": id, "data": {"name": "Grab"}}]})).await;
            let refused = &answer["rejected"][0];
            (text(&refused["code"]).to_owned(), text(&refused["message"]).replace(id, "it"))
        };
        for op in ["update", "delete"] {
            assert_eq!(ask(op, &secret).await, ask(op, &unknown).await, "{op}");
            assert_eq!(ask(op, &secret).await.0, "not_found");
        }
        assert_eq!(stranger.get(&task_path(&secret)).await.expect(200)["name"], "Secret");
    }

    async fn a_deletion_in_a_batch_is_an_ordinary_deletion(app: &TestApp) {
        let site = Site::new(app).await;
        let member = site.person("mia", 100).await;
        let (a, b, c) = (site.task("A", 3).await, site.task("B", 2).await, site.task("C", 1).await);
        site.link(&a, &b).await;
        site.change(&c, json!({"assignee": member.id})).await;
        let request = json!({"operations": [{"op": "delete", "id": a}, {"op": "delete", "id": c}]});
        let answer = member.post(&site.at("tasks/bulk/"), request.clone()).await.expect(207);
        assert_eq!(problems(&answer["rejected"]), rows(&[(0, "forbidden")]));
        assert_eq!(outcomes(&answer), rows(&[(1, "deleted")]));
        assert!(answer["applied"][0]["task"].is_null(), "{}", answer.text);
        let answer = site.bulk(request).await;
        assert_eq!(outcomes(&answer), rows(&[(0, "deleted")]));
        assert_eq!(problems(&answer["rejected"]), rows(&[(1, "not_found")]));
        assert_eq!(site.window(&b).await, "2026-01-05 to 2026-01-06");
        let trash = site.owner.get(&format!("{TASKS}trash/?project={}", site.project)).await.expect(200);
        assert_eq!(ids(&trash["results"]).len(), 2);
    }

    async fn locks_and_gates_hold_in_a_batch_as_well(app: &TestApp) {
        let site = Site::new(app).await;
        let phase = site.task("P", 1).await;
        site.under(&phase, "A", 2).await;
        let gate = site.create(json!({"name": "M", "is_milestone": true})).await.id();
        let update = |id: &str, data: Value| json!({"op": "update", "id": id, "data": data});
        let answer = site.bulk(json!({"operations": [
            update(&phase, json!({"status": "COMPLETE"})), update(&gate, json!({"delivery_mode": "scrum"})),
        ]})).await;
        assert_eq!(problems(&answer["rejected"]), rows(&[(0, "invalid")]));
        assert_eq!(problems(&answer["skipped"]), rows(&[(1, "milestone_gate")]));
        assert_eq!(site.read(&gate).await["delivery_mode"], "milestone");
        let said = site.bulk(json!({"operations": [update(&gate, json!({"delivery_mode": "scrum", "is_milestone": false}))]})).await;
        assert_eq!(outcomes(&said), rows(&[(0, "updated")]));
        assert_eq!(said["applied"][0]["task"]["is_milestone"], false);
        let [made] = fresh(&site);
        let moved = json!({"name": "X", "project": Uuid::nil(), "wbs_path": "9", "id": Uuid::nil()});
        let answer = site.bulk(json!({"operations": [{"op": "create", "id": made, "data": moved}]})).await;
        let task = &answer["applied"][0]["task"];
        assert_eq!((&task["project"], &task["wbs_path"], &task["id"]), (&json!(site.project), &json!("3"), &json!(made)));
    }
}

both_engines! {
    async fn an_edge_may_name_a_row_that_comes_later_and_every_bad_one_has_its_code(app: &TestApp) {
        let site = Site::new(app).await;
        let [a, b, unknown] = fresh(&site);
        let mut named = edge(&a, &b);
        named["id"] = json!(unknown);
        let answer = site.bulk(json!({
            "operations": [create(&a, "A", 3), create(&b, "B", 2), create(&unknown, "", 1)],
            "dependencies": {"created": [
                edge(&b, &a), edge("no-uuid", &b), edge(&a, &unknown), edge(&a, &a), named,
                {"predecessor": a, "successor": b, "dep_type": "XX", "lag": 0},
            ]}
        })).await;
        let applied = answer["dependencies"]["applied"].as_array().unwrap();
        assert_eq!((applied.len(), &applied[0]["index"]), (1, &json!(0)));
        let expected = [(1, "malformed_id"), (2, "unresolved_endpoint"), (3, "self_reference"), (4, "invalid"), (5, "invalid")];
        assert_eq!(problems(&answer["dependencies"]["rejected"]), rows(&expected));
        assert_eq!(site.window(&a).await, "2026-01-07 to 2026-01-09");
    }

    async fn a_cycle_refuses_the_edges_on_it_and_leaves_rows_and_other_edges(app: &TestApp) {
        let site = Site::new(app).await;
        let [a, b, c, d] = fresh(&site);
        let answer = site.bulk(json!({
            "operations": [create(&a, "A", 1), create(&b, "B", 1), create(&c, "C", 1), create(&d, "D", 1)],
            "dependencies": {"created": [edge(&a, &b), edge(&b, &c), edge(&a, &d), edge(&c, &a)]}
        })).await;
        assert_eq!(outcomes(&answer).len(), 4);
        let expected = [(0, "cyclic_dependency"), (1, "cyclic_dependency"), (3, "cyclic_dependency")];
        assert_eq!(problems(&answer["dependencies"]["rejected"]), rows(&expected));
        assert_eq!(answer["dependencies"]["applied"][0]["index"], 2);
        assert_eq!(site.window(&d).await, "2026-01-06 to 2026-01-06");
        assert_eq!(site.window(&c).await, "2026-01-05 to 2026-01-05");
    }

    async fn a_cycle_with_stored_links_or_through_a_phase_is_found(app: &TestApp) {
        let site = Site::new(app).await;
        let (a, b) = (site.task("A", 1).await, site.task("B", 1).await);
        site.link(&a, &b).await;
        let [phase, child, inner] = fresh(&site);
        let answer = site.bulk(json!({
            "operations": [
                create(&phase, "P", 1), {"op": "create", "id": child, "data": {"name": "X", "parent_id": phase}},
                {"op": "create", "id": inner, "data": {"name": "Y", "parent_id": phase}},
            ],
            "dependencies": {"created": [edge(&b, &a), edge(&child, &phase), edge(&child, &inner)]}
        })).await;
        let expected = [(0, "cyclic_dependency"), (1, "cyclic_dependency")];
        assert_eq!(problems(&answer["dependencies"]["rejected"]), rows(&expected));
        assert_eq!(site.window(&inner).await, "2026-01-06 to 2026-01-06");
        assert_eq!(site.window(&b).await, "2026-01-06 to 2026-01-06", "the stored link holds");
    }

    async fn edges_ask_for_a_rank_that_rows_do_not(app: &TestApp) {
        let site = Site::new(app).await;
        let member = site.person("mia", 100).await;
        let [a, b] = fresh(&site);
        let request = json!({"operations": [create(&a, "A", 1), create(&b, "B", 1)], "dependencies": {"created": [edge(&a, &b)]}});
        let answer = member.post(&site.at("tasks/bulk/"), request).await.expect(207);
        assert_eq!(outcomes(&answer), rows(&[(0, "created"), (1, "created")]));
        assert_eq!(problems(&answer["dependencies"]["rejected"]), rows(&[(0, "forbidden")]));
        assert_eq!(site.window(&b).await, "2026-01-05 to 2026-01-05");
    }

    async fn who_may_send_a_batch(app: &TestApp) {
        let site = Site::new(app).await;
        let request = json!({"operations": [{"op": "create", "data": {"name": "A"}}]});
        for (name, role, status) in [("vic", 1, 403), ("mia", 100, 207), ("rob", 200, 403), ("pam", 300, 207)] {
            site.person(name, role).await.post(&site.at("tasks/bulk/"), request.clone()).await.expect(status);
        }
        app.person("sue").await.post(&site.at("tasks/bulk/"), request).await.expect(404);
        assert_eq!(site.tasks().await.len(), 2);
    }

    async fn a_request_that_is_no_batch_is_refused_whole(app: &TestApp) {
        let site = Site::new(app).await;
        let [a] = fresh(&site);
        let row = create(&a, "A", 1);
        let many = vec![json!({"op": "create", "data": {"name": "A"}}); 501];
        for (wrong, field) in [
            (json!({}), "operations"), (json!({"operations": []}), "operations"), (json!({"operations": "all"}), "operations"),
            (json!({"operations": [{"op": "explode", "id": a}]}), "operations"), (json!({"operations": many}), "operations"),
            (json!({"operations": [row.clone()], "dependencies": {"created": vec![edge(&a, &a); 501]}}), "dependencies"),
        ] {
            let refused = site.owner.post(&site.at("tasks/bulk/"), wrong).await.expect(400);
            assert!(!refused[field].is_null(), "{field}: {}", refused.text);
        }
        site.owner.post(&site.at("tasks/bulk/"), json!({"operations": [row.clone(), row]})).await.expect(400);
        assert_eq!(site.tasks().await.len(), 0);
    }

    async fn five_hundred_rows_and_edges_are_one_request(app: &TestApp) {
        let site = Site::new(app).await;
        let chain: [String; 500] = fresh(&site);
        let operations: Vec<Value> = chain.iter().map(|id| create(id, "T", 1)).collect();
        let mut edges: Vec<Value> = chain.windows(2).map(|pair| edge(&pair[0], &pair[1])).collect();
        edges.push(edge(&chain[0], &chain[499]));
        let answer = site.bulk(json!({"operations": operations, "dependencies": {"created": edges}})).await;
        assert_eq!(outcomes(&answer).len(), 500);
        assert_eq!(answer["dependencies"]["applied"].as_array().unwrap().len(), 500);
        assert_eq!(site.window(&chain[499]).await, "2027-12-03 to 2027-12-03");
        assert_eq!(site.read(&chain[0]).await["is_critical"], true);
    }
}

both_engines! {
    async fn a_batch_recalculates_once_and_announces_only_what_changed(app: &TestApp) {
        let site = Site::new(app).await;
        let (a, b) = (site.task("A", 3).await, site.task("B", 2).await);
        let [c, d] = fresh(&site);
        site.hush().await;
        site.bulk(json!({
            "operations": [
                {"op": "update", "id": a, "data": {"duration": 4}}, {"op": "update", "id": b, "data": {"name": "B", "duration": 2}},
                create(&c, "C", 1), create(&d, "", 1),
            ],
            "dependencies": {"created": [edge(&a, &c)]}
        })).await;
        let told = site.payloads("tasks_bulk_mutated").await;
        assert_eq!(told.len(), 1);
        let mut changed: Vec<&str> = told[0]["task_ids"].as_array().unwrap().iter().map(text).collect();
        changed.sort();
        let mut expected = [a.as_str(), c.as_str()];
        expected.sort();
        assert_eq!(changed, expected);
        let names = site.announced_names().await;
        for (wanted, times) in [("schedule.recalculated", 1), ("cpm_complete", 1), ("task.updated", 1), ("task.created", 1),
            ("dependency.created", 1), ("task_updated", 0), ("task_created", 0)] {
            assert_eq!(names.iter().filter(|name| *name == wanted).count(), times, "{wanted} in {names:?}");
        }
        assert_eq!(site.read(&b).await["server_version"], 1);
        site.hush().await;
        site.bulk(json!({"operations": [{"op": "update", "id": a, "data": {"duration": 4}}, create("no-uuid", "X", 1)]})).await;
        assert!(site.announced_names().await.is_empty(), "nothing was committed");
    }

    async fn a_batch_that_is_sent_twice_is_written_once(app: &TestApp) {
        let site = Site::new(app).await;
        let request = json!({"operations": [{"op": "create", "data": {"name": "A"}}, {"op": "update", "data": {}}]});
        let keyed = site.owner.with_header("idempotency-key", "paste-1");
        let first = keyed.post(&site.at("tasks/bulk/"), request.clone()).await.expect(207);
        site.hush().await;
        let again = keyed.post(&site.at("tasks/bulk/"), request.clone()).await.expect(207);
        assert_eq!((first.header("idempotent-replay"), again.header("idempotent-replay")), ("", "true"));
        assert_eq!(first.text, again.text);
        assert!(site.announced_names().await.is_empty());
        let other = json!({"operations": [{"op": "create", "data": {"name": "B"}}]});
        keyed.post(&site.at("tasks/bulk/"), other).await.expect(422);
        assert_eq!(site.outline().await, ["1 A"]);
        site.bulk(request).await;
        assert_eq!(site.outline().await, ["1 A", "2 A"]);
    }

    async fn a_paste_is_undone_except_for_what_was_changed_since(app: &TestApp) {
        let site = Site::new(app).await;
        let member = site.person("mia", 100).await;
        let [a, b, c] = fresh(&site);
        let answer = site.bulk(json!({
            "operations": [create(&a, "A", 1), create(&b, "B", 1), create(&c, "C", 1)],
            "dependencies": {"created": [edge(&a, &b), edge(&a, &c)]}
        })).await;
        let all = "/api/v1/paste-many-operations/";
        let one = format!("{all}{}/", text(&answer["operation_id"]));
        site.change(&b, json!({"name": "kept"})).await;
        let listed = site.owner.get(&format!("{all}?project={}", site.project)).await.expect(200);
        assert_eq!((&listed["count"], &listed.results()[0]["id"]), (&json!(1), &answer["operation_id"]));
        let shown = site.owner.get(&one).await.expect(200);
        assert_eq!((&shown["status"], &shown["applied_by"], &shown["undone_at"]), (&json!("active"), &json!(site.owner.id), &Value::Null));
        member.post(&format!("{one}undo/"), json!({})).await.expect(403);
        app.person("sue").await.get(&one).await.expect(404);
        let undone = site.owner.post(&format!("{one}undo/"), json!({})).await.expect(200);
        assert_eq!((&undone["undo"]["deleted"], &undone["undo"]["kept"]), (&json!(2), &json!(1)));
        assert_eq!(undone["status"], "undone");
        assert_eq!(site.outline().await, ["1 kept"]);
        assert_eq!(site.window(&b).await, "2026-01-05 to 2026-01-05");
        site.owner.post(&format!("{one}undo/"), json!({})).await.expect(400);
    }
}
