//! Baselines: what a project promised, what became of it, and the commitment that ends a draft.

use planwright_testkit::both_engines;
use serde_json::{Value, json};

use crate::site::{Site, text};

both_engines! {
    async fn a_baseline_keeps_the_plan_as_it_was(app: &TestApp) {
        let site = Site::new(app).await;
        let (manager, mara) = (site.person("paul", 300).await, site.person("mara", 100).await);
        let dig = site.create(json!({"name": "Dig", "duration": 3, "story_points": 5})).await.id();
        let pour = site.task("Pour", 2).await;
        site.link(&dig, &pour).await;
        let all = site.at("baselines/");
        site.hush().await;
        mara.post(&all, json!({})).await.expect(403);
        let first = manager.post(&all, json!({})).await.expect(201);
        assert_eq!((text(&first["name"]), &first["is_active"]), ("Baseline 1", &json!(false)));
        assert_eq!((&first["task_count"], &first["has_cpm_dates"]), (&json!(2), &json!(true)));
        assert_eq!(site.payloads("baseline_created").await, [json!({"id": first.id()})]);
        assert_eq!(site.payloads("baseline.captured").await[0]["task_count"], 2);
        assert!(manager.post(&all, json!({"name": "Baseline 1"})).await.expect(400)["name"].is_array());
        site.change(&dig, json!({"duration": 6, "name": "Dig deeper"})).await;
        let detail = mara.get(&format!("{all}{}/", first.id())).await.expect(200);
        let kept = &detail["tasks"][0];
        assert_eq!((text(&kept["task_name"]), text(&kept["start"]), text(&kept["finish"])), ("Dig", "2026-01-05", "2026-01-07"));
        assert_eq!((&kept["duration"], &kept["story_points"]), (&json!(3), &json!(5)));
        assert_eq!(detail["working_days"], 31);
        let listed = mara.get(&all).await.expect(200);
        assert_eq!(listed["count"], 1);
        manager.delete(&format!("{all}{}/", first.id())).await.expect(403);
        site.owner.delete(&format!("{all}{}/", first.id())).await.expect(204);
        let next = manager.post(&all, json!({"name": " "})).await.expect(201);
        assert_eq!(text(&next["name"]), "Baseline 2", "a number is given once");
    }

    async fn one_baseline_is_active_and_variances_are_measured_against_it(app: &TestApp) {
        let site = Site::new(app).await;
        let (dig, pour) = (site.task("Dig", 3).await, site.task("Pour", 2).await);
        site.link(&dig, &pour).await;
        let all = site.at("baselines/");
        let compare = site.at(&format!("tasks/{pour}/baseline/"));
        assert_eq!(site.owner.get(&compare).await.expect(200)["has_baseline"], false);
        let first = site.owner.post(&all, json!({"name": "Promise"})).await.expect(201).id();
        let second = site.owner.post(&all, json!({"name": "Hope"})).await.expect(201).id();
        site.hush().await;
        for one in [&second, &first] {
            site.owner.post(&format!("{all}{one}/activate/"), json!({})).await.expect(200);
        }
        assert_eq!(site.payloads("baseline_activated").await, [json!({"id": second}), json!({"id": first})]);
        let active: Vec<Value> = site.owner.get(&all).await.expect(200).results().clone();
        let active: Vec<&str> =
            active.iter().filter(|row| row["is_active"] == true).map(|row| text(&row["name"])).collect();
        assert_eq!(active, ["Promise"]);
        site.change(&dig, json!({"duration": 6})).await;
        let now = site.owner.get(&compare).await.expect(200);
        assert_eq!((text(&now["baseline_name"]), &now["in_baseline"]), ("Promise", &json!(true)));
        assert_eq!((text(&now["planned_finish"]), text(&now["current_finish"])), ("2026-01-09", "2026-01-14"));
        assert_eq!((&now["finish_delta_days"], &now["finish_delta_working_days"]), (&json!(5), &json!(3)));
        let paint = site.task("Paint", 1).await;
        site.owner.delete(&format!("/api/v1/tasks/{pour}/")).await.expect(204);
        let plan = site.owner.get(&format!("{all}{first}/comparison/")).await.expect(200);
        assert_eq!((&plan["kept_count"], &plan["added_count"], &plan["removed_count"]), (&json!(1), &json!(1), &json!(1)));
        assert_eq!(plan["later_count"], 1);
        let fates: Vec<&str> = plan["tasks"].as_array().unwrap().iter().map(|task| text(&task["fate"])).collect();
        assert_eq!(fates, ["kept", "removed", "added"]);
        assert_eq!(plan["tasks"][2]["task_id"], json!(paint));
    }

    async fn a_draft_becomes_the_plan_that_was_promised_once(app: &TestApp) {
        let site = Site::new(app).await;
        assert_eq!(site.owner.post(&site.at("commit/"), json!({})).await.expect(409)["code"], "already_committed");
        let draft = json!({"name": "Draft", "start_date": "2026-01-05", "lifecycle": "draft"});
        let project = site.owner.post("/api/v1/projects/", draft).await.expect(201).id();
        let site = Site { project, ..site };
        let (rolf, mara) = (site.person("rolf", 200).await, site.person("mara", 100).await);
        site.create(json!({"name": "Dig", "duration": 3, "assignee": mara.id})).await;
        let commit = site.at("commit/");
        mara.post(&commit, json!({})).await.expect(403);
        let done = rolf.post(&commit, json!({})).await.expect(200);
        assert_eq!((text(&done["baseline_name"]), &done["task_count"]), ("Baseline v1", &json!(1)));
        assert_eq!(done["notified_resource_count"], 1);
        assert_eq!(site.owner.get(&site.at("")).await.expect(200)["lifecycle"], "active");
        let baseline = site.owner.get(&site.at("baselines/")).await.expect(200);
        assert_eq!(baseline["results"][0]["is_active"], true);
        rolf.post(&commit, json!({})).await.expect(409);
    }

    async fn what_was_promised_stays_when_a_task_gets_rows_below_it_or_is_split(app: &TestApp) {
        let site = Site::new(app).await;
        let phase = site.task("Works", 1).await;
        let dig = site.under(&phase, "Dig", 10).await;
        let pour = site.under(&phase, "Pour", 5).await;
        site.create(json!({"name": "Some day", "duration": 7, "status": "BACKLOG"})).await;
        let baseline = site.owner.post(&site.at("baselines/"), json!({})).await.expect(201).id();
        site.owner.post(&site.at(&format!("baselines/{baseline}/activate/")), json!({})).await.expect(200);
        let earned = async |field: &str| site.owner.get(&site.at("earned-value/")).await.expect(200)[field].as_f64().unwrap();
        assert_eq!(earned("budget_at_completion").await, 15.0, "what has no dates is not promised");
        site.change(&pour, json!({"percent_complete": 20, "actual_start": "2026-01-05"})).await;
        assert_eq!(earned("earned_value").await, 1.0);
        let mix = site.under(&pour, "Mix", 2).await;
        assert_eq!((earned("budget_at_completion").await, earned("earned_value").await), (15.0, 0.0), "a phase is as far as its rows");
        site.change(&mix, json!({"percent_complete": 60, "actual_start": "2026-01-05"})).await;
        let figures = site.owner.get(&site.at("earned-value/")).await.expect(200);
        let until = |week: &Value| week["earned_value"].as_f64();
        assert_eq!(figures["weeks"].as_array().unwrap().iter().filter_map(until).next_back(), Some(3.0), "{}", figures.text);
        site.change(&mix, json!({"percent_complete": 0})).await;
        site.change(&dig, json!({"percent_complete": 40, "actual_start": "2026-01-05"})).await;
        assert_eq!(earned("earned_value").await, 4.0);
        let rest = site.owner.post(&format!("/api/v1/tasks/{dig}/split/"), json!({})).await.expect(201).id();
        assert_eq!((earned("budget_at_completion").await, earned("earned_value").await), (15.0, 4.0), "a split earns nothing");
        site.change(&rest, json!({"percent_complete": 50, "actual_start": "2026-01-06"})).await;
        assert_eq!(earned("earned_value").await, 7.0);
        let figures = site.owner.get(&site.at("earned-value/")).await.expect(200);
        assert!(!figures.text.contains("-0.0"), "{}", figures.text);
    }

    async fn what_is_spent_counts_wherever_it_is_spent_and_ends_with_a_deletion(app: &TestApp) {
        let site = Site::new(app).await;
        let (dig, pour) = (site.task("Dig", 10).await, site.task("Pour", 15).await);
        let baseline = site.owner.post(&site.at("baselines/"), json!({})).await.expect(201).id();
        site.owner.post(&site.at(&format!("baselines/{baseline}/activate/")), json!({})).await.expect(200);
        site.settle(json!({"status_date": "2026-01-16"})).await;
        let figures = async || {
            let found = site.owner.get(&site.at("earned-value/")).await.expect(200);
            ["budget_at_completion", "earned_value", "actual_cost"].map(|name| found[name].as_f64().unwrap())
        };
        let mix = site.under(&dig, "Mix", 10).await;
        site.change(&mix, json!({"percent_complete": 50, "actual_start": "2026-01-05", "status": "IN_PROGRESS"})).await;
        assert_eq!(figures().await, [25.0, 5.0, 10.0], "a phase costs what its rows cost");
        let extra = site.task("Extra", 2).await;
        site.change(&extra, json!({"percent_complete": 50, "actual_start": "2026-01-15", "status": "IN_PROGRESS"})).await;
        assert_eq!(figures().await, [25.0, 5.0, 12.0], "what nobody promised costs and earns nothing");
        site.change(&pour, json!({"percent_complete": 40, "actual_start": "2026-01-12", "status": "IN_PROGRESS"})).await;
        assert_eq!(figures().await, [25.0, 11.0, 17.0]);
        let rest = site.owner.post(&format!("/api/v1/tasks/{pour}/split/"), json!({})).await.expect(201).id();
        assert_eq!(figures().await, [25.0, 11.0, 17.0]);
        site.owner.delete(&format!("/api/v1/tasks/{rest}/")).await.expect(204);
        assert_eq!(figures().await, [25.0, 11.0, 17.0], "the work that nobody does any more is not done");
        site.owner.get(&format!("/api/v1/tasks/{pour}/scope/")).await.expect(200);
        let summary = site.owner.get(&site.at("status-summary/")).await.expect(200);
        let compared = site.owner.get(&site.at(&format!("baselines/{baseline}/comparison/"))).await.expect(200);
        assert_eq!(summary["finish_delta_days"], compared["finish_delta_days"]);
        assert_eq!(text(&summary["baseline_finish_date"]), "2026-01-23");
    }

    async fn a_split_earns_nothing_however_it_divides_and_its_rest_earns_as_a_phase_too(app: &TestApp) {
        let site = Site::new(app).await;
        let dig = site.task("Dig", 10).await;
        let baseline = site.owner.post(&site.at("baselines/"), json!({})).await.expect(201).id();
        site.owner.post(&site.at(&format!("baselines/{baseline}/activate/")), json!({})).await.expect(200);
        site.change(&dig, json!({"percent_complete": 50, "actual_start": "2026-01-05", "status": "IN_PROGRESS"})).await;
        let earned = async || site.owner.get(&site.at("earned-value/")).await.expect(200)["earned_value"].as_f64().unwrap();
        assert_eq!(earned().await, 5.0);
        let rest = json!({"remaining_duration": 1});
        let rest = site.owner.post(&format!("/api/v1/tasks/{dig}/split/"), rest).await.expect(201).id();
        assert_eq!(earned().await, 5.0, "one day of ten is left, and half of the work");
        site.change(&rest, json!({"duration": 30})).await;
        assert_eq!(earned().await, 5.0);
        let below = site.under(&rest, "Below", 3).await;
        site.change(&below, json!({"status": "COMPLETE"})).await;
        assert_eq!(earned().await, 10.0);

        let pour = site.task("Pour", 10).await;
        let rest = site.owner.post(&format!("/api/v1/tasks/{pour}/split/"), json!({})).await.expect(201).id();
        site.owner.delete(&format!("/api/v1/tasks/{rest}/")).await.expect(204);
        let later = site.owner.post(&site.at("baselines/"), json!({})).await.expect(201).id();
        site.owner.post(&site.at(&format!("baselines/{later}/activate/")), json!({})).await.expect(200);
        let before = earned().await;
        site.change(&pour, json!({"status": "COMPLETE", "actual_start": "2026-01-05"})).await;
        assert_eq!(earned().await - before, 5.0, "what lay in the trash at the capture takes no share");
    }

    async fn what_was_promised_stays_when_a_task_gets_another_calendar_and_when_it_comes_from_a_document(app: &TestApp) {
        let site = Site::new(app).await;
        let program = site.owner.post("/api/v1/programs/", json!({"name": "City"})).await.expect(201).id();
        site.settle(json!({"program": program})).await;
        let whole_week = json!({"name": "Whole week", "working_days": 127});
        let whole_week = site.owner.post("/api/v1/calendars/", whole_week).await.expect(201).id();
        let dig = site.create(json!({"name": "Dig", "duration": 7, "calendar": whole_week})).await.id();
        site.task("Pour", 5).await;
        let baseline = site.owner.post(&site.at("baselines/"), json!({})).await.expect(201).id();
        site.owner.post(&site.at(&format!("baselines/{baseline}/activate/")), json!({})).await.expect(200);
        site.settle(json!({"status_date": "2026-01-10"})).await;
        site.change(&dig, json!({"percent_complete": 100, "status": "COMPLETE", "actual_start": "2026-01-05", "actual_finish": "2026-01-10"})).await;
        let figures = async |project: &str| {
            let found = site.owner.get(&format!("/api/v1/projects/{project}/earned-value/")).await.expect(200);
            ["budget_at_completion", "planned_value", "earned_value", "actual_cost"].map(|name| found[name].as_f64().unwrap())
        };
        let own = site.project.to_string();
        assert_eq!(figures(&own).await, [12.0, 11.0, 7.0, 6.0], "six of seven days and all five were to be done by Saturday");
        let document = site.owner.get(&format!("/api/v1/programs/{program}/export/")).await.expect(200);
        let task = document["projects"][0]["tasks"].as_array().unwrap().iter().find(|task| task["name"] == "Dig");
        assert!(task.unwrap()["calendar"].is_string(), "{}", document.text);
        let mut renamed = document.json.clone();
        renamed["program"]["slug"] = json!("copy");
        let copy = site.owner.post("/api/v1/programs/import/", renamed).await.expect(202);
        app.run_jobs().await;
        let projects = site.owner.get(&format!("/api/v1/programs/{}/projects/", text(&copy["program_id"]))).await.expect(200);
        let copy = text(&projects.json[0]["id"]).to_owned();
        assert_eq!(figures(&copy).await, [12.0, 11.0, 7.0, 6.0], "a copy promises the same");
        site.change(&dig, json!({"calendar": null})).await;
        assert_eq!(figures(&own).await, [12.0, 11.0, 7.0, 5.0], "only what is spent counts on the new calendar");
    }

    async fn a_copy_of_a_program_promises_what_was_work_at_the_capture(app: &TestApp) {
        let site = Site::new(app).await;
        let program = site.owner.post("/api/v1/programs/", json!({"name": "City"})).await.expect(201).id();
        site.settle(json!({"program": program})).await;
        let (dig, pour) = (site.task("Dig", 10).await, site.task("Pour", 5).await);
        let baseline = site.owner.post(&site.at("baselines/"), json!({})).await.expect(201).id();
        site.owner.post(&site.at(&format!("baselines/{baseline}/activate/")), json!({})).await.expect(200);
        site.owner.post(&site.at(&format!("tasks/{pour}/indent/")), json!({})).await.expect(200);
        assert_eq!(site.read(&dig).await["is_phase"], true);
        let budget = async |project: &str| {
            let path = format!("/api/v1/projects/{project}/earned-value/");
            site.owner.get(&path).await.expect(200)["budget_at_completion"].as_f64().unwrap()
        };
        assert_eq!(budget(&site.project.to_string()).await, 15.0);
        let path = format!("/api/v1/programs/{program}/export/");
        let mut document = site.owner.get(&path).await.expect(200).json;
        let kept = document["projects"][0]["baselines"][0]["tasks"].as_array().unwrap();
        assert_eq!(kept.iter().filter(|row| row["is_leaf"] == true).count(), 1, "{document}");
        document["program"]["slug"] = json!("copy");
        let copy = site.owner.post("/api/v1/programs/import/", document.clone()).await.expect(202);
        app.run_jobs().await;
        let copy = text(&copy["program_id"]).to_owned();
        let projects = site.owner.get(&format!("/api/v1/programs/{copy}/projects/")).await.expect(200);
        assert_eq!(budget(text(&projects.json[0]["id"])).await, 15.0);
        let again = site.owner.get(&format!("/api/v1/programs/{copy}/export/")).await.expect(200).json;
        assert_eq!(again["projects"][0]["baselines"], document["projects"][0]["baselines"]);
    }

    async fn a_task_with_a_subtask_is_promised_and_counted_and_its_subtask_is_not(app: &TestApp) {
        let site = Site::new(app).await;
        let dig = site.task("Dig", 10).await;
        site.create(json!({"name": "Fetch a spade", "duration": 2, "parent_id": dig, "is_subtask": true})).await;
        let baseline = site.owner.post(&site.at("baselines/"), json!({})).await.expect(201).id();
        site.owner.post(&site.at(&format!("baselines/{baseline}/activate/")), json!({})).await.expect(200);
        let summary = site.owner.get(&site.at("status-summary/")).await.expect(200);
        assert_eq!((&summary["task_count"], &summary["finish_delta_days"]), (&json!(1), &json!(0)), "{}", summary.text);
        assert_eq!(text(&summary["finish_date"]), "2026-01-16");
        site.settle(json!({"status_date": "2026-01-16"})).await;
        site.change(&dig, json!({"status": "COMPLETE", "actual_start": "2026-01-05", "actual_finish": "2026-01-16"})).await;
        let found = site.owner.get(&site.at("earned-value/")).await.expect(200);
        let figures = ["budget_at_completion", "earned_value", "actual_cost"].map(|name| found[name].as_f64().unwrap());
        assert_eq!(figures, [10.0, 10.0, 10.0]);
    }

    async fn what_nobody_promised_costs_the_same_when_it_is_split(app: &TestApp) {
        let site = Site::new(app).await;
        site.task("Dig", 10).await;
        let baseline = site.owner.post(&site.at("baselines/"), json!({})).await.expect(201).id();
        site.owner.post(&site.at(&format!("baselines/{baseline}/activate/")), json!({})).await.expect(200);
        let extra = site.task("Extra", 10).await;
        site.change(&extra, json!({"percent_complete": 50, "actual_start": "2026-01-05", "status": "IN_PROGRESS"})).await;
        site.settle(json!({"status_date": "2026-01-16"})).await;
        let spent = async || site.owner.get(&site.at("earned-value/")).await.expect(200)["actual_cost"].as_f64().unwrap();
        assert_eq!(spent().await, 10.0);
        let rest = site.owner.post(&format!("/api/v1/tasks/{extra}/split/"), json!({})).await.expect(201).id();
        let after = spent().await;
        assert!(after > 0.0, "{after}");
        site.change(&rest, json!({"status": "IN_PROGRESS", "actual_start": "2026-01-16"})).await;
        assert_eq!(spent().await, after + 1.0);
    }

    async fn a_baseline_waits_until_the_dates_of_a_large_plan_are_those_of_the_plan(app: &TestApp,
        "SVC_INLINE_SCHEDULE_MAX_TASKS" = "1") {
        let site = Site::new(app).await;
        let (dig, pour) = (site.task("Dig", 3).await, site.task("Pour", 2).await);
        site.link(&dig, &pour).await;
        site.hush().await;
        site.change(&dig, json!({"duration": 9})).await;
        let refused = site.owner.post(&site.at("baselines/"), json!({})).await.expect(409);
        assert_eq!(refused["code"], "recalculation_pending");
        site.hush().await;
        let kept = site.owner.post(&site.at("baselines/"), json!({})).await.expect(201).id();
        let kept = site.owner.get(&site.at(&format!("baselines/{kept}/"))).await.expect(200);
        assert_eq!((&kept["tasks"][0]["duration"], &kept["tasks"][0]["finish"]), (&json!(9), &json!("2026-01-15")));
    }

    async fn a_phase_that_has_begun_is_as_long_as_from_its_start_to_its_finish(app: &TestApp) {
        let site = Site::new(app).await;
        let phase = site.task("Works", 1).await;
        let (dig, pour) = (site.under(&phase, "Dig", 10).await, site.under(&phase, "Pour", 5).await);
        site.link(&dig, &pour).await;
        let baseline = site.owner.post(&site.at("baselines/"), json!({})).await.expect(201).id();
        site.owner.post(&site.at(&format!("baselines/{baseline}/activate/")), json!({})).await.expect(200);
        let against = site.at(&format!("tasks/{phase}/baseline/"));
        let both = async || {
            let found = site.owner.get(&against).await.expect(200);
            (found["planned_duration"].clone(), found["current_duration"].clone())
        };
        assert_eq!(both().await, (json!(15), json!(15)));
        site.change(&dig, json!({"percent_complete": 40, "actual_start": "2026-01-05"})).await;
        assert_eq!(both().await, (json!(15), json!(15)), "what is done of it counts");
        site.change(&dig, json!({"status": "COMPLETE", "actual_finish": "2026-01-16"})).await;
        assert_eq!(both().await, (json!(15), json!(15)));
    }

    async fn earned_value_is_measured_against_the_active_baseline(app: &TestApp) {
        let site = Site::new(app).await;
        let earned = site.at("earned-value/");
        assert_eq!(site.owner.get(&earned).await.expect(409)["code"], "no_active_baseline");
        let dig = site.task("Dig", 10).await;
        let baseline = site.owner.post(&site.at("baselines/"), json!({})).await.expect(201).id();
        site.owner.post(&site.at(&format!("baselines/{baseline}/activate/")), json!({})).await.expect(200);
        site.change(&dig, json!({"actual_start": "2026-01-05", "percent_complete": 50, "status": "IN_PROGRESS"})).await;
        site.settle(json!({"status_date": "2026-01-09"})).await;
        let found = site.owner.get(&earned).await.expect(200);
        assert_eq!((&found["planned_value"], &found["earned_value"], &found["actual_cost"]), (&json!(5.0), &json!(5.0), &json!(5.0)));
        assert_eq!((&found["schedule_performance_index_time"], &found["estimate_at_completion"]), (&json!(1.0), &json!(10.0)));
        assert_eq!((text(&found["date"]), text(&found["baseline_name"])), ("2026-01-09", "Baseline 1"));
        app.person("otto").await.get(&earned).await.expect(404);
    }

    async fn rates_turn_earned_value_and_the_figures_of_the_program_into_money(app: &TestApp) {
        let site = Site::new(app).await;
        let (mara, money) = (site.person("mara", 100).await, site.at("earned-value/money/"));
        let program = site.owner.post("/api/v1/programs/", json!({"name": "City"})).await.expect(201).id();
        site.settle(json!({"program": program})).await;
        let dear = json!({"name": "Ona", "hourly_rate": "50.00"});
        let resource = site.owner.post("/api/v1/resources/", dear).await.expect(201);
        assert_eq!(resource["hourly_rate"], "50.00");
        assert!(mara.get(&format!("/api/v1/resources/{}/", resource.id())).await.expect(200)["hourly_rate"].is_null());
        for wrong in [json!("-1"), json!("100000"), json!("1.234"), json!({})] {
            let refused = site.owner.post("/api/v1/resources/", json!({"name": "X", "hourly_rate": wrong})).await.expect(400);
            assert!(refused["hourly_rate"].is_array());
        }
        let entry = json!({"project": site.project, "resource": resource.id()});
        site.owner.post("/api/v1/project-resources/", entry).await.expect(201);
        let dig = site.task("Dig", 10).await;
        site.owner.post("/api/v1/task-resources/", json!({"task": dig, "resource": resource.id(), "units": "0.50"})).await.expect(201);
        let capture = async || {
            let baseline = site.owner.post(&site.at("baselines/"), json!({})).await.expect(201).id();
            site.owner.post(&site.at(&format!("baselines/{baseline}/activate/")), json!({})).await.expect(200);
        };
        capture().await;
        site.change(&dig, json!({"actual_start": "2026-01-05", "percent_complete": 50, "status": "IN_PROGRESS"})).await;
        site.settle(json!({"status_date": "2026-01-12"})).await;
        site.owner.patch(&format!("/api/v1/resources/{}/", resource.id()), json!({"hourly_rate": 60})).await.expect(200);
        let found = site.owner.get(&money).await.expect(200);
        assert_eq!(found["unit"], "money");
        let figures = ["budget_at_completion", "planned_value", "earned_value", "actual_cost"].map(|name| found[name].as_f64().unwrap());
        assert_eq!(figures, [2_000.0, 1_200.0, 1_000.0, 1_440.0]);
        mara.get(&money).await.expect(403);
        app.person("otto").await.get(&money).await.expect(404);
        let program = format!("/api/v1/programs/{program}/");
        let config = json!({"enabled_kpis": ["cost_variance", "budget_utilization"], "aggregation_policy": "weighted_by_budget"});
        let config = site.owner.patch(&format!("{program}rollup-config/"), config).await.expect(200);
        assert_eq!(config["unavailable_kpis"], json!({}));
        let rollup = site.owner.get(&format!("{program}rollup/")).await.expect(200);
        assert_eq!(rollup["policy_available"], true);
        assert_eq!(rollup["kpis"]["cost_variance"], json!({"available": true, "value": -44.0, "unit": "percent"}));
        assert_eq!(rollup["kpis"]["budget_utilization"], json!({"available": true, "value": 72.0, "unit": "percent"}));
        site.owner.patch(&format!("/api/v1/resources/{}/", resource.id()), json!({"hourly_rate": null})).await.expect(200);
        capture().await;
        assert_eq!(site.owner.get(&money).await.expect(409)["code"], "no_cost_data");
        assert_eq!(site.owner.get(&format!("{program}rollup/")).await.expect(200)["kpis"]["cost_variance"]["reason"], "no_cost_data");
    }
}
