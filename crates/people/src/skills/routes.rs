//! The routes of the catalogue of skills.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::skills::normalized;
use planwright_plan::calendars::LibraryScope;
use planwright_plan::edit::{self, Edit};
use planwright_store::page::Key;
use planwright_store::{Read, Record};
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    ApiError, ApiResult, App, Body, Created, Item, NoContent, Page, Paging, Routes, WrittenBody, says,
};

use super::model::{PatchedSkillRequest, Skill, SkillRequest, SkillRow};
use super::{queries, rules};
use crate::catalog::model::Reader;

const ALL: &str = "/api/v1/skills/";
const ONE: &str = "/api/v1/skills/{id}/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("The skills of the catalogue."))
        .post(ALL, create, says("Add a skill. If a skill of this name exists, it is returned."))
        .get(ONE, show, says("One skill."))
        .write(ONE, update, says("Write all fields of a skill."), says("Write some fields of a skill."))
        .delete(ONE, delete, says("Delete a skill that no resource has and no task requires."))
}

type Kept = Item<SkillRow, may::EditSkills>;

async fn list(State(app): State<App>, _: Reader, paging: Paging) -> ApiResult<Page<Skill>> {
    let orderings = &[("name", "k.name"), ("category", "k.category")];
    let keys = paging.keys(orderings, &[Key::ascending("k.name")], "k.id")?;
    let from = queries::listed(&app.db, paging.search.as_deref());
    let columns = format!("SELECT {}", SkillRow::select_list("k"));
    paging.fetch::<SkillRow, _>(&app.db, &columns, from, "k.id", &keys, Skill::from).await
}

async fn create(
    State(app): State<App>,
    scope: LibraryScope<may::EditSkills>,
    Body(request): Body<SkillRequest>,
) -> ApiResult<Created<Skill>> {
    let mut edit = Edit::begin(&app, &scope).await?;
    if let Some(known) = queries::of_name(&edit, &normalized(&request.name)).await? {
        return Ok(Created(known.into()));
    }
    let row = rules::changed(fresh(&edit), request.into(), None)?;
    edit.create(&row).await?;
    edit.commit().await?;
    Ok(Created(row.into()))
}

fn fresh(edit: &Edit) -> SkillRow {
    let (name, normalized_name, category) = Default::default();
    SkillRow { id: edit.mint(), name, normalized_name, category, created_at: edit.now(), server_version: 1 }
}

async fn show(item: Item<SkillRow, may::ReadResources>) -> ApiResult<Versioned<Skill>> {
    Ok(Versioned::new(item.row.server_version, item.row.into()))
}

async fn update(
    State(app): State<App>,
    item: Kept,
    expected: Precondition,
    WrittenBody(request): WrittenBody<PatchedSkillRequest>,
) -> ApiResult<Versioned<Skill>> {
    let (mut edit, before) = edit::open(&app, item, expected).await?;
    let other = match request.name.as_given() {
        Some(name) => queries::of_name(&edit, &normalized(name)).await?,
        None => None,
    };
    let written = edit.update(&before, rules::changed(before.clone(), request, other.as_ref())?).await?;
    edit.commit().await?;
    Ok(written.shown(Skill::from))
}

async fn delete(State(app): State<App>, item: Kept, expected: Precondition) -> ApiResult<NoContent> {
    let (mut edit, row) = edit::open(&app, item, expected).await?;
    check_unused(&edit, &row).await?;
    edit.delete(&row).await?;
    edit.commit().await?;
    Ok(NoContent)
}

/// Refuses the deletion of a skill that somebody has or a task asks for.
async fn check_unused(db: &dyn Read, row: &SkillRow) -> ApiResult<()> {
    match queries::count_uses(db, row.id).await? {
        0 => Ok(()),
        uses => Err(ApiError::conflict("The skill is in use and cannot be deleted.")
            .with_code("skill_in_use")
            .with("reference_count", uses)),
    }
}
