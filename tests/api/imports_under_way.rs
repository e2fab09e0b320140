//! Imports, archives and applications of templates while a job works on them: what others see of them meanwhile, how far they
//! have come, and what stays of one that was cancelled.

use std::time::Duration as Wait;

use planwright_store::sql;
use planwright_testkit::{Answer, Person, TestApp, both_engines};
use serde_json::{Value, json};

use crate::import::text;
use crate::site::Site;

const IMPORT: &str = "/api/v1/programs/import/";

/// Two projects with many tasks, one behind the other, and links between the projects.
fn large() -> Value {
    let task =
        |at: usize| json!({"wbs_path": (at + 1).to_string(), "name": format!("Step {at}"), "duration": 1});
    let link = |at: usize| json!({"predecessor": at.to_string(), "successor": (at + 1).to_string(), "dep_type": "FS"});
    let project = |slug: &str| {
        json!({
            "slug": slug, "name": slug, "methodology": "WATERFALL", "start_date": "2026-01-05",
            "tasks": (0..800).map(task).collect::<Vec<_>>(),
            "dependencies": (1..800).map(link).collect::<Vec<_>>(),
        })
    };
    let mut second = project("second");
    let crossing = json!({"predecessor": "first:800", "successor": "1", "dep_type": "FS"});
    second["dependencies"].as_array_mut().unwrap().push(crossing);
    json!({
        "schema_version": "2.1",
        "program": {"slug": "large", "name": "Large", "methodology": "WATERFALL"},
        "calendars": [{"slug": "mine", "name": "Mine", "working_days": 31}],
        "resources": [{"slug": "crew", "name": "Crew", "calendar": "mine", "skills": [{"skill": "Deep pits", "proficiency": 3}]}],
        "projects": [project("first"), second],
    })
}

/// Everything that a person can find of the large plan: projects, tasks, links, resources, calendars and skills.
async fn found(person: &Person<'_>) -> [i64; 6] {
    let mut counts = [0; 6];
    let lists = ["projects/", "tasks/", "dependencies/", "resources/", "calendars/", "skills/"];
    for (count, list) in counts.iter_mut().zip(lists) {
        let page = person.get(&format!("/api/v1/{list}?page_size=1")).await.expect(200);
        *count = page["count"].as_i64().unwrap();
    }
    counts
}

fn job_path(queued: &Value) -> String {
    let (program, job) = (text(&queued["program_id"]), text(&queued["import_request_id"]));
    format!("/api/v1/programs/{program}/import/jobs/{job}/")
}

async fn rows_that_live(app: &TestApp, table: &str) -> i64 {
    app.app.db.count(sql!(format!("SELECT COUNT(*) FROM {table} WHERE deletion_id IS NULL"))).await.unwrap()
}

both_engines! {
    async fn an_import_shows_nothing_before_it_is_complete_and_others_write_meanwhile(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("Elsewhere", 3).await;
        let ann = app.person("ann").await;
        let before = found(&ann).await;
        let queued = ann.post(IMPORT, large()).await.expect(202);
        let path = job_path(&queued.json);
        assert_eq!(ann.get(&path).await.expect(200)["progress"], Value::Null);
        let mut phases: Vec<String> = Vec::new();
        let watch = async {
            for write in 0.. {
                let name = json!({"name": format!("Elsewhere {write}")});
                site.owner.patch(&format!("/api/v1/tasks/{task}/"), name).await.expect(200);
                let seen = found(&ann).await;
                let job = ann.get(&path).await.expect(200);
                match text(&job["status"]) {
                    "success" => break,
                    status => assert!(matches!(status, "pending" | "running"), "{}", job.text),
                }
                assert_eq!(seen, before, "{}", job.text);
                let phase = text(&job["progress"]["phase"]).to_owned();
                if phases.last() != Some(&phase) {
                    phases.push(phase);
                }
                assert!(job["started_at"].is_string() || job["progress"].is_null());
            }
        };
        tokio::join!(app.run_jobs(), watch);
        assert!(phases.len() > 2, "{phases:?}");
        assert_eq!(found(&ann).await, [before[0] + 2, 1600, 1599, before[3] + 1, before[4] + 1, before[5] + 1]);
        let last = ann.get("/api/v1/tasks/?ordering=-early_finish&page_size=1").await.expect(200);
        assert_eq!(text(&last.results()[0]["early_finish"]), "2032-02-20");
        let history = ann.get(&format!("/api/v1/programs/{}/", text(&queued["program_id"]))).await.expect(200);
        assert_eq!(text(&history["code"]), "large");
    }

    async fn an_import_that_is_cancelled_leaves_an_empty_program(app: &TestApp, "SVC_THROTTLE_SEED_IMPORT_RATE" = "1000/min") {
        let ann = app.person("ann").await;
        for waits_for in ["", "tasks", "links", "dates"] {
            let before = found(&ann).await;
            let live = [rows_that_live(app, "tasks").await, rows_that_live(app, "dependencies").await];
            let queued = ann.post(IMPORT, large_again(waits_for)).await.expect(202);
            let path = job_path(&queued.json);
            let cancel = async {
                loop {
                    let job = ann.get(&path).await.expect(200);
                    let has_come = waits_for.is_empty() || text(&job["progress"]["phase"]) == waits_for;
                    if has_come || text(&job["status"]) == "success" {
                        break ann.post(&format!("{path}cancel/"), json!({})).await;
                    }
                    tokio::time::sleep(Wait::from_millis(1)).await;
                }
            };
            let answer = match waits_for.is_empty() {
                true => {
                    let answer = cancel.await;
                    app.run_jobs().await;
                    answer
                }
                false => tokio::join!(app.run_jobs(), cancel).1,
            };
            if answer.status == 409 {
                // The machine was faster than the one who cancels.
                continue;
            }
            assert_eq!(text(&answer.expect(200)["status"]), "failed");
            let job = ann.get(&path).await.expect(200);
            assert_eq!(text(&job["error_detail"]), "It was cancelled. Nothing was written.");
            assert!(job["cancelled_at"].is_string() && job["completed_at"].is_string());
            assert_eq!(found(&ann).await, before, "{waits_for}");
            assert_eq!([rows_that_live(app, "tasks").await, rows_that_live(app, "dependencies").await], live);
            let again = ann.post(&format!("{path}cancel/"), json!({})).await.expect(409);
            assert_eq!(text(&again["code"]), "already_ended");
        }
        let otto = app.person("otto").await;
        let before = found(&ann).await;
        let queued = ann.post(IMPORT, large_again("last")).await.expect(202);
        otto.post(&format!("{}cancel/", job_path(&queued.json)), json!({})).await.expect(404);
        app.run_jobs().await;
        assert_eq!(found(&ann).await[1], before[1] + 1600);
    }

    async fn a_skill_that_somebody_adds_during_an_import_is_that_of_the_import_too(app: &TestApp) {
        let (ann, admin) = (app.person("ann").await, app.admin().await);
        let queued = ann.post(IMPORT, large()).await.expect(202);
        let path = job_path(&queued.json);
        let add = async {
            loop {
                let job = ann.get(&path).await.expect(200);
                if text(&job["progress"]["phase"]) == "tasks" || text(&job["status"]) == "success" {
                    break admin.post("/api/v1/skills/", json!({"name": "deep  PITS"})).await;
                }
                tokio::time::sleep(Wait::from_millis(1)).await;
            }
        };
        let ((), added) = tokio::join!(app.run_jobs(), add);
        let skills = ann.get("/api/v1/skills/").await.expect(200);
        assert_eq!(skills.results().len(), 1, "{}", skills.text);
        if added.status == 201 {
            assert_eq!(text(&skills.results()[0]["id"]), added.id());
        }
        let owned: i64 = app.app.db.count(sql!(
            "SELECT COUNT(*) FROM resource_skills o JOIN skills s ON s.id = o.skill_id WHERE s.deletion_id IS NULL"
        )).await.unwrap();
        assert_eq!(owned, 1);
    }

    async fn a_file_is_cancelled_while_its_rows_are_written(app: &TestApp) {
        let site = Site::new(app).await;
        site.task("Dig", 3).await;
        let rows: String = (0..4_000).map(|at| format!("{at},Step {at},1,{}\n", at.max(1) - 1)).collect();
        let body = format!(
            "--e\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\n\
             ID,Name,Duration,Predecessors\n{rows}\r\n--e--\r\n"
        );
        let queued = site.owner.post_raw(&site.at("import/csv/"), "multipart/form-data; boundary=e", body).await.expect(202);
        let import = site.at(&format!("import/csv/{}/", text(&queued["import_request_id"])));
        let cancel = site.at(&format!("imports/{}/cancel/", text(&queued["import_request_id"])));
        let answer = tokio::join!(app.run_jobs(), cancelled_while_written(&site.owner, &import, &cancel)).1;
        assert_eq!(text(&answer.expect(200)["status"]), "dead");
        let import = site.owner.get(&import).await.expect(200);
        assert!(text(&import["status"]) == "dead" && import["cancelled_at"].is_string(), "{}", import.text);
        assert_eq!(site.tasks().await.len(), 1);
        app.run_jobs().await;
        assert_eq!(site.tasks().await.len(), 1);
        site.task("Pour", 1).await;
    }

    async fn a_template_is_cancelled_while_its_rows_are_written(app: &TestApp) {
        let site = Site::new(app).await;
        let rows: String = (1..=1_500).map(|at| format!("{at},Step {at},1,{}\n", at - 1)).collect();
        let body = format!(
            "--e\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\n\
             ID,Name,Duration,Predecessors\n{rows}\r\n--e--\r\n"
        );
        site.owner.post_raw(&site.at("import/csv/"), "multipart/form-data; boundary=e", body).await.expect(202);
        app.run_jobs().await;
        let template = json!({"project": site.project, "name": "Long"});
        let template = site.owner.post("/api/v1/project-templates/publish/", template).await.expect(201);
        let other = app.project(&site.owner, "Other").await.to_string();
        site.owner.post("/api/v1/tasks/", json!({"project": other, "name": "Dig", "duration": 2})).await.expect(201);
        app.run_jobs().await;
        let stands = async || {
            let mut counts = Vec::new();
            for table in ["tasks", "dependencies", "task_schedule", "history", "live_events"] {
                let count = app.app.db.count(sql!(format!("SELECT COUNT(*) FROM {table}"))).await.unwrap();
                counts.push((table, count));
            }
            counts
        };
        let before = stands().await;
        let project = format!("/api/v1/projects/{other}/");
        let finish = site.owner.get(&project).await.expect(200)["computed_finish"].clone();

        let path = format!("/api/v1/project-templates/{}/apply/", template.id());
        let queued = site.owner.post(&path, json!({"project": other})).await.expect(202);
        let application = format!("/api/v1/template-applications/{}/", text(&queued["application"]));
        let cancel = format!("{application}cancel/");
        let answer = tokio::join!(app.run_jobs(), cancelled_while_written(&site.owner, &application, &cancel)).1;
        assert_eq!(text(&answer.expect(200)["status"]), "failed");
        app.run_jobs().await;
        let shown = site.owner.get(&application).await.expect(200);
        assert!(text(&shown["status"]) == "failed" && shown["cancelled_at"].is_string(), "{}", shown.text);
        assert_eq!(shown["result_summary"], json!({}));
        assert_eq!(stands().await, before);
        assert_eq!(site.owner.get(&project).await.expect(200)["computed_finish"], finish);
        site.owner.post(&format!("{application}undo/"), json!({})).await.expect(400);
        let queued = site.owner.post(&path, json!({"project": other})).await.expect(202);
        app.run_jobs().await;
        let again = site.owner.get(&format!("/api/v1/template-applications/{}/", text(&queued["application"]))).await.expect(200);
        // The first row names a predecessor that is not there, so a branch was made that holds it.
        assert_eq!(again["result_summary"]["tasks_created"], 1_501, "{}", again.text);
    }

    async fn a_file_an_archive_and_a_template_are_cancelled_while_they_wait(app: &TestApp) {
        let site = Site::new(app).await;
        site.task("Dig", 3).await;
        let body = "--e\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\nName\nPour\n\r\n--e--\r\n";
        let queued = site.owner.post_raw(&site.at("import/csv/"), "multipart/form-data; boundary=e", body).await.expect(202);
        let import = site.at(&format!("imports/{}/cancel/", text(&queued["import_request_id"])));
        let member = site.person("mara", 1).await;
        member.post(&import, json!({})).await.expect(403);
        let cancelled = site.owner.post(&import, json!({})).await.expect(200);
        assert_eq!((text(&cancelled["status"]), cancelled["started_at"].is_null()), ("dead", true));
        site.owner.post(&import, json!({})).await.expect(409);
        let archive = site.owner.post(&site.at("export/"), json!({})).await.expect(202);
        let archive = site.at(&format!("export/jobs/{}/", archive.id()));
        assert_eq!(text(&site.owner.post(&format!("{archive}cancel/"), json!({})).await.expect(200)["status"]), "failed");
        let template = json!({"project": site.project, "name": "Bridge"});
        let template = site.owner.post("/api/v1/project-templates/publish/", template).await.expect(201);
        let path = format!("/api/v1/project-templates/{}/apply/", template.id());
        let queued = site.owner.post(&path, json!({"project": site.project})).await.expect(202);
        let application = format!("/api/v1/template-applications/{}/", text(&queued["application"]));
        let cancelled = site.owner.post(&format!("{application}cancel/"), json!({})).await.expect(200);
        assert!(text(&cancelled["status"]) == "failed" && cancelled["cancelled_at"].is_string());
        app.run_jobs().await;
        assert_eq!(site.tasks().await.len(), 1);
        site.owner.get(&format!("{archive}download/")).await.expect(409);
    }

    async fn boards_hear_of_an_import_once(app: &TestApp) {
        let site = Site::new(app).await;
        app.run_jobs().await;
        let table = "ID,Name,Predecessors,Resource\n1,Dig,,Crew\n2,Pour,1,Crew\n3,Cure,2,\n";
        let body = format!("--e\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\n{table}\r\n--e--\r\n");
        site.owner.post_raw(&site.at("import/csv/"), "multipart/form-data; boundary=e", body).await.expect(202);
        let heard = sql!("SELECT name FROM live_events ORDER BY seq");
        let before: Vec<String> = app.app.db.scalars(heard.clone()).await.unwrap();
        app.run_jobs().await;
        let after: Vec<String> = app.app.db.scalars(heard).await.unwrap();
        let heard = &after[before.len()..];
        assert!(heard.iter().filter(|name| *name == "tasks_bulk_mutated").count() == 1, "{heard:?}");
        let single = |name: &&String| name.starts_with("dependency_") || name.starts_with("assignment_");
        assert_eq!(heard.iter().find(single), None, "{heard:?}");
    }
}

/// Cancels an import once its rows are being written.
async fn cancelled_while_written(owner: &Person<'_>, import: &str, cancel: &str) -> Answer {
    loop {
        let row = owner.get(import).await.expect(200);
        if text(&row["progress"]["phase"]) == "tasks" {
            tokio::time::sleep(Wait::from_millis(100)).await;
            return owner.post(cancel, json!({})).await;
        }
        tokio::time::sleep(Wait::from_millis(1)).await;
    }
}

/// The large plan under another code.
fn large_again(code: &str) -> Value {
    let mut document = large();
    document["program"]["slug"] = json!(format!("large-{code}x"));
    document
}
