//! Suggestions that somebody takes a task: accepted, declined, taken back.

use planwright_testkit::both_engines;
use serde_json::json;

use crate::site::{Site, task_path};

both_engines! {
    async fn a_person_takes_a_task_that_was_suggested_to_them(app: &TestApp) {
        let site = Site::new(app).await;
        let (mara, other) = (site.person("mara", 100).await, site.person("otto", 100).await);
        let task = site.task("Dig", 1).await;
        let id = app.suggestion(&task, mara.id, site.owner.id).await;
        let path = |verb: &str| format!("{}suggestions/{id}/{verb}/", task_path(&task));
        other.post(&path("accept"), json!({})).await.expect(403);
        let taken = mara.lenient().post(&path("accept"), json!({"name": "Dig"})).await.expect(200);
        assert_eq!((&taken["id"], &taken["state"], taken["accepted_at"].is_string()), (&json!(id), &json!("accepted"), true));
        assert_eq!(site.read(&task).await["assignee"], json!(mara.id));
        assert_eq!(app.told("task.assigned").await.len(), 1);
        for verb in ["accept", "decline"] {
            let late = mara.post(&path(verb), json!({})).await.expect(409);
            assert_eq!(late["state"], "accepted");
        }
        let list = format!("{}suggestions/", task_path(&task));
        assert_eq!(mara.get(&list).await.expect(200).json[0]["state"], "accepted");
        assert_eq!(other.get(&list).await.expect(200).json, json!([]), "it does not concern him");
    }

    async fn a_suggestion_is_declined_by_whom_it_is_for_and_taken_back_by_whom_it_is_from(app: &TestApp) {
        let site = Site::new(app).await;
        let (mara, otto) = (site.person("mara", 100).await, site.person("otto", 100).await);
        let (manager, stranger) = (site.person("pia", 300).await, app.person("stranger").await);
        let task = site.task("Dig", 1).await;
        let path = |id: &str, verb: &str| format!("{}suggestions/{id}/{verb}/", task_path(&task));
        let id = app.suggestion(&task, mara.id, otto.id).await;
        stranger.post(&path(&id, "decline"), json!({})).await.expect(404);
        otto.post(&path(&id, "decline"), json!({})).await.expect(403);
        let declined = mara.post(&path(&id, "decline"), json!({})).await.expect(200);
        assert_eq!((&declined["state"], declined["declined_at"].is_string()), (&json!("declined"), true));
        let id = app.suggestion(&task, mara.id, otto.id).await;
        mara.post(&path(&id, "revoke"), json!({})).await.expect(403);
        otto.post(&path(&id, "revoke"), json!({})).await.expect(200);
        let id = app.suggestion(&task, mara.id, otto.id).await;
        manager.post(&path(&id, "revoke"), json!({})).await.expect(200);
        let told = app.told("suggestion_").await;
        let names: Vec<&str> = told.iter().map(|event| event.1.as_str()).collect();
        assert_eq!(names, ["suggestion_declined", "suggestion_revoked", "suggestion_revoked"]);
        assert_eq!(told[1].3.as_object().unwrap().keys().collect::<Vec<_>>(), ["id", "task_id"], "nobody is named");
        let elsewhere = site.task("Fill", 1).await;
        let foreign = format!("{}suggestions/{id}/revoke/", task_path(&elsewhere));
        manager.post(&foreign, json!({})).await.expect(404);
    }

    async fn a_task_that_somebody_else_has_by_now_stays_with_them(app: &TestApp) {
        let site = Site::new(app).await;
        let (mara, otto) = (site.person("mara", 100).await, site.person("otto", 100).await);
        let task = site.task("Dig", 1).await;
        let id = app.suggestion(&task, mara.id, site.owner.id).await;
        site.change(&task, json!({"assignee": otto.id})).await;
        let path = format!("{}suggestions/{id}/accept/", task_path(&task));
        let late = mara.post(&path, json!({})).await.expect(409);
        assert_eq!((&late["task_id"], &late["current_assignee_id"]), (&json!(task), &json!(otto.id)));
        assert_eq!(site.read(&task).await["assignee"], json!(otto.id));
        let again = mara.post(&path, json!({})).await.expect(409);
        assert_eq!(again["state"], "accepted", "her answer is kept");
    }
}
