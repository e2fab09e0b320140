//! Creating a program: its row, its creator as Owner, its history, in one transaction.
//! No event tells of it, since nobody can listen to a program before it holds a project.

use chrono::NaiveDate;
use planwright_domain::Role;
use planwright_domain::ids::{CalendarId, ProgramId, UserId};
use planwright_domain::words::{
    AggregationPolicy, ChangeKind, Health, Methodology, SlipPropagation, Visibility,
};
use planwright_store::history::Change;
use planwright_store::{Result, Tx};
use serde_json::Value as Json;

use super::fields::fields;
use super::{Layer, Overrides, members, queries};

fields! {
    /// What people write of a program.
    pub struct ProgramFields {
        /// The shown name.
        pub name: String,
        /// What it is about.
        pub description: String,
        /// A short name; an import finds the program again by it.
        pub code: String,
        /// How its projects are run.
        pub methodology: Methodology,
        /// A person's verdict.
        pub health: Health,
        /// Who may find it.
        pub visibility: Visibility,
        /// When it is meant to be done.
        pub target_date: Option<NaiveDate>,
        /// How it is painted, as `#RRGGBB`.
        pub color: Option<String>,
        /// Who leads it.
        #[serde(rename = "lead")]
        pub lead_id: Option<UserId>,
        /// Its calendar; none inherits one.
        #[serde(rename = "calendar")]
        pub calendar_id: Option<CalendarId>,
        /// What a slip across its projects does.
        pub risk_slip_propagation: SlipPropagation,
        /// After how many days an open risk is escalated.
        pub risk_escalation_days: i64,
        /// The figures shown of it; none shows those of its methodology.
        pub rollup_enabled_kpis: Option<Json>,
        /// How figures of its projects become one.
        pub rollup_aggregation_policy: AggregationPolicy,
        /// Whether it is a bundled sample.
        pub is_sample: bool,
    }
    and
    /// Settings it may inherit.
    pub overrides: Overrides
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
    queries::insert_program(tx, program, creator, &new).await?;
    let created = Change::of("program", program, ChangeKind::Created, creator);
    tx.record(Change { program: Some(program), ..created }).await?;
    members::add_program_member(tx, creator, program, creator, Role::Owner, "").await?;
    Ok(program)
}
