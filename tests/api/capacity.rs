//! Capacity: how much of whom is used, over days, calendars and projects, and who may see it.

use planwright_testkit::{Person, both_engines};
use serde_json::{Value, json};

use crate::site::Site;

const ALLOCATIONS: &str = "/api/v1/task-resources/";

async fn resource(site: &Site<'_>, body: Value) -> String {
    site.owner.post("/api/v1/resources/", body).await.expect(201).id()
}

async fn allocate(person: &Person<'_>, task: &str, resource: &str, units: &str) -> Vec<Value> {
    let body = json!({"task": task, "resource": resource, "units": units});
    let made = person.post(ALLOCATIONS, body).await.expect(201);
    made["warnings"].as_array().expect("a write answers warnings").clone()
}

/// A task of a second project, which Zoe owns; both begin on Monday 5 January 2026.
async fn elsewhere(app: &planwright_testkit::TestApp) -> (Person<'_>, String) {
    let zoe = app.person("zoe").await;
    let project = app.project(&zoe, "Tunnel").await.to_string();
    let body = json!({"project": project, "name": "Secret bore", "duration": 2});
    let task = zoe.post("/api/v1/tasks/", body).await.expect(201).id();
    (zoe, task)
}

both_engines! {
    async fn loads_add_up_by_day_and_over_projects_without_naming_foreign_tasks(app: &TestApp) {
        let site = Site::new(app).await;
        let (zoe, bore) = elsewhere(app).await;
        let mara = resource(&site, json!({"name": "Mara"})).await;
        let (dig, pour) = (site.task("Dig", 3).await, site.task("Pour", 6).await);
        assert!(allocate(&site.owner, &dig, &mara, "0.50").await.is_empty());
        assert!(allocate(&site.owner, &pour, &mara, "0.40").await.is_empty(), "0.90 is less than there is");
        let warnings = allocate(&zoe, &bore, &mara, "0.50").await;
        assert_eq!(warnings[0]["code"], "resource_overallocated");
        assert_eq!((&warnings[0]["days"], &warnings[0]["first_day"]), (&json!(2), &json!("2026-01-05")));
        let page = site.owner.get(&site.at("utilization/")).await.expect(200);
        let days = &page["resources"][0]["days"];
        let told = |day: &str| {
            let load = &days[day];
            (load["hours"].as_f64().unwrap(), load["hours_elsewhere"].as_f64().unwrap(), load["load_pct"].as_i64().unwrap(),
                load["load_band"].as_str().unwrap().to_owned(), load["overallocated"].as_bool().unwrap())
        };
        let same = |told: (f64, f64, i64, String, bool), wanted: (f64, f64, i64, &str, bool)| {
            assert!((told.0 - wanted.0).abs() < 1e-9 && (told.1 - wanted.1).abs() < 1e-9, "{told:?}");
            assert_eq!((told.2, told.3.as_str(), told.4), (wanted.2, wanted.3, wanted.4));
        };
        same(told("2026-01-05"), (7.2, 4.0, 140, "critical", true));
        same(told("2026-01-07"), (7.2, 0.0, 90, "at-risk", false));
        same(told("2026-01-08"), (3.2, 0.0, 40, "on-track", false));
        assert_eq!(days.get("2026-01-10"), None, "Saturday");
        assert_eq!(days["2026-01-05"]["tasks"].as_array().unwrap().len(), 2);
        assert!(!page.text.contains("Secret"), "foreign tasks are not named");
        assert_eq!(page["window"], json!({"start": "2026-01-05", "end": "2026-01-12"}));
        assert_eq!(page["unassigned_task_count"], 0);
    }

    async fn days_off_and_the_share_on_the_roster_count(app: &TestApp) {
        let site = Site::new(app).await;
        let admin = app.admin().await;
        let calendar = admin.post("/api/v1/calendars/", json!({"name": "Mara's", "hours_per_day": 6.0})).await.expect(201).id();
        let off = json!({"exc_start": "2026-01-06", "exc_end": "2026-01-06", "description": "Dentist"});
        admin.post(&format!("/api/v1/calendars/{calendar}/exceptions/"), off).await.expect(201);
        let mara = resource(&site, json!({"name": "Mara", "calendar": calendar})).await;
        let roster = json!({"project": site.project, "resource": mara, "units_override": "0.50"});
        site.owner.post("/api/v1/project-resources/", roster).await.expect(201);
        let dig = site.task("Dig", 3).await;
        let warnings = allocate(&site.owner, &dig, &mara, "0.75").await;
        assert_eq!(warnings[0]["days"], 2, "Monday and Wednesday; Tuesday is off");
        let page = site.owner.get(&site.at("utilization/?start=2026-01-05&end=2026-01-07")).await.expect(200);
        let row = &page["resources"][0];
        assert_eq!((&row["max_units"], &row["hours_per_day"]), (&json!("0.50"), &json!(6.0)));
        assert_eq!((&row["calendar_differs_from_project"], &row["overallocated"]), (&json!(true), &json!(true)));
        let days: Vec<&String> = row["days"].as_object().unwrap().keys().collect();
        assert_eq!(days, ["2026-01-05", "2026-01-07"]);
        assert_eq!(row["days"]["2026-01-05"]["load_pct"], 150);
    }

    async fn a_missing_skill_is_warned_of(app: &TestApp) {
        let site = Site::new(app).await;
        let (mara, weld) = (resource(&site, json!({"name": "Mara"})).await, site.task("Weld", 1).await);
        let skill = site.owner.post("/api/v1/skills/", json!({"name": "Welding"})).await.expect(201).id();
        let asks = json!({"task": weld, "skill": skill});
        site.owner.post("/api/v1/task-skill-requirements/", asks).await.expect(201);
        let warnings = allocate(&site.owner, &weld, &mara, "1").await;
        assert_eq!(warnings[0]["code"], "skill_mismatch");
        assert_eq!(warnings[0]["missing_skills"][0]["skill_name"], "Welding");
    }

    async fn a_heat_map_shows_whole_weeks_and_a_summary_counts_people(app: &TestApp) {
        let site = Site::new(app).await;
        let mara = resource(&site, json!({"name": "Mara Lind", "job_role": "Mason"})).await;
        let zed = resource(&site, json!({"name": "Zed", "kind": "contractor"})).await;
        let crane = resource(&site, json!({"name": "Crane", "kind": "equipment", "job_role": "Lift"})).await;
        let (dig, pour) = (site.task("Dig", 5).await, site.task("Pour", 8).await);
        allocate(&site.owner, &dig, &mara, "0.75").await;
        allocate(&site.owner, &pour, &mara, "0.50").await;
        allocate(&site.owner, &dig, &zed, "0.10").await;
        allocate(&site.owner, &dig, &crane, "1").await;
        let map = site.owner.get(&site.at("resources/heatmap/?weeks=4&start=2026-01-07")).await.expect(200);
        assert_eq!(map["weeks"], json!(["2026-W02", "2026-W03", "2026-W04", "2026-W05"]));
        let rows: Vec<(&Value, &Value)> =
            map["resources"].as_array().unwrap().iter().map(|row| (&row["name"], &row["util"])).collect();
        assert_eq!(rows, [
            (&json!("Crane"), &json!([100, 0, 0, 0])),
            (&json!("Mara Lind"), &json!([125, 30, 0, 0])),
            (&json!("Zed"), &json!([10, 0, 0, 0])),
        ]);
        assert_eq!(map["resources"][1]["initials"], "ML");
        let by_role = site.owner.get(&site.at("resources/heatmap/?weeks=4&group_by=role")).await.expect(200);
        let groups: Vec<&Value> = by_role["resources"].as_array().unwrap().iter().map(|row| &row["group"]).collect();
        assert_eq!(groups, ["", "Lift", "Mason"]);
        site.owner.get(&site.at("resources/heatmap/?group_by=colour")).await.expect(400);
        site.owner.get(&site.at("resources/heatmap/?weeks=0")).await.expect(400);
        let sum = site.owner.get(&site.at("resources/summary/")).await.expect(200);
        assert_eq!((&sum["headcount"], &sum["contractor_count"]), (&json!(2), &json!(1)));
        assert_eq!((&sum["over_allocated_count"], &sum["over_allocated_weeks"]), (&json!(1), &json!(1)));
        assert_eq!(sum["under_utilized_names"], json!(["Mara Lind", "Zed"]));
    }

    async fn the_spans_of_a_project_are_filtered_and_windowed(app: &TestApp) {
        let site = Site::new(app).await;
        let (mara, zed) = (resource(&site, json!({"name": "Mara"})).await, resource(&site, json!({"name": "Zed"})).await);
        let (dig, pour) = (site.task("Dig", 2).await, site.task("Pour", 3).await);
        site.link(&dig, &pour).await;
        allocate(&site.owner, &dig, &mara, "0.5").await;
        allocate(&site.owner, &pour, &mara, "1").await;
        allocate(&site.owner, &pour, &zed, "1").await;
        let all = site.owner.get(&site.at("resource-allocation/")).await.expect(200);
        assert_eq!((&all["window_start"], &all["window_end"]), (&json!("2026-01-05"), &json!("2026-01-09")));
        assert_eq!(all["resources"][0]["tasks"][0]["units"], "0.50");
        assert_eq!(all["resources"][0]["tasks"][1]["scheduled_start"], "2026-01-07");
        let late = site.owner.get(&site.at("resource-allocation/?start=2026-01-07")).await.expect(200);
        assert_eq!(late["resources"][0]["tasks"].as_array().unwrap().len(), 1);
        let one = site.at(&format!("resource-allocation/?resource={zed}&resource={zed}"));
        assert_eq!(site.owner.get(&one).await.expect(200)["resources"].as_array().unwrap().len(), 1);
        let done = site.owner.get(&site.at("resource-allocation/?status=COMPLETE")).await.expect(200);
        assert_eq!(done["resources"], json!([]));
        for wrong in ["start=2026-01-09&end=2026-01-08", "start=soon", "status=DONE", "resource=x"] {
            site.owner.get(&site.at(&format!("resource-allocation/?{wrong}"))).await.expect(400);
        }
    }

    async fn contention_shows_the_spans_of_all_projects_of_a_program(app: &TestApp) {
        let owner = app.person("ona").await;
        let program = owner.post("/api/v1/programs/", json!({"name": "Line"})).await.expect(201).id();
        let contention = format!("/api/v1/programs/{program}/resource-contention/");
        owner.get(&contention).await.expect(409);
        let admin = app.admin().await;
        let mara = admin.post("/api/v1/resources/", json!({"name": "Mara", "email": "m@x.org"})).await.expect(201).id();
        for name in ["North", "South"] {
            let body = json!({"name": name, "start_date": "2026-01-05", "program": program});
            let project = owner.post("/api/v1/projects/", body).await.expect(201).id();
            let task = json!({"project": project, "name": format!("Dig {name}"), "duration": 2});
            let task = owner.post("/api/v1/tasks/", task).await.expect(201).id();
            allocate(&owner, &task, &mara, "1").await;
        }
        let page = owner.get(&contention).await.expect(200);
        let told: Vec<(&Value, &Value)> = page["resources"][0]["tasks"].as_array().unwrap().iter()
            .map(|task| (&task["project_name"], &task["early_finish"])).collect();
        assert_eq!(told, [(&json!("North"), &json!("2026-01-06")), (&json!("South"), &json!("2026-01-06"))]);
        assert_eq!(page["resources"][0]["email"], "m@x.org");
        owner.get(&format!("{contention}?start=2026-02-01&end=2026-01-01")).await.expect(400);
        owner.get(&format!("{contention}?start=2026-13-01")).await.expect(400);
        let (scheduler, member) = (app.person("sue").await, app.person("mia").await);
        let path = format!("/api/v1/programs/{program}/");
        owner.let_in(&path, &scheduler, planwright_domain::Role::ResourceManager).await;
        owner.let_in(&path, &member, planwright_domain::Role::Member).await;
        member.get(&contention).await.expect(403);
        app.person("zoe").await.get(&contention).await.expect(404);
        scheduler.get(&contention).await.expect(409);
    }

    async fn capacity_is_for_resource_managers_of_a_computed_plan(app: &TestApp) {
        let site = Site::new(app).await;
        let (member, scheduler, zoe) =
            (site.person("mia", 100).await, site.person("sue", 200).await, app.person("zoe").await);
        for page in ["utilization/", "resource-allocation/", "resources/heatmap/", "resources/summary/"] {
            scheduler.get(&site.at(page)).await.expect(409);
            member.get(&site.at(page)).await.expect(403);
            zoe.get(&site.at(page)).await.expect(404);
        }
        site.task("Dig", 1).await;
        for page in ["utilization/", "resource-allocation/", "resources/heatmap/", "resources/summary/"] {
            scheduler.get(&site.at(page)).await.expect(200);
        }
    }
}
