//! Classification from within: milestones that it makes, drawers, what it tells and keeps.
//! The contract's own promises are in `tasks_classification.rs`.

use planwright_testkit::{Answer, both_engines};
use serde_json::{Value, json};

use crate::site::{Site, text};

async fn classify(site: &Site<'_>, request: Value) -> Answer {
    site.owner.patch(&site.at("tasks/classification/"), request).await
}

async fn undo(site: &Site<'_>, answer: &Answer) -> Answer {
    let id = text(&answer["operation_id"]);
    site.owner
        .post(&format!("/api/v1/cascade-classification-operations/{id}/undo/"), json!({}))
        .await
        .expect(200)
}

both_engines! {
    async fn one_task_can_be_made_a_milestone_and_be_what_it_was_again(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("A", 3).await;
        let request = json!({"subtree": task, "cascade": false, "delivery_mode": "milestone", "governance_class": "gated"});
        let done = classify(&site, request).await.expect(200);
        assert_eq!((&done["delivery_mode"]["applied"], &done["governance"]["applied"]), (&json!(1), &json!(1)));
        let made = site.read(&task).await;
        assert_eq!((&made["is_milestone"], &made["duration"]), (&json!(true), &json!(0)));
        assert_eq!((&made["delivery_mode"], &made["governance_class"]), (&json!("milestone"), &json!("gated")));
        assert_eq!(undo(&site, &done).await["undo"], json!({"reverted": 1, "kept": 0}));
        let back = site.read(&task).await;
        assert_eq!((&back["is_milestone"], &back["duration"]), (&json!(false), &json!(3)));
        assert_eq!((&back["delivery_mode"], &back["governance_class"]), (&json!("waterfall"), &json!("flow")));
        let phase = site.task("P", 1).await;
        site.under(&phase, "B", 1).await;
        let request = json!({"subtree": phase, "cascade": false, "delivery_mode": "milestone"});
        assert_eq!(classify(&site, request).await.expect(400)["code"], "child_of_milestone");
    }

    async fn drawers_are_part_of_a_subtree_and_null_asks_for_nothing(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("A", 3).await;
        site.create(json!({"name": "S", "parent_id": task, "is_subtask": true})).await;
        let request = json!({"subtree": task, "governance_class": null, "delivery_mode": "kanban"});
        let done = classify(&site, request).await.expect(200);
        assert_eq!((&done["matched"], &done["delivery_mode"]["applied"]), (&json!(2), &json!(2)));
        assert!(done.json.get("governance").is_none(), "{}", done.text);
        let nothing = json!({"subtree": task, "governance_class": null, "delivery_mode": null});
        classify(&site, nothing).await.expect(400);
    }

    async fn what_changes_nothing_keeps_nothing_to_take_back(app: &TestApp) {
        let site = Site::new(app).await;
        let task = site.task("A", 3).await;
        let request = json!({"subtree": task, "delivery_mode": "waterfall"});
        let done = classify(&site, request).await.expect(200);
        assert_eq!((&done["operation_id"], &done["delivery_mode"]["unchanged"]), (&Value::Null, &json!(1)));
        let all = "/api/v1/cascade-classification-operations/";
        assert_eq!(site.owner.get(all).await.expect(200)["count"], 0);
        assert_eq!(site.read(&task).await["server_version"], 1);
    }

    async fn every_row_is_told_to_webhooks_and_taking_it_back_as_well(app: &TestApp) {
        let site = Site::new(app).await;
        let phase = site.task("P", 1).await;
        let child = site.under(&phase, "A", 2).await;
        site.hush().await;
        let request = json!({"subtree": phase, "delivery_mode": "scrum"});
        let done = classify(&site, request).await.expect(200);
        let expected = ["cpm_complete", "schedule.recalculated", "task.updated", "task.updated", "tasks_bulk_mutated"];
        assert_eq!(site.announced_names().await, expected);
        site.hush().await;
        let one = format!("/api/v1/cascade-classification-operations/{}/", text(&done["operation_id"]));
        let shown = site.owner.get(&one).await.expect(200);
        assert_eq!(shown["task_snapshots"][&child]["delivery_mode"], "waterfall");
        undo(&site, &done).await;
        assert_eq!(site.announced_names().await, expected);
        assert_eq!(site.read(&child).await["delivery_mode"], "waterfall");
        assert_eq!(site.read(&child).await["server_version"], 3);
    }
}
