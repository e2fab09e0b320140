//! One installation with a real row for every parameter of every path, and people in every role, for tests that walk the
//! whole document. It is built once for an engine and a size (`build.rs`); each test works on copies.

mod agile;
mod build;
mod exchange;

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use planwright_domain::Role;
use planwright_domain::ids::UserId;
use planwright_testkit::{Engine, Person, Template, TestApp};
use tokio::sync::Mutex;

use crate::served::{Operation, WITHOUT_LIMITS};

/// The roles of people in program and projects, lowest first, by the name of the person who has it.
pub(crate) const ROLES: [(&str, Role); 5] = [
    ("viewer", Role::Viewer),
    ("member", Role::Member),
    ("scheduler", Role::ResourceManager),
    ("manager", Role::ProjectManager),
    ("owner", Role::Owner),
];

/// The installation and the ids of its rows.
pub(crate) struct World {
    template: Template,
    people: BTreeMap<&'static str, UserId>,
    rows: BTreeMap<&'static str, String>,
    rows_of_operations: BTreeMap<(&'static str, &'static str), String>,
}

impl World {
    /// The one with so many rows in its lists; tests that run at the same time share it.
    pub(crate) async fn of(engine: Engine, size: usize) -> Arc<Self> {
        type Shared = BTreeMap<(Engine, usize), Weak<World>>;
        static SHARED: Mutex<Shared> = Mutex::const_new(BTreeMap::new());
        let mut shared = SHARED.lock().await;
        if let Some(world) = shared.get(&(engine, size)).and_then(Weak::upgrade) {
            return world;
        }
        let world = Arc::new(build::build(engine, size).await);
        shared.insert((engine, size), Arc::downgrade(&world));
        world
    }

    /// Starts a copy.
    pub(crate) async fn start(&self) -> TestApp {
        self.template.start_with(&WITHOUT_LIMITS).await
    }

    /// One of its people in a copy: by role, or `admin` who owns the workspace, or `outsider`.
    pub(crate) fn person<'a>(&self, app: &'a TestApp, name: &'static str) -> Person<'a> {
        app.known(self.people[name], name)
    }

    /// Who may read what an operation shows.
    pub(crate) fn reader(&self, operation: &Operation) -> &'static str {
        let is_of_workspace = [
            "/api/v1/admin/",
            "/api/v1/health/",
            "/health/",
            "/api/v1/workspace/sso/",
            "/api/v1/workspace/second-factor/",
        ];
        let ends =
            ["/sessions/", "/sign-in-audit/", "/invites/", "/audit-events/", "/email-settings/", "/health/"];
        let is_of_sign_ins = operation.path.starts_with("/api/v1/workspace/")
            && (ends.iter().any(|end| operation.path.ends_with(end)) || operation.path.contains("/export/"));
        let is_so = is_of_sign_ins || is_of_workspace.iter().any(|start| operation.path.starts_with(start));
        if is_so { "admin" } else { "owner" }
    }

    /// The row that stands for a kind (see [`Operation::kinds`]) wherever no operation needs another.
    pub(crate) fn row(&self, kind: &str) -> &str {
        self.rows.get(kind).unwrap_or_else(|| panic!("the world has no row for {kind}"))
    }

    /// The path of an operation with ids of real rows; fails where the world lacks one.
    pub(crate) fn path(&self, operation: &Operation) -> String {
        let shape = operation.name_of_shape();
        operation.path_with(|kind| {
            let special =
                self.rows_of_operations.iter().find(|((of, what), _)| *of == shape && *what == kind);
            special.map_or_else(|| self.row(kind).to_owned(), |(_, id)| id.clone())
        })
    }

    /// The address of an operation, with the parameters that it cannot do without.
    pub(crate) fn address(&self, operation: &Operation) -> String {
        let path = self.path(operation);
        let (north, task) = (self.row("projects"), self.row("tasks"));
        match operation.name_of_shape().as_str() {
            "GET /api/v1/projects/{}/calendars/preview/" => format!("{path}?start=2026-01-05&end=2026-02-05"),
            "GET /api/v1/projects/{}/monte-carlo/whatif/" => {
                format!("{path}?task_id={task}&duration_delta=1")
            }
            "GET /api/v1/projects/{}/schedule/derivation/" => {
                format!("{path}?task_id={task}&quantity=scheduled_start")
            }
            "GET /api/v1/health/retention/impact/" => format!("{path}?key=HISTORY_RETENTION_DAYS&value=9"),
            // One block of lines; a longer audit is read in several, so that it is never held as a whole.
            "GET /api/v1/workspace/audit-events/export/" => format!("{path}?event_type=invite_sent"),
            "GET /api/v1/me/search/" => format!("{path}?q=Work"),
            "GET /api/v1/tasks/search/" => format!("{path}?project={north}&q=Work"),
            "GET /api/v1/tasks/trash/" => format!("{path}?project={north}"),
            "GET /api/v1/programs/{}/task-search/" => format!("{path}?q=Work"),
            "GET /api/v1/project-templates/publish-preview/" => format!("{path}?project={north}"),
            "GET /api/v1/projects/{}/export/losses/" => format!("{path}?format=csv"),
            "GET /api/v1/users/search/" => format!("{path}?q=guest"),
            _ => path,
        }
    }

    /// The kinds of an operation that no row stands for.
    pub(crate) fn lacking(&self, operation: &Operation) -> Vec<String> {
        operation.kinds().into_iter().filter(|kind| !self.rows.contains_key(kind.as_str())).collect()
    }
}
