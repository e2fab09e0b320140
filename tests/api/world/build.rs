//! Builds the world through the interface, and by statements only where no route makes what is needed.
//! The program has two projects, North and South, and links lead from one into the other.

mod around_tasks;
mod doors;
mod outside;
mod single_sign_on;

use std::collections::BTreeMap;

use planwright_domain::Role;
use planwright_jobs::NewJob;
use planwright_jobs::queue::enqueue;
use planwright_store::sql;
use planwright_testkit::{Engine, Person, TestApp};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{ROLES, World};
use crate::receiver::Receiver;
use crate::served::WITHOUT_LIMITS;
use crate::site::{LINKS, TASKS, listed, project_path, task_path, text};

const CALENDARS: &str = "/api/v1/calendars/";
pub(super) const PROGRAMS: &str = "/api/v1/programs/";
const PROJECTS: &str = "/api/v1/projects/";
const RESOURCES: &str = "/api/v1/resources/";

/// Builds one with so many rows in each list.
pub(super) async fn build(engine: Engine, size: usize) -> World {
    let mut settings = WITHOUT_LIMITS.to_vec();
    settings
        .extend([("SVC_EGRESS_ALLOWLISTED_HOSTS", "127.0.0.1"), ("SVC_MAX_PERSONAL_ACCESS_TOKENS", "1000")]);
    let app = TestApp::start_with(engine, &settings).await;
    let (people, rows, rows_of_operations) = {
        let mut builder = Builder::begin(&app, size).await;
        builder.plan().await;
        builder.links().await;
        builder.labels().await;
        builder.boards().await;
        builder.discussions().await;
        builder.task_links().await;
        builder.attachments().await;
        builder.notifications().await;
        builder.library().await;
        builder.resources().await;
        builder.governance().await;
        builder.company().await;
        builder.doors().await;
        builder.single_sign_on().await;
        builder.sharing().await;
        builder.calendar_feeds().await;
        builder.agents().await;
        builder.inbound().await;
        builder.changes().await;
        builder.sprints().await;
        builder.computations().await;
        builder.webhooks().await;
        builder.trash().await;
        builder.time().await;
        builder.backlogs().await;
        builder.ceremonies().await;
        builder.exchange().await;
        builder.operations().await;
        builder.look_up().await;
        (builder.people, builder.rows, builder.rows_of_operations)
    };
    World { template: app.into_template().await, people, rows, rows_of_operations }
}

pub(super) struct Builder<'a> {
    pub(super) app: &'a TestApp,
    pub(super) size: usize,
    pub(super) owner: Person<'a>,
    pub(super) admin: Person<'a>,
    pub(super) people: BTreeMap<&'static str, planwright_domain::ids::UserId>,
    pub(super) program: String,
    pub(super) north: String,
    pub(super) south: String,
    /// Ids of tasks by project and name.
    pub(super) tasks: BTreeMap<(String, String), String>,
    pub(super) rows: BTreeMap<&'static str, String>,
    pub(super) rows_of_operations: BTreeMap<(&'static str, &'static str), String>,
}

impl<'a> Builder<'a> {
    async fn begin(app: &'a TestApp, size: usize) -> Self {
        let (owner, admin) = (app.person("owner").await, app.admin().await);
        let people = BTreeMap::from([
            ("owner", owner.id),
            ("admin", admin.id),
            ("outsider", app.person("outsider").await.id),
        ]);
        Self {
            app,
            size,
            owner,
            admin,
            people,
            program: String::new(),
            north: String::new(),
            south: String::new(),
            tasks: BTreeMap::new(),
            rows: BTreeMap::new(),
            rows_of_operations: BTreeMap::new(),
        }
    }

    /// The id of a task by its name.
    pub(super) fn task(&self, project: &str, name: String) -> &str {
        &self.tasks[&(project.to_owned(), name)]
    }

    /// Labels of North; each task of the first kind carries one.
    async fn labels(&mut self) {
        let labels = format!("{}labels/", project_path(&self.north));
        for at in 1..=self.size {
            let made = self.owner.post(&labels, json!({"name": format!("Label {at}")})).await.expect(201);
            let task = self.task(&self.north, format!("Check {at}"));
            let on_task = format!("{}tasks/{task}/labels/", project_path(&self.north));
            self.owner.post(&on_task, json!({"label_id": made.id()})).await.expect(200);
            self.rows.insert("projects/labels", made.id());
            self.rows.insert("projects/tasks/labels", made.id());
        }
    }

    /// The plan itself, from a document, and the people in it.
    async fn plan(&mut self) {
        let accepted = self.owner.post(&format!("{PROGRAMS}import/"), document(self.size)).await.expect(202);
        self.app.run_jobs().await;
        self.program = text(&accepted["program_id"]).to_owned();
        self.rows.insert("programs/jobs", text(&accepted["import_request_id"]).to_owned());
        let projects = self.owner.get(PROJECTS).await.expect(200);
        let id = |name: &str| {
            let row = projects.results().iter().find(|row| row["name"] == name);
            text(&row.expect("the import makes both projects")["id"]).to_owned()
        };
        (self.north, self.south) = (id("North"), id("South"));
        for project in [&self.north, &self.south] {
            let path = format!("{TASKS}?project={project}&page_size=500");
            for task in self.owner.get(&path).await.expect(200).results() {
                let name = text(&task["name"]).to_owned();
                self.tasks.insert((project.clone(), name), text(&task["id"]).to_owned());
            }
        }
        for (name, role) in ROLES.into_iter().filter(|(name, _)| *name != "owner") {
            let person = self.app.person(name).await;
            for path in self.places() {
                self.owner.let_in(&path, &person, role).await;
            }
            self.people.insert(name, person.id);
        }
        let task = self.task(&self.north, "Check 1".into()).to_owned();
        self.rows.extend([
            ("programs", self.program.clone()),
            ("projects", self.north.clone()),
            ("tasks", task.clone()),
            ("projects/tasks", task),
            ("projects/phases", self.task(&self.north, "Phase 1".into()).to_owned()),
        ]);
    }

    fn places(&self) -> [String; 3] {
        [format!("{PROGRAMS}{}/", self.program), project_path(&self.north), project_path(&self.south)]
    }

    /// Links into the South that break its sprint, one that waits to be accepted, and relations.
    async fn links(&mut self) {
        let neighbour = self.app.person("neighbour").await;
        self.owner.let_in(&project_path(&self.north), &neighbour, Role::ResourceManager).await;
        self.owner.let_in(&project_path(&self.south), &neighbour, Role::Viewer).await;
        for number in 1..=self.size {
            let (work, roof) = (
                self.task(&self.north, format!("Work {number}")).to_owned(),
                self.task(&self.south, format!("Roof {number}")).to_owned(),
            );
            let check = self.task(&self.north, format!("Check {number}")).to_owned();
            let late = json!({"predecessor": check, "successor": roof, "lag": 10});
            let link = self.owner.post(LINKS, late).await.expect(201).id();
            let frame = self.task(&self.south, format!("Frame {number}")).to_owned();
            let asked =
                neighbour.post(LINKS, json!({"predecessor": work, "successor": frame})).await.expect(201);
            let request = json!({"source": work, "target": roof, "note": "Same crew"});
            let relation = self.owner.post("/api/v1/task-relations/", request).await.expect(201).id();
            self.rows.insert("dependencies", link);
            self.rows.insert("task-relations", relation);
            for shape in ["POST /api/v1/dependencies/{}/accept/", "POST /api/v1/dependencies/{}/reject/"] {
                self.rows_of_operations.insert((shape, "dependencies"), asked.id());
            }
        }
        self.app.run_jobs().await;
        self.first("slip-conflicts", "/api/v1/slip-conflicts/").await;
    }

    /// Calendars and their exceptions, tokens.
    async fn library(&mut self) {
        let mut overlays = Vec::new();
        for number in 1..=self.size {
            let calendar = self.admin.post(CALENDARS, json!({"name": format!("Shift {number}")})).await;
            let calendar = calendar.expect(201).id();
            overlays.push(json!({"calendar_id": calendar}));
            self.rows.insert("calendars", calendar);
            let token =
                self.owner.post("/api/v1/me/api-tokens/", json!({"name": format!("Token {number}")})).await;
            self.rows.insert("api-tokens", token.expect(201).id());
            for (place, kind) in [
                (project_path(&self.north), "projects/api-tokens"),
                (format!("{PROGRAMS}{}/", self.program), "programs/api-tokens"),
            ] {
                let asked = json!({"name": format!("Machine {number}")});
                let token = self.owner.post(&format!("{place}api-tokens/"), asked).await.expect(201);
                self.rows.insert(kind, token.id());
            }
            self.rows.insert("sessions", self.app.another_session(&self.owner).await);
            self.rows.insert("passkeys", self.app.passkey(&self.owner).await);
        }
        let exceptions = format!("{CALENDARS}{}/exceptions/", self.rows["calendars"]);
        for number in 1..=self.size {
            let day = format!("2026-03-{number:02}");
            let request = json!({"exc_start": day, "exc_end": day, "description": "Closed"});
            let exception = self.admin.post(&exceptions, request).await.expect(201).id();
            self.rows.insert("calendars/exceptions", exception);
        }
        // The last one stays free, since a calendar that is used cannot be deleted.
        overlays.pop();
        let [_, north, _] = self.places();
        self.owner.put(&format!("{north}calendars/"), json!({"overlays": overlays})).await.expect(200);
    }

    /// Resources with skills, on the roster of North and allocated to tasks that ask for skills. The last one stands for
    /// the catalogue and the roster and is allocated to nothing, so that it can go.
    async fn resources(&mut self) {
        for number in 1..=self.size + 1 {
            let request = json!({"name": format!("Digger {number}"), "email": format!("digger{number}@example.org"),
                    "hourly_rate": "40.00"});
            let resource = self.owner.post(RESOURCES, request).await.expect(201).id();
            let skill = json!({"name": format!("Digging {number}")});
            let skill = self.owner.post("/api/v1/skills/", skill).await.expect(201).id();
            let on_roster = json!({"project": self.north, "resource": resource});
            let entry = self.owner.post("/api/v1/project-resources/", on_roster).await.expect(201).id();
            self.rows.extend([
                ("resources", resource.clone()),
                ("skills", skill.clone()),
                ("project-resources", entry),
            ]);
            if number > self.size {
                continue;
            }
            let task = self.task(&self.north, format!("Check {number}")).to_owned();
            let has = json!({"resource": resource, "skill": skill});
            let has = self.owner.post("/api/v1/resource-skills/", has).await.expect(201).id();
            let asks = json!({"task": task, "skill": skill});
            let asks = self.owner.post("/api/v1/task-skill-requirements/", asks).await.expect(201).id();
            let allocation = json!({"task": task, "resource": resource, "units": "0.50"});
            let allocation = self.owner.post("/api/v1/task-resources/", allocation).await.expect(201).id();
            self.rows.extend([
                ("resource-skills", has),
                ("task-skill-requirements", asks),
                ("task-resources", allocation),
            ]);
            let gone =
                self.owner.post(RESOURCES, json!({"name": format!("Gone {number}")})).await.expect(201).id();
            self.owner.delete(&format!("{RESOURCES}{gone}/")).await.expect(204);
            self.rows_of_operations.insert(("POST /api/v1/resources/{}/restore/", "resources"), gone);
        }
        self.app.run_jobs().await;
    }

    /// More programs, projects and members; teams come with projects.
    async fn company(&mut self) {
        for number in 1..=self.size {
            let name = json!({"name": format!("Program {number}")});
            self.owner.post(PROGRAMS, name).await.expect(201);
            let request = json!({"name": format!("Project {number}"), "start_date": "2026-01-05", "program": self.program});
            self.owner.post(PROJECTS, request).await.expect(201);
            let person = self.app.person(&format!("guest{number}")).await;
            let [program, north, _] = self.places();
            let of_program = self.owner.let_in(&program, &person, Role::Member).await;
            let of_project = self.owner.let_in(&north, &person, Role::Member).await;
            self.rows.insert("programs/members", of_program);
            self.rows.insert("projects/members", of_project);
            self.rows.insert("members", person.id.0.to_string());
            self.rows.insert("members/sessions", self.app.another_session(&person).await);
        }
        self.app.run_jobs().await;
        let teams = format!("{}teams/", project_path(&self.north));
        let team = self.first("teams", &teams).await;
        self.first("teams/members", &format!("/api/v1/teams/{team}/members/")).await;
    }

    /// Rules, batches and cascades, and changes of durations.
    async fn changes(&mut self) {
        let at = project_path(&self.north);
        for number in 1..=self.size {
            let work = self.task(&self.north, format!("Work {number}")).to_owned();
            let roof = self.task(&self.south, format!("Roof {number}")).to_owned();
            for task in [&work, &roof] {
                self.owner.patch(&task_path(task), json!({"duration": 3})).await.expect(200);
            }
            let rule = self.owner.post("/api/v1/recurrence-rules/", json!({"task": work})).await.expect(201);
            self.rows.insert("recurrence-rules", rule.id());
            let request =
                json!({"operations": [{"op": "create", "data": {"name": format!("Pasted {number}")}}]});
            let batch = self.owner.post(&format!("{at}tasks/bulk/"), request).await.expect(207);
            self.rows.insert("paste-many-operations", text(&batch["operation_id"]).to_owned());
            let phase = self.task(&self.north, format!("Phase {number}"));
            let request = json!({"subtree": phase, "delivery_mode": "scrum"});
            let cascade = self.owner.patch(&format!("{at}tasks/classification/"), request).await.expect(200);
            self.rows.insert("cascade-classification-operations", text(&cascade["operation_id"]).to_owned());
        }
        let sprint = self.owner.get(&task_path(self.task(&self.south, "Roof 1".into()))).await.expect(200);
        self.rows.insert("sprints", text(&sprint["sprint"]).to_owned());
    }

    /// Recalculations that were asked for, of which one still runs, and simulations.
    async fn computations(&mut self) {
        let at = project_path(&self.north);
        let mut running = String::new();
        for _ in 0..=self.size {
            let run = self.owner.post(&format!("{at}schedule/"), json!({})).await.expect(202);
            self.app.run_jobs().await;
            let run = text(&run["run"]).to_owned();
            let cancel = "POST /api/v1/projects/{}/task-runs/{}/cancel/";
            self.rows_of_operations.insert((cancel, "projects/task-runs"), run.clone());
            running = run;
        }
        for _ in 0..self.size {
            self.owner.post(&format!("{at}monte-carlo/"), json!({"n_simulations": 100})).await.expect(200);
        }
        self.app.run_jobs().await;
        for kind in ["scheduler-runs", "task-runs"] {
            let list = format!("{at}{kind}/?ordering=created_at");
            let id = text(&listed(&self.owner.get(&list).await.expect(200))[0]["id"]).to_owned();
            let kind = if kind == "task-runs" { "projects/task-runs" } else { "projects/scheduler-runs" };
            self.rows.insert(kind, id);
        }
        self.rows.insert("task-runs", self.rows["projects/task-runs"].clone());
        let running: Uuid = running.parse().expect("ids are UUIDs");
        // A worker would have finished it by now.
        let run_on = "UPDATE task_runs SET status = 'running', completed_at = NULL WHERE id = :id";
        self.app.write(sql!(run_on, id = running)).await;
    }

    /// Subscriptions of the project and of the program, and deliveries of the first of each.
    async fn webhooks(&mut self) {
        let receiver = Receiver::willing().await;
        let [program, north, _] = self.places();
        let kinds = [
            (program, "programs/webhooks", "programs/webhooks/deliveries"),
            (north, "projects/webhooks", "projects/webhooks/deliveries"),
        ];
        for (path, hooks, deliveries) in kinds {
            for _ in 0..self.size {
                let request = json!({"url": receiver.url(), "events": ["risk.closed"]});
                let hook = self.owner.post(&format!("{path}webhooks/"), request).await.expect(201).id();
                self.rows.insert(hooks, hook);
            }
            for _ in 0..self.size {
                let test = format!("{path}webhooks/{}/test/", self.rows[hooks]);
                let sent = self.owner.post(&test, json!({})).await.expect(202);
                self.rows.insert(deliveries, text(&sent["delivery_id"]).to_owned());
            }
        }
        self.app.run_jobs().await;
    }

    /// Tasks and projects that were deleted, and a workshop that goes on in the South.
    async fn trash(&mut self) {
        for number in 1..=self.size {
            let gone = self.task(&self.north, format!("Gone {number}")).to_owned();
            self.owner.delete(&task_path(&gone)).await.expect(204);
            self.rows_of_operations.insert(("POST /api/v1/tasks/{}/restore/", "tasks"), gone);
            let whole = json!({"project": self.north, "name": format!("Whole {number}"), "duration": 4});
            let whole = self.owner.post(TASKS, whole).await.expect(201).id();
            let rest =
                self.owner.post(&format!("{}split/", task_path(&whole)), json!({})).await.expect(201).id();
            self.rows_of_operations.insert(("POST /api/v1/tasks/{}/unsplit/", "tasks"), rest);
            let long = json!({"project": self.north, "name": format!("Long {number}"), "duration": 4});
            let long = self.owner.post(TASKS, long).await.expect(201).id();
            self.rows_of_operations.insert(("POST /api/v1/tasks/{}/split/", "tasks"), long);
            let request = json!({"name": format!("Gone {number}"), "start_date": "2026-01-05"});
            let project = self.owner.post(PROJECTS, request).await.expect(201).id();
            for (name, role) in ROLES.into_iter().filter(|(name, _)| *name != "owner") {
                let person = self.app.known(self.people[name], name);
                self.owner.let_in(&project_path(&project), &person, role).await;
            }
            self.owner.delete(&project_path(&project)).await.expect(204);
            self.rows_of_operations.insert(("POST /api/v1/projects/{}/restore/", "projects"), project);
        }
        let start = format!("{}workshop/start/", project_path(&self.south));
        self.owner.post(&start, json!({})).await.expect(201);
        for shape in [
            "GET /api/v1/projects/{}/workshop/current/",
            "POST /api/v1/projects/{}/workshop/end/",
            "POST /api/v1/projects/{}/workshop/force-end/",
        ] {
            self.rows_of_operations.insert((shape, "projects"), self.south.clone());
        }
    }

    /// Jobs that failed for good.
    async fn operations(&mut self) {
        for number in 0..self.size {
            let mut tx = self.app.app.db.begin().await.expect("a transaction begins");
            let job = NewJob::new("unheard_of", &json!({"number": number})).expect("a job has a payload");
            enqueue(&mut tx, job).await.expect("the job is queued");
            tx.commit().await.expect("the job is kept");
        }
        self.app.run_jobs().await;
    }

    /// What has to be read where it stands.
    async fn look_up(&mut self) {
        let failed = self.admin.get("/api/v1/admin/failed-tasks/").await.expect(200);
        self.rows.insert("failed-tasks", text(&listed(&failed)[0]["id"]).to_owned());
        let samples = self.owner.get(&format!("{PROGRAMS}samples/")).await.expect(200);
        self.rows.insert("samples", text(&listed(&samples)[0]["key"]).to_owned());
    }

    /// Has the first row of a list stand for a kind.
    pub(super) async fn first(&mut self, kind: &'static str, list: &str) -> String {
        let answer = self.owner.get(list).await.expect(200);
        let id = text(&listed(&answer)[0]["id"]).to_owned();
        self.rows.insert(kind, id.clone());
        id
    }
}

/// North: phases with Work, followed by Check, and tasks that will be deleted. South: roofs in the running sprint, frames.
fn document(size: usize) -> Value {
    let (mut north, mut links, mut south) = (Vec::new(), Vec::new(), Vec::new());
    for number in 1..=size {
        let (work, check) = (format!("{number}.1"), format!("{number}.2"));
        north.push(json!({"wbs_path": number.to_string(), "name": format!("Phase {number}")}));
        north.push(json!({"wbs_path": work, "name": format!("Work {number}"), "duration": 2}));
        north.push(json!({"wbs_path": check, "name": format!("Check {number}"), "duration": 1}));
        links.push(json!({"predecessor": work, "successor": check, "dep_type": "FS", "lag": 0}));
        south.push(json!({"wbs_path": number.to_string(), "name": format!("Roof {number}"), "duration": 2,
            "sprint": "s1", "planned_start": "2026-01-05"}));
    }
    for number in 1..=size {
        let place = (size + number).to_string();
        north.push(json!({"wbs_path": place, "name": format!("Gone {number}"), "duration": 1}));
        south.push(json!({"wbs_path": place, "name": format!("Frame {number}"), "duration": 1}));
    }
    let sprint = |number: usize| {
        let state = if number == 1 { "ACTIVE" } else { "PLANNED" };
        json!({"slug": format!("s{number}"), "name": format!("Sprint {number}"), "state": state,
            "start_date": "2026-01-05", "finish_date": "2026-01-16"})
    };
    let sprints: Vec<Value> = (1..=size).map(sprint).collect();
    json!({
        "schema_version": "2.0", "lag_calendar": "successor",
        "program": {"slug": "world", "name": "World", "methodology": "HYBRID"},
        "projects": [
            {"slug": "north", "name": "North", "methodology": "WATERFALL", "start_date": "2026-01-05", "tasks": north,
                "dependencies": links},
            {"slug": "south", "name": "South", "methodology": "WATERFALL", "start_date": "2026-01-05", "tasks": south,
                "sprints": sprints},
        ],
    })
}
