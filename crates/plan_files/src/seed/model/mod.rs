//! A seed document as typed values: every date absolute, every default filled in, every reference known to lead
//! somewhere. The key of each field in the text is the field's name unless its comment says otherwise.

mod around;
mod history;
mod project;
mod settings;
mod task;

use std::collections::HashSet;

use chrono::NaiveDate;
use planwright_domain::words::{
    AccountRole, AggregationPolicy, LagCalendar, Methodology, ResourceKind, SlipPropagation,
};
use serde::{Deserialize, Serialize};

pub use self::around::{
    Around, Blocker, Criterion, CustomField, Overlay, Recurrence, RosterEntry, Scores, Skill,
};
pub use self::history::{DELAY_KEYS, Event, Risk};
pub use self::project::{
    Baseline, BaselineCalendar, BaselineTask, ForecastHistory, KeptOfTask, Label, Percentile, Project,
    Sprint, SprintRecord,
};
pub use self::settings::{ProgramSettings, ProjectSettings, SettingOverrides, Shows};
pub use self::task::{Assignment, Dependency, Estimate, Relation, Task};

/// A whole document: one program with its projects and everything they share.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The version the document was written in.
    pub schema_version: SchemaVersion,
    /// The program that the projects belong to.
    pub program: Program,
    /// People the document speaks of.
    pub accounts: Vec<Account>,
    /// Working calendars.
    pub calendars: Vec<Calendar>,
    /// People and things that work is assigned to.
    pub resources: Vec<Resource>,
    /// The projects, at least one.
    pub projects: Vec<Project>,
    /// Risks of the program as a whole; they are stored with the first project.
    pub risks: Vec<Risk>,
    /// What happened before the import, oldest or not; only major version 2 has any.
    pub events: Vec<Event>,
}

impl Document {
    /// How the lags of a project count when nobody says otherwise: as the project says; without a word from it in
    /// calendar days, which is what versions up to 2.0 meant, later in working days of the successor.
    pub fn lag_calendar_of(&self, project: &Project) -> LagCalendar {
        let SchemaVersion { major, minor } = self.schema_version;
        let unsaid = if major == 2 && minor > 0 { LagCalendar::Successor } else { LagCalendar::Elapsed };
        project.lag_calendar.unwrap_or(unsaid)
    }

    /// Takes out everything that documents before version 2.1 have no key for.
    pub fn drop_what_2_0_lacks(&mut self) {
        self.program.policies = ProgramPolicies::default();
        self.program.settings = ProgramSettings::default();
        self.risks.iter_mut().for_each(Risk::drop_what_2_0_lacks);
        for resource in &mut self.resources {
            (resource.kind, resource.skills, resource.hourly_rate) = (None, Vec::new(), None);
        }
        for project in &mut self.projects {
            (project.roster, project.overlays, project.custom_fields) = (None, Vec::new(), Vec::new());
            project.is_draft = false;
            project.withheld = Vec::new();
            project.settings = ProjectSettings::default();
            project.sprints.iter_mut().for_each(|sprint| sprint.record = SprintRecord::default());
            project.risks.iter_mut().for_each(Risk::drop_what_2_0_lacks);
            project.baselines.iter_mut().for_each(Baseline::drop_what_2_0_lacks);
            for task in &mut project.tasks {
                (task.deadline, task.constraint, task.calendar) = (None, None, None);
                task.around = Around::default();
            }
        }
        self.drop_unused_calendars();
    }

    /// A calendar that nothing works on would not come out again after an import.
    fn drop_unused_calendars(&mut self) {
        let of_projects = self.projects.iter().filter_map(|project| project.calendar.clone());
        let of_resources = self.resources.iter().filter_map(|resource| resource.calendar.clone());
        let of_tasks = self.projects.iter().flat_map(|project| &project.tasks);
        let of_tasks = of_tasks.filter_map(|task| task.calendar.clone());
        let used: HashSet<String> = of_projects.chain(of_resources).chain(of_tasks).collect();
        self.calendars.retain(|calendar| used.contains(&calendar.slug));
    }

    /// The project with this slug.
    pub fn project(&self, slug: &str) -> Option<&Project> {
        self.projects.iter().find(|project| project.slug == slug)
    }

    /// The calendar with this slug.
    pub fn calendar(&self, slug: &str) -> Option<&Calendar> {
        self.calendars.iter().find(|calendar| calendar.slug == slug)
    }
}

/// `schema_version`: major 1 or 2, any minor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SchemaVersion {
    /// 1, or 2 for documents that carry history.
    pub major: u8,
    /// Additions that an older reader may ignore.
    pub minor: u16,
}

impl SchemaVersion {
    /// The first version that has a key for everything that a plan is made of.
    pub const WITH_EVERYTHING: Self = Self { major: 2, minor: 1 };
}

impl Default for SchemaVersion {
    fn default() -> Self {
        Self { major: 2, minor: 0 }
    }
}

impl std::fmt::Display for SchemaVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// The program.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Program {
    /// Becomes the program's code.
    pub slug: String,
    /// What people call it.
    pub name: String,
    /// How it is run.
    pub methodology: Methodology,
    /// Free text.
    pub description: String,
    /// `#RRGGBB`.
    pub color: Option<String>,
    /// Slug of the account that leads it.
    pub lead: Option<String>,
    /// How it deals with risks, and which figures it shows; from version 2.1 on.
    pub policies: ProgramPolicies,
    /// What else it says of itself; from version 2.1 on.
    pub settings: ProgramSettings,
}

/// What a program says about risks and figures where that is not the default.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ProgramPolicies {
    /// What happens if a task slips because of another project (`risk_slip_propagation`).
    pub slip_propagation: Option<SlipPropagation>,
    /// After how many days an open risk is escalated (`risk_escalation_days`).
    pub escalation_days: Option<i64>,
    /// How the figures of its projects are combined (`rollup_aggregation_policy`).
    pub aggregation: Option<AggregationPolicy>,
    /// The figures it shows (`rollup_enabled_kpis`).
    pub figures: Option<Vec<String>>,
}

/// Somebody the document mentions. Importing creates no user of that name.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Account {
    /// How the document refers to them.
    pub slug: String,
    /// Sign-in name.
    pub username: String,
    /// Address, when known.
    pub email: Option<String>,
    /// Name for people.
    pub display_name: String,
    /// Role in the program.
    pub role: AccountRole,
}

/// Which days are worked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Calendar {
    /// How the document refers to it.
    pub slug: String,
    /// What people call it.
    pub name: String,
    /// Bit 0 is Monday, bit 6 Sunday; Monday to Friday (31) when absent.
    pub working_days: u8,
    /// Hours a working day counts for; 8 when absent.
    pub hours_per_day: f64,
    /// Time zone name; `UTC` when absent.
    pub timezone: String,
    /// Date ranges that differ from the week.
    pub exceptions: Vec<CalendarException>,
}

/// A range of days that a calendar treats differently from its week.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CalendarException {
    /// First day (`exc_start`).
    pub start: NaiveDate,
    /// Last day, the same or later (`exc_end`).
    pub end: NaiveDate,
    /// Why.
    pub description: String,
    /// Whether these days are worked, such as a Saturday that makes up for a holiday; not worked when absent.
    pub working: bool,
}

/// Somebody or something that work is assigned to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Resource {
    /// How the document refers to it.
    pub slug: String,
    /// What people call it.
    pub name: String,
    /// Address, when known.
    pub email: Option<String>,
    /// Trade or position.
    pub job_role: String,
    /// How many full-time units there are of it; 1 when absent.
    pub max_units: f64,
    /// Slug of its own calendar.
    pub calendar: Option<String>,
    /// Slug of the account of the same person.
    pub account: Option<String>,
    /// What kind of resource it is, unless it is a person; from version 2.1 on.
    pub kind: Option<ResourceKind>,
    /// What it is good at; from version 2.1 on.
    pub skills: Vec<Skill>,
    /// What an hour of it costs; from version 2.1 on.
    pub hourly_rate: Option<f64>,
}
