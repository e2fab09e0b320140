//! Documents of version 2.1: what surrounds a plan comes in, is seen by people, and goes out again as the same bytes.

use planwright_testkit::both_engines;
use serde_json::{Value, json};

use crate::import::{export_path, exported, import, imported_bytes, tasks};
use crate::site::{project_path, text};

fn whole() -> Value {
    json!({
        "schema_version": "2.1",
        "program": {"slug": "quarry", "name": "Quarry", "methodology": "HYBRID",
            "settings": {"health": "AT_RISK", "target_date": "2026-05-01", "public_sharing": false}},
        "calendars": [{"slug": "site", "name": "Site"}, {"slug": "fair", "name": "Fair",
            "exceptions": [{"exc_start": "2026-01-06", "exc_end": "2026-01-06", "description": "Fair"}]}],
        "resources": [
            {"slug": "digger", "name": "Digger", "kind": "equipment", "skills": [{"skill": "Deep pits", "proficiency": 3}]},
            {"slug": "mo", "name": "Mo", "max_units": 2}, {"slug": "ada", "name": "Ada"}
        ],
        "projects": [{
            "slug": "pit", "name": "Pit", "methodology": "AGILE", "start_date": "2026-01-05", "code": "PIT",
            "calendar": "site", "overlays": [{"calendar": "fair", "role": "project"}],
            "settings": {"visibility": "PRIVATE", "timezone": "Europe/Berlin", "allow_guests": false,
                "iteration_label": "Round", "default_member_role": 1, "allowed_attachment_types": ["image/png"],
                "stale_task_threshold_days": 30, "show_baselines": false},
            "baselines": [{"name": "Promised", "tasks": [{"task": "1", "start": "2026-01-05", "finish": "2026-01-06",
                "duration": 2, "budget": 5_000_000.5}]}],
            "roster": [{"resource": "mo", "role_title": "Foreman", "units": 0.5, "notes": "Mornings"}],
            "custom_fields": [
                {"slug": "depth", "name": "Depth", "field_type": "NUMBER", "show_on_card": true},
                {"slug": "rock", "name": "Rock", "field_type": "SINGLE_SELECT",
                    "options": [{"value": "granite", "label": "Granite"}]}
            ],
            "sprints": [{"slug": "one", "name": "One", "state": "COMPLETED", "start_date": "2025-12-01",
                "finish_date": "2025-12-12", "goal_outcome": "MET", "committed_points": 8, "completed_points": 8,
                "committed_task_count": 2, "completed_task_count": 2, "activated_at": "2025-12-01T08:00:00Z",
                "closed_at": "2025-12-12T16:00:00Z"}],
            "tasks": [
                {"wbs_path": "1", "name": "Dig", "duration": 2, "assignments": [{"resource": "digger"}],
                    "skills": [{"skill": "Deep pits", "min_proficiency": 2}],
                    "field_values": {"depth": 12.5, "rock": "granite"},
                    "criteria": [{"text": "The pit is dry.", "met": true, "met_at": "2026-01-02T10:00:00Z"},
                        {"given": "rain", "when": "it stops", "then": "the pump runs"}],
                    "scores": {"business_value": 8, "confidence": 0.5},
                    "blocked": {"reason": "No fuel", "type": "vendor", "since": "2026-01-03T09:00:00Z"}},
                {"wbs_path": "2", "name": "Inspect", "recurrence": {"frequency": "WEEKLY", "weekdays": 1,
                    "begins": "2026-01-05", "generated_through": "2026-03-02", "occurrence_count": 1}},
                {"wbs_path": "3", "name": "Inspect (Monday)", "occurrence": {"template": "2", "on": "2026-01-12"}}
            ]
        }]
    })
}

both_engines! {
    async fn what_surrounds_a_plan_comes_in_and_goes_out_again(app: &TestApp, "SVC_THROTTLE_SEED_IMPORT_RATE" = "1000/min") {
        let ann = app.person("ann").await;
        let (answer, _) = import(app, &ann, whole()).await;
        let all = tasks(&ann).await;
        let (dig, inspect) = (&all[0], &all[1]);
        assert_eq!(dig["early_finish"], "2026-01-07", "the day of the fair is off");
        assert_eq!((&dig["criteria_total"], &dig["business_value"]), (&json!(2), &json!(8)));
        let reason = (&dig["blocked_reason"], &dig["blocker_type"]);
        assert_eq!(reason, (&json!(""), &json!("vendor")), "the reason is for whoever does the task");
        assert_eq!((&inspect["early_start"], &all[2]["early_start"]), (&Value::Null, &Value::Null));
        let task = text(&dig["id"]);
        let criteria = ann.get(&format!("/api/v1/acceptance-criteria/?task={task}")).await.expect(200);
        assert_eq!(criteria.results()[0]["met"], true);
        let asked = ann.get(&format!("/api/v1/task-skill-requirements/?task={task}")).await.expect(200);
        assert_eq!(asked.results()[0]["min_proficiency"], 2);
        let project = text(&dig["project"]);
        let roster = ann.get(&format!("/api/v1/project-resources/?project={project}")).await.expect(200);
        let mut shares: Vec<String> = roster.results().iter().map(|row| row["units_override"].to_string()).collect();
        shares.sort();
        assert_eq!(shares, ["\"0.50\"", "null", "null"], "Ada, who works nowhere, is on the roster too");
        let rules = ann.get(&format!("/api/v1/recurrence-rules/?project={project}")).await.expect(200);
        assert_eq!(rules.results()[0]["occurrence_count"], 1);
        let fields = ann.get(&format!("{}fields/", project_path(project))).await.expect(200);
        assert_eq!(fields.text.matches("\"name\"").count(), 2, "{}", fields.text);
        let (first, _) = exported(&ann, &answer).await;
        assert!(!first.contains("No fuel") && first.contains("vendor"), "an export shows no more than a page does");
        for person in [&ann, &app.person("cora").await] {
            let again = imported_bytes(app, person, &first).await;
            assert_eq!(exported(person, &again).await.0, first);
        }
        let document = serde_json::from_str::<Value>(&first).unwrap();
        assert_eq!(document["program"]["settings"], whole()["program"]["settings"]);
        assert_eq!(document["projects"][0]["settings"], whole()["projects"][0]["settings"]);
        assert_eq!(document["projects"][0]["baselines"][0]["tasks"][0]["budget"], 5_000_000.5);
        let task_of_document = &serde_json::from_str::<Value>(&first).unwrap()["projects"][0]["tasks"][0];
        assert_eq!(task_of_document["field_values"], json!({"depth": 12.5, "rock": "granite"}));
    }

    async fn an_older_version_leaves_out_what_it_has_no_key_for(app: &TestApp) {
        let ann = app.person("ann").await;
        let (answer, _) = import(app, &ann, whole()).await;
        let older = ann.get(&format!("{}?schema_version=2.0", export_path(&answer))).await.expect(200);
        assert_eq!(older["schema_version"], "2.0");
        for key in ["roster", "overlays", "custom_fields", "settings"] {
            assert_eq!(older["projects"][0][key], Value::Null, "{key}");
        }
        for key in ["criteria", "recurrence", "field_values", "scores", "blocked", "skills"] {
            assert!(!older.text.contains(&format!("\"{key}\"")), "{key}");
        }
        ann.post("/api/v1/programs/import/validate/", older.json.clone()).await.expect(200);
        let cora = app.person("cora").await;
        let again = imported_bytes(app, &cora, &older.text).await;
        let same = cora.get(&format!("{}?schema_version=2.0", export_path(&again))).await.expect(200);
        assert_eq!(same.text, older.text);
        let newest = ann.get(&export_path(&answer)).await.expect(200);
        let withheld = newest["projects"][0]["withheld"].as_array().cloned().unwrap_or_default();
        assert!(withheld.contains(&json!("blocked_reasons")), "the reason is for whoever does the task: {withheld:?}");
        assert!(!older.text.contains("withheld"));
        let oldest = ann.get(&format!("{}?schema_version=1.0", export_path(&answer))).await.expect(200);
        assert_eq!((&oldest["schema_version"], &oldest["events"]), (&json!("1.0"), &Value::Null));
        ann.post("/api/v1/programs/import/validate/", oldest.json).await.expect(200);
        ann.get(&format!("{}?schema_version=3.0", export_path(&answer))).await.expect(400);
    }

    async fn a_project_that_inherits_its_methodology_still_does_so_after_an_export(app: &TestApp) {
        let ann = app.person("ann").await;
        let program = ann.post("/api/v1/programs/", json!({"name": "Mills", "methodology": "AGILE"})).await.expect(201).id();
        let new = json!({"name": "Mill", "program": program, "start_date": "2026-01-05"});
        ann.post("/api/v1/projects/", new).await.expect(201);
        let out = ann.get(&format!("/api/v1/programs/{program}/export/")).await.expect(200);
        assert_eq!(out["projects"][0]["methodology"], "AGILE");
        assert_eq!(out["projects"][0]["settings"], json!({"inherits_methodology": true}));
        let cora = app.person("cora").await;
        let again = imported_bytes(app, &cora, &out.text).await;
        assert_eq!(exported(&cora, &again).await.0, out.text);
    }

    async fn what_does_not_fit_together_is_named_by_its_path(app: &TestApp) {
        let ann = app.person("ann").await;
        let mut document = whole();
        let project = &mut document["projects"][0];
        project["roster"][0]["resource"] = json!("nobody");
        project["tasks"][0]["field_values"] = json!({"depth": "deep", "colour": "red"});
        project["tasks"][2]["occurrence"]["template"] = json!("9");
        project["custom_fields"][1]["options"] = json!([{"value": "a"}, {"value": "a"}]);
        let refused = ann.post("/api/v1/programs/import/", document.clone()).await.expect(400);
        for place in [
            "$.projects[0].roster[0].resource: no resource has the slug",
            "$.projects[0].tasks[0].field_values.depth: must be a number",
            "$.projects[0].tasks[0].field_values.colour: no field has the slug",
            "$.projects[0].tasks[2].occurrence.template: no task is at",
            "$.projects[0].custom_fields[1].options[1].value:",
        ] {
            assert!(refused.text.contains(place), "{place} in {}", refused.text);
        }
        document = whole();
        document["schema_version"] = json!("2.0");
        let refused = ann.post("/api/v1/programs/import/", document).await.expect(400);
        assert!(refused.text.contains("$.projects[0].roster: needs schema version 2.1"), "{}", refused.text);
    }

    async fn what_happened_before_an_import_stands_in_the_history_at_its_own_time(app: &TestApp) {
        let ann = app.person("ann").await;
        let document = json!({
            "schema_version": "2.0",
            "program": {"slug": "past", "name": "Past", "methodology": "AGILE"},
            "accounts": [{"slug": "me", "username": "ann"}, {"slug": "bo", "username": "bo-of-elsewhere"}],
            "projects": [{"slug": "pit", "name": "Pit", "methodology": "AGILE", "start_date": "2025-12-01",
                "sprints": [{"slug": "s1", "name": "One", "state": "ACTIVE", "start_date": "2025-12-29", "finish_date": "2026-01-16"}],
                "tasks": [{"wbs_path": "1", "name": "Dig", "sprint": "s1", "story_points": 5, "status": "COMPLETE"}]}],
            "events": [
                {"at": "2026-01-02T09:00:00Z", "action": "task.status", "actor": "bo", "target": "1", "to": "COMPLETE"},
                {"at": "2025-12-30T09:00:00Z", "action": "task.status", "actor": "me", "target": "1", "from": "NOT_STARTED", "to": "IN_PROGRESS"},
                {"at": "2025-12-29T08:00:00Z", "action": "sprint.activate", "actor": "me", "target": "s1"},
                {"at": "2025-12-31T08:00:00Z", "action": "task.points", "actor": "me", "target": "1", "points": 8, "remaining_points": 5},
                {"at": "2999-01-01T08:00:00Z", "action": "task.status", "target": "1", "to": "ON_HOLD"},
                {"at": "2025-12-31T09:00:00Z", "action": "retro.action", "target": "nothing", "body": "Talk more"}
            ]
        });
        let (answer, _) = import(app, &ann, document).await;
        let task = &tasks(&ann).await[0];
        let path = format!("/api/v1/projects/{}/tasks/{}/history/", text(&task["project"]), text(&task["id"]));
        let history = ann.get(&path).await.expect(200);
        let told: Vec<_> = history.results().iter().filter(|row| text(&row["event_type"]) == "task_updated").map(|row| {
            let field = &row["diff"][0];
            (text(&row["timestamp"])[..10].to_owned(), text(&field["field"]).to_owned(), text(&field["new"]).to_owned(),
                row["history_user"].is_null())
        }).collect();
        let row = |day: &str, field: &str, new: &str, is_nobody| (day.to_owned(), field.to_owned(), new.to_owned(), is_nobody);
        assert_eq!(told, [
            row("2026-01-02", "status", "COMPLETE", true),
            row("2025-12-31", "story_points", "8", false),
            row("2025-12-30", "status", "IN_PROGRESS", false),
        ], "{}", history.text);
        let all = ann.get(&format!("/api/v1/projects/{}/history/?entity=sprint", text(&task["project"]))).await.expect(200);
        assert!(all.text.contains("2025-12-29T08:00:00") && all.text.contains("ACTIVE"), "{}", all.text);
        let exported = ann.get(&export_path(&answer)).await.expect(200);
        assert_eq!(exported["events"].as_array().map(Vec::len), Some(6), "an export tells all of them again");
    }
}
