//! The rows of the world that teams make: sprints, backlogs, criteria, suggestions, poker, retrospectives, pulses.

use serde_json::json;

use super::build::{Builder, PROGRAMS};
use crate::site::{TASKS, project_path, task_path, text};

impl Builder<'_> {
    /// Sprints of North that are over, with outcomes and suggested durations; work that came into the running one of South; a
    /// proposal on which the team votes.
    pub(super) async fn sprints(&mut self) {
        let (north, south) = (project_path(&self.north), project_path(&self.south));
        for round in 1..=4 {
            let sprint = self.sprint(&north, &format!("Round {round}")).await;
            for number in 1..=self.size {
                let request = json!({"name": format!("Item {round}.{number}"), "project": self.north,
                    "sprint": sprint, "story_points": 20, "duration": 50});
                let task = self.owner.post(TASKS, request).await.expect(201).id();
                if round < 4 {
                    self.owner.patch(&task_path(&task), json!({"status": "COMPLETE"})).await.expect(200);
                }
            }
            let one = format!("/api/v1/sprints/{sprint}/");
            self.owner.post(&format!("{one}activate/"), json!({})).await.expect(200);
            self.owner.post(&format!("{one}close/"), json!({})).await.expect(202);
            self.rows_of_operations
                .insert(("GET /api/v1/sprints/{}/close-request/", "sprints"), sprint.clone());
            let outcome = self.owner.get(&format!("{one}outcome/")).await.expect(200);
            if let Some(shipped) = outcome["review"]["shipped"].get(0) {
                self.rows.insert("sprint-task-outcomes", text(&shipped["outcome_id"]).to_owned());
            }
        }
        self.first("velocity-suggestions", "/api/v1/velocity-suggestions/").await;
        let running = self.rows["sprints"].clone();
        for number in 1..=self.size {
            let request = json!({"name": format!("Late {number}"), "project": self.south, "sprint": running});
            self.owner.post(TASKS, request).await.expect(201);
        }
        let listed = self.owner.get(&format!("/api/v1/sprints/{running}/scope-changes/")).await.expect(200);
        self.rows_of_operations
            .insert(("GET /api/v1/projects/{}/sprint-health/", "projects"), self.south.clone());
        self.rows.insert("scope-changes", text(&listed["events"][0]["id"]).to_owned());
        let raise = json!({"signal": "velocity", "ceiling": "program_shared"});
        let raise =
            self.owner.post(&format!("{north}signal-privacy/raise-ceiling/"), raise).await.expect(202);
        self.rows.insert("projects/ceiling-proposals", raise.id());
        let bound = self.sprint(&north, "Bound").await;
        self.owner
            .post(&format!("/api/v1/sprints/{bound}/promote-to-milestone/"), json!({}))
            .await
            .expect(201);
        self.rows_of_operations.insert(("GET /api/v1/sprints/{}/reforecast-preview/", "sprints"), bound);
        let gone = self.sprint(&south, "Gone").await;
        self.owner.delete(&format!("/api/v1/sprints/{gone}/")).await.expect(204);
        self.rows_of_operations.insert(("POST /api/v1/sprints/{}/restore/", "sprints"), gone);
        self.app.run_jobs().await;
    }

    /// A planned sprint of a project.
    async fn sprint(&self, project: &str, name: &str) -> String {
        let request = json!({"name": name, "start_date": "2026-01-05", "finish_date": "2026-01-16"});
        self.owner.post(&format!("{project}sprints/"), request).await.expect(201).id()
    }

    /// Criteria, stories, a backlog of the program, and suggestions to the owner.
    pub(super) async fn backlogs(&mut self) {
        let at = format!("{PROGRAMS}{}/backlog-items/", self.program);
        for number in 1..=self.size {
            let task = self.task(&self.north, format!("Check {number}")).to_owned();
            let request = json!({"task": task, "text": format!("It holds {number}")});
            let criterion = self.owner.post("/api/v1/acceptance-criteria/", request).await.expect(201).id();
            self.rows.insert("acceptance-criteria", criterion);
            let request = json!({"title": format!("Idea {number}"), "item_type": "story"});
            let item = self.owner.post(&at, request).await.expect(201).id();
            self.rows.insert("programs/backlog-items", item);
            let work = self.task(&self.north, format!("Work {number}")).to_owned();
            self.owner.patch(&task_path(&work), json!({"type": "story"})).await.expect(200);
        }
        let owner = self.people["owner"];
        for _ in 0..self.size {
            let id = self.app.suggestion(&self.rows["tasks"], owner, owner).await;
            self.rows.insert("tasks/suggestions", id);
        }
    }

    /// Meetings of the program, rounds of poker in a planned sprint, and the retrospective of the running one.
    pub(super) async fn ceremonies(&mut self) {
        let meetings = format!("{PROGRAMS}{}/ceremonies/", self.program);
        let request = json!({"name": "Sized", "start_date": "2026-03-02", "finish_date": "2026-03-13"});
        let sprints = format!("{}sprints/", project_path(&self.south));
        let planned = self.owner.post(&sprints, request).await.expect(201).id();
        let poker = format!("/api/v1/sprints/{planned}/poker/");
        for shape in ["GET /api/v1/sprints/{}/poker/", "POST /api/v1/sprints/{}/poker/"] {
            self.rows_of_operations.insert((shape, "sprints"), planned.clone());
        }
        let running = format!("/api/v1/sprints/{}/", self.rows["sprints"]);
        let mut wanted = Vec::new();
        for number in 1..=self.size {
            let meeting = json!({"name": format!("Meeting {number}"), "cadence_type": "weekly"});
            let meeting = self.owner.post(&meetings, meeting).await.expect(201).id();
            self.rows.insert("programs/ceremonies", meeting);
            for kind in ["Open", "Revealed"] {
                let task =
                    json!({"project": self.south, "name": format!("{kind} {number}"), "sprint": planned});
                let task = self.owner.post(TASKS, task).await.expect(201).id();
                let round = self.owner.post(&poker, json!({"task": task})).await.expect(201).id();
                self.owner
                    .post(&format!("/api/v1/poker/{round}/vote/"), json!({"value": 3}))
                    .await
                    .expect(200);
                if kind == "Open" {
                    self.rows.insert("poker", round);
                    continue;
                }
                self.owner.post(&format!("/api/v1/poker/{round}/reveal/"), json!({})).await.expect(200);
                for shape in ["POST /api/v1/poker/{}/reopen/", "POST /api/v1/poker/{}/commit/"] {
                    self.rows_of_operations.insert((shape, "poker"), round.clone());
                }
            }
            let note = json!({"text": format!("Note {number}")});
            let note = self.owner.post(&format!("{running}retro-board/"), note).await.expect(201).id();
            self.rows.insert("retro-items", note);
            wanted.push(json!({"text": format!("Action {number}"), "assignee": self.people["member"]}));
        }
        let retro = json!({"notes": "Calm", "action_items": wanted});
        let retro = self.owner.post(&format!("{running}retro/"), retro).await.expect(200);
        self.rows.insert("sprints/action-items", text(&retro["action_items"][0]["id"]).to_owned());
        self.owner.put(&format!("{running}pulse/"), json!({"mood": 4, "energy": 3})).await.expect(200);
        let over = self.rows_of_operations[&("GET /api/v1/sprints/{}/close-request/", "sprints")].clone();
        let prior = format!("/api/v1/sprints/{over}/retro/");
        self.owner.post(&prior, json!({"action_items": [{"text": "Rest"}]})).await.expect(200);
        let request = json!({"name": "Next", "start_date": "2026-03-02", "finish_date": "2026-03-13"});
        let sprints = format!("{}sprints/", project_path(&self.north));
        let next = self.owner.post(&sprints, request).await.expect(201).id();
        self.rows_of_operations.insert(("GET /api/v1/sprints/{}/retrospective/prior/", "sprints"), next);
    }
}
