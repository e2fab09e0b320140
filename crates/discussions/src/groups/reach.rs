//! `/api/v1/programs/{id}/mention-reach/`: how many people a mention of a group of a program reaches.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::ProgramId;
use planwright_store::{Read, Result, sql};
use planwright_web::input::{Name, Patch};
use planwright_web::visible::program_is_open_to;
use planwright_web::{ApiError, ApiResult, App, Json, ProgramScope, Query, Routes, input, says};
use schemars::JsonSchema;
use serde::Serialize;

/// The routes of this file.
pub fn table() -> Routes {
    let says = says("How many people outside the team a mention of a group of the program reaches.");
    Routes::new().get("/api/v1/programs/{id}/mention-reach/", show, says)
}

input! {
    /// Which group.
    pub struct ReachQuery {
        /// `program-stakeholders` unless said otherwise, or `program-all`.
        pub group_key: Patch<Name<1, 32>>,
    }
}

/// How many people a mention reaches.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ProgramMentionReach {
    pub group_key: String,
    /// Viewers of the program.
    pub viewer_member_count: i64,
    /// People outside who follow the program. A mention tells none of them yet.
    pub external_stakeholder_count: i64,
}

async fn show(
    State(app): State<App>,
    scope: ProgramScope<may::ReadStakeholders>,
    Query(query): Query<ReachQuery>,
) -> ApiResult<Json<ProgramMentionReach>> {
    let group_key = query.group_key.given().map_or_else(|| "program-stakeholders".to_owned(), String::from);
    if !matches!(group_key.as_str(), "program-stakeholders" | "program-all") {
        return Err(ApiError::invalid_field("group_key", "Use program-stakeholders or program-all."));
    }
    let viewer_member_count = viewers(&app.db, scope.program).await?;
    let external_stakeholder_count = outside(&app.db, scope.program).await?;
    Ok(Json(ProgramMentionReach { group_key, viewer_member_count, external_stakeholder_count }))
}

/// How many Viewers a program has.
async fn viewers(db: &dyn Read, program: ProgramId) -> Result<i64> {
    let select = format!(
        "SELECT COUNT(*) FROM program_members m JOIN users u ON u.id = m.user_id AND u.is_active
         JOIN programs p ON p.id = m.program_id AND {}
         WHERE m.program_id = :program AND m.role = :viewer AND m.deletion_id IS NULL",
        program_is_open_to("u", "p")
    );
    db.count(sql!(select, program = program, viewer = planwright_domain::Role::Viewer)).await
}

/// How many people outside follow a program.
async fn outside(db: &dyn Read, program: ProgramId) -> Result<i64> {
    let select =
        "SELECT COUNT(*) FROM external_stakeholders WHERE program_id = :program AND deletion_id IS NULL";
    db.count(sql!(select, program = program)).await
}
