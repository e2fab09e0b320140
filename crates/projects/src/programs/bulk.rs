//! `/api/v1/programs/bulk-fields/` and `/api/v1/programs/{id}/bulk-project-fields/`: some fields of many rows at once, all or none.
//! Only the rows and fields that are named change; a row that has the values already keeps its version.

use std::collections::BTreeSet;

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::{ProgramId, ProjectId};
use planwright_domain::words::{Methodology, SlipPropagation};
use planwright_plan::containers::{ProgramFields, ProgramRow, ProjectRow};
use planwright_plan::edit::{Edit, Written};
use planwright_store::Tracked;
use planwright_web::input::{Int, Name, Patch};
use planwright_web::{
    ApiError, ApiResult, App, Body, Input, Json, Place, Problem, Problems, ProgramScope, Routes,
    WorkspaceScope, input, says,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{change, queries};
use crate::inherit::{Inherit, write_inherited};
use crate::projects::{change as project_change, queries as project_queries};

/// How many rows one request may name.
const MOST_ROWS: usize = 200;

const OF_PROGRAMS: [&str; 4] =
    ["methodology", "iteration_label", "risk_slip_propagation", "risk_escalation_days"];
const OF_PROJECTS: [&str; 2] = ["methodology", "iteration_label"];

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .post("/api/v1/programs/bulk-fields/", programs, says("Write the same fields of many programs."))
        .post(
            "/api/v1/programs/{id}/bulk-project-fields/",
            projects,
            says("Write the same fields of many projects of a program."),
        )
}

input! {
    /// Which rows to write, and what.
    pub struct BulkFieldsRequestRequest {
        /// The ids of the rows, at most 200.
        pub ids: Vec<Uuid>,
        /// The fields with their new values.
        pub fields: Value,
    }
}

input! {
    /// What can be written of many programs at once.
    pub struct ProgramBulkFields {
        /// How their projects are run.
        pub methodology: Patch<Methodology>,
        /// The word for an iteration. Null or blank means that it is inherited.
        pub iteration_label: Patch<Inherit<Name<1, 32>>>,
        /// What happens if a task slips because of another project.
        pub risk_slip_propagation: Patch<SlipPropagation>,
        /// The number of days after which an open risk is escalated.
        pub risk_escalation_days: Patch<Int<1, 30>>,
    }
}

input! {
    /// What can be written of many projects at once.
    pub struct ProjectBulkFields {
        /// How they are run; null inherits.
        pub methodology: Patch<Inherit<Methodology>>,
        /// The word for an iteration. Null or blank means that it is inherited.
        pub iteration_label: Patch<Inherit<Name<1, 32>>>,
    }
}

/// The rows as they are now.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BulkFieldsResult {
    /// The rows that were written.
    pub updated: Vec<BulkUpdatedRow>,
    /// The names of the fields that were written.
    pub fields: Vec<String>,
}

/// One of the rows.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BulkUpdatedRow {
    /// The id.
    pub id: Uuid,
    /// The current version.
    pub server_version: i64,
}

impl BulkUpdatedRow {
    fn of<R: Tracked>(written: Written<R>) -> Self {
        Self { id: written.row.id(), server_version: written.row.version() }
    }
}

async fn programs(
    State(app): State<App>,
    scope: WorkspaceScope<may::AdministerWorkspace>,
    Body(request): Body<BulkFieldsRequestRequest>,
) -> ApiResult<Json<BulkFieldsResult>> {
    let ids = ids_of(&request)?;
    let (values, fields) = fields_of::<ProgramBulkFields>(&request.fields, &OF_PROGRAMS)?;
    let mut edit = Edit::begin(&app, &scope).await?;
    let rows = queries::some_to_change(&mut edit, ids.iter().copied().map(ProgramId).collect()).await?;
    let open = rows.iter().filter(|row| row.closed_at.is_none()).map(|row| row.id.0);
    check_found(&ids, open.collect(), "is not an open program.")?;
    let mut updated = Vec::with_capacity(rows.len());
    for before in rows {
        edit.grant.place = Place { project: None, program: Some(before.id) };
        let after = changed_program(&before, values.clone());
        updated.push(BulkUpdatedRow::of(change::write(&mut edit, &before, after).await?));
    }
    edit.commit().await?;
    Ok(Json(BulkFieldsResult { updated, fields }))
}

fn changed_program(before: &ProgramRow, values: ProgramBulkFields) -> ProgramFields {
    let mut fields = before.written.clone();
    values.methodology.write_to(&mut fields.methodology);
    values.risk_slip_propagation.write_to(&mut fields.risk_slip_propagation);
    values.risk_escalation_days.write_to(&mut fields.risk_escalation_days);
    write_inherited(values.iteration_label, &mut fields.overrides.iteration_label);
    fields
}

async fn projects(
    State(app): State<App>,
    scope: ProgramScope<may::EditProgram>,
    Body(request): Body<BulkFieldsRequestRequest>,
) -> ApiResult<Json<BulkFieldsResult>> {
    let (ids, program, actor) = (ids_of(&request)?, scope.program, scope.actor.clone());
    let (values, fields) = fields_of::<ProjectBulkFields>(&request.fields, &OF_PROJECTS)?;
    let mut edit = Edit::begin(&app, &scope).await?;
    let wanted = ids.iter().copied().map(ProjectId).collect();
    let rows = project_queries::some_to_change(&mut edit, &actor, program, wanted).await?;
    let open = rows.iter().filter(|row| row.archived_at.is_none()).map(|row| row.id.0);
    check_found(&ids, open.collect(), "is not a project of this program that can be changed.")?;
    let mut updated = Vec::with_capacity(rows.len());
    for before in rows {
        edit.grant.place = Place { project: Some(before.id), program: Some(program) };
        let after = changed_project(&before, values.clone());
        updated.push(BulkUpdatedRow::of(project_change::write(&mut edit, &before, after).await?));
    }
    edit.commit().await?;
    Ok(Json(BulkFieldsResult { updated, fields }))
}

fn changed_project(before: &ProjectRow, values: ProjectBulkFields) -> ProjectRow {
    let mut after = before.clone();
    write_inherited(values.methodology, &mut after.written.methodology);
    write_inherited(values.iteration_label, &mut after.written.overrides.iteration_label);
    after
}

/// The rows that are named, each once.
fn ids_of(request: &BulkFieldsRequestRequest) -> ApiResult<BTreeSet<Uuid>> {
    let ids: BTreeSet<Uuid> = request.ids.iter().copied().collect();
    match ids.len() {
        0 => Err(ApiError::invalid_field("ids", "At least one is required.")),
        count if count > MOST_ROWS => {
            Err(ApiError::invalid_field("ids", format!("At most {MOST_ROWS} are allowed at once.")))
        }
        _ => Ok(ids),
    }
}

/// The values of the named fields, and the names; a field that is not known is refused, not passed over.
fn fields_of<T: Input>(fields: &Value, known: &[&str]) -> ApiResult<(T, Vec<String>)> {
    let empty = Map::new();
    let object = fields.as_object().unwrap_or(&empty);
    if object.is_empty() {
        return Err(ApiError::invalid_field(
            "fields",
            "An object with at least one field was expected here.",
        ));
    }
    let mut problems = Problems::default();
    for field in object.keys().filter(|field| !known.contains(&field.as_str())) {
        problems.say("fields", format!("\"{field}\" is not one of: {}.", known.join(", ")));
    }
    problems.check()?;
    let values = T::read(object).map_err(|wrong| {
        let mut problems = Problems::default();
        problems.add("fields", Problem::Fields(wrong));
        ApiError::invalid(problems)
    })?;
    Ok((values, object.keys().cloned().collect()))
}

/// All of the named rows must be there, or none is written.
fn check_found(named: &BTreeSet<Uuid>, found: BTreeSet<Uuid>, message: &str) -> ApiResult<()> {
    let mut problems = Problems::default();
    for id in named.difference(&found) {
        problems.say("ids", format!("{id} {message}"));
    }
    problems.check()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_unknown_field_is_refused_and_a_wrong_value_is_told_by_its_field() {
        let refused = |fields: Value| {
            let error = fields_of::<ProgramBulkFields>(&fields, &OF_PROGRAMS).unwrap_err();
            Value::Object(error.body().clone())
        };
        assert!(refused(json!({ "name": "x" }))["fields"][0].as_str().unwrap().contains("\"name\""));
        assert!(refused(json!({ "risk_escalation_days": 31 }))["fields"]["risk_escalation_days"].is_array());
        assert!(refused(json!({}))["fields"].is_array());
        assert!(refused(json!([]))["fields"].is_array());
    }
}
