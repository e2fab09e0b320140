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
    /// All fields of a project.
    pub struct ProjectRequest;
    /// Some fields of a project.
    pub struct PatchedProjectRequest;
    required {
        /// The name.
        name: Name<1, 255>,
        /// The start of the project. No task begins before this day.
        start_date: NaiveDate,
    }
    optional {
        /// Only when a project is created: a project whose settings are copied.
        copy_settings_from: Option<ProjectId>,
        /// Only when a project is created: every setting is inherited from the program.
        inherit_program_defaults: bool,
        /// The description.
        description: LongText<0, 20000>,
        /// The data date. No remaining work begins before this day. Null means no limit.
        status_date: Option<NaiveDate>,
        /// The calendar. Null means that it is inherited.
        calendar: Option<CalendarId>,
        /// The calendar that counts lags.
        lag_calendar: LagCalendar,
        /// The first part of the short ids of its tasks: capital letters, digits, and hyphens between them.
        code: Name<0, 12>,
        /// The health as a person judges it.
        health: Health,
        /// Who may find it.
        visibility: Visibility,
        /// The time zone of its people. Blank means the time zone of the workspace.
        timezone: TimeZoneOrBlank,
        /// The first view.
        default_view: DefaultView,
        /// The lead. Must be a member.
        lead: Option<UserId>,
        /// Who may set estimates.
        estimation_mode: EstimationMode,
        /// The methodology. Null means that it is inherited.
        methodology: Inherit<Methodology>,
        /// Whether its board uses sprints.
        board_cadence: BoardCadence,
        /// The number of days without a change after which a task is stale.
        stale_task_threshold_days: Int<1, 365>,
        /// The number of days by which the finish must move so that people are told.
        end_date_shift_threshold_days: Int<1, 365>,
        /// The formula that scores its backlog.
        prioritization_model: PrioritizationModel,
        /// The rank of people who are added without one; below Owner.
        default_member_role: Role,
        /// Whether reports are shown. Null means that it is inherited.
        show_reporting: Inherit<bool>,
        /// Whether time tracking is shown. Null means that it is inherited.
        show_time_tracking: Inherit<bool>,
        /// Whether baselines are shown. Null means that it is inherited.
        show_baselines: Inherit<bool>,
        /// Whether simulations are shown. Null means that it is inherited.
        show_monte_carlo: Inherit<bool>,
        /// The program. Null means no program.
        program: Option<ProgramId>,
        /// Whether its plan is a draft. Only when a project is created; `commit/` makes a draft active.
        lifecycle: Lifecycle,
        /// The time at which it became a draft. Only when a project is created.
        draft_started_at: Option<DateTime<Utc>>,
        /// The version on which the edit is based, if there is no `X-Base-Version`.
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
            /// True: only projects without a program that are not archived. False: only projects of a program.
            pub program__isnull: Patch<bool>,
        }
    }
}

input! {
    /// How to delete.
    pub struct DeleteQuery {
        /// Delete an archived project permanently, without the trash.
        pub force: Patch<bool>,
    }
}
