//! Subscriptions: who keeps them, what they hold, and what never leaves the server again.
//! What is sent to them is tested in `webhooks_sent.rs`.

use planwright_domain::Role;
use planwright_domain::events::WebhookEvent;
use planwright_domain::words::Word;
use planwright_store::sql;
use planwright_testkit::both_engines;
use serde_json::{Value as Json, json};

use crate::bridges::Bridges;

const SECRET: &str = "a secret of more than thirty-two characters";

/// An address that nothing is ever sent to; no name has to be looked up for it.
const ELSEWHERE: &str = "https://8.8.8.8/hook";

both_engines! {
    async fn a_subscription_is_added_changed_and_deleted(app: &TestApp) {
        let mara = app.person("mara").await;
        let project = app.project(&mara, "Bridge").await;
        let all = format!("/api/v1/projects/{project}/webhooks/");
        let request = json!({"url": ELSEWHERE, "events": ["risk.closed", "task.created", "risk.closed"]});
        let made = mara.post(&all, request).await.expect(201);
        assert_eq!(made["project"], project.to_string());
        assert_eq!(made["program"], Json::Null);
        assert_eq!(made["events"], json!(["task.created", "risk.closed"]));
        assert_eq!((&made["format"], &made["is_active"]), (&json!("generic"), &json!(true)));
        assert_eq!(made["created_by"], mara.id.to_string());
        let one = format!("{all}{}/", made.id());
        let changed = mara.patch(&one, json!({"is_active": false, "format": "slack"})).await.expect(200);
        assert_eq!((&changed["format"], &changed["is_active"]), (&json!("slack"), &json!(false)));
        let whole = json!({"url": "https://1.1.1.1/", "events": ["comment.created"], "is_active": true});
        let replaced = mara.put(&one, whole).await.expect(200);
        assert_eq!((&replaced["url"], &replaced["events"]), (&json!("https://1.1.1.1/"), &json!(["comment.created"])));
        assert_eq!(mara.get(&all).await.expect(200)["count"], 1);
        assert_eq!(mara.get(&format!("{all}?search=8.8.8")).await.expect(200)["count"], 0);
        mara.delete(&one).await.expect(204);
        mara.get(&one).await.expect(404);
    }

    async fn a_secret_is_shown_once_and_kept_sealed(app: &TestApp) {
        let mara = app.person("mara").await;
        let project = app.project(&mara, "Bridge").await;
        let all = format!("/api/v1/projects/{project}/webhooks/");
        let made = mara.post(&all, json!({"url": ELSEWHERE, "secret": SECRET})).await.expect(201);
        assert_eq!(made["secret"], SECRET);
        let one = format!("{all}{}/", made.id());
        let other = "another secret, of more than thirty-two characters";
        let rotated = mara.patch(&one, json!({"secret": other})).await.expect(200);
        let replaced = mara.put(&one, json!({"url": ELSEWHERE, "secret": SECRET})).await.expect(200);
        let listed = mara.get(&all).await.expect(200);
        let shown = mara.get(&one).await.expect(200);
        for answer in [&rotated, &replaced, &listed, &shown] {
            assert!(!answer.text.contains(SECRET) && !answer.text.contains(other), "{}", answer.text);
        }
        assert_eq!(shown["secret"], Json::Null);
        assert_eq!(shown["secret_set"], true);
        let select = "SELECT fields FROM history WHERE entity = 'webhook' AND kind = 'updated'";
        let noted: Vec<Json> = app.app.db.scalars(sql!(select)).await.unwrap();
        assert_eq!(noted, [json!({"secret": [null, null]}), json!({"secret": [null, null]})], "that it changed is noted");
        let kept: Vec<String> = app.app.db.scalars(sql!("SELECT sealed_secret FROM webhooks")).await.unwrap();
        assert!(kept.len() == 1 && !kept[0].contains(SECRET));
    }

    async fn whoever_sends_no_secret_is_given_one(app: &TestApp) {
        let mara = app.person("mara").await;
        let project = app.project(&mara, "Bridge").await;
        let all = format!("/api/v1/projects/{project}/webhooks/");
        let first = mara.post(&all, json!({"url": ELSEWHERE})).await.expect(201);
        let second = mara.post(&all, json!({"url": ELSEWHERE, "secret": ""})).await.expect(201);
        for made in [&first, &second] {
            let secret = made["secret"].as_str().unwrap();
            assert_eq!(secret.len(), 43);
            assert!(secret.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)), "{secret}");
        }
        assert_ne!(first["secret"], second["secret"]);
        assert_eq!(first["events"].as_array().map(Vec::len), Some(WebhookEvent::ALL.len()));
        let again = mara.with_header("idempotency-key", "twice");
        let one = again.post(&all, json!({"url": ELSEWHERE})).await.expect(201);
        let two = again.post(&all, json!({"url": ELSEWHERE})).await.expect(201);
        assert_ne!(one["secret"], two["secret"], "an answer with a secret is not kept for a replay");
    }

    async fn every_wrong_field_is_named_at_once(app: &TestApp) {
        let mara = app.person("mara").await;
        let project = app.project(&mara, "Bridge").await;
        let all = format!("/api/v1/projects/{project}/webhooks/");
        let request = json!({"url": "http://10.0.0.1/", "secret": "   ".repeat(20)});
        let refused = mara.post(&all, request).await.expect(400);
        assert_eq!(refused["url"][0], "The host does not resolve to a public address.");
        assert_eq!(refused["secret"][0], "This field may not be blank.");
        let request = json!({"events": ["task.created", "task.exploded"], "format": "carrier pigeon"});
        let refused = mara.post(&all, request).await.expect(400);
        assert_eq!(refused["url"][0], "This field is required.");
        assert_eq!(refused["events"]["1"][0], "\"task.exploded\" is not a valid choice.");
        assert_eq!(refused["format"][0], "\"carrier pigeon\" is not a valid choice.");
        for (field, wrong) in [
            ("secret", json!("too short")), ("secret", json!("x".repeat(256))), ("events", json!([])),
            ("events", json!(["ping"])), ("url", json!("ftp://8.8.8.8/")), ("url", json!("")),
            ("url", json!(format!("https://8.8.8.8/{}", "x".repeat(2048)))),
        ] {
            let mut request = json!({"url": ELSEWHERE});
            request[field] = wrong;
            let refused = mara.post(&all, request.clone()).await.expect(400);
            assert!(refused.json.get(field).is_some(), "{request}: {}", refused.text);
        }
        let made = mara.post(&all, json!({"url": ELSEWHERE})).await.expect(201);
        let one = format!("{all}{}/", made.id());
        for blank in ["", "    "] {
            mara.patch(&one, json!({"secret": blank})).await.expect(400);
        }
        assert_eq!(mara.get(&all).await.expect(200)["count"], 1, "nothing refused was written");
    }

    async fn addresses_that_are_not_public_are_refused_when_they_are_saved(app: &TestApp) {
        let mara = app.person("mara").await;
        let project = app.project(&mara, "Bridge").await;
        let all = format!("/api/v1/projects/{project}/webhooks/");
        let made = mara.post(&all, json!({"url": ELSEWHERE})).await.expect(201);
        let one = format!("{all}{}/", made.id());
        for url in [
            "http://127.0.0.1/", "http://localhost:8080/", "http://[::1]/", "http://[::ffff:10.0.0.1]/",
            "http://169.254.169.254/latest/", "http://0x7f.1/", "http://192.168.0.1/", "http://[fd00::1]/",
            "http://[64:ff9b::a00:1]/", "https://me:secret@8.8.8.8/", "javascript:alert(1)", "hook",
        ] {
            let refused = mara.post(&all, json!({"url": url})).await.expect(400);
            assert!(refused["url"].is_array(), "{url}: {}", refused.text);
            mara.patch(&one, json!({"url": url})).await.expect(400);
        }
        assert_eq!(mara.get(&one).await.expect(200)["url"], ELSEWHERE);
    }

    async fn viewers_read_subscriptions_and_managers_keep_them(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        let viewer = app.person("viewer").await;
        let scheduler = app.person("scheduler").await;
        let manager = app.person("manager").await;
        let stranger = app.person("stranger").await;
        plan.let_in(&owner, &viewer, Role::Viewer).await;
        plan.let_in(&owner, &scheduler, Role::ResourceManager).await;
        plan.let_in(&owner, &manager, Role::ProjectManager).await;
        for place in [format!("projects/{}", plan.project), format!("programs/{}", plan.program)] {
            let all = format!("/api/v1/{place}/webhooks/");
            let made = manager.post(&all, json!({"url": ELSEWHERE})).await.expect(201);
            let one = format!("{all}{}/", made.id());
            for reader in [&viewer, &scheduler, &manager] {
                assert_eq!(reader.get(&all).await.expect(200)["count"], 1);
                reader.get(&one).await.expect(200);
                assert_eq!(reader.get(&format!("{one}deliveries/")).await.expect(200).results().len(), 0);
            }
            for reader in [&viewer, &scheduler] {
                reader.post(&all, json!({"url": ELSEWHERE})).await.expect(403);
                reader.patch(&one, json!({"is_active": false})).await.expect(403);
                reader.post(&format!("{one}test/"), json!({})).await.expect(403);
                reader.post(&format!("{one}deliveries/redeliver/"), json!({"since": "2026-01-01T00:00:00Z"})).await.expect(403);
                reader.delete(&one).await.expect(403);
            }
            for path in [&all, &one, &format!("{one}deliveries/")] {
                stranger.get(path).await.expect(404);
            }
            manager.post(&format!("{one}test/"), json!({})).await.expect(202);
            let body = async |reader: &planwright_testkit::Person| {
                reader.get(&format!("{one}deliveries/")).await.expect(200).results()[0]["payload"].clone()
            };
            assert_eq!(body(&manager).await["event"], "ping");
            let is_shown = place.starts_with("projects");
            assert_eq!(body(&viewer).await.is_object(), is_shown, "a program tells of projects that its viewers cannot open");
            manager.delete(&one).await.expect(204);
        }
    }

    async fn a_subscription_is_found_only_where_it_belongs(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        let of_project = format!("/api/v1/projects/{}/webhooks/", plan.project);
        let of_program = format!("/api/v1/programs/{}/webhooks/", plan.program);
        let made = owner.post(&of_program, json!({"url": ELSEWHERE})).await.expect(201);
        assert_eq!((&made["project"], &made["program"]), (&Json::Null, &json!(plan.program)));
        assert_eq!(owner.get(&of_project).await.expect(200)["count"], 0);
        for path in ["", "deliveries/"] {
            owner.get(&format!("{of_project}{}/{path}", made.id())).await.expect(404);
            owner.get(&format!("{of_program}{}/{path}", made.id())).await.expect(200);
        }
        owner.post(&format!("{of_project}{}/test/", made.id()), json!({})).await.expect(404);
        owner.delete(&format!("{of_project}{}/", made.id())).await.expect(404);
    }

    async fn a_place_has_so_many_webhooks_and_no_more(app: &TestApp, "SVC_MAX_WEBHOOKS" = "2") {
        let mara = app.person("mara").await;
        let project = app.project(&mara, "Bridge").await;
        let all = format!("/api/v1/projects/{project}/webhooks/");
        let first = mara.post(&all, json!({"url": ELSEWHERE})).await.expect(201);
        mara.post(&all, json!({"url": ELSEWHERE})).await.expect(201);
        let refused = mara.post(&all, json!({"url": ELSEWHERE})).await.expect(400);
        assert_eq!(refused["code"], "webhook_limit_reached");
        mara.delete(&format!("{all}{}/", first.id())).await.expect(204);
        mara.post(&all, json!({"url": ELSEWHERE})).await.expect(201);
        let other = app.project(&mara, "Tunnel").await;
        mara.post(&format!("/api/v1/projects/{other}/webhooks/"), json!({"url": ELSEWHERE})).await.expect(201);
    }

    async fn webhooks_of_somebody_who_left_are_paused_and_the_owners_are_told(app: &TestApp) {
        let (admin, mara, ida) = (app.admin().await, app.person("mara").await, app.person("ida").await);
        let mut hooks = Vec::new();
        let project = async |name: &str| {
            let project = app.project(&mara, name).await;
            let place = format!("/api/v1/projects/{project}/");
            let member = mara.let_in(&place, &ida, Role::ProjectManager).await;
            let all = format!("{place}webhooks/");
            let his = ida.post(&all, json!({"url": ELSEWHERE})).await.expect(201);
            let hers = mara.post(&all, json!({"url": ELSEWHERE})).await.expect(201);
            (place, member, format!("{all}{}/", his.id()), format!("{all}{}/", hers.id()))
        };
        for name in ["Bridge", "Tunnel"] {
            hooks.push(project(name).await);
        }
        let (bridge, tunnel) = (&hooks[0], &hooks[1]);
        app.run_jobs().await;
        mara.delete(&format!("{}members/{}/", bridge.0, bridge.1)).await.expect(204);
        app.run_jobs().await;
        let paused = mara.get(&bridge.2).await.expect(200);
        assert_eq!(paused["is_active"], false);
        assert!(paused["disabled_reason"].as_str().unwrap().contains("left"), "{}", paused.text);
        for other in [&bridge.3, &tunnel.2, &tunnel.3] {
            assert_eq!(mara.get(other).await.expect(200)["is_active"], true);
        }
        let letters = app.sent_mail();
        assert_eq!(letters.len(), 1, "{letters:?}");
        assert!(letters[0].contains("mara@example.test") && letters[0].contains("8.8.8.8"), "{letters:?}");
        admin.delete(&format!("/api/v1/workspace/members/{}/", ida.id)).await.expect(204);
        app.run_jobs().await;
        assert_eq!(mara.get(&tunnel.2).await.expect(200)["is_active"], false);
        assert_eq!(mara.get(&tunnel.3).await.expect(200)["is_active"], true);
        assert_eq!(app.sent_mail().len(), 2);
        mara.patch(&tunnel.2, json!({"is_active": true})).await.expect(200);
    }
}
