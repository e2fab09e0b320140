//! What callers may write of a task: a whole one, or some fields of one.
//! Whether it fits together, and whether they may, is decided in `validate.rs`.

use chrono::NaiveDate;
use planwright_domain::ids::*;
use planwright_domain::words::*;
use planwright_web::input;
use planwright_web::input::{Int, LongText, Name, Patch};
use planwright_web::{Field, PatchedBody, Problem};
use serde_json::Value as Json;

use crate::tasks::rules::units_text;

/// Declares the two bodies of a task from one list of fields.
macro_rules! bodies {
    ($($(#[doc = $doc:literal])* $field:ident $(| $alias:ident)?: $type:ty,)*) => {
        input! {
            /// A new task, or all of one.
            pub struct TaskRequest {
                /// The id it gets; the server mints one when none is given. Only when it is created.
                pub id: Patch<TaskId>,
                /// The project it belongs to, for good.
                pub project: ProjectId,
                /// What is to be done.
                pub name: Name<1, 512>,
                /// The row it stands below.
                pub parent_id: Patch<Option<TaskId>>,
                /// Whether it is a drawer subtask of the row above it. Only when it is created.
                pub is_subtask: Patch<bool>,
                $($(#[doc = $doc])* pub $field $(| $alias)?: Patch<$type>,)*
            }
        }

        input! {
            /// Some fields of a task.
            pub struct PatchedTaskRequest {
                /// The project it belongs to; it cannot change.
                pub project: Patch<ProjectId>,
                /// What is to be done.
                pub name: Patch<Name<1, 512>>,
                /// The row it goes below; null for the top.
                pub parent_id: Patch<Option<TaskId>>,
                /// The version the edit was based on, when no `X-Base-Version` says so.
                pub base_version: Patch<i64>,
                $($(#[doc = $doc])* pub $field $(| $alias)?: Patch<$type>,)*
            }
        }

        impl PatchedBody for PatchedTaskRequest {
            type Whole = TaskRequest;

            fn from_whole(whole: TaskRequest) -> Self {
                whole.into()
            }
        }

        impl From<TaskRequest> for PatchedTaskRequest {
            fn from(whole: TaskRequest) -> Self {
                Self {
                    project: Patch::Set(whole.project),
                    name: Patch::Set(whole.name),
                    parent_id: whole.parent_id,
                    base_version: Patch::Absent,
                    $($field: whole.$field,)*
                }
            }
        }

        impl PatchedTaskRequest {
            /// The field that is to blame when the plan reaches too far with it.
            pub fn reaching(&self) -> &'static str {
                let sent = self.sent();
                REACHING.into_iter().find(|field| sent.contains(field)).unwrap_or("duration")
            }

            /// The names of the fields that were sent, those of the row's identity aside.
            pub fn sent(&self) -> Vec<&'static str> {
                let mut sent = Vec::new();
                if self.name.is_given() {
                    sent.push("name");
                }
                if self.parent_id.is_given() {
                    sent.push("parent_id");
                }
                $(if self.$field.is_given() {
                    sent.push(stringify!($field).trim_start_matches("r#"));
                })*
                sent
            }
        }
    };
}

/// What may make a plan reach too far, and is told so in this order.
const REACHING: [&str; 8] = [
    "duration",
    "planned_finish",
    "planned_start",
    "constraint_date",
    "deadline",
    "calendar",
    "actual_finish",
    "actual_start",
];

bodies! {
    /// Who does it; a member of the project.
    assignee: Option<UserId>,
    /// Where it stands.
    status: TaskStatus,
    /// Working days.
    duration: Int<0, 36525>,
    /// The unit the duration is shown in.
    duration_unit: DurationUnit,
    /// Why a committed plan is changed; kept in the history.
    amend_reason: LongText<0, 500>,
    /// Whether it is work, a container of work, or a milestone.
    structure_role: StructureRole,
    /// How much of it is done.
    percent_complete: Percent,
    /// Anything worth knowing.
    notes: LongText<0, 100000>,
    /// It starts no earlier.
    planned_start: Option<NaiveDate>,
    /// The day by whose end it ought to be finished; moves no date, and bounds its float.
    deadline: Option<NaiveDate>,
    /// A limit of its dates; all but `ALAP` need a date.
    constraint_type: Option<ConstraintType>,
    /// The date of that limit.
    constraint_date: Option<NaiveDate>,
    /// The calendar it is worked on; null for that of the project.
    calendar: Option<CalendarId>,
    /// The day it should be finished; the duration follows from it.
    planned_finish: Option<NaiveDate>,
    /// The day it was begun.
    actual_start: Option<NaiveDate>,
    /// The day it was finished.
    actual_finish: Option<NaiveDate>,
    /// Whether it is a milestone.
    is_milestone: bool,
    /// Working days if all goes well.
    optimistic_duration: Option<Int<0, 36525>>,
    /// Working days as expected.
    most_likely_duration: Option<Int<0, 36525>>,
    /// Working days if much goes wrong.
    pessimistic_duration: Option<Int<0, 36525>>,
    /// Resources it is allocated to; those that are not named stay.
    owners: Vec<TaskOwnerWriteRequest>,
    /// What keeps it from going on; empty when nothing does.
    blocked_reason: LongText<0, 20000>,
    /// What kind of thing blocks it.
    blocker_type: Blocker,
    /// The task that blocks it.
    blocking_task: Option<TaskId>,
    /// Its place on the board.
    priority_rank: Option<Int<0, 2147483647>>,
    /// The sprint it is done in.
    sprint | sprint_id: Option<SprintId>,
    /// Its size.
    story_points: Option<Int<0, 32767>>,
    /// What is left of its size.
    remaining_points: Option<Int<0, 32767>>,
    /// What kind of row it is.
    r#type: TaskType,
    /// The epic it belongs to.
    parent_epic: Option<TaskId>,
    /// How far it has been refined.
    dor: Readiness,
    /// Its place in its sprint.
    sprint_rank: Option<Int<0, 2147483647>>,
    /// How strictly changes to it are governed.
    governance_class: GovernanceClass,
    /// How its work is delivered.
    delivery_mode: DeliveryMode,
    /// What it is worth to the business.
    business_value: Option<Int<0, 32767>>,
    /// How much time matters.
    time_criticality: Option<Int<0, 32767>>,
    /// What risk it takes away.
    risk_reduction: Option<Int<0, 32767>>,
    /// How big it is.
    job_size: Option<Int<0, 32767>>,
    /// How many it reaches.
    reach: Option<Int<0, 2147483647>>,
    /// How much it does for them.
    impact: Option<f64>,
    /// How sure that is.
    confidence: Option<f64>,
    /// What it takes.
    effort: Option<f64>,
    /// What it is worth.
    value: Option<Int<0, 32767>>,
    /// What it takes, roughly.
    effort_estimate: Option<f64>,
}

input! {
    /// A resource that a task is allocated to.
    pub struct TaskOwnerWriteRequest {
        /// The resource; it must be on the roster of the project.
        pub resource: ResourceId,
        /// How much of it: 1.00 is all.
        pub units: Patch<Units>,
    }
}

/// A share of something that is done, from 0 to 100.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Percent(pub f64);

impl Field for Percent {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        let number = f64::from_json(value)?;
        match number {
            number if number < 0.0 => Err(Problem::says("Must be at least 0.")),
            number if number > 100.0 => Err(Problem::says("Must be at most 100.")),
            number => Ok(Self(number)),
        }
    }
}

#[schemars::for_document]
impl schemars::JsonSchema for Percent {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Percent".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "number", "format": "double", "minimum": 0, "maximum": 100 })
    }
}

/// A decimal number with two places, in hundredths between two bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hundredths<const MIN: i64, const MAX: i64>(pub i64);

/// How much of a resource is allocated, in hundredths of a full-time capacity.
pub type Units = Hundredths<1, 200>;

impl<const MIN: i64, const MAX: i64> Field for Hundredths<MIN, MAX> {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        let number = f64::from_json(value)?;
        let hundredths = (number * 100.0).round();
        let is_whole = (number * 100.0 - hundredths).abs() <= 1e-6;
        let bounds = (MIN as f64 / 100.0)..=(MAX as f64 / 100.0);
        match () {
            () if !bounds.contains(&number) => {
                let (least, most) = (units_text(MIN), units_text(MAX));
                Err(Problem::says(format!("Must be from {least} to {most}.")))
            }
            () if !is_whole => Err(Problem::says("May have at most two decimals.")),
            () => Ok(Self(hundredths as i64)),
        }
    }
}

impl<const MIN: i64, const MAX: i64> From<Hundredths<MIN, MAX>> for i64 {
    fn from(number: Hundredths<MIN, MAX>) -> i64 {
        number.0
    }
}

#[schemars::for_document]
impl<const MIN: i64, const MAX: i64> schemars::JsonSchema for Hundredths<MIN, MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Hundredths".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let digits = (MAX / 100).to_string().len().max(2);
        let pattern = format!(r"^-?\d{{0,{digits}}}(?:\.\d{{0,2}})?$");
        schemars::json_schema!({ "type": "string", "format": "decimal", "pattern": pattern })
    }
}

/// What kind of thing blocks a task; blank for nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blocker(pub Option<BlockerType>);

impl Field for Blocker {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        match value {
            Json::Null => Ok(Self(None)),
            Json::String(text) if text.is_empty() => Ok(Self(None)),
            value => BlockerType::from_json(value).map(|kind| Self(Some(kind))),
        }
    }
}

#[schemars::for_document]
impl schemars::JsonSchema for Blocker {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Blocker".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let kinds = generator.subschema_for::<BlockerType>();
        schemars::json_schema!({ "oneOf": [kinds, { "type": "string", "enum": [""] }] })
    }
}
