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

/// The newest links after a place in the feed, in projects that the caller sees.
pub async fn links(
    db: &impl Read,
    actor: &Actor,
    place: Place,
    filter: &AssetFilter,
    after: Option<(DateTime<Utc>, Uuid)>,
    most: i64,
) -> Result<Vec<AssetRow>> {
    let no_links = filter.kind.as_given().is_some_and(|kind| *kind != AssetKind::Link);
    let [url, title, custom] =
        ["l.url", "l.title", "l.custom_title"].map(|column| contains(db.engine(), column, "words"));
    let named = format!("AND ({url} OR {title} OR {custom})");
    let words = filter.q.as_given().filter(|words| !words.is_empty()).map(|words| pattern(words));
    let labelled = format!("AND {}", contains(db.engine(), "l.labels", "label"));
    // Labels are stored as a JSON list, in which each stands between quotation marks.
    let quoted = filter.label.as_given().map(|label| json!(label.as_str()).to_string());
    let label = quoted.as_deref().map(pattern);
    let select = sql!(
        "SELECT l.id, l.url, l.title, l.custom_title, l.labels, l.provider, l.status, l.preview_type, l.created_at,
            t.id AS task_id, t.name AS task_name, j.id AS project_id, j.name AS project_name, g.id AS program_id,
            g.name AS program_name, u.id AS user_id, u.username, u.first_name, u.last_name
         FROM task_links l
         JOIN tasks t ON t.id = l.task_id AND t.deletion_id IS NULL
         JOIN projects j ON j.id = l.project_id
         LEFT JOIN programs g ON g.id = j.program_id AND g.deletion_id IS NULL
         JOIN users u ON u.id = l.created_by
         WHERE l.deletion_id IS NULL"
    );
    let select = actor
        .in_visible_projects(select, "l.project_id")
        .push(if no_links { " AND FALSE" } else { "" })
        .when("AND l.project_id = :project", "project", place.project)
        .when("AND j.program_id = :program", "program", place.program)
        .when("AND t.assignee_id = :assignee", "assignee", place.assignee)
        .when("AND l.provider = :provider", "provider", filter.provider.as_given().copied())
        .when(&labelled, "label", label)
        .when(&named, "words", words);
    let select = match after {
        None => select,
        Some((at, id)) => select
            .push(" AND (l.created_at < :after OR (l.created_at = :after AND l.id < :after_id))")
            .bind("after", at)
            .bind("after_id", id),
    };
    db.all(select.push(" ORDER BY l.created_at DESC, l.id DESC LIMIT :most").bind("most", most)).await
}
