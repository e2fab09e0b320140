//! The allowed dependencies between the crates, and the crates that write each table. For dependencies it reads only
//! the manifests. `tables.rs` finds the writes.

use std::fs;

use xtask::workspace::{Dependency, Package, Workspace};

use super::Violation;

const PREFIX: &str = "planwright-";
const TESTKIT: &str = "testkit";
const OWN_FILE: &str = "xtask/src/tidy/boundaries.rs";
const API_TESTS: &str = "tests/api/Cargo.toml";

/// The crates on which an area may depend: `plan` and everything below it, but never another area.
const BELOW_AREAS: &[&str] =
    &["plan", "plan_files", "web", "jobs", "file_storage", "egress", "store", "domain", "engine", "schema"];

/// Each crate with the crates on which it may depend.
const ALLOWED: &[(&str, &[&str])] = &[
    ("engine", &[]),
    ("macros", &[]),
    ("schema", &["macros"]),
    ("domain", &["schema"]),
    ("store", &["domain", "schema"]),
    ("egress", &[]),
    ("jobs", &["store", "domain"]),
    ("web", &["store", "domain", "schema", "macros"]),
    ("file_storage", &["web", "egress", "domain"]),
    ("plan_files", &["engine", "domain", "schema"]),
    ("plan", &["web", "jobs", "engine", "store", "domain", "schema"]),
    ("editing", BELOW_AREAS),
    ("analysis", BELOW_AREAS),
    ("projects", BELOW_AREAS),
    ("people", BELOW_AREAS),
    ("time_tracking", BELOW_AREAS),
    ("backlogs", BELOW_AREAS),
    ("ceremonies", BELOW_AREAS),
    ("boards", BELOW_AREAS),
    ("attachments", BELOW_AREAS),
    ("mcp", &["web", "egress"]),
    ("sharing", BELOW_AREAS),
    ("sync", BELOW_AREAS),
    ("agents", BELOW_AREAS),
    ("integrations", BELOW_AREAS),
    ("discussions", BELOW_AREAS),
    ("notifications", BELOW_AREAS),
    ("sprints", BELOW_AREAS),
    ("governance", BELOW_AREAS),
    ("exchange", BELOW_AREAS),
    ("accounts", BELOW_AREAS),
    ("workspace", BELOW_AREAS),
    ("outbound", BELOW_AREAS),
];

/// Each table with the crates that write it. `docs/tables.md` also lists the crates that read it.
pub(crate) const WRITERS: &[(&str, &[&str])] = &[
    ("acceptance_criteria", &["backlogs", "plan"]),
    ("agent_actions", &["agents"]),
    ("agent_chain", &["agents"]),
    ("api_token_audit", &["accounts", "plan", "web"]),
    ("api_tokens", &["accounts", "plan", "web"]),
    ("audit_events", &["store", "workspace"]),
    ("backlog_items", &["backlogs"]),
    ("baseline_budgets", &["plan"]),
    ("baseline_tasks", &["governance", "plan"]),
    ("baselines", &["governance", "plan"]),
    ("batch_operations", &["editing"]),
    ("board_configs", &["boards"]),
    ("board_views", &["boards", "plan"]),
    ("calendar_exceptions", &["plan"]),
    ("calendar_feeds", &["accounts", "sharing"]),
    ("calendars", &["plan"]),
    ("ceiling_proposals", &["sprints"]),
    ("ceiling_votes", &["sprints"]),
    ("ceremonies", &["ceremonies"]),
    ("change_counters", &["store"]),
    ("comment_acknowledgements", &["discussions"]),
    ("comment_reactions", &["discussions"]),
    ("credentials", &["integrations"]),
    ("custom_field_values", &["boards", "plan"]),
    ("custom_fields", &["boards", "plan"]),
    ("decision_policies", &["discussions"]),
    ("deleted_sprint_tasks", &["sprints"]),
    ("deletion_moves", &["plan"]),
    ("deletions", &["plan", "store", "workspace"]),
    ("dependencies", &["plan"]),
    ("driver_analyses", &["analysis"]),
    ("duration_events", &["plan"]),
    ("export_jobs", &["exchange"]),
    ("external_connections", &["integrations"]),
    ("external_items", &["integrations"]),
    ("external_stakeholders", &["discussions"]),
    ("failed_jobs", &["jobs"]),
    ("file_imports", &["exchange"]),
    ("forecast_snapshots", &["analysis"]),
    ("git_automations", &["integrations"]),
    ("git_deliveries", &["integrations"]),
    ("guardrail_policies", &["plan"]),
    ("history", &["store", "workspace"]),
    ("idempotency_keys", &["web"]),
    ("idempotency_use", &["web"]),
    ("job_schedules", &["jobs"]),
    ("jobs", &["jobs"]),
    ("labels", &["plan"]),
    ("latest_simulations", &["analysis"]),
    ("live_connections", &["outbound"]),
    ("live_events", &["outbound"]),
    ("live_logs", &["outbound"]),
    ("live_nodes", &["outbound"]),
    ("mail_settings", &["workspace"]),
    ("member_availability", &["workspace"]),
    ("mention_group_members", &["discussions"]),
    ("mention_group_mutes", &["discussions"]),
    ("mention_groups", &["discussions", "plan"]),
    ("mentions", &["discussions"]),
    ("migrations", &["store"]),
    ("milestone_chances", &["analysis"]),
    ("milestone_forecasts", &["sprints"]),
    ("move_progress", &["store"]),
    ("notification_preferences", &["notifications"]),
    ("notification_settings", &["notifications"]),
    ("notifications", &["notifications", "workspace"]),
    ("outbox", &["store"]),
    ("passkeys", &["accounts"]),
    ("password_resets", &["accounts"]),
    ("phase_gate_configs", &["governance"]),
    ("pins", &["projects"]),
    ("poker_sessions", &["ceremonies", "plan"]),
    ("poker_votes", &["ceremonies"]),
    ("program_members", &["plan"]),
    ("programs", &["plan"]),
    ("project_calendar_layers", &["plan", "projects"]),
    ("project_members", &["plan"]),
    ("project_notification_preferences", &["notifications"]),
    ("project_resources", &["people", "plan"]),
    ("project_schedule", &["plan"]),
    ("project_templates", &["exchange"]),
    ("project_visits", &["projects"]),
    ("projects", &["plan"]),
    ("pulses", &["ceremonies"]),
    ("purge_runs", &["workspace"]),
    ("recovery_codes", &["accounts"]),
    ("recurrence_occurrences", &["editing", "plan"]),
    ("recurrence_rules", &["editing", "plan"]),
    ("refresh_tokens", &["accounts"]),
    ("resource_skills", &["people", "plan"]),
    ("resources", &["people", "plan"]),
    ("retention_policies", &["workspace"]),
    ("retention_schedule", &["workspace"]),
    ("retro_actions", &["ceremonies", "plan"]),
    ("retro_items", &["ceremonies", "plan"]),
    ("retros", &["ceremonies", "plan"]),
    ("risk_comments", &["governance", "plan"]),
    ("risk_tasks", &["governance", "plan"]),
    ("risks", &["governance", "plan"]),
    ("seed_imports", &["exchange", "workspace"]),
    ("seed_leftovers", &["exchange"]),
    ("sessions", &["accounts"]),
    ("share_links", &["sharing"]),
    ("sign_in_audit", &["accounts"]),
    ("sign_in_challenges", &["accounts"]),
    ("sign_in_policy", &["accounts"]),
    ("signal_audiences", &["sprints"]),
    ("simulations", &["analysis"]),
    ("skills", &["people", "plan"]),
    ("slip_conflicts", &["editing", "plan"]),
    ("socket_tickets", &["outbound"]),
    ("sprint_close_requests", &["sprints"]),
    ("sprint_scope_changes", &["plan"]),
    ("sprint_task_outcomes", &["plan", "sprints"]),
    ("sprints", &["plan"]),
    ("sso_identities", &["accounts"]),
    ("sso_providers", &["accounts"]),
    ("sso_states", &["accounts"]),
    ("sync_batches", &["sync", "workspace"]),
    ("sync_watermarks", &["sync"]),
    ("synced_tasks", &["integrations"]),
    ("task_attachments", &["attachments", "plan"]),
    ("task_comments", &["discussions", "plan"]),
    ("task_labels", &["editing", "plan"]),
    ("task_links", &["attachments", "plan"]),
    ("task_notes", &["discussions", "plan"]),
    ("task_relations", &["editing", "plan"]),
    ("task_resources", &["people", "plan"]),
    ("task_runs", &["plan", "workspace"]),
    ("task_schedule", &["plan"]),
    ("task_skill_requirements", &["people", "plan"]),
    ("task_splits", &["editing"]),
    ("task_suggestions", &["plan"]),
    ("task_transitions", &["plan"]),
    ("tasks", &["editing", "plan"]),
    ("team_members", &["plan", "projects"]),
    ("teams", &["plan"]),
    ("template_applications", &["exchange"]),
    ("time_entries", &["time_tracking"]),
    ("timers", &["time_tracking"]),
    ("timesheets", &["time_tracking"]),
    ("told_finishes", &["notifications"]),
    ("totp_factors", &["accounts"]),
    ("users", &["accounts", "notifications", "plan", "workspace"]),
    ("velocity_suggestions", &["plan", "sprints"]),
    ("webhook_deliveries", &["outbound", "workspace"]),
    ("webhook_turn", &["outbound"]),
    ("webhooks", &["outbound"]),
    ("worker_heartbeats", &["jobs"]),
    ("workshop_participants", &["outbound"]),
    ("workshop_sessions", &["outbound"]),
    ("workspace", &["workspace"]),
    ("workspace_group_members", &["workspace"]),
    ("workspace_group_projects", &["workspace"]),
    ("workspace_groups", &["workspace"]),
    ("workspace_invites", &["accounts"]),
    ("workspace_logo", &["workspace"]),
];

/// Why some tables are written by more than one crate.
const REASONS: &[(&[&str], &str)] = &[
    (
        &["tasks"],
        "outline, board and recurrence write places, ranks and new tasks in bulk, under the `PlanLock`",
    ),
    (
        &["task_relations"],
        "people write them; imports bring them; they are deleted and restored with their tasks",
    ),
    (&["slip_conflicts"], "a recalculation opens and resolves them; people acknowledge them"),
    (
        &["recurrence_rules", "recurrence_occurrences"],
        "people write them; imports bring them; they are deleted and restored with their project",
    ),
    (&["project_calendar_layers"], "people set overlays; imports bring them"),
    (&["custom_field_values"], "people fill fields; imports bring values"),
    (
        &["sprint_task_outcomes", "velocity_suggestions"],
        "a closing sprint makes them; they are deleted and restored with their project",
    ),
    (
        &["team_members"],
        "the default team follows the members of its project; people change the role of a person in a team",
    ),
    (&["task_labels"], "people put labels on tasks; imports and pulled items bring them"),
    (
        &[
            "board_views",
            "custom_fields",
            "mention_groups",
            "poker_sessions",
            "retro_actions",
            "retro_items",
            "retros",
            "task_attachments",
            "task_comments",
            "task_links",
            "task_notes",
        ],
        "people write them; they are deleted and restored with their project",
    ),
    (
        &["baseline_tasks", "baselines", "acceptance_criteria"],
        "people write them; imports bring them; they are deleted and restored with their project",
    ),
    (
        &["risk_comments", "risk_tasks", "risks"],
        "people write them; imports bring them; they are deleted and restored with their project; a risk follows the rest of a task that is split",
    ),
    (
        &["project_resources", "resources", "task_resources"],
        "people write them one by one; imports bring them, and `owners` of a task allocates people",
    ),
    (
        &["resource_skills", "skills", "task_skill_requirements"],
        "people write them; imports bring them; requirements are deleted and restored with their project",
    ),
    (
        &["deletions"],
        "`plan` marks a deletion as undone; retention, and the end of the workspace, take projects out of the trash",
    ),
    (
        &[
            "audit_events",
            "history",
            "notifications",
            "seed_imports",
            "sync_batches",
            "task_runs",
            "webhook_deliveries",
        ],
        "retention deletes old rows of all areas in one place",
    ),
    (
        &["users"],
        "the workspace changes rank and status; `notifications` changes whether a person wants to be disturbed; `accounts` ends the credentials of a deactivated person; an import locks the row of its person",
    ),
    (
        &["api_token_audit", "api_tokens"],
        "the authentication of a token records its use; tokens are revoked when their project or program is deleted",
    ),
    (&["calendar_feeds"], "people make and revoke them; a new password and a deactivation end them"),
];

/// The crates that may depend on every crate.
const DEPEND_ON_ALL: [&str; 2] = ["server", TESTKIT];

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

/// Every dependency that is not allowed, with its line in the manifest.
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

/// Why a table is written by more than one crate.
pub(crate) fn find_reason(table: &str) -> Option<&'static str> {
    REASONS.iter().find(|(tables, _)| tables.contains(&table)).map(|(_, reason)| *reason)
}

/// Tables of several writers without a reason, and reasons without such a table.
pub(crate) fn check_reasons() -> Vec<Violation> {
    let is_shared = |table: &str| WRITERS.iter().any(|(name, writers)| *name == table && writers.len() > 1);
    let shared = WRITERS.iter().map(|(table, _)| *table).filter(|table| is_shared(table));
    let unexplained = shared.filter(|table| find_reason(table).is_none());
    let explained = REASONS.iter().flat_map(|(tables, _)| tables.iter().copied());
    let unused = explained.filter(|table| !is_shared(table));
    let missing = unexplained.map(|table| format!("several crates write `{table}`: say why in REASONS"));
    let messages =
        missing.chain(unused.map(|table| format!("not several crates write `{table}`: remove its reason")));
    messages.map(|message| Violation::new(OWN_FILE, 1, message)).collect()
}

fn fault(package: &Package, dependency: &Dependency) -> Option<String> {
    let name = short_name(&package.name);
    if DRIVERS.contains(&dependency.name.as_str()) {
        return (name != "store")
            .then(|| format!("`{}` is a database driver: only `store` may depend on one", dependency.name));
    }
    let wanted = dependency.name.strip_prefix(PREFIX)?;
    if package.manifest == API_TESTS {
        return (wanted == TESTKIT && !dependency.development)
            .then(|| "`testkit` belongs under [dev-dependencies] here".to_owned());
    }
    if wanted == TESTKIT {
        return Some("only the [dev-dependencies] of tests/api may use `testkit`: test it there".to_owned());
    }
    if DEPEND_ON_ALL.contains(&name) {
        return None;
    }
    let Some((_, allowed)) = ALLOWED.iter().find(|(row, _)| *row == name) else {
        return Some(format!("`{name}` has no row in the table of xtask/src/tidy/boundaries.rs: add one"));
    };
    if allowed.contains(&wanted) {
        return None;
    }
    let known = if allowed.is_empty() { "none of our crates".to_owned() } else { allowed.join(", ") };
    Some(format!(
        "`{name}` may not depend on `{wanted}`, only on {known}: make it a command of `plan`, or an event and a line in server/src/reactions.rs"
    ))
}

fn short_name(package: &str) -> &str {
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

    fn is_allowed(name: &str, wanted: &str) -> bool {
        let manifest = format!("crates/{name}/Cargo.toml");
        judge(&format!("{PREFIX}{name}"), &manifest, wanted, false).is_none()
    }

    #[test]
    fn lower_crates_do_not_depend_on_higher_ones() {
        assert!(!is_allowed("engine", "planwright-domain"));
        assert!(is_allowed("store", "planwright-domain"));
        assert!(!is_allowed("web", "planwright-jobs"));
        assert!(is_allowed("plan", "planwright-engine"));
        assert!(!is_allowed("plan", "planwright-projects"));
        assert!(!is_allowed("plan_files", "planwright-store"));
    }

    #[test]
    fn an_area_never_depends_on_an_area() {
        assert!(is_allowed("sprints", "planwright-plan"));
        assert!(!is_allowed("sprints", "planwright-projects"));
        assert!(is_allowed("server", "planwright-sprints"));
    }

    #[test]
    fn only_the_api_tests_may_use_the_testkit() {
        assert!(is_allowed("testkit", "planwright-server"));
        assert!(!is_allowed("server", "planwright-testkit"));
        assert!(judge("planwright-api-tests", API_TESTS, "planwright-testkit", true).is_none());
        assert!(judge("planwright-api-tests", API_TESTS, "planwright-testkit", false).is_some());
    }

    #[test]
    fn only_the_store_may_use_a_database_driver_and_other_libraries_are_free() {
        assert!(is_allowed("store", "rusqlite"));
        assert!(!is_allowed("server", "tokio-postgres"));
        assert!(is_allowed("engine", "serde"));
        assert!(!is_allowed("attic", "planwright-domain"));
    }

    #[test]
    fn a_table_of_several_writers_has_a_reason() {
        assert_eq!(check_reasons(), []);
        assert!(find_reason("tasks").is_some() && find_reason("jobs").is_none());
    }

    #[test]
    fn finds_the_line_in_a_manifest() {
        let manifest = "[dependencies]\nplanwright-plan.workspace = true\nplanwright-planner = \"1\"\nplanwright-store = { workspace = true }\n";
        assert_eq!(line_of(manifest, "planwright-plan"), 2);
        assert_eq!(line_of(manifest, "planwright-store"), 4);
        assert_eq!(line_of(manifest, "planwright-web"), 1);
    }
}
