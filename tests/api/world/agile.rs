//! The rows of the world that teams make: backlogs, criteria, suggestions, poker, retrospectives, pulses.

use planwright_domain::words::SprintState;
use serde_json::json;

use super::build::{Builder, PROGRAMS};
use crate::site::{TASKS, project_path, task_path, text};

impl Builder<'_> {
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
        let before = self.app.sprint(&self.south, "2025-12-01", "2025-12-12").await;
        self.app.sprint_becomes(&before, SprintState::Completed).await;
        let prior = format!("/api/v1/sprints/{before}/retro/");
        self.owner.post(&prior, json!({"action_items": [{"text": "Rest"}]})).await.expect(200);
    }
}
