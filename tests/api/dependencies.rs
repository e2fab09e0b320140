//! Links through the HTTP interface: written, read, refused, accepted and rejected across projects, and what they do to dates.

use planwright_domain::Role;
use planwright_domain::ids::TaskId;
use planwright_domain::words::DependencyType;
use planwright_plan::dependencies::commands;
use planwright_plan::dependencies::model::NewLink;
use planwright_plan::schedule::PlanLock;
use planwright_store::sql;
use planwright_testkit::{Person, both_engines};
use serde_json::{Value, json};

use crate::bridges::Bridges;
use crate::crossing::Crossing;
use crate::served::NOWHERE;
use crate::site::project_path;

const ALL: &str = "/api/v1/dependencies/";

fn one(id: &str) -> String {
    format!("{ALL}{id}/")
}

/// The names on the cycle of a refusal.
fn names(refused: &Value) -> Vec<&str> {
    let steps = refused["cycle"].as_array().expect("the refusal names its cycle");
    steps.iter().map(|step| step["name"].as_str().expect("a step has a name")).collect()
}

async fn kinds(app: &planwright_testkit::TestApp) -> Vec<String> {
    let select = "SELECT kind FROM history WHERE entity = 'dependency' ORDER BY at, id";
    app.app.db.scalars(sql!(select)).await.expect("the history can be read")
}

both_engines! {
    async fn a_link_is_made_changed_and_deleted_and_moves_dates_at_once(app: &TestApp) {
        let owner = app.person("ona").await;
        let mut plan = Crossing::of(app, &owner).await;
        let made = plan.link(&owner, "Dig", "Cure", json!({})).await.expect(201);
        assert_eq!((&made["dep_type"], &made["lag"]), (&json!("FS"), &json!(0)));
        assert_eq!((&made["is_driving"], &made["pending_acceptance"]), (&json!(true), &json!(false)));
        assert_eq!((&made["accepted_by"], &made["predecessor_card"]), (&Value::Null, &Value::Null));
        plan.read_again(&owner).await;
        assert_eq!(plan.field("Cure", "early_start"), "2026-01-08");

        let path = one(&made.id());
        assert_eq!(owner.get(&path).await.expect(200).header("etag"), "\"v1\"");
        let changed = owner.patch(&path, json!({"lag": 2})).await.expect(200);
        assert_eq!((changed["lag"].as_i64(), changed.header("etag")), (Some(2), "\"v2\""));
        let same = owner.patch(&path, json!({"lag": "2"})).await.expect(200);
        assert_eq!(same.header("etag"), "\"v2\"", "what changes nothing is no change");
        owner.with_header("if-match", "\"v1\"").patch(&path, json!({"lag": 3})).await.expect(412);
        owner.with_header("if-match", "\"v1\"").delete(&path).await.expect(412);
        plan.read_again(&owner).await;
        assert_eq!(plan.field("Cure", "early_start"), "2026-01-12");

        let refused = owner.put(&path, json!({"dep_type": "SS"})).await.expect(400);
        assert!(refused["predecessor"].is_array() && refused["successor"].is_array(), "{}", refused.text);
        let whole = json!({"predecessor": plan.task("Pour"), "successor": plan.task("Cure"), "dep_type": "SS", "lag": 0});
        let replaced = owner.put(&path, whole).await.expect(200);
        assert_eq!((&replaced["predecessor"], &replaced["dep_type"]), (plan.task("Pour"), &json!("SS")));

        owner.delete(&path).await.expect(204);
        owner.get(&path).await.expect(404);
        plan.read_again(&owner).await;
        assert_eq!(plan.field("Cure", "early_start"), "2026-01-05");
        assert_eq!(owner.get(ALL).await.expect(200)["count"], 0);
        assert_eq!(kinds(app).await, ["created", "updated", "updated", "deleted"]);
        plan.link(&owner, "Pour", "Cure", json!({"dep_type": "SS"})).await.expect(201);
    }

    async fn a_pair_takes_links_of_several_types_and_each_type_once(app: &TestApp) {
        let owner = app.person("ona").await;
        let plan = Crossing::of(app, &owner).await;
        let first = plan.link(&owner, "Dig", "Cure", json!({"dep_type": "SS"})).await.expect(201);
        plan.link(&owner, "Dig", "Cure", json!({"dep_type": "FF", "lag": -1})).await.expect(201);
        let twice = plan.link(&owner, "Dig", "Cure", json!({"dep_type": "FF"})).await.expect(400);
        assert_eq!(twice["code"], "duplicate_dependency");
        assert!(twice["non_field_errors"].is_array(), "{}", twice.text);
        owner.patch(&one(&first.id()), json!({"dep_type": "FF"})).await.expect(400);
        owner.patch(&one(&first.id()), json!({"dep_type": "SF"})).await.expect(200);
        assert_eq!(owner.get(ALL).await.expect(200)["count"], 2);
    }

    async fn wrong_fields_are_named_all_at_once(app: &TestApp) {
        let owner = app.person("ona").await;
        let plan = Crossing::of(app, &owner).await;
        let refused = owner.post(ALL, json!({"dep_type": "XY", "lag": 36526})).await.expect(400);
        for field in ["predecessor", "successor", "dep_type", "lag"] {
            assert!(refused[field].is_array(), "{field}: {}", refused.text);
        }
        plan.link(&owner, "Dig", "Cure", json!({"lag": -36525})).await.expect(201);
        let unknown = json!({"predecessor": plan.task("Dig"), "successor": NOWHERE});
        assert!(owner.post(ALL, unknown).await.expect(400)["successor"].is_array());
        let bad = json!({"predecessor": "no-uuid", "successor": plan.task("Dig")});
        assert!(owner.post(ALL, bad).await.expect(400)["predecessor"].is_array());
        owner.patch(&one(NOWHERE), json!({"lag": 1})).await.expect(404);
        owner.delete(&one("no-uuid")).await.expect(404);
    }

    async fn a_link_that_leads_back_is_refused_with_the_rows_between(app: &TestApp) {
        let owner = app.person("ona").await;
        let plan = Crossing::of(app, &owner).await;
        plan.link(&owner, "Dig", "Pour", json!({})).await.expect(201);
        plan.link(&owner, "Works", "Cure", json!({})).await.expect(201);
        let refused = plan.link(&owner, "Pour", "Dig", json!({"dep_type": "SS"})).await.expect(400);
        assert!(refused["detail"].as_str().unwrap().starts_with("The tasks would wait for each other: "), "{}", refused.text);
        assert_eq!(refused["code"], "cyclic_dependency");
        assert_eq!(names(&refused.json), ["Pour", "Dig", "Pour"]);
        assert_eq!(refused["cycle"][0]["hex_id"], *plan.field("Pour", "short_id"));
        assert_eq!(refused["cycle"][0]["id"], *plan.task("Pour"));
        let itself = plan.link(&owner, "Dig", "Dig", json!({})).await.expect(400);
        assert_eq!(itself["detail"], "The tasks would wait for each other: Dig → Dig.");
        assert_eq!(names(&itself.json), ["Dig", "Dig"]);
        let own_phase = plan.link(&owner, "Dig", "Works", json!({})).await.expect(400);
        assert_eq!(names(&own_phase.json), ["Dig", "Works", "Dig"]);
        let through_phase = plan.link(&owner, "Cure", "Pour", json!({})).await.expect(400);
        assert_eq!(names(&through_phase.json), ["Cure", "Pour", "Works", "Cure"]);
        let other = plan.link(&owner, "Frame", "Roof", json!({})).await.expect(201);
        let moved = json!({"predecessor": plan.task("Cure"), "successor": plan.task("Dig")});
        assert_eq!(owner.patch(&one(&other.id()), moved).await.expect(400)["code"], "cyclic_dependency");
        assert_eq!(owner.get(ALL).await.expect(200)["count"], 3);
    }

    async fn a_circle_across_projects_is_seen_and_a_link_may_be_turned_round(app: &TestApp) {
        let owner = app.person("ona").await;
        let plan = Crossing::of(app, &owner).await;
        plan.link(&owner, "Frame", "Roof", json!({})).await.expect(201);
        plan.link(&owner, "Cure", "Frame", json!({})).await.expect(201);
        let back = plan.link(&owner, "Roof", "Works", json!({})).await.expect(201);
        let refused = plan.link(&owner, "Dig", "Cure", json!({})).await.expect(400);
        assert_eq!(names(&refused.json), ["Dig", "Cure", "Frame", "Roof", "Works", "Dig"]);
        let reader = app.person("rea").await;
        owner.let_in(&project_path(&plan.north), &reader, Role::ResourceManager).await;
        let hidden = plan.link(&reader, "Dig", "Cure", json!({})).await.expect(400);
        assert_eq!(names(&hidden.json), ["Dig", "Cure", "", "", "Works", "Dig"], "what one cannot read has no name");
        let turned = json!({"predecessor": plan.task("Works"), "successor": plan.task("Roof")});
        owner.patch(&one(&back.id()), turned).await.expect(200);
        plan.link(&owner, "Dig", "Cure", json!({})).await.expect(201);
    }

    async fn only_who_manages_links_writes_them(app: &TestApp) {
        let owner = app.person("ona").await;
        let plan = Crossing::of(app, &owner).await;
        let kept = plan.link(&owner, "Dig", "Cure", json!({})).await.expect(201).id();
        let stranger = app.person("sue").await;
        plan.link(&stranger, "Dig", "Pour", json!({})).await.expect(404);
        stranger.get(&one(&kept)).await.expect(404);
        stranger.patch(&one(&kept), json!({"lag": 1})).await.expect(404);
        stranger.post(&format!("{}accept/", one(&kept)), json!({})).await.expect(404);
        for (name, role, status) in [
            ("viewer", Role::Viewer, 403),
            ("member", Role::Member, 403),
            ("scheduler", Role::ResourceManager, 201),
            ("manager", Role::ProjectManager, 201),
        ] {
            let person = app.person(name).await;
            owner.let_in(&project_path(&plan.north), &person, role).await;
            let made = plan.link(&person, "Dig", "Pour", json!({})).await.expect(status);
            person.get(&one(&kept)).await.expect(200);
            let changed = person.patch(&one(&kept), json!({"lag": 0})).await;
            assert_eq!(changed.status, if status == 201 { 200 } else { 403 }, "{name}");
            if status == 201 {
                person.delete(&one(&made.id())).await.expect(204);
            } else {
                person.delete(&one(&kept)).await.expect(403);
            }
        }
    }

    async fn a_link_into_a_project_of_others_waits_until_they_accept_it(app: &TestApp) {
        let owner = app.person("ona").await;
        let mut plan = Crossing::of(app, &owner).await;
        let (up, down, below) = (app.person("up").await, app.person("down").await, app.person("below").await);
        owner.let_in(&project_path(&plan.north), &up, Role::ResourceManager).await;
        owner.let_in(&project_path(&plan.south), &down, Role::ResourceManager).await;
        owner.let_in(&project_path(&plan.south), &below, Role::Member).await;
        assert!(plan.link(&up, "Works", "Roof", json!({})).await.expect(400)["successor"].is_array());
        owner.let_in(&project_path(&plan.south), &up, Role::Viewer).await;
        app.run_jobs().await;
        let made = plan.link(&up, "Works", "Roof", json!({"lag": 1})).await.expect(201);
        assert_eq!((&made["pending_acceptance"], &made["accepted_at"]), (&json!(true), &Value::Null));
        assert_eq!(made["successor_card"]["title"], "Roof");
        assert_eq!(made["successor_card"]["project_name"], "South");
        assert_eq!(made["predecessor_card"]["hex_id"], *plan.field("Works", "short_id"));
        let id = json!({"id": made["id"]});
        let hook = json!({"id": made["id"], "predecessor": made["predecessor"], "successor": made["successor"], "dep_type": "FS", "lag": 1});
        let event = |channel: &str, name: &str, project: &str, payload: &Value| {
            (channel.to_owned(), name.to_owned(), project.to_owned(), payload.clone())
        };
        assert_eq!(app.told("dependency").await, [
            event("socket", "dependency_created", &plan.south, &id),
            event("webhook", "dependency.created", &plan.south, &hook),
            event("socket", "dependency_created", &plan.north, &id),
            event("webhook", "dependency.created", &plan.north, &hook),
        ]);
        plan.read_again(&owner).await;
        assert_eq!(plan.field("Roof", "early_start"), "2026-01-05", "it holds nothing yet");
        let waiting = down.get(&format!("{ALL}?pending_for_project={}", plan.south)).await.expect(200);
        assert_eq!(waiting["count"], 1);

        let accept = format!("{}accept/", one(&made.id()));
        up.post(&accept, json!({})).await.expect(403);
        below.post(&accept, json!({})).await.expect(403);
        app.run_jobs().await;
        let accepted = down.post(&accept, json!({})).await.expect(200);
        assert_eq!((&accepted["pending_acceptance"], &accepted["accepted_by"]), (&json!(false), &json!(down.id)));
        assert!(accepted["accepted_at"].is_string());
        assert_eq!(accepted["is_driving"], true);
        assert_eq!(app.told("dependency_").await, [
            event("socket", "dependency_accepted", &plan.south, &id),
            event("socket", "dependency_accepted", &plan.north, &id),
        ]);
        plan.read_again(&owner).await;
        assert_eq!(plan.field("Roof", "early_start"), "2026-01-09");
        assert_eq!(down.post(&accept, json!({})).await.expect(400)["code"], "not_pending");
        down.post(&format!("{}reject/", one(&made.id())), json!({})).await.expect(400);
    }

    async fn a_rejected_link_is_gone_and_may_be_proposed_again(app: &TestApp) {
        let owner = app.person("ona").await;
        let plan = Crossing::of(app, &owner).await;
        let up = app.person("up").await;
        owner.let_in(&project_path(&plan.north), &up, Role::ResourceManager).await;
        owner.let_in(&project_path(&plan.south), &up, Role::Member).await;
        let made = plan.link(&up, "Cure", "Frame", json!({})).await.expect(201);
        app.run_jobs().await;
        up.post(&format!("{}reject/", one(&made.id())), json!({})).await.expect(403);
        let rejected = owner.post(&format!("{}reject/", one(&made.id())), json!({})).await.expect(200);
        assert_eq!(rejected["id"], made["id"]);
        let names: Vec<String> = app.told("dependency").await.into_iter().map(|(_, name, ..)| name).collect();
        assert_eq!(names, ["dependency_rejected", "dependency.deleted", "dependency_rejected", "dependency.deleted"]);
        up.get(&one(&made.id())).await.expect(404);
        let again = plan.link(&up, "Cure", "Frame", json!({})).await.expect(201);
        up.delete(&one(&again.id())).await.expect(204);
    }

    async fn other_ends_ask_for_consent_again_and_another_lag_does_not(app: &TestApp) {
        let owner = app.person("ona").await;
        let mut plan = Crossing::of(app, &owner).await;
        let up = app.person("up").await;
        owner.let_in(&project_path(&plan.north), &up, Role::ResourceManager).await;
        owner.let_in(&project_path(&plan.south), &up, Role::Member).await;
        let made = plan.link(&owner, "Cure", "Roof", json!({})).await.expect(201);
        assert_eq!((&made["pending_acceptance"], &made["accepted_by"]), (&json!(false), &json!(owner.id)));
        let path = one(&made.id());
        let same_ends = json!({"lag": 3, "predecessor": plan.task("Cure"), "successor": plan.task("Roof")});
        let lagged = up.patch(&path, same_ends).await.expect(200);
        assert_eq!((&lagged["pending_acceptance"], &lagged["lag"]), (&json!(false), &json!(3)));
        let moved = up.patch(&path, json!({"successor": plan.task("Frame")})).await.expect(200);
        assert_eq!((&moved["pending_acceptance"], &moved["accepted_by"]), (&json!(true), &Value::Null));
        assert_eq!(moved["is_driving"], false);
        plan.read_again(&owner).await;
        assert_eq!(plan.field("Roof", "early_start"), "2026-01-05");
        let inward = up.patch(&path, json!({"successor": plan.task("Dig")})).await.expect(200);
        assert_eq!((&inward["pending_acceptance"], &inward["successor_card"]), (&json!(false), &Value::Null));
    }

    async fn accepting_looks_for_cycles_that_came_up_meanwhile(app: &TestApp) {
        let owner = app.person("ona").await;
        let plan = Crossing::of(app, &owner).await;
        let up = app.person("up").await;
        owner.let_in(&project_path(&plan.north), &up, Role::ResourceManager).await;
        owner.let_in(&project_path(&plan.south), &up, Role::Member).await;
        let made = plan.link(&up, "Cure", "Frame", json!({})).await.expect(201);
        plan.link(&owner, "Frame", "Cure", json!({})).await.expect(201);
        let refused = owner.post(&format!("{}accept/", one(&made.id())), json!({})).await.expect(400);
        assert_eq!(names(&refused.json), ["Cure", "Frame", "Cure"]);
    }

    async fn projects_that_share_no_program_are_not_linked_and_archived_ones_refuse(app: &TestApp) {
        let owner = app.person("ona").await;
        let plan = Crossing::of(app, &owner).await;
        let other = Crossing::of(app, &owner).await;
        let across = json!({"predecessor": plan.task("Dig"), "successor": other.task("Roof")});
        assert!(owner.post(ALL, across.clone()).await.expect(400)["successor"].is_array());
        let low = app.person("low").await;
        owner.let_in(&project_path(&plan.north), &low, Role::Member).await;
        owner.let_in(&project_path(&other.south), &low, Role::Member).await;
        low.post(ALL, across).await.expect(403);
        let made = plan.link(&owner, "Dig", "Roof", json!({})).await.expect(201);
        let north = format!("/api/v1/projects/{}/", plan.north);
        owner.post(&format!("{north}archive/"), json!({})).await.expect(200);
        plan.link(&owner, "Dig", "Frame", json!({})).await.expect(403);
        owner.patch(&one(&made.id()), json!({"lag": 1})).await.expect(403);
        owner.delete(&one(&made.id())).await.expect(403);
        owner.get(&one(&made.id())).await.expect(200);
        owner.post(&format!("{north}unarchive/"), json!({})).await.expect(200);
        owner.patch(&north, json!({"program": null})).await.expect(200);
        plan.link(&owner, "Dig", "Frame", json!({})).await.expect(400);
    }

    async fn a_card_has_no_names_for_whoever_may_not_know_of_its_project(app: &TestApp) {
        let (owner, vic) = (app.person("ona").await, app.person("vic").await);
        let plan = Crossing::of(app, &owner).await;
        owner.let_in(&project_path(&plan.south), &vic, Role::Viewer).await;
        let made = plan.link(&owner, "Cure", "Roof", json!({})).await.expect(201);
        let names = async |person: &Person<'_>| {
            let link = person.get(&one(&made.id())).await.expect(200);
            (link["predecessor_card"]["title"].clone(), link["predecessor_card"]["project_name"].clone())
        };
        assert_eq!(names(&vic).await, (json!("Cure"), json!("North")), "the workspace may know of it");
        owner.patch(&project_path(&plan.north), json!({"visibility": "PRIVATE"})).await.expect(200);
        assert_eq!(names(&vic).await, (json!(""), json!("")));
        assert_eq!(names(&owner).await, (json!("Cure"), json!("North")));
        let listed = vic.get(ALL).await.expect(200);
        assert!(!listed.text.contains("Cure") && !listed.text.contains("North"), "{}", listed.text);
    }

    async fn a_link_is_there_only_while_both_its_projects_are(app: &TestApp) {
        let owner = app.person("ona").await;
        let mut plan = Crossing::of(app, &owner).await;
        let made = plan.link(&owner, "Cure", "Roof", json!({"lag": 3})).await.expect(201);
        let (north, south) = (format!("/api/v1/projects/{}/", plan.north), format!("/api/v1/projects/{}/", plan.south));
        owner.delete(&north).await.expect(204);
        owner.delete(&south).await.expect(204);
        owner.post(&format!("{north}restore/"), json!({})).await.expect(200);
        assert_eq!(owner.get(ALL).await.expect(200)["count"], 0);
        owner.get(&one(&made.id())).await.expect(404);
        owner.post(&format!("{south}restore/"), json!({})).await.expect(200);
        assert_eq!(owner.get(&one(&made.id())).await.expect(200)["successor_card"]["title"], "Roof");
        plan.read_again(&owner).await;
        assert_eq!(plan.field("Roof", "early_start"), "2026-01-09");
    }

    async fn a_link_goes_with_either_of_its_tasks_and_comes_back_when_both_are_back(app: &TestApp) {
        let owner = app.person("ona").await;
        let plan = Crossing::of(app, &owner).await;
        plan.link(&owner, "Dig", "Cure", json!({})).await.expect(201);
        plan.link(&owner, "Pour", "Cure", json!({})).await.expect(201);
        let count = async || owner.get(ALL).await.expect(200)["count"].as_i64();
        let task = |name: &str| format!("/api/v1/tasks/{}/", plan.task(name).as_str().unwrap());
        owner.delete(&task("Dig")).await.expect(204);
        assert_eq!(count().await, Some(1));
        owner.delete(&task("Cure")).await.expect(204);
        assert_eq!(count().await, Some(0));
        owner.post(&format!("{}restore/", task("Dig")), json!({})).await.expect(200);
        assert_eq!(count().await, Some(0), "its other end is not back yet");
        owner.post(&format!("{}restore/", task("Cure")), json!({})).await.expect(200);
        assert_eq!(count().await, Some(2));
    }

    async fn lists_show_links_of_either_side_under_every_filter(app: &TestApp) {
        let owner = app.person("ona").await;
        let plan = Crossing::of(app, &owner).await;
        let (north, south) = (app.person("nor").await, app.person("sou").await);
        owner.let_in(&project_path(&plan.north), &north, Role::ResourceManager).await;
        owner.let_in(&project_path(&plan.south), &south, Role::Viewer).await;
        plan.link(&owner, "Dig", "Cure", json!({})).await.expect(201);
        plan.link(&owner, "Frame", "Roof", json!({"dep_type": "SS"})).await.expect(201);
        plan.link(&owner, "Cure", "Roof", json!({})).await.expect(201);
        owner.let_in(&project_path(&plan.south), &north, Role::Viewer).await;
        let waiting = plan.link(&north, "Dig", "Frame", json!({})).await.expect(201);
        let seat = owner.get(&format!("/api/v1/projects/{}/members/", plan.south)).await.expect(200);
        let seat = seat.json.as_array().unwrap().iter().find(|row| row["user"] == json!(north.id)).expect("a member")["id"].clone();
        owner.delete(&format!("/api/v1/projects/{}/members/{}/", plan.south, seat.as_str().unwrap())).await.expect(204);
        let stranger = app.person("sue").await;
        for (query, everybody) in [
            (String::new(), [4, 3, 3, 0]),
            (format!("project={}", plan.north), [3, 3, 2, 0]),
            (format!("project={}", plan.south), [1, 0, 1, 0]),
            ("dep_type=FS".to_owned(), [3, 3, 2, 0]),
            (format!("task={}", plan.task("Roof").as_str().unwrap()), [2, 1, 2, 0]),
            (format!("pending_for_project={}", plan.south), [1, 1, 1, 0]),
            (format!("pending_for_project={}", plan.north), [0, 0, 0, 0]),
            (format!("pending_for_project={}&project={}", plan.south, plan.north), [1, 1, 1, 0]),
        ] {
            for (person, count) in [&owner, &north, &south, &stranger].into_iter().zip(everybody) {
                let list = person.get(&format!("{ALL}?{query}&page_size=1&ordering=dep_type")).await.expect(200);
                assert_eq!(list["count"], count, "{} asks for {query}", person.name);
                if count > 1 {
                    let last = person.get(&format!("{ALL}?{query}&page_size=1&page={count}")).await.expect(200);
                    assert_eq!(last.results().len(), 1);
                }
            }
        }
        let list = south.get(&format!("{ALL}?pending_for_project={}", plan.south)).await.expect(200);
        assert_eq!(list.results()[0]["id"], waiting["id"]);
    }

    async fn many_links_come_in_at_once_and_each_is_answered_for(app: &TestApp) {
        let owner = app.person("ona").await;
        let names: Vec<String> = (0..502).map(|number| format!("Step {number}")).collect();
        let rows: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "task")).collect();
        let plan = Bridges::with(app, &owner, &rows).await;
        let path = format!("/api/v1/tasks/?project={}&page_size=500&ordering=wbs_path", plan.project);
        let mut tasks: Vec<TaskId> = Vec::new();
        for row in owner.get(&path).await.expect(200).results() {
            tasks.push(row["id"].as_str().unwrap().parse().unwrap());
        }
        let request = |from: usize, to: usize, dep_type| NewLink { predecessor: tasks[from], successor: tasks[to], dep_type, lag: 0 };
        let mut requests: Vec<NewLink> =
            (2..400).map(|at| request(at, at + 1, DependencyType::FinishToStart)).collect();
        requests.push(request(10, 10, DependencyType::FinishToStart));
        requests.push(request(2, 3, DependencyType::FinishToStart));
        requests.push(request(2, 3, DependencyType::StartToStart));
        requests.push(NewLink { successor: NOWHERE.parse().unwrap(), ..requests[0] });
        requests.push(request(401, 402, DependencyType::FinishToStart));
        requests.push(request(402, 401, DependencyType::FinishToStart));
        app.run_jobs().await;
        let mut tx = app.app.db.begin().await.unwrap();
        let mut lock = PlanLock::default();
        let made = commands::create_many(&mut tx, &mut lock, owner.id, &requests, planwright_plan::tasks::write::Board::EachRow).await.unwrap();
        lock.end(&mut tx).await.unwrap();
        tx.commit().await.unwrap();
        let codes: Vec<&str> = made.iter().map(|outcome| outcome.as_ref().map_or_else(|no| no.code(), |_| "made")).collect();
        assert!(codes[..398].iter().all(|code| *code == "made"));
        assert_eq!(codes[398..], [
            "self_reference", "conflict", "made", "unresolved_endpoint", "cyclic_dependency", "cyclic_dependency",
        ]);
        assert_eq!(owner.get(ALL).await.expect(200)["count"], 1 + 399);
        assert_eq!(kinds(app).await.len(), 399);
        let hooks = app.told("dependency.created").await;
        assert_eq!((hooks.len(), &hooks[0].3["predecessor"]), (399, &json!(tasks[2])));
        assert_eq!(app.told("schedule.recalculated").await.len(), 1);
        let last = owner.get(&format!("/api/v1/tasks/{}/", tasks[400])).await.expect(200);
        assert_eq!(last["early_start"], "2027-07-15");
        assert_eq!(last["predecessor_count"], 1);
    }
}
