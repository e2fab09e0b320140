//! Links that people put on tasks.

use planwright_testkit::both_engines;
use serde_json::json;

use crate::site::Site;

both_engines! {
    async fn a_link_is_put_on_a_task_changed_found_and_taken_off(app: &TestApp) {
        let site = Site::new(app).await;
        let (mara, vera) = (site.person("mara", 100).await, site.person("vera", 1).await);
        let task = site.task("Dig", 1).await;
        let all = site.at(&format!("tasks/{task}/links/"));
        site.hush().await;
        vera.post(&all, json!({"url": "https://example.org/"})).await.expect(403);
        let sent = json!({"url": "https://github.com/a/b/pull/7", "labels": ["code", "code", "pump"], "display_order": 2});
        let first = mara.post(&all, sent).await.expect(201);
        assert_eq!((&first["provider"], &first["status"], &first["title"]), (&json!("github"), &json!("unknown"), &json!("")));
        assert_eq!(first["labels"], json!(["code", "pump"]));
        assert_eq!(app.told("task_link_created").await.len(), 1);
        let second = mara.post(&all, json!({"url": "https://docs.google.com/document/d/1"})).await.expect(201);
        assert_eq!((&second["provider"], &second["preview_type"]), (&json!("google_drive"), &json!("document")));
        let list = vera.get(&all).await.expect(200);
        assert_eq!((&list.json[0]["id"], &list.json[1]["id"]), (&second["id"], &first["id"]), "in their order");
        let found = vera.get(&format!("{all}?search=GITHUB")).await.expect(200);
        assert_eq!((found.json.as_array().map(Vec::len), &found.json[0]["id"]), (Some(1), &first["id"]));
        let one = format!("{all}{}/", first.id());
        vera.patch(&one, json!({"display_order": 1})).await.expect(403);
        let changed = mara.patch(&one, json!({"url": "https://example.org/plan.pdf", "custom_title": "Plan"})).await.expect(200);
        assert_eq!((&changed["provider"], &changed["preview_type"], &changed["custom_title"]), (&json!("generic"), &json!("pdf"), &json!("Plan")));
        assert_eq!(changed["display_order"], json!(2));
        app.person("nobody").await.get(&one).await.expect(404);
        let elsewhere = app.project(&site.owner, "Tunnel").await;
        site.owner.get(&format!("/api/v1/projects/{elsewhere}/tasks/{task}/links/{}/", first.id())).await.expect(404);
        mara.delete(&one).await.expect(204);
        mara.get(&one).await.expect(404);
        assert_eq!(mara.get(&all).await.expect(200).json.as_array().map(Vec::len), Some(1));
    }

    async fn an_address_that_a_browser_would_run_is_refused(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("Dig", 1).await;
        let all = site.at(&format!("tasks/{task}/links/"));
        for url in ["javascript:alert(1)", "data:text/html,<b>", "ftp://example.org/", "plan", "https://ona:secret@example.org/"] {
            let refused = site.owner.post(&all, json!({ "url": url })).await.expect(400);
            assert!(refused["url"].is_array(), "{url}");
        }
        let many: Vec<String> = (0..13).map(|at| format!("label {at}")).collect();
        let refused = site.owner.post(&all, json!({"url": "https://example.org/", "labels": many})).await.expect(400);
        assert!(refused["labels"].is_array());
        let one = site.owner.post(&all, json!({"url": "example.org/plan"})).await.expect(201);
        assert_eq!(one["url"], "https://example.org/plan");
        let refused = site.owner.patch(&format!("{all}{}/", one.id()), json!({"url": "javascript:alert(1)"})).await.expect(400);
        assert!(refused["url"].is_array());
    }

    async fn a_link_is_hidden_while_its_task_is_in_the_trash(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("Dig", 1).await;
        let all = site.at(&format!("tasks/{task}/links/"));
        let link = site.owner.post(&all, json!({"url": "https://example.org/"})).await.expect(201).id();
        let one = format!("{all}{link}/");
        site.owner.delete(&format!("/api/v1/tasks/{task}/")).await.expect(204);
        site.owner.get(&one).await.expect(404);
        site.owner.patch(&one, json!({"custom_title": "Plan"})).await.expect(404);
        site.owner.get(&all).await.expect(404);
    }

    async fn a_task_has_at_most_fifty_links(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("Dig", 1).await;
        let all = site.at(&format!("tasks/{task}/links/"));
        for at in 1..=50 {
            site.owner.post(&all, json!({"url": format!("https://example.org/{at}")})).await.expect(201);
        }
        site.owner.post(&all, json!({"url": "https://example.org/51"})).await.expect(400);
    }
}
