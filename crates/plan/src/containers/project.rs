//! Creating a project: its row, its creator as Owner, its default team, its history and its events, in one transaction.
//! Copying settings and judging what somebody asked for happen before this.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::Role;
use planwright_domain::events::{SocketEvent, WebhookEvent};
use planwright_domain::ids::{CalendarId, ProgramId, ProjectId, UserId};
use planwright_domain::words::{
    BoardCadence, ChangeKind, DefaultView, EstimationMode, Health, LagCalendar, Lifecycle, Methodology,
    PrioritizationModel, Visibility,
};
use planwright_store::history::Change;
use planwright_store::outbox::Event;
use planwright_store::{Result, Tx};
use serde_json::json;

use super::fields::fields;
use super::members::{self, Place};
use super::{Layer, Overrides, queries};

fields! {
    /// What people write of a project.
    pub struct ProjectFields {
        /// The program it belongs to.
        #[serde(rename = "program")]
        pub program_id: Option<ProgramId>,
        /// The shown name.
        pub name: String,
        /// What it is about.
        pub description: String,
        /// What its tasks are called by; may be empty.
        pub code: String,
        /// No task begins before it.
        pub start_date: NaiveDate,
        /// No work that is left begins before it; none puts no floor under it.
        pub status_date: Option<NaiveDate>,
        /// Its calendar; none inherits one.
        #[serde(rename = "calendar")]
        pub calendar_id: Option<CalendarId>,
        /// The calendar that lags are counted on.
        pub lag_calendar: LagCalendar,
        /// A person's verdict.
        pub health: Health,
        /// Who may find it.
        pub visibility: Visibility,
        /// The zone its people work in.
        pub timezone: String,
        /// What opens first.
        pub default_view: DefaultView,
        /// Who leads it.
        #[serde(rename = "lead")]
        pub lead_id: Option<UserId>,
        /// Who may set estimates.
        pub estimation_mode: EstimationMode,
        /// How it is run; none inherits that.
        pub methodology: Option<Methodology>,
        /// Whether its board works in sprints.
        pub board_cadence: BoardCadence,
        /// After how many days without a change a task is stale.
        pub stale_task_threshold_days: i64,
        /// From how many days on a shift of its end is told.
        pub end_date_shift_threshold_days: i64,
        /// The formula that scores its backlog.
        pub prioritization_model: PrioritizationModel,
        /// The rank of people who are added without one.
        pub default_member_role: Role,
        /// Whether reports are shown; none inherits that, as the next three do.
        pub show_reporting: Option<bool>,
        /// Whether time tracking is shown.
        pub show_time_tracking: Option<bool>,
        /// Whether baselines are shown.
        pub show_baselines: Option<bool>,
        /// Whether simulations are shown.
        pub show_monte_carlo: Option<bool>,
        /// Whether its plan is a draft.
        pub lifecycle: Lifecycle,
        /// Since when it is a draft.
        pub draft_started_at: Option<DateTime<Utc>>,
        /// Whether it came with a bundled sample.
        pub is_sample: bool,
    }
    and
    /// Settings it may inherit.
    pub overrides: Overrides
}

/// A project to be created.
pub type NewProject = ProjectFields;

impl ProjectFields {
    /// A project of which nothing but the name and the first day is known.
    pub fn named(name: impl Into<String>, start_date: NaiveDate) -> Self {
        Self {
            program_id: None,
            name: name.into(),
            description: String::new(),
            code: String::new(),
            start_date,
            status_date: None,
            calendar_id: None,
            lag_calendar: LagCalendar::Successor,
            health: Health::Auto,
            visibility: Visibility::Workspace,
            timezone: "UTC".into(),
            default_view: DefaultView::Schedule,
            lead_id: None,
            estimation_mode: EstimationMode::Open,
            methodology: None,
            board_cadence: BoardCadence::Sprint,
            stale_task_threshold_days: 7,
            end_date_shift_threshold_days: 5,
            prioritization_model: PrioritizationModel::None,
            default_member_role: Role::Member,
            overrides: Overrides::default(),
            show_reporting: None,
            show_time_tracking: None,
            show_baselines: None,
            show_monte_carlo: None,
            lifecycle: Lifecycle::Active,
            draft_started_at: None,
            is_sample: false,
        }
    }

    /// What it says for itself where it could inherit.
    pub fn layer(&self) -> Layer {
        Layer {
            methodology: self.methodology,
            calendar_id: self.calendar_id,
            overrides: self.overrides.clone(),
        }
    }
}

/// Creates a project whose Owner is the creator.
pub async fn create_project(tx: &mut Tx, creator: UserId, new: NewProject) -> Result<ProjectId> {
    let project: ProjectId = tx.mint();
    let program = new.program_id;
    queries::insert_project(tx, project, creator, &new).await?;
    queries::insert_default_team(tx, project).await?;
    let created = Change::of("project", project, ChangeKind::Created, creator);
    tx.record(Change { project: Some(project), program, ..created }).await?;
    members::enter(tx, creator, Place { project, program }, creator, Role::Owner).await?;
    let told = json!({ "id": project, "name": new.name, "start_date": new.start_date });
    tx.emit(Event::Webhook(WebhookEvent::ProjectCreated), Some(project), program, told).await?;
    let shown = json!({ "id": project });
    tx.emit(Event::Socket(SocketEvent::ProjectCreated), Some(project), program, shown).await?;
    Ok(project)
}
