//! `/api/v1/projects/{id}/schedule/health/`: the fourteen checks of schedule quality that the DCMA made common, each with the
//! tasks and links that fail it. The checks are the engine's; nothing is written.

use std::collections::{HashMap, HashSet};

use axum::extract::State;
use chrono::NaiveDate;
use planwright_domain::access::may;
use planwright_domain::ids::{DependencyId, ProjectId, TaskId};
use planwright_engine::{self as engine, CheckResult, QualityCheck, Records, Verdict};
use planwright_plan::schedule::network::{Plan, day};
use planwright_store::{Read, Result, sql};
use planwright_web::{ApiResult, App, Json, ProjectScope, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;

use crate::computed;

/// The routes of this file.
pub(crate) fn table() -> Routes {
    Routes::new().get(
        "/api/v1/projects/{id}/schedule/health/",
        show,
        says("The fourteen checks of schedule quality, each with the tasks and links that fail it.")
            .agent_compute(),
    )
}

/// One of the fourteen checks.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ScheduleHealthCheck {
    /// The name for programs, such as `high_float`.
    pub key: &'static str,
    /// The name for people.
    pub label: String,
    /// `passed`, `failed` or `not_assessed`.
    pub verdict: &'static str,
    /// Why it was not assessed.
    pub missing: Option<String>,
    /// The share of tasks or links that fail, from 0 to 1. For the last two checks it is the index.
    pub value: f64,
    /// The highest value that passes. For the last two checks it is the lowest.
    pub limit: f64,
    /// How many tasks or links were looked at.
    pub population: i64,
    /// The tasks that fail. For a check of links, their successors.
    pub tasks: Vec<TaskId>,
    /// The links that fail.
    pub links: Vec<DependencyId>,
}

/// The quality of a plan.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ScheduleHealth {
    /// The project.
    pub project_id: ProjectId,
    /// Whether all assessed checks passed.
    pub passed: bool,
    /// The fourteen checks in their usual order.
    pub checks: Vec<ScheduleHealthCheck>,
}

async fn show(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
) -> ApiResult<Json<ScheduleHealth>> {
    let project = scope.project;
    // What others planned badly is not held against this project.
    let plan = computed::plan_alone(&app, project).await?;
    let baseline = baseline_finishes(&app.db, project).await?;
    let allocated: HashSet<TaskId> = allocated(&app.db, project).await?.into_iter().collect();
    let checks = planwright_web::off_thread(move || checks(&plan, baseline, &allocated)).await?;
    let passed = checks.iter().all(|check| check.verdict != "failed");
    Ok(Json(ScheduleHealth { project_id: project, passed, checks }))
}

fn checks(
    plan: &Plan,
    baseline: Option<HashMap<TaskId, NaiveDate>>,
    allocated: &HashSet<TaskId>,
) -> Vec<ScheduleHealthCheck> {
    let row = |at: &usize| &plan.tasks[*at];
    let finish = |kept: &HashMap<TaskId, NaiveDate>, at: &usize| kept.get(&row(at).id).copied().map(day);
    let records = Records {
        baseline_finish: baseline
            .map(|kept| plan.of_node.iter().map(|at| finish(&kept, at)).collect())
            .unwrap_or_default(),
        has_resources: plan
            .of_node
            .iter()
            .map(|at| row(at).assignee_id.is_some() || allocated.contains(&row(at).id))
            .collect(),
    };
    let schedule = engine::schedule(&plan.network);
    let quality = engine::quality(&plan.network, &schedule, &records);
    quality.checks.into_iter().map(|result| shown(plan, result)).collect()
}

fn shown(plan: &Plan, result: CheckResult) -> ScheduleHealthCheck {
    ScheduleHealthCheck {
        key: key(result.check),
        label: result.check.to_string(),
        verdict: match result.verdict {
            Verdict::Passed => "passed",
            Verdict::Failed => "failed",
            Verdict::NotAssessed => "not_assessed",
        },
        missing: result.missing.map(|missing| missing.to_string()),
        value: result.value,
        limit: result.limit,
        population: result.population as i64,
        tasks: result.tasks.iter().map(|node| plan.tasks[plan.of_node[*node]].id).collect(),
        links: result.links.iter().map(|link| plan.links[*link].id).collect(),
    }
}

fn key(check: QualityCheck) -> &'static str {
    match check {
        QualityCheck::Logic => "logic",
        QualityCheck::Leads => "leads",
        QualityCheck::Lags => "lags",
        QualityCheck::LinkKinds => "link_kinds",
        QualityCheck::HardConstraints => "hard_constraints",
        QualityCheck::HighFloat => "high_float",
        QualityCheck::NegativeFloat => "negative_float",
        QualityCheck::HighDuration => "high_duration",
        QualityCheck::InvalidDates => "invalid_dates",
        QualityCheck::Resources => "resources",
        QualityCheck::MissedTasks => "missed_tasks",
        QualityCheck::CriticalPathTest => "critical_path_test",
        QualityCheck::CriticalPathLength => "critical_path_length_index",
        QualityCheck::BaselineExecution => "baseline_execution_index",
    }
}

/// The last day of each task in the active baseline; nothing without one.
async fn baseline_finishes(db: &dyn Read, project: ProjectId) -> Result<Option<HashMap<TaskId, NaiveDate>>> {
    let select = "SELECT x.task_id, x.finish_date FROM baselines b
         LEFT JOIN baseline_tasks x ON x.baseline_id = b.id AND x.finish_date IS NOT NULL
         WHERE b.project_id = :project AND b.is_active AND b.deletion_id IS NULL";
    let rows: Vec<(Option<TaskId>, Option<NaiveDate>)> = db.all(sql!(select, project = project)).await?;
    let is_there = !rows.is_empty();
    let kept = rows.into_iter().filter_map(|(task, finish)| task.zip(finish)).collect();
    Ok(is_there.then_some(kept))
}

/// The tasks of a project that resources are allocated to.
async fn allocated(db: &dyn Read, project: ProjectId) -> Result<Vec<TaskId>> {
    let select = "SELECT DISTINCT a.task_id FROM task_resources a JOIN tasks t ON t.id = a.task_id
         WHERE t.project_id = :project AND t.deletion_id IS NULL AND a.deletion_id IS NULL";
    db.scalars(sql!(select, project = project)).await
}
