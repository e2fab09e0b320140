//! The audit of the workspace: what it tells, by whom it is read, and how it is taken along.

use chrono::Duration;
use planwright_domain::Role;
use planwright_testkit::{Answer, both_engines};
use serde_json::{Value, json};

use crate::site::{Site, text};

const AUDIT: &str = "/api/v1/workspace/audit-events/";

fn kinds(answer: &Answer) -> Vec<&str> {
    answer.results().iter().map(|row| text(&row["event_type"])).collect()
}

both_engines! {
    async fn ranks_settings_groups_tokens_and_sign_ins_have_lines(app: &TestApp) {
        let site = Site::new(app).await;
        let mut admin = app.person_ranked("boss", Role::ProjectManager).await;
        let mara = site.person("mara", 100).await;
        site.settle(json!({"allow_guests": false})).await;
        site.settle(json!({"name": "Tunnel"})).await;
        admin.patch("/api/v1/workspace/", json!({"name": "Yard"})).await.expect(200);
        admin.post("/api/v1/workspace/groups/", json!({"name": "Divers"})).await.expect(201);
        let minted = site.owner.post("/api/v1/me/api-tokens/", json!({"name": "ci"})).await.expect(201);
        site.owner.delete(&format!("/api/v1/me/api-tokens/{}/", minted.id())).await.expect(204);
        admin.patch(&format!("/api/v1/workspace/members/{}/", mara.id.0), json!({"status": "guest"})).await.expect(200);
        admin.sign_in_again().await;
        let all = admin.get(&format!("{AUDIT}?page_size=200")).await.expect(200);
        let found = kinds(&all);
        for kind in ["member_added", "project_access_changed", "workspace_settings_changed", "group_created",
            "token_minted", "token_revoked", "member_status_changed", "project_created"] {
            assert!(found.contains(&kind), "{kind} is missing: {found:?}");
        }
        assert_eq!(found.iter().filter(|kind| **kind == "project_access_changed").count(), 1);
        let line = |kind: &str| all.results().iter().find(|row| row["event_type"] == kind).unwrap().clone();
        let added = line("member_added");
        assert_eq!((text(&added["actor_label"]), text(&added["target_label"])), ("ona", "mara"));
        assert_eq!(added["metadata"]["project"], json!(site.project));
        assert_eq!(text(&line("group_created")["target_label"]), "Divers");
        assert_eq!(line("workspace_settings_changed")["metadata"]["fields"]["name"], json!(["Workspace", "Yard"]));
        mara.get(AUDIT).await.expect(403);
        app.anonymous().get(AUDIT).await.expect(401);
    }

    async fn the_audit_is_filtered_and_read_by_cursor(app: &TestApp) {
        let admin = app.person_ranked("boss", Role::ProjectManager).await;
        let other = app.person_ranked("vice", Role::ProjectManager).await;
        for number in 1..=5 {
            let who = if number % 2 == 0 { &other } else { &admin };
            who.post("/api/v1/workspace/groups/", json!({"name": format!("Group {number}")})).await.expect(201);
            app.later(Duration::seconds(10));
        }
        let groups = format!("{AUDIT}?event_type=group_created");
        assert_eq!(admin.get(&groups).await.expect(200).results().len(), 5);
        let own = format!("{groups}&actor={}", other.id.0);
        assert_eq!(admin.get(&own).await.expect(200).results().len(), 2);
        let first = admin.get(&format!("{groups}&page_size=2")).await.expect(200);
        let labels = |answer: &Answer| -> Vec<String> {
            answer.results().iter().map(|row| text(&row["target_label"]).to_owned()).collect()
        };
        assert_eq!(labels(&first), ["Group 5", "Group 4"]);
        admin.post("/api/v1/workspace/groups/", json!({"name": "Group 6"})).await.expect(201);
        let next = text(&first["next"]).split_once("/api/").map(|(_, path)| format!("/api/{path}")).unwrap();
        let second = admin.get(&next).await.expect(200);
        assert_eq!(labels(&second), ["Group 3", "Group 2"], "a new line shifts nothing");
        let third = second.results()[0]["created_at"].as_str().unwrap().to_owned();
        assert_eq!(admin.get(&format!("{groups}&until={third}")).await.expect(200).results().len(), 2);
        assert_eq!(admin.get(&format!("{groups}&since={third}")).await.expect(200).results().len(), 4);
        for wrong in ["event_type=rain", "actor=7", "since=soon", "until=x", "cursor=x"] {
            admin.get(&format!("{AUDIT}?{wrong}")).await.expect(400);
        }
    }

    async fn the_audit_is_taken_along_as_json_lines(app: &TestApp) {
        let admin = app.person_ranked("boss", Role::ProjectManager).await;
        for number in 1..=3 {
            admin.post("/api/v1/workspace/groups/", json!({"name": format!("Group {number}")})).await.expect(201);
        }
        let file = admin.get(&format!("{AUDIT}export/?event_type=group_created")).await.expect(200);
        assert_eq!(file.header("content-type"), "application/x-ndjson");
        let lines: Vec<Value> = file.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 3);
        assert!(lines.iter().all(|line| line["event_type"] == "group_created"));
        assert_eq!(kinds(&admin.get(AUDIT).await.expect(200))[0], "audit_exported");
        app.person("mara").await.get(&format!("{AUDIT}export/")).await.expect(403);
    }

    async fn the_owner_hands_the_workspace_over_and_administers_it(app: &TestApp) {
        let (owner, mara, gone) = (app.admin().await, app.person("mara").await, app.person("gone").await);
        let path = "/api/v1/workspace/transfer-ownership/";
        let to = |id: String| json!({"new_owner_user_id": id});
        mara.post(path, to(mara.id.0.to_string())).await.expect(403);
        owner.delete(&format!("/api/v1/workspace/members/{}/", gone.id.0)).await.expect(204);
        for wrong in [owner.id, gone.id] {
            let refused = owner.post(path, to(wrong.0.to_string())).await.expect(400);
            assert!(refused["new_owner_user_id"].is_array());
        }
        owner.post(path, to(mara.id.0.to_string())).await.expect(200);
        owner.post(path, to(owner.id.0.to_string())).await.expect(403);
        assert_eq!(owner.get("/api/v1/auth/me/").await["workspace_role"], 300);
        assert_eq!(mara.get("/api/v1/auth/me/").await["workspace_role"], 400);
        assert!(kinds(&mara.get(AUDIT).await.expect(200)).contains(&"ownership_transferred"));
        app.run_jobs().await;
    }

    async fn of_two_transfers_at_once_one_holds(app: &TestApp) {
        let (owner, mara, rob) = (app.admin().await, app.person("mara").await, app.person("rob").await);
        let to = |id: uuid::Uuid| json!({"new_owner_user_id": id});
        let path = "/api/v1/workspace/transfer-ownership/";
        let (one, other) =
            futures_util::future::join(owner.post(path, to(mara.id.0)), owner.post(path, to(rob.id.0))).await;
        let mut statuses = [one.status, other.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 403]);
    }
}
