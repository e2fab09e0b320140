//! `/api/v1/sprints/{id}/capacity/`: the hours that a sprint asks of each member, against those that they work.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::ResourceId;
use planwright_domain::person;
use planwright_domain::words::CapacityLabel;
use planwright_plan::sprints::SprintRow;
use planwright_plan::sprints::capacity::{self, MemberHours, SprintCapacity};
use planwright_web::{ApiResult, App, Item, Json, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;

use super::velocity::rounded;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(
        "/api/v1/sprints/{id}/capacity/",
        show,
        says("The hours that a sprint asks of each member, and those that they work."),
    )
}

/// The hours of a member in a sprint.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MemberCapacity {
    /// The resource.
    pub member_id: ResourceId,
    pub member_name: String,
    pub initials: String,
    pub committed_hours: f64,
    /// Without holidays of the project and days off of the member.
    pub available_hours: f64,
    pub ratio: f64,
    pub is_over: bool,
}

/// The hours of all members.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CapacityTotals {
    pub committed_hours: f64,
    pub available_hours: f64,
    pub ratio: f64,
    /// What is left; negative when too much is asked.
    pub buffer_hours: f64,
    pub label: CapacityLabel,
    /// Days on which the project works and a member does not, over all members.
    pub pto_days: i64,
}

/// How much of a team a sprint uses.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SprintCapacityPage {
    /// By name.
    pub members: Vec<MemberCapacity>,
    pub totals: CapacityTotals,
    /// The days of the sprint on which the project works.
    pub working_days: i64,
    pub hours_per_day: f64,
}

async fn show(
    State(app): State<App>,
    item: Item<SprintRow, may::ReadProject>,
) -> ApiResult<Json<SprintCapacityPage>> {
    let mut found = capacity::capacities(&app.db, std::slice::from_ref(&item.row)).await?;
    Ok(Json(page(found.remove(&item.row.id).unwrap_or_default())))
}

fn page(found: SprintCapacity) -> SprintCapacityPage {
    let (committed, available) = found.totals();
    let ratio = found.ratio();
    SprintCapacityPage {
        totals: CapacityTotals {
            committed_hours: rounded(committed, 2),
            available_hours: rounded(available, 2),
            ratio,
            buffer_hours: rounded(available - committed, 2),
            label: capacity::label(ratio),
            pto_days: found.members.iter().map(|member| member.days_off).sum(),
        },
        working_days: found.working_days,
        hours_per_day: found.hours_per_day,
        members: found.members.into_iter().map(member).collect(),
    }
}

fn member(member: MemberHours) -> MemberCapacity {
    MemberCapacity {
        member_id: member.member,
        initials: person::initials(&member.name),
        committed_hours: rounded(member.committed, 2),
        available_hours: rounded(member.available, 2),
        ratio: member.ratio(),
        is_over: member.is_over(),
        member_name: member.name,
    }
}
