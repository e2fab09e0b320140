//! Two sprints of five people, with the schedule read after each step; and what happens to a sprint twice at once.

use futures_util::future::join;
use planwright_testkit::{Person, both_engines};
use serde_json::{Value, json};

use crate::site::{Site, ids};
use crate::sprints::sprint_path;

/// Five people around a project.
struct Crew<'a> {
    site: Site<'a>,
    master: Person<'a>,
    mara: Person<'a>,
    noor: Person<'a>,
    manager: Person<'a>,
    viewer: Person<'a>,
}

impl<'a> Crew<'a> {
    async fn new(app: &'a planwright_testkit::TestApp) -> Self {
        let site = Site::new(app).await;
        let (mara, noor) = (site.person("mara", 100).await, site.person("noor", 100).await);
        let master = site.person("sam", 100).await;
        site.give_facet(&master, json!({"is_scrum_master": true})).await;
        let manager = site.person("pia", 300).await;
        let viewer = site.person("vera", 1).await;
        Self { site, master, mara, noor, manager, viewer }
    }

    /// The computed windows of some tasks.
    async fn windows(&self, tasks: &[&String]) -> Vec<String> {
        let mut windows = Vec::new();
        for task in tasks {
            windows.push(self.site.window(task).await);
        }
        windows
    }

    async fn sprint(&self, name: &str, start: &str, finish: &str) -> String {
        let request = json!({"name": name, "start_date": start, "finish_date": finish});
        self.master.post(&self.site.at("sprints/"), request).await.expect(201).id()
    }

    async fn velocity(&self, person: &Person<'_>) -> Value {
        person.get(&self.site.at("velocity/")).await.expect(200).json
    }
}

both_engines! {
    async fn two_sprints_of_five_people_move_the_schedule_step_by_step(app: &TestApp) {
        let crew = Crew::new(app).await;
        let site = &crew.site;
        let (first, second) = (
            crew.sprint("First", "2026-01-05", "2026-01-16").await,
            crew.sprint("Second", "2026-01-19", "2026-01-30").await,
        );
        let story = |name: &str, days: i64, points: i64, sprint: &str| json!({"name": name, "duration": days,
            "story_points": points, "sprint": sprint, "delivery_mode": "scrum"});
        let build = site.create(story("Build", 3, 3, &first)).await.id();
        let test = site.create(story("Test", 4, 5, &first)).await.id();
        let ship = site.create(story("Ship", 2, 2, &second)).await.id();
        site.link(&build, &test).await;
        site.link(&test, &ship).await;
        let all = [&build, &test, &ship];
        assert_eq!(crew.windows(&all).await, ["2026-01-05 to 2026-01-07", "2026-01-08 to 2026-01-13", "2026-01-19 to 2026-01-20"]);

        crew.viewer.post(&format!("{}activate/", sprint_path(&first)), json!({})).await.expect(403);
        crew.master.post(&format!("{}activate/", sprint_path(&first)), json!({})).await.expect(200);
        assert_eq!(crew.windows(&all).await[1], "2026-01-08 to 2026-01-13", "a beginning moves nothing by itself");

        let late = crew.mara.post("/api/v1/tasks/", site.with_project(story("Late", 2, 1, &first))).await.expect(201).id();
        assert_eq!(site.read(&late).await["sprint_pending"], true);
        let changes = format!("{}scope-changes/", sprint_path(&first));
        let waiting = ids(&crew.mara.get(&changes).await.expect(200)["events"]);
        crew.noor.post(&format!("/api/v1/scope-changes/{}/accept/", waiting[0]), json!({})).await.expect(403);
        crew.master.post(&format!("/api/v1/scope-changes/{}/accept/", waiting[0]), json!({})).await.expect(200);
        assert_eq!(site.read(&late).await["sprint_pending"], false);

        let assign = |person: &Person<'_>| json!({"assignee": person.id});
        crew.manager.patch(&crate::site::task_path(&build), assign(&crew.mara)).await.expect(200);
        crew.mara.patch(&crate::site::task_path(&build), json!({"status": "COMPLETE", "actual_start": "2026-01-05", "actual_finish": "2026-01-09"})).await.expect(200);
        assert_eq!(crew.windows(&all).await[1], "2026-01-12 to 2026-01-15", "two days late, and the next task waits");

        crew.master.post(&format!("{}close/", sprint_path(&first)), json!({"carry_over_to": second})).await.expect(202);
        let carried = site.read(&test).await;
        assert_eq!((&carried["sprint"], &site.read(&build).await["sprint"]), (&json!(second), &json!(first)));
        assert_eq!(
            crew.windows(&all).await,
            ["2026-01-05 to 2026-01-09", "2026-01-19 to 2026-01-22", "2026-01-23 to 2026-01-26"],
            "what is carried over begins with its new sprint"
        );
        assert_eq!(crew.velocity(&crew.noor).await["sprints"][0]["completed_points"], 3);
        for person in [&crew.manager, &crew.viewer, &site.owner] {
            assert_eq!(crew.velocity(person).await["velocity_suppressed"], true);
        }

        crew.master.post(&format!("{}activate/", sprint_path(&second)), json!({})).await.expect(200);
        let begun = crew.mara.get(&sprint_path(&second)).await.expect(200);
        assert_eq!(begun["committed_points"], 8, "what was carried over is promised again");
        for task in [&test, &ship, &late] {
            site.change(task, json!({"status": "COMPLETE"})).await;
        }
        crew.master.post(&format!("{}close/", sprint_path(&second)), json!({})).await.expect(202);
        let closed = crew.noor.get(&sprint_path(&second)).await.expect(200);
        assert_eq!((&closed["completed_points"], &closed["goal_outcome"]), (&json!(8), &json!("MET")));
        let sprints = crew.velocity(&crew.mara).await["sprints"].clone();
        let mut done: Vec<i64> = sprints.as_array().unwrap().iter().filter_map(|row| row["completed_points"].as_i64()).collect();
        done.sort_unstable();
        assert_eq!(done, [3, 8]);
    }

    async fn of_two_closes_at_once_one_is_too_late(app: &TestApp) {
        let site = Site::new(app).await;
        let (sprint, _) = site.running("First", &[3, 5]).await;
        let (one, other) = join(site.act(&sprint, "close", json!({})), site.act(&sprint, "close", json!({}))).await;
        let mut codes = [one.status, other.status];
        codes.sort_unstable();
        assert_eq!(codes, [202, 400], "{} {}", one.text, other.text);
        assert_eq!(site.payloads("sprint_closed").await.len(), 1);
    }

    async fn work_that_is_accepted_and_rejected_at_once_is_one_of_both(app: &TestApp) {
        let site = Site::new(app).await;
        let (sprint, _) = site.running("First", &[3]).await;
        for round in 0..4 {
            let task = site.create(json!({"name": format!("Late {round}"), "sprint": sprint, "story_points": 2})).await.id();
            let list = format!("{}scope-changes/", sprint_path(&sprint));
            let events = site.owner.get(&list).await.expect(200)["events"].clone();
            let waiting = events.as_array().unwrap().iter().find(|row| row["task"] == json!(task)).unwrap();
            let path = format!("/api/v1/scope-changes/{}/", waiting["id"].as_str().unwrap());
            let decide = |way: &str| format!("{path}{way}/");
            let (accept, reject) = (decide("accept"), decide("reject"));
            join(site.owner.lenient().post(&accept, json!({})), site.owner.lenient().post(&reject, json!({}))).await;
            let row = site.read(&task).await;
            let events = site.owner.get(&list).await.expect(200)["events"].clone();
            let decided = events.as_array().unwrap().iter().find(|row| row["task"] == json!(task)).unwrap();
            match decided["status"].as_str() {
                Some("accepted") => assert_eq!((&row["sprint"], &row["sprint_pending"]), (&json!(sprint), &json!(false))),
                Some("rejected") => assert_eq!((&row["sprint"], &row["sprint_pending"]), (&Value::Null, &json!(false))),
                other => panic!("{other:?}"),
            }
        }
    }

    async fn a_sprint_that_begins_while_it_is_deleted_does_one_of_both(app: &TestApp) {
        let site = Site::new(app).await;
        for round in 0..4 {
            let sprint = site.plan_sprint(&format!("Round {round}")).await;
            let task = site.create(json!({"name": format!("Work {round}"), "sprint": sprint})).await.id();
            let path = sprint_path(&sprint);
            let owner = site.owner.lenient();
            let activate = format!("{path}activate/");
            let (begun, deleted) = join(owner.post(&activate, json!({})), owner.delete(&path)).await;
            let codes = (begun.status, deleted.status);
            let held = site.read(&task).await["sprint"].clone();
            match codes {
                (200, 400) => {
                    assert_eq!(held, json!(sprint));
                    site.act(&sprint, "cancel", json!({})).await.expect(200);
                }
                (404, 204) => assert_eq!(held, Value::Null, "{}", begun.text),
                other => panic!("{other:?}: {} {}", begun.text, deleted.text),
            }
        }
    }
}
