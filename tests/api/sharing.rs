//! Public links: who makes them, what they show to somebody without an account, and when they stop.

use chrono::{Duration, NaiveDate};
use http::{HeaderMap, HeaderValue, Method};
use planwright_testkit::{Answer, TestApp, both_engines};
use serde_json::{Value, json};

use crate::site::{Site, listed, text};

/// Reads a picture as nobody, with what the reader has already.
async fn read(app: &TestApp, path: &str, known: Option<&str>) -> Answer {
    let mut headers = HeaderMap::new();
    if let Some(tag) = known {
        headers.insert("if-none-match", HeaderValue::from_str(tag).unwrap());
    }
    app.send(Method::GET, path, headers, Vec::new()).await
}

/// Reads a page as nobody whose browser asks for a language, with what the reader has already.
async fn read_in(app: &TestApp, language: &str, path: &str, known: Option<&str>) -> Answer {
    let mut headers = HeaderMap::new();
    headers.insert("accept-language", HeaderValue::from_str(language).unwrap());
    if let Some(tag) = known {
        headers.insert("if-none-match", HeaderValue::from_str(tag).unwrap());
    }
    app.send(Method::GET, path, headers, Vec::new()).await
}

/// A project that may be shared, with two tasks and a milestone that follow one another.
async fn shared_site(app: &TestApp) -> Site<'_> {
    let site = Site::new(app).await;
    site.settle(json!({"public_sharing": true})).await;
    let (dig, pour) = (site.task("Dig <b>deep</b>", 2).await, site.task("Pour", 3).await);
    let handover = site.create(json!({"name": "Handover", "duration": 0, "is_milestone": true})).await.id();
    for (from, to) in [(&dig, &pour), (&pour, &handover)] {
        site.owner
            .post("/api/v1/dependencies/", json!({"predecessor": from, "successor": to}))
            .await
            .expect(201);
    }
    let taken = json!({"status": "IN_PROGRESS", "assignee": site.owner.id});
    site.owner.patch(&format!("/api/v1/tasks/{dig}/"), taken).await.expect(200);
    site
}

async fn link(site: &Site<'_>, body: Value) -> (String, String) {
    let made = site.owner.post(&site.at("share-links/"), body).await.expect(201);
    (made.id(), text(&made["token"]).to_owned())
}

both_engines! {
    async fn a_board_is_seen_by_anybody_who_has_its_link_until_it_is_revoked(app: &TestApp) {
        let site = shared_site(app).await;
        let (manager, member) = (site.person("pia", 300).await, site.person("mara", 100).await);
        let all = site.at("share-links/");
        member.get(&all).await.expect(403);
        member.post(&all, json!({})).await.expect(403);
        let made = manager.post(&all, json!({"label": "For the town", "content_kind": "board"})).await.expect(201);
        let token = text(&made["token"]).to_owned();
        assert_eq!(text(&made["share_path"]), format!("/share/board/{token}"));
        assert_eq!((text(&made["created_by"]), made["is_active"].clone()), ("pia", json!(true)));
        assert!(token.starts_with(text(&made["token_prefix"])) && text(&made["token_prefix"]).len() == 12);
        let path = format!("/api/v1/share/board/{token}/");
        let board = read(app, &path, None).await.expect(200);
        let labels: Vec<&str> = board["columns"].as_array().unwrap().iter().map(|one| text(&one["label"])).collect();
        assert_eq!(labels, ["To Do", "In Progress", "Review", "Done"]);
        let card = &board["columns"][1]["cards"][0];
        assert_eq!((text(&card["name"]), &card["assignee"]), ("Dig <b>deep</b>", &Value::Null));
        assert!(!board.text.contains(&site.project) && !board.text.contains(&site.owner.id.to_string()), "no id leaves");
        assert_eq!(board.headers["cache-control"], "private, max-age=30");
        let tag = board.headers["etag"].to_str().unwrap().to_owned();
        assert!(tag.starts_with("W/"));
        read(app, &path, Some(&tag)).await.expect(304);
        let rows = listed(&manager.get(&all).await.expect(200));
        assert_eq!((rows.len(), &rows[0]["access_count"]), (1, &json!(1)), "what the reader had already does not count");
        assert!(rows[0].get("token").is_none());
        let revoke = format!("{all}{}/revoke/", made.id());
        member.post(&revoke, json!({})).await.expect(403);
        let first = manager.post(&revoke, json!({})).await.expect(200);
        let again = manager.post(&revoke, json!({})).await.expect(200);
        assert_eq!((&first["revoked_at"], &first["is_active"]), (&again["revoked_at"], &json!(false)));
        read(app, &path, Some(&tag)).await.expect(410);
        assert!(listed(&manager.get(&all).await.expect(200)).is_empty());
    }

    async fn a_schedule_names_people_and_milestone_dates_only_where_its_link_says_so(app: &TestApp) {
        let site = shared_site(app).await;
        let (_, quiet) = link(&site, json!({"content_kind": "schedule", "show_milestone_dates": false})).await;
        let (_, open) = link(&site, json!({"content_kind": "schedule", "show_assignees": true})).await;
        let quiet = read(app, &format!("/api/v1/share/schedule/{quiet}/"), None).await.expect(200);
        let open = read(app, &format!("/api/v1/share/schedule/{open}/"), None).await.expect(200);
        assert_eq!((&quiet["tasks"][0]["assignee"], &open["tasks"][0]["assignee"]), (&Value::Null, &json!("ona")));
        assert_eq!(quiet["tasks"][2]["early_finish"], Value::Null);
        assert!(open["tasks"][2]["early_finish"].is_string() && quiet["tasks"][0]["early_finish"].is_string());
        let links = open["dependencies"].as_array().unwrap();
        assert_eq!((links.len(), &links[0]["predecessor_short_id"]), (2, &open["tasks"][0]["short_id"]));
        assert_eq!(open["truncated"], false);
    }

    async fn every_switch_is_asked_at_every_read(app: &TestApp) {
        let mut site = shared_site(app).await;
        let (_, token) = link(&site, json!({})).await;
        let path = format!("/api/v1/share/board/{token}/");
        read(app, &path, None).await.expect(200);
        read(app, &format!("/api/v1/share/schedule/{token}/"), None).await.expect(404);
        read(app, "/api/v1/share/board/unknown/", None).await.expect(404);
        site.settle(json!({"public_sharing": false})).await;
        read(app, &path, None).await.expect(410);
        site.owner.post(&site.at("share-links/"), json!({})).await.expect(403);
        site.settle(json!({"public_sharing": true})).await;
        read(app, &path, None).await.expect(200);
        let ends_at = (app.clock.now() + Duration::hours(1)).to_rfc3339();
        let (_, short) = link(&site, json!({"expires_at": ends_at})).await;
        let wrong = site.owner.post(&site.at("share-links/"), json!({"expires_at": "2020-01-01T00:00:00Z"})).await;
        assert!(wrong.expect(400)["expires_at"].is_array());
        app.later(Duration::minutes(61));
        read(app, &format!("/api/v1/share/board/{short}/"), None).await.expect(410);
        site.owner.sign_in_again().await;
        site.owner.delete(&site.at("")).await.expect(204);
        read(app, &path, None).await.expect(410);
    }

    async fn the_pages_of_links_show_the_same_without_a_script_and_without_markup_of_users(app: &TestApp) {
        let site = shared_site(app).await;
        let (_, board) = link(&site, json!({})).await;
        let (id, schedule) = link(&site, json!({"content_kind": "schedule"})).await;
        let page = read(app, &format!("/share/board/{board}"), None).await.expect(200);
        assert!(page.text.contains("Dig &lt;b&gt;deep&lt;/b&gt;") && !page.text.contains("<script"));
        assert!(page.headers["content-security-policy"].to_str().unwrap().starts_with("default-src 'none'"));
        assert_eq!(page.headers["referrer-policy"], "no-referrer");
        let page = read(app, &format!("/share/schedule/{schedule}"), None).await.expect(200);
        assert!(page.text.contains("<svg") && page.text.contains("Handover"));
        site.owner.post(&site.at(&format!("share-links/{id}/revoke/")), json!({})).await.expect(200);
        read(app, &format!("/share/schedule/{schedule}"), None).await.expect(410);
        read(app, "/share/schedule/unknown", None).await.expect(404);
    }

    async fn each_reader_of_a_schedule_gets_it_in_their_language_also_when_another_has_just_read_it(app: &TestApp) {
        let site = shared_site(app).await;
        let (_, token) = link(&site, json!({"content_kind": "schedule", "show_assignees": true})).await;
        let picture = read(app, &format!("/api/v1/share/schedule/{token}/"), None).await.expect(200);
        let start: NaiveDate = text(&picture["tasks"][0]["early_start"]).parse().unwrap();
        let path = format!("/share/schedule/{token}");
        let readers = [
            ("de-AT,de;q=0.9,en;q=0.8", "de", ["Aufgabe", "In Arbeit", "Terminplan"], "%d.%m.%Y"),
            ("it, en;q=0.5", "en", ["Task", "In progress", "Schedule"], "%-d %b %Y"),
            ("fr", "fr", ["Tâche", "En cours", "Planning"], "%d/%m/%Y"),
            ("en;q=0.1, es-MX", "es", ["Tarea", "En curso", "Cronograma"], "%d/%m/%Y"),
        ];
        for (asked, code, [head, status, label], form) in readers.into_iter().chain(readers) {
            let page = read_in(app, asked, &path, None).await.expect(200);
            let day = start.format(form);
            let parts = [
                format!("<html lang=\"{code}\">"),
                format!("<th>{head}</th>"),
                format!("<td>{status}</td>"),
                format!("<td>{day}</td>"),
                format!("aria-label=\"{label}\""),
            ];
            for part in parts {
                assert!(page.text.contains(&part), "{part}: {}", page.text);
            }
            assert_eq!(page.header("content-language"), code);
            assert!(page.headers.get_all("vary").iter().any(|names| names == "accept-language"));
        }
    }

    async fn a_reader_who_has_a_page_in_one_language_has_it_in_no_other(app: &TestApp) {
        let site = shared_site(app).await;
        let (_, token) = link(&site, json!({})).await;
        let path = format!("/share/board/{token}");
        let english = read_in(app, "en", &path, None).await.expect(200);
        let german = read_in(app, "de", &path, None).await.expect(200);
        assert!(english.text.contains("<h2>In Progress <small>") && german.text.contains("<h2>In Arbeit <small>"));
        let (english, german) = (english.header("etag"), german.header("etag"));
        assert_ne!(english, german);
        for (language, own, other) in [("en", english, german), ("de", german, english)] {
            let known = read_in(app, language, &path, Some(own)).await.expect(304);
            assert_eq!((known.header("content-language"), known.text.as_str()), (language, ""));
            let page = read_in(app, language, &path, Some(other)).await.expect(200);
            assert_eq!(page.header("etag"), own);
            assert!(page.text.contains(&format!("<html lang=\"{language}\">")));
        }
        let unknown = read_in(app, "fr", "/share/board/unknown", None).await.expect(404);
        assert!(unknown.text.contains("<h1>Projet partagé</h1>"), "{}", unknown.text);
    }

    async fn an_installation_without_public_links_knows_none(app: &TestApp, "SVC_PUBLIC_BOARD_SHARING_ENABLED" = "false") {
        let site = Site::new(app).await;
        site.settle(json!({"public_sharing": true})).await;
        site.owner.post(&site.at("share-links/"), json!({})).await.expect(403);
        read(app, "/api/v1/share/board/unknown/", None).await.expect(404);
    }

    async fn a_board_with_more_cards_than_are_shown_says_so(app: &TestApp, "SVC_SHARE_BOARD_MAX_CARDS" = "2") {
        let site = shared_site(app).await;
        let (_, token) = link(&site, json!({})).await;
        let board = read(app, &format!("/api/v1/share/board/{token}/"), None).await.expect(200);
        let cards: usize = board["columns"].as_array().unwrap().iter().map(|one| one["cards"].as_array().unwrap().len()).sum();
        assert_eq!((cards, &board["truncated"]), (2, &json!(true)));
    }
}
