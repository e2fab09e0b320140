//! Programs in storage and on the wire.
//! How a row becomes what is shown is in `present.rs`; what may be written is in `requests.rs`.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::Role;
use planwright_domain::ids::{CalendarId, ProgramId, UserId};
use planwright_domain::words::{
    AggregationPolicy, CalendarSource, Health, Methodology, SlipPropagation, Visibility,
};
use planwright_plan::containers::{ProgramFields, fields};
use planwright_store::{FromRow, Reader, Result};
use schemars::JsonSchema;
use serde::Serialize;

use crate::people::UserSummary;
use crate::settings::{EffectiveCalendar, ShownSettings};

/// A program as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProgramRow {
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
    /// When that was.
    #[serde(skip)]
    pub created_at: DateTime<Utc>,
    /// When it last changed.
    #[serde(skip)]
    pub updated_at: DateTime<Utc>,
    /// Rises with every change.
    #[serde(skip)]
    pub server_version: i64,
    /// What people wrote of it.
    #[serde(flatten)]
    pub written: ProgramFields,
}

impl FromRow for ProgramRow {
    const COLUMNS: &'static [&'static str] = {
        const OWN: &[&str] =
            &["id", "closed_at", "closed_by", "created_by", "created_at", "updated_at", "server_version"];
        const LISTS: &[&[&str]] = &[OWN, ProgramFields::COLUMNS];
        const ALL: [&str; fields::total(LISTS)] = fields::joined(LISTS);
        &ALL
    };

    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self {
            id: reader.take()?,
            closed_at: reader.take()?,
            closed_by: reader.take()?,
            created_by: reader.take()?,
            created_at: reader.take()?,
            updated_at: reader.take()?,
            server_version: reader.take()?,
            written: ProgramFields::read(reader)?,
        })
    }
}

/// A program.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Program {
    /// Its id.
    pub id: ProgramId,
    /// Rises with every change.
    pub server_version: i64,
    /// The shown name.
    pub name: String,
    /// What it is about.
    pub description: String,
    /// A short name.
    pub code: String,
    /// How its projects are run.
    pub methodology: Methodology,
    /// What it may inherit.
    #[serde(flatten)]
    pub settings: ShownSettings,
    /// Its own calendar; null inherits one.
    pub calendar: Option<CalendarId>,
    /// The calendar in force; null means Monday to Friday.
    pub effective_calendar: Option<EffectiveCalendar>,
    /// The workspace's calendar.
    pub inherited_calendar: Option<EffectiveCalendar>,
    /// The scope that the calendar comes from.
    pub calendar_source: CalendarSource,
    /// What a slip across its projects does.
    pub risk_slip_propagation: SlipPropagation,
    /// After how many days an open risk is escalated.
    pub risk_escalation_days: i64,
    /// The figures shown of it.
    pub rollup_enabled_kpis: Vec<String>,
    /// How figures of its projects become one.
    pub rollup_aggregation_policy: AggregationPolicy,
    /// A person's verdict.
    pub health: Health,
    /// When it is meant to be done.
    pub target_date: Option<NaiveDate>,
    /// Who may find it.
    pub visibility: Visibility,
    /// How it is painted.
    pub color: Option<String>,
    /// Who leads it.
    pub lead: Option<UserId>,
    /// The same in short.
    pub lead_detail: Option<UserSummary>,
    /// Who created it.
    pub created_by: Option<UserId>,
    /// When that was.
    pub created_at: DateTime<Utc>,
    /// When it last changed.
    pub updated_at: DateTime<Utc>,
    /// The caller's rank.
    pub my_role: Option<Role>,
    /// Its name.
    pub my_role_label: Option<&'static str>,
    /// Whether the caller pinned it.
    pub is_pinned: bool,
    /// How many projects it holds.
    pub project_count: i64,
    /// How many people belong to it.
    pub member_count: i64,
    /// Whether it is a bundled sample.
    pub is_sample: bool,
    /// Whether it was closed and cannot be changed.
    pub is_closed: bool,
    /// When that happened.
    pub closed_at: Option<DateTime<Utc>>,
    /// Who did it.
    pub closed_by: Option<UserId>,
}
