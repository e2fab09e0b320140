//! How far a plan may reach: years of four digits, and a ceiling on what durations and lags add up to.

use planwright_testkit::both_engines;
use serde_json::json;

use crate::site::{LINKS, Site, TASKS};

/// Days that are no dates of the years 1 to 9999, all but one as long as one.
const OUTSIDE: [&str; 5] = ["0000-01-01", "-001-01-01", "+999-01-01", "10000-01-01", " 999-01-01"];

both_engines! {
    async fn dates_outside_the_years_1_to_9999_are_refused_wherever_they_come_in(app: &TestApp) {
        let site = Site::new(app).await;
        let id = site.task("Survey", 3).await;
        let calendar = "/api/v1/calendars/";
        let admin = app.admin().await;
        let six_days = admin.post(calendar, json!({"name": "Six days"})).await.expect(201).id();
        for day in OUTSIDE {
            let fields = ["planned_start", "planned_finish", "actual_start", "actual_finish"];
            let request = json!({"planned_start": day, "planned_finish": day, "actual_start": day, "actual_finish": day});
            let changed = site.refuse(&id, request.clone()).await;
            let mut named = site.with_project(request.clone());
            named["name"] = json!("Drawing");
            let made = site.owner.post(TASKS, named).await.expect(400);
            let rows = site.bulk(json!({"operations": [{"op": "update", "id": id, "data": request}]})).await;
            for field in fields {
                assert!(changed[field].is_array(), "{day}: {}", changed.text);
                assert!(made[field].is_array(), "{day}: {}", made.text);
                assert!(rows["rejected"][0]["errors"][field].is_array(), "{day}: {}", rows.text);
            }
            let encoded = day.replace('+', "%2B").replace(' ', "%20");
            let listed = site.owner.get(&format!("{TASKS}?start__gte={encoded}")).await.expect(400);
            assert!(listed["start__gte"].is_array(), "{day}: {}", listed.text);
            let moved = site.owner.patch(&site.at(""), json!({"start_date": day, "status_date": day})).await.expect(400);
            assert!(moved["start_date"].is_array() && moved["status_date"].is_array(), "{day}: {}", moved.text);
            let off = json!({"exc_start": day, "exc_end": "2026-01-01"});
            let off = admin.post(&format!("{calendar}{six_days}/exceptions/"), off).await.expect(400);
            assert!(off["exc_start"].is_array(), "{day}: {}", off.text);
        }
        let kept = site.change(&id, json!({"planned_start": "9999-12-28"})).await;
        assert_eq!(kept["planned_start"], "9999-12-28");
        assert_eq!(kept["server_version"], 2);
    }

    async fn no_write_makes_a_plan_end_after_the_year_9999(app: &TestApp) {
        let site = Site::new(app).await;
        let (first, last) = (site.task("Survey", 3).await, site.task("Drawing", 3).await);
        let late = site.with_project(json!({"name": "Late", "planned_start": "9999-12-01", "duration": 60}));
        assert!(site.owner.post(TASKS, late).await.expect(400)["duration"].is_array());
        site.change(&first, json!({"planned_start": "9999-12-01"})).await;
        assert!(site.refuse(&first, json!({"duration": 60})).await["duration"].is_array());
        assert!(site.refuse(&first, json!({"planned_start": "9999-12-31"})).await["planned_start"].is_array());
        let link = json!({"predecessor": first, "successor": last, "lag": 40});
        assert!(site.owner.post(LINKS, link.clone()).await.expect(400)["lag"].is_array());
        let batch = json!({"operations": [{"op": "update", "id": first, "data": {"duration": 60}}]});
        let refused = site.owner.post(&site.at("tasks/bulk/"), batch).await.expect(400);
        assert!(refused["operations"].is_array(), "{}", refused.text);
        let short = json!({"predecessor": first, "successor": last, "lag": 2});
        let id = site.owner.post(LINKS, short).await.expect(201).id();
        let longer = site.owner.patch(&format!("{LINKS}{id}/"), json!({"lag": 40})).await.expect(400);
        assert!(longer["lag"].is_array(), "{}", longer.text);
        site.change(&first, json!({"planned_start": null})).await;
        let moved = site.owner.patch(&site.at(""), json!({"start_date": "9999-12-28"})).await.expect(400);
        assert!(moved["start_date"].is_array(), "{}", moved.text);
        assert_eq!(site.window(&first).await, "2026-01-05 to 2026-01-07");
        assert_eq!(site.tasks().await.len(), 2);
    }

    async fn lags_count_towards_the_days_that_a_plan_may_have(app: &TestApp) {
        let site = Site::new(app).await;
        let mut before = site.task("Step 0", 1).await;
        for step in 1..=10 {
            let after = site.task(&format!("Step {step}"), 1).await;
            let lag = if step % 2 == 0 { -36525 } else { 36525 };
            let link = json!({"predecessor": before, "successor": after, "lag": lag});
            site.owner.post(LINKS, link).await.expect(201);
            before = after;
        }
        let last = site.task("Last", 1).await;
        let link = |lag: i64| json!({"predecessor": before, "successor": last, "lag": lag});
        let refused = site.owner.post(LINKS, link(36525)).await.expect(400);
        assert!(refused["lag"].is_array(), "{}", refused.text);
        let refused = site.bulk(json!({
            "operations": [{"op": "update", "id": last, "data": {"name": "The last"}}],
            "dependencies": {"created": [link(36525)]}
        }))
        .await;
        assert_eq!(refused["dependencies"]["rejected"][0]["code"], "invalid", "{}", refused.text);
        let id = site.owner.post(LINKS, link(300)).await.expect(201).id();
        let longer = site.owner.patch(&format!("{LINKS}{id}/"), json!({"lag": 800})).await.expect(400);
        assert!(longer["lag"].is_array(), "{}", longer.text);
        assert!(site.refuse(&last, json!({"duration": 800})).await["duration"].is_array());
        site.change(&last, json!({"duration": 366})).await;
    }
}
