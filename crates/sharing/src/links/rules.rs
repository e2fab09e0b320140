//! Which links may be made, and what a link is worth when somebody uses it; without a database.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{ProjectId, ShareLinkId, UserId};
use planwright_domain::words::{SharedContent, Word};
use planwright_web::{ApiError, ApiResult, token};

use super::model::{ShareLinkCreateRequest, ShareLinkRow};

/// How much of a token lists show.
const SHOWN: usize = 12;

/// How many links of a project may be there that nobody has revoked.
pub const MOST_LINKS: i64 = 200;

/// Where a new link belongs, and who makes it when.
pub struct Maker {
    /// The id of the link.
    pub id: ShareLinkId,
    /// The project.
    pub project: ProjectId,
    /// The person.
    pub person: UserId,
    /// The moment.
    pub now: DateTime<Utc>,
}

/// The link that was asked for.
///
/// # Errors
/// 400 when it would have ended already.
pub fn wanted(request: ShareLinkCreateRequest, secret: &str, maker: Maker) -> ApiResult<ShareLinkRow> {
    let expires_at = request.expires_at.given().flatten();
    if expires_at.is_some_and(|at| at <= maker.now) {
        return Err(ApiError::invalid_field("expires_at", "Must be in the future."));
    }
    Ok(ShareLinkRow {
        id: maker.id,
        project_id: maker.project,
        content_kind: request.content_kind.given().unwrap_or(SharedContent::Board),
        token_hash: token::hash(secret),
        token_prefix: secret.chars().take(SHOWN).collect(),
        label: request.label.given().map(String::from).unwrap_or_default().trim().to_owned(),
        show_assignees: request.show_assignees.given().unwrap_or(false),
        show_milestone_dates: request.show_milestone_dates.given().unwrap_or(true),
        created_by: Some(maker.person),
        created_at: maker.now,
        expires_at,
        revoked_at: None,
        server_version: 1,
    })
}

/// The path of the page of a link.
pub fn page(kind: SharedContent, secret: &str) -> String {
    format!("/share/{}/{secret}", kind.as_str())
}

/// What a link is worth.
#[derive(Debug, PartialEq, Eq)]
pub enum Worth {
    /// It shows its picture.
    Open,
    /// It worked once, and does not any more.
    Over,
}

impl ShareLinkRow {
    /// What the link is worth at a moment, where its project shares (`is_shared`) or does not any more.
    pub fn worth(&self, now: DateTime<Utc>, is_shared: bool) -> Worth {
        let is_over = self.revoked_at.is_some() || self.expires_at.is_some_and(|at| at <= now) || !is_shared;
        if is_over { Worth::Over } else { Worth::Open }
    }
}

#[cfg(test)]
mod tests {
    use planwright_web::Input;
    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    fn link(fields: serde_json::Value) -> ApiResult<ShareLinkRow> {
        let fields = fields.as_object().cloned().unwrap_or_default();
        let request = ShareLinkCreateRequest::read(&fields).map_err(ApiError::invalid)?;
        let [id, project, person] = [1, 2, 3].map(Uuid::from_u128);
        let maker = Maker {
            id: ShareLinkId(id),
            project: ProjectId(project),
            person: UserId(person),
            now: DateTime::UNIX_EPOCH,
        };
        wanted(request, "abcdefghijklmnop", maker)
    }

    #[test]
    fn a_link_hides_people_and_shows_the_board_unless_said_otherwise() {
        let row = link(json!({})).unwrap();
        assert_eq!(
            (row.content_kind, row.show_assignees, row.show_milestone_dates),
            (SharedContent::Board, false, true)
        );
        assert_eq!(row.token_prefix, "abcdefghijkl");
        assert!(!row.token_hash.contains("abc"), "only the hash is kept");
    }

    #[test]
    fn a_link_into_the_past_is_refused() {
        assert!(link(json!({"expires_at": "1970-01-01T00:00:00Z"})).is_err());
    }

    #[test]
    fn a_link_is_over_when_it_was_revoked_or_has_ended_or_its_project_shares_nothing() {
        let row = link(json!({"expires_at": "1970-01-01T01:00:00Z"})).unwrap();
        let hour = DateTime::UNIX_EPOCH + chrono::Duration::hours(1);
        let before = hour - chrono::Duration::seconds(1);
        assert_eq!(row.worth(before, true), Worth::Open);
        assert_eq!(row.worth(hour, true), Worth::Over);
        assert_eq!(row.worth(before, false), Worth::Over);
        let revoked = ShareLinkRow { revoked_at: Some(DateTime::UNIX_EPOCH), ..row };
        assert_eq!(revoked.worth(before, true), Worth::Over);
    }
}
