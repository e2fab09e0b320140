//! Tasks on calendars of their own: what that does to dates, who may change such a calendar, and every way in and out.

use planwright_testkit::both_engines;
use serde_json::{Value, json};

use crate::file_imports::form;
use crate::site::{Site, text, window};

/// A calendar of the library.
async fn calendar(site: &Site<'_>, name: &str, working_days: u8) -> String {
    let request = json!({"name": name, "working_days": working_days});
    site.owner.post("/api/v1/calendars/", request).await.expect(201).id()
}

/// What a task of a project is worked on, by the name of the task and of its calendar.
async fn worked_on(site: &Site<'_>, project: &str, task: &str) -> Option<String> {
    let tasks = site.owner.get(&format!("/api/v1/tasks/?project={project}")).await.expect(200);
    let row = tasks.results().iter().find(|row| text(&row["name"]) == task).cloned().unwrap_or_default();
    let calendar = row["calendar"].as_str()?;
    let shown = site.owner.get(&format!("/api/v1/calendars/{calendar}/")).await.expect(200);
    Some(text(&shown["name"]).to_owned())
}

both_engines! {
    async fn a_task_is_worked_on_its_own_calendar_until_that_is_taken_away(app: &TestApp) {
        let site = Site::new(app).await;
        let all_week = calendar(&site, "All week", 127).await;
        let dig = site.create(json!({"name": "Dig", "duration": 6, "calendar": all_week})).await;
        assert_eq!((&dig["calendar"], window(&dig.json)), (&json!(all_week), "2026-01-05 to 2026-01-10".to_owned()));
        let pour = site.task("Pour", 2).await;
        site.link(&dig.id(), &pour).await;
        assert_eq!(site.window(&pour).await, "2026-01-12 to 2026-01-13");
        assert_eq!(site.read(&dig.id()).await["total_float"], 1, "Sunday is worked by it alone");
        let why = site.owner.get(&site.at(&format!("schedule/derivation/?task_id={}&quantity=early_finish", dig.id()))).await.expect(200);
        let own = why["contributions"].as_array().unwrap().iter().find(|bound| bound["kind"] == "duration_from_early_start");
        assert_eq!(own.unwrap()["calendar_days_added"], 0, "{}", why.text);

        let plain = site.change(&dig.id(), json!({"calendar": null})).await;
        assert_eq!((&plain["calendar"], window(&plain.json)), (&Value::Null, "2026-01-05 to 2026-01-12".to_owned()));
        let again = site.change(&dig.id(), json!({"calendar": all_week, "planned_finish": "2026-01-11"})).await;
        assert_eq!((&again["duration"], window(&again.json)), (&json!(7), "2026-01-05 to 2026-01-11".to_owned()));
        let history = site.owner.get(&site.at(&format!("tasks/{}/history/", dig.id()))).await.expect(200);
        let told = history["results"][0]["diff"].as_array().unwrap().iter().any(|row| row["field"] == "calendar");
        assert!(told, "{}", history.text);
    }

    async fn tasks_move_from_calendar_to_calendar_and_keep_their_dates_right(app: &TestApp) {
        let site = Site::new(app).await;
        let (six, seven, twin) =
            (calendar(&site, "Six days", 63).await, calendar(&site, "Seven days", 127).await, calendar(&site, "As seven", 127).await);
        let (dig, pour) = (site.task("Dig", 6).await, site.task("Pour", 6).await);
        let expect = async |dig_on: Option<&String>, pour_on: Option<&String>, windows: [&str; 2]| {
            site.change(&dig, json!({"calendar": dig_on})).await;
            site.change(&pour, json!({"calendar": pour_on})).await;
            assert_eq!([site.window(&dig).await, site.window(&pour).await], windows.map(|day| format!("2026-01-05 to 2026-01-{day}")));
        };
        expect(Some(&six), Some(&seven), ["10", "10"]).await;
        expect(Some(&twin), Some(&seven), ["10", "10"]).await;
        expect(Some(&seven), Some(&twin), ["10", "10"]).await;
        expect(None, Some(&six), ["12", "10"]).await;
        expect(None, None, ["12", "12"]).await;
    }

    async fn days_off_of_the_project_do_not_count_for_a_task_with_its_own_calendar(app: &TestApp) {
        let site = Site::new(app).await;
        let (holidays, shift) = (calendar(&site, "Holidays", 127).await, calendar(&site, "Shift", 31).await);
        let day = json!({"exc_start": "2026-01-06", "exc_end": "2026-01-06"});
        site.owner.post(&format!("/api/v1/calendars/{holidays}/exceptions/"), day).await.expect(201);
        site.owner.put(&site.at("calendars/"), json!({"overlays": [{"calendar_id": holidays}]})).await.expect(200);
        let (dig, pour) = (site.task("Dig", 2).await, site.task("Pour", 2).await);
        site.change(&pour, json!({"calendar": shift})).await;
        assert_eq!([site.window(&dig).await, site.window(&pour).await], ["2026-01-05 to 2026-01-07", "2026-01-05 to 2026-01-06"]);
    }

    async fn a_calendar_of_a_task_is_one_of_the_library_and_stays_there(app: &TestApp) {
        let site = Site::new(app).await;
        let (shift, other) = (calendar(&site, "Shift", 127).await, calendar(&site, "Other", 31).await);
        site.owner.delete(&format!("/api/v1/calendars/{other}/")).await.expect(204);
        let dig = site.task("Dig", 6).await;
        for wrong in [json!(other), json!("01890000-0000-7000-8000-000000000000"), json!("soon")] {
            let refused = site.refuse(&dig, json!({"calendar": wrong})).await;
            assert!(refused["calendar"].is_array(), "{}", refused.text);
        }
        site.change(&dig, json!({"calendar": shift})).await;
        let path = format!("/api/v1/calendars/{shift}/");
        let uses = site.owner.get(&format!("{path}uses/")).await.expect(200);
        assert_eq!((uses.json[0]["type"].as_str(), uses.json[0]["id"].as_str()), (Some("tasks"), Some(site.project.to_string().as_str())));
        let refused = site.owner.delete(&path).await.expect(409);
        assert_eq!((&refused["code"], &refused["reference_count"]), (&json!("calendar_in_use"), &json!(1)));
        site.owner.patch(&path, json!({"working_days": 31})).await.expect(200);
        assert_eq!(site.window(&dig).await, "2026-01-05 to 2026-01-12", "the plan follows its calendar");
        let day = json!({"exc_start": "2026-01-06", "exc_end": "2026-01-06"});
        site.owner.post(&format!("{path}exceptions/"), day).await.expect(201);
        assert_eq!(site.window(&dig).await, "2026-01-05 to 2026-01-13");

        let tom = app.person("tom").await;
        app.project(&tom, "Tunnel").await;
        tom.patch(&path, json!({"working_days": 127})).await.expect(403);
        site.change(&dig, json!({"calendar": null})).await;
        tom.patch(&path, json!({"working_days": 127})).await.expect(200);
    }

    async fn calendars_of_tasks_go_out_and_come_back_in_with_a_document_of_version_2_1(app: &TestApp) {
        let owner = app.person("ona").await;
        let document = |version: &str, calendar: &str| json!({
            "schema_version": version, "program": {"slug": "site", "name": "Site", "methodology": "WATERFALL"},
            "calendars": [{"slug": "shift", "name": "Shift", "working_days": 127}],
            "projects": [{"slug": "one", "name": "One", "methodology": "WATERFALL", "start_date": "2026-01-05",
                "tasks": [{"wbs_path": "1", "name": "Dig", "duration": 6, "calendar": calendar}, {"wbs_path": "2", "name": "Pour", "duration": 6}]}],
        });
        let refused = owner.post("/api/v1/programs/import/", document("2.0", "shift")).await.expect(400);
        assert!(refused.text.contains("needs schema version 2.1"), "{}", refused.text);
        let refused = owner.post("/api/v1/programs/import/", document("2.1", "night")).await.expect(400);
        assert!(refused.text.contains("$.projects[0].tasks[0].calendar: no calendar has the slug"), "{}", refused.text);
        let answer = owner.post("/api/v1/programs/import/", document("2.1", "shift")).await.expect(202);
        app.run_jobs().await;
        let tasks = owner.get("/api/v1/tasks/?ordering=wbs_path").await.expect(200);
        let windows: Vec<String> = tasks.results().iter().map(window).collect();
        assert_eq!(windows, ["2026-01-05 to 2026-01-10", "2026-01-05 to 2026-01-12"], "{}", tasks.text);
        let program = answer["program_id"].as_str().unwrap();
        let export = owner.get(&format!("/api/v1/programs/{program}/export/")).await.expect(200);
        assert_eq!((&export["schema_version"], &export["projects"][0]["tasks"][0]["calendar"]), (&json!("2.1"), &json!("shift")));
        assert_eq!((export["calendars"].as_array().unwrap().len(), export["projects"][0].get("calendar")), (1, None));
        let older = owner.get(&format!("/api/v1/programs/{program}/export/?schema_version=2.0")).await.expect(200);
        assert_eq!((older.json.get("calendars"), older["projects"][0]["tasks"][0].get("calendar")), (None, None));
    }

    async fn calendars_of_tasks_go_along_in_files_of_other_programs(app: &TestApp) {
        let site = Site::new(app).await;
        let shift = calendar(&site, "Shift", 127).await;
        site.create(json!({"name": "Dig", "duration": 6, "calendar": shift})).await;
        site.task("Pour", 6).await;
        for (path, kind) in [("export/msproject.xml", "msproject"), ("export/primavera.xer", "primavera")] {
            let file = site.owner.get(&site.at(path)).await.expect(200);
            let own = app.project(&site.owner, kind).await;
            for into in ["import".to_owned(), format!("{own}/import")] {
                let (media_type, body) = form(path, &file.text, &[]);
                let queued = site.owner.post_raw(&format!("/api/v1/projects/{into}/{kind}/"), &media_type, body).await.expect(202);
                app.run_jobs().await;
                let project = queued["project_id"].as_str().map_or(own.to_string(), str::to_owned);
                let imports = site.owner.get(&format!("/api/v1/projects/{project}/imports/")).await.expect(200);
                assert_eq!(imports.results()[0]["summary"]["losses"], json!([]), "{kind}");
                assert_eq!(worked_on(&site, &project, "Dig").await.as_deref(), Some("Shift"), "{kind} {into}");
                assert_eq!(worked_on(&site, &project, "Pour").await, None, "{kind} {into}");
                let again = site.owner.get(&format!("/api/v1/projects/{project}/{path}")).await.expect(200);
                assert!(again.text.contains("Shift"), "{kind} {into}");
            }
        }
        let table = site.owner.get(&site.at("export/losses/?format=csv")).await.expect(200);
        let lost: Vec<&str> = table["losses"].as_array().unwrap().iter().map(|loss| text(&loss["field"])).collect();
        assert!(lost.contains(&"calendar"), "{lost:?}");
    }

    async fn an_offline_client_reads_and_writes_the_calendar_of_a_task(app: &TestApp) {
        let site = Site::new(app).await;
        let shift = calendar(&site, "Shift", 127).await;
        let dig = site.task("Dig", 6).await;
        let batch = json!({"client_batch_id": "0197a000-0000-7000-8000-000000000001", "last_pulled_at": 0,
            "changes": {"tasks": {"updated": [{"id": dig, "calendar": shift}]}}});
        site.owner.post(&site.at("sync/"), batch).await.expect(200);
        let pulled = site.owner.get(&site.at("sync/?since=0")).await.expect(200);
        let row = &pulled["changes"]["tasks"]["updated"][0];
        assert_eq!((&row["calendar"], &row["early_finish"]), (&json!(shift), &json!("2026-01-10")), "{}", pulled.text);
    }
}
