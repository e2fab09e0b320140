//! What callers may write of a project.
//! Whether they may, and whether the parts fit together, is decided in `rules.rs`.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::Role;
use planwright_domain::ids::{CalendarId, ProgramId, ProjectId, UserId};
use planwright_domain::words::{
    BoardCadence, DefaultView, EstimationMode, Health, LagCalendar, Lifecycle, Methodology,
    PrioritizationModel, Visibility,
};
use planwright_web::input;
use planwright_web::input::{Int, LongText, Name, Patch, TimeZoneOrBlank};

use crate::inherit::{Inherit, body_with_settings};

body_with_settings! {
    /// A new project, or all of one.
    pub struct ProjectRequest;
    /// Some fields of a project.
    pub struct PatchedProjectRequest;
    required {
        /// The shown name.
        name: Name<1, 255>,
        /// No task begins before it.
        start_date: NaiveDate,
    }
    optional {
        /// Only when a project is created: another project whose settings are taken over.
        copy_settings_from: Option<ProjectId>,
        /// Only when a project is created: leave every setting to the program.
        inherit_program_defaults: bool,
        /// What it is about.
        description: LongText<0, 20000>,
        /// No work that is left begins before it; null puts no floor under it.
        status_date: Option<NaiveDate>,
        /// Its calendar; null inherits one.
        calendar: Option<CalendarId>,
        /// The calendar that lags are counted on.
        lag_calendar: LagCalendar,
        /// What its tasks are called by: capitals, digits and inner hyphens.
        code: Name<0, 12>,
        /// A person's verdict.
        health: Health,
        /// Who may find it.
        visibility: Visibility,
        /// The zone its people work in; blank for that of the workspace.
        timezone: TimeZoneOrBlank,
        /// What opens first.
        default_view: DefaultView,
        /// Who leads it; a member.
        lead: Option<UserId>,
        /// Who may set estimates.
        estimation_mode: EstimationMode,
        /// How it is run; null inherits.
        methodology: Inherit<Methodology>,
        /// Whether its board works in sprints.
        board_cadence: BoardCadence,
        /// After how many days without a change a task is stale.
        stale_task_threshold_days: Int<1, 365>,
        /// From how many days on a shift of its end is told.
        end_date_shift_threshold_days: Int<1, 365>,
        /// The formula that scores its backlog.
        prioritization_model: PrioritizationModel,
        /// The rank of people who are added without one; below Owner.
        default_member_role: Role,
        /// Whether reports are shown; null inherits.
        show_reporting: Inherit<bool>,
        /// Whether time tracking is shown; null inherits.
        show_time_tracking: Inherit<bool>,
        /// Whether baselines are shown; null inherits.
        show_baselines: Inherit<bool>,
        /// Whether simulations are shown; null inherits.
        show_monte_carlo: Inherit<bool>,
        /// Its program; null for none.
        program: Option<ProgramId>,
        /// Whether its plan is a draft.
        lifecycle: Lifecycle,
        /// Since when it is a draft.
        draft_started_at: Option<DateTime<Utc>>,
        /// The version the edit was based on, when no `X-Base-Version` says so.
        base_version: i64,
    }
}

input! {
    /// Who owns a project or program from now on.
    pub struct TransferRequest {
        /// One of its members.
        pub new_owner_user_id: UserId,
    }
}

pub use filter::ProjectFilter;

// The wire name has two underscores, which the lint for names would not have.
#[allow(non_snake_case)]
mod filter {
    use planwright_web::input;
    use planwright_web::input::Patch;

    input! {
        /// Which projects to list.
        pub struct ProjectFilter {
            /// True for the projects of no program that are not archived, false for those of a program.
            pub program__isnull: Patch<bool>,
        }
    }
}

input! {
    /// How to delete.
    pub struct DeleteQuery {
        /// Delete for good, without the trash; only an archived project.
        pub force: Patch<bool>,
    }
}
