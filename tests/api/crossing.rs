//! A program of two projects to test on what leads from one into the other: links, relations, conflicts.
//! It is imported through the interface, so it takes what the interface takes.

use std::collections::HashMap;

use planwright_testkit::{Answer, Person, TestApp};
use serde_json::{Value, json};

/// The plan, by its ids.
pub(crate) struct Crossing {
    /// The program.
    pub(crate) program: String,
    /// North: the phase Works with Dig (3 days) and Pour (2), and Cure (1).
    pub(crate) north: String,
    /// South: Frame (4 days) and Roof (2), of which Roof is in the running sprint First, 5 to 16 January.
    pub(crate) south: String,
    tasks: HashMap<String, Value>,
}

impl Crossing {
    /// A fresh one, without any link.
    pub(crate) async fn of(app: &TestApp, owner: &Person<'_>) -> Self {
        Self::linked(app, owner, json!([])).await
    }

    /// A fresh one with links from the North into the South, which the import accepts.
    pub(crate) async fn linked(app: &TestApp, owner: &Person<'_>, links: Value) -> Self {
        let before = owner.get("/api/v1/programs/").await.expect(200)["count"].to_string();
        let project = |slug: &str, name: &str, tasks: Value| json!({"slug": slug, "name": name, "methodology": "WATERFALL", "start_date": "2026-01-05", "tasks": tasks});
        let north = json!([
            {"wbs_path": "1", "name": "Works"},
            {"wbs_path": "1.1", "name": "Dig", "duration": 3},
            {"wbs_path": "1.2", "name": "Pour", "duration": 2},
            {"wbs_path": "2", "name": "Cure", "duration": 1},
        ]);
        let mut south = project(
            "south",
            "South",
            json!([
                {"wbs_path": "1", "name": "Frame", "duration": 4},
                {"wbs_path": "2", "name": "Roof", "duration": 2, "sprint": "first", "planned_start": "2026-01-05"},
            ]),
        );
        south["dependencies"] = links;
        south["sprints"] = json!([{"slug": "first", "name": "First", "state": "ACTIVE",
            "start_date": "2026-01-05", "finish_date": "2026-01-16"}]);
        let document = json!({
            "schema_version": "2.0", "lag_calendar": "successor",
            "program": {"slug": format!("crossing-{before}"), "name": "Crossing", "methodology": "HYBRID"},
            "projects": [project("north", "North", north), south],
        });
        let accepted = owner.post("/api/v1/programs/import/", document).await.expect(202);
        app.run_jobs().await;
        let program = accepted["program_id"].as_str().expect("the import names its program").to_owned();
        let projects = owner.get("/api/v1/projects/?page_size=500").await.expect(200);
        let id = |name: &str| {
            let mut rows = projects.results().iter();
            let row = rows.find(|row| row["program"] == program.as_str() && row["name"] == name);
            row.and_then(|row| row["id"].as_str()).expect("the import makes both projects").to_owned()
        };
        let (north, south) = (id("North"), id("South"));
        let mut plan = Self { program, north, south, tasks: HashMap::new() };
        plan.read_again(owner).await;
        plan
    }

    /// Reads the tasks as they are now.
    pub(crate) async fn read_again(&mut self, owner: &Person<'_>) {
        for project in [&self.north, &self.south] {
            let path = format!("/api/v1/tasks/?project={project}&page_size=500");
            for task in owner.get(&path).await.expect(200).results() {
                let name = task["name"].as_str().expect("tasks have names").to_owned();
                self.tasks.insert(name, task.clone());
            }
        }
    }

    /// The task of that name.
    pub(crate) fn task(&self, name: &str) -> &Value {
        &self.tasks[name]["id"]
    }

    /// A field of the task of that name, as it was last read.
    pub(crate) fn field(&self, name: &str, field: &str) -> &Value {
        &self.tasks[name][field]
    }

    /// Asks for a link between two tasks, by name.
    pub(crate) async fn link(&self, person: &Person<'_>, from: &str, to: &str, more: Value) -> Answer {
        let mut request = json!({"predecessor": self.task(from), "successor": self.task(to)});
        let more = more.as_object().cloned().unwrap_or_default();
        more.into_iter().for_each(|(key, value)| request[key] = value);
        person.post("/api/v1/dependencies/", request).await
    }
}
