//! Archives of projects and programs: asked for, written by a job, fetched until they expire. And samples that go.

use std::io::Read;

use chrono::Duration;
use planwright_domain::Role;
use planwright_testkit::both_engines;
use serde_json::json;

use crate::file_imports::form;
use crate::site::{Site, text};

/// The files of a packed archive, by their names.
fn unpacked(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(bytes));
    let entries = archive.entries().unwrap();
    let file = |entry: std::io::Result<tar::Entry<'_, flate2::read::GzDecoder<&[u8]>>>| {
        let mut entry = entry.unwrap();
        let (name, mut content) = (entry.path().unwrap().to_string_lossy().into_owned(), Vec::new());
        entry.read_to_end(&mut content).unwrap();
        (name, content)
    };
    entries.map(file).collect()
}

both_engines! {
    async fn an_archive_is_written_by_a_job_and_fetched_until_it_expires(app: &TestApp) {
        let site = Site::new(app).await;
        site.task("Dig", 3).await;
        let job = site.owner.post(&site.at("export/"), json!({})).await.expect(202);
        assert_eq!((text(&job["status"]), text(&job["project"]), job["download_url"].is_null()), ("pending", site.project.as_str(), true));
        let one = site.at(&format!("export/jobs/{}/", job.id()));
        site.owner.get(&format!("{one}download/")).await.expect(409);
        app.run_jobs().await;
        let done = site.owner.get(&one).await.expect(200);
        assert_eq!(text(&done["status"]), "success", "{}", done.text);
        assert!(done["file_size"].as_i64().unwrap() > 200);
        assert_eq!(text(&done["download_url"]), format!("{one}download/"));
        let file = site.owner.get(&format!("{one}download/")).await.expect(200);
        assert_eq!(file.header("content-type"), "application/gzip");
        assert!(file.header("content-disposition").ends_with(".tar.gz\""));
        assert_eq!(site.owner.get(&site.at("export/jobs/")).await.expect(200).results().len(), 1);
        let manager = site.person("pia", 300).await;
        assert!(manager.get(&one).await.expect(200)["download_url"].is_null());
        // The archive holds what only its requester may read.
        manager.get(&format!("{one}download/")).await.expect(404);
        let member = site.person("mara", 100).await;
        member.get(&one).await.expect(403);
        member.post(&site.at("export/"), json!({})).await.expect(403);
        app.person("otto").await.get(&one).await.expect(404);
        app.later(Duration::days(8));
        let mut owner = app.known(site.owner.id, "owner");
        owner.sign_in_again().await;
        owner.get(&format!("{one}download/")).await.expect(410);
        app.run_jobs().await;
        owner.get(&format!("{one}download/")).await.expect(410);
    }

    async fn an_archive_has_the_files_the_addresses_and_the_history_of_a_project(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("Dig", 3).await;
        let files = site.at(&format!("tasks/{task}/attachments/"));
        let content = "%PDF-1.4 the ground\n".repeat(20_000);
        let (media_type, body) = form("ground.pdf", &content, &[]);
        site.owner.post_raw(&files, &media_type, body).await.expect(201);
        site.owner.post(&files, json!({"external_url": "https://example.com/map", "external_title": "A map"})).await.expect(201);
        site.change(&task, json!({"name": "Dig deep", "blocked_reason": "the secret", "status": "ON_HOLD"})).await;
        let job = site.owner.post(&site.at("export/"), json!({})).await.expect(202);
        app.run_jobs().await;
        let one = site.at(&format!("export/jobs/{}/", job.id()));
        let download = format!("{one}download/");
        let packed = site.owner.get(&download).await.expect(200);
        let files = unpacked(&packed.bytes);
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        let of = |end: &str| {
            let found = files.iter().find(|(name, _)| name.ends_with(end));
            String::from_utf8(found.unwrap_or_else(|| panic!("{end} is in {names:?}")).1.clone()).unwrap()
        };
        assert_eq!(of("ground.pdf"), content);
        assert!(of("files.csv").contains("https://example.com/map") && of("files.csv").contains("-ground.pdf"));
        assert!(of("plan.xml").contains("Dig deep") && of("plan.xer").contains("Dig deep"));
        let history = of("history.jsonl");
        assert!(history.lines().count() >= 3 && history.contains("Dig deep") && !history.contains("the secret"), "{history}");
        assert!(history.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
        let again = site.owner.post(&site.at("export/"), json!({})).await.expect(202);
        app.run_jobs().await;
        let again = site.at(&format!("export/jobs/{}/download/", again.id()));
        assert_eq!(site.owner.get(&again).await.expect(200).bytes, packed.bytes, "the same content gives the same bytes");
        // The sweep of files that belong to nobody leaves archives alone until they expire.
        app.later(Duration::days(2));
        app.run_jobs().await;
        let mut owner = app.known(site.owner.id, "owner");
        owner.sign_in_again().await;
        owner.get(&download).await.expect(200);
    }

    async fn a_program_goes_into_one_archive(app: &TestApp) {
        let site = Site::new(app).await;
        let program = site.owner.post("/api/v1/programs/", json!({"name": "Mills"})).await.expect(201).id();
        site.owner.patch(&site.at(""), json!({"program": program})).await.expect(200);
        site.task("Dig", 3).await;
        let all = format!("/api/v1/programs/{program}/export/");
        let job = site.owner.post(&all, json!({})).await.expect(202);
        app.run_jobs().await;
        let one = format!("{all}jobs/{}/", job.id());
        assert_eq!(text(&site.owner.get(&one).await.expect(200)["status"]), "success");
        site.owner.get(&format!("{one}download/")).await.expect(200);
        // An archive of a program is none of its projects.
        site.owner.get(&site.at(&format!("export/jobs/{}/", job.id()))).await.expect(404);
    }

    async fn an_archive_is_not_given_to_somebody_who_lost_a_project_of_it(app: &TestApp) {
        let site = Site::new(app).await;
        let program = site.owner.post("/api/v1/programs/", json!({"name": "Mills"})).await.expect(201).id();
        site.owner.patch(&site.at(""), json!({"program": program, "visibility": "PRIVATE"})).await.expect(200);
        site.task("Dig", 3).await;
        let at = format!("/api/v1/programs/{program}/");
        let pia = app.person("pia").await;
        site.owner.let_in(&at, &pia, Role::ProjectManager).await;
        let membership = site.owner.let_in(&site.at(""), &pia, Role::ProjectManager).await;
        let job = pia.post(&format!("{at}export/"), json!({})).await.expect(202).id();
        app.run_jobs().await;
        let download = format!("{at}export/jobs/{job}/download/");
        pia.get(&download).await.expect(200);
        site.owner.delete(&site.at(&format!("members/{membership}/"))).await.expect(204);
        pia.get(&site.at("")).await.expect(404);
        pia.get(&download).await.expect(410);
        // A new one holds what she may read now.
        let job = pia.post(&format!("{at}export/"), json!({})).await.expect(202).id();
        app.run_jobs().await;
        pia.get(&format!("{at}export/jobs/{job}/download/")).await.expect(200);
    }

    async fn a_sample_is_removed_unless_it_holds_anything_else(app: &TestApp) {
        let site = Site::new(app).await;
        let program = site.owner.post("/api/v1/programs/load-sample/", json!({})).await.expect(201)["program"]["id"].clone();
        let remove = format!("/api/v1/programs/{}/remove-sample/", text(&program));
        let outsider = app.person("otto").await;
        outsider.post(&remove, json!({})).await.expect(404);
        site.owner.patch(&site.at(""), json!({"program": program})).await.expect(200);
        let refused = site.owner.post(&remove, json!({})).await.expect(409);
        assert_eq!(text(&refused["code"]), "not_a_sample");
        site.owner.patch(&site.at(""), json!({"program": null})).await.expect(200);
        site.owner.lenient().post(&remove, json!({"name": "whole object"})).await.expect(204);
        site.owner.post(&remove, json!({})).await.expect(404);
    }
}
