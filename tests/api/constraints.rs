//! Promised dates: deadlines and constraints in every way in and out, what they do, and how the project tells of those that
//! are not kept.

use planwright_testkit::both_engines;
use serde_json::{Value, json};

use crate::site::{Site, task_path, window};

both_engines! {
    async fn a_constraint_holds_the_dates_of_a_task_until_it_goes(app: &TestApp) {
        let site = Site::new(app).await;
        let limited = json!({"name": "Dig", "duration": 3, "constraint_type": "SNET", "constraint_date": "2026-01-14"});
        let dig = site.create(limited).await;
        assert_eq!((&dig["constraint_type"], &dig["constraint_date"]), (&json!("SNET"), &json!("2026-01-14")));
        assert_eq!(window(&dig.json), "2026-01-14 to 2026-01-16");
        let later = site.change(&dig.id(), json!({"constraint_type": "FNET", "constraint_date": "2026-01-20"})).await;
        assert_eq!(window(&later.json), "2026-01-16 to 2026-01-20");
        let freed = site.change(&dig.id(), json!({"constraint_type": null})).await;
        assert_eq!((&freed["constraint_date"], window(&freed.json)), (&Value::Null, "2026-01-05 to 2026-01-07".to_owned()));
        let history = site.owner.get(&site.at(&format!("tasks/{}/history/", dig.id()))).await.expect(200);
        let told = history["results"][0]["diff"].as_array().unwrap().iter().any(|row| row["field"] == "constraint_type");
        assert!(told, "{}", history.text);
    }

    async fn a_constraint_and_its_date_have_to_fit_together(app: &TestApp) {
        let site = Site::new(app).await;
        let dig = site.task("Dig", 3).await;
        for (wrong, field) in [
            (json!({"constraint_type": "MSO"}), "constraint_date"),
            (json!({"constraint_date": "2026-01-14"}), "constraint_date"),
            (json!({"constraint_type": "ALAP", "constraint_date": "2026-01-14"}), "constraint_date"),
            (json!({"constraint_type": "SOON"}), "constraint_type"),
            (json!({"deadline": "soon"}), "deadline"),
        ] {
            let refused = site.refuse(&dig, wrong.clone()).await;
            assert!(refused[field].is_array(), "{wrong}: {}", refused.text);
        }
        site.change(&dig, json!({"constraint_type": "MSO", "constraint_date": "2026-01-14"})).await;
        let late = site.change(&dig, json!({"constraint_type": "ALAP"})).await;
        assert_eq!(late["constraint_date"], Value::Null, "the date goes with the constraint");
    }

    async fn a_promise_that_is_not_kept_is_named_by_the_project(app: &TestApp) {
        let site = Site::new(app).await;
        let promised = json!({"name": "Dig", "duration": 5, "deadline": "2026-01-07"});
        let dig = site.create(promised).await;
        assert_eq!((&dig["deadline"], &dig["total_float"]), (&json!("2026-01-07"), &json!(-2)));
        let limited = json!({"name": "Pour", "duration": 2, "constraint_type": "SNLT", "constraint_date": "2026-01-06"});
        let pour = site.create(limited).await.id();
        site.link(&dig.id(), &pour).await;
        let shown = site.owner.get(&site.at("")).await.expect(200);
        let conflicts = shown["schedule_conflicts"].as_array().unwrap();
        let expected = json!([
            {"task_id": pour, "name": "Pour", "kind": "start", "constraint_type": "SNLT", "wanted": "2026-01-06",
                "expected": "2026-01-12", "days": 6},
            {"task_id": dig.id(), "name": "Dig", "kind": "deadline", "constraint_type": null, "wanted": "2026-01-07",
                "expected": "2026-01-09", "days": 2},
        ]);
        assert_eq!(json!(conflicts), expected);
        site.change(&dig.id(), json!({"duration": 1})).await;
        let kept = site.owner.get(&site.at("")).await.expect(200);
        assert_eq!(kept["schedule_conflicts"], json!([]));
    }

    async fn promises_go_out_and_come_back_in_with_a_document_of_version_2_1(app: &TestApp) {
        let owner = app.person("ona").await;
        let task = json!({"wbs_path": "1", "name": "Dig", "duration": 5, "deadline": "2026-01-07", "constraint_type": "MSO",
            "constraint_date": "2026-01-06"});
        let late = json!({"wbs_path": "2", "name": "Clean", "constraint_type": "ALAP"});
        let document = |version: &str| json!({
            "schema_version": version, "program": {"slug": "site", "name": "Site", "methodology": "WATERFALL"},
            "projects": [{"slug": "one", "name": "One", "methodology": "WATERFALL", "start_date": "2026-01-05", "tasks": [task, late]}],
        });
        let refused = owner.post("/api/v1/programs/import/", document("2.0")).await.expect(400);
        assert!(refused.text.contains("needs schema version 2.1"), "{}", refused.text);
        let answer = owner.post("/api/v1/programs/import/", document("2.1")).await.expect(202);
        app.run_jobs().await;
        let program = answer["program_id"].as_str().unwrap().to_owned();
        let tasks = owner.get("/api/v1/tasks/?ordering=wbs_path").await.expect(200);
        let [dig, clean] = &tasks.results()[..] else { panic!("{}", tasks.text) };
        assert_eq!((&dig["deadline"], &dig["constraint_type"], &dig["constraint_date"]), (&json!("2026-01-07"), &json!("MSO"), &json!("2026-01-06")));
        assert_eq!((&clean["constraint_type"], &clean["constraint_date"]), (&json!("ALAP"), &Value::Null));
        let export = owner.get(&format!("/api/v1/programs/{program}/export/")).await.expect(200);
        assert_eq!(export["schema_version"], "2.1");
        assert_eq!(export["projects"][0]["tasks"][0]["constraint_type"], "MSO");
        let older = owner.get(&format!("/api/v1/programs/{program}/export/?schema_version=2.0")).await.expect(200);
        assert_eq!((&older["schema_version"], older["projects"][0]["tasks"][0].get("deadline")), (&json!("2.0"), None));
    }

    async fn the_fourteen_checks_name_the_tasks_that_fail_them(app: &TestApp) {
        let site = Site::new(app).await;
        let (dig, pour) = (site.task("Dig", 60).await, site.task("Pour", 2).await);
        let link = site.link(&dig, &pour).await;
        site.change(&pour, json!({"constraint_type": "MFO", "constraint_date": "2026-01-09"})).await;
        let health = site.owner.get(&site.at("schedule/health/")).await.expect(200);
        assert_eq!((health["checks"].as_array().unwrap().len(), &health["passed"]), (14, &json!(false)));
        let check = |key: &str| health["checks"].as_array().unwrap().iter().find(|check| check["key"] == key).unwrap();
        assert_eq!(check("high_duration")["tasks"], json!([dig]));
        assert_eq!(check("hard_constraints")["tasks"], json!([pour]));
        assert_eq!((&check("leads")["verdict"], &check("baseline_execution_index")["verdict"]), (&json!("passed"), &json!("not_assessed")));
        site.owner.patch(&format!("/api/v1/dependencies/{link}/"), json!({"lag": -1})).await.expect(200);
        let health = site.owner.get(&site.at("schedule/health/")).await.expect(200);
        assert_eq!(health["checks"][1]["links"], json!([link]));
        app.person("sue").await.get(&site.at("schedule/health/")).await.expect(404);
    }

    async fn drag_and_paths_say_what_to_shorten(app: &TestApp) {
        let site = Site::new(app).await;
        let (dig, pour, fence) = (site.task("Dig", 5).await, site.task("Pour", 2).await, site.task("Fence", 4).await);
        site.link(&dig, &pour).await;
        let drag = site.owner.get(&site.at("schedule/drag/")).await.expect(200);
        let drags: Vec<(&Value, &Value)> =
            drag["tasks"].as_array().unwrap().iter().map(|row| (&row["name"], &row["drag_days"])).collect();
        assert_eq!(drags, [(&json!("Dig"), &json!(3)), (&json!("Pour"), &json!(2))]);
        let near = |days: i64| site.at(&format!("schedule/near-critical/?days={days}"));
        let (two, three) = (site.owner.get(&near(2)).await.expect(200), site.owner.get(&near(3)).await.expect(200));
        assert_eq!((&two["tasks"], &three["tasks"][0]["task_id"]), (&json!([]), &json!(fence)), "it has three days of float");
        site.change(&dig, json!({"duration": 2})).await;
        let all = site.owner.get(&site.at("schedule/longest-path/")).await.expect(200);
        assert_eq!(all["tasks"].as_array().unwrap().len(), 3, "shortened by its drag, the other chain is as long");
        let path = site.owner.get(&site.at(&format!("schedule/longest-path/?task_id={pour}"))).await.expect(200);
        let names: Vec<&Value> = path["tasks"].as_array().unwrap().iter().map(|row| &row["task_id"]).collect();
        assert_eq!(names, [&json!(dig), &json!(pour)]);
        let other = app.project(&site.owner, "Other").await;
        site.owner.get(&format!("/api/v1/projects/{other}/schedule/longest-path/?task_id={fence}")).await.expect(404);
        site.owner.get(&site.at("schedule/near-critical/?days=-1")).await.expect(400);
        site.owner.delete(&task_path(&fence)).await.expect(204);
    }
}
