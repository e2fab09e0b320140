//! The settings that a program or project may set for itself, each of which is inherited while it is null.
//! What is in force after inheritance is computed in `inheritance.rs`.

use planwright_domain::words::{AttributionAudience, EstimationScale, PercentPolicy};
use planwright_store::record;

use super::AttachmentTypes;

record! {
    /// Settings of one scope; `None` inherits from the scope above.
    #[derive(Default)]
    pub struct Overrides {
        /// Whether public links may be created.
        pub public_sharing: Option<bool>,
        /// Whether guests may be let in.
        pub allow_guests: Option<bool>,
        /// Whether simulation runs are kept.
        pub mc_history_enabled: Option<bool>,
        /// How many simulation runs are kept.
        pub mc_history_retention_cap: Option<i64>,
        /// Who may see who ran a simulation.
        pub mc_history_attribution_audience: Option<AttributionAudience>,
        /// Whether files may be uploaded.
        pub attachments_enabled: Option<bool>,
        /// What kinds of files may be uploaded.
        pub allowed_attachment_types: Option<AttachmentTypes>,
        /// Whether agents may read.
        pub mcp_enabled: Option<bool>,
        /// The scale story points are picked from.
        pub estimation_scale: Option<EstimationScale>,
        /// Whether the sprint picker shows only what is ready.
        pub sprint_picker_ready_only_default: Option<bool>,
        /// What a duration change does to percent complete.
        pub task_duration_change_percent_policy: Option<PercentPolicy>,
        /// The word for an iteration, such as sprint.
        pub iteration_label: Option<String>,
    }
}
