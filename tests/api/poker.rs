//! Planning poker: who votes, when votes are seen, and how a size comes to its task.

use futures_util::future::join;
use planwright_testkit::{TestApp, both_engines};
use serde_json::json;

use crate::site::Site;

/// A planned sprint with a task in it, and a round for that task.
struct Table<'a> {
    site: Site<'a>,
    sprint: String,
    task: String,
    round: String,
}

impl<'a> Table<'a> {
    async fn new(app: &'a TestApp) -> Self {
        let site = Site::new(app).await;
        let sprint = site.sprint("2026-01-05", "2026-01-16").await;
        let task = site.create(json!({"name": "Share", "type": "story", "sprint": sprint})).await.id();
        let path = format!("/api/v1/sprints/{sprint}/poker/");
        let round = site.owner.post(&path, json!({"task": task})).await.expect(201).id();
        Self { site, sprint, task, round }
    }

    fn of_sprint(&self) -> String {
        format!("/api/v1/sprints/{}/poker/", self.sprint)
    }

    fn step(&self, step: &str) -> String {
        format!("/api/v1/poker/{}/{step}/", self.round)
    }
}

both_engines! {
    async fn votes_are_hidden_until_they_are_revealed_and_a_size_is_committed(app: &TestApp) {
        let table = Table::new(app).await;
        let owner = &table.site.owner;
        let (mara, otto) = (table.site.person("mara", 100).await, table.site.person("otto", 100).await);
        mara.post(&table.step("vote"), json!({"value": 3})).await.expect(200);
        let own = mara.post(&table.step("vote"), json!({"value": 5, "comment": "Sync"})).await.expect(200);
        assert_eq!((&own["my_vote"], &own["vote_count"]), (&json!({"value": 5, "comment": "Sync"}), &json!(1)));
        let seen = otto.post(&table.step("vote"), json!({"value": null})).await.expect(200);
        assert_eq!((&seen["votes"], &seen["vote_count"]), (&json!([]), &json!(2)), "nobody sees the votes of others");
        assert_eq!(seen["participant_count"], 3);
        let early = owner.post(&table.step("commit"), json!({"points": 5})).await.expect(409);
        assert_eq!(early["code"], "not_revealed");
        let shown = owner.post(&table.step("reveal"), json!({})).await.expect(200);
        let values: Vec<_> = shown["votes"].as_array().unwrap().iter().map(|vote| (&vote["voter"]["username"], &vote["value"])).collect();
        assert_eq!(values, [(&json!("mara"), &json!(5)), (&json!("otto"), &json!(null))]);
        let late = mara.post(&table.step("vote"), json!({"value": 8})).await.expect(409);
        assert_eq!(late["code"], "not_open");
        let again = owner.post(&table.step("reopen"), json!({})).await.expect(200);
        assert_eq!((&again["votes"], &again["vote_count"]), (&json!([]), &json!(2)), "the votes stay and are hidden");
        owner.post(&table.step("reveal"), json!({})).await.expect(200);
        let done = owner.post(&table.step("commit"), json!({"points": 5})).await.expect(200);
        assert_eq!((&done["state"], &done["committed_points"]), (&json!("committed"), &json!(5)));
        let task = table.site.read(&table.task).await;
        assert_eq!((&task["story_points"], &task["server_version"]), (&json!(5), &json!(2)));
        let told = app.told("poker_session_updated").await;
        assert_eq!(told.len(), 8, "each step is told");
        assert!(told.iter().all(|event| event.3.as_object().unwrap().len() == 3), "no value travels");
        assert_eq!((&told[7].3["id"], &told[7].3["state"]), (&json!(table.round), &json!("committed")));
        let updated = app.told("task_updated").await;
        assert!(updated.last().unwrap().3["changed_fields"].as_array().unwrap().contains(&json!("story_points")));
        let history = owner.get(&table.site.at("history/?entity=task")).await.expect(200);
        assert!(history.text.contains("story_points"), "{}", history.text);
        assert_eq!(owner.get(&table.of_sprint()).await.expect(200).json, json!([]), "the round is over");
        owner.post(&table.step("cancel"), json!({})).await.expect(409);
    }

    async fn a_round_is_led_by_those_who_lead_and_the_team_votes(app: &TestApp) {
        let table = Table::new(app).await;
        let site = &table.site;
        let (member, viewer, stranger) = (site.person("mara", 100).await, site.person("vera", 1).await, app.person("sid").await);
        for step in ["reveal", "reopen", "commit", "cancel"] {
            member.post(&table.step(step), json!({"points": 5})).await.expect(403);
            stranger.post(&table.step(step), json!({"points": 5})).await.expect(404);
        }
        viewer.get(&table.of_sprint()).await.expect(200);
        viewer.post(&table.step("vote"), json!({"value": 5})).await.expect(403);
        stranger.post(&table.step("vote"), json!({"value": 5})).await.expect(404);
        stranger.get(&table.of_sprint()).await.expect(404);
        member.post(&table.of_sprint(), json!({"task": table.task})).await.expect(403);
        let twice = site.owner.post(&table.of_sprint(), json!({"task": table.task})).await.expect(409);
        assert_eq!((&twice["code"], &twice["session_id"]), (&json!("already_live"), &json!(table.round)));
        let elsewhere = site.task("Dig", 1).await;
        let wrong = site.owner.post(&table.of_sprint(), json!({"task": elsewhere})).await.expect(400);
        assert!(wrong["task"].is_array(), "{}", wrong.text);
        site.owner.post(&table.step("cancel"), json!({})).await.expect(200);
        site.owner.post(&table.of_sprint(), json!({"task": table.task})).await.expect(201);
    }

    async fn a_card_is_one_of_the_scale_of_the_project(app: &TestApp) {
        let table = Table::new(app).await;
        let owner = &table.site.owner;
        owner.post(&table.step("vote"), json!({"value": 4})).await.expect(400);
        owner.post(&table.step("vote"), json!({"value": 11})).await.expect(400);
        owner.post(&table.step("vote"), json!({})).await.expect(400);
        table.site.settle(json!({"estimation_scale": "linear"})).await;
        let voted = owner.post(&table.step("vote"), json!({"value": 4})).await.expect(200);
        assert_eq!(voted["cards"].as_array().unwrap().len(), 10);
        let wrong = owner.post(&table.step("vote"), json!({"value": 13})).await.expect(400);
        assert!(wrong["value"].is_array(), "{}", wrong.text);
        owner.post(&table.step("reveal"), json!({})).await.expect(200);
        let wrong = owner.post(&table.step("commit"), json!({"points": 21})).await.expect(400);
        assert!(wrong["points"].is_array(), "{}", wrong.text);
    }

    async fn of_two_reveals_at_once_one_is_too_late(app: &TestApp) {
        let table = Table::new(app).await;
        let owner = &table.site.owner;
        for _ in 0..5 {
            let path = table.step("reveal");
            let (one, other) = join(owner.post(&path, json!({})), owner.post(&path, json!({}))).await;
            let mut statuses = [one.status, other.status];
            statuses.sort_unstable();
            assert_eq!(statuses, [200, 409], "{} {}", one.text, other.text);
            owner.post(&table.step("reopen"), json!({})).await.expect(200);
        }
        let path = table.of_sprint();
        owner.post(&table.step("cancel"), json!({})).await.expect(200);
        let open = || owner.post(&path, json!({"task": table.task}));
        let (one, other) = join(open(), open()).await;
        let mut statuses = [one.status, other.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 409], "{} {}", one.text, other.text);
    }

    async fn nothing_is_sized_once_the_sprint_runs_or_the_task_has_left_it(app: &TestApp) {
        let table = Table::new(app).await;
        let owner = &table.site.owner;
        owner.post(&table.step("reveal"), json!({})).await.expect(200);
        table.site.change(&table.task, json!({"sprint": null})).await;
        let left = owner.post(&table.step("commit"), json!({"points": 5})).await.expect(409);
        assert_eq!(left["code"], "task_left_sprint");
        table.site.change(&table.task, json!({"sprint": table.sprint})).await;
        table.site.begin(&table.sprint).await;
        let running = owner.post(&table.step("commit"), json!({"points": 5})).await.expect(409);
        assert_eq!(running["code"], "sprint_not_planned");
        let late = owner.post(&table.of_sprint(), json!({"task": table.task})).await.expect(409);
        assert_eq!(late["code"], "sprint_not_planned");
        owner.post(&table.step("cancel"), json!({})).await.expect(200);
        assert_eq!(table.site.read(&table.task).await["story_points"], json!(null));
    }

    async fn a_round_goes_with_its_sprint_and_with_its_task(app: &TestApp) {
        let table = Table::new(app).await;
        let owner = &table.site.owner;
        owner.delete(&format!("/api/v1/tasks/{}/", table.task)).await.expect(204);
        assert_eq!(owner.get(&table.of_sprint()).await.expect(200).json, json!([]));
        owner.post(&table.step("commit"), json!({"points": 5})).await.expect(404);
        owner.delete(&format!("/api/v1/sprints/{}/", table.sprint)).await.expect(204);
        owner.post(&table.step("vote"), json!({"value": 5})).await.expect(404);
        owner.get(&table.of_sprint()).await.expect(404);
    }
}
