//! One's own person and profile, on the wire and in storage.
//! What the values lead to is the client's business, except for the landing page.

use planwright_domain::ids::{ProjectId, UserId};
use planwright_domain::words::{DateFormat, DefaultLanding, RoleContext};
use planwright_domain::{Role, person};
use planwright_store::record::{Numbered, OnDelete};
use planwright_store::{record, tracked};
use planwright_web::{Field, Patch, Problem, input};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

use super::rules;

record! {
    /// A person with what they chose for themselves.
    pub struct MyRow in users {
        #[serde(skip)]
        pub id: UserId,
        #[serde(skip)]
        pub username: String,
        #[serde(skip)]
        pub email: String,
        #[serde(skip)]
        pub first_name: String,
        #[serde(skip)]
        pub last_name: String,
        #[serde(skip)]
        pub workspace_role: Role,
        pub default_landing: DefaultLanding,
        pub role_context: RoleContext,
        pub hidden_views: Json,
        pub schedule_in_deliver: bool,
        #[serde(skip)]
        pub dnd_enabled: bool,
        pub timezone: String,
        pub date_format: DateFormat,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! {
    MyRow as "user" {
        const ON_DELETE: OnDelete = OnDelete::Remove;
        const NUMBERED: Numbered = Numbered::Nowhere;
    }
}

/// How far a person is involved in projects.
#[derive(Clone, Copy, Debug)]
pub struct Involvement {
    /// Their highest rank in any project; none without a membership.
    pub highest: Option<Role>,
    /// The project they joined last, among those that still run.
    pub recent: Option<ProjectId>,
}

/// The person who asks.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Me {
    /// Their id.
    pub id: UserId,
    /// The user name.
    pub username: String,
    /// The name that other people see.
    pub display_name: String,
    /// Two letters for a picture.
    pub initials: String,
    /// The e-mail address.
    pub email: String,
    /// The highest rank of the person in any project. Null without a membership.
    pub max_project_role: Option<Role>,
    /// Their rank in the workspace.
    pub workspace_role: Role,
    /// Whether they manage a project or the workspace.
    pub can_access_admin_settings: bool,
    /// The page that the person wants to open after sign-in.
    pub default_landing: DefaultLanding,
    /// The page that opens after sign-in.
    pub landing: Landing,
    /// Hidden views.
    pub hidden_views: Vec<String>,
    /// The role in which the person usually works.
    pub role_context: RoleContext,
    /// Whether the schedule is shown next to the delivery view.
    pub schedule_in_deliver: bool,
    /// Whether the person wants no notifications.
    pub dnd_enabled: bool,
    /// The time zone, or `auto` for the time zone of the browser.
    pub timezone: String,
    /// The preferred date format.
    pub date_format: DateFormat,
}

/// The page that opens after sign-in.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Landing {
    /// What kind of page it is.
    pub intent: DefaultLanding,
    /// Its path in the client.
    pub path: String,
    /// What decided it.
    pub resolved_by: LandingReason,
}

/// What decided which page opens after sign-in: the choice of the person, the rank, or the default.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum LandingReason {
    Preference,
    RolePolicy,
    Fallback,
}

impl Me {
    /// A person as they see themselves.
    pub fn of(row: MyRow, involvement: Involvement) -> Self {
        let Involvement { highest, recent } = involvement;
        let manages = highest.is_some_and(|role| role >= Role::ProjectManager);
        let display_name = person::display_name(&row.first_name, &row.last_name, &row.username);
        Self {
            id: row.id,
            initials: person::initials(&display_name),
            display_name,
            username: row.username,
            email: row.email,
            max_project_role: highest,
            workspace_role: row.workspace_role,
            can_access_admin_settings: manages || row.workspace_role >= Role::ProjectManager,
            default_landing: row.default_landing,
            landing: rules::landing(row.default_landing, highest, recent),
            hidden_views: names(&row.hidden_views),
            role_context: row.role_context,
            schedule_in_deliver: row.schedule_in_deliver,
            dnd_enabled: row.dnd_enabled,
            timezone: row.timezone,
            date_format: row.date_format,
        }
    }
}

/// What a person chose for themselves.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct UserProfile {
    /// The page that the person wants to open after sign-in.
    pub default_landing: DefaultLanding,
    /// The role in which the person usually works.
    pub role_context: RoleContext,
    /// Hidden views.
    pub hidden_views: Vec<String>,
    /// Whether the schedule is shown next to the delivery view.
    pub schedule_in_deliver: bool,
    /// The time zone, or `auto` for the time zone of the browser.
    pub timezone: String,
    /// The preferred date format.
    pub date_format: DateFormat,
}

impl UserProfile {
    /// The profile in a row.
    pub fn of(row: MyRow) -> Self {
        Self {
            default_landing: row.default_landing,
            role_context: row.role_context,
            hidden_views: names(&row.hidden_views),
            schedule_in_deliver: row.schedule_in_deliver,
            timezone: row.timezone,
            date_format: row.date_format,
        }
    }
}

fn names(stored: &Json) -> Vec<String> {
    let list = stored.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

input! {
    /// Some fields of your preferences.
    pub struct PatchedUserProfileRequest {
        /// What to see first.
        pub default_landing: Patch<DefaultLanding>,
        /// The hat to wear.
        pub role_context: Patch<RoleContext>,
        /// Hidden views.
        pub hidden_views: Patch<HiddenViews>,
        /// Whether the schedule is shown next to the delivery view.
        pub schedule_in_deliver: Patch<bool>,
        /// An IANA time zone, or `auto` for the time zone of the browser.
        pub timezone: Patch<TimeZoneName>,
        /// How to write dates.
        pub date_format: Patch<DateFormat>,
    }
}

/// The views that can be hidden.
pub const VIEWS: [&str; 12] = [
    "schedule",
    "grid",
    "calendar",
    "product-backlog",
    "sprints",
    "board",
    "today",
    "risk",
    "reports",
    "activity",
    "assets",
    "resources",
];

const MOST_HIDDEN_VIEWS: usize = 32;

/// Views not to see, each once.
#[derive(Clone, Debug, PartialEq)]
pub struct HiddenViews(pub Vec<String>);

impl Field for HiddenViews {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        let mut each_once: Vec<String> = Vec::new();
        let views = Vec::<View>::from_json(value)?;
        if views.len() > MOST_HIDDEN_VIEWS {
            return Err(Problem::says(format!("At most {MOST_HIDDEN_VIEWS} views may be listed.")));
        }
        for View(view) in views {
            if !each_once.iter().any(|known| known == view) {
                each_once.push(view.to_owned());
            }
        }
        Ok(Self(each_once))
    }
}

impl From<HiddenViews> for Json {
    fn from(views: HiddenViews) -> Self {
        views.0.into()
    }
}

#[schemars::for_document]
impl JsonSchema for HiddenViews {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "HiddenViews".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let items = serde_json::json!({ "type": "string", "enum": VIEWS });
        schemars::json_schema!({ "type": "array", "items": items, "maxItems": MOST_HIDDEN_VIEWS })
    }
}

struct View(&'static str);

impl Field for View {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        let name = String::from_json(value)?;
        let view = VIEWS.into_iter().find(|view| *view == name);
        view.map(View).ok_or_else(|| Problem::says(format!("\"{name}\" is not a valid choice.")))
    }
}

/// A time zone of the IANA database, or `auto`.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeZoneName(pub String);

impl Field for TimeZoneName {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        let name = String::from_json(value)?.trim().to_owned();
        match rules::is_time_zone(&name) {
            true => Ok(Self(name)),
            false => {
                Err(Problem::says("Not a time zone. Use an IANA name such as Europe/Lisbon, or \"auto\"."))
            }
        }
    }
}

impl From<TimeZoneName> for String {
    fn from(zone: TimeZoneName) -> Self {
        zone.0
    }
}

#[schemars::for_document]
impl JsonSchema for TimeZoneName {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "TimeZoneName".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "minLength": 1, "maxLength": 64 })
    }
}
