//! Reads what the projects of a document share: program, accounts, calendars, resources.

use planwright_domain::kpis;
use planwright_domain::words::ResourceKind;

use super::{ANY_LENGTH, MAX_LIST, NAME_LENGTH, around, settings};
use crate::seed::cursor::{At, Keys};
use crate::seed::model::{Account, Calendar, CalendarException, Program, ProgramPolicies, Resource};

const MAX_EXCEPTIONS: usize = 500;
/// Units are written with two decimals, at most 99.99.
pub(super) const HOURS: &str = "above 0 and at most 24";
const RATES: &str = "from 0 to 99999.99";
pub(super) const UNITS: &str = "above 0 and at most 99.99";

const PROGRAM: Keys = Keys {
    required: &["slug", "name", "methodology"],
    optional: &["description", "color", "lead"],
    since_2_1: &[
        "risk_slip_propagation",
        "risk_escalation_days",
        "rollup_aggregation_policy",
        "rollup_enabled_kpis",
        "settings",
    ],
};

pub(super) fn program(at: At<'_>) -> Option<Program> {
    let fields = at.fields(&PROGRAM)?;
    Some(Program {
        slug: fields.slug("slug").unwrap_or_default(),
        name: fields.name("name", NAME_LENGTH).unwrap_or_default(),
        methodology: fields.word("methodology").unwrap_or_default(),
        description: fields.text("description", ANY_LENGTH),
        color: fields.color("color"),
        lead: fields.slug("lead"),
        settings: fields.at("settings").and_then(settings::program).unwrap_or_default(),
        policies: ProgramPolicies {
            slip_propagation: fields.word("risk_slip_propagation"),
            escalation_days: fields.integer("risk_escalation_days", 1..=30),
            aggregation: fields.word("rollup_aggregation_policy"),
            figures: fields
                .at("rollup_enabled_kpis")
                .map(|_| fields.list("rollup_enabled_kpis", kpis::ALL.len(), figure)),
        },
    })
}

/// The name of a figure that programs show.
fn figure(at: At<'_>) -> Option<String> {
    at.shaped(|text| kpis::ALL.contains(&text), "the name of a figure").map(str::to_owned)
}

const ACCOUNT: Keys =
    Keys { required: &["slug", "username"], optional: &["email", "display_name", "role"], ..Keys::NONE };

pub(super) fn account(at: At<'_>) -> Option<Account> {
    let fields = at.fields(&ACCOUNT)?;
    Some(Account {
        slug: fields.slug("slug")?,
        username: fields.name("username", 150)?,
        email: fields.email("email"),
        display_name: fields.text("display_name", NAME_LENGTH),
        role: fields.word("role").unwrap_or_default(),
    })
}

const CALENDAR: Keys = Keys {
    required: &["slug", "name"],
    optional: &["working_days", "hours_per_day", "timezone", "exceptions"],
    ..Keys::NONE
};

pub(super) fn calendar(at: At<'_>) -> Option<Calendar> {
    let fields = at.fields(&CALENDAR)?;
    let working_days = fields.integer("working_days", 0..=127).unwrap_or(31);
    Some(Calendar {
        slug: fields.slug("slug")?,
        name: fields.name("name", NAME_LENGTH)?,
        working_days: u8::try_from(working_days).unwrap_or(31),
        hours_per_day: fields.number("hours_per_day", is_hours, HOURS).unwrap_or(8.0),
        timezone: match fields.text("timezone", 64) {
            zone if zone.is_empty() => "UTC".to_owned(),
            zone => zone,
        },
        exceptions: fields.list("exceptions", MAX_EXCEPTIONS, exception),
    })
}

const EXCEPTION: Keys =
    Keys { required: &["exc_start", "exc_end"], optional: &["description", "working"], ..Keys::NONE };

/// Offsets in a calendar are taken literally: there is no working day to move them to before the calendar is known.
fn exception(at: At<'_>) -> Option<CalendarException> {
    let fields = at.fields(&EXCEPTION)?;
    let start = fields.date("exc_start", None);
    let end = fields.date("exc_end", None);
    let (start, end) = (start?, end?);
    if end < start {
        fields.add("exc_end", "must not be before exc_start");
    }
    Some(CalendarException {
        start,
        end,
        description: fields.text("description", NAME_LENGTH),
        working: fields.flag("working").unwrap_or_default(),
    })
}

const RESOURCE: Keys = Keys {
    required: &["slug", "name"],
    optional: &["email", "job_role", "max_units", "calendar", "account"],
    since_2_1: &["kind", "skills", "hourly_rate"],
};

pub(super) fn resource(at: At<'_>) -> Option<Resource> {
    let fields = at.fields(&RESOURCE)?;
    Some(Resource {
        slug: fields.slug("slug")?,
        name: fields.name("name", NAME_LENGTH)?,
        email: fields.email("email"),
        job_role: fields.text("job_role", 120),
        max_units: fields.number("max_units", is_units, UNITS).unwrap_or(1.0),
        calendar: fields.slug("calendar"),
        account: fields.slug("account"),
        kind: fields.word("kind").filter(|kind| *kind != ResourceKind::Person),
        skills: fields.list("skills", MAX_LIST, around::owned_skill),
        hourly_rate: fields.number("hourly_rate", |rate| (0.0..=99_999.99).contains(&rate), RATES),
    })
}

/// Whether a working day may have so many hours.
pub(super) fn is_hours(hours: f64) -> bool {
    hours > 0.0 && hours <= 24.0
}

/// Whether a share of a resource is within bounds.
pub(super) fn is_units(units: f64) -> bool {
    units > 0.0 && units <= 99.99
}
