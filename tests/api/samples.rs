//! The bundled samples: listed, downloaded, loaded, and loaded again.

use planwright_testkit::both_engines;
use serde_json::json;

use crate::import::{tasks, text};

both_engines! {
    async fn a_sample_is_listed_downloaded_and_loaded_again_in_place_of_its_copy(app: &TestApp) {
        let ann = app.person("ann").await;
        let listed = ann.get("/api/v1/programs/samples/").await.expect(200);
        let sample = &listed.json[0];
        assert_eq!((&sample["key"], &sample["available"]), (&json!("software-launch"), &json!(true)));
        assert_eq!((&sample["project_count"], &sample["task_count"]), (&json!(1), &json!(54)));
        let file = ann.get(text(&sample["download_url"])).await.expect(200);
        assert_eq!(file.text.len() as i64, sample["size_bytes"].as_i64().unwrap());
        assert_eq!(file.header("content-disposition"), "attachment; filename=\"software-launch.json\"");
        let tag = file.header("etag").to_owned();
        assert_eq!(tag, format!("\"{}\"", text(&sample["sha256"])));
        let kept = ann.with_header("if-none-match", &tag).get(text(&sample["download_url"])).await.expect(304);
        assert_eq!((kept.text.as_str(), kept.header("etag")), ("", tag.as_str()));
        ann.get("/api/v1/programs/samples/atlas/download/").await.expect(404);

        let load = "/api/v1/programs/load-sample/";
        let first = ann.post(load, json!({"sample": "software-launch"})).await.expect(201);
        assert_eq!((&first["sample_key"], &first["program"]["is_sample"]), (&json!("software-launch"), &json!(true)));
        assert_eq!((&first["program"]["code"], &first["program"]["my_role"]), (&json!("software-launch"), &json!(400)));
        let landing = ann.get(&format!("/api/v1/projects/{}/", text(&first["landing_project_id"]))).await.expect(200);
        assert_eq!(landing["name"], "Notes app 2");
        assert_eq!(tasks(&ann).await.len(), 54);
        let second = ann.post(load, json!({})).await.expect(201);
        assert_ne!(first["program"]["id"], second["program"]["id"]);
        assert_eq!(tasks(&ann).await.len(), 54, "the earlier copy is gone");
        assert_eq!(ann.get("/api/v1/projects/trash/").await.json, json!([]), "and for good");
        let own = json!({"name": "Mine", "start_date": "2026-01-05", "program": second["program"]["id"]});
        ann.post("/api/v1/projects/", own).await.expect(201);
        let third = ann.post(load, json!({})).await.expect(201);
        ann.get(&format!("/api/v1/programs/{}/", text(&second["program"]["id"]))).await.expect(200);
        assert_ne!(third["program"]["id"], second["program"]["id"]);
        let refused = ann.post(load, json!({"sample": "atlas"})).await.expect(400);
        assert!(refused["sample"].is_array());
    }

    async fn every_sample_is_loaded_scheduled_and_removed(app: &TestApp) {
        let ann = app.person("ann").await;
        let listed = ann.get("/api/v1/programs/samples/").await.expect(200);
        let keys: Vec<&str> = listed.json.as_array().unwrap().iter().map(|row| text(&row["key"])).collect();
        assert_eq!(keys, ["software-launch", "mobile-app", "riverside-library", "crm-replacement"]);
        for row in listed.json.as_array().unwrap() {
            let loaded = ann.post("/api/v1/programs/load-sample/", json!({"sample": row["key"]})).await.expect(201);
            app.run_jobs().await;
            let program = text(&loaded["program"]["id"]);
            let projects = ann.get("/api/v1/projects/").await.expect(200);
            assert_eq!(json!(projects.results().len()), row["project_count"]);
            for project in projects.results() {
                let id = text(&project["id"]);
                let problems = ann.get(&format!("/api/v1/tasks/?project={id}&page_size=500")).await.expect(200);
                let unscheduled = |task: &&serde_json::Value| !task["schedule_issue"].is_null() && task["schedule_issue"] != "";
                assert_eq!(problems.results().iter().filter(unscheduled).count(), 0, "{}", row["key"]);
            }
            ann.post(&format!("/api/v1/programs/{program}/remove-sample/"), json!({})).await.expect(204);
            app.later(chrono::Duration::minutes(1));
        }
        assert!(tasks(&ann).await.is_empty());
    }
}
