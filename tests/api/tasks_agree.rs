//! Parts of a task that say one thing and have to agree, and what is sent back as it was shown.

use planwright_testkit::both_engines;
use serde_json::{Value, json};

use crate::site::{Site, TASKS, task_path};

both_engines! {
    async fn a_reason_that_one_cannot_read_survives_the_way_there_and_back(app: &TestApp) {
        let site = Site::new(app).await;
        let member = site.person("mia", 100).await;
        let id = site.create(json!({"name": "A", "assignee": member.id, "blocked_reason": "No crane"})).await.id();
        let path = task_path(&id);
        let mut whole = site.read(&id).await.json;
        assert_eq!((&whole["blocked_reason"], &whole["is_impediment"]), (&json!(""), &json!(true)));
        let unchanged = site.owner.lenient().put(&path, whole.clone()).await.expect(200);
        assert_eq!((&unchanged["server_version"], &unchanged["is_impediment"]), (&json!(1), &json!(true)));
        whole["name"] = json!("B");
        whole["blocker_type"] = json!("vendor");
        site.owner.lenient().put(&path, whole.clone()).await.expect(200);
        let theirs = member.get(&path).await.expect(200);
        assert_eq!((&theirs["name"], &theirs["blocked_reason"]), (&json!("B"), &json!("No crane")));
        whole["blocker_type"] = json!("");
        let free = site.owner.lenient().put(&path, whole).await.expect(200);
        assert_eq!((&free["is_impediment"], &free["blocked_by"]), (&json!(false), &Value::Null));
        site.change(&id, json!({"blocked_reason": "Rain"})).await;
        let free = site.change(&id, json!({"blocked_reason": ""})).await;
        assert_eq!(free["is_impediment"], false, "alone it means what it says");
        site.change(&id, json!({"blocked_reason": "Rain"})).await;
        let mut own = member.get(&path).await.expect(200).json;
        own["blocked_reason"] = json!("");
        assert_eq!(member.lenient().put(&path, own).await.expect(200)["is_impediment"], false, "who reads it means it");
    }

    async fn a_milestone_finishes_where_it_starts(app: &TestApp) {
        let site = Site::new(app).await;
        let gate = json!({"name": "Gate", "is_milestone": true, "planned_start": "2026-01-07", "planned_finish": "2026-01-09"});
        let refused = site.owner.post(TASKS, site.with_project(gate.clone())).await.expect(400);
        assert!(refused["planned_finish"].is_array(), "{}", refused.text);
        let mut fine = gate;
        fine["planned_finish"] = json!("2026-01-07");
        let id = site.create(fine).await.id();
        let refused = site.refuse(&id, json!({"planned_finish": "2026-01-09"})).await;
        assert!(refused["planned_finish"].is_array(), "{}", refused.text);
        let longer = json!({"planned_finish": "2026-01-09", "is_milestone": false, "planned_start": "2026-01-07"});
        assert_eq!(site.change(&id, longer).await["duration"], 3);
    }

    async fn the_role_of_a_milestone_is_one_of_its_signs(app: &TestApp) {
        let site = Site::new(app).await;
        let gate = site.create(json!({"name": "Gate", "structure_role": "milestone"})).await;
        assert_eq!((&gate["is_milestone"], &gate["duration"]), (&json!(true), &json!(0)));
        assert_eq!((&gate["delivery_mode"], &gate["structure_role"]), (&json!("milestone"), &json!("milestone")));
        let same = site.owner.lenient().put(&task_path(&gate.id()), gate.json.clone()).await.expect(200);
        assert_eq!(same["server_version"], 1, "what was shown says nothing new");
        let work = site.change(&gate.id(), json!({"structure_role": "work"})).await;
        assert_eq!((&work["is_milestone"], &work["duration"]), (&json!(false), &json!(1)));
        let torn = json!({"structure_role": "milestone", "duration": 3});
        let refused = site.refuse(&gate.id(), torn).await;
        assert_eq!(refused["code"], "milestone_signal_conflict", "{}", refused.text);
        let again = site.change(&gate.id(), json!({"is_milestone": true, "structure_role": "work"})).await;
        assert_eq!((&again["is_milestone"], &again["structure_role"]), (&json!(true), &json!("milestone")));
    }
}
