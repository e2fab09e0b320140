//! Feeds of what people put beside tasks: their order, their filters, and who sees what.

use planwright_domain::Role;
use planwright_testkit::both_engines;
use serde_json::{Value, json};

use crate::site::Site;

/// The titles of a page of a feed.
fn titles(page: &Value) -> Vec<&str> {
    let rows = page["results"].as_array().map(Vec::as_slice).unwrap_or_default();
    rows.iter().filter_map(|row| row["title"].as_str()).collect()
}

both_engines! {
    async fn a_feed_is_walked_newest_first_and_shows_where_each_link_is(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("Dig", 1).await;
        let links = site.at(&format!("tasks/{task}/links/"));
        for title in ["one", "two", "three"] {
            site.owner.post(&links, json!({"url": "https://github.com/a/b", "custom_title": title})).await.expect(201);
            app.later(chrono::Duration::seconds(1));
        }
        let feed = site.at("assets/");
        let first = site.owner.get(&format!("{feed}?page_size=2")).await.expect(200);
        assert_eq!(titles(&first.json), ["three", "two"]);
        let row = &first["results"][0];
        assert_eq!((&row["kind"], &row["provider"], &row["download_url"]), (&json!("link"), &json!("github"), &Value::Null));
        assert_eq!(row["task"], json!({"id": task, "name": "Dig"}));
        assert_eq!(row["project"], json!({"id": site.project, "name": "Bridge"}));
        assert_eq!((&row["program"], &row["added_by"]["id"]), (&Value::Null, &json!(site.owner.id)));
        let cursor = first["next_cursor"].as_str().expect("there is another page");
        let last = site.owner.get(&format!("{feed}?page_size=2&cursor={cursor}")).await.expect(200);
        assert_eq!((titles(&last.json), &last["next_cursor"]), (vec!["one"], &Value::Null));
        site.owner.delete(&format!("/api/v1/tasks/{task}/")).await.expect(204);
        assert!(titles(&site.owner.get(&feed).await.expect(200).json).is_empty(), "its task is in the trash");
    }

    async fn the_filters_of_a_feed_leave_what_they_name(app: &TestApp) {
        let site = Site::new(app).await;
        let (dig, pour) = (site.task("Dig", 1).await, site.task("Pour", 1).await);
        site.change(&pour, json!({"assignee": site.owner.id})).await;
        let put = async |task: &str, body: Value| {
            site.owner.post(&site.at(&format!("tasks/{task}/links/")), body).await.expect(201);
            app.later(chrono::Duration::seconds(1));
        };
        put(&dig, json!({"url": "https://github.com/a/b", "custom_title": "Code", "labels": ["plan"]})).await;
        put(&pour, json!({"url": "https://example.org/", "custom_title": "Map", "labels": ["plan b", "a \"plan\" c"]})).await;
        let asked = async |query: &str| {
            let page = site.owner.get(&format!("/api/v1/assets/?{query}")).await.expect(200).json;
            titles(&page).join(" ")
        };
        assert_eq!(asked("").await, "Map Code");
        assert_eq!(asked("label=plan").await, "Code", "a label is a whole label");
        assert_eq!(asked("provider=generic").await, "Map");
        assert_eq!(asked("q=GITHUB").await, "Code");
        assert_eq!(asked("mine=true").await, "Map");
        assert_eq!(asked("kind=link").await, "Map Code");
        assert_eq!(asked("kind=file").await, "");
        assert_eq!(asked(&format!("program={}", uuid::Uuid::nil())).await, "");
        for (field, query) in [("kind", "kind=page"), ("provider", "provider=me"), ("page_size", "page_size=101"),
            ("page_size", "page_size=0"), ("program", "program=7"), ("cursor", "cursor=x")] {
            let refused = site.owner.get(&format!("/api/v1/assets/?{query}")).await.expect(400);
            assert!(refused[field].is_array(), "{query}: {}", refused.text);
        }
    }

    async fn nobody_sees_links_of_projects_that_they_cannot_open(app: &TestApp) {
        let site = Site::new(app).await;
        let vera = app.person("vera").await;
        let program = site.owner.post("/api/v1/programs/", json!({"name": "Harbour"})).await.expect(201).id();
        let mut projects = Vec::new();
        for name in ["Open", "Closed"] {
            let request = json!({"name": name, "start_date": "2026-01-05", "program": program});
            let project = site.owner.post("/api/v1/projects/", request).await.expect(201).id();
            let task = site.owner.post("/api/v1/tasks/", json!({"project": project, "name": name})).await.expect(201).id();
            let link = json!({"url": "https://example.org/", "custom_title": name});
            site.owner.post(&format!("/api/v1/projects/{project}/tasks/{task}/links/"), link).await.expect(201);
            app.later(chrono::Duration::seconds(1));
            projects.push(project);
        }
        let [open, closed] = [0, 1].map(|at| format!("/api/v1/projects/{}/", projects[at]));
        site.owner.let_in(&open, &vera, Role::Viewer).await;
        let of_program = format!("/api/v1/programs/{program}/assets/");
        let everything = site.owner.get(&of_program).await.expect(200);
        assert_eq!(titles(&everything.json), ["Closed", "Open"]);
        assert_eq!(everything["results"][0]["program"], json!({"id": program, "name": "Harbour"}));
        assert_eq!(titles(&vera.get("/api/v1/assets/").await.expect(200).json), ["Open"]);
        assert_eq!(titles(&vera.get(&format!("{open}assets/")).await.expect(200).json), ["Open"]);
        vera.get(&format!("{closed}assets/")).await.expect(404);
        vera.get(&of_program).await.expect(404);
        site.owner.let_in(&format!("/api/v1/programs/{program}/"), &vera, Role::Viewer).await;
        assert_eq!(titles(&vera.get(&of_program).await.expect(200).json), ["Open"], "the program opens no project");
    }
}
