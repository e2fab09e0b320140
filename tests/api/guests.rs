//! Guests of the workspace: they see and do what one table says, where guests are allowed, and nothing elsewhere.

use planwright_domain::Role;
use planwright_testkit::{Person, TestApp, both_engines};
use serde_json::json;

use crate::site::{Site, TASKS, listed};

async fn make_guest(app: &TestApp, person: &Person<'_>) {
    let admin = app.person_ranked("boss", Role::ProjectManager).await;
    let member = format!("/api/v1/workspace/members/{}/", person.id.0);
    admin.patch(&member, json!({"status": "guest"})).await.expect(200);
}

both_engines! {
    async fn a_guest_reads_and_takes_part_and_does_not_plan_whatever_their_rank(app: &TestApp) {
        let site = Site::new(app).await;
        let guest = site.person("gus", 300).await;
        let task = site.task("Dig", 2).await;
        make_guest(app, &guest).await;
        guest.get(&site.at("")).await.expect(200);
        let tasks = guest.get(&format!("{TASKS}?project={}", site.project)).await.expect(200);
        assert_eq!(tasks.results().len(), 1);
        let comments = site.at(&format!("tasks/{task}/comments/"));
        guest.post(&comments, json!({"body": "Looks good"})).await.expect(201);
        guest.post(TASKS, json!({"project": site.project, "name": "Mine"})).await.expect(403);
        guest.patch(&format!("{TASKS}{task}/"), json!({"name": "Mine"})).await.expect(403);
        guest.patch(&site.at(""), json!({"name": "Mine"})).await.expect(403);
        guest.get(&site.at("webhooks/")).await.expect(403);
        guest.post("/api/v1/projects/", json!({"name": "Own", "start_date": "2026-01-05"})).await.expect(403);
        guest.post("/api/v1/programs/", json!({"name": "Own"})).await.expect(403);
        guest.get("/api/v1/users/search/?q=on").await.expect(403);
        guest.get("/api/v1/workspace/").await.expect(200);
        guest.get("/api/v1/workspace/groups/").await.expect(403);
    }

    async fn where_no_guests_are_allowed_a_guest_sees_nothing_and_members_see_everything(app: &TestApp) {
        let site = Site::new(app).await;
        let (guest, member) = (site.person("gus", 100).await, site.person("mara", 100).await);
        let task = site.task("Dig", 2).await;
        make_guest(app, &guest).await;
        site.settle(json!({"allow_guests": false})).await;
        guest.get(&site.at("")).await.expect(404);
        guest.get(&format!("{TASKS}{task}/")).await.expect(404);
        assert!(guest.get(TASKS).await.expect(200).results().is_empty());
        assert!(listed(&guest.get("/api/v1/projects/").await.expect(200)).is_empty());
        member.get(&site.at("")).await.expect(200);
        assert_eq!(listed(&member.get("/api/v1/projects/").await.expect(200)).len(), 1);
        site.settle(json!({"allow_guests": null})).await;
        guest.get(&site.at("")).await.expect(200);
        let admin = app.admin().await;
        admin.patch("/api/v1/workspace/", json!({"allow_guests": false})).await.expect(200);
        guest.get(&site.at("")).await.expect(404);
        let program = site.owner.post("/api/v1/programs/", json!({"name": "Mills"})).await.expect(201).id();
        site.owner.patch(&format!("/api/v1/programs/{program}/"), json!({"allow_guests": true})).await.expect(200);
        site.settle(json!({"program": program})).await;
        guest.get(&site.at("")).await.expect(200);
    }
}
