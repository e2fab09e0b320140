//! What people put around the tasks of the world: views, fields, comments, notes, groups, logged time.
//! Tasks themselves come with the plan.

use serde_json::json;

use super::Builder;
use crate::file_imports::form;
use crate::site::{task_path, text};

impl Builder<'_> {
    /// Views of the board of North, and fields in which each task of the first kind says something.
    pub(super) async fn boards(&mut self) {
        let [_, north, _] = self.places();
        for at in 1..=self.size {
            let view = json!({"name": format!("View {at}"), "config": {}});
            let view = self.owner.post(&format!("{north}board-views/"), view).await.expect(201).id();
            let field = json!({"name": format!("Field {at}"), "field_type": "TEXT"});
            let field = self.owner.post(&format!("{north}fields/"), field).await.expect(201).id();
            let task = self.task(&self.north, format!("Check {at}"));
            let value = format!("{north}tasks/{task}/field-values/{field}/");
            self.owner.put(&value, json!({"value": "Deep"})).await.expect(200);
            self.rows.insert("projects/board-views", view);
            self.rows.insert("projects/fields", field.clone());
            self.rows.insert("projects/tasks/field-values", field);
        }
    }

    /// Comments with reactions and notes on tasks of North, and groups that can be mentioned there and in the program.
    pub(super) async fn discussions(&mut self) {
        let [program, north, _] = self.places();
        let task = self.rows["projects/tasks"].clone();
        let on_task = format!("{north}tasks/{task}/");
        for at in 1..=self.size {
            let said = json!({"body": format!("Comment {at}")});
            let comment = self.owner.post(&format!("{on_task}comments/"), said).await.expect(201).id();
            let reactions = format!("{on_task}comments/{comment}/reactions/");
            let reaction = self.owner.post(&reactions, json!({"emoji": "👍"})).await.expect(201).id();
            let seen = format!("{on_task}comments/{comment}/acknowledge/");
            self.owner.post(&seen, json!({})).await.expect(200);
            let note = json!({"body": format!("Note {at}")});
            let note = self.owner.post(&format!("{on_task}notes/"), note).await.expect(201).id();
            self.owner.post(&format!("{on_task}notes/{note}/decision/"), json!({})).await.expect(200);
            let group = json!({"name": format!("group{at}")});
            let of_project =
                self.owner.post(&format!("{north}mention-groups/"), group.clone()).await.expect(201).id();
            let of_program =
                self.owner.post(&format!("{program}mention-groups/"), group).await.expect(201).id();
            let outside = json!({"name": format!("Guest {at}"), "email": format!("guest{at}@example.org")});
            let outside =
                self.owner.post(&format!("{program}external-stakeholders/"), outside).await.expect(201).id();
            self.rows.extend([
                ("programs/external-stakeholders", outside),
                ("projects/tasks/comments", comment),
                ("projects/tasks/comments/reactions", reaction),
                ("projects/tasks/notes", note),
                ("projects/mention-groups", of_project),
                ("programs/mention-groups", of_program),
            ]);
        }
    }

    /// Risks of North with what was said about them, baselines, and what the owner keeps at hand.
    pub(super) async fn governance(&mut self) {
        let [program, north, _] = self.places();
        for at in 1..=self.size {
            let task = self.task(&self.north, format!("Check {at}"));
            let risk = json!({"title": format!("Risk {at}"), "probability": 2, "impact": 3, "tasks": [task],
                "likelihood_percent": 30, "delay_days": 4});
            let risk = self.owner.post(&format!("{north}risks/"), risk).await.expect(201).id();
            let said = json!({"message": format!("Message {at}")});
            self.owner.post(&format!("{north}risks/{risk}/comments/"), said).await.expect(201);
            let baseline = self.owner.post(&format!("{north}baselines/"), json!({})).await.expect(201).id();
            let active = format!("{north}baselines/{baseline}/activate/");
            self.owner.post(&active, json!({})).await.expect(200);
            let asked = json!({"n_simulations": 100});
            let drivers =
                self.owner.post(&format!("{north}monte-carlo/drivers/"), asked).await.expect(202).id();
            self.rows.extend([
                ("projects/risks", risk),
                ("projects/baselines", baseline),
                ("projects/drivers", drivers),
            ]);
        }
        for place in [&program, &north] {
            self.owner.post(&format!("{place}pin/"), json!({})).await.expect(200);
        }
        self.owner.post(&format!("{north}visit/"), json!({})).await.expect(200);
    }

    /// Addresses and files on a task of North.
    pub(super) async fn attachments(&mut self) {
        let task = self.rows["projects/tasks"].clone();
        let all = format!("{}tasks/{task}/attachments/", self.places()[1]);
        for number in 1..=self.size {
            let asked = json!({"external_url": format!("https://example.org/{number}")});
            self.owner.post(&all, asked).await.expect(201);
            let name = format!("list {number}.csv");
            let (media_type, body) = form(&name, "a;b\n", &[]);
            let file = self.owner.post_raw(&all, &media_type, body).await.expect(201);
            self.rows.insert("projects/tasks/attachments", file.id());
        }
    }

    /// Links on a task of North, to a port where nobody listens: a refresh calls nothing outside of this machine.
    pub(super) async fn task_links(&mut self) {
        let links = format!("{}tasks/{}/links/", self.places()[1], self.rows["projects/tasks"]);
        for at in 1..=self.size {
            let link = json!({"url": format!("http://127.0.0.1:9/{at}"), "labels": ["plan"]});
            let link = self.owner.post(&links, link).await.expect(201).id();
            self.rows.insert("projects/tasks/links", link);
        }
    }

    /// What the owner is told: somebody mentions them on a task of North.
    pub(super) async fn notifications(&mut self) {
        let comments = format!("{}tasks/{}/comments/", self.places()[1], self.rows["projects/tasks"]);
        let manager = self.app.known(self.people["manager"], "manager");
        for at in 1..=self.size {
            let said = json!({"body": format!("@owner look at {at}")});
            manager.post(&comments, said).await.expect(201);
        }
        self.app.run_jobs().await;
        let told = self.owner.get("/api/v1/me/notifications/").await.expect(200);
        self.rows.insert("notifications", text(&told.results()[0]["id"]).to_owned());
        self.rows.insert("notification-preferences", "1".to_owned());
    }

    /// Minutes of the owner, a timer that runs, and a submitted week.
    pub(super) async fn time(&mut self) {
        for number in 1..=self.size {
            for task in
                [self.rows["tasks"].clone(), self.task(&self.north, format!("Work {number}")).to_owned()]
            {
                let log = format!("{}time-entries/", task_path(&task));
                let entry =
                    self.owner.post(&log, json!({"minutes": number, "note": "Rope"})).await.expect(201);
                self.rows.insert("time-entries", entry.id());
            }
        }
        let timed = json!({"task": self.rows["tasks"]});
        self.owner.post("/api/v1/me/timer/start", timed).await.expect(201);
        let week = "2026-01-05";
        self.owner.post(&format!("/api/v1/me/timesheets/{week}/submit"), json!({})).await.expect(200);
        self.rows.insert("timesheets", week.to_owned());
    }
}
