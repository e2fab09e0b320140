//! Secrets of other providers: tried out at a real server before they are kept, never shown, used to read links, removed.

use planwright_store::sql;
use planwright_testkit::both_engines;
use serde_json::{Value, json};

use crate::other_server::OtherServer;
use crate::receiver::{Mood, Receiver};
use crate::site::{Site, listed, text};

const ALL: &str = "/api/v1/me/credentials/";

fn one(provider: &str) -> String {
    format!("{ALL}{provider}/")
}

/// A GitLab at which one token is known, with one merge request and one user.
async fn gitlab() -> OtherServer {
    OtherServer::that(|request| match (request.header("private-token"), request.path.as_str()) {
        ("glpat-good", "/lab/api/v4/user") => (200, json!({"username": "ona"})),
        ("glpat-good", "/lab/api/v4/projects/mill%2Fpump/merge_requests/7") => {
            (200, json!({"title": "Quieter", "state": "merged"}))
        }
        ("glpat-good", "/portal/api/v4/user") => (200, json!({"page": "Sign in"})),
        ("glpat-good", _) => (404, json!({})),
        _ => (401, json!({"message": "401 Unauthorized"})),
    })
    .await
}

both_engines! {
    async fn a_secret_is_tried_out_kept_sealed_and_never_shown(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let (ona, lab) = (app.person("ona").await, gitlab().await);
        let before = listed(&ona.get(ALL).await.expect(200));
        let names: Vec<&str> = before.iter().map(|row| text(&row["provider"])).collect();
        assert_eq!(names, ["github", "gitlab", "gitea", "google_drive", "dropbox", "box", "onedrive"]);
        assert!(before.iter().all(|row| row["exists"] == false && row["created_at"].is_null()));
        let base = format!("{}/lab/", lab.url());
        let saved = ona.post(&one("gitlab"), json!({"secret": "glpat-good", "base_url": base})).await.expect(200);
        assert!(!saved.text.contains("glpat"), "it is never shown");
        let shown = ona.get(&one("gitlab")).await.expect(200);
        assert_eq!((&shown["exists"], text(&shown["name"])), (&json!(true), "GitLab"));
        assert_eq!(text(&shown["base_url"]), base.trim_end_matches('/'));
        assert!(shown["last_used_at"].is_string() && shown["created_at"].is_string());
        assert_eq!(lab.asked()[0].path, "/lab/api/v4/user");
        let sealed: Option<String> = app.app.db.scalar(sql!("SELECT sealed_secret FROM credentials")).await.unwrap();
        assert!(!sealed.unwrap().contains("glpat"));
        // A secret that was moved to another row opens nothing.
        assert_eq!(app.person("otto").await.get(&one("gitlab")).await.expect(200)["exists"], false);
        ona.delete(&one("gitlab")).await.expect(204);
        ona.delete(&one("gitlab")).await.expect(204);
        assert_eq!(ona.get(&one("gitlab")).await.expect(200)["exists"], false);
        ona.get(&one("sourceforge")).await.expect(404);
        let audit = app.admin().await.get("/api/v1/workspace/audit-events/").await.expect(200);
        for kind in ["credential_saved", "credential_removed"] {
            assert!(audit.text.contains(kind), "{kind}");
        }
        assert!(!audit.text.contains("glpat"));
    }

    async fn a_secret_that_its_provider_does_not_take_says_why(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1", "SVC_RATE_LIMIT_ENABLED" = "false",
        "SVC_RATE_LIMIT_DISABLE_ACK" = "tests") {
        let (ona, lab) = (app.person("ona").await, gitlab().await);
        let reason = async |body: Value| {
            let refused = ona.post(&one("gitlab"), body).await.expect(422);
            assert_eq!(text(&refused["code"]), "provider_verification_failed", "{}", refused.text);
            text(&refused["reason"]).to_owned()
        };
        let base = format!("{}/lab", lab.url());
        assert_eq!(reason(json!({"secret": "wrong", "base_url": base})).await, "invalid_token");
        assert_eq!(reason(json!({"secret": "x", "base_url": "http://127.0.0.1:9"})).await, "provider_unreachable");
        assert_eq!(reason(json!({"secret": "x", "base_url": "https://10.0.0.8"})).await, "blocked_host");
        let portal = format!("{}/portal", lab.url());
        assert_eq!(reason(json!({"secret": "glpat-good", "base_url": portal})).await, "provider_unreachable",
            "an answer that does not say who the caller is may be anything");
        let silent = Receiver::that(Mood::Hangs).await;
        let silent = silent.url().replace("/hook?team=7", "");
        assert_eq!(reason(json!({"secret": "x", "base_url": silent})).await, "provider_timeout");
        assert_eq!(ona.get(&one("gitlab")).await.expect(200)["exists"], false, "nothing was kept");
        let plain = ona.post(&one("gitlab"), json!({"secret": "x", "base_url": "http://8.8.8.8"})).await.expect(400);
        assert!(plain["base_url"].is_array(), "a secret is not sent in the clear: {}", plain.text);
        let fixed = ona.post(&one("box"), json!({"secret": "x", "base_url": base})).await.expect(400);
        assert_eq!(text(&fixed["code"]), "base_url_not_allowed");
        for wrong in [json!({}), json!({"secret": ""}), json!({"secret": "x", "expires_at": "2020-01-01T00:00:00Z"})] {
            ona.post(&one("gitlab"), wrong).await.expect(400);
        }
        ona.post(&one("gitea"), json!({"secret": "x"})).await.expect(400);
        ona.post(&one("gitea"), json!({"secret": "a\nb", "base_url": base})).await.expect(400);
    }

    async fn no_token_manages_credentials(app: &TestApp) {
        let ona = app.person("ona").await;
        let minted = ona.post("/api/v1/me/api-tokens/", json!({"name": "mine"})).await.expect(201);
        let by_token = ona.with_token(text(&minted["token"]));
        by_token.get(ALL).await.expect(403);
        by_token.get(&one("github")).await.expect(403);
        by_token.post(&one("github"), json!({"secret": "x"})).await.expect(403);
        let refused = by_token.delete(&one("github")).await.expect(403);
        assert_eq!(refused["refusal"]["constraint"], "token_identity");
    }

    async fn a_link_is_read_with_the_credential_of_whoever_asks(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let site = Site::new(app).await;
        let (mia, lab) = (site.person("mia", 100).await, gitlab().await);
        let base = format!("{}/lab", lab.url());
        let task = site.task("Pump", 1).await;
        let links = site.at(&format!("tasks/{task}/links/"));
        let address = format!("{base}/mill/pump/-/merge_requests/7");
        let link = site.owner.post(&links, json!({"url": address})).await.expect(201).id();
        let refresh = format!("{links}{link}/refresh/");
        site.owner.post(&one("gitlab"), json!({"secret": "glpat-good", "base_url": base})).await.expect(200);
        let read = site.owner.post(&refresh, json!({})).await.expect(200);
        assert_eq!((text(&read["title"]), text(&read["status"])), ("Quieter", "merged"));
        // What one person may see there is not asked for with their secret by another.
        let other = mia.post(&refresh, json!({})).await.expect(200);
        assert_eq!(text(&other["status"]), "unknown");
        let asked = lab.asked();
        assert_eq!(asked.last().unwrap().header("private-token"), "", "{:?}", asked.last());
        let soon = (app.clock.now() + chrono::Duration::minutes(5)).to_rfc3339();
        let ending = json!({"secret": "glpat-good", "base_url": base, "expires_at": soon});
        site.owner.post(&one("gitlab"), ending).await.expect(200);
        app.later(chrono::Duration::minutes(6));
        let over = site.owner.post(&refresh, json!({})).await.expect(200);
        assert_eq!(text(&over["status"]), "unknown", "it has ended");
        site.owner.post(&one("gitlab"), json!({"secret": "glpat-good", "base_url": base})).await.expect(200);
        app.write(sql!("UPDATE credentials SET sealed_secret = 'of a key that is gone'")).await;
        let before = lab.asked().len();
        let lost = site.owner.post(&refresh, json!({})).await.expect(422);
        assert_eq!((text(&lost["code"]), text(&lost["provider"])), ("credential_required", "gitlab"));
        assert_eq!(lab.asked().len(), before, "the page is not read as if it were public");
    }

    async fn the_operator_says_which_hosts_people_name(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1", "SVC_INTEGRATION_ALLOWED_HOSTS" = "lab.example.org") {
        let (ona, lab) = (app.person("ona").await, gitlab().await);
        let asked = json!({"secret": "glpat-good", "base_url": format!("{}/lab", lab.url())});
        let refused = ona.post(&one("gitlab"), asked).await.expect(400);
        assert_eq!(text(&refused["code"]), "base_url_not_allowed");
        assert!(lab.asked().is_empty());
    }
}
