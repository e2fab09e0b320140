//! Progress and effort of a task: what one field moves in others, milestones, three-point estimates and their approval,
//! and what a change of duration does to the percentage.

use planwright_testkit::both_engines;
use serde_json::{Value, json};

use crate::site::{Site, TASKS, task_path};

/// A project whose one task is already planned to begin, so that anybody may report progress on it.
async fn planned(site: &Site<'_>, more: Value) -> String {
    let mut body = json!({"name": "A", "duration": 10, "planned_start": "2026-01-12"});
    for (field, value) in more.as_object().unwrap() {
        body[field] = value.clone();
    }
    site.create(body).await.id()
}

both_engines! {
    async fn a_created_task_takes_its_fields_as_they_are(app: &TestApp) {
        let site = Site::new(app).await;
        let begun = site.create(json!({"name": "A", "status": "IN_PROGRESS", "planned_start": "2026-01-05"})).await;
        assert_eq!((&begun["status"], &begun["actual_start"]), (&json!("IN_PROGRESS"), &Value::Null));
        let early = site.create(json!({"name": "B", "planned_start": "2026-01-05"})).await;
        assert_eq!((&early["status"], &early["actual_start"]), (&json!("NOT_STARTED"), &Value::Null));
        let done = site.create(json!({"name": "C", "status": "COMPLETE"})).await;
        assert_eq!((&done["percent_complete"], &done["actual_finish"]), (&json!(100.0), &Value::Null));
    }

    async fn a_planned_start_that_has_come_starts_the_task(app: &TestApp) {
        let mut site = Site::new(app).await;
        let (today, past, said) = (site.task("A", 2).await, site.task("B", 2).await, site.task("C", 2).await);
        let future = site.change(&today, json!({"planned_start": "2026-01-06"})).await;
        assert_eq!(future["status"], "NOT_STARTED");
        let begun = site.change(&today, json!({"planned_start": "2026-01-05"})).await;
        assert_eq!((&begun["status"], &begun["actual_start"]), (&json!("IN_PROGRESS"), &json!("2026-01-05")));
        app.later(chrono::Duration::days(7));
        site.owner.sign_in_again().await;
        let begun = site.change(&past, json!({"planned_start": "2026-01-06"})).await;
        assert_eq!((&begun["status"], &begun["actual_start"]), (&json!("IN_PROGRESS"), &json!("2026-01-06")));
        let explicit = site.change(&said, json!({"planned_start": "2026-01-06", "status": "NOT_STARTED"})).await;
        assert_eq!((&explicit["status"], &explicit["actual_start"]), (&json!("NOT_STARTED"), &Value::Null));
    }

    async fn first_progress_starts_a_task_and_the_last_per_cent_ends_it(app: &TestApp) {
        let site = Site::new(app).await;
        let id = planned(&site, json!({})).await;
        let begun = site.change(&id, json!({"percent_complete": 30})).await;
        assert_eq!((&begun["status"], &begun["actual_start"]), (&json!("IN_PROGRESS"), &json!("2026-01-05")));
        assert_eq!(begun["remaining_duration"], 7);
        let done = site.change(&id, json!({"percent_complete": 100})).await;
        assert_eq!((&done["status"], &done["actual_finish"]), (&json!("COMPLETE"), &json!("2026-01-05")));
        assert_eq!((&done["remaining_duration"], &done["is_critical"]), (&json!(0), &json!(false)));
        let parked = planned(&site, json!({"status": "BACKLOG"})).await;
        let still = site.change(&parked, json!({"percent_complete": 100})).await;
        assert_eq!(still["status"], "BACKLOG");
        let held = planned(&site, json!({})).await;
        let said = site.change(&held, json!({"percent_complete": 100, "status": "ON_HOLD"})).await;
        assert_eq!((&said["status"], &said["percent_complete"]), (&json!("ON_HOLD"), &json!(100.0)));
    }

    async fn a_member_who_is_done_asks_for_a_review(app: &TestApp) {
        let site = Site::new(app).await;
        let member = site.person("mia", 100).await;
        let id = planned(&site, json!({"assignee": member.id})).await;
        let done = member.patch(&task_path(&id), json!({"percent_complete": 100})).await.expect(200);
        assert_eq!((&done["status"], &done["percent_complete"]), (&json!("REVIEW"), &json!(100.0)));
        assert_eq!(done["actual_finish"], Value::Null);
    }

    async fn progress_without_a_planned_start_or_sprint_needs_a_manager(app: &TestApp) {
        let site = Site::new(app).await;
        let member = site.person("mia", 100).await;
        let id = site.create(json!({"name": "A", "assignee": member.id})).await.id();
        let refused = member.patch(&task_path(&id), json!({"percent_complete": 10})).await.expect(400);
        assert_eq!((&refused["code"], &refused["suggested_action"]), (&json!("progress_requires_anchor"), &json!("set_planned_start")));
        let anchored = json!({"percent_complete": 10, "planned_start": "2026-01-12"});
        let fine = member.patch(&task_path(&id), anchored).await.expect(200);
        assert_eq!((&fine["percent_complete"], &fine["status"]), (&json!(10.0), &json!("IN_PROGRESS")));
        let loose = site.task("B", 4).await;
        assert_eq!(site.change(&loose, json!({"percent_complete": 25})).await["remaining_duration"], 3);
    }

    async fn statuses_stamp_actual_dates_and_points(app: &TestApp) {
        let mut site = Site::new(app).await;
        let id = planned(&site, json!({"story_points": 5, "remaining_points": 3})).await;
        let begun = site.change(&id, json!({"status": "IN_PROGRESS"})).await;
        assert_eq!(begun["actual_start"], "2026-01-05");
        app.later(chrono::Duration::days(1));
        site.owner.sign_in_again().await;
        let held = site.change(&id, json!({"status": "ON_HOLD"})).await;
        assert_eq!(held["status_changed_at"], "2026-01-06T08:00:00Z");
        assert_eq!(site.change(&id, json!({"status": "IN_PROGRESS"})).await["actual_start"], "2026-01-05");
        let done = site.change(&id, json!({"status": "COMPLETE"})).await;
        assert_eq!((&done["actual_finish"], &done["percent_complete"]), (&json!("2026-01-06"), &json!(100.0)));
        assert_eq!(done["remaining_points"], 0);
        let again = site.change(&id, json!({"status": "IN_PROGRESS"})).await;
        assert_eq!((&again["actual_finish"], &again["remaining_points"]), (&Value::Null, &json!(5)));
    }

    async fn completing_invents_no_start_and_explicit_actual_dates_win(app: &TestApp) {
        let site = Site::new(app).await;
        let id = planned(&site, json!({})).await;
        let done = site.change(&id, json!({"status": "COMPLETE"})).await;
        assert_eq!((&done["actual_start"], &done["actual_finish"]), (&Value::Null, &json!("2026-01-05")));
        let said = planned(&site, json!({})).await;
        let request = json!({"status": "COMPLETE", "actual_start": "2026-01-01", "actual_finish": "2026-01-02"});
        let done = site.change(&said, request).await;
        assert_eq!((&done["actual_start"], &done["actual_finish"]), (&json!("2026-01-01"), &json!("2026-01-02")));
        assert_eq!((&done["early_start"], &done["early_finish"]), (&json!("2026-01-01"), &json!("2026-01-02")));
        let reviewed = planned(&site, json!({})).await;
        assert_eq!(site.change(&reviewed, json!({"status": "REVIEW"})).await["percent_complete"], 100.0);
        let turned = site.refuse(&reviewed, json!({"actual_start": "2026-01-09", "actual_finish": "2026-01-08"})).await;
        assert!(turned["actual_finish"].is_array() || turned["actual_start"].is_array(), "{}", turned.text);
    }

    async fn a_task_is_blocked_while_anything_before_it_is_open(app: &TestApp) {
        let site = Site::new(app).await;
        let (a, b) = (site.task("A", 3).await, site.create(json!({"name": "B", "assignee": site.owner.id})).await.id());
        assert_eq!(site.read(&b).await["readiness"], "estimated");
        site.link(&a, &b).await;
        let waiting = site.read(&b).await;
        assert_eq!((&waiting["is_blocked"], &waiting["predecessor_count"]), (&json!(true), &json!(1)));
        assert_eq!(waiting["readiness"], "ready");
        site.change(&a, json!({"status": "COMPLETE"})).await;
        let free = site.read(&b).await;
        assert_eq!((&free["is_blocked"], &free["predecessor_count"]), (&json!(false), &json!(1)));
        assert_eq!(site.create(json!({"name": "C", "status": "BACKLOG"})).await["readiness"], "idea");
    }
}

both_engines! {
    async fn flag_mode_and_duration_of_a_milestone_are_one_fact(app: &TestApp) {
        let site = Site::new(app).await;
        for signal in [json!({"is_milestone": true}), json!({"duration": 0}), json!({"delivery_mode": "milestone"})] {
            let mut body = signal.clone();
            body["name"] = json!("M");
            let made = site.create(body).await;
            let id = site.task("A", 3).await;
            for task in [made, site.change(&id, signal).await] {
                assert_eq!((&task["is_milestone"], &task["duration"]), (&json!(true), &json!(0)), "{}", task.text);
                assert_eq!(task["delivery_mode"], "milestone");
            }
        }
    }

    async fn a_milestone_becomes_work_again_by_any_of_its_signs(app: &TestApp) {
        let site = Site::new(app).await;
        for (signal, duration) in [
            (json!({"is_milestone": false}), None), (json!({"duration": 3}), Some(3)),
            (json!({"delivery_mode": "scrum"}), None), (json!({"is_milestone": false, "duration": 4}), Some(4)),
        ] {
            let id = site.create(json!({"name": "M", "is_milestone": true})).await.id();
            let task = site.change(&id, signal.clone()).await;
            let days = task["duration"].as_i64().unwrap();
            assert_eq!(task["is_milestone"], false);
            assert!(days >= 1 && duration.is_none_or(|wanted| wanted == days), "{signal}: {days}");
            let mode = if signal["delivery_mode"].is_string() { "scrum" } else { "waterfall" };
            assert_eq!(task["delivery_mode"], mode);
        }
    }

    async fn signs_of_a_milestone_that_contradict_each_other_are_refused(app: &TestApp) {
        let site = Site::new(app).await;
        let id = site.task("A", 3).await;
        for wrong in [
            json!({"is_milestone": true, "duration": 3}), json!({"is_milestone": false, "duration": 0}),
            json!({"is_milestone": true, "delivery_mode": "kanban"}), json!({"delivery_mode": "milestone", "duration": 1}),
            json!({"is_milestone": false, "delivery_mode": "milestone"}),
        ] {
            assert_eq!(site.refuse(&id, wrong.clone()).await["code"], "milestone_signal_conflict", "{wrong}");
            let mut body = site.with_project(wrong);
            body["name"] = json!("M");
            assert_eq!(site.owner.post(TASKS, body).await.expect(400)["code"], "milestone_signal_conflict");
        }
        let task = site.read(&id).await;
        assert_eq!((&task["duration"], &task["server_version"]), (&json!(3), &json!(1)));
        assert_eq!(site.tasks().await.len(), 1);
    }

    async fn a_milestone_falls_on_the_day_that_leads_to_it(app: &TestApp) {
        let site = Site::new(app).await;
        let (a, b) = (site.task("A", 5).await, site.task("B", 2).await);
        let gate = site.create(json!({"name": "M", "is_milestone": true})).await.id();
        site.link(&a, &gate).await;
        site.link(&gate, &b).await;
        assert_eq!(site.window(&gate).await, "2026-01-09 to 2026-01-09");
        assert_eq!(site.window(&b).await, "2026-01-12 to 2026-01-13");
        site.change(&gate, json!({"duration": 1})).await;
        assert_eq!(site.window(&gate).await, "2026-01-12 to 2026-01-12");
        assert_eq!(site.window(&b).await, "2026-01-13 to 2026-01-14");
    }
}

both_engines! {
    async fn three_estimates_are_in_order_whatever_part_of_them_is_sent(app: &TestApp) {
        let site = Site::new(app).await;
        let wrong = json!({"name": "A", "optimistic_duration": 3, "most_likely_duration": 2, "pessimistic_duration": 5});
        let refused = site.owner.post(TASKS, site.with_project(wrong)).await.expect(400);
        assert_eq!(refused["code"], "invalid_three_point_estimate");
        assert!(refused["most_likely_duration"].is_array(), "{}", refused.text);
        let id = site.task("A", 3).await;
        let partial = site.change(&id, json!({"optimistic_duration": 4, "most_likely_duration": 3})).await;
        assert_eq!((&partial["optimistic_duration"], &partial["estimate_status"]), (&json!(4), &Value::Null));
        let refused = site.refuse(&id, json!({"pessimistic_duration": 9})).await;
        assert_eq!(refused["code"], "invalid_three_point_estimate");
        let alike = json!({"optimistic_duration": 3, "most_likely_duration": 3, "pessimistic_duration": 3});
        let alike = site.change(&id, alike).await;
        assert_eq!((&alike["pessimistic_duration"], &alike["duration"]), (&json!(3), &json!(3)));
        assert_eq!(site.refuse(&id, json!({"most_likely_duration": 4})).await["code"], "invalid_three_point_estimate");
        assert_eq!(site.change(&id, json!({"optimistic_duration": null})).await["optimistic_duration"], Value::Null);
    }

    async fn where_managers_estimate_nobody_else_does(app: &TestApp) {
        let site = Site::new(app).await;
        let (member, manager) = (site.person("mia", 100).await, site.person("pam", 300).await);
        site.settle(json!({"estimation_mode": "pm_only"})).await;
        let id = site.create(json!({"name": "A", "assignee": member.id})).await.id();
        let path = task_path(&id);
        assert_eq!(member.get(&path).await.expect(200)["can_edit_estimates"], false);
        member.patch(&path, json!({"most_likely_duration": 4})).await.expect(403);
        assert_eq!(member.patch(&path, json!({"notes": "mine"})).await.expect(200)["most_likely_duration"], Value::Null);
        let done = manager.patch(&path, json!({"most_likely_duration": 4})).await.expect(200);
        assert_eq!((&done["most_likely_duration"], &done["can_edit_estimates"]), (&json!(4), &json!(true)));
    }

    async fn suggested_estimates_wait_for_approval(app: &TestApp) {
        let site = Site::new(app).await;
        let (member, resources) = (site.person("mia", 100).await, site.person("rob", 200).await);
        let id = site.create(json!({"name": "A", "assignee": member.id})).await.id();
        let (approve, withdraw) = (format!("{}approve-estimates/", task_path(&id)), format!("{}withdraw-approval/", task_path(&id)));
        resources.post(&approve, json!({})).await.expect(400);
        site.settle(json!({"estimation_mode": "suggest_approve"})).await;
        let legs = json!({"optimistic_duration": 1, "most_likely_duration": 2, "pessimistic_duration": 4});
        let suggested = member.patch(&task_path(&id), legs).await.expect(200);
        assert_eq!(suggested["estimate_status"], "pending");
        member.post(&approve, json!({})).await.expect(403);
        for _ in 0..2 {
            assert_eq!(resources.post(&approve, json!({})).await.expect(200)["estimate_status"], "accepted");
        }
        let kept = site.change(&id, json!({"notes": "other"})).await;
        assert_eq!(kept["estimate_status"], "accepted");
        assert_eq!(resources.post(&withdraw, json!({})).await.expect(200)["estimate_status"], "pending");
        resources.post(&approve, json!({})).await.expect(200);
        let again = site.change(&id, json!({"pessimistic_duration": 5})).await;
        assert_eq!(again["estimate_status"], "pending", "another value is another suggestion");
        site.settle(json!({"estimation_mode": "open"})).await;
        assert_eq!(site.change(&id, json!({"pessimistic_duration": 6})).await["estimate_status"], Value::Null);
    }
}

both_engines! {
    async fn a_change_of_duration_keeps_the_percentage_and_is_noted(app: &TestApp) {
        let site = Site::new(app).await;
        let id = planned(&site, json!({"percent_complete": 50, "status": "IN_PROGRESS"})).await;
        site.hush().await;
        assert_eq!(site.change(&id, json!({"duration": 20})).await["percent_complete"], 50.0);
        let told = site.payloads("task_duration_changed").await.remove(0);
        assert_eq!((&told["task_id"], &told["policy_applied"]), (&json!(id), &json!("keep")));
        app.later(chrono::Duration::minutes(1));
        site.change(&id, json!({"duration": 8})).await;
        let list = site.owner.get(&format!("{}duration-events/", task_path(&id))).await.expect(200);
        assert_eq!(list["count"], 2);
        let (newest, oldest) = (&list.results()[0], &list.results()[1]);
        assert_eq!((&newest["old_duration"], &newest["new_duration"]), (&json!(20), &json!(8)));
        assert_eq!((&oldest["old_duration"], &oldest["new_duration"]), (&json!(10), &json!(20)));
        assert_eq!((&oldest["task"], &oldest["actor"], &oldest["actor_name"]), (&json!(id), &json!(site.owner.id), &json!("ona")));
        assert_eq!((&oldest["percent_complete_at_change"], &oldest["percent_complete_after"]), (&json!(50.0), &Value::Null));
        assert_eq!((&oldest["source"], &oldest["sprint"]), (&json!("user_edit"), &Value::Null));
        assert_eq!(oldest["created_at"], "2026-01-05T08:00:00Z");
    }

    async fn prorating_keeps_the_work_done_within_bounds(app: &TestApp) {
        let site = Site::new(app).await;
        site.settle(json!({"task_duration_change_percent_policy": "prorate"})).await;
        for (duration, expected) in [(20, 25.0), (15, 33.3), (5, 100.0), (3, 100.0)] {
            let id = planned(&site, json!({"percent_complete": 50, "status": "IN_PROGRESS"})).await;
            assert_eq!(site.change(&id, json!({"duration": duration})).await["percent_complete"], expected, "{duration}");
            let events = site.owner.get(&format!("{}duration-events/", task_path(&id))).await.expect(200);
            let event = &events.results()[0];
            assert_eq!((&event["percent_complete_after"], &event["policy_applied"]), (&json!(expected), &json!("prorate")));
        }
        let id = planned(&site, json!({"percent_complete": 50, "status": "IN_PROGRESS"})).await;
        let said = site.change(&id, json!({"duration": 20, "percent_complete": 60})).await;
        assert_eq!(said["percent_complete"], 60.0, "what is said wins");
    }

    async fn confirming_is_a_hint_to_the_client_and_changes_nothing(app: &TestApp) {
        let site = Site::new(app).await;
        site.settle(json!({"task_duration_change_percent_policy": "confirm"})).await;
        let id = planned(&site, json!({"percent_complete": 40, "status": "IN_PROGRESS"})).await;
        assert_eq!(site.change(&id, json!({"duration": 5})).await["percent_complete"], 40.0);
        let events = site.owner.get(&format!("{}duration-events/", task_path(&id))).await.expect(200);
        assert_eq!(events.results()[0]["policy_applied"], "confirm");
    }

    async fn a_task_without_progress_or_a_change_of_something_else_notes_no_duration_event(app: &TestApp) {
        let site = Site::new(app).await;
        let (idle, busy) = (planned(&site, json!({})).await, planned(&site, json!({"percent_complete": 50})).await);
        site.change(&idle, json!({"duration": 20})).await;
        site.change(&busy, json!({"name": "B", "duration": 10})).await;
        let viewer = site.person("vic", 1).await;
        for id in [&idle, &busy] {
            let events = viewer.get(&format!("{}duration-events/", task_path(id))).await.expect(200);
            assert_eq!((&events["count"], &events["results"]), (&json!(0), &json!([])));
        }
    }
}
