//! `/api/v1/programs/{program_pk}/external-stakeholders/`: people outside who follow a program and have no account.
//! Only who manages the program sees them, because their addresses are here.

use axum::extract::State;
use chrono::{DateTime, Utc};
use planwright_domain::access::may;
use planwright_domain::ids::{ProgramId, StakeholderId, UserId};
use planwright_domain::person::is_email;
use planwright_plan::edit::{self, Edit};
use planwright_store::dialect::{contains, pattern};
use planwright_store::record::select_list;
use planwright_store::{Read, Result, record, sql, tracked};
use planwright_web::input::{LongText, Name};
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    ApiError, ApiResult, App, Body, Created, Item, Json, Paging, ProgramScope, Resource, Routes, body, says,
};
use schemars::JsonSchema;
use serde::Serialize;

const ALL: &str = "/api/v1/programs/{program_pk}/external-stakeholders/";
const ONE: &str = "/api/v1/programs/{program_pk}/external-stakeholders/{id}/";

/// How many a program may have.
const MOST: usize = 500;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("The external stakeholders of a program, by name."))
        .post(ALL, create, says("Add an external stakeholder to a program."))
        .get(ONE, show, says("One external stakeholder."))
        .patch(ONE, update, says("Change an external stakeholder."))
        .delete(
            ONE,
            edit::delete_row::<StakeholderRow, may::ManageStakeholders>,
            says("Delete an external stakeholder."),
        )
}

record! {
    /// A person outside who follows a program, as they are stored.
    pub struct StakeholderRow in external_stakeholders {
        #[serde(skip)]
        pub id: StakeholderId,
        #[serde(skip)]
        pub program_id: ProgramId,
        pub name: String,
        pub email: String,
        /// The address without regard to case, unique in the program.
        #[serde(skip)]
        pub email_key: String,
        pub note: String,
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

tracked! { StakeholderRow as "external_stakeholder" }

impl Resource for StakeholderRow {
    type Container = ProgramId;

    fn container(&self) -> ProgramId {
        self.program_id
    }
}

body! {
    /// A new external stakeholder.
    pub struct ExternalStakeholderRequest;
    /// What of an external stakeholder is to change.
    pub struct PatchedExternalStakeholderRequest;
    required {
        name: Name<1, 255>,
        /// Unique in the program without regard to case.
        email: Name<3, 254>,
    }
    optional {
        note: LongText<0, 2000>,
    }
}

/// A person outside who follows a program.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ExternalStakeholder {
    pub id: StakeholderId,
    pub name: String,
    pub email: String,
    pub note: String,
    pub created_by: Option<UserId>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub server_version: i64,
}

impl From<StakeholderRow> for ExternalStakeholder {
    fn from(row: StakeholderRow) -> Self {
        let StakeholderRow { id, name, email, note, created_by, created_at, updated_at, .. } = row;
        Self { id, name, email, note, created_by, created_at, updated_at, server_version: row.server_version }
    }
}

type Reading = ProgramScope<may::ReadStakeholders>;
type Managing = ProgramScope<may::ManageStakeholders>;

async fn list(
    State(app): State<App>,
    scope: Reading,
    paging: Paging,
) -> ApiResult<Json<Vec<ExternalStakeholder>>> {
    let rows = of_program(&app.db, scope.program, paging.search.as_deref()).await?;
    Ok(Json(rows.into_iter().map(ExternalStakeholder::from).collect()))
}

async fn create(
    State(app): State<App>,
    scope: Managing,
    Body(request): Body<ExternalStakeholderRequest>,
) -> ApiResult<Created<ExternalStakeholder>> {
    let mut edit = Edit::locked(&app, &scope).await?;
    let others = of_program(&edit, scope.program, None).await?;
    if others.len() >= MOST {
        return Err(ApiError::bad_request(format!("A program has at most {MOST} external stakeholders.")));
    }
    let fresh = fresh(edit.mint(), scope.program, scope.actor.id, edit.now());
    let row = changed(fresh, request.into(), &others, edit.now())?;
    edit.create(&row).await?;
    edit.commit().await?;
    Ok(Created(row.into()))
}

async fn show(
    item: Item<StakeholderRow, may::ReadStakeholders>,
) -> ApiResult<Versioned<ExternalStakeholder>> {
    Ok(Versioned::new(item.row.server_version, item.row.into()))
}

async fn update(
    State(app): State<App>,
    item: Item<StakeholderRow, may::ManageStakeholders>,
    expected: Precondition,
    Body(request): Body<PatchedExternalStakeholderRequest>,
) -> ApiResult<Versioned<ExternalStakeholder>> {
    let (mut edit, before) = edit::open_within(&app, item, expected).await?;
    let others = of_program(&edit, before.program_id, None).await?;
    let after = changed(before.clone(), request, &others, edit.now())?;
    let written = edit.update(&before, after).await?;
    edit.commit().await?;
    Ok(written.shown(ExternalStakeholder::from))
}

fn fresh(id: StakeholderId, program_id: ProgramId, by: UserId, now: DateTime<Utc>) -> StakeholderRow {
    StakeholderRow {
        id,
        program_id,
        name: String::new(),
        email: String::new(),
        email_key: String::new(),
        note: String::new(),
        created_by: Some(by),
        created_at: now,
        updated_at: now,
        server_version: 1,
    }
}

/// The row with the wanted fields changed; `others` are those of the program.
///
/// # Errors
/// 400 when the address is none or belongs to another one.
fn changed(
    mut row: StakeholderRow,
    request: PatchedExternalStakeholderRequest,
    others: &[StakeholderRow],
    now: DateTime<Utc>,
) -> ApiResult<StakeholderRow> {
    let before = row.clone();
    request.name.write_to(&mut row.name);
    request.email.write_to(&mut row.email);
    request.note.write_to(&mut row.note);
    row.email_key = row.email.to_lowercase();
    if row != before {
        row.updated_at = now;
    }
    match others.iter().any(|other| other.id != row.id && other.email_key == row.email_key) {
        _ if !is_email(&row.email) => Err(ApiError::invalid_field("email", "Enter a valid e-mail address.")),
        true => Err(ApiError::invalid_field("email", "The program has a stakeholder with this address.")),
        false => Ok(row),
    }
}

/// The external stakeholders of a program whose name contains the text, by name.
async fn of_program(db: &dyn Read, program: ProgramId, search: Option<&str>) -> Result<Vec<StakeholderRow>> {
    let columns = select_list::<StakeholderRow>("x");
    let found = format!("AND {}", contains(db.engine(), "x.name", "search"));
    let select = format!(
        "SELECT {columns} FROM external_stakeholders x WHERE x.program_id = :program AND x.deletion_id IS NULL"
    );
    let select = sql!(select, program = program).when(&found, "search", search.map(pattern));
    db.all(select.push(" ORDER BY x.name, x.id")).await
}
