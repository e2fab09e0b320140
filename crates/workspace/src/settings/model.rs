//! The workspace settings on the wire and in storage.
//! Which values they may have is in `rules.rs`.

use chrono::NaiveDate;
use planwright_domain::ids::CalendarId;
use planwright_domain::words::{
    AttributionAudience, EstimationScale, Methodology, OverridePolicy, PercentPolicy,
};
use planwright_store::record::{Numbered, OnDelete};
use planwright_store::{FromValue, Result, StoreError, ToValue, Tracked, Value, record};
use planwright_web::input;
use planwright_web::input::{Int, Name, Patch, TimeZone};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use uuid::Uuid;

/// The workspace in the history, which knows rows by id.
const WORKSPACE: Uuid = Uuid::from_u128(1);

/// A list that is kept as JSON in one column.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Listed<T>(pub Vec<T>);

impl<T: DeserializeOwned> FromValue for Listed<T> {
    fn from_value(value: Value) -> Result<Self> {
        let list = serde_json::from_value(Json::from_value(value)?);
        list.map(Listed).map_err(|error| StoreError::Unexpected(error.into()))
    }
}

impl<T: Serialize> ToValue for Listed<T> {
    fn to_value(self) -> Value {
        serde_json::json!(self.0).to_value()
    }
}

record! {
    /// The workspace as it is stored.
    pub struct WorkspaceRow in workspace {
        #[serde(skip)]
        pub id: i64,
        pub name: String,
        #[serde(skip)]
        pub subdomain: String,
        pub timezone: String,
        pub fiscal_year_start_month: i64,
        pub fiscal_year_start_day: i64,
        pub work_week: Listed<bool>,
        pub default_project_view: String,
        pub allow_guests: bool,
        pub public_sharing: bool,
        pub public_sharing_override_policy: OverridePolicy,
        pub iteration_label: String,
        pub iteration_label_override_policy: OverridePolicy,
        pub mc_history_enabled: bool,
        pub mc_history_retention_cap: i64,
        pub mc_history_attribution_audience: AttributionAudience,
        pub mc_history_override_policy: OverridePolicy,
        pub methodology: Methodology,
        pub methodology_override_policy: OverridePolicy,
        pub task_duration_change_percent_policy: PercentPolicy,
        pub task_duration_change_percent_override_policy: OverridePolicy,
        pub estimation_scale: EstimationScale,
        pub sprint_picker_ready_only_default: bool,
        pub attachments_enabled: bool,
        pub allowed_attachment_types: Listed<String>,
        pub attachments_override_policy: OverridePolicy,
        pub mcp_enabled: bool,
        #[serde(rename = "calendar")]
        pub calendar_id: Option<CalendarId>,
        pub calendar_override_policy: OverridePolicy,
        pub feedback_enabled: bool,
        pub feedback_url: String,
        #[serde(skip)]
        pub server_version: i64,
    }
}

impl Tracked for WorkspaceRow {
    const ENTITY: &'static str = "workspace";

    const ON_DELETE: OnDelete = OnDelete::Remove;

    const NUMBERED: Numbered = Numbered::Nowhere;

    fn id(&self) -> Uuid {
        WORKSPACE
    }

    fn key(&self) -> Value {
        self.id.to_value()
    }

    fn version(&self) -> i64 {
        self.server_version
    }

    fn set_version(&mut self, version: i64) {
        self.server_version = version;
    }
}

/// The settings of the workspace. Programs and projects inherit them if they have none of their own.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WorkspaceSettings {
    /// The name.
    pub name: String,
    /// Set by the operator of the server.
    pub subdomain: String,
    /// The time zone by its IANA name.
    pub timezone: String,
    /// The month in which the fiscal year begins.
    pub fiscal_year_start_month: i64,
    /// The day on which the fiscal year begins.
    pub fiscal_year_start_day: i64,
    /// The first day of the fiscal year in words.
    pub fiscal_year_start_display: String,
    /// For each day from Monday to Sunday: whether it is a working day.
    pub work_week: Vec<bool>,
    /// The first view of a project.
    pub default_project_view: String,
    /// Whether guests may access programs and projects.
    pub allow_guests: bool,
    /// Whether public links may be created.
    pub public_sharing: bool,
    /// Whether lower scopes may have their own value.
    pub public_sharing_override_policy: OverridePolicy,
    /// The word for an iteration, such as sprint.
    pub iteration_label: String,
    /// Whether lower scopes may have their own value.
    pub iteration_label_override_policy: OverridePolicy,
    /// Whether simulation runs are kept.
    pub mc_history_enabled: bool,
    /// The number of simulation runs that are kept for each project.
    pub mc_history_retention_cap: i64,
    /// Who may see who ran a simulation.
    pub mc_history_attribution_audience: AttributionAudience,
    /// Whether lower scopes may have their own value.
    pub mc_history_override_policy: OverridePolicy,
    /// The methodology of projects.
    pub methodology: Methodology,
    /// Whether lower scopes may have their own value.
    pub methodology_override_policy: OverridePolicy,
    /// How a change of duration changes percent complete.
    pub task_duration_change_percent_policy: PercentPolicy,
    /// Whether lower scopes may have their own value.
    pub task_duration_change_percent_override_policy: OverridePolicy,
    /// The scale of story points.
    pub estimation_scale: EstimationScale,
    /// Whether the sprint picker first shows only tasks that are ready.
    pub sprint_picker_ready_only_default: bool,
    /// Whether files may be uploaded.
    pub attachments_enabled: bool,
    /// The media types that may be uploaded. An empty list allows none.
    pub allowed_attachment_types: Vec<String>,
    /// Whether lower scopes may have their own value.
    pub attachments_override_policy: OverridePolicy,
    /// Whether agents may read.
    pub mcp_enabled: bool,
    /// The calendar. Null means Monday to Friday.
    pub calendar: Option<CalendarId>,
    /// Whether lower scopes may have their own value.
    pub calendar_override_policy: OverridePolicy,
    /// Whether the client shows a way to send feedback.
    pub feedback_enabled: bool,
    /// The address for feedback. It may be empty.
    pub feedback_url: String,
    /// The address of the logo of the workspace, if there is one.
    pub logo_url: Option<String>,
    /// The version. It rises by 1 with every change.
    pub server_version: i64,
}

impl WorkspaceSettings {
    /// The settings with the tag of the logo, if there is one.
    pub fn of(row: WorkspaceRow, logo: Option<String>) -> Self {
        Self {
            fiscal_year_start_display: day_in_words(row.fiscal_year_start_month, row.fiscal_year_start_day),
            name: row.name,
            subdomain: row.subdomain,
            timezone: row.timezone,
            fiscal_year_start_month: row.fiscal_year_start_month,
            fiscal_year_start_day: row.fiscal_year_start_day,
            work_week: row.work_week.0,
            default_project_view: row.default_project_view,
            allow_guests: row.allow_guests,
            public_sharing: row.public_sharing,
            public_sharing_override_policy: row.public_sharing_override_policy,
            iteration_label: row.iteration_label,
            iteration_label_override_policy: row.iteration_label_override_policy,
            mc_history_enabled: row.mc_history_enabled,
            mc_history_retention_cap: row.mc_history_retention_cap,
            mc_history_attribution_audience: row.mc_history_attribution_audience,
            mc_history_override_policy: row.mc_history_override_policy,
            methodology: row.methodology,
            methodology_override_policy: row.methodology_override_policy,
            task_duration_change_percent_policy: row.task_duration_change_percent_policy,
            task_duration_change_percent_override_policy: row.task_duration_change_percent_override_policy,
            estimation_scale: row.estimation_scale,
            sprint_picker_ready_only_default: row.sprint_picker_ready_only_default,
            attachments_enabled: row.attachments_enabled,
            allowed_attachment_types: row.allowed_attachment_types.0,
            attachments_override_policy: row.attachments_override_policy,
            mcp_enabled: row.mcp_enabled,
            calendar: row.calendar_id,
            calendar_override_policy: row.calendar_override_policy,
            feedback_enabled: row.feedback_enabled,
            feedback_url: row.feedback_url,
            logo_url: logo.map(|tag| format!("/api/v1/workspace/logo/?v={tag}")),
            server_version: row.server_version,
        }
    }
}

/// A day of any year that has it, as `April 6`.
pub(super) fn day_in_words(month: i64, day: i64) -> String {
    super::rules::day_of_year(month, day)
        .map(|date: NaiveDate| date.format("%B %-d").to_string())
        .unwrap_or_default()
}

input! {
    /// Some settings of the workspace.
    pub struct PatchedWorkspaceSettingsRequest {
        /// The name.
        pub name: Patch<Name<1, 255>>,
        /// The time zone by its IANA name.
        pub timezone: Patch<TimeZone>,
        /// The month in which the fiscal year begins.
        pub fiscal_year_start_month: Patch<Int<1, 12>>,
        /// The day of the month on which the fiscal year begins. The month must always have this day.
        pub fiscal_year_start_day: Patch<Int<1, 31>>,
        /// For each day from Monday to Sunday: whether it is a working day. At least one must be.
        pub work_week: Patch<Vec<bool>>,
        /// The first view of a project.
        pub default_project_view: Patch<Name<1, 32>>,
        /// Whether guests may access programs and projects.
        pub allow_guests: Patch<bool>,
        /// Whether public links may be created.
        pub public_sharing: Patch<bool>,
        /// Whether lower scopes may have their own; `enforce` counts as `suggest`.
        pub public_sharing_override_policy: Patch<OverridePolicy>,
        /// The word for an iteration, such as sprint.
        pub iteration_label: Patch<Name<1, 32>>,
        /// Whether lower scopes may have their own; `enforce` counts as `suggest`.
        pub iteration_label_override_policy: Patch<OverridePolicy>,
        /// Whether simulation runs are kept.
        pub mc_history_enabled: Patch<bool>,
        /// The number of simulation runs that are kept for each project.
        pub mc_history_retention_cap: Patch<Int<0, 2_147_483_647>>,
        /// Who may see who ran a simulation.
        pub mc_history_attribution_audience: Patch<AttributionAudience>,
        /// Whether lower scopes may have their own; `enforce` counts as `suggest`.
        pub mc_history_override_policy: Patch<OverridePolicy>,
        /// The methodology of projects.
        pub methodology: Patch<Methodology>,
        /// Whether lower scopes may have their own; `enforce` counts as `suggest`.
        pub methodology_override_policy: Patch<OverridePolicy>,
        /// How a change of duration changes percent complete.
        pub task_duration_change_percent_policy: Patch<PercentPolicy>,
        /// Whether lower scopes may have their own; `enforce` counts as `suggest`.
        pub task_duration_change_percent_override_policy: Patch<OverridePolicy>,
        /// The scale of story points.
        pub estimation_scale: Patch<EstimationScale>,
        /// Whether the sprint picker first shows only tasks that are ready.
        pub sprint_picker_ready_only_default: Patch<bool>,
        /// Whether files may be uploaded.
        pub attachments_enabled: Patch<bool>,
        /// The media types that may be uploaded. An empty list allows none.
        pub allowed_attachment_types: Patch<Vec<Name<1, 255>>>,
        /// Whether lower scopes may have their own; `enforce` counts as `suggest`.
        pub attachments_override_policy: Patch<OverridePolicy>,
        /// Whether agents may read.
        pub mcp_enabled: Patch<bool>,
        /// The calendar. Null means Monday to Friday.
        pub calendar: Patch<Option<CalendarId>>,
        /// Whether lower scopes may have their own; `enforce` counts as `suggest`.
        pub calendar_override_policy: Patch<OverridePolicy>,
        /// Whether the client shows a way to send feedback.
        pub feedback_enabled: Patch<bool>,
        /// The http or https address for feedback. It may be empty.
        pub feedback_url: Patch<Name<0, 200>>,
    }
}
