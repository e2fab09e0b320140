//! Sprints themselves: planned, read, changed, deleted; who may do what with them.

use planwright_testkit::both_engines;
use serde_json::{Value, json};

use crate::site::{Site, text};

/// A sprint of two weeks from Monday 5 January 2026.
pub fn two_weeks(name: &str) -> Value {
    json!({"name": name, "start_date": "2026-01-05", "finish_date": "2026-01-16"})
}

/// The path of a sprint.
pub fn sprint_path(id: &str) -> String {
    format!("/api/v1/sprints/{id}/")
}

both_engines! {
    async fn a_sprint_is_planned_read_changed_and_deleted_and_everybody_hears_of_it(app: &TestApp) {
        let site = Site::new(app).await;
        site.settle(json!({"code": "BR"})).await;
        let all = site.at("sprints/");
        let made = site.owner.post(&all, two_weeks("Foundations")).await.expect(201);
        assert_eq!((&made["state"], &made["goal"], &made["committed_points"]), (&json!("PLANNED"), &json!(""), &Value::Null));
        assert_eq!((&made["short_id"], &made["qualified_id"]), (&json!("00000001"), &json!("BR-SP-1")));
        assert_eq!(made["created_by"], json!(site.owner.id));
        let one = sprint_path(&made.id());
        let changed = site.owner.patch(&one, json!({"goal": "Dry feet", "capacity_points": 20})).await.expect(200);
        assert_eq!((&changed["goal"], &changed["capacity_points"], &changed["server_version"]), (&json!("Dry feet"), &json!(20), &json!(2)));
        assert_eq!(site.owner.get(&one).await.expect(200).json, changed.json);
        site.owner.with_header("if-match", "\"v1\"").patch(&one, json!({"goal": "Wet feet"})).await.expect(412);
        site.owner.put(&one, json!({"name": "Piers"})).await.expect(400);
        site.owner.put(&one, two_weeks("Piers")).await.expect(200);
        let told: Vec<String> = app.told("sprint_").await.into_iter().map(|event| event.1).collect();
        assert_eq!(told, ["sprint_created", "sprint_updated", "sprint_updated"]);
        site.owner.delete(&one).await.expect(204);
        site.owner.get(&one).await.expect(404);
        let history = site.owner.get(&site.at("history/?entity=sprint")).await.expect(200);
        assert_eq!(history["count"], 4);
    }

    async fn a_list_of_sprints_begins_with_the_first_day_and_is_narrowed_by_state(app: &TestApp) {
        let site = Site::new(app).await;
        let all = site.at("sprints/");
        for (name, start, finish) in [("B", "2026-01-19", "2026-01-30"), ("A", "2026-01-05", "2026-01-16")] {
            let request = json!({"name": name, "start_date": start, "finish_date": finish});
            site.owner.post(&all, request).await.expect(201);
        }
        let names = |answer: &planwright_testkit::Answer| -> Vec<String> {
            answer.results().iter().map(|row| text(&row["name"]).to_owned()).collect()
        };
        assert_eq!(names(&site.owner.get(&all).await.expect(200)), ["A", "B"]);
        assert_eq!(names(&site.owner.get(&format!("{all}?ordering=-name")).await.expect(200)), ["B", "A"]);
        assert_eq!(site.owner.get(&format!("{all}?state=ACTIVE")).await.expect(200)["count"], 0);
        site.owner.get(&format!("{all}?state=OVER")).await.expect(400);
    }

    async fn all_wrong_fields_of_a_sprint_are_told_at_once(app: &TestApp) {
        let site = Site::new(app).await;
        let all = site.at("sprints/");
        let wrong = json!({"name": "", "start_date": "soon", "finish_date": "2026-01-16", "capacity_points": -1});
        let refused = site.owner.post(&all, wrong).await.expect(400);
        for field in ["name", "start_date", "capacity_points"] {
            assert!(refused[field].is_array(), "{field}: {}", refused.text);
        }
        let backwards = json!({"name": "A", "start_date": "2026-01-16", "finish_date": "2026-01-16"});
        let refused = site.owner.post(&all, backwards).await.expect(400);
        assert!(refused["finish_date"].is_array(), "{}", refused.text);
        let mut strange = two_weeks("A");
        strange["target_milestone"] = json!(site.task("Dig", 1).await);
        let refused = site.owner.post(&all, strange).await.expect(400);
        assert!(refused["target_milestone"].is_array(), "{}", refused.text);
    }

    async fn members_plan_sprints_and_higher_roles_rate_and_delete_them(app: &TestApp) {
        let site = Site::new(app).await;
        let (viewer, member) = (site.person("vera", 1).await, site.person("mara", 100).await);
        let scheduler = site.person("rolf", 200).await;
        let all = site.at("sprints/");
        viewer.post(&all, two_weeks("A")).await.expect(403);
        let made = member.post(&all, two_weeks("A")).await.expect(201);
        let one = sprint_path(&made.id());
        viewer.get(&one).await.expect(200);
        member.patch(&one, json!({"notes": "Wet"})).await.expect(200);
        member.patch(&one, json!({"capacity_points": 8})).await.expect(403);
        scheduler.patch(&one, json!({"capacity_points": 8, "goal_outcome": "PARTIAL"})).await.expect(200);
        scheduler.delete(&one).await.expect(403);
        app.person("nobody").await.get(&one).await.expect(404);
        site.owner.delete(&one).await.expect(204);
    }

    async fn tasks_of_a_deleted_sprint_stay_without_one(app: &TestApp) {
        let site = Site::new(app).await;
        let made = site.owner.post(&site.at("sprints/"), two_weeks("A")).await.expect(201);
        let task = site.create(json!({"name": "Dig", "sprint": made.id()})).await;
        assert_eq!(task["early_start"], "2026-01-05");
        site.hush().await;
        site.owner.delete(&sprint_path(&made.id())).await.expect(204);
        let after = site.read(&task.id()).await;
        assert_eq!((&after["sprint"], &after["server_version"]), (&Value::Null, &json!(2)));
        assert_eq!(site.payloads("tasks_bulk_mutated").await, [json!({"task_ids": [task.id()]})]);
    }

    async fn a_sprint_that_begins_later_moves_the_tasks_that_begin_with_it(app: &TestApp) {
        let site = Site::new(app).await;
        let made = site.owner.post(&site.at("sprints/"), two_weeks("A")).await.expect(201);
        let task = site.create(json!({"name": "Dig", "sprint": made.id()})).await;
        site.owner.patch(&sprint_path(&made.id()), json!({"start_date": "2026-01-07"})).await.expect(200);
        assert_eq!(site.window(&task.id()).await, "2026-01-07 to 2026-01-07");
    }
}
