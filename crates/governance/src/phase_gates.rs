//! `/api/v1/programs/{program_pk}/phase-gate-config/`: whether people are invited to the gates between the phases of a program,
//! and how the invitation reads. A program without a row has none.

use axum::extract::State;
use chrono::{DateTime, Utc};
use planwright_domain::access::may;
use planwright_domain::ids::{PhaseGateConfigId, ProgramId};
use planwright_plan::containers::ProgramRow;
use planwright_plan::edit::Edit;
use planwright_store::record::Record;
use planwright_store::{Read, Result, record, sql, tracked};
use planwright_web::input::LongText;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{ApiResult, App, Item, ProgramScope, Routes, WrittenBody, body, says};
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

const CONFIG: &str = "/api/v1/programs/{program_pk}/phase-gate-config/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(CONFIG, show, says("Whether people are invited to the gates of a program.")).write(
        CONFIG,
        update,
        says("Say whether people are invited to the gates of a program; what is left out stays."),
        says("Say whether people are invited to the gates of a program."),
    )
}

record! {
    /// What is said about the gates of a program, as it is stored.
    pub struct ConfigRow in phase_gate_configs {
        #[serde(skip)]
        pub id: PhaseGateConfigId,
        #[serde(skip)]
        pub program_id: ProgramId,
        pub enabled: bool,
        pub invite_template: String,
        #[serde(skip)]
        pub updated_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! { ConfigRow as "phase_gate_config" }

body! {
    /// What to say about the gates of a program.
    pub struct PhaseGateConfigRequest;
    /// Some of what to say about the gates of a program.
    pub struct PatchedPhaseGateConfigRequest;
    optional {
        /// Whether people are invited.
        enabled: bool,
        /// The text of the invitation.
        invite_template: LongText<0, 10000>,
    }
}

/// What is said about the gates of a program.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PhaseGateConfig {
    /// The id, which is that of the program.
    pub id: Uuid,
    pub server_version: i64,
    pub program: ProgramId,
    /// Whether people are invited.
    pub enabled: bool,
    /// The text of the invitation.
    pub invite_template: String,
    pub updated_at: DateTime<Utc>,
}

impl From<ConfigRow> for PhaseGateConfig {
    fn from(row: ConfigRow) -> Self {
        let ConfigRow { id, program_id, enabled, invite_template, updated_at, server_version } = row;
        Self { id: id.0, server_version, program: program_id, enabled, invite_template, updated_at }
    }
}

async fn show(
    State(app): State<App>,
    item: Item<ProgramRow, may::ReadProgram>,
) -> ApiResult<Versioned<PhaseGateConfig>> {
    let program = item.row;
    let stored = stored(&app.db, program.id).await?;
    let row = stored.unwrap_or_else(|| unsaid(program.id, program.created_at));
    Ok(Versioned::new(row.server_version, row.into()))
}

async fn update(
    State(app): State<App>,
    scope: ProgramScope<may::EditProgram>,
    expected: Precondition,
    WrittenBody(request): WrittenBody<PatchedPhaseGateConfigRequest>,
) -> ApiResult<Versioned<PhaseGateConfig>> {
    let mut edit = Edit::locked(&app, &scope).await?;
    let now = edit.now();
    let before = stored(&edit, scope.program).await?;
    let mut after = before.clone().unwrap_or_else(|| unsaid(scope.program, now));
    edit.expect(&after, expected)?;
    // What nobody has said yet is shown as version 1.
    after.server_version += i64::from(before.is_none());
    request.enabled.write_to(&mut after.enabled);
    request.invite_template.write_to(&mut after.invite_template);
    after.updated_at = now;
    let written = edit.save(before, after).await?;
    edit.commit().await?;
    Ok(written.shown(PhaseGateConfig::from))
}

/// A program has one row, so that the row can have its id.
fn unsaid(program_id: ProgramId, updated_at: DateTime<Utc>) -> ConfigRow {
    ConfigRow {
        id: program_id.0.into(),
        program_id,
        enabled: false,
        invite_template: String::new(),
        updated_at,
        server_version: 1,
    }
}

/// What was said about the gates of a program.
async fn stored(db: &dyn Read, program: ProgramId) -> Result<Option<ConfigRow>> {
    let columns = ConfigRow::select_list("c");
    db.maybe(sql!(
        format!("SELECT {columns} FROM phase_gate_configs c WHERE c.program_id = :program"),
        program = program
    ))
    .await
}
