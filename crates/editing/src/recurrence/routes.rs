//! `/api/v1/recurrence-rules/`: list, attach, show, change, take away.
//! Attaching takes the template out of the schedule and taking away returns it, each in the same transaction as the dates.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_plan::edit::{self, Edit};
use planwright_plan::guardrails::{self, SprintCase};
use planwright_plan::tasks::write::{self, TaskRecord};
use planwright_plan::tasks::{self, facets};
use planwright_store::Tx;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Created, Item, NoContent, Page, Paging, ProjectScope, Query,
    Routes, WrittenBody, says,
};
use serde_json::json;

use super::model::{
    PatchedTaskRecurrenceRuleRequest, RuleFilter, RuleRow, TaskRecurrenceRule, TaskRecurrenceRuleRequest,
    Template,
};
use super::{expand, queries, rules};

const ALL: &str = "/api/v1/recurrence-rules/";
const ONE: &str = "/api/v1/recurrence-rules/{id}/";

/// What the list may be ordered by.
const ORDERINGS: planwright_web::paging::Orderings = &[("created_at", "r.created_at")];

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("List the recurrence rules of your projects.").orderings(ORDERINGS))
        .post(ALL, create, says("Add a recurrence rule to a task. The task leaves the schedule."))
        .get(ONE, show, says("A recurrence rule of a task."))
        .write(
            ONE,
            update,
            says("Write all fields of a recurrence rule."),
            says("Write some fields of a recurrence rule."),
        )
        .delete(ONE, delete, says("Remove the recurrence rule of a task. The task returns to the schedule."))
}

async fn list(
    State(app): State<App>,
    actor: Actor,
    paging: Paging,
    Query(filter): Query<RuleFilter>,
) -> ApiResult<Page<TaskRecurrenceRule>> {
    let keys = paging.keys(ORDERINGS, &[], "r.id")?;
    let from = queries::visible(&actor, &filter);
    paging.fetch::<RuleRow, _>(&app.db, &queries::columns(), from, "r.id", &keys, Into::into).await
}

async fn show(item: Item<RuleRow, may::ReadProject>) -> ApiResult<Versioned<TaskRecurrenceRule>> {
    Ok(Versioned::new(item.row.server_version, item.row.into()))
}

async fn create(
    State(app): State<App>,
    actor: Actor,
    Body(request): Body<TaskRecurrenceRuleRequest>,
) -> ApiResult<Created<TaskRecurrenceRule>> {
    let task = tasks::queries::find(&app.db, &actor, request.task).await?;
    let task = task.ok_or_else(|| ApiError::invalid_field("task", "There is no such task."))?.written;
    let mut edit = Edit::of_plan(&app, &Manager::of(&app.db, &actor, task.project_id).await?).await?;
    let fresh = RuleRow::fresh(edit.mint(), task.project_id, task.id, edit.now());
    let mut row = rules::changed(fresh, request.into())?;
    row.begun_on = rules::today(&row, edit.now());
    let template = queries::template(&edit, row.task_id).await?.ok_or_else(ApiError::not_found)?;
    validate(&edit, &row, &template).await?;
    edit.create(&row).await?;
    set_recurring(&mut edit, &row, true).await?;
    expand::request(&mut edit).await?;
    edit.commit().await?;
    Ok(Created(row.into()))
}

type Manager = ProjectScope<may::ManageRecurrence>;

/// Refuses what cannot be a template, and what the guardrails of sprints do not let come back.
async fn validate(tx: &Tx, row: &RuleRow, template: &Template) -> ApiResult<()> {
    if !facets::recurrence::rules_of(tx, &[row.task_id]).await?.is_empty() {
        return Err(ApiError::invalid_field("task", "The task already has a rule."));
    }
    rules::may_recur(template)?;
    if template.in_sprint {
        let levels = guardrails::levels_of(tx, row.project_id).await?;
        // Only that it comes back is new; where it lies in its sprint is validated when that is written.
        let case = SprintCase {
            is_summary: false,
            is_recurring: true,
            span: None,
            sprint: (row.begun_on, row.begun_on),
        };
        guardrails::validate(&levels, &case).pass()?;
    }
    Ok(())
}

/// Takes the template out of the schedule, or returns it.
async fn set_recurring(edit: &mut Edit, row: &RuleRow, recurring: bool) -> ApiResult<()> {
    let Some(before) = write::queries::record(edit, row.task_id).await? else { return Ok(()) };
    let after = TaskRecord { is_recurring: recurring, ..before.clone() };
    let sides = [json!(!recurring), json!(recurring)];
    write::update_facet(edit, &before, after, "has_recurrence", sides).await?;
    edit.plan().1.moves_dates(row.project_id);
    Ok(())
}

async fn update(
    State(app): State<App>,
    item: Item<RuleRow, may::ManageRecurrence>,
    expected: Precondition,
    WrittenBody(request): WrittenBody<PatchedTaskRecurrenceRuleRequest>,
) -> ApiResult<Versioned<TaskRecurrenceRule>> {
    let (mut edit, before) = edit::open_plan(&app, item, expected).await?;
    let mut after = rules::changed(before.clone(), request)?;
    if rules::differ_in_days(&before, &after) {
        after.generated_through = None;
    }
    let written = edit.update(&before, after).await?;
    if written.is_changed {
        expand::request(&mut edit).await?;
    }
    edit.commit().await?;
    Ok(written.shown(Into::into))
}

async fn delete(
    State(app): State<App>,
    item: Item<RuleRow, may::ManageRecurrence>,
    expected: Precondition,
) -> ApiResult<NoContent> {
    let (mut edit, row) = edit::open_plan(&app, item, expected).await?;
    edit.delete(&row).await?;
    set_recurring(&mut edit, &row, false).await?;
    edit.commit().await?;
    Ok(NoContent)
}
