//! What is told about sprints and flow: the figures of each day, who sees them, and who does not.

use chrono::Duration;
use planwright_testkit::{Answer, Person, TestApp, both_engines};
use serde_json::{Value, json};

use crate::site::{Site, text};
use crate::sprints::{sprint_path, two_weeks};

/// A sprint that runs from Monday 5 to Friday 16 January with two tasks of 5 and 3 points, and Mara of the team.
struct Running<'a> {
    site: Site<'a>,
    mara: Person<'a>,
    sprint: String,
    dig: String,
    pour: String,
}

impl<'a> Running<'a> {
    async fn new(app: &'a TestApp) -> Self {
        let site = Site::new(app).await;
        let mara = site.person("mara", 100).await;
        let sprint = site.owner.post(&site.at("sprints/"), two_weeks("Foundations")).await.expect(201).id();
        let dig = site.create(json!({"name": "Dig", "sprint": sprint, "story_points": 5})).await.id();
        let pour = site.create(json!({"name": "Pour", "sprint": sprint, "story_points": 3})).await.id();
        let owned = json!({"assignee": mara.id});
        site.change(&dig, owned).await;
        app.later(Duration::minutes(2));
        let begun = format!("{}activate/", sprint_path(&sprint));
        site.owner.post(&begun, json!({})).await.expect(200);
        Self { site, mara, sprint, dig, pour }
    }

    /// Lets days pass, after which both have to sign in anew.
    async fn days_later(&mut self, days: i64) {
        self.site.app.later(Duration::days(days));
        self.site.owner.sign_in_again().await;
        self.mara.sign_in_again().await;
    }

    async fn figure(&self, person: &Person<'_>, rest: &str) -> Answer {
        person.get(&format!("{}{rest}", sprint_path(&self.sprint))).await.expect(200)
    }

    async fn finish(&self, task: &str) {
        self.site.change(task, json!({"status": "IN_PROGRESS"})).await;
        self.site.change(task, json!({"status": "COMPLETE"})).await;
    }
}

/// Date, points left and points done of each day.
fn points(burndown: &Answer) -> Vec<(String, Value, Value)> {
    let days = burndown["snapshots"].as_array().expect("a burndown has snapshots").iter();
    let day = |day: &Value| {
        (
            text(&day["snapshot_date"]).to_owned(),
            day["remaining_points"].clone(),
            day["completed_points"].clone(),
        )
    };
    days.map(day).collect()
}

both_engines! {
    async fn a_burndown_tells_what_was_left_at_the_end_of_each_day(app: &TestApp) {
        let mut running = Running::new(app).await;
        running.days_later(1).await;
        running.finish(&running.dig).await;
        running.days_later(1).await;
        let burndown = running.figure(&running.mara, "burndown/").await;
        let day = |date: &str, left: i64, done: i64| (format!("2026-01-0{date}"), json!(left), json!(done));
        assert_eq!(points(&burndown), [day("5", 8, 0), day("6", 3, 5), day("7", 3, 5)]);
        assert_eq!((&burndown["burn_status"], &burndown["trend_points"]), (&json!("ahead"), &json!(3)));
        assert_eq!(burndown["projected_finish_date"], "2026-01-09");
        let last = &burndown["snapshots"][2];
        assert_eq!((&last["scope_change_points"], &last["completed_task_count"]), (&json!(0), &json!(1)));
    }

    async fn work_that_waits_for_a_decision_is_not_burnt(app: &TestApp) {
        let mut running = Running::new(app).await;
        running.days_later(1).await;
        let added = json!({"name": "Drain", "sprint": running.sprint, "story_points": 2});
        running.site.create(added).await;
        let last = |burndown: &Answer| points(burndown).pop().expect("there is a day").1;
        assert_eq!(last(&running.figure(&running.mara, "burndown/").await), 8);
        let accept = format!("{}scope-changes/accept/", sprint_path(&running.sprint));
        running.site.owner.post(&accept, json!({})).await.expect(200);
        app.later(Duration::minutes(1));
        let burndown = running.figure(&running.mara, "burndown/").await;
        assert_eq!(last(&burndown), 10);
        assert_eq!(burndown["snapshots"][1]["scope_change_points"], 2);
    }

    async fn figures_of_a_team_are_for_the_team_and_for_nobody_above_it(app: &TestApp) {
        let mut running = Running::new(app).await;
        let vera = running.site.person("vera", 1).await;
        running.days_later(1).await;
        running.finish(&running.dig).await;
        let close = format!("{}close/", sprint_path(&running.sprint));
        running.site.owner.post(&close, json!({"carry_over_to": "none"})).await.expect(202);
        app.run_jobs().await;
        let mut vera = vera;
        vera.sign_in_again().await;
        let project = |rest: &str| running.site.at(rest);
        for person in [&running.site.owner, &vera] {
            let velocity = person.get(&project("velocity/")).await.expect(200);
            assert_eq!((&velocity["velocity_suppressed"], &velocity["sprints"]), (&json!(true), &json!([])));
            let burndown = running.figure(person, "burndown/").await;
            assert_eq!((&burndown["velocity_suppressed"], &burndown["burn_status"]), (&json!(true), &json!("no_data")));
            assert!(points(&burndown).iter().all(|day| day.1.is_null() && day.2.is_null()), "{}", burndown.text);
            let burn = person.get(&project("burn/?metric=points")).await.expect(200);
            assert_eq!((&burn["velocity_suppressed"], &burn["series"]), (&json!(true), &json!([])));
            let forecast = person.get(&project("sprint-forecast/")).await.expect(200);
            assert_eq!((&forecast["velocity_suppressed"], &forecast["p80_date"]), (&json!(true), &Value::Null));
            let flow = person.get(&project("flow-metrics/")).await.expect(200);
            assert_eq!((&flow["flow_metrics_suppressed"], &flow["cfd"]), (&json!(true), &json!([])));
            let delta = running.figure(person, "daily-delta/").await;
            assert_eq!((&delta["burndown_delta"], &delta["sprint_load"]["current_points"]), (&Value::Null, &Value::Null));
        }
        let velocity = running.mara.get(&project("velocity/")).await.expect(200);
        let sprint = &velocity["sprints"][0];
        assert_eq!((&sprint["committed_points"], &sprint["completed_points"]), (&json!(8), &json!(5)));
        assert_eq!(velocity["rolling_avg_points"], 5.0);
    }

    async fn a_daily_delta_names_what_moved_what_came_and_what_is_blocked(app: &TestApp) {
        let mut running = Running::new(app).await;
        running.days_later(2).await;
        running.finish(&running.dig).await;
        let blocked = json!({"blocked_reason": "The pump is broken", "blocker_type": "resource"});
        running.site.change(&running.pour, blocked).await;
        let delta = running.figure(&running.mara, "daily-delta/").await;
        let moves: Vec<_> = delta["task_changes"].as_array().unwrap().iter()
            .map(|row| (text(&row["from"]), text(&row["to"]), text(&row["actor_username"]))).collect();
        assert_eq!(moves, [("IN_PROGRESS", "COMPLETE", "ona"), ("NOT_STARTED", "IN_PROGRESS", "ona")]);
        assert_eq!(delta["new_blockers"][0]["kind"], "impediment");
        assert_eq!(delta["new_blockers"][0]["task_title"], "Pour");
        assert_eq!(delta["blocker_summary"], json!({"impediment": 1, "paused": 0}));
        assert_eq!(delta["actor_aggregate"], json!({"moved": 2, "completed": 1, "added": 0, "blocked": 1}));
        assert_eq!(delta["per_actor"][0]["actor_username"], "ona");
        assert_eq!(delta["burndown_delta"]["prior_remaining"], 8);
        let list = running.figure(&running.mara, "blocked/").await;
        assert_eq!((&list["count"], &list["blocked"][0]["title"]), (&json!(1), &json!("Pour")));
        assert!(!list.text.contains("pump"), "the reason is for those concerned");
        let all = running.site.at("blocked/?min_age_days=1");
        assert_eq!(running.site.owner.get(&all).await.expect(200)["count"], 0);
        running.site.owner.get(&running.site.at("blocked/?blocker_type=mood")).await.expect(400);
    }

    async fn a_standup_goes_through_the_team_person_by_person(app: &TestApp) {
        let mut running = Running::new(app).await;
        running.days_later(1).await;
        running.site.change(&running.dig, json!({"status": "IN_PROGRESS"})).await;
        running.finish(&running.pour).await;
        let standup = running.mara.get(&running.site.at("standup/")).await.expect(200);
        assert_eq!((&standup["active"], &standup["sprint"]["name"]), (&json!(true), &json!("Foundations")));
        let walk = standup["walk"].as_array().unwrap();
        assert_eq!((walk.len(), &walk[0]["assignee"]["name"]), (2, &json!("mara")));
        assert_eq!((&walk[0]["in_progress"][0]["name"], &walk[1]["done"][0]["name"]), (&json!("Dig"), &json!("Pour")));
        assert_eq!((&walk[1]["assignee"], &walk[0]["in_progress"][0]["story_points"]), (&Value::Null, &json!(5)));
        let hidden = running.site.owner.get(&running.site.at("standup/")).await.expect(200);
        assert_eq!(hidden["walk"][0]["in_progress"][0]["story_points"], Value::Null);
        let other = app.project(&running.site.owner, "Tunnel").await;
        let none = running.site.owner.get(&format!("/api/v1/projects/{other}/standup/")).await.expect(200);
        assert_eq!((&none["active"], &none["reason"]), (&json!(false), &json!("no_active_sprint")));
    }

    async fn flow_is_counted_from_what_happened(app: &TestApp) {
        let mut running = Running::new(app).await;
        running.days_later(1).await;
        running.site.change(&running.dig, json!({"status": "IN_PROGRESS"})).await;
        running.days_later(2).await;
        running.site.change(&running.dig, json!({"status": "COMPLETE"})).await;
        let flow = running.mara.get(&running.site.at("flow-metrics/?window=7")).await.expect(200);
        assert_eq!((&flow["cycle_time"]["p50"], &flow["lead_time"]["p50"]), (&json!(3), &json!(4)), "Tuesday to Thursday");
        let open = |day: usize| {
            let counts = &flow["cfd"][day]["counts"];
            ["NOT_STARTED", "IN_PROGRESS", "COMPLETE"].map(|status| counts[status].as_i64().unwrap())
        };
        assert_eq!([2, 3, 4, 6].map(open), [[0, 0, 0], [2, 0, 0], [1, 1, 0], [1, 0, 1]]);
        assert_eq!(flow["throughput"].as_array().unwrap().last().unwrap(), &json!({"week_start": "2026-01-05", "completed_count": 1}));
        assert_eq!(flow["data_integrity"], json!({"bulk_moved_count": 0, "backdated_count": 0, "missing_transition_count": 0}));
        running.mara.get(&running.site.at("flow-metrics/?window=0")).await.expect(400);
    }

    async fn a_burn_of_the_project_adds_up_and_has_bounds(app: &TestApp) {
        let mut running = Running::new(app).await;
        running.days_later(1).await;
        running.finish(&running.dig).await;
        let burn = running.mara.get(&running.site.at("burn/?metric=points&chart_type=combined&since=2026-01-04&until=2026-01-07")).await.expect(200);
        let days: Vec<_> = burn["series"].as_array().unwrap().iter()
            .map(|day| [&day["remaining"], &day["completed"], &day["total"]].map(Value::as_i64)).collect();
        let known = |left, done| [Some(left), Some(done), Some(left + done)];
        assert_eq!(days, [known(0, 0), known(8, 0), known(3, 5), [None, None, None]], "tomorrow is not known");
        for wrong in ["chart_type=pie", "metric=hours", "since=2026-02-30", "since=2026-01-09&until=2026-01-01", "since=2020-01-01"] {
            running.mara.get(&running.site.at(&format!("burn/?{wrong}"))).await.expect(400);
        }
    }

    async fn a_forecast_draws_from_past_sprints_and_names_them(app: &TestApp) {
        let mut running = Running::new(app).await;
        let at = running.site.at("sprint-forecast/");
        let warming = running.mara.get(&at).await.expect(200);
        assert_eq!((&warming["status"], &warming["p50_date"]), (&json!("warming_up"), &Value::Null));
        for (name, start, finish) in [("B", "2026-01-19", "2026-01-30"), ("C", "2026-02-02", "2026-02-13")] {
            running.finish(&running.dig).await;
            running.days_later(11).await;
            let close = format!("{}close/", sprint_path(&running.sprint));
            running.site.owner.post(&close, json!({"carry_over_to": "none"})).await.expect(202);
            app.run_jobs().await;
            let next = json!({"name": name, "start_date": start, "finish_date": finish});
            running.sprint = running.site.owner.post(&running.site.at("sprints/"), next).await.expect(201).id();
            running.dig = running.site.create(json!({"name": name, "sprint": running.sprint, "story_points": 5})).await.id();
            let begun = format!("{}activate/", sprint_path(&running.sprint));
            running.site.owner.post(&begun, json!({})).await.expect(200);
        }
        let forecast = running.mara.get(&at).await.expect(200);
        assert_eq!((&forecast["status"], &forecast["forecast_basis"]), (&json!("ready"), &json!("velocity")));
        assert_eq!((&forecast["sample"], &forecast["remaining_points"]), (&json!([5, 5]), &json!(8)));
        assert_eq!((&forecast["p50_sprints"], &forecast["p50_date"]), (&json!(2), &json!("2026-02-27")));
        assert!(forecast["seed"].is_u64() && forecast["runs"] == 10_000);
    }

    async fn capacity_compares_what_a_sprint_asks_with_what_people_work(app: &TestApp) {
        let site = Site::new(app).await;
        let sprint = site.owner.post(&site.at("sprints/"), two_weeks("Foundations")).await.expect(201).id();
        let dig = site.create(json!({"name": "Dig", "sprint": sprint, "duration": 10, "story_points": 5})).await.id();
        let calendar = json!({"name": "Mara's", "hours_per_day": 8});
        let admin = app.admin().await;
        let calendar = admin.post("/api/v1/calendars/", calendar).await.expect(201).id();
        let off = json!({"exc_start": "2026-01-05", "exc_end": "2026-01-06"});
        admin.post(&format!("/api/v1/calendars/{calendar}/exceptions/"), off).await.expect(201);
        let person = json!({"name": "Mara Lind", "calendar": calendar, "max_units": "0.50"});
        let person = site.owner.post("/api/v1/resources/", person).await.expect(201).id();
        let asked = json!({"task": dig, "resource": person, "units": "1.00"});
        site.owner.post("/api/v1/task-resources/", asked).await.expect(201);
        let page = site.owner.get(&format!("{}capacity/", sprint_path(&sprint))).await.expect(200);
        let member = &page["members"][0];
        assert_eq!((&member["initials"], &member["is_over"], &page["working_days"]), (&json!("ML"), &json!(true), &json!(10)));
        assert_eq!((&member["committed_hours"], &member["available_hours"], &member["ratio"]), (&json!(64.0), &json!(32.0), &json!(2.0)));
        let totals = &page["totals"];
        assert_eq!((&totals["label"], &totals["pto_days"], &totals["buffer_hours"]), (&json!("over_capacity"), &json!(2), &json!(-32.0)));
        let begun = site.owner.post(&format!("{}activate/", sprint_path(&sprint)), json!({})).await.expect(200);
        let warning = &begun["warnings"][0];
        assert_eq!((&warning["type"], &warning["member_id"], &warning["suggested_commitment_points"]), (&json!("over_capacity"), &json!(person), &json!(2)));
    }

    async fn the_running_sprints_of_a_person_are_told_in_short_with_reasons(app: &TestApp) {
        let mut running = Running::new(app).await;
        let health = running.site.at("sprint-health/");
        running.days_later(7).await;
        let blocked = json!({"blocked_reason": "The pump is broken", "blocker_type": "resource"});
        running.site.change(&running.pour, blocked).await;
        let told = running.mara.get(&health).await.expect(200);
        assert_eq!((&told["health"], &told["reasons"]), (&json!("off_track"), &json!(["behind", "blocked"])));
        assert_eq!((&told["day"], &told["total_days"], &told["remaining_points"]), (&json!(8), &json!(12), &json!(8)));
        let hidden = running.site.owner.get(&health).await.expect(200);
        assert_eq!((&hidden["burn_status"], &hidden["remaining_points"]), (&json!("no_data"), &Value::Null));
        let cards = running.mara.get("/api/v1/me/active-sprints/").await.expect(200);
        let card = &cards.json[0];
        assert_eq!((&card["project_name"], &card["sprint"]["name"], &card["sprint"]["trend_pts"]), (&json!("Bridge"), &json!("Foundations"), &json!(-5)));
        assert_eq!((&card["velocity"]["velocity_suppressed"], &card["capacity_label"]), (&json!(false), &json!("on_track")));
        let others = app.person("nobody").await.get("/api/v1/me/active-sprints/").await.expect(200);
        assert_eq!(others.json, json!([]));
        let other = app.project(&running.site.owner, "Tunnel").await;
        running.site.owner.get(&format!("/api/v1/projects/{other}/sprint-health/")).await.expect(404);
    }
}
