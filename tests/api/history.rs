//! What was changed in a project and of a task, and what a person has to finish this week.

use planwright_domain::ids::{ProjectId, TaskId};
use planwright_domain::words::ChangeKind;
use planwright_store::history::Change;
use planwright_store::sql;
use planwright_testkit::{Person, TestApp, both_engines};
use serde_json::{Map, Value as Json, json};

use crate::bridges::Bridges;
use crate::site::{LINKS, Site, task_path};

/// Records changes of the task of a plan, a second apart.
async fn change(app: &TestApp, person: &Person<'_>, plan: &Bridges, changes: &[Json]) {
    let task: TaskId = plan.task.parse().unwrap();
    let project: ProjectId = plan.project.parse().unwrap();
    for (version, fields) in (2..).zip(changes) {
        let mut tx = app.app.db.begin().await.unwrap();
        let fields: Map<String, Json> = fields.as_object().unwrap().clone();
        let updated = Change::of("task", task, ChangeKind::Updated, person.id);
        tx.record(Change { project: Some(project), version, fields, ..updated }).await.unwrap();
        tx.commit().await.unwrap();
        app.later(chrono::Duration::seconds(1));
    }
}

both_engines! {
    async fn the_history_of_a_project_names_who_changed_what(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        let path = format!("/api/v1/projects/{}/", plan.project);
        owner.patch(&path, json!({"name": "South bridge"})).await.expect(200);
        let page = owner.get(&format!("{path}history/")).await.expect(200);
        assert_eq!((&page["count"], &page["count_truncated"], &page["next"]), (&json!(2), &json!(false), &Json::Null));
        let newest = &page["results"][0];
        assert_eq!((&newest["history_type"], &newest["entity"], &newest["version"]), (&json!("~"), &json!("project"), &json!(2)));
        assert_eq!(newest["history_user"]["username"], "owner");
        assert_eq!(newest["diff"], json!([{"field": "name", "old": "North bridge", "new": "South bridge", "hidden": false}]));
        assert_eq!(page["results"][1]["history_type"], "+");
        let all = owner.get(&format!("{path}history/?entity=all&page_size=1")).await.expect(200);
        assert_eq!((all["count"].as_i64(), all.results().len()), (Some(3), 1));
        assert!(all["next"].is_string());
        owner.get(&format!("{path}history/?page=9")).await.expect(404);
        let nobody = owner.get(&format!("{path}history/?actor={}", crate::served::NOWHERE)).await.expect(200);
        assert_eq!(nobody["count"], 0);
        let summary = owner.get(&format!("{path}history/summary/?entity=all")).await.expect(200);
        assert_eq!((&summary["total"], &summary["by_type"]), (&json!(3), &json!({"+": 2, "~": 1})));
        assert_eq!(summary["by_entity"], json!({"project": 2, "project_member": 1}));
        assert_eq!((&summary["by_user"][0]["user"]["username"], &summary["by_user"][0]["count"]), (&json!("owner"), &json!(3)));
    }

    async fn the_history_of_a_task_is_paged_and_shows_each_value_as_text(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        let changes = [json!({"name": ["A", "B"]}), json!({"duration": [1, 2]}), json!({"status": ["NOT_STARTED", "REVIEW"]})];
        change(app, &owner, &plan, &changes).await;
        let path = format!("/api/v1/projects/{}/tasks/{}/history/", plan.project, plan.task);
        let first = owner.get(&format!("{path}?page_size=2")).await.expect(200);
        let fields = |page: &Json| -> Vec<Json> {
            page["results"].as_array().unwrap().iter().map(|row| row["diff"][0]["field"].clone()).collect()
        };
        assert_eq!((fields(&first.json), &first["count"], &first["previous"]), (vec![json!("status"), json!("duration")], &json!(3), &Json::Null));
        let duration = &first["results"][1];
        assert_eq!(duration["diff"][0], json!({"field": "duration", "old": "1", "new": "2", "hidden": false}));
        assert_eq!((&duration["event_type"], &duration["detail"]), (&json!("task_updated"), &json!({"fields": ["duration"]})));
        assert_eq!(duration["actor"], json!({"id": owner.id, "display_name": "owner"}));
        assert_eq!((&duration["history_user"], &duration["history_user_display"]), (&json!(owner.id), &json!("owner")));
        assert_eq!((&duration["history_type"], &duration["history_date"]), (&json!("~"), &duration["timestamp"]));
        let rest = owner.get(&format!("{path}?page_size=2&page=2")).await.expect(200);
        assert_eq!((fields(&rest.json), &rest["next"]), (vec![json!("name")], &Json::Null));
        let before = owner.get(&format!("{path}?until={}", duration["timestamp"].as_str().unwrap())).await.expect(200);
        assert_eq!(fields(&before.json), ["name"]);
        owner.get(&format!("{path}?page_size=2&page=3")).await.expect(404);
        let other = Bridges::of(app, &owner).await;
        owner.get(&format!("/api/v1/projects/{}/tasks/{}/history/", plan.project, other.task)).await.expect(404);
    }

    async fn why_a_task_is_blocked_is_told_to_whoever_does_it(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        change(app, &owner, &plan, &[json!({"blocked_reason": ["", "No money"]})]).await;
        let path = format!("/api/v1/projects/{}/tasks/{}/history/", plan.project, plan.task);
        let hidden = owner.get(&path).await.expect(200);
        assert_eq!((&hidden["results"][0]["diff"][0]["new"], &hidden["results"][0]["diff"][0]["hidden"]), (&Json::Null, &json!(true)));
        assign(app, &plan, &owner).await;
        assert_eq!(owner.get(&path).await.expect(200)["results"][0]["diff"][0]["new"], "No money");
        let of_project = owner.get(&format!("/api/v1/projects/{}/history/?entity=task", plan.project)).await.expect(200);
        assert_eq!(of_project["results"][0]["diff"][0]["new"], Json::Null);
    }

    async fn my_week_holds_what_i_am_to_finish_in_it(app: &TestApp) {
        let owner = app.person("owner").await;
        let plan = Bridges::of(app, &owner).await;
        let path = format!("/api/v1/projects/{}/my-tasks/", plan.project);
        assert_eq!(owner.get(&path).await.expect(200)["tasks"], json!([]));
        assign(app, &plan, &owner).await;
        let mine = owner.get(&path).await.expect(200);
        assert_eq!((&mine["tasks"][0]["name"], &mine["tasks"][0]["due"]), (&json!("Survey"), &json!("2026-01-07")));
        assert_eq!((&mine["tasks"][0]["owner_name"], &mine["tasks"][0]["owner_initials"]), (&json!("owner"), &json!("OW")));
        assert_eq!(mine["tasks"][0]["is_critical"], true);
        app.later(chrono::Duration::days(7));
        let mut owner = owner;
        owner.sign_in_again().await;
        assert_eq!(owner.get(&path).await.expect(200)["tasks"], json!([]));
    }
}

both_engines! {
    async fn links_and_rules_that_came_and_went_are_told_with_all_they_said(app: &TestApp) {
        let site = Site::new(app).await;
        let (a, b) = (site.task("A", 2).await, site.task("B", 2).await);
        let request = json!({"predecessor": a, "successor": b, "dep_type": "SS", "lag": 3});
        let link = site.owner.post(LINKS, request).await.expect(201).id();
        let rules = "/api/v1/recurrence-rules/";
        let rule = json!({"task": a, "frequency": "WEEKLY", "weekdays": 5});
        let none = json!({"task": b, "frequency": "DAILY", "end_type": "AFTER_N", "end_count": 0});
        assert!(site.owner.post(rules, none).await.expect(400)["end_count"].is_array(), "it could never make anything");
        let rule = site.owner.post(rules, rule).await.expect(201).id();
        site.owner.delete(&format!("{LINKS}{link}/")).await.expect(204);
        site.owner.delete(&format!("{rules}{rule}/")).await.expect(204);
        for (kind, told) in [
            ("dependency", json!({"predecessor": a, "successor": b, "dep_type": "SS", "lag": 3})),
            ("recurrence_rule", json!({"task": a, "frequency": "WEEKLY", "weekdays": 5})),
        ] {
            let page = site.owner.get(&site.at(&format!("history/?entity={kind}"))).await.expect(200);
            for (row, sign, side, other) in [(0, "-", "old", "new"), (1, "+", "new", "old")] {
                let row = &page["results"][row];
                assert_eq!(row["history_type"], sign);
                let diff = row["diff"].as_array().unwrap();
                for (field, value) in told.as_object().unwrap() {
                    let entry = diff.iter().find(|entry| entry["field"] == field.as_str()).unwrap();
                    assert_eq!((&entry[side], &entry[other]), (value, &Json::Null), "{kind} {field}");
                }
                assert!(diff.iter().all(|entry| entry["field"] != "id"));
            }
        }
        let again = site.link(&a, &b).await;
        site.owner.delete(&task_path(&a)).await.expect(204);
        let page = site.owner.get(&site.at(&format!("history/?entity=dependency&entity_id={again}"))).await.expect(200);
        let gone = &page["results"][0]["diff"];
        assert!(gone.as_array().unwrap().iter().any(|entry| entry["old"] == json!(b)), "{gone}");
    }

    async fn a_kind_of_row_that_no_history_tells_of_is_refused(app: &TestApp) {
        let site = Site::new(app).await;
        for history in ["history/", "history/summary/"] {
            let refused = site.owner.get(&site.at(&format!("{history}?entity=nonsense"))).await.expect(400);
            assert!(refused["entity"].is_array(), "{}", refused.text);
            site.owner.get(&site.at(&format!("{history}?entity=risk"))).await.expect(200);
        }
    }
}

async fn assign(app: &TestApp, plan: &Bridges, person: &Person<'_>) {
    let mut tx = app.app.db.begin().await.unwrap();
    let task: TaskId = plan.task.parse().unwrap();
    let update = "UPDATE tasks SET assignee_id = :person WHERE id = :task";
    tx.run(sql!(update, person = person.id, task = task)).await.unwrap();
    tx.commit().await.unwrap();
}
