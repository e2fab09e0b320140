//! Relations through the HTTP interface: cross-references that move nothing.

use planwright_domain::Role;
use planwright_testkit::{Answer, Person, both_engines};
use serde_json::{Value, json};

use crate::crossing::Crossing;
use crate::served::NOWHERE;
use crate::site::project_path;

const ALL: &str = "/api/v1/task-relations/";

fn one(id: &str) -> String {
    format!("{ALL}{id}/")
}

async fn relate(plan: &Crossing, person: &Person<'_>, from: &str, to: &str, kind: &str) -> Answer {
    let request = json!({"source": plan.task(from), "target": plan.task(to), "relation_type": kind});
    person.post(ALL, request).await
}

/// The sources and targets of a list, by name.
async fn pairs(plan: &Crossing, person: &Person<'_>, query: &str) -> Vec<(&'static str, &'static str)> {
    let list = person.get(&format!("{ALL}?{query}")).await.expect(200);
    let name = |id: &Value| {
        let mut names = ["Works", "Dig", "Pour", "Cure", "Frame", "Roof"].into_iter();
        names.find(|name| plan.task(name) == id).expect("it is a task of the plan")
    };
    let rows = list.json.as_array().expect("the list is a bare array");
    rows.iter().map(|row| (name(&row["source"]), name(&row["target"]))).collect()
}

both_engines! {
    async fn a_relation_is_made_noted_and_deleted(app: &TestApp) {
        let owner = app.person("ona").await;
        let plan = Crossing::of(app, &owner).await;
        app.run_jobs().await;
        let request = json!({"source": plan.task("Dig"), "target": plan.task("Cure"), "note": "Same crew"});
        let made = owner.post(ALL, request).await.expect(201);
        assert_eq!((&made["relation_type"], &made["note"]), (&json!("relates_to"), &json!("Same crew")));
        assert_eq!((&made["created_by"], &made["source_card"]), (&json!(owner.id), &Value::Null));
        let path = one(&made.id());
        let event = |name: &str| ("socket".to_owned(), name.to_owned(), plan.north.clone(), json!({"id": made["id"]}));
        assert_eq!(app.told("").await, [event("task_relation_created")], "nothing is computed");
        assert_eq!(owner.patch(&path, json!({"note": "Another crew"})).await.expect(200)["note"], "Another crew");
        owner.with_header("if-match", "\"v1\"").patch(&path, json!({"note": "Late"})).await.expect(412);
        let long = "x".repeat(281);
        assert!(owner.patch(&path, json!({"note": long})).await.expect(400)["note"].is_array());
        let fixed = owner.patch(&path, json!({"target": plan.task("Pour"), "relation_type": "blocks"})).await.expect(400);
        assert!(fixed["target"].is_array() && fixed["relation_type"].is_array(), "{}", fixed.text);
        assert!(owner.put(&path, json!({"note": "x"})).await.expect(400)["source"].is_array());
        let whole = json!({"source": plan.task("Dig"), "target": plan.task("Cure"), "relation_type": "relates_to", "note": ""});
        assert_eq!(owner.put(&path, whole).await.expect(200)["note"], "");
        owner.delete(&path).await.expect(204);
        owner.get(&path).await.expect(404);
        let names: Vec<String> = app.told("task_relation").await.into_iter().map(|(_, name, ..)| name).collect();
        assert_eq!(names, [
            "task_relation_created", "task_relation_updated", "task_relation_updated", "task_relation_deleted",
        ]);
        relate(&plan, &owner, "Dig", "Cure", "relates_to").await.expect(201);
    }

    async fn a_relation_is_told_once_and_belonging_together_is_the_same_from_either_side(app: &TestApp) {
        let owner = app.person("ona").await;
        let plan = Crossing::of(app, &owner).await;
        relate(&plan, &owner, "Dig", "Cure", "relates_to").await.expect(201);
        for (from, to) in [("Dig", "Cure"), ("Cure", "Dig")] {
            let refused = relate(&plan, &owner, from, to, "relates_to").await.expect(400);
            assert_eq!((&refused["detail"], &refused["code"]), (&json!("duplicate_relation"), &json!("duplicate_relation")));
        }
        relate(&plan, &owner, "Dig", "Cure", "blocks").await.expect(201);
        relate(&plan, &owner, "Cure", "Dig", "blocks").await.expect(201);
        relate(&plan, &owner, "Dig", "Cure", "blocks").await.expect(400);
        assert!(relate(&plan, &owner, "Dig", "Dig", "blocks").await.expect(400)["target"].is_array());
        assert!(relate(&plan, &owner, "Dig", "Cure", "loves").await.expect(400)["relation_type"].is_array());
        let unknown = json!({"source": plan.task("Dig"), "target": NOWHERE});
        assert!(owner.post(ALL, unknown).await.expect(400)["target"].is_array());
    }

    async fn a_relation_across_projects_shows_cards_and_is_told_to_both(app: &TestApp) {
        let owner = app.person("ona").await;
        let plan = Crossing::of(app, &owner).await;
        app.run_jobs().await;
        let made = relate(&plan, &owner, "Dig", "Roof", "blocks").await.expect(201);
        assert_eq!((&made["source_card"]["title"], &made["target_card"]["title"]), (&json!("Dig"), &json!("Roof")));
        let places: Vec<String> = app.told("task_relation").await.into_iter().map(|(.., place, _)| place).collect();
        assert_eq!(places, [plan.north.clone(), plan.south.clone()]);
        let other = Crossing::of(app, &owner).await;
        let across = json!({"source": plan.task("Dig"), "target": other.task("Roof")});
        let refused = owner.post(ALL, across).await.expect(400);
        assert_eq!((&refused["detail"], &refused["code"]), (&json!("cross_program_relation"), &json!("cross_program_relation")));
    }

    async fn whoever_may_edit_the_source_relates_it_and_members_of_either_side_see_it(app: &TestApp) {
        let owner = app.person("ona").await;
        let plan = Crossing::of(app, &owner).await;
        let (north, south, scheduler) = (app.person("nor").await, app.person("sou").await, app.person("sch").await);
        owner.let_in(&project_path(&plan.north), &north, Role::Member).await;
        owner.let_in(&project_path(&plan.south), &south, Role::ProjectManager).await;
        owner.let_in(&project_path(&plan.north), &scheduler, Role::ResourceManager).await;
        let stranger = app.person("sue").await;
        let made = relate(&plan, &owner, "Dig", "Roof", "blocks").await.expect(201);
        relate(&plan, &north, "Dig", "Pour", "blocks").await.expect(403);
        relate(&plan, &scheduler, "Dig", "Pour", "blocks").await.expect(403);
        relate(&plan, &stranger, "Dig", "Pour", "blocks").await.expect(404);
        assert!(relate(&plan, &south, "Roof", "Dig", "blocks").await.expect(400)["target"].is_array());
        for person in [&north, &south, &scheduler] {
            person.get(&one(&made.id())).await.expect(200);
            person.patch(&one(&made.id()), json!({"note": "Mine"})).await.expect(403);
            person.delete(&one(&made.id())).await.expect(403);
        }
        stranger.get(&one(&made.id())).await.expect(404);
        stranger.patch(&one(&made.id()), json!({"note": "Mine"})).await.expect(404);
        assert!(pairs(&plan, &stranger, "").await.is_empty());
        owner.let_in(&project_path(&plan.north), &south, Role::Viewer).await;
        let back = relate(&plan, &south, "Roof", "Dig", "relates_to").await.expect(201);
        south.patch(&one(&back.id()), json!({"note": "Mine"})).await.expect(200);
        let archive = format!("/api/v1/projects/{}/archive/", plan.south);
        owner.post(&archive, json!({})).await.expect(200);
        south.patch(&one(&back.id()), json!({"note": "Theirs"})).await.expect(403);
        relate(&plan, &owner, "Cure", "Roof", "blocks").await.expect(403);
    }

    async fn relations_are_listed_oldest_first_and_filtered(app: &TestApp) {
        let owner = app.person("ona").await;
        let plan = Crossing::of(app, &owner).await;
        for (from, to, kind) in [("Pour", "Dig", "blocks"), ("Dig", "Roof", "blocks"), ("Roof", "Frame", "duplicates")] {
            relate(&plan, &owner, from, to, kind).await.expect(201);
            app.later(chrono::Duration::seconds(1));
        }
        assert_eq!(pairs(&plan, &owner, "").await, [("Pour", "Dig"), ("Dig", "Roof"), ("Roof", "Frame")]);
        let of_dig = format!("task={}", plan.task("Dig").as_str().unwrap());
        assert_eq!(pairs(&plan, &owner, &of_dig).await, [("Pour", "Dig"), ("Dig", "Roof")]);
        assert_eq!(pairs(&plan, &owner, &format!("project={}", plan.south)).await, [("Roof", "Frame")]);
        assert_eq!(pairs(&plan, &owner, "relation_type=blocks").await, [("Pour", "Dig"), ("Dig", "Roof")]);
        owner.get(&format!("{ALL}?task=no-uuid")).await.expect(400);
    }
}
