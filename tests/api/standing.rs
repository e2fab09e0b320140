//! Where projects and programs stand: health, key figures of programs, pins, visits, the feed of changes, the forecast.

use chrono::Duration;
use planwright_store::sql;
use planwright_testkit::{Person, both_engines};
use serde_json::{Value, json};

use crate::site::{Site, ids, listed, text};

both_engines! {
    async fn the_health_of_all_projects_of_the_caller_is_one_list(app: &TestApp) {
        let site = Site::new(app).await;
        let outsider = app.person("otto").await;
        app.project(&outsider, "Tunnel").await;
        site.task("Dig", 3).await;
        let list = "/api/v1/projects/health-summary/";
        let all = site.owner.get(list).await.expect(200);
        let rows = listed(&all);
        assert_eq!((rows.len(), text(&rows[0]["name"])), (1, "Bridge"));
        assert_eq!((&rows[0]["critical_count"], &rows[0]["at_risk_count"]), (&json!(1), &json!(1)));
        site.settle(json!({"health": "AT_RISK"})).await;
        assert_eq!(site.owner.get(list).await.expect(200).json[0]["health_band"], "at_risk");
        assert_eq!(listed(&site.owner.get("/api/v1/projects/health-summary/?search=tun").await.expect(200)).len(), 0);
        let draft = json!({"name": "Draft", "start_date": "2026-01-05", "lifecycle": "draft"});
        site.owner.post("/api/v1/projects/", draft).await.expect(201);
        assert_eq!(listed(&site.owner.get(list).await.expect(200)).len(), 1, "drafts are left out");
    }

    async fn the_figures_of_a_program_leave_out_drafts_and_private_projects_of_others(app: &TestApp) {
        let owner = app.person("ona").await;
        let viewer = app.person("vera").await;
        let program = owner.post("/api/v1/programs/", json!({"name": "City"})).await.expect(201).id();
        let member = json!({"user": viewer.id, "role": 1});
        owner.post(&format!("/api/v1/programs/{program}/members/"), member).await.expect(201);
        for (name, more) in [("Open", json!({})), ("Own", json!({"visibility": "PRIVATE"})), ("Draft", json!({"lifecycle": "draft"}))] {
            let mut body = json!({"name": name, "start_date": "2026-01-05", "program": program});
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let project = owner.post("/api/v1/projects/", body).await.expect(201).id();
            owner.post("/api/v1/tasks/", json!({"name": "Dig", "duration": 2, "project": project})).await.expect(201);
            let risk = json!({"title": "Rain", "probability": 2, "impact": 3});
            owner.post(&format!("/api/v1/projects/{project}/risks/"), risk).await.expect(201);
        }
        let rollup = format!("/api/v1/programs/{program}/rollup/");
        let config = json!({"enabled_kpis": ["critical_tasks", "risk_score", "schedule_health", "cost_variance", "p80_completion"]});
        owner.patch(&format!("/api/v1/programs/{program}/rollup-config/"), config).await.expect(200);
        let (full, part) = (owner.get(&rollup).await.expect(200), viewer.get(&rollup).await.expect(200));
        assert_eq!((&full["project_count"], &part["project_count"]), (&json!(2), &json!(1)));
        assert_eq!((&full["kpis"]["critical_tasks"]["value"], &part["kpis"]["critical_tasks"]["value"]), (&json!(2), &json!(1)));
        assert_eq!(full["kpis"]["risk_score"], json!({"available": true, "value": 12, "unit": "points"}));
        assert_eq!(full["kpis"]["cost_variance"]["reason"], "no_cost_data");
        assert_eq!(full["kpis"]["p80_completion"]["available"], false);
        app.person("otto").await.get(&rollup).await.expect(404);
    }

    async fn pins_and_visits_belong_to_one_person(app: &TestApp) {
        let site = Site::new(app).await;
        let (mara, otto) = (site.person("mara", 100).await, app.person("otto").await);
        let (pin, pinned) = (site.at("pin/"), "/api/v1/auth/me/pinned/");
        otto.post(&pin, json!({})).await.expect(404);
        assert_eq!(mara.post(&pin, json!({})).await.expect(200)["is_pinned"], true);
        mara.post(&pin, json!({})).await.expect(200);
        let program = mara.post("/api/v1/programs/", json!({"name": "City"})).await.expect(201).id();
        mara.post(&format!("/api/v1/programs/{program}/pin/"), json!({})).await.expect(200);
        let mine = mara.get(pinned).await.expect(200);
        let kinds: Vec<String> = listed(&mine).iter().map(|row| text(&row["kind"]).to_owned()).collect();
        assert_eq!(kinds, ["program", "project"]);
        assert_eq!(listed(&site.owner.get(pinned).await.expect(200)).len(), 0);
        assert_eq!(mara.delete(&pin).await.expect(200)["is_pinned"], false);
        let recent = "/api/v1/me/recent-projects/";
        assert_eq!(listed(&mara.get(recent).await.expect(200)).len(), 0);
        assert_eq!(mara.post(&site.at("visit/"), json!({})).await.expect(200)["recorded"], true);
        assert_eq!(ids(&mara.get(recent).await.expect(200).json), std::slice::from_ref(&site.project));
        otto.post(&site.at("visit/"), json!({})).await.expect(404);
    }

    async fn the_feed_of_changes_names_the_rows_and_goes_on_by_cursor(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = site.person("mara", 100).await;
        let dig = site.task("Dig", 3).await;
        site.change(&dig, json!({"name": "Dig deep"})).await;
        mara.post(&site.at("risks/"), json!({"title": "Rain", "probability": 1, "impact": 1})).await.expect(201);
        let feed = site.at("changelog/");
        let newest = mara.get(&format!("{feed}?page_size=1")).await.expect(200);
        let entry = &newest["results"][0];
        assert_eq!((text(&entry["object_type"]), text(&entry["object_label"])), ("risk", "Rain"));
        assert_eq!((text(&entry["change_type"]), &entry["user"]["id"]), ("created", &json!(mara.id)));
        let cursor = text(&newest["next_cursor"]).to_owned();
        let next = mara.get(&format!("{feed}?page_size=1&cursor={cursor}")).await.expect(200);
        assert_eq!(next["results"][0]["object_label"], "Dig deep");
        assert_eq!(next["results"][0]["changes"][0], json!({"field": "name", "old": "Dig", "new": "Dig deep"}));
        let only = mara.get(&format!("{feed}?object_type=task&change_type=created")).await.expect(200);
        assert_eq!((only["results"].as_array().map(Vec::len), &only["next_cursor"]), (Some(1), &Value::Null));
        mara.get(&format!("{feed}?cursor=x")).await.expect(400);
        mara.get(&format!("{feed}?object_type=nothing")).await.expect(400);
        app.person("otto").await.get(&feed).await.expect(404);
    }

    async fn what_is_said_about_gates_is_kept_for_the_program(app: &TestApp) {
        let owner = app.person("ona").await;
        let program = owner.post("/api/v1/programs/", json!({"name": "City"})).await.expect(201).id();
        let config = format!("/api/v1/programs/{program}/phase-gate-config/");
        assert_eq!(owner.get(&config).await.expect(200)["enabled"], false);
        let id = owner.get(&config).await.expect(200).id();
        let said = owner.patch(&config, json!({"enabled": true, "invite_template": "Come"})).await.expect(200);
        assert_eq!(owner.get(&config).await.expect(200).json, said.json);
        assert_eq!(said.id(), id, "what is shown before anything is said is the same row");
        let again = owner.patch(&config, json!({"enabled": false})).await.expect(200);
        assert_eq!((&again["invite_template"], &again["server_version"]), (&json!("Come"), &json!(3)));
        owner.patch(&config, json!({"enabled": "often"})).await.expect(400);
        app.person("otto").await.get(&config).await.expect(404);
    }

    async fn the_forecast_of_a_project_hides_the_pace_from_those_who_may_not_see_it(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = site.person("mara", 100).await;
        let sprint = site.sprint("2026-01-05", "2026-01-16").await;
        site.create(json!({"name": "Dig", "story_points": 8, "sprint": sprint})).await;
        let forecast = site.at("forecast/");
        let open = mara.get(&forecast).await.expect(200);
        assert_eq!(open["remaining_committed_points"], 8);
        assert_eq!((&open["sprints_to_complete_low"], &open["milestones"]), (&Value::Null, &json!([])));
        let closed = site.owner.get(&forecast).await.expect(200);
        assert_eq!(closed["velocity"]["velocity_suppressed"], true);
        assert_eq!(closed["remaining_committed_points"], Value::Null);
    }

    async fn a_project_shows_where_it_stands(app: &TestApp) {
        let site = Site::new(app).await;
        let mut mara = site.person("mara", 100).await;
        let dig = site.create(json!({"name": "Dig", "duration": 3, "assignee": mara.id})).await.id();
        let done = site.create(json!({"name": "Done", "is_milestone": true})).await.id();
        site.link(&dig, &done).await;
        site.owner.post(&site.at("risks/"), json!({"title": "Rain", "probability": 5, "impact": 4})).await.expect(201);
        let baseline = site.owner.post(&site.at("baselines/"), json!({})).await.expect(201).id();
        site.owner.post(&site.at(&format!("baselines/{baseline}/activate/")), json!({})).await.expect(200);
        site.change(&dig, json!({"duration": 13})).await;
        let page = mara.get(&site.at("overview/")).await.expect(200);
        assert_eq!((&page["project"]["member_count"], &page["risks"]["max_severity"]), (&json!(2), &json!(20)));
        assert_eq!(page["milestones"][0]["id"], json!(done));
        assert_eq!(page["milestones"][0]["baseline_finish_date"], "2026-01-07");
        let line = mara.get(&site.at("status-summary/")).await.expect(200);
        assert_eq!(line.json, page["status"]);
        assert_eq!((&line["finish_delta_days"], &line["open_task_count"]), (&json!(14), &json!(2)));
        app.later(Duration::days(46));
        mara.sign_in_again().await;
        assert_eq!(mara.get(&site.at("status-summary/")).await.expect(200)["health_band"], "critical");
        app.person("otto").await.get(&site.at("overview/")).await.expect(404);
    }

    async fn a_section_that_breaks_is_named_and_the_others_are_whole(app: &TestApp) {
        let site = Site::new(app).await;
        app.write(sql!("ALTER TABLE forecast_snapshots RENAME TO forecast_snapshots_gone")).await;
        let page = site.owner.get(&site.at("overview/")).await.expect(503);
        assert_eq!((text(&page["failed"]), text(&page["project"]["name"])), ("forecast", "Bridge"));
        app.write(sql!("ALTER TABLE forecast_snapshots_gone RENAME TO forecast_snapshots")).await;
        site.owner.get(&site.at("overview/")).await.expect(200);
    }

    async fn the_tasks_of_a_program_are_found_in_the_projects_of_the_caller(app: &TestApp) {
        let owner = app.person("ona").await;
        let program = owner.post("/api/v1/programs/", json!({"name": "City"})).await.expect(201).id();
        let mut projects = Vec::new();
        for name in ["North", "South"] {
            let body = json!({"name": name, "start_date": "2026-01-05", "program": program});
            let project = owner.post("/api/v1/projects/", body).await.expect(201).id();
            for task in ["Dig the pit", "Pit wall", "Pour"] {
                owner.post("/api/v1/tasks/", json!({"name": task, "project": project})).await.expect(201);
            }
            projects.push(project);
        }
        let found = async |person: &Person<'_>, query: &str| -> Vec<String> {
            let answer = person.get(&format!("/api/v1/programs/{program}/task-search/{query}")).await.expect(200);
            let line = |row: &Value| format!("{} {}", text(&row["project_name"]), text(&row["name"]));
            listed(&answer).iter().map(line).collect()
        };
        let all = ["North Pit wall", "South Pit wall", "North Dig the pit", "South Dig the pit"];
        assert_eq!(found(&owner, "?q=pit").await, all);
        let other = format!("?q=PIT&exclude_project={}", projects[0]);
        assert_eq!(found(&owner, &other).await, ["South Pit wall", "South Dig the pit"]);
        owner.get(&format!("/api/v1/programs/{program}/task-search/")).await.expect(400);
        let vera = app.person("vera").await;
        vera.get(&format!("/api/v1/programs/{program}/task-search/?q=pit")).await.expect(404);
        let member = json!({"user": vera.id, "role": 1});
        owner.post(&format!("/api/v1/programs/{program}/members/"), member).await.expect(201);
        assert_eq!(found(&vera, "?q=pit").await, Vec::<String>::new(), "she is in none of the projects");
    }
}
