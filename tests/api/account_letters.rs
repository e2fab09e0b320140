//! Letters about the doors of an account: what changes at its password and its second factors reaches its owner by mail.

use planwright_accounts::{passwords, second_factor};
use planwright_domain::Role;
use planwright_store::sql;
use planwright_testkit::{Engine, TestApp, both_engines};
use serde_json::json;

use crate::authenticator::Authenticator;
use crate::mail::{MailServer, with_mail_server};
use crate::second_factor::{CODES, KEYS, TOTP, add_key, client, first_step, second_step, secure};
use crate::sign_in::sign_in;
use crate::site::text;

const POLICY: &str = "/api/v1/workspace/second-factor/";
const NONE: [(String, String); 0] = [];

/// Sends what waits, and returns the subjects of the letters since the last time, with their recipients.
async fn new_letters(app: &TestApp, server: &MailServer, seen: &mut usize) -> Vec<(String, String)> {
    app.run_jobs().await;
    let letters = server.letters();
    let fresh = letters.iter().skip(*seen);
    let found = fresh.map(|letter| {
        let subject = letter.text.lines().find_map(|line| line.strip_prefix("Subject: ")).unwrap();
        let to = letter.to.split_once('<').unwrap().1.split_once('>').unwrap().0;
        (to.to_owned(), subject.to_owned())
    });
    let found = found.collect();
    *seen = letters.len();
    found
}

fn one(name: &str, subject: &str) -> Vec<(String, String)> {
    vec![(format!("{name}@example.test"), subject.to_owned())]
}

/// The text of the newest letter, without the soft breaks of its lines.
fn newest(server: &MailServer) -> String {
    server.letters().pop().unwrap().text.replace("=\n", "")
}

with_mail_server! {
    async fn every_change_of_a_second_factor_reaches_its_owner(app: &TestApp, server: &MailServer) {
        let mara = app.person("mara").await;
        let mut seen = 0;
        mara.post(TOTP, json!({})).await.expect(201);
        assert_eq!(new_letters(app, server, &mut seen).await, NONE, "an app that has shown no code counts for nothing");
        secure(app, &mara).await;
        assert_eq!(new_letters(app, server, &mut seen).await, one("mara", "A second factor was added"));
        assert!(newest(server).contains("an app that makes codes was added to your account"));
        mara.post(CODES, json!({})).await.expect(201);
        assert_eq!(new_letters(app, server, &mut seen).await, one("mara", "You have new recovery codes"));
        mara.delete(TOTP).await.expect(204);
        assert_eq!(new_letters(app, server, &mut seen).await, one("mara", "A second factor was removed"));
        assert!(newest(server).contains("its password alone opens it"));
        mara.delete(TOTP).await.expect(404);
        assert_eq!(new_letters(app, server, &mut seen).await, NONE);
    }

    async fn a_change_that_is_refused_tells_nobody(app: &TestApp, server: &MailServer) {
        let admin = app.admin().await;
        let mut seen = 0;
        secure(app, &admin).await;
        assert_eq!(new_letters(app, server, &mut seen).await, one("admin", "A second factor was added"));
        admin.patch(POLICY, json!({"second_factor_required": true})).await.expect(200);
        admin.delete(TOTP).await.expect(409);
        assert_eq!(new_letters(app, server, &mut seen).await, NONE);
        let mara = app.person("mara").await;
        app.write(sql!("UPDATE users SET email = '' WHERE id = :id", id = mara.id)).await;
        secure(app, &mara).await;
        assert_eq!(new_letters(app, server, &mut seen).await, NONE, "who has no address gets no letter");
    }

    async fn the_last_recovery_codes_are_told_when_they_are_used(app: &TestApp, server: &MailServer) {
        let mara = app.person("mara").await;
        let mut seen = 0;
        let (_, codes) = secure(app, &mara).await;
        new_letters(app, server, &mut seen).await;
        for (used, code) in codes.iter().enumerate() {
            app.later(chrono::Duration::minutes(10));
            second_step(app, &first_step(app, "mara").await, code).await.expect(200);
            let told = new_letters(app, server, &mut seen).await;
            match used {
                0..6 => assert_eq!(told, NONE, "{used}"),
                _ => assert_eq!(told, one("mara", "Few recovery codes are left"), "{used}"),
            }
        }
        assert!(newest(server).contains("None is left"));
    }

    async fn who_loses_all_factors_through_others_is_told_who_it_was(app: &TestApp, server: &MailServer) {
        let vera = app.person_ranked("vera", Role::ProjectManager).await;
        let (mara, ona) = (app.person("mara").await, app.person("ona").await);
        let mut seen = 0;
        secure(app, &mara).await;
        secure(app, &ona).await;
        new_letters(app, server, &mut seen).await;
        vera.delete(&format!("/api/v1/workspace/members/{}/second-factor/", mara.id)).await.expect(204);
        assert_eq!(new_letters(app, server, &mut seen).await, one("mara", "Your second factors were removed"));
        assert!(newest(server).contains("an administrator of the workspace removed"));
        for had_one in [true, false] {
            assert_eq!(second_factor::commands::reset_by_operator(&app.app.db, ona.id).await.unwrap(), had_one);
            let told = new_letters(app, server, &mut seen).await;
            assert_eq!(told.len(), usize::from(had_one));
        }
        assert!(newest(server).contains("whoever runs this installation removed"));
    }

    async fn a_new_password_is_told_to_its_owner(app: &TestApp, server: &MailServer) {
        app.person("mara").await;
        let here = client(app, &sign_in(app, "mara", true).await);
        let mut seen = 0;
        let wrong = json!({"old_password": "wrong", "new_password": "copper-lantern-7"});
        here.post("/api/v1/auth/password/change/", wrong).await.expect(400);
        assert_eq!(new_letters(app, server, &mut seen).await, NONE);
        let change = json!({"old_password": "mara-password-1", "new_password": "copper-lantern-7"});
        let id = app.person("ona").await.id;
        here.post("/api/v1/auth/password/change/", change).await.expect(200);
        assert_eq!(new_letters(app, server, &mut seen).await, one("mara", "Your password was changed"));
        passwords::set(&app.app.db, id, "a hash").await.unwrap();
        assert_eq!(new_letters(app, server, &mut seen).await, one("ona", "Your password was changed"));
        assert!(newest(server).contains("by whoever runs this installation"));
    }
}

both_engines! {
    async fn a_passkey_that_is_added_or_removed_reaches_its_owner(app: &TestApp, "SVC_PUBLIC_URL" = "http://localhost:8080") {
        let mara = app.person("mara").await;
        let mut key = Authenticator::new("http://localhost:8080", "localhost");
        let added = add_key(&mara, &mut key).await.expect(201);
        secure(app, &mara).await;
        app.run_jobs().await;
        mara.delete(&format!("{KEYS}{}/", text(&added["passkey"]["id"]))).await.expect(204);
        app.run_jobs().await;
        let letters: Vec<String> = app.sent_mail().iter().map(|letter| letter.replace("=\r\n", "")).collect();
        assert_eq!(letters.len(), 3, "{letters:?}");
        assert!(letters.iter().all(|letter| letter.contains("To: mara@example.test\r\n")));
        let added = letters.iter().filter(|letter| letter.contains("a passkey was added to your account"));
        assert_eq!(added.count(), 1);
        let removed = &letters[2];
        assert!(removed.contains("a passkey was removed") && removed.contains("other second factors stay"), "{removed}");
    }
}
