//! `/api/v1/projects/{id}/acceptance-results/`: a machine that tests says which acceptance criteria hold.

use std::collections::{BTreeSet, HashSet};

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::{CriterionId, TaskId};
use planwright_plan::edit::Edit;
use planwright_plan::tasks::criteria::{Criteria, counts};
use planwright_plan::tasks::rules::dor_blockers;
use planwright_plan::tasks::write::{self, TaskRecord};
use planwright_web::input::List;
use planwright_web::limits::Limit;
use planwright_web::{ApiError, ApiResult, App, Body, Json, ProjectScope, Routes, input, says};
use schemars::JsonSchema;
use serde::Serialize;

use super::queries;

/// The route of this file.
pub(super) fn table() -> Routes {
    let rules = says("Say which acceptance criteria hold, as the tests of a machine found.");
    Routes::new().post(
        "/api/v1/projects/{id}/acceptance-results/",
        take,
        rules.for_machines().limit(Limit::AcceptanceResult),
    )
}

input! {
    /// Whether one criterion holds.
    pub struct AcceptanceResultRequest {
        /// The criterion.
        pub criterion_id: CriterionId,
        /// Whether it holds.
        pub passed: bool,
    }
}

input! {
    /// What tests found.
    pub struct AcceptanceResultsRequest {
        /// Each criterion once, at most 200.
        pub results: List<AcceptanceResultRequest, 1, 200>,
    }
}

/// A task that the results are about.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AcceptanceResultTask {
    pub task: TaskId,
    /// Whether nothing keeps it from being ready: it has a size, and all its criteria hold.
    pub dor_ready: bool,
    pub criteria_met: i64,
    pub criteria_total: i64,
}

/// What became of the results.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AcceptanceResults {
    /// The number of criteria that changed.
    pub updated: i64,
    /// The number of criteria that said so before.
    pub unchanged: i64,
    /// Those that are no criteria of the project.
    pub unknown: Vec<CriterionId>,
    /// The tasks of the others.
    pub tasks: Vec<AcceptanceResultTask>,
}

type Tested = ProjectScope<may::TakePart>;

async fn take(
    State(app): State<App>,
    scope: Tested,
    Body(request): Body<AcceptanceResultsRequest>,
) -> ApiResult<Json<AcceptanceResults>> {
    let results = each_once(request)?;
    let mut edit = Edit::begin(&app, &scope).await?;
    let rows = queries::locked(&mut edit, scope.project, results.iter().map(|(id, _)| *id).collect()).await?;
    let mut changed = BTreeSet::new();
    let mut updated = 0;
    for row in &rows {
        let passed = results.iter().any(|(id, passed)| *id == row.id && *passed);
        if edit.update(row, row.clone().ticked(passed, (scope.actor.id, edit.now()))).await?.is_changed {
            updated += 1;
            changed.insert(row.task_id);
        }
    }
    let touched: BTreeSet<TaskId> = rows.iter().map(|row| row.task_id).collect();
    let tasks = standing(&mut edit, &touched, &changed).await?;
    edit.commit().await?;
    let known: HashSet<CriterionId> = rows.iter().map(|row| row.id).collect();
    let unknown = results.into_iter().map(|(id, _)| id).filter(|id| !known.contains(id)).collect();
    Ok(Json(AcceptanceResults { updated, unchanged: rows.len() as i64 - updated, unknown, tasks }))
}

/// The results by criterion.
fn each_once(request: AcceptanceResultsRequest) -> ApiResult<Vec<(CriterionId, bool)>> {
    let results: Vec<_> =
        request.results.0.into_iter().map(|result| (result.criterion_id, result.passed)).collect();
    let different: HashSet<CriterionId> = results.iter().map(|(id, _)| *id).collect();
    match different.len() == results.len() {
        true => Ok(results),
        false => Err(ApiError::invalid_field("results", "Name each criterion once.")),
    }
}

/// How the tasks stand now; those with a criterion that changed are told of.
async fn standing(
    edit: &mut Edit,
    touched: &BTreeSet<TaskId>,
    changed: &BTreeSet<TaskId>,
) -> ApiResult<Vec<AcceptanceResultTask>> {
    let ids: Vec<TaskId> = touched.iter().copied().collect();
    let counted = counts(edit, &ids).await?;
    let mut records: Vec<TaskRecord> = write::queries::records(edit, &ids).await?;
    records.sort_by_key(|record| record.id);
    let mut tasks = Vec::with_capacity(records.len());
    for record in records {
        if changed.contains(&record.id) {
            write::tell_of_facet(edit, &record, "acceptance_criteria").await?;
        }
        let criteria: Criteria = counted.get(&record.id).copied().unwrap_or_default();
        tasks.push(AcceptanceResultTask {
            task: record.id,
            dor_ready: dor_blockers(record.story_points, criteria).is_empty(),
            criteria_met: criteria.met,
            criteria_total: criteria.total,
        });
    }
    Ok(tasks)
}

#[cfg(test)]
mod tests {
    use planwright_web::Input;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_criterion_is_named_once() {
        let one = json!({"criterion_id": "00000000-0000-0000-0000-000000000001", "passed": true});
        let read = |results: serde_json::Value| {
            let body = json!({"results": results});
            AcceptanceResultsRequest::read(body.as_object().unwrap())
                .map_err(ApiError::invalid)
                .and_then(each_once)
        };
        assert_eq!(read(json!([one.clone()])).unwrap().len(), 1);
        assert!(read(json!([one.clone(), one])).is_err());
        assert!(read(json!([])).is_err());
    }
}
