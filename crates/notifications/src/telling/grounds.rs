//! What decides whether news are worth telling, read for all news at once. It also keeps the finish of a project that people
//! were told last.

use std::collections::{HashMap, HashSet};

use chrono::NaiveDate;
use planwright_domain::ids::{ProjectId, SprintId, TaskId};
use planwright_domain::words::NotificationKind;
use planwright_store::value::list;
use planwright_store::{Read, Result, ToValue, Tx, row, sql};

use super::news::News;
use super::queries;
use super::rules::Grounds;

row! {
    struct FinishRow { id: ProjectId, threshold_days: i64, finish: Option<NaiveDate> }
}

/// Reads what decides about the news.
pub async fn gather(tx: &mut Tx, news: &[News]) -> Result<Grounds> {
    let tasks = queries::tasks(tx, news).await?;
    let of_kind = |kind: NotificationKind| {
        let rows = news.iter().filter(move |one| one.kind.kind == kind);
        rows.filter_map(|one| one.task).collect::<Vec<TaskId>>()
    };
    let mut grounds = Grounds { tasks, ..Grounds::default() };
    let moved = of_kind(NotificationKind::TaskMovedSprint);
    let since = news.iter().map(|one| one.at).min();
    if let Some(since) = since.filter(|_| !moved.is_empty()) {
        grounds.moves = queries::moves(tx, moved, since).await?;
    }
    let rescheduled = of_kind(NotificationKind::SprintTaskRescheduled);
    let of_tasks = rescheduled.iter().filter_map(|task| grounds.tasks.get(task)?.sprint_id);
    let of_moves = grounds.moves.values().flat_map(|row| [row.old_sprint_id, row.new_sprint_id]).flatten();
    let sprints: HashSet<SprintId> = of_tasks.chain(of_moves).collect();
    if !sprints.is_empty() {
        grounds.running = queries::running(tx, sprints.into_iter().collect()).await?;
    }
    let milestones = of_kind(NotificationKind::MilestoneForecastShifted);
    if !milestones.is_empty() {
        grounds.shifted = queries::shifted(tx, milestones).await?;
    }
    let last = news.iter().filter_map(|one| Some((one.project, one.finish?))).collect();
    grounds.finishes = finishes(tx, last).await?;
    Ok(grounds)
}

/// The projects whose finish is so far from what people were told that they are told again: the finish then and now. From
/// now on the new one is what they were told.
async fn finishes(
    tx: &mut Tx,
    last: HashMap<ProjectId, NaiveDate>,
) -> Result<HashMap<ProjectId, (NaiveDate, NaiveDate)>> {
    if last.is_empty() {
        return Ok(HashMap::new());
    }
    let mut far = HashMap::new();
    let mut told = Vec::new();
    for row in known(tx, &last).await? {
        let Some(now) = last.get(&row.id).copied() else { continue };
        match row.finish {
            None => told.push((row.id, now)),
            Some(before) if (now - before).num_days().abs() >= row.threshold_days => {
                told.push((row.id, now));
                far.insert(row.id, (before, now));
            }
            Some(_) => {}
        }
    }
    keep(tx, told).await?;
    Ok(far)
}

async fn known(db: &dyn Read, last: &HashMap<ProjectId, NaiveDate>) -> Result<Vec<FinishRow>> {
    let select = "SELECT p.id, p.end_date_shift_threshold_days AS threshold_days, f.finish FROM projects p
         LEFT JOIN told_finishes f ON f.project_id = p.id
         WHERE p.id IN (:projects) AND p.deletion_id IS NULL";
    db.all(sql!(select, projects = list(last.keys().copied()))).await
}

async fn keep(tx: &mut Tx, finishes: Vec<(ProjectId, NaiveDate)>) -> Result<()> {
    let insert = "INSERT INTO told_finishes (project_id, finish) VALUES (:project, :finish)
         ON CONFLICT (project_id) DO UPDATE SET finish = excluded.finish";
    let rows = finishes.into_iter();
    let rows =
        rows.map(|(project, finish)| vec![("project", project.to_value()), ("finish", finish.to_value())]);
    let rows: Vec<_> = rows.collect();
    tx.run_rows(insert, rows).await.map(drop)
}
