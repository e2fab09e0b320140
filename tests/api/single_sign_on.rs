//! Signing in with a provider of identities, and keeping the list of providers.

use planwright_store::sql;
use planwright_testkit::{Answer, Person, TestApp, both_engines};
use serde_json::{Value as Json, json};

use crate::identity_provider::{Fault, IdentityProvider, query_of};
use crate::sign_in::{cookie_of, refresh};
use crate::site::text;

const PROVIDERS: &str = "/api/v1/workspace/sso/providers/";
const LOGIN: &str = "/api/v1/auth/oidc/login/";
const CALLBACK: &str = "/api/v1/auth/oidc/callback/";
const DISCOVER: &str = "/api/v1/auth/oidc/discover/";

async fn provider(app: &TestApp) -> IdentityProvider {
    IdentityProvider::start(app.clock.now().timestamp()).await
}

/// Adds an enabled provider, with some fields changed.
async fn configure(admin: &Person<'_>, issuer: &str, more: Json) -> Answer {
    let mut body = json!({
        "slug": "generic", "client_id": "planwright", "client_secret": "a secret of the client", "server_url": issuer,
        "allowed_email_domains": ["Example.org"], "enabled": true,
    });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    admin.post(PROVIDERS, body).await
}

/// A browser goes to the provider, agrees there and comes back.
async fn walk(app: &TestApp, provider: &IdentityProvider) -> Answer {
    let sent = app.anonymous().get(LOGIN).await.expect(302);
    let back = provider.agree(sent.header("location"));
    come_back(app, &cookie_of(&sent), &back).await
}

async fn come_back(app: &TestApp, cookie: &str, query: &str) -> Answer {
    app.anonymous().with_header("cookie", cookie).get(&format!("{CALLBACK}?{query}")).await
}

/// The word that the client is told; blank for a sign-in that worked.
fn outcome(answer: &Answer) -> &str {
    assert_eq!(answer.status, 302, "{}", answer.text);
    let location = answer.header("location");
    assert!(location.starts_with("http://127.0.0.1:8080/auth/sso/complete"), "{location}");
    location.split_once("error=").map_or("", |(_, word)| word)
}

/// Where the person of an address stands here.
async fn accounts(app: &TestApp, email: &str) -> Vec<String> {
    let select = "SELECT username FROM users WHERE email = :email ORDER BY username";
    app.app.db.scalars(sql!(select, email = email)).await.unwrap()
}

both_engines! {
    async fn the_page_after_a_sign_in_speaks_the_language_of_its_reader(app: &TestApp) {
        let page = "/auth/sso/complete";
        let german = app.anonymous().with_header("accept-language", "de");
        for (path, sentence) in [
            (page.to_owned(), "Sie sind angemeldet"),
            (format!("{page}?error=second_factor_required"), "Noch ein Schritt"),
            (format!("{page}?error=access_denied"), "Der Anbieter hat Sie nicht eingelassen"),
            (format!("{page}?error=anything"), "die nicht gelten kann"),
        ] {
            let shown = german.get(&path).await.expect(200);
            assert!(shown.text.contains(sentence) && shown.text.contains("<html lang=\"de\">"), "{}", shown.text);
        }
        let english = app.anonymous().get(page).await.expect(200);
        assert!(english.text.contains("You are signed in"), "{}", english.text);
        assert_eq!(english.header("content-language"), "en");
    }

    async fn a_new_person_signs_in_with_a_provider_and_is_known_by_subject_from_then_on(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let (admin, idp) = (app.admin().await, provider(app).await);
        let made = configure(&admin, &idp.issuer, json!({"auto_create_members": true})).await.expect(201);
        assert_eq!((&made["secret_set"], &made["provider"], &made["kind"]), (&json!(true), &json!("openid_connect"), &json!("free")));
        assert!(!made.text.contains("a secret of the client"));
        assert!(text(&made["redirect_uri"]).ends_with(CALLBACK));
        let done = walk(app, &idp).await;
        assert_eq!(outcome(&done), "");
        assert_eq!(done.header("cache-control"), "no-store");
        assert!(!done.header("location").contains("code") && !done.header("set-cookie").contains("Max-Age=25"));
        let cookie = cookie_of(&done);
        assert!(cookie.starts_with("svc_refresh="), "{cookie}");
        let access = refresh(app, &cookie).await.expect(200);
        let ona = app.anonymous().with_token(text(&access["access"]));
        let me = ona.get("/api/v1/auth/me/").await.expect(200);
        assert_eq!((text(&me["username"]), text(&me["display_name"])), ("ona", "Ona Maria Li"));
        assert_eq!(me["workspace_role"], 100);
        // The address may change at the provider, and even be that of somebody else here.
        idp.claims(json!({"email": "mara@example.org"}));
        assert_eq!(outcome(&walk(app, &idp).await), "");
        assert_eq!(accounts(app, "ona@example.org").await, ["ona"]);
        assert!(accounts(app, "mara@example.org").await.is_empty());
        let shown = admin.get(&format!("{PROVIDERS}generic/")).await.expect(200);
        assert_eq!((&shown["linked_account_count"], &shown["locked_out_account_count"]), (&json!(1), &json!(1)));
        let audit = admin.get("/api/v1/workspace/sign-in-audit/").await.expect(200);
        assert!(audit.results().iter().filter(|line| line["user"] == me["id"]).count() >= 2);
    }

    async fn somebody_is_linked_by_a_verified_address_of_an_allowed_domain_only(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let (admin, idp) = (app.admin().await, provider(app).await);
        let mara = app.person("mara").await;
        configure(&admin, &idp.issuer, json!({})).await.expect(201);
        let mut answers = Vec::new();
        for claims in [
            json!({}),
            json!({"email_verified": false}),
            json!({"email_verified": null}),
            json!({"email": null}),
            json!({"email": "ona@sub.example.org"}),
            json!({"email": "ona@evil.test"}),
        ] {
            idp.claims(claims);
            answers.push(outcome(&walk(app, &idp).await).to_owned());
        }
        let expected = ["sso_no_member", "email_unverified", "email_unverified", "email_unverified", "sso_no_member", "sso_no_member"];
        assert_eq!(answers, expected);
        let address = |person, email| sql!("UPDATE users SET email = :email WHERE id = :id", email = email, id = person);
        app.write(address(mara.id, "ONA@example.org")).await;
        idp.claims(json!({}));
        assert_eq!(outcome(&walk(app, &idp).await), "");
        // A second person of that address is never guessed at.
        app.write(address(app.person("vera").await.id, "ona@example.org")).await;
        idp.claims(json!({"sub": "subject-2"}));
        assert_eq!(outcome(&walk(app, &idp).await), "sso_no_member");
        idp.claims(json!({}));
        assert_eq!(outcome(&walk(app, &idp).await), "", "who is linked is still found");
        admin.patch(&format!("/api/v1/workspace/members/{}/", mara.id), json!({"status": "deactivated"})).await.expect(200);
        assert_eq!(outcome(&walk(app, &idp).await), "sso_account_disabled");
        // The audit tells who was not let in and why, who was let in by whom, and who is known there from now on.
        let lines = async |kind: &str| {
            let path = format!("/api/v1/workspace/audit-events/?event_type={kind}");
            admin.get(&path).await.expect(200).results().clone()
        };
        let refused = lines("sign_in_refused").await;
        let reasons: Vec<&str> = refused.iter().map(|line| text(&line["metadata"]["reason"])).collect();
        assert_eq!(reasons.iter().filter(|reason| **reason == "email_unverified").count(), 3, "{reasons:?}");
        assert_eq!(reasons[0], "sso_account_disabled");
        assert_eq!((text(&refused[0]["target_label"]), text(&refused[0]["target_type"])), ("generic", "sso_provider"));
        let linked = lines("identity_linked").await;
        assert_eq!((linked.len(), text(&linked[0]["metadata"]["provider"])), (1, "generic"));
        assert_eq!(text(&lines("signed_in").await[0]["metadata"]["provider"]), "generic");
    }

    async fn a_token_that_is_not_for_this_sign_in_is_refused(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let (admin, idp) = (app.admin().await, provider(app).await);
        configure(&admin, &idp.issuer, json!({"auto_create_members": true})).await.expect(201);
        let now = idp.now();
        for wrong in [
            json!({"nonce": "another"}),
            json!({"nonce": null}),
            json!({"iss": "http://127.0.0.1:1"}),
            json!({"aud": "somebody-else"}),
            json!({"aud": ["planwright", "somebody-else"]}),
            json!({"exp": now - 61}),
            json!({"iat": now + 120, "exp": now + 600}),
            json!({"sub": null}),
            json!({"sub": 5}),
            json!({"exp": "soon"}),
            json!({"azp": "somebody-else"}),
        ] {
            idp.claims(wrong.clone());
            let word = outcome(&walk(app, &idp).await).to_owned();
            assert_eq!(word, "invalid_id_token", "{wrong}");
        }
        idp.claims(json!({}));
        for fault in [Fault::UnknownKey, Fault::NoAlgorithm, Fault::SharedSecret, Fault::BrokenSignature] {
            idp.does(fault);
            assert_eq!(outcome(&walk(app, &idp).await), "invalid_id_token", "{fault:?}");
        }
        idp.does(Fault::RefusesCode);
        assert_eq!(outcome(&walk(app, &idp).await), "token_exchange_failed");
        idp.does(Fault::None);
        idp.claims(json!({"exp": now - 30}));
        assert_eq!(outcome(&walk(app, &idp).await), "", "clocks may differ by a minute");
        assert_eq!(accounts(app, "ona@example.org").await, ["ona"]);
    }

    async fn a_sign_in_belongs_to_one_browser_and_is_finished_once(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let (admin, idp) = (app.admin().await, provider(app).await);
        assert_eq!(outcome(&app.anonymous().get(LOGIN).await), "sso_not_configured");
        assert_eq!(outcome(&come_back(app, "a=b", "code=a&state=b").await), "sso_not_configured");
        configure(&admin, &idp.issuer, json!({"auto_create_members": true})).await.expect(201);
        assert_eq!(outcome(&app.anonymous().get(&format!("{LOGIN}?provider=okta")).await), "sso_not_configured");
        let sent = app.anonymous().get(LOGIN).await.expect(302);
        let set = sent.header("set-cookie");
        for part in ["svc_sso_state_", "HttpOnly", "SameSite=Lax", "Path=/api/v1/auth/oidc/", "Secure"] {
            assert!(set.contains(part), "{set}");
        }
        let cookie = cookie_of(&sent);
        let back = idp.agree(sent.header("location"));
        assert_eq!(outcome(&come_back(app, &cookie, "error=access_denied").await), "access_denied");
        assert_eq!(outcome(&come_back(app, &cookie, "state=x").await), "invalid_request");
        assert_eq!(outcome(&come_back(app, "svc_sso_state=stolen", &back).await), "invalid_state");
        assert_eq!(outcome(&come_back(app, &cookie, "code=a&state=invented").await), "invalid_state");
        let elsewhere = format!("{back}&iss=https%3A%2F%2Fevil.test");
        assert_eq!(outcome(&come_back(app, &cookie, &elsewhere).await), "invalid_state", "another provider answers (RFC 9207)");
        let sent = app.anonymous().get(LOGIN).await.expect(302);
        let (cookie, back) = (cookie_of(&sent), idp.agree(sent.header("location")));
        let (one, other) = tokio::join!(come_back(app, &cookie, &back), come_back(app, &cookie, &back));
        let mut words = [outcome(&one), outcome(&other)];
        words.sort_unstable();
        assert_eq!(words, ["", "invalid_state"], "of two at once one is let in");
        assert_eq!(outcome(&come_back(app, &cookie, &back).await), "invalid_state");
        let sent = app.anonymous().get(LOGIN).await.expect(302);
        let back = idp.agree(sent.header("location"));
        app.later(chrono::Duration::seconds(301));
        assert_eq!(outcome(&come_back(app, &cookie_of(&sent), &back).await), "invalid_state");
        app.later(chrono::Duration::hours(1));
        app.run_jobs().await;
        assert_eq!(app.app.db.count(sql!("SELECT COUNT(*) FROM sso_states")).await.unwrap(), 0);
    }

    async fn new_keys_are_read_once_more_and_what_is_known_is_not_asked_again(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let (admin, idp) = (app.admin().await, provider(app).await);
        configure(&admin, &idp.issuer, json!({"auto_create_members": true})).await.expect(201);
        assert_eq!(outcome(&walk(app, &idp).await), "");
        assert_eq!(outcome(&walk(app, &idp).await), "");
        assert_eq!(idp.asked_for_keys(), 1);
        idp.rotates();
        assert_eq!(outcome(&walk(app, &idp).await), "");
        assert_eq!(idp.asked_for_keys(), 2);
        idp.does(Fault::UnknownKey);
        assert_eq!(outcome(&walk(app, &idp).await), "invalid_id_token");
        assert_eq!(idp.asked_for_keys(), 3, "once for each sign-in at most");
    }

    async fn an_address_that_is_missing_comes_from_the_page_about_the_same_person(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let (admin, idp) = (app.admin().await, provider(app).await);
        configure(&admin, &idp.issuer, json!({"auto_create_members": true})).await.expect(201);
        idp.claims(json!({"email": null, "email_verified": null}));
        idp.says_of_person(json!({"sub": "somebody else", "email": "ona@example.org", "email_verified": true}));
        assert_eq!(outcome(&walk(app, &idp).await), "oidc_error");
        idp.says_of_person(json!({"sub": "subject-1", "email": "ona@example.org", "email_verified": true}));
        assert_eq!(outcome(&walk(app, &idp).await), "");
        assert_eq!(accounts(app, "ona@example.org").await, ["ona"]);
    }

    async fn a_provider_that_cannot_be_reached_is_answered_with_502(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let (admin, idp) = (app.admin().await, provider(app).await);
        configure(&admin, "http://127.0.0.1:1", json!({})).await.expect(201);
        app.anonymous().get(LOGIN).await.expect(502);
        let test = format!("{PROVIDERS}generic/test-connection/");
        let tried = admin.post(&test, json!({})).await.expect(200);
        assert_eq!((&tried["ok"], &tried["error"]), (&json!(false), &json!("provider_unreachable")));
        let one = format!("{PROVIDERS}generic/");
        let moved = json!({"server_url": idp.issuer, "client_secret": "a secret of the client"});
        admin.put(&one, moved).await.expect(200);
        let tried = admin.post(&test, json!({})).await.expect(200);
        assert_eq!((&tried["ok"], text(&tried["issuer"])), (&json!(true), idp.issuer.as_str()));
        assert!(tried["endpoints"]["token_endpoint"].is_string());
        idp.does(Fault::OtherIssuer);
        let tried = admin.post(&test, json!({})).await.expect(200);
        assert_eq!((&tried["ok"], &tried["error"]), (&json!(false), &json!("invalid_id_token")));
    }

    async fn github_people_need_a_verified_primary_address_and_the_organisation(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let (admin, idp) = (app.admin().await, provider(app).await);
        let github = json!({"slug": "github", "github_org": "acme", "auto_create_members": true, "default_role": 300});
        let made = configure(&admin, &idp.issuer, github).await.expect(201);
        assert_eq!((&made["provider"], &made["kind"]), (&json!("github"), &json!("oauth")));
        let walk = async || {
            let sent = app.anonymous().get(&format!("{LOGIN}?provider=github")).await.expect(302);
            let asked = query_of(sent.header("location"));
            assert_eq!(asked["scope"], "read%3Auser+user%3Aemail+read%3Aorg");
            come_back(app, &cookie_of(&sent), &format!("code=a&state={}", asked["state"])).await
        };
        let verified = |verified: bool| json!([
            {"email": "other@example.org", "primary": false, "verified": true},
            {"email": "ona@example.org", "primary": true, "verified": verified},
        ]);
        idp.has_on_github(false, verified(true));
        assert_eq!(outcome(&walk().await), "sso_no_member");
        idp.has_on_github(true, verified(false));
        assert_eq!(outcome(&walk().await), "email_unverified");
        idp.does(Fault::RefusesCode);
        assert_eq!(outcome(&walk().await), "token_exchange_failed");
        idp.does(Fault::None);
        idp.has_on_github(true, verified(true));
        assert_eq!(outcome(&walk().await), "");
        assert_eq!(accounts(app, "ona@example.org").await, ["ona"]);
        let tried = admin.post(&format!("{PROVIDERS}github/test-connection/"), json!({})).await.expect(200);
        assert_eq!(tried["ok"], true);
    }

    async fn several_providers_of_a_kind_are_discovered_by_domain(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let (admin, idp) = (app.admin().await, provider(app).await);
        let none = app.anonymous().get(DISCOVER).await.expect(200);
        assert_eq!(none.json, json!({"provider_present": false, "providers": []}));
        configure(&admin, &idp.issuer, json!({"display_name": "Ours"})).await.expect(201);
        let partners = json!({"slug": "generic-partners", "allowed_email_domains": ["partner.test", "example.org"]});
        configure(&admin, &idp.issuer, partners).await.expect(201);
        configure(&admin, &idp.issuer, json!({"slug": "keycloak", "enabled": false})).await.expect(201);
        let slugs = async |query: &str| {
            let found = app.anonymous().get(&format!("{DISCOVER}{query}")).await.expect(200);
            let slugs = found["providers"].as_array().unwrap().iter().map(|row| text(&row["slug"]).to_owned());
            slugs.collect::<Vec<_>>()
        };
        assert_eq!(slugs("").await, ["generic", "generic-partners"]);
        assert_eq!(slugs("?email=a@PARTNER.test").await, ["generic-partners"]);
        assert_eq!(slugs("?email=ona@example.org").await, ["generic", "generic-partners"]);
        assert!(slugs("?email=a@evil.test").await.is_empty());
        assert!(slugs("?email=nonsense").await.is_empty());
        assert_eq!(outcome(&app.anonymous().get(LOGIN).await), "sso_not_configured", "nobody knows which one is meant");
    }

    async fn a_provider_is_kept_by_administrators_and_only_whole_ones_are_enabled(app: &TestApp) {
        let (admin, mara) = (app.admin().await, app.person("mara").await);
        for (body, field) in [
            (json!({}), "slug"),
            (json!({"slug": "myspace"}), "slug"),
            (json!({"slug": "generic", "server_url": "http://id.example.org"}), "server_url"),
            (json!({"slug": "generic", "enabled": true}), "enabled"),
            (json!({"slug": "generic", "default_role": 400}), "default_role"),
            (json!({"slug": "generic", "allowed_email_domains": ["*.org"]}), "allowed_email_domains"),
            (json!({"slug": "generic", "allow_password_signin": false}), "allow_password_signin"),
            (json!({"slug": "github", "github_org": "a/b"}), "github_org"),
        ] {
            let refused = admin.post(PROVIDERS, body.clone()).await.expect(400);
            assert!(refused[field].is_array(), "{body} {}", refused.text);
        }
        let made = admin.post(PROVIDERS, json!({"slug": "google"})).await.expect(201);
        assert_eq!(text(&made["server_url"]), "https://accounts.google.com");
        assert_eq!((&made["enabled"], &made["display_name"]), (&json!(false), &json!("Google")));
        admin.post(PROVIDERS, json!({"slug": "google"})).await.expect(409);
        let one = format!("{PROVIDERS}google/");
        for refused in [mara.get(PROVIDERS).await, mara.get(&one).await, mara.put(&one, json!({})).await, mara.delete(&one).await] {
            refused.expect(403);
        }
        app.anonymous().get(PROVIDERS).await.expect(401);
        admin.put(&one, json!({"slug": "okta"})).await.expect(400);
        let before = admin.get(&one).await.expect(200);
        admin.put(&one, json!({"client_id": "a", "client_secret": "b"})).await.expect(200);
        admin.put(&one, json!({"client_secret": "c"})).await.expect(200);
        let after = admin.get(&one).await.expect(200);
        assert_eq!(after["server_version"].as_i64().unwrap(), before["server_version"].as_i64().unwrap() + 2);
        admin.delete(&one).await.expect(204);
        admin.get(&one).await.expect(404);
        admin.delete(&one).await.expect(404);
    }

    async fn a_provider_that_is_the_only_way_in_is_deleted_only_when_that_is_confirmed(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let (admin, idp) = (app.admin().await, provider(app).await);
        configure(&admin, &idp.issuer, json!({"auto_create_members": true})).await.expect(201);
        assert_eq!(outcome(&walk(app, &idp).await), "");
        let one = format!("{PROVIDERS}generic/");
        let moved = admin.put(&one, json!({"server_url": "https://id.example.org"})).await.expect(400);
        assert!(moved["server_url"].is_array(), "people are linked to the issuer");
        let refused = admin.delete(&one).await.expect(409);
        assert_eq!((&refused["code"], &refused["locked_out_account_count"]), (&json!("sso_removal_locks_out_members"), &json!(1)));
        admin.delete(&format!("{one}?confirm_lockout=true")).await.expect(204);
        configure(&admin, &idp.issuer, json!({})).await.expect(201);
        assert_eq!(outcome(&walk(app, &idp).await), "", "the same person is found by the verified address again");
        assert_eq!(accounts(app, "ona@example.org").await, ["ona"]);
    }

    async fn the_provider_of_an_administrator_leads_to_nobody_of_their_rank_or_above(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let (admin, idp) = (app.admin().await, provider(app).await);
        let boss = app.person_ranked("boss", planwright_domain::Role::ProjectManager).await;
        configure(&boss, &idp.issuer, json!({})).await.expect(201);
        let address = |person| sql!("UPDATE users SET email = 'ona@example.org' WHERE id = :id", id = person);
        app.write(address(admin.id)).await;
        assert_eq!(outcome(&walk(app, &idp).await), "sso_no_member", "an administrator must not become the Owner");
        admin.put(&format!("{PROVIDERS}generic/"), json!({"display_name": "Ours"})).await.expect(200);
        assert_eq!(outcome(&walk(app, &idp).await), "sso_no_member", "a new name is no new source");
        admin.put(&format!("{PROVIDERS}generic/"), json!({"client_secret": "a secret of the client"})).await.expect(200);
        assert_eq!(outcome(&walk(app, &idp).await), "", "what the Owner wrote vouches for everybody");
    }

    async fn a_provider_gives_no_role_that_whoever_wrote_it_may_not_give(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let (admin, idp) = (app.admin().await, provider(app).await);
        let boss = app.person_ranked("boss", planwright_domain::Role::ProjectManager).await;
        let equal = json!({"auto_create_members": true, "default_role": 300});
        let refused = configure(&boss, &idp.issuer, equal.clone()).await.expect(400);
        assert!(refused["default_role"].is_array(), "{}", refused.text);
        configure(&boss, &idp.issuer, json!({"auto_create_members": true})).await.expect(201);
        assert_eq!(outcome(&walk(app, &idp).await), "");
        let member = format!("/api/v1/workspace/members/{}/", boss.id.0);
        admin.delete(&member).await.expect(204);
        idp.claims(json!({"sub": "somebody-else", "email": "else@example.org"}));
        assert_eq!(outcome(&walk(app, &idp).await), "sso_no_member", "nobody answers for the provider any more");
        assert!(accounts(app, "else@example.org").await.is_empty());
        let vouched = json!({"client_secret": "a secret of the client", "default_role": 300});
        admin.put(&format!("{PROVIDERS}generic/"), vouched).await.expect(200);
        assert_eq!(outcome(&walk(app, &idp).await), "");
    }

    async fn a_secret_is_never_sent_to_another_address_than_it_was_given_for(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let (admin, idp, other) = (app.admin().await, provider(app).await, provider(app).await);
        let boss = app.person_ranked("boss", planwright_domain::Role::ProjectManager).await;
        configure(&admin, &idp.issuer, json!({})).await.expect(201);
        let one = format!("{PROVIDERS}generic/");
        for change in [json!({"server_url": &other.issuer}), json!({"client_id": "another"})] {
            let refused = boss.put(&one, change).await.expect(400);
            assert!(refused["client_secret"].is_array(), "{}", refused.text);
        }
        assert_eq!(admin.get(&one).await.expect(200)["server_url"], idp.issuer.as_str());
        boss.put(&one, json!({"server_url": &other.issuer, "client_secret": "one of its own"})).await.expect(200);
    }

    async fn an_address_leads_to_one_subject_of_a_provider_only(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let (admin, idp) = (app.admin().await, provider(app).await);
        let mara = app.person("mara").await;
        configure(&admin, &idp.issuer, json!({"auto_create_members": true})).await.expect(201);
        app.write(sql!("UPDATE users SET email = 'ona@example.org' WHERE id = :id", id = mara.id)).await;
        assert_eq!(outcome(&walk(app, &idp).await), "");
        idp.claims(json!({"sub": "who-has-the-address-now"}));
        assert_eq!(outcome(&walk(app, &idp).await), "sso_no_member");
        assert_eq!(accounts(app, "ona@example.org").await, ["mara"]);
    }

    async fn claims_that_no_honest_provider_makes_are_refused_and_not_kept(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let (admin, idp) = (app.admin().await, provider(app).await);
        configure(&admin, &idp.issuer, json!({"auto_create_members": true})).await.expect(201);
        let long = "x".repeat(256);
        for sub in ["", " ", "a\0b", "\u{200b}", long.as_str()] {
            idp.claims(json!({"sub": sub}));
            assert_eq!(outcome(&walk(app, &idp).await), "invalid_id_token", "{sub:?}");
        }
        for email in ["a\r\nb@example.org", "ona@example.org ", "on\u{200b}a@example.org", "a\0@example.org", "a@x.test,b@example.org"] {
            idp.claims(json!({"email": email}));
            assert_eq!(outcome(&walk(app, &idp).await), "email_unverified", "{email:?}");
        }
        idp.claims(json!({"name": "Ona\0 Li", "email_verified": "true"}));
        assert_eq!(outcome(&walk(app, &idp).await), "", "some providers write true as a text");
        assert_eq!(accounts(app, "ona@example.org").await, ["ona"]);
    }

    async fn two_tabs_of_a_browser_do_not_end_each_others_sign_in(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let (admin, idp) = (app.admin().await, provider(app).await);
        configure(&admin, &idp.issuer, json!({"auto_create_members": true})).await.expect(201);
        let sent = [app.anonymous().get(LOGIN).await.expect(302), app.anonymous().get(LOGIN).await.expect(302)];
        let both = format!("{}; {}", cookie_of(&sent[0]), cookie_of(&sent[1]));
        for tab in sent {
            let back = idp.agree(tab.header("location"));
            assert_eq!(outcome(&come_back(app, &both, &back).await), "");
        }
    }
}
