//! Creating a program: its row, its creator as Owner, its history, in one transaction.
//! No event tells of it, since nobody can listen to a program before it holds a project; [`tell`] is for what comes later.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{CalendarId, ProgramId, ProjectId, UserId};
use planwright_domain::words::{
    AggregationPolicy, ChangeKind, Health, Methodology, SlipPropagation, Visibility,
};
use planwright_store::history::Change;
use planwright_store::outbox::Event;
use planwright_store::record::column;
use planwright_store::{Read, Result, Tx, record, sql, tracked};
use planwright_web::{Place, Resource};
use serde_json::Value as Json;

use super::{Layer, Overrides, members};

record! {
    /// What people write of a program.
    pub struct ProgramFields {
        /// The name.
        pub name: String,
        /// The description.
        pub description: String,
        /// A short name; an import finds the program again by it.
        pub code: String,
        /// The methodology of its projects.
        pub methodology: Methodology,
        /// The health as a person judges it.
        pub health: Health,
        /// Who may find it.
        pub visibility: Visibility,
        /// The target date.
        pub target_date: Option<NaiveDate>,
        /// The colour, as `#RRGGBB`.
        pub color: Option<String>,
        /// Who leads it.
        #[serde(rename = "lead")]
        pub lead_id: Option<UserId>,
        /// Its calendar; none inherits one.
        #[serde(rename = "calendar")]
        pub calendar_id: Option<CalendarId>,
        /// What happens if a task slips because of another project of the program.
        pub risk_slip_propagation: SlipPropagation,
        /// The number of days after which an open risk is escalated.
        pub risk_escalation_days: i64,
        /// The figures shown of it; none shows those of its methodology.
        pub rollup_enabled_kpis: Option<Json>,
        /// How the key figures of its projects are combined.
        pub rollup_aggregation_policy: AggregationPolicy,
        /// Whether it is a bundled sample.
        pub is_sample: bool,
    }
    and
    /// Settings it may inherit.
    pub overrides: Overrides
}

record! {
    /// A program as it is stored.
    pub struct ProgramRow in programs {
        /// Its id.
        #[serde(skip)]
        pub id: ProgramId,
        /// When it was closed.
        pub closed_at: Option<DateTime<Utc>>,
        /// Who closed it.
        pub closed_by: Option<UserId>,
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
    pub written: ProgramFields
}

tracked! { ProgramRow as "program" }

impl Resource for ProgramRow {
    type Container = ProgramId;

    fn container(&self) -> ProgramId {
        self.id
    }
}

/// A program to be created.
pub type NewProgram = ProgramFields;

impl ProgramFields {
    /// A program of which nothing but the name is known.
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            description: String::new(),
            code: String::new(),
            methodology: Methodology::Hybrid,
            health: Health::Auto,
            visibility: Visibility::Workspace,
            target_date: None,
            color: None,
            lead_id: None,
            calendar_id: None,
            risk_slip_propagation: SlipPropagation::Warn,
            risk_escalation_days: 3,
            rollup_enabled_kpis: None,
            rollup_aggregation_policy: AggregationPolicy::Worst,
            overrides: Overrides::default(),
            is_sample: false,
        }
    }

    /// What it says for itself where it could inherit.
    pub fn layer(&self) -> Layer {
        Layer {
            methodology: Some(self.methodology),
            calendar_id: self.calendar_id,
            overrides: self.overrides.clone(),
        }
    }
}

/// Creates a program whose Owner is the creator.
pub async fn create_program(tx: &mut Tx, creator: UserId, new: NewProgram) -> Result<ProgramId> {
    let program: ProgramId = tx.mint();
    let number = tx.next_change_number(Some(program.0)).await?;
    let row = ProgramRow {
        id: program,
        closed_at: None,
        closed_by: None,
        created_by: Some(creator),
        created_at: tx.now(),
        updated_at: tx.now(),
        server_version: 1,
        written: new,
    };
    tx.insert(&row, column("change_number", number)).await?;
    let created = Change::of("program", program, ChangeKind::Created, creator);
    tx.record(Change { program: Some(program), ..created }).await?;
    members::enter(tx, creator, program, Place { project: None, program: Some(program) }, number).await?;
    Ok(program)
}

/// The live projects of a program.
pub async fn projects_of(db: &dyn Read, program: ProgramId) -> Result<Vec<ProjectId>> {
    let select = "SELECT id FROM projects WHERE program_id = :program AND deletion_id IS NULL ORDER BY id";
    db.scalars(sql!(select, program = program)).await
}

/// Tells the people who look at any project of a program; a program has no channel of its own.
pub async fn tell(tx: &mut Tx, program: ProgramId, event: SocketEvent, payload: Json) -> Result<()> {
    for project in projects_of(tx, program).await? {
        tx.emit(Event::Socket(event), Some(project), Some(program), payload.clone()).await?;
    }
    Ok(())
}
