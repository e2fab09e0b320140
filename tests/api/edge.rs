//! What holds for every route: errors as JSON, both slash forms, paging, replays, limits, headers.

use planwright_domain::Role;
use planwright_store::sql;
use planwright_testkit::{Person, both_engines};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::site::{Site, task_path};

both_engines! {
    async fn what_matches_nothing_is_json_too(app: &TestApp) {
        let admin = app.admin().await;
        let lost = admin.get("/api/v1/nowhere/").await.expect(404);
        assert_eq!(lost["detail"], "Not found.");
        admin.delete("/api/v1/calendars/").await.expect(405);
        admin.get("/api/v1/calendars/no-uuid/").await.expect(404);
        admin.post_raw("/api/v1/calendars/", "text/plain", "hello").await.expect(415);
        admin.post_raw("/api/v1/calendars/", "application/json", "{\"name\": ").await.expect(400);
        admin.post_raw("/api/v1/calendars/", "application/json", "[".repeat(100_000)).await.expect(400);
        admin.post_raw("/api/v1/calendars/", "application/json", "[1]").await.expect(400);
        admin.post_raw("/api/v1/calendars/", "application/json", vec![b' '; 3_000_000]).await.expect(413);
        admin.post("/api/v1/calendars/", json!({"name": "a\u{0}b"})).await.expect(400);
        admin.get("/api/v1/calendars/?search=%00").await.expect(400);
    }

    async fn a_browser_at_an_unknown_address_gets_a_page_that_says_so(app: &TestApp) {
        let browser = app.anonymous().with_header("accept", "text/html,application/xhtml+xml,*/*;q=0.8");
        for path in ["/nowhere", "/projects/1/board/more", "/settings/nowhere/"] {
            let page = browser.get(path).await.expect(404);
            assert!(page.header("content-type").starts_with("text/html"), "{path}");
            assert!(page.text.contains("/assets/") && page.header("content-security-policy").contains("script-src 'self'"));
            let json = app.anonymous().get(path).await.expect(404);
            assert_eq!(json["detail"], "Not found.", "{path}");
        }
        assert_eq!(browser.get("/api/v1/nowhere/").await.expect(404)["detail"], "Not found.");
        browser.post("/nowhere", json!({})).await.expect(404);
    }

    async fn both_slash_forms_answer_for_every_method(app: &TestApp) {
        let admin = app.admin().await;
        let made = admin.post("/api/v1/calendars", json!({"name": "Bare"})).await.expect(201);
        admin.patch(&format!("/api/v1/calendars/{}", made.id()), json!({"name": "Barer"})).await.expect(200);
        admin.get("/api/v1/readyz/").await.expect(200);
    }

    async fn pages_walk_the_whole_list_in_both_directions(app: &TestApp) {
        let admin = app.admin().await;
        for number in 0..7 {
            admin.post("/api/v1/calendars/", json!({"name": format!("C{number}")})).await.expect(201);
        }
        let mut seen = Vec::new();
        let mut next = "/api/v1/calendars/?page_size=3".to_owned();
        while !next.is_empty() {
            let page = admin.get(&next).await.expect(200);
            assert_eq!(page["count"], 7);
            seen.extend(page.results().iter().map(|row| row["name"].as_str().unwrap().to_owned()));
            next = page["next"].as_str().unwrap_or_default().replace("http://test.local", "");
        }
        assert_eq!(seen, ["C0", "C1", "C2", "C3", "C4", "C5", "C6"]);
        let turned = admin.get("/api/v1/calendars/?page_size=3&page=3&ordering=-name").await.expect(200);
        assert_eq!(turned.results()[0]["name"], "C0");
        assert!(turned["previous"].as_str().unwrap().contains("page=2"));
        admin.get("/api/v1/calendars/?page=4&page_size=3").await.expect(404);
        admin.get("/api/v1/calendars/?page=0").await.expect(404);
        admin.get("/api/v1/calendars/?ordering=working_days").await.expect(400);
        admin.get("/api/v1/calendars/?page_size=x").await.expect(400);
    }

    async fn a_repeated_mutation_is_answered_from_memory(app: &TestApp) {
        let admin = app.admin().await;
        let keyed = admin.with_header("idempotency-key", "k1");
        let first = keyed.post("/api/v1/calendars/", json!({"name": "Once"})).await.expect(201);
        let again = keyed.post("/api/v1/calendars/", json!({"name": "Once"})).await.expect(201);
        assert_eq!(first.text, again.text);
        assert_eq!(again.header("idempotent-replay"), "true");
        keyed.post("/api/v1/calendars/", json!({"name": "Other"})).await.expect(422);
        assert_eq!(admin.get("/api/v1/calendars/").await["count"], 1);
        app.later(chrono::Duration::hours(25));
        let mut admin = admin;
        admin.sign_in_again().await;
        let keyed = admin.with_header("idempotency-key", "k1");
        keyed.post("/api/v1/calendars/", json!({"name": "Other"})).await.expect(201);
    }

    async fn sixty_anonymous_requests_a_minute_are_refused_for_want_of_a_credential_and_then_throttled(app: &TestApp) {
        let nobody = app.anonymous();
        for _ in 0..60 {
            nobody.get("/api/v1/calendars/").await.expect(401);
        }
        let refused = nobody.get("/api/v1/calendars/").await.expect(429);
        assert_eq!(refused.header("retry-after"), "60");
        assert!(refused["detail"].as_str().unwrap().contains("60 seconds"));
        nobody.get("/api/v1/health/").await.expect(200);
        app.later(chrono::Duration::seconds(60));
        nobody.get("/api/v1/calendars/").await.expect(401);
    }

    async fn every_answer_carries_an_id_and_safe_headers(app: &TestApp) {
        let admin = app.admin().await;
        let given = admin.with_header("x-request-id", "abc-1").get("/api/v1/calendars/").await.expect(200);
        assert_eq!(given.header("x-request-id"), "abc-1");
        assert_eq!(given.header("x-content-type-options"), "nosniff");
        assert!(given.header("ratelimit").contains("\"user\";r=999"));
        let made = admin.with_header("x-request-id", "bad id\t").get("/api/v1/nowhere/").await.expect(404);
        assert_eq!(made.header("x-request-id").len(), 32);
    }

    async fn if_match_refuses_a_version_that_is_gone(app: &TestApp) {
        let admin = app.admin().await;
        let made = admin.post("/api/v1/calendars/", json!({"name": "A"})).await.expect(201);
        let path = format!("/api/v1/calendars/{}/", made.id());
        admin.with_header("if-match", "\"v1\"").patch(&path, json!({"name": "B"})).await.expect(200);
        admin.with_header("if-match", "\"v1\"").patch(&path, json!({"name": "C"})).await.expect(412);
    }
}

both_engines! {
    async fn a_wrong_credential_is_counted_like_none_at_all(app: &TestApp) {
        let guesser = app.anonymous().with_token("svc_0000");
        for _ in 0..60 {
            let refused = guesser.get("/api/v1/calendars/").await.expect(401);
            assert!(refused.header("ratelimit").contains("\"anon\""));
        }
        let throttled = guesser.get("/api/v1/calendars/").await.expect(429);
        assert!(throttled.header("ratelimit").contains("\"anon\";r=0"));
    }

    async fn an_agent_sees_only_what_has_consented(app: &TestApp) {
        let admin = app.admin().await;
        let project = app.project(&admin, "Bridge").await;
        let request = json!({"name": "agent", "scopes": ["mcp:read"], "expires_at": "2026-06-01T00:00:00Z"});
        let minted = admin.post("/api/v1/me/api-tokens/", request).await.expect(201);
        let agent = admin.with_token(minted["token"].as_str().unwrap());
        let path = format!("/api/v1/projects/{project}/");
        agent.get(&path).await.expect(200);
        agent.patch(&path, json!({"name": "Tunnel"})).await.expect(403);
        agent.get("/api/v1/calendars/").await.expect(403);
        admin.patch(&path, json!({"mcp_enabled": false})).await.expect(200);
        let refused = agent.get(&path).await.expect(403);
        assert_eq!(refused["refusal"]["reason"], "policy");
        assert_eq!(agent.get("/api/v1/projects/").await.expect(200)["count"], 0);
        assert_eq!(agent.get(&format!("/api/v1/tasks/?project={project}")).await.expect(200)["count"], 0);
        admin.patch(&path, json!({"mcp_enabled": null})).await.expect(200);
        agent.get(&path).await.expect(200);
        admin.patch("/api/v1/workspace/", json!({"mcp_enabled": false})).await.expect(200);
        agent.get(&path).await.expect(403);
    }

    async fn a_caller_who_hangs_up_cancels_neither_the_mutation_nor_its_answer(app: &TestApp) {
        let admin = app.admin().await;
        for round in 0..20u64 {
            let keyed = admin.with_header("idempotency-key", &format!("hang-up-{round}"));
            let body = json!({"name": format!("Hang up {round:02}")});
            let wait = std::time::Duration::from_micros(60 * round);
            let _ = tokio::time::timeout(wait, keyed.post("/api/v1/calendars/", body.clone())).await;
            let mut answer = keyed.post("/api/v1/calendars/", body.clone()).await;
            while answer.status == 409 {
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
                answer = keyed.post("/api/v1/calendars/", body.clone()).await;
            }
            answer.expect(201);
        }
        assert_eq!(admin.get("/api/v1/calendars/").await.expect(200)["count"], 20);
    }

    async fn two_transfers_at_once_leave_one_owner(app: &TestApp) {
        let (ona, eve, bob) = (app.person("ona").await, app.person("eve").await, app.person("bob").await);
        let project = app.project(&ona, "Bridge").await;
        let path = format!("/api/v1/projects/{project}/");
        for person in [&eve, &bob] {
            ona.post(&format!("{path}members/"), json!({"user": person.id})).await.expect(201);
        }
        let transfer = format!("{path}transfer/");
        let (one, two) = tokio::join!(
            ona.post(&transfer, json!({"new_owner_user_id": eve.id})),
            ona.post(&transfer, json!({"new_owner_user_id": bob.id})),
        );
        let mut statuses = [one.status, two.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 403]);
        let members = ona.get(&format!("{path}members/")).await.expect(200);
        let owners = members.json.as_array().unwrap().iter().filter(|row| row["role"] == 400).count();
        assert_eq!(owners, 1);
    }

    async fn a_host_of_somebody_else_is_refused_before_anything_is_answered(
        app: &TestApp,
        "SVC_PUBLIC_URL" = "https://plan.test/base",
        "SVC_ALLOWED_HOSTS" = "inner, .corp.test"
    ) {
        let admin = app.admin().await;
        for host in ["plan.test", "localhost:8080", "127.0.0.1:8080", "[::1]:8080", "inner", "a.corp.test"] {
            admin.with_header("host", host).get("/api/v1/calendars/").await.expect(200);
        }
        for host in ["rebound.test", "plan.test.rebound.test", "", "localhost.rebound.test:8080"] {
            let refused = admin.with_header("host", host).get("/api/v1/calendars/").await.expect(400);
            assert_eq!(refused["code"], "host_not_allowed");
            app.anonymous().with_header("host", host).get("/api/schema/").await.expect(400);
        }
    }

    async fn what_is_kept_for_repetitions_has_a_bound_for_each_person(
        app: &TestApp,
        "SVC_IDEMPOTENCY_MAX_BYTES" = "3000"
    ) {
        let (admin, ida) = (app.admin().await, app.person_ranked("ida", Role::Owner).await);
        let post = async |person: &Person<'_>, key: &str| {
            let keyed = person.with_header("idempotency-key", key);
            keyed.post("/api/v1/calendars/", json!({"name": key})).await
        };
        let mut kept = Vec::new();
        let refused = loop {
            let key = format!("k{}", kept.len());
            match post(&admin, &key).await {
                answer if answer.status == 201 => kept.push(key),
                answer => break answer.expect(429),
            }
            assert!(kept.len() < 10, "nothing was refused");
        };
        assert_eq!(refused["code"], "idempotency_budget_spent");
        assert!(!refused.header("retry-after").is_empty());
        assert_eq!(post(&admin, &kept[0]).await.expect(201).header("idempotent-replay"), "true");
        admin.post("/api/v1/calendars/", json!({"name": "without a key"})).await.expect(201);
        post(&ida, "hers").await.expect(201);
        app.later(chrono::Duration::hours(25));
        app.run_jobs().await;
        let mut admin = admin;
        admin.sign_in_again().await;
        post(&admin, "after a day").await.expect(201);
    }

    async fn addresses_and_methods_that_no_route_is_for_are_limited_too(app: &TestApp) {
        let nobody = app.anonymous();
        for number in 0..150 {
            nobody.get(&format!("/nowhere/{number}")).await.expect(404);
            nobody.delete("/api/v1/calendars/").await.expect(405);
        }
        let refused = nobody.get("/nowhere/").await.expect(429);
        assert!(refused.header("ratelimit").contains("\"unmatched\";r=0"), "{}", refused.header("ratelimit"));
        nobody.delete("/api/v1/calendars/").await.expect(429);
        nobody.get("/api/v1/calendars/").await.expect(401);
    }

    async fn what_is_answered_to_a_person_is_kept_by_no_cache(app: &TestApp) {
        let admin = app.admin().await;
        for path in ["/api/v1/calendars/", "/api/v1/auth/me/", "/api/v1/projects/"] {
            assert_eq!(admin.get(path).await.expect(200).header("cache-control"), "no-store");
        }
        let public = app.anonymous().get("/api/v1/edition/").await.expect(200);
        assert_eq!(public.header("cache-control"), "");
        assert_eq!(public.header("strict-transport-security"), "");
    }

    async fn browsers_stay_with_https_where_that_is_the_public_address(
        app: &TestApp,
        "SVC_PUBLIC_URL" = "https://plan.test"
    ) {
        let answer = app.anonymous().get("/api/v1/edition/").await.expect(200);
        assert_eq!(answer.header("strict-transport-security"), "max-age=31536000");
    }

    async fn what_is_kept_of_a_request_cannot_be_tried_out(app: &TestApp) {
        let admin = app.admin().await.with_header("idempotency-key", "k");
        admin.post("/api/v1/calendars/", json!({"name": "A"})).await.expect(201);
        let kept: Option<String> =
            app.app.db.scalar(sql!("SELECT fingerprint FROM idempotency_keys")).await.unwrap();
        let said = b"POST\0/api/v1/calendars\0\0{\"name\":\"A\"}";
        let plain = planwright_web::token::hash(std::str::from_utf8(said).unwrap());
        assert_ne!(kept.unwrap(), plain);
    }

    async fn a_control_character_in_a_name_is_refused_wherever_it_is_sent(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("Dig", 1).await;
        for (path, field) in [
            ("/api/v1/projects/".to_owned(), "name"),
            ("/api/v1/calendars/".to_owned(), "name"),
            (site.at("labels/"), "name"),
            (site.at("mention-groups/"), "name"),
            (site.at("fields/"), "name"),
            (site.at(&format!("tasks/{task}/links/")), "url"),
        ] {
            for letter in ["\u{7}", "\u{1b}", "\n", "\u{9f}"] {
                let refused = site.owner.post(&path, json!({ field: format!("A{letter}B") })).await.expect(400);
                assert!(refused[field][0].as_str().unwrap_or_default().contains("ontrol characters"), "{path}: {}", refused.text);
            }
        }
        let renamed = site.owner.patch(&task_path(&task), json!({"name": "A\u{8}B"})).await.expect(400);
        assert!(renamed["name"].is_array());
        site.owner.patch(&task_path(&task), json!({"name": " Dig\n", "notes": "Two\nlines\twith a tab"})).await.expect(200);
    }

    async fn a_refusal_before_the_body_has_come_says_that_the_line_ends(app: &TestApp) {
        let served = app.serve().await;
        let ask = async |sent: &str| {
            let mut line = TcpStream::connect(served.address).await.unwrap();
            line.write_all(sent.as_bytes()).await.unwrap();
            let mut begun = vec![0; 4096];
            let count = line.read(&mut begun).await.unwrap();
            String::from_utf8_lossy(&begun[..count]).to_ascii_lowercase()
        };
        let head = "POST /api/v1/projects/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
        let late = ask(&format!("{head}Content-Length: 5000\r\n\r\n{{")).await;
        assert!(late.starts_with("http/1.1 401") && late.contains("\r\nconnection: close\r\n"), "{late}");
        let chunked = ask(&format!("{head}Transfer-Encoding: chunked\r\n\r\n")).await;
        assert!(chunked.contains("\r\nconnection: close\r\n"), "{chunked}");
        let whole = ask(&format!("{head}Content-Length: 2\r\n\r\n{{}}")).await;
        assert!(whole.starts_with("http/1.1 401") && !whole.contains("connection: close"), "{whole}");
        let none = ask("GET /api/v1/projects/ HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
        assert!(none.starts_with("http/1.1 401") && !none.contains("connection: close"), "{none}");
        served.stop().await;
    }
}
