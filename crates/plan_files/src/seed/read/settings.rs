//! Reads the settings of projects and programs.

use planwright_domain::Role;
use planwright_domain::media_types::normalize_list;

use super::around::is_time_zone;
use crate::seed::cursor::{At, Fields, Keys};
use crate::seed::model::{ProgramSettings, ProjectSettings, SettingOverrides, Shows};

/// The most kinds of files that one list may have.
const MAX_TYPES: usize = 1_000;
const LABEL_LENGTH: usize = 32;
/// The most simulation runs that may be kept.
const MAX_RUNS: i64 = 2_147_483_647;
/// The longest threshold, in days.
const MAX_DAYS: i64 = 365;

const PROJECT: Keys = Keys {
    optional: &[
        "inherits_methodology",
        "health",
        "visibility",
        "timezone",
        "board_cadence",
        "stale_task_threshold_days",
        "end_date_shift_threshold_days",
        "prioritization_model",
        "default_member_role",
        "show_reporting",
        "show_time_tracking",
        "show_baselines",
        "show_monte_carlo",
    ],
    since_2_1: &OVERRIDES,
    ..Keys::NONE
};

const PROGRAM: Keys =
    Keys { optional: &["health", "visibility", "target_date"], since_2_1: &OVERRIDES, ..Keys::NONE };

const OVERRIDES: [&str; 12] = [
    "public_sharing",
    "allow_guests",
    "mc_history_enabled",
    "mc_history_retention_cap",
    "mc_history_attribution_audience",
    "attachments_enabled",
    "allowed_attachment_types",
    "mcp_enabled",
    "estimation_scale",
    "sprint_picker_ready_only_default",
    "task_duration_change_percent_policy",
    "iteration_label",
];

pub(super) fn project(at: At<'_>) -> Option<ProjectSettings> {
    let fields = at.fields(&PROJECT)?;
    let zone = |at: At<'_>| at.shaped(is_time_zone, "a time zone such as Europe/Berlin").map(str::to_owned);
    Some(ProjectSettings {
        inherits_methodology: fields.flag("inherits_methodology").unwrap_or_default(),
        health: fields.word("health"),
        visibility: fields.word("visibility"),
        timezone: fields.at("timezone").and_then(zone),
        board_cadence: fields.word("board_cadence"),
        stale_task_threshold_days: fields.integer("stale_task_threshold_days", 1..=MAX_DAYS),
        end_date_shift_threshold_days: fields.integer("end_date_shift_threshold_days", 1..=MAX_DAYS),
        prioritization_model: fields.word("prioritization_model"),
        default_member_role: role(&fields),
        shows: Shows {
            reporting: fields.flag("show_reporting"),
            time_tracking: fields.flag("show_time_tracking"),
            baselines: fields.flag("show_baselines"),
            monte_carlo: fields.flag("show_monte_carlo"),
        },
        overrides: overrides(&fields),
    })
}

pub(super) fn program(at: At<'_>) -> Option<ProgramSettings> {
    let fields = at.fields(&PROGRAM)?;
    Some(ProgramSettings {
        health: fields.word("health"),
        visibility: fields.word("visibility"),
        target_date: fields.date("target_date", None),
        overrides: overrides(&fields),
    })
}

/// A rank below that of an Owner.
fn role(fields: &Fields<'_>) -> Option<Role> {
    let rank = fields.integer("default_member_role", 1..=300)?;
    let role = Role::from_rank(rank);
    if role.is_none() {
        fields.add("default_member_role", "must be 1, 100, 200 or 300");
    }
    role
}

fn overrides(fields: &Fields<'_>) -> SettingOverrides {
    let types = fields.at("allowed_attachment_types").map(|_| {
        normalize_list(fields.list("allowed_attachment_types", MAX_TYPES, |at| {
            at.shaped(is_media_type, "a media type such as image/png").map(str::to_owned)
        }))
    });
    SettingOverrides {
        public_sharing: fields.flag("public_sharing"),
        allow_guests: fields.flag("allow_guests"),
        mc_history_enabled: fields.flag("mc_history_enabled"),
        mc_history_retention_cap: fields.integer("mc_history_retention_cap", 0..=MAX_RUNS),
        mc_history_attribution_audience: fields.word("mc_history_attribution_audience"),
        attachments_enabled: fields.flag("attachments_enabled"),
        allowed_attachment_types: types,
        mcp_enabled: fields.flag("mcp_enabled"),
        estimation_scale: fields.word("estimation_scale"),
        sprint_picker_ready_only_default: fields.flag("sprint_picker_ready_only_default"),
        task_duration_change_percent_policy: fields.word("task_duration_change_percent_policy"),
        iteration_label: fields.name("iteration_label", LABEL_LENGTH),
    }
}

fn is_media_type(text: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty()
            && part.len() <= 127
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte))
    };
    text.split_once('/').is_some_and(|(family, kind)| is_part(family) && is_part(kind))
}
