//! `/api/v1/users/search/`: people by a part of their name, for pickers that search while somebody types.
//! It tells no addresses; whoever administers the workspace finds those in the list of members.

use axum::extract::State;
use planwright_domain::ids::UserId;
use planwright_domain::person;
use planwright_store::dialect::{contains, pattern};
use planwright_store::{Read, Result, row, sql};
use planwright_web::input;
use planwright_web::input::{Name, Patch};
use planwright_web::limits::Limit;
use planwright_web::{Actor, ApiResult, App, Json, Query, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;

/// Shorter texts would match nearly everybody.
const SHORTEST_TEXT: usize = 2;

/// The routes of this file.
pub fn routes() -> Routes {
    let rules =
        says("Find people whose name contains a text, at most ten.").members_only().limit(Limit::UserSearch);
    Routes::new().get("/api/v1/users/search/", search, rules)
}

async fn search(
    State(app): State<App>,
    _: Actor,
    Query(asked): Query<UserSearchQuery>,
) -> ApiResult<Json<Vec<UserSearchResult>>> {
    let text = asked.q.given().map(String::from).unwrap_or_default();
    if text.chars().count() < SHORTEST_TEXT {
        return Ok(Json(Vec::new()));
    }
    let found = named_like(&app.db, &text).await?;
    Ok(Json(found.into_iter().map(UserSearchResult::from).collect()))
}

input! {
    /// Whom to look for.
    pub struct UserSearchQuery {
        /// A part of the user name or of the full name. It has at least two characters.
        q: Patch<Name<0, 200>>,
    }
}

row! {
    struct FoundRow { id: UserId, username: String, first_name: String, last_name: String }
}

/// Somebody who was found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct UserSearchResult {
    /// Their id.
    pub id: UserId,
    /// The user name.
    pub username: String,
    /// The full name. If it is not known, the user name.
    pub display_name: String,
    /// Two letters of it.
    pub initials: String,
}

impl From<FoundRow> for UserSearchResult {
    fn from(row: FoundRow) -> Self {
        let display_name = person::display_name(&row.first_name, &row.last_name, &row.username);
        let initials = person::initials(&display_name);
        Self { id: row.id, username: row.username, display_name, initials }
    }
}

/// The first ten people who may act and whose name contains the text.
async fn named_like(db: &dyn Read, text: &str) -> Result<Vec<FoundRow>> {
    let by_username = contains(db.engine(), "username", "text");
    let by_full_name = contains(db.engine(), "(first_name || ' ' || last_name)", "text");
    let statement = format!(
        "SELECT id, username, first_name, last_name FROM users
         WHERE is_active = TRUE AND status <> 'deactivated' AND ({by_username} OR {by_full_name})
         ORDER BY username, id LIMIT 10"
    );
    db.all(sql!(statement, text = pattern(text))).await
}
