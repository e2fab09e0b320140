//! `/api/v1/programs/{id}/ceremonies/`: what the teams of a program hold regularly. They are agreements and start nothing.

use axum::extract::State;
use chrono::{DateTime, NaiveTime, Utc};
use planwright_domain::access::may;
use planwright_domain::ids::{CeremonyId, ProgramId, UserId};
use planwright_domain::words::CeremonyCadence;
use planwright_plan::edit::{self, Edit};
use planwright_store::dialect::{contains, pattern};
use planwright_store::page::Key;
use planwright_store::{Read, Record, Sql, record, sql, tracked};
use planwright_web::input::{Int, Name};
use planwright_web::paging::Orderings;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    ApiError, ApiResult, App, Body, Created, Item, Page, Paging, ProgramScope, Resource, Routes, WrittenBody,
    body, says,
};
use schemars::JsonSchema;
use serde::Serialize;

const ALL: &str = "/api/v1/programs/{program_pk}/ceremonies/";
const ONE: &str = "/api/v1/programs/{program_pk}/ceremonies/{id}/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("The ceremonies of a program.").orderings(ORDERINGS))
        .post(ALL, create, says("Add a ceremony to a program."))
        .get(ONE, show, says("One ceremony of a program."))
        .write(
            ONE,
            update,
            says("Write all of a ceremony of a program."),
            says("Write some fields of a ceremony of a program."),
        )
        .delete(
            ONE,
            edit::delete_row::<CeremonyRow, may::EditProgram>,
            says("Delete a ceremony of a program."),
        )
}

const ORDERINGS: Orderings =
    &[("name", "c.name"), ("cadence_type", "c.cadence_type"), ("created_at", "c.created_at")];

record! {
    /// A ceremony as it is stored.
    pub struct CeremonyRow in ceremonies {
        #[serde(skip)]
        pub id: CeremonyId,
        #[serde(skip)]
        pub program_id: ProgramId,
        pub name: String,
        pub cadence_type: CeremonyCadence,
        pub cadence_day: String,
        /// `HH:MM:SS`.
        pub cadence_time: Option<String>,
        pub duration_minutes: i64,
        pub owner_role: String,
        pub enabled: bool,
        #[serde(skip)]
        pub created_by: Option<UserId>,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub updated_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! { CeremonyRow as "ceremony" }

impl Resource for CeremonyRow {
    type Container = ProgramId;

    fn container(&self) -> ProgramId {
        self.program_id
    }
}

/// What the teams of a program hold regularly.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CeremonyTemplate {
    pub id: CeremonyId,
    pub server_version: i64,
    pub program: ProgramId,
    pub name: String,
    /// How often it is held.
    pub cadence_type: CeremonyCadence,
    /// The day in words, such as `Tuesday` or `first Monday`.
    pub cadence_day: String,
    /// The time of the day.
    #[schemars(extend("format" = "time"))]
    pub cadence_time: Option<String>,
    pub duration_minutes: i64,
    /// Who holds it.
    pub owner_role: String,
    /// Whether it is held at present.
    pub enabled: bool,
    pub created_by: Option<UserId>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl From<CeremonyRow> for CeremonyTemplate {
    fn from(row: CeremonyRow) -> Self {
        Self {
            id: row.id,
            server_version: row.server_version,
            program: row.program_id,
            name: row.name,
            cadence_type: row.cadence_type,
            cadence_day: row.cadence_day,
            cadence_time: row.cadence_time,
            duration_minutes: row.duration_minutes,
            owner_role: row.owner_role,
            enabled: row.enabled,
            created_by: row.created_by,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

body! {
    /// A new ceremony of a program, or all of one.
    pub struct CeremonyTemplateRequest;
    /// Some fields of a ceremony of a program.
    pub struct PatchedCeremonyTemplateRequest;
    required {
        /// What it is called.
        name: Name<1, 120>,
        /// How often it is held.
        cadence_type: CeremonyCadence,
    }
    optional {
        /// The day in words.
        cadence_day: Name<0, 32>,
        /// The time of the day, such as `09:30`.
        cadence_time: Option<Name<1, 15>>,
        /// How long it takes.
        duration_minutes: Int<0, 32767>,
        /// Who holds it.
        owner_role: Name<0, 64>,
        /// Whether it is held at present; it is unless said otherwise.
        enabled: bool,
    }
}

fn fresh(id: CeremonyId, program: ProgramId, creator: UserId, now: DateTime<Utc>) -> CeremonyRow {
    CeremonyRow {
        id,
        program_id: program,
        name: String::new(),
        cadence_type: CeremonyCadence::Weekly,
        cadence_day: String::new(),
        cadence_time: None,
        duration_minutes: 60,
        owner_role: String::new(),
        enabled: true,
        created_by: Some(creator),
        created_at: now,
        updated_at: now,
        server_version: 1,
    }
}

/// The row with the wanted fields changed.
///
/// # Errors
/// 400 when the time is none.
fn changed(
    mut row: CeremonyRow,
    request: PatchedCeremonyTemplateRequest,
    now: DateTime<Utc>,
) -> ApiResult<CeremonyRow> {
    let before = row.clone();
    request.name.write_to(&mut row.name);
    request.cadence_type.write_to(&mut row.cadence_type);
    request.cadence_day.write_to(&mut row.cadence_day);
    request.duration_minutes.write_to(&mut row.duration_minutes);
    request.owner_role.write_to(&mut row.owner_role);
    request.enabled.write_to(&mut row.enabled);
    if let Some(time) = request.cadence_time.as_given() {
        row.cadence_time = time.as_ref().map(|text| clock(text.as_str())).transpose()?;
    }
    if row != before {
        row.updated_at = now;
    }
    Ok(row)
}

/// A time of the day as it is stored.
fn clock(text: &str) -> ApiResult<String> {
    let read = ["%H:%M:%S", "%H:%M"].iter().find_map(|form| NaiveTime::parse_from_str(text, form).ok());
    let time = read.ok_or_else(|| ApiError::invalid_field("cadence_time", "Write a time such as 09:30."))?;
    Ok(time.format("%H:%M:%S").to_string())
}

fn of_program(db: &dyn Read, program: ProgramId, search: Option<&str>) -> Sql {
    let named = format!("AND {}", contains(db.engine(), "c.name", "search"));
    sql!("FROM ceremonies c WHERE c.program_id = :program AND c.deletion_id IS NULL", program = program).when(
        &named,
        "search",
        search.map(pattern),
    )
}

async fn list(
    State(app): State<App>,
    scope: ProgramScope<may::ReadProgram>,
    paging: Paging,
) -> ApiResult<Page<CeremonyTemplate>> {
    let keys = paging.keys(ORDERINGS, &[Key::ascending("c.name")], "c.id")?;
    let from = of_program(&app.db, scope.program, paging.search.as_deref());
    let columns = format!("SELECT {}", CeremonyRow::select_list("c"));
    paging.fetch::<CeremonyRow, _>(&app.db, &columns, from, "c.id", &keys, CeremonyTemplate::from).await
}

async fn create(
    State(app): State<App>,
    scope: ProgramScope<may::EditProgram>,
    Body(request): Body<CeremonyTemplateRequest>,
) -> ApiResult<Created<CeremonyTemplate>> {
    let mut edit = Edit::begin(&app, &scope).await?;
    let now = edit.now();
    let row = changed(fresh(edit.mint(), scope.program, scope.actor.id, now), request.into(), now)?;
    edit.create(&row).await?;
    edit.commit().await?;
    Ok(Created(row.into()))
}

async fn show(item: Item<CeremonyRow, may::ReadProgram>) -> Versioned<CeremonyTemplate> {
    Versioned::new(item.row.server_version, item.row.into())
}

async fn update(
    State(app): State<App>,
    item: Item<CeremonyRow, may::EditProgram>,
    expected: Precondition,
    WrittenBody(request): WrittenBody<PatchedCeremonyTemplateRequest>,
) -> ApiResult<Versioned<CeremonyTemplate>> {
    let (mut edit, before) = edit::open(&app, item, expected).await?;
    let after = changed(before.clone(), request, edit.now())?;
    let written = edit.update(&before, after).await?;
    edit.commit().await?;
    Ok(written.shown(CeremonyTemplate::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_read_with_and_without_seconds() {
        assert_eq!(clock("09:30").unwrap(), "09:30:00");
        assert_eq!(clock("23:59:59").unwrap(), "23:59:59");
        assert!(clock("24:00").is_err() && clock("noon").is_err());
    }
}
