//! Templates through the HTTP interface: published, previewed, found in the gallery, applied and taken back.

use planwright_testkit::both_engines;
use serde_json::{Value, json};

use crate::site::{Site, text};

const TEMPLATES: &str = "/api/v1/project-templates/";
const PUBLISH: &str = "/api/v1/project-templates/publish/";
const APPLICATIONS: &str = "/api/v1/template-applications/";

/// A phase with two linked tasks and a milestone behind it.
async fn plan(site: &Site<'_>) {
    let phase = site.task("Ground", 1).await;
    let dig = site.under(&phase, "Dig", 3).await;
    let pour = site.under(&phase, "Pour", 2).await;
    site.link(&dig, &pour).await;
    let ready = site.create(json!({"name": "Ready", "is_milestone": true})).await.id();
    site.link(&phase, &ready).await;
    site.change(
        &dig,
        json!({"percent_complete": 50, "actual_start": "2026-01-05", "notes": "Mind the pipes"}),
    )
    .await;
}

both_engines! {
    async fn a_project_becomes_a_template_and_the_template_becomes_rows_again(app: &TestApp) {
        let site = Site::new(app).await;
        plan(&site).await;
        let preview = site.owner.get(&format!("{TEMPLATES}publish-preview/?project={}", site.project)).await.expect(200);
        assert_eq!((&preview["task_count"], &preview["phase_count"], &preview["dependency_count"]), (&json!(4), &json!(1), &json!(2)));
        let asked = json!({"project": site.project, "name": "Small house", "description": "With a cellar"});
        let template = site.owner.post(PUBLISH, asked.clone()).await.expect(201);
        assert_eq!((text(&template["provenance"]), &template["version"], &template["task_count"]), ("Yours", &json!(1), &json!(4)));
        assert_eq!(text(&template["source_project"]), site.project);
        assert!(template["structure"].is_null(), "the structure is never shown");

        let other = app.project(&site.owner, "House two").await.to_string();
        let path = format!("{TEMPLATES}{}/apply/", template.id());
        let queued = site.owner.post(&path, json!({"project": other})).await.expect(202);
        let application = format!("{APPLICATIONS}{}/", text(&queued["application"]));
        assert_eq!(text(&site.owner.get(&application).await.expect(200)["status"]), "pending");
        app.run_jobs().await;
        let done = site.owner.get(&application).await.expect(200);
        assert_eq!(text(&done["status"]), "success", "{}", done.text);
        assert_eq!(done["result_summary"], json!({"tasks_created": 4, "milestones_created": 1, "dependencies_created": 2}));
        let tasks = site.owner.get(&format!("/api/v1/tasks/?project={other}")).await.expect(200).results().clone();
        let shown: Vec<_> = tasks.iter().map(|task| format!("{} {}", text(&task["wbs_path"]), text(&task["name"]))).collect();
        assert_eq!(shown, ["1 Ground", "1.1 Dig", "1.2 Pour", "2 Ready"]);
        let dig = &tasks[1];
        assert_eq!((&dig["percent_complete"], &dig["actual_start"], text(&dig["notes"])), (&json!(0.0), &Value::Null, "Mind the pipes"));
        assert_eq!((text(&dig["source_kind"]), text(&dig["source_id"]), text(&dig["source_version"])), ("template", template.id().as_str(), "1"));
        let shown = site.owner.get(&format!("{TEMPLATES}{}/", template.id())).await.expect(200);
        assert_eq!(shown["usage_count"], 1);

        site.owner.patch(&format!("/api/v1/tasks/{}/", text(&dig["id"])), json!({"name": "Dig deep"})).await.expect(200);
        let undone = site.owner.post(&format!("{application}undo/"), json!({})).await.expect(200);
        assert_eq!((text(&undone["status"]), &undone["undo"]), ("undone", &json!({"deleted": 3, "kept": 1})));
        site.owner.post(&format!("{application}undo/"), json!({})).await.expect(400);
    }

    async fn a_name_is_taken_unless_it_is_the_next_version(app: &TestApp) {
        let site = Site::new(app).await;
        plan(&site).await;
        let mut asked = json!({"project": site.project, "name": "Small house"});
        let first = site.owner.post(PUBLISH, asked.clone()).await.expect(201);
        asked["name"] = json!("small HOUSE");
        let taken = site.owner.post(PUBLISH, asked.clone()).await.expect(409);
        assert_eq!((text(&taken["code"]), text(&taken["template"]), &taken["next_version"]), ("name_taken", first.id().as_str(), &json!(2)));
        asked["new_version"] = json!(true);
        let second = site.owner.post(PUBLISH, asked.clone()).await.expect(201);
        assert_eq!((&second["version"], text(&second["supersedes"])), (&json!(2), first.id().as_str()));
        let first = site.owner.get(&format!("{TEMPLATES}{}/", first.id())).await.expect(200);
        assert_eq!(first["is_superseded"], true);
        let empty = app.project(&site.owner, "Empty").await.to_string();
        let refused = site.owner.post(PUBLISH, json!({"project": empty, "name": "Nothing"})).await.expect(400);
        assert!(refused["project"].is_array(), "{}", refused.text);
        let refused = site.owner.post(PUBLISH, json!({"project": site.project, "name": " ", "source_kind": "community"})).await;
        assert!(refused.expect(400)["name"].is_array());
    }

    async fn the_gallery_shows_each_person_what_is_for_them(app: &TestApp) {
        let site = Site::new(app).await;
        plan(&site).await;
        app.run_jobs().await;
        let (manager, outsider) = (site.person("pia", 300).await, app.person("otto").await);
        let publish = |name: &str, kind: &str| json!({"project": site.project, "name": name, "source_kind": kind});
        site.owner.post(PUBLISH, publish("For all", "workspace")).await.expect(201);
        let own = manager.post(PUBLISH, publish("Mine", "personal")).await.expect(201).id();
        let names = |answer: &planwright_testkit::Answer| -> Vec<String> {
            answer.results().iter().map(|row| text(&row["name"]).to_owned()).collect()
        };
        let seen = outsider.get(TEMPLATES).await.expect(200);
        assert_eq!(names(&seen), ["For all", "Event", "Small building", "Software release"], "community comes last");
        assert_eq!((text(&seen.results()[0]["provenance"]), &seen.results()[0]["source_project"]), ("workspace", &Value::Null));
        assert_eq!(text(&seen.results()[1]["provenance"]), "community");
        assert_eq!(names(&manager.get(TEMPLATES).await.expect(200))[..2], ["For all", "Mine"]);
        outsider.get(&format!("{TEMPLATES}{own}/")).await.expect(404);
        let found = outsider.get(&format!("{TEMPLATES}?search=BUILD")).await.expect(200);
        assert_eq!(names(&found), ["Small building"]);
        // A community template can be used at once.
        let mine = app.project(&outsider, "Fair").await.to_string();
        let event = text(&seen.results()[1]["id"]).to_owned();
        outsider.post(&format!("{TEMPLATES}{event}/apply/"), json!({"project": mine})).await.expect(202);
        outsider.post(&format!("{TEMPLATES}{event}/apply/"), json!({"project": site.project})).await.expect(404);
        outsider.post(&format!("{TEMPLATES}{own}/apply/"), json!({"project": mine})).await.expect(404);
        app.run_jobs().await;
        let applied = outsider.get(&format!("{APPLICATIONS}?project={mine}")).await.expect(200);
        assert_eq!((applied.results().len(), text(&applied.results()[0]["status"])), (1, "success"));
        assert_eq!(applied.results()[0]["result_summary"]["dependencies_created"], 11);
        assert!(manager.get(APPLICATIONS).await.expect(200).results().is_empty(), "applications of others are not seen");
    }

    async fn whoever_may_not_see_a_program_hears_nothing_of_the_names_in_it(app: &TestApp) {
        let site = Site::new(app).await;
        plan(&site).await;
        let program = site.owner.post("/api/v1/programs/", json!({"name": "Mills"})).await.expect(201).id();
        site.owner.patch(&site.at(""), json!({"program": program})).await.expect(200);
        let asked = |name: &str| json!({"project": site.project, "program": program, "name": name});
        let house = site.owner.post(PUBLISH, asked("House")).await.expect(201).id();
        site.owner.post(&format!("{TEMPLATES}{house}/apply/"), json!({"project": site.project})).await.expect(202);
        let manager = site.person("pia", 300).await;
        let names = async |actor: &planwright_testkit::Person<'_>| {
            let used = actor.get(&format!("{APPLICATIONS}?project={}", site.project)).await.expect(200);
            used.results().iter().map(|row| text(&row["template_name"]).to_owned()).collect::<Vec<_>>()
        };
        assert_eq!([names(&site.owner).await, names(&manager).await], [["House"], [""]]);
        manager.get(&format!("/api/v1/programs/{program}/")).await.expect(404);
        let [taken, free] = [manager.post(PUBLISH, asked("House")).await.expect(404), manager.post(PUBLISH, asked("Barn")).await.expect(404)];
        assert_eq!(taken.json, free.json);
    }

    async fn only_those_who_manage_the_plan_use_templates(app: &TestApp) {
        let site = Site::new(app).await;
        plan(&site).await;
        let template = site.owner.post(PUBLISH, json!({"project": site.project, "name": "House"})).await.expect(201).id();
        for (name, role, status) in [("vera", 1, 403), ("mara", 100, 403), ("rosa", 200, 403)] {
            let person = site.person(name, role).await;
            person.post(PUBLISH, json!({"project": site.project, "name": name})).await.expect(status);
            person.post(&format!("{TEMPLATES}{template}/apply/"), json!({"project": site.project})).await.expect(status);
            person.get(&format!("{TEMPLATES}publish-preview/?project={}", site.project)).await.expect(status);
        }
    }
}
