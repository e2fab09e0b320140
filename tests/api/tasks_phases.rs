//! Phases: what they compute from the rows below, what of theirs nobody may write, what comes back when they end.
//! Sprints enter only as far as they refuse phases and warn of others.

use planwright_testkit::both_engines;
use serde_json::{Value, json};

use crate::site::{Site, TASKS, task_path};

/// A phase with two rows of work in it, of three and one day, the second after the first.
async fn phase(site: &Site<'_>) -> (String, String, String) {
    let phase = site.task("P", 7).await;
    let (a, b) = (site.under(&phase, "A", 3).await, site.under(&phase, "B", 1).await);
    site.link(&a, &b).await;
    (phase, a, b)
}

both_engines! {
    async fn locks_and_fields_that_cannot_be_read_are_named_in_one_answer(app: &TestApp) {
        let site = Site::new(app).await;
        let phase = site.task("Phase", 3).await;
        site.under(&phase, "A", 2).await;
        let request = json!({"name": "", "percent_complete": 50, "status": "COMPLETE", "optimistic_duration": 9, "duration": -1});
        let whole = site.with_project(request.clone());
        for refused in [site.refuse(&phase, request).await, site.owner.patch(&task_path(&phase), whole).await.expect(400)] {
            for field in ["name", "percent_complete", "status", "optimistic_duration", "duration"] {
                assert!(refused[field].is_array(), "{field}: {}", refused.text);
            }
            assert_eq!(refused["code"], "phase_status_rollup_locked");
        }
        let only = site.refuse(&phase, json!({"name": "", "notes": "kept"})).await;
        assert_eq!(only.json, json!({"name": ["This field may not be blank."]}));
        assert_eq!(site.read(&phase).await["server_version"], 1);
    }

    async fn a_phase_spans_its_rows_in_working_days(app: &TestApp) {
        let site = Site::new(app).await;
        let (phase, a, b) = phase(&site).await;
        let shown = site.read(&phase).await;
        assert_eq!((&shown["is_phase"], &shown["is_summary"]), (&json!(true), &json!(true)));
        assert_eq!((&shown["duration"], &shown["own_estimate"]), (&json!(4), &json!(7)));
        assert_eq!(site.window(&phase).await, "2026-01-05 to 2026-01-08");
        assert_eq!(shown["structure_role"], "container");
        site.change(&a, json!({"duration": 5})).await;
        let longer = site.read(&phase).await;
        assert_eq!(site.window(&phase).await, "2026-01-05 to 2026-01-12");
        assert_eq!((&longer["duration"], &longer["is_critical"]), (&json!(6), &json!(true)), "a weekend is no work");
        assert_eq!((&longer["late_start"], &longer["late_finish"]), (&json!("2026-01-05"), &json!("2026-01-12")));
        assert_eq!(longer["server_version"], shown["server_version"]);
        site.owner.delete(&task_path(&b)).await.expect(204);
        assert_eq!(site.read(&phase).await["duration"], 5);
    }

    async fn a_phase_of_phases_counts_leaves_only(app: &TestApp) {
        let site = Site::new(app).await;
        let top = site.task("T", 1).await;
        let middle = site.under(&top, "M", 50).await;
        site.create(json!({"name": "A", "duration": 3, "percent_complete": 100, "parent_id": middle})).await;
        site.create(json!({"name": "B", "duration": 1, "parent_id": top})).await;
        let shown = site.read(&top).await;
        assert_eq!((&shown["percent_complete"], &shown["is_phase"]), (&json!(75.0), &json!(true)));
        assert_eq!(site.read(&middle).await["percent_complete"], 100.0);
        assert_eq!(site.read(&middle).await["wbs_path"], "1.1");
    }

    async fn a_drawer_subtask_leaves_the_plan_of_its_task_and_of_the_phase_alone(app: &TestApp) {
        let site = Site::new(app).await;
        let (phase, a, b) = phase(&site).await;
        site.change(&a, json!({"percent_complete": 50})).await;
        let windows = async || [site.window(&a).await, site.window(&b).await, site.window(&phase).await];
        let before = windows().await;
        let drawer = json!({"name": "D", "parent_id": a, "is_subtask": true, "duration": 30, "status": "BACKLOG"});
        let drawer = site.create(drawer).await.id();
        let shown = site.read(&a).await;
        assert_eq!((&shown["is_phase"], &shown["is_summary"]), (&json!(false), &json!(true)));
        assert_eq!((&shown["duration"], &shown["percent_complete"]), (&json!(3), &json!(50.0)));
        for status in ["NOT_STARTED", "COMPLETE"] {
            site.change(&drawer, json!({"status": status})).await;
            assert_eq!(windows().await, before, "{status}");
            assert_eq!(site.read(&phase).await["percent_complete"], 37.5);
        }
        site.change(&a, json!({"duration": 4})).await;
        assert_eq!(site.window(&b).await, "2026-01-09 to 2026-01-09");
    }

    async fn percent_complete_is_weighted_by_how_work_is_delivered(app: &TestApp) {
        let site = Site::new(app).await;
        let (phase, a, b) = phase(&site).await;
        let percent = async || site.read(&phase).await["percent_complete"].clone();
        assert_eq!(percent().await, 0.0);
        site.change(&a, json!({"percent_complete": 50})).await;
        assert_eq!(percent().await, 37.5);
        site.change(&b, json!({"delivery_mode": "kanban", "percent_complete": 90})).await;
        assert_eq!(percent().await, 37.5, "a card on a board is done or not");
        site.change(&b, json!({"delivery_mode": "scrum", "story_points": 4, "remaining_points": 1})).await;
        assert_eq!(percent().await, 64.29, "(3 x 50 + 4 x 75) / 7");
        site.create(json!({"name": "M", "is_milestone": true, "parent_id": phase})).await;
        assert_eq!(percent().await, 64.29, "a milestone weighs nothing");
        let gates = site.task("G", 1).await;
        site.create(json!({"name": "M", "is_milestone": true, "parent_id": gates})).await;
        assert_eq!(site.read(&gates).await["percent_complete"], Value::Null, "nothing has weight");
    }

    async fn the_status_of_a_phase_sums_up_its_leaves(app: &TestApp) {
        let site = Site::new(app).await;
        let (phase, a, b) = phase(&site).await;
        for (first, second, expected) in [
            ("NOT_STARTED", "NOT_STARTED", "NOT_STARTED"), ("BACKLOG", "BACKLOG", "BACKLOG"),
            ("BACKLOG", "NOT_STARTED", "NOT_STARTED"), ("IN_PROGRESS", "NOT_STARTED", "IN_PROGRESS"),
            ("ON_HOLD", "ON_HOLD", "ON_HOLD"), ("ON_HOLD", "IN_PROGRESS", "IN_PROGRESS"),
            ("COMPLETE", "ON_HOLD", "ON_HOLD"), ("COMPLETE", "NOT_STARTED", "IN_PROGRESS"),
            ("REVIEW", "COMPLETE", "IN_PROGRESS"), ("COMPLETE", "COMPLETE", "COMPLETE"),
        ] {
            site.change(&a, json!({"status": first})).await;
            site.change(&b, json!({"status": second})).await;
            assert_eq!(site.read(&phase).await["status"], expected, "{first} and {second}");
        }
    }

    async fn estimates_of_a_phase_are_the_sums_of_complete_ones(app: &TestApp) {
        let site = Site::new(app).await;
        let (phase, a, b) = phase(&site).await;
        let legs = async || {
            let shown = site.read(&phase).await;
            ["optimistic_duration", "most_likely_duration", "pessimistic_duration"].map(|leg| shown[leg].clone())
        };
        assert_eq!(legs().await, [Value::Null, Value::Null, Value::Null]);
        let first = json!({"optimistic_duration": 1, "most_likely_duration": 2, "pessimistic_duration": 4});
        site.change(&a, first).await;
        site.change(&b, json!({"optimistic_duration": 5})).await;
        assert_eq!(legs().await, [json!(1), json!(2), json!(4)], "a part of an estimate is none");
        site.change(&b, json!({"most_likely_duration": 6, "pessimistic_duration": 7})).await;
        assert_eq!(legs().await, [json!(6), json!(8), json!(11)]);
    }

    async fn a_phase_has_the_assignee_that_all_its_leaves_share(app: &TestApp) {
        let site = Site::new(app).await;
        let member = site.person("mia", 100).await;
        let (phase, a, b) = phase(&site).await;
        site.change(&a, json!({"assignee": member.id})).await;
        assert_eq!(site.read(&phase).await["assignee"], Value::Null);
        site.change(&b, json!({"assignee": member.id})).await;
        assert_eq!(site.read(&phase).await["assignee"], json!(member.id));
        site.change(&b, json!({"assignee": site.owner.id})).await;
        assert_eq!(site.read(&phase).await["assignee"], Value::Null);
    }

    async fn what_was_written_before_comes_back_when_the_last_child_goes(app: &TestApp) {
        let site = Site::new(app).await;
        let written = json!({
            "name": "P", "duration": 7, "status": "ON_HOLD", "percent_complete": 20, "assignee": site.owner.id,
            "optimistic_duration": 5, "most_likely_duration": 6, "pessimistic_duration": 9
        });
        let phase = site.create(written).await;
        let id = phase.id();
        for way in ["deleted", "moved away", "outdented"] {
            let child = site.under(&id, "A", 2).await;
            let shown = site.read(&id).await;
            assert_eq!((&shown["status"], &shown["own_status"]), (&json!("NOT_STARTED"), &json!("ON_HOLD")));
            assert_eq!((&shown["duration"], &shown["own_estimate"]), (&json!(2), &json!(7)));
            assert_eq!((&shown["assignee"], &shown["percent_complete"]), (&Value::Null, &json!(0.0)));
            match way {
                "deleted" => drop(site.owner.delete(&task_path(&child)).await.expect(204)),
                "outdented" => drop(site.owner.post(&site.at(&format!("tasks/{child}/outdent/")), json!({})).await.expect(200)),
                _ => {
                    let path = site.at(&format!("tasks/{child}/reparent/"));
                    site.owner.post(&path, json!({"new_parent_id": null})).await.expect(200);
                }
            }
            let back = site.read(&id).await;
            for field in ["status", "duration", "percent_complete", "assignee", "optimistic_duration",
                "most_likely_duration", "pessimistic_duration", "own_status", "own_estimate", "is_phase",
                "structure_role", "early_finish"] {
                assert_eq!(back[field], phase[field], "{field} when the child is {way}");
            }
        }
    }
}

both_engines! {
    async fn each_rolled_up_field_of_a_phase_is_locked_with_its_code(app: &TestApp) {
        let site = Site::new(app).await;
        let (phase, ..) = phase(&site).await;
        let before = site.read(&phase).await;
        for (field, value, code) in [
            ("percent_complete", json!(40), "summary_rollup_locked"),
            ("status", json!("IN_PROGRESS"), "phase_status_rollup_locked"),
            ("optimistic_duration", json!(1), "phase_estimate_rollup_locked"),
            ("most_likely_duration", json!(2), "phase_estimate_rollup_locked"),
            ("pessimistic_duration", json!(3), "phase_estimate_rollup_locked"),
            ("assignee", json!(site.owner.id), "assignee_on_phase"),
        ] {
            let refused = site.refuse(&phase, json!({"name": "Q", field: value.clone()})).await;
            assert_eq!(refused["code"], code, "{field}");
            assert!(refused[field].is_array(), "the message stands at its field: {}", refused.text);
            let mut whole = site.with_project(json!({"name": "P"}));
            whole[field] = value;
            assert_eq!(site.owner.put(&task_path(&phase), whole).await.expect(400)["code"], code);
        }
        assert_eq!(site.read(&phase).await.json, before.json, "nothing of a refused write stays");
    }

    async fn every_locked_field_of_one_request_is_named(app: &TestApp) {
        let site = Site::new(app).await;
        let (phase, ..) = phase(&site).await;
        let refused = site.refuse(&phase, json!({"status": "COMPLETE", "percent_complete": 100, "name": ""})).await;
        assert!(refused["name"].is_array(), "{}", refused.text);
        let refused = site.refuse(&phase, json!({"status": "COMPLETE", "percent_complete": 100})).await;
        for field in ["status", "percent_complete"] {
            assert!(refused[field].is_array(), "{field}: {}", refused.text);
        }
        let codes = [json!("phase_status_rollup_locked"), json!("summary_rollup_locked")];
        assert!(codes.contains(&refused["code"]), "{}", refused.text);
    }

    async fn sending_back_what_a_phase_shows_is_no_change(app: &TestApp) {
        let site = Site::new(app).await;
        let (phase, a, b) = phase(&site).await;
        let legs = json!({"optimistic_duration": 1, "most_likely_duration": 2, "pessimistic_duration": 4,
            "assignee": site.owner.id, "status": "IN_PROGRESS", "percent_complete": 50});
        site.change(&a, legs).await;
        site.change(&b, json!({"assignee": site.owner.id})).await;
        let shown = site.read(&phase).await;
        let mut same = json!({});
        for field in ["status", "percent_complete", "optimistic_duration", "most_likely_duration",
            "pessimistic_duration", "assignee"] {
            same[field] = shown[field].clone();
        }
        assert_eq!(same["status"], "IN_PROGRESS");
        assert_eq!(same["percent_complete"], 37.5);
        assert_eq!(site.change(&phase, same.clone()).await["server_version"], shown["server_version"]);
        same["name"] = json!("Q");
        assert_eq!(site.change(&phase, same).await["name"], "Q");
        assert_eq!(site.read(&phase).await["own_status"], "NOT_STARTED", "what is shown is not written");
    }

    async fn a_row_with_drawer_subtasks_alone_is_a_summary_and_locks_nothing(app: &TestApp) {
        let site = Site::new(app).await;
        let id = site.task("A", 4).await;
        let drawer = json!({"name": "D", "parent_id": id, "is_subtask": true});
        assert_eq!(site.create(drawer).await["is_subtask"], true);
        let shown = site.read(&id).await;
        assert_eq!((&shown["is_summary"], &shown["is_phase"]), (&json!(true), &json!(false)));
        let request = json!({"status": "IN_PROGRESS", "percent_complete": 50, "assignee": site.owner.id, "most_likely_duration": 4});
        let written = site.change(&id, request).await;
        assert_eq!((&written["status"], &written["percent_complete"]), (&json!("IN_PROGRESS"), &json!(50.0)));
        assert_eq!((&written["assignee"], &written["most_likely_duration"]), (&json!(site.owner.id), &json!(4)));
    }

    async fn milestones_and_subtasks_have_no_children_and_phases_no_subtasks(app: &TestApp) {
        let site = Site::new(app).await;
        let (phase, a, _) = phase(&site).await;
        let gate = site.create(json!({"name": "M", "is_milestone": true})).await.id();
        let drawer = site.create(json!({"name": "D", "parent_id": a, "is_subtask": true})).await.id();
        let elsewhere = app.project(&site.owner, "Tunnel").await;
        let foreign = site.owner.post(TASKS, json!({"name": "F", "project": elsewhere})).await.expect(201).id();
        for (parent, is_subtask, code) in [
            (&gate, false, json!("child_of_milestone")), (&drawer, false, Value::Null),
            (&phase, true, json!("subtask_on_phase")), (&foreign, false, Value::Null),
        ] {
            let body = site.with_project(json!({"name": "X", "parent_id": parent, "is_subtask": is_subtask}));
            let refused = site.owner.post(TASKS, body).await.expect(400);
            assert!(code.is_null() || refused["code"] == code, "{}", refused.text);
        }
        let role = site.owner.patch(&task_path(&phase), json!({"structure_role": "work"})).await.expect(409);
        assert_eq!((&role["code"], &role["structure_role"]), (&json!("structure_role_contradicted"), &json!("container")));
        assert_eq!(site.tasks().await.len(), 5);
    }
}

both_engines! {
    async fn no_phase_enters_a_sprint_whatever_the_policy_says(app: &TestApp) {
        let site = Site::new(app).await;
        let sprint = site.sprint("2026-01-05", "2026-01-16").await;
        let (phase, a, _) = phase(&site).await;
        let enter = async || {
            let refused = site.refuse(&phase, json!({"sprint": sprint})).await;
            assert_eq!(refused["code"], "phase_in_sprint_forbidden");
            assert!(refused["sprint"].is_array(), "{}", refused.text);
        };
        enter().await;
        site.owner.patch(&site.at("guardrail-policy/"), json!({"levels": {"phase_in_sprint": "warn"}})).await.expect(200);
        enter().await;
        let work = site.change(&a, json!({"sprint": sprint})).await;
        assert_eq!(work["sprint"], json!(sprint));
        assert_eq!(site.change(&phase, json!({"sprint": null})).await["sprint"], Value::Null);
        let unknown = site.refuse(&a, json!({"sprint": phase})).await;
        assert!(unknown["sprint"].is_array(), "{}", unknown.text);
    }

    async fn a_task_outside_the_window_of_its_sprint_is_warned_of_or_refused(app: &TestApp) {
        let site = Site::new(app).await;
        let member = site.person("mia", 100).await;
        let sprint = site.sprint("2026-02-02", "2026-02-13").await;
        let policy = site.at("guardrail-policy/");
        let block = json!({"levels": {"task_outside_sprint_window": "block"}});
        let fits = json!({"name": "A", "duration": 2, "planned_start": "2026-02-02"});
        let fits = site.create(fits).await.id();
        let inside = site.change(&fits, json!({"sprint": sprint})).await;
        assert!(inside["warnings"].as_array().is_none_or(Vec::is_empty), "{}", inside.text);
        let early = site.create(json!({"name": "B", "duration": 2, "planned_start": "2026-01-12"})).await.id();
        let warned = site.change(&early, json!({"sprint": sprint})).await;
        assert_eq!(warned["warnings"][0]["rule"], "task_outside_sprint_window");
        assert!(warned["warnings"][0]["detail"].is_string());
        assert_eq!(warned["sprint"], json!(sprint));
        site.change(&early, json!({"sprint": null})).await;
        member.patch(&policy, block.clone()).await.expect(403);
        site.owner.patch(&policy, block).await.expect(200);
        let blocked = site.refuse(&early, json!({"sprint": sprint})).await;
        assert_eq!((&blocked["code"], &blocked["rule"]), (&json!("guardrail_blocked"), &json!("task_outside_sprint_window")));
        assert_eq!(blocked["suggested_action"], "align_dates_or_sprint");
        assert_eq!(site.read(&early).await["sprint"], Value::Null);
    }

    async fn a_summary_in_a_sprint_is_warned_of(app: &TestApp) {
        let site = Site::new(app).await;
        let sprint = site.sprint("2026-01-05", "2026-01-16").await;
        let id = site.task("A", 2).await;
        site.create(json!({"name": "D", "parent_id": id, "is_subtask": true})).await;
        let warned = site.change(&id, json!({"sprint": sprint})).await;
        assert_eq!(warned["warnings"][0]["rule"], "summary_in_sprint");
        let policy = site.owner.get(&site.at("guardrail-policy/")).await.expect(200);
        assert_eq!(policy["effective_levels"]["summary_in_sprint"], "warn");
        assert_eq!(policy["policy_source"], "owner");
        let wrong = site.owner.patch(&site.at("guardrail-policy/"), json!({"levels": {"summary_in_sprint": "shout"}})).await;
        assert_eq!(wrong.status, 400, "{}", wrong.text);
    }
}
