//! Every statement that reads the history of a project.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{ProjectId, TaskId, UserId};
use planwright_domain::words::ChangeKind;
use planwright_store::value::list;
use planwright_store::{Read, Result, Sql, row, sql};

use super::model::{HistoryFilter, HistoryRow};
use super::rules::{ALL, READABLE};

/// More changes than this are not counted.
pub(super) const MOST_COUNTED: i64 = 10_000;

const COLUMNS: &str =
    "SELECT h.id, h.at, h.entity, h.entity_id, h.kind, h.actor_id, u.username, u.first_name,
    u.last_name, h.version, h.fields";

const NEWEST_FIRST: &str = " ORDER BY h.at DESC, h.id DESC";

/// The changes of a project that a filter leaves.
pub(super) fn of_project(project: ProjectId, filter: &HistoryFilter) -> Sql {
    let entities: Vec<&str> = match filter.entity.as_given().map(|kind| kind.as_str()) {
        None => vec!["project"],
        Some(ALL) => READABLE.to_vec(),
        Some(one) => vec![one],
    };
    sql!(
        "FROM history h LEFT JOIN users u ON u.id = h.actor_id
         WHERE h.project_id = :project AND h.entity IN (:entities)",
        project = project,
        entities = list(entities)
    )
    .when("AND h.entity_id = :entity", "entity", filter.entity_id.as_given().copied())
    .when("AND h.actor_id = :actor", "actor", filter.actor.as_given().copied())
    .when("AND h.at >= :since", "since", filter.since.as_given().copied())
    .when("AND h.at < :until", "until", filter.until.as_given().copied())
}

/// How many changes there are, and at most one more than are counted.
pub(super) async fn count(db: &dyn Read, from: &Sql) -> Result<i64> {
    let bounded = format!(" LIMIT {}) AS counted", MOST_COUNTED + 1);
    db.count(from.clone().wrap("SELECT COUNT(*) FROM (SELECT h.id ", &bounded)).await
}

/// Some of the changes, newest first.
pub(super) async fn page(db: &dyn Read, from: Sql, size: i64, offset: i64) -> Result<Vec<HistoryRow>> {
    let window = format!("{NEWEST_FIRST} LIMIT {size} OFFSET {offset}");
    db.all(from.wrap(&format!("{COLUMNS} "), &window)).await
}

/// Who does a live task of a project; nothing at all when there is no such task.
pub(super) async fn assignee(
    db: &dyn Read,
    project: ProjectId,
    task: TaskId,
) -> Result<Option<Option<UserId>>> {
    let select =
        "SELECT assignee_id FROM tasks WHERE id = :task AND project_id = :project AND deletion_id IS NULL";
    db.scalar(sql!(select, task = task, project = project)).await
}

/// The changes of a task, or those before an instant.
pub(super) fn of_task(task: TaskId, until: Option<DateTime<Utc>>) -> Sql {
    let from = "FROM history h LEFT JOIN users u ON u.id = h.actor_id
         WHERE h.entity = 'task' AND h.entity_id = :task";
    sql!(from, task = task).when("AND h.at < :until", "until", until)
}

row! {
    /// How many changes of one kind there are to one kind of rows.
    pub(super) struct Counted {
        pub(super) entity: String,
        pub(super) kind: ChangeKind,
        pub(super) changes: i64,
        pub(super) first_at: DateTime<Utc>,
        pub(super) last_at: DateTime<Utc>,
    }
}

/// The changes by what they did to what.
pub(super) async fn by_kind(db: &dyn Read, from: &Sql) -> Result<Vec<Counted>> {
    let select = "SELECT h.entity, h.kind, COUNT(*) AS changes, MIN(h.at) AS first_at, MAX(h.at) AS last_at ";
    db.all(from.clone().wrap(select, " GROUP BY h.entity, h.kind")).await
}

/// The newest change of each person, with how many there are of theirs, the busiest first.
pub(super) async fn by_person(db: &dyn Read, from: &Sql) -> Result<Vec<(Option<UserId>, i64)>> {
    let after = " GROUP BY h.actor_id ORDER BY changes DESC, h.actor_id";
    db.all(from.clone().wrap("SELECT h.actor_id, COUNT(*) AS changes ", after)).await
}

row! {
    /// The names of a person.
    pub(super) struct Names {
        pub(super) id: UserId,
        pub(super) username: String,
        pub(super) first_name: String,
        pub(super) last_name: String,
    }
}

/// The names of several people.
pub(super) async fn names(db: &dyn Read, people: &[UserId]) -> Result<Vec<Names>> {
    let select = "SELECT id, username, first_name, last_name FROM users WHERE id IN (:ids)";
    db.all(sql!(select, ids = list(people.iter().copied()))).await
}
