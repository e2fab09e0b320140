//! What comes back fits the plan as it is by then: no circles, nothing where it cannot stand, everything told.
//! What a deletion takes is tested in `tasks_trash.rs`.

use planwright_domain::Role;
use planwright_testkit::{Person, both_engines};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::crossing::Crossing;
use crate::site::{LINKS, Site, check_outline, project_path, task_path};

/// Deletes a task.
async fn delete(site: &Site<'_>, id: &str) {
    site.owner.delete(&task_path(id)).await.expect(204);
}

/// Brings a task back.
async fn restore(site: &Site<'_>, id: &str) {
    site.owner.post(&format!("{}restore/", task_path(id)), json!({})).await.expect(200);
}

/// The links of the site, as names such as `A B`, sorted.
async fn links(site: &Site<'_>) -> Vec<String> {
    let tasks = site.tasks().await;
    let name =
        |id: &Value| tasks.iter().find(|task| task["id"] == *id).map(|task| task["name"].as_str().unwrap());
    let list = site.owner.get(&format!("{LINKS}?project={}", site.project)).await.expect(200);
    let pair = |link: &Value| {
        format!("{} {}", name(&link["predecessor"]).unwrap(), name(&link["successor"]).unwrap())
    };
    let mut pairs: Vec<String> = list.results().iter().map(pair).collect();
    pairs.sort();
    pairs
}

both_engines! {
    async fn links_that_would_close_a_circle_do_not_come_back(app: &TestApp) {
        let site = Site::new(app).await;
        let (a, b) = (site.task("A", 3).await, site.task("B", 2).await);
        let (gone, last) = (site.task("T", 1).await, site.task("Z", 1).await);
        site.link(&a, &gone).await;
        site.link(&gone, &b).await;
        site.link(&gone, &last).await;
        delete(&site, &gone).await;
        let back = site.link(&b, &a).await;
        restore(&site, &gone).await;
        assert_eq!(links(&site).await, ["B A", "T Z"], "those on the circle stay with their deletion");
        assert_eq!(site.window(&a).await, "2026-01-07 to 2026-01-09");
        assert_eq!(site.window(&last).await, "2026-01-06 to 2026-01-06");
        site.owner.delete(&format!("{LINKS}{back}/")).await.expect(204);
        delete(&site, &gone).await;
        restore(&site, &gone).await;
        assert_eq!(links(&site).await, ["A T", "T B", "T Z"], "nothing is in their way any more");
    }

    async fn nor_do_links_of_a_phase_that_its_rows_lead_back_to(app: &TestApp) {
        let site = Site::new(app).await;
        let (phase, after) = (site.task("P", 1).await, site.task("X", 2).await);
        let child = site.under(&phase, "C", 3).await;
        site.link(&phase, &after).await;
        delete(&site, &phase).await;
        site.link(&after, &child).await;
        restore(&site, &phase).await;
        assert_eq!(site.read(&child).await["parent_id"], json!(phase));
        assert_eq!(links(&site).await, ["X C"]);
        assert_eq!(site.window(&phase).await, "2026-01-07 to 2026-01-09");
        check_outline(&site.tasks().await);
    }
}

both_engines! {
    async fn a_row_comes_back_above_what_became_a_milestone_or_a_template(app: &TestApp) {
        let site = Site::new(app).await;
        let top = site.task("G", 1).await;
        let (gate, template) = (site.under(&top, "M", 1).await, site.under(&top, "R", 1).await);
        let (child, other) = (site.under(&gate, "C", 2).await, site.under(&template, "D", 2).await);
        delete(&site, &child).await;
        delete(&site, &other).await;
        site.change(&gate, json!({"is_milestone": true})).await;
        let rule = json!({"task": template, "frequency": "WEEKLY", "weekdays": 1});
        site.owner.post("/api/v1/recurrence-rules/", rule).await.expect(201);
        restore(&site, &child).await;
        restore(&site, &other).await;
        for row in [&child, &other] {
            assert_eq!(site.read(row).await["parent_id"], json!(top));
        }
        assert_eq!(site.read(&gate).await["is_summary"], false);
        assert_eq!(site.outline().await, ["1 G", "1.1 M", "1.2 C", "1.3 D", "1.4 R"]);
    }

    async fn a_drawer_subtask_comes_back_as_what_its_place_takes(app: &TestApp) {
        let site = Site::new(app).await;
        let drawer = async |parent: &str, name: &str| {
            site.create(json!({"name": name, "parent_id": parent, "is_subtask": true})).await.id()
        };
        let (phase, gone, kept) = (site.task("P", 1).await, site.task("Q", 1).await, site.task("R", 1).await);
        let rows = [drawer(&phase, "S").await, drawer(&gone, "T").await, drawer(&kept, "U").await];
        for row in &rows {
            delete(&site, row).await;
        }
        site.under(&phase, "A", 1).await;
        delete(&site, &gone).await;
        let mut found = Vec::new();
        for row in &rows {
            restore(&site, row).await;
            let row = site.read(row).await;
            found.push((row["parent_id"].clone(), row["is_subtask"] == true));
        }
        assert_eq!(found, [(json!(phase), false), (Value::Null, false), (json!(kept), true)]);
        check_outline(&site.tasks().await);
    }
}

both_engines! {
    async fn the_links_of_drawer_subtasks_move_other_projects_when_they_come_back(app: &TestApp) {
        let owner = app.person("ona").await;
        let mut plan = Crossing::of(app, &owner).await;
        let request = json!({"project": plan.north, "name": "Sieve", "duration": 4, "parent_id": plan.task("Cure"), "is_subtask": true});
        owner.post("/api/v1/tasks/", request).await.expect(201);
        plan.read_again(&owner).await;
        plan.link(&owner, "Sieve", "Roof", json!({})).await.expect(201);
        let cure = task_path(plan.task("Cure").as_str().unwrap());
        owner.delete(&cure).await.expect(204);
        plan.read_again(&owner).await;
        assert_eq!(plan.field("Roof", "early_start"), "2026-01-05");
        owner.post(&format!("{cure}restore/"), json!({})).await.expect(200);
        plan.read_again(&owner).await;
        assert_eq!(plan.field("Roof", "early_start"), "2026-01-09");
    }

    async fn a_deletion_computes_only_what_live_links_lead_to(app: &TestApp) {
        let owner = app.person("ona").await;
        let plan = Crossing::of(app, &owner).await;
        let up = app.person("up").await;
        owner.let_in(&project_path(&plan.north), &up, Role::ProjectManager).await;
        owner.let_in(&project_path(&plan.south), &up, Role::Viewer).await;
        let gone = plan.link(&owner, "Cure", "Roof", json!({})).await.expect(201);
        owner.delete(&format!("{LINKS}{}/", gone.id())).await.expect(204);
        plan.link(&up, "Cure", "Frame", json!({})).await.expect(201);
        app.run_jobs().await;
        let cure = task_path(plan.task("Cure").as_str().unwrap());
        owner.delete(&cure).await.expect(204);
        let places = async || -> Vec<String> {
            app.told("schedule.recalculated").await.into_iter().map(|(.., place, _)| place).collect()
        };
        assert_eq!(places().await, std::slice::from_ref(&plan.north));
        app.run_jobs().await;
        owner.post(&format!("{cure}restore/"), json!({})).await.expect(200);
        assert_eq!(places().await, std::slice::from_ref(&plan.north), "what waits to be accepted moves nothing");
        let waiting = owner.get(&format!("{LINKS}?pending_for_project={}", plan.south)).await.expect(200);
        assert_eq!(waiting["count"], 1);
    }
}

/// What the history of a project says of rows of a kind, newest first: a sign for what happened, and the version after it.
async fn past(owner: &Person<'_>, project: &str, entity: &str) -> Vec<String> {
    let path = format!("/api/v1/projects/{project}/history/?entity={entity}&page_size=100");
    let page = owner.get(&path).await.expect(200);
    let row = |row: &Value| format!("{}{}", row["history_type"].as_str().unwrap(), row["version"]);
    page["results"].as_array().unwrap().iter().map(row).collect()
}

both_engines! {
    async fn links_that_come_back_are_told_to_both_projects_and_noted(app: &TestApp) {
        let owner = app.person("ona").await;
        let plan = Crossing::of(app, &owner).await;
        let made = plan.link(&owner, "Cure", "Roof", json!({"lag": 2})).await.expect(201);
        let cure = task_path(plan.task("Cure").as_str().unwrap());
        app.later(chrono::Duration::seconds(1));
        owner.delete(&cure).await.expect(204);
        app.run_jobs().await;
        app.later(chrono::Duration::seconds(1));
        owner.post(&format!("{cure}restore/"), json!({})).await.expect(200);
        let hook = json!({"id": made["id"], "predecessor": made["predecessor"], "successor": made["successor"], "dep_type": "FS", "lag": 2});
        let event = |channel: &str, name: &str, project: &str, payload: &Value| {
            (channel.to_owned(), name.to_owned(), project.to_owned(), payload.clone())
        };
        let id = json!({"id": made["id"]});
        assert_eq!(app.told("dependency").await, [
            event("webhook", "dependency.created", &plan.south, &hook),
            event("socket", "dependency_created", &plan.south, &id),
            event("webhook", "dependency.created", &plan.north, &hook),
            event("socket", "dependency_created", &plan.north, &id),
        ]);
        assert_eq!(past(&owner, &plan.south, "dependency").await, ["+3", "-2", "+1"]);
        assert_eq!(owner.get(&format!("{LINKS}{}/", made.id())).await.expect(200)["server_version"], 3);
    }

    async fn relations_go_and_come_with_their_tasks_and_it_is_told(app: &TestApp) {
        let owner = app.person("ona").await;
        let plan = Crossing::of(app, &owner).await;
        let relate = async |from: &str, to: &str| {
            let request = json!({"source": plan.task(from), "target": plan.task(to)});
            owner.post("/api/v1/task-relations/", request).await.expect(201)
        };
        let (across, within) = (relate("Cure", "Roof").await, relate("Dig", "Cure").await);
        app.run_jobs().await;
        let path = |name: &str| task_path(plan.task(name).as_str().unwrap());
        let places = async |name: &str| -> Vec<(String, Value)> {
            app.told(name).await.into_iter().map(|(.., place, what)| (place, what["id"].clone())).collect()
        };
        let (north, south) = (plan.north.clone(), plan.south.clone());
        let everyone = [(north.clone(), across["id"].clone()), (south.clone(), across["id"].clone()), (north.clone(), within["id"].clone())];
        let of_across = everyone[..2].to_vec();
        app.later(chrono::Duration::seconds(1));
        owner.delete(&path("Cure")).await.expect(204);
        assert_eq!(places("task_relation_deleted").await, everyone);
        owner.delete(&path("Roof")).await.expect(204);
        app.run_jobs().await;
        app.later(chrono::Duration::seconds(1));
        owner.post(&format!("{}restore/", path("Cure")), json!({})).await.expect(200);
        assert_eq!(places("task_relation").await, everyone[2..], "the other one waits for its target");
        app.run_jobs().await;
        owner.post(&format!("{}restore/", path("Roof")), json!({})).await.expect(200);
        assert_eq!(places("task_relation_created").await, of_across);
        let shown = owner.get(&format!("/api/v1/task-relations/{}/", across.id())).await.expect(200);
        assert_eq!(shown["server_version"], 3);
        let mut noted = past(&owner, &north, "task_relation").await;
        noted.sort();
        assert_eq!(noted, ["+1", "+1", "+3", "+3", "-2", "-2"]);
    }
}

both_engines! {
    async fn rows_that_go_back_below_a_restored_one_are_noted(app: &TestApp) {
        let site = Site::new(app).await;
        let top = site.task("G", 1).await;
        let phase = site.under(&top, "P", 1).await;
        let child = site.under(&phase, "A", 2).await;
        for step in 0..2 {
            app.later(chrono::Duration::seconds(1));
            match step {
                0 => delete(&site, &phase).await,
                _ => restore(&site, &phase).await,
            }
        }
        assert_eq!(site.read(&child).await["server_version"], 3);
        let path = site.at(&format!("tasks/{child}/history/"));
        let page = site.owner.get(&path).await.expect(200);
        let steps: Vec<(i64, Value)> = page["results"].as_array().unwrap().iter().take(2)
            .map(|row| (row["version"].as_i64().unwrap(), json!([row["diff"][0]["old"], row["diff"][0]["new"]]))).collect();
        assert_eq!(steps, [(3, json!([top, phase])), (2, json!([phase, top]))], "{}", page.text);
    }
}

both_engines! {
    async fn subtasks_that_took_a_place_go_back_into_the_drawer_unless_rows_stand_below_them(app: &TestApp) {
        let site = Site::new(app).await;
        let task = app.clock.mint::<Uuid>().to_string();
        let made = site.bulk(json!({"operations": [{"op": "create", "id": task, "data": {"name": "T"}}]})).await;
        let drawer = async |name: &str| {
            site.create(json!({"name": name, "parent_id": task, "is_subtask": true})).await.id()
        };
        let (one, two) = (drawer("S").await, drawer("U").await);
        let operation = made["operation_id"].as_str().unwrap();
        site.owner.post(&format!("/api/v1/paste-many-operations/{operation}/undo/"), json!({})).await.expect(200);
        let shown = async |id: &str| {
            let row = site.read(id).await;
            (row["parent_id"].clone(), row["is_subtask"] == true)
        };
        assert_eq!((shown(&one).await, shown(&two).await), ((Value::Null, false), (Value::Null, false)));
        site.under(&two, "X", 1).await;
        restore(&site, &task).await;
        assert_eq!((shown(&one).await, shown(&two).await), ((json!(task), true), (json!(task), false)));
        check_outline(&site.tasks().await);
    }
}

both_engines! {
    async fn a_project_comes_back_without_the_links_that_would_close_a_circle(app: &TestApp) {
        let owner = app.person("ona").await;
        let mut plan = Crossing::of(app, &owner).await;
        for (from, to) in [("Cure", "Frame"), ("Roof", "Cure"), ("Dig", "Roof"), ("Dig", "Pour")] {
            plan.link(&owner, from, to, json!({})).await.expect(201);
        }
        let north = format!("/api/v1/projects/{}/", plan.north);
        owner.delete(&north).await.expect(204);
        plan.link(&owner, "Frame", "Roof", json!({})).await.expect(201);
        owner.post(&format!("{north}restore/"), json!({})).await.expect(200);
        let list = owner.get(&format!("{LINKS}?page_size=500")).await.expect(200);
        let ends = |link: &Value| (link["predecessor"].clone(), link["successor"].clone());
        let mut found: Vec<_> = list.results().iter().map(ends).collect();
        let mut wanted: Vec<_> = [("Frame", "Roof"), ("Dig", "Roof"), ("Dig", "Pour")]
            .map(|(from, to)| (plan.task(from).clone(), plan.task(to).clone())).to_vec();
        found.sort_by_key(|(from, to)| format!("{from} {to}"));
        wanted.sort_by_key(|(from, to)| format!("{from} {to}"));
        assert_eq!(found, wanted);
        plan.read_again(&owner).await;
        assert_eq!((plan.field("Roof", "early_start"), plan.field("Cure", "early_start")), (&json!("2026-01-09"), &json!("2026-01-05")));
    }

    async fn the_neighbours_of_a_project_notice_that_it_goes_and_comes_back(app: &TestApp) {
        let owner = app.person("ona").await;
        let mut plan = Crossing::of(app, &owner).await;
        let into = plan.link(&owner, "Cure", "Roof", json!({"lag": 3})).await.expect(201);
        let out = plan.link(&owner, "Frame", "Pour", json!({})).await.expect(201);
        app.run_jobs().await;
        let heard = async |name: &str| -> Vec<Value> {
            let events = app.told(name).await.into_iter().filter(|(_, _, place, _)| *place == plan.south);
            let mut ids: Vec<Value> = events.map(|(.., what)| what["id"].clone()).collect();
            ids.sort_by_key(|id| *id != into["id"]);
            ids
        };
        let both = [into["id"].clone(), out["id"].clone()];
        let north = format!("/api/v1/projects/{}/", plan.north);
        app.later(chrono::Duration::seconds(1));
        owner.delete(&north).await.expect(204);
        assert_eq!((heard("dependency.deleted").await, heard("dependency_deleted").await), (both.to_vec(), both.to_vec()));
        assert_eq!(heard("schedule.recalculated").await.len(), 1);
        let roof = task_path(plan.task("Roof").as_str().unwrap());
        assert_eq!(owner.get(&roof).await.expect(200)["early_start"], "2026-01-05");
        assert_eq!(past(&owner, &plan.south, "dependency").await, ["-2", "+1"], "those that lead into it");
        app.run_jobs().await;
        app.later(chrono::Duration::seconds(1));
        owner.post(&format!("{north}restore/"), json!({})).await.expect(200);
        assert_eq!((heard("dependency.created").await, heard("dependency_created").await), (both.to_vec(), both.to_vec()));
        assert_eq!(past(&owner, &plan.south, "dependency").await, ["+3", "-2", "+1"]);
        assert_eq!(owner.get(&format!("{LINKS}{}/", into.id())).await.expect(200)["server_version"], 3);
        plan.read_again(&owner).await;
        assert_eq!(plan.field("Roof", "early_start"), "2026-01-09");
        assert_eq!(plan.field("Pour", "early_start"), "2026-01-09");
    }
}
