//! Seed documents through the HTTP interface: imported, tried, replaced, exported, and what is refused.

use planwright_testkit::{Answer, Person, TestApp, both_engines};
use serde_json::{Value, json};

const IMPORT: &str = "/api/v1/programs/import/";
const VALIDATE: &str = "/api/v1/programs/import/validate/";

/// A small program of two projects, tied together, with one of everything else.
fn small() -> Value {
    json!({
        "schema_version": "2.0",
        "program": {"slug": "orchard", "name": "Orchard", "methodology": "HYBRID", "lead": "ann"},
        "accounts": [
            {"slug": "ann", "username": "ann", "display_name": "Ann Ash", "role": "OWNER"},
            {"slug": "bo", "username": "bo", "email": "bo@example.org"},
        ],
        "calendars": [{"slug": "site", "name": "Site", "working_days": 63, "exceptions": [
            {"exc_start": "2026-01-09", "exc_end": "2026-01-09", "description": "Fair"},
        ]}],
        "resources": [
            {"slug": "crew", "name": "Crew", "max_units": 3, "calendar": "site"},
            {"slug": "bo", "name": "Bo", "job_role": "Foreman", "account": "bo"},
        ],
        "projects": [
            {
                "slug": "plant", "name": "Plant", "methodology": "WATERFALL", "start_date": "2026-01-05",
                "calendar": "site", "code": "PLANT", "board_columns": ["To do", "Done"],
                "labels": [{"slug": "wet", "name": "Wet", "color": "blue"}],
                "tasks": [
                    {"wbs_path": "1", "name": "Field"},
                    {"wbs_path": "1.1", "name": "Dig", "duration": 3, "labels": ["wet"], "assignee": "bo",
                     "assignments": [{"resource": "crew", "units": 1.5}],
                     "estimate": {"optimistic": 2, "most_likely": 3, "pessimistic": 6}},
                    {"wbs_path": "1.2", "name": "Plant", "duration": 2, "sprint": "first", "assignee": "ann",
                     "links": [{"target": "market:1", "link_type": "blocks", "note": "No trees, no fruit"}]},
                    {"wbs_path": "2", "name": "Planted", "is_milestone": true},
                    {"wbs_path": "B1", "name": "Later", "status": "BACKLOG", "parent_epic": "E1"},
                    {"wbs_path": "E1", "name": "Fruit", "type": "epic"},
                ],
                "dependencies": [
                    {"predecessor": "1.1", "successor": "1.2", "dep_type": "FS"},
                    {"predecessor": "1", "successor": "2", "dep_type": "FS"},
                ],
                "sprints": [{"slug": "first", "name": "First", "state": "PLANNED", "start_date": "2026-01-05",
                    "finish_date": "2026-01-16", "target_milestone": "2"}],
                "baselines": [{"name": "Promise", "is_active": true, "captured_at": "2026-01-02T10:00:00Z",
                    "tasks": [{"task": "1.1", "start": "2026-01-05", "finish": "2026-01-07", "duration": 3}]}],
                "risks": [{"slug": "frost", "title": "Frost", "status": "OPEN", "probability": 2, "impact": 5,
                    "owner": "bo", "tasks": ["1.2", "market:1"]}],
            },
            {
                "slug": "market", "name": "Market", "methodology": "AGILE", "start_date": "2026-01-05",
                "tasks": [{"wbs_path": "1", "name": "Stall", "duration": 4, "planned_start": "2026-01-06"}],
                "dependencies": [
                    {"predecessor": "plant:2", "successor": "1", "dep_type": "FS", "lag": 2},
                ],
            },
        ],
        "risks": [{"slug": "hail", "title": "Hail", "status": "OPEN", "probability": 1, "impact": 4,
            "tasks": ["market:1"]}],
        "events": [{"at": "2026-01-01T08:00:00Z", "action": "task.status", "actor": "bo",
            "target": "plant:1.1", "from": "BACKLOG", "to": "NOT_STARTED"}],
    })
}

fn with(changes: &[(&str, Value)]) -> Value {
    let mut document = small();
    for (pointer, value) in changes {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        match document.pointer_mut(parent).unwrap() {
            Value::Array(items) if key == "-" => items.push(value.clone()),
            Value::Array(items) => items[key.parse::<usize>().unwrap()] = value.clone(),
            Value::Object(map) => drop(map.insert(key.to_owned(), value.clone())),
            other => panic!("{pointer}: {other}"),
        }
    }
    document
}

/// Imports a document, runs the job and returns the answer and what became of it.
pub(crate) async fn import(app: &TestApp, person: &Person<'_>, document: Value) -> (Answer, Answer) {
    let answer = person.post(IMPORT, document).await.expect(202);
    app.run_jobs().await;
    let job = follow(person, &answer).await;
    assert_eq!(job["status"], "success", "{}", job.text);
    (answer, job)
}

async fn follow(person: &Person<'_>, answer: &Answer) -> Answer {
    let (program, job) = (&answer["program_id"], &answer["import_request_id"]);
    let path = format!("/api/v1/programs/{}/import/jobs/{}/", text(program), text(job));
    person.get(&path).await.expect(200)
}

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

pub(crate) fn export_path(answer: &Answer) -> String {
    format!("/api/v1/programs/{}/export/", text(&answer["program_id"]))
}

/// Every task that the person sees, by name.
pub(crate) async fn tasks(person: &Person<'_>) -> Vec<Value> {
    let mut tasks = Vec::new();
    let mut next = "/api/v1/tasks/?page_size=500".to_owned();
    while !next.is_empty() {
        let page = person.get(&next).await.expect(200);
        tasks.extend(page.results().clone());
        next = text(&page["next"]).replace("http://test.local", "");
    }
    tasks.sort_by_key(|task| text(&task["name"]).to_owned());
    tasks
}

async fn named(person: &Person<'_>, name: &str) -> Value {
    let tasks = tasks(person).await;
    tasks.iter().find(|task| task["name"] == name).cloned().unwrap_or_else(|| panic!("no task called {name}"))
}

/// A form with a document in its `file` and other fields beside it.
fn form(document: &str, fields: &[(&str, &str)]) -> (String, Vec<u8>) {
    let mut body = String::new();
    for (name, value) in fields {
        body += &format!("--cut\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
    }
    body += "--cut\r\nContent-Disposition: form-data; name=\"file\"; filename=\"orchard.json\"\r\n";
    body += &format!("Content-Type: application/json\r\n\r\n{document}\r\n--cut--\r\n");
    ("multipart/form-data; boundary=cut".to_owned(), body.into_bytes())
}

both_engines! {
    async fn a_document_becomes_a_program_with_computed_dates(app: &TestApp) {
        let ann = app.person("ann").await;
        let answer = ann.post(IMPORT, small()).await.expect(202);
        assert_eq!(answer["queued"], true);
        assert_eq!(answer["replaced_program_id"], Value::Null);
        assert!(text(&answer["lags"][0]).starts_with("lags of "), "{}", answer.text);
        let before = follow(&ann, &answer).await;
        assert_eq!((&before["status"], &before["result_summary"]), (&json!("pending"), &json!({})));
        assert!(tasks(&ann).await.is_empty());
        app.run_jobs().await;
        let job = follow(&ann, &answer).await;
        assert_eq!(job["status"], "success", "{}", job.text);
        assert_eq!(job["result_summary"], json!({"projects": 2, "tasks": 7, "sprints": 1, "dependencies": 3}));
        assert_eq!(job["program"], answer["program_id"]);
        let (done, total) = (&job["progress"]["done"], &job["progress"]["total"]);
        assert_eq!((job["progress"]["phase"].as_str(), done), (Some("history"), total), "as much is done as there is");

        let dig = named(&ann, "Dig").await;
        assert_eq!((&dig["wbs_path"], &dig["short_id"]), (&json!("1.1"), &json!("00000002")));
        assert_eq!((&dig["early_start"], &dig["early_finish"]), (&json!("2026-01-05"), &json!("2026-01-07")));
        assert_eq!((&dig["source_kind"], &dig["source_id"]), (&json!("seed_import"), &job["id"]));
        assert_eq!((&dig["is_untouched_seed"], &dig["edited_at"]), (&json!(true), &Value::Null));
        assert_eq!((&dig["assignee"], &dig["estimate_status"]), (&Value::Null, &json!("accepted")));
        assert_eq!(dig["assignments"][0]["units"], "1.50");
        assert_eq!(dig["labels"][0]["name"], "Wet");
        assert_eq!((&dig["governance_class"], &dig["delivery_mode"]), (&json!("gated"), &json!("waterfall")));
        let plant = named(&ann, "Plant").await;
        assert_eq!(plant["assignee"], ann.id.to_string());
        assert_eq!(plant["early_finish"], "2026-01-10", "the fair closes the Friday, the Saturday is worked");
        let field = named(&ann, "Field").await;
        assert_eq!((&field["is_phase"], &field["structure_role"]), (&json!(true), &json!("container")));
        let planted = named(&ann, "Planted").await;
        assert_eq!((&planted["is_milestone"], &planted["duration"]), (&json!(true), &json!(0)));
        let later = named(&ann, "Later").await;
        assert_eq!((&later["wbs_path"], &later["parent_epic"]), (&json!("3"), &named(&ann, "Fruit").await["id"]));
    }

    async fn a_file_in_a_form_does_the_same(app: &TestApp) {
        let ann = app.person("ann").await;
        let (media, body) = form(&small().to_string(), &[("replace", "false"), ("lag_calendar", "successor")]);
        let answer = ann.post_raw(IMPORT, &media, body).await.expect(202);
        app.run_jobs().await;
        let job = follow(&ann, &answer).await;
        assert_eq!((&job["status"], &job["filename"]), (&json!("success"), &json!("orchard.json")));
        let stall = named(&ann, "Stall").await;
        assert_eq!(stall["early_start"], "2026-01-14", "two working days after the milestone on Saturday 10");
    }

    async fn links_between_projects_hold_at_once_and_count_as_the_document_says(app: &TestApp) {
        let ann = app.person("ann").await;
        import(app, &ann, small()).await;
        let stall = named(&ann, "Stall").await;
        assert_eq!(stall["early_start"], "2026-01-13", "two calendar days after Saturday, then the next working day");
        let links = ann.get("/api/v1/dependencies/").await.expect(200);
        let crossing: Vec<_> =
            links.results().iter().filter(|link| link["predecessor_card"] != Value::Null).collect();
        assert_eq!(crossing.len(), 1);
        assert_eq!((&crossing[0]["pending_acceptance"], &crossing[0]["lag"]), (&json!(false), &json!(2)));
    }

    async fn wrong_documents_are_refused_with_their_path_and_leave_nothing_behind(app: &TestApp, "SVC_THROTTLE_SEED_IMPORT_RATE" = "1000/min") {
        let ann = app.person("ann").await;
        let cycle = json!({"predecessor": "1.2", "successor": "1.1", "dep_type": "FS"});
        let twice = json!({"wbs_path": "1.1", "name": "Again"});
        for (pointer, value, path) in [
            ("/projects/0/dependencies/-", cycle, "$.projects[0].dependencies[0]: closes a cycle"),
            ("/projects/0/tasks/1/colour", json!("red"), "$.projects[0].tasks[1].colour: unknown key"),
            ("/projects/0/tasks/1/assignee", json!("nobody"), "$.projects[0].tasks[1].assignee: "),
            ("/projects/0/tasks/-", twice, "$.projects[0].tasks[6].wbs_path: "),
            ("/projects/0/tasks/1/name", json!("a\u{0}b"), "$.projects[0].tasks[1].name"),
            ("/projects/0/name", json!("a\u{0}b"), "$.projects[0].name"),
        ] {
            let refused = ann.post(IMPORT, with(&[(pointer, value.clone())])).await.expect(400);
            let errors: Vec<&str> = refused["detail"].as_array().unwrap().iter().map(text).collect();
            assert!(errors.iter().any(|error| error.starts_with(path)), "{path}: {errors:?}");
            let tried = ann.post(VALIDATE, with(&[(pointer, value)])).await.expect(200);
            assert_eq!((&tried["valid"], &tried["errors"]), (&json!(false), &refused["detail"]));
        }
        let deep = "[".repeat(5_000_000);
        for body in ["{\"schema_version\": ", "hello", "", "\u{0}", "{\"a\": \"\\ud800\"}", deep.as_str()] {
            for path in [IMPORT, VALIDATE] {
                let refused = ann.post_raw(path, "application/json", body).await;
                let shown: String = body.chars().take(20).collect();
                // Reading on is possible after some faults of the text, so trying may list them; importing never may.
                let is_told = refused.status == 400 || (path == VALIDATE && refused["valid"] == false);
                assert!(is_told, "{path} {shown}: {}", refused.text);
            }
        }
        let large = format!("{}{}", small(), " ".repeat(5 << 20));
        let refused = ann.post_raw(IMPORT, "application/json", large.clone()).await.expect(400);
        assert!(refused["detail"].is_string());
        let (media, body) = form(&large, &[]);
        ann.post_raw(IMPORT, &media, body).await.expect(400);
        ann.post_raw(IMPORT, "multipart/form-data; boundary=cut", "--cut--\r\n").await.expect(400);
        ann.post_raw(IMPORT, "text/plain", "{}").await.expect(415);
        for (key, value) in [
            ("replace", json!("perhaps")),
            ("expected_program_id", json!("no-uuid")),
            ("lag_calendar", json!("lunar")),
        ] {
            let refused = ann.post(IMPORT, with(&[(&format!("/{key}"), value)])).await.expect(400);
            assert!(refused[key].is_array(), "{}", refused.text);
        }
        app.run_jobs().await;
        assert!(tasks(&ann).await.is_empty());
        assert_eq!(ann.get("/api/v1/calendars/").await["count"], 0);
        let programs = app.app.db.count(planwright_store::sql!("SELECT COUNT(*) FROM programs")).await.unwrap();
        assert_eq!(programs, 0);
    }

    async fn trying_a_document_tells_what_it_claims_and_writes_nothing(app: &TestApp) {
        let ann = app.person("ann").await;
        let tried = ann.post(VALIDATE, small()).await.expect(200);
        assert_eq!(tried.json, json!({
            "valid": true, "errors": [], "schema_version": "2.0", "program_slug": "orchard",
            "program_name": "Orchard", "project_count": 2, "task_count": 7, "resource_count": 2, "replaces": null,
        }));
        let (answer, _) = import(app, &ann, small()).await;
        let tried = ann.post(VALIDATE, small()).await.expect(200);
        assert_eq!(tried["replaces"], json!({"program_id": answer["program_id"], "name": "Orchard",
            "code": "orchard", "project_count": 2, "task_count": 7}));
        let twin = ann.post("/api/v1/programs/", json!({"name": "Twin", "code": "orchard"})).await.expect(201);
        let tried = ann.post(VALIDATE, small()).await.expect(200);
        let codes: Vec<&Value> = tried["conflicts"].as_array().unwrap().iter().map(|one| &one["program_id"]).collect();
        assert_eq!(codes, [&answer["program_id"], &twin["id"]], "the import would refuse to choose");
        let tried = ann.post(VALIDATE, with(&[("/expected_program_id", twin["id"].clone())])).await.expect(200);
        assert_eq!((&tried["replaces"]["name"], &tried["conflicts"]), (&json!("Twin"), &Value::Null));
        let (media, body) = form("{}", &[]);
        let tried = ann.post_raw(VALIDATE, &media, body).await.expect(200);
        assert_eq!((&tried["valid"], &tried["program_slug"]), (&json!(false), &Value::Null));
        let nobody = app.person("bo").await;
        assert_eq!(nobody.post(VALIDATE, small()).await.expect(200)["replaces"], Value::Null);
        app.anonymous().post(VALIDATE, small()).await.expect(401);
    }

    async fn a_program_of_the_same_code_is_replaced_only_when_its_owner_says_so(app: &TestApp, "SVC_THROTTLE_SEED_IMPORT_RATE" = "1000/min") {
        let (ann, bo) = (app.person("ann").await, app.person("bo").await);
        let (first, _) = import(app, &ann, small()).await;
        let refused = ann.post(IMPORT, small()).await.expect(409);
        assert_eq!(refused["code"], "seed_replace_required");
        assert_eq!(refused["conflict"], json!({"program_id": first["program_id"], "name": "Orchard",
            "code": "orchard", "project_count": 2, "task_count": 7}));
        let other = json!("018f0000-0000-7000-8000-000000000000");
        let wrong = with(&[("/replace", json!(true)), ("/expected_program_id", other.clone())]);
        let refused = ann.post(IMPORT, wrong).await.expect(409);
        assert_eq!(refused["code"], "seed_replace_mismatch");
        assert_eq!(refused["conflict"]["program_id"], first["program_id"]);

        let (own, _) = import(app, &bo, with(&[("/replace", json!(true))])).await;
        assert_eq!(own["replaced_program_id"], Value::Null, "somebody else's program never stands in the way");
        bo.get(&export_path(&first)).await.expect(404);

        let right = with(&[("/replace", json!(true)), ("/expected_program_id", first["program_id"].clone())]);
        let (second, job) = import(app, &ann, right).await;
        assert_eq!(second["replaced_program_id"], first["program_id"]);
        assert_eq!((&job["replace"], &job["replaced_program_id"]), (&json!(true), &first["program_id"]));
        ann.get(&export_path(&first)).await.expect(404);
        assert_eq!(tasks(&ann).await.len(), 7, "the projects of the old program are in the trash");
        let trashed: Vec<(Option<uuid::Uuid>, uuid::Uuid)> = app.app.db.all(planwright_store::sql!("SELECT program_id, deletion_id FROM projects WHERE deletion_id IS NOT NULL"))
            .await.unwrap();
        assert_eq!(trashed.len(), 2);
        assert!(trashed.iter().all(|(program, _)| program.is_none()), "they come back as projects of their own");
        assert_ne!(trashed[0].1, trashed[1].1, "and one by one");
        let gone = with(&[("/program/slug", json!("other")), ("/replace", json!(true)), ("/expected_program_id", other)]);
        let refused = ann.post(IMPORT, gone).await.expect(409);
        assert_eq!((&refused["code"], &refused["conflict"]), (&json!("seed_replace_mismatch"), &Value::Null));
    }

    async fn what_was_replaced_comes_back_as_a_project_of_its_own(app: &TestApp) {
        let ann = app.person("ann").await;
        import(app, &ann, small()).await;
        let (before, _) = dated(&ann).await;
        let (second, _) = import(app, &ann, with(&[("/replace", json!(true))])).await;
        let trash = ann.get("/api/v1/projects/trash/").await.expect(200);
        let market = trash.json.as_array().unwrap().iter().find(|row| row["name"] == "Market").unwrap();
        assert_eq!((trash.json.as_array().unwrap().len(), &market["can_restore"]), (2, &json!(true)));
        let restored = ann.post(&format!("/api/v1/projects/{}/restore/", text(&market["id"])), json!({})).await.expect(200);
        assert_eq!(restored["program"], Value::Null);
        let (_, own) = dated(&ann).await;
        assert_eq!(own.iter().filter(|task| task["name"] == "Stall").count(), 2);
        assert_eq!((before.len(), own.len()), (7, 8));
        ann.post(&format!("/api/v1/projects/{}/restore/", text(&market["id"])), json!({})).await.expect(404);
        ann.get(&export_path(&second)).await.expect(200);
        ann.get(&format!("/api/v1/projects/{}/export/", text(&market["id"]))).await.expect(200);
    }

    async fn an_import_whose_program_is_gone_fails_and_running_it_again_does_no_harm(app: &TestApp) {
        let ann = app.person("ann").await;
        let first = ann.post(IMPORT, small()).await.expect(202);
        let second = ann.post(IMPORT, with(&[("/replace", json!(true))])).await.expect(202);
        assert_eq!(second["replaced_program_id"], first["program_id"]);
        app.run_jobs().await;
        assert_eq!(follow(&ann, &second).await["status"], "success");
        assert_eq!(tasks(&ann).await.len(), 7);
        let status: Option<String> = app.app.db.scalar(planwright_store::sql!(
            "SELECT status FROM seed_imports WHERE id = :id",
            id = text(&first["import_request_id"]).parse::<uuid::Uuid>().unwrap())).await.unwrap();
        assert_eq!(status.as_deref(), Some("failed"));
        let mut tx = app.app.db.begin().await.unwrap();
        let again = planwright_jobs::NewJob::new("build_seed_import", &json!({"import": second["import_request_id"]}));
        planwright_jobs::queue::enqueue(&mut tx, again.unwrap()).await.unwrap();
        tx.commit().await.unwrap();
        app.run_jobs().await;
        assert_eq!(tasks(&ann).await.len(), 7);
    }

    async fn an_import_that_cannot_be_built_leaves_an_empty_program_and_says_so(app: &TestApp) {
        let ann = app.person("ann").await;
        let answer = ann.post(IMPORT, small()).await.expect(202);
        let mut tx = app.app.db.begin().await.unwrap();
        // A key that only the last row of the document violates: everything before it has been written by then.
        let once = "CREATE UNIQUE INDEX uq_task_relations_one ON task_relations (relation_type)";
        tx.run(planwright_store::sql!(once)).await.unwrap();
        let two = with(&[("/projects/1/tasks/0/links", json!([{"target": "plant:1", "link_type": "blocks"}]))]);
        let statement = "UPDATE seed_imports SET document = :two";
        tx.run(planwright_store::sql!(statement, two = two.to_string())).await.unwrap();
        tx.commit().await.unwrap();
        import_fails(app, &ann, &answer).await;
        assert!(tasks(&ann).await.is_empty());
        assert_eq!(ann.get("/api/v1/calendars/").await["count"], 0);
        let program = ann.get(&format!("/api/v1/programs/{}/", text(&answer["program_id"]))).await.expect(200);
        assert_eq!((&program["project_count"], &program["code"]), (&json!(0), &json!("orchard")));
    }

    async fn an_export_reads_back_as_the_same_bytes_and_the_same_dates(app: &TestApp, "SVC_THROTTLE_SEED_IMPORT_RATE" = "1000/min") {
        let ann = app.person("ann").await;
        let (answer, _) = import(app, &ann, small()).await;
        let (first, dates) = exported(&ann, &answer).await;
        let document: Value = serde_json::from_str(&first).unwrap();
        assert_eq!(document["projects"][0]["lag_calendar"], "elapsed");
        assert_eq!(document["projects"][0]["tasks"][1]["assignee"], "bo", "accounts come back");
        assert_eq!(document["projects"][0]["board_columns"], json!(["To do", "Done"]));
        assert_eq!(document["events"][0]["target"], "plant:1.1");
        assert_eq!(document["projects"][0]["tasks"][2]["links"][0]["target"], "market:1");
        assert_eq!(document["projects"][0]["risks"][1]["title"], "Hail");
        assert_eq!(document["projects"][1]["dependencies"][0]["predecessor"], "plant:2");
        let modes = |row: &Value| (row["governance_class"].clone(), row["delivery_mode"].clone());
        let modes: Vec<_> = document["projects"][0]["tasks"].as_array().unwrap().iter().map(modes).collect();
        let unsaid = (Value::Null, Value::Null);
        let milestone = (Value::Null, json!("milestone"));
        assert_eq!(modes[..3], [unsaid.clone(), unsaid.clone(), unsaid], "what is usual is left out");
        assert_eq!(modes[3], milestone);
        for person in [&ann, &app.person("cora").await] {
            let again = imported_bytes(app, person, &first).await;
            let (second, moved) = exported(person, &again).await;
            assert_eq!(first, second);
            assert_eq!(dates, moved);
        }
        let calendars = ann.get("/api/v1/calendars/").await.expect(200);
        assert_eq!(calendars["count"], 1, "an equal calendar is used again");
        assert_eq!(calendars.results()[0]["exceptions"].as_array().unwrap().len(), 1);
    }

    async fn a_calendar_of_the_same_name_is_left_alone_when_it_differs(app: &TestApp) {
        let admin = app.admin().await;
        admin.post("/api/v1/calendars/", json!({"name": "Site", "working_days": 31})).await.expect(201);
        import(app, &admin, small()).await;
        let calendars = admin.get("/api/v1/calendars/").await.expect(200);
        let names: Vec<_> = calendars.results().iter().map(|row| text(&row["name"])).collect();
        assert_eq!(names, ["Site", "Site (2)"]);
        assert_eq!(calendars.results()[0]["exceptions"], json!([]));
    }

    async fn one_project_is_exported_in_a_program_of_its_own(app: &TestApp) {
        let ann = app.person("ann").await;
        import(app, &ann, small()).await;
        let project = named(&ann, "Stall").await["project"].clone();
        let answer = ann.get(&format!("/api/v1/projects/{}/export/", text(&project))).await.expect(200);
        assert_eq!(answer.header("content-disposition"), "attachment; filename=\"market.json\"");
        assert_eq!(answer["projects"].as_array().unwrap().len(), 1);
        assert_eq!(answer["projects"][0]["dependencies"], Value::Null, "the other end is not in it");
        assert_eq!(answer["accounts"], Value::Null);
        ann.post(VALIDATE, answer.json).await.expect(200);
    }

    async fn only_who_runs_the_program_sees_its_imports_and_exports(app: &TestApp) {
        let (ann, bo) = (app.person("ann").await, app.person("bo").await);
        let (answer, job) = import(app, &ann, small()).await;
        let program = text(&answer["program_id"]);
        for path in [export_path(&answer), format!("/api/v1/programs/{program}/import/jobs/{}/", job.id())] {
            ann.get(&path).await.expect(200);
            bo.get(&path).await.expect(404);
            app.anonymous().get(&path).await.expect(401);
        }
        ann.get(&format!("/api/v1/programs/{program}/import/jobs/{program}/")).await.expect(404);
        ann.get(&format!("/api/v1/programs/{program}/import/jobs/x/")).await.expect(404);
    }

    async fn a_failed_or_finished_import_is_forgotten_after_a_week(app: &TestApp) {
        let mut ann = app.person("ann").await;
        let (answer, _) = import(app, &ann, small()).await;
        app.later(chrono::Duration::days(8));
        app.run_jobs().await;
        ann.sign_in_again().await;
        let (program, job) = (text(&answer["program_id"]), text(&answer["import_request_id"]));
        ann.get(&format!("/api/v1/programs/{program}/import/jobs/{job}/")).await.expect(404);
        ann.get(&export_path(&answer)).await.expect(200);
    }

    async fn the_seventh_import_within_a_minute_is_throttled(app: &TestApp) {
        let ann = app.person("ann").await;
        for _ in 0..6 {
            ann.post(IMPORT, json!({})).await.expect(400);
        }
        ann.post(IMPORT, json!({})).await.expect(429);
    }
}

/// Runs the job of an import that cannot end well.
async fn import_fails(app: &TestApp, person: &Person<'_>, answer: &Answer) {
    app.run_jobs().await;
    let job = follow(person, answer).await;
    assert_eq!((&job["status"], &job["result_summary"]), (&json!("failed"), &json!({})), "{}", job.text);
    assert!(text(&job["error_detail"]).contains("Nothing was written"), "{}", job.text);
    assert!(job["completed_at"].is_string());
}

/// The names and the rows of every task that the person sees.
async fn dated(person: &Person<'_>) -> (Vec<String>, Vec<Value>) {
    let tasks = tasks(person).await;
    (tasks.iter().map(|task| text(&task["name"]).to_owned()).collect(), tasks)
}

/// The text of an export, and the dates of every task by project and path.
pub(crate) async fn exported(person: &Person<'_>, answer: &Answer) -> (String, Vec<String>) {
    let export = person.get(&export_path(answer)).await.expect(200);
    assert!(export.header("content-disposition").starts_with("attachment; filename="));
    let of_import: Vec<Value> = tasks(person)
        .await
        .into_iter()
        .filter(|task| task["source_id"] == answer["import_request_id"])
        .collect();
    let mut dates: Vec<String> = of_import
        .iter()
        .map(|task| {
            let keys = [
                "wbs_path",
                "name",
                "early_start",
                "early_finish",
                "late_start",
                "late_finish",
                "total_float",
                "free_float",
                "is_critical",
                "percent_complete",
            ];
            keys.map(|key| task[key].to_string()).join(" ")
        })
        .collect();
    dates.sort();
    (export.text, dates)
}

/// Imports a text, replacing what is in the way.
pub(crate) async fn imported_bytes(app: &TestApp, person: &Person<'_>, document: &str) -> Answer {
    let (media, body) = form(document, &[("replace", "true")]);
    let answer = person.post_raw(IMPORT, &media, body).await.expect(202);
    app.run_jobs().await;
    let job = follow(person, &answer).await;
    assert_eq!(job["status"], "success", "{}", job.text);
    answer
}
