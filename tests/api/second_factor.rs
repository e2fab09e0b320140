//! Second factors: codes of an app, recovery codes, passkeys, what the workspace asks for, and proving again who one is.

use chrono::Duration;
use planwright_domain::Role;
use planwright_store::sql;
use planwright_testkit::{Answer, Person, TestApp, both_engines};
use serde_json::{Value as Json, json};
use totp_rs::{Builder, Secret, Totp};

use crate::authenticator::Authenticator;
use crate::identity_provider::IdentityProvider;
use crate::sign_in::{cookie_of, refresh, sign_in};
use crate::site::text;

const TOKEN: &str = "/api/v1/auth/token/";
pub(crate) const SECOND: &str = "/api/v1/auth/token/second-factor/";
const PASSKEY: &str = "/api/v1/auth/passkey/";
const OPTIONS: &str = "/api/v1/auth/passkey/options/";
const CONFIRM: &str = "/api/v1/auth/confirm/";
const OWN: &str = "/api/v1/me/second-factor/";
pub(crate) const TOTP: &str = "/api/v1/me/second-factor/totp/";
const TOTP_CONFIRM: &str = "/api/v1/me/second-factor/totp/confirm/";
pub(crate) const CODES: &str = "/api/v1/me/second-factor/recovery-codes/";
pub(crate) const KEYS: &str = "/api/v1/me/second-factor/passkeys/";
const KEY_OPTIONS: &str = "/api/v1/me/second-factor/passkeys/options/";
const POLICY: &str = "/api/v1/workspace/second-factor/";
const TOKENS: &str = "/api/v1/me/api-tokens/";
const HOME: &str = "http://localhost:8080";

/// An app that makes codes, as phones have one.
pub(crate) struct Phone(Totp);

impl Phone {
    pub(crate) fn code(&self, app: &TestApp) -> String {
        self.at(app, 0)
    }

    fn at(&self, app: &TestApp, seconds: i64) -> String {
        let now = app.clock.now().timestamp() + seconds;
        self.0.generate(u64::try_from(now).unwrap()).to_string()
    }

    /// A code that is none of those near this moment.
    fn wrong(&self, app: &TestApp) -> String {
        let near = [-60, -30, 0, 30, 60].map(|seconds| self.at(app, seconds));
        (0..).map(|number| format!("{number:06}")).find(|code| !near.contains(code)).unwrap()
    }
}

/// Sets an app up and waits until its next code is good. The answer has the recovery codes.
pub(crate) async fn secure(app: &TestApp, person: &Person<'_>) -> (Phone, Vec<String>) {
    let begun = person.post(TOTP, json!({})).await.expect(201);
    let secret = Secret::try_from_base32(text(&begun["secret"])).unwrap();
    let phone = Phone(Builder::new().with_secret(secret.as_bytes().to_vec()).build().unwrap());
    let done = person.post(TOTP_CONFIRM, json!({"code": phone.code(app)})).await.expect(200);
    app.later(Duration::seconds(30));
    let codes = done["recovery_codes"].as_array().unwrap();
    (phone, codes.iter().map(|code| text(code).to_owned()).collect())
}

pub(crate) fn client<'a>(app: &'a TestApp, signed_in: &Answer) -> Person<'a> {
    app.anonymous().with_token(text(&signed_in["access"]))
}

/// The first step of a sign-in.
pub(crate) async fn first_step(app: &TestApp, name: &str) -> Answer {
    let body = json!({"username": name, "password": format!("{name}-password-1")});
    app.anonymous().post(TOKEN, body).await.expect(401)
}

pub(crate) async fn second_step(app: &TestApp, first: &Answer, code: &str) -> Answer {
    app.anonymous().post(SECOND, json!({"challenge": first["challenge"], "code": code})).await
}

async fn code_of(answer: Answer) -> String {
    text(&answer["code"]).to_owned()
}

/// The lines of the audit of a kind, newest first.
async fn audited(admin: &Person<'_>, kind: &str) -> Vec<Json> {
    let path = format!("/api/v1/workspace/audit-events/?event_type={kind}");
    admin.get(&path).await.expect(200).results().clone()
}

/// Makes a passkey for a person.
pub(crate) async fn add_key(person: &Person<'_>, key: &mut Authenticator) -> Answer {
    let asked = person.post(KEY_OPTIONS, json!({})).await.expect(200);
    let credential = key.make(&asked["public_key"]);
    person
        .post(KEYS, json!({"challenge": asked["challenge"], "name": "Phone", "credential": credential}))
        .await
}

async fn with_key(app: &TestApp, key: &mut Authenticator) -> Answer {
    let asked = app.anonymous().post(OPTIONS, json!({})).await.expect(200);
    let credential = key.sign(&asked["public_key"]);
    app.anonymous().post(PASSKEY, json!({"challenge": asked["challenge"], "credential": credential})).await
}

both_engines! {
    async fn an_app_is_set_up_and_its_codes_are_asked_for_at_every_sign_in(app: &TestApp) {
        let (admin, elsewhere) = (app.admin().await, app.person("mara").await);
        let here = client(app, &sign_in(app, "mara", true).await);
        let before = here.get(OWN).await.expect(200);
        assert_eq!((&before["since"], &before["passkeys"], &before["is_required"]), (&Json::Null, &json!([]), &json!(false)));
        let begun = here.post(TOTP, json!({})).await.expect(201);
        assert!(text(&begun["otpauth_uri"]).starts_with("otpauth://totp/planwright:mara?secret="));
        assert!(text(&begun["qr_svg"]).contains("<svg"));
        let sealed: Vec<String> = app.app.db.scalars(sql!("SELECT sealed_secret FROM totp_factors")).await.unwrap();
        assert!(!sealed[0].contains(text(&begun["secret"])));
        // Until a code was shown, nothing is asked.
        sign_in(app, "mara", true).await;
        here.post(TOTP_CONFIRM, json!({"code": "12345"})).await.expect(400);
        let (phone, codes) = secure(app, &here).await;
        assert_eq!(codes.len(), 10);
        elsewhere.get(OWN).await.expect(401);
        assert!(here.get(OWN).await.expect(200)["totp_since"].is_string());
        here.post(TOTP, json!({})).await.expect(409);

        let first = first_step(app, "mara").await;
        assert_eq!((&first["code"], &first["methods"]), (&json!("second_factor_required"), &json!(["totp", "recovery_code"])));
        assert_eq!((first.header("set-cookie"), first.header("www-authenticate")), ("", "Bearer"));
        let refused = second_step(app, &first, &phone.wrong(app)).await.expect(401);
        assert_eq!(refused["code"], "second_factor_refused");
        let done = second_step(app, &first, &phone.code(app)).await.expect(200);
        assert_eq!(done.json.as_object().unwrap().keys().collect::<Vec<_>>(), ["access"], "the answer is that of the contract");
        client(app, &done).get(OWN).await.expect(200);
        refresh(app, &cookie_of(&done)).await.expect(200);
        assert_eq!(code_of(second_step(app, &first, &phone.code(app)).await.expect(401)).await, "challenge_ended");
        let wrong = json!({"username": "mara", "password": "wrong"});
        let uniform = app.anonymous().post(TOKEN, wrong).await.expect(401);
        assert!(uniform.json.get("challenge").is_none());
        let signed_in = audited(&admin, "signed_in").await;
        assert_eq!(signed_in[0]["metadata"]["second_factor"], "totp");
        assert!(audited(&admin, "sign_in_refused").await.iter().any(|line| line["metadata"]["second_factor"] == "second_factor"));
        let changed = audited(&admin, "second_factor_changed").await;
        assert!(changed.iter().any(|line| line["metadata"]["fields"]["second_factor"] == json!([null, "totp"])));
        assert!(!changed.iter().any(|line| line.to_string().contains(&codes[0])));
    }

    async fn no_code_is_accepted_twice(app: &TestApp) {
        app.person("mara").await;
        let here = client(app, &sign_in(app, "mara", true).await);
        let (phone, codes) = secure(app, &here).await;
        let current = phone.code(app);
        second_step(app, &first_step(app, "mara").await, &current).await.expect(200);
        second_step(app, &first_step(app, "mara").await, &current).await.expect(401);
        // An older code is no good once a later one was used.
        second_step(app, &first_step(app, "mara").await, &phone.at(app, -30)).await.expect(401);
        app.later(Duration::seconds(60));
        let next = phone.code(app);
        let (one, other) = (first_step(app, "mara").await, first_step(app, "mara").await);
        let (one, other) = tokio::join!(second_step(app, &one, &next), second_step(app, &other, &next));
        let mut statuses = [one.status, other.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 401], "two at once use one code");
        app.later(Duration::seconds(60));
        let typed = codes[0].to_uppercase().replace('-', " ");
        second_step(app, &first_step(app, "mara").await, &typed).await.expect(200);
        second_step(app, &first_step(app, "mara").await, &codes[0]).await.expect(401);
        assert_eq!(here.get(OWN).await.expect(200)["recovery_codes_left"], 9);
        let fresh = here.post(CODES, json!({})).await.expect(201);
        app.later(Duration::seconds(60));
        second_step(app, &first_step(app, "mara").await, &codes[1]).await.expect(401);
        let last = text(&fresh["recovery_codes"][9]).to_owned();
        second_step(app, &first_step(app, "mara").await, &last).await.expect(200);
    }

    async fn five_wrong_codes_end_a_sign_in_and_twenty_an_hour_are_counted_for_a_person(app: &TestApp) {
        let mut mara = app.person("mara").await;
        let (phone, _) = secure(app, &mara).await;
        let first = first_step(app, "mara").await;
        for _ in 0..5 {
            second_step(app, &first, &phone.wrong(app)).await.expect(401);
        }
        assert_eq!(code_of(second_step(app, &first, &phone.code(app)).await.expect(401)).await, "challenge_ended");
        // The word of a sign-in is good for five minutes, and ends with the password.
        app.later(Duration::minutes(5));
        let late = first_step(app, "mara").await;
        app.later(Duration::seconds(301));
        assert_eq!(code_of(second_step(app, &late, &phone.code(app)).await.expect(401)).await, "challenge_ended");
        mara.sign_in_again().await;
        mara.post(CONFIRM, json!({"code": phone.code(app)})).await.expect(204);
        let stale = first_step(app, "mara").await;
        let change = json!({"old_password": "mara-password-1", "new_password": "another long phrase"});
        mara.post("/api/v1/auth/password/change/", change).await;
        let stored: i64 = app.app.db.count(sql!("SELECT COUNT(*) FROM sign_in_challenges WHERE user_id IS NOT NULL")).await.unwrap();
        assert_eq!(stored, 0);
        assert_eq!(code_of(second_step(app, &stale, &phone.code(app)).await.expect(401)).await, "challenge_ended");
        let mut ona = app.person("ona").await;
        let (phone, _) = secure(app, &ona).await;
        ona.sign_in_again().await;
        let mut refused = 0;
        for _ in 0..4 {
            app.later(Duration::minutes(2));
            let first = first_step(app, "ona").await;
            for _ in 0..5 {
                refused += u32::from(second_step(app, &first, &phone.wrong(app)).await.status == 401);
            }
        }
        assert_eq!(refused, 19, "the code of the set-up counted too");
        app.later(Duration::minutes(2));
        let throttled = second_step(app, &first_step(app, "ona").await, &phone.code(app)).await.expect(429);
        assert!(throttled.header("ratelimit").contains("second_factor_account"));
    }

    async fn a_passkey_signs_in_alone_and_belongs_to_one_page_and_one_person(app: &TestApp,
        "SVC_PUBLIC_URL" = "http://localhost:8080", "SVC_RATE_LIMIT_ENABLED" = "false", "SVC_RATE_LIMIT_DISABLE_ACK" = "tests") {
        let (admin, mara, ona) = (app.admin().await, app.person("mara").await, app.person("ona").await);
        let mut key = Authenticator::new(HOME, "localhost");
        let added = add_key(&mara, &mut key).await.expect(201);
        assert_eq!((&added["passkey"]["name"], added["recovery_codes"].as_array().unwrap().len()), (&json!("Phone"), 10));
        assert_eq!(first_step(app, "mara").await["methods"], json!(["recovery_code", "passkey"]));
        let done = with_key(app, &mut key).await.expect(200);
        let me = client(app, &done).get("/api/v1/auth/me/").await.expect(200);
        assert_eq!(me["username"], "mara");
        assert_eq!(audited(&admin, "signed_in").await[0]["metadata"]["second_factor"], "passkey");
        assert!(client(app, &done).get(OWN).await.expect(200)["passkeys"][0]["last_used_at"].is_string());
        // The same answer twice, an old counter, another page, nobody who proved who they are, another person.
        let asked = app.anonymous().post(OPTIONS, json!({})).await.expect(200);
        let signed = json!({"challenge": asked["challenge"], "credential": key.sign(&asked["public_key"])});
        app.anonymous().post(PASSKEY, signed.clone()).await.expect(200);
        assert_eq!(app.anonymous().post(PASSKEY, signed).await.expect(401)["code"], "passkey_refused");
        key.turn_back();
        with_key(app, &mut key).await.expect(401);
        with_key(app, &mut key).await.expect(401);
        key.origin = "http://localhost:9999".to_owned();
        with_key(app, &mut key).await.expect(401);
        key.origin = HOME.to_owned();
        key.verifies = false;
        with_key(app, &mut key).await.expect(401);
        key.verifies = true;
        with_key(app, &mut key).await.expect(200);
        key.claim_to_be(&ona.id.0);
        with_key(app, &mut key).await.expect(401);
        key.claim_to_be(&mara.id.0);
        let mut unknown = Authenticator::new(HOME, "localhost");
        unknown.claim_to_be(&mara.id.0);
        with_key(app, &mut unknown).await.expect(401);
        for odd in [json!({}), json!({"id": "x"})] {
            app.anonymous().post(PASSKEY, json!({"challenge": "x", "credential": odd})).await.expect(401);
        }
        app.later(Duration::minutes(6));
        with_key(app, &mut key).await.expect(200);
        let asked = app.anonymous().post(OPTIONS, json!({})).await.expect(200);
        let late = json!({"challenge": asked["challenge"], "credential": key.sign(&asked["public_key"])});
        app.later(Duration::minutes(6));
        app.anonymous().post(PASSKEY, late).await.expect(401);
        admin.patch(&format!("/api/v1/workspace/members/{}/", mara.id), json!({"status": "deactivated"})).await.expect(200);
        with_key(app, &mut key).await.expect(401);
    }

    async fn a_new_passkey_must_answer_what_its_person_was_asked(app: &TestApp,
        "SVC_PUBLIC_URL" = "http://localhost:8080", "SVC_RATE_LIMIT_ENABLED" = "false", "SVC_RATE_LIMIT_DISABLE_ACK" = "tests") {
        let (mara, ona) = (app.person("mara").await, app.person("ona").await);
        for spoil in [
            |key: &mut Authenticator| key.origin = "https://evil.test".to_owned(),
            |key: &mut Authenticator| key.domain = "evil.test".to_owned(),
            |key: &mut Authenticator| key.verifies = false,
        ] {
            let mut key = Authenticator::new(HOME, "localhost");
            spoil(&mut key);
            assert!(add_key(&mara, &mut key).await.expect(400)["credential"].is_array());
        }
        let mut key = Authenticator::new(HOME, "localhost");
        let asked = mara.post(KEY_OPTIONS, json!({})).await.expect(200);
        let credential = key.make(&asked["public_key"]);
        let body = json!({"challenge": asked["challenge"], "name": "Key", "credential": credential});
        ona.post(KEYS, body.clone()).await.expect(400);
        mara.post(KEYS, body).await.expect(400);
        let made = add_key(&mara, &mut key).await.expect(201);
        add_key(&mara, &mut key).await.expect(400);
        let path = format!("{KEYS}{}/", text(&made["passkey"]["id"]));
        ona.patch(&path, json!({"name": "Mine"})).await.expect(404);
        ona.delete(&path).await.expect(404);
        assert_eq!(mara.patch(&path, json!({"name": "Blue key"})).await.expect(200)["name"], "Blue key");
        mara.patch(&path, json!({"name": ""})).await.expect(400);
        mara.delete(&path).await.expect(204);
        assert_eq!(mara.get(OWN).await.expect(200)["since"], Json::Null);
        sign_in(app, "mara", true).await;
    }

    async fn passkeys_need_an_address_with_a_name(app: &TestApp) {
        let mara = app.person("mara").await;
        assert_eq!(mara.get(OWN).await.expect(200)["passkeys_available"], false);
        assert_eq!(mara.post(KEY_OPTIONS, json!({})).await.expect(409)["code"], "passkeys_unavailable");
        app.anonymous().post(OPTIONS, json!({})).await.expect(409);
    }

    async fn a_workspace_may_want_a_second_factor_of_everybody(app: &TestApp) {
        let admin = app.admin().await;
        let (mara, vera) = (app.person("mara").await, app.person_ranked("vera", Role::ProjectManager).await);
        let minted = mara.post(TOKENS, json!({"name": "ci"})).await.expect(201);
        let machine = app.anonymous().with_token(text(&minted["token"]));
        mara.get(POLICY).await.expect(403);
        let shown = vera.get(POLICY).await.expect(200);
        assert_eq!((&shown["second_factor_required"], &shown["sso_is_second_factor"]), (&json!(false), &json!(true)));
        vera.patch(POLICY, json!({"second_factor_required": true})).await.expect(403);
        admin.patch(POLICY, json!({"sso_is_second_factor": true})).await.expect(200);
        assert_eq!(audited(&admin, "sign_in_policy_changed").await.len(), 0, "that holds anyway");
        let alone = admin.patch(POLICY, json!({"second_factor_required": true})).await.expect(409);
        assert_eq!(alone["code"], "second_factor_required");
        secure(app, &admin).await;
        let written = admin.patch(POLICY, json!({"second_factor_required": true})).await.expect(200);
        assert_eq!(written["people_without"], 2);
        assert_eq!(audited(&admin, "sign_in_policy_changed").await.len(), 1);
        for (path, status) in [("/api/v1/projects/", 403), ("/api/v1/me/sessions/", 403), ("/api/v1/auth/me/", 200), (OWN, 200)] {
            mara.get(path).await.expect(status);
        }
        assert_eq!(mara.get("/api/v1/projects/").await.expect(403)["code"], "second_factor_setup_required");
        mara.post("/api/v1/projects/", json!({"name": "North", "start_date": "2026-03-02"})).await.expect(403);
        mara.post("/api/v1/ws/ticket/", json!({})).await.expect(403);
        machine.get("/api/v1/projects/").await.expect(200);
        secure(app, &mara).await;
        mara.get("/api/v1/projects/").await.expect(200);
        let kept = mara.delete(TOTP).await.expect(409);
        assert_eq!(kept["code"], "second_factor_required");
        // A sign-in from before, of somebody who has a factor by now, shows it once.
        let mut again = app.person("noor").await;
        let (phone, _) = secure(app, &again).await;
        again.sign_in_again().await;
        assert_eq!(again.get("/api/v1/projects/").await.expect(403)["code"], "second_factor_required");
        again.post(CONFIRM, json!({"current_password": "noor-password-1"})).await.expect(204);
        again.get("/api/v1/projects/").await.expect(403);
        again.post(CONFIRM, json!({"code": phone.code(app)})).await.expect(204);
        again.get("/api/v1/projects/").await.expect(200);
        admin.put(POLICY, json!({"second_factor_required": false, "sso_is_second_factor": false})).await.expect(200);
        vera.get("/api/v1/projects/").await.expect(200);
    }

    async fn dangerous_acts_ask_again_who_has_a_second_factor(app: &TestApp, "SVC_PUBLIC_URL" = "http://localhost:8080") {
        let (admin, mara) = (app.admin().await, app.person("mara").await);
        let transfer = "/api/v1/workspace/transfer-ownership/";
        let providers = "/api/v1/workspace/sso/providers/";
        let project = format!("/api/v1/projects/{}/", app.project(&admin, "North").await);
        app.later(Duration::minutes(11));
        // Who has none is asked as before: by the routes that always asked.
        admin.delete("/api/v1/workspace/").await.expect(400);
        admin.post(TOKENS, json!({"name": "ci"})).await.expect(403);
        admin.post(TOTP, json!({})).await.expect(403);
        admin.post(CONFIRM, json!({"current_password": "wrong"})).await.expect(400);
        admin.post(CONFIRM, json!({})).await.expect(400);
        admin.post(CONFIRM, json!({"current_password": "admin-password-1"})).await.expect(204);
        admin.post(TOKENS, json!({"name": "ci"})).await.expect(201);
        let (phone, _) = secure(app, &admin).await;
        let mut key = Authenticator::new(HOME, "localhost");
        add_key(&admin, &mut key).await.expect(201);
        admin.delete("/api/v1/workspace/").await.expect(400);
        app.later(Duration::minutes(11));
        let admin = app.known(admin.id, "admin");
        let new_owner = json!({"new_owner_user_id": mara.id});
        let dangerous = async || [
            admin.delete("/api/v1/workspace/").await,
            admin.post(transfer, new_owner.clone()).await,
            admin.post(providers, json!({})).await,
            admin.post(&format!("{project}api-tokens/"), json!({})).await,
            admin.post(TOKENS, json!({"name": "more"})).await,
            admin.patch(POLICY, json!({"second_factor_required": "?"})).await,
            admin.delete(TOTP).await,
        ];
        for refused in dangerous().await {
            assert_eq!(refused.expect(403)["code"], "recent_sign_in_required");
        }
        admin.get("/api/v1/projects/").await.expect(200);
        admin.post(CONFIRM, json!({"code": phone.wrong(app)})).await.expect(400);
        admin.post(CONFIRM, json!({"code": phone.code(app)})).await.expect(204);
        assert_eq!(audited(&admin, "sign_in_confirmed").await[0]["metadata"]["second_factor"], "totp");
        let tries: Vec<u16> = dangerous().await.iter().map(|answer| answer.status).collect();
        assert_eq!(tries, [400, 200, 400, 400, 201, 403, 204], "{tries:?}");
        app.later(Duration::minutes(11));
        let (admin, mara) = (app.known(admin.id, "admin"), app.known(mara.id, "mara"));
        let asked = admin.post("/api/v1/auth/confirm/options/", json!({})).await.expect(200);
        let proof = json!({"challenge": asked["challenge"], "credential": key.sign(&asked["public_key"])});
        mara.post(CONFIRM, proof.clone()).await.expect(400);
        let asked = admin.post("/api/v1/auth/confirm/options/", json!({})).await.expect(200);
        let proof = json!({"challenge": asked["challenge"], "credential": key.sign(&asked["public_key"])});
        admin.post(CONFIRM, proof).await.expect(204);
        admin.post(CODES, json!({})).await.expect(201);
    }

    async fn an_admin_resets_the_factor_of_somebody_below_them_and_ends_their_sign_ins(app: &TestApp) {
        let (owner, mara) = (app.admin().await, app.person("mara").await);
        let vera = app.person_ranked("vera", Role::ProjectManager).await;
        let of = |person: &Person<'_>| format!("/api/v1/workspace/members/{}/second-factor/", person.id);
        secure(app, &mara).await;
        secure(app, &owner).await;
        let waiting = first_step(app, "mara").await;
        vera.delete(&of(&owner)).await.expect(403);
        mara.delete(&of(&vera)).await.expect(403);
        owner.delete(&of(&vera)).await.expect(404);
        vera.delete(&of(&mara)).await.expect(204);
        mara.get(OWN).await.expect(401);
        assert_eq!(code_of(second_step(app, &waiting, "123456").await.expect(401)).await, "challenge_ended");
        sign_in(app, "mara", true).await;
        let line = audited(&owner, "second_factor_changed").await[0].clone();
        assert_eq!((&line["metadata"]["fields"]["second_factor"], &line["target_id"]), (&json!(["all", null]), &json!(mara.id)));
        let left: i64 = app.app.db.count(sql!("SELECT COUNT(*) FROM recovery_codes WHERE user_id = :id", id = mara.id)).await.unwrap();
        assert_eq!(left, 0);
    }

    async fn a_provider_counts_as_a_second_factor_unless_the_workspace_says_otherwise(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let (admin, idp) = (app.admin().await, IdentityProvider::start(app.clock.now().timestamp()).await);
        let mara = app.person("mara").await;
        app.write(sql!("UPDATE users SET email = 'ona@example.org' WHERE id = :id", id = mara.id)).await;
        let body = json!({
            "slug": "generic", "client_id": "planwright", "client_secret": "a secret of the client", "server_url": &idp.issuer,
            "allowed_email_domains": ["example.org"], "enabled": true,
        });
        admin.post("/api/v1/workspace/sso/providers/", body).await.expect(201);
        let walk = async || {
            let sent = app.anonymous().get("/api/v1/auth/oidc/login/").await.expect(302);
            let back = format!("/api/v1/auth/oidc/callback/?{}", idp.agree(sent.header("location")));
            app.anonymous().with_header("cookie", &cookie_of(&sent)).get(&back).await.expect(302)
        };
        let (phone, _) = secure(app, &mara).await;
        secure(app, &admin).await;
        admin.patch(POLICY, json!({"second_factor_required": true})).await.expect(200);
        let trusted = walk().await;
        let access = refresh(app, &cookie_of(&trusted)).await.expect(200);
        client(app, &access).get("/api/v1/projects/").await.expect(200);
        admin.patch(POLICY, json!({"sso_is_second_factor": false})).await.expect(200);
        let stopped = client(app, &access).get("/api/v1/projects/").await.expect(403);
        assert_eq!(stopped["code"], "second_factor_required", "what the provider asked for counts no more");
        let codes = client(app, &access).post("/api/v1/me/second-factor/recovery-codes/", json!({})).await.expect(403);
        assert_eq!(codes["code"], "second_factor_required", "who has a factor shows it before new codes are made");
        let members = admin.get("/api/v1/workspace/members/").await.expect(200);
        let secured = members.results().iter().filter(|member| member["two_fa"] == true).count();
        assert_eq!(secured, 2, "{}", members.text);
        let asked = walk().await;
        assert!(asked.header("location").ends_with("?error=second_factor_required"), "{}", asked.header("location"));
        let cookie = cookie_of(&asked);
        assert!(cookie.starts_with("svc_second_factor="), "{cookie}");
        assert!(asked.header("set-cookie").contains("HttpOnly; Path=/api/v1/auth/token/second-factor/"));
        let browser = app.anonymous().with_header("cookie", &cookie);
        app.anonymous().post(SECOND, json!({"code": phone.code(app)})).await.expect(401);
        let done = browser.post(SECOND, json!({"code": phone.code(app)})).await.expect(200);
        client(app, &done).get("/api/v1/projects/").await.expect(200);
        assert!(!done.header("set-cookie").contains("Max-Age=25"));
        admin.patch(POLICY, json!({"sso_is_second_factor": true})).await.expect(200);
        let trusted = refresh(app, &cookie_of(&walk().await)).await.expect(200);
        client(app, &trusted).get("/api/v1/projects/").await.expect(200);
        admin.delete("/api/v1/workspace/sso/providers/generic/?confirm_lockout=true").await.expect(204);
        admin.patch(POLICY, json!({"sso_is_second_factor": false})).await.expect(200);
        let stopped = client(app, &trusted).get("/api/v1/projects/").await.expect(403);
        assert_eq!(stopped["code"], "second_factor_required", "the provider is gone, and what it said as well");
        client(app, &done).get("/api/v1/projects/").await.expect(200);
    }
}
