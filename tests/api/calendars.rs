//! Calendars and their exceptions.

use planwright_testkit::both_engines;
use serde_json::json;

both_engines! {
    async fn a_calendar_is_added_changed_and_deleted(app: &TestApp) {
        let admin = app.admin().await;
        let made = admin.post("/api/v1/calendars/", json!({"name": "Six days", "working_days": 63})).await.expect(201);
        let path = format!("/api/v1/calendars/{}/", made.id());
        assert_eq!(made["hours_per_day"], 8.0);
        assert_eq!(made["exceptions"], json!([]));
        let holiday = json!({"exc_start": "2026-12-24", "exc_end": "2026-12-26", "description": "Holidays"});
        admin.post(&format!("{path}exceptions/"), holiday).await.expect(201);
        let changed = admin.patch(&path, json!({"name": "Six"})).await.expect(200);
        assert_eq!(changed.header("etag"), "\"v3\"");
        assert_eq!(changed["exceptions"][0]["exc_end"], "2026-12-26");
        admin.delete(&path).await.expect(204);
        admin.get(&path).await.expect(404);
    }

    async fn every_wrong_field_is_named_at_once(app: &TestApp) {
        let admin = app.admin().await;
        let refused = admin.post("/api/v1/calendars/", json!({"working_days": 0, "hours_per_day": "many"})).await.expect(400);
        assert_eq!(refused["name"][0], "This field is required.");
        assert_eq!(refused["working_days"][0], "Must be at least 1.");
        assert_eq!(refused["hours_per_day"][0], "A valid number is required.");
    }

    async fn anybody_reads_but_only_who_manages_a_project_writes(app: &TestApp) {
        let admin = app.admin().await;
        let member = app.person("mara").await;
        let made = admin.post("/api/v1/calendars/", json!({"name": "Common"})).await.expect(201);
        member.get("/api/v1/calendars/").await.expect(200);
        member.post("/api/v1/calendars/", json!({"name": "Mine"})).await.expect(403);
        member.delete(&format!("/api/v1/calendars/{}/", made.id())).await.expect(403);
        app.anonymous().get("/api/v1/calendars/").await.expect(401);
    }
}
