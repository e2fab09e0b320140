//! The automation of a project on the wire and in storage.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{GitAutomationId, ProjectId, TaskId, UserId};
use planwright_domain::words::{GitOutcome, GitProvider, GitRefusal, Word};
use planwright_store::record::OnDelete;
use planwright_store::{record, row, tracked};
use planwright_web::{Resource, input};
use schemars::JsonSchema;
use serde::Serialize;

record! {
    /// The automation of a project as people write it.
    pub struct GitAutomationRow in git_automations {
        #[serde(skip)]
        pub id: GitAutomationId,
        #[serde(skip)]
        pub project_id: ProjectId,
        pub enabled: bool,
        #[serde(skip)]
        pub sealed_secret: String,
        pub configured_by: UserId,
        pub secret_set_at: Option<DateTime<Utc>>,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub updated_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! {
    GitAutomationRow as "git_automation" {
        // A project has one for good; it is switched off, not deleted.
        const ON_DELETE: OnDelete = OnDelete::Remove;
    }
}

impl Resource for GitAutomationRow {
    type Container = ProjectId;

    fn container(&self) -> ProjectId {
        self.project_id
    }
}

impl GitAutomationRow {
    /// The automation of a project before anybody said anything about it.
    pub fn fresh(id: GitAutomationId, project: ProjectId, person: UserId, now: DateTime<Utc>) -> Self {
        Self {
            id,
            project_id: project,
            enabled: false,
            sealed_secret: String::new(),
            configured_by: person,
            secret_set_at: None,
            created_at: now,
            updated_at: now,
            server_version: 1,
        }
    }

    /// What its secret is sealed for: nothing else, and no other row.
    pub fn purpose(&self) -> String {
        format!("git webhook secret of {}", self.id)
    }
}

row! {
    /// What a forge told last, and what was refused last.
    #[derive(Default)]
    pub struct LastSeen {
        pub last_delivery_at: Option<DateTime<Utc>>,
        pub last_delivery_outcome: Option<GitOutcome>,
        pub last_delivery_provider: Option<GitProvider>,
        pub last_refusal_at: Option<DateTime<Utc>>,
        pub last_refusal_outcome: Option<GitRefusal>,
        pub last_refusal_provider: Option<GitProvider>,
    }
}

row! {
    /// A task that has a merge request as its link.
    pub struct LinkedTask {
        pub id: TaskId,
    }
}

input! {
    /// Whether merge requests move tasks.
    pub struct GitAutomationConfigRequest {
        /// Whether they do.
        pub enabled: bool,
    }
}

/// What merge requests do to the tasks of a project.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GitAutomationConfig {
    /// Whether they move tasks.
    pub enabled: bool,
    /// Whether there is a secret.
    pub secret_set: bool,
    /// The address to enter at the forge.
    pub webhook_url: String,
    /// Who changed this last. Moves of tasks are in their name.
    pub configured_by: Option<UserId>,
    pub secret_set_at: Option<DateTime<Utc>>,
    pub updated_at: Option<DateTime<Utc>>,
    /// When a forge told something last.
    pub last_delivery_at: Option<DateTime<Utc>>,
    /// What became of it; blank before.
    pub last_delivery_outcome: String,
    /// Which forge it was; blank before.
    pub last_delivery_provider: String,
    /// When a forge was not listened to last.
    pub last_refusal_at: Option<DateTime<Utc>>,
    /// Why; blank before.
    pub last_refusal_outcome: String,
    /// Which forge it was, if it said so.
    pub last_refusal_provider: String,
}

impl GitAutomationConfig {
    /// How the automation of a project looks; without a row it was never switched on.
    pub fn of(row: Option<&GitAutomationRow>, seen: LastSeen, webhook_url: String) -> Self {
        let provider = |provider: Option<GitProvider>| provider.map_or("", Word::as_str).to_owned();
        Self {
            enabled: row.is_some_and(|row| row.enabled),
            secret_set: row.is_some_and(|row| !row.sealed_secret.is_empty()),
            webhook_url,
            configured_by: row.map(|row| row.configured_by),
            secret_set_at: row.and_then(|row| row.secret_set_at),
            updated_at: row.map(|row| row.updated_at),
            last_delivery_at: seen.last_delivery_at,
            last_delivery_outcome: seen.last_delivery_outcome.map_or("", Word::as_str).to_owned(),
            last_delivery_provider: provider(seen.last_delivery_provider),
            last_refusal_at: seen.last_refusal_at,
            last_refusal_outcome: seen.last_refusal_outcome.map_or("", Word::as_str).to_owned(),
            last_refusal_provider: provider(seen.last_refusal_provider),
        }
    }
}

/// A new secret, which is never shown again.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GitAutomationSecret {
    /// The secret to enter at the forge.
    pub secret: String,
    /// The address to enter at the forge.
    pub webhook_url: String,
    pub secret_set_at: Option<DateTime<Utc>>,
}

/// What became of what a forge told.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct GitWebhookResult {
    /// Whether a task has the merge request as its link.
    pub matched: bool,
    /// Whether a task moved.
    pub moved: bool,
    /// The task; of several the oldest that moved, or the oldest of all if none did.
    pub task: Option<TaskId>,
    /// Where the task stood before.
    pub from: Option<String>,
    /// Where it stands now.
    pub to: Option<String>,
    /// The event, if it is none that moves tasks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ignored: Option<String>,
    /// Why it came out like that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<GitOutcome>,
}
