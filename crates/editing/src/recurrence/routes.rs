//! `/api/v1/recurrence-rules/`: list, attach, show, change, take away.
//! Attaching takes the template out of the schedule and taking away returns it, each in the same transaction as the dates.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::RecurrenceRuleId;
use planwright_domain::words::{ChangeKind, RecurrenceEnd, RecurrenceFrequency};
use planwright_plan::guardrails::{self, SprintCase};
use planwright_plan::schedule::PlanLock;
use planwright_plan::tasks::{self, facets};
use planwright_store::Tx;
use planwright_store::history::Change;
use planwright_store::outbox::Event;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Created, NoContent, Page, Paging, Path, ProjectScope, Query,
    Routes, says,
};
use serde_json::{Map, json};

use super::model::{
    PatchedTaskRecurrenceRuleRequest, RuleFilter, RuleRow, TaskRecurrenceRule, TaskRecurrenceRuleRequest,
    Template,
};
use super::{expand, queries, rules};

const ALL: &str = "/api/v1/recurrence-rules/";
const ONE: &str = "/api/v1/recurrence-rules/{id}/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("The rules by which tasks of your projects come back."))
        .post(ALL, create, says("Make a task come back; it leaves the schedule."))
        .get(ONE, show, says("A rule by which a task comes back."))
        .put(ONE, replace, says("Write all of a rule."))
        .patch(ONE, update, says("Write some fields of a rule."))
        .delete(ONE, delete, says("Stop a task from coming back; it returns to the schedule."))
}

async fn list(
    State(app): State<App>,
    actor: Actor,
    paging: Paging,
    Query(filter): Query<RuleFilter>,
) -> ApiResult<Page<TaskRecurrenceRule>> {
    let keys = paging.keys(&[("created_at", "r.created_at")], &[], "r.id")?;
    let from = queries::visible(&actor, &filter);
    paging
        .fetch::<RuleRow, RecurrenceRuleId, _>(&app.db, queries::COLUMNS, from, "r.id", &keys, Into::into)
        .await
}

async fn show(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<RecurrenceRuleId>,
) -> ApiResult<Versioned<TaskRecurrenceRule>> {
    let row = queries::find_visible(&app.db, &actor, id).await?.ok_or_else(ApiError::not_found)?;
    Ok(Versioned::new(row.server_version, row.into()))
}

async fn create(
    State(app): State<App>,
    actor: Actor,
    Body(request): Body<TaskRecurrenceRuleRequest>,
) -> ApiResult<Created<TaskRecurrenceRule>> {
    let mut tx = app.db.begin().await?;
    let task = tasks::queries::find(&tx, &actor, request.task).await?;
    let task = task.ok_or_else(|| ApiError::invalid_field("task", "There is no such task."))?;
    let scope = ProjectScope::of(&tx, &actor, task.project_id).await?;
    let mut lock = PlanLock::take(&mut tx, scope.project).await?;
    let mut row = rules::changed(fresh(&tx, &scope, &request), request.into())?;
    row.begun_on = rules::today(&row, tx.now());
    let template = queries::template(&tx, row.task_id).await?.ok_or_else(ApiError::not_found)?;
    validate(&tx, &row, &template).await?;
    queries::insert(&mut tx, &row, lock.counter(scope.project)).await?;
    record(&mut tx, &scope, &row, ChangeKind::Created, None).await?;
    set_recurring(&mut tx, &scope, &row, &template, true, &mut lock).await?;
    lock.end(&mut tx).await?;
    expand::request(&mut tx).await?;
    tx.commit().await?;
    Ok(Created(row.into()))
}

type Manager = ProjectScope<may::ManageRecurrence>;

fn fresh(tx: &Tx, scope: &Manager, request: &TaskRecurrenceRuleRequest) -> RuleRow {
    RuleRow {
        id: tx.mint(),
        project_id: scope.project,
        task_id: request.task,
        frequency: RecurrenceFrequency::Daily,
        every: 1,
        weekdays: 0,
        day_of_month: None,
        time_of_day: "09:00:00".to_owned(),
        timezone: "UTC".to_owned(),
        end_type: RecurrenceEnd::Never,
        end_date: None,
        end_count: None,
        inherit_assignee: true,
        inherit_subtasks: false,
        inherit_attachments: false,
        inherit_morning_notification: false,
        begun_on: tx.now().date_naive(),
        generated_through: None,
        occurrence_count: 0,
        server_version: 1,
    }
}

/// Refuses what cannot be a template, and what the guardrails of sprints do not let come back.
async fn validate(tx: &Tx, row: &RuleRow, template: &Template) -> ApiResult<()> {
    if !facets::recurrence::rules_of(tx, &[row.task_id]).await?.is_empty() {
        return Err(ApiError::invalid_field("task", "The task has a rule already."));
    }
    rules::may_recur(template)?;
    if template.in_sprint {
        let levels = guardrails::levels_of(tx, row.project_id).await?;
        // Only that it comes back is new; where it lies in its sprint is planned when that is written.
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

/// Takes the template out of the schedule, or returns it, and tells.
async fn set_recurring(
    tx: &mut Tx,
    scope: &Manager,
    row: &RuleRow,
    template: &Template,
    recurring: bool,
    lock: &mut PlanLock,
) -> ApiResult<()> {
    queries::set_recurring(tx, row.task_id, recurring, lock.counter(scope.project)).await?;
    let version = template.server_version + 1;
    let fields = Map::from_iter([("has_recurrence".to_owned(), json!([!recurring, recurring]))]);
    let (project, program) = (Some(scope.project), scope.program);
    let change = Change::of("task", row.task_id, ChangeKind::Updated, scope.actor.id);
    tx.record(Change { project, program, version, fields, ..change }).await?;
    let told = json!({
        "id": row.task_id, "changed_fields": ["has_recurrence"], "version": version,
        "actor_id": scope.actor.id, "ts": tx.now(),
    });
    tx.emit(Event::Socket(SocketEvent::TaskUpdated), project, program, told).await?;
    lock.moves_dates(scope.project);
    Ok(())
}

/// Notes a change of a rule: the fields that differ, or all of one that came or went.
async fn record(
    tx: &mut Tx,
    scope: &Manager,
    row: &RuleRow,
    kind: ChangeKind,
    differing: Option<Map<String, serde_json::Value>>,
) -> ApiResult<()> {
    let change = Change::of("recurrence_rule", row.id, kind, scope.actor.id);
    let change = change.whole(&TaskRecurrenceRule::from(row.clone()));
    let mut fields = differing.unwrap_or(change.fields.clone());
    fields.retain(|field, _| field != "id" && field != "server_version");
    let (project, program, version) = (Some(scope.project), scope.program, row.server_version);
    Ok(tx.record(Change { project, program, version, fields, ..change }).await?)
}

async fn replace(
    state: State<App>,
    actor: Actor,
    path: Path<RecurrenceRuleId>,
    expected: Precondition,
    Body(request): Body<TaskRecurrenceRuleRequest>,
) -> ApiResult<Versioned<TaskRecurrenceRule>> {
    update(state, actor, path, expected, Body(request.into())).await
}

/// The rule and its scope, held until the transaction ends; 404 unless the caller may see it.
async fn held(tx: &mut Tx, actor: &Actor, id: RecurrenceRuleId) -> ApiResult<(RuleRow, Manager, PlanLock)> {
    let row = queries::find_visible(tx, actor, id).await?.ok_or_else(ApiError::not_found)?;
    let lock = PlanLock::take(tx, row.project_id).await?;
    let scope = Manager::of(tx, actor, row.project_id).await?;
    let row = queries::find(tx, id).await?.ok_or_else(ApiError::not_found)?;
    Ok((row, scope, lock))
}

async fn update(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<RecurrenceRuleId>,
    expected: Precondition,
    Body(request): Body<PatchedTaskRecurrenceRuleRequest>,
) -> ApiResult<Versioned<TaskRecurrenceRule>> {
    let mut tx = app.db.begin().await?;
    let (before, scope, lock) = held(&mut tx, &actor, id).await?;
    expected.check(before.server_version)?;
    let mut after = rules::changed(before.clone(), request)?;
    let shown = |row: &RuleRow| TaskRecurrenceRule::from(row.clone());
    let difference = Change::of("recurrence_rule", id, ChangeKind::Updated, actor.id)
        .between(&shown(&before), &shown(&after));
    if difference.fields.is_empty() {
        return Ok(Versioned::new(before.server_version, before.into()));
    }
    if rules::differ_in_days(&before, &after) {
        after.generated_through = None;
    }
    after.server_version += 1;
    queries::update(&mut tx, &after, lock.counter(scope.project)).await?;
    record(&mut tx, &scope, &after, ChangeKind::Updated, Some(difference.fields)).await?;
    lock.end(&mut tx).await?;
    expand::request(&mut tx).await?;
    tx.commit().await?;
    Ok(Versioned::new(after.server_version, after.into()))
}

async fn delete(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<RecurrenceRuleId>,
    expected: Precondition,
) -> ApiResult<NoContent> {
    let mut tx = app.db.begin().await?;
    let (mut row, scope, mut lock) = held(&mut tx, &actor, id).await?;
    expected.check(row.server_version)?;
    let act = tx.begin_deletion("recurrence_rule", id, Some(actor.id), Some(scope.project)).await?;
    queries::delete(&mut tx, &row, act, lock.counter(scope.project)).await?;
    row.server_version += 1;
    record(&mut tx, &scope, &row, ChangeKind::Deleted, None).await?;
    if let Some(template) = queries::template(&tx, row.task_id).await? {
        set_recurring(&mut tx, &scope, &row, &template, false, &mut lock).await?;
    }
    lock.end(&mut tx).await?;
    tx.commit().await?;
    Ok(NoContent)
}
