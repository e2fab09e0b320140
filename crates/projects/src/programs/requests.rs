//! What callers may write of a program.
//! Whether they may, and whether the parts fit together, is decided in `rules.rs`.

use chrono::NaiveDate;
use planwright_domain::ids::{CalendarId, UserId};
use planwright_domain::words::{Health, Methodology, Visibility};
use planwright_web::input::{LongText, Name};

use crate::inherit::body_with_settings;

body_with_settings! {
    /// All fields of a program.
    pub struct ProgramRequest;
    /// Some fields of a program.
    pub struct PatchedProgramRequest;
    required {
        /// The name.
        name: Name<1, 255>,
    }
    optional {
        /// The description.
        description: LongText<0, 20000>,
        /// A short name; it need not be unique.
        code: Name<0, 40>,
        /// The methodology of its projects.
        methodology: Methodology,
        /// The health as a person judges it.
        health: Health,
        /// Who may find it.
        visibility: Visibility,
        /// The target date.
        target_date: Option<NaiveDate>,
        /// The colour, as `#RRGGBB`.
        color: Option<Name<0, 7>>,
        /// The lead. Must be a member.
        lead: Option<UserId>,
        /// The calendar. Null means that the calendar of the workspace is inherited.
        calendar: Option<CalendarId>,
        /// The version on which the edit is based, if there is no `X-Base-Version`.
        base_version: i64,
    }
}
