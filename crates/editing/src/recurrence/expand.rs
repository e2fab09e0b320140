//! The sweep that makes tasks from rules, hourly and soon after a rule was written.
//! Each rule is expanded in a transaction of its own; what was made before is not made again.

use chrono::{Duration, NaiveDate};
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{RecurrenceRuleId, TaskId};
use planwright_domain::words::ChangeKind;
use planwright_jobs::{JobError, NewJob, Registry, queue};
use planwright_plan::schedule::PlanLock;
use planwright_store::history::Change;
use planwright_store::outbox::Event;
use planwright_store::{Db, Read, Result, Tx};
use planwright_web::App;
use serde_json::json;

use super::model::{RuleRow, Template};
use super::{queries, rules};

/// The kind of job that expands every rule.
const EXPAND: &str = "expand_recurrence_rules";

/// The jobs of recurrence.
pub fn jobs() -> Registry<App> {
    Registry::default()
        .every(EXPAND, Duration::hours(1), async |app: App| expand_all(&app.db).await.map_err(JobError::from))
}

/// Has the rules expanded soon.
pub(super) async fn request(tx: &mut Tx) -> Result<()> {
    queue::enqueue(tx, NewJob::new(EXPAND, &json!({}))?.once(EXPAND.to_owned())).await.map(drop)
}

async fn expand_all(db: &Db) -> Result<()> {
    // Somewhere it is tomorrow already.
    let furthest = rules::horizon(db.clock.today() + Duration::days(1));
    for id in queries::behind(db, furthest).await? {
        expand(db, id).await?;
    }
    Ok(())
}

/// The days for which a rule has to make tasks.
async fn due(db: &dyn Read, rule: &RuleRow, template: &Template, today: NaiveDate) -> Result<Vec<NaiveDate>> {
    let taken = queries::taken(db, rule, today).await?;
    Ok(rules::due(rule, template.planned_start, today, &taken))
}

async fn expand(db: &Db, id: RecurrenceRuleId) -> Result<()> {
    let mut tx = db.begin().await?;
    let Some(rule) = queries::find(&tx, id).await? else { return Ok(()) };
    let today = rules::today(&rule, tx.now());
    let through = rules::horizon(today);
    if rule.generated_through.is_some_and(|seen| seen >= through) {
        return Ok(());
    }
    let Some(template) = queries::template(&tx, rule.task_id).await? else { return Ok(()) };
    // Where nothing is due the plan does not change, and its number must not rise.
    if due(&tx, &rule, &template, today).await?.is_empty() {
        queries::note_expanded(&mut tx, &rule, through, 0).await?;
        return tx.commit().await;
    }
    let mut lock = PlanLock::take(&mut tx, rule.project_id).await?;
    // Somebody may have written rule or template while this waited for the hold.
    let Some(rule) = queries::find(&tx, id).await? else { return Ok(()) };
    let Some(template) = queries::template(&tx, rule.task_id).await? else { return Ok(()) };
    let days = due(&tx, &rule, &template, today).await?;
    let days: Vec<(TaskId, NaiveDate)> = days.into_iter().map(|day| (tx.mint(), day)).collect();
    queries::note_expanded(&mut tx, &rule, through, days.len() as i64).await?;
    queries::insert_occurrences(&mut tx, &rule, &template, &days, &lock).await?;
    announce(&mut tx, &rule, &days).await?;
    lock.changes_rollups(rule.project_id);
    lock.end(&mut tx).await?;
    tx.commit().await
}

async fn announce(tx: &mut Tx, rule: &RuleRow, days: &[(TaskId, NaiveDate)]) -> Result<()> {
    for (task, _) in days {
        let made = Change::of("task", *task, ChangeKind::Created, None);
        tx.record(Change { project: Some(rule.project_id), ..made }).await?;
    }
    let ids: Vec<TaskId> = days.iter().map(|(task, _)| *task).collect();
    let told = json!({ "task_ids": ids });
    tx.emit(Event::Socket(SocketEvent::TasksBulkMutated), Some(rule.project_id), None, told).await
}
