//! Who one is, where one lands and what one chose for oneself.
//! Every combination of wish and rank is tested where the landing is decided.

use planwright_domain::Role;
use planwright_testkit::both_engines;
use serde_json::json;

const ME: &str = "/api/v1/auth/me/";
const PROFILE: &str = "/api/v1/auth/me/profile/";

both_engines! {
    async fn somebody_new_lands_at_their_own_work(app: &TestApp) {
        let mara = app.person("mara").await;
        let me = mara.get(ME).await.expect(200);
        assert_eq!(me["id"], mara.id.to_string());
        assert_eq!(me["display_name"], "mara");
        assert_eq!(me["initials"], "MA");
        assert_eq!(me["email"], "mara@example.test");
        assert!(me["max_project_role"].is_null());
        assert_eq!(me["workspace_role"], 100);
        assert_eq!(me["can_access_admin_settings"], false);
        assert_eq!(me["landing"], json!({"intent": "my_work", "path": "/me/work", "resolved_by": "fallback"}));
        assert_eq!(me["hidden_views"], json!([]));
        assert_eq!(me["default_landing"], "auto");
        assert_eq!(me["role_context"], "unified");
        assert_eq!(me["timezone"], "auto");
        assert_eq!(me["date_format"], "auto");
        assert_eq!(me["dnd_enabled"], false);
        app.anonymous().get(ME).await.expect(401);
        let admin = app.person_ranked("olaf", Role::ProjectManager).await;
        assert_eq!(admin.get(ME).await.expect(200)["can_access_admin_settings"], true);
    }

    async fn who_runs_a_project_lands_on_its_overview(app: &TestApp) {
        let mara = app.person("mara").await;
        let body = json!({"name": "Bridge", "start_date": "2026-01-05"});
        let project = mara.post("/api/v1/projects/", body).await.expect(201).id();
        let me = mara.get(ME).await.expect(200);
        assert_eq!(me["max_project_role"], 400);
        assert_eq!(me["can_access_admin_settings"], true);
        let path = format!("/projects/{project}/overview");
        let landing = json!({"intent": "project_overview", "path": path, "resolved_by": "role_policy"});
        assert_eq!(me["landing"], landing);
    }

    async fn a_profile_is_changed_field_by_field(app: &TestApp) {
        let mara = app.person("mara").await;
        let request = json!({
            "default_landing": "portfolio", "role_context": "scrum_master", "timezone": "Europe/Lisbon",
            "date_format": "eu", "schedule_in_deliver": true, "hidden_views": ["risk", "grid", "risk"],
        });
        let profile = mara.patch(PROFILE, request).await.expect(200);
        assert_eq!(profile["hidden_views"], json!(["risk", "grid"]));
        let profile = mara.patch(PROFILE, json!({"timezone": "auto"})).await.expect(200);
        assert_eq!(profile["timezone"], "auto");
        assert_eq!(profile["default_landing"], "portfolio");
        assert_eq!(mara.get(PROFILE).await.expect(200).json, profile.json);
        let me = mara.get(ME).await.expect(200);
        assert_eq!(me["landing"]["resolved_by"], "preference");
        assert_eq!(me["date_format"], "eu");
        assert_eq!(me["schedule_in_deliver"], true);
        let other = app.person("ida").await;
        assert_eq!(other.get(PROFILE).await.expect(200)["date_format"], "auto");
    }

    async fn every_wrong_field_of_a_profile_is_named(app: &TestApp) {
        let mara = app.person("mara").await;
        let request = json!({
            "default_landing": "home", "role_context": 7, "timezone": "Europe/Atlantis", "date_format": null,
            "schedule_in_deliver": "perhaps", "hidden_views": ["grid", "nothing"],
        });
        let refused = mara.patch(PROFILE, request).await.expect(400);
        for field in ["default_landing", "role_context", "timezone", "date_format", "schedule_in_deliver"] {
            assert!(refused[field][0].is_string(), "{field}: {}", refused.text);
        }
        assert!(refused["hidden_views"]["1"][0].is_string(), "{}", refused.text);
        let many = vec!["grid"; 33];
        mara.patch(PROFILE, json!({"hidden_views": many})).await.expect(400);
    }
}
