//! `/api/v1/programs/`: list, create, show, replace, change, delete.
//! Closing and handing over are in `lifecycle.rs`, members in `members.rs`, policies in `policies.rs`.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::ProgramId;
use planwright_plan::containers::{create_program, delete_program};
use planwright_store::page::Key;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    Actor, ApiResult, App, Body, Created, NoContent, Page, Paging, ProgramScope, Routes, says,
};

use super::model::{Program, ProgramRow};
use super::requests::{PatchedProgramRequest, ProgramRequest};
use super::{change, present, queries};

const ALL: &str = "/api/v1/programs/";
const ONE: &str = "/api/v1/programs/{id}/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("The programs you belong to.").agent_surface())
        .post(ALL, create, says("Create a program, which you will own."))
        .get(ONE, show, says("One program.").agent_surface())
        .put(ONE, replace, says("Write all of a program."))
        .patch(ONE, update, says("Write some fields of a program."))
        .delete(ONE, delete, says("Delete a program; its projects stay and stand alone."))
}

async fn list(State(app): State<App>, actor: Actor, paging: Paging) -> ApiResult<Page<Program>> {
    let keys = paging.keys(&[("name", "p.name")], &[Key::ascending("p.name")], "p.id")?;
    let from = queries::of_person(&app.db, actor.id, paging.search.as_deref()).push(actor.sees_programs());
    let columns = queries::columns();
    let page =
        paging.fetch::<ProgramRow, ProgramId, _>(&app.db, &columns, from, "p.id", &keys, |row| row).await?;
    let Page { count, next, previous, results } = page;
    let results = present::shown(&app.db, &actor, results).await?;
    Ok(Page { count, next, previous, results })
}

async fn create(
    State(app): State<App>,
    actor: Actor,
    Body(request): Body<ProgramRequest>,
) -> ApiResult<Created<Program>> {
    let mut tx = app.db.begin().await?;
    let fields = change::validated_new(&tx, &actor, request).await?;
    let program = create_program(&mut tx, actor.id, fields).await?;
    let shown = present::one(&tx, &actor, program).await?;
    tx.commit().await?;
    Ok(Created(shown))
}

async fn show(
    State(app): State<App>,
    scope: ProgramScope<may::ReadProgram>,
) -> ApiResult<Versioned<Program>> {
    let program = present::one(&app.db, &scope.actor, scope.program).await?;
    Ok(Versioned::new(program.server_version, program))
}

async fn replace(
    state: State<App>,
    scope: ProgramScope<may::EditProgram>,
    expected: Precondition,
    Body(request): Body<ProgramRequest>,
) -> ApiResult<Versioned<Program>> {
    update(state, scope, expected, Body(request.into())).await
}

async fn update(
    State(app): State<App>,
    scope: ProgramScope<may::EditProgram>,
    expected: Precondition,
    Body(request): Body<PatchedProgramRequest>,
) -> ApiResult<Versioned<Program>> {
    let mut tx = app.db.begin().await?;
    let merged = change::change(&mut tx, &scope, expected, request).await?;
    let row = present::one(&tx, &scope.actor, scope.program).await?;
    tx.commit().await?;
    Ok(Versioned { version: row.server_version, row, merged })
}

async fn delete(
    State(app): State<App>,
    scope: ProgramScope<may::OwnProgram>,
    expected: Precondition,
) -> ApiResult<NoContent> {
    let mut tx = app.db.begin().await?;
    expected.check(change::found(&mut tx, &scope).await?.server_version)?;
    delete_program(&mut tx, scope.actor.id, scope.program).await?;
    tx.commit().await?;
    Ok(NoContent)
}
