//! The sign-ins that go on: who sees and ends them, and what is written down of them.
//! Signing in itself is tested in `sign_in.rs`.

use planwright_domain::Role;
use planwright_testkit::{Answer, Person, TestApp, both_engines};
use serde_json::{Value as Json, json};

use crate::sign_in::{cookie_of, refresh, sign_in};

const OWN: &str = "/api/v1/me/sessions/";
const OWN_AUDIT: &str = "/api/v1/me/sign-in-audit/";
const AUDIT: &str = "/api/v1/workspace/sign-in-audit/";

fn client<'a>(app: &'a TestApp, signed_in: &Answer) -> Person<'a> {
    app.anonymous().with_token(signed_in["access"].as_str().unwrap())
}

fn rows(answer: &Answer) -> Vec<Json> {
    answer.json.as_array().cloned().unwrap_or_default()
}

both_engines! {
    async fn people_see_their_sign_ins_and_end_one_of_them(app: &TestApp) {
        app.person("mara").await;
        let ida = app.person("ida").await;
        let (here, there) = (sign_in(app, "mara", true).await, sign_in(app, "mara", true).await);
        let mara = client(app, &here);
        let listed = rows(&mara.get(OWN).await.expect(200));
        assert_eq!(listed.len(), 2, "{listed:?}");
        let (current, other): (Vec<&Json>, Vec<&Json>) = listed.iter().partition(|row| row["is_current"] == true);
        assert_eq!((current.len(), other.len()), (1, 1));
        assert!(other[0]["created_at"].is_string() && other[0]["ends_at"].is_string());
        let one = format!("{OWN}{}/", other[0]["id"].as_str().unwrap());
        ida.delete(&one).await.expect(404);
        mara.delete(&one).await.expect(204);
        mara.delete(&one).await.expect(404);
        client(app, &there).get(OWN).await.expect(401);
        refresh(app, &cookie_of(&there)).await.expect(401);
        assert_eq!(rows(&mara.get(OWN).await.expect(200)).len(), 1);
        refresh(app, &cookie_of(&here)).await.expect(200);
    }

    async fn administrators_see_and_end_the_sign_ins_of_those_below_them(app: &TestApp) {
        let (owner, mara) = (app.admin().await, app.person("mara").await);
        let ann = app.person_ranked("ann", Role::ProjectManager).await;
        let first = sign_in(app, "mara", true).await;
        let second = sign_in(app, "mara", true).await;
        let of = |person: &Person<'_>| format!("/api/v1/workspace/members/{}/sessions/", person.id);
        let listed = rows(&ann.get(&of(&mara)).await.expect(200));
        assert_eq!(listed.len(), 2);
        ann.delete(&format!("{}{}/", of(&mara), listed[1]["id"].as_str().unwrap())).await.expect(204);
        assert_eq!(rows(&ann.get(&of(&mara)).await.expect(200)).len(), 1);
        ann.delete(&of(&mara)).await.expect(204);
        for ended in [&first, &second] {
            client(app, ended).get(OWN).await.expect(401);
            refresh(app, &cookie_of(ended)).await.expect(401);
        }
        ann.delete(&of(&owner)).await.expect(403);
        owner.delete(&of(&ann)).await.expect(204);
        ann.get(OWN).await.expect(401);
        let ida = app.person("ida").await;
        ida.get(&of(&owner)).await.expect(403);
        ida.delete(&of(&owner)).await.expect(403);
        owner.get("/api/v1/workspace/members/01890000-0000-7000-8000-000000000000/sessions/").await.expect(404);
    }

    async fn sign_ins_are_written_down_with_where_they_came_from(app: &TestApp, "SVC_NUM_PROXIES" = "1") {
        let (admin, mut mara) = (app.admin().await, app.person("mara").await);
        let from = app.anonymous().with_header("x-forwarded-for", "192.0.2.7").with_header("user-agent", "tester/1");
        let right = json!({"username": "mara", "password": "mara-password-1"});
        let wrong = json!({"username": "mara", "password": "wrong"});
        let unknown = json!({"username": "nobody", "password": "wrong"});
        let traced = from.with_header("x-request-id", "trace-7");
        traced.post("/api/v1/auth/token/", wrong).await.expect(401);
        let answer = from.post("/api/v1/auth/token/", right).await.expect(200);
        from.post("/api/v1/auth/token/", unknown).await.expect(401);
        client(app, &answer).post("/api/v1/auth/logout/", json!({})).await.expect(205);
        mara.sign_in_again().await;
        let own = mara.get(OWN_AUDIT).await.expect(200);
        let mut told: Vec<&str> = own.results().iter().map(|row| row["action"].as_str().unwrap()).collect();
        told.sort_unstable();
        assert_eq!(told, ["refused", "signed_in", "signed_out"]);
        let refused = own.results().iter().find(|row| row["action"] == "refused").unwrap();
        assert_eq!((&refused["source_ip"], &refused["request_id"]), (&json!("192.0.2.7"), &json!("trace-7")));
        assert_eq!((&refused["user_agent"], &refused["actor"]), (&json!("tester/1"), &Json::Null));
        assert_eq!(admin.get(AUDIT).await.expect(200)["count"], 3);
        mara.get(AUDIT).await.expect(403);
    }
}
