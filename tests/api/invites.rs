//! Invitations: mailed at once, good once, for one address, and worth what their sender is worth.

use chrono::Duration;
use planwright_domain::Role;
use planwright_store::sql;
use planwright_testkit::{TestApp, both_engines};
use serde_json::{Value, json};

use crate::site::text;

const INVITES: &str = "/api/v1/workspace/invites/";
const ACCEPT: &str = "/api/v1/workspace/invites/accept/";
const GOOD: &str = "copper-lantern-7";

/// The token in the last mail that was sent.
async fn mailed_token(app: &TestApp) -> String {
    app.run_jobs().await;
    let mails = app.sent_mail();
    let text = mails.last().expect("a mail was sent").replace("=\r\n", "").replace("=\n", "");
    let (_, link) = text.split_once("/invite/accept?token=").expect("the mail has a link");
    link.trim_start_matches("3D")
        .chars()
        .take_while(|letter| letter.is_ascii_alphanumeric() || "-_".contains(*letter))
        .collect()
}

async fn signs_in(app: &TestApp, name: &str) -> bool {
    let body = json!({"username": name, "password": GOOD});
    app.anonymous().post("/api/v1/auth/token/", body).await.status == 200
}

both_engines! {
    async fn an_invitation_makes_one_account_of_its_address(app: &TestApp) {
        let admin = app.person_ranked("boss", Role::ProjectManager).await;
        let made = admin.post(INVITES, json!({"email": "Nora@example.test"})).await.expect(201);
        assert_eq!((text(&made["role"]), text(&made["status"])), ("Member", "pending"));
        assert_eq!(text(&made["invited_by"]), "BO");
        let token = mailed_token(app).await;
        let accept = json!({"token": token, "username": "nora", "password": GOOD});
        let weak = json!({"token": token, "username": "nora", "password": "short"});
        assert_eq!(app.anonymous().post(ACCEPT, weak).await.expect(400)["code"], "weak_password");
        assert_eq!(text(&app.anonymous().post(ACCEPT, accept.clone()).await.expect(200)["username"]), "nora");
        assert!(signs_in(app, "nora").await);
        let again = app.anonymous().post(ACCEPT, accept).await.expect(400);
        let unknown = app.anonymous().post(ACCEPT, json!({"token": "nothing"})).await.expect(400);
        assert_eq!(again.text, unknown.text, "every bad token gets the same answer");
        assert_eq!(admin.get(INVITES).await.expect(200)["count"], 0);
        let row: Vec<String> = app.app.db.scalars(sql!("SELECT email FROM users WHERE username = 'nora'")).await.unwrap();
        assert_eq!(row, ["Nora@example.test"]);
        admin.delete(&format!("{INVITES}{}/", made.id())).await.expect(409);
    }

    async fn nobody_invites_above_themselves_or_twice_or_whom_is_there(app: &TestApp) {
        let (admin, mara) = (app.person_ranked("boss", Role::ProjectManager).await, app.person("mara").await);
        mara.post(INVITES, json!({"email": "a@example.test"})).await.expect(403);
        mara.get(INVITES).await.expect(403);
        admin.post(INVITES, json!({"email": "a@example.test", "role": 300})).await.expect(403);
        for email in ["nobody", "a b@example.test", "MARA@example.test"] {
            assert!(admin.post(INVITES, json!({"email": email})).await.expect(400)["email"].is_array(), "{email}");
        }
        admin.post(INVITES, json!({"email": "a@example.test"})).await.expect(201);
        assert!(admin.post(INVITES, json!({"email": "A@example.test"})).await.expect(400)["email"].is_array());
        app.run_jobs().await;
    }

    async fn a_link_sent_again_replaces_the_first_and_a_revoked_or_old_one_is_good_no_more(app: &TestApp) {
        let admin = app.person_ranked("boss", Role::ProjectManager).await;
        let one = format!("{INVITES}{}/", admin.post(INVITES, json!({"email": "n@example.test"})).await.expect(201).id());
        let first = mailed_token(app).await;
        assert_eq!(admin.post(&format!("{one}resend/"), json!({})).await.expect(202)["queued"], true);
        let second = mailed_token(app).await;
        assert_ne!(first, second);
        let accept = async |token: &str| {
            let body = json!({"token": token, "username": "nora", "password": GOOD});
            app.anonymous().post(ACCEPT, body).await.status
        };
        assert_eq!(accept(&first).await, 400);
        assert_eq!(admin.post(&format!("{INVITES}resend-all/"), json!({})).await.expect(202)["requeued"], 1);
        let third = mailed_token(app).await;
        app.later(Duration::days(8));
        assert_eq!(accept(&third).await, 400);
        let mut admin = admin;
        admin.sign_in_again().await;
        assert_eq!(text(&admin.get(INVITES).await.expect(200).results()[0]["status"]), "expired");
        admin.post(&format!("{one}resend/"), json!({})).await.expect(202);
        let fourth = mailed_token(app).await;
        admin.delete(&one).await.expect(204);
        admin.delete(&one).await.expect(204);
        assert_eq!(accept(&fourth).await, 400);
        admin.post(&format!("{one}resend/"), json!({})).await.expect(409);
    }

    async fn an_invitation_is_worth_what_its_sender_is_worth_when_it_is_accepted(app: &TestApp) {
        let (owner, admin) = (app.admin().await, app.person_ranked("boss", Role::ProjectManager).await);
        admin.post(INVITES, json!({"email": "n@example.test"})).await.expect(201);
        let token = mailed_token(app).await;
        let member = format!("/api/v1/workspace/members/{}/", admin.id.0);
        owner.patch(&member, json!({"role": 100})).await.expect(200);
        let accept = json!({"token": token, "username": "nora", "password": GOOD});
        app.anonymous().post(ACCEPT, accept.clone()).await.expect(400);
        owner.patch(&member, json!({"role": 300})).await.expect(200);
        app.anonymous().post(ACCEPT, accept).await.expect(200);
    }

    async fn a_link_alone_opens_no_account_that_is_there(app: &TestApp) {
        let owner = app.admin().await;
        owner.post(INVITES, json!({"email": "late@example.test", "role": 300})).await.expect(201);
        let token = mailed_token(app).await;
        let late = app.person("late").await;
        let wrong = json!({"token": token, "username": "other", "password": GOOD});
        app.anonymous().post(ACCEPT, wrong).await.expect(400);
        let right = json!({"token": token, "password": "late-password-1"});
        assert_eq!(text(&app.anonymous().post(ACCEPT, right).await.expect(200)["username"]), "late");
        assert_eq!(late.get("/api/v1/auth/me/").await.expect(200)["workspace_role"], 300);
    }

    async fn the_link_of_the_mail_leads_to_a_page_that_accepts(app: &TestApp) {
        let admin = app.person_ranked("boss", Role::ProjectManager).await;
        admin.post(INVITES, json!({"email": "nora@example.test"})).await.expect(201);
        let token = mailed_token(app).await;
        let (page, anonymous) = (format!("/invite/accept?token={token}"), app.anonymous());
        let shown = anonymous.get(&page).await.expect(200);
        assert!(shown.text.contains("nora@example.test") && shown.text.contains("<form method=\"post\""));
        assert_eq!(shown.header("referrer-policy"), "same-origin");
        let send = async |username: &str, again: &str| {
            let form = json!({"token": token, "username": username, "password": GOOD, "again": again});
            anonymous.post("/invite/accept", form).await
        };
        assert!(send("nora", "other").await.expect(400).text.contains("differ"));
        assert!(send("boss", GOOD).await.expect(400).text.contains("taken"));
        assert!(send("nora", GOOD).await.expect(200).text.contains("nora"));
        assert!(signs_in(app, "nora").await);
        assert!(anonymous.get(&page).await.expect(400).text.contains("not valid any more"));
    }

    async fn the_page_of_an_invitation_speaks_the_language_of_its_reader(app: &TestApp) {
        let admin = app.person_ranked("boss", Role::ProjectManager).await;
        admin.post(INVITES, json!({"email": "nora@example.test"})).await.expect(201);
        let token = mailed_token(app).await;
        let page = format!("/invite/accept?token={token}");
        let french = app.anonymous().with_header("accept-language", "fr-FR,fr;q=0.9,en;q=0.8");
        let shown = french.get(&page).await.expect(200);
        assert!(shown.text.contains("<html lang=\"fr\">") && shown.text.contains("<button>Rejoindre</button>"));
        assert_eq!(shown.header("content-language"), "fr");
        let send = async |username: &str, password: &str, again: &str| {
            let form = json!({"token": token, "username": username, "password": password, "again": again});
            french.post("/invite/accept", form).await
        };
        for (username, password, again, sentence) in [
            ("nora", GOOD, "other", "Les deux mots de passe sont différents."),
            ("boss", GOOD, GOOD, "celui-ci est pris."),
            ("a b", GOOD, GOOD, "Un nom d’utilisateur a des lettres de a à z"),
            ("nora", "short", "short", "Le mot de passe doit avoir au moins 10 caractères."),
        ] {
            let refused = send(username, password, again).await.expect(400);
            assert!(refused.text.contains(sentence), "{sentence}: {}", refused.text);
        }
        assert!(send("nora", GOOD, GOOD).await.expect(200).text.contains("Connectez-vous en tant que <strong>nora</strong>"));
        assert!(french.get(&page).await.expect(400).text.contains("Cette invitation n’est plus valable"));
    }

    async fn the_queue_never_shows_the_link_of_a_mail(app: &TestApp) {
        let admin = app.person_ranked("boss", Role::ProjectManager).await;
        admin.post(INVITES, json!({"email": "nora@example.test"})).await.expect(201);
        let payloads: Vec<Value> =
            app.app.db.scalars(sql!("SELECT payload FROM jobs WHERE kind = 'send_mail'")).await.unwrap();
        assert_eq!(payloads.len(), 1);
        assert!(!payloads[0].to_string().contains("token="), "{}", payloads[0]);
        app.run_jobs().await;
    }

    async fn two_acceptances_at_once_make_one_account(app: &TestApp) {
        let admin = app.person_ranked("boss", Role::ProjectManager).await;
        admin.post(INVITES, json!({"email": "nora@example.test"})).await.expect(201);
        let token = mailed_token(app).await;
        let nobody = app.anonymous();
        let accept = async |name: &str| {
            let body = json!({"token": token, "username": name, "password": GOOD});
            nobody.post(ACCEPT, body).await.status
        };
        let (one, other) = futures_util::future::join(accept("nora"), accept("norb")).await;
        let mut statuses = [one, other];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 400]);
    }

    async fn an_expired_invitation_does_not_block_its_address_and_odd_addresses_and_names_are_refused(app: &TestApp) {
        let mut admin = app.person_ranked("boss", Role::ProjectManager).await;
        admin.post(INVITES, json!({"email": "n@example.test"})).await.expect(201);
        admin.post(INVITES, json!({"email": "n@example.test"})).await.expect(400);
        app.later(Duration::days(8));
        admin.sign_in_again().await;
        admin.post(INVITES, json!({"email": "n@example.test"})).await.expect(201);
        assert_eq!(admin.get(INVITES).await.expect(200).results().len(), 1, "the old one is over");
        for email in ["a@b.test,evil@x.test", "a@b.test>", "a..b@c.test", "a@-b.test"] {
            assert!(admin.post(INVITES, json!({"email": email})).await.expect(400)["email"].is_array(), "{email}");
        }
        let token = mailed_token(app).await;
        for name in ["BOSS", "boss\u{200b}", "b\u{43e}ss", ".."] {
            let body = json!({"token": token, "username": name, "password": GOOD});
            assert!(app.anonymous().post(ACCEPT, body).await.expect(400)["username"].is_array(), "{name}");
        }
        let body = json!({"token": token, "username": "nora", "password": GOOD});
        app.anonymous().post(ACCEPT, body).await.expect(200);
    }
}
