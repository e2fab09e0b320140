//! What callers may write of a program.
//! Whether they may, and whether the parts fit together, is decided in `rules.rs`.

use chrono::NaiveDate;
use planwright_domain::ids::{CalendarId, UserId};
use planwright_domain::words::{Health, Methodology, Visibility};
use planwright_web::input::{LongText, Name};

use crate::inherit::body_with_settings;

body_with_settings! {
    /// A new program, or all of one.
    pub struct ProgramRequest;
    /// Some fields of a program.
    pub struct PatchedProgramRequest;
    required {
        /// The shown name.
        name: Name<1, 255>,
    }
    optional {
        /// What it is about.
        description: LongText<0, 20000>,
        /// A short name; it need not be unique.
        code: Name<0, 40>,
        /// How its projects are run.
        methodology: Methodology,
        /// A person's verdict.
        health: Health,
        /// Who may find it.
        visibility: Visibility,
        /// When it is meant to be done.
        target_date: Option<NaiveDate>,
        /// How it is painted, as `#RRGGBB`.
        color: Option<Name<0, 7>>,
        /// Who leads it; a member.
        lead: Option<UserId>,
        /// Its calendar; null inherits the workspace's.
        calendar: Option<CalendarId>,
        /// The version the edit was based on, when no `X-Base-Version` says so.
        base_version: i64,
    }
}
