//! `/api/v1/programs/`: list, create, show, replace, change, delete.
//! Closing and handing over are in `lifecycle.rs`, members in `members.rs`, policies in `policies.rs`.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_plan::containers::{ProgramRow, create_program};
use planwright_plan::deletion::delete_program;
use planwright_plan::edit::{self, Edit};
use planwright_store::Record;
use planwright_store::page::Key;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    Actor, ApiResult, App, Body, Created, Item, NoContent, Page, Paging, ProgramScope, Routes, WrittenBody,
    says,
};

use super::model::Program;
use super::requests::{PatchedProgramRequest, ProgramRequest};
use super::{change, present, queries};

const ALL: &str = "/api/v1/programs/";
const ONE: &str = "/api/v1/programs/{id}/";

/// What the list may be ordered by.
const ORDERINGS: planwright_web::paging::Orderings = &[("name", "p.name")];

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("The programs you belong to.").orderings(ORDERINGS).agent_surface())
        .post(ALL, create, says("Create a program. You become its Owner.").members_only())
        .get(ONE, show, says("One program.").agent_surface())
        .write(ONE, update, says("Write all fields of a program."), says("Write some fields of a program."))
        .delete(ONE, delete, says("Delete a program. Its projects stay, without a program."))
}

async fn list(State(app): State<App>, actor: Actor, paging: Paging) -> ApiResult<Page<Program>> {
    let keys = paging.keys(ORDERINGS, &[Key::ascending("p.name")], "p.id")?;
    let from = queries::visible(&app.db, &actor, paging.search.as_deref());
    let columns = format!("SELECT {}", ProgramRow::select_list("p"));
    let page = paging.fetch::<ProgramRow, _>(&app.db, &columns, from, "p.id", &keys, |row| row).await?;
    let Page { count, next, previous, results } = page;
    let results = present::shown(&app.db, &actor, results).await?;
    Ok(Page { count, next, previous, results })
}

async fn create(
    State(app): State<App>,
    actor: Actor,
    Body(request): Body<ProgramRequest>,
) -> ApiResult<Created<Program>> {
    let mut edit = Edit::begin(&app, &actor).await?;
    let fields = change::validated_new(&edit, &actor, request).await?;
    let program = create_program(&mut edit, actor.id, fields).await?;
    let shown = present::one(&edit, &actor, program).await?;
    edit.commit().await?;
    Ok(Created(shown))
}

async fn show(
    State(app): State<App>,
    scope: ProgramScope<may::ReadProgram>,
) -> ApiResult<Versioned<Program>> {
    let program = present::one(&app.db, &scope.actor, scope.program).await?;
    Ok(Versioned::computed(program.server_version, program))
}

async fn update(
    State(app): State<App>,
    item: Item<ProgramRow, may::EditProgram>,
    expected: Precondition,
    WrittenBody(request): WrittenBody<PatchedProgramRequest>,
) -> ApiResult<Versioned<Program>> {
    let expected = expected.or_base(request.base_version.as_given().copied());
    let (mut edit, before) = edit::open(&app, item, expected).await?;
    let written = change::change(&mut edit, &before, request).await?;
    let program = present::one(&edit, &edit.grant.actor, before.id).await?;
    edit.commit().await?;
    Ok(Versioned::computed(program.server_version, program).merged(written.merged))
}

async fn delete(
    State(app): State<App>,
    item: Item<ProgramRow, may::OwnProgram>,
    expected: Precondition,
) -> ApiResult<NoContent> {
    let (mut edit, row) = edit::open(&app, item, expected).await?;
    let actor = edit.grant.actor.id;
    delete_program(&mut edit, actor, row.id).await?;
    edit.commit().await?;
    Ok(NoContent)
}
