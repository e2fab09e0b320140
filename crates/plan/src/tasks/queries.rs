//! Every statement that reads tasks; none writes them.
//! The caller's membership is part of each statement, so a task of a foreign project is never found.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use planwright_domain::ids::*;
use planwright_domain::words::TaskStatus;
use planwright_store::dialect::{contains, pattern};
use planwright_store::page::{Listing, Remembered};
use planwright_store::record::select_list;
use planwright_store::value::list;
use planwright_store::words::{Text, Words};
use planwright_store::{Read, Record, Result, Sql, row, sql};

use planwright_web::{Actor, ApiError, ApiResult};

use super::field_filter;
use super::model::{TaskFilter, TaskRow};
use super::write::TaskRecord;
use crate::schedule::network::day;
use crate::schedule::queries::Computed;

/// The select list of a [`TaskRow`].
pub fn columns() -> &'static str {
    static COLUMNS: LazyLock<String> = LazyLock::new(|| {
        format!(
            "SELECT p.code AS project_code, p.estimation_mode, p.prioritization_model,
                p.archived_at IS NOT NULL AS archived, m.role AS my_role, {}, {}",
            TaskRecord::select_list("t"),
            select_list::<Computed>("s"),
        )
    });
    &COLUMNS
}

/// Where a row stands: a phase where its leaves stand.
pub(super) const STATUS: &str =
    "(CASE WHEN s.is_phase THEN COALESCE(s.rolled_status, t.status) ELSE t.status END)";

/// How much is done of a row: of a phase what its leaves add up to.
pub(super) const PERCENT: &str = "(CASE WHEN s.is_phase THEN s.rolled_percent ELSE t.percent_complete END)";

/// The working days of a row: of a phase those from its start to its finish.
pub(super) const DURATION: &str =
    "(CASE WHEN s.is_phase THEN COALESCE(s.rolled_duration, t.duration) ELSE t.duration END)";

/// Who does a row: of a phase the one who does all its leaves.
const ASSIGNEE: &str = "(CASE WHEN s.is_phase THEN s.rolled_assignee_id ELSE t.assignee_id END)";

const NARROW: &str = "FROM tasks t WHERE t.deletion_id IS NULL";

const VISIBLE: &str = "FROM tasks t
    JOIN projects p ON p.id = t.project_id AND p.deletion_id IS NULL
    JOIN project_members m ON m.project_id = t.project_id AND m.user_id = :me AND m.deletion_id IS NULL
    LEFT JOIN task_schedule s ON s.task_id = t.id
    WHERE t.deletion_id IS NULL";

/// Whether a list has to look at what the engine computed to know its rows or their order.
fn looks_at_dates(filter: &TaskFilter, ordering: Option<&str>) -> bool {
    let ordered = ordering
        .is_some_and(|keys| keys.split(',').any(|key| key.trim_start_matches([' ', '-']).trim() != "name"));
    let filtered = [
        filter.assignee.is_given(),
        filter.status.is_given(),
        filter.is_critical.is_given(),
        filter.start__gte.is_given(),
        filter.finish__lte.is_given(),
    ];
    ordered || filtered.contains(&true)
}

/// The tasks that the caller sees, as they are counted and ordered, and as they are shown.
pub fn listed(
    db: &dyn Read,
    actor: &Actor,
    filter: &TaskFilter,
    search: Option<&str>,
    ordering: Option<&str>,
    remembered: Option<Remembered>,
) -> ApiResult<Listing> {
    let wide = Sql::new(VISIBLE).push(&actor.sees_projects());
    let wide = narrowed(wide.bind("me", actor.id), db, filter, search)?;
    match looks_at_dates(filter, ordering) {
        true => Ok(Listing { remembered, ..wide.into() }),
        false => {
            let narrow = Sql::new(NARROW).push(&seen_by(actor, filter)).bind("me", actor.id);
            Ok(Listing { narrow: narrowed(narrow, db, filter, search)?, wide: Some(wide), remembered })
        }
    }
}

/// The membership, asked for once a statement and not once a row.
fn seen_by(actor: &Actor, filter: &TaskFilter) -> String {
    let mine = format!(
        "FROM projects p JOIN project_members m ON m.project_id = p.id AND m.user_id = :me AND m.deletion_id IS NULL
         WHERE p.deletion_id IS NULL{}",
        actor.sees_projects()
    );
    match filter.project.is_given() {
        true => format!(" AND EXISTS (SELECT 1 {mine} AND p.id = :project)"),
        false => format!(" AND t.project_id IN (SELECT p.id {mine})"),
    }
}

/// Narrows a list of tasks by a filter and a text in the name; an id that is none is a 400.
fn narrowed(tasks: Sql, db: &dyn Read, filter: &TaskFilter, search: Option<&str>) -> ApiResult<Sql> {
    let given = |name: &str| format!("AND {name}");
    let named = given(&contains(db.engine(), "t.name", "search"));
    let mut from = tasks
        .when("AND t.project_id = :project", "project", filter.project.as_given().copied())
        .when(
            "AND t.short_id = :short_id",
            "short_id",
            filter.short_id.as_given().map(|id| id.to_uppercase()),
        )
        .when(&given(&format!("{STATUS} = :status")), "status", filter.status.as_given().copied())
        .when("AND t.type = :type", "type", filter.r#type.as_given().copied())
        .when(
            "AND COALESCE(s.is_critical, FALSE) = :critical",
            "critical",
            filter.is_critical.as_given().copied(),
        )
        .when("AND t.is_subtask = :subtask", "subtask", filter.is_subtask.as_given().copied())
        .when("AND t.parent_id = :parent AND t.is_subtask", "parent", filter.parent.as_given().copied())
        .when("AND s.early_finish >= :from", "from", filter.start__gte.as_given().map(|date| day(*date).0))
        .when("AND s.early_start <= :until", "until", filter.finish__lte.as_given().map(|date| day(*date).0))
        .when(&named, "search", search.map(pattern));
    from = match filter.sprint.as_given().map(|sprint| sprint.as_str()) {
        None => from,
        Some("none") => from.push(" AND t.sprint_id IS NULL"),
        Some(id) => from.push(" AND t.sprint_id = :sprint").bind("sprint", id_in::<SprintId>("sprint", id)?),
    };
    from = match filter.assignee.as_given().map(|assignee| assignee.as_str()) {
        None => from,
        Some("none") => from.push(&format!(" AND {ASSIGNEE} IS NULL")),
        Some(id) => from
            .push(&format!(" AND {ASSIGNEE} = :assignee"))
            .bind("assignee", id_in::<UserId>("assignee", id)?),
    };
    if filter.mine.as_given() == Some(&true) {
        from = from.push(
            " AND (t.assignee_id = :me OR EXISTS (SELECT 1 FROM task_resources a
                JOIN resources r ON r.id = a.resource_id AND r.deletion_id IS NULL
                WHERE a.task_id = t.id AND a.deletion_id IS NULL AND r.user_id = :me))",
        );
    }
    if let Some(labels) = filter.labels.as_given() {
        let ids = labels
            .split(',')
            .map(|id| id_in::<LabelId>("labels", id.trim()))
            .collect::<ApiResult<Vec<_>>>()?;
        from = from
            .push(
                " AND EXISTS (SELECT 1 FROM task_labels l WHERE l.task_id = t.id AND l.label_id IN (:labels))",
            )
            .bind("labels", list(ids));
    }
    if let Some(field) = filter.custom_field.as_given() {
        from = from.bind("ordering_field", *field);
    }
    match filter.custom_fields.as_given() {
        Some(asked) => field_filter::narrowed(from, db.engine(), asked),
        None => Ok(from),
    }
}

fn id_in<T: std::str::FromStr>(parameter: &str, text: &str) -> ApiResult<T> {
    text.parse().map_err(|_| ApiError::invalid_field(parameter, format!("\"{text}\" is not a valid UUID.")))
}

/// One task, if the caller sees it.
pub async fn find(db: &dyn Read, actor: &Actor, id: TaskId) -> Result<Option<TaskRow>> {
    let consent = actor.sees_projects();
    db.maybe(sql!(format!("{} {VISIBLE} AND t.id = :id{consent}", columns()), me = actor.id, id = id)).await
}

/// Those of some tasks that the caller sees.
pub async fn find_all(db: &dyn Read, actor: &Actor, ids: &[TaskId]) -> Result<Vec<TaskRow>> {
    let select = format!("{} {VISIBLE} AND t.id IN (:ids){}", columns(), actor.sees_projects());
    db.all(sql!(select, me = actor.id, ids = list(ids.iter().copied()))).await
}

/// Whether the caller sees a task.
pub async fn sees(db: &dyn Read, actor: &Actor, id: TaskId) -> Result<bool> {
    let consent = actor.sees_projects();
    let count = format!("SELECT COUNT(*) {VISIBLE} AND t.id = :id{consent}");
    Ok(db.count(sql!(count, me = actor.id, id = id)).await? > 0)
}

row! {
    /// A task that search found.
    pub struct Hit {
        pub id: TaskId,
        pub name: String,
        pub status: TaskStatus,
        pub short_id: String,
    }
}

/// How many tasks a search within a project finds at most.
const MOST_HITS: usize = 500;

/// Tasks of a project with these words: those with all of them in the name, then those with all of them in the notes.
pub async fn search(db: &dyn Read, project: ProjectId, words: &Words) -> Result<Vec<Hit>> {
    let mut hits = Vec::new();
    for text in [Text::TaskName, Text::TaskNotes] {
        let select = format!("SELECT t.id, t.name, {STATUS} AS status, t.short_id");
        let joins = "LEFT JOIN task_schedule s ON s.task_id = t.id";
        let live = " AND t.project_id = :project AND t.deletion_id IS NULL ORDER BY t.name, t.id LIMIT :most";
        let found = words.find(db.engine(), text, &select, joins).push(live);
        let rows: Vec<Hit> = db.all(found.bind("project", project).bind("most", MOST_HITS as i64)).await?;
        let seen: HashSet<TaskId> = hits.iter().map(|hit: &Hit| hit.id).collect();
        hits.extend(rows.into_iter().filter(|row| !seen.contains(&row.id)));
    }
    hits.truncate(MOST_HITS);
    Ok(hits)
}

/// Tasks of a project whose name or notes contain the text anywhere, those with it in the name first.
/// This reads all rows of the project, so it is asked only for what the index of words does not know.
pub async fn containing(db: &dyn Read, project: ProjectId, text: &str) -> Result<Vec<Hit>> {
    let in_name = contains(db.engine(), "t.name", "text");
    let in_notes = contains(db.engine(), "t.notes", "text");
    let select = format!(
        "SELECT t.id, t.name, {STATUS} AS status, t.short_id FROM tasks t
         LEFT JOIN task_schedule s ON s.task_id = t.id WHERE t.project_id = :project AND t.deletion_id IS NULL
         AND ({in_name} OR {in_notes}) ORDER BY CASE WHEN {in_name} THEN 0 ELSE 1 END, t.name, t.id LIMIT :most"
    );
    let most = MOST_HITS as i64;
    db.all(sql!(select, project = project, most = most).bind("text", pattern(text))).await
}

/// Tasks by id, as search shows them.
pub async fn hits(db: &dyn Read, tasks: &[TaskId]) -> Result<HashMap<TaskId, Hit>> {
    if tasks.is_empty() {
        return Ok(HashMap::new());
    }
    let select = format!(
        "SELECT t.id, t.name, {STATUS} AS status, t.short_id FROM tasks t
         LEFT JOIN task_schedule s ON s.task_id = t.id WHERE t.id IN (:ids) AND t.deletion_id IS NULL"
    );
    let rows: Vec<Hit> = db.all(sql!(select, ids = list(tasks.iter().copied()))).await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}
