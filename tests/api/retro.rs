//! Retrospectives: who reads them, what they want done, and what becomes of it.

use futures_util::future::join;
use planwright_testkit::{Answer, TestApp, both_engines};
use serde_json::{Value, json};

use crate::site::{Site, task_path};

/// A project with a completed sprint.
struct Looked<'a> {
    site: Site<'a>,
    sprint: String,
}

impl<'a> Looked<'a> {
    async fn new(app: &'a TestApp) -> Self {
        let site = Site::new(app).await;
        let sprint = site.sprint("2026-01-05", "2026-01-16").await;
        site.begin(&sprint).await;
        site.close(&sprint).await;
        Self { site, sprint }
    }

    fn at(&self, rest: &str) -> String {
        format!("/api/v1/sprints/{}/{rest}", self.sprint)
    }

    async fn write(&self, body: Value) -> Answer {
        self.site.owner.post(&self.at("retro/"), body).await.expect(200)
    }

    fn action(&self, id: &Value, verb: &str) -> String {
        self.at(&format!("retrospective/action-items/{}/{verb}/", id.as_str().unwrap()))
    }
}

both_engines! {
    async fn a_retrospective_written_again_keeps_its_author_and_the_tasks_of_its_action_items(app: &TestApp) {
        let looked = Looked::new(app).await;
        let (site, mara) = (&looked.site, looked.site.person("mara", 100).await);
        mara.get(&looked.at("retro/")).await.expect(404);
        let wanted = json!([{"text": "Write tests", "assignee": mara.id}, {"text": "Buy cake"}]);
        let first = looked.write(json!({"notes": "Calm", "action_items": wanted})).await;
        assert_eq!((&first["kind"], &first["created_by"]), (&json!("full"), &json!(site.owner.id)));
        assert_eq!(first["action_items"][0]["assignee_username"], "mara");
        let promoted = mara.post(&looked.action(&first["action_items"][0]["id"], "promote"), json!({})).await.expect(201);
        let task = &promoted["task"];
        assert_eq!((&task["name"], &task["status"], &task["assignee"]), (&json!("Write tests"), &json!("BACKLOG"), &json!(mara.id)));
        let again = json!({"action_items": [{"text": "Sleep"}, {"text": "Write tests", "story_points": 2}]});
        let second = mara.post(&looked.at("retro/"), again).await.expect(200);
        assert_eq!((&second["created_by"], &second["notes"]), (&json!(site.owner.id), &json!("Calm")));
        let items = second["action_items"].as_array().unwrap();
        let texts: Vec<_> = items.iter().map(|item| &item["text"]).collect();
        assert_eq!(texts, ["Sleep", "Write tests"]);
        assert_eq!((&items[1]["id"], &items[1]["promoted_task_id"]), (&first["action_items"][0]["id"], &task["id"]));
        let renamed = json!({"action_items": [{"id": items[1]["id"], "text": "Write more tests"}]});
        let third = looked.write(renamed).await;
        assert_eq!(third["action_items"][0]["promoted_task_id"], task["id"]);
        let told = app.told("sprint_retro_updated").await;
        assert_eq!((told.len(), &told[0].3), (4, &json!({"sprint_id": looked.sprint})));
        let stranger = app.person("sid").await;
        let wrong = json!({"action_items": [{"text": "A"}, {"text": "", "story_points": 1000}]});
        let wrong = mara.post(&looked.at("retro/"), wrong).await.expect(400);
        assert!(wrong["action_items"][1]["text"].is_array() && wrong["action_items"][1]["story_points"].is_array());
        let foreign = json!({"action_items": [{"text": "A", "assignee": stranger.id}]});
        let foreign = mara.post(&looked.at("retro/"), foreign).await.expect(400);
        assert!(foreign["action_items"][0]["assignee"].is_array(), "{}", foreign.text);
    }

    async fn what_a_team_keeps_to_itself_is_counted_for_viewers(app: &TestApp) {
        let looked = Looked::new(app).await;
        let site = &looked.site;
        let (viewer, member) = (site.person("vera", 1).await, site.person("mara", 100).await);
        looked.write(json!({"notes": "Secret", "action_items": [{"text": "Secret too"}]})).await;
        site.owner.post(&looked.at("retro-board/"), json!({"text": "Secret as well"})).await.expect(201);
        let next = site.sprint("2026-01-19", "2026-01-30").await;
        let prior = format!("/api/v1/sprints/{next}/retrospective/prior/");
        let (retro, board) = (looked.at("retro/"), looked.at("retro-board/"));
        let carried = site.at("retrospective/carryover/");
        for path in [&retro, &board, &prior, &carried] {
            let shown = viewer.get(path).await.expect(200);
            assert!(!shown.text.contains("Secret"), "{path} {}", shown.text);
            assert!(member.get(path).await.expect(200).text.contains("Secret"), "{path}");
        }
        let summary = viewer.get(&retro).await.expect(200);
        assert_eq!((&summary["kind"], &summary["action_items_count"], &summary["promoted_count"]), (&json!("summary"), &json!(1), &json!(0)));
        viewer.post(&retro, json!({"notes": "Mine"})).await.expect(403);
        viewer.patch(&retro, json!({"team_visibility": "project"})).await.expect(403);
        member.patch(&retro, json!({"team_visibility": "project"})).await.expect(403);
        member.post(&retro, json!({"team_visibility": "project"})).await.expect(403);
        site.owner.patch(&retro, json!({"team_visibility": "project"})).await.expect(200);
        assert_eq!(viewer.get(&retro).await.expect(200)["notes"], "Secret");
        assert!(viewer.get(&board).await.expect(200).text.contains("Secret as well"));
        assert_eq!(viewer.get(&carried).await.expect(200)["items"].as_array().unwrap().len(), 1);
        let stranger = app.person("sid").await;
        stranger.get(&retro).await.expect(404);
        stranger.post(&retro, json!({})).await.expect(404);
    }

    async fn an_action_item_becomes_a_task_once_until_that_is_deleted(app: &TestApp) {
        let looked = Looked::new(app).await;
        let (site, mara) = (&looked.site, looked.site.person("mara", 100).await);
        let scheduler = site.person("sven", 200).await;
        let retro = looked.write(json!({"action_items": [{"text": "Write tests", "assignee": mara.id, "story_points": 3}]})).await;
        let id = &retro["action_items"][0]["id"];
        let promote = looked.action(id, "promote");
        scheduler.post(&promote, json!({})).await.expect(403);
        let task = site.owner.post(&promote, json!({})).await.expect(201)["task"].clone();
        assert_eq!((&task["assignee"], &task["story_points"], &task["sprint"]), (&json!(null), &json!(3), &json!(null)));
        let told = app.told("suggestion_created").await;
        assert_eq!((told.len(), &told[0].3["suggested_user_id"]), (1, &json!(mara.id)));
        let path = task_path(task["id"].as_str().unwrap());
        let suggestion = told[0].3["suggestion_id"].as_str().unwrap();
        mara.post(&format!("{path}suggestions/{suggestion}/accept/"), json!({})).await.expect(200);
        assert_eq!(mara.get(&path).await["assignee"], json!(mara.id));
        let again = site.owner.post(&promote, json!({})).await.expect(409);
        assert_eq!(again["task_id"], task["id"]);
        site.owner.delete(&path).await.expect(204);
        let shown = site.owner.get(&looked.at("retro/")).await.expect(200);
        assert_eq!(shown["action_items"][0]["promoted_task_id"], json!(null), "the action item is free again");
        site.owner.post(&promote, json!({})).await.expect(201);
        let other = site.sprint("2026-02-02", "2026-02-13").await;
        let foreign = format!("/api/v1/sprints/{other}/retrospective/action-items/{}/promote/", id.as_str().unwrap());
        site.owner.post(&foreign, json!({})).await.expect(404);
    }

    async fn the_task_of_an_action_item_goes_into_a_planned_sprint(app: &TestApp) {
        let looked = Looked::new(app).await;
        let (site, mara) = (&looked.site, looked.site.person("mara", 100).await);
        let next = site.sprint("2026-01-19", "2026-01-30").await;
        let retro = looked.write(json!({"action_items": [{"text": "Write tests"}]})).await;
        let pull = looked.action(&retro["action_items"][0]["id"], "pull-to-sprint");
        mara.post(&pull, json!({"target_sprint_id": next})).await.expect(403);
        let wrong = site.owner.post(&pull, json!({"target_sprint_id": looked.sprint})).await.expect(400);
        assert!(wrong["target_sprint_id"].is_array(), "{}", wrong.text);
        let pulled = site.owner.post(&pull, json!({"target_sprint_id": next})).await.expect(200);
        assert_eq!((&pulled["task"]["sprint"], &pulled["task"]["status"]), (&json!(next), &json!("NOT_STARTED")));
        let carried = site.owner.get(&site.at("retrospective/carryover/")).await.expect(200);
        let item = &carried["items"][0];
        assert_eq!((&item["promoted_task_id"], &item["promoted_task_status"]), (&pulled["task"]["id"], &json!("NOT_STARTED")));
        site.change(pulled["task"]["id"].as_str().unwrap(), json!({"status": "COMPLETE"})).await;
        let carried = site.owner.get(&site.at("retrospective/carryover/")).await.expect(200);
        assert_eq!(carried["items"], json!([]), "what is done is not carried");
    }

    async fn notes_are_put_on_the_board_moved_and_made_action_items(app: &TestApp) {
        let looked = Looked::new(app).await;
        let (site, mara) = (&looked.site, looked.site.person("mara", 100).await);
        let otto = site.person("otto", 100).await;
        let board = looked.at("retro-board/");
        let empty = mara.get(&board).await.expect(200);
        assert_eq!((empty["columns"].as_array().unwrap().len(), &empty["items"]), (3, &json!([])));
        let note = mara.post(&board, json!({"text": "Fewer meetings", "column": "to_improve", "color": "rose"})).await.expect(201);
        assert_eq!((&note["position"], &note["author_username"]), (&json!(0.0), &json!("mara")));
        let second = otto.post(&board, json!({"text": "Cake", "column": "to_improve"})).await.expect(201);
        assert_eq!(second["position"], 1.0);
        let one = format!("/api/v1/retro-items/{}/", note.id());
        otto.patch(&one, json!({"text": "More meetings"})).await.expect(403);
        otto.delete(&one).await.expect(403);
        let moved = otto.patch(&one, json!({"column": "ideas", "position": 2.5})).await.expect(200);
        assert_eq!((&moved["column"], &moved["position"]), (&json!("ideas"), &json!(2.5)));
        mara.patch(&one, json!({"text": "Shorter meetings"})).await.expect(200);
        mara.patch(&one, json!({"text": "x".repeat(2001)})).await.expect(400);
        mara.patch(&one, json!({"position": "NaN"})).await.expect(400);
        let convert = format!("{one}convert-to-action/");
        let action = otto.post(&convert, json!({})).await.expect(201);
        assert_eq!(action["text"], "Shorter meetings");
        assert_eq!(mara.post(&convert, json!({})).await.expect(200)["id"], action["id"]);
        let shown = mara.get(&board).await.expect(200);
        assert_eq!(shown["items"][1]["converted_action_item_id"], action["id"]);
        assert_eq!(mara.get(&looked.at("retro/")).await.expect(200)["action_items"][0]["id"], action["id"]);
        let told: Vec<_> = app.told("retro_item_").await.into_iter().map(|event| event.1).collect();
        assert_eq!(told, ["retro_item_created", "retro_item_created", "retro_item_moved", "retro_item_updated", "retro_item_updated"]);
        site.owner.delete(&one).await.expect(204);
        mara.patch(&one, json!({"text": "Gone"})).await.expect(404);
        let next = site.sprint("2026-01-19", "2026-01-30").await;
        let early = format!("/api/v1/sprints/{next}/retro-board/");
        mara.post(&early, json!({"text": "Too early"})).await.expect(400);
        site.begin(&next).await;
        let last = mara.post(&early, json!({"text": "In time"})).await.expect(201);
        site.owner.post(&format!("/api/v1/sprints/{next}/cancel/"), json!({})).await.expect(200);
        let last = format!("/api/v1/retro-items/{}/", last.id());
        mara.patch(&last, json!({"text": "Too late"})).await.expect(400);
    }

    async fn of_two_first_notes_at_once_both_are_on_one_board(app: &TestApp) {
        let looked = Looked::new(app).await;
        let (owner, mara) = (&looked.site.owner, looked.site.person("mara", 100).await);
        let board = looked.at("retro-board/");
        assert_eq!(owner.get(&board).await.expect(200)["retro"], json!(null));
        let (one, other) = join(
            owner.post(&board, json!({"text": "Cake"})),
            mara.post(&board, json!({"text": "Tea"})),
        )
        .await;
        assert_eq!(one.expect(201)["retro"], other.expect(201)["retro"]);
        let shown = owner.get(&board).await.expect(200);
        assert_eq!((&shown["items_count"], &shown["retro"]), (&json!(2), &owner.get(&looked.at("retro/")).await.expect(200)["id"]));
        let retro = looked.at("retro/");
        let (one, other) = join(
            owner.post(&retro, json!({"action_items": [{"text": "Bake"}]})),
            mara.post(&retro, json!({"action_items": [{"text": "Brew"}]})),
        )
        .await;
        assert_eq!(one.expect(200)["id"], other.expect(200)["id"]);
        let left = owner.get(&retro).await.expect(200);
        assert_eq!(left["action_items"].as_array().unwrap().len(), 1, "the second one replaced the first one's list");
    }

    async fn a_retrospective_comes_back_with_its_project(app: &TestApp) {
        let looked = Looked::new(app).await;
        let owner = &looked.site.owner;
        looked.write(json!({"notes": "Calm", "action_items": [{"text": "Rest"}]})).await;
        owner.post(&looked.at("retro-board/"), json!({"text": "Cake"})).await.expect(201);
        let before = owner.get(&looked.at("retro/")).await.expect(200);
        owner.delete(&looked.site.at("")).await.expect(204);
        owner.get(&looked.at("retro/")).await.expect(404);
        owner.post(&looked.site.at("restore/"), json!({})).await.expect(200);
        assert_eq!(owner.get(&looked.at("retro/")).await.expect(200).json, before.json);
        assert_eq!(owner.get(&looked.at("retro-board/")).await.expect(200)["items_count"], 1);
    }
}
