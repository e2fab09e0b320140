//! Slip conflicts through the HTTP interface: opened, worsened and resolved by recalculations, acknowledged by people.

use planwright_domain::Role;
use planwright_testkit::{Answer, Person, both_engines};
use serde_json::{Value, json};

use crate::crossing::Crossing;
use crate::served::NOWHERE;
use crate::site::project_path;
use crate::sprints::{sprint_path, two_weeks};

const ALL: &str = "/api/v1/slip-conflicts/";

fn one(id: &Value) -> String {
    format!("{ALL}{}/", id.as_str().expect("ids are texts"))
}

async fn acknowledge(person: &Person<'_>, id: &Value) -> Answer {
    person.post(&format!("{}acknowledge/", one(id)), json!({})).await
}

async fn lag(person: &Person<'_>, link: &Value, lag: i64) {
    let path = format!("/api/v1/dependencies/{}/", link.as_str().expect("ids are texts"));
    person.patch(&path, json!({"lag": lag})).await.expect(200);
}

/// The only conflict that the person sees.
async fn only(person: &Person<'_>) -> Value {
    let list = person.get(ALL).await.expect(200);
    assert_eq!(list["count"], 1, "{}", list.text);
    list.results()[0].clone()
}

/// The first fields that tell how a conflict stands.
fn standing(conflict: &Value) -> (&str, i64, bool, bool) {
    let text = |field: &str| conflict[field].as_str().unwrap_or_default();
    let open = conflict["is_open"].as_bool().expect("a truth value");
    assert_eq!(open, text("resolution") == "unresolved");
    assert_eq!(open, conflict["resolved_at"].is_null());
    let again = conflict["re_slip_count"].as_i64().expect("a number");
    (text("pushed_to"), again, open, !conflict["acknowledged_at"].is_null())
}

both_engines! {
    async fn a_link_from_another_project_that_breaks_a_sprint_opens_a_conflict(app: &TestApp) {
        let owner = app.person("ona").await;
        let plan = Crossing::of(app, &owner).await;
        assert_eq!(owner.get(ALL).await.expect(200)["count"], 0);
        app.run_jobs().await;
        let link = plan.link(&owner, "Cure", "Roof", json!({"lag": 10})).await.expect(201);
        assert_eq!(app.told("slip").await, [
            ("socket".to_owned(), "slip_conflicts_updated".to_owned(), plan.south.clone(), json!({})),
        ]);
        let conflict = only(&owner).await;
        assert_eq!(standing(&conflict), ("2026-01-21", 0, true, false));
        assert_eq!((&conflict["task"], &conflict["task_name"]), (plan.task("Roof"), &json!("Roof")));
        assert_eq!(conflict["task_hex_id"], *plan.field("Roof", "short_id"));
        assert_eq!((&conflict["sprint_name"], &conflict["sprint_finish_date"]), (&json!("First"), &json!("2026-01-16")));
        assert_eq!((&conflict["dependency"], &conflict["project_id"]), (&link["id"], &json!(plan.south)));
        assert_eq!((&conflict["upstream_task"]["title"], &conflict["upstream_task"]["project_name"]), (&json!("Cure"), &json!("North")));
        assert_eq!(owner.get(&one(&conflict["id"])).await.expect(200).json, conflict);
        owner.get(&one(&json!(NOWHERE))).await.expect(404);
    }

    async fn a_sprint_that_begins_opens_conflicts_and_one_that_ends_resolves_them(app: &TestApp) {
        let owner = app.person("ona").await;
        let plan = Crossing::of(app, &owner).await;
        let sprints = format!("{}sprints/", project_path(&plan.south));
        let first = owner.get(&sprints).await.expect(200).results()[0]["id"].as_str().unwrap().to_owned();
        let second = owner.post(&sprints, two_weeks("Second")).await.expect(201).id();
        let cancel = format!("{}cancel/", sprint_path(&first));
        owner.post(&cancel, json!({"carry_over_to": second})).await.expect(200);
        plan.link(&owner, "Cure", "Roof", json!({"lag": 10})).await.expect(201);
        assert_eq!(owner.get(ALL).await.expect(200)["count"], 0, "a planned sprint promises nothing");
        owner.post(&format!("{}activate/", sprint_path(&second)), json!({})).await.expect(200);
        let conflict = only(&owner).await;
        assert_eq!((&conflict["sprint_name"], standing(&conflict)), (&json!("Second"), ("2026-01-21", 0, true, false)));
        owner.post(&format!("{}close/", sprint_path(&second)), json!({"carry_over_to": "none"})).await.expect(202);
        assert_eq!(standing(&only(&owner).await), ("2026-01-21", 0, false, false));
    }

    async fn work_that_waits_for_a_decision_is_in_no_conflict(app: &TestApp) {
        let owner = app.person("ona").await;
        let plan = Crossing::of(app, &owner).await;
        let sprints = format!("{}sprints/", project_path(&plan.south));
        let running = owner.get(&sprints).await.expect(200).results()[0]["id"].as_str().unwrap().to_owned();
        let frame = format!("/api/v1/tasks/{}/", plan.task("Frame").as_str().unwrap());
        owner.patch(&frame, json!({"sprint": running})).await.expect(200);
        plan.link(&owner, "Cure", "Frame", json!({"lag": 10})).await.expect(201);
        assert_eq!(owner.get(ALL).await.expect(200)["count"], 0);
        owner.post(&format!("{}scope-changes/accept/", sprint_path(&running)), json!({})).await.expect(200);
        assert_eq!(only(&owner).await["task_name"], "Frame");
    }

    async fn a_delay_of_ones_own_is_no_conflict_and_one_through_others_is(app: &TestApp) {
        let owner = app.person("ona").await;
        let plan = Crossing::of(app, &owner).await;
        let own = plan.link(&owner, "Frame", "Roof", json!({"lag": 20})).await.expect(201);
        assert_eq!(owner.get(ALL).await.expect(200)["count"], 0);
        let up = app.person("up").await;
        owner.let_in(&project_path(&plan.north), &up, Role::ResourceManager).await;
        owner.let_in(&project_path(&plan.south), &up, Role::Member).await;
        let link = plan.link(&up, "Works", "Frame", json!({})).await.expect(201);
        assert_eq!(owner.get(ALL).await.expect(200)["count"], 0, "a link that waits pushes nothing");
        owner.post(&format!("/api/v1/dependencies/{}/accept/", link.id()), json!({})).await.expect(200);
        let conflict = only(&owner).await;
        assert_eq!((&conflict["dependency"], &conflict["upstream_task"]["title"]), (&link["id"], &json!("Works")));
        lag(&owner, &own["id"], 0).await;
        assert_eq!(standing(&only(&owner).await), ("2026-02-12", 0, false, false));
    }

    async fn an_imported_plan_brings_its_conflicts(app: &TestApp) {
        let owner = app.person("ona").await;
        let links = json!([{"predecessor": "north:2", "successor": "2", "dep_type": "FS", "lag": 10}]);
        let plan = Crossing::linked(app, &owner, links).await;
        assert_eq!(only(&owner).await["task"], *plan.task("Roof"));
        for (query, count) in [
            (format!("program={}", plan.program), 1),
            (format!("program={NOWHERE}"), 0),
            (format!("project={}", plan.south), 1),
            (format!("project={}", plan.north), 0),
            (format!("sprint={NOWHERE}"), 0),
            ("open=true".to_owned(), 1),
            ("page_size=1000".to_owned(), 1),
        ] {
            assert_eq!(owner.get(&format!("{ALL}?{query}")).await.expect(200)["count"], count, "{query}");
        }
        owner.get(&format!("{ALL}?sprint=first")).await.expect(400);
        owner.get(&format!("{ALL}?page=2")).await.expect(404);
    }

    async fn worse_after_it_was_acknowledged_asks_again_and_better_does_not(app: &TestApp) {
        let owner = app.person("ona").await;
        let plan = Crossing::of(app, &owner).await;
        let link = plan.link(&owner, "Cure", "Roof", json!({"lag": 10})).await.expect(201)["id"].clone();
        let id = only(&owner).await["id"].clone();
        lag(&owner, &link, 11).await;
        assert_eq!(standing(&only(&owner).await), ("2026-01-22", 0, true, false));
        app.run_jobs().await;
        let seen = acknowledge(&owner, &id).await.expect(200);
        assert_eq!((&seen["acknowledged_by"], &seen["acknowledged_by_name"]), (&json!(owner.id), &json!("ona")));
        assert_eq!(app.told("").await, [
            ("socket".to_owned(), "slip_conflict_acknowledged".to_owned(), plan.south.clone(), json!({"id": id})),
        ]);
        app.later(chrono::Duration::minutes(1));
        let again = acknowledge(&owner, &id).await.expect(200);
        assert_eq!(again["acknowledged_at"], seen["acknowledged_at"], "it was seen the first time");
        lag(&owner, &link, 9).await;
        assert_eq!(standing(&only(&owner).await), ("2026-01-20", 0, true, true));
        lag(&owner, &link, 12).await;
        assert_eq!(standing(&only(&owner).await), ("2026-01-23", 1, true, false));
        lag(&owner, &link, 0).await;
        assert_eq!(standing(&only(&owner).await), ("2026-01-23", 1, false, false));
        acknowledge(&owner, &id).await.expect(400);
        assert_eq!(owner.get(&format!("{ALL}?open=true")).await.expect(200)["count"], 0);
        lag(&owner, &link, 10).await;
        let back = only(&owner).await;
        assert_eq!((standing(&back), &back["id"]), (("2026-01-21", 2, true, false), &id));
        owner.delete(&format!("/api/v1/dependencies/{}/", link.as_str().unwrap())).await.expect(204);
        assert_eq!(standing(&only(&owner).await), ("2026-01-21", 2, false, false));
    }

    async fn who_leads_the_threatened_team_acknowledges_and_others_only_look(app: &TestApp) {
        let owner = app.person("ona").await;
        let plan = Crossing::of(app, &owner).await;
        plan.link(&owner, "Cure", "Roof", json!({"lag": 10})).await.expect(201);
        let id = only(&owner).await["id"].clone();
        let (member, viewer, upstream) = (app.person("mem").await, app.person("vic").await, app.person("ups").await);
        owner.let_in(&project_path(&plan.south), &member, Role::Member).await;
        owner.let_in(&project_path(&plan.south), &viewer, Role::Viewer).await;
        owner.let_in(&project_path(&plan.north), &upstream, Role::ProjectManager).await;
        for (person, status, refusal) in [(&member, 200, 403), (&viewer, 200, 403), (&upstream, 404, 404)] {
            person.get(&one(&id)).await.expect(status);
            acknowledge(person, &id).await.expect(refusal);
        }
        assert_eq!(upstream.get(ALL).await.expect(200)["count"], 0);
        let teams = owner.get(&format!("/api/v1/projects/{}/teams/", plan.south)).await.expect(200);
        let team = teams.results()[0]["id"].as_str().unwrap().to_owned();
        let people = owner.get(&format!("/api/v1/teams/{team}/members/")).await.expect(200);
        let row = people.results().iter().find(|row| row["user"] == json!(member.id)).expect("members are in the team");
        let seat = format!("/api/v1/teams/{team}/members/{}/", row["id"].as_str().unwrap());
        owner.patch(&seat, json!({"is_scrum_master": true})).await.expect(200);
        assert_eq!(acknowledge(&member, &id).await.expect(200)["acknowledged_by"], json!(member.id));
        let archive = format!("/api/v1/projects/{}/archive/", plan.south);
        owner.post(&archive, json!({})).await.expect(200);
        acknowledge(&owner, &id).await.expect(403);
        owner.get(&one(&id)).await.expect(200);
    }
}
