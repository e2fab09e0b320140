//! What surrounds sprints: cadences, the order of the board, outcomes, milestones, suggested durations, the trash.

use planwright_testkit::both_engines;
use serde_json::{Value, json};

use crate::site::{Site, ids, task_path, text};
use crate::sprints::sprint_path;

both_engines! {
    async fn sprints_are_planned_in_a_row_and_those_that_exist_are_left_alone(app: &TestApp) {
        let site = Site::new(app).await;
        let generate = site.at("sprints/generate/");
        let request = json!({"count": 3, "start_date": "2026-01-03", "length_days": 5, "dry_run": true});
        let dry = site.owner.post(&generate, request.clone()).await.expect(200);
        let starts: Vec<&str> = dry["sprints"].as_array().unwrap().iter().map(|row| text(&row["start_date"])).collect();
        assert_eq!(starts, ["2026-01-05", "2026-01-12", "2026-01-19"]);
        assert_eq!((&dry["created_count"], &dry["sprints"][0]["status"], &dry["sprints"][0]["id"]), (&json!(0), &json!("new"), &Value::Null));
        assert_eq!(site.owner.get(&site.at("sprints/")).await.expect(200)["count"], 0);
        let mut wet = request.clone();
        wet["dry_run"] = json!(false);
        wet["first_sprint_capacity_points"] = json!(20);
        let made = site.owner.post(&generate, wet.clone()).await.expect(201);
        assert_eq!((&made["created_count"], &made["sprints"][2]["name"], &made["sprints"][2]["status"]), (&json!(3), &json!("Sprint 3"), &json!("created")));
        let again = site.owner.post(&generate, wet).await.expect(201);
        assert_eq!((&again["created_count"], &again["skipped_count"]), (&json!(0), &json!(3)));
        let first = site.read_sprint(text(&made["sprints"][0]["id"])).await;
        assert_eq!((&first["capacity_points"], &first["finish_date"]), (&json!(20), &json!("2026-01-09")));
        let next = site.owner.post(&generate, json!({"count": 1, "first_index": 4, "dry_run": true})).await.expect(200);
        assert_eq!(next["sprints"][0]["start_date"], "2026-01-26", "after the last one");
        let member = site.person("mara", 100).await;
        member.post(&generate, json!({"count": 1, "first_sprint_capacity_points": 3})).await.expect(403);
        site.owner.post(&generate, json!({})).await.expect(400);
    }

    async fn the_tasks_of_a_running_sprint_are_put_in_order_as_a_whole(app: &TestApp) {
        let site = Site::new(app).await;
        let (sprint, tasks) = site.running("First", &[1, 2, 3]).await;
        let order = |places: &[usize]| {
            let rows: Vec<Value> = places.iter().map(|at| json!({"id": tasks[*at]})).collect();
            json!({"tasks": rows})
        };
        site.hush().await;
        let done = site.act(&sprint, "reorder", order(&[2, 0, 1])).await.expect(200);
        assert_eq!(done["updated"], 3);
        assert_eq!(site.payloads("sprint_reranked").await, [json!({"project_id": site.project, "sprint_id": sprint})]);
        assert_eq!(site.read(&tasks[2]).await["sprint_rank"], 1);
        assert_eq!(site.act(&sprint, "reorder", order(&[2, 0, 1])).await.expect(200)["updated"], 0);
        let partial = site.act(&sprint, "reorder", order(&[0])).await.expect(409);
        assert_eq!(partial["conflicts"].as_array().unwrap().len(), 2);
        let stale = json!({"tasks": [{"id": tasks[0], "server_version": 9}, {"id": tasks[1]}, {"id": tasks[2]}]});
        assert_eq!(site.act(&sprint, "reorder", stale).await.expect(409)["conflicts"], json!([tasks[0]]));
        let planned = site.plan_sprint("Second").await;
        site.act(&planned, "reorder", order(&[0])).await.expect(400);
    }

    async fn an_outcome_tells_what_was_finished_and_what_was_not(app: &TestApp) {
        let site = Site::new(app).await;
        let member = site.person("mara", 100).await;
        let (sprint, tasks) = site.running("First", &[3, 5]).await;
        let path = format!("{}outcome/", sprint_path(&sprint));
        site.change(&tasks[0], json!({"status": "COMPLETE"})).await;
        let early = member.get(&path).await.expect(200);
        assert_eq!((&early["provisional"], &early["outcome_recorded"], &early["commitment"]["completed_points"]), (&json!(true), &json!(false), &json!(3)));
        let next = site.plan_sprint("Second").await;
        site.act(&sprint, "close", json!({"carry_over_to": next})).await.expect(202);
        let seen = member.get(&path).await.expect(200);
        assert_eq!((&seen["provisional"], &seen["outcome_recorded"]), (&json!(false), &json!(true)));
        assert_eq!((&seen["commitment"]["completion_ratio_points"], &seen["velocity"]["completed_points"]), (&json!(0.375), &json!(3)));
        let unshipped = &seen["didnt_ship"][0];
        assert_eq!((&unshipped["task_id"], &unshipped["disposition"], &unshipped["next_sprint_name"]), (&json!(tasks[1]), &json!("carried"), &json!("Second")));
        assert_eq!(seen["didnt_ship_summary"], json!({"carried_count": 1, "carried_points": 5, "dropped_count": 0, "dropped_points": 0}));
        assert_eq!((&seen["review"]["shipped"][0]["task_id"], &seen["review"]["commitment"]["shipped_count"]), (&json!(tasks[0]), &json!(1)));
        let incoming = member.get(&format!("{}incoming_carryover/", sprint_path(&next))).await.expect(200);
        assert_eq!((&incoming["count"], &incoming["points"], &incoming["items"][0]["from_sprint_name"]), (&json!(1), &json!(5), &json!("First")));
    }

    async fn nobody_above_the_team_learns_its_velocity_by_any_read(app: &TestApp) {
        let site = Site::new(app).await;
        let viewer = site.person("vera", 1).await;
        let member = site.person("mara", 100).await;
        let (sprint, tasks) = site.running("First", &[13, 21]).await;
        site.change(&tasks[0], json!({"status": "COMPLETE"})).await;
        site.act(&sprint, "close", json!({})).await.expect(202);
        let one = sprint_path(&sprint);
        let reads = [one.clone(), site.at("sprints/"), format!("{one}outcome/"), format!("{one}scope-changes/"), site.at("history/?entity=sprint")];
        for path in &reads {
            for person in [&site.owner, &viewer] {
                let answer = person.get(path).await.expect(200);
                assert!(!answer.text.contains("\"completed_points\":13"), "{path} tells {}", answer.text);
                assert!(!answer.text.contains("0.3824"), "{path} tells {}", answer.text);
                assert!(!answer.text.contains(":13,"), "{path} tells {}", answer.text);
            }
        }
        assert!(member.get(&one).await.expect(200).text.contains("\"completed_points\":13"));
        let exported = site.owner.get(&site.at("export/")).await.expect(200);
        assert!(!exported.text.contains("completed_points"), "{}", exported.text);
        let hook = site.owner.with_header("x-base-version", "1").patch(&one, json!({"notes": "x"})).await;
        assert!(!hook.text.contains("\"completed_points\":13"), "{}", hook.text);
    }

    async fn a_review_is_prepared_and_a_task_goes_on_in_the_backlog(app: &TestApp) {
        let site = Site::new(app).await;
        let (sprint, tasks) = site.running("First", &[3, 5]).await;
        for task in &tasks {
            site.change(task, json!({"status": "COMPLETE"})).await;
        }
        site.act(&sprint, "close", json!({})).await.expect(202);
        site.hush().await;
        let outcome = site.owner.get(&format!("{}outcome/", sprint_path(&sprint))).await.expect(200);
        let rows = ids(&json!(outcome["review"]["shipped"].as_array().unwrap().iter().map(|row| json!({"id": row["outcome_id"]})).collect::<Vec<_>>()));
        let at = |id: &str, action: &str| format!("/api/v1/sprint-task-outcomes/{id}/{action}/");
        for row in &rows {
            let shown = site.owner.post(&at(row, "toggle-demo"), json!({"demo_ready": true})).await.expect(200);
            assert_eq!(shown.json, json!({"id": row, "demo_ready": true}));
        }
        site.owner.post(&at(&rows[0], "set-presenter"), json!({"presenter": "Mara"})).await.expect(200);
        site.owner.post(&at(&rows[0], "set-note"), json!({"note": "Well done"})).await.expect(200);
        site.owner.post(&at(&rows[0], "set-note"), json!({"note": "x".repeat(201)})).await.expect(400);
        let order = json!({"outcome_ids": [rows[1], rows[0]]});
        let placed = site.owner.post(&format!("{}demo-list/reorder/", sprint_path(&sprint)), order).await.expect(200);
        assert_eq!(placed["updated"], 2);
        site.owner.post(&format!("{}demo-list/reorder/", sprint_path(&sprint)), json!({"outcome_ids": [rows[1]]})).await.expect(409);
        assert_eq!(site.payloads("demo_presenter_set").await, [json!({"id": rows[0], "sprint_id": sprint, "presenter": "Mara"})]);
        let seen = site.owner.get(&format!("{}outcome/", sprint_path(&sprint))).await.expect(200);
        assert_eq!(seen["review"]["demo_list"][1]["presenter"], "Mara");
        let flagged = site.owner.post(&at(&rows[0], "flag-for-backlog"), json!({})).await.expect(200);
        let again = site.owner.post(&at(&rows[0], "flag-for-backlog"), json!({})).await.expect(200);
        assert_eq!(flagged.json, again.json);
        let task = site.read(text(&flagged["task_id"])).await;
        assert_eq!((&task["status"], &task["duration"], &task["name"]), (&json!("BACKLOG"), &json!(1), &json!("First 0")));
        assert_eq!(site.payloads("flagged_for_backlog").await.len(), 1);
    }

    async fn a_review_tells_what_is_accepted_and_that_there_was_a_retrospective(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = site.person("mara", 100).await;
        let (sprint, tasks) = site.running("First", &[3, 5, 8]).await;
        let criteria = "/api/v1/acceptance-criteria/";
        for (task, text, met) in [(&tasks[0], "Dry", true), (&tasks[1], "Deep", true), (&tasks[1], "Lit", false)] {
            let made = site.owner.post(criteria, json!({"task": task, "text": text})).await.expect(201).id();
            site.owner.patch(&format!("{criteria}{made}/"), json!({"met": met})).await.expect(200);
        }
        for task in &tasks {
            site.change(task, json!({"status": "COMPLETE"})).await;
        }
        let path = format!("{}outcome/", sprint_path(&sprint));
        assert_eq!(mara.get(&path).await.expect(200)["retro_summary"], Value::Null);
        let retro = json!({"notes": "Lamps", "action_items": [{"text": "Buy lamps"}]});
        site.owner.post(&format!("{}retro/", sprint_path(&sprint)), retro).await.expect(200);
        site.act(&sprint, "close", json!({})).await.expect(202);
        let outcome = mara.get(&path).await.expect(200);
        let review = &outcome["review"];
        let counted = ["accepted_count", "accepted_points", "not_accepted_count", "not_accepted_points", "no_criteria_count"];
        assert_eq!(counted.map(|key| review[key].as_i64().unwrap()), [1, 3, 1, 5, 1]);
        let unmet = review["shipped"].as_array().unwrap().iter().find(|row| row["acceptance"]["total"] == 2).unwrap();
        assert_eq!((&unmet["acceptance"]["met"], &unmet["unmet_criteria"][0]["text"]), (&json!(1), &json!("Lit")));
        assert_eq!((&outcome["retro_summary"]["action_item_count"], &outcome["retro_summary"]["has_notes"]), (&json!(1), &json!(true)));
    }

    async fn a_sprint_aims_at_a_milestone_which_then_follows_it(app: &TestApp) {
        let site = Site::new(app).await;
        let (sprint, tasks) = site.running("First", &[3, 1]).await;
        site.hush().await;
        let made = site.act(&sprint, "promote-to-milestone", json!({"name": "Piers stand"})).await.expect(201);
        let milestone = text(&made["target_milestone"]).to_owned();
        assert_eq!((&made["target_milestone_detail"]["name"], &made["binding_committed_snapshot"]), (&json!("Piers stand"), &json!(4)));
        assert_eq!(made["target_milestone_detail"]["finish"], "2026-01-16");
        let told = site.payloads("milestone_rollup_updated").await;
        assert_eq!((&told[0]["milestone_id"], &told[0]["percent_complete"]), (&json!(milestone), &json!(0.0)));
        site.hush().await;
        site.change(&tasks[0], json!({"status": "COMPLETE"})).await;
        assert_eq!(site.payloads("milestone_rollup_updated").await[0]["percent_complete"], 75.0);
        site.hush().await;
        site.owner.delete(&task_path(&tasks[1])).await.expect(204);
        let told = site.payloads("milestone_rollup_updated").await;
        assert_eq!((told.len(), &told[0]["milestone_id"]), (1, &json!(milestone)), "a deletion tells of it too");
        site.hush().await;
        site.owner.post(&format!("{}restore/", task_path(&tasks[1])), json!({})).await.expect(200);
        assert_eq!(site.payloads("milestone_rollup_updated").await[0]["percent_complete"], 75.0);
        let read = site.read(&milestone).await;
        assert_eq!((&read["percent_complete"], &read["milestone_rollup"]["rollup_basis"], &read["milestone_rollup"]["sprint_count"]), (&json!(75.0), &json!("points"), &json!(1)));
        let locked = site.refuse(&milestone, json!({"percent_complete": 10})).await;
        assert_eq!(locked["code"], "milestone_rollup_locked");
        site.change(&milestone, json!({"percent_complete": 75.0, "notes": "As shown"})).await;
        site.act(&sprint, "promote-to-milestone", json!({"milestone_id": milestone})).await.expect(200);
        let other = site.create(json!({"name": "Other", "is_milestone": true})).await.id();
        let bound = site.act(&sprint, "promote-to-milestone", json!({"milestone_id": other})).await.expect(409);
        assert_eq!(bound["code"], "sprint_already_bound");
        let all = site.owner.get(&site.at("milestones/")).await.expect(200);
        assert_eq!(all.json.as_array().unwrap().len(), 2);
        let unbound = site.owner.get(&site.at("milestones/?unbound=true")).await.expect(200);
        assert_eq!((&unbound.json[0]["id"], &unbound.json[0]["is_bound"]), (&json!(other), &json!(false)));
        let free = site.act(&sprint, "unbind-milestone", json!({})).await.expect(200);
        assert_eq!((&free["target_milestone"], &free["milestone_bound_at"]), (&Value::Null, &Value::Null));
        site.act(&sprint, "unbind-milestone", json!({})).await.expect(200);
        site.change(&milestone, json!({"percent_complete": 10})).await;
        let task = site.task("No milestone", 1).await;
        let wrong = site.act(&sprint, "promote-to-milestone", json!({"milestone_id": task})).await.expect(400);
        assert!(wrong["milestone_id"].is_array(), "{}", wrong.text);
    }

    async fn a_preview_says_when_a_milestone_would_be_reached_at_the_pace_of_the_team(app: &TestApp) {
        let site = Site::new(app).await;
        let member = site.person("mara", 100).await;
        for (name, points) in [("A", 5), ("B", 15)] {
            let (sprint, tasks) = site.running(name, &[points]).await;
            site.change(&tasks[0], json!({"status": "COMPLETE"})).await;
            site.act(&sprint, "close", json!({})).await.expect(202);
        }
        let sprint = site.plan_sprint("C").await;
        site.create(json!({"name": "Rest", "sprint": sprint, "story_points": 5})).await;
        let preview = format!("{}reforecast-preview/", sprint_path(&sprint));
        site.owner.get(&preview).await.expect(404);
        site.act(&sprint, "promote-to-milestone", json!({})).await.expect(201);
        let seen = member.get(&preview).await.expect(200);
        assert_eq!((&seen["basis"], &seen["cpm_finish"], &seen["p80"]), (&json!("velocity_band"), &json!("2026-01-16"), &json!("2026-01-22")));
        assert_eq!((&seen["velocity_low"], &seen["velocity_high"]), (&json!(3), &json!(17)));
        let hidden = site.owner.get(&preview).await.expect(200);
        assert_eq!((&hidden["velocity_low"], &hidden["p80"]), (&Value::Null, &seen["p80"]));
        let task = site.task("Dig", 1).await;
        site.owner.get(&format!("{preview}?milestone_id={task}")).await.expect(404);
        site.act(&sprint, "activate", json!({})).await.expect(200);
        site.hush().await;
        site.act(&sprint, "close", json!({})).await.expect(202);
        let told = site.payloads("milestone_forecast_updated").await;
        assert_eq!((&told[0]["cpm_finish"], &told[0]["unmodeled_dependency"]), (&json!("2026-01-16"), &json!(false)));
    }

    async fn a_velocity_suggests_durations_which_managers_accept_or_dismiss(app: &TestApp) {
        let site = Site::new(app).await;
        let member = site.person("mara", 100).await;
        for name in ["A", "B", "C"] {
            let (sprint, tasks) = site.running(name, &[20]).await;
            site.change(&tasks[0], json!({"status": "COMPLETE"})).await;
            site.act(&sprint, "close", json!({})).await.expect(202);
        }
        let (sprint, tasks) = site.running("D", &[8, 6]).await;
        site.act(&sprint, "close", json!({})).await.expect(202);
        let all = "/api/v1/velocity-suggestions/";
        let seen = member.get(&format!("{all}?pending=true")).await.expect(200);
        assert_eq!(seen["count"], 2, "{}", seen.text);
        let of = |task: &str| seen.results().iter().find(|row| row["task"] == task).unwrap().clone();
        let first = of(&tasks[0]);
        assert_eq!((&first["suggested_duration"], &first["team_velocity_per_day"], &first["flag_for_review"]), (&json!(4), &json!("2.000"), &json!(true)));
        assert_eq!((&first["sprint_name"], &first["is_pending"]), (&json!("D"), &json!(true)));
        let path = |row: &Value, action: &str| format!("{all}{}/{action}", text(&row["id"]));
        let hidden = site.owner.get(&path(&first, "")).await.expect(200);
        assert_eq!((&hidden["suggested_duration"], &hidden["team_velocity_per_day"]), (&Value::Null, &Value::Null));
        member.post(&path(&first, "accept/"), json!({})).await.expect(403);
        for _ in 0..2 {
            let accepted = site.owner.post(&path(&first, "accept/"), json!({})).await.expect(200);
            assert_eq!((&accepted["is_pending"], &accepted["accepted_by"]), (&json!(false), &json!(site.owner.id)));
        }
        assert_eq!(site.read(&tasks[0]).await["most_likely_duration"], 4);
        site.owner.post(&path(&first, "dismiss/"), json!({})).await.expect(409);
        let second = of(&tasks[1]);
        site.change(&tasks[1], json!({"optimistic_duration": 5, "pessimistic_duration": 9})).await;
        site.owner.post(&path(&second, "accept/"), json!({})).await.expect(422);
        site.owner.post(&path(&second, "dismiss/"), json!({})).await.expect(200);
        site.owner.post(&path(&second, "accept/"), json!({})).await.expect(409);
        assert_eq!(member.get(&format!("{all}?pending=true")).await.expect(200)["count"], 0);
        assert_eq!(member.get(&format!("{all}?task={}", tasks[0])).await.expect(200)["count"], 1);
    }

    async fn a_deleted_sprint_comes_back_with_its_tasks(app: &TestApp) {
        let site = Site::new(app).await;
        let sprint = site.plan_sprint("First").await;
        let other = site.plan_sprint("Second").await;
        let mut tasks = Vec::new();
        for name in ["A", "B"] {
            tasks.push(site.create(json!({"name": name, "sprint": sprint})).await.id());
        }
        site.owner.delete(&sprint_path(&sprint)).await.expect(204);
        site.change(&tasks[1], json!({"sprint": other})).await;
        let trash = site.owner.get(&site.at("sprints/?deleted=true")).await.expect(200);
        assert_eq!(trash.results()[0]["id"], json!(sprint));
        let member = site.person("mara", 100).await;
        member.post(&format!("{}restore/", sprint_path(&sprint)), json!({})).await.expect(403);
        site.act(&sprint, "restore", json!({})).await.expect(200);
        assert_eq!(site.read(&tasks[0]).await["sprint"], json!(sprint));
        assert_eq!(site.read(&tasks[1]).await["sprint"], json!(other));
        site.act(&sprint, "restore", json!({})).await.expect(400);
    }

    async fn a_restored_task_waits_when_its_sprint_has_begun_without_it_and_leaves_one_that_is_gone(app: &TestApp) {
        let site = Site::new(app).await;
        let (sprint, other) = (site.plan_sprint("First").await, site.plan_sprint("Second").await);
        let late = site.create(json!({"name": "Late", "sprint": sprint})).await.id();
        let lost = site.create(json!({"name": "Lost", "sprint": other})).await.id();
        for task in [&late, &lost] {
            site.owner.delete(&crate::site::task_path(task)).await.expect(204);
        }
        app.later(chrono::Duration::minutes(1));
        site.act(&sprint, "activate", json!({})).await.expect(200);
        site.owner.delete(&sprint_path(&other)).await.expect(204);
        let back = async |task: &str| site.owner.post(&format!("/api/v1/tasks/{task}/restore/"), json!({})).await.expect(200);
        let waits = back(&late).await;
        assert_eq!((&waits["sprint"], &waits["sprint_pending"]), (&json!(sprint), &json!(true)));
        assert_eq!(back(&lost).await["sprint"], Value::Null);
    }

    async fn a_project_comes_back_from_the_trash_with_its_sprints(app: &TestApp) {
        let site = Site::new(app).await;
        let (sprint, _) = site.running("First", &[3]).await;
        site.create(json!({"name": "Late", "sprint": sprint})).await;
        site.owner.delete(&site.at("")).await.expect(204);
        site.owner.get(&sprint_path(&sprint)).await.expect(404);
        site.owner.post(&site.at("restore/"), json!({})).await.expect(200);
        assert_eq!(site.read_sprint(&sprint).await["pending_count"], 1);
        let listed = site.owner.get(&format!("{}scope-changes/", sprint_path(&sprint))).await.expect(200);
        assert_eq!(listed["summary"]["total"], 1);
    }

    async fn dates_at_the_end_of_time_are_answered_and_never_break_anything(app: &TestApp) {
        let site = Site::new(app).await;
        let sprint = site.plan_sprint("First").await;
        site.create(json!({"name": "A", "sprint": sprint, "story_points": 3, "duration": 10})).await;
        let far = json!({"start_date": "9999-12-30", "finish_date": "9999-12-31"});
        let refused = site.owner.patch(&sprint_path(&sprint), far).await.expect(400);
        assert!(refused["start_date"].is_array(), "{}", refused.text);
        site.act(&sprint, "promote-to-milestone", json!({"target_date": "9999-12-31"})).await.expect(201);
        site.owner.get(&format!("{}reforecast-preview/", sprint_path(&sprint))).await.expect(200);
        let late = json!({"count": 52, "start_date": "9999-12-01"});
        site.owner.post(&site.at("sprints/generate/"), late).await.expect(400);
        let last = json!({"name": "Last", "start_date": "9999-12-30", "finish_date": "9999-12-31"});
        let last = site.owner.post(&site.at("sprints/"), last).await.expect(201).id();
        site.act(&last, "activate", json!({})).await.expect(200);
        site.owner.get(&format!("{}outcome/", sprint_path(&last))).await.expect(200);
        site.act(&last, "close", json!({})).await.expect(202);
    }

    async fn somebody_with_more_tasks_than_time_is_named_when_the_sprint_begins(app: &TestApp) {
        let site = Site::new(app).await;
        let sprint = site.plan_sprint("First").await;
        let resource = site.resource("Mara", true).await;
        for name in ["A", "B"] {
            let request = json!({"name": name, "sprint": sprint, "story_points": 5, "duration": 10,
                "owners": [{"resource": resource, "units": "1.0"}]});
            site.create(request).await;
        }
        let begun = site.act(&sprint, "activate", json!({})).await.expect(200);
        let warning = &begun["warnings"][0];
        assert_eq!((&warning["type"], &warning["member_name"]), (&json!("over_capacity"), &json!("Mara")));
        assert_eq!((&warning["committed_hours"], &warning["available_hours"], &warning["suggested_commitment_points"]), (&json!(160.0), &json!(80.0), &json!(5)));
    }
}
