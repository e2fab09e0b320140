//! Changing a password and getting a new one by mail.
//! What makes a password too weak is tested where the rules are.

use chrono::Duration;
use planwright_store::sql;
use planwright_testkit::{Answer, TestApp, both_engines};
use serde_json::json;

use crate::sign_in::{cookie_of, refresh, run, sign_in};

const ASK: &str = "/api/v1/auth/password/reset/";
const CONFIRM: &str = "/api/v1/auth/password/reset/confirm/";
const CHANGE: &str = "/api/v1/auth/password/change/";
const TOKENS: &str = "/api/v1/me/api-tokens/";
const GOOD: &str = "copper-lantern-7";

/// Asks for a reset link, and returns the person and the secret in it.
async fn mailed_link(app: &TestApp, email: &str) -> (String, String) {
    app.anonymous().post(ASK, json!({"email": email})).await.expect(200);
    app.run_jobs().await;
    let mails = app.sent_mail();
    let mail = mails.last().expect("a mail was sent");
    // Long lines of a mail are broken softly.
    let text = mail.replace("=\r\n", "").replace("=\n", "");
    let (_, link) = text.split_once("/reset-password/confirm/").expect("the mail has a link");
    let mut parts = link.split('/').map(str::to_owned);
    (parts.next().expect("the link names a person"), parts.next().expect("the link has a secret"))
}

async fn confirm(app: &TestApp, (uid, token): &(String, String), new_password: &str) -> Answer {
    let body = json!({"uid": uid, "token": token, "new_password": new_password});
    app.anonymous().post(CONFIRM, body).await
}

async fn password_works(app: &TestApp, name: &str, password: &str) -> bool {
    let body = json!({"username": name, "password": password});
    app.anonymous().post("/api/v1/auth/token/", body).await.status == 200
}

both_engines! {
    async fn a_reset_link_gives_a_new_password_once_and_ends_what_the_old_one_opened(app: &TestApp) {
        let mut mara = app.person("mara").await;
        let cookie = cookie_of(&sign_in(app, "mara", true).await);
        let minted = mara.post(TOKENS, json!({"name": "ci"})).await.expect(201);
        let link = mailed_link(app, "MARA@example.test").await;
        confirm(app, &link, GOOD).await.expect(200);
        assert_eq!(confirm(app, &link, GOOD).await.expect(400)["code"], "invalid_token");
        refresh(app, &cookie).await.expect(401);
        mara.with_token(minted["token"].as_str().unwrap()).get("/api/v1/auth/me/").await.expect(401);
        assert!(!password_works(app, "mara", "mara-password-1").await);
        assert!(password_works(app, "mara", GOOD).await);
        mara.sign_in_again().await;
        let audit = mara.get("/api/v1/me/api-token-audit/").await.expect(200);
        assert_eq!(audit.results()[0]["action"], "revoked");
        assert_eq!(audit.results()[0]["detail"]["reason"], "password_reset");
    }

    async fn the_link_of_the_mail_leads_to_a_page_that_changes_the_password(app: &TestApp) {
        app.person("mara").await;
        let (uid, secret) = mailed_link(app, "mara@example.test").await;
        let page = format!("/reset-password/confirm/{uid}/{secret}/");
        let anonymous = app.anonymous();
        for _ in 0..2 {
            let shown = anonymous.get(&page).await.expect(200);
            assert!(shown.headers["content-security-policy"].to_str().unwrap().contains("form-action 'self'"));
            assert!(shown.text.contains("<form method=\"post\">") && shown.text.contains("mara"));
        }
        let send = async |first: &str, second: &str| {
            anonymous.post(&page, json!({"new_password": first, "again": second})).await
        };
        assert!(send("one lantern", "other lantern").await.expect(400).text.contains("differ"));
        assert!(send("short", "short").await.expect(400).text.contains("at least 10"));
        app.later(Duration::minutes(1));
        assert!(send(GOOD, GOOD).await.expect(200).text.contains("was changed"));
        assert!(password_works(app, "mara", GOOD).await);
        app.later(Duration::minutes(2));
        assert!(anonymous.get(&page).await.expect(400).text.contains("not valid any more"));
        assert!(send(GOOD, GOOD).await.expect(400).text.contains("not valid any more"));
    }

    async fn the_page_for_a_new_password_speaks_the_language_of_its_reader(app: &TestApp) {
        app.person("mara").await;
        let (uid, secret) = mailed_link(app, "mara@example.test").await;
        let page = format!("/reset-password/confirm/{uid}/{secret}/");
        let german = app.anonymous().with_header("accept-language", "de-CH, en;q=0.5");
        let shown = german.get(&page).await.expect(200);
        assert!(shown.text.contains("<html lang=\"de\">") && shown.text.contains("Für <strong>mara</strong>"));
        assert_eq!(shown.header("content-language"), "de");
        let send = async |first: &str, second: &str| {
            german.post(&page, json!({"new_password": first, "again": second})).await
        };
        let differing = send("one lantern", "other lantern").await.expect(400);
        assert!(differing.text.contains("Die beiden Passwörter sind verschieden."), "{}", differing.text);
        let weak = send("mara", "mara").await.expect(400);
        for sentence in ["braucht mindestens 10 Zeichen", "dem Benutzernamen zu ähnlich"] {
            assert!(weak.text.contains(sentence), "{}", weak.text);
        }
        app.later(Duration::minutes(1));
        assert!(send(GOOD, GOOD).await.expect(200).text.contains("Das Passwort ist geändert"));
        assert!(german.get(&page).await.expect(400).text.contains("Dieser Link gilt nicht mehr"));
    }

    async fn asking_says_the_same_for_everybody_and_mails_only_who_may_have_a_password(app: &TestApp) {
        for name in ["mara", "ida", "olaf"] {
            app.person(name).await;
        }
        run(app, sql!("UPDATE users SET is_active = FALSE WHERE username = 'ida'")).await;
        run(app, sql!("UPDATE users SET password_hash = NULL WHERE username = 'olaf'")).await;
        let mut texts = Vec::new();
        for name in ["mara", "ida", "olaf", "nobody"] {
            let answer = app.anonymous().post(ASK, json!({"email": format!("{name}@example.test")})).await;
            texts.push(answer.expect(200).text);
        }
        assert!(texts.iter().all(|text| *text == texts[0]), "{texts:?}");
        app.run_jobs().await;
        let mails = app.sent_mail();
        assert_eq!(mails.len(), 1, "{mails:?}");
        assert!(mails[0].contains("mara@example.test"));
        app.anonymous().post(ASK, json!({"email": "no address"})).await.expect(400);
    }

    async fn the_host_of_a_request_never_gets_into_a_link(
        app: &TestApp,
        "SVC_FRONTEND_BASE_URL" = "https://plan.example.test/app/",
        "SVC_ALLOWED_HOSTS" = "*"
    ) {
        app.person("mara").await;
        let poisoned = app.anonymous().with_header("host", "evil.example.test");
        poisoned.post(ASK, json!({"email": "mara@example.test"})).await.expect(200);
        app.run_jobs().await;
        let mail = app.sent_mail().pop().unwrap().replace("=\r\n", "").replace("=\n", "");
        assert!(mail.contains("https://plan.example.test/app/reset-password/confirm/"), "{mail}");
        assert!(!mail.contains("evil"));
    }

    async fn a_weak_password_is_refused_with_reasons_and_leaves_the_link_good(app: &TestApp) {
        app.person("mara").await;
        let link = mailed_link(app, "mara@example.test").await;
        let weak = confirm(app, &link, "short").await.expect(400);
        assert_eq!(weak["code"], "weak_password");
        assert!(weak["messages"].as_array().unwrap().len() >= 2);
        let current = confirm(app, &link, "mara-password-1").await.expect(400);
        assert_eq!(current["messages"], json!(["The password is the current one."]));
        confirm(app, &link, GOOD).await.expect(200);
    }

    async fn a_link_is_good_for_half_an_hour_and_for_its_person_only(app: &TestApp) {
        app.person("mara").await;
        let ida = app.person("ida").await;
        let link = mailed_link(app, "mara@example.test").await;
        let swapped = (ida.id.to_string(), link.1.clone());
        assert_eq!(confirm(app, &swapped, GOOD).await.expect(400)["code"], "invalid_token");
        let nonsense = ("nobody".to_owned(), link.1.clone());
        assert_eq!(confirm(app, &nonsense, GOOD).await.expect(400)["code"], "invalid_token");
        app.later(Duration::seconds(1800));
        assert_eq!(confirm(app, &link, GOOD).await.expect(400)["code"], "invalid_token");
    }

    async fn a_password_is_changed_by_whoever_knows_it(app: &TestApp) {
        let mara = app.person("mara").await;
        let cookie = cookie_of(&sign_in(app, "mara", true).await);
        let link = mailed_link(app, "mara@example.test").await;
        let minted = mara.post(TOKENS, json!({"name": "ci"})).await.expect(201);
        let by_token = mara.with_token(minted["token"].as_str().unwrap());
        let good = json!({"old_password": "mara-password-1", "new_password": GOOD});
        by_token.post(CHANGE, good.clone()).await.expect(403);
        let wrong = mara.post(CHANGE, json!({"old_password": "wrong", "new_password": GOOD})).await.expect(400);
        assert!(wrong["old_password"][0].is_string());
        let weak = json!({"old_password": "mara-password-1", "new_password": "1234567890"});
        assert_eq!(mara.post(CHANGE, weak).await.expect(400)["code"], "weak_password");
        assert!(mara.post(CHANGE, good).await.expect(200)["detail"].is_string());
        refresh(app, &cookie).await.expect(401);
        by_token.get("/api/v1/auth/me/").await.expect(401);
        assert!(password_works(app, "mara", GOOD).await);
        app.later(Duration::seconds(60));
        assert_eq!(confirm(app, &link, "another-lantern-8").await.expect(400)["code"], "invalid_token");
        let mut mara = mara;
        mara.sign_in_again().await;
        let audit = mara.get("/api/v1/me/api-token-audit/").await.expect(200);
        assert_eq!(audit.results()[0]["detail"]["reason"], "password_change");
        let changes = "SELECT COUNT(*) FROM history WHERE entity = 'user' AND fields LIKE '%lantern%'";
        assert_eq!(app.app.db.count(sql!(changes)).await.unwrap(), 0);
    }

    async fn five_requests_a_minute_are_let_through(app: &TestApp) {
        for _ in 0..5 {
            app.anonymous().post(ASK, json!({"email": "nobody@example.test"})).await.expect(200);
        }
        app.anonymous().post(ASK, json!({"email": "nobody@example.test"})).await.expect(429);
        let body = json!({"uid": "a", "token": "b", "new_password": "c"});
        app.anonymous().post(CONFIRM, body).await.expect(429);
    }
}
