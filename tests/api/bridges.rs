//! A small plan to test on: a program with one project, in it two linked tasks, and members in any roles.
//! It is imported through the interface, so it takes what the interface takes.

use planwright_domain::Role;
use planwright_testkit::{Person, TestApp};
use serde_json::json;

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
    /// A fresh one.
    pub(crate) async fn of(app: &TestApp, owner: &Person<'_>) -> Self {
        Self::with(app, owner, &[]).await
    }

    /// A fresh one with more tasks, which nothing links: their names and types.
    pub(crate) async fn with(app: &TestApp, owner: &Person<'_>, more: &[(&str, &str)]) -> Self {
        let mut tasks = vec![
            json!({"wbs_path": "1", "name": "Survey", "duration": 3}),
            json!({"wbs_path": "2", "name": "Drawing", "duration": 5}),
        ];
        for (place, (name, kind)) in (3..).zip(more) {
            tasks.push(json!({"wbs_path": place.to_string(), "name": name, "type": kind, "duration": 1}));
        }
        let before = owner.get("/api/v1/programs/").await.expect(200)["count"].to_string();
        let document = json!({
            "schema_version": "2.0",
            "program": {"slug": format!("bridges-{before}"), "name": "Bridges", "methodology": "WATERFALL"},
            "projects": [{
                "slug": "north-bridge",
                "name": "North bridge",
                "methodology": "WATERFALL",
                "start_date": "2026-01-05",
                "tasks": tasks,
                "dependencies": [{"predecessor": "1", "successor": "2", "dep_type": "FS", "lag": 0}],
            }],
        });
        let accepted = owner.post("/api/v1/programs/import/", document).await.expect(202);
        app.run_jobs().await;
        let program = accepted["program_id"].as_str().expect("the import names its program").to_owned();
        let projects = owner.get("/api/v1/projects/?page_size=500").await.expect(200);
        let project = projects.results().iter().find(|row| row["program"] == program.as_str());
        let project = project.expect("the import has made its project")["id"].as_str();
        let project = project.expect("ids are texts").to_owned();
        let path = format!("/api/v1/tasks/?project={project}&ordering=wbs_path");
        let tasks = owner.get(&path).await.expect(200);
        let task = tasks.results()[0]["id"].as_str().expect("ids are texts").to_owned();
        Self { program, project, task }
    }

    /// Makes a person a member of program and project.
    pub(crate) async fn let_in(&self, owner: &Person<'_>, person: &Person<'_>, role: Role) {
        for place in [format!("programs/{}", self.program), format!("projects/{}", self.project)] {
            owner.let_in(&format!("/api/v1/{place}/"), person, role).await;
        }
    }
}
