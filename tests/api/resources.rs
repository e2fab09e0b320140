//! The catalogue of resources and what they can do: who reads what of it, who changes it, what goes and comes back.

use planwright_domain::Role;
use planwright_testkit::{Person, TestApp, both_engines};
use serde_json::{Value, json};

use crate::site::{Site, task_path};

const RESOURCES: &str = "/api/v1/resources/";
const SKILLS: &str = "/api/v1/skills/";
const RESOURCE_SKILLS: &str = "/api/v1/resource-skills/";
const REQUIREMENTS: &str = "/api/v1/task-skill-requirements/";
const ALLOCATIONS: &str = "/api/v1/task-resources/";

/// Adds a resource; returns its id.
async fn add(person: &Person<'_>, body: Value) -> String {
    person.post(RESOURCES, body).await.expect(201).id()
}

fn path(id: &str) -> String {
    format!("{RESOURCES}{id}/")
}

/// The e-mail address of a person, as their profile has it.
async fn email_of(person: &Person<'_>) -> Value {
    person.get("/api/v1/auth/me/").await.expect(200)["email"].clone()
}

fn names(rows: &[Value]) -> Vec<&str> {
    rows.iter().filter_map(|row| row["name"].as_str()).collect()
}

both_engines! {
    async fn a_resource_is_added_changed_and_taken_out_of_the_catalogue(app: &TestApp) {
        let admin = app.admin().await;
        let calendar = admin.post("/api/v1/calendars/", json!({"name": "Six days"})).await.expect(201).id();
        let body = json!({"name": "Mara", "email": "mara@example.org", "job_role": "Mason", "kind": "contractor",
            "calendar": calendar, "max_units": "0.80"});
        let made = admin.post(RESOURCES, body).await.expect(201);
        assert_eq!(made["max_units"], "0.80");
        assert_eq!(made["kind"], "contractor");
        assert_eq!(made["skills"], json!([]));
        assert_eq!(made["is_me"], false);
        let one = path(&made.id());
        let changed = admin.patch(&one, json!({"job_role": "Foreman", "calendar": null})).await.expect(200);
        assert_eq!((&changed["job_role"], &changed["calendar"]), (&json!("Foreman"), &Value::Null));
        assert_eq!(changed.header("etag"), "\"v2\"");
        admin.with_header("if-match", "\"v1\"").patch(&one, json!({"name": "M"})).await.expect(412);
        admin.delete(&one).await.expect(204);
        admin.get(&one).await.expect(404);
        assert_eq!(admin.get(RESOURCES).await.expect(200)["count"], 0);
    }

    async fn the_email_key_is_there_for_who_manages_a_project_and_on_ones_own_row(app: &TestApp) {
        let (manager, mara, ona) = (app.person("manager").await, app.person("mara").await, app.person("ona").await);
        app.project(&manager, "Bridge").await;
        let own = email_of(&mara).await;
        let id = add(&manager, json!({"name": "Mara", "email": own})).await;
        let other = add(&manager, json!({"name": "Zed", "email": "zed@example.org"})).await;
        assert_eq!(manager.get(&path(&id)).await.expect(200)["email"], own);
        let me = mara.get(&path(&id)).await.expect(200);
        assert_eq!((&me["is_me"], &me["email"]), (&json!(true), &own));
        let foreign = mara.get(&path(&other)).await.expect(200);
        assert_eq!(foreign["is_me"], false);
        assert!(foreign.json.get("email").is_none(), "the key is left out: {}", foreign.text);
        let rows = ona.get(RESOURCES).await.expect(200);
        assert!(rows.results().iter().all(|row| row.get("email").is_none()), "{}", rows.text);
        assert_eq!(ona.get(&format!("{RESOURCES}?search=zed@")).await.expect(200)["count"], 0, "nor is it searched");
        assert_eq!(manager.get(&format!("{RESOURCES}?search=zed@")).await.expect(200)["count"], 1);
    }

    async fn a_linked_account_says_who_a_resource_is(app: &TestApp) {
        let (admin, mara, ona) = (app.admin().await, app.person("mara").await, app.person("ona").await);
        let mail = email_of(&ona).await;
        let id = add(&admin, json!({"name": "Mara", "email": mail, "user": mara.id.0})).await;
        assert_eq!(mara.get(&path(&id)).await.expect(200)["is_me"], true);
        assert_eq!(ona.get(&path(&id)).await.expect(200)["is_me"], false, "the account goes before the address");
        admin.patch(&path(&id), json!({"user": null})).await.expect(200);
        assert_eq!(ona.get(&path(&id)).await.expect(200)["is_me"], true);
        let refused = admin.patch(&path(&id), json!({"user": "0198aaaa-0000-7000-8000-000000000000"})).await;
        assert!(refused.expect(400)["user"].is_array());
    }

    async fn every_wrong_field_of_a_resource_is_named_at_once(app: &TestApp) {
        let admin = app.admin().await;
        let body = json!({"max_units": "100", "kind": "dog", "calendar": "x"});
        let refused = admin.post(RESOURCES, body).await.expect(400);
        for field in ["name", "max_units", "kind", "calendar"] {
            assert!(refused[field].is_array(), "{field}: {}", refused.text);
        }
        let body = json!({"name": "M", "email": "nowhere", "calendar": "0198aaaa-0000-7000-8000-000000000000"});
        let refused = admin.post(RESOURCES, body).await.expect(400);
        assert!(refused["email"].is_array() && refused["calendar"].is_array(), "{}", refused.text);
    }

    async fn only_who_manages_a_project_changes_the_catalogue(app: &TestApp) {
        let (manager, member) = (app.person("manager").await, app.person("member").await);
        let project = app.project(&manager, "Bridge").await;
        manager.let_in(&format!("/api/v1/projects/{project}/"), &member, Role::ResourceManager).await;
        let id = add(&manager, json!({"name": "Mara"})).await;
        member.get(&path(&id)).await.expect(200);
        member.post(RESOURCES, json!({"name": "Zed"})).await.expect(403);
        member.patch(&path(&id), json!({"name": "Zed"})).await.expect(403);
        member.delete(&path(&id)).await.expect(403);
        member.get(&format!("{}assignments/", path(&id))).await.expect(403);
        app.anonymous().get(RESOURCES).await.expect(401);
    }

    async fn a_resource_comes_back_with_its_skills_its_roster_and_its_allocations(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("Dig", 2).await;
        let id = add(&site.owner, json!({"name": "Mara"})).await;
        let skill = site.owner.post(SKILLS, json!({"name": "Digging"})).await.expect(201).id();
        site.owner.post(RESOURCE_SKILLS, json!({"resource": id, "skill": skill})).await.expect(201);
        site.owner.post(ALLOCATIONS, json!({"task": task, "resource": id})).await.expect(201);
        site.owner.post(&format!("{}restore/", path(&id)), json!({})).await.expect(400);
        site.hush().await;
        site.owner.delete(&path(&id)).await.expect(204);
        assert!(site.announced().await.iter().any(|(name, _)| name == "roster_changed"));
        assert_eq!(site.read(&task).await["assignments"], json!([]));
        let with_deleted = site.owner.get(&format!("{RESOURCES}?include_deleted=true")).await.expect(200);
        assert_eq!(with_deleted.results()[0]["is_deleted"], true);
        let kept = site.owner.get(&format!("{}assignments/", path(&id))).await.expect(200);
        assert_eq!(kept["count"], 1, "what a deactivated resource works on is still told");
        let back = site.owner.post(&format!("{}restore/", path(&id)), json!({})).await.expect(200);
        assert_eq!(back["skills"][0]["skill_name"], "Digging");
        assert_eq!(back["is_deleted"], false);
        assert_eq!(site.read(&task).await["assignments"][0]["resource_name"], "Mara");
        let roster = format!("/api/v1/project-resources/?project={}", site.project);
        assert_eq!(site.owner.get(&roster).await.expect(200)["count"], 1);
    }

    async fn those_who_see_no_deleted_resources_are_not_shown_them(app: &TestApp) {
        let (admin, mara) = (app.admin().await, app.person("mara").await);
        let id = add(&admin, json!({"name": "Zed"})).await;
        admin.delete(&path(&id)).await.expect(204);
        assert_eq!(mara.get(&format!("{RESOURCES}?include_deleted=true")).await.expect(200)["count"], 0);
        mara.post(&format!("{}restore/", path(&id)), json!({})).await.expect(403);
    }
}

both_engines! {
    async fn the_assignments_of_a_resource_stand_in_order_of_project_and_task(app: &TestApp) {
        let site = Site::new(app).await;
        let id = add(&site.owner, json!({"name": "Mara"})).await;
        let stranger = app.person("zoe").await;
        let other = app.project(&stranger, "Arch").await;
        let far = json!({"project": other.to_string(), "name": "Vault", "duration": 1});
        let far = stranger.post("/api/v1/tasks/", far).await.expect(201).id();
        stranger.post(ALLOCATIONS, json!({"task": far, "resource": id})).await.expect(201);
        let (pour, dig, gone) = (site.task("Pour", 1).await, site.task("Dig", 1).await, site.task("Gone", 1).await);
        for task in [&pour, &dig, &gone] {
            site.owner.post(ALLOCATIONS, json!({"task": task, "resource": id, "units": "0.25"})).await.expect(201);
        }
        site.change(&dig, json!({"planned_start": "2026-01-05", "status": "COMPLETE"})).await;
        site.owner.delete(&task_path(&gone)).await.expect(204);
        let list = site.owner.get(&format!("{}assignments/", path(&id))).await.expect(200);
        let told: Vec<String> = list.results().iter().map(|row| format!(
            "{} {} {} {}", row["project_name"].as_str().unwrap(), row["task_name"].as_str().unwrap(),
            row["status"].as_str().unwrap(), row["units"].as_str().unwrap()
        )).collect();
        assert_eq!(told, ["Arch Vault NOT_STARTED 1.00", "Bridge Dig COMPLETE 0.25", "Bridge Pour NOT_STARTED 0.25"]);
        site.owner.get(&format!("{RESOURCES}0198aaaa-0000-7000-8000-000000000000/assignments/")).await.expect(404);
    }

    async fn a_list_leaves_out_the_roster_of_a_project_of_ones_own(app: &TestApp) {
        let site = Site::new(app).await;
        let on = add(&site.owner, json!({"name": "Mara"})).await;
        add(&site.owner, json!({"name": "Zed"})).await;
        let entry = json!({"project": site.project, "resource": on});
        site.owner.post("/api/v1/project-resources/", entry).await.expect(201);
        let list = format!("{RESOURCES}?exclude_project={}", site.project);
        assert_eq!(names(site.owner.get(&list).await.expect(200).results()), ["Zed"]);
        let stranger = app.person("zoe").await;
        let all = stranger.get(&list).await.expect(200);
        assert_eq!(names(all.results()), ["Mara", "Zed"], "a foreign roster is not told");
    }

    async fn a_list_says_how_well_skills_fit_a_task(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("Weld", 1).await;
        let skill = site.owner.post(SKILLS, json!({"name": "Welding"})).await.expect(201).id();
        let asks = json!({"task": task, "skill": skill, "min_proficiency": 3});
        site.owner.post(REQUIREMENTS, asks).await.expect(201);
        for (name, proficiency) in [("Ada", Some(3)), ("Bea", Some(2)), ("Cy", None)] {
            let id = add(&site.owner, json!({"name": name})).await;
            if let Some(proficiency) = proficiency {
                let has = json!({"resource": id, "skill": skill, "proficiency": proficiency});
                site.owner.post(RESOURCE_SKILLS, has).await.expect(201);
            }
        }
        let list = site.owner.get(&format!("{RESOURCES}?task={task}")).await.expect(200);
        let fits: Vec<&Value> = list.results().iter().map(|row| &row["skill_fit"]).collect();
        assert_eq!(fits, ["exact", "partial", "missing"]);
        assert_eq!(list.results()[1]["missing_skills"][0]["required_label"], "Expert");
        assert_eq!(list.results()[1]["missing_skills"][0]["actual_label"], "Intermediate");
        assert_eq!(list.results()[2]["missing_skills"][0]["actual"], Value::Null);
        let stranger = app.person("zoe").await;
        stranger.get(&format!("{RESOURCES}?task={task}")).await.expect(400);
    }

    async fn a_skill_of_an_equal_name_is_answered_and_one_in_use_stays(app: &TestApp) {
        let admin = app.admin().await;
        let made = admin.post(SKILLS, json!({"name": "Site survey", "category": "Ground"})).await.expect(201);
        assert_eq!(made["normalized_name"], "site survey");
        let again = admin.post(SKILLS, json!({"name": " SITE  Survey "})).await.expect(201);
        assert_eq!((again.id(), &again["category"]), (made.id(), &json!("Ground")));
        let other = admin.post(SKILLS, json!({"name": "Other"})).await.expect(201).id();
        let taken = admin.patch(&format!("{SKILLS}{other}/"), json!({"name": "Site Survey"})).await.expect(400);
        assert!(taken["name"].is_array());
        let resource = add(&admin, json!({"name": "Mara"})).await;
        let has = json!({"resource": resource, "skill": made.id()});
        let has = admin.post(RESOURCE_SKILLS, has.clone()).await.expect(201);
        assert_eq!(has["proficiency"], 2);
        let refused = admin.delete(&format!("{SKILLS}{}/", made.id())).await.expect(409);
        assert_eq!(refused["code"], "skill_in_use");
        admin.patch(&format!("{RESOURCE_SKILLS}{}/", has.id()), json!({"skill": other})).await.expect(400);
        let better = admin.patch(&format!("{RESOURCE_SKILLS}{}/", has.id()), json!({"proficiency": 3})).await;
        assert_eq!(better.expect(200)["server_version"], 2);
        admin.delete(&format!("{RESOURCE_SKILLS}{}/", has.id())).await.expect(204);
        admin.delete(&format!("{SKILLS}{}/", made.id())).await.expect(204);
        admin.get(&format!("{SKILLS}{}/", made.id())).await.expect(404);
    }

    async fn what_a_task_asks_for_is_read_by_its_project_alone(app: &TestApp) {
        let site = Site::new(app).await;
        let (viewer, scheduler) = (site.person("vic", 1).await, site.person("sue", 200).await);
        let task = site.task("Weld", 1).await;
        let skill = scheduler.post(SKILLS, json!({"name": "Welding"})).await.expect(201).id();
        let body = json!({"task": task, "skill": skill});
        viewer.post(REQUIREMENTS, body.clone()).await.expect(403);
        let made = scheduler.post(REQUIREMENTS, body.clone()).await.expect(201);
        assert_eq!(made["min_proficiency"], 1);
        scheduler.post(REQUIREMENTS, body).await.expect(400);
        let one = format!("{REQUIREMENTS}{}/", made.id());
        assert_eq!(viewer.get(&one).await.expect(200)["skill_name"], "Welding");
        let stranger = app.person("zoe").await;
        stranger.get(&one).await.expect(404);
        assert_eq!(stranger.get(REQUIREMENTS).await.expect(200)["count"], 0);
        assert_eq!(viewer.get(&format!("{REQUIREMENTS}?task={task}")).await.expect(200)["count"], 1);
        scheduler.delete(&one).await.expect(204);
    }
}

/// The list of resources has a limit of its own.
#[tokio::test]
async fn the_list_of_resources_is_limited_to_sixty_a_minute() {
    let app = TestApp::start(planwright_testkit::Engine::Sqlite).await;
    let admin = app.admin().await;
    for _ in 0..60 {
        admin.get(RESOURCES).await.expect(200);
    }
    admin.get(RESOURCES).await.expect(429);
    admin.get(SKILLS).await.expect(200);
}
