//! What a batch answers and what it tells: a bucket for each row, one event for all, and the record for taking it back.
//! It is put together after the recalculation, so every task has its new dates.

use std::collections::HashMap;

use planwright_domain::ids::{OperationId, TaskId};
use planwright_domain::words::{BatchKind, BatchOutcome, BatchStatus};
use planwright_plan::tasks::model::Task;
use planwright_plan::tasks::write::announce::tell_all;
use planwright_plan::tasks::write::many::{Entry, Written};
use planwright_plan::tasks::{decorate, queries as tasks};
use planwright_store::{Result, Tx};
use planwright_web::schema::JsonObject;
use planwright_web::{ApiResult, Grant};
use serde_json::{Value as Json, json};

use super::model::{TaskBulkAppliedEntry, TaskBulkDependencyResult, TaskBulkProblemEntry, TaskBulkResponse};
use super::queries::{self, OperationRow};

/// The answer of a batch that was written and recalculated.
pub(super) async fn of(
    tx: &mut Tx,
    grant: &Grant,
    written: Written,
    dependencies: TaskBulkDependencyResult,
) -> ApiResult<TaskBulkResponse> {
    tell_all(tx, grant.project()?, grant.place.program, &written.changed).await?;
    let to_show: Vec<TaskId> = written.entries.iter().filter_map(shown).collect();
    let rows = tasks::find_all(tx, &grant.actor, &to_show).await?;
    let decorated = decorate::tasks(tx, grant.actor.id, tx.now(), rows, None).await?;
    let mut tasks: HashMap<TaskId, Task> = decorated.into_iter().map(|task| (task.id, task)).collect();
    let mut answer = TaskBulkResponse {
        applied: Vec::new(),
        rejected: Vec::new(),
        skipped: Vec::new(),
        dependencies,
        operation_id: None,
    };
    for (index, entry) in written.entries.into_iter().enumerate() {
        let Entry { op, sent, verdict } = entry;
        match verdict {
            Ok((id, outcome)) => {
                let task = tasks.remove(&id);
                answer.applied.push(TaskBulkAppliedEntry { index, id, op, outcome, task });
            }
            Err(fault) => {
                let bucket = if fault.is_skip { &mut answer.skipped } else { &mut answer.rejected };
                let (code, message, errors) = (fault.code, fault.message, fault.errors);
                bucket.push(TaskBulkProblemEntry { index, id: sent, code, message, errors, offending: None });
            }
        }
    }
    answer.operation_id = keep(tx, grant, &answer).await?;
    Ok(answer)
}

/// The row that the answer to an operation shows.
fn shown(entry: &Entry) -> Option<TaskId> {
    match entry.verdict {
        Ok((id, outcome)) if outcome != BatchOutcome::Deleted => Some(id),
        _ => None,
    }
}

/// Keeps the new rows of a batch with their versions, so that they can be taken back.
async fn keep(tx: &mut Tx, grant: &Grant, answer: &TaskBulkResponse) -> Result<Option<OperationId>> {
    let of = |outcome| answer.applied.iter().filter(move |row| row.outcome == outcome);
    let created: JsonObject = of(BatchOutcome::Created)
        .filter_map(|row| Some((row.id.to_string(), json!(row.task.as_ref()?.server_version))))
        .collect();
    if created.is_empty() {
        return Ok(None);
    }
    let summary = json!({
        "created": of(BatchOutcome::Created).count(),
        "updated": of(BatchOutcome::Updated).count(),
        "unchanged": of(BatchOutcome::Unchanged).count(),
        "deleted": of(BatchOutcome::Deleted).count(),
        "rejected": answer.rejected.len(),
        "skipped": answer.skipped.len(),
        "dependencies": answer.dependencies.applied.len(),
    });
    let row = OperationRow::fresh(tx, grant, Json::Object(created), summary)?;
    queries::insert(tx, BatchKind::PasteMany, &row).await?;
    Ok(Some(row.id))
}

impl OperationRow {
    /// A write that was just made.
    pub(crate) fn fresh(tx: &Tx, grant: &Grant, snapshot: Json, result_summary: Json) -> Result<Self> {
        Ok(Self {
            id: tx.mint(),
            project_id: grant.project()?,
            applied_by: Some(grant.actor.id),
            subtree_id: None,
            status: BatchStatus::Active,
            snapshot,
            result_summary,
            created_at: tx.now(),
            undone_at: None,
        })
    }
}
