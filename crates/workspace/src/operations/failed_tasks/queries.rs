//! Every statement of these pages about failed jobs.
//! Requeueing and dropping one is a command of the jobs crate.

use chrono::{DateTime, Utc};
use planwright_domain::words::FailedTaskStatus;
use planwright_store::dialect::{contains, pattern};
use planwright_store::{Read, Result, Sql, sql};
use uuid::Uuid;

use super::model::{FailedTaskQuery, FailedTaskRow};

/// The columns of a failed job.
pub const COLUMNS: &str = "SELECT f.id, f.job_id, f.kind, f.payload, f.project_id, f.error, f.failure_count,
    f.first_failed_at, f.last_failed_at, f.status, f.resolution_note, f.resolved_at,
    u.username AS resolver_username, u.first_name AS resolver_first_name, u.last_name AS resolver_last_name";

const FROM: &str = "FROM failed_jobs f LEFT JOIN users u ON u.id = f.resolved_by WHERE TRUE";

/// Which failed jobs.
#[derive(Clone, Debug)]
pub struct Filter {
    status: Option<FailedTaskStatus>,
    kind: Option<String>,
    after: Option<DateTime<Utc>>,
    before: Option<DateTime<Utc>>,
    search: Option<String>,
}

impl Filter {
    /// What a caller asked for.
    pub fn of(asked: FailedTaskQuery, search: Option<String>) -> Self {
        Self {
            status: asked.status.given(),
            kind: asked.task_name.given().map(String::from),
            after: asked.failed_after.given(),
            before: asked.failed_before.given(),
            search,
        }
    }
}

/// The failed jobs that a filter lets through.
pub fn matching(db: &dyn Read, filter: &Filter) -> Sql {
    let (in_kind, in_error) =
        (contains(db.engine(), "f.kind", "search"), contains(db.engine(), "f.error", "search"));
    sql!(FROM)
        .when("AND f.status = :status", "status", filter.status)
        .when("AND f.kind = :kind", "kind", filter.kind.as_deref())
        .when("AND f.last_failed_at >= :failed_after", "failed_after", filter.after)
        .when("AND f.last_failed_at <= :failed_before", "failed_before", filter.before)
        .when(&format!("AND ({in_kind} OR {in_error})"), "search", filter.search.as_deref().map(pattern))
}

/// One failed job.
pub async fn find(db: &dyn Read, id: Uuid) -> Result<Option<FailedTaskRow>> {
    db.maybe(sql!(format!("{COLUMNS} {FROM} AND f.id = :id"), id = id)).await
}

/// How many of those that a filter lets through are still dead, and the ids of up to so many, oldest first.
pub async fn still_dead(db: &dyn Read, filter: &Filter, most: i64) -> Result<(i64, Vec<Uuid>)> {
    let dead = matching(db, filter).push(" AND f.status = 'dead'");
    let matched = db.count(dead.clone().wrap("SELECT COUNT(*) ", "")).await?;
    let oldest_first = " ORDER BY f.last_failed_at, f.id LIMIT :most";
    let ids = db.scalars(dead.wrap("SELECT f.id ", oldest_first).bind("most", most)).await?;
    Ok((matched, ids))
}
