//! Every statement of the recalculation: the rows it reads, and the narrow rows it writes.
//! It never touches a row that a person wrote, except the driving marks of links.

use std::collections::HashMap;

use chrono::NaiveDate;
use planwright_domain::ids::{BaselineId, CalendarId, DependencyId, ProgramId, ProjectId, TaskId, UserId};
use planwright_domain::words::{
    ConstraintType, DeliveryMode, DependencyType, LagCalendar, ScheduleConflictKind, TaskStatus, TaskType,
};
use planwright_store::record::{binds, names, select_list};
use planwright_store::value::list;
use planwright_store::{Read, Result, Sql, StoreError, ToValue, Tx, record, row, sql};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::plan_lock::PlanLock;

row! {
    /// What the engine needs to know of a project.
    #[derive(PartialEq)]
    pub struct ProjectInput {
        pub id: ProjectId,
        pub program_id: Option<ProgramId>,
        pub start_date: NaiveDate,
        pub status_date: Option<NaiveDate>,
        pub lag_calendar: LagCalendar,
        pub calendar_id: Option<CalendarId>,
    }
}

row! {
    /// What the engine, the outline and the rollup need to know of a task.
    #[derive(PartialEq)]
    pub struct TaskInput {
        pub id: TaskId,
        pub project_id: ProjectId,
        pub parent_id: Option<TaskId>,
        pub position: i64,
        pub has_place: bool,
        pub is_subtask: bool,
        pub is_recurring: bool,
        pub r#type: TaskType,
        pub status: TaskStatus,
        pub delivery_mode: DeliveryMode,
        pub is_milestone: bool,
        pub duration: i64,
        pub percent_complete: f64,
        pub planned_start: Option<NaiveDate>,
        pub deadline: Option<NaiveDate>,
        pub constraint_type: Option<ConstraintType>,
        pub constraint_date: Option<NaiveDate>,
        pub calendar_id: Option<CalendarId>,
        pub actual_start: Option<NaiveDate>,
        pub actual_finish: Option<NaiveDate>,
        pub optimistic_duration: Option<i64>,
        pub most_likely_duration: Option<i64>,
        pub pessimistic_duration: Option<i64>,
        pub story_points: Option<i64>,
        pub remaining_points: Option<i64>,
        pub assignee_id: Option<UserId>,
        pub sprint_start: Option<NaiveDate>,
    }
}

row! {
    /// What the engine needs to know of a link.
    #[derive(PartialEq)]
    pub struct LinkInput {
        pub id: DependencyId,
        pub predecessor_id: TaskId,
        pub successor_id: TaskId,
        pub dep_type: DependencyType,
        pub lag: i64,
        pub is_driving: bool,
    }
}

record! {
    /// What was computed of a task, as it is stored; days count from 1970-01-01.
    pub struct Computed {
        pub task_id: TaskId,
        pub outline: Option<String>,
        pub outline_order: Option<String>,
        pub is_summary: bool,
        pub is_phase: bool,
    }
    and pub figures: Figures
}

record! {
    /// The figures of a row.
    #[derive(Default)]
    pub struct Figures {
        pub rolled_duration: Option<i64>,
        pub rolled_percent: Option<f64>,
        pub rolled_status: Option<TaskStatus>,
        pub rolled_assignee_id: Option<UserId>,
        pub rolled_optimistic: Option<i64>,
        pub rolled_most_likely: Option<i64>,
        pub rolled_pessimistic: Option<i64>,
        pub issue: Option<String>,
    }
    and pub dates: Dates
}

record! {
    /// Those that move when dates do.
    #[derive(Default)]
    pub struct Dates {
        pub early_start: Option<i32>,
        pub early_finish: Option<i32>,
        pub late_start: Option<i32>,
        pub late_finish: Option<i32>,
        pub scheduled_start: Option<i32>,
        pub total_float: Option<i32>,
        pub free_float: Option<i32>,
        pub is_critical: Option<bool>,
        pub remaining_duration: Option<i64>,
    }
}

/// How many live tasks several projects have together.
pub async fn count_tasks(db: &dyn Read, projects: impl IntoIterator<Item = ProjectId>) -> Result<i64> {
    let select = "SELECT COUNT(*) FROM tasks WHERE project_id IN (:projects) AND deletion_id IS NULL";
    db.count(sql!(select, projects = list(projects))).await
}

/// The projects that one recalculation covers: the project alone, or its whole program when links cross projects.
pub async fn recalculated_together(db: &dyn Read, project: ProjectId) -> Result<Vec<ProjectInput>> {
    // No statistics tell that few links cross projects; the order names the index that holds those alone.
    let select = format!(
        "{PROJECTS} WHERE p.deletion_id IS NULL AND p.id IN (
            SELECT x.id FROM projects x WHERE x.id = :project
            UNION
            SELECT x.id FROM projects x
            WHERE x.program_id = (SELECT y.program_id FROM projects y WHERE y.id = :project) AND EXISTS (
                SELECT c.id FROM (
                    SELECT d.id FROM dependencies d
                    WHERE d.successor_project_id IN (
                            SELECT b.id FROM projects b WHERE b.deletion_id IS NULL
                              AND b.program_id = (SELECT y.program_id FROM projects y WHERE y.id = :project))
                      AND d.predecessor_project_id <> d.successor_project_id AND d.deletion_id IS NULL
                      AND NOT d.pending_acceptance
                      AND EXISTS (SELECT 1 FROM projects a
                            WHERE a.id = d.predecessor_project_id AND a.deletion_id IS NULL AND a.program_id =
                                (SELECT y.program_id FROM projects y WHERE y.id = :project))
                    ORDER BY d.successor_project_id, d.deletion_id, d.id LIMIT 1) AS c))
         ORDER BY p.id"
    );
    db.all(sql!(select, project = project)).await
}

/// The projects that a project is computed together with, and those at the other end of its links, accepted or not.
pub async fn linked(db: &dyn Read, project: ProjectId) -> Result<Vec<ProjectId>> {
    let ends = "SELECT predecessor_project_id FROM dependencies
         WHERE successor_project_id = :project AND predecessor_project_id <> :project AND deletion_id IS NULL
         UNION
         SELECT successor_project_id FROM dependencies
         WHERE predecessor_project_id = :project AND successor_project_id <> :project AND deletion_id IS NULL";
    let mut linked: Vec<ProjectId> = db.scalars(sql!(ends, project = project)).await?;
    linked.extend(recalculated_together(db, project).await?.into_iter().map(|input| input.id));
    Ok(linked)
}

/// The live member projects of a program.
pub async fn projects_of_program(db: &dyn Read, program: ProgramId) -> Result<Vec<ProjectInput>> {
    let which = "WHERE p.deletion_id IS NULL AND p.program_id = :program ORDER BY p.id";
    db.all(sql!(format!("{PROJECTS} {which}"), program = program)).await
}

/// Several projects.
pub async fn projects(db: &dyn Read, projects: &[ProjectId]) -> Result<Vec<ProjectInput>> {
    let ids = list(projects.iter().copied());
    db.all(sql!(format!("{PROJECTS} WHERE p.id IN (:ids) ORDER BY p.id"), ids = ids)).await
}

/// One project.
pub async fn project(db: &dyn Read, project: ProjectId) -> Result<ProjectInput> {
    db.one(sql!(format!("{PROJECTS} WHERE p.id = :project"), project = project)).await
}

/// The calendar in force is the project's own, else its program's, else the workspace's.
const PROJECTS: &str = "SELECT p.id, p.program_id, p.start_date, p.status_date, p.lag_calendar,
        COALESCE(p.calendar_id, g.calendar_id, w.calendar_id) AS calendar_id
     FROM projects p LEFT JOIN programs g ON g.id = p.program_id AND g.deletion_id IS NULL
     JOIN workspace w ON w.id = 1";

/// The projects without a calendar of their own that get theirs from the program, or from the workspace.
pub async fn inheriting_projects(db: &dyn Read, program: Option<ProgramId>) -> Result<Vec<ProjectId>> {
    let statement = match program {
        Some(program) => sql!(
            "SELECT id FROM projects WHERE deletion_id IS NULL AND calendar_id IS NULL AND program_id = :program
             ORDER BY id",
            program = program
        ),
        None => sql!(
            "SELECT p.id FROM projects p LEFT JOIN programs g ON g.id = p.program_id AND g.deletion_id IS NULL
             WHERE p.deletion_id IS NULL AND p.calendar_id IS NULL AND g.calendar_id IS NULL ORDER BY p.id"
        ),
    };
    db.scalars(statement).await
}

/// The projects that work on a calendar, themselves, by inheritance or with a task.
pub async fn projects_on_calendar(db: &dyn Read, calendar: CalendarId) -> Result<Vec<ProjectId>> {
    let select = "SELECT p.id FROM projects p
         LEFT JOIN programs g ON g.id = p.program_id AND g.deletion_id IS NULL JOIN workspace w ON w.id = 1
         WHERE p.deletion_id IS NULL AND (COALESCE(p.calendar_id, g.calendar_id, w.calendar_id) = :calendar
            OR EXISTS (SELECT 1 FROM project_calendar_layers l
                       WHERE l.project_id = p.id AND l.calendar_id = :calendar)
            OR p.id IN (SELECT t.project_id FROM tasks t
                        WHERE t.calendar_id = :calendar AND t.deletion_id IS NULL)) ORDER BY p.id";
    db.scalars(sql!(select, calendar = calendar)).await
}

const TASKS: &str = "SELECT t.id, t.project_id, t.parent_id, t.position, t.has_place, t.is_subtask, t.is_recurring,
        t.type, t.status, t.delivery_mode, t.is_milestone, t.duration, t.percent_complete, t.planned_start,
        t.deadline, t.constraint_type, t.constraint_date, t.calendar_id,
        t.actual_start, t.actual_finish, t.optimistic_duration, t.most_likely_duration, t.pessimistic_duration,
        t.story_points, t.remaining_points, t.assignee_id, s.start_date AS sprint_start
     FROM tasks t LEFT JOIN sprints s ON s.id = t.sprint_id AND s.deletion_id IS NULL";

/// Every live task of the projects.
pub async fn tasks(db: &dyn Read, projects: &[ProjectId]) -> Result<Vec<TaskInput>> {
    let which = "WHERE t.project_id IN (:projects) AND t.deletion_id IS NULL ORDER BY t.id";
    db.all(sql!(format!("{TASKS} {which}"), projects = list(projects.iter().copied()))).await
}

/// The live tasks of a project that were written after a change, and the ids of those that went.
pub async fn tasks_since(
    db: &dyn Read,
    project: ProjectId,
    counter: i64,
) -> Result<(Vec<TaskInput>, Vec<TaskId>)> {
    // The order names the index to walk; a plan without statistics may else look at the whole project.
    let which = "WHERE t.project_id = :project AND t.change_number > :counter AND t.deletion_id IS NULL
         ORDER BY t.change_number";
    let live = db.all(sql!(format!("{TASKS} {which}"), project = project, counter = counter)).await?;
    let gone = "SELECT id FROM tasks
         WHERE project_id = :project AND change_number > :counter AND deletion_id IS NOT NULL
         ORDER BY change_number";
    Ok((live, db.scalars(sql!(gone, project = project, counter = counter)).await?))
}

/// Every live, accepted link whose two ends are in the projects.
pub async fn links(db: &dyn Read, projects: &[ProjectId]) -> Result<Vec<LinkInput>> {
    db.all(sql!(
        "SELECT id, predecessor_id, successor_id, dep_type, lag, is_driving FROM dependencies
         WHERE predecessor_project_id IN (:projects) AND successor_project_id IN (:projects)
           AND deletion_id IS NULL AND NOT pending_acceptance ORDER BY id",
        projects = list(projects.iter().copied())
    ))
    .await
}

/// The live, accepted links within a project that were written after a change, and the ids of all that were written.
pub async fn links_since(
    db: &dyn Read,
    project: ProjectId,
    counter: i64,
) -> Result<(Vec<LinkInput>, Vec<DependencyId>)> {
    let written = "FROM dependencies WHERE successor_project_id = :project AND change_number > :counter";
    let live = format!(
        "SELECT id, predecessor_id, successor_id, dep_type, lag, is_driving {written}
           AND predecessor_project_id = :project AND deletion_id IS NULL AND NOT pending_acceptance
         ORDER BY change_number"
    );
    let live = db.all(sql!(live, project = project, counter = counter)).await?;
    let all = format!("SELECT id {written} ORDER BY change_number");
    Ok((live, db.scalars(sql!(all, project = project, counter = counter)).await?))
}

/// Takes the mark away, so that whatever is remembered of the project is read again.
pub async fn unmark(tx: &mut Tx, project: ProjectId) -> Result<()> {
    let update = "UPDATE project_schedule SET mark = NULL WHERE project_id = :project";
    tx.run(sql!(update, project = project)).await.map(drop)
}

/// What was computed last time.
pub async fn computed(db: &dyn Read, projects: &[ProjectId]) -> Result<Vec<Computed>> {
    let columns = select_list::<Computed>("s");
    let select = format!("SELECT {columns} FROM task_schedule s WHERE s.project_id IN (:projects)");
    db.all(sql!(select, projects = list(projects.iter().copied()))).await
}

/// A computed row to write, with its project.
pub type Due<'a> = (&'a Computed, ProjectId);

/// Writes rows whose place in the outline is new or another, each with the change of its project.
pub async fn write_computed(tx: &mut Tx, rows: &[Due<'_>], lock: &PlanLock) -> Result<()> {
    let Some((first, _)) = rows.first() else { return Ok(()) };
    let columns = first.columns();
    let kept = columns.iter().filter(|(name, _)| *name != "task_id");
    let over: Vec<String> = kept.map(|(name, _)| format!("{name} = excluded.{name}")).collect();
    let text = format!(
        "INSERT INTO task_schedule ({}, project_id, change_number) VALUES ({}, :project, :counter)
         ON CONFLICT (task_id) DO UPDATE SET {}, change_number = excluded.change_number",
        names(&columns),
        binds(&columns),
        over.join(", ")
    );
    let values = rows.iter().map(|(row, project)| {
        let mut values = row.columns();
        values.push(("project", project.to_value()));
        values.push(("counter", lock.counter(*project).to_value()));
        values
    });
    tx.upsert_rows(&text, values).await.map(drop)
}

/// Writes the figures of rows that keep their place, or their dates alone.
pub async fn write_figures(tx: &mut Tx, rows: &[Due<'_>], only_dates: bool, lock: &PlanLock) -> Result<()> {
    let values = rows.iter().map(|(row, project)| {
        let mut values = if only_dates { row.figures.dates.columns() } else { row.figures.columns() };
        values.push(("change_number", lock.counter(*project).to_value()));
        values.push(("task_id", row.task_id.to_value()));
        values
    });
    tx.update_rows("task_schedule", "task_id", values.collect()).await.map(drop)
}

/// Writes the driving marks that changed.
pub async fn write_driving(tx: &mut Tx, marks: &[(DependencyId, bool)]) -> Result<()> {
    let values =
        marks.iter().map(|(id, driving)| vec![("is_driving", driving.to_value()), ("id", id.to_value())]);
    tx.update_rows("dependencies", "id", values.collect()).await.map(drop)
}

/// Raises the change counter of a project and returns it; on PostgreSQL this also keeps two recalculations apart.
pub async fn next_change(tx: &mut Tx, project: ProjectId) -> Result<i64> {
    tx.count(sql!(
        "UPDATE projects SET change_counter = change_counter + 1 WHERE id = :project RETURNING change_counter",
        project = project
    ))
    .await
}

/// A promised date that a row does not keep, as it is stored.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct StoredConflict {
    /// The row.
    pub task_id: TaskId,
    /// The kind of date that is not met.
    pub kind: ScheduleConflictKind,
    /// The wanted day.
    pub wanted: NaiveDate,
    /// The expected day.
    pub expected: NaiveDate,
}

/// The outcome of a recalculation for one project.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The project.
    pub project: ProjectId,
    /// The first day of its span.
    pub start: Option<i32>,
    /// The last day of its span.
    pub finish: Option<i32>,
    /// What could not be used.
    pub faults: Json,
    /// The promised dates that are not kept, as [`StoredConflict`]s.
    pub conflicts: Json,
    /// The change counter it was computed at.
    pub counter: i64,
    /// The mark by which a process knows what it remembers; none when nobody remembers it.
    pub mark: Option<Uuid>,
    /// Where the project stands.
    pub standing: Json,
    /// The active baseline for which that was counted.
    pub baseline: Option<BaselineId>,
}

/// Writes the outcome of a recalculation; the critical path, which can be long, only when it may be another one.
pub async fn write_outcome(tx: &mut Tx, outcome: &Outcome, path: Option<&[TaskId]>) -> Result<()> {
    let statement = match path {
        Some(path) => sql!(
            "INSERT INTO project_schedule (project_id, computed_at, start_day, finish_day, critical_path, faults,
                conflicts, change_counter, mark, standing, standing_baseline_id, standing_at)
             VALUES (:project, :now, :start, :finish, :path, :faults, :conflicts, :counter, :mark, :standing, :baseline,
                (SELECT p.change_counter FROM projects p WHERE p.id = :project))
             ON CONFLICT (project_id) DO UPDATE SET computed_at = excluded.computed_at,
                start_day = excluded.start_day, finish_day = excluded.finish_day,
                critical_path = excluded.critical_path, faults = excluded.faults, conflicts = excluded.conflicts,
                change_counter = excluded.change_counter, mark = excluded.mark, standing = excluded.standing,
                standing_baseline_id = excluded.standing_baseline_id, standing_at = excluded.standing_at",
            path = json!(path),
        ),
        None => Sql::new(
            "UPDATE project_schedule SET computed_at = :now, start_day = :start, finish_day = :finish,
                faults = :faults, conflicts = :conflicts, change_counter = :counter, mark = :mark,
                standing = :standing, standing_baseline_id = :baseline,
                standing_at = (SELECT p.change_counter FROM projects p WHERE p.id = :project)
             WHERE project_id = :project",
        ),
    };
    let statement = statement
        .bind("project", outcome.project)
        .bind("now", tx.now())
        .bind("start", outcome.start)
        .bind("finish", outcome.finish)
        .bind("faults", &outcome.faults)
        .bind("conflicts", &outcome.conflicts)
        .bind("counter", outcome.counter)
        .bind("mark", outcome.mark)
        .bind("standing", &outcome.standing)
        .bind("baseline", outcome.baseline);
    tx.run(statement).await.map(drop)
}

row! {
    /// The stored outcome of the last recalculation of a project.
    pub struct StoredOutcome {
        pub finish_day: Option<i32>,
        pub critical_path: Json,
        pub status_date: Option<NaiveDate>,
    }
}

/// What the last recalculation of a live project came to.
pub async fn outcome_of(db: &dyn Read, project: ProjectId) -> Result<Option<StoredOutcome>> {
    let select = "SELECT s.finish_day, s.critical_path, p.status_date FROM project_schedule s
         JOIN projects p ON p.id = s.project_id AND p.deletion_id IS NULL WHERE s.project_id = :project";
    db.maybe(sql!(select, project = project)).await
}

/// The critical path of each of several projects as the last recalculation left it; those without one are left out.
pub async fn critical_paths(
    db: &dyn Read,
    projects: &[ProjectId],
) -> Result<HashMap<ProjectId, Vec<TaskId>>> {
    let select = "SELECT project_id, critical_path FROM project_schedule WHERE project_id IN (:projects)";
    let rows: Vec<(ProjectId, Json)> = db.all(sql!(select, projects = list(projects))).await?;
    let path =
        |json: Json| serde_json::from_value(json).map_err(|error| StoreError::Unexpected(error.into()));
    rows.into_iter().map(|(project, json)| Ok((project, path(json)?))).collect()
}

#[cfg(test)]
impl TaskInput {
    /// A task that says as little as possible, for tests.
    pub(crate) fn blank() -> Self {
        Self {
            id: TaskId(Uuid::nil()),
            project_id: ProjectId(Uuid::nil()),
            parent_id: None,
            position: 1,
            has_place: true,
            is_subtask: false,
            is_recurring: false,
            r#type: TaskType::Task,
            status: TaskStatus::NotStarted,
            delivery_mode: DeliveryMode::Waterfall,
            is_milestone: false,
            duration: 1,
            percent_complete: 0.0,
            planned_start: None,
            deadline: None,
            constraint_type: None,
            constraint_date: None,
            calendar_id: None,
            actual_start: None,
            actual_finish: None,
            optimistic_duration: None,
            most_likely_duration: None,
            pessimistic_duration: None,
            story_points: None,
            remaining_points: None,
            assignee_id: None,
            sprint_start: None,
        }
    }
}

/// The live rows of projects, each with the row above it.
pub async fn parents(db: &dyn Read, projects: &[ProjectId]) -> Result<Vec<(TaskId, Option<TaskId>)>> {
    let select = "SELECT id, parent_id FROM tasks WHERE project_id IN (:projects) AND deletion_id IS NULL";
    db.all(sql!(select, projects = list(projects.iter().copied()))).await
}
