//! Tokens of projects and programs: minted once, listed, revoked, audited, told to the board, and good for nothing else.

use planwright_testkit::both_engines;
use serde_json::json;

use crate::site::{Site, text};

both_engines! {
    async fn a_token_of_a_project_is_shown_once_listed_and_revoked(app: &TestApp) {
        let site = Site::new(app).await;
        let (manager, viewer) = (site.person("pia", 300).await, site.person("vera", 1).await);
        let all = site.at("api-tokens/");
        site.hush().await;
        let asked = json!({"name": "CI", "status_map": {"shipped": "COMPLETE"}});
        let minted = manager.post(&all, asked.clone()).await.expect(201);
        let secret = text(&minted["token"]).to_owned();
        assert_eq!((text(&minted["project"]), minted["program"].is_null()), (site.project.as_str(), true));
        assert_eq!((&minted["scopes"], &minted["is_revoked"]), (&json!(["legacy:full"]), &json!(false)));
        let prefix = text(&minted["token_prefix"]);
        assert!(secret.contains(prefix));
        assert_eq!(site.payloads("api_token_minted").await, [json!({"token_prefix": prefix, "name": "CI"})]);
        let one = format!("{all}{}/", minted.id());
        let listed = viewer.get(&all).await.expect(200);
        assert_eq!(listed.results().len(), 1);
        assert!(listed.results()[0]["token"].is_null(), "the token is never shown again");
        viewer.post(&all, asked.clone()).await.expect(403);
        viewer.delete(&one).await.expect(403);
        viewer.get(&site.at("api-token-audit/")).await.expect(403);
        // It opens nothing that people open, not even the project that it is of.
        app.anonymous().with_token(&secret).get(&site.at("")).await.expect(401);
        site.hush().await;
        manager.delete(&one).await.expect(204);
        manager.delete(&one).await.expect(204);
        assert_eq!(site.payloads("api_token_revoked").await.len(), 1, "revoked twice is told once");
        assert_eq!(manager.get(&one).await.expect(200)["is_revoked"], true);
        let audit = manager.get(&site.at("api-token-audit/")).await.expect(200);
        let actions: Vec<&str> = audit.results().iter().map(|row| text(&row["action"])).collect();
        assert_eq!(actions, ["revoked", "minted"]);
        let wrong = json!({"name": "", "scopes": ["mcp:read"], "status_map": {"a": "SOON"}, "expires_at": "2020-01-01T00:00:00Z"});
        let refused = manager.post(&all, wrong).await.expect(400);
        assert!(refused["name"].is_array(), "{}", refused.text);
        let wrong = json!({"name": "x", "scopes": ["mcp:read"], "status_map": {"a": "SOON"}, "expires_at": "2020-01-01T00:00:00Z"});
        let refused = manager.post(&all, wrong).await.expect(400);
        for field in ["scopes", "status_map", "expires_at"] {
            assert!(refused[field].is_array(), "{field}: {}", refused.text);
        }
        manager.with_token(&secret).get(&all).await.expect(401);
    }

    async fn a_token_of_a_program_is_none_of_its_projects(app: &TestApp) {
        let site = Site::new(app).await;
        let program = site.owner.post("/api/v1/programs/", json!({"name": "Mills"})).await.expect(201).id();
        site.owner.patch(&site.at(""), json!({"program": program})).await.expect(200);
        let all = format!("/api/v1/programs/{program}/api-tokens/");
        let minted = site.owner.post(&all, json!({"name": "CI"})).await.expect(201);
        assert_eq!((text(&minted["program"]), minted["project"].is_null()), (program.as_str(), true));
        site.owner.get(&site.at(&format!("api-tokens/{}/", minted.id()))).await.expect(404);
        assert!(site.owner.get(&site.at("api-tokens/")).await.expect(200).results().is_empty());
        site.owner.get(&format!("/api/v1/programs/{program}/api-token-audit/")).await.expect(200);
        let outsider = app.person("otto").await;
        outsider.get(&all).await.expect(404);
        outsider.delete(&format!("{all}{}/", minted.id())).await.expect(404);
        // A personal token manages no tokens.
        let own = site.owner.post("/api/v1/me/api-tokens/", json!({"name": "mine"})).await.expect(201);
        site.owner.with_token(text(&own["token"])).post(&all, json!({"name": "CI"})).await.expect(403);
    }
}
