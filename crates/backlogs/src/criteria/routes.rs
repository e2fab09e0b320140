//! The routes of acceptance criteria. Each write is told to those who look at the task.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::TaskId;
use planwright_plan::edit::{self, Edit};
use planwright_plan::tasks::criteria::{COLUMNS, ShownCriterion};
use planwright_plan::tasks::model::AcceptanceCriterion;
use planwright_plan::tasks::of_task::{OfTask, named};
use planwright_plan::tasks::write::{self, TaskRecord};
use planwright_store::page::Key;
use planwright_store::record::find_live;
use planwright_web::paging::Orderings;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Created, Item, NoContent, Page, Paging, ProjectScope, Query,
    Routes, WrittenBody, says,
};

use super::model::*;
use super::{queries, rules};

const ALL: &str = "/api/v1/acceptance-criteria/";
const ONE: &str = "/api/v1/acceptance-criteria/{id}/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("The acceptance criteria of tasks of your projects.").orderings(ORDERINGS))
        .post(ALL, create, says("Add an acceptance criterion to a task."))
        .get(ONE, show, says("One acceptance criterion."))
        .write(
            ONE,
            update,
            says("Write all of an acceptance criterion."),
            says("Write some fields of an acceptance criterion, for example that it is met."),
        )
        .delete(ONE, delete, says("Delete an acceptance criterion."))
}

const ORDERINGS: Orderings = &[("task", "c.task_id"), ("position", "c.position"), ("met_at", "c.met_at")];

type Kept = Item<CriterionRow, may::TakePart>;
type Keeping = ProjectScope<may::TakePart>;

async fn list(
    State(app): State<App>,
    actor: Actor,
    paging: Paging,
    Query(filter): Query<CriterionFilter>,
) -> ApiResult<Page<AcceptanceCriterion>> {
    let by_place = [Key::ascending("c.task_id"), Key::ascending("c.position")];
    let keys = paging.keys(ORDERINGS, &by_place, "c.id")?;
    let from = queries::listed(&app.db, &actor, filter.task.given(), paging.search.as_deref());
    paging.fetch::<ShownCriterion, _>(&app.db, COLUMNS, from, "c.id", &keys, AcceptanceCriterion::from).await
}

async fn create(
    State(app): State<App>,
    actor: Actor,
    Body(request): Body<AcceptanceCriterionRequest>,
) -> ApiResult<Created<AcceptanceCriterion>> {
    let task = request.task;
    let scope: Keeping = named(&app.db, &actor, "task", OfTask(task)).await?;
    let mut edit = Edit::begin(&app, &scope).await?;
    let record: TaskRecord = edit.lock(task).await?;
    let places = queries::places(&edit, task).await?;
    let fresh = rules::fresh(edit.mint(), task, edit.now(), places)?;
    let row = rules::changed(fresh, request.into(), (actor.id, edit.now()))?;
    edit.create(&row).await?;
    let shown = queries::one(&edit, row.id).await?;
    tell_and_commit(edit, &record).await?;
    Ok(Created(shown))
}

async fn show(
    State(app): State<App>,
    item: Item<CriterionRow, may::ReadProject>,
) -> ApiResult<Versioned<AcceptanceCriterion>> {
    Ok(Versioned::new(item.row.server_version, queries::one(&app.db, item.row.id).await?))
}

async fn update(
    State(app): State<App>,
    item: Kept,
    expected: Precondition,
    WrittenBody(request): WrittenBody<PatchedAcceptanceCriterionRequest>,
) -> ApiResult<Versioned<AcceptanceCriterion>> {
    let (mut edit, before, task) = opened(&app, item, expected).await?;
    let by = (edit.grant.actor.id, edit.now());
    let written = edit.update(&before, rules::changed(before.clone(), request, by)?).await?;
    let shown = queries::one(&edit, before.id).await?;
    match written.is_changed {
        true => tell_and_commit(edit, &task).await?,
        false => edit.commit().await?,
    }
    Ok(written.shown(|_| shown))
}

async fn delete(State(app): State<App>, item: Kept, expected: Precondition) -> ApiResult<NoContent> {
    let (mut edit, row, task) = opened(&app, item, expected).await?;
    edit.delete(&row).await?;
    tell_and_commit(edit, &task).await?;
    Ok(NoContent)
}

/// Begins the change of a criterion, with the task it belongs to.
async fn opened(
    app: &App,
    item: Kept,
    expected: Precondition,
) -> ApiResult<(Edit, CriterionRow, TaskRecord)> {
    let task: TaskId = item.row.task_id;
    let (edit, row) = edit::open(app, item, expected).await?;
    let task = find_live(&edit, task.0).await?.ok_or_else(ApiError::not_found)?;
    Ok((edit, row, task))
}

async fn tell_and_commit(mut edit: Edit, task: &TaskRecord) -> ApiResult<()> {
    write::tell_of_facet(&mut edit, task, "acceptance_criteria").await?;
    Ok(edit.commit().await?)
}
