//! The routes of labels: those of a project, those on a task, and the catalogue of a program.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::{LabelId, TaskId};
use planwright_plan::edit::{self, Edit};
use planwright_plan::schedule::network::date;
use planwright_plan::tasks::labels;
use planwright_plan::tasks::model::TaskLabelChip;
use planwright_plan::tasks::write::{self, TaskRecord, WriteContext};
use planwright_store::Read;
use planwright_store::page::Key;
use planwright_web::paging::Orderings;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    ApiError, ApiResult, App, Body, Created, Item, Json, NoContent, Page, Paging, Parent, Path, ProgramScope,
    ProjectScope, Query, Routes, WrittenBody, says,
};
use serde_json::json;

use super::model::*;
use super::{queries, rules};

const ALL: &str = "/api/v1/projects/{project_pk}/labels/";
const ONE: &str = "/api/v1/projects/{project_pk}/labels/{id}/";
const ON_TASK: &str = "/api/v1/projects/{project_pk}/tasks/{task_pk}/labels/";
const ONE_ON_TASK: &str = "/api/v1/projects/{project_pk}/tasks/{task_pk}/labels/{label_id}/";
const CATALOG: &str = "/api/v1/programs/{program_pk}/label-catalog/";
const LABELLED_TASKS: &str = "/api/v1/programs/{program_pk}/label-tasks/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("The labels of a project.").agent_surface().orderings(ORDERINGS))
        .post(ALL, create, says("Add a label."))
        .get(ONE, show, says("One label.").agent_surface())
        .write(ONE, update, says("Write all fields of a label."), says("Write some fields of a label."))
        .delete(ONE, delete, says("Delete a label. It is removed from its tasks."))
        .post(ON_TASK, attach, says("Add a label to a task."))
        .delete(ON_TASK, detach_some, says("Remove one label or all labels from a task.").on_many())
        .post(ONE_ON_TASK, attach_named, says("Add the label in the path to a task."))
        .delete(ONE_ON_TASK, detach, says("Remove a label from a task."))
        .get(CATALOG, catalog, says("The labels of the projects of a program, by name.").agent_surface())
        .get(LABELLED_TASKS, labelled, says("The labelled tasks of a program.").agent_surface())
}

const ORDERINGS: Orderings =
    &[("position", "l.position"), ("name", "l.name"), ("created_at", "l.created_at")];

type Managed = Item<LabelRow, may::ManagePlan>;
type Labelled = Item<TaskRecord, may::AuthorPlan>;

async fn list(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    paging: Paging,
) -> ApiResult<Page<Label>> {
    let by_place = [Key::ascending("l.position"), Key::ascending("l.name")];
    let keys = paging.keys(ORDERINGS, &by_place, "l.id")?;
    let from = queries::live(&app.db, scope.project, paging.search.as_deref());
    let columns = queries::counted();
    paging.fetch::<CountedRow, _>(&app.db, &columns, from, "l.id", &keys, Label::from).await
}

async fn create(
    State(app): State<App>,
    scope: ProjectScope<may::TakePart>,
    Body(request): Body<LabelRequest>,
) -> ApiResult<Created<Label>> {
    let mut edit = Edit::locked(&app, &scope).await?;
    let others = labels::of_project(&edit, scope.project).await?;
    let fresh = labels::fresh(edit.mint(), scope.project, edit.now(), &others)?;
    let row = rules::changed(fresh, request.into(), &others)?;
    edit.create(&row).await?;
    edit.commit().await?;
    Ok(Created(CountedRow { task_count: 0, label: row }.into()))
}

async fn show(State(app): State<App>, item: Item<LabelRow, may::ReadProject>) -> ApiResult<Versioned<Label>> {
    let label = queries::one(&app.db, item.row.id).await?;
    Ok(Versioned::new(label.server_version, label))
}

async fn update(
    State(app): State<App>,
    item: Managed,
    expected: Precondition,
    WrittenBody(request): WrittenBody<PatchedLabelRequest>,
) -> ApiResult<Versioned<Label>> {
    let (mut edit, before) = edit::open_within(&app, item, expected).await?;
    let others = labels::of_project(&edit, before.project_id).await?;
    let written = edit.update(&before, rules::changed(before.clone(), request, &others)?).await?;
    let label = queries::one(&edit, before.id).await?;
    edit.commit().await?;
    Ok(written.shown(|_| label))
}

async fn delete(State(app): State<App>, item: Managed, expected: Precondition) -> ApiResult<NoContent> {
    let (mut edit, row) = edit::open_within(&app, item, expected).await?;
    edit.delete(&row).await?;
    edit.commit().await?;
    Ok(NoContent)
}

async fn attach(
    State(app): State<App>,
    item: Labelled,
    Body(request): Body<TaskLabelAttachRequestRequest>,
) -> ApiResult<Json<Vec<TaskLabelChip>>> {
    put_on(&app, item, request.label_id).await
}

async fn attach_named(
    State(app): State<App>,
    Parent(item): Parent<TaskRecord, may::AuthorPlan>,
    Path(label): Path<LabelId>,
    Body(request): Body<TaskLabelNamedRequest>,
) -> ApiResult<Json<Vec<TaskLabelChip>>> {
    if request.label_id.given().is_some_and(|named| named != label) {
        return Err(ApiError::invalid_field("label_id", "The path names another label."));
    }
    match labels::of_project(&app.db, item.row.project_id).await?.iter().any(|row| row.id == label) {
        true => put_on(&app, item, label).await,
        false => Err(ApiError::not_found()),
    }
}

async fn put_on(app: &App, item: Labelled, label: LabelId) -> ApiResult<Json<Vec<TaskLabelChip>>> {
    let (mut edit, task) = opened(app, item).await?;
    let known = labels::of_project(&edit, task.project_id).await?;
    if !known.iter().any(|row| row.id == label) {
        return Err(ApiError::invalid_field("label_id", "There is no such label in the project."));
    }
    let before = on_task(&edit, task.id).await?;
    if !before.iter().any(|chip| chip.id == label) {
        labels::attach(&mut edit, task.id, label).await?;
    }
    Ok(Json(finished(edit, &task, &before).await?))
}

async fn detach(
    State(app): State<App>,
    Parent(item): Parent<TaskRecord, may::AuthorPlan>,
    Path(label): Path<LabelId>,
) -> ApiResult<NoContent> {
    take_off(&app, item, Some(label)).await
}

async fn detach_some(
    State(app): State<App>,
    item: Labelled,
    Query(query): Query<TaskLabelDetachQuery>,
) -> ApiResult<NoContent> {
    take_off(&app, item, query.label_id.given()).await
}

async fn take_off(app: &App, item: Labelled, only: Option<LabelId>) -> ApiResult<NoContent> {
    let (mut edit, task) = opened(app, item).await?;
    let before = on_task(&edit, task.id).await?;
    let gone = before.iter().map(|chip| chip.id).filter(|id| only.is_none_or(|only| only == *id));
    queries::detach(&mut edit, task.id, &gone.collect::<Vec<_>>()).await?;
    finished(edit, &task, &before).await.map(|_| NoContent)
}

/// Begins the change of a task's labels, when the caller may edit the task.
async fn opened(app: &App, item: Item<TaskRecord, may::AuthorPlan>) -> ApiResult<(Edit, TaskRecord)> {
    let (edit, task) = edit::open_plan(app, item, Precondition::default()).await?;
    match WriteContext::bare(&edit, &edit.grant).await?.may_edit(&task) {
        true => Ok((edit, task)),
        false => Err(ApiError::forbidden("You may label only tasks that are assigned to you.")),
    }
}

/// Notes a change of a task's labels, if there is one, and ends the edit; the labels as they are now.
async fn finished(
    mut edit: Edit,
    task: &TaskRecord,
    before: &[TaskLabelChip],
) -> ApiResult<Vec<TaskLabelChip>> {
    let after = on_task(&edit, task.id).await?;
    let ids = |chips: &[TaskLabelChip]| json!(chips.iter().map(|chip| chip.id).collect::<Vec<_>>());
    let (old, new) = (ids(before), ids(&after));
    if old != new {
        write::update_facet(&mut edit, task, task.clone(), "labels", [old, new]).await?;
    }
    edit.commit().await?;
    Ok(after)
}

async fn on_task(db: &dyn Read, task: TaskId) -> ApiResult<Vec<TaskLabelChip>> {
    let rows = queries::on_tasks(db, &[task]).await?;
    Ok(rows.into_iter().map(TaskLabelChip::from).collect())
}

async fn catalog(
    State(app): State<App>,
    scope: ProgramScope<may::ReadProgram>,
) -> ApiResult<Json<Vec<ProgramLabel>>> {
    Ok(Json(queries::catalog(&app.db, &scope.actor, scope.program).await?))
}

async fn labelled(
    State(app): State<App>,
    scope: ProgramScope<may::ReadProgram>,
    paging: Paging,
    Query(filter): Query<ProgramLabelFilter>,
) -> ApiResult<Page<ProgramLabelTask>> {
    let by_name = [Key::ascending("p.name"), Key::ascending("t.name")];
    let keys = paging.keys(&[("name", "t.name")], &by_name, "t.id")?;
    let names = filter.labels.as_given().map(|names| names.as_str()).filter(|names| !names.is_empty());
    let from = queries::labelled(&scope.actor, scope.program, names);
    let columns = queries::LABELLED;
    let page = paging.fetch::<LabelledRow, _>(&app.db, columns, from, "t.id", &keys, |row| row).await?;
    let ids: Vec<TaskId> = page.results.iter().map(|row| row.id).collect();
    let chips = queries::on_tasks(&app.db, &ids).await?;
    Ok(page.map(|row| labelled_task(row, &chips)))
}

fn labelled_task(row: LabelledRow, chips: &[LabelOn]) -> ProgramLabelTask {
    let own = chips.iter().filter(|chip| chip.task_id == row.id);
    ProgramLabelTask {
        id: row.id,
        short_id: row.short_id,
        name: row.name,
        wbs_path: row.outline,
        status: row.status,
        percent_complete: row.percent_complete,
        early_finish: row.early_finish.and_then(date),
        is_milestone: row.is_milestone,
        project: TaskProjectRef { id: row.project_id, name: row.project_name, code: row.project_code },
        labels: own
            .map(|chip| LabelChip { id: chip.id, name: chip.name.clone(), color: chip.color })
            .collect(),
    }
}
