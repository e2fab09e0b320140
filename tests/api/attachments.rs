//! Links that people put on tasks.

use planwright_store::sql;
use planwright_testkit::{TestApp, both_engines};
use serde_json::json;

use crate::receiver::{Mood, Receiver};
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

    async fn links_are_listed_in_the_order_that_is_asked_for(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("Dig", 1).await;
        let all = site.at(&format!("tasks/{task}/links/"));
        let mut made = Vec::new();
        for order in [3, 1, 2] {
            let link = json!({"url": "https://example.org/", "display_order": order});
            made.push(site.owner.post(&all, link).await.expect(201).id());
        }
        let listed = async |ordering: &str| {
            let list = site.owner.get(&format!("{all}?ordering={ordering}")).await.expect(200);
            let rows = list.json.as_array().cloned().unwrap_or_default();
            rows.iter().map(|row| row["display_order"].as_i64().unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(listed("").await, [1, 2, 3]);
        assert_eq!(listed("-display_order").await, [3, 2, 1]);
        assert_eq!(listed("title,-display_order").await, [3, 2, 1], "all titles are blank");
        let refused = site.owner.get(&format!("{all}?ordering=url")).await.expect(400);
        assert!(refused["ordering"].is_array());
    }

    async fn a_refresh_reads_the_title_and_the_state_of_the_page(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let site = Site::new(app).await;
        let (mara, vera) = (site.person("mara", 100).await, site.person("vera", 1).await);
        let receiver = Receiver::that(Mood::Shows(PAGE)).await;
        let task = site.task("Dig", 1).await;
        let all = site.at(&format!("tasks/{task}/links/"));
        let link = mara.post(&all, json!({"url": receiver.url()})).await.expect(201).id();
        let refresh = format!("{all}{link}/refresh/");
        vera.post(&refresh, json!({})).await.expect(403);
        app.person("nobody").await.post(&refresh, json!({})).await.expect(404);
        assert_eq!(receiver.received().len(), 0, "nothing is called for people who may not ask");
        site.hush().await;
        let shown = mara.post(&refresh, json!({})).await.expect(200);
        assert_eq!((&shown["title"], &shown["status"]), (&json!("Pump & pipe"), &json!("unknown")));
        assert_eq!((&shown["description"], shown["fetched_at"].is_string()), (&json!(""), true));
        assert_eq!(app.told("task_link_updated").await.len(), 1);
        assert_eq!(receiver.received()[0].path, "/hook?team=7");
        is_of(app, &link.to_string(), "github").await;
        let shown = mara.post(&refresh, json!({})).await.expect(200);
        assert_eq!(shown["status"], "merged");
    }

    async fn a_page_that_cannot_be_read_has_an_unknown_state_and_keeps_its_title(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let site = Site::new(app).await;
        let receiver = Receiver::that(Mood::Shows(PAGE)).await;
        let task = site.task("Dig", 1).await;
        let all = site.at(&format!("tasks/{task}/links/"));
        let link = site.owner.post(&all, json!({"url": receiver.url()})).await.expect(201).id();
        is_of(app, &link.to_string(), "github").await;
        let refresh = format!("{all}{link}/refresh/");
        let first = site.owner.post(&refresh, json!({})).await.expect(200);
        for mood in [Mood::Answers(500), Mood::ClosesEarly, Mood::Resets] {
            receiver.becomes(mood);
            let shown = site.owner.post(&refresh, json!({})).await.expect(200);
            assert_eq!((&shown["title"], &shown["status"]), (&first["title"], &json!("unknown")));
            assert_eq!(shown["fetched_at"], first["fetched_at"]);
        }
    }

    async fn a_page_is_read_in_its_encoding_and_one_without_a_title_was_read_too(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let site = Site::new(app).await;
        let receiver = Receiver::that(Mood::Sends("text/html", b"<p>nothing</p>")).await;
        let task = site.task("Dig", 1).await;
        let all = site.at(&format!("tasks/{task}/links/"));
        let link = site.owner.post(&all, json!({"url": receiver.url()})).await.expect(201);
        assert!(link["fetched_at"].is_null());
        let refresh = format!("{all}{}/refresh/", link.id());
        let shown = site.owner.post(&refresh, json!({})).await.expect(200);
        assert_eq!((&shown["title"], shown["fetched_at"].is_string()), (&json!(""), true), "{}", shown.text);
        assert!(site.owner.get(&format!("{all}{}/", link.id())).await.expect(200)["fetched_at"].is_string());
        for (media_type, page, title) in [
            ("text/html; charset=ISO-8859-1", b"<title>Br\xfccke</title>".as_slice(), "Brücke"),
            ("text/html", b"<meta charset='windows-1251'><title>\xcf\xeb\xe0\xed</title>", "План"),
            ("text/html;charset=\"utf-8\"", b"<meta charset='windows-1251'><title>\xc3\xbc</title>", "ü"),
            ("text/html", b"<title>\xff\xfe broken</title>", "\u{fffd}\u{fffd} broken"),
        ] {
            receiver.becomes(Mood::Sends(media_type, page));
            assert_eq!(site.owner.post(&refresh, json!({})).await.expect(200)["title"], title, "{media_type}");
        }
    }

    async fn an_address_without_a_host_is_refused(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("Dig", 1).await;
        let (links, files) = (site.at(&format!("tasks/{task}/links/")), site.at(&format!("tasks/{task}/attachments/")));
        for address in ["http:///x", "https:///example.org/", "http://", "http://?x", "http:\\\\x"] {
            assert!(site.owner.post(&links, json!({"url": address})).await.expect(400)["url"].is_array(), "{address}");
            let refused = site.owner.post(&files, json!({"external_url": address})).await.expect(400);
            assert!(refused["external_url"].is_array(), "{address}");
        }
    }

    async fn a_page_for_known_people_only_asks_for_a_credential(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let site = Site::new(app).await;
        let receiver = Receiver::that(Mood::Answers(404)).await;
        let task = site.task("Dig", 1).await;
        let all = site.at(&format!("tasks/{task}/links/"));
        let link = site.owner.post(&all, json!({"url": receiver.url()})).await.expect(201).id();
        let refresh = format!("{all}{link}/refresh/");
        assert_eq!(site.owner.post(&refresh, json!({})).await.expect(200)["status"], "unknown");
        is_of(app, &link.to_string(), "google_drive").await;
        for mood in [Mood::Answers(404), Mood::Answers(401), Mood::Redirects("http://127.0.0.1:9/".into())] {
            receiver.becomes(mood);
            let refused = site.owner.post(&refresh, json!({})).await.expect(422);
            assert_eq!((&refused["code"], &refused["provider"]), (&json!("credential_required"), &json!("google_drive")));
            assert_eq!(refused["requires_credential"], true);
        }
    }

    async fn a_refresh_calls_no_private_address(app: &TestApp) {
        let site = Site::new(app).await;
        let receiver = Receiver::that(Mood::Shows(PAGE)).await;
        let task = site.task("Dig", 1).await;
        let all = site.at(&format!("tasks/{task}/links/"));
        for url in [receiver.url(), receiver.url_by_name(), "http://169.254.169.254/latest/".to_owned()] {
            let link = site.owner.post(&all, json!({ "url": url })).await.expect(201).id();
            let refused = site.owner.post(&format!("{all}{link}/refresh/"), json!({})).await.expect(400);
            assert!(refused["url"].is_array(), "{url}");
        }
        assert_eq!(receiver.received().len(), 0);
    }
}

/// A page as GitHub shows a change that was merged.
const PAGE: &str = "<html><head><title>Pump &amp;\n pipe</title></head>\
    <body><span title=\"Status: Merged\" class=\"State\">Merged</span></body></html>";

/// Says that a link is to a page of this provider, which no address of this machine is.
async fn is_of(app: &TestApp, link: &str, provider: &'static str) {
    let link = planwright_domain::ids::TaskLinkId(link.parse().expect("ids are UUIDs"));
    let update = "UPDATE task_links SET provider = :provider WHERE id = :link";
    let update = sql!(update, provider = provider, link = link);
    app.write(update).await;
}
