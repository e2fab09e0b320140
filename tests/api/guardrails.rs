//! How strictly the sprints of a project are guarded: who says so, and what is in force.

use planwright_domain::Role;
use planwright_testkit::both_engines;
use serde_json::json;

use crate::bridges::Bridges;

both_engines! {
    async fn everything_warns_until_somebody_says_otherwise(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        let path = format!("/api/v1/projects/{}/guardrail-policy/", plan.project);
        let fresh = owner.get(&path).await.expect(200);
        assert_eq!((&fresh["levels"], &fresh["policy_source"]), (&json!({}), &json!("owner")));
        assert_eq!(fresh["effective_levels"], json!({
            "summary_in_sprint": "warn", "phase_in_sprint": "block", "task_outside_sprint_window": "warn",
            "recurring_in_sprint": "warn", "subtasks_split": "warn",
        }));
        let set = owner.patch(&path, json!({"levels": {"recurring_in_sprint": "block"}})).await.expect(200);
        assert_eq!((&set["levels"], &set["server_version"]), (&json!({"recurring_in_sprint": "block"}), &json!(2)));
        let more = owner.patch(&path, json!({"levels": {"summary_in_sprint": "warn"}})).await.expect(200);
        assert_eq!(more["levels"], json!({"recurring_in_sprint": "block", "summary_in_sprint": "warn"}));
        assert_eq!(more.header("etag"), "\"v3\"");
        assert_eq!(owner.get(&path).await.expect(200).json, more.json);
        let history = owner.get(&format!("/api/v1/projects/{}/history/?entity=guardrail_policy", plan.project)).await.expect(200);
        assert_eq!((&history["count"], &history["results"][0]["diff"][0]["field"]), (&json!(2), &json!("levels")));
    }

    async fn members_change_levels_and_only_the_owner_lets_one_block(app: &TestApp) {
        let owner = app.person("owner").await;
        let (manager, member) = (app.person("manager").await, app.person("member").await);
        let plan = Bridges::of(app, &owner).await;
        plan.let_in(&owner, &manager, Role::ProjectManager).await;
        plan.let_in(&owner, &member, Role::Member).await;
        let viewer = app.person("viewer").await;
        plan.let_in(&owner, &viewer, Role::Viewer).await;
        let path = format!("/api/v1/projects/{}/guardrail-policy/", plan.project);
        let block = json!({"levels": {"summary_in_sprint": "block"}});
        viewer.patch(&path, json!({"levels": {"summary_in_sprint": "warn"}})).await.expect(403);
        member.patch(&path, json!({"levels": {"summary_in_sprint": "warn"}})).await.expect(200);
        member.patch(&path, block.clone()).await.expect(403);
        manager.patch(&path, block.clone()).await.expect(403);
        owner.patch(&path, block).await.expect(200);
        let eased = manager.patch(&path, json!({"levels": {"summary_in_sprint": "warn"}})).await.expect(200);
        assert_eq!(eased["effective_levels"]["summary_in_sprint"], "warn");
    }

    async fn a_level_that_does_not_exist_is_refused_by_name(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        let path = format!("/api/v1/projects/{}/guardrail-policy/", plan.project);
        let loud = owner.patch(&path, json!({"levels": {"summary_in_sprint": "shout"}})).await.expect(400);
        assert!(loud["levels"]["summary_in_sprint"].is_array(), "{}", loud.text);
        let split = owner.patch(&path, json!({"levels": {"subtasks_split": "block"}})).await.expect(400);
        assert!(split["levels"]["subtasks_split"].is_array(), "{}", split.text);
        let typed = json!({"levels": {"sumary_in_sprint": "block", "phase_in_sprint": "shout"}});
        let unknown = owner.patch(&path, typed).await.expect(400);
        for rule in ["sumary_in_sprint", "phase_in_sprint"] {
            assert!(unknown["levels"][rule].is_array(), "{}", unknown.text);
        }
        owner.with_header("if-match", "\"v9\"").patch(&path, json!({})).await.expect(412);
    }
}
