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

both_engines! {
    async fn a_calendar_that_a_project_works_on_tells_where_and_cannot_be_deleted(app: &TestApp) {
        let admin = app.admin().await;
        let calendar = admin.post("/api/v1/calendars/", json!({"name": "Shift"})).await.expect(201).id();
        let project = app.project(&admin, "Bridge").await;
        let layers = format!("/api/v1/projects/{project}/calendars/");
        let applied = admin.put(&layers, json!({"base_calendar_id": calendar, "overlays": []})).await.expect(200);
        assert_eq!(applied["base"]["id"], calendar);
        let uses = admin.get(&format!("/api/v1/calendars/{calendar}/uses/")).await.expect(200);
        assert_eq!(uses.json[0]["name"], "Bridge");
        let refused = admin.delete(&format!("/api/v1/calendars/{calendar}/")).await.expect(409);
        assert_eq!(refused["code"], "calendar_in_use");
        assert_eq!(refused["reference_count"], 1);
        admin.put(&layers, json!({"base_calendar_id": null, "overlays": []})).await.expect(200);
        admin.delete(&format!("/api/v1/calendars/{calendar}/")).await.expect(204);
    }

    async fn a_calendar_is_changed_only_by_who_manages_every_project_that_uses_it(app: &TestApp) {
        let (admin, anna, bob) = (app.admin().await, app.person("anna").await, app.person("bob").await);
        let (bridge, tunnel) = (app.project(&anna, "Bridge").await, app.project(&bob, "Tunnel").await);
        let path = format!("/api/v1/calendars/{}/", {
            let calendar = anna.post("/api/v1/calendars/", json!({"name": "Shift"})).await.expect(201).id();
            let (base, overlay) = (json!({"base_calendar_id": calendar, "overlays": []}),
                json!({"base_calendar_id": null, "overlays": [{"calendar_id": calendar}]}));
            anna.put(&format!("/api/v1/projects/{bridge}/calendars/"), base).await.expect(200);
            anna.patch(&format!("/api/v1/calendars/{calendar}/"), json!({"working_days": 63})).await.expect(200);
            bob.put(&format!("/api/v1/projects/{tunnel}/calendars/"), overlay).await.expect(200);
            calendar
        });
        let day = json!({"exc_start": "2026-12-24", "exc_end": "2026-12-26"});
        let exceptions = format!("{path}exceptions/");
        for person in [&anna, &bob] {
            let refused = person.patch(&path, json!({"working_days": 127})).await.expect(403);
            assert!(!refused.text.contains("Tunnel") && !refused.text.contains("Bridge"), "{}", refused.text);
            person.post(&exceptions, day.clone()).await.expect(403);
        }
        let made = admin.post(&exceptions, day).await.expect(201).id();
        anna.delete(&format!("{exceptions}{made}/")).await.expect(403);
        let none = json!({"base_calendar_id": null, "overlays": []});
        bob.put(&format!("/api/v1/projects/{tunnel}/calendars/"), none).await.expect(200);
        anna.delete(&format!("{exceptions}{made}/")).await.expect(204);
        bob.patch(&path, json!({"name": "Theirs"})).await.expect(403);
    }

    async fn overlays_add_their_days_off_and_the_preview_names_them(app: &TestApp) {
        let admin = app.admin().await;
        let holidays = admin.post("/api/v1/calendars/", json!({"name": "Holidays", "working_days": 127})).await.expect(201).id();
        let day = json!({"exc_start": "2026-01-06", "exc_end": "2026-01-06"});
        admin.post(&format!("/api/v1/calendars/{holidays}/exceptions/"), day).await.expect(201);
        let project = app.project(&admin, "Bridge").await;
        let layers = format!("/api/v1/projects/{project}/calendars/");
        let request = json!({"overlays": [{"calendar_id": holidays}]});
        admin.put(&layers, request).await.expect(200);
        let preview = admin.get(&format!("{layers}preview/?start=2026-01-05&end=2026-01-10")).await.expect(200);
        let working: Vec<bool> = preview["days"].as_array().unwrap().iter().map(|day| day["working"].as_bool().unwrap()).collect();
        assert_eq!(working, [true, false, true, true, true, false]);
        assert_eq!(preview["days"][1]["sources"][0]["name"], "Holidays");
        let twice = json!({"overlays": [{"calendar_id": holidays}, {"calendar_id": holidays}]});
        admin.put(&layers, twice).await.expect(400);
        let weekend = admin.post("/api/v1/calendars/", json!({"name": "Weekend", "working_days": 96})).await.expect(201).id();
        let request = json!({"base_calendar_id": weekend, "overlays": []});
        admin.put(&layers, request).await.expect(200);
        let weekdays = admin.post("/api/v1/calendars/", json!({"name": "Week", "working_days": 31})).await.expect(201).id();
        let refused = admin.put(&layers, json!({"overlays": [{"calendar_id": weekdays}]})).await.expect(400);
        assert_eq!(refused["code"], "calendar_has_no_working_day");
    }
}
