//! Forges tell of merge requests: GitHub, GitLab and Gitea, each with its signature. Tasks move forward, and whoever does not
//! know the secret learns nothing.

use http::{HeaderMap, HeaderName, HeaderValue, Method};
use planwright_testkit::{Answer, TestApp, both_engines};
use ring::hmac;
use serde_json::{Value, json};

use crate::site::{Site, text};

const PULL: &str = "https://github.com/mill/pump/pull/5";

/// A project whose merge requests move tasks, with its secret.
struct Forge<'a> {
    site: Site<'a>,
    secret: String,
}

fn signature(secret: &str, body: &[u8]) -> String {
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()), body);
    tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn send(app: &TestApp, path: &str, headers: &[(&'static str, &str)], body: Vec<u8>) -> Answer {
    let pairs = headers.iter().map(|(name, value)| {
        (HeaderName::from_static(name), HeaderValue::from_str(value).expect("a value of a header"))
    });
    app.send(Method::POST, path, HeaderMap::from_iter(pairs), body).await
}

impl<'a> Forge<'a> {
    async fn new(app: &'a TestApp) -> Self {
        let site = Site::new(app).await;
        let config = configuration(&site);
        site.owner.put(&config, json!({"enabled": true})).await.expect(200);
        let made = site.owner.post(&format!("{config}rotate-secret/"), json!({})).await.expect(201);
        let secret = text(&made["secret"]).to_owned();
        Self { site, secret }
    }

    fn path(&self) -> String {
        format!("/api/v1/integrations/projects/{}/git-webhook/", self.site.project)
    }

    async fn github(&self, document: &Value) -> Answer {
        let body = document.to_string().into_bytes();
        let signed = format!("sha256={}", signature(&self.secret, &body));
        let headers = [
            ("x-github-event", "pull_request"),
            ("x-hub-signature-256", signed.as_str()),
            ("content-type", "application/json"),
        ];
        send(self.site.app, &self.path(), &headers, body).await
    }

    async fn linked_task(&self, url: &str) -> String {
        let task = self.site.task("Pump", 2).await;
        let links = self.site.at(&format!("tasks/{task}/links/"));
        self.site.owner.post(&links, json!({"url": url})).await.expect(201);
        task
    }

    async fn status(&self, task: &str) -> String {
        text(&self.site.read(task).await["status"]).to_owned()
    }

    async fn seen(&self) -> Answer {
        self.site.owner.get(&configuration(&self.site)).await.expect(200)
    }
}

fn configuration(site: &Site<'_>) -> String {
    format!("/api/v1/integrations/projects/{}/git-automation/", site.project)
}

fn pull(action: &str, more: Value) -> Value {
    let mut request = json!({"html_url": PULL, "draft": false, "merged": false});
    request.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
    json!({"action": action, "pull_request": request})
}

both_engines! {
    async fn the_automation_is_kept_by_those_who_manage_the_project(app: &TestApp) {
        let site = Site::new(app).await;
        let path = configuration(&site);
        let (manager, member) = (site.person("pia", 300).await, site.person("mia", 100).await);
        let before = manager.get(&path).await.expect(200);
        assert_eq!((&before["enabled"], &before["secret_set"]), (&json!(false), &json!(false)));
        assert!(before["configured_by"].is_null() && before["updated_at"].is_null(), "{}", before.text);
        assert!(text(&before["webhook_url"]).ends_with(&format!("{}/git-webhook/", site.project)));
        let on = manager.put(&path, json!({"enabled": true})).await.expect(200);
        assert_eq!((&on["enabled"], &on["configured_by"]), (&json!(true), &json!(manager.id)));
        let rotate = format!("{path}rotate-secret/");
        let first = manager.post(&rotate, json!({})).await.expect(201);
        let second = manager.post(&rotate, json!({})).await.expect(201);
        assert_ne!(first["secret"], second["secret"]);
        let shown = manager.get(&path).await.expect(200);
        assert_eq!((&shown["secret_set"], &shown["secret_set_at"]), (&json!(true), &second["secret_set_at"]));
        assert!(!shown.text.contains(text(&second["secret"])), "it is shown once");
        for status in [member.get(&path).await.status, member.put(&path, json!({"enabled": true})).await.status,
            member.post(&rotate, json!({})).await.status] {
            assert_eq!(status, 403);
        }
        manager.put(&path, json!({})).await.expect(400);
        app.person("otto").await.get(&path).await.expect(404);
        let audit = app.admin().await.get("/api/v1/workspace/audit-events/?event_type=git_automation_changed").await;
        assert_eq!(audit.expect(200).results().len(), 3, "switched on, and two secrets");
        site.owner.post(&site.at("archive/"), json!({})).await.expect(200);
        site.owner.get(&path).await.expect(200);
        site.owner.put(&path, json!({"enabled": false})).await.expect(403);
    }

    async fn an_opened_request_asks_for_review_and_a_merged_one_completes(app: &TestApp) {
        let forge = Forge::new(app).await;
        let task = forge.linked_task(&format!("{PULL}/files")).await;
        forge.site.hush().await;
        let opened = forge.github(&pull("opened", json!({}))).await.expect(200);
        let expected = json!({"matched": true, "moved": true, "task": task, "from": "NOT_STARTED", "to": "REVIEW",
            "reason": "opened_review"});
        assert_eq!(opened.json, expected);
        assert_eq!(forge.status(&task).await, "REVIEW");
        assert_eq!(text(&forge.site.payloads("task.updated").await[0]["source"]), "github");
        let merged = forge.github(&pull("closed", json!({"merged": true}))).await.expect(200);
        assert_eq!((&merged["reason"], &merged["to"]), (&json!("merged_complete"), &json!("COMPLETE")));
        let done = forge.site.read(&task).await;
        assert_eq!(text(&done["status"]), "COMPLETE");
        assert!(done["actual_finish"].is_string(), "what follows from a status follows");
        let again = forge.github(&pull("reopened", json!({}))).await.expect(200);
        assert_eq!((&again["moved"], &again["reason"]), (&json!(false), &json!("noop_forward_only")));
        assert_eq!(forge.status(&task).await, "COMPLETE", "nothing moves back");
        let seen = forge.seen().await;
        assert_eq!((text(&seen["last_delivery_outcome"]), text(&seen["last_delivery_provider"])),
            ("noop_forward_only", "github"));
        assert!(seen["last_refusal_at"].is_null());
    }

    async fn what_moves_nothing_says_why(app: &TestApp) {
        let forge = Forge::new(app).await;
        let task = forge.linked_task(PULL).await;
        let reason = async |document: Value| {
            let answer = forge.github(&document).await.expect(200);
            assert_eq!(answer["moved"], false, "{}", answer.text);
            text(&answer["reason"]).to_owned()
        };
        assert_eq!(reason(pull("opened", json!({"draft": true}))).await, "draft");
        assert_eq!(reason(pull("opened", json!({"html_url": ""}))).await, "no_url");
        assert_eq!(reason(pull("opened", json!({"html_url": "https://github.com/mill/pump/pull/55"}))).await, "no_link");
        let ignored = forge.github(&pull("labeled", json!({}))).await.expect(200);
        assert_eq!((&ignored["ignored"], ignored["reason"].is_null()), (&json!("pull_request.labeled"), true));
        assert_eq!(text(&forge.seen().await["last_delivery_outcome"]), "ignored");
        assert_eq!(forge.status(&task).await, "NOT_STARTED");
        forge.github(&pull("opened", json!({}))).await.expect(200);
        // A stolen delivery moves nothing, not even weeks later when the task was set back by hand.
        forge.site.change(&task, json!({"status": "IN_PROGRESS"})).await;
        assert_eq!(reason(pull("opened", json!({}))).await, "duplicate");
        app.later(chrono::Duration::days(7));
        app.run_jobs().await;
        assert_eq!(reason(pull("opened", json!({}))).await, "duplicate");
        app.later(chrono::Duration::days(31));
        app.run_jobs().await;
        let kept = app.app.db.clone();
        let count = kept.count(planwright_store::sql!("SELECT COUNT(*) FROM git_deliveries"));
        assert_eq!(count.await.unwrap(), 0, "what was told long ago is forgotten");
    }

    async fn a_stolen_delivery_counts_once_whatever_forge_it_claims_to_come_from(app: &TestApp) {
        let forge = Forge::new(app).await;
        let task = forge.linked_task(PULL).await;
        let body = pull("closed", json!({"merged": true})).to_string().into_bytes();
        let signed = signature(&forge.secret, &body);
        let of_github = format!("sha256={signed}");
        let github = [("x-github-event", "pull_request"), ("x-hub-signature-256", of_github.as_str())];
        let moved = send(app, &forge.path(), &github, body.clone()).await.expect(200);
        assert_eq!(moved["reason"], "merged_complete", "{}", moved.text);
        forge.site.change(&task, json!({"status": "IN_PROGRESS"})).await;
        let gitea = [("x-gitea-event", "pull_request"), ("x-gitea-signature", signed.as_str())];
        let again = send(app, &forge.path(), &gitea, body).await.expect(200);
        assert_eq!(again["reason"], "duplicate", "{}", again.text);
        assert_eq!(forge.status(&task).await, "IN_PROGRESS");
    }

    async fn gitlab_and_gitea_are_understood_too(app: &TestApp) {
        let forge = Forge::new(app).await;
        let task = forge.linked_task("https://gitlab.example.org/mill/pump/-/merge_requests/3").await;
        let attributes = json!({"action": "open", "url": "https://gitlab.example.org/mill/pump/-/merge_requests/3"});
        let body = json!({"object_attributes": attributes}).to_string().into_bytes();
        let headers = [("x-gitlab-event", "Merge Request Hook"), ("x-gitlab-token", forge.secret.as_str())];
        let moved = send(app, &forge.path(), &headers, body).await.expect(200);
        assert_eq!(moved["reason"], "opened_review", "{}", moved.text);
        let other = forge.linked_task("https://git.example.org/mill/pump/pulls/9").await;
        let document = pull("closed", json!({"merged": true, "html_url": "https://git.example.org/mill/pump/pulls/9"}));
        let body = document.to_string().into_bytes();
        let signed = signature(&forge.secret, &body);
        let headers = [("x-gitea-event", "pull_request"), ("x-github-event", "pull_request"),
            ("x-gitea-signature", signed.as_str())];
        let moved = send(app, &forge.path(), &headers, body).await.expect(200);
        assert_eq!(moved["reason"], "merged_complete", "{}", moved.text);
        assert_eq!((forge.status(&task).await, forge.status(&other).await), ("REVIEW".into(), "COMPLETE".into()));
        let seen = forge.seen().await;
        assert_eq!(text(&seen["last_delivery_provider"]), "gitea");
    }

    async fn every_refusal_is_the_same_404_and_is_recorded(app: &TestApp) {
        let forge = Forge::new(app).await;
        let task = forge.linked_task(PULL).await;
        let body = pull("opened", json!({})).to_string().into_bytes();
        let nowhere = "/api/v1/integrations/projects/00000000-0000-4000-8000-000000000000/git-webhook/";
        let absent = send(app, nowhere, &[], body.clone()).await.expect(404);
        let why = async || text(&forge.seen().await["last_refusal_outcome"]).to_owned();
        let refused = async |headers: &[(&'static str, &str)], body: Vec<u8>| {
            let answer = send(app, &forge.path(), headers, body).await.expect(404);
            assert_eq!(answer.text, absent.text);
        };
        let good = format!("sha256={}", signature(&forge.secret, &body));
        refused(&[], body.clone()).await;
        assert_eq!(why().await, "unknown_provider");
        for wrong in ["", "sha256=00", &good[..70], &format!("sha256={}", signature("other", &body))] {
            refused(&[("x-github-event", "pull_request"), ("x-hub-signature-256", wrong)], body.clone()).await;
            assert_eq!(why().await, "bad_signature");
        }
        let longer = [body.clone(), b" ".to_vec()].concat();
        refused(&[("x-github-event", "pull_request"), ("x-hub-signature-256", &good)], longer).await;
        refused(&[("x-gitlab-event", "Merge Request Hook"), ("x-gitlab-token", "x")], body.clone()).await;
        assert_eq!(text(&forge.seen().await["last_refusal_provider"]), "gitlab");
        let headers = [("x-github-event", "pull_request"), ("x-hub-signature-256", good.as_str())];
        let project: uuid::Uuid = forge.site.project.parse().unwrap();
        // A secret that was sealed for another row does not open.
        let broken = "UPDATE git_automations SET sealed_secret = 'AAAA' WHERE project_id = :project";
        app.write(planwright_store::sql!(broken, project = project)).await;
        refused(&headers, body.clone()).await;
        assert_eq!(why().await, "secret_unreadable");
        let none = "UPDATE git_automations SET sealed_secret = '' WHERE project_id = :project";
        app.write(planwright_store::sql!(none, project = project)).await;
        refused(&headers, body.clone()).await;
        assert_eq!(why().await, "no_secret");
        forge.site.owner.put(&configuration(&forge.site), json!({"enabled": false})).await.expect(200);
        refused(&headers, body.clone()).await;
        assert_eq!(why().await, "automation_disabled");
        assert_eq!(forge.status(&task).await, "NOT_STARTED");
        forge.site.owner.delete(&forge.site.at("")).await.expect(204);
        send(app, &forge.path(), &headers, body).await.expect(404);
    }

    async fn whoever_does_not_know_the_secret_takes_nothing_from_the_limit_of_the_project(app: &TestApp) {
        let forge = Forge::new(app).await;
        let document = pull("labeled", json!({}));
        for _ in 0..130 {
            send(app, &forge.path(), &[("x-github-event", "pull_request"), ("x-hub-signature-256", "sha256=00")], b"{}".to_vec())
                .await.expect(404);
        }
        for _ in 0..120 {
            forge.github(&document).await.expect(200);
        }
        let throttled = forge.github(&document).await.expect(429);
        assert!(throttled.header("ratelimit").contains("\"git_webhook\""), "{}", throttled.header("ratelimit"));
        assert!(!throttled.header("retry-after").is_empty());
    }

    async fn large_and_broken_bodies_are_refused(app: &TestApp) {
        let forge = Forge::new(app).await;
        send(app, &forge.path(), &[], vec![b' '; 1024 * 1024 + 1]).await.expect(413);
        for body in [b"{".to_vec(), vec![0xff, 0xfe], Vec::new()] {
            let signed = format!("sha256={}", signature(&forge.secret, &body));
            let headers = [("x-github-event", "pull_request"), ("x-hub-signature-256", signed.as_str())];
            send(app, &forge.path(), &headers, body).await.expect(400);
            assert_eq!(text(&forge.seen().await["last_delivery_outcome"]), "malformed_payload");
        }
        // Forges may also send the document as a field of a form.
        let task = forge.linked_task(PULL).await;
        let document = pull("opened", json!({})).to_string();
        let encoded: String = document.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let body = format!("payload={encoded}").into_bytes();
        let signed = format!("sha256={}", signature(&forge.secret, &body));
        let headers = [("x-github-event", "pull_request"), ("x-hub-signature-256", signed.as_str()),
            ("content-type", "application/x-www-form-urlencoded")];
        send(app, &forge.path(), &headers, body).await.expect(200);
        assert_eq!(forge.status(&task).await, "REVIEW");
    }
}
