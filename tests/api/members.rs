//! Members of projects and their teams.

use planwright_testkit::{Person, both_engines};
use serde_json::{Value, json};

const PROJECTS: &str = "/api/v1/projects/";

async fn project(owner: &Person<'_>, name: &str) -> String {
    let made = owner.post(PROJECTS, json!({"name": name, "start_date": "2026-01-05"})).await.expect(201);
    format!("{PROJECTS}{}/", made.id())
}

/// The row of somebody in a list of members: a bare array for projects and programs, a page for teams.
fn row_of<'a>(list: &'a Value, person: &Person<'_>) -> &'a Value {
    let rows = list.get("results").unwrap_or(list).as_array().expect("a list of members");
    rows.iter().find(|row| row["user"] == json!(person.id)).expect("the person is a member")
}

fn id_of(row: &Value) -> &str {
    row["id"].as_str().expect("a row has an id")
}

both_engines! {
    async fn a_member_is_added_once_and_below_the_owner(app: &TestApp) {
        let (owner, mara) = (app.person("ona").await, app.person("mara").await);
        let members = format!("{}members/", project(&owner, "Bridge").await);
        let refused = owner.post(&members, json!({"user": mara.id, "role": 400})).await.expect(400);
        assert!(refused["role"].is_array());
        assert!(owner.post(&members, json!({"user": mara.id, "role": 150})).await.expect(400)["role"].is_array());
        let nobody = "00000000-0000-0000-0000-000000000009";
        assert!(owner.post(&members, json!({"user": nobody})).await.expect(400)["user"].is_array());
        let added = owner.post(&members, json!({"user": mara.id})).await.expect(201);
        assert_eq!(added["role"], 100);
        assert_eq!(added["role_label"], "Team Member");
        assert_eq!(added["user_detail"]["username"], "mara");
        assert_eq!(added["role_changed_at"], Value::Null);
        let twice = owner.post(&members, json!({"user": mara.id})).await.expect(409);
        assert!(twice["detail"].is_string());
        let own = mara.get(&format!("{members}?self=true")).await.expect(200);
        assert_eq!(own.json.as_array().unwrap().len(), 1);
        assert_eq!(own.json[0]["user"], json!(mara.id));
        assert_eq!(own.json[0]["user_detail"]["email"], "mara@example.test");
        let all = mara.get(&members).await.expect(200);
        assert_eq!(row_of(&all.json, &owner)["user_detail"]["email"], Value::Null);
    }

    async fn ranks_change_and_members_leave_but_the_last_owner_stays(app: &TestApp) {
        let (owner, mara, vic) = (app.person("ona").await, app.person("mara").await, app.person("vic").await);
        let members = format!("{}members/", project(&owner, "Bridge").await);
        let one = |id: &str| format!("{members}{id}/");
        let mara_id = owner.post(&members, json!({"user": mara.id, "role": 300})).await.expect(201).id();
        let vic_id = owner.post(&members, json!({"user": vic.id, "role": 1})).await.expect(201).id();
        mara.patch(&one(&vic_id), json!({"role": 100})).await.expect(403);
        let raised = owner.patch(&one(&vic_id), json!({"role": 100})).await.expect(200);
        assert_eq!(raised["role"], 100);
        assert_eq!(raised["server_version"], 2);
        assert!(raised["role_changed_at"].is_string());
        assert!(owner.patch(&one(&vic_id), json!({"role": 400})).await.expect(400)["role"].is_array());
        assert!(owner.patch(&one(&vic_id), json!({"user": mara.id})).await.expect(400)["user"].is_array());
        mara.delete(&one(&vic_id)).await.expect(403);
        vic.delete(&one(&vic_id)).await.expect(204);
        vic.get(&members).await.expect(404);
        let all = owner.get(&members).await.expect(200);
        let owner_id = id_of(row_of(&all.json, &owner)).to_owned();
        assert!(owner.delete(&one(&owner_id)).await.expect(400)["detail"].is_string());
        assert!(owner.patch(&one(&owner_id), json!({"role": 300})).await.expect(400)["detail"].is_string());
        owner.delete(&one(&mara_id)).await.expect(204);
        owner.post(&members, json!({"user": vic.id})).await.expect(201);
    }

    async fn other_projects_are_told_only_to_who_owns_them(app: &TestApp) {
        let (owner, other, mara) = (app.person("ona").await, app.person("bea").await, app.person("mara").await);
        let first = format!("{}members/", project(&owner, "First").await);
        let second = format!("{}members/", project(&owner, "Second").await);
        let foreign = format!("{}members/", project(&other, "Foreign").await);
        for (who, where_to) in [(&owner, &first), (&owner, &second), (&other, &foreign)] {
            who.post(where_to, json!({"user": mara.id})).await.expect(201);
        }
        let seen = owner.get(&first).await.expect(200);
        assert_eq!(row_of(&seen.json, &mara)["other_active_project_names"], json!(["Second"]));
        assert_eq!(row_of(&seen.json, &mara)["other_active_project_count"], 1);
        let seen = mara.get(&first).await.expect(200);
        assert_eq!(row_of(&seen.json, &mara)["other_active_project_count"], 0);
    }

    async fn the_default_team_follows_the_members_who_work(app: &TestApp) {
        let (owner, mara, vic) = (app.person("ona").await, app.person("mara").await, app.person("vic").await);
        let path = project(&owner, "Bridge").await;
        let mara_id = owner.post(&format!("{path}members/"), json!({"user": mara.id, "role": 100})).await.expect(201).id();
        owner.post(&format!("{path}members/"), json!({"user": vic.id, "role": 1})).await.expect(201);
        let teams = owner.get(&format!("{path}teams/")).await.expect(200);
        let team = format!("/api/v1/teams/{}/", id_of(&teams.results()[0]));
        assert_eq!(owner.get(&team).await.expect(200)["member_count"], 2);
        app.person("sue").await.get(&team).await.expect(404);
        let roster = vic.get(&format!("{team}members/")).await.expect(200);
        assert_eq!(row_of(&roster.json, &owner)["role"], "admin");
        assert_eq!(row_of(&roster.json, &mara)["role"], "member");
        let member = format!("{path}members/{mara_id}/");
        owner.patch(&member, json!({"role": 300})).await.expect(200);
        let roster = owner.get(&format!("{team}members/")).await.expect(200);
        assert_eq!(row_of(&roster.json, &mara)["role"], "admin");
        owner.patch(&member, json!({"role": 1})).await.expect(200);
        assert_eq!(owner.get(&team).await["member_count"], 1);
    }

    async fn a_facet_has_one_holder(app: &TestApp) {
        let (owner, mara, rob) = (app.person("ona").await, app.person("mara").await, app.person("rob").await);
        let path = project(&owner, "Bridge").await;
        for person in [&mara, &rob] {
            owner.post(&format!("{path}members/"), json!({"user": person.id})).await.expect(201);
        }
        let teams = owner.get(&format!("{path}teams/")).await.expect(200);
        let roster = format!("/api/v1/teams/{}/members/", id_of(&teams.results()[0]));
        let before = owner.get(&roster).await.expect(200);
        let one = |person: &Person<'_>| format!("{roster}{}/", id_of(row_of(&before.json, person)));
        mara.patch(&one(&mara), json!({"is_scrum_master": true})).await.expect(403);
        owner.patch(&one(&mara), json!({"is_scrum_master": true, "is_product_owner": true})).await.expect(200);
        assert_eq!(mara.get(&path).await["my_facets"]["is_scrum_master"], true);
        let moved = owner.patch(&one(&rob), json!({"is_scrum_master": true, "role": "admin"})).await.expect(200);
        assert_eq!(moved["role_label"], "Admin");
        let after = owner.get(&roster).await.expect(200);
        assert_eq!(row_of(&after.json, &mara)["is_scrum_master"], false);
        assert_eq!(row_of(&after.json, &mara)["is_product_owner"], true);
        rob.patch(&one(&mara), json!({"is_product_owner": false})).await.expect(200);
        owner.post(&format!("{path}archive/"), json!({})).await.expect(200);
        owner.patch(&one(&rob), json!({"role": "member"})).await.expect(403);
    }
}
