//! The routes of program backlogs. To pull an item is one change of a plan: of two pulls at once one finds it pulled.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_plan::edit::{self, Edit};
use planwright_plan::tasks::of_task::named;
use planwright_plan::tasks::write::{self, Author, TaskRecord, TaskRequest};
use planwright_plan::tasks::{decorate, labels};
use planwright_store::page::Key;
use planwright_web::paging::Orderings;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    ApiError, ApiResult, App, Body, Created, Input, Item, Page, Paging, ProgramScope, Query, Routes,
    WrittenBody, says,
};

use super::model::*;
use super::{queries, rules};

const ALL: &str = "/api/v1/programs/{program_pk}/backlog-items/";
const ONE: &str = "/api/v1/programs/{program_pk}/backlog-items/{id}/";
const PULL: &str = "/api/v1/programs/{program_pk}/backlog-items/{id}/pull/";

/// The routes of this file.
pub fn table() -> Routes {
    let listed = says("The backlog of a program; what is proposed, unless a status is asked for.");
    Routes::new()
        .get(ALL, list, listed.agent_surface().orderings(ORDERINGS))
        .post(ALL, create, says("Add an item to the backlog of a program."))
        .get(ONE, show, says("One item of the backlog of a program.").agent_surface())
        .write(
            ONE,
            update,
            says("Write all of an item of the backlog of a program."),
            says("Write some fields of an item of the backlog of a program."),
        )
        .delete(
            ONE,
            edit::delete_row::<BacklogItemRow, may::KeepProgramBacklog>,
            says("Delete an item of the backlog of a program; its task stays."),
        )
        .post(PULL, pull, says("Make a task of an item, in a project of the program."))
}

const ORDERINGS: Orderings = &[
    ("priority_rank", "i.priority_rank"),
    ("title", "i.title"),
    ("created_at", "i.created_at"),
    ("updated_at", "i.updated_at"),
    ("story_points", "i.story_points"),
];

type Kept = Item<BacklogItemRow, may::KeepProgramBacklog>;

async fn list(
    State(app): State<App>,
    scope: ProgramScope<may::ReadProgram>,
    paging: Paging,
    Query(filter): Query<BacklogItemFilter>,
) -> ApiResult<Page<BacklogItem>> {
    let keys =
        paging.keys(ORDERINGS, &[Key { with_gaps: true, ..Key::ascending("i.priority_rank") }], "i.id")?;
    let from = queries::listed(&app.db, &scope.actor, scope.program, &filter, paging.search.as_deref())?;
    let columns = queries::columns();
    paging.fetch::<ShownItemRow, _>(&app.db, &columns, from, "i.id", &keys, BacklogItem::from).await
}

async fn create(
    State(app): State<App>,
    scope: ProgramScope<may::KeepProgramBacklog>,
    Body(request): Body<BacklogItemRequest>,
) -> ApiResult<Created<BacklogItem>> {
    let mut edit = Edit::begin(&app, &scope).await?;
    let now = edit.now();
    let fresh = rules::fresh(edit.mint(), scope.program, now, scope.actor.id);
    let row = rules::changed(fresh, request.into(), false, now)?;
    edit.create(&row).await?;
    let shown = queries::one(&edit, &scope.actor, row.id).await?;
    edit.commit().await?;
    Ok(Created(shown))
}

async fn show(
    State(app): State<App>,
    item: Item<BacklogItemRow, may::ReadProgram>,
) -> ApiResult<Versioned<BacklogItem>> {
    let shown = queries::one(&app.db, &item.scope.actor, item.row.id).await?;
    Ok(Versioned::computed(shown.server_version, shown))
}

async fn update(
    State(app): State<App>,
    item: Kept,
    expected: Precondition,
    WrittenBody(request): WrittenBody<PatchedBacklogItemRequest>,
) -> ApiResult<Versioned<BacklogItem>> {
    let (mut edit, before) = edit::open(&app, item, expected).await?;
    let is_pulled = queries::is_live(&edit, before.pulled_task_id).await?;
    let after = rules::changed(before.clone(), request, is_pulled, edit.now())?;
    let written = edit.update(&before, after).await?;
    let shown = queries::one(&edit, &edit.grant.actor, before.id).await?;
    edit.commit().await?;
    Ok(Versioned::computed(written.row.server_version, shown).merged(written.merged))
}

async fn pull(
    State(app): State<App>,
    item: Kept,
    Body(request): Body<BacklogItemPullRequestRequest>,
) -> ApiResult<Created<BacklogItemPullResult>> {
    let actor = item.scope.actor.clone();
    let scope: Author = named(&app.db, &actor, "project_id", request.project_id).await?;
    if scope.place.program != Some(item.scope.program) {
        return Err(ApiError::invalid_field("project_id", "The project belongs to another program."));
    }
    let mut edit = Edit::of_plan(&app, &scope).await?;
    let place = item.scope.recheck(&edit).await?.place;
    let row: BacklogItemRow = edit.lock(item.row.id).await?;
    rules::may_be_pulled(&row, queries::is_live(&edit, row.pulled_task_id).await?)?;
    let task = task_of(&mut edit, &row).await?;
    let after = rules::pulled(&row, (task.id, actor.id, edit.now()));
    edit.update_at(place, &row, after).await?;
    let task = decorate::one(&edit, &actor, task.id).await?;
    let backlog_item = queries::one(&edit, &actor, row.id).await?;
    edit.commit().await?;
    Ok(Created(BacklogItemPullResult { task, backlog_item }))
}

/// The task that an item becomes, with its tags as labels.
async fn task_of(edit: &mut Edit, item: &BacklogItemRow) -> ApiResult<TaskRecord> {
    let sent = rules::task_of(item, edit.project()?);
    let request =
        TaskRequest::read(sent.as_object().unwrap_or(&Default::default())).map_err(ApiError::invalid)?;
    let (id, _) = write::create(edit, request).await?;
    let task: TaskRecord = edit.lock(id).await?;
    labels::put_on_new(edit, &task, &item.tags()).await?;
    edit.recalculate().await?;
    Ok(task)
}
