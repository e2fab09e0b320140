//! The statements about suggested durations.

use planwright_domain::ids::VelocitySuggestionId;
use planwright_store::record::Record;
use planwright_store::{Read, Result, Sql, sql};
use planwright_web::Actor;

use super::model::{ListedRow, SuggestionFilter, SuggestionRow};

/// The select list of a [`ListedRow`].
pub fn columns() -> String {
    format!("SELECT s.name AS sprint_name, {}", SuggestionRow::select_list("v"))
}

const FROM: &str = "FROM velocity_suggestions v JOIN sprints s ON s.id = v.sprint_id
    JOIN tasks t ON t.id = v.task_id AND t.deletion_id IS NULL WHERE v.deletion_id IS NULL";

/// The suggestions that the caller sees, narrowed by a filter.
pub fn visible(actor: &Actor, filter: &SuggestionFilter) -> Sql {
    let seen = actor.in_visible_projects(sql!(FROM), "v.project_id").when(
        "AND v.task_id = :task",
        "task",
        filter.task.as_given().copied(),
    );
    match filter.pending.as_given() {
        Some(true) => seen.push(" AND v.accepted_at IS NULL AND v.dismissed_at IS NULL"),
        _ => seen,
    }
}

/// One suggestion.
pub async fn one(db: &dyn Read, id: VelocitySuggestionId) -> Result<Option<ListedRow>> {
    db.maybe(sql!(format!("{} {FROM} AND v.id = :id", columns()), id = id)).await
}
