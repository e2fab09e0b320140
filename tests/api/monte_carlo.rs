//! Simulation: what is kept of a run, who reads what, and trying another duration.

use chrono::Duration;
use planwright_domain::Role;
use planwright_testkit::{Person, both_engines};
use serde_json::{Value as Json, json};

use crate::bridges::Bridges;

fn at(plan: &Bridges, rest: &str) -> String {
    format!("/api/v1/projects/{}/monte-carlo/{rest}", plan.project)
}

async fn simulate(person: &Person<'_>, plan: &Bridges) -> Json {
    person.post(&at(plan, ""), json!({"n_simulations": 20, "seed": 7})).await.expect(200).json
}

both_engines! {
    async fn the_newest_run_answers_in_full_for_a_day_whoever_made_it(app: &TestApp) {
        let owner = app.person("owner").await;
        let mut viewer = app.person("viewer").await;
        let plan = Bridges::of(app, &owner).await;
        plan.let_in(&owner, &viewer, Role::Viewer).await;
        viewer.get(&at(&plan, "latest/")).await.expect(404);
        let run = simulate(&viewer, &plan).await;
        assert_eq!(run["run_id"], Json::Null);
        let latest = viewer.get(&at(&plan, "latest/")).await.expect(200);
        assert_eq!((&latest["from_history"], &latest["distribution"]), (&json!(false), &run["distribution"]));
        let history = viewer.get(&at(&plan, "history/")).await.expect(200);
        assert_eq!((&history["results"], &history["has_latest"], &history["has_drivers"]), (&json!([]), &json!(true), &json!(false)));
        app.later(Duration::hours(25));
        viewer.sign_in_again().await;
        viewer.get(&at(&plan, "latest/")).await.expect(404);
        assert_eq!(viewer.get(&at(&plan, "history/")).await.expect(200)["has_latest"], false);
    }

    async fn a_recorded_run_stays_and_tells_who_made_it_only_to_those_who_may_know(app: &TestApp) {
        let mut owner = app.person("owner").await;
        let mut viewer = app.person("viewer").await;
        let plan = Bridges::of(app, &owner).await;
        plan.let_in(&owner, &viewer, Role::Viewer).await;
        let run = simulate(&owner, &plan).await;
        simulate(&owner, &plan).await;
        app.later(Duration::hours(25));
        owner.sign_in_again().await;
        viewer.sign_in_again().await;
        let latest = owner.get(&at(&plan, "latest/")).await.expect(200);
        assert_eq!((&latest["from_history"], &latest["distribution"]), (&json!(true), &json!([])));
        let history = owner.get(&at(&plan, "history/")).await.expect(200);
        assert_eq!(history["has_latest"], true);
        assert_eq!((history.results().len(), &history["cap"], &history["enabled"]), (2, &json!(100), &json!(true)));
        assert_eq!(history["results"][0]["triggered_by_name"], "owner");
        assert_eq!(history["results"][0]["delta"], json!({"p50": 0, "p80": 0, "p95": 0}));
        assert_eq!(history["results"][0]["distribution"], json!(null));
        assert_eq!(history["results"][1]["id"], run["run_id"]);
        let expanded = viewer.get(&at(&plan, "history/?expand=distribution")).await.expect(200);
        let kept = &expanded["results"][1]["distribution"];
        for part in ["histogram_buckets", "confidence_curve", "sensitivity"] {
            assert_eq!(kept[part], run[part]);
        }
        assert_eq!(expanded["results"][1]["triggered_by_name"], Json::Null);
        let project = format!("/api/v1/projects/{}/", plan.project);
        owner.patch(&project, json!({"mc_history_retention_cap": 1, "mc_history_enabled": true})).await.expect(200);
        simulate(&owner, &plan).await;
        assert_eq!(owner.get(&at(&plan, "history/")).await.expect(200).results().len(), 1);
        owner.patch(&project, json!({"mc_history_enabled": false})).await.expect(200);
        assert_eq!(simulate(&owner, &plan).await["run_id"], Json::Null);
        assert_eq!(owner.get(&at(&plan, "history/")).await.expect(200)["enabled"], false);
    }

    async fn a_longer_task_on_the_path_moves_every_percentile_by_the_same_days(app: &TestApp) {
        let owner = app.person("owner").await;
        let viewer = app.person("viewer").await;
        let plan = Bridges::of(app, &owner).await;
        plan.let_in(&owner, &viewer, Role::Viewer).await;
        let before = owner.get(&format!("/api/v1/tasks/{}/", plan.task)).await.expect(200);
        let path = at(&plan, &format!("whatif/?task_id={}&duration_delta=2&n_simulations=50&seed=3", plan.task));
        let tried = viewer.get(&path).await.expect(200);
        assert_eq!(tried["applied"], json!({"base_duration_days": 3, "duration_delta_days": 2, "new_duration_days": 5}));
        assert_eq!((&tried["current"]["p80"], &tried["whatif"]["p80"]), (&json!("2026-01-14"), &json!("2026-01-16")));
        assert_eq!(tried["delta_vs_current"], json!({"p50": 2, "p80": 2, "p95": 2, "cpm_finish": 2}));
        assert_eq!((&tried["critical_path_changed"], &tried["runs"], &tried["seed"]), (&json!(false), &json!(50), &json!(3)));
        let set = at(&plan, &format!("whatif/?task_id={}&new_duration=5&n_simulations=50&seed=3", plan.task));
        assert_eq!(viewer.get(&set).await.expect(200).json, tried.json);
        let after = owner.get(&format!("/api/v1/tasks/{}/", plan.task)).await.expect(200);
        assert_eq!(after.json, before.json);
        owner.get(&at(&plan, "latest/")).await.expect(404);
    }

    async fn what_cannot_be_tried_is_refused_by_name(app: &TestApp,
        "SVC_RATE_LIMIT_ENABLED" = "false", "SVC_RATE_LIMIT_DISABLE_ACK" = "tests") {
        let owner = app.person("owner").await;
        let plan = Bridges::with(app, &owner, &[("Large thing", "epic")]).await;
        let other = Bridges::of(app, &owner).await;
        let path = format!("/api/v1/tasks/?project={}&search=Large", plan.project);
        let epic = owner.get(&path).await.expect(200)["results"][0]["id"].as_str().unwrap().to_owned();
        let try_it = async |query: String| owner.get(&at(&plan, &format!("whatif/?{query}"))).await;
        let task = &plan.task;
        assert!(try_it(format!("task_id={task}")).await.expect(400)["non_field_errors"].is_array());
        assert!(try_it(format!("task_id={task}&duration_delta=1&new_duration=1")).await.expect(400)["non_field_errors"].is_array());
        assert!(try_it(format!("task_id={task}&duration_delta=-4")).await.expect(400)["duration_delta"].is_array());
        assert!(try_it(format!("task_id={task}&new_duration=-1")).await.expect(400)["new_duration"].is_array());
        assert!(try_it("duration_delta=1".into()).await.expect(400)["task_id"].is_array());
        assert!(try_it(format!("task_id={epic}&duration_delta=1")).await.expect(400)["task_id"].is_array());
        try_it(format!("task_id={}&duration_delta=1", other.task)).await.expect(404);
        let capped = try_it(format!("task_id={task}&duration_delta=1&n_simulations=10001")).await.expect(402);
        assert_eq!(capped["error"], "simulation_cap_exceeded");
    }

    async fn a_plan_of_six_days_a_week_has_one_p80_as_a_document_and_as_a_stored_plan(app: &TestApp) {
        let document = json!({
            "schema_version": "2.0",
            "program": {"slug": "six", "name": "Six", "methodology": "AGILE"},
            "calendars": [{"slug": "six", "name": "Six days", "working_days": 63}],
            "projects": [{
                "slug": "one", "name": "One", "methodology": "AGILE", "start_date": "2026-01-05", "calendar": "six",
                "tasks": [{"wbs_path": "1", "name": "Stories", "duration": 5, "story_points": 60}],
                "sprints": [{"slug": "done", "name": "Done", "state": "COMPLETED", "start_date": "2025-12-22",
                    "finish_date": "2026-01-04", "completed_points": 20}],
            }],
        });
        let text = document.to_string();
        let read = planwright_plan_files::seed::parse(text.as_bytes(), app.clock.today()).expect("the document is valid");
        let plan = planwright_exchange::document_network::network(&read, None);
        let options = planwright_engine::SimulationOptions { runs: 20, seed: 7, ..Default::default() };
        let simulated = planwright_engine::simulate(&plan.network, &options);
        let owner = app.person("owner").await;
        owner.post("/api/v1/programs/import/", document).await.expect(202);
        app.run_jobs().await;
        let project = owner.get("/api/v1/projects/").await.expect(200).results()[0]["id"].as_str().unwrap().to_owned();
        let path = format!("/api/v1/projects/{project}/monte-carlo/");
        let stored = owner.post(&path, json!({"n_simulations": 20, "seed": 7})).await.expect(200);
        assert_eq!(stored["p80"], json!(simulated.finish.expect("it is scheduled").percentile(80.0).to_string()));
    }

    async fn the_answer_tells_how_likely_each_milestone_is_met(app: &TestApp) {
        let site = crate::site::Site::new(app).await;
        let estimate = json!({"name": "Dig", "duration": 4, "optimistic_duration": 2, "most_likely_duration": 4, "pessimistic_duration": 12});
        let dig = site.create(estimate).await.id();
        let gate = site.create(json!({"name": "Gate", "is_milestone": true, "duration": 0})).await.id();
        site.link(&dig, &gate).await;
        let path = site.at("monte-carlo/");
        let run = site.owner.post(&path, json!({"n_simulations": 500, "seed": 7})).await.expect(200);
        let [milestone] = &run["milestones"].as_array().unwrap()[..] else { panic!("{}", run.text) };
        assert_eq!((&milestone["task_id"], &milestone["name"], &milestone["is_deadline"]), (&json!(gate), &json!("Gate"), &json!(false)));
        assert_eq!(milestone["date"], site.read(&gate).await["early_finish"]);
        assert_eq!(milestone["confidence"], run["cpm_confidence"], "the milestone is the end of the project");
        assert_eq!((&run["runs"], &run["runs_reduced"]), (&json!(500), &json!(false)));
        site.change(&gate, json!({"percent_complete": 100})).await;
        let run = site.owner.post(&path, json!({"n_simulations": 20})).await.expect(200);
        assert_eq!(run["milestones"], json!([]), "it is past");
        let wrong = [json!(0), json!(-1), json!("many"), json!(1.5)];
        for n_simulations in wrong {
            let refused = site.owner.post(&path, json!({"n_simulations": n_simulations})).await.expect(400);
            assert!(refused["detail"].is_string(), "{}", refused.text);
        }
    }
}
