//! The statements that keep and read where projects stand. What is kept holds as long as the number of the plan and the active
//! baseline are those for which it was counted.

use std::collections::HashMap;

use chrono::NaiveDate;
use planwright_domain::ids::{BaselineId, ProjectId, TaskId};
use planwright_store::value::list;
use planwright_store::{Read, Result, Tx, row, sql};
use serde_json::Value as Json;
use uuid::Uuid;

use super::counts::{Counts, Share};
use crate::schedule::network::day;
use crate::schedule::queries as schedule;

/// The active baseline of the project `p`.
pub const ACTIVE_BASELINE: &str = "(SELECT b.id FROM baselines b
    WHERE b.project_id = p.id AND b.is_active AND b.deletion_id IS NULL ORDER BY b.id LIMIT 1)";

/// The rows `s` of projects `p` whose counts hold.
fn holding() -> String {
    format!(
        "project_schedule s JOIN projects p ON p.id = s.project_id
         WHERE s.standing IS NOT NULL AND s.standing_at = p.change_counter
           AND s.standing_baseline_id IS NOT DISTINCT FROM {ACTIVE_BASELINE}"
    )
}

/// The counts of several projects that are kept and hold.
pub async fn kept(db: &dyn Read, projects: &[ProjectId]) -> Result<HashMap<ProjectId, Counts>> {
    let select =
        format!("SELECT s.project_id, s.standing FROM {} AND s.project_id IN (:projects)", holding());
    let rows: Vec<(ProjectId, Json)> =
        db.all(sql!(select, projects = list(projects.iter().copied()))).await?;
    // What an older version kept in another form is counted again.
    let read = |(project, json)| Some((project, serde_json::from_value(json).ok()?));
    Ok(rows.into_iter().filter_map(read).collect())
}

/// The counts of several projects by their rows, as they are stored.
pub async fn counted(db: &dyn Read, projects: &[ProjectId]) -> Result<HashMap<ProjectId, Counts>> {
    let tasks = schedule::tasks(db, projects).await?;
    let computed = schedule::computed(db, projects).await?;
    let computed: HashMap<TaskId, _> = computed.iter().map(|row| (row.task_id, row)).collect();
    let promises = promises(db, projects).await?;
    let nothing = Promises::default();
    let mut shares: HashMap<ProjectId, Vec<Share>> = HashMap::new();
    for task in &tasks {
        let promises = promises.get(&task.project_id).unwrap_or(&nothing);
        let (computed, promised) = (computed.get(&task.id).copied(), promises.finish_of(task.id));
        shares.entry(task.project_id).or_default().push(Share::of(task, computed, promised));
    }
    let of = |project: &ProjectId| {
        let promised = promises.get(project).unwrap_or(&nothing).finish();
        (*project, Counts::of(shares.remove(project).unwrap_or_default().into_iter(), promised))
    };
    Ok(projects.iter().map(of).collect())
}

/// What the active baseline of a project promised.
#[derive(Clone, Debug, Default)]
pub struct Promises {
    /// The baseline; none if no one is active.
    pub baseline: Option<BaselineId>,
    finishes: HashMap<TaskId, i32>,
    last: Option<i32>,
}

impl Promises {
    /// The last day that was promised for a row.
    pub fn finish_of(&self, task: TaskId) -> Option<i32> {
        self.finishes.get(&task).copied()
    }

    /// The last day that was promised at all.
    pub fn finish(&self) -> Option<i32> {
        self.last
    }

    /// About what it takes in memory.
    pub fn bytes(&self) -> usize {
        self.finishes.capacity() * size_of::<(TaskId, i32)>()
    }
}

row! {
    struct PromisedRow {
        project_id: ProjectId,
        baseline_id: BaselineId,
        task_id: Option<TaskId>,
        finish_date: Option<NaiveDate>,
        is_leaf: Option<bool>,
    }
}

/// What the active baselines of several projects promised; projects without one are left out.
pub async fn promises(db: &dyn Read, projects: &[ProjectId]) -> Result<HashMap<ProjectId, Promises>> {
    let select = format!(
        "SELECT p.id AS project_id, x.id AS baseline_id, k.task_id, k.finish_date, k.is_leaf
         FROM projects p JOIN baselines x ON x.id = {ACTIVE_BASELINE}
         LEFT JOIN baseline_tasks k ON k.baseline_id = x.id AND k.finish_date IS NOT NULL
         WHERE p.id IN (:projects)"
    );
    let rows: Vec<PromisedRow> = db.all(sql!(select, projects = list(projects.iter().copied()))).await?;
    let mut promises: HashMap<ProjectId, Promises> = HashMap::new();
    for row in rows {
        let of = promises.entry(row.project_id).or_default();
        of.baseline = Some(row.baseline_id);
        let finish = row.finish_date.map(|date| day(date).0);
        if row.is_leaf == Some(true) {
            of.last = of.last.max(finish);
        }
        of.finishes.extend(row.task_id.zip(finish));
    }
    Ok(promises)
}

row! {
    /// What tells whether a process may use what it remembers of a plan.
    pub struct Marks {
        pub mark: Option<Uuid>,
        pub baseline_id: Option<BaselineId>,
    }
}

/// The mark that the last recalculation of a project left, and its active baseline.
pub async fn marks(db: &dyn Read, project: ProjectId) -> Result<Option<Marks>> {
    let select = format!(
        "SELECT s.mark, {ACTIVE_BASELINE} AS baseline_id FROM projects p
         JOIN project_schedule s ON s.project_id = p.id WHERE p.id = :project"
    );
    db.maybe(sql!(select, project = project)).await
}

/// Keeps what was counted of a project.
pub async fn keep(
    tx: &mut Tx,
    project: ProjectId,
    counts: &Json,
    baseline: Option<BaselineId>,
) -> Result<()> {
    let update = "UPDATE project_schedule SET standing = :counts, standing_baseline_id = :baseline,
            standing_at = (SELECT p.change_counter FROM projects p WHERE p.id = :project)
         WHERE project_id = :project";
    tx.run(sql!(update, project = project, counts = counts, baseline = baseline)).await.map(drop)
}

/// Lets what is kept of projects hold for their newest change too, which counts nothing differently. What did not hold before
/// does not hold now.
pub async fn carry_on(tx: &mut Tx, projects: Vec<ProjectId>) -> Result<()> {
    let update = "UPDATE project_schedule SET standing_at = standing_at + 1
         WHERE project_id IN (:projects) AND standing_at + 1 =
             (SELECT p.change_counter FROM projects p WHERE p.id = project_schedule.project_id)";
    tx.run(sql!(update, projects = list(projects))).await.map(drop)
}

/// Lets nothing that is kept of projects hold, until they are recalculated.
pub async fn outdate(tx: &mut Tx, projects: Vec<ProjectId>) -> Result<()> {
    let update = "UPDATE project_schedule SET standing_at = NULL WHERE project_id IN (:projects)";
    tx.run(sql!(update, projects = list(projects))).await.map(drop)
}

/// Live projects after one, by id, of which nothing is kept that holds.
pub async fn lacking(db: &dyn Read, after: ProjectId, most: i64) -> Result<Vec<ProjectId>> {
    let select = format!(
        "SELECT q.id FROM projects q JOIN project_schedule c ON c.project_id = q.id
         WHERE q.deletion_id IS NULL AND q.id > :after AND NOT EXISTS (SELECT 1 FROM {} AND s.project_id = q.id)
         ORDER BY q.id LIMIT :most",
        holding()
    );
    db.scalars(sql!(select, after = after, most = most)).await
}
