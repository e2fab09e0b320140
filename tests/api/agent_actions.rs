//! What agents asked for is recorded with its verdict, is seen by those whom it concerns, and cannot be changed unnoticed.

use planwright_agents::keeping;
use planwright_store::sql;
use planwright_testkit::{Person, both_engines};
use serde_json::json;

use crate::site::{Site, listed, task_path, text};

const ALL: &str = "/api/v1/agent-actions/";

/// An agent of a person.
async fn agent_of<'a>(person: &Person<'a>) -> Person<'a> {
    let wish = json!({"name": "Reader", "scopes": ["mcp:read"], "expires_at": "2026-06-01T00:00:00Z"});
    let token = person.post("/api/v1/me/api-tokens/", wish).await.expect(201);
    person.with_token(text(&token["token"]))
}

both_engines! {
    async fn every_request_of_an_agent_is_recorded_with_its_verdict(app: &TestApp) {
        let site = Site::new(app).await;
        let dig = site.task("Dig", 2).await;
        let agent = agent_of(&site.owner).await;
        agent.get(&task_path(&dig)).await.expect(200);
        agent.patch(&task_path(&dig), json!({"name": "Mine"})).await.expect(403);
        agent.get("/api/v1/tasks/019b8d2b-8c00-7fcb-b93e-a717d95c83cc/").await.expect(404);
        agent.get(&format!("/api/v1/tasks/?project={}", site.project)).await.expect(200);
        site.owner.get(&task_path(&dig)).await.expect(200);
        let rows = listed(&site.owner.get(ALL).await.expect(200));
        let shown: Vec<(i64, &str, &str, &str)> = rows
            .iter()
            .map(|row| (row["sequence"].as_i64().unwrap(), text(&row["action"]), text(&row["verdict"]), text(&row["refusal_reason"])))
            .collect();
        assert_eq!(shown, [
            (4, "GET /api/v1/tasks/", "allowed", ""),
            (3, "GET /api/v1/tasks/{id}/", "refused", "identity"),
            (2, "PATCH /api/v1/tasks/{id}/", "refused", "policy"),
            (1, "GET /api/v1/tasks/{id}/", "allowed", ""),
        ]);
        assert_eq!((text(&rows[3]["object_type"]), text(&rows[3]["object_id"]), text(&rows[3]["project"])),
            ("tasks", dig.as_str(), site.project.as_str()));
        assert_eq!(text(&rows[2]["refusal_detail"]["constraint"]), "capability_scope");
        let one = site.owner.get(&format!("{ALL}{}/", text(&rows[0]["id"]))).await.expect(200);
        assert_eq!(one.json, rows[0]);
        let refused = listed(&site.owner.get(&format!("{ALL}?verdict=refused&constraint=capability_scope")).await.expect(200));
        assert_eq!(refused.len(), 1);
        for wrong in ["project=x", "since=x", "program=x"] {
            site.owner.get(&format!("{ALL}?{wrong}")).await.expect(400);
        }
    }

    async fn members_of_a_project_see_what_agents_did_there_and_strangers_do_not(app: &TestApp) {
        let site = Site::new(app).await;
        let dig = site.task("Dig", 2).await;
        let (mara, stranger) = (site.person("mara", 100).await, app.person("stranger").await);
        let agent = agent_of(&site.owner).await;
        agent.get(&task_path(&dig)).await.expect(200);
        agent.get("/api/v1/programs/").await.expect(200);
        assert_eq!(listed(&site.owner.get(ALL).await.expect(200)).len(), 2);
        let seen = listed(&mara.get(ALL).await.expect(200));
        assert_eq!((seen.len(), text(&seen[0]["object_id"])), (1, dig.as_str()));
        assert!(listed(&stranger.get(ALL).await.expect(200)).is_empty());
        stranger.get(&format!("{ALL}{}/", text(&seen[0]["id"]))).await.expect(404);
    }

    async fn requests_at_the_same_moment_make_one_chain_and_a_change_of_it_is_found(app: &TestApp) {
        let site = Site::new(app).await;
        let dig = site.task("Dig", 2).await;
        let agent = agent_of(&site.owner).await;
        let path = task_path(&dig);
        futures_util::future::join_all((0..40).map(|_| agent.get(&path))).await;
        let checked = keeping::verify(&app.app.db).await.unwrap();
        assert_eq!((checked.records, checked.fault), (40, None));
        let mut file = Vec::new();
        assert_eq!(keeping::export(&app.app.db, &mut file).await.unwrap(), 40);
        assert_eq!(keeping::verify_file(file.as_slice()).unwrap().fault, None);
        let forged = String::from_utf8(file).unwrap().replacen("\"verdict\":\"allowed\"", "\"verdict\":\"refused\"", 1);
        assert!(keeping::verify_file(forged.as_bytes()).unwrap().fault.is_some());
        app.later(chrono::Duration::minutes(10));
        agent.get(&path).await.expect(200);
        assert_eq!(keeping::prune(&app.app.db, app.clock.now() - chrono::Duration::minutes(5)).await.unwrap(), 40);
        assert_eq!(keeping::verify(&app.app.db).await.unwrap().records, 1);
        app.write(sql!("UPDATE agent_actions SET summary = 'Nothing.'")).await;
        let fault = keeping::verify(&app.app.db).await.unwrap().fault.unwrap();
        assert_eq!(fault, "Record 41 was changed, or the record before it was.");
        assert!(keeping::prune(&app.app.db, app.clock.now()).await.is_err());
        app.write(sql!("DELETE FROM agent_actions")).await;
        assert!(keeping::verify(&app.app.db).await.unwrap().fault.unwrap().contains("missing"));
    }
}
