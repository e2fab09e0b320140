//! Submitted weeks: the mark, what it is on, and taking it off.

use planwright_testkit::both_engines;
use serde_json::json;

use crate::site::Site;
use crate::time_entries::log;

const WEEK: &str = "/api/v1/me/time-entries/";

fn submit(day: &str) -> String {
    format!("/api/v1/me/timesheets/{day}/submit")
}

both_engines! {
    async fn a_week_is_submitted_by_any_of_its_days_and_withdrawn(app: &TestApp) {
        let mara = app.person("mara").await;
        let marked = mara.post(&submit("2026-01-07"), json!({})).await.expect(200);
        assert_eq!(marked.json, json!({"week_start": "2026-01-05", "submitted_at": "2026-01-05T08:00:00Z"}));
        app.later(chrono::Duration::minutes(1));
        assert_eq!(mara.post(&submit("2026-01-11"), json!({})).await.expect(200).json, marked.json);
        let shown = mara.get(WEEK).await.expect(200);
        assert_eq!(shown["submission"], json!({"week_start": "2026-01-05", "submitted": true, "submitted_at": marked["submitted_at"]}));
        let other = mara.get(&format!("{WEEK}?from=2026-01-12&to=2026-01-18")).await.expect(200);
        assert_eq!(other["submission"], json!({"week_start": "2026-01-12", "submitted": false, "submitted_at": null}));
        mara.delete(&submit("2026-01-06")).await.expect(204);
        assert_eq!(mara.get(WEEK).await.expect(200)["submission"]["submitted"], false);
        mara.delete(&submit("2026-01-06")).await.expect(204);
    }

    async fn a_submitted_week_locks_nothing_and_is_ones_own(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("Survey", 3).await;
        site.owner.post(&submit("2026-01-05"), json!({})).await.expect(200);
        site.owner.post(&log(&task), json!({"minutes": 5})).await.expect(201);
        let mara = site.person("mara", 100).await;
        assert_eq!(mara.get(WEEK).await.expect(200)["submission"]["submitted"], false);
        mara.delete(&submit("2026-01-05")).await.expect(204);
        assert_eq!(site.owner.get(WEEK).await.expect(200)["submission"]["submitted"], true);
    }

    async fn what_is_no_day_is_named(app: &TestApp) {
        let mara = app.person("mara").await;
        for wrong in ["today", "2026-02-30", "2026-W02", "99999-01-01"] {
            assert!(mara.post(&submit(wrong), json!({})).await.expect(400)["week_start"].is_array());
            mara.delete(&submit(wrong)).await.expect(400);
        }
        for day in ["0001-01-01", "9999-12-31"] {
            mara.post(&submit(day), json!({})).await.expect(200);
        }
    }
}
