//! Two people at one plan: stale versions, the same row, the same place, the two ends of one cycle.
//! Whatever comes first, nothing is lost, no half of a write is seen and nobody gets a 500.

use std::collections::BTreeSet;

use chrono::Duration;
use planwright_testkit::{Answer, both_engines};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::site::{LINKS, Site, TASKS, check_outline, task_path, text};

/// The statuses of answers, lowest first.
fn statuses(answers: &[&Answer]) -> Vec<u16> {
    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    statuses
}

/// The outline is sound, and a fresh computation gives the dates that are stored.
async fn sound(site: &Site<'_>) {
    let before = site.tasks().await;
    check_outline(&before);
    site.owner.post(&site.at("schedule/"), json!({})).await.expect(202);
    site.app.run_jobs().await;
    assert_eq!(site.tasks().await, before, "a fresh computation gives other dates");
}

both_engines! {
    async fn edits_of_different_fields_merge_and_of_the_same_field_conflict(app: &TestApp) {
        let site = Site::new(app).await;
        let manager = site.person("pam", 300).await;
        let id = site.task("A", 2).await;
        let path = task_path(&id);
        site.change(&id, json!({"name": "B", "duration": 3})).await;
        let based = manager.with_header("x-base-version", "1");
        let merged = based.patch(&path, json!({"notes": "mine", "story_points": 3})).await.expect(200);
        assert_eq!((&merged["name"], &merged["notes"], &merged["duration"]), (&json!("B"), &json!("mine"), &json!(3)));
        assert!(merged.header("etag").starts_with("W/\"v3."));
        let mut theirs: Vec<&str> = merged.header("x-merged-concurrent-fields").split(',').map(str::trim).collect();
        theirs.sort();
        assert_eq!(theirs, ["duration", "name"]);
        let conflict = based.patch(&path, json!({"name": "C", "dor": "refine"})).await.expect(409);
        assert_eq!((&conflict["code"], &conflict["conflict_fields"]), (&json!("sync_conflict"), &json!(["name"])));
        assert_eq!((&conflict["server_value"]["name"], &conflict["client_value"]["name"]), (&json!("B"), &json!("C")));
        assert_eq!(conflict["server_version"], 3);
        let after = site.read(&id).await;
        assert_eq!((&after["dor"], &after["server_version"]), (&json!("idea"), &json!(3)), "a conflict writes nothing");
        let same = based.patch(&path, json!({"name": "B"})).await.expect(200);
        assert_eq!(same["server_version"], 3, "two who want the same do not conflict");
    }

    async fn what_follows_from_an_edit_conflicts_like_the_edit_itself(app: &TestApp) {
        let site = Site::new(app).await;
        let based = site.owner.with_header("x-base-version", "1");
        let planned = json!({"name": "A", "duration": 4, "planned_start": "2026-02-02"});
        let done = site.create(planned.clone()).await.id();
        site.change(&done, json!({"status": "COMPLETE"})).await;
        let conflict = based.patch(&task_path(&done), json!({"percent_complete": 40})).await.expect(409);
        assert_eq!(conflict["conflict_fields"], json!(["percent_complete"]), "{}", conflict.text);
        assert_eq!(conflict["client_value"]["percent_complete"], 40.0);
        assert_eq!(conflict["server_value"]["percent_complete"], 100.0);
        based.patch(&task_path(&done), json!({"percent_complete": 100})).await.expect(200);
        let longer = site.create(planned).await.id();
        site.change(&longer, json!({"duration": 9})).await;
        let conflict = based.patch(&task_path(&longer), json!({"is_milestone": true})).await.expect(409);
        assert_eq!(conflict["conflict_fields"], json!(["duration"]), "{}", conflict.text);
        assert_eq!(site.read(&longer).await["duration"], 9);
    }

    async fn phases_merge_like_tasks_and_nobody_deletes_what_they_have_not_seen(app: &TestApp) {
        let site = Site::new(app).await;
        let made = site.owner.post(&site.at("phases/"), json!({"name": "A"})).await.expect(201).id();
        let phase = site.at(&format!("phases/{made}/"));
        site.owner.patch(&phase, json!({"name": "B"})).await.expect(200);
        let based = site.owner.with_header("x-base-version", "1");
        let conflict = based.patch(&phase, json!({"name": "C"})).await.expect(409);
        assert_eq!((&conflict["code"], &conflict["conflict_fields"]), (&json!("sync_conflict"), &json!(["name"])));
        let merged = based.patch(&phase, json!({"color": "#00aaff"})).await.expect(200);
        assert_eq!((&merged["name"], merged.header("x-merged-concurrent-fields")), (&json!("B"), "name"));
        for path in [phase, task_path(&made)] {
            let refused = based.delete(&path).await.expect(409);
            let fields: BTreeSet<&str> = refused["conflict_fields"].as_array().unwrap().iter().map(text).collect();
            assert_eq!(fields, BTreeSet::from(["color", "name"]), "{}", refused.text);
            let ahead = site.owner.with_header("x-base-version", "99").delete(&path).await.expect(409);
            assert_eq!(ahead["ambiguous"], true, "a restored row can be older than what was seen");
            site.owner.with_header("if-match", "\"v99\"").delete(&path).await.expect(412);
        }
        let seen = site.owner.with_header("x-base-version", "3");
        seen.delete(&task_path(&made)).await.expect(204);
    }

    async fn the_base_may_stand_in_the_body_and_must_be_a_version_that_was(app: &TestApp) {
        let site = Site::new(app).await;
        let id = site.task("A", 2).await;
        site.change(&id, json!({"name": "B"})).await;
        let conflict = site.owner.patch(&task_path(&id), json!({"name": "C", "base_version": 1})).await.expect(409);
        assert_eq!(conflict["client_value"], json!({"name": "C"}));
        assert_eq!(site.change(&id, json!({"name": "C", "base_version": 2})).await["server_version"], 3);
        let ahead = site.owner.patch(&task_path(&id), json!({"name": "D", "base_version": 9})).await.expect(409);
        assert_eq!((&ahead["ambiguous"], &ahead["server_value"]), (&json!(true), &json!({"name": "C"})));
        let bad = site.owner.with_header("x-base-version", "soon");
        bad.patch(&task_path(&id), json!({"name": "D"})).await.expect(400);
        assert_eq!(site.read(&id).await["name"], "C");
    }

    async fn a_recalculation_between_two_edits_is_no_conflict(app: &TestApp) {
        let site = Site::new(app).await;
        let (a, b) = (site.task("A", 2).await, site.task("B", 2).await);
        site.link(&a, &b).await;
        site.change(&a, json!({"duration": 5})).await;
        let based = site.owner.with_header("x-base-version", "1");
        let fine = based.patch(&task_path(&b), json!({"duration": 3, "planned_start": "2026-01-06"})).await.expect(200);
        assert_eq!((&fine["server_version"], &fine["early_start"]), (&json!(2), &json!("2026-01-12")));
        assert_eq!(fine.header("x-merged-concurrent-fields"), "");
    }

    async fn if_match_holds_a_write_to_the_version_that_was_read(app: &TestApp) {
        let site = Site::new(app).await;
        let id = site.task("A", 2).await;
        let path = task_path(&id);
        let tag = site.read(&id).await.header("etag").to_owned();
        assert!(tag.starts_with("W/\"v1."), "{tag}");
        site.change(&id, json!({"name": "B"})).await;
        let stale = site.owner.with_header("if-match", &tag);
        stale.patch(&path, json!({"notes": "x"})).await.expect(412);
        stale.put(&path, site.with_project(json!({"name": "C"}))).await.expect(412);
        stale.delete(&path).await.expect(412);
        let after = site.read(&id).await;
        assert_eq!((&after["name"], &after["notes"]), (&json!("B"), &json!("")));
        site.owner.with_header("if-match", "\"v2\"").patch(&path, json!({"notes": "x"})).await.expect(200);
        site.owner.with_header("if-match", "*").patch(&path, json!({"notes": "y"})).await.expect(200);
    }
}

both_engines! {
    async fn two_at_one_row_at_the_same_time_both_win_or_one_is_told(app: &TestApp) {
        let site = Site::new(app).await;
        let manager = site.person("pam", 300).await;
        let id = site.task("A", 2).await;
        let path = task_path(&id);
        let (mine, theirs) = (site.owner.with_header("x-base-version", "1"), manager.with_header("x-base-version", "1"));
        let (one, other) = tokio::join!(
            mine.patch(&path, json!({"duration": 4})),
            theirs.patch(&path, json!({"notes": "theirs"})),
        );
        assert_eq!(statuses(&[&one, &other]), [200, 200]);
        let after = site.read(&id).await;
        assert_eq!((&after["duration"], &after["notes"], &after["server_version"]), (&json!(4), &json!("theirs"), &json!(3)));
        let (mine, theirs) = (site.owner.with_header("x-base-version", "3"), manager.with_header("x-base-version", "3"));
        let (one, other) = tokio::join!(
            mine.patch(&path, json!({"name": "mine"})),
            theirs.patch(&path, json!({"name": "theirs"})),
        );
        assert_eq!(statuses(&[&one, &other]), [200, 409]);
        let winner = if one.status == 200 { "mine" } else { "theirs" };
        assert_eq!((&site.read(&id).await["name"], &site.read(&id).await["server_version"]), (&json!(winner), &json!(4)));
    }

    async fn rows_that_are_made_at_once_get_numbers_of_their_own(app: &TestApp) {
        let site = Site::new(app).await;
        let phase = site.task("P", 1).await;
        for round in 0..3 {
            let make = async |name: &str| {
                site.create(json!({"name": format!("{name}{round}"), "parent_id": phase})).await
            };
            let bulk = site.bulk(json!({"operations": [
                {"op": "create", "data": {"name": "X", "parent_id": phase}}, {"op": "create", "data": {"name": "Y"}},
            ]}));
            tokio::join!(make("A"), make("B"), make("C"), bulk, make("D"));
        }
        let tasks = site.tasks().await;
        check_outline(&tasks);
        let mut short: Vec<&str> = tasks.iter().map(|task| text(&task["short_id"])).collect();
        short.sort();
        short.dedup();
        assert_eq!(short.len(), 1 + 3 * 6);
        sound(&site).await;
    }

    async fn a_link_is_deleted_while_its_other_end_moves(app: &TestApp) {
        let site = Site::new(app).await;
        let manager = site.person("pam", 300).await;
        let (a, b) = (site.task("A", 2).await, site.task("B", 2).await);
        for duration in 3..6 {
            let link = site.link(&a, &b).await;
            let (gone, moved) = tokio::join!(
                async { manager.delete(&format!("{LINKS}{link}/")).await },
                async { site.owner.patch(&task_path(&a), json!({"duration": duration})).await },
            );
            assert_eq!((gone.status, moved.status), (204, 200));
            assert_eq!(site.window(&b).await, "2026-01-05 to 2026-01-06", "the link is out of every computation");
        }
        sound(&site).await;
    }

    async fn a_row_is_deleted_while_somebody_links_renames_or_fills_it(app: &TestApp) {
        let site = Site::new(app).await;
        let other = site.task("Z", 1).await;
        for _ in 0..3 {
            let id = site.task("A", 2).await;
            let (path, link) = (task_path(&id), json!({"predecessor": id, "successor": other}));
            let (gone, linked, renamed, filled) = tokio::join!(
                site.owner.delete(&path),
                site.owner.post(LINKS, link),
                site.owner.patch(&path, json!({"name": "B"})),
                site.owner.post(TASKS, site.with_project(json!({"name": "child", "parent_id": id}))),
            );
            assert_eq!(gone.status, 204);
            assert!([201, 400, 404].contains(&linked.status), "{}", linked.text);
            assert!([200, 404].contains(&renamed.status), "{}", renamed.text);
            assert!([201, 400, 404].contains(&filled.status), "{}", filled.text);
            site.owner.get(&path).await.expect(404);
        }
        let links = site.owner.get(&format!("{LINKS}?project={}", site.project)).await.expect(200);
        assert_eq!(links["count"], 0, "no link leads out of a deleted row");
        sound(&site).await;
    }

    async fn of_two_links_that_close_a_cycle_one_is_refused(app: &TestApp) {
        let site = Site::new(app).await;
        let manager = site.person("pam", 300).await;
        let (a, b) = (site.task("A", 1).await, site.task("B", 1).await);
        let (one, other) = tokio::join!(
            site.owner.post(LINKS, json!({"predecessor": a, "successor": b})),
            manager.post(LINKS, json!({"predecessor": b, "successor": a})),
        );
        assert_eq!(statuses(&[&one, &other]), [201, 400]);
        let edges = |from: &str, to: &str| json!({
            "operations": [{"op": "update", "id": from, "data": {"notes": "n"}}],
            "dependencies": {"created": [{"predecessor": from, "successor": to, "dep_type": "FS", "lag": 0}]}
        });
        let (c, d) = (site.task("C", 1).await, site.task("D", 1).await);
        let (one, other) = tokio::join!(site.bulk(edges(&c, &d)), site.bulk(edges(&d, &c)));
        let applied = |answer: &Answer| answer["dependencies"]["applied"].as_array().unwrap().len();
        assert_eq!(applied(&one) + applied(&other), 1);
        assert_eq!((one["applied"].as_array().unwrap().len(), other["applied"].as_array().unwrap().len()), (1, 1));
        sound(&site).await;
    }

    async fn two_rows_never_end_up_below_each_other(app: &TestApp) {
        let site = Site::new(app).await;
        let (a, b) = (site.task("A", 1).await, site.task("B", 1).await);
        let put = async |id: &str, parent: &str| {
            site.owner.post(&site.at(&format!("tasks/{id}/reparent/")), json!({"new_parent_id": parent})).await
        };
        let (one, other) = tokio::join!(put(&a, &b), put(&b, &a));
        assert_eq!(statuses(&[&one, &other]), [200, 400]);
        assert_eq!(site.tasks().await.len(), 2);
        sound(&site).await;
    }

    async fn an_order_that_was_made_before_a_row_came_is_refused(app: &TestApp) {
        let site = Site::new(app).await;
        let (a, b) = (site.task("A", 1).await, site.task("B", 1).await);
        let (path, request) = (site.at("tasks/reorder/"), json!({"parent_path": "", "ordered_ids": [b, a]}));
        let (made, ordered) = tokio::join!(
            site.create(json!({"name": "C"})),
            site.owner.post(&path, request.clone()),
        );
        assert!([200, 400, 409].contains(&ordered.status), "{}", ordered.text);
        let expected = if ordered.status == 200 { ["1 B", "2 A", "3 C"] } else { ["1 A", "2 B", "3 C"] };
        assert_eq!(site.outline().await, expected);
        let stale = site.owner.post(&path, request).await;
        assert!([400, 409].contains(&stale.status), "{}", stale.text);
        assert_eq!(site.read(&made.id()).await["wbs_path"], "3");
    }

    async fn one_key_sent_twice_at_once_is_one_batch(app: &TestApp) {
        let site = Site::new(app).await;
        let keyed = site.owner.with_header("idempotency-key", "both");
        let request = json!({"operations": [{"op": "create", "data": {"name": "A"}}]});
        let path = site.at("tasks/bulk/");
        let (one, other) = tokio::join!(keyed.post(&path, request.clone()), keyed.post(&path, request));
        let both = statuses(&[&one, &other]);
        assert!(both == [207, 207] || both == [207, 409], "{both:?}");
        assert_eq!(site.outline().await, ["1 A"]);
    }

    async fn an_import_and_a_recalculation_do_not_get_into_each_others_way(app: &TestApp) {
        let site = Site::new(app).await;
        let (a, b) = (site.task("A", 2).await, site.task("B", 2).await);
        site.link(&a, &b).await;
        let document = json!({
            "schema_version": "2.0", "program": {"slug": "roads", "name": "Roads", "methodology": "WATERFALL"},
            "projects": [{"slug": "north", "name": "North", "methodology": "WATERFALL", "start_date": "2026-01-05",
                "tasks": [{"wbs_path": "1", "name": "N", "duration": 4}]}],
        });
        site.owner.post("/api/v1/programs/import/", document).await.expect(202);
        site.owner.post(&site.at("schedule/"), json!({})).await.expect(202);
        tokio::join!(app.run_jobs(), site.change(&a, json!({"duration": 3})), site.task("C", 1));
        app.run_jobs().await;
        assert_eq!(site.window(&b).await, "2026-01-08 to 2026-01-09");
        let imported = site.owner.get(&format!("{TASKS}?search=N&ordering=name")).await.expect(200);
        let north: Vec<&Value> = imported.results().iter().filter(|task| task["name"] == "N").collect();
        assert_eq!((north.len(), &north[0]["early_finish"]), (1, &json!("2026-01-08")));
        sound(&site).await;
    }

    async fn a_half_written_batch_is_never_seen(app: &TestApp) {
        let site = Site::new(app).await;
        let ids: Vec<String> = (0..40).map(|_| app.clock.mint::<Uuid>().to_string()).collect();
        let rows: Vec<Value> = ids.iter().map(|id| json!({"op": "create", "id": id, "data": {"name": "T"}})).collect();
        let edges: Vec<Value> = ids.windows(2).map(|pair| json!({"predecessor": pair[0], "successor": pair[1]})).collect();
        let list = format!("{TASKS}?project={}&page_size=500", site.project);
        let look = async || {
            let mut seen = Vec::new();
            for _ in 0..12 {
                let answer = site.owner.get(&list).await.expect(200);
                let dated = answer.results().iter().filter(|task| task["early_start"].is_string()).count();
                seen.push((answer.results().len(), dated));
            }
            seen
        };
        let batch = site.bulk(json!({"operations": rows, "dependencies": {"created": edges}}));
        let (seen, _) = tokio::join!(look(), batch);
        assert!(seen.iter().all(|counts| [(0, 0), (40, 40)].contains(counts)), "{seen:?}");
        app.later(Duration::minutes(1));
        sound(&site).await;
    }
}
