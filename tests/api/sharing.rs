//! Public links: who makes them, what they show to somebody without an account, and when they stop.

use chrono::Duration;
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
