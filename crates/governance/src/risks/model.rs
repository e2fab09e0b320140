//! Risks on the wire and in storage.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{ProjectId, RiskId, TaskId, UserId};
use planwright_domain::person::{display_name, initials};
use planwright_domain::words::{ChangeKind, RiskCategory, RiskResponse, RiskStatus};
use planwright_plan::tasks::rules::short_number;
use planwright_store::{record, tracked};
use planwright_web::input::{Int, List, LongText, Name, Patch};
use planwright_web::{Resource, body, input};
use schemars::JsonSchema;
use serde::Serialize;

record! {
    /// A risk as it is stored.
    pub struct RiskRow in risks {
        #[serde(skip)]
        pub id: RiskId,
        #[serde(skip)]
        pub project_id: ProjectId,
        #[serde(skip)]
        pub short_id: String,
        pub title: String,
        pub description: String,
        pub status: RiskStatus,
        /// How likely it is, 1 to 5.
        pub probability: i64,
        /// How bad it would be, 1 to 5.
        pub impact: i64,
        pub likelihood_percent: Option<i64>,
        pub delay_low_days: Option<i64>,
        pub delay_days: Option<i64>,
        pub delay_high_days: Option<i64>,
        pub category: Option<RiskCategory>,
        pub response: Option<RiskResponse>,
        pub mitigation_due_date: Option<NaiveDate>,
        #[serde(rename = "trigger")]
        pub trigger_text: String,
        pub contingency: String,
        pub notes: String,
        #[serde(rename = "owner")]
        pub owner_id: Option<UserId>,
        #[serde(skip)]
        pub created_by: Option<UserId>,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub updated_at: DateTime<Utc>,
        /// Since when it has its severity. None means since it was noted.
        #[serde(skip)]
        pub severity_since: Option<DateTime<Utc>>,
        /// When others were told that it has had it for long.
        #[serde(skip)]
        pub escalated_at: Option<DateTime<Utc>>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! {
    RiskRow as "risk" {
        fn event(kind: ChangeKind) -> Option<SocketEvent> {
            Some(match kind {
                ChangeKind::Created | ChangeKind::Restored => SocketEvent::RiskCreated,
                ChangeKind::Updated => SocketEvent::RiskUpdated,
                ChangeKind::Deleted => SocketEvent::RiskDeleted,
            })
        }
    }
}

impl Resource for RiskRow {
    type Container = ProjectId;

    fn container(&self) -> ProjectId {
        self.project_id
    }
}

impl RiskRow {
    /// A risk of which nothing is said yet.
    pub fn fresh(id: RiskId, project: ProjectId, short_id: String, by: UserId, now: DateTime<Utc>) -> Self {
        Self {
            id,
            project_id: project,
            short_id,
            title: String::new(),
            description: String::new(),
            status: RiskStatus::Open,
            probability: 1,
            impact: 1,
            likelihood_percent: None,
            delay_low_days: None,
            delay_days: None,
            delay_high_days: None,
            category: None,
            response: None,
            mitigation_due_date: None,
            trigger_text: String::new(),
            contingency: String::new(),
            notes: String::new(),
            owner_id: None,
            created_by: Some(by),
            created_at: now,
            updated_at: now,
            severity_since: None,
            escalated_at: None,
            server_version: 1,
        }
    }

    /// Probability times impact, 1 to 25.
    pub fn severity(&self) -> i64 {
        self.probability * self.impact
    }
}

record! {
    /// A risk with what it shows of its project and its owner.
    pub struct ShownRiskRow {
        pub project_code: String,
        pub username: Option<String>,
        pub first_name: Option<String>,
        pub last_name: Option<String>,
    }
    and pub risk: RiskRow
}

body! {
    /// A new risk, or all of one.
    pub struct RiskRequest;
    /// Some fields of a risk.
    pub struct PatchedRiskRequest;
    required {
        /// What may happen.
        title: Name<1, 512>,
        /// How likely it is, 1 to 5.
        probability: Int<1, 5>,
        /// How bad it would be, 1 to 5.
        impact: Int<1, 5>,
    }
    optional {
        /// More about it.
        description: LongText<0, 10000>,
        /// Where it stands. A new risk is open.
        status: RiskStatus,
        /// Where it comes from.
        category: Option<RiskCategory>,
        /// What is done about it.
        response: Option<RiskResponse>,
        /// The day by which that is to be done.
        mitigation_due_date: Option<NaiveDate>,
        /// How one notices that it happens.
        trigger: LongText<0, 10000>,
        /// What is done when it happens.
        contingency: LongText<0, 10000>,
        /// Anything else.
        notes: LongText<0, 10000>,
        /// Who looks after it, a member of the project.
        owner: Option<UserId>,
        /// How likely it is that it happens, in percent. With it and with `delay_days` the risk counts in the simulation.
        likelihood_percent: Option<Int<1, 100>>,
        /// The working days that it most likely adds to the remaining work of each task that it threatens.
        delay_days: Option<Int<0, 3650>>,
        /// The fewest working days that it adds. Null means as many as `delay_days`.
        delay_low_days: Option<Int<0, 3650>>,
        /// The most working days that it adds. Null means as many as `delay_days`.
        delay_high_days: Option<Int<0, 3650>>,
        /// The tasks of the project that it threatens.
        tasks: List<TaskId, 0, 10>,
    }
}

input! {
    /// Which risks are listed.
    pub struct RiskFilter {
        /// Only the risk with this short id.
        pub short_id: Patch<Name<0, 20>>,
        /// Only risks that stand there.
        pub status: Patch<RiskStatus>,
        /// Only risks that threaten this task.
        pub task: Patch<TaskId>,
    }
}

/// A risk of a project.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Risk {
    pub id: RiskId,
    pub server_version: i64,
    /// Eight digits, counted in the project.
    pub short_id: String,
    /// Such as `R-007`.
    pub short_id_display: String,
    /// The same with the code of the project.
    pub qualified_id: String,
    pub project: ProjectId,
    pub title: String,
    pub description: String,
    pub status: RiskStatus,
    /// How likely it is, 1 to 5.
    pub probability: i64,
    /// How bad it would be, 1 to 5.
    pub impact: i64,
    /// Probability times impact, 1 to 25.
    pub severity: i64,
    /// How likely it is that it happens, in percent. Null means that it does not count in the simulation.
    pub likelihood_percent: Option<i64>,
    /// The fewest working days that it adds to each task that it threatens.
    pub delay_low_days: Option<i64>,
    /// The working days that it most likely adds.
    pub delay_days: Option<i64>,
    /// The most working days that it adds.
    pub delay_high_days: Option<i64>,
    pub category: Option<RiskCategory>,
    pub response: Option<RiskResponse>,
    /// The day by which something is to be done about it.
    pub mitigation_due_date: Option<NaiveDate>,
    /// How one notices that it happens.
    pub trigger: String,
    /// What is done when it happens.
    pub contingency: String,
    pub notes: String,
    /// Who looks after it.
    pub owner: Option<UserId>,
    pub owner_name: Option<String>,
    pub owner_initials: Option<String>,
    pub created_by: Option<UserId>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    /// The tasks that it threatens.
    pub tasks: Vec<TaskId>,
}

impl Risk {
    /// A risk with the tasks that it threatens.
    pub fn of(shown: ShownRiskRow, tasks: Vec<TaskId>) -> Self {
        let ShownRiskRow { project_code, username, first_name, last_name, risk } = shown;
        let short_id_display = format!("R-{:03}", short_number(&risk.short_id));
        let text = |text: Option<String>| text.unwrap_or_default();
        let owner_name = username.map(|name| display_name(&text(first_name), &text(last_name), &name));
        Self {
            id: risk.id,
            server_version: risk.server_version,
            qualified_id: match project_code.is_empty() {
                true => short_id_display.clone(),
                false => format!("{project_code}-{short_id_display}"),
            },
            short_id_display,
            project: risk.project_id,
            severity: risk.severity(),
            short_id: risk.short_id,
            title: risk.title,
            description: risk.description,
            status: risk.status,
            probability: risk.probability,
            impact: risk.impact,
            likelihood_percent: risk.likelihood_percent,
            delay_low_days: risk.delay_low_days,
            delay_days: risk.delay_days,
            delay_high_days: risk.delay_high_days,
            category: risk.category,
            response: risk.response,
            mitigation_due_date: risk.mitigation_due_date,
            trigger: risk.trigger_text,
            contingency: risk.contingency,
            notes: risk.notes,
            owner: risk.owner_id,
            owner_initials: owner_name.as_deref().map(initials),
            owner_name,
            created_by: risk.created_by,
            created_at: risk.created_at,
            updated_at: risk.updated_at,
            tasks,
        }
    }
}
