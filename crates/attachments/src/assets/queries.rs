//! The statement of the feeds.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{ProgramId, ProjectId, UserId};
use planwright_store::dialect::{contains, pattern};
use planwright_store::{Read, Result, sql};
use planwright_web::Actor;
use serde_json::json;
use uuid::Uuid;

use super::model::{AssetFilter, AssetKind, AssetRow};

/// What a feed tells of.
#[derive(Clone, Copy, Default)]
pub struct Place {
    /// Only this project.
    pub project: Option<ProjectId>,
    /// Only projects of this program.
    pub program: Option<ProgramId>,
    /// Only tasks of this assignee.
    pub assignee: Option<UserId>,
}

/// What people put beside tasks: links, and files and addresses that were attached. What a link has alone is empty in the
/// others.
const ASSETS: &str = "FROM (
        SELECT l.id, l.project_id, l.task_id, l.created_by, l.created_at, l.url, l.title, l.custom_title, l.labels,
            l.provider, l.status, l.preview_type, '' AS storage_key
        FROM task_links l WHERE l.deletion_id IS NULL
        UNION ALL
        SELECT a.id, a.project_id, a.task_id, a.uploaded_by AS created_by, a.created_at, a.external_url AS url,
            a.file_name AS title, a.external_title AS custom_title, '[]' AS labels, NULL AS provider, NULL AS status,
            NULL AS preview_type, a.storage_key
        FROM task_attachments a WHERE a.deletion_id IS NULL
    ) x
    JOIN tasks t ON t.id = x.task_id AND t.deletion_id IS NULL
    JOIN projects j ON j.id = x.project_id
    LEFT JOIN programs g ON g.id = j.program_id AND g.deletion_id IS NULL
    JOIN users u ON u.id = x.created_by";

/// The newest assets after a place in the feed, in projects that the caller sees.
pub async fn newest(
    db: &dyn Read,
    actor: &Actor,
    place: Place,
    filter: &AssetFilter,
    after: Option<(DateTime<Utc>, Uuid)>,
    most: i64,
) -> Result<Vec<AssetRow>> {
    let [url, title, custom] =
        ["x.url", "x.title", "x.custom_title"].map(|column| contains(db.engine(), column, "words"));
    let named = format!("AND ({url} OR {title} OR {custom})");
    let words = filter.q.as_given().filter(|words| !words.is_empty()).map(|words| pattern(words));
    // Labels and providers are of links alone: what has none is left out by a filter of them.
    let labelled = format!("AND {}", contains(db.engine(), "x.labels", "label"));
    // Labels are stored as a JSON list, in which each stands between quotation marks.
    let quoted = filter.label.as_given().map(|label| json!(label.as_str()).to_string());
    let label = quoted.as_deref().map(pattern);
    let of_kind = match filter.kind.as_given() {
        None => "",
        Some(AssetKind::File) => " AND x.storage_key <> ''",
        Some(AssetKind::Link) => " AND x.storage_key = ''",
    };
    let select = sql!(format!(
        "SELECT x.id, x.url, x.title, x.custom_title, x.labels, x.provider, x.status, x.preview_type, x.storage_key,
            x.created_at, t.id AS task_id, t.name AS task_name, j.id AS project_id, j.name AS project_name,
            g.id AS program_id, g.name AS program_name, u.id AS user_id, u.username, u.first_name, u.last_name
         {ASSETS} WHERE TRUE"
    ));
    let select = actor
        .in_visible_projects(select, "x.project_id")
        .push(of_kind)
        .when("AND x.project_id = :project", "project", place.project)
        .when("AND j.program_id = :program", "program", place.program)
        .when("AND t.assignee_id = :assignee", "assignee", place.assignee)
        .when("AND x.provider = :provider", "provider", filter.provider.as_given().copied())
        .when(&labelled, "label", label)
        .when(&named, "words", words);
    let select = match after {
        None => select,
        Some((at, id)) => select
            .push(" AND (x.created_at < :after OR (x.created_at = :after AND x.id < :after_id))")
            .bind("after", at)
            .bind("after_id", id),
    };
    db.all(select.push(" ORDER BY x.created_at DESC, x.id DESC LIMIT :most").bind("most", most)).await
}
