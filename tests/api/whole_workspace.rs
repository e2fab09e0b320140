//! What concerns the workspace as a whole: its logo, its export, and its end.

use chrono::Duration;
use planwright_domain::Role;
use planwright_testkit::{Answer, Person, both_engines};
use serde_json::json;

use crate::site::{Site, listed, text};

const LOGO: &str = "/api/v1/workspace/logo/";
const EXPORT: &str = "/api/v1/workspace/export/";
const PNG: &[u8] = b"\x89PNG\r\n\x1a\nthe rest of a picture";

/// Sends a file as a logo.
pub(crate) async fn send_logo(person: &Person<'_>, content: &[u8]) -> Answer {
    let head = b"--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"logo.png\"\r\nContent-Type: image/png\r\n\r\n";
    let body = [&head[..], content, b"\r\n--edge--\r\n"].concat();
    person.post_raw(LOGO, "multipart/form-data; boundary=edge", body).await
}

both_engines! {
    async fn a_logo_is_a_picture_that_everybody_sees(app: &TestApp) {
        let (admin, mara) = (app.person_ranked("boss", Role::ProjectManager).await, app.person("mara").await);
        app.anonymous().get(LOGO).await.expect(404);
        assert_eq!(send_logo(&mara, PNG).await.status, 403);
        let written = send_logo(&admin, PNG).await.expect(200);
        let url = text(&written["logo_url"]).to_owned();
        assert_eq!(text(&mara.get("/api/v1/workspace/").await.expect(200)["logo_url"]), url);
        let shown = app.anonymous().get(&url).await.expect(200);
        assert_eq!((shown.header("content-type"), shown.header("x-content-type-options")), ("image/png", "nosniff"));
        let webp = [b"RIFF\x10\0\0\0WEBPVP8 ".as_slice(), &[0; 20]].concat();
        let other = send_logo(&admin, &webp).await.expect(200);
        assert_ne!(text(&other["logo_url"]), url, "caches see another address");
        let svg = send_logo(&admin, b"<svg xmlns='http://www.w3.org/2000/svg'/>").await.expect(415);
        assert!(!svg["file"].is_null());
        let large = [PNG, &vec![0; 2 * 1024 * 1024]].concat();
        send_logo(&admin, &large).await.expect(413);
        let huge = [PNG, &vec![0; 3 * 1024 * 1024]].concat();
        send_logo(&admin, &huge).await.expect(413);
        mara.delete(LOGO).await.expect(403);
        assert!(admin.delete(LOGO).await.expect(200)["logo_url"].is_null());
        app.anonymous().get(LOGO).await.expect(404);
    }

    async fn an_export_of_the_workspace_is_cancelled(app: &TestApp) {
        let site = Site::new(app).await;
        site.task("Dig", 3).await;
        let (owner, admin) = (app.admin().await, app.person_ranked("boss", Role::ProjectManager).await);
        let one = format!("{EXPORT}{}/", owner.post(EXPORT, json!({})).await.expect(202).id());
        admin.post(&format!("{one}cancel/"), json!({})).await.expect(403);
        let cancelled = owner.post(&format!("{one}cancel/"), json!({})).await.expect(200);
        assert!(text(&cancelled["status"]) == "failed" && cancelled["cancelled_at"].is_string());
        let again = owner.post(&format!("{one}cancel/"), json!({})).await.expect(409);
        assert_eq!(text(&again["code"]), "already_ended");
        app.run_jobs().await;
        owner.get(&format!("{one}download/")).await.expect(409);
        owner.post(EXPORT, json!({})).await.expect(202);
        app.run_jobs().await;
    }

    async fn the_owner_takes_the_whole_workspace_along(app: &TestApp) {
        let site = Site::new(app).await;
        site.task("Dig", 3).await;
        let (mut owner, admin) = (app.admin().await, app.person_ranked("boss", Role::ProjectManager).await);
        admin.post(EXPORT, json!({})).await.expect(403);
        let job = owner.post(EXPORT, json!({})).await.expect(202);
        assert_eq!(owner.post(EXPORT, json!({})).await.expect(202).id(), job.id(), "one is written at a time");
        let one = format!("{EXPORT}{}/", job.id());
        owner.get(&format!("{one}download/")).await.expect(409);
        app.run_jobs().await;
        assert_eq!(text(&owner.get(&one).await.expect(200)["status"]), "success");
        let file = owner.get(&format!("{one}download/")).await.expect(200);
        assert_eq!(file.header("content-type"), "application/gzip");
        assert_eq!(listed(&owner.get(EXPORT).await.expect(200)).len(), 1);
        admin.get(&one).await.expect(403);
        let audit = owner.get("/api/v1/workspace/audit-events/?event_type=export_downloaded").await.expect(200);
        assert_eq!(audit.results().len(), 1);
        app.later(Duration::days(8));
        owner.sign_in_again().await;
        owner.get(&format!("{one}download/")).await.expect(410);
        app.run_jobs().await;
    }

    async fn the_end_of_the_workspace_needs_its_name_and_leaves_its_people(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("Dig", 3).await;
        let program = site.owner.post("/api/v1/programs/", json!({"name": "Mills"})).await.expect(201).id();
        let (owner, admin) = (app.admin().await, app.person_ranked("boss", Role::ProjectManager).await);
        admin.post("/api/v1/workspace/groups/", json!({"name": "Divers"})).await.expect(201);
        send_logo(&admin, PNG).await.expect(200);
        let path = "/api/v1/workspace/";
        owner.delete(path).await.expect(400);
        owner.with_header("x-confirm-workspace", "workspace").delete(path).await.expect(400);
        admin.with_header("x-confirm-workspace", "Workspace").delete(path).await.expect(403);
        site.owner.get(&site.at("")).await.expect(200);
        owner.with_header("x-confirm-workspace", "Workspace").delete(path).await.expect(204);
        site.owner.get(&site.at("")).await.expect(404);
        site.owner.get(&format!("/api/v1/tasks/{task}/")).await.expect(404);
        site.owner.get(&format!("/api/v1/programs/{program}/")).await.expect(404);
        assert!(listed(&site.owner.get("/api/v1/projects/trash/").await.expect(200)).is_empty());
        assert!(owner.get("/api/v1/workspace/groups/").await.expect(200).results().is_empty());
        app.anonymous().get(LOGO).await.expect(404);
        site.owner.get("/api/v1/auth/me/").await.expect(200);
        app.run_jobs().await;
    }
}
