//! The board of a project: its columns, views, lanes and activity, and the fields that a project adds to its tasks.

use planwright_testkit::both_engines;
use serde_json::{Value, json};

use crate::site::{Site, text};

/// The columns of a board with these limits of work in progress and in review.
fn columns(progress: i64, review: i64) -> Value {
    json!({"columns": [
        {"status": "BACKLOG", "label": "Ideas", "visible": false},
        {"status": "NOT_STARTED", "label": "Next", "color": "#1A2B3C"},
        {"status": "IN_PROGRESS", "label": "Doing", "wip_limit": progress, "age_threshold_days": 3},
        {"status": "REVIEW", "label": "Looking", "wip_limit": review},
        {"status": "COMPLETE", "label": "Done"},
    ]})
}

both_engines! {
    async fn the_columns_of_a_board_are_arranged_and_say_how_full_they_are(app: &TestApp) {
        let site = Site::new(app).await;
        let (member, scheduler) = (site.person("mara", 100).await, site.person("rolf", 200).await);
        let path = site.at("board-config/");
        let usual = member.get(&path).await.expect(200);
        assert_eq!((&usual["columns"][2]["label"], &usual["columns"][2]["wip_limit"]), (&json!("In Progress"), &json!(5)));
        site.create(json!({"name": "Dig", "status": "IN_PROGRESS"})).await;
        site.create(json!({"name": "Pour", "status": "IN_PROGRESS"})).await;
        member.put(&path, columns(1, 2)).await.expect(403);
        site.hush().await;
        let arranged = scheduler.put(&path, columns(1, 2)).await.expect(200);
        let doing = &arranged["columns"][2];
        assert_eq!((&doing["current_count"], &doing["breach"]), (&json!(2), &json!("over")));
        assert_eq!((&arranged["columns"][3]["breach"], &arranged["columns"][0]["breach"]), (&json!("ok"), &Value::Null));
        assert_eq!(site.payloads("board_config_updated").await[0]["columns"][1]["color"], "#1A2B3C");
        assert_eq!(member.get(&path).await.expect(200).json, arranged.json);
        scheduler.put(&path, columns(2, 2)).await.expect(200);
        assert_eq!(member.get(&path).await.expect(200)["columns"][2]["breach"], "at");
        let mut wrong = columns(0, 1);
        wrong["columns"][1]["color"] = json!("blue");
        let refused = scheduler.put(&path, wrong).await.expect(400);
        assert!(refused.text.contains("wip_limit"), "{}", refused.text);
        let missing = json!({"columns": [{"status": "BACKLOG", "label": "Only"}]});
        assert!(scheduler.put(&path, missing).await.expect(400)["columns"].is_array());
    }

    async fn views_belong_to_who_made_them_and_are_shared(app: &TestApp) {
        let site = Site::new(app).await;
        let (mara, noor) = (site.person("mara", 100).await, site.person("noor", 100).await);
        let (viewer, scheduler) = (site.person("vera", 1).await, site.person("rolf", 200).await);
        let all = site.at("board-views/");
        viewer.post(&all, json!({"name": "Mine", "config": {}})).await.expect(403);
        let asked = json!({"name": "Late", "config": {"filter_due": ["overdue"], "sort": "start_date"}});
        let made = mara.post(&all, asked).await.expect(201);
        assert_eq!((&made["schema_version"], &made["config"]["show_wip"]), (&json!(3), &json!(true)));
        assert!(mara.post(&all, json!({"name": "LATE", "config": {}})).await.expect(400)["name"].is_array());
        mara.post(&all, json!({"name": "Odd", "config": {"sort": "colour"}})).await.expect(400);
        let one = format!("{all}{}/", made.id());
        noor.patch(&one, json!({"name": "Noor's"})).await.expect(403);
        mara.patch(&one, json!({"name": "Overdue"})).await.expect(200);
        let changed = scheduler.patch(&one, json!({"config": {"evm_mode": "spi"}})).await.expect(200);
        assert_eq!((&changed["name"], &changed["config"]["filter_due"]), (&json!("Overdue"), &json!([])));
        let list = viewer.get(&all).await.expect(200);
        assert_eq!((list.json.as_array().unwrap().len(), &list.json[0]["name"]), (1, &json!("Overdue")));
        noor.delete(&one).await.expect(403);
        mara.delete(&one).await.expect(204);
        assert_eq!(viewer.get(&all).await.expect(200).json, json!([]));
        mara.post(&all, json!({"name": "Overdue", "config": {}})).await.expect(201);
    }

    async fn lanes_are_phases_in_the_order_of_the_plan(app: &TestApp) {
        let site = Site::new(app).await;
        let phase = site.task("Ground", 1).await;
        let dig = site.under(&phase, "Dig", 2).await;
        let deep = site.under(&phase, "Deep", 2).await;
        let pump = site.under(&deep, "Pump", 1).await;
        let lone = site.task("Permit", 1).await;
        let lanes = site.owner.get(&site.at("board/lanes/")).await.expect(200);
        let shown: Vec<_> = lanes["lanes"].as_array().unwrap().iter().map(|lane| (lane["name"].clone(), lane["task_ids"].clone())).collect();
        assert_eq!(shown, [(json!("Ground"), json!([dig, pump])), (json!("No phase"), json!([lone]))]);
        assert_eq!((&lanes["lanes"][1]["id"], &lanes["crumbs"][&pump]), (&json!("root"), &json!("Deep")));
        let deeper = site.owner.get(&site.at("board/lanes/?group_depth=2")).await.expect(200);
        assert_eq!(deeper["lanes"].as_array().unwrap().len(), 3);
        site.owner.get(&site.at("board/lanes/?group_depth=0")).await.expect(400);
    }

    async fn the_activity_of_a_board_is_read_page_by_page(app: &TestApp) {
        let mut site = Site::new(app).await;
        let sprint = site.owner.post(&site.at("sprints/"), crate::sprints::two_weeks("One")).await.expect(201).id();
        let dig = site.task("Dig", 2).await;
        for (minutes, change) in [(1, json!({"name": "Dig deep"})), (2, json!({"sprint": sprint})), (3, json!({"sprint": null}))] {
            app.later(chrono::Duration::minutes(minutes));
            site.owner.sign_in_again().await;
            site.change(&dig, change).await;
        }
        let path = site.at("board/activity/");
        let all = site.owner.get(&path).await.expect(200);
        let kinds: Vec<_> = all["results"].as_array().unwrap().iter().map(|event| text(&event["event_type"])).collect();
        assert_eq!(kinds, ["exited_sprint", "entered_sprint", "task_updated", "task_created"]);
        assert_eq!(all["results"][2]["changes"], json!([{"field": "name", "old": "Dig", "new": "Dig deep"}]));
        assert_eq!((&all["results"][1]["sprint_id"], &all["next_until"]), (&json!(sprint), &Value::Null));
        let (mut seen, mut next) = (Vec::new(), format!("{path}?limit=1"));
        for _ in 0..4 {
            let page = site.owner.get(&next).await.expect(200);
            seen.extend(page["results"].as_array().unwrap().iter().map(|event| text(&event["event_type"]).to_owned()));
            match page["next_until"].as_str() {
                Some(until) => next = format!("{path}?limit=1&until={until}"),
                None => break,
            }
        }
        assert_eq!(seen, kinds);
        for (filter, count) in [("type=entered_sprint", 1), ("type=task_updated", 1), ("type=moved_sprint", 0)] {
            let page = site.owner.get(&format!("{path}?{filter}")).await.expect(200);
            assert_eq!(page["results"].as_array().unwrap().len(), count, "{filter}");
        }
        let of_sprint = site.owner.get(&format!("{path}?sprint={sprint}")).await.expect(200);
        assert_eq!(of_sprint["results"].as_array().unwrap().len(), 2);
        site.owner.get(&format!("{path}?limit=1000")).await.expect(400);
    }

    async fn a_field_of_a_project_is_filled_by_those_who_may_edit_the_task(app: &TestApp) {
        let site = Site::new(app).await;
        let (mara, scheduler) = (site.person("mara", 100).await, site.person("rolf", 200).await);
        let all = site.at("fields/");
        mara.post(&all, json!({"name": "Depth", "field_type": "NUMBER"})).await.expect(403);
        site.hush().await;
        let depth = scheduler.post(&all, json!({"name": "Depth", "field_type": "NUMBER"})).await.expect(201).id();
        let soil = json!({"name": "Soil", "field_type": "SINGLE_SELECT", "required": true,
            "options": [{"value": "sand", "label": "Sand"}, {"value": "clay"}]});
        let soil = scheduler.post(&all, soil).await.expect(201);
        assert_eq!((&soil["options"][1]["label"], &soil["order"]), (&json!("clay"), &json!(1)));
        assert_eq!(site.payloads("project_custom_fields_updated").await[0], json!({"id": depth, "action": "created"}));
        let task = site.task("Dig", 1).await;
        let value = |field: &str| site.at(&format!("tasks/{task}/field-values/{field}/"));
        mara.put(&value(&depth), json!({"value": 3})).await.expect(403);
        let written = site.owner.put(&value(&depth), json!({"value": 3.5})).await.expect(200);
        assert_eq!(written.json, json!({"field_id": depth, "value": 3.5}));
        site.owner.put(&value(&depth), json!({"value": "deep"})).await.expect(400);
        site.owner.put(&value(&soil.id()), json!({"value": "rock"})).await.expect(400);
        let before = app.told("task.updated").await.len();
        site.owner.put(&value(&soil.id()), json!({"value": "clay"})).await.expect(200);
        let hooks = app.told("task.updated").await;
        assert_eq!((hooks.len() - before, &hooks[before].3["changed_fields"]), (1, &json!(["custom_fields"])));
        assert!(!hooks[before].3.to_string().contains("clay"), "the names of fields, never the values");
        let shown = site.read(&task).await;
        assert_eq!((&shown["custom_fields"], &shown["server_version"]), (&json!({&depth: 3.5, soil.id(): "clay"}), &json!(3)));
        site.owner.delete(&value(&soil.id())).await.expect(400);
        site.owner.delete(&value(&depth)).await.expect(204);
        assert_eq!(site.read(&task).await["custom_fields"], json!({soil.id(): "clay"}));
        let one = format!("{all}{}/", soil.id());
        let fewer = json!({"options": [{"value": "sand"}]});
        assert_eq!(scheduler.patch(&one, fewer).await.expect(409)["code"], "option_in_use");
        scheduler.patch(&one, json!({"field_type": "TEXT"})).await.expect(400);
        scheduler.delete(&one).await.expect(204);
        assert_eq!(site.read(&task).await["custom_fields"], json!({}));
        site.owner.put(&value(&soil.id()), json!({"value": "clay"})).await.expect(404);
        let fields = mara.get(&all).await.expect(200);
        assert_eq!(fields.json.as_array().unwrap().len(), 1);
    }

    async fn tasks_are_found_by_what_they_say_in_fields(app: &TestApp) {
        let site = Site::new(app).await;
        let all = site.at("fields/");
        let field = |name: &str, kind: &str, options: Value| json!({"name": name, "field_type": kind, "options": options});
        let choices = json!([{"value": "sand"}, {"value": "sandstone"}]);
        let depth = site.owner.post(&all, field("Depth", "NUMBER", json!([]))).await.expect(201).id();
        let soil = site.owner.post(&all, field("Soil", "MULTI_SELECT", choices)).await.expect(201).id();
        let seen = site.owner.post(&all, field("Seen", "DATE", json!([]))).await.expect(201).id();
        let said = [("A", json!(1.5), json!(["sand"]), json!("2026-01-05")), ("B", json!(7), json!(["sandstone"]), json!("2026-03-01"))];
        for (name, metres, layers, day) in said {
            let task = site.task(name, 1).await;
            for (field, value) in [(&depth, metres), (&soil, layers), (&seen, day)] {
                let path = site.at(&format!("tasks/{task}/field-values/{field}/"));
                site.owner.put(&path, json!({"value": value})).await.expect(200);
            }
        }
        site.task("C", 1).await;
        let found = async |asked: Value| {
            let asked = asked.to_string().replace('"', "%22").replace('{', "%7B").replace('}', "%7D").replace(' ', "%20");
            let path = format!("/api/v1/tasks/?project={}&ordering=name&custom_fields={asked}", site.project);
            let page = site.owner.get(&path).await.expect(200);
            assert_eq!(page["count"], json!(page.results().len()));
            page.results().iter().map(|task| text(&task["name"]).to_owned()).collect::<Vec<_>>().join("")
        };
        assert_eq!(found(json!({&depth: 1.5})).await, "A");
        assert_eq!(found(json!({&depth: {"from": 2}})).await, "B");
        assert_eq!(found(json!({&soil: "sand"})).await, "A", "a choice is compared as a whole");
        assert_eq!(found(json!({&seen: {"from": "2026-01-01", "to": "2026-01-31"}})).await, "A");
        assert_eq!(found(json!({&depth: {"from": 1}, &soil: "sandstone"})).await, "B");
        assert_eq!(found(json!({&depth: null})).await, "C");
        let ordered = async |how: &str, field: &str| {
            let path = format!("/api/v1/tasks/?project={}&ordering={how}&custom_field={field}", site.project);
            let page = site.owner.get(&path).await.expect(200);
            page.results().iter().map(|task| text(&task["name"]).to_owned()).collect::<Vec<_>>().join("")
        };
        for (how, field, wanted) in [
            ("custom_field", &depth, "ABC"),
            ("-custom_field", &depth, "BAC"),
            ("-custom_field,name", &seen, "BAC"),
            ("custom_field", &soil, "ABC"),
        ] {
            assert_eq!(ordered(how, field).await, wanted, "{how}: what says nothing is last");
        }
        let refused = site.owner.get("/api/v1/tasks/?ordering=custom_field").await.expect(400);
        assert!(refused["custom_field"].is_array(), "{}", refused.text);
        let refused = site.owner.get(&format!("/api/v1/tasks/?project={}&custom_fields=deep", site.project)).await.expect(400);
        assert!(refused["custom_fields"].is_array(), "{}", refused.text);
    }
}
