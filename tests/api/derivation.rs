//! Why a task stands where it stands.

use planwright_testkit::{Answer, Person, both_engines};
use serde_json::{Value as Json, json};

use crate::bridges::Bridges;

async fn explain(person: &Person<'_>, plan: &Bridges, task: &str, quantity: &str) -> Answer {
    let path = format!("/api/v1/projects/{}/schedule/derivation/", plan.project);
    person.get(&format!("{path}?task_id={task}&quantity={quantity}")).await
}

async fn named(person: &Person<'_>, plan: &Bridges, name: &str) -> String {
    let path = format!("/api/v1/tasks/?project={}&search={name}", plan.project);
    person.get(&path).await.expect(200)["results"][0]["id"].as_str().unwrap().to_owned()
}

both_engines! {
    async fn a_start_is_explained_by_the_link_that_holds_it(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        let drawing = named(&owner, &plan, "Drawing").await;
        let why = explain(&owner, &plan, &drawing, "early_start").await.expect(200);
        assert_eq!((why["value"].as_str(), why["pass"].as_str()), (Some("2026-01-08"), Some("forward")));
        assert_eq!(why["task_name"], "Drawing");
        let binding = &why["binding"];
        assert_eq!(binding["kind"], "predecessor_fs");
        assert_eq!(binding["source_task_name"], "Survey");
        assert_eq!((&binding["dep_type"], &binding["lag_days"]), (&json!("FS"), &json!(0)));
        assert_eq!((&binding["imposed_date"], &binding["slack_days"]), (&json!("2026-01-08"), &json!(0)));
        assert_eq!(binding["calendar_days_added"], 0);
        let start = &why["contributions"][1];
        assert_eq!((&start["kind"], &start["imposed_date"]), (&json!("project_start"), &json!("2026-01-05")));
        assert_eq!((&start["is_binding"], &start["slack_days"]), (&json!(false), &json!(3)));
    }

    async fn a_finish_over_a_weekend_says_how_many_days_the_calendar_adds(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        let drawing = named(&owner, &plan, "Drawing").await;
        let why = explain(&owner, &plan, &drawing, "early_finish").await.expect(200);
        assert_eq!(why["value"], "2026-01-14");
        let own = why["contributions"].as_array().unwrap().iter().find(|bound| bound["kind"] == "duration_from_early_start");
        assert_eq!(own.unwrap()["calendar_days_added"], 2);
    }

    async fn late_dates_and_floats_are_explained_too(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::with(app, &owner, &[("Side path", "task")]).await;
        let late = explain(&owner, &plan, &plan.task, "late_finish").await.expect(200);
        assert_eq!((&late["value"], &late["pass"]), (&json!("2026-01-07"), &json!("backward")));
        assert_eq!((&late["binding"]["kind"], &late["is_critical"]), (&json!("successor_fs"), &json!(true)));
        let side = named(&owner, &plan, "Side").await;
        let float = explain(&owner, &plan, &side, "total_float").await.expect(200);
        assert_eq!((&float["value"], &float["pass"]), (&json!(7), &json!("float")));
        assert_eq!(float["contributions"][0]["imposed_date"], "2026-01-05");
        assert_eq!(float["contributions"][1]["imposed_date"], "2026-01-14");
        let free = explain(&owner, &plan, &side, "free_float").await.expect(200);
        assert_eq!((&free["value"], &free["binding"]["kind"]), (&json!(7), &json!("total_float")));
        let begun = explain(&owner, &plan, &side, "scheduled_start").await.expect(200);
        assert_eq!(begun["binding"]["kind"], "project_start");
    }

    async fn a_phase_is_explained_by_the_rows_that_bound_it(app: &TestApp) {
        let owner = app.person("owner").await;
        let tasks = json!([
            {"wbs_path": "1", "name": "Ground"},
            {"wbs_path": "1.1", "name": "Dig", "duration": 2},
            {"wbs_path": "1.2", "name": "Pour", "duration": 4, "planned_start": "2026-01-06"},
        ]);
        let document = json!({
            "schema_version": "2.0", "program": {"slug": "tower", "name": "Tower", "methodology": "WATERFALL"},
            "projects": [{"slug": "base", "name": "Base", "methodology": "WATERFALL", "start_date": "2026-01-05", "tasks": tasks}],
        });
        owner.post("/api/v1/programs/import/", document).await.expect(202);
        app.run_jobs().await;
        let rows = owner.get("/api/v1/tasks/?ordering=wbs_path").await.expect(200);
        let phase = rows["results"][0]["id"].as_str().unwrap();
        let project = rows["results"][0]["project"].as_str().unwrap();
        let path = format!("/api/v1/projects/{project}/schedule/derivation/?task_id={phase}&quantity=");
        let start = owner.get(&format!("{path}early_start")).await.expect(200);
        assert_eq!((&start["value"], &start["binding"]["source_task_name"]), (&json!("2026-01-05"), &json!("Dig")));
        assert_eq!(start["contributions"].as_array().unwrap().len(), 2);
        let finish = owner.get(&format!("{path}early_finish")).await.expect(200);
        assert_eq!((&finish["value"], &finish["binding"]["source_task_name"]), (&json!("2026-01-09"), &json!("Pour")));
        assert_eq!(finish["binding"]["kind"], "descendant");
    }

    async fn work_that_began_is_explained_by_the_day_it_began(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        let begun = json!({"percent_complete": 40, "status": "IN_PROGRESS", "actual_start": "2026-01-05"});
        owner.patch(&format!("/api/v1/tasks/{}/", plan.task), begun).await.expect(200);
        let why = explain(&owner, &plan, &plan.task, "scheduled_start").await.expect(200);
        assert_eq!((&why["value"], &why["binding"]["kind"]), (&json!("2026-01-05"), &json!("actual_start")));
    }

    async fn a_row_outside_the_schedule_has_no_value(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::with(app, &owner, &[("Large thing", "epic")]).await;
        let epic = named(&owner, &plan, "Large").await;
        let why = explain(&owner, &plan, &epic, "early_start").await.expect(200);
        assert_eq!((&why["value"], &why["contributions"]), (&Json::Null, &json!([])));
    }

    async fn a_percentile_comes_from_the_newest_simulation(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        explain(&owner, &plan, &plan.task, "p80").await.expect(404);
        owner.post(&format!("/api/v1/projects/{}/monte-carlo/", plan.project), json!({"n_simulations": 10})).await.expect(200);
        let why = explain(&owner, &plan, &plan.task, "p80").await.expect(200);
        assert_eq!((&why["value"], &why["pass"]), (&json!("2026-01-14"), &json!("monte_carlo")));
        assert_eq!((&why["runs"], &why["delta_vs_cpm_days"]), (&json!(10), &json!(0)));
    }

    async fn an_unknown_quantity_is_400_and_a_task_of_elsewhere_404(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        let other = Bridges::of(app, &owner).await;
        let wrong = explain(&owner, &plan, &plan.task, "luck").await.expect(400);
        assert!(wrong["quantity"].is_array());
        explain(&owner, &plan, &other.task, "early_start").await.expect(404);
        explain(&owner, &plan, "no-uuid", "early_start").await.expect(400);
    }
}
