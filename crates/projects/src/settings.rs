//! The inheritable settings of a program or project as they are shown: its own, what it would inherit, and what is in force.
//! Programs and projects show them alike; how they are computed is in `planwright_plan::containers::inheritance`.

use planwright_domain::ids::CalendarId;
use planwright_domain::words::{AttributionAudience, EstimationScale, Methodology, PercentPolicy};
use planwright_plan::calendars::model::CalendarRow;
use planwright_plan::containers::{AttachmentTypes, Overrides, Settings};
use planwright_store::value::list;
use planwright_store::{Read, Result, Tx, row, sql};
use planwright_web::Resource;
use schemars::JsonSchema;
use serde::Serialize;

/// Settings of one scope beside what it inherits.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ShownSettings {
    /// The effective methodology, after inheritance.
    pub effective_methodology: Methodology,
    /// The methodology that is inherited if it has none of its own.
    pub inherited_methodology: Methodology,
    /// How a change of duration changes percent complete. Null means that it is inherited.
    pub task_duration_change_percent_policy: Option<PercentPolicy>,
    /// The effective policy.
    pub effective_task_duration_change_percent_policy: PercentPolicy,
    /// The policy that is inherited from the scope above.
    pub inherited_task_duration_change_percent_policy: PercentPolicy,
    /// The scale for story points. Null means that it is inherited.
    pub estimation_scale: Option<EstimationScale>,
    /// The effective scale.
    pub effective_estimation_scale: EstimationScale,
    /// The scale that is inherited from the scope above.
    pub inherited_estimation_scale: EstimationScale,
    /// Whether the sprint picker first shows only tasks that are ready. Null means that it is inherited.
    pub sprint_picker_ready_only_default: Option<bool>,
    /// The effective value.
    pub effective_sprint_picker_ready_only_default: bool,
    /// The value that is inherited from the scope above.
    pub inherited_sprint_picker_ready_only_default: bool,
    /// The word for an iteration. Null means that it is inherited.
    pub iteration_label: Option<String>,
    /// The effective word.
    pub effective_iteration_label: String,
    /// The word that is inherited from the scope above.
    pub inherited_iteration_label: String,
    /// Whether public links may be created. Null means that it is inherited.
    pub public_sharing: Option<bool>,
    /// Whether guests may have access. Null means that it is inherited.
    pub allow_guests: Option<bool>,
    /// The effective value.
    pub effective_public_sharing: bool,
    /// The value that is inherited from the scope above.
    pub inherited_public_sharing: bool,
    /// The effective value.
    pub effective_allow_guests: bool,
    /// The value that is inherited from the scope above.
    pub inherited_allow_guests: bool,
    /// Whether simulation runs are kept. Null means that it is inherited.
    pub mc_history_enabled: Option<bool>,
    /// The number of simulation runs that are kept. Null means that it is inherited.
    pub mc_history_retention_cap: Option<i64>,
    /// Who may see who ran a simulation. Null means that it is inherited.
    pub mc_history_attribution_audience: Option<AttributionAudience>,
    /// The effective value.
    pub effective_mc_history_enabled: bool,
    /// The value that is inherited from the scope above.
    pub inherited_mc_history_enabled: bool,
    /// The effective value.
    pub effective_mc_history_retention_cap: i64,
    /// The value that is inherited from the scope above.
    pub inherited_mc_history_retention_cap: i64,
    /// The effective value.
    pub effective_mc_history_attribution_audience: AttributionAudience,
    /// The value that is inherited from the scope above.
    pub inherited_mc_history_attribution_audience: AttributionAudience,
    /// Whether files may be uploaded. Null means that it is inherited.
    pub attachments_enabled: Option<bool>,
    /// The media types that may be uploaded. Null means that they are inherited. An empty list allows none.
    pub allowed_attachment_types: Option<AttachmentTypes>,
    /// The effective value.
    pub effective_attachments_enabled: bool,
    /// The value that is inherited from the scope above.
    pub inherited_attachments_enabled: bool,
    /// The effective value.
    pub effective_allowed_attachment_types: AttachmentTypes,
    /// The value that is inherited from the scope above.
    pub inherited_allowed_attachment_types: AttachmentTypes,
    /// Whether agents may read. Null means that it is inherited.
    pub mcp_enabled: Option<bool>,
    /// The effective value.
    pub effective_mcp_enabled: bool,
    /// The value that is inherited from the scope above.
    pub inherited_mcp_enabled: bool,
}

impl ShownSettings {
    /// What a scope says for itself, beside what is in force above it and in it.
    pub fn of(own: &Overrides, above: &Settings, here: &Settings) -> Self {
        let own = own.clone();
        Self {
            effective_methodology: here.methodology,
            inherited_methodology: above.methodology,
            task_duration_change_percent_policy: own.task_duration_change_percent_policy,
            effective_task_duration_change_percent_policy: here.task_duration_change_percent_policy,
            inherited_task_duration_change_percent_policy: above.task_duration_change_percent_policy,
            estimation_scale: own.estimation_scale,
            effective_estimation_scale: here.estimation_scale,
            inherited_estimation_scale: above.estimation_scale,
            sprint_picker_ready_only_default: own.sprint_picker_ready_only_default,
            effective_sprint_picker_ready_only_default: here.sprint_picker_ready_only_default,
            inherited_sprint_picker_ready_only_default: above.sprint_picker_ready_only_default,
            iteration_label: own.iteration_label,
            effective_iteration_label: here.iteration_label.clone(),
            inherited_iteration_label: above.iteration_label.clone(),
            public_sharing: own.public_sharing,
            allow_guests: own.allow_guests,
            effective_public_sharing: here.public_sharing,
            inherited_public_sharing: above.public_sharing,
            effective_allow_guests: here.allow_guests,
            inherited_allow_guests: above.allow_guests,
            mc_history_enabled: own.mc_history_enabled,
            mc_history_retention_cap: own.mc_history_retention_cap,
            mc_history_attribution_audience: own.mc_history_attribution_audience,
            effective_mc_history_enabled: here.mc_history_enabled,
            inherited_mc_history_enabled: above.mc_history_enabled,
            effective_mc_history_retention_cap: here.mc_history_retention_cap,
            inherited_mc_history_retention_cap: above.mc_history_retention_cap,
            effective_mc_history_attribution_audience: here.mc_history_attribution_audience,
            inherited_mc_history_attribution_audience: above.mc_history_attribution_audience,
            attachments_enabled: own.attachments_enabled,
            allowed_attachment_types: own.allowed_attachment_types,
            effective_attachments_enabled: here.attachments_enabled,
            inherited_attachments_enabled: above.attachments_enabled,
            effective_allowed_attachment_types: here.allowed_attachment_types.clone(),
            inherited_allowed_attachment_types: above.allowed_attachment_types.clone(),
            mcp_enabled: own.mcp_enabled,
            effective_mcp_enabled: here.mcp_enabled,
            inherited_mcp_enabled: above.mcp_enabled,
        }
    }
}

row! {
    /// The effective calendar in short form.
    #[derive(Serialize, JsonSchema)]
    pub struct EffectiveCalendar {
        /// Its id.
        pub id: CalendarId,
        /// The name.
        pub name: String,
        /// The working weekdays as a mask: Monday is 1, Sunday is 64.
        pub working_days: i64,
        /// Only for display.
        pub hours_per_day: f64,
        /// Only for display.
        pub timezone: String,
        /// How many of its exceptions are days off.
        pub holiday_count: i64,
    }
}

/// Several calendars in short.
pub async fn calendars_in_short(
    db: &dyn Read,
    calendars: impl IntoIterator<Item = CalendarId>,
) -> Result<Vec<EffectiveCalendar>> {
    db.all(sql!(
        "SELECT c.id, c.name, c.working_days, c.hours_per_day, c.timezone,
            (SELECT COUNT(*) FROM calendar_exceptions e WHERE e.calendar_id = c.id AND e.working = FALSE)
                AS holiday_count
         FROM calendars c WHERE c.id IN (:calendars)",
        calendars = list(calendars)
    ))
    .await
}

/// Whether a calendar of the library may be chosen.
pub async fn is_live_calendar(tx: &Tx, calendar: CalendarId) -> Result<bool> {
    Ok(CalendarRow::lock(tx, calendar.0).await?.is_some())
}
