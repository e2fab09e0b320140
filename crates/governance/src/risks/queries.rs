//! Every statement about risks; single risks are written through edits.

use std::collections::HashMap;

use planwright_domain::ids::{ProjectId, RiskId, TaskId, UserId};
use planwright_plan::tasks::rules::short_number;
use planwright_store::dialect::{contains, pattern};
use planwright_store::record::Record;
use planwright_store::value::list;
use planwright_store::{Read, Result, Sql, Tx, row, sql};
use planwright_web::visible::project_is_open_to;

use super::model::{RiskFilter, RiskRow, ShownRiskRow};

const SHOWN: &str =
    "FROM risks r JOIN projects p ON p.id = r.project_id LEFT JOIN users u ON u.id = r.owner_id
    WHERE r.deletion_id IS NULL";

/// The columns of a risk as it is shown.
pub fn columns() -> String {
    let risk = RiskRow::select_list("r");
    format!("SELECT p.code AS project_code, u.username, u.first_name, u.last_name, {risk}")
}

/// The risks of a project that are asked for.
pub fn of_project(db: &dyn Read, project: ProjectId, filter: RiskFilter, search: Option<&str>) -> Sql {
    let engine = db.engine();
    let (title, description) =
        (contains(engine, "r.title", "search"), contains(engine, "r.description", "search"));
    let threatens =
        "AND EXISTS (SELECT 1 FROM risk_tasks x JOIN tasks t ON t.id = x.task_id AND t.deletion_id IS NULL
         WHERE x.risk_id = r.id AND x.task_id = :task)";
    sql!(format!("{SHOWN} AND r.project_id = :project"), project = project)
        .when("AND r.status = :status", "status", filter.status.given())
        .when("AND r.short_id = :short_id", "short_id", filter.short_id.given().map(String::from))
        .when(threatens, "task", filter.task.given())
        .when(&format!("AND ({title} OR {description})"), "search", search.map(pattern))
}

/// One risk as it is shown.
pub async fn one(db: &dyn Read, risk: RiskId) -> Result<ShownRiskRow> {
    db.one(sql!(format!("{} {SHOWN} AND r.id = :id", columns()), id = risk)).await
}

/// The live tasks that risks threaten, in the order of the outline.
pub async fn threatened(
    db: &dyn Read,
    risks: impl IntoIterator<Item = RiskId>,
) -> Result<Vec<(RiskId, TaskId)>> {
    let select = "SELECT x.risk_id, x.task_id FROM risk_tasks x
         JOIN tasks t ON t.id = x.task_id AND t.deletion_id IS NULL
         WHERE x.risk_id IN (:risks) ORDER BY x.risk_id, t.short_id, t.id";
    db.all(sql!(select, risks = list(risks))).await
}

/// Those of some tasks that are live tasks of a project.
pub async fn tasks_of(db: &dyn Read, project: ProjectId, tasks: &[TaskId]) -> Result<Vec<TaskId>> {
    let select =
        "SELECT id FROM tasks WHERE project_id = :project AND deletion_id IS NULL AND id IN (:tasks)";
    db.scalars(sql!(select, project = project, tasks = list(tasks.iter().copied()))).await
}

/// Says which tasks a risk threatens.
pub async fn set_tasks(tx: &mut Tx, risk: RiskId, tasks: &[TaskId]) -> Result<()> {
    tx.run(sql!("DELETE FROM risk_tasks WHERE risk_id = :risk", risk = risk)).await?;
    add_tasks(tx, tasks.iter().map(|task| (risk, *task))).await
}

/// Says of new risks which tasks they threaten.
pub async fn add_tasks(tx: &mut Tx, pairs: impl Iterator<Item = (RiskId, TaskId)>) -> Result<()> {
    let insert = "INSERT INTO risk_tasks (risk_id, task_id) VALUES (:risk, :task)";
    tx.run_each(pairs.map(|(risk, task)| sql!(insert, risk = risk, task = task)).collect()).await.map(drop)
}

/// The highest short id that a project has given to a risk, deleted risks among them.
pub async fn last_short_id(db: &dyn Read, project: ProjectId) -> Result<Option<String>> {
    let select = "SELECT MAX(short_id) FROM risks WHERE project_id = :project";
    let last: Option<Option<String>> = db.scalar(sql!(select, project = project)).await?;
    Ok(last.flatten())
}

row! {
    /// A member of a project, as a table of risks may name them.
    pub struct MemberRow {
        pub user_id: UserId,
        pub username: String,
        pub email: String,
    }
}

/// The members of a project.
pub async fn members(db: &dyn Read, project: ProjectId) -> Result<Vec<MemberRow>> {
    let select = format!(
        "SELECT m.user_id, u.username, u.email FROM project_members m JOIN users u ON u.id = m.user_id
         JOIN projects p ON p.id = m.project_id AND {}
         WHERE m.project_id = :project AND m.deletion_id IS NULL ORDER BY u.username, m.user_id",
        project_is_open_to("u", "p")
    );
    db.all(sql!(select, project = project)).await
}

/// The live tasks of a project by short id, as it is stored and as it is shown, and by outline number; all in lower case.
pub async fn task_names(db: &dyn Read, project: ProjectId) -> Result<HashMap<String, TaskId>> {
    let select =
        "SELECT t.id, t.short_id, s.outline FROM tasks t LEFT JOIN task_schedule s ON s.task_id = t.id
         WHERE t.project_id = :project AND t.deletion_id IS NULL";
    let rows: Vec<(TaskId, String, Option<String>)> = db.all(sql!(select, project = project)).await?;
    let names = |(task, short_id, outline): (TaskId, String, Option<String>)| {
        let shown = format!("t-{}", short_number(&short_id));
        let names = [Some(short_id.to_lowercase()), Some(shown), outline];
        names.into_iter().flatten().map(move |name| (name, task))
    };
    Ok(rows.into_iter().flat_map(names).collect())
}
