//! `/api/v1/resource-skills/`: who has which skill, and how well.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::ResourceSkillId;
use planwright_plan::calendars::LibraryScope;
use planwright_plan::edit::{self, Edit};
use planwright_store::Read;
use planwright_store::page::Key;
use planwright_store::record::find_live;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    ApiError, ApiResult, App, Body, Created, Item, Page, Paging, Query, Routes, WrittenBody, says,
};

use super::model::*;
use super::queries;
use crate::catalog::model::{Reader, ResourceRow};
use planwright_plan::tasks::of_task::{no_such, stays};

const ALL: &str = "/api/v1/resource-skills/";
const ONE: &str = "/api/v1/resource-skills/{id}/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("List the skills of resources."))
        .post(ALL, create, says("Add a skill to a resource."))
        .get(ONE, show, says("Get one skill of a resource."))
        .write(
            ONE,
            update,
            says("Write all fields of a skill of a resource."),
            says("Write some fields of a skill of a resource."),
        )
        .delete(
            ONE,
            edit::delete_row::<ResourceSkillRow, may::EditSkills>,
            says("Remove a skill from a resource."),
        )
}

type Kept = Item<ResourceSkillRow, may::EditSkills>;

async fn list(
    State(app): State<App>,
    _: Reader,
    paging: Paging,
    Query(filter): Query<ResourceSkillFilter>,
) -> ApiResult<Page<ResourceSkill>> {
    let orderings = &[("skill_name", "k.name"), ("proficiency", "x.proficiency")];
    let keys = paging.keys(orderings, &[Key::ascending("r.name"), Key::ascending("k.name")], "x.id")?;
    let from = queries::resource_skills(filter.resource.given());
    let columns = queries::resource_skill();
    paging
        .fetch::<NamedResourceSkillRow, _>(&app.db, &columns, from, "x.id", &keys, ResourceSkill::from)
        .await
}

async fn create(
    State(app): State<App>,
    scope: LibraryScope<may::EditSkills>,
    Body(request): Body<ResourceSkillRequest>,
) -> ApiResult<Created<ResourceSkill>> {
    let mut edit = Edit::begin(&app, &scope).await?;
    // Locked, so that neither goes while the other is tied to it.
    edit.lock_rows("resources", [request.resource.0]).await?;
    edit.lock_rows("skills", [request.skill.0]).await?;
    find_live::<ResourceRow>(&edit, request.resource.0).await?.ok_or_else(|| no_such("resource"))?;
    find_live::<SkillRow>(&edit, request.skill.0).await?.ok_or_else(|| no_such("skill"))?;
    if queries::has(&edit, request.resource, request.skill).await? {
        return Err(ApiError::invalid_field("non_field_errors", "The resource already has this skill."));
    }
    let row = ResourceSkillRow {
        id: edit.mint(),
        resource_id: request.resource,
        skill_id: request.skill,
        proficiency: request.proficiency.given().map_or(2, i64::from),
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
    item: Item<ResourceSkillRow, may::ReadResources>,
) -> ApiResult<Versioned<ResourceSkill>> {
    Ok(Versioned::new(item.row.server_version, one(&app.db, item.row.id).await?))
}

async fn update(
    State(app): State<App>,
    item: Kept,
    expected: Precondition,
    WrittenBody(request): WrittenBody<PatchedResourceSkillRequest>,
) -> ApiResult<Versioned<ResourceSkill>> {
    let (mut edit, before) = edit::open(&app, item, expected).await?;
    stays("resource", &before.resource_id, request.resource.as_given())?;
    stays("skill", &before.skill_id, request.skill.as_given())?;
    let mut after = before.clone();
    request.proficiency.write_to(&mut after.proficiency);
    let written = edit.update(&before, after).await?;
    let shown = one(&edit, before.id).await?;
    edit.commit().await?;
    Ok(written.shown(|_| shown))
}

async fn one(db: &dyn Read, id: ResourceSkillId) -> ApiResult<ResourceSkill> {
    let row: Option<NamedResourceSkillRow> = db.maybe(queries::one_resource_skill(id)).await?;
    row.map(ResourceSkill::from).ok_or_else(ApiError::not_found)
}
