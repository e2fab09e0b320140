//! Tasks written one at a time: created and changed, what a client cannot assert, what is announced, who may write.

use planwright_testkit::both_engines;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::site::{Site, TASKS, task_path, text};

both_engines! {
    async fn a_new_task_has_its_defaults_and_its_dates_at_once(app: &TestApp) {
        let site = Site::new(app).await;
        let made = site.create(json!({"name": " Survey ", "duration": 3})).await;
        assert_eq!(made["name"], "Survey");
        for (field, expected) in [
            ("status", "NOT_STARTED"), ("type", "task"), ("dor", "idea"), ("duration_unit", "days"),
            ("structure_role", "work"), ("governance_class", "flow"), ("delivery_mode", "waterfall"),
            ("wbs_path", "1"), ("early_start", "2026-01-05"), ("early_finish", "2026-01-07"),
            ("late_start", "2026-01-05"), ("late_finish", "2026-01-07"), ("scheduled_start", "2026-01-05"),
            ("scheduled_finish", "2026-01-07"), ("source_kind", "hand"), ("source_version", ""),
            ("blocker_type", ""), ("notes", ""),
        ] {
            assert_eq!(made[field], expected, "{field}");
        }
        for field in ["parent_id", "assignee", "planned_start", "actual_start", "actual_finish", "sprint",
            "estimate_status", "own_status", "own_estimate", "source_id", "seeded_at", "baseline_start", "spi"] {
            assert_eq!(made[field], Value::Null, "{field}");
        }
        for field in ["is_summary", "is_phase", "is_milestone", "is_subtask", "is_untouched_seed", "is_blocked"] {
            assert_eq!(made[field], false, "{field}");
        }
        assert_eq!(made["server_version"], 1);
        assert_eq!(made["total_float"], 0);
        assert_eq!(made["is_critical"], true);
        assert_eq!(made["remaining_duration"], 3);
        assert_eq!(site.read(&made.id()).await.json, made.json);
        assert_eq!(site.create(json!({"name": "Short"})).await["duration"], 1);
    }

    async fn short_ids_count_up_in_the_project_and_are_shown_with_its_code(app: &TestApp) {
        let site = Site::new(app).await;
        let (first, second) = (site.create(json!({"name": "A"})).await, site.create(json!({"name": "B"})).await);
        let number = |task: &Value| i64::from_str_radix(text(&task["short_id"]), 16).unwrap();
        assert_eq!(text(&first["short_id"]).len(), 8);
        assert_eq!(text(&first["short_id"]), text(&first["short_id"]).to_uppercase());
        assert_eq!(number(&second.json), number(&first.json) + 1);
        assert_eq!(first["short_id_display"], format!("T-{}", number(&first.json)));
        assert_eq!(first["qualified_id"], first["short_id_display"]);
        site.settle(json!({"code": "BR"})).await;
        assert_eq!(site.read(&first.id()).await["qualified_id"], format!("BR-{}", number(&first.json)));
    }

    async fn how_a_project_works_decides_how_its_new_tasks_are_governed_and_delivered(app: &TestApp) {
        let site = Site::new(app).await;
        for (settings, governance, delivery) in [
            (json!({"methodology": "WATERFALL"}), "gated", "waterfall"),
            (json!({"methodology": "HYBRID"}), "flow", "waterfall"),
            (json!({"methodology": "AGILE"}), "flow", "scrum"),
            (json!({"board_cadence": "continuous"}), "flow", "kanban"),
        ] {
            site.settle(settings).await;
            let made = site.create(json!({"name": "A"})).await;
            assert_eq!((text(&made["governance_class"]), text(&made["delivery_mode"])), (governance, delivery));
        }
        let own = site.create(json!({"name": "A", "governance_class": "hybrid", "delivery_mode": "scrum"})).await;
        assert_eq!((text(&own["governance_class"]), text(&own["delivery_mode"])), ("hybrid", "scrum"));
    }

    async fn every_wrong_field_of_a_task_is_named_at_once(app: &TestApp) {
        let site = Site::new(app).await;
        let id = site.task("Survey", 3).await;
        let wrong = json!({
            "name": " ", "duration": -1, "status": "DONE", "percent_complete": 100.5, "planned_start": "soon",
            "assignee": "nobody", "story_points": -1, "optimistic_duration": 36526, "delivery_mode": "carrier"
        });
        let fields = wrong.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        for refused in [
            site.refuse(&id, wrong.clone()).await,
            site.owner.post(TASKS, site.with_project(wrong)).await.expect(400),
        ] {
            for field in &fields {
                assert!(refused[field.as_str()].is_array(), "{field}: {}", refused.text);
            }
        }
        let refused = site.owner.post(TASKS, json!({})).await.expect(400);
        assert_eq!(refused["name"][0], "This field is required.");
        assert_eq!(refused["project"][0], "This field is required.");
        assert_eq!(site.read(&id).await["server_version"], 1);
    }

    async fn names_and_durations_end_where_the_schema_says(app: &TestApp) {
        let site = Site::new(app).await;
        let long = "n".repeat(512);
        let made = site.create(json!({"name": long, "duration": 36525})).await;
        assert_eq!(text(&made["name"]).len(), 512);
        let refused = site.refuse(&made.id(), json!({"name": format!("{long}n"), "duration": 36526})).await;
        assert!(refused["name"].is_array() && refused["duration"].is_array(), "{}", refused.text);
        for _ in 0..9 {
            site.task("A", 36525).await;
        }
        let beyond = site.with_project(json!({"name": "A", "duration": 751}));
        let refused = site.owner.post(TASKS, beyond).await.expect(400);
        assert!(refused["duration"].is_array(), "366 000 days are the end: {}", refused.text);
        assert_eq!(site.tasks().await.len(), 10);
    }

    async fn a_client_may_bring_the_id_of_a_new_task_but_never_takes_one_that_is_used(app: &TestApp) {
        let site = Site::new(app).await;
        let id: Uuid = app.clock.mint();
        let made = site.create(json!({"id": id, "name": "Mine"})).await;
        assert_eq!(made["id"], json!(id));
        let stranger = app.person("sue").await;
        let elsewhere = app.project(&stranger, "Tunnel").await;
        let grab = json!({"id": id, "name": "Grabbed", "project": elsewhere});
        let refused = stranger.post(TASKS, grab).await;
        assert!([400, 409].contains(&refused.status), "{}", refused.text);
        let again = site.owner.post(TASKS, site.with_project(json!({"id": id, "name": "Twice"}))).await;
        assert!([400, 409].contains(&again.status), "{}", again.text);
        assert_eq!(site.read(&id.to_string()).await["name"], "Mine");
        let malformed = site.with_project(json!({"id": "mine", "name": "A"}));
        assert!(site.owner.post(TASKS, malformed).await.expect(400)["id"].is_array());
    }

    async fn read_only_fields_are_neither_taken_nor_cleared(app: &TestApp) {
        let site = Site::new(app).await;
        let id = site.task("Survey", 3).await;
        let before = site.read(&id).await;
        let asserted = json!({
            "name": "Drawing", "short_id": "FFFFFFFF", "wbs_path": "9", "early_start": "2030-01-01",
            "early_finish": "2030-01-01", "late_start": "2030-01-01", "late_finish": "2030-01-01",
            "total_float": 99, "free_float": 99, "is_critical": false, "scheduled_start": "2030-01-01",
            "remaining_duration": 99, "is_summary": true, "is_phase": true, "source_kind": "paste",
            "source_id": "00000000-0000-0000-0000-000000000001", "source_version": "7",
            "seeded_at": "2020-01-01T00:00:00Z", "edited_at": null, "is_untouched_seed": true,
            "estimate_status": "accepted", "is_subtask": true, "parent_governance_inherited": true,
            "server_version": 40, "baseline_start": "2030-01-01"
        });
        let after = site.owner.lenient().patch(&task_path(&id), asserted).await.expect(200);
        let mut expected = before.json.clone();
        expected["name"] = json!("Drawing");
        expected["server_version"] = json!(2);
        expected["edited_at"] = after["edited_at"].clone();
        assert_eq!(after.json, expected);
        assert!(after["edited_at"].is_string());
    }

    async fn a_task_stays_in_its_project_and_put_wants_the_whole_of_it(app: &TestApp) {
        let site = Site::new(app).await;
        let other = app.project(&site.owner, "Tunnel").await;
        let id = site.task("Survey", 3).await;
        assert!(site.refuse(&id, json!({"project": other})).await["project"].is_array());
        assert_eq!(site.change(&id, json!({"project": site.project})).await["server_version"], 1);
        let path = task_path(&id);
        let partial = site.owner.put(&path, json!({"duration": 4})).await.expect(400);
        assert!(partial["name"].is_array() && partial["project"].is_array(), "{}", partial.text);
        let moved = json!({"name": "Survey", "project": other});
        assert!(site.owner.put(&path, moved).await.expect(400)["project"].is_array());
        let whole = site.with_project(json!({"name": "Drawing", "duration": 4}));
        let put = site.owner.put(&path, whole).await.expect(200);
        assert_eq!((&put["name"], &put["duration"]), (&json!("Drawing"), &json!(4)));
        assert_eq!(put["early_finish"], "2026-01-08");
    }

    async fn only_a_real_change_makes_a_new_version_and_a_recalculation_makes_none(app: &TestApp) {
        let site = Site::new(app).await;
        let (a, b) = (site.task("A", 3).await, site.task("B", 2).await);
        site.link(&a, &b).await;
        let before = site.read(&b).await;
        assert_eq!(site.window(&b).await, "2026-01-08 to 2026-01-09");
        let same = site.change(&a, json!({"name": "A", "duration": 3, "status": "NOT_STARTED"})).await;
        assert!(same.header("etag").starts_with("W/\"v1."));
        app.later(chrono::Duration::minutes(1));
        let changed = site.change(&a, json!({"duration": 5})).await;
        assert!(changed.header("etag").starts_with("W/\"v2."));
        assert_eq!(changed["early_finish"], "2026-01-09");
        let after = site.read(&b).await;
        assert_eq!(site.window(&b).await, "2026-01-12 to 2026-01-13");
        assert_eq!((&after["server_version"], &after["edited_at"]), (&json!(1), &before["edited_at"]));
    }

    async fn a_planned_start_holds_a_task_and_may_bring_the_project_forward(app: &TestApp) {
        let site = Site::new(app).await;
        let (a, b) = (site.task("A", 2).await, site.task("B", 2).await);
        site.change(&b, json!({"planned_start": "2026-01-10"})).await;
        assert_eq!(site.window(&b).await, "2026-01-12 to 2026-01-13");
        site.change(&b, json!({"planned_start": null})).await;
        assert_eq!(site.window(&b).await, "2026-01-05 to 2026-01-06");
        site.hush().await;
        site.create(json!({"name": "C", "duration": 1, "planned_start": "2025-12-29"})).await;
        assert!(site.announced_names().await.contains(&"project_updated".to_owned()));
        let project = site.owner.get(&site.at("")).await.expect(200);
        assert_eq!(project["start_date"], "2025-12-29");
        assert_eq!(site.window(&a).await, "2025-12-29 to 2025-12-30");
    }

    async fn a_planned_finish_becomes_a_duration_in_the_working_days_of_the_project(app: &TestApp) {
        let site = Site::new(app).await;
        let whole = site.create(json!({"name": "A", "planned_start": "2026-01-05", "planned_finish": "2026-01-12"})).await;
        assert_eq!(whole["duration"], 6);
        assert!(whole["planned_finish"].is_null(), "it is only written");
        let id = site.task("B", 9).await;
        assert_eq!(site.change(&id, json!({"planned_finish": "2026-01-07"})).await["duration"], 3);
        let early = site.refuse(&id, json!({"planned_finish": "2026-01-04"})).await;
        assert!(early["planned_finish"].is_array(), "{}", early.text);
        let loose = site.with_project(json!({"name": "C", "planned_finish": "2026-01-07"}));
        assert!(site.owner.post(TASKS, loose).await.expect(400)["planned_finish"].is_array());
        let holidays = site.owner.post("/api/v1/calendars/", json!({"name": "Holidays", "working_days": 31})).await.expect(201).id();
        let day = json!({"exc_start": "2026-01-06", "exc_end": "2026-01-06"});
        site.owner.post(&format!("/api/v1/calendars/{holidays}/exceptions/"), day).await.expect(201);
        let base = json!({"base_calendar_id": holidays, "overlays": []});
        site.owner.put(&site.at("calendars/"), base).await.expect(200);
        let shorter = site.change(&id, json!({"planned_finish": "2026-01-09"})).await;
        assert_eq!((&shorter["duration"], &shorter["early_finish"]), (&json!(4), &json!("2026-01-09")));
    }

    async fn a_blocker_is_stamped_when_it_is_written_and_gone_when_it_is_cleared(app: &TestApp) {
        let site = Site::new(app).await;
        let (a, b) = (site.task("A", 2).await, site.task("B", 2).await);
        let itself = site.refuse(&a, json!({"blocked_reason": "x", "blocking_task": a})).await;
        assert!(itself["blocking_task"].is_array(), "{}", itself.text);
        let elsewhere = app.project(&site.owner, "Tunnel").await;
        let foreign = site.owner.post(TASKS, json!({"name": "F", "project": elsewhere})).await.expect(201).id();
        assert!(site.refuse(&a, json!({"blocking_task": foreign})).await["blocking_task"].is_array());
        let mine = json!({"assignee": site.owner.id, "blocked_reason": "No crane", "blocker_type": "vendor", "blocking_task": b});
        let blocked = site.change(&a, mine).await;
        assert_eq!(blocked["blocked_reason"], "No crane");
        assert_eq!(blocked["blocked_by"], json!({"id": site.owner.id, "username": "ona"}));
        assert_eq!(blocked["blocked_since"], "2026-01-05T08:00:00Z");
        assert_eq!((&blocked["blocked_age_seconds"], &blocked["is_impediment"]), (&json!(0), &json!(true)));
        assert_eq!(blocked["blocking_task_detail"]["name"], "B");
        let viewer = site.person("vic", 1).await;
        assert_eq!(viewer.get(&task_path(&a)).await.expect(200)["blocked_reason"], "", "the reason is for the assignee");
        let free = site.change(&a, json!({"blocked_reason": ""})).await;
        for field in ["blocked_since", "blocked_by", "blocked_age_seconds", "blocking_task"] {
            assert_eq!(free[field], Value::Null, "{field}");
        }
        assert_eq!((&free["blocker_type"], &free["is_impediment"]), (&json!(""), &json!(false)));
    }
}

both_engines! {
    async fn an_epic_holds_rows_of_its_project_and_no_epics(app: &TestApp) {
        let site = Site::new(app).await;
        let member = site.person("mia", 100).await;
        let epic = site.create(json!({"name": "E", "type": "epic"})).await;
        assert_eq!((&epic["early_start"], &epic["is_critical"]), (&Value::Null, &Value::Null), "an epic is no work");
        let story = site.create(json!({"name": "S", "type": "story", "parent_epic": epic["id"]})).await;
        assert_eq!(story["parent_epic"], epic["id"]);
        let other = site.create(json!({"name": "F", "type": "epic"})).await.id();
        for (id, parent) in [(&other, epic["id"].clone()), (&story.id(), story["id"].clone()), (&story.id(), json!(Uuid::nil()))] {
            let refused = site.refuse(id, json!({"parent_epic": parent})).await;
            assert!(refused["parent_epic"].is_array(), "{}", refused.text);
        }
        let own = site.create(json!({"name": "own", "assignee": member.id})).await.id();
        for request in [json!({"parent_epic": other}), json!({"type": "epic"}), json!({"business_value": 5})] {
            member.patch(&task_path(&own), request).await.expect(403);
        }
        assert_eq!(site.change(&story.id(), json!({"parent_epic": null})).await["parent_epic"], Value::Null);
    }

    async fn what_is_worth_most_is_scored_by_the_formula_of_the_project(app: &TestApp) {
        let site = Site::new(app).await;
        let inputs = json!({"name": "S", "business_value": 8, "time_criticality": 5, "risk_reduction": 2, "job_size": 5,
            "reach": 100, "impact": 2.0, "confidence": 0.5, "effort": 4.0, "value": 9, "effort_estimate": 3.0});
        let id = site.create(inputs).await.id();
        for (model, score) in [("none", Value::Null), ("wsjf", json!(3.0)), ("rice", json!(25.0)), ("value_effort", json!(3.0))] {
            site.settle(json!({"prioritization_model": model})).await;
            assert_eq!(site.read(&id).await["prioritization_score"], score, "{model}");
        }
        assert_eq!(site.change(&id, json!({"effort_estimate": null})).await["prioritization_score"], Value::Null);
        let unready = site.refuse(&id, json!({"dor": "ready"})).await;
        assert!(unready["dor"].is_array(), "{}", unready.text);
        assert_eq!(site.change(&id, json!({"dor": "refine"})).await["dor"], "refine");
    }
}

both_engines! {
    async fn creating_and_renaming_announce_what_happened_and_nothing_else(app: &TestApp) {
        let site = Site::new(app).await;
        site.hush().await;
        let id = site.task("Survey", 3).await;
        let names = site.announced_names().await;
        for wanted in ["task.created", "task_created", "schedule.recalculated", "cpm_complete"] {
            assert_eq!(names.iter().filter(|name| *name == wanted).count(), 1, "{wanted} in {names:?}");
        }
        assert_eq!(site.payloads("task_created").await[0]["id"], json!(id));
        assert_eq!(site.payloads("task.created").await[0]["id"], json!(id));
        site.hush().await;
        site.change(&id, json!({"name": "Drawing"})).await;
        assert_eq!(site.announced_names().await, ["task.updated", "task_updated"]);
        let told = site.payloads("task_updated").await.remove(0);
        assert_eq!(told["id"], json!(id));
        assert_eq!(told["changed_fields"], json!(["name"]));
        assert_eq!(told["version"], 2);
        assert_eq!(told["actor_id"], json!(site.owner.id));
        assert_eq!(told["ts"], "2026-01-05T08:00:00Z");
        assert!(!told.to_string().contains("Drawing"), "values are withheld: {told}");
        let hook = site.payloads("task.updated").await.remove(0);
        assert_eq!((&hook["id"], &hook["project"], &hook["name"]), (&json!(id), &json!(site.project), &json!("Drawing")));
        assert_eq!((&hook["duration"], &hook["source"]), (&json!(3), &json!("unknown")));
        site.hush().await;
        site.change(&id, json!({"name": "Drawing"})).await;
        assert!(site.announced_names().await.is_empty(), "nothing changed");
    }

    async fn one_change_of_person_and_date_fires_the_general_event_and_the_special_ones(app: &TestApp) {
        let site = Site::new(app).await;
        let member = site.person("mia", 100).await;
        let id = site.task("Survey", 3).await;
        site.hush().await;
        site.change(&id, json!({"assignee": member.id})).await;
        let names = site.announced_names().await;
        assert_eq!(names, ["task.assigned", "task.updated", "task_updated"]);
        site.hush().await;
        let by_tool = site.owner.with_header("x-source", "night_import");
        let request = json!({"assignee": site.owner.id, "planned_start": "2026-01-12"});
        by_tool.patch(&task_path(&id), request).await.expect(200);
        assert_eq!(site.payloads("task.updated").await[0]["source"], "night_import");
        assert_eq!(site.payloads("task.assignee_changed").await[0]["previous_assignee"], json!(member.id));
        assert_eq!(site.payloads("task.due_date_changed").await[0]["previous_planned_start"], Value::Null);
        let names = site.announced_names().await;
        for wanted in ["task.updated", "task.assignee_changed", "task.due_date_changed", "schedule.recalculated"] {
            assert_eq!(names.iter().filter(|name| *name == wanted).count(), 1, "{wanted} in {names:?}");
        }
        assert!(!names.contains(&"task.assigned".to_owned()), "{names:?}");
        site.hush().await;
        site.change(&id, json!({"assignee": null})).await;
        assert_eq!(site.announced_names().await, ["task.updated", "task_updated"], "to nobody is no reassignment");
    }

    async fn a_change_of_dates_is_announced_with_the_rows_that_moved(app: &TestApp) {
        let site = Site::new(app).await;
        let (a, b, c) = (site.task("A", 3).await, site.task("B", 2).await, site.task("C", 1).await);
        site.link(&a, &b).await;
        site.hush().await;
        site.change(&a, json!({"duration": 4})).await;
        assert_eq!(site.payloads("schedule.recalculated").await.len(), 1);
        let finished = site.payloads("cpm_complete").await.remove(0);
        assert_eq!(finished["project_finish"], "2026-01-12");
        assert_eq!(finished["critical_path"], json!([a, b]));
        let moved = site.payloads("task_dates_updated").await.remove(0);
        let rows = moved["tasks"].as_array().unwrap();
        assert!(rows.iter().any(|row| row["id"] == json!(b) && row["early_start"] == "2026-01-09"), "{moved}");
        assert_eq!(moved["count"], json!(rows.len()));
        assert_eq!(site.read(&c).await["total_float"], 5);
    }

    async fn a_recalculation_names_what_came_onto_the_critical_path_and_what_left_it(app: &TestApp) {
        let site = Site::new(app).await;
        let (a, b) = (site.task("A", 3).await, site.task("B", 2).await);
        let told = async || site.payloads("schedule.recalculated").await.pop().unwrap();
        assert_eq!(told().await["critical_path_added"], json!([]), "a shorter row changes no path");
        site.change(&b, json!({"duration": 5})).await;
        let change = told().await;
        assert_eq!((&change["critical_path_added"], &change["critical_path_removed"]), (&json!([b]), &json!([a])));
        assert_eq!(change["critical_path"], json!([b]));
        site.owner.delete(&task_path(&b)).await.expect(204);
        let deleted = told().await;
        assert_eq!((&deleted["critical_path_added"], &deleted["critical_path_removed"]), (&json!([a]), &json!([b])));
    }

    async fn history_keeps_who_changed_what(app: &TestApp) {
        let site = Site::new(app).await;
        let id = site.task("Survey", 3).await;
        site.change(&id, json!({"name": "Drawing"})).await;
        let history = site.owner.get(&site.at("history/?entity=task")).await.expect(200);
        let renamed = history.results().iter().find(|entry| {
            let what = entry["diff"].to_string();
            what.contains("Survey") && what.contains("Drawing")
        });
        let renamed = renamed.unwrap_or_else(|| panic!("the new name is not in {}", history.text));
        assert!(renamed["history_user"].to_string().contains("ona"), "{renamed}");
        assert_eq!(renamed["history_date"], "2026-01-05T08:00:00Z");
    }
}

both_engines! {
    async fn who_may_create_a_task_depends_on_the_role(app: &TestApp) {
        let site = Site::new(app).await;
        for (name, role, status) in [("vic", 1, 403), ("mia", 100, 201), ("rob", 200, 403), ("pam", 300, 201)] {
            let person = site.person(name, role).await;
            let made = person.post(TASKS, site.with_project(json!({"name": name}))).await.expect(status);
            assert_eq!(made["can_edit"].as_bool(), (status == 201).then_some(role == 300), "{}", made.text);
        }
        app.anonymous().post(TASKS, site.with_project(json!({"name": "A"}))).await.expect(401);
        assert_eq!(site.outline().await, ["1 mia", "2 pam"]);
    }

    async fn to_a_stranger_a_project_of_others_is_like_none(app: &TestApp) {
        let site = Site::new(app).await;
        let id = site.task("Survey", 3).await;
        let stranger = app.person("sue").await;
        let foreign = stranger.post(TASKS, site.with_project(json!({"name": "A"}))).await;
        let nowhere: Uuid = app.clock.mint();
        let absent = stranger.post(TASKS, json!({"name": "A", "project": nowhere})).await;
        assert!([400, 404].contains(&foreign.status), "{}", foreign.text);
        assert_eq!((foreign.status, &foreign.text), (absent.status, &absent.text));
        let path = task_path(&id);
        for answer in [
            stranger.get(&path).await, stranger.patch(&path, json!({"name": "A"})).await,
            stranger.delete(&path).await, stranger.post(&format!("{path}restore/"), json!({})).await,
            stranger.get(&format!("{path}duration-events/")).await,
        ] {
            assert_eq!((answer.status, &answer["detail"]), (404, &json!("Not found.")));
        }
        site.owner.patch(&task_path("no-uuid"), json!({"name": "A"})).await.expect(404);
        assert_eq!(site.tasks().await.len(), 1);
    }

    async fn members_change_what_they_are_assigned_and_managers_change_everything(app: &TestApp) {
        let site = Site::new(app).await;
        let (viewer, member) = (site.person("vic", 1).await, site.person("mia", 100).await);
        let (resources, manager) = (site.person("rob", 200).await, site.person("pam", 300).await);
        let id = site.task("Survey", 3).await;
        let path = task_path(&id);
        for person in [&viewer, &member, &resources] {
            person.patch(&path, json!({"notes": person.name})).await.expect(403);
            person.delete(&path).await.expect(403);
            assert_eq!(person.get(&path).await.expect(200)["can_edit"], false);
        }
        site.change(&id, json!({"assignee": member.id})).await;
        let own = member.patch(&path, json!({"notes": "mine"})).await.expect(200);
        assert_eq!((&own["notes"], &own["can_edit"]), (&json!("mine"), &json!(true)));
        site.change(&id, json!({"assignee": resources.id})).await;
        resources.patch(&path, json!({"notes": "still not"})).await.expect(403);
        manager.patch(&path, json!({"notes": "managed"})).await.expect(200);
        let stranger = app.person("sue").await;
        for outsider in [json!(stranger.id), json!(app.clock.mint::<Uuid>())] {
            assert!(site.refuse(&id, json!({"assignee": outsider})).await["assignee"].is_array());
        }
        assert_eq!(site.read(&id).await["notes"], "managed");
    }

    async fn an_archived_project_takes_no_task_and_no_change(app: &TestApp) {
        let site = Site::new(app).await;
        let id = site.task("Survey", 3).await;
        site.owner.post(&site.at("archive/"), json!({})).await.expect(200);
        let path = task_path(&id);
        site.owner.post(TASKS, site.with_project(json!({"name": "A"}))).await.expect(403);
        site.owner.patch(&path, json!({"name": "A"})).await.expect(403);
        site.owner.delete(&path).await.expect(403);
        site.owner.post(&site.at("tasks/bulk/"), json!({"operations": [{"op": "delete", "id": id}]})).await.expect(403);
        let shown = site.read(&id).await;
        assert_eq!((&shown["name"], &shown["can_edit"], &shown["can_delete"]), (&json!("Survey"), &json!(false), &json!(false)));
    }

    async fn owners_are_added_and_changed_but_never_dropped(app: &TestApp) {
        let site = Site::new(app).await;
        let (crane, crew) = (site.resource("Crane", true).await, site.resource("Crew", true).await);
        let made = site.create(json!({"name": "A", "owners": [{"resource": crane, "units": "0.50"}]})).await;
        let crane_row = |units: &str| json!({"resource_id": crane, "resource_name": "Crane", "units": units});
        assert_eq!(made["assignments"], json!([crane_row("0.50")]));
        assert_eq!(made["assignee"], Value::Null);
        assert_eq!(made["owners"], Value::Null, "it is only written");
        let id = made.id();
        site.change(&id, json!({"owners": [{"resource": crew}]})).await;
        let both = site.change(&id, json!({"owners": [{"resource": crane, "units": 2}]})).await;
        let crew_row = json!({"resource_id": crew, "resource_name": "Crew", "units": "1.00"});
        assert_eq!(both["assignments"], json!([crane_row("2.00"), crew_row]));
        assert_eq!(site.change(&id, json!({"owners": []})).await["assignments"], both["assignments"]);
    }

    async fn owners_outside_roster_or_bounds_are_refused_as_a_whole(app: &TestApp) {
        let site = Site::new(app).await;
        let (inside, outside) = (site.resource("Crane", true).await, site.resource("Crew", false).await);
        let id = site.task("A", 2).await;
        for wrong in [
            json!([{"resource": inside}, {"resource": outside}]), json!([{"resource": app.clock.mint::<Uuid>()}]),
            json!([{"resource": inside, "units": "2.01"}]), json!([{"resource": inside, "units": 0}]), json!([{}]),
        ] {
            let refused = site.refuse(&id, json!({"owners": wrong})).await;
            assert!(!refused["owners"].is_null(), "{wrong}: {}", refused.text);
        }
        let request = site.with_project(json!({"name": "B", "owners": [{"resource": outside}]}));
        site.owner.post(TASKS, request).await.expect(400);
        assert_eq!(site.outline().await, ["1 A"]);
        assert_eq!(site.read(&id).await["assignments"], json!([]));
        site.under(&id, "A1", 1).await;
        let summary = site.refuse(&id, json!({"owners": [{"resource": inside}]})).await;
        assert!(!summary["owners"].is_null(), "{}", summary.text);
    }
}
