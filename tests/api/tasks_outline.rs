//! The outline: rows under rows, moved among their siblings and between parents; the phases of a project; ranks on a board.
//! Lines such as `1.2 Survey` are outline number and name.

use planwright_testkit::{Answer, both_engines};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::site::{LINKS, Site, TASKS, check_outline, ids, listed, task_path, text};

/// Moves a task one level, `indent` or `outdent`.
async fn shift(site: &Site<'_>, id: &str, way: &str) -> Answer {
    site.owner.post(&site.at(&format!("tasks/{id}/{way}/")), json!({})).await
}

/// Moves a task under another parent, or to the top.
async fn reparent(site: &Site<'_>, id: &str, parent: Value) -> Answer {
    site.owner.post(&site.at(&format!("tasks/{id}/reparent/")), json!({"new_parent_id": parent})).await
}

/// Puts siblings into an order.
async fn reorder(site: &Site<'_>, parent_path: &str, order: &[&String]) -> Answer {
    let request = json!({"parent_path": parent_path, "ordered_ids": order});
    site.owner.post(&site.at("tasks/reorder/"), request).await
}

/// What an answer calls updated is what is stored.
async fn updated_is_stored(site: &Site<'_>, answer: &Answer) {
    for row in answer["updated"].as_array().unwrap() {
        assert_eq!(site.read(text(&row["id"])).await["wbs_path"], row["wbs_path"]);
    }
}

both_engines! {
    async fn rows_are_numbered_below_their_parents(app: &TestApp) {
        let site = Site::new(app).await;
        let phase = site.task("P", 1).await;
        let middle = site.under(&phase, "M", 1).await;
        site.under(&middle, "A", 2).await;
        site.under(&phase, "B", 2).await;
        site.task("Z", 1).await;
        assert_eq!(site.outline().await, ["1 P", "1.1 M", "1.1.1 A", "1.2 B", "2 Z"]);
        assert_eq!(site.read(&middle).await["parent_id"], json!(phase));
        let nowhere = site.with_project(json!({"name": "X", "parent_id": app.clock.mint::<Uuid>()}));
        assert!(site.owner.post(TASKS, nowhere).await.expect(400)["parent_id"].is_array());
        let malformed = site.with_project(json!({"name": "X", "parent_id": "P"}));
        assert!(site.owner.post(TASKS, malformed).await.expect(400)["parent_id"].is_array());
    }

    async fn siblings_take_a_new_order_with_everything_below_them(app: &TestApp) {
        let site = Site::new(app).await;
        let (a, b, c) = (site.task("A", 1).await, site.task("B", 1).await, site.task("C", 1).await);
        let below = site.under(&b, "B1", 1).await;
        site.under(&below, "B11", 1).await;
        site.hush().await;
        let done = reorder(&site, "", &[&c, &a, &b]).await.expect(200);
        let moved = ids(&done["updated"]);
        assert!([&a, &b, &c].iter().all(|id| moved.contains(id)), "{}", done.text);
        updated_is_stored(&site, &done).await;
        assert_eq!(site.outline().await, ["1 C", "2 A", "3 B", "3.1 B1", "3.1.1 B11"]);
        assert_eq!(site.payloads("tasks_reordered").await.len(), 1);
        let under = site.under(&b, "B2", 1).await;
        reorder(&site, "3", &[&under, &below]).await.expect(200);
        assert_eq!(site.outline().await, ["1 C", "2 A", "3 B", "3.1 B2", "3.2 B1", "3.2.1 B11"]);
    }

    async fn a_new_order_is_an_edit_of_the_rows_that_it_moves(app: &TestApp) {
        let site = Site::new(app).await;
        let mut ids = Vec::new();
        for name in ["A", "B", "C"] {
            ids.push(site.task(name, 1).await);
        }
        let before = site.read(&ids[1]).await["edited_at"].clone();
        app.later(chrono::Duration::minutes(5));
        reorder(&site, "", &[&ids[0], &ids[2], &ids[1]]).await.expect(200);
        let versions = async || {
            let mut versions = Vec::new();
            for id in &ids {
                versions.push(site.read(id).await["server_version"].clone());
            }
            versions
        };
        assert_eq!(versions().await, [1, 2, 2]);
        assert_ne!(site.read(&ids[1]).await["edited_at"], before);
        reorder(&site, "", &[&ids[0], &ids[2], &ids[1]]).await.expect(200);
        assert_eq!(versions().await, [1, 2, 2], "the same order changes nothing");
        let told = site.owner.get(&site.at(&format!("tasks/{}/history/", ids[1]))).await.expect(200);
        let expected = json!([{"field": "position", "old": "2", "new": "3", "hidden": false}]);
        assert_eq!(told["results"][0]["diff"], expected, "{}", told.text);
        let based = site.owner.with_header("x-base-version", "1");
        based.patch(&task_path(&ids[1]), json!({"name": "D"})).await.expect(200);
    }

    async fn an_order_of_other_rows_than_the_siblings_is_refused_whole(app: &TestApp) {
        let site = Site::new(app).await;
        let (a, b, c) = (site.task("A", 1).await, site.task("B", 1).await, site.task("C", 1).await);
        let below = site.under(&c, "C1", 1).await;
        let before = site.outline().await;
        for stale in [vec![&b, &a], vec![&c, &b, &a, &below], vec![&c, &b, &below], vec![&c, &b, &b], vec![]] {
            let refused = reorder(&site, "", &stale).await;
            assert!([400, 409].contains(&refused.status), "{}: {}", refused.status, refused.text);
        }
        let refused = reorder(&site, "9", &[&a]).await;
        assert!([400, 404, 409].contains(&refused.status), "{}: {}", refused.status, refused.text);
        assert_eq!(site.outline().await, before);
    }

    async fn indenting_puts_a_row_at_the_end_of_the_one_before_it(app: &TestApp) {
        let site = Site::new(app).await;
        let (a, b, c) = (site.task("A", 1).await, site.task("B", 1).await, site.task("C", 1).await);
        site.under(&a, "A1", 1).await;
        site.hush().await;
        let done = shift(&site, &b, "indent").await.expect(200);
        assert_eq!(done["warning"], Value::Null);
        updated_is_stored(&site, &done).await;
        assert_eq!(site.payloads("tasks_restructured").await.len(), 1);
        assert_eq!(site.outline().await, ["1 A", "1.1 A1", "1.2 B", "2 C"]);
        shift(&site, &c, "indent").await.expect(200);
        shift(&site, &c, "indent").await.expect(200);
        assert_eq!(site.outline().await, ["1 A", "1.1 A1", "1.2 B", "1.2.1 C"]);
        assert_eq!(site.read(&b).await["is_phase"], true);
        assert_eq!(shift(&site, &a, "indent").await.status, 400, "nothing stands before it");
        assert_eq!(shift(&site, &c, "indent").await.status, 400);
        let gate = site.create(json!({"name": "M", "is_milestone": true})).await.id();
        let after = site.task("Z", 1).await;
        assert_eq!(shift(&site, &after, "indent").await.expect(400)["code"], "child_of_milestone");
        assert_eq!(site.read(&gate).await["is_summary"], false);
    }

    async fn outdenting_puts_a_row_after_its_parent_and_takes_its_followers_along(app: &TestApp) {
        let site = Site::new(app).await;
        let phase = site.task("P", 1).await;
        site.under(&phase, "A", 1).await;
        let b = site.under(&phase, "B", 1).await;
        site.under(&b, "B1", 1).await;
        site.under(&phase, "C", 1).await;
        site.task("Z", 1).await;
        let done = shift(&site, &b, "outdent").await.expect(200);
        updated_is_stored(&site, &done).await;
        assert_eq!(site.outline().await, ["1 P", "1.1 A", "2 B", "2.1 B1", "2.2 C", "3 Z"]);
        assert_eq!(shift(&site, &b, "outdent").await.status, 400, "it stands at the top");
    }

    async fn a_row_moves_to_another_parent_with_everything_below_it(app: &TestApp) {
        let site = Site::new(app).await;
        let (a, b) = (site.task("A", 1).await, site.task("B", 1).await);
        let a1 = site.under(&a, "A1", 3).await;
        site.under(&a1, "A11", 3).await;
        site.under(&b, "B1", 1).await;
        let moved = reparent(&site, &a1, json!(b)).await.expect(200);
        updated_is_stored(&site, &moved).await;
        assert_eq!(site.outline().await, ["1 A", "2 B", "2.1 B1", "2.2 A1", "2.2.1 A11"]);
        assert_eq!(site.read(&a).await["is_phase"], false);
        assert_eq!(site.window(&b).await, "2026-01-05 to 2026-01-07", "its dates moved along");
        site.hush().await;
        let same = reparent(&site, &a1, json!(b)).await.expect(200);
        assert_eq!(same["updated"], json!([]));
        assert!(site.announced_names().await.is_empty(), "where it is already");
        reparent(&site, &a1, Value::Null).await.expect(200);
        assert_eq!(site.outline().await, ["1 A", "2 B", "2.1 B1", "3 A1", "3.1 A11"]);
    }

    async fn no_row_gets_below_itself_or_into_another_project(app: &TestApp) {
        let site = Site::new(app).await;
        let a = site.task("A", 1).await;
        let a1 = site.under(&a, "A1", 1).await;
        let a11 = site.under(&a1, "A11", 1).await;
        let gate = site.create(json!({"name": "M", "is_milestone": true})).await.id();
        let elsewhere = app.project(&site.owner, "Tunnel").await;
        let foreign = site.owner.post(TASKS, json!({"name": "F", "project": elsewhere})).await.expect(201).id();
        let before = site.outline().await;
        for wrong in [&a, &a1, &a11, &gate] {
            let refused = reparent(&site, &a, json!(wrong)).await;
            assert_eq!(refused.status, 400, "{}", refused.text);
        }
        for unknown in [foreign.clone(), app.clock.mint::<Uuid>().to_string()] {
            let refused = reparent(&site, &a, json!(unknown)).await;
            assert!([400, 404].contains(&refused.status), "{}", refused.text);
        }
        assert_eq!(reparent(&site, &a, json!("no-uuid")).await.status, 400);
        assert_eq!(site.owner.post(&site.at(&format!("tasks/{a}/reparent/")), json!({})).await.status, 400);
        assert_eq!(shift(&site, &foreign, "indent").await.status, 404, "a task of another project");
        assert_eq!(site.outline().await, before);
    }

    async fn a_cycle_through_a_phase_is_refused_from_the_side_of_the_outline_too(app: &TestApp) {
        let site = Site::new(app).await;
        let phase = site.task("P", 1).await;
        site.under(&phase, "A", 1).await;
        let next = site.task("N", 1).await;
        site.link(&phase, &next).await;
        let before = site.outline().await;
        let refused = reparent(&site, &next, json!(phase)).await.expect(400);
        assert!(refused.text.contains("cyclic_dependency"), "{}", refused.text);
        let refused = shift(&site, &next, "indent").await.expect(400);
        assert!(refused.text.contains("cyclic_dependency"), "{}", refused.text);
        assert_eq!(site.outline().await, before);
        assert_eq!(site.window(&next).await, "2026-01-06 to 2026-01-06");
        let inside = site.under(&phase, "B", 1).await;
        let request = json!({"predecessor": inside, "successor": phase});
        assert!(site.owner.post(LINKS, request).await.expect(400).text.contains("cyclic_dependency"));
    }

    async fn moving_a_row_moves_the_dates_that_hang_on_its_phase(app: &TestApp) {
        let site = Site::new(app).await;
        let (first, second) = (site.task("P", 1).await, site.task("Q", 1).await);
        let a = site.under(&first, "A", 2).await;
        site.under(&second, "B", 2).await;
        site.link(&first, &second).await;
        assert_eq!(site.window(&second).await, "2026-01-07 to 2026-01-08");
        reparent(&site, &a, json!(second)).await.expect(200);
        assert_eq!(site.window(&a).await, "2026-01-06 to 2026-01-07", "P is a day of work again and holds all of Q");
        assert_eq!(site.window(&second).await, "2026-01-06 to 2026-01-07");
    }

    async fn ten_comes_after_nine_and_a_gap_closes(app: &TestApp) {
        let site = Site::new(app).await;
        let mut made = Vec::new();
        for at in 1..=11 {
            made.push(site.task(&format!("T{at}"), 1).await);
        }
        assert_eq!(site.outline().await[8..], ["9 T9", "10 T10", "11 T11"]);
        site.owner.delete(&task_path(&made[1])).await.expect(204);
        let tasks = site.tasks().await;
        check_outline(&tasks);
        assert_eq!(site.create(json!({"name": "Z"})).await["wbs_path"], "11");
        check_outline(&site.tasks().await);
    }

    async fn only_authors_move_rows_and_members_only_their_own(app: &TestApp) {
        let site = Site::new(app).await;
        let (viewer, member) = (site.person("vic", 1).await, site.person("mia", 100).await);
        let (resources, manager) = (site.person("rob", 200).await, site.person("pam", 300).await);
        let stranger = app.person("sue").await;
        let (a, b) = (site.task("A", 1).await, site.task("B", 1).await);
        let indent = site.at(&format!("tasks/{b}/indent/"));
        let request = json!({"parent_path": "", "ordered_ids": [b, a]});
        for person in [&viewer, &resources, &member] {
            person.post(&indent, json!({})).await.expect(403);
        }
        for person in [&viewer, &resources] {
            person.post(&site.at("tasks/reorder/"), request.clone()).await.expect(403);
        }
        stranger.post(&indent, json!({})).await.expect(404);
        stranger.post(&site.at("tasks/reorder/"), request.clone()).await.expect(404);
        assert_eq!(site.outline().await, ["1 A", "2 B"]);
        site.change(&b, json!({"assignee": member.id})).await;
        member.post(&indent, json!({})).await.expect(200);
        assert_eq!(site.outline().await, ["1 A", "1.1 B"]);
        manager.post(&site.at(&format!("tasks/{b}/outdent/")), json!({})).await.expect(200);
        manager.post(&site.at("tasks/reorder/"), request).await.expect(200);
        assert_eq!(site.outline().await, ["1 B", "2 A"]);
    }
}

both_engines! {
    async fn phases_are_made_renamed_counted_and_deleted_when_empty(app: &TestApp) {
        let site = Site::new(app).await;
        let all = site.at("phases/");
        let made = site.owner.post(&all, json!({"name": "Design", "color": "#00AAFF"})).await.expect(201);
        assert_eq!((&made["name"], &made["color"], &made["task_count"]), (&json!("Design"), &json!("#00AAFF"), &json!(0)));
        assert_eq!((&made["wbs_path"], &made["server_version"]), (&json!("1"), &json!(1)));
        let one = format!("{all}{}/", made.id());
        site.under(&made.id(), "A", 2).await;
        assert_eq!(site.read(&made.id()).await["is_phase"], true);
        assert_eq!(site.owner.get(&one).await.expect(200)["task_count"], 1);
        let renamed = site.owner.patch(&one, json!({"name": "Draft"})).await.expect(200);
        assert_eq!((&renamed["name"], &renamed["server_version"]), (&json!("Draft"), &json!(2)));
        assert_eq!(site.read(&made.id()).await["name"], "Draft");
        for wrong in [json!({"name": ""}), json!({"name": "x".repeat(513)}), json!({"color": "blue"})] {
            site.owner.patch(&one, wrong).await.expect(400);
        }
        assert_eq!(site.owner.delete(&one).await.status, 400, "it has rows");
        let empty = site.owner.post(&all, json!({"name": "Empty"})).await.expect(201).id();
        site.owner.delete(&format!("{all}{empty}/")).await.expect(204);
        site.owner.get(&format!("{all}{empty}/")).await.expect(404);
        let left = listed(&site.owner.get(&all).await.expect(200));
        assert_eq!(left.iter().map(|phase| text(&phase["name"])).collect::<Vec<_>>(), ["Draft"]);
    }

    async fn phases_are_put_into_an_order_by_those_who_saw_their_last_versions(app: &TestApp) {
        let site = Site::new(app).await;
        let all = site.at("phases/");
        for name in ["One", "Two", "Three"] {
            site.owner.post(&all, json!({"name": name})).await.expect(201);
        }
        let entry = |phase: &Value| json!({"id": phase["id"], "server_version": phase["server_version"]});
        let names = async || {
            let phases = listed(&site.owner.get(&all).await.expect(200));
            phases.iter().map(|phase| text(&phase["name"]).to_owned()).collect::<Vec<_>>()
        };
        let phases = listed(&site.owner.get(&all).await.expect(200));
        let mut turned: Vec<Value> = phases.iter().rev().map(entry).collect();
        site.hush().await;
        let done = site.owner.patch(&site.at("phases/reorder/"), json!({"phases": turned})).await.expect(200);
        assert!(done["updated"].as_i64().unwrap() >= 2, "{}", done.text);
        assert_eq!(site.payloads("phases_reordered").await.len(), 1);
        assert_eq!(names().await, ["Three", "Two", "One"]);
        turned.rotate_left(1);
        turned[0]["server_version"] = json!(99);
        site.owner.patch(&site.at("phases/reorder/"), json!({"phases": turned})).await.expect(409);
        assert_eq!(names().await, ["Three", "Two", "One"]);
        check_outline(&site.tasks().await);
    }

    async fn everybody_in_the_project_sees_phases_and_managers_write_them(app: &TestApp) {
        let site = Site::new(app).await;
        let (viewer, member, resources) =
            (site.person("vic", 1).await, site.person("mia", 100).await, site.person("rob", 200).await);
        let all = site.at("phases/");
        let made = site.owner.post(&all, json!({"name": "Design"})).await.expect(201).id();
        for person in [&viewer, &member, &resources] {
            assert_eq!(listed(&person.get(&all).await.expect(200)).len(), 1);
            person.post(&all, json!({"name": "Mine"})).await.expect(403);
            person.patch(&format!("{all}{made}/"), json!({"name": "Mine"})).await.expect(403);
            person.delete(&format!("{all}{made}/")).await.expect(403);
            person.patch(&site.at("phases/reorder/"), json!({"phases": []})).await.expect(403);
        }
        app.person("sue").await.get(&all).await.expect(404);
        let manager = site.person("pam", 300).await;
        manager.post(&all, json!({"name": "Build"})).await.expect(201);
    }

    async fn a_rank_on_the_board_leaves_the_plan_as_it_is(app: &TestApp) {
        let site = Site::new(app).await;
        let (a, b, c) = (site.task("A", 1).await, site.task("B", 1).await, site.task("C", 1).await);
        let rank = async |id: &str, request: Value| {
            let done = site.owner.post(&format!("{}reorder/", task_path(id)), request).await.expect(200);
            assert_eq!(done["id"], json!(id));
            assert!(done["renormalized"].is_boolean(), "{}", done.text);
        };
        let order = async || {
            let mut tasks = site.tasks().await;
            tasks.sort_by_key(|task| task["priority_rank"].as_i64().expect("each has a rank"));
            tasks.iter().map(|task| text(&task["name"]).to_owned()).collect::<Vec<_>>()
        };
        for id in [&a, &b, &c] {
            rank(id, json!({"to_end": true})).await;
        }
        assert_eq!(order().await, ["A", "B", "C"]);
        for _ in 0..12 {
            rank(&c, json!({"before_id": b})).await;
            assert_eq!(order().await, ["A", "C", "B"]);
            rank(&b, json!({"after_id": a})).await;
            assert_eq!(order().await, ["A", "B", "C"]);
        }
        assert_eq!(site.outline().await, ["1 A", "2 B", "3 C"]);
        for wrong in [json!({}), json!({"before_id": a}), json!({"before_id": app.clock.mint::<Uuid>()}), json!({"before_id": "x"})] {
            let refused = site.owner.post(&format!("{}reorder/", task_path(&a)), wrong).await;
            assert!([400, 404].contains(&refused.status), "{}", refused.text);
        }
    }
}

both_engines! {
    async fn a_change_of_parent_id_moves_the_row_with_all_else_that_it_says(app: &TestApp) {
        let site = Site::new(app).await;
        let (dig, pour) = (site.task("Dig", 2).await, site.task("Pour", 3).await);
        let gate = site.create(json!({"name": "Gate", "is_milestone": true, "duration": 0})).await.id();
        let before = site.read(&pour).await["server_version"].as_i64().unwrap();
        let moved = site.change(&pour, json!({"parent_id": dig, "name": "Pour slab"})).await;
        assert_eq!((&moved["parent_id"], &moved["name"], &moved["server_version"]), (&json!(dig), &json!("Pour slab"), &json!(before + 1)));
        assert_eq!(site.outline().await, ["1 Dig", "1.1 Pour slab", "2 Gate"]);
        let refused = site.refuse(&pour, json!({"parent_id": gate})).await;
        assert_eq!((refused["parent_id"].is_array(), &refused["code"]), (true, &json!("child_of_milestone")));
        assert!(site.refuse(&dig, json!({"parent_id": pour})).await["parent_id"].is_array(), "a row cannot stand below itself");
        let again = site.change(&pour, json!({"parent_id": dig})).await;
        assert_eq!(again["server_version"], json!(before + 1), "it stands there already");
        site.change(&pour, json!({"parent_id": null})).await;
        assert_eq!(site.outline().await, ["1 Dig", "2 Gate", "3 Pour slab"]);
    }

    async fn a_sprint_is_read_by_its_other_name(app: &TestApp) {
        let site = Site::new(app).await;
        let sprint = site.sprint("2026-01-05", "2026-01-16").await;
        let task = site.task("Dig", 2).await;
        assert_eq!(site.change(&task, json!({"sprint_id": sprint})).await["sprint"], json!(sprint));
    }
}
