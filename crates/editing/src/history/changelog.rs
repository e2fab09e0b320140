//! `/api/v1/projects/{project_pk}/changelog/`: the changes of a project as a feed, each with the name of the row that changed.
//! The numbered pages and what changes add up to are in `routes.rs`.

use std::collections::HashMap;

use axum::extract::State;
use chrono::{DateTime, SecondsFormat, Utc};
use planwright_domain::access::may;
use planwright_domain::ids::{ProjectId, UserId};
use planwright_domain::words::{ChangeKind, ChangelogKind};
use planwright_store::value::list;
use planwright_store::{Read, Result, Sql, row, sql};
use planwright_web::input::Patch;
use planwright_web::{
    ApiError, ApiResult, App, CursorPaging, Json, ProjectScope, Query, Routes, input, says,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use super::model::{HistoryRow, HistoryUser, RowKind};
use super::{queries, rules};

const LIST: &str = "changelog";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(
        "/api/v1/projects/{project_pk}/changelog/",
        changelog,
        says("The changes of a project with the names of the rows, newest first."),
    )
}

input! {
    /// Which changes to show.
    pub struct ChangelogFilter {
        /// Only changes that did this.
        pub change_type: Patch<ChangelogKind>,
        /// Only changes of this kind of row, such as `task` or `risk`.
        pub object_type: Patch<RowKind>,
        /// Only changes at this time or later.
        pub since: Patch<DateTime<Utc>>,
        /// Only changes by this person.
        pub user: Patch<UserId>,
    }
}

/// The values of a field before and after a change.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FieldDiff {
    pub field: String,
    pub old: Value,
    pub new: Value,
}

/// A change of a row.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChangelogEntry {
    pub id: String,
    /// What kind of row it was, such as `task`.
    pub object_type: String,
    pub object_id: String,
    /// The name of the row as it is now: of a comment that of its risk, of a membership that of the person. Blank for a row
    /// without a name.
    pub object_label: String,
    pub change_type: ChangelogKind,
    pub history_date: DateTime<Utc>,
    /// Null for the system.
    pub user: Option<HistoryUser>,
    /// The fields that changed. Values that the caller may not read are left out.
    pub changes: Vec<FieldDiff>,
}

/// Changes, newest first.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChangelogResponse {
    pub results: Vec<ChangelogEntry>,
    /// What `cursor` has to be for the next page; null on the last one.
    pub next_cursor: Option<String>,
}

async fn changelog(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    paging: CursorPaging,
    Query(filter): Query<ChangelogFilter>,
) -> ApiResult<Json<ChangelogResponse>> {
    let from = of_project(scope.project, &filter, place(&paging)?);
    let rows = queries::page(&app.db, from, paging.size + 1, 0).await?;
    let keys = |row: &HistoryRow| vec![stamp(row.at), row.id.to_string()];
    let (rows, next_cursor) = paging.slice(LIST, rows, keys);
    let labels = labels(&app.db, rows.iter().map(|row| row.entity_id)).await?;
    let results = rows.into_iter().map(|row| entry(row, &labels)).collect();
    Ok(Json(ChangelogResponse { results, next_cursor }))
}

fn shown(kind: ChangeKind) -> ChangelogKind {
    match kind {
        ChangeKind::Created | ChangeKind::Restored => ChangelogKind::Created,
        ChangeKind::Updated => ChangelogKind::Updated,
        ChangeKind::Deleted => ChangelogKind::Deleted,
    }
}

fn kinds(shown: ChangelogKind) -> &'static [ChangeKind] {
    match shown {
        ChangelogKind::Created => &[ChangeKind::Created, ChangeKind::Restored],
        ChangelogKind::Updated => &[ChangeKind::Updated],
        ChangelogKind::Deleted => &[ChangeKind::Deleted],
    }
}

fn stamp(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Micros, true)
}

/// The moment and the id of the last change of the page before.
fn place(paging: &CursorPaging) -> ApiResult<Option<(DateTime<Utc>, Uuid)>> {
    let Some(keys) = paging.after(LIST, 2)? else { return Ok(None) };
    match (keys[0].parse(), keys[1].parse()) {
        (Ok(at), Ok(id)) => Ok(Some((at, id))),
        _ => Err(ApiError::invalid_field("cursor", "This cursor is not valid.")),
    }
}

fn entry(row: HistoryRow, labels: &HashMap<Uuid, String>) -> ChangelogEntry {
    let user = rules::user(&row);
    let (id, at, kind) = (row.id.to_string(), row.at, row.kind);
    let record = rules::record(row, false);
    let readable = record.diff.into_iter().filter(|change| !change.hidden);
    ChangelogEntry {
        id,
        object_label: labels.get(&record.entity_id).cloned().unwrap_or_default(),
        object_type: record.entity,
        object_id: record.entity_id.to_string(),
        change_type: shown(kind),
        history_date: at,
        user,
        changes: readable
            .map(|change| FieldDiff { field: change.field, old: change.old, new: change.new })
            .collect(),
    }
}

/// The changes that a filter leaves, after those of the pages before.
fn of_project(project: ProjectId, filter: &ChangelogFilter, after: Option<(DateTime<Utc>, Uuid)>) -> Sql {
    let entities: Vec<&str> = match filter.object_type.as_given().map(RowKind::as_str) {
        None | Some(rules::ALL) => rules::READABLE.to_vec(),
        Some(one) => vec![one],
    };
    let kinds = filter.change_type.as_given().map(|kind| list(kinds(*kind).iter().copied()));
    let select = sql!(
        "FROM history h LEFT JOIN users u ON u.id = h.actor_id
         WHERE h.project_id = :project AND h.entity IN (:entities)",
        project = project,
        entities = list(entities)
    )
    .when("AND h.kind IN (:kinds)", "kinds", kinds)
    .when("AND h.actor_id = :user", "user", filter.user.as_given().copied())
    .when("AND h.at >= :since", "since", filter.since.as_given().copied());
    match after {
        None => select,
        Some((at, id)) => select
            .push(" AND (h.at < :after OR (h.at = :after AND h.id < :after_id))")
            .bind("after", at)
            .bind("after_id", id),
    }
}

row! {
    struct Label {
        id: Uuid,
        label: String,
    }
}

/// Rows with a name that is called otherwise, or that is that of another row.
const OTHERWISE_NAMED: [(&str, &str); 3] = [
    ("x.title", "risks x"),
    ("r.title", "risk_comments x JOIN risks r ON r.id = x.risk_id"),
    (
        "CASE WHEN u.first_name = '' AND u.last_name = '' THEN u.username
            ELSE TRIM(u.first_name || ' ' || u.last_name) END",
        "project_members x JOIN users u ON u.id = x.user_id",
    ),
];

/// The names of the rows that have one, deleted rows among them.
async fn labels(db: &dyn Read, rows: impl Iterator<Item = Uuid>) -> Result<HashMap<Uuid, String>> {
    let named =
        ["tasks", "projects", "sprints", "baselines", "labels", "teams", "custom_fields", "board_views"];
    let all: Vec<String> =
        named
            .iter()
            .map(|table| format!("SELECT x.id, x.name AS label FROM {table} x WHERE x.id IN (:rows)"))
            .chain(OTHERWISE_NAMED.map(|(label, from)| {
                format!("SELECT x.id, {label} AS label FROM {from} WHERE x.id IN (:rows)")
            }))
            .collect();
    let found: Vec<Label> = db.all(sql!(all.join(" UNION ALL "), rows = list(rows))).await?;
    Ok(found.into_iter().map(|row| (row.id, row.label)).collect())
}
