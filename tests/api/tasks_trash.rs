//! Tasks that are deleted and brought back: exactly what one deletion took, nothing more.

use planwright_testkit::both_engines;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::site::{LINKS, Site, TASKS, check_outline, ids, task_path};

/// Where deleted tasks of the site are.
fn trash(site: &Site<'_>) -> String {
    format!("{TASKS}trash/?project={}", site.project)
}

/// How many links the owner sees.
async fn links(site: &Site<'_>) -> Value {
    site.owner.get(&format!("{LINKS}?project={}", site.project)).await.expect(200)["count"].clone()
}

both_engines! {
    async fn a_deletion_takes_the_row_and_its_links_and_moves_what_waited(app: &TestApp) {
        let site = Site::new(app).await;
        let (a, b, c) = (site.task("A", 3).await, site.task("B", 2).await, site.task("C", 1).await);
        site.link(&a, &b).await;
        site.link(&b, &c).await;
        assert_eq!(site.window(&c).await, "2026-01-12 to 2026-01-12");
        site.hush().await;
        site.owner.delete(&task_path(&b)).await.expect(204);
        let names = site.announced_names().await;
        for wanted in ["task.deleted", "task_deleted", "schedule.recalculated"] {
            assert_eq!(names.iter().filter(|name| *name == wanted).count(), 1, "{wanted} in {names:?}");
        }
        for wanted in ["dependency.deleted", "dependency_deleted"] {
            assert_eq!(names.iter().filter(|name| *name == wanted).count(), 2, "{wanted} in {names:?}");
        }
        assert_eq!(site.payloads("task.deleted").await[0]["id"], json!(b));
        assert_eq!(site.window(&c).await, "2026-01-05 to 2026-01-05");
        assert_eq!(links(&site).await, 0);
        for answer in [
            site.owner.get(&task_path(&b)).await, site.owner.delete(&task_path(&b)).await,
            site.owner.patch(&task_path(&b), json!({"name": "X"})).await,
        ] {
            assert_eq!((answer.status, &answer["detail"]), (404, &json!("Not found.")));
        }
        assert_eq!(site.outline().await, ["1 A", "2 C"]);
    }

    async fn a_restore_brings_the_row_its_links_and_its_dates_back(app: &TestApp) {
        let site = Site::new(app).await;
        let (a, b, c) = (site.task("A", 3).await, site.task("B", 2).await, site.task("C", 1).await);
        site.link(&a, &b).await;
        site.link(&b, &c).await;
        let before = site.read(&b).await;
        app.later(chrono::Duration::minutes(1));
        site.owner.delete(&task_path(&b)).await.expect(204);
        site.hush().await;
        let back = site.owner.post(&format!("{}restore/", task_path(&b)), json!({})).await.expect(200);
        assert_eq!(back["server_version"], 3);
        assert_eq!(back["edited_at"], before["edited_at"]);
        for field in ["name", "short_id", "duration", "parent_id", "early_start", "early_finish"] {
            assert_eq!(back[field], before[field], "{field}");
        }
        assert!(site.announced_names().await.contains(&"task_restored".to_owned()));
        assert_eq!(site.window(&c).await, "2026-01-12 to 2026-01-12");
        assert_eq!(links(&site).await, 2);
        check_outline(&site.tasks().await);
        let again = site.owner.post(&format!("{}restore/", task_path(&b)), json!({})).await;
        assert_eq!(again.status, 404, "what is live cannot be restored");
    }

    async fn a_link_comes_back_only_when_its_other_end_lives_and_nobody_made_it_anew(app: &TestApp) {
        let site = Site::new(app).await;
        let (a, b, c) = (site.task("A", 3).await, site.task("B", 2).await, site.task("C", 1).await);
        let direct = site.link(&a, &b).await;
        site.link(&b, &c).await;
        site.owner.delete(&format!("{LINKS}{direct}/")).await.expect(204);
        site.owner.delete(&task_path(&b)).await.expect(204);
        site.owner.delete(&task_path(&c)).await.expect(204);
        site.owner.post(&format!("{}restore/", task_path(&b)), json!({})).await.expect(200);
        assert_eq!(links(&site).await, 0, "the first was deleted before, the second has a dead end");
        site.owner.post(&format!("{}restore/", task_path(&c)), json!({})).await.expect(200);
        site.link(&a, &b).await;
        assert_eq!(site.window(&b).await, "2026-01-08 to 2026-01-09");
    }

    async fn drawer_subtasks_go_and_come_with_their_row_but_not_those_deleted_before(app: &TestApp) {
        let site = Site::new(app).await;
        let a = site.task("A", 3).await;
        let drawer = async |name: &str| {
            site.create(json!({"name": name, "parent_id": a, "is_subtask": true})).await.id()
        };
        let (early, late) = (drawer("early").await, drawer("late").await);
        site.owner.delete(&task_path(&early)).await.expect(204);
        site.owner.delete(&task_path(&a)).await.expect(204);
        site.owner.get(&task_path(&late)).await.expect(404);
        let deleted = site.owner.get(&trash(&site)).await.expect(200);
        let roots = ids(&deleted["results"]);
        assert_eq!(roots.len(), 2, "only what was deleted itself: {}", deleted.text);
        assert!(roots.contains(&a) && roots.contains(&early) && !roots.contains(&late));
        site.owner.post(&format!("{}restore/", task_path(&a)), json!({})).await.expect(200);
        assert_eq!(site.read(&late).await["parent_id"], json!(a));
        site.owner.get(&task_path(&early)).await.expect(404);
    }

    async fn the_trash_tells_what_is_in_it_and_who_may_take_it_out(app: &TestApp) {
        let site = Site::new(app).await;
        let (viewer, member) = (site.person("vic", 1).await, site.person("mia", 100).await);
        let id = site.create(json!({"name": "A", "assignee": member.id})).await.id();
        let other = site.task("B", 1).await;
        site.owner.get(&format!("{TASKS}trash/")).await.expect(400);
        assert_eq!(site.owner.get(&trash(&site)).await.expect(200).json, json!({"results": [], "truncated": false}));
        member.delete(&task_path(&other)).await.expect(403);
        member.delete(&task_path(&id)).await.expect(204);
        site.owner.delete(&task_path(&other)).await.expect(204);
        let rows = site.owner.get(&trash(&site)).await.expect(200)["results"].clone();
        let row = rows.as_array().unwrap().iter().find(|row| row["id"] == json!(id)).unwrap();
        assert_eq!((&row["name"], &row["type"], &row["status"]), (&json!("A"), &json!("task"), &json!("NOT_STARTED")));
        assert_eq!((&row["days_remaining"], &row["retention_days"]), (&json!(90), &json!(90)));
        assert_eq!((&row["can_restore"], &row["deleted_at"]), (&json!(true), &json!("2026-01-05T08:00:00Z")));
        let seen = viewer.get(&trash(&site)).await.expect(200);
        assert!(seen["results"].as_array().unwrap().iter().all(|row| row["can_restore"] == false));
        viewer.post(&format!("{}restore/", task_path(&id)), json!({})).await.expect(403);
        member.post(&format!("{}restore/", task_path(&other)), json!({})).await.expect(403);
        member.post(&format!("{}restore/", task_path(&id)), json!({})).await.expect(200);
        app.person("sue").await.get(&trash(&site)).await.expect(404);
    }

    async fn after_ninety_days_nothing_comes_back(app: &TestApp) {
        let mut site = Site::new(app).await;
        let id = site.task("A", 1).await;
        site.owner.delete(&task_path(&id)).await.expect(204);
        app.later(chrono::Duration::days(91));
        site.owner.sign_in_again().await;
        assert_eq!(site.owner.get(&trash(&site)).await.expect(200)["results"], json!([]));
        site.owner.post(&format!("{}restore/", task_path(&id)), json!({})).await.expect(404);
    }

    async fn the_rows_of_a_deleted_phase_stay_and_have_a_place(app: &TestApp) {
        let site = Site::new(app).await;
        let phase = site.task("P", 1).await;
        let (a, b) = (site.under(&phase, "A", 2).await, site.under(&phase, "B", 2).await);
        let last = site.task("Z", 1).await;
        site.link(&a, &last).await;
        site.owner.delete(&task_path(&phase)).await.expect(204);
        let tasks = site.tasks().await;
        check_outline(&tasks);
        assert_eq!(tasks.len(), 3);
        for child in [&a, &b] {
            assert_eq!(site.read(child).await["parent_id"], Value::Null);
            assert_eq!(site.window(child).await, "2026-01-05 to 2026-01-06");
        }
        assert_eq!(site.window(&last).await, "2026-01-07 to 2026-01-07");
        site.owner.post(&format!("{}restore/", task_path(&phase)), json!({})).await.expect(200);
        check_outline(&site.tasks().await);
    }

    async fn a_row_whose_parent_is_gone_is_restored_into_the_outline_all_the_same(app: &TestApp) {
        let site = Site::new(app).await;
        let phase = site.task("P", 1).await;
        let child = site.under(&phase, "A", 2).await;
        site.owner.delete(&task_path(&child)).await.expect(204);
        site.owner.delete(&task_path(&phase)).await.expect(204);
        let back = site.owner.post(&format!("{}restore/", task_path(&child)), json!({})).await.expect(200);
        assert_eq!((&back["parent_id"], &back["wbs_path"]), (&Value::Null, &json!("1")));
        assert_eq!(back["early_finish"], "2026-01-06");
        let unknown: Uuid = app.clock.mint();
        site.owner.post(&format!("{}restore/", task_path(&unknown.to_string())), json!({})).await.expect(404);
    }
}
