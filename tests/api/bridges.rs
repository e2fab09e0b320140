//! A small plan to test on: a program with one project, in it two linked tasks, and members in any roles.
//! It is made through the interface, so it takes what the interface takes.

use planwright_domain::Role;
use planwright_testkit::Person;
use serde_json::json;

use crate::served::NOWHERE;

/// The plan, by its ids.
pub(crate) struct Bridges {
    /// The program, called Bridges.
    pub(crate) program: String,
    /// Its project, called North bridge.
    pub(crate) project: String,
    /// The first of its tasks, called Survey; Drawing follows it.
    pub(crate) task: String,
}

impl Bridges {
    /// A fresh one, with nobody in it but its owner.
    pub(crate) async fn of(owner: &Person<'_>) -> Self {
        Self::shared(owner, &[]).await
    }

    /// A fresh one, with other members in program and project.
    pub(crate) async fn shared(owner: &Person<'_>, others: &[(&Person<'_>, Role)]) -> Self {
        let program = owner.post("/api/v1/programs/", json!({"name": "Bridges"})).await.expect(201).id();
        let wish = json!({"name": "North bridge", "start_date": "2026-01-05", "program": program});
        let project = owner.post("/api/v1/projects/", wish).await.expect(201).id();
        for place in [format!("programs/{program}"), format!("projects/{project}")] {
            for (person, role) in others {
                let member = json!({"user": person.id, "role": role.rank()});
                owner.post(&format!("/api/v1/{place}/members/"), member).await.expect(201);
            }
        }
        let mut tasks = Vec::new();
        for (name, duration) in [("Survey", 3), ("Drawing", 5)] {
            let wish = json!({"project": project, "name": name, "duration": duration});
            tasks.push(owner.post("/api/v1/tasks/", wish).await.expect(201).id());
        }
        let link = json!({"predecessor": tasks[0], "successor": tasks[1], "dep_type": "FS", "lag": 0});
        owner.post("/api/v1/dependencies/", link).await.expect(201);
        Self { program, project, task: tasks.swap_remove(0) }
    }

    /// The id that a path wants after one of its words; one that no row has where this plan has nothing of the kind.
    pub(crate) fn id_after(&self, word: &str) -> String {
        match word {
            "programs" => self.program.clone(),
            "projects" => self.project.clone(),
            "tasks" => self.task.clone(),
            _ => NOWHERE.to_owned(),
        }
    }
}
