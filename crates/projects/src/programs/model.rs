//! Programs on the wire.
//! How a row becomes what is shown is in `present.rs`; what may be written is in `requests.rs`.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::Role;
use planwright_domain::ids::{CalendarId, ProgramId, UserId};
use planwright_domain::words::{
    AggregationPolicy, CalendarSource, Health, Methodology, SlipPropagation, Visibility,
};
use planwright_plan::people::UserSummary;
use schemars::JsonSchema;
use serde::Serialize;

use crate::settings::{EffectiveCalendar, ShownSettings};

/// A program.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Program {
    /// Its id.
    pub id: ProgramId,
    /// The version. It rises by 1 with every change.
    pub server_version: i64,
    /// The name.
    pub name: String,
    /// The description.
    pub description: String,
    /// A short name.
    pub code: String,
    /// The methodology of its projects.
    pub methodology: Methodology,
    /// What it may inherit.
    #[serde(flatten)]
    pub settings: ShownSettings,
    /// Its own calendar. Null means that one is inherited.
    pub calendar: Option<CalendarId>,
    /// The effective calendar. Null means Monday to Friday.
    pub effective_calendar: Option<EffectiveCalendar>,
    /// The workspace's calendar.
    pub inherited_calendar: Option<EffectiveCalendar>,
    /// The scope that the calendar comes from.
    pub calendar_source: CalendarSource,
    /// What happens if a task slips because of another project of the program.
    pub risk_slip_propagation: SlipPropagation,
    /// The number of days after which an open risk is escalated.
    pub risk_escalation_days: i64,
    /// The key figures that are shown.
    pub rollup_enabled_kpis: Vec<String>,
    /// How the key figures of its projects are combined.
    pub rollup_aggregation_policy: AggregationPolicy,
    /// The health as a person judges it.
    pub health: Health,
    /// The target date.
    pub target_date: Option<NaiveDate>,
    /// Who may find it.
    pub visibility: Visibility,
    /// The colour.
    pub color: Option<String>,
    /// Who leads it.
    pub lead: Option<UserId>,
    /// The same person in short form.
    pub lead_detail: Option<UserSummary>,
    /// Who created it.
    pub created_by: Option<UserId>,
    /// The time of creation.
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
    /// The time at which it was closed.
    pub closed_at: Option<DateTime<Utc>>,
    /// Who closed it.
    pub closed_by: Option<UserId>,
}
