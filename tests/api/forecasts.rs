//! Forecasts that are written down: after recalculations, once a day, and thinned out later.

use chrono::Duration;
use planwright_testkit::{Person, TestApp, both_engines};
use serde_json::json;

use crate::bridges::Bridges;

async fn snapshots(person: &mut Person<'_>, plan: &Bridges, query: &str) -> Vec<serde_json::Value> {
    person.sign_in_again().await;
    let path = format!("/api/v1/projects/{}/forecast-snapshots/?page_size=500{query}", plan.project);
    person.get(&path).await.expect(200).results().clone()
}

async fn pass(app: &TestApp, by: Duration) {
    app.later(by);
    app.run_jobs().await;
}

both_engines! {
    async fn a_recalculation_leaves_a_snapshot_at_most_every_hour(app: &TestApp) {
        let mut owner = app.person("owner").await;
        // What is due by the clock runs first, as long as there is nothing to write down.
        app.run_jobs().await;
        let plan = Bridges::of(app, &owner).await;
        let path = format!("/api/v1/projects/{}/", plan.project);
        app.run_jobs().await;
        let first = snapshots(&mut owner, &plan, "").await;
        assert_eq!(first.len(), 1);
        assert_eq!((&first[0]["triggered_by"], &first[0]["cpm_finish"]), (&json!("recompute"), &json!("2026-01-14")));
        assert_eq!((&first[0]["task_count"], &first[0]["completed_task_count"]), (&json!(2), &json!(0)));
        assert_eq!((&first[0]["total_float_days"], &first[0]["mc_p80_finish"]), (&json!(0), &json!(null)));
        owner.patch(&path, json!({"start_date": "2026-02-02"})).await.expect(200);
        app.run_jobs().await;
        assert_eq!(snapshots(&mut owner, &plan, "").await.len(), 1);
        owner.post(&format!("{path}monte-carlo/"), json!({"n_simulations": 10})).await.expect(200);
        pass(app, Duration::minutes(61)).await;
        owner.sign_in_again().await;
        owner.patch(&path, json!({"start_date": "2026-02-09"})).await.expect(200);
        app.run_jobs().await;
        let both = snapshots(&mut owner, &plan, "").await;
        assert_eq!(both.len(), 2);
        assert_eq!((&both[0]["cpm_finish"], &both[0]["mc_p80_finish"]), (&json!("2026-02-18"), &json!("2026-02-11")));
        assert_eq!(both[0]["mc_iterations"], 10);
        assert_eq!(snapshots(&mut owner, &plan, "&ordering=captured_at").await[1], both[0]);
    }

    async fn a_run_by_hand_is_written_down_however_fresh_the_last_one_is(app: &TestApp) {
        let mut owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        pass(app, Duration::minutes(1)).await;
        owner.post(&format!("/api/v1/projects/{}/schedule/", plan.project), json!({})).await.expect(202);
        app.run_jobs().await;
        let all = snapshots(&mut owner, &plan, "").await;
        assert_eq!((all.len(), &all[0]["triggered_by"]), (2, &json!("manual")));
    }

    async fn every_day_has_one_and_after_a_quarter_every_week(app: &TestApp) {
        let mut owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        app.run_jobs().await;
        for _ in 0..8 {
            pass(app, Duration::days(1)).await;
        }
        let daily = snapshots(&mut owner, &plan, "").await;
        assert_eq!((daily.len(), &daily[0]["triggered_by"]), (9, &json!("scheduled")));
        let some = snapshots(&mut owner, &plan, "&since=2026-01-06&until=2026-01-08").await;
        assert_eq!(some.len(), 3);
        // 5 January was a Monday: of its week the Sunday stays.
        pass(app, Duration::days(100)).await;
        let thinned = snapshots(&mut owner, &plan, "&until=2026-01-11").await;
        assert_eq!(thinned.len(), 1);
        assert!(thinned[0]["captured_at"].as_str().unwrap().starts_with("2026-01-11"));
    }
}
