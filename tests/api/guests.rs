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

    async fn a_guest_of_any_rank_sees_no_addresses_imports_nothing_and_owns_nothing(app: &TestApp) {
        let site = Site::new(app).await;
        let guest = site.person("gus", 300).await;
        make_guest(app, &guest).await;
        let raised = planwright_store::sql!("UPDATE users SET workspace_role = 300 WHERE id = :id", id = guest.id);
        app.write(raised).await;
        let members = guest.get("/api/v1/workspace/members/").await.expect(200);
        assert_eq!(members.results().len(), 1, "{}", members.text);
        let others = listed(&guest.get(&site.at("members/")).await.expect(200));
        let addresses = others.iter().filter(|row| row["user_detail"]["email"].is_string()).count();
        assert!(addresses <= 1, "{others:?}");
        for format in ["primavera", "msproject"] {
            guest.post(&format!("/api/v1/projects/import/{format}/"), json!({})).await.expect(403);
        }
        let heir = json!({"new_owner_user_id": guest.id});
        let refused = site.owner.post(&site.at("transfer/"), heir).await.expect(400);
        assert!(refused["new_owner_user_id"].is_array(), "{}", refused.text);
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

    async fn a_guest_changes_no_link_and_relates_no_tasks(app: &TestApp) {
        let site = Site::new(app).await;
        let guest = site.person("gus", 300).await;
        let (dig, pour) = (site.task("Dig", 2).await, site.task("Pour", 2).await);
        let between = json!({"predecessor": dig, "successor": pour});
        let link = site.owner.post("/api/v1/dependencies/", between).await.expect(201).id();
        let related = json!({"source": dig, "target": pour, "relation_type": "relates_to"});
        let relation = site.owner.post("/api/v1/task-relations/", related.clone()).await.expect(201).id();
        make_guest(app, &guest).await;
        for one in [format!("/api/v1/dependencies/{link}/"), format!("/api/v1/task-relations/{relation}/")] {
            guest.get(&one).await.expect(200);
            guest.patch(&one, json!({"lag": 3, "note": "x"})).await.expect(403);
            guest.delete(&one).await.expect(403);
        }
        guest.post("/api/v1/task-relations/", related).await.expect(403);
    }

    async fn what_is_hidden_from_a_guest_is_not_told_to_them(app: &TestApp) {
        let site = Site::new(app).await;
        let guest = site.person("gus", 100).await;
        let task = site.task("Hidden digging", 2).await;
        make_guest(app, &guest).await;
        let comments = site.at(&format!("tasks/{task}/comments/"));
        site.owner.post(&comments, json!({"body": "A secret for @gus"})).await.expect(201);
        app.run_jobs().await;
        let told = guest.get("/api/v1/me/notifications/").await.expect(200);
        assert!(told.text.contains("Hidden digging"));
        site.settle(json!({"allow_guests": false})).await;
        let told = guest.get("/api/v1/me/notifications/").await.expect(200);
        assert!(!told.text.contains("Hidden") && !told.text.contains("secret"), "{}", told.text);
        site.owner.post(&comments, json!({"body": "Another one for @gus"})).await.expect(400);
        site.owner.patch(&format!("{TASKS}{task}/"), json!({"assignee": guest.id})).await.expect(200);
        app.run_jobs().await;
        let kept = "SELECT COUNT(*) FROM notifications WHERE recipient_id = :id";
        assert_eq!(app.app.db.count(planwright_store::sql!(kept, id = guest.id)).await.unwrap(), 1, "nothing new is told");
        site.settle(json!({"allow_guests": true})).await;
        assert!(guest.get("/api/v1/me/notifications/").await.expect(200).text.contains("Hidden digging"));
    }
}
