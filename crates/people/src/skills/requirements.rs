//! `/api/v1/task-skill-requirements/`: which skills tasks ask for, and how well.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::RequirementId;
use planwright_plan::edit::{self, Edit};
use planwright_store::Read;
use planwright_store::page::Key;
use planwright_store::record::find_live;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Created, Item, Page, Paging, Query, Routes, WrittenBody, says,
};

use super::model::*;
use super::queries;
use planwright_plan::tasks::of_task::{OfTask, named, no_such, stays};
use planwright_plan::tasks::write::TaskRecord;

const ALL: &str = "/api/v1/task-skill-requirements/";
const ONE: &str = "/api/v1/task-skill-requirements/{id}/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("List the skills that tasks of your projects require.").agent_surface())
        .post(ALL, create, says("Add a required skill to a task."))
        .get(ONE, show, says("Get one skill that a task requires.").agent_surface())
        .write(
            ONE,
            update,
            says("Write all fields of a required skill of a task."),
            says("Write some fields of a required skill of a task."),
        )
        .delete(
            ONE,
            edit::delete_row::<RequirementRow, may::ManageLinks>,
            says("Remove a required skill from a task."),
        )
}

type Kept = Item<RequirementRow, may::ManageLinks>;

async fn list(
    State(app): State<App>,
    actor: Actor,
    paging: Paging,
    Query(filter): Query<RequirementFilter>,
) -> ApiResult<Page<TaskSkillRequirement>> {
    let orderings = &[("skill_name", "k.name"), ("min_proficiency", "x.min_proficiency")];
    let keys = paging.keys(orderings, &[Key::ascending("k.name")], "x.id")?;
    let from = queries::requirements(&actor, filter.task.given());
    let columns = queries::requirement();
    let show = TaskSkillRequirement::from;
    paging.fetch::<NamedRequirementRow, _>(&app.db, &columns, from, "x.id", &keys, show).await
}

async fn create(
    State(app): State<App>,
    actor: Actor,
    Body(request): Body<TaskSkillRequirementRequest>,
) -> ApiResult<Created<TaskSkillRequirement>> {
    let scope = named::<_, may::ManageLinks>(&app.db, &actor, "task", OfTask(request.task)).await?;
    let mut edit = Edit::locked(&app, &scope).await?;
    edit.lock::<TaskRecord>(request.task).await?;
    edit.lock_rows("skills", [request.skill.0]).await?;
    find_live::<SkillRow>(&edit, request.skill.0).await?.ok_or_else(|| no_such("skill"))?;
    if queries::asks(&edit, request.task, request.skill).await? {
        return Err(ApiError::invalid_field("non_field_errors", "The task already requires this skill."));
    }
    let row = RequirementRow {
        id: edit.mint(),
        task_id: request.task,
        skill_id: request.skill,
        min_proficiency: request.min_proficiency.given().map_or(1, i64::from),
        created_at: edit.now(),
        server_version: 1,
    };
    edit.create(&row).await?;
    let shown = one(&edit, row.id).await?;
    edit.commit().await?;
    Ok(Created(shown))
}

async fn show(
    State(app): State<App>,
    item: Item<RequirementRow, may::ReadProject>,
) -> ApiResult<Versioned<TaskSkillRequirement>> {
    Ok(Versioned::new(item.row.server_version, one(&app.db, item.row.id).await?))
}

async fn update(
    State(app): State<App>,
    item: Kept,
    expected: Precondition,
    WrittenBody(request): WrittenBody<PatchedTaskSkillRequirementRequest>,
) -> ApiResult<Versioned<TaskSkillRequirement>> {
    let (mut edit, before) = edit::open(&app, item, expected).await?;
    stays("task", &before.task_id, request.task.as_given())?;
    stays("skill", &before.skill_id, request.skill.as_given())?;
    let mut after = before.clone();
    request.min_proficiency.write_to(&mut after.min_proficiency);
    let written = edit.update(&before, after).await?;
    let shown = one(&edit, before.id).await?;
    edit.commit().await?;
    Ok(written.shown(|_| shown))
}

async fn one(db: &dyn Read, id: RequirementId) -> ApiResult<TaskSkillRequirement> {
    let row: Option<NamedRequirementRow> = db.maybe(queries::one_requirement(id)).await?;
    row.map(TaskSkillRequirement::from).ok_or_else(ApiError::not_found)
}
