//! The trackers of people: Jira in the cloud and as people run it, each a real server of the test. Pages are followed to the
//! end, and what cannot be read says why.

use planwright_testkit::{Person, TestApp, both_engines};
use serde_json::{Value, json};

use crate::other_server::OtherServer;
use crate::request::Request;
use crate::site::text;

const ONE: &str = "/api/v1/me/connections/jira/";
const SYNC: &str = "/api/v1/me/connections/jira/sync/";
const ITEMS: &str = "/api/v1/me/external-items/";

fn issue(number: usize) -> Value {
    let (name, key) = match number % 3 {
        0 => ("To Do", "new"),
        1 => ("Doing", "indeterminate"),
        _ => ("Done", "done"),
    };
    json!({"key": format!("APO-{number}"), "fields": {"summary": format!("Issue {number}"),
        "status": {"name": name, "statusCategory": {"key": key}}}})
}

/// A parameter of a query, decoded.
fn parameter(request: &Request, name: &str) -> String {
    let url = url_of(request);
    url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned()).unwrap_or_default()
}

fn url_of(request: &Request) -> url::Url {
    url::Url::parse(&format!("http://x{}", request.path)).expect("it was asked by an address")
}

/// A Jira of the cloud with 45 issues, 20 on a page; it knows the account `ona@example.test` with the token `cloud`.
async fn cloud() -> OtherServer {
    OtherServer::that(|request| {
        // "ona@example.test:cloud"
        if request.header("authorization") != "Basic b25hQGV4YW1wbGUudGVzdDpjbG91ZA==" {
            return (401, json!({}));
        }
        match url_of(request).path() {
            "/rest/api/3/myself" => (200, json!({"accountId": "1"})),
            "/rest/api/3/search/jql" if parameter(request, "jql").contains("nonsense") => (400, json!({})),
            "/rest/api/3/search/jql" => {
                let start: usize = parameter(request, "nextPageToken").parse().unwrap_or(0);
                let end = (start + 20).min(45);
                let issues: Vec<Value> = (start..end).map(issue).collect();
                let mut page = json!({"issues": issues, "isLast": end == 45});
                if end < 45 {
                    page["nextPageToken"] = json!(end.to_string());
                }
                (200, page)
            }
            _ => (404, json!({})),
        }
    })
    .await
}

/// A Jira that was moved behind a portal: who asks is known, and every search is answered with a page of the portal that is no
/// list of issues; or, if it `circles`, with the same page without end.
async fn portal(circles: bool) -> OtherServer {
    OtherServer::that(move |request| match url_of(request).path() {
        "/rest/api/3/myself" => (200, json!({"accountId": "1"})),
        "/rest/api/3/search/jql" if circles => {
            let turn: usize = parameter(request, "nextPageToken").parse().unwrap_or(0);
            let issues: Vec<Value> = (0..20).map(issue).collect();
            (200, json!({"issues": issues, "nextPageToken": (turn + 1).to_string()}))
        }
        "/rest/api/3/search/jql" => (200, json!({"message": "Sign in"})),
        _ => (404, json!({})),
    })
    .await
}

/// A Jira that people run: 30 issues, never more than 25 on a page, for whoever has the token `server`.
async fn server() -> OtherServer {
    OtherServer::that(|request| {
        if request.header("authorization") != "Bearer server" {
            return (403, json!({}));
        }
        match url_of(request).path() {
            "/jira/rest/api/2/myself" => (200, json!({"name": "ona"})),
            "/jira/rest/api/2/search" => {
                let start: usize = parameter(request, "startAt").parse().unwrap_or(0);
                let issues: Vec<Value> = (start..(start + 25).min(30)).map(issue).collect();
                (200, json!({"startAt": start, "maxResults": 25, "total": 30, "issues": issues}))
            }
            _ => (404, json!({})),
        }
    })
    .await
}

async fn connected<'a>(app: &'a TestApp, jira: &OtherServer, more: Value) -> Person<'a> {
    let ona = app.person("ona").await;
    let mut wish = json!({"secret": "cloud", "base_url": jira.url(), "account_email": "ona@example.test"});
    wish.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
    ona.put(ONE, wish).await.expect(200);
    app.run_jobs().await;
    ona
}

both_engines! {
    async fn the_cloud_is_read_page_by_page_to_the_end(app: &TestApp, "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let jira = cloud().await;
        let ona = connected(app, &jira, json!({"project_keys": ["APO"], "jql": "assignee = currentUser() ORDER BY rank"})).await;
        let shown = ona.get(ONE).await.expect(200);
        assert_eq!((text(&shown["status"]), text(&shown["deployment"])), ("connected", "cloud"));
        assert!(shown["last_synced_at"].is_string() && !shown.text.contains("\"cloud\":"), "{}", shown.text);
        assert_eq!((&shown["project_keys"], text(&shown["name"])), (&json!(["APO"]), "Jira"));
        let items = ona.get(ITEMS).await.expect(200);
        assert_eq!((&items["count"], items.results().len()), (&json!(45), 45));
        let first = &items.results()[0];
        assert_eq!((text(&first["external_id"]), text(&first["title"])), ("APO-0", "Issue 0"));
        assert_eq!((text(&first["source_key"]), text(&first["display_bucket"])), ("jira", "todo"));
        assert_eq!(text(&first["external_url"]), format!("{}/browse/APO-0", jira.url()));
        assert_eq!(text(&items.results()[1]["display_bucket"]), "in_progress");
        let searches: Vec<String> = jira.asked().iter().filter(|request| request.path.contains("search"))
            .map(|request| parameter(request, "jql")).collect();
        assert_eq!(searches.len(), 3);
        assert_eq!(searches[0], "project in (\"APO\") AND (assignee = currentUser()) ORDER BY rank");
        let part = ona.get(&format!("{ITEMS}?limit=10&offset=40&search=issue")).await.expect(200);
        assert_eq!((part.results().len(), part["next"].is_null()), (5, true));
        let turned = ona.get(&format!("{ITEMS}?ordering=-external_id&limit=1")).await.expect(200);
        assert_eq!(text(&turned.results()[0]["external_id"]), "APO-9");
        ona.get(&format!("{ITEMS}?ordering=secret")).await.expect(400);
        let work = ona.get("/api/v1/me/work/").await.expect(200);
        assert_eq!(work["external_items"].as_array().unwrap().len(), 45);
        assert_eq!(work["external_sources"][0]["source"], "jira");
        assert!(app.person("otto").await.get(ITEMS).await.expect(200).results().is_empty(), "they are one's own");
        // Read again, an item keeps its id; taken away, all of it goes.
        ona.post(SYNC, json!({})).await.expect(202);
        app.run_jobs().await;
        assert_eq!(ona.get(ITEMS).await.expect(200).results()[0]["id"], first["id"]);
        ona.delete(ONE).await.expect(204);
        ona.delete(ONE).await.expect(204);
        assert_eq!(ona.get(ITEMS).await.expect(200)["count"], 0);
        assert_eq!(text(&ona.get(ONE).await.expect(200)["status"]), "not_connected");
    }

    async fn a_jira_that_people_run_is_read_by_its_own_interface(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let jira = server().await;
        let more = json!({"secret": "server", "deployment": "server", "account_email": "",
            "base_url": format!("{}/jira/", jira.url())});
        let ona = connected(app, &jira, more).await;
        assert_eq!(ona.get(ITEMS).await.expect(200)["count"], 30, "a page may be smaller than it was asked for");
        assert_eq!(text(&ona.get(ONE).await.expect(200)["deployment"]), "server");
    }

    async fn what_cannot_be_read_says_why(app: &TestApp, "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let jira = cloud().await;
        let ona = app.person("ona").await;
        let wish = |secret: &str, base: &str| json!({"secret": secret, "base_url": base, "account_email": "ona@example.test"});
        let reason = async |body: Value| {
            let refused = ona.put(ONE, body).await.expect(422);
            assert_eq!(text(&refused["code"]), "source_verification_failed", "{}", refused.text);
            text(&refused["reason"]).to_owned()
        };
        assert_eq!(reason(wish("wrong", &jira.url())).await, "invalid_token");
        assert_eq!(reason(wish("cloud", "http://127.0.0.1:9")).await, "provider_unreachable");
        assert_eq!(reason(wish("cloud", "https://192.168.1.1")).await, "blocked_host");
        assert_eq!(ona.get(ONE).await.expect(200)["exists"], false);
        let wrong = ona.put(ONE, json!({"base_url": "x", "account_email": "y", "project_keys": ["A\""]})).await.expect(400);
        assert!(wrong["secret"].is_array(), "{}", wrong.text);
        let wrong = ona.put(ONE, json!({"secret": "s", "base_url": "x", "account_email": "y", "project_keys": ["A\""]}))
            .await.expect(400);
        for field in ["base_url", "account_email", "project_keys"] {
            assert!(wrong[field].is_array(), "{field}: {}", wrong.text);
        }
        ona.put("/api/v1/me/connections/trello/", wish("cloud", &jira.url())).await.expect(404);
        ona.post(SYNC, json!({})).await.expect(404);
        let nonsense = json!({"secret": "cloud", "base_url": jira.url(), "account_email": "ona@example.test",
            "jql": "nonsense = 1"});
        ona.put(ONE, nonsense).await.expect(200);
        app.run_jobs().await;
        let shown = ona.get(ONE).await.expect(200);
        assert_eq!((text(&shown["status"]), shown["last_synced_at"].is_null()), ("invalid_filter", true));
        ona.put(ONE, wish("cloud", &jira.url())).await.expect(200);
        app.run_jobs().await;
        // A secret that does not open says nothing of the tracker.
        app.write(planwright_store::sql!("UPDATE external_connections SET sealed_secret = 'AAAA'")).await;
        ona.post(SYNC, json!({})).await.expect(202);
        app.run_jobs().await;
        assert_eq!(text(&ona.get(ONE).await.expect(200)["status"]), "connected", "the tracker was not asked");
        assert_eq!(ona.get(ITEMS).await.expect(200)["count"], 45, "what was read stays");
    }

    async fn an_answer_that_is_no_list_takes_nothing_away_and_a_circle_ends(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let (jira, moved, circle) = (cloud().await, portal(false).await, portal(true).await);
        let ona = connected(app, &jira, json!({})).await;
        let wish = |jira: &OtherServer| json!({"secret": "x", "base_url": jira.url(), "account_email": "ona@example.test"});
        app.write(planwright_store::sql!("UPDATE external_connections SET base_url = :url", url = moved.url())).await;
        ona.post(SYNC, json!({})).await.expect(202);
        app.run_jobs().await;
        assert_eq!(ona.get(ITEMS).await.expect(200)["count"], 45, "what was read stays");
        ona.put(ONE, wish(&circle)).await.expect(200);
        app.run_jobs().await;
        assert_eq!(ona.get(ITEMS).await.expect(200)["count"], 20);
        assert_eq!(circle.asked().len(), 3, "who it is, one page, and the same page again");
    }

    async fn a_pull_rests_for_a_minute_and_old_items_are_read_again(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let jira = cloud().await;
        let ona = connected(app, &jira, json!({})).await;
        assert_eq!(ona.post(SYNC, json!({})).await.expect(202).json, json!({"queued": true}));
        let cooling = ona.post(SYNC, json!({})).await.expect(429);
        assert_eq!((text(&cooling["code"]), &cooling["retry_after"]), ("sync_cooldown", &json!(60)));
        assert_eq!(cooling.header("retry-after"), "60");
        app.run_jobs().await;
        let asked = jira.asked().len();
        ona.get(ITEMS).await.expect(200);
        app.run_jobs().await;
        assert_eq!(jira.asked().len(), asked, "it was read a moment ago");
        app.later(chrono::Duration::minutes(6));
        ona.get(ITEMS).await.expect(200);
        app.run_jobs().await;
        assert_eq!(jira.asked().len(), asked + 3);
        ona.post(SYNC, json!({})).await.expect(202);
        app.run_jobs().await;
    }

    async fn what_is_connected_with_a_place_is_counted(app: &TestApp) {
        let site = crate::site::Site::new(app).await;
        let machine = crate::task_sync::machine(&site, json!({})).await;
        for number in 0..3 {
            let push = json!({"source": "jira", "external_id": format!("A-{number}"), "assignee_email": "late@example.test"});
            machine.post(&site.at("task-sync/"), push).await.expect(201);
        }
        let program = site.owner.post("/api/v1/programs/", json!({"name": "Mills"})).await.expect(201).id();
        site.owner.patch(&site.at(""), json!({"program": program})).await.expect(200);
        let viewer = site.person("vera", 1).await;
        let summary = viewer.get(&site.at("integrations-summary/")).await.expect(200);
        assert_eq!(summary["api_tokens"]["active"], 1);
        assert!(summary["api_tokens"]["last_used_at"].is_string());
        assert_eq!(summary["webhooks"], json!({"total": 0, "active": 0, "failing": 0}));
        assert_eq!(summary["git_automation"]["enabled"], false);
        assert_eq!((&summary["task_sync"][0]["tasks"], &summary["task_sync"][0]["pending_assignees"]), (&json!(3), &json!(3)));
        let whole = site.owner.get(&format!("/api/v1/programs/{program}/integrations-summary/")).await.expect(200);
        assert_eq!((&whole["projects"][0]["synced_tasks"], &whole["api_tokens"]["active"]), (&json!(3), &json!(0)));
        app.person("otto").await.get(&site.at("integrations-summary/")).await.expect(404);
    }
}
