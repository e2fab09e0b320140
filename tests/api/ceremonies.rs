//! The ceremonies of a program: agreements that members read and managers keep.

use planwright_domain::Role;
use planwright_testkit::both_engines;
use serde_json::json;

both_engines! {
    async fn a_ceremony_is_added_changed_and_deleted(app: &TestApp) {
        let owner = app.person("ona").await;
        let program = owner.post("/api/v1/programs/", json!({"name": "City"})).await.expect(201).id();
        let all = format!("/api/v1/programs/{program}/ceremonies/");
        let request = json!({"name": "Sync", "cadence_type": "weekly", "cadence_day": "Tuesday", "cadence_time": "09:30"});
        let made = owner.post(&all, request).await.expect(201);
        assert_eq!((&made["cadence_time"], &made["enabled"], &made["created_by"]), (&json!("09:30:00"), &json!(true), &json!(owner.id)));
        let one = format!("{all}{}/", made.id());
        let changed = owner.patch(&one, json!({"enabled": false, "cadence_time": null})).await.expect(200);
        assert_eq!((&changed["server_version"], &changed["cadence_time"]), (&json!(2), &json!(null)));
        assert_eq!(owner.get(&one).await.expect(200).json, changed.json);
        let wrong = owner.patch(&one, json!({"cadence_time": "noon", "duration_minutes": -1})).await.expect(400);
        assert!(wrong["duration_minutes"].is_array(), "{}", wrong.text);
        owner.patch(&one, json!({"cadence_time": "noon"})).await.expect(400);
        owner.put(&one, json!({"name": "Sync"})).await.expect(400);
        owner.post(&all, json!({"name": "Demo", "cadence_type": "daily"})).await.expect(400);
        let (member, stranger) = (app.person("mara").await, app.person("sid").await);
        owner.let_in(&format!("/api/v1/programs/{program}/"), &member, Role::ResourceManager).await;
        member.get(&one).await.expect(200);
        member.patch(&one, json!({"name": "Mine"})).await.expect(403);
        stranger.get(&one).await.expect(404);
        assert_eq!(owner.get(&format!("{all}?search=SYN")).await.expect(200)["count"], 1);
        owner.delete(&one).await.expect(204);
        owner.get(&one).await.expect(404);
    }
}
