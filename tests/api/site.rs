//! A plan that tests write on: an owner, a project that begins on Monday 5 January 2026, tasks by their names.
//! It asserts no more than a status; what is announced is read from the outbox before it is handed out.

use std::collections::{BTreeMap, BTreeSet};

use planwright_domain::Role;
use planwright_testkit::{Answer, Person, TestApp};
use serde_json::{Value, json};

/// Where tasks are.
pub const TASKS: &str = "/api/v1/tasks/";

/// Where links are.
pub const LINKS: &str = "/api/v1/dependencies/";

/// A project and its owner.
pub struct Site<'a> {
    pub app: &'a TestApp,
    pub owner: Person<'a>,
    pub project: String,
}

impl<'a> Site<'a> {
    /// A fresh project, owned by Ona.
    pub async fn new(app: &'a TestApp) -> Self {
        let owner = app.person("ona").await;
        let project = app.project(&owner, "Bridge").await.to_string();
        Self { app, owner, project }
    }

    /// A path below the project.
    pub fn at(&self, rest: &str) -> String {
        format!("/api/v1/projects/{}/{rest}", self.project)
    }

    /// Somebody with a role in the project.
    pub async fn person(&self, name: &str, role: i64) -> Person<'a> {
        let person = self.app.person(name).await;
        let role = Role::from_rank(role).expect("roles have known ranks");
        self.owner.let_in(&self.at(""), &person, role).await;
        person
    }

    /// Makes a member of the default team Scrum Master or Product Owner.
    pub async fn give_facet(&self, person: &Person<'_>, facet: Value) {
        let teams = self.owner.get(&self.at("teams/")).await.expect(200);
        let members = format!("/api/v1/teams/{}/members/", text(&listed(&teams)[0]["id"]));
        let rows = listed(&self.owner.get(&members).await.expect(200));
        let row = rows
            .iter()
            .find(|row| row["user"] == json!(person.id))
            .expect("members of a project are in its team");
        self.owner.patch(&format!("{members}{}/", text(&row["id"])), facet).await.expect(200);
    }

    /// Changes settings of the project.
    pub async fn settle(&self, request: Value) {
        self.owner.patch(&self.at(""), request).await.expect(200);
    }

    /// A task from its fields.
    pub async fn create(&self, body: Value) -> Answer {
        self.owner.post(TASKS, self.with_project(body)).await.expect(201)
    }

    /// The fields of a task with the project among them.
    pub fn with_project(&self, mut body: Value) -> Value {
        body["project"] = json!(self.project);
        body
    }

    /// A task at the end of the plan; returns its id.
    pub async fn task(&self, name: &str, duration: i64) -> String {
        self.create(json!({"name": name, "duration": duration})).await.id()
    }

    /// A task at the end of a parent; returns its id.
    pub async fn under(&self, parent: &str, name: &str, duration: i64) -> String {
        self.create(json!({"name": name, "duration": duration, "parent_id": parent})).await.id()
    }

    /// A task as the owner sees it.
    pub async fn read(&self, id: &str) -> Answer {
        self.owner.get(&task_path(id)).await.expect(200)
    }

    /// Changes a task as the owner.
    pub async fn change(&self, id: &str, request: Value) -> Answer {
        self.owner.patch(&task_path(id), request).await.expect(200)
    }

    /// The owner's change of a task is refused as wrong input.
    pub async fn refuse(&self, id: &str, request: Value) -> Answer {
        self.owner.patch(&task_path(id), request).await.expect(400)
    }

    /// First and last day of a task, such as `2026-01-05 to 2026-01-07`.
    pub async fn window(&self, id: &str) -> String {
        window(&self.read(id).await.json)
    }

    /// A link from the end of one task to the start of another; returns its id.
    pub async fn link(&self, predecessor: &str, successor: &str) -> String {
        let request = json!({"predecessor": predecessor, "successor": successor});
        self.owner.post(LINKS, request).await.expect(201).id()
    }

    /// A batch as the owner.
    pub async fn bulk(&self, body: Value) -> Answer {
        self.owner.post(&self.at("tasks/bulk/"), body).await.expect(207)
    }

    /// Every task of the project, in the order of the outline.
    pub async fn tasks(&self) -> Vec<Value> {
        let list = format!("{TASKS}?project={}&ordering=wbs_path&page_size=500", self.project);
        self.owner.get(&list).await.expect(200).results().clone()
    }

    /// The outline as texts, such as `1.2 Survey`.
    pub async fn outline(&self) -> Vec<String> {
        let line = |task: &Value| format!("{} {}", text(&task["wbs_path"]), text(&task["name"]));
        self.tasks().await.iter().map(line).collect()
    }

    /// Hands out everything that was announced so far, so that only what comes next is seen.
    pub async fn hush(&self) {
        self.app.run_jobs().await;
    }

    /// What waits to be handed out: names and payloads.
    pub async fn announced(&self) -> Vec<(String, Value)> {
        let waiting = self.app.told("").await.into_iter();
        waiting.map(|(_, name, _, payload)| (name, payload)).collect()
    }

    /// The names of what waits to be handed out, sorted.
    pub async fn announced_names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.announced().await.into_iter().map(|(name, _)| name).collect();
        names.sort();
        names
    }

    /// The payloads of one kind of event that wait to be handed out.
    pub async fn payloads(&self, wanted: &str) -> Vec<Value> {
        let waiting = self.announced().await.into_iter();
        waiting.filter(|(name, _)| name == wanted).map(|(_, payload)| payload).collect()
    }

    /// A resource, on the roster of the project or not.
    pub async fn resource(&self, name: &str, on_roster: bool) -> String {
        let resource = self.app.resource(name).await;
        if on_roster {
            self.app.put_on_roster(&self.project, &resource).await;
        }
        resource
    }

    /// A planned sprint from one day to another.
    pub async fn sprint(&self, start: &str, finish: &str) -> String {
        let request = json!({"name": "Sprint", "start_date": start, "finish_date": finish});
        self.owner.post(&self.at("sprints/"), request).await.expect(201).id()
    }

    /// Begins a sprint.
    pub async fn begin(&self, sprint: &str) {
        self.owner.post(&format!("/api/v1/sprints/{sprint}/activate/"), json!({})).await.expect(200);
    }

    /// Closes a sprint that runs.
    pub async fn close(&self, sprint: &str) {
        self.owner.post(&format!("/api/v1/sprints/{sprint}/close/"), json!({})).await.expect(202);
    }
}

/// The path of a project.
pub fn project_path(id: &str) -> String {
    format!("/api/v1/projects/{id}/")
}

/// The path of a task.
pub fn task_path(id: &str) -> String {
    format!("{TASKS}{id}/")
}

/// First and last day of a task, such as `2026-01-05 to 2026-01-07`.
pub fn window(task: &Value) -> String {
    format!("{} to {}", text(&task["early_start"]), text(&task["early_finish"]))
}

/// A value as text; empty when it is none.
pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The ids of rows, in their order.
pub fn ids(rows: &Value) -> Vec<String> {
    let rows = rows.as_array().expect("an array of rows");
    rows.iter().map(|row| text(&row["id"]).to_owned()).collect()
}

/// The rows of a list, in an envelope or bare.
pub fn listed(answer: &Answer) -> Vec<Value> {
    answer.json.as_array().or_else(|| answer["results"].as_array()).expect("a list").clone()
}

/// Fails unless outline numbers are unique, without gaps and in accord with the parents.
pub fn check_outline(tasks: &[Value]) {
    let paths: BTreeMap<&str, &str> =
        tasks.iter().map(|task| (text(&task["id"]), text(&task["wbs_path"]))).collect();
    let unique: BTreeSet<&str> = paths.values().copied().collect();
    assert_eq!(unique.len(), tasks.len(), "outline numbers are not unique: {paths:?}");
    let mut last_numbers: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for task in tasks {
        let (above, last) = text(&task["wbs_path"]).rsplit_once('.').unwrap_or(("", text(&task["wbs_path"])));
        let expected = match task["parent_id"].as_str() {
            Some(parent) => *paths.get(parent).unwrap_or_else(|| panic!("the parent of {task} is gone")),
            None => "",
        };
        assert_eq!(above, expected, "{task} is not numbered after its parent");
        last_numbers.entry(above).or_default().push(last.parse().expect("a number"));
    }
    for (above, mut numbers) in last_numbers {
        numbers.sort_unstable();
        let expected: Vec<usize> = (1..=numbers.len()).collect();
        assert_eq!(numbers, expected, "the rows below {above:?} have gaps");
    }
}
