//! Personal access tokens: minting, using, revoking them, and their trail.
//! That a password change revokes them is in `passwords.rs`.

use chrono::{Duration, SecondsFormat};
use planwright_store::sql;
use planwright_testkit::{Answer, TestApp, both_engines};
use serde_json::json;

use crate::sign_in::run;

const TOKENS: &str = "/api/v1/me/api-tokens/";
const AUDIT: &str = "/api/v1/me/api-token-audit/";
const ME: &str = "/api/v1/auth/me/";
const PROFILE: &str = "/api/v1/auth/me/profile/";

fn in_days(app: &TestApp, days: i64) -> String {
    (app.clock.now() + Duration::days(days)).to_rfc3339_opts(SecondsFormat::Secs, true)
}

fn token_of(minted: &Answer) -> &str {
    minted["token"].as_str().expect("a minted token is shown")
}

both_engines! {
    async fn a_token_is_shown_once_and_acts_as_its_owner(app: &TestApp) {
        let mara = app.person("mara").await;
        let minted = mara.post(TOKENS, json!({"name": " ci "})).await.expect(201);
        let token = token_of(&minted);
        let digits = token.strip_prefix("svc_").expect("the prefix is the installation's");
        assert!(digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()), "{token}");
        assert_eq!(minted["token_prefix"], &digits[..8]);
        assert_eq!(minted["name"], "ci");
        assert_eq!(minted["scopes"], json!(["legacy:full"]));
        assert!(minted["expires_at"].is_null());
        assert!(minted["warning"].as_str().unwrap().contains("never expires"));
        let as_mara = app.anonymous().with_token(token);
        assert_eq!(as_mara.get(ME).await.expect(200)["username"], "mara");
        as_mara.patch(PROFILE, json!({"date_format": "iso"})).await.expect(200);
        let listed = mara.get(TOKENS).await.expect(200);
        assert_eq!(listed["count"], 1);
        assert!(!listed.text.contains(token));
        let shown = mara.get(&format!("{TOKENS}{}/", minted.id())).await.expect(200);
        assert!(shown["last_used_at"].is_string());
        assert_eq!(shown["is_revoked"], false);
        assert_eq!(shown["is_expired"], false);
        assert!(shown["token"].is_null());
    }

    async fn a_repeated_mint_is_not_answered_from_memory(app: &TestApp) {
        let mara = app.person("mara").await.with_header("idempotency-key", "k");
        let first = mara.post(TOKENS, json!({"name": "a"})).await.expect(201);
        let second = mara.post(TOKENS, json!({"name": "a"})).await.expect(201);
        assert_ne!(token_of(&first), token_of(&second));
    }

    async fn wrong_scopes_and_ends_are_refused_by_field(app: &TestApp) {
        let mara = app.person("mara").await;
        for (request, field) in [
            (json!({"name": "a", "scopes": ["legacy:full", "mcp:read"], "expires_at": in_days(app, 1)}), "scopes"),
            (json!({"name": "a", "scopes": ["all"]}), "scopes"),
            (json!({"name": "a", "scopes": ["mcp:read"]}), "expires_at"),
            (json!({"name": "a", "scopes": ["mcp:read"], "expires_at": in_days(app, 366)}), "expires_at"),
            (json!({"name": "a", "expires_at": in_days(app, -1)}), "expires_at"),
            (json!({"name": "a", "expires_at": "tomorrow"}), "expires_at"),
            (json!({"name": "x".repeat(129)}), "name"),
            (json!({}), "name"),
        ] {
            app.later(Duration::seconds(13));
            let refused = mara.post(TOKENS, request).await.expect(400);
            assert!(!refused[field].is_null(), "{field}: {}", refused.text);
        }
    }

    async fn a_person_has_so_many_active_tokens_and_no_more(
        app: &TestApp,
        "SVC_MAX_PERSONAL_ACCESS_TOKENS" = "2"
    ) {
        let mara = app.person("mara").await;
        let first = mara.post(TOKENS, json!({"name": "a"})).await.expect(201);
        mara.post(TOKENS, json!({"name": "b", "expires_at": in_days(app, 1)})).await.expect(201);
        let refused = mara.post(TOKENS, json!({"name": "c"})).await.expect(400);
        assert!(refused["detail"].as_str().unwrap().contains('2'));
        mara.delete(&format!("{TOKENS}{}/", first.id())).await.expect(204);
        mara.post(TOKENS, json!({"name": "c"})).await.expect(201);
        app.later(Duration::days(1));
        let mut mara = mara;
        mara.sign_in_again().await;
        mara.post(TOKENS, json!({"name": "d"})).await.expect(201);
        let listed = mara.get(&format!("{TOKENS}?search=B")).await.expect(200);
        assert_eq!(listed["count"], 1);
        assert_eq!(listed.results()[0]["is_expired"], true);
    }

    async fn minting_asks_for_the_password_again_ten_minutes_after_the_sign_in(app: &TestApp) {
        let mut mara = app.person("mara").await;
        app.later(Duration::minutes(10));
        mara.post(TOKENS, json!({"name": "a"})).await.expect(201);
        app.later(Duration::minutes(1));
        let refused = mara.post(TOKENS, json!({"name": "b"})).await.expect(403);
        assert_eq!(refused["code"], "recent_sign_in_required");
        let wrong = json!({"name": "b", "current_password": "wrong"});
        assert!(mara.post(TOKENS, wrong).await.expect(400)["current_password"][0].is_string());
        let right = json!({"name": "b", "current_password": "mara-password-1"});
        let minted = mara.post(TOKENS, right).await.expect(201);
        assert!(!minted.text.contains("mara-password"), "{}", minted.text);
        mara.sign_in_again().await;
        mara.post(TOKENS, json!({"name": "c"})).await.expect(201);
    }

    async fn no_token_manages_tokens(app: &TestApp) {
        let mara = app.person("mara").await;
        let minted = mara.post(TOKENS, json!({"name": "a"})).await.expect(201);
        let by_token = mara.with_token(token_of(&minted));
        let one = format!("{TOKENS}{}/", minted.id());
        let refused = by_token.get(TOKENS).await.expect(403);
        assert_eq!(refused["refusal"]["verdict"], "refused");
        assert_eq!(refused["refusal"]["reason"], "identity");
        by_token.post(TOKENS, json!({"name": "b"})).await.expect(403);
        by_token.get(&one).await.expect(403);
        by_token.delete(&one).await.expect(403);
        by_token.get(AUDIT).await.expect(403);
        by_token.post("/api/v1/auth/logout/all/", json!({})).await.expect(403);
        by_token.get(ME).await.expect(200);
    }

    async fn a_reading_token_sees_the_agent_surface_and_nothing_else(app: &TestApp) {
        let mara = app.person("mara").await;
        let request = json!({"name": "agent", "scopes": ["mcp:read"], "expires_at": in_days(app, 365)});
        let minted = mara.post(TOKENS, request).await.expect(201);
        assert_eq!(minted["scopes"], json!(["mcp:read"]));
        let agent = app.anonymous().with_token(token_of(&minted));
        agent.get(ME).await.expect(200);
        let refused = agent.get("/api/v1/calendars/").await.expect(403);
        assert_eq!(refused["refusal"]["constraint"], "capability_scope");
        agent.patch(PROFILE, json!({"date_format": "iso"})).await.expect(403);
        app.later(Duration::days(365));
        agent.get(ME).await.expect(401);
    }

    async fn revoking_is_for_the_owner_and_may_be_repeated(app: &TestApp) {
        let mara = app.person("mara").await;
        let ida = app.person("ida").await;
        let minted = mara.post(TOKENS, json!({"name": "a"})).await.expect(201);
        let one = format!("{TOKENS}{}/", minted.id());
        ida.get(&one).await.expect(404);
        ida.delete(&one).await.expect(404);
        assert_eq!(ida.get(TOKENS).await.expect(200)["count"], 0);
        mara.delete(&one).await.expect(204);
        mara.delete(&one).await.expect(204);
        app.anonymous().with_token(token_of(&minted)).get(ME).await.expect(401);
        let shown = mara.get(&one).await.expect(200);
        assert_eq!(shown["is_revoked"], true);
        assert!(shown["revoked_at"].is_string());
        assert_eq!(mara.get(AUDIT).await.expect(200)["count"], 2);
    }

    async fn the_token_of_somebody_inactive_is_no_good(app: &TestApp) {
        let mara = app.person("mara").await;
        let minted = mara.post(TOKENS, json!({"name": "a"})).await.expect(201);
        run(app, sql!("UPDATE users SET is_active = FALSE WHERE username = 'mara'")).await;
        app.anonymous().with_token(token_of(&minted)).get(ME).await.expect(401);
    }

    async fn the_trail_is_walked_by_limit_and_offset_newest_first(app: &TestApp) {
        let mara = app.person("mara").await;
        for name in ["a", "b"] {
            mara.post(TOKENS, json!({"name": name})).await.expect(201);
            app.later(Duration::seconds(1));
        }
        let last = mara.get(TOKENS).await.expect(200).results()[0]["id"].as_str().unwrap().to_owned();
        mara.delete(&format!("{TOKENS}{last}/")).await.expect(204);
        let first = mara.get(&format!("{AUDIT}?limit=2")).await.expect(200);
        assert_eq!(first["count"], 3);
        assert!(first["previous"].is_null());
        let entry = &first.results()[0];
        assert_eq!(entry["action"], "revoked");
        assert_eq!(entry["token"], last);
        assert_eq!(entry["actor"], mara.id.to_string());
        assert_eq!(entry["actor_email"], "mara@example.test");
        assert_eq!(entry["detail"]["reason"], "owner");
        assert_eq!(first.results()[1]["action"], "minted");
        assert_eq!(first.results()[1]["detail"]["name"], "b");
        let next = first["next"].as_str().unwrap().replace("http://test.local", "");
        let rest = mara.get(&next).await.expect(200);
        assert_eq!(rest.results().len(), 1);
        assert!(rest["next"].is_null());
        assert!(rest["previous"].is_string());
        mara.get(&format!("{AUDIT}?limit=0")).await.expect(400);
        mara.get(&format!("{AUDIT}?offset=-1")).await.expect(400);
        assert_eq!(mara.get(&format!("{AUDIT}?offset=9")).await.expect(200).results().len(), 0);
        let other = app.person("ida").await;
        assert_eq!(other.get(AUDIT).await.expect(200)["count"], 0);
    }

    async fn five_tokens_a_minute_are_minted(app: &TestApp) {
        let mara = app.person("mara").await;
        for number in 0..5 {
            mara.post(TOKENS, json!({"name": format!("{number}")})).await.expect(201);
        }
        mara.post(TOKENS, json!({"name": "one more"})).await.expect(429);
    }
}
