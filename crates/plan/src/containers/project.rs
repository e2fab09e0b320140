//! Creating a project: its row, its creator as Owner, its default team, its history and its events, in one transaction.
//! Copying settings and judging what somebody asked for happen before this.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::Role;
use planwright_domain::events::{SocketEvent, WebhookEvent};
use planwright_domain::ids::{CalendarId, DeletionId, ProgramId, ProjectId, UserId};
use planwright_domain::words::{
    BoardCadence, ChangeKind, DefaultView, EstimationMode, Health, LagCalendar, Lifecycle, Methodology,
    PrioritizationModel, Visibility,
};
use planwright_store::history::Change;
use planwright_store::outbox::Event;
use planwright_store::record::Columns;
use planwright_store::{Result, ToValue, Tx, record, tracked};
use planwright_web::{Place, Resource};
use serde_json::json;

use super::{Layer, Overrides, members, queries};

record! {
    /// What people write of a project.
    pub struct ProjectFields {
        /// The program it belongs to.
        #[serde(rename = "program")]
        pub program_id: Option<ProgramId>,
        /// The name.
        pub name: String,
        /// The description.
        pub description: String,
        /// What its tasks are called by; may be empty.
        pub code: String,
        /// The start of the project. No task begins before this day.
        pub start_date: NaiveDate,
        /// No work that is left begins before it; none puts no floor under it.
        pub status_date: Option<NaiveDate>,
        /// Its calendar; none inherits one.
        #[serde(rename = "calendar")]
        pub calendar_id: Option<CalendarId>,
        /// The calendar that counts lags.
        pub lag_calendar: LagCalendar,
        /// The health as a person judges it.
        pub health: Health,
        /// Who may find it.
        pub visibility: Visibility,
        /// The time zone of its people.
        pub timezone: String,
        /// The first view.
        pub default_view: DefaultView,
        /// Who leads it.
        #[serde(rename = "lead")]
        pub lead_id: Option<UserId>,
        /// Who may set estimates.
        pub estimation_mode: EstimationMode,
        /// How it is run; none inherits that.
        pub methodology: Option<Methodology>,
        /// Whether its board uses sprints.
        pub board_cadence: BoardCadence,
        /// The number of days without a change after which a task is stale.
        pub stale_task_threshold_days: i64,
        /// The number of days by which the finish must move so that people are told.
        pub end_date_shift_threshold_days: i64,
        /// The formula that scores its backlog.
        pub prioritization_model: PrioritizationModel,
        /// The rank of people who are added without a rank.
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
        /// The time at which it became a draft.
        pub draft_started_at: Option<DateTime<Utc>>,
        /// Whether it came with a bundled sample.
        pub is_sample: bool,
    }
    and
    /// Settings it may inherit.
    pub overrides: Overrides
}

record! {
    /// A project as it is stored.
    pub struct ProjectRow in projects {
        /// Its id.
        #[serde(skip)]
        pub id: ProjectId,
        /// When it was archived.
        pub archived_at: Option<DateTime<Utc>>,
        /// Who archived it.
        pub archived_by: Option<UserId>,
        /// Who created it.
        #[serde(skip)]
        pub created_by: Option<UserId>,
        /// The time of creation.
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        /// When it last changed.
        #[serde(skip)]
        pub updated_at: DateTime<Utc>,
        /// The version. It rises by 1 with every change.
        #[serde(skip)]
        pub server_version: i64,
    }
    and
    /// What people wrote of it.
    pub written: ProjectFields
}

tracked! { ProjectRow as "project" }

impl Resource for ProjectRow {
    type Container = ProjectId;

    fn container(&self) -> ProjectId {
        self.id
    }
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
    let row = fresh(tx, creator, new);
    let number = tx.next_change_number(Some(row.id.0)).await?;
    insert(tx, &row, number, None).await?;
    enter(tx, creator, &row, number).await?;
    Ok(row.id)
}

/// Creates a project that nobody sees until it is opened: an act of deletion hides it.
pub(crate) async fn create_hidden(
    tx: &mut Tx,
    creator: UserId,
    new: NewProject,
    act: DeletionId,
) -> Result<ProjectRow> {
    let row = fresh(tx, creator, new);
    insert(tx, &row, 1, Some(act)).await?;
    Ok(row)
}

/// Opens a project that was created hidden: from now on it is a project like others, and its creator is the Owner.
pub(crate) async fn open_hidden(tx: &mut Tx, creator: UserId, row: &ProjectRow) -> Result<()> {
    let number = tx.next_change_number(Some(row.id.0)).await?;
    queries::unhide(tx, row.id, number).await?;
    enter(tx, creator, row, number).await
}

fn fresh(tx: &Tx, creator: UserId, new: NewProject) -> ProjectRow {
    ProjectRow {
        id: tx.mint(),
        archived_at: None,
        archived_by: None,
        created_by: Some(creator),
        created_at: tx.now(),
        updated_at: tx.now(),
        server_version: 1,
        written: new,
    }
}

async fn insert(tx: &mut Tx, row: &ProjectRow, number: i64, act: Option<DeletionId>) -> Result<()> {
    let counters = [("short_id_counter", 0), ("change_counter", 1), ("change_number", number)];
    let mut more: Columns = counters.map(|(name, value)| (name, value.to_value())).into();
    more.push(("deletion_id", act.to_value()));
    tx.insert(row, more).await
}

/// Puts the creator in as the Owner, and tells of the project.
async fn enter(tx: &mut Tx, creator: UserId, row: &ProjectRow, number: i64) -> Result<()> {
    let (project, program) = (row.id, row.written.program_id);
    queries::insert_default_team(tx, project, number).await?;
    let created = Change::of("project", project, ChangeKind::Created, creator);
    tx.record(Change { project: Some(project), program, ..created }).await?;
    members::enter(tx, creator, project, Place { project: Some(project), program }, number).await?;
    queries::mirror(tx, project, creator, (None, Some(Role::Owner)), number).await?;
    let told = json!({ "id": project, "name": row.written.name, "start_date": row.written.start_date });
    tx.emit(Event::Webhook(WebhookEvent::ProjectCreated), Some(project), program, told).await?;
    let shown = json!({ "id": project });
    tx.emit(Event::Socket(SocketEvent::ProjectCreated), Some(project), program, shown).await
}
