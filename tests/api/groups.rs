//! Groups of the workspace: who is in them, and the places in projects that come, change and go with them.

use futures_util::future::join;
use planwright_domain::Role;
use planwright_testkit::{Person, TestApp, both_engines};
use serde_json::{Value, json};

use crate::site::{Site, text};

const GROUPS: &str = "/api/v1/workspace/groups/";

async fn group(admin: &Person<'_>, name: &str) -> String {
    let made = admin.post(GROUPS, json!({"name": name})).await.expect(201);
    format!("{GROUPS}{}/", made.id())
}

/// The rank of somebody in the project, as its owner sees it; null when they have no place.
async fn rank(site: &Site<'_>, person: &Person<'_>) -> Value {
    let members = site.owner.get(&site.at("members/")).await.expect(200);
    let rows = members.json.as_array().expect("a bare list").clone();
    rows.iter().find(|row| row["user"] == json!(person.id)).map_or(Value::Null, |row| row["role"].clone())
}

async fn boss(app: &TestApp) -> Person<'_> {
    app.person_ranked("boss", Role::ProjectManager).await
}

both_engines! {
    async fn a_group_is_made_led_renamed_and_deleted_by_administrators_and_seen_by_everybody(app: &TestApp) {
        let (admin, mara) = (boss(app).await, app.person("mara").await);
        mara.post(GROUPS, json!({"name": "Divers"})).await.expect(403);
        let made = admin.post(GROUPS, json!({"name": "Divers", "lead": mara.id})).await.expect(201);
        assert_eq!((text(&made["lead"]), &made["lead_user_id"]), ("MA", &json!(mara.id)));
        let one = format!("{GROUPS}{}/", made.id());
        assert!(admin.post(GROUPS, json!({"name": "DIVERS"})).await.expect(400)["name"].is_array());
        let nobody = json!({"lead": "00000000-0000-0000-0000-000000000009"});
        assert!(admin.patch(&one, nobody).await.expect(400)["lead"].is_array());
        assert_eq!(admin.patch(&one, json!({"name": "Climbers", "lead": null})).await.expect(200)["lead"], Value::Null);
        assert_eq!(mara.get(&one).await.expect(200)["name"], "Climbers");
        assert_eq!(mara.get(&format!("{GROUPS}?search=climb")).await.expect(200)["count"], 1);
        mara.patch(&one, json!({"name": "Mine"})).await.expect(403);
        mara.delete(&one).await.expect(403);
        app.anonymous().get(GROUPS).await.expect(401);
        admin.delete(&one).await.expect(204);
        mara.get(&one).await.expect(404);
    }

    async fn members_of_a_group_get_a_place_in_its_projects_and_lose_it_with_the_group(app: &TestApp) {
        let site = Site::new(app).await;
        let (admin, mara) = (boss(app).await, app.person("mara").await);
        let divers = group(&admin, "Divers").await;
        site.hush().await;
        let link = json!({"project": site.project, "role": 300});
        admin.post(&format!("{divers}projects/"), link).await.expect(201);
        let shown = admin.post(&format!("{divers}members/"), json!({"user": mara.id})).await.expect(201);
        assert_eq!(shown["member_count"], 1);
        assert_eq!(text(&shown["members"][0]["name"]), "mara");
        assert_eq!((&shown["projects"][0]["role"], text(&shown["projects"][0]["role_label"])), (&json!(300), "Project Manager"));
        mara.get(&site.at("")).await.expect(200);
        assert_eq!(rank(&site, &mara).await, 300);
        let added = site.payloads("member_added").await;
        assert_eq!((added.len(), &added[0]["role"]), (1, &json!(300)));
        admin.post(&format!("{divers}projects/{}/", site.project), json!({"role": 1})).await.expect(201);
        assert_eq!(rank(&site, &mara).await, 1);
        assert_eq!(site.payloads("member_role_changed").await.len(), 1);
        admin.post(&format!("{divers}members/"), json!({"user": mara.id})).await.expect(201);
        assert_eq!(site.payloads("member_added").await.len(), 1, "a second time changes nothing");
        admin.delete(&divers).await.expect(204);
        mara.get(&site.at("")).await.expect(404);
        assert_eq!(site.payloads("member_removed").await.len(), 1);
        let listed = admin.get("/api/v1/workspace/members/").await.expect(200);
        assert!(listed.results().iter().all(|row| row["groups"] == json!([])));
    }

    async fn the_rank_is_the_highest_of_groups_and_direct_place_and_falls_back(app: &TestApp) {
        let site = Site::new(app).await;
        let admin = boss(app).await;
        let mara = site.person("mara", 100).await;
        let (divers, leads) = (group(&admin, "Divers").await, group(&admin, "Leads").await);
        for (group, role) in [(&divers, 200), (&leads, 300)] {
            admin.post(&format!("{group}members/{}/", mara.id.0), json!({})).await.expect(201);
            let link = json!({"project": site.project, "role": role});
            admin.post(&format!("{group}projects/"), link).await.expect(201);
            assert_eq!(rank(&site, &mara).await, role);
        }
        let listed = admin.get("/api/v1/workspace/members/").await.expect(200);
        let row = listed.results().iter().find(|row| row["name"] == "mara").expect("mara is listed").clone();
        assert_eq!(row["groups"], json!(["Divers", "Leads"]));
        admin.delete(&format!("{leads}projects/{}/", site.project)).await.expect(204);
        assert_eq!(rank(&site, &mara).await, 200);
        admin.delete(&format!("{divers}members/{}/", mara.id.0)).await.expect(204);
        assert_eq!(rank(&site, &mara).await, 100, "the direct place is what it was");
        admin.delete(&format!("{divers}members/{}/", mara.id.0)).await.expect(404);
        admin.delete(&format!("{divers}projects/{}/", uuid::Uuid::nil())).await.expect(404);
    }

    async fn a_place_that_groups_give_cannot_be_left_and_a_direct_one_falls_back_to_it(app: &TestApp) {
        let site = Site::new(app).await;
        let (admin, mara) = (boss(app).await, site.person("mara", 300).await);
        let divers = group(&admin, "Divers").await;
        admin.post(&format!("{divers}members/"), json!({"user": mara.id})).await.expect(201);
        admin.post(&format!("{divers}projects/"), json!({"project": site.project})).await.expect(201);
        let own = mara.get(&site.at("members/?self=true")).await.expect(200);
        let one = site.at(&format!("members/{}/", text(&own.json[0]["id"])));
        site.owner.delete(&one).await.expect(204);
        assert_eq!(rank(&site, &mara).await, 100);
        assert!(mara.delete(&one).await.expect(400)["detail"].is_string());
        let raised = site.owner.patch(&one, json!({"role": 200})).await.expect(200);
        assert_eq!((&raised["role"], &raised["direct_role"]), (&json!(200), &json!(200)));
        admin.delete(&format!("{divers}members/")).await.expect(204);
        assert_eq!(rank(&site, &mara).await, 200);
    }

    async fn what_a_group_refuses_is_named(app: &TestApp) {
        let site = Site::new(app).await;
        let (admin, gone) = (boss(app).await, app.person("gone").await);
        let divers = group(&admin, "Divers").await;
        let wrong = json!({"project": site.project, "role": 400});
        assert!(admin.post(&format!("{divers}projects/"), wrong).await.expect(400)["role"].is_array());
        let nowhere = json!({"project": "00000000-0000-0000-0000-000000000009"});
        assert!(admin.post(&format!("{divers}projects/"), nowhere).await.expect(400)["project"].is_array());
        admin.delete(&format!("/api/v1/workspace/members/{}/", gone.id.0)).await.expect(204);
        assert!(admin.post(&format!("{divers}members/"), json!({"user": gone.id})).await.expect(400)["user"].is_array());
        app.run_jobs().await;
    }

    async fn a_member_sees_only_the_projects_of_a_group_that_they_are_in(app: &TestApp) {
        let site = Site::new(app).await;
        let (admin, mara) = (boss(app).await, app.person("mara").await);
        let divers = group(&admin, "Divers").await;
        admin.post(&format!("{divers}projects/"), json!({"project": site.project})).await.expect(201);
        assert_eq!(mara.get(&divers).await.expect(200)["projects"], json!([]));
        assert_eq!(admin.get(&divers).await.expect(200)["projects"].as_array().unwrap().len(), 1);
        admin.post(&format!("{divers}members/"), json!({"user": mara.id})).await.expect(201);
        assert_eq!(mara.get(&divers).await.expect(200)["projects"].as_array().unwrap().len(), 1);
    }

    async fn a_project_from_the_trash_has_the_places_that_groups_give_now(app: &TestApp) {
        let site = Site::new(app).await;
        let (admin, mara, rob) = (boss(app).await, app.person("mara").await, app.person("rob").await);
        let divers = group(&admin, "Divers").await;
        admin.post(&format!("{divers}projects/"), json!({"project": site.project})).await.expect(201);
        admin.post(&format!("{divers}members/"), json!({"user": mara.id})).await.expect(201);
        site.owner.delete(&site.at("")).await.expect(204);
        admin.delete(&format!("{divers}members/{}/", mara.id.0)).await.expect(204);
        admin.post(&format!("{divers}members/"), json!({"user": rob.id})).await.expect(201);
        site.owner.post(&site.at("restore/"), json!({})).await.expect(200);
        assert_eq!((rank(&site, &mara).await, rank(&site, &rob).await), (Value::Null, json!(100)));
    }

    async fn two_cascades_at_once_leave_the_right_rank(app: &TestApp) {
        let site = Site::new(app).await;
        let (admin, mara) = (boss(app).await, app.person("mara").await);
        let (divers, leads) = (group(&admin, "Divers").await, group(&admin, "Leads").await);
        for (group, role) in [(&divers, 100), (&leads, 300)] {
            let link = json!({"project": site.project, "role": role});
            admin.post(&format!("{group}projects/"), link).await.expect(201);
        }
        let member = |group: &str| format!("{group}members/{}/", mara.id.0);
        for _ in 0..8 {
            let (divers_member, leads_member) = (member(&divers), member(&leads));
            let (one, other) =
                join(admin.post(&divers_member, json!({})), admin.post(&leads_member, json!({}))).await;
            one.expect(201);
            other.expect(201);
            assert_eq!(rank(&site, &mara).await, 300);
            let (one, other) = join(admin.delete(&leads_member), admin.post(&divers_member, json!({}))).await;
            one.expect(204);
            other.expect(201);
            assert_eq!(rank(&site, &mara).await, 100);
            admin.delete(&divers_member).await.expect(204);
            assert_eq!(rank(&site, &mara).await, Value::Null);
        }
    }
}
