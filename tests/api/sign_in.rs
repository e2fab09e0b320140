//! Signing in, staying signed in and signing out.
//! Passwords themselves are in `passwords.rs`.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Duration, Utc};
use planwright_store::{Sql, sql};
use planwright_testkit::{Answer, TestApp, both_engines};
use planwright_web::session_tokens::Refresh;
use serde_json::{Value as Json, json};

const SIGN_IN: &str = "/api/v1/auth/token/";
const REFRESH: &str = "/api/v1/auth/token/refresh/";
const SIGN_OUT: &str = "/api/v1/auth/logout/";
const JSON: &str = "application/json";
const ME: &str = "/api/v1/auth/me/";

/// Signs a person of the test kit in with their password.
pub(crate) async fn sign_in(app: &TestApp, name: &str, remember_me: impl Into<Json>) -> Answer {
    let body = json!({
        "username": name, "password": format!("{name}-password-1"), "remember_me": remember_me.into(),
    });
    app.anonymous().post(SIGN_IN, body).await.expect(200)
}

/// The refresh cookie of an answer, as a browser sends it back.
pub(crate) fn cookie_of(answer: &Answer) -> String {
    answer.header("set-cookie").split(';').next().unwrap_or_default().to_owned()
}

/// What the refresh token of a cookie says.
fn claims(cookie: &str) -> Json {
    let body = cookie.split('.').nth(1).expect("a signed token has three parts");
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(body).unwrap()).unwrap()
}

/// Refreshes with a cookie.
pub(crate) async fn refresh(app: &TestApp, cookie: &str) -> Answer {
    app.anonymous().with_header("cookie", cookie).post(REFRESH, json!({})).await
}

/// Changes a row in a way that no route offers.
pub(crate) async fn run(app: &TestApp, statement: Sql) {
    let mut tx = app.app.db.begin().await.expect("a transaction begins");
    tx.run(statement).await.expect("the statement is right");
    tx.commit().await.expect("the transaction commits");
}

both_engines! {
    async fn an_access_token_ends_with_its_sign_in(app: &TestApp) {
        let mara = app.person("mara").await;
        let [stolen, other] = [sign_in(app, "mara", true).await, sign_in(app, "mara", true).await]
            .map(|answer| app.anonymous().with_token(answer["access"].as_str().unwrap()));
        stolen.get(ME).await.expect(200);
        mara.post("/api/v1/auth/logout/all/", json!({})).await.expect(205);
        for ended in [&stolen, &other, &mara] {
            let refused = ended.get(ME).await.expect(401);
            assert_eq!(refused["code"], "token_not_valid");
            ended.post("/api/v1/me/api-tokens/", json!({"name": "ci"})).await.expect(401);
        }
        sign_in(app, "mara", true).await;
    }

    async fn an_access_token_ends_with_the_password_that_it_was_got_with(app: &TestApp) {
        app.person("mara").await;
        let stolen = app.anonymous().with_token(sign_in(app, "mara", true).await["access"].as_str().unwrap());
        let change = json!({"old_password": "mara-password-1", "new_password": "copper-lantern-7"});
        let mara = app.anonymous().with_token(sign_in(app, "mara", true).await["access"].as_str().unwrap());
        mara.post("/api/v1/auth/password/change/", change).await.expect(200);
        stolen.get(ME).await.expect(401);
        stolen.post("/api/v1/me/api-tokens/", json!({"name": "ci"})).await.expect(401);
    }

    async fn recognising_a_bearer_takes_one_statement(app: &TestApp) {
        let mara = app.person("mara").await;
        let before = app.app.db.statements();
        // A malformed id ends the request before anything else is asked.
        mara.get("/api/v1/calendars/no-id/").await.expect(404);
        assert_eq!(app.app.db.statements() - before, 1);
    }

    async fn the_refresh_token_carries_the_choice_and_names_its_row(app: &TestApp) {
        app.person("mara").await;
        for remember in [true, false] {
            let cookie = cookie_of(&sign_in(app, "mara", remember).await);
            let next = cookie_of(&refresh(app, &cookie).await.expect(200));
            for said in [claims(&cookie), claims(&next)] {
                assert_eq!((&said["token_type"], &said["remember"]), (&json!("refresh"), &json!(remember)));
                let id: uuid::Uuid = said["jti"].as_str().unwrap().parse().unwrap();
                let rows = "SELECT COUNT(*) FROM refresh_tokens WHERE id = :id";
                assert_eq!(app.app.db.count(sql!(rows, id = id)).await.unwrap(), 1);
            }
        }
    }

    async fn a_sign_in_ends_after_its_longest_life_however_much_it_is_used(
        app: &TestApp,
        "SVC_SESSION_MAX_DAYS" = "1"
    ) {
        app.person("mara").await;
        let mut cookie = cookie_of(&sign_in(app, "mara", true).await);
        for _ in 0..3 {
            app.later(Duration::hours(7));
            cookie = cookie_of(&refresh(app, &cookie).await.expect(200));
        }
        let answer = refresh(app, &cookie).await.expect(200);
        assert!(answer.header("set-cookie").contains("Max-Age=10800"), "{}", answer.header("set-cookie"));
        app.later(Duration::hours(3));
        refresh(app, &cookie_of(&answer)).await.expect(401);
    }

    async fn a_sign_in_answers_an_access_token_and_keeps_the_refresh_token_in_a_cookie(app: &TestApp) {
        app.person("mara").await;
        let answer = sign_in(app, "mara", false).await;
        assert_eq!(answer.json.as_object().unwrap().keys().collect::<Vec<_>>(), ["access"]);
        let cookie = answer.header("set-cookie");
        assert!(cookie.starts_with("svc_refresh="), "{cookie}");
        for part in ["HttpOnly", "Secure", "SameSite=Strict", "Path=/api/v1/auth/token/refresh/"] {
            assert!(cookie.split("; ").any(|found| found == part), "{part} is not in {cookie}");
        }
        assert!(!cookie.contains("Max-Age"), "{cookie}");
        assert_eq!(answer.header("cache-control"), "no-store");
        let access = answer["access"].as_str().unwrap();
        let me = app.anonymous().with_token(access).get(ME).await.expect(200);
        assert_eq!(me["username"], "mara");
    }

    async fn only_a_literal_true_is_remembered(app: &TestApp) {
        app.person("mara").await;
        for request in [json!("true"), json!(1), json!(null)] {
            let answer = sign_in(app, "mara", request).await;
            assert!(!answer.header("set-cookie").contains("Max-Age"));
        }
        let answer = sign_in(app, "mara", true).await;
        assert!(answer.header("set-cookie").contains("Max-Age=2592000"));
    }

    async fn unknown_wrong_and_inactive_are_told_the_same(app: &TestApp) {
        app.person("mara").await;
        app.person("ida").await;
        run(app, sql!("UPDATE users SET is_active = FALSE WHERE username = 'ida'")).await;
        let mut texts = Vec::new();
        for (name, password) in [("nobody", "nobody-password-1"), ("mara", "wrong"), ("ida", "ida-password-1")] {
            let refused = app.anonymous().post(SIGN_IN, json!({"username": name, "password": password})).await;
            assert_eq!(refused.header("www-authenticate"), "Bearer");
            assert_eq!(refused.header("set-cookie"), "");
            texts.push(refused.expect(401).text);
        }
        assert!(texts.iter().all(|text| *text == texts[0]), "{texts:?}");
    }

    async fn a_user_name_is_trimmed_and_otherwise_exact(app: &TestApp) {
        app.person("mara").await;
        let attempt = async |name: &str| {
            let body = json!({"username": name, "password": "mara-password-1"});
            app.anonymous().post(SIGN_IN, body).await.status
        };
        assert_eq!(attempt(" mara ").await, 200);
        assert_eq!(attempt("Mara").await, 401);
    }

    async fn a_sign_in_without_its_fields_names_them(app: &TestApp) {
        let refused = app.anonymous().post(SIGN_IN, json!({})).await.expect(400);
        assert_eq!(refused["username"][0], "This field is required.");
        assert_eq!(refused["password"][0], "This field is required.");
    }

    async fn the_time_of_the_last_sign_in_is_kept(app: &TestApp) {
        app.person("mara").await;
        let last = "SELECT last_login_at FROM users WHERE username = 'mara'";
        let before: Option<Option<DateTime<Utc>>> = app.app.db.scalar(sql!(last)).await.unwrap();
        assert_eq!(before, Some(None));
        sign_in(app, "mara", false).await;
        let after: Option<Option<DateTime<Utc>>> = app.app.db.scalar(sql!(last)).await.unwrap();
        assert_eq!(after, Some(Some(app.clock.now())));
    }

    async fn five_attempts_a_minute_are_let_through_for_a_name_and_ten_for_an_address(app: &TestApp) {
        let nobody = app.anonymous();
        let wrong = |name: &str| json!({"username": name, "password": "wrong"});
        for name in ["mara", "Mara", " mara", "MARA ", "mara"] {
            nobody.post(SIGN_IN, wrong(name)).await.expect(401);
        }
        let refused = nobody.post(SIGN_IN, wrong("mara")).await.expect(429);
        assert_eq!(refused.header("retry-after"), "60");
        let form = "application/x-www-form-urlencoded";
        nobody.post_raw(SIGN_IN, form, "username=mara&password=wrong").await.expect(429);
        for number in 0..5 {
            nobody.post(SIGN_IN, wrong(&format!("other{number}"))).await.expect(401);
        }
        nobody.post(SIGN_IN, wrong("one-more")).await.expect(429);
        app.later(Duration::seconds(60));
        nobody.post(SIGN_IN, wrong("mara")).await.expect(401);
    }

    async fn a_refresh_needs_its_cookie_and_nothing_else(app: &TestApp) {
        app.person("mara").await;
        let cookie = cookie_of(&sign_in(app, "mara", false).await);
        let token = cookie.trim_start_matches("svc_refresh=");
        let in_body = app.anonymous().lenient().post(REFRESH, json!({"refresh": token})).await.expect(401);
        assert!(in_body["detail"].is_string());
        refresh(app, "svc_refresh=made-up").await.expect(401);
        refresh(app, "other=1").await.expect(401);
        let answer = app.anonymous().with_header("cookie", &cookie).post_raw(REFRESH, JSON, "").await.expect(200);
        assert_ne!(cookie_of(&answer), cookie);
        app.anonymous().with_token(answer["access"].as_str().unwrap()).get(ME).await.expect(200);
    }

    async fn two_tabs_may_race_but_a_token_used_twice_ends_its_family(app: &TestApp) {
        app.person("mara").await;
        let first = cookie_of(&sign_in(app, "mara", false).await);
        let elsewhere = cookie_of(&sign_in(app, "mara", false).await);
        let one = cookie_of(&refresh(app, &first).await.expect(200));
        app.later(Duration::seconds(10));
        let other = refresh(app, &first).await.expect(200);
        assert_eq!(other.header("set-cookie"), "", "a token has one successor");
        let other = app.anonymous().with_token(other["access"].as_str().unwrap());
        other.get(ME).await.expect(200);
        let one = cookie_of(&refresh(app, &one).await.expect(200));
        app.later(Duration::seconds(1));
        refresh(app, &first).await.expect(401);
        refresh(app, &one).await.expect(401);
        other.get(ME).await.expect(401);
        refresh(app, &elsewhere).await.expect(200);
    }

    async fn a_sign_in_lasts_twelve_hours_after_its_last_use(app: &TestApp) {
        app.person("mara").await;
        let mut cookie = cookie_of(&sign_in(app, "mara", false).await);
        for _ in 0..3 {
            app.later(Duration::hours(11));
            let answer = refresh(app, &cookie).await.expect(200);
            assert!(!answer.header("set-cookie").contains("Max-Age"));
            cookie = cookie_of(&answer);
        }
        app.later(Duration::hours(12));
        refresh(app, &cookie).await.expect(401);
    }

    async fn a_remembered_sign_in_lasts_thirty_days_after_its_last_use(app: &TestApp) {
        app.person("mara").await;
        let mut cookie = cookie_of(&sign_in(app, "mara", true).await);
        for _ in 0..2 {
            app.later(Duration::days(29));
            let answer = refresh(app, &cookie).await.expect(200);
            assert!(answer.header("set-cookie").contains("Max-Age=2592000"));
            cookie = cookie_of(&answer);
        }
        app.later(Duration::days(30));
        refresh(app, &cookie).await.expect(401);
    }

    async fn a_session_from_before_the_choice_keeps_a_cookie_of_seven_days(app: &TestApp) {
        app.person("mara").await;
        let cookie = cookie_of(&sign_in(app, "mara", false).await);
        let tokens = &app.app.session_tokens;
        let said = tokens.read_refresh(cookie.trim_start_matches("svc_refresh=")).unwrap();
        let older = tokens.refresh(Refresh { remember: None, ..said }, app.clock.now()).unwrap();
        let answer = refresh(app, &format!("svc_refresh={older}")).await.expect(200);
        assert!(answer.header("set-cookie").contains("Max-Age=604800"));
        let cookie = cookie_of(&answer);
        assert!(!claims(&cookie).as_object().unwrap().contains_key("remember"));
        app.later(Duration::days(7));
        refresh(app, &cookie).await.expect(401);
    }

    async fn somebody_deactivated_is_out_at_once(app: &TestApp) {
        app.person("mara").await;
        let answer = sign_in(app, "mara", true).await;
        run(app, sql!("UPDATE users SET is_active = FALSE WHERE username = 'mara'")).await;
        refresh(app, &cookie_of(&answer)).await.expect(401);
        let refused = app.anonymous().with_token(answer["access"].as_str().unwrap()).get(ME).await.expect(401);
        assert_eq!(refused["code"], "user_inactive");
    }

    async fn signing_out_clears_the_cookie_and_ends_the_session_if_there_is_one(app: &TestApp) {
        app.person("mara").await;
        let cookie = cookie_of(&sign_in(app, "mara", true).await);
        let nobody = app.anonymous();
        nobody.post(SIGN_OUT, json!({})).await.expect(205);
        refresh(app, "svc_refresh=made-up").await.expect(401);
        let out = nobody.with_header("cookie", &cookie).post_raw(SIGN_OUT, JSON, "").await.expect(205);
        let cleared = out.header("set-cookie");
        assert!(cleared.starts_with("svc_refresh=;"), "{cleared}");
        for part in ["Max-Age=0", "SameSite=Strict", "Path=/api/v1/auth/token/refresh/"] {
            assert!(cleared.contains(part), "{part} is not in {cleared}");
        }
        refresh(app, &cookie).await.expect(401);
        nobody.with_header("cookie", &cookie).post(SIGN_OUT, json!({})).await.expect(205);
    }

    async fn signing_out_ends_the_session_of_the_access_token_since_browsers_keep_the_cookie_back(app: &TestApp) {
        app.person("mara").await;
        for minutes in [0, 20] {
            let answer = sign_in(app, "mara", true).await;
            let elsewhere = cookie_of(&sign_in(app, "mara", true).await);
            let mara = app.anonymous().with_token(answer["access"].as_str().unwrap());
            // An access token that has ended by itself still tells which session is meant.
            app.later(Duration::minutes(minutes));
            mara.post(SIGN_OUT, json!({})).await.expect(205);
            mara.get(ME).await.expect(401);
            refresh(app, &cookie_of(&answer)).await.expect(401);
            refresh(app, &elsewhere).await.expect(200);
        }
        app.anonymous().with_token("made.up.token").post(SIGN_OUT, json!({})).await.expect(205);
    }

    async fn a_page_of_another_origin_refreshes_nothing(app: &TestApp, "SVC_PUBLIC_URL" = "https://plan.test") {
        app.person("mara").await;
        let cookie = cookie_of(&sign_in(app, "mara", true).await);
        let browser = app.anonymous().with_header("cookie", &cookie);
        browser.with_header("origin", "https://evil.test").post(REFRESH, json!({})).await.expect(403);
        browser.with_header("origin", "https://plan.test").post(REFRESH, json!({})).await.expect(200);
    }

    async fn signing_out_everywhere_ends_every_session_of_the_caller_and_no_other(app: &TestApp) {
        let mara = app.person("mara").await;
        app.person("ida").await;
        let here = cookie_of(&sign_in(app, "mara", true).await);
        let there = cookie_of(&sign_in(app, "mara", false).await);
        let others = cookie_of(&sign_in(app, "ida", false).await);
        app.anonymous().post("/api/v1/auth/logout/all/", json!({})).await.expect(401);
        let out = mara.post("/api/v1/auth/logout/all/", json!({})).await.expect(205);
        assert!(out.header("set-cookie").contains("Max-Age=0"));
        refresh(app, &here).await.expect(401);
        refresh(app, &there).await.expect(401);
        refresh(app, &others).await.expect(200);
    }

    async fn the_cookie_is_what_the_settings_say(
        app: &TestApp,
        "SVC_IDENTIFIER_PREFIX" = "acme",
        "SVC_AUTH_REFRESH_COOKIE_SECURE" = "False",
        "SVC_AUTH_REFRESH_COOKIE_SAMESITE" = "Lax",
        "SVC_AUTH_REFRESH_COOKIE_PATH" = "/api/",
        "SVC_REFRESH_TOKEN_REMEMBER_DAYS" = "2"
    ) {
        app.person("mara").await;
        let answer = sign_in(app, "mara", true).await;
        let cookie = answer.header("set-cookie");
        assert!(cookie.starts_with("acme_refresh="), "{cookie}");
        assert!(cookie.contains("; Path=/api/;") && cookie.contains("; SameSite=Lax"), "{cookie}");
        assert!(cookie.contains("; Max-Age=172800") && !cookie.contains("Secure"), "{cookie}");
        refresh(app, &cookie_of(&answer)).await.expect(200);
    }

    async fn what_ended_a_week_ago_is_forgotten_and_what_goes_on_is_not(app: &TestApp) {
        app.person("mara").await;
        let kept = cookie_of(&sign_in(app, "mara", true).await);
        let ended = cookie_of(&sign_in(app, "mara", true).await);
        sign_in(app, "mara", false).await;
        app.anonymous().with_header("cookie", &ended).post(SIGN_OUT, json!({})).await.expect(205);
        app.later(Duration::days(8));
        app.run_jobs().await;
        let sessions = "SELECT COUNT(*) FROM sessions";
        assert_eq!(app.app.db.count(sql!(sessions)).await.unwrap(), 1);
        refresh(app, &kept).await.expect(200);
    }
}
