//! Who may know whom, and who writes which table: the crates as rooms of one house, and the doors between them.
//! Of the doors only the manifests are read; `tables.rs` looks for the writes.

use std::fs;

use super::Violation;
use crate::workspace::{Dependency, Package, Workspace};

const PREFIX: &str = "planwright-";
const TESTKIT: &str = "testkit";
const API_TESTS: &str = "tests/api/Cargo.toml";

/// What an area may know: the heart and everything below it, and never another area.
const BELOW_AREAS: &[&str] = &["plan", "web", "jobs", "store", "domain", "engine"];

const DOORS: &[(&str, &[&str])] = &[
    ("engine", &[]),
    ("domain", &[]),
    ("store", &["domain"]),
    ("jobs", &["store", "domain"]),
    ("web", &["store", "domain"]),
    ("plan", &["web", "jobs", "engine", "store", "domain"]),
    ("editing", BELOW_AREAS),
    ("analysis", BELOW_AREAS),
    ("projects", BELOW_AREAS),
    ("people", BELOW_AREAS),
    ("time_tracking", BELOW_AREAS),
    ("sprints", BELOW_AREAS),
    ("collab", BELOW_AREAS),
    ("exchange", BELOW_AREAS),
    ("accounts", BELOW_AREAS),
    ("workspace", BELOW_AREAS),
    ("outbound", BELOW_AREAS),
];

/// Who writes which table. Who reads it is on the page `ARCHITECTURE.md`.
pub(super) const WRITERS: &[(&str, &[&str])] = &[
    ("api_token_audit", &["accounts"]),
    ("api_tokens", &["accounts", "web"]),
    ("baseline_tasks", &["plan"]),
    ("baselines", &["plan"]),
    ("batch_operations", &["editing"]),
    ("calendar_exceptions", &["plan"]),
    ("calendars", &["plan"]),
    ("ceiling_proposals", &["sprints"]),
    ("ceiling_votes", &["sprints"]),
    ("change_counters", &["store"]),
    ("deleted_sprint_tasks", &["sprints"]),
    ("deletion_moves", &["plan"]),
    ("deletions", &["plan", "store"]),
    ("dependencies", &["plan"]),
    ("duration_events", &["plan"]),
    ("failed_jobs", &["jobs"]),
    ("forecast_snapshots", &["analysis"]),
    ("guardrail_policies", &["plan"]),
    ("history", &["store"]),
    ("idempotency_keys", &["web"]),
    ("idempotency_use", &["web"]),
    ("job_schedules", &["jobs"]),
    ("jobs", &["jobs"]),
    ("labels", &["editing", "plan"]),
    ("latest_simulations", &["analysis"]),
    ("live_connections", &["outbound"]),
    ("live_events", &["outbound"]),
    ("live_logs", &["outbound"]),
    ("live_nodes", &["outbound"]),
    ("member_availability", &["workspace"]),
    ("migrations", &["store"]),
    ("milestone_forecasts", &["sprints"]),
    ("move_progress", &["store"]),
    ("outbox", &["store"]),
    ("password_resets", &["accounts"]),
    ("program_members", &["plan"]),
    ("programs", &["plan"]),
    ("project_calendar_layers", &["projects"]),
    ("project_members", &["plan"]),
    ("project_resources", &["people", "plan"]),
    ("project_schedule", &["plan"]),
    ("projects", &["plan"]),
    ("recurrence_occurrences", &["editing"]),
    ("recurrence_rules", &["editing", "plan"]),
    ("refresh_tokens", &["accounts"]),
    ("resource_skills", &["people"]),
    ("resources", &["people", "plan"]),
    ("risk_tasks", &["plan"]),
    ("risks", &["plan"]),
    ("seed_imports", &["exchange"]),
    ("seed_leftovers", &["exchange"]),
    ("sessions", &["accounts"]),
    ("signal_audiences", &["sprints"]),
    ("simulations", &["analysis"]),
    ("sign_in_audit", &["accounts"]),
    ("skills", &["people"]),
    ("slip_conflicts", &["editing", "plan"]),
    ("socket_tickets", &["outbound"]),
    ("sprint_close_requests", &["sprints"]),
    ("sprint_scope_changes", &["plan"]),
    ("sprint_task_outcomes", &["plan", "sprints"]),
    ("sprints", &["plan"]),
    ("task_labels", &["editing", "plan"]),
    ("task_relations", &["editing", "plan"]),
    ("task_resources", &["people", "plan"]),
    ("task_runs", &["plan"]),
    ("task_schedule", &["plan"]),
    ("task_skill_requirements", &["people", "plan"]),
    ("tasks", &["editing", "plan"]),
    ("team_members", &["plan", "projects"]),
    ("teams", &["plan"]),
    ("time_entries", &["time_tracking"]),
    ("timers", &["time_tracking"]),
    ("timesheets", &["time_tracking"]),
    ("users", &["accounts", "plan", "workspace"]),
    ("velocity_suggestions", &["plan", "sprints"]),
    ("webhook_deliveries", &["outbound"]),
    ("webhook_turn", &["outbound"]),
    ("webhooks", &["outbound"]),
    ("worker_heartbeats", &["jobs"]),
    ("workshop_participants", &["outbound"]),
    ("workshop_sessions", &["outbound"]),
    ("workspace", &["workspace"]),
];

/// The crates that see the whole house.
const SEE_EVERYTHING: [&str; 2] = ["server", TESTKIT];

const DRIVERS: [&str; 9] = [
    "rusqlite",
    "libsqlite3-sys",
    "deadpool-sqlite",
    "tokio-postgres",
    "tokio-postgres-rustls",
    "deadpool-postgres",
    "postgres",
    "sqlx",
    "diesel",
];

/// Every dependency that is not a door, with its line in the manifest.
pub(crate) fn check(workspace: &Workspace) -> Vec<Violation> {
    let mut violations = Vec::new();
    for package in &workspace.packages {
        for dependency in &package.dependencies {
            if let Some(message) = fault(package, dependency) {
                let manifest = fs::read_to_string(workspace.root.join(&package.manifest)).unwrap_or_default();
                let line = line_of(&manifest, &dependency.name);
                violations.push(Violation::new(&package.manifest, line, message));
            }
        }
    }
    violations
}

fn fault(package: &Package, dependency: &Dependency) -> Option<String> {
    let room = room_of(&package.name);
    if DRIVERS.contains(&dependency.name.as_str()) {
        return (room != "store").then(|| {
            format!("`{}` is a database driver: only `store` names one, ask it instead", dependency.name)
        });
    }
    let wanted = dependency.name.strip_prefix(PREFIX)?;
    if package.manifest == API_TESTS {
        return (wanted == TESTKIT && !dependency.development)
            .then(|| "`testkit` belongs under [dev-dependencies] here".to_owned());
    }
    if wanted == TESTKIT {
        return Some("only the [dev-dependencies] of tests/api may use `testkit`: test it there".to_owned());
    }
    if SEE_EVERYTHING.contains(&room) {
        return None;
    }
    let Some((_, doors)) = DOORS.iter().find(|(name, _)| *name == room) else {
        return Some(format!("`{room}` has no line in the table of xtask/src/tidy/rooms.rs: give it one"));
    };
    if doors.contains(&wanted) {
        return None;
    }
    let known = if doors.is_empty() { "nobody of ours".to_owned() } else { doors.join(", ") };
    Some(format!(
        "`{room}` may not know `{wanted}`, only {known}: make it a command of `plan`, or an event and a line in server/src/reactions.rs"
    ))
}

fn room_of(package: &str) -> &str {
    package.strip_prefix(PREFIX).unwrap_or(package)
}

fn line_of(manifest: &str, dependency: &str) -> usize {
    let names_it = |line: &str| {
        line.trim_start()
            .strip_prefix(dependency)
            .is_some_and(|rest| rest.starts_with(['.', ' ', '=']) && rest.contains('='))
    };
    manifest.lines().position(names_it).map_or(1, |index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(package: &str, manifest: &str, wanted: &str, development: bool) -> Option<String> {
        let dependency = Dependency { name: wanted.to_owned(), development };
        let package = Package {
            name: package.to_owned(),
            manifest: manifest.to_owned(),
            dependencies: Vec::new(),
            examples: Vec::new(),
        };
        fault(&package, &dependency)
    }

    fn allowed(room: &str, wanted: &str) -> bool {
        let manifest = format!("crates/{room}/Cargo.toml");
        judge(&format!("{PREFIX}{room}"), &manifest, wanted, false).is_none()
    }

    #[test]
    fn the_foundation_knows_nobody_above_it() {
        assert!(!allowed("engine", "planwright-domain"));
        assert!(allowed("store", "planwright-domain"));
        assert!(!allowed("web", "planwright-jobs"));
        assert!(allowed("plan", "planwright-engine"));
        assert!(!allowed("plan", "planwright-projects"));
    }

    #[test]
    fn areas_never_know_areas() {
        assert!(allowed("sprints", "planwright-plan"));
        assert!(!allowed("sprints", "planwright-projects"));
        assert!(allowed("server", "planwright-sprints"));
    }

    #[test]
    fn the_testkit_is_for_the_api_tests_alone() {
        assert!(allowed("testkit", "planwright-server"));
        assert!(!allowed("server", "planwright-testkit"));
        assert!(judge("planwright-api-tests", API_TESTS, "planwright-testkit", true).is_none());
        assert!(judge("planwright-api-tests", API_TESTS, "planwright-testkit", false).is_some());
    }

    #[test]
    fn drivers_stay_in_the_store_and_strangers_are_free() {
        assert!(allowed("store", "rusqlite"));
        assert!(!allowed("server", "tokio-postgres"));
        assert!(allowed("engine", "serde"));
        assert!(!allowed("attic", "planwright-domain"));
    }

    #[test]
    fn finds_the_line_in_a_manifest() {
        let manifest = "[dependencies]\nplanwright-plan.workspace = true\nplanwright-planner = \"1\"\nplanwright-store = { workspace = true }\n";
        assert_eq!(line_of(manifest, "planwright-plan"), 2);
        assert_eq!(line_of(manifest, "planwright-store"), 4);
        assert_eq!(line_of(manifest, "planwright-web"), 1);
    }
}
